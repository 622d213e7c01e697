# SPDX-License-Identifier: MIT
"""Claims of docs/differences.md about PyTorch and NumPy, each run: prints for each topic, a cell of
the page, whether it holds."""
import warnings

import numpy as np
import torch

warnings.simplefilter("ignore")
T, nan, inf = torch.tensor, float("nan"), float("inf")
claims = []


def raises(f, *args, **named):
    try:
        f(*args, **named)
    except Exception:
        return True
    return False


def says(topic, f):
    claims.append((topic, f))


b, i = T([True, False]), T([3, 1, 2])
says("`sign` of NaN", lambda: T(nan).sign() == 0 and np.isnan(np.sign(nan)))
says("`flip` without `dims`; one shift of `roll` for several `dims`",
     lambda: raises(torch.flip, i) and (np.flip([1, 2]) == [2, 1]).all())
says("data without a dtype, `arange(3)`, `full(sizes, 1)`",
     lambda: T([1]).dtype == torch.int64 and T([1.0]).dtype == torch.float32
     and torch.arange(3).dtype == torch.int64 and torch.full((1,), 1).dtype == torch.int64)
says("`x ^ 0.5` of -inf and -0.0",
     lambda: T([-inf]).pow(0.5).isnan().all() and T([-inf]).pow(T([0.5])).isinf().all())
says("`round` with more `decimals` than numbers have",
     lambda: not torch.round(T(1.5), decimals=400).isfinite())
says("`round` of integers with `decimals`", lambda: raises(torch.round, i, decimals=1))
says("`hypot` of integers, `square` of bool",
     lambda: raises(torch.hypot, i, i) and b.square().dtype == torch.int64)
says("bool: `b - 1`", lambda: raises(lambda: b - 1) and raises(lambda: b - b) and raises(lambda: -b))
says("bool: `b % b`, `b % true`", lambda: raises(lambda: b % b))
says("`where`: uint8 condition", lambda: torch.where(T([1, 0], dtype=torch.uint8), 1, 2)[0] == 1)
says("`nonzero_static`: rows beyond the last",
     lambda: torch.nonzero_static(T([1, 0]), size=2)[1, 0] == -1)
says("`any`, `all` of uint8", lambda: T([1], dtype=torch.uint8).any().dtype == torch.uint8)
says("`mean` of integers and bool", lambda: raises(i.mean) and raises(b.mean))
says("`logsumexp`", lambda: raises(torch.logsumexp, T([1.0])))
says("`cumsum_`, `cumprod_`", lambda: not raises(T([1.0]).cumsum_, 0, dtype=torch.float32))
says("`median`, `nanmedian` of nothing, without a dimension", lambda: T([]).median().isnan())
says("`median` of an even number", lambda: T([1., 2.]).median() == 1 and np.median([1, 2]) == 1.5)
says("`quantile` beside infinities", lambda: T([1, inf]).quantile(0.0).isnan()
     or T([1, inf]).quantile(0.5).isinf() or T([-inf, inf]).quantile(0.5).isnan())
says("`unique`, `unique_consecutive`, `isin` with NaN",
     lambda: len(T([nan, nan]).unique()) == 2 and len(np.unique([nan, nan])) == 1)
says("`isin` of different dtypes", lambda: torch.isin(T([2**53 + 1]), T([2.0**53],
     dtype=torch.float64)).all())
says("comparing different dtypes",
     lambda: (T([2**53 + 1]) == T([2.0**53], dtype=torch.float64)).all())
says("`searchsorted`: -1 or 300 beside uint8",
     lambda: torch.searchsorted(T([1, 255], dtype=torch.uint8), 300 - 256) == 1)
says("`allclose` of different dtypes", lambda: raises(torch.allclose, T([1.0]), T([1])))
says("`max(a, b)` of two tensors", lambda: torch.max(i, T([2, 2, 2]))[1] == 2)
says("complex with float16", lambda: (T([1j]) + T([1.0], dtype=torch.float16)).is_complex())
says("`exponential_` of the least uniform number", lambda: not raises(torch.empty(3).exponential_))
says("`roll`, `take_along_dim` of a 0-d tensor along a dimension",
     lambda: raises(torch.roll, T(1), 1, 0))
says("`shuffle`", lambda: np.random.default_rng(0).shuffle(np.arange(3)) is None)
says("a number that a float dtype cannot hold",
     lambda: T([1.0], dtype=torch.float16).new_full((1,), 1.0).where(T([False]), 1e6).isinf().all())
says("bool: `clamp`", lambda: b.clamp(0, 1).dtype == torch.int64)
says("bool: `argmin`, `argmax`, `searchsorted`, `kthvalue`, `median`, `nanmedian`, `topk`, `isin`, "
     "`histc`, `cumsum_`, `cumprod_`",
     lambda: {n for n, f in {
         "clamp": lambda: b.clamp(0, 1), "argmin": b.argmin, "argmax": b.argmax,
         "searchsorted": lambda: torch.searchsorted(b, b), "kthvalue": lambda: b.kthvalue(1),
         "median": b.median, "nanmedian": b.nanmedian, "topk": lambda: b.topk(1),
         "isin": lambda: torch.isin(b, b), "histc": b.histc, "cumsum_": lambda: b.clone().cumsum_(0),
         "cumprod_": lambda: b.clone().cumprod_(0)}.items() if not raises(f)} == {"clamp"})
says("writing to a tensor whose elements share memory (`expand`)", lambda: raises(
     torch.zeros(1).expand(3).add_, 1) and not raises(torch.zeros(1).expand(3).fill_, 1))

for topic, holds in claims:
    try:
        ok, why = bool(holds()), ""
    except Exception as error:
        ok, why = False, repr(error)
    print("holds" if ok else "FALSE", topic, why, sep="\t")
