# SPDX-License-Identifier: MIT
"""What a run of bench/ops says: lines on the terminal, and table.md and table.csv."""
import csv
import os
import platform

import numpy as np
import polars
import torch

import report
import verdict
from text import markdown, number

LINE = "{:<30} {:>4} {:>9} {:>9} {:>9} {:>9} {:>6} {:>7}  {}"
GOAL = "{:<30} {:>13} {:>8}  {:<34} {:>9}  {}"
HEADER = ["call (us)", "size", "locus", "NumPy", "PyTorch", "polars", "x best", "x NumPy", ""]
GOALS = ["goal", "at least", "reached", "in the worst case", "rows met", ""]
FIELDS = ["name", "size", "locus", "numpy", "torch", "polars", "x", "x_numpy"]
AGAINST = {"x": "best", "x_numpy": "NumPy"}


def size_text(size):
    return f"{size:.0e}".replace("e+0", "e")


def cells(row):
    times = [number(row[key] and row[key] / 1e3) for key in FIELDS[2:6]]
    return [row["name"], size_text(row["size"]), *times, number(row["x"]), number(row["x_numpy"]),
            verdict.remark(row)]


def goal_cells(judged):
    for what, against, wanted, worst, met, count, _ in judged:
        yield [what, f"{wanted}x {AGAINST[against]}", number(worst[against]),
               f"{worst['name']} {size_text(worst['size'])}", f"{met} of {count}",
               "pass" if met == count else "MISS"]


def reasons(judged):
    """Why goals are missed, those of one reason together."""
    found = {}
    for what, *_, met, count, why in judged:
        if met < count and why:
            found.setdefault(why, []).append(what)
    for why, goals in found.items():
        yield f"- **{'; '.join(goals)}**: {why}."


def about(lua):
    """The machine and the versions, as report.folder wants them, and as text."""
    name, numbers = report.cpu()
    own = lua.driver("about")
    facts = {"date": report.datetime.date.today().isoformat(), "cpu": f"ops {name}",
             "commit": report.commit()}
    facts["text"] = [
        f"CPU: {name} ({numbers}), {os.cpu_count()} cores, one thread of each contender",
        f"locus {facts['commit']}, {report.compiler(own['library'])}, instruction set "
        f"{own['isa']}, {own['luajit']}",
        f"NumPy {np.__version__}, PyTorch {torch.__version__} "
        f"({torch.backends.cpu.get_cpu_capability()}), polars {polars.__version__}, "
        f"Python {platform.python_version()}",
        f"{facts['date']}, load at the start {os.getloadavg()[0]:.1f}"]
    return facts


def say(judged):
    print()
    for row in [GOALS, *goal_cells(judged)]:
        print(GOAL.format(*row))
    print("\n".join(reasons(judged)))


def write(facts, rows, judged):
    target = report.folder(facts)
    os.makedirs(target, exist_ok=True)
    with open(f"{target}/table.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, FIELDS)
        table.writeheader()
        table.writerows({k: f"{v:.5g}" if isinstance(v, float) else v for k, v in row.items()}
                        for row in rows)
    text = ["# Ops: locus beside NumPy, PyTorch and polars", "", *(f"- {t}" for t in facts["text"]),
            f"- load at the end {os.getloadavg()[0]:.1f}", "",
            "Times are microseconds a call, medians of the processor's time; x is how many times "
            "longer the best of the peers takes, and NumPy. What misses a goal says which; "
            "*behind* is what takes longer than 1/0.9 of the best peer's time.", "",
            "## Goals", "", *markdown(GOALS, goal_cells(judged)), "", *reasons(judged), "",
            "## All calls", "", *markdown(HEADER, [cells(row) for row in rows]), ""]
    with open(f"{target}/table.md", "w", encoding="utf-8") as file:
        file.write("\n".join(text))
    print(f"\nwritten: {target}")
