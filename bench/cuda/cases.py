# SPDX-License-Identifier: MIT
"""What bench/cuda measures, as data: the most important first, as a run may end before the last.
Sizes are those of a GPU; goals in ms are those of one that copies 4.3e12 bytes a second."""
import dataclasses
from typing import Callable, Optional

import torch


@dataclasses.dataclass
class Case:
    call: str                             # of contenders.CALLS
    name: str
    make: Callable                        # gives the inputs by name
    goal_ms: Optional[float] = None
    goal_floors: Optional[float] = None   # in place of that: a multiple of the floor
    goal_torch: Optional[float] = None    # how many times faster than PyTorch
    per_element: Optional[float] = None   # bytes to move, where fewer than all will do
    derive: Optional[tuple] = None        # (name, of, method): what locus prepares before the call
    plot: Optional[tuple] = None          # (panel, place on its x axis)


class Inputs:
    """size(n): how many elements stand for n on this device."""

    def __init__(self, device, size):
        self.device, self.size = device, size

    def normal(self, n):
        return torch.randn(self.size(n), device=self.device)

    def rows(self, n, columns):
        """n positive elements in rows."""
        return torch.rand(max(1, self.size(n) // columns), columns, device=self.device)

    def mask(self, *shape, density):
        return torch.rand(shape, device=self.device) < density

    def searched(self, n, dtype=torch.float32, ascending=False, m=1e8):
        """Sorted keys, and m values from their range. Integer keys are sums of gaps: to sort 1e9
        of them would take most of the memory."""
        if dtype.is_floating_point:
            keys, values = self.normal(n).to(dtype).sort().values, self.normal(m).to(dtype)
        else:
            gaps = torch.randint(1, 1 << 29, (self.size(n),), device=self.device)
            keys = gaps.cumsum_(0)
            values = torch.randint(0, int(keys[-1]), (self.size(m),), device=self.device)
        return {"keys": keys, "values": values.sort().values if ascending else values}

    def searched_rows(self, n, m):
        """Rows of n sorted keys, with m values for each: 1e8 values in all."""
        rows = max(1, self.size(1e8) // m)
        keys = torch.randn(rows, n, device=self.device).sort(dim=1).values
        return {"keys": keys, "values": torch.randn(rows, m, device=self.device)}

    def sparse(self, n, density, dtype=torch.bool):
        return {"x": self.mask(self.size(n), density=density).to(dtype)}

    def sparse_rows(self, n, columns, density):
        return {"x": self.mask(self.size(n) // columns, columns, density=density)}

    def chosen(self, density, n=1e9):
        """A condition of runs of 4096 where there is no density."""
        x = self.normal(n)
        if density is None:
            blocks = torch.arange(len(x) // 4096 + 1, device=self.device) % 2 == 0
            cond = blocks.repeat_interleave(4096)[:len(x)].contiguous()
        else:
            cond = self.mask(len(x), density=density)
        return {"cond": cond, "x": x, "y": torch.randn_like(x)}

    def one_number(self):
        x = self.normal(1e9)
        return {"cond": self.mask(len(x), density=.5), "x": x}

    def broadcast(self, n=1e9, columns=1000):
        """y is one row."""
        x, y = self.rows(n, columns), torch.rand(columns, device=self.device)
        return {"cond": self.mask(*x.shape, density=.5), "x": x, "y": y}

    def mixed(self):
        inputs = self.chosen(.5)
        inputs["x"] = (inputs["x"] * 1000).to(torch.int32)
        return inputs

    def grouped(self, n, members):
        """Rows in no order, of groups from 0 on that all have some."""
        ids = torch.arange(self.size(n), device=self.device) // members
        return {"x": torch.rand(len(ids), device=self.device),
                "ids": ids[torch.randperm(len(ids), device=self.device)]}

    def masked(self, n, density):
        x = self.normal(n)
        return {"x": x, "mask": self.mask(len(x), density=density)}


def first(of):
    """The three operations, at their main sizes."""
    for density, ms, ratio in (.1, .6, 3), (.5, 1.5, 1.7), (.01, .4, 4), (.9, 2.3, 1.4):
        yield Case("nonzero", f"nonzero bool 1e9 d={density}",
                   lambda d=density: of.sparse(1e9, d), ms, goal_torch=ratio,
                   plot=("nonzero", density))
    yield Case("nonzero", "nonzero bool 1e9 in rows of 64 d=0.5",
               lambda: of.sparse_rows(1e9, 64, .5), 2.7, goal_torch=2)
    yield Case("where", "where float32 1e9 random", lambda: of.chosen(.5), goal_torch=1,
               plot=("where", 1))
    yield Case("where", "where float32 1e9 runs", lambda: of.chosen(None), goal_torch=1.4,
               per_element=9, plot=("where", 2))
    yield Case("where number", "where float32 1e9 and a number", of.one_number, goal_torch=1.25,
               plot=("where", 3))
    yield Case("where", "where float32 1e9 y a row", of.broadcast, goal_torch=1.25,
               plot=("where", 4))
    yield Case("where", "where float32 1e9 x int32", of.mixed, goal_torch=1.6, plot=("where", 5))
    yield Case("where", "where float32 1e9 d=0.01", lambda: of.chosen(.01), goal_torch=1.4,
               per_element=9.3)
    for n, ms, ratio in (1e6, 2.8, 2), (1e3, .4, 4), (1e4, .6, 4), (1e7, 5, 2), (1e8, None, None):
        yield Case("searchsorted", f"searchsorted float32 n={n:.0e} m=1e8".replace("e+0", "e"),
                   lambda n=n: of.searched(n), ms, goal_torch=ratio, plot=("searchsorted", n))
    yield Case("nonzero", "nonzero bool 1e4 d=0.1", lambda: of.sparse(1e4, .1), .012,
               goal_torch=1.7)


def second(of):
    """Their rarer sizes and forms."""
    yield Case("searchsorted", "searchsorted float32 n=1e6 m=1e8 sorted values",
               lambda: of.searched(1e6, ascending=True), goal_floors=1.5, goal_torch=1.2)
    yield Case("searchsorted int32", "searchsorted float32 n=1e6 m=1e8 out_int32",
               lambda: of.searched(1e6))
    yield Case("searchsorted", "searchsorted int64 n=1e3 m=1e8",
               lambda: of.searched(1e3, torch.int64), .6, goal_torch=4)
    for n, m in (1000, 1000), (1000, 256), (64, 64):
        yield Case("searchsorted rows", f"searchsorted float32 rows of n={n} m={m}",
                   lambda n=n, m=m: of.searched_rows(n, m))
    yield Case("searchsorted", "searchsorted float32 n=1e6 m=65536",
               lambda: of.searched(1e6, m=65536))
    yield Case("searchsorted rows", "searchsorted float16 n=1e6 m=2e5",
               lambda: of.searched(1e6, torch.float16, m=2e5))
    for density, ratio in (.1, 2), (.5, 2), (.01, 2), (.9, 1.7):
        yield Case("nonzero", f"nonzero float32 1e8 d={density}",
                   lambda d=density: of.sparse(1e8, d, torch.float32), goal_floors=1.25,
                   goal_torch=ratio)
    yield Case("nonzero", "nonzero bool 3e4 d=0.1", lambda: of.sparse(3e4, .1))
    yield Case("nonzero static", "nonzero_static bool 1e9 d=0.1", lambda: of.sparse(1e9, .1))
    yield Case("searchsorted", "searchsorted float32 n=1e9 m=1e8", lambda: of.searched(1e9), 8,
               goal_torch=3, plot=("searchsorted", 1e9))
    yield Case("searchsorted", "searchsorted float32 n=1e9 m=4e6", lambda: of.searched(1e9, m=4e6))
    yield Case("searchsorted", "searchsorted float32 n=1e9 m=1e8 sorted values",
               lambda: of.searched(1e9, ascending=True), goal_floors=1.5, goal_torch=1.2)
    yield Case("searchsorted index", "search_index float32 n=1e9 m=1e8", lambda: of.searched(1e9),
               derive=("index", "keys", "search_index"))
    yield Case("searchsorted", "searchsorted int64 n=1e9 m=1e8",
               lambda: of.searched(1e9, torch.int64), 12, goal_torch=2.5)


def others(of):
    yield Case("add", "add float32 1e9", lambda: {"x": of.normal(1e9), "y": of.normal(1e9)})
    yield Case("where", "where float32 1e6", lambda: of.chosen(.5, 1e6))
    yield Case("where", "where float32 1e8 y a row of 32", lambda: of.broadcast(1e8, 32))
    yield Case("contiguous", "contiguous float32 1e8 turned rows of 16",
               lambda: {"x": of.rows(1e8, 16)})
    for n in "1e9", "1e7", "1e6":
        yield Case("sum", f"sum float32 {n}", lambda n=n: {"x": of.normal(float(n)).abs_()})
    for columns in 20, 100:
        yield Case("sum rows", f"sum float32 1e8 in rows of {columns}",
                   lambda columns=columns: {"x": of.rows(1e8, columns)})
    yield Case("sum columns", "sum float32 1e6 down 1e3 columns",
               lambda: {"x": of.rows(1e6, 1000)})
    yield Case("masked_select", "masked_select float32 1e8 d=0.5", lambda: of.masked(1e8, .5))
    yield Case("cumsum", "cumsum int64 1e8",
               lambda: {"x": torch.randint(0, 100, (of.size(1e8),), device=of.device)})
    for n, columns in ("1e8", 10), ("1e8", 30), ("1e7", 1000), ("1e4", 1000):
        yield Case("cumsum rows", f"cumsum float32 {n} in rows of {columns}",
                   lambda n=n, columns=columns: {"x": of.rows(float(n), columns)})
    for n in "1e8", "1e6":
        yield Case("median", f"median float32 {n}", lambda n=n: {"x": of.normal(float(n))})
    yield Case("quantile", "quantile float32 1e7", lambda: {"x": of.normal(1e7)})
    for members in 16, 1000:
        yield Case("segment sum", f"segment float32 1e8 in groups of {members}",
                   lambda members=members: of.grouped(1e8, members))
    yield Case("sort", "sort float32 1e8", lambda: {"x": of.normal(1e8)})
    yield Case("argsort", "argsort float32 1e8", lambda: {"x": of.normal(1e8)})


def cases(device, size):
    of = Inputs(device, size)
    return [*first(of), *second(of), *others(of)]
