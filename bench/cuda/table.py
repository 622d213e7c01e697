# SPDX-License-Identifier: MIT
"""What a run of bench/cuda says: lines on the terminal, bench.json, table.md, plot.dat. Needs
Python alone."""
import json
import os
import shutil
import subprocess
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from text import markdown, number

GOAL_COPY = 4.3e12  # bytes a second that a GPU copies, for which the goals in ms were set
WIDTHS = "{:<46} {:<5} {:>6} {:>8} {:>8} {:>6} {:>8} {:>8} {:>8} {:>7} {:>7} {:>7} {:>8} {:>6} {}"
COLUMNS = ["ms a call", "form", "GB", "floor", "locus", "x floor", "torch", "cupy", "cub",
           "torch/", "cupy/", "cub/", "goal", "goal x", ""]
HEADER = WIDTHS.format(*COLUMNS).replace("x floor", "floors")


def judged(row, case, copy, gpu):
    """The row with its floor, its ratios and its goals: in ms for the copy speed measured, and
    against PyTorch. Without a GPU there is nothing to judge."""
    ours = row["locus"]
    row["floor"] = row["bytes"] / copy * 1e3
    row["floors"] = ours and ours / row["floor"]
    for peer in ("torch", "cupy", "cub"):
        row["x_" + peer] = ours and row[peer] and row[peer] / ours
    row["goal"] = None
    if case.goal_ms:
        row["goal"] = case.goal_ms * GOAL_COPY / copy
    elif case.goal_floors:
        row["goal"] = case.goal_floors * row["floor"]
    row["goal_torch"] = case.goal_torch
    row["plot"] = case.plot
    met = [ours <= row["goal"]] if ours and row["goal"] else []
    if row["goal_torch"] and row["x_torch"]:
        met.append(row["x_torch"] >= row["goal_torch"])
    row["verdict"] = ("WRONG" if row["wrong"] else "rehearsal" if not gpu else "" if not met
                      else "pass" if all(met) else "MISS")
    return row


def cells(row):
    return [row["name"], row["form"], f"{row['bytes'] / 1e9:.2f}",
            *(number(row[key]) for key in
              ("floor", "locus", "floors", "torch", "cupy", "cub", "x_torch", "x_cupy", "x_cub",
               "goal", "goal_torch")), row["verdict"]]


def line(row):
    return WIDTHS.format(*cells(row))


# The panels of plot.gp.
PANELS = ["searchsorted", "nonzero", "where"]
REHEARSAL = ("REHEARSAL on this CPU: no GPU was used, sizes are small, THE NUMBERS MEAN NOTHING")

# Results that the comparison and the cores leave in their folder as they go.
COMPARISON, CORES = PARTS = ["compare.json", "cores.json"]
EMPTY = {COMPARISON: {"rows": [], "notes": [], "left_out": [], "about": {}},
         CORES: {"rows": [], "notes": [], "left_out": []}}


def fact_lines(about):
    yield from (f"- {key}: {value}" for key, value in about.items() if value not in (None, ""))


def replaced(path, text):
    """Writes a file that is whole at any moment."""
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".part", path)


def part(folder, name):
    try:
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            return json.load(file)
    except OSError:
        return EMPTY[name]


def write(folder, about, steps, failures):
    """bench.json, table.md and plot.dat, from what is known by now."""
    found = part(folder, COMPARISON)
    cores = part(folder, CORES)
    found = {**found, "about": {**found["about"], **about}, "steps": steps, "failures": failures,
             "cores": cores}
    replaced(f"{folder}/bench.json", json.dumps(found, indent=1))
    replaced(f"{folder}/table.md", "\n".join(lines(found)))
    replaced(f"{folder}/plot.dat", "\n\n".join(block(found["rows"], panel) for panel in PANELS))


def lines(found):
    yield from ["# locus on a GPU, beside PyTorch, CuPy and CUB", ""]
    if found["about"].get("rehearsal"):
        yield from [f"**{REHEARSAL}**", ""]
    yield from [*fact_lines(found["about"]), ""]
    yield from ["## Steps", "", *markdown(["step", "s", ""], [
        [step["step"], f"{step['seconds']:.0f}", step["result"]] for step in found["steps"]]), ""]
    for failure in found["failures"]:
        yield from [f"### {failure['step']}: {failure['result']}", "", "```",
                    *(line.replace("```", "~~~") for line in failure["text"]), "```", ""]
    if found["rows"]:
        copies = ", ".join(f"{name} {speed / 1e12:.2f}e12"
                           for name, speed in found["copy_bytes_per_second"].items())
        yield from ["## Comparison", "", f"A copy moves, in bytes a second: {copies}. Times are ms "
                    "a call, medians; the floor is what moving its bytes takes at that speed; "
                    "`torch/` and its like are how many times longer a peer takes; goals in ms "
                    "were set for 4.3e12 bytes a second and are scaled.", "",
                    "![ms a call](plot.svg)", "",
                    *markdown(COLUMNS, [cells(row) for row in found["rows"]]), ""]
    if found["cores"]["rows"]:
        yield from core_lines(found["cores"]["rows"])
    notes = [*found["notes"], *found["cores"]["notes"]]
    notes += [f"{name}: left out, no time"
              for name in found["left_out"] + found["cores"]["left_out"]]
    if notes:
        yield from ["## Notes", "", *(f"- {note}" for note in notes), ""]


OF_CORES = ["case", "threads", "locus", "x 1 thread", "torch", "x 1 thread", "numpy", "torch/",
            "numpy/"]


def core_cells(row):
    return [row["case"], str(row["threads"]),
            *(number(row[key]) for key in ("locus", "locus_x", "torch", "torch_x", "numpy",
                                           "x_torch", "x_numpy"))]


def core_lines(rows):
    return ["## Cores", "", "On the processor, ms a call, medians; NumPy has one thread. `x 1 "
            "thread` is how many times longer the same library takes with one.", "",
            *markdown(OF_CORES, map(core_cells, rows)), ""]


def block(rows, panel):
    """A block of plot.dat: place, name, and ms in locus, PyTorch, CuPy, CUB and the floor. Of
    nonzero the fresh calls, as its result has no size before; of the others those into `out`."""
    form = "fresh" if panel == "nonzero" else "out"
    chosen = [row for row in rows if row["plot"] and row["plot"][0] == panel
              and row["form"] == form]
    lines = [f'{row["plot"][1]:g} "{row["name"].split("1e9 ")[-1]}" ' + " ".join(
        "NaN" if row[key] is None else f"{row[key]:.6g}"
        for key in ("locus", "torch", "cupy", "cub", "floor"))
        for row in sorted(chosen, key=lambda row: row["plot"][1])]
    return "\n".join([f"# {panel}", *lines, ""])


def plot(folder):
    """plot.svg and plot.png, from plot.dat, where each panel has something to show."""
    if not shutil.which("gnuplot"):
        return print(f"no gnuplot here: ./bench/cuda/run plot {folder} draws the plot elsewhere")
    with open(f"{folder}/plot.dat", encoding="utf-8") as file:
        if not all("\n" in block.strip() for block in file.read().split("\n\n\n")):
            return print("no plot: not all of its cases were measured")
    with open(f"{folder}/bench.json", encoding="utf-8") as file:
        about = json.load(file)["about"]
    title = f"{about.get('gpu') or 'no GPU'}; locus {about['commit']}, PyTorch {about.get('torch')}"
    title += f", CuPy {about['cupy']}" if about.get("cupy") else ""
    subprocess.run(["gnuplot", "-c", "bench/cuda/plot.gp", folder, title], check=True,
                   capture_output=True)
