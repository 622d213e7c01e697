# SPDX-License-Identifier: MIT
"""One case at a size: opened, the results of all libraries compared, then timed, all contenders in
turn round by round."""
import functools
import gc
import statistics

import numpy as np

import luajit
import peers

ROUND_NS = 4e6        # one measurement repeats its call until it takes about this long
FEWEST, MOST = 3, 50  # rounds
COLD_NS = 2e7         # calls of at least this long begin with cold caches anyway
MANY = 1e5            # with this many elements and more, several threads are measured, too
SETTLE = 64 << 20     # bytes of results after which Lua's collector recycles their memory


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


def warming(count, cost):
    """How many untimed calls of that cost come before `count` timed ones: some, so that the caches
    hold what the contender works on and not what the one before left; none of long calls."""
    return count // 4 + 1 if cost < COLD_NS else 0


def measured(contenders, set_threads, seconds, fewest=FEWEST, most=MOST):
    """By key the median and the least time of a contender's call in ns."""
    times, repeats = {}, {}
    for key, threads, call in contenders:
        set_threads(threads)
        cost = max(call(1), 1)
        times[key] = [cost] if cost > ROUND_NS else []  # long calls need no second first round
        if cost < ROUND_NS / 10:
            some = int(ROUND_NS / 10 / cost) + 1
            cost = max(call(some) / some, 1)
        repeats[key] = max(1, int(ROUND_NS / cost)), cost
    whole = sum((count + warming(count, cost)) * cost for count, cost in repeats.values())
    for _ in range(int(min(most, max(fewest, seconds * 1e9 / whole))) - 1):
        for key, threads, call in contenders:
            set_threads(threads)
            count, cost = repeats[key]
            if warming(count, cost):
                call(warming(count, cost))
            times[key].append(call(count) / count)
    return {key: (statistics.median(t), min(t)) for key, t in times.items()}


class Case:
    """An open case. A contender is (key, threads, function that takes a number of calls), a key
    (library, form, threads)."""

    def __init__(self, bench, entry):
        self.bench, self.entry, self.lua = bench, entry, bench.lua
        described = self.lua.driver("open", *entry["index"])
        self.available = bool(described)
        if not self.available:
            bench.notes.append(f"{entry['name']}: this locus has no such call")
            return
        self.inputs = {name: luajit.array(value) for name, value in described.items()}
        self.unit = self.inputs[entry["unit"]].size if entry["unit"] else 1
        self.threads = [1]
        if bench.options.threads > 1 and self.unit >= MANY:
            self.threads.append(bench.options.threads)
        self.forms = ["fresh"] + (["out"] if self.lua.driver("has_out") else [])
        self.peers = [peers.Peer("torch", entry["call"], peers.of_torch(described, self.inputs))]
        if all(value[0] != "bfloat16" for value in described.values() if isinstance(value, tuple)):
            self.peers.append(peers.Peer("numpy", entry["call"], self.inputs))

    def compare(self):
        """Runs every call once; raises where results differ."""
        expected = []
        self.bench.set_threads(1)
        for peer in self.peers:
            result = peer.run()
            if peer.refusal:
                self.bench.notes.append(f"{self.entry['name']}: {peer.name}: {peer.refusal}")
            if result is not None:
                expected.append((peer.name, said(result, self.entry)))
        for form in self.forms:
            self.results = [luajit.array(r) for r in self.lua.driver("run", form)]
            ours = self.results[0] if len(self.results) == 1 else self.results
            for library, theirs in expected:
                check(self.entry, said(ours, self.entry), theirs, library, form)
        result = sum(getattr(value, "nbytes", 0) for value in self.results)
        self.time("fresh", min(1000, 10 + SETTLE // max(result, 1)))

    def contenders(self):
        found = [(("locus", form, threads), threads, functools.partial(self.time, form))
                 for threads in self.threads for form in self.forms]
        for peer in self.peers:
            found += [((peer.name, form, threads), threads, timer)
                      for threads in (self.threads if peer.name == "torch" else [1])
                      for form, timer in peer.timers.items() if form in self.forms]
        return found

    def time(self, form, times):
        return float(self.lua.run(f"return driver.time('{form}', {times})"))

    def row(self, form, threads, times):
        """What was measured of one form with so many threads, per element. A peer's fresh call
        stands for its call into `out` where that is missing or slower."""
        row = {**self.entry, "form": form, "threads": threads, "small": self.unit == 1}
        for library in ("locus", "torch", "numpy"):
            own = threads if library != "numpy" else 1
            allowed = {form} if library == "locus" else {form, "fresh"}
            pairs = [times[key] for key in ((library, f, own) for f in allowed) if key in times]
            median, least = min(pairs) if pairs else (None, None)
            row[library] = median and median / self.unit
            row[library + "_min"] = least and least / self.unit
        for peer in ("torch", "numpy"):
            row["x_" + peer] = row[peer] and row[peer] / row["locus"]
        bound, what = self.bench.limits.bound(self.entry, self.inputs, self.results, threads)
        row["limit_ns"] = bound and bound / self.unit
        row["share"] = bound and row["limit_ns"] / row["locus"]
        row["bound"] = "the call" if row["small"] else what or "not known"
        row["beaten"] = bool(bound) and row["share"] > 1
        if row["beaten"]:  # what is beaten bounds nothing
            row["bound"], row["share"] = f"less than {what}", None
        return row


def rows(bench, entry):
    """One row for each form and number of threads."""
    case = Case(bench, entry)
    if not case.available:
        return []
    case.compare()
    gc.collect()
    gc.disable()
    times = measured(case.contenders(), bench.set_threads, bench.seconds)
    gc.enable()
    return [case.row(form, threads, times) for threads in case.threads for form in case.forms]
