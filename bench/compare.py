# SPDX-License-Identifier: MIT
"""Measures the cases of bench/cases.lua in locus, PyTorch and NumPy. Called by bench/run."""
import argparse
import os
import subprocess
import sys
import time

import numpy as np
import torch

import goals
import limits
import luajit
import measure
import report

QUICK = 1.3e6  # the quick mode leaves out what has more elements


def arguments():
    parser = argparse.ArgumentParser(prog="bench/run", description=__doc__)
    parser.add_argument("ops", nargs="*", help="the first words of cases' names, as nonzero or "
                        "'where float32' (default: all)")
    parser.add_argument("--quick", action="store_true", help="sizes up to 1e6 and fewer rounds")
    parser.add_argument("--list", action="store_true", help="name the cases and stop")
    parser.add_argument("--threads", type=int, default=min(2, len(os.sched_getaffinity(0))),
                        help="of the columns beside those of one thread (default: %(default)s)")
    parser.add_argument("--seconds", type=float, help="time for the rounds of a case")
    parser.add_argument("--into", help="the folder for the results (default: bench/results/...)")
    parser.add_argument("--limits", required=True, help=argparse.SUPPRESS)  # the built limits.c
    return parser.parse_args()


def size_text(entry):
    def short(number):
        text = f"{number:.0e}".replace("e+0", "e").replace("e+", "e")
        return text if number >= 1000 and float(text) == number else str(number)
    if entry["m"]:
        rows = f"{entry['rows']} rows, " if entry["rows"] > 1 else ""
        return f"{rows}n={short(entry['n'])} m={short(entry['m'])}"
    return "x".join(short(size) for size in entry["shape"])


def free_memory():
    with open("/proc/meminfo", encoding="utf-8") as info:
        return 1024 * next(int(line.split()[1]) for line in info if line.startswith("MemAvailable"))


class Bench:
    def __init__(self, options):
        self.options = options
        self.seconds = options.seconds or (0.25 if options.quick else 1)
        self.lua = luajit.Lua()
        self.limits = None
        self.threads_now = None
        self.notes = []

    def entries(self):
        """The cases at their sizes that the options ask for and that fit into memory."""
        for entry in self.lua.driver("list"):
            entry["size"] = size_text(entry)
            wanted = not self.options.ops or any(
                entry["name"].startswith(word) for word in self.options.ops)
            largest = max(np.prod(entry["shape"]), entry["rows"] * entry["m"])
            if not wanted or self.options.quick and largest > QUICK:
                continue
            # Inputs, and results of three libraries, fresh and kept, of up to eight bytes.
            if 80 * largest > free_memory():
                self.notes.append(f"{entry['name']} {entry['size']}: left out, memory is short")
                continue
            yield entry

    def set_threads(self, count):
        if count != self.threads_now:
            torch.set_num_threads(count)
            self.lua.driver("threads", count)
            self.threads_now = count

    def run(self):
        """All rows. The limits are measured first, in the same minutes."""
        print("measuring the limits of this machine", file=sys.stderr)
        self.limits = limits.Limits(subprocess.run(
            [self.options.limits, str(self.options.threads)], check=True, capture_output=True,
            text=True).stdout)
        rows = []
        print(report.header(self.options.threads), flush=True)
        for entry in self.entries():
            new = measure.rows(self, entry)
            self.lua.driver("close")
            for pair in report.joined(new):
                print(report.line(pair), flush=True)
            rows += new
        return rows


def sweep():
    """What the sweep over neighbouring sizes says; it fails where it finds a cliff."""
    print("sweeping over neighbouring sizes", file=sys.stderr)
    return subprocess.run(["luajit", "bench/sweep.lua"], check=False, capture_output=True,
                          text=True).stdout


def main():
    options = arguments()
    bench = Bench(options)
    if options.list:
        for entry in bench.entries():
            print(f"{entry['name']}  {entry['size']}")
        return
    about = report.about(bench)
    print(about["text"])
    start = time.time()
    rows = bench.run()
    if not rows:
        sys.exit("bench/run: no such case; see --list")
    about["end"] = f"{time.time() - start:.0f} s, load at the end {os.getloadavg()[0]:.2f}"
    judged = goals.judge(rows)
    if not options.ops or any("searchsorted".startswith(word) for word in options.ops):
        judged.append(goals.judge_neighbours(sweep()))
    report.write(options.into or report.folder(about), about, rows, judged, bench.notes)


if __name__ == "__main__":
    main()
