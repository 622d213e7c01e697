# SPDX-License-Identifier: MIT
"""A pipeline from text to text as a newcomer writes it, in locus and in polars: how long the
scripts are, what the whole processes take, and whether they write the same bytes."""
import os
import statistics
import subprocess
import sys

import peers

NAME = "pipeline"
HERE = os.path.dirname(os.path.abspath(__file__)) + "/pipelines"
SCRIPTS = {
    "locus": (["luajit", f"{HERE}/whole.lua"], "examples/requests.lua"),
    "polars": ([sys.executable, f"{HERE}/whole.py"], f"{HERE}/requests_polars.py"),
}


def code_lines(script):
    """The lines that are neither blank nor comments."""
    with open(script, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    return sum(1 for line in lines if line and not line.startswith(("--", "#")))


def process(command, log, out):
    """CPU seconds and the peak of memory of one process, or what it said instead."""
    done = subprocess.run([*command, log, out], capture_output=True, text=True,
                          env={**os.environ, **peers.THREADS, "LOCUS_NUM_THREADS": "1"})
    said = done.stderr.splitlines() or ["no word"]
    if done.returncode:
        return {"failed": said[0][:120]}
    seconds, peak = said[-1].split()
    with open(out, "rb") as file:
        return {"seconds": float(seconds), "peak": int(peak), "bytes": file.read()}


def measured(folder, rounds):
    runs = {name: [] for name in SCRIPTS}
    for _ in range(rounds):
        for name, (command, script) in SCRIPTS.items():
            runs[name].append(process([*command, script], f"{folder}/access.log",
                                      f"{folder}/written.csv"))
    contenders, written, failed = [], set(), []
    for name, (_, script) in SCRIPTS.items():
        one = {"name": f"{name}, {os.path.basename(script)}", "lines": code_lines(script)}
        failures = [run["failed"] for run in runs[name] if "failed" in run]
        if failures:
            failed.append(f"{name} failed: {failures[0]}")
        else:
            one.update({key: statistics.median(run[key] for run in runs[name])
                        for key in ("seconds", "peak")})
            written.update(run["bytes"] for run in runs[name])
        contenders.append(one)
    same = not failed and len(written) == 1
    said = "Both write the same bytes." if same else "THEY WRITE DIFFERENT BYTES."
    return {"contenders": contenders, "same": same, "said": "; ".join(failed) or said}
