# SPDX-License-Identifier: MIT
"""What a run of bench/columns says: lines on the terminal, table.md, table.json."""
import json
import os

import pipeline
from text import markdown, number

LIBRARIES = ["locus", "polars", "pyarrow", "pandas", "duckdb", "numpy"]
COLUMNS = ["case", "", "CPU s", "first", "MB/s", "x locus", "MB", "beyond columns"]
WIDTHS = "{:<22} {:<8} {:>8} {:>8} {:>7} {:>8} {:>7} {:>15}"
WALL = " {:>8} {:>8}"  # of each number of threads


def columns(counts):
    """The heads of a table, with two for each number of threads."""
    return [*COLUMNS, *(word.format(count) for count in counts
                        for word in ("wall, {}", "x locus, {}"))]


def wall_cells(found, ours):
    """By the clock, for each number of threads: seconds, and how many times ours they are."""
    for count, wall in found.get("wall", {}).items():
        yield from (seconds(wall), number(ours and wall / ours["wall"][count]))


def cells(row):
    """A line for each contender of a case."""
    ours = row["contenders"].get("locus")
    for library in LIBRARIES:
        found = row["contenders"].get(library)
        if found:
            beyond = (found["rise"] - row["columns"]) / 1e6
            yield [row["case"], library, seconds(found["seconds"]), seconds(found["first"]),
                   number(row["mb"] and row["mb"] / found["seconds"]),
                   number(ours and found["seconds"] / ours["seconds"]),
                   f"{found['rise'] / 1e6:.1f}", f"{beyond:.1f}" if row["columns"] else "-",
                   *wall_cells(found, ours)]


def seconds(value):
    return "-" if value is None else f"{value:.4f}" if value < .1 else f"{value:.3f}"


def signed(value):
    return f"-{number(-value)}" if value is not None and value < 0 else number(value)


def facts(about):
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    counts = " and ".join(map(str, about["threads"]))
    yield (f"CPU: {about['cpu']}, {about['cores']} cores; wall: {counts} threads of each "
           "contender, all else: one")
    yield f"locus {about['commit']}, {versions}, Python {about['python']}"
    yield (f"{about['date']}, {about['rows']} rows, {about['rounds']} rounds of processes with "
           f"{about['calls']} calls, load at the start {about['load at the start']}")


def head(about):
    print(*facts(about), "", sep="\n", flush=True)


def lines(row, first):
    counts = list(next(iter(row["contenders"].values()), {}).get("wall", {}))
    widths = WIDTHS + WALL * len(counts)
    if first:
        print(widths.format(*columns(counts)))
    print(*(widths.format(*line) for line in cells(row)), sep="\n", flush=True)


def factor_line(judged):
    each = ", ".join(f"{name} {number(value)}" for name, value in judged["speedups"].items())
    return (f"The peers are {number(judged['factor'])} times as fast here as where the goals were "
            f"set (the median; {each}); goals in MB/s and s are scaled by that.")


GOALS = ["case", "goal", "wanted", "reached", ""]


def goal_cells(found):
    for goal in found["goals"]:
        judged = goal["reached"] is not None and goal["wanted"] is not None
        verdict = "-" if not judged else "pass" if goal["met"] else "MISS"
        show = seconds if goal["what"] == "s" else signed
        reached = "not measured" if goal["reached"] is None else show(goal["reached"])
        yield [goal["case"], goal["what"], show(goal["wanted"]), reached, verdict]


def form_cells(rows):
    for row in rows:
        for library, found in row["contenders"].items():
            if found["form"]:
                yield [row["case"], library, f"`{found['form']}`"]


PIPELINE = ["pipeline", "", "lines", "CPU s", "peak MB"]


def pipeline_columns(counts):
    return [*PIPELINE, *columns(counts)[len(COLUMNS):]]


def pipeline_cells(pipelines):
    for found in pipelines:
        ours = next(one for one in found["contenders"] if one["library"] == "locus")
        for one in found["contenders"]:
            cpu, peak = one.get("seconds"), one.get("peak")
            yield [found["name"], one["library"], str(one["lines"]), seconds(cpu),
                   f"{peak / 1e6:.0f}" if peak else "-",
                   *wall_cells(one, ours if "wall" in ours else None)]


def pipeline_goals(pipelines):
    for found in pipelines:
        for what, wanted, reached, met in pipeline.judged(found):
            yield [found["name"], what, number(wanted), number(reached), "pass" if met else "MISS"]


def pipeline_words(pipelines):
    return "; ".join(f"{found['name']}: {found['said']}" for found in pipelines) + "."


def finish(found):
    if found["rows"]:
        print("", factor_line(found["judged"]), sep="\n")
        for line in [GOALS, *goal_cells(found["judged"])]:
            print("{:<22} {:<24} {:>8} {:>12}  {}".format(*line))
    if "pipelines" in found:
        print()
        counts = found["about"]["threads"]
        widths = "{:<12} {:<8} {:>6} {:>8} {:>8}" + WALL * len(counts)
        for line in [pipeline_columns(counts), *pipeline_cells(found["pipelines"])]:
            print(widths.format(*[*line, *["-"] * (len(pipeline_columns(counts)) - len(line))]))
        for line in [GOALS, *pipeline_goals(found["pipelines"])]:
            print("{:<22} {:<24} {:>8} {:>12}  {}".format(*line))
        print(pipeline_words(found["pipelines"]))
    for note in found["notes"]:
        print("note:", note)


def write(folder, found):
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/table.json", "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1)
    text = ["# Text to columns and back: locus beside polars, pyarrow, pandas and duckdb", "",
            *(f"- {line}" for line in facts(found["about"])),
            f"- load at the end {found['about']['load at the end']}", "",
            "CPU s is the median of all calls, *first* that of each process' first one; MB is by "
            "how much that one raised the memory of the process at most.", ""]
    if found["rows"]:
        text += ["## Goals", "", factor_line(found["judged"]), "",
                 *markdown(GOALS, goal_cells(found["judged"])), "", "## All cases", "",
                 *markdown(columns(found["about"]["threads"]),
                           [line for row in found["rows"] for line in cells(row)]), "",
                 "## The peers' forms", "",
                 *markdown(["case", "", "form"], form_cells(found["rows"])), ""]
    if "pipelines" in found:
        text += ["## Pipelines", "", *markdown(
            pipeline_columns(found["about"]["threads"]), pipeline_cells(found["pipelines"])), "",
                 *markdown(GOALS, pipeline_goals(found["pipelines"])), "",
                 pipeline_words(found["pipelines"]), ""]
    if found["notes"]:
        text += ["## Notes", "", *(f"- {note}" for note in found["notes"]), ""]
    with open(f"{folder}/table.md", "w", encoding="utf-8") as file:
        file.write("\n".join(text))
    print(f"\nwritten: {folder}")
