# SPDX-License-Identifier: MIT
"""Pipelines from file to text, in locus as examples/ has them, in NumPy and in polars: how long the
scripts are, what the whole processes take, start-up included, and whether they write the same."""
import os
import re
import statistics
import subprocess
import sys
import time

import market
import peers

NAME = "pipeline"
HERE = os.path.dirname(os.path.abspath(__file__)) + "/pipelines"
LOG = "{columns}/access.log"
INPUTS = {  # of each pipeline, the files that it reads
    "requests": [LOG],
    "endpoints": [LOG],
    "quotes": ["{market}/trades.csv", "{market}/quotes.csv"],
    "countries": [LOG, "{market}/ranges.csv"],
    "buckets": ["{market}/numbers.float64"],
}
WHOLE = [sys.executable, f"{HERE}/whole.py"]
LIBRARIES = {"locus": ["luajit", f"{HERE}/whole.lua"], "numpy": WHOLE, "polars": WHOLE}
GOALS = {"numpy": 3, "polars": 2}  # how many times longer these should take
MEMORY = .25  # of polars' peak


def script_of(name, library):
    """The script, None where a library has none."""
    path = f"examples/{name}.lua" if library == "locus" else f"{HERE}/{name}_{library}.py"
    return path if os.path.exists(path) else None


def code_lines(script):
    """The lines that are neither blank nor comments nor text for people."""
    with open(script, encoding="utf-8") as file:
        code = re.sub(r'(?s)local HELP = \[\[.*?\]\]|"""[^"]*"""', "", file.read())
    lines = [line.strip() for line in code.split("\n")]
    return sum(1 for line in lines if line and not line.startswith(("--", "#")))


def process(command, out, threads):
    """CPU seconds, those by the clock and the peak of memory of one process, or what it said
    instead."""
    start = time.perf_counter()
    with open(out, "wb") as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, **peers.threads(threads)})
    wall = time.perf_counter() - start
    said = done.stderr.splitlines() or ["no word"]
    if done.returncode:
        return {"failed": said[-1][:120]}
    seconds, peak = said[-1].split()
    with open(out, "rb") as file:
        return {"seconds": float(seconds), "wall": wall, "peak": int(peak), "bytes": file.read()}


def one(name, places, options):
    """A pipeline measured: its contenders in turn."""
    inputs = [path.format(**places) for path in INPUTS[name]]
    scripts = {library: script_of(name, library) for library in LIBRARIES}
    scripts = {library: script for library, script in scripts.items() if script}
    runs = {(library, count): [] for library in scripts for count in options.threads}
    for _ in range(options.rounds):
        for (library, count), found in runs.items():
            found.append(process([*LIBRARIES[library], scripts[library], *inputs],
                                 places["columns"] + "/written.csv", count))
    contenders, written, failed = [], set(), []
    for library, script in scripts.items():
        figures = {"library": library, "lines": code_lines(script)}
        every = [run for count in options.threads for run in runs[library, count]]
        failures = [run["failed"] for run in every if "failed" in run]
        if failures:
            failed.append(f"{library} failed: {failures[0]}")
        else:
            figures.update({key: statistics.median(run[key] for run in runs[library, 1])
                            for key in ("seconds", "peak")})
            figures["wall"] = {count: statistics.median(run["wall"] for run in runs[library, count])
                               for count in options.threads}
            written.update(run["bytes"] for run in every)
        contenders.append(figures)
    same = not failed and len(written) == 1
    said = "all write the same bytes" if same else "THEY WRITE DIFFERENT BYTES"
    return {"name": name, "contenders": contenders, "same": same, "said": "; ".join(failed) or said}


def measured(folder, options):
    places = {"columns": folder, "market": f"build-bench/market-{options.rows}"}
    market.make(places["market"], options.rows)
    return [one(name, places, options) for name in INPUTS]


def judged(pipeline):
    """For each goal (what, wanted, reached, met)."""
    found = {figures["library"]: figures for figures in pipeline["contenders"]}
    ours = found["locus"]
    for library, wanted in GOALS.items():
        if "seconds" in ours and "seconds" in found.get(library, ()):
            reached = found[library]["seconds"] / ours["seconds"]
            yield f"x {library}", wanted, reached, reached >= wanted
    if "numpy" in found:
        yield ("lines", found["numpy"]["lines"], ours["lines"],
               ours["lines"] <= found["numpy"]["lines"])
    if "peak" in ours and "peak" in found.get("polars", ()):
        share = ours["peak"] / found["polars"]["peak"]
        yield "of polars' memory", MEMORY, share, share <= MEMORY
