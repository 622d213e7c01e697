# SPDX-License-Identifier: MIT
"""What more threads of this machine's processor give, in locus and in PyTorch, with NumPy beside
them, which has one. Called by bench/cuda/run, which sets the paths; leaves what it found in a JSON
file after every case."""
import argparse
import dataclasses
import json
import os
import sys
import tempfile
import time

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import numpy as np
import torch

import luajit
import measure
import peers
import table

THREADS = [1, 2, 4, 8, 16]
FEWEST, MOST = 2, 9  # rounds
HEADER = "time,price,size"


@dataclasses.dataclass
class Case:
    """The calls of each library over the same inputs; of `sizes` elements or rows. agree(ours,
    theirs) compares lists of arrays, where the answers are not the same bits in the same order."""
    name: str
    sizes: tuple
    make: callable
    locus: str
    torch: str
    numpy: str
    agree: callable = None


def group_torch(keys, x):
    found, of = torch.unique(keys, return_inverse=True)
    return found, torch.zeros(len(found), dtype=x.dtype).index_add_(0, of, x)


def group_numpy(keys, x):
    found, of = np.unique(keys, return_inverse=True)
    return found, np.bincount(of, x)


def sort_numpy(x):
    order = x.argsort(kind="stable")
    return x[order], order


def join_torch(ids, amount, of, value):
    ordered, places = of.sort()
    at = torch.searchsorted(ordered, ids).clamp_(max=len(of) - 1)
    there = ordered[at] == ids
    return ids[there], amount[there], value[places[at[there]]]


def join_numpy(ids, amount, of, value):
    places = of.argsort()
    ordered = of[places]
    at = ordered.searchsorted(ids).clip(max=len(of) - 1)
    there = ordered[at] == ids
    return ids[there], amount[there], value[places[at[there]]]


def read_numpy(path):
    return np.loadtxt(path, delimiter=",", skiprows=1, unpack=True,
                      dtype={"names": HEADER.split(","), "formats": ["i8", "f8", "i8"]})


def searched(n, m):
    return {"keys": torch.randn(n).sort().values, "values": torch.randn(m)}


def chosen(n):
    return {"cond": torch.rand(n) < .5, "x": torch.randn(n), "y": torch.randn(n)}


def trades(n):
    """The path of a file."""
    generator = np.random.default_rng(1)
    times, prices = generator.integers(0, 1 << 40, n), generator.integers(1, 10 ** 6, n)
    sizes = generator.integers(1, 1000, n)
    file = tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False)
    with file:
        file.write("\n".join([HEADER] + [f"{t},{p // 100}.{p % 100:02},{s}" for t, p, s in
                                      zip(times.tolist(), prices.tolist(), sizes.tolist())]) + "\n")
    return {"path": file.name}


def grouped(n, groups):
    return {"keys": torch.randint(groups, (n,)), "x": torch.rand(n, dtype=torch.float64)}


def joined(n, m):
    """Half of the rows find one."""
    return {"ids": torch.randint(2 * m, (n,)), "amount": torch.rand(n, dtype=torch.float64),
            "of": torch.randperm(m), "value": torch.rand(m, dtype=torch.float64)}


def by_key(ours, theirs):
    order = ours[0].argsort()
    return (np.array_equal(ours[0][order], theirs[0])
            and np.allclose(ours[1][order], theirs[1], rtol=1e-9))


def from_one(ours, theirs):
    """The same positions, which count from 1 in locus."""
    return np.array_equal(ours[-1].ravel() - 1, theirs[-1].ravel()) and same(ours[:-1], theirs[:-1])


def same(ours, theirs):
    return len(ours) == len(theirs) and all(map(np.array_equal, ours, theirs))


READ = """(function(f) return f.time, f.price, f.size end)(locus.read_csv(path,
  {types = {time = "int64", price = "float64", size = "int64"}}))"""
GROUP = "(function(g) return g.keys.key, g:sum(x) end)(locus.group_by(keys))"
JOIN = """(function(f) return f.id, f.amount, f.value end)(locus.frame{{"id", ids},
  {"amount", amount}}:join(locus.frame{{"id", of}, {"value", value}}, {on = "id"}))"""
CASES = [
    Case("searchsorted float32 n=1e6 m=4e6", (1e6, 4e6), searched, "keys:searchsorted(values)",
         "torch.searchsorted(keys, values)", "keys.searchsorted(values)", from_one),
    Case("where float32 5e7", (5e7,), chosen, "locus.where(cond, x, y)",
         "torch.where(cond, x, y)", "np.where(cond, x, y)"),
    Case("nonzero bool 1e8 d=0.1", (1e8,), lambda n: {"x": torch.rand(n) < .1},
         "x:nonzero()", "torch.nonzero(x)", "x.nonzero()", from_one),
    Case("sort float32 2e6", (2e6,), lambda n: {"x": torch.randn(n)}, "x:sort(1)",
         "x.sort(stable=True)", "sort_numpy(x)", from_one),
    Case("read_csv 5e5 rows", (5e5,), trades, READ, None, "read_numpy(path)"),
    Case("group sum 2e6 rows, 1e4 keys", (2e6, 1e4), grouped, GROUP, "group_torch(keys, x)",
         "group_numpy(keys, x)", by_key),
    Case("join 1e6 rows with 1e5", (1e6, 1e5), joined, JOIN,
         "join_torch(ids, amount, of, value)", "join_numpy(ids, amount, of, value)"),
]


def arrays(result):
    results = result if isinstance(result, (tuple, list)) else [result]
    return [np.asarray(one) for one in results]


class Bench:
    def __init__(self, options):
        self.options, self.lua, self.start = options, luajit.Lua(), time.monotonic()
        cores = len(os.sched_getaffinity(0))
        self.threads = [count for count in THREADS if count <= cores]
        self.rows, self.notes = [], []
        self.waiting = [case.name for case in CASES]
        peers.SCOPE.update({made.__name__: made for made in (
            group_torch, group_numpy, sort_numpy, join_torch, join_numpy, read_numpy)})

    def set_threads(self, count):
        torch.set_num_threads(count)
        self.lua.driver("threads", count)

    def size(self, n):
        return int(n) if not self.options.rehearsal else int(n ** .7)

    def open(self, case, inputs):
        """Runs every library once; the contenders whose answers agree."""
        self.lua.driver("begin", case.locus)
        for name, value in inputs.items():
            if torch.is_tensor(value):
                self.lua.driver("adopt", name, "cpu", str(value.dtype)[len("torch."):], "cpu",
                                value.data_ptr(), *value.shape)
            else:
                self.lua.driver("value", name, value)
        ours = [luajit.array(one) for one in self.lua.driver("run", "fresh")]
        found = [(("locus", count), count, self.loop) for count in self.threads]
        plain = {name: value.numpy() if torch.is_tensor(value) else value
                 for name, value in inputs.items()}
        for library, expression, names, counts in (
                ("torch", case.torch, inputs, self.threads), ("numpy", case.numpy, plain, [1])):
            if expression:
                theirs = arrays(eval(expression, {**peers.SCOPE, **names}))
                if not (case.agree or same)(ours, theirs):
                    self.notes.append(f"{case.name}: FAILED: locus and {library} differ")
                found += [((library, count), count, peers.compiled(expression, names))
                          for count in counts]
        return found

    def loop(self, times):
        return float(self.lua.run(f"return driver.time('fresh', {times})"))

    def case(self, case):
        torch.manual_seed(1)
        inputs = case.make(*map(self.size, case.sizes))
        share = (self.options.seconds - (time.monotonic() - self.start)) / len(self.waiting)
        try:
            times = measure.measured(self.open(case, inputs), self.set_threads, share * .7,
                                     FEWEST, MOST)
        finally:
            self.lua.driver("close")
            if "path" in inputs:
                os.remove(inputs["path"])
        self.rows += [self.row(case, count, times) for count in self.threads]

    def row(self, case, count, times):
        row = {"case": case.name, "threads": count}
        for library in ("locus", "torch", "numpy"):
            own = times.get((library, 1 if library == "numpy" else count))
            row[library] = own and own[0] / 1e6
            row[library + "_x"] = own and times[library, 1][0] / own[0]
            row["x_" + library] = own and own[0] / times["locus", count][0]
        return row

    def run(self):
        self.save()
        for case in CASES:
            if time.monotonic() - self.start > self.options.seconds * .9:
                break
            try:
                self.case(case)
            except Exception as failure:  # this case's; the others still can be measured
                self.notes.append(f"{case.name}: FAILED: {failure}")
            self.waiting.remove(case.name)
            self.save()
            for row in self.rows[-len(self.threads):]:
                print(*table.core_cells(row), sep="\t", flush=True)

    def save(self):
        table.replaced(self.options.into, json.dumps(
            {"rows": self.rows, "notes": self.notes, "left_out": self.waiting}, indent=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", required=True, help="the JSON file")
    parser.add_argument("--seconds", type=float, default=80, help="for all cases")
    parser.add_argument("--rehearsal", action="store_true", help="at small sizes")
    bench = Bench(parser.parse_args())
    print(*table.OF_CORES, sep="\t")
    bench.run()
    print(*bench.notes, sep="\n")
    sys.exit(any("FAILED" in note for note in bench.notes))


if __name__ == "__main__":
    main()
