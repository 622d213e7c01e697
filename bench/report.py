# SPDX-License-Identifier: MIT
"""What a run says: the lines on the terminal, table.md, table.csv, plot.svg and plot.png."""
import csv
import datetime
import os
import platform
import re
import subprocess

import numpy as np
import torch

from text import commit, markdown, number

FIELDS = ["name", "size", "threads", "form", "locus", "torch", "numpy", "x_torch", "x_numpy",
          "limit_ns", "share", "bound", "locus_min", "torch_min", "numpy_min", "n", "m", "rows", "small"]
WIDTHS = ("{:<44} {:<22} {:<5}" + " {:>8} {:>6}" * 2 + " {:>8}" + " {:>7} {:>6}" * 2 +
          " {:>8} {:>5} {:>5}  {}")


def columns(threads):
    """The names of a table's columns: of what depends on it, one for each number of threads."""
    def both(name):
        return [name, f"{threads} thr"]
    return ["case", "size", "form", *both("locus"), *both("torch"), "numpy", *both("x torch"),
            *both("x numpy"), "limit", *both("share"), "bound by"]


def header(threads):
    return WIDTHS.format("ns per element (small calls: per call)", *columns(threads)[1:])


def joined(rows):
    """The rows of one case, size and form side by side: that of one thread, and that of more."""
    lines = {}
    for row in rows:
        line = lines.setdefault((row["name"], row["size"], row["form"]), [None, None])
        line[row["threads"] > 1] = row
    return lines.values()


def cells(pair):
    one, more = pair

    def both(key, show=number):
        return [show(row[key]) if row else "-" for row in pair]

    def percent(share):
        return "-" if share is None else f"{100 * share:.0f}%"
    own = one or more
    bounds = [row["bound"] for row in pair if row]
    return [own["name"], own["size"], own["form"], *both("locus"), *both("torch"),
            number(own["numpy"]), *both("x_torch"), *both("x_numpy"), number(own["limit_ns"]),
            *both("share", percent), "; ".join(dict.fromkeys(bounds))]


def line(pair):
    return WIDTHS.format(*cells(pair))


def cpu():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        found = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", info.read(), re.M))
    name = found.get("model name", platform.processor() or platform.machine())
    numbers = " ".join(f"{key} {found[key]}" for key in ("cpu family", "model") if key in found)
    return " ".join(re.sub(r"\((R|TM|tm)\)|CPU|Processor|@.*", "", name).split()), numbers


def compiler(library):
    """What compiled a library, as it says itself; clang's hold the name of GCC too, from parts of
    the C library."""
    with open(library, "rb") as file:
        text = file.read()
    found = re.search(rb"clang version [\d.]+", text) or re.search(rb"GCC: \([^)]*\) [\d.]+", text)
    return found[0].decode() if found else "unknown compiler"


def about(bench):
    """The machine and the versions, and the same as text."""
    name, numbers = cpu()
    own = bench.lua.driver("about")
    facts = {
        "date": datetime.date.today().isoformat(), "cpu": name, "commit": commit(),
        "threads": bench.options.threads,
    }
    facts["text"] = "\n".join([
        f"CPU: {facts['cpu']} ({numbers}), {os.cpu_count()} cores, "
        f"one thread and {bench.options.threads}",
        f"locus {facts['commit']}, {compiler(own['library'])}, instruction set {own['isa']}, "
        f"{own['luajit']}",
        f"PyTorch {torch.__version__} ({torch.backends.cpu.get_cpu_capability()}), "
        f"NumPy {np.__version__}, Python {platform.python_version()}",
        f"{facts['date']}, {'quick' if bench.options.quick else 'full'} run, load at the start "
        f"{os.getloadavg()[0]:.2f}",
    ])
    return facts


def folder(facts):
    cpu_name = re.sub(r"[^a-z0-9]+", "-", facts["cpu"].lower()).strip("-")
    return f"bench/results/{facts['date']}-{cpu_name}-{facts['commit']}"


def goal_lines(judged):
    for what, against, wanted, reached, where, met in judged:
        show = {"ns": "{:.0f} ns", "limit": "{:.0%}"}.get(against, "{:.3g}x " + against)
        said = "not measured" if reached is None else show.format(reached)
        verdict = "-" if reached is None else "pass" if met else "MISS"
        yield [what, show.format(wanted), said, where, verdict]


# For each panel of bench/plot.gp the rows it shows, how many values they search for, and the least
# size: below it the call itself costs more than its elements.
PANELS = [("searchsorted float32 random", 1e6, 1), ("nonzero bool d=0.1", 0, 1e3),
          ("where float32 random", 0, 1e3), ("argsort float32", 0, 1e3)]


def plot(target, title, rows):
    """Writes plot.dat, a block of size, locus, PyTorch, NumPy, limit for each panel that has at
    least two sizes, and draws it."""
    blocks, panels = [], []
    for panel, (name, m, least) in enumerate(PANELS, 1):
        chosen = [row for row in rows if row["name"] == name and row["m"] == m
                  and row["n"] >= least and row["threads"] == 1 and row["form"] == "fresh"]
        lines = [" ".join("NaN" if row[key] is None else f"{row[key]:.6g}"
                          for key in ("n", "locus", "torch", "numpy", "limit_ns"))
                 for row in sorted(chosen, key=lambda row: row["n"])]
        if len(lines) > 1:
            panels.append(str(panel))
            blocks.append("\n".join([f"# {name}", *lines, ""]))
    if not panels:
        return
    with open(f"{target}/plot.dat", "w", encoding="utf-8") as file:
        file.write("\n\n".join(blocks))
    subprocess.run(["gnuplot", "-c", "bench/plot.gp", target, title, " ".join(panels)], check=True)


def write(target, facts, rows, judged, notes):
    os.makedirs(target, exist_ok=True)
    with open(f"{target}/table.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, FIELDS, extrasaction="ignore")
        table.writeheader()
        table.writerows({k: f"{v:.5g}" if isinstance(v, float) else v for k, v in row.items()}
                        for row in rows)
    goals_header = ["goal", "at least (ns, neighbour: at most)", "reached", "in the worst case", ""]
    goal_rows = list(goal_lines(judged))
    text = ["# locus beside PyTorch and NumPy", "", *facts["text"].split("\n"), facts["end"], "",
            "Times are ns per element (small calls: per call), medians; `x` is how many times "
            "longer the peer takes; the share is that of the machine's limit, by "
            "what stands behind it; a limit that was beaten is none, and has no share.",
            f"Columns of {facts['threads']} threads stand behind those of one; PyTorch has as many, "
            "NumPy always one.", "",
            "![Time per element against size](plot.svg)", "", "## Goals", "",
            *markdown(goals_header, goal_rows), "", "## All cases", "",
            *markdown(columns(facts["threads"]), [cells(pair) for pair in joined(rows)]), ""]
    if notes:
        text += ["## Notes", "", *(f"- {note}" for note in notes), ""]
    with open(f"{target}/table.md", "w", encoding="utf-8") as file:
        file.write("\n".join(text))
    plot(target, f"{facts['cpu']}, one thread; locus {facts['commit']}, PyTorch "
         f"{torch.__version__}, NumPy {np.__version__}", rows)
    print()
    for row in [goals_header, *goal_rows]:
        print("{:<52} {:>33} {:>15}  {:<48} {}".format(*row))
    for note in notes:
        print("note:", note)
    print(f"\nwritten: {target}")
