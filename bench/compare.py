# SPDX-License-Identifier: MIT
"""Measures the cases of bench/cases.lua in locus, PyTorch and NumPy, in one process, the three in
turn round by round. Called by bench/run."""
import argparse
import functools
import gc
import os
import statistics
import sys
import time

import numpy as np
import torch

import goals
import limits
import luajit
import peers
import report

ROUND_NS = 3e6      # one measurement repeats its call until it takes about this long
FEWEST, MOST = 3, 25  # rounds
MANY = 1e5          # from this many elements on all threads are measured, too
QUICK = 1.3e6       # the quick mode leaves out what has more elements


def arguments():
    parser = argparse.ArgumentParser(prog="bench/run", description=__doc__)
    parser.add_argument("ops", nargs="*", help="the first words of cases' names, as nonzero or "
                        "'where float32' (default: all)")
    parser.add_argument("--quick", action="store_true", help="sizes up to 1e6 and fewer rounds")
    parser.add_argument("--list", action="store_true", help="name the cases and stop")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)),
                        help="what 'all threads' means (default: %(default)s)")
    parser.add_argument("--seconds", type=float, help="time for the rounds of a case")
    parser.add_argument("--into", help="the folder for the results (default: bench/results/...)")
    parser.add_argument("--limits", required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def said(result, entry):
    """A result as a list of arrays: several results, or the columns of nonzero's matrix."""
    if isinstance(result, (tuple, list)):
        return [np.asarray(r) for r in result]
    result = np.asarray(result)
    return list(result.T) if entry["call"].endswith("nonzero") and result.ndim == 2 else [result]


def check(entry, ours, theirs, library, form):
    """Raises unless a peer's results are ours, but for positions counting from 1."""
    same = len(ours) == len(theirs)
    for k, (a, b) in enumerate(zip(ours, theirs), 1):
        base = 1 if entry["positions"] and k >= entry["positions"] else 0
        same = same and np.array_equal(a - base if base else a, b)
    if not same:
        raise SystemExit(f"{entry['name']} {entry['size']} {form}: locus and {library} differ")


def size_text(entry):
    def short(number):
        text = f"{number:.0e}".replace("e+0", "e").replace("e+", "e")
        return text if number >= 1000 and float(text) == number else str(number)
    if entry["m"]:
        rows = f"{entry['rows']} rows, " if entry["rows"] > 1 else ""
        return f"{rows}n={short(entry['n'])} m={short(entry['m'])}"
    return "x".join(short(size) for size in entry["shape"])


def measured(contenders, set_threads, seconds):
    """The median and the least time of each contender's call in ns. A contender is (key, threads,
    function that takes a number of calls)."""
    times, repeats = {}, {}
    for key, threads, call in contenders:
        set_threads(threads)
        cost = max(call(1), 1)
        times[key] = [cost] if cost > ROUND_NS else []  # long calls need no second first round
        if cost < ROUND_NS / 10:
            some = int(ROUND_NS / 10 / cost) + 1
            cost = max(call(some) / some, 1)
        repeats[key] = max(1, int(ROUND_NS / cost)), cost
    whole = sum(count * cost for count, cost in repeats.values())
    for _ in range(int(min(MOST, max(FEWEST, seconds * 1e9 / whole))) - 1):
        for key, threads, call in contenders:
            set_threads(threads)
            count = repeats[key][0]
            times[key].append(call(count) / count)
    return {key: (statistics.median(t), min(t)) for key, t in times.items()}


class Bench:
    def __init__(self, options):
        self.options = options
        self.lua = luajit.Lua()
        self.limits = limits.Limits(open(options.limits, encoding="utf-8").read())
        self.has_threads = self.lua.driver("threads", 1)
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
            free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGESIZE")
            if 80 * largest > free:
                self.notes.append(f"{entry['name']} {entry['size']}: left out, memory is short")
                continue
            yield entry

    def set_threads(self, count):
        if count != self.threads_now:
            torch.set_num_threads(count)
            self.lua.driver("threads", count)
            self.threads_now = count

    def contenders(self, entry):
        """Opens a case and compares all results; gives what limits need to know, the forms, the
        numbers of threads, and the contenders."""
        described = self.lua.driver("open", *entry["index"])
        if not described:
            self.notes.append(f"{entry['name']}: this locus has no such call")
            return None
        inputs = {name: luajit.array(value) for name, value in described.items()}
        dtypes = [value[0] for value in described.values() if isinstance(value, tuple)]
        others = [peers.Peer("torch", entry["call"], peers.of_torch(described, inputs))]
        if "bfloat16" not in dtypes:
            others.append(peers.Peer("numpy", entry["call"], inputs))
        unit = inputs[entry["unit"]].size if entry["unit"] else 1
        counts = [1]
        if self.options.threads > 1 and unit >= MANY and self.has_threads:
            counts.append(self.options.threads)
        self.set_threads(1)

        expected = []
        for other in others:
            result = other.run()
            if result is None:
                self.notes.append(f"{entry['name']}: {other.library} refuses: {other.refusal}")
            else:
                expected.append((other.library, said(result, entry)))
        forms = ["fresh"] + (["out"] if self.lua.driver("has_out") else [])
        for form in forms:
            results = [luajit.array(r) for r in self.lua.driver("run", form)]
            for library, theirs in expected:
                check(entry, said(results[0] if len(results) == 1 else results, entry), theirs,
                      library, form)

        found = [(("locus", form, threads), threads, functools.partial(self.time, form))
                 for threads in counts for form in forms]
        for other in others:
            found += [((other.library, form, threads), threads, timer)
                      for threads in (counts if other.library == "torch" else [1])
                      for form, timer in other.timers.items() if form in forms]
        return inputs, results, unit, forms, counts, found

    def time(self, form, times):
        return float(self.lua.run(f"return driver.time('{form}', {times})"))

    def rows(self, entry):
        """One row for each form and number of threads."""
        opened = self.contenders(entry)
        if not opened:
            return []
        inputs, results, unit, forms, counts, found = opened
        seconds = self.options.seconds or (0.25 if self.options.quick else 1)
        gc.collect()
        gc.disable()
        times = measured(found, self.set_threads, seconds)
        gc.enable()
        self.set_threads(1)
        rows = []
        for threads in counts:
            bound = self.limits.bound(entry, inputs, results, min(threads, self.limits.threads))
            for form in forms:
                row = {**entry, "form": form, "threads": threads, "small": unit == 1}
                row["limit_ns"] = bound and bound / unit
                for library in ("locus", "torch", "numpy"):
                    own = threads if library != "numpy" else 1
                    pair = times.get((library, form, own)) or times.get((library, "fresh", own))
                    row[library], row[library + "_min"] = (
                        (pair[0] / unit, pair[1] / unit) if pair else (None, None))
                for peer in ("torch", "numpy"):
                    row["x_" + peer] = row[peer] and row[peer] / row["locus"]
                row["share"] = bound and row["limit_ns"] / row["locus"]
                rows.append(row)
        return rows

    def run(self):
        rows = []
        print(report.HEADER, flush=True)
        for entry in self.entries():
            new = self.rows(entry)
            self.lua.driver("close")
            for row in new:
                print(report.line(row), flush=True)
            rows += new
        return rows


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
    folder = options.into or report.folder(about)
    report.write(folder, about, rows, goals.judge(rows), bench.notes)


if __name__ == "__main__":
    main()
