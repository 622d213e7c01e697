# SPDX-License-Identifier: MIT
"""Times files of tensors in locus and in NumPy, in turn, and prints a table: medians, their ratio
(above 1: locus is faster) and the goal. Files stay in the page cache."""
import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

from luajit import Lua

SETUP = """
locus = require "locus"
locus.set_num_threads(1)
x = locus.from_file(%r, "float64")
f = locus.frame{{"time", locus.arange(#x):long()}, {"price", x}}
"""

# A child that loads the file and prints how far its memory grew beyond the tensor.
PEAK = """
local locus = require "locus"
locus.load(%r)
local function most(word)
  for line in io.lines "/proc/self/status" do
    local kilobytes = line:match("^" .. word .. ":%%s*(%%d+) kB")
    if kilobytes then return kilobytes * 1024 end
  end
end
local before = most "VmRSS"
local x = locus.load(%r)
print((most "VmHWM" - before - 8 * #x) / 1e6)
"""


def cases(folder):
    """Name, what locus runs, what NumPy runs, and the goal of the ratio (NumPy's time over ours)."""
    def path(name):
        return f"{folder}/{name}"

    return [
        ("save .npy", f'x:save("{path("ours.npy")}")',
         lambda a: np.save(path("theirs.npy"), a), 1 / 1.1),
        ("load .npy", f'y = locus.load("{path("theirs.npy")}") y:free()',
         lambda a: np.load(path("theirs.npy")), 1 / 1.1),
        ("from_file / fromfile", f'y = locus.from_file("{path("raw")}", "float64") y:free()',
         lambda a: np.fromfile(path("raw"), np.float64), 1 / 1.1),
        ("tofile", f'x:tofile("{path("raw2")}")', lambda a: a.tofile(path("raw3")), 1 / 1.1),
        ("savez", f'locus.savez("{path("ours.npz")}", {{x = x}})',
         lambda a: np.savez(path("theirs.npz"), x=a), 1),
        ("load .npz", f'y = locus.load("{path("theirs.npz")}").x y:free()',
         lambda a: np.load(path("theirs.npz"))["x"], 1),
        ("map .npy, one element", f'y = locus.load("{path("theirs.npy")}", {{mmap = "r"}}) '
         'z = y[12345] y:free()',
         lambda a: np.load(path("theirs.npy"), mmap_mode="r")[12344], 1),
        ("map a frame, one search", f'y = locus.load("{path("frame")}", {{mmap = "r"}}) '
         'z = y.time:searchsorted(4711) y.time:free() y.price:free()', None, None),
    ]


def timed(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def measure(lua, array, ours, theirs, rounds):
    """Medians of both, in turn; what is short is run often enough to be seen."""
    lua.run(ours)
    first = timed(lambda: lua.run(ours))
    count = max(1, int(2e-3 / first))
    code = f"for _ = 1, {count} do {ours} end"
    mine, other = [], []
    for _ in range(rounds):
        mine.append(timed(lambda: lua.run(code)) / count)
        if theirs:
            other.append(timed(lambda: [theirs(array) for _ in range(count)]) / count)
    return statistics.median(mine), statistics.median(other) if theirs else None


def peak(path):
    """How many MB a load of that file takes beyond its tensor, in a process of its own."""
    output = subprocess.run(["luajit", "-"], input=(PEAK % (path + ".small", path)).encode(),
                            capture_output=True, check=True).stdout
    return float(output)


def row_of(name, ours, theirs, goal):
    ratio = f"{theirs / ours:.2f}" if theirs else "-"
    met = "-" if goal is None else ("yes" if theirs / ours >= goal else "no")
    other = f"{theirs * 1e3:.3f}" if theirs else "-"
    return f"| {name} | {ours * 1e3:.3f} | {other} | {ratio} | {met} |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bytes", type=float, default=8e8)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--folder", default=None)
    parser.add_argument("--into", default=None)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(dir=options.folder)
    lines = [f"Files of {options.bytes / 1e6:.0f} MB in the page cache, one thread, medians of "
             f"{options.rounds} in turn. NumPy {np.__version__}, {platform.processor() or platform.machine()}.",
             "", "| case | locus, ms | NumPy, ms | NumPy / locus | goal met |",
             "| --- | --- | --- | --- | --- |"]
    try:
        array = np.random.default_rng(1).random(int(options.bytes / 8))
        array.tofile(f"{folder}/raw")
        np.save(f"{folder}/theirs.npy", array)
        np.save(f"{folder}/theirs.npy.small", array[:10])
        os.rename(f"{folder}/theirs.npy.small.npy", f"{folder}/theirs.npy.small")
        np.savez(f"{folder}/theirs.npz", x=array)
        lua = Lua()
        lua.run(SETUP % f"{folder}/raw")
        lua.run(f'f:save("{folder}/frame")')
        for name, ours, theirs, goal in cases(folder):
            lines.append(row_of(name, *measure(lua, array, ours, theirs, options.rounds), goal))
        beyond = peak(f"{folder}/theirs.npy")
        lines += ["", f"Peak memory of `load` beyond its tensor: {beyond:.2f} MB (goal 1)."]
    finally:
        shutil.rmtree(folder)
    text = "\n".join(lines) + "\n"
    sys.stdout.write(text)
    if options.into:
        with open(options.into, "w", encoding="utf-8") as file:
            file.write(text)


main()
