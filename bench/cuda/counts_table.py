# SPDX-License-Identifier: MIT
"""What bench/cuda/counts says: the goals, the lines on the terminal, table.md and table.csv."""
import csv
import datetime
import os

import roofline
from text import commit, markdown, number

# (what, case, kernels that begin so, which count, at most). Each is to be nearer to memory's bound
# than to any other.
GOALS = [
    ("mask bool", "nonzero bool d=0.5", "mask_bits", "instructions", .2),
    ("nonzero, half set", "nonzero bool d=0.5", "nonzero_rows", "instructions", .6),
    ("nonzero, half set", "nonzero bool d=0.5", "nonzero_rows", "store_sectors", 8),
    ("where float32", "where float32", "where_rows", "instructions", .9),
    ("tree search, 1e6 keys", "searchsorted tree n=1e6", "tree_search", "instructions", 9),
    ("levels", "searchsorted levels n=1.1e7", "levels_search", "instructions", 35),
    ("sum float32", "sum float32", "reduce", "instructions", .5),
]
WHICH = {"instructions": "warp instructions", "store_sectors": "sectors a store"}

COUNTS = ["instructions", "requests", "sectors", "load_sectors", "store_sectors", "passes", "lanes"]
RESOURCES = ["registers", "stack", "spilled", "shared", "block", "threads"]
HEADER = ["case", "kernel", "warp instr.", "requests", "sectors", "a load", "a store",
          "shared passes", "lanes", "registers", "stack", "spilled", "shared", "block",
          "threads/SM", *(f"{gpu.name}, {what}" for gpu in roofline.GPUS for what in ("ps", "by"))]
WIDTHS = ("{:<42} {:<34.34} {:>11} {:>8} {:>7} {:>6} {:>7} {:>13} {:>5} {:>9} {:>5} {:>7} {:>6} "
          "{:>5} {:>10} {:>8} {:<11} {:>8} {:<11}")
GOALS_HEADER = ["goal", "at most", "reached", "bound by", ""]
PLAIN_HEADER = ["case", "plain form", "ps", "plain ps", "ratio"]
OTHERWISE_HEADER = ["case", "kernel", "ps", "by", "times memory's"]

ABOUT = """
No GPU was used. Counts are of PTX instructions, run by an interpreter, for each element (each value
of a search): warp instructions issued, requests of warps to global memory and the sectors of 32
bytes that these touch, sectors a load and a store, passes through shared memory (a request takes as
many as lanes want different words of one bank), and how many of 32 lanes took part. ptxas makes
other instructions of them, about as many. Atomics are not counted as requests, and neither is what
goes through addresses that may be global, shared or local. Registers, bytes of stack, spilled bytes
and bytes of a block's shared memory are those of sm_90, and so is how many threads a processor
holds.

**The times are estimates, and nothing was measured**: picoseconds an element, the longest of what
the counts want of memory, of the second-level cache, of the processors' issue of instructions, and
of their first-level cache and shared memory; `by` names which. Latency is left out, and so is the
launch; work is taken as spread over all processors. Every sector counts as one of memory, but where
`bench/cuda/counted.lua` says what a kernel moves: where requests are not counted or come to a
sector again, and for keys that are searched. Of these it is taken that shared memory holds the
first 14 levels, or the first-level cache the first 12, that the last three levels lie in one
sector, and that keys come from the second-level cache, but for the lowest level of 1.1e7 keys,
which comes from memory. `fill_level` is done once, for any number of values. `plain` is the same
call in the plain forms of `bench/cuda/plain.cu`.
""".strip()


def estimates(row):
    """For each GPU the time in seconds, and what bounds it."""
    return [roofline.estimate(gpu, row) for gpu in roofline.GPUS]


def cells(row):
    times = [cell for time, bound in estimates(row) for cell in (number(time * 1e12), bound)]
    return [row["case"], row["kernel"], *(number(row[key]) for key in COUNTS),
            *(str(row[key]) for key in RESOURCES), *times]


def facts():
    yield f"- locus {commit()}, {datetime.date.today().isoformat()}"
    for gpu in roofline.GPUS:
        yield (f"- {gpu.name}: {gpu.processors} processors at {gpu.clock / 1e9:g} GHz, {gpu.issue} "
               f"warp instructions a cycle each; memory {gpu.memory / 1e12:g}e12 bytes a second, "
               f"second-level cache {gpu.cache / 1e12:g}e12")


def verdict(met, bound):
    if not met:
        return "MISSED"
    return "met" if bound in roofline.MEMORY else "met, not bound by memory"


def judged(rows):
    """For each goal what, at most, reached, what bounds the estimate for the first GPU, verdict."""
    for what, case, kernel, count, wanted in GOALS:
        found = [row for row in rows if row["case"] == case and row["kernel"].startswith(kernel)]
        limit = f"{WHICH[count]} <= {wanted}"
        if not found:
            yield [what, limit, "not counted", "", "-"]
            continue
        row = max(found, key=lambda row: row["instructions"])
        bound = roofline.estimate(roofline.GPUS[0], row)[1]
        yield [what, limit, f"{row[count]:.2f}", bound,
               verdict(round(row[count], 2) <= wanted, bound)]


def call_time(rows, case):
    """Picoseconds an element of all kernels of a case, for the first GPU."""
    return sum(estimates(row)[0][0] for row in rows if row["case"] == case) * 1e12


def beside_plain(rows):
    """Our calls and their plain forms: the estimates for the first GPU, and their ratio."""
    names = list(dict.fromkeys(row["case"] for row in rows))
    for name in names:
        ours = name.replace("plain ", "").split(",")[0].replace("sorted n", "sorted tree n")
        if name.startswith("plain ") and ours in names:
            own, plain = call_time(rows, ours), call_time(rows, name)
            yield [ours, name, number(own), number(plain), number(plain / own)]


def bound_otherwise(rows):
    """The kernels of ours that something else than memory bounds on the first GPU, and how many
    times longer that takes, but for those of less than a hundredth of their call's time."""
    for row in rows:
        wanted = roofline.bounds(roofline.GPUS[0], row)
        bound = max(wanted, key=wanted.get)
        least = call_time(rows, row["case"]) / 100
        ours = not row["case"].startswith("plain ") and wanted[bound] * 1e12 >= least
        if ours and bound not in roofline.MEMORY:
            times = wanted[bound] / max(wanted[name] for name in roofline.MEMORY)
            yield [row["case"], row["kernel"], number(wanted[bound] * 1e12), bound, number(times)]


def say(rows):
    """What the terminal gets."""
    for line in [HEADER, *map(cells, rows)]:
        print(WIDTHS.format(*line))
    print("\nestimates for an H100:")
    for line in [PLAIN_HEADER, *beside_plain(rows)]:
        print("{:<42} {:<48} {:>7} {:>8} {:>6}".format(*line))
    print()
    for line in [GOALS_HEADER, *judged(rows)]:
        print("{:<24} {:<28} {:>12}  {:<12} {}".format(*line))


def write_csv(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["case", "kernel", "units", *COUNTS, *RESOURCES,
                        *(f"{gpu.name}_{what}" for gpu in roofline.GPUS for what in ("ps", "by"))])
        for row in rows:
            times = [cell for time, bound in estimates(row)
                     for cell in (f"{time * 1e12:.5g}", bound)]
            table.writerow([row["case"], row["kernel"], row["units"],
                            *(f"{row[key]:.5g}" for key in COUNTS),
                            *(row[key] for key in RESOURCES), *times])


def write(folder, rows):
    today = datetime.date.today().isoformat()
    folder = folder or f"bench/results/{today}-counts-sm_90-{commit()}"
    os.makedirs(folder, exist_ok=True)
    text = ["# What the kernels do, by count", "", *facts(), "", ABOUT, "", "## Goals", "",
            *markdown(GOALS_HEADER, judged(rows)), "", "## Beside plain forms", "",
            "Picoseconds an element on an H100: estimates, of all kernels of a call together.", "",
            *markdown(PLAIN_HEADER, beside_plain(rows)), "",
            "## Bound by something else than memory", "",
            "On an H100, by the same estimates, but for kernels of less than a hundredth of their "
            "call's time.", "",
            *markdown(OTHERWISE_HEADER, bound_otherwise(rows)), "", "## Every kernel", "",
            *markdown(HEADER, map(cells, rows)), ""]
    with open(f"{folder}/table.md", "w", encoding="utf-8") as file:
        file.write("\n".join(text))
    write_csv(f"{folder}/table.csv", rows)
    print(f"\nwritten: {folder}")
