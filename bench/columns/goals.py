# SPDX-License-Identifier: MIT
"""What reading and writing columns is to reach. A goal in MB/s or seconds was set on another core,
so it is scaled by one number for the whole run: how much faster the peers are here than there, the
median over all cases that have a peer from there. A goal as a ratio holds anywhere."""
import statistics

from cases import BY_NAME, CASES, SPARE


def speedups(rows):
    """For each case with a peer of the page, how much faster that peer was here."""
    found = {}
    for row in rows:
        case = BY_NAME[row["case"]]
        if case.page and case.page[1] and case.page[0] in row["contenders"]:
            here = row["contenders"][case.page[0]]["seconds"]
            found[case.name] = case.there(row) / here
    return found


def goals_of(case, row, factor):
    """What a case is to reach: (what, wanted, reached, whether more is better). Of the fastest peer
    most cases want nothing, it is only told: on the page another one may have been the fastest."""
    ours = row["contenders"].get("locus")
    seconds = ours and ours["seconds"]
    if case.goal and case.unit == "MB/s":
        yield ("MB/s", case.goal * factor, ours and row["mb"] / seconds, True)
    elif case.goal:
        yield ("s", case.goal * row["scale"] / factor, seconds, False)
    if case.page and not case.best:
        peer, wanted = case.page[0], case.ratio_wanted()
        theirs = row["contenders"].get(peer)
        yield ("x " + peer, wanted, ours and theirs and theirs["seconds"] / seconds, True)
    others = {name: one["seconds"] for name, one in row["contenders"].items() if name != "locus"}
    if others:
        fastest = min(others, key=others.get)
        yield (f"x the fastest, {fastest}", case.best, ours and others[fastest] / seconds, True)
    if case.reads and case.file:
        spare = ours and (ours["rise"] - row["columns"]) / 1e6
        yield ("MB beyond its columns", SPARE, spare, False)


def judge(rows):
    """The factor, and for each goal of the cases that were run what was wanted and reached."""
    found = speedups(rows)
    factor = statistics.median(found.values()) if found else 1
    judged = []
    by_name = {row["case"]: row for row in rows}
    for case in CASES:
        if case.name not in by_name:
            continue
        for what, wanted, reached, more in goals_of(case, by_name[case.name], factor):
            met = wanted is not None and reached is not None and (
                reached >= wanted if more else reached <= wanted)
            judged.append({"case": case.name, "what": what, "wanted": wanted, "reached": reached,
                           "met": met})
    return {"factor": factor, "speedups": found, "goals": judged}
