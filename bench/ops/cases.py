# SPDX-License-Identifier: MIT
"""The ops around searchsorted, nonzero and where, as their users write them in each library.

The inputs of size n: x, y float32 in 0..1; d float64; i int64 in 0..999; c, z bool, random and all
false; b int64 in 0..99; p, q positions, random and ascending; s float32, one in a hundred nonzero;
k100 a hundred sorted keys; k1000 the float64 edges of a thousand bins; e, en int64 of all sizes,
half of them in both; ek, dk, jk a thousand of e, of d and of j, which is e as int32; ik 300 of
0..999; and of about n elements x2, c2 square, w10 rows of ten, r rows of x2, row and column of x2.
Positions with a 1 at the end count from 1."""
import numpy as np
import torch


def inputs(n):
    """By name, always the same."""
    random, side = np.random.default_rng(5), int(n ** .5)

    def floats(*shape):
        return random.random(shape, dtype=np.float32)
    given = dict(
        x=floats(n), y=floats(n), d=random.random(n), i=random.integers(0, 1000, n),
        c=random.random(n) < .5, z=np.zeros(n, bool), b=random.integers(0, 100, n),
        p=random.integers(0, n, n), q=np.sort(random.integers(0, n, n)),
        s=(random.random(n) < .01).astype(np.float32), k100=np.sort(floats(100)),
        k1000=np.sort(random.random(1001)),
        x2=floats(side, side), c2=random.random((side, side)) < .1,
        w10=floats(max(n // 10, 1), 10), r=random.integers(0, side, side),
        row=floats(side), column=floats(side, 1))
    wide = random.integers(-2 ** 62, 2 ** 62, 2 * n)
    given.update(e=wide[:n], en=random.permutation(wide)[:n], ek=random.permutation(wide)[:1000],
                 dk=random.permutation(given["d"])[:1000], j=wide[:n].astype(np.int32),
                 jk=wide[:1000].astype(np.int32), ik=random.integers(0, 1000, 300))
    given.update(p1=given["p"] + 1, q1=given["q"] + 1, r1=given["r"] + 1)
    return given


# A name, and the call in locus, NumPy and PyTorch; None where one has no such call. Results of the
# peers are not compared here: spec/ and fuzz/ hold the ops to their laws.
CALLS = {
    "sum": ("x:sum()", "x.sum()", "x.sum()"),
    "sum float64": ("d:sum()", "d.sum()", "d.sum()"),
    "sum int64": ("i:sum()", "i.sum()", "i.sum()"),
    "sum bool": ("c:sum()", "c.sum()", "c.sum()"),
    "sum of columns": ("x2:sum(1)", "x2.sum(0)", "x2.sum(0)"),
    "sum of rows": ("x2:sum(2)", "x2.sum(1)", "x2.sum(1)"),
    "sum of rows of 10": ("w10:sum(2)", "w10.sum(1)", "w10.sum(1)"),
    "sum of 10 columns": ("w10:sum(1)", "w10.sum(0)", "w10.sum(0)"),
    "mean": ("x:mean()", "x.mean()", "x.mean()"),
    "max": ("x:max()", "x.max()", "x.max()"),
    "max int64": ("i:max()", "i.max()", "i.max()"),
    "max of columns": ("x2:max(1)", "(x2.max(0), x2.argmax(0))", "x2.max(0)"),
    "max of rows": ("x2:max(2)", "(x2.max(1), x2.argmax(1))", "x2.max(1)"),
    "max of rows of 10": ("w10:max(2)", "(w10.max(1), w10.argmax(1))", "w10.max(1)"),
    "argmax": ("x:argmax()", "x.argmax()", "x.argmax()"),
    "argmax of columns": ("x2:argmax(1)", "x2.argmax(0)", "x2.argmax(0)"),
    "any": ("z:any()", "z.any()", "z.any()"),
    "count_nonzero": ("c:count_nonzero()", "np.count_nonzero(c)", "torch.count_nonzero(c)"),
    "cumsum": ("x:cumsum(1)", "x.cumsum()", "x.cumsum(0)"),
    "cumsum int64": ("i:cumsum(1)", "i.cumsum()", "i.cumsum(0)"),
    "cumsum of columns": ("x2:cumsum(1)", "x2.cumsum(0)", "x2.cumsum(0)"),
    "bincount": ("b:bincount{base = 0}", "np.bincount(b)", "torch.bincount(b)"),
    "bincount weights": ("locus.bincount(b, d, {base = 0})", "np.bincount(b, d)",
                         "torch.bincount(b, d)"),
    "bucketize, bincount": ("x:bucketize(k100):bincount()", "np.bincount(np.digitize(x, k100))",
                            "torch.bincount(torch.bucketize(x, k100))"),
    "histogram": ("d:histogram(100)", "np.histogram(d, 100)", "torch.histogram(d, 100)"),
    "histogram float32": ("x:histogram(100)", "np.histogram(x, 100)", "torch.histogram(x, 100)"),
    "histogram range": ("d:histogram(100, {range = {0, 1}})", "np.histogram(d, 100, (0, 1))",
                        "torch.histogram(d, 100, range=(0, 1))"),
    "histogram edges": ("d:histogram(k1000)", "np.histogram(d, k1000)",
                        "torch.histogram(d, k1000)"),
    "histogram edges float32": ("x:histogram(k100)", "np.histogram(x, k100)",
                                "torch.histogram(x, k100)"),
    "histogram weights": ("d:histogram(100, {weight = d})", "np.histogram(d, 100, weights=d)",
                          "torch.histogram(d, 100, weight=d)"),
    "histogram edges weights": ("d:histogram(k1000, {weight = d})",
                                "np.histogram(d, k1000, weights=d)",
                                "torch.histogram(d, k1000, weight=d)"),
    "histc": ("d:histc(100)", None, "torch.histc(d, 100)"),
    "isin as many": ("e:isin(en)", "np.isin(e, en)", "torch.isin(e, en)"),
    "isin 1000": ("e:isin(ek)", "np.isin(e, ek)", "torch.isin(e, ek)"),
    "isin narrow": ("i:isin(ik)", "np.isin(i, ik)", "torch.isin(i, ik)"),
    "isin float64": ("d:isin(dk)", "np.isin(d, dk)", "torch.isin(d, dk)"),
    "isin int32": ("j:isin(jk)", "np.isin(j, jk)", "torch.isin(j, jk)"),
    "mask": ("x[c]", "x[c]", "x[c]"),
    "random positions": ("x[p1]", "x.take(p)", "torch.index_select(x, 0, p)"),
    "ascending positions": ("x[q1]", "x.take(q)", "torch.index_select(x, 0, q)"),
    "rows by position": ("x2[r1]", "x2.take(r, 0)", "torch.index_select(x2, 0, r)"),
    "cat": ("locus.cat({x, y})", "np.concatenate((x, y))", "torch.cat((x, y))"),
    "cat of columns": ("locus.cat({x2, x2}, 2)", "np.concatenate((x2, x2), 1)",
                       "torch.cat((x2, x2), 1)"),
    "clone": ("x:clone()", "x.copy()", "x.clone()"),
    "zeros": ("locus.zeros(n, {dtype = 'float32'})", "np.zeros(n, np.float32)", "torch.zeros(n)"),
    "arange": ("locus.arange(0, n)", "np.arange(n)", "torch.arange(n)"),
    "rand": ("locus.rand(n)", "rng.random(n)", "torch.rand(n, dtype=torch.float64)"),
    "rand float32": ("locus.rand(n, {dtype = 'float32'})", "rng.random(n, dtype=np.float32)",
                     "torch.rand(n)"),
    "randn": ("locus.randn(n)", "rng.standard_normal(n)", "torch.randn(n, dtype=torch.float64)"),
    "randint": ("locus.randint(1000, {n})", "rng.integers(0, 1000, n)",
                "torch.randint(0, 1000, (n,))"),
    "exponential": ("locus.exponential(n)", "rng.standard_exponential(n)",
                    "torch.empty(n, dtype=torch.float64).exponential_()"),
    "randperm": ("locus.randperm(n)", "rng.permutation(n)", "torch.randperm(n)"),
    "bernoulli": ("d:bernoulli()", "rng.random(n) < d", "torch.bernoulli(d)"),
    "float32 to float64": ("x:double()", "x.astype(np.float64)", "x.double()"),
    "float64 to float32": ("d:float()", "d.astype(np.float32)", "d.float()"),
    "float32 to int64": ("x:long()", "x.astype(np.int64)", "x.long()"),
    "int64 to float32": ("i:float()", "i.astype(np.float32)", "i.float()"),
    "bool to float32": ("c:float()", "c.astype(np.float32)", "c.float()"),
    "gt number": ("x:gt(0.5)", "x > .5", "x > .5"),
    "gt": ("x:gt(y)", "x > y", "x > y"),
    "eq number int64": ("i:eq(3)", "i == 3", "i == 3"),
    "gt float64": ("x:gt(d)", "x > d", "x > d"),
    "logical_and": ("c:logical_and(z)", "c & z", "torch.logical_and(c, z)"),
    "add": ("x + y", "x + y", "x + y"),
    "mul number": ("x * 2", "x * 2", "x * 2"),
    "add int64": ("x + i", "x + i", "x + i"),
    "div": ("x / y", "x / y", "x / y"),
    "remainder int64": ("i % 7", "i % 7", "i % 7"),
    "pow 2": ("x ^ 2", "x ** 2", "x ** 2"),
    "clamp": ("x:clamp(0.2, 0.8)", "x.clip(.2, .8)", "x.clamp(.2, .8)"),
    "abs": ("x:abs()", "np.abs(x)", "x.abs()"),
    "isnan": ("x:isnan()", "np.isnan(x)", "x.isnan()"),
    "chain": ("(x * 2 + 1):gt(1.5):where(x, 0)", "np.where(x * 2 + 1 > 1.5, x, np.float32(0))",
              "torch.where(x * 2 + 1 > 1.5, x, 0.)"),
    "add row": ("x2 + row", "x2 + row", "x2 + row"),
    "add column": ("x2 + column", "x2 + column", "x2 + column"),
    "add transposed": ("x2:t() + x2", "x2.T + x2", "x2.T + x2"),
    "transposed": ("x2:t():contiguous()", "np.ascontiguousarray(x2.T)", "x2.T.contiguous()"),
    "every other": ("x[{ {1, -1, 2} }]:contiguous()", "np.ascontiguousarray(x[::2])",
                    "x[::2].contiguous()"),
    "sort": ("x:sort()", "(np.sort(x), np.argsort(x, kind='stable'))", "x.sort()"),
    "sort values": ("x:sort{indices = false}", "np.sort(x)", None),
    "argsort": ("x:argsort()", "np.argsort(x)", "x.argsort()"),
    "sort rows of 10": ("w10:sort(2)", "(np.sort(w10, 1), np.argsort(w10, 1))", "w10.sort(1)"),
    "sort rows": ("x2:sort(2)", "(np.sort(x2, 1), np.argsort(x2, 1))", "x2.sort(1)"),
    "nonzero d=0.01": ("s:nonzero()", "s.nonzero()[0]", "torch.nonzero(s)"),
    "nonzero bool": ("c:nonzero()", "c.nonzero()[0]", "torch.nonzero(c)"),
    "nonzero every other": ("c[{ {1, -1, 2} }]:nonzero()", "c[::2].nonzero()[0]",
                            "torch.nonzero(c[::2])"),
    "nonzero transposed": ("c2:t():nonzero()", "np.nonzero(c2.T)", "torch.nonzero(c2.T)"),
    "where": ("c:where(x, y)", "np.where(c, x, y)", "torch.where(c, x, y)"),
    "where number": ("c:where(x, 0)", "np.where(c, x, np.float32(0))", "torch.where(c, x, 0.)"),
    "masked_fill": ("x:masked_fill(c, 0)", "np.where(c, np.float32(0), x)", "x.masked_fill(c, 0)"),
    "search 100": ("k100:searchsorted(x)", "k100.searchsorted(x)", "torch.searchsorted(k100, x)"),
    "search both": ("k100:searchsorted(x, {side = 'both'})",
                    "(k100.searchsorted(x), k100.searchsorted(x, 'right'))",
                    "(torch.searchsorted(k100, x), torch.searchsorted(k100, x, right=True))"),
    "filter": ("x[x:gt(0.9)]", "x[x > .9]", "x[x > .9]"),
    "gt, nonzero": ("x:gt(0.9):nonzero()", "(x > .9).nonzero()[0]", "torch.nonzero(x > .9)"),
    "gt, count": ("x:gt(0.9):count_nonzero()", "np.count_nonzero(x > .9)",
                  "torch.count_nonzero(x > .9)"),
}

# Elementwise functions, of float32 and float64, where NumPy's name is another it stands behind.
for names in ("floor", "ceil", "round rint", "trunc", "sign", "square", "reciprocal", "sqrt", "exp",
              "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin arcsin",
              "acos arccos", "atan arctan", "sinh", "cosh", "tanh"):
    name, numpy = names.split()[0], names.split()[-1]
    for dtype, of in ("", "x"), (" float64", "d"):
        CALLS[f"{name}{dtype}"] = (f"{of}:{name}()", f"np.{numpy}({of})", f"{of}.{name}()")
CALLS.update({
    "atan2": ("x:atan2(y)", "np.arctan2(x, y)", "torch.atan2(x, y)"),
    "hypot": ("x:hypot(y)", "np.hypot(x, y)", "torch.hypot(x, y)"),
    "fmod": ("x:fmod(y)", "np.fmod(x, y)", "torch.fmod(x, y)"),
    "floor_divide": ("x:floor_divide(y)", "x // y", "x // y"),
    "floor_divide int64": ("i:floor_divide(7)", "i // 7", "i // 7"),
    "lshift": ("i:lshift(3)", "i << 3", "i << 3"),
})

SCOPES = {"numpy": {"np": np, "rng": np.random.default_rng(1)}, "torch": {"torch": torch}}


def peer_inputs(library, given):
    """The same memory as the library's arrays, with n."""
    arrays = {name: torch.from_numpy(a) for name, a in given.items()} if library == "torch" else given
    return {**SCOPES[library], **arrays, "n": given["x"].size}
