# SPDX-License-Identifier: MIT
"""Lower bounds of a call's time, from what bench/limits.c measured on this machine."""
import json
import math


class Limits:
    def __init__(self, text):
        measured = json.loads(text)
        self.l2 = measured["l2"]
        self.rank, self.node = measured["rank"], {4: measured["node4"], 8: measured["node8"]}
        self.series = {name: measured[name] for name in measured if isinstance(measured[name], list)}

    def at(self, name, size, threads):
        """A series' figure for a working set of this many bytes, linear in the logarithm of it."""
        points = [(s, figure) for s, t, figure in self.series[name] if t == threads]
        for (small, first), (large, second) in zip(points, points[1:]):
            if size <= large:
                part = math.log(max(size, small) / small) / math.log(large / small)
                return first + part * (second - first)
        return points[-1][1]

    def stream(self, read, written, threads, past_caches=True):
        """Every byte read once and every byte written once, one after the other or at the same
        time, whichever takes less; stores may be non-temporal."""
        total = read + written
        store, copy = self.at("write", total, threads), self.at("copy", total, threads)
        if past_caches:
            store = max(store, self.at("stream", total, threads))
            copy = max(copy, self.at("copy past", total, threads))
        apart = read / self.at("read", total, threads) + written / store
        return min(apart, total / copy) if read and written else apart

    def search(self, n, queries, rows, width, written, threads, ascending):
        """The keys in registers, or a tree of one line a node over them: its instructions, or its
        memory and the pass over the keys that builds it, whichever takes longer. Ascending queries
        can do with one pass over both. With what bounds it."""
        every = rows * queries
        stream = self.stream(rows * n * width + every * width, written, threads)
        if ascending:
            return stream, "stream"
        levels, keys = [], n
        while keys > 256 // width:
            levels.append(keys * width)
            keys = keys * width // 64
        rank = self.rank * (2 if width == 8 else 1)
        instructions = (rank + len(levels) * self.node[width]) / threads
        lines = sum(self.at("line", level, threads) for level in levels if level > self.l2)
        memory = every * lines + stream, "random lines" if lines else "stream"
        return max((every * instructions, "instructions"), memory)

    def bound(self, entry, inputs, results, threads):
        """The bound of a call in ns and what bounds it; (None, "") where none is known. Inputs and
        results are arrays by name, results a list."""
        read = sum(getattr(value, "nbytes", 0) for value in inputs.values())
        written = sum(getattr(value, "nbytes", 0) for value in results)
        if entry["limit"] == "stream":
            return self.stream(read, written, threads), "stream"
        if entry["limit"] == "emit":
            return self.stream(read, written, threads, past_caches=False), "stream"
        width = inputs["keys"].itemsize if entry["limit"] == "search" else 0
        if width in self.node and entry["m"] * entry["rows"] >= 1e5:
            return self.search(entry["n"], entry["m"], entry["rows"], width, written, threads,
                               entry["data"] == "ascending")
        return None, ""
