# SPDX-License-Identifier: MIT
"""What the calls of bench/ops work on, by name and always the same.

Of size n: x, y float32 in 0..1; d, h float64; f float32 and g float64 in -10..10; gn is g with NaN
for a tenth, gp float64 near 1; i int64 in 0..999, b in 0..99, u in 1..100; e, en int64 of all
sizes, half of them in both; j int32; c, z bool, random and all false; p, q positions, random and
ascending; s float32, one in a hundred nonzero; ox, od, oi float32, float64, int64 to write into.
ek, dk, jk are a thousand of e, of d and of j, ik 300 of 0..999; k100 a hundred sorted keys, k1000
the float64 edges of a thousand bins, v1000 a value at each. Of about n elements are x2, c2, square;
w10 rows of ten, t10 a ten for each; r rows of x2, r2 a row for each element of it; row and column
of x2. t are 0, 1 or 2. Positions with a 1 at the end count from 1."""
import time

import numpy as np
import polars
import torch


def floats(random, *shape):
    return random.random(shape, dtype=np.float32)


def vectors(random, n):
    wide = random.integers(-2 ** 62, 2 ** 62, 2 * n)
    g = random.uniform(-10, 10, n)
    return dict(
        x=floats(random, n), y=floats(random, n), d=random.random(n),
        h=random.random(n), f=g.astype(np.float32), g=g,
        i=random.integers(0, 1000, n), j=wide[:n].astype(np.int32), c=random.random(n) < .5,
        z=np.zeros(n, bool), b=random.integers(0, 100, n), p=random.integers(0, n, n),
        q=np.sort(random.integers(0, n, n)), s=(random.random(n) < .01).astype(np.float32),
        gn=np.where(random.random(n) < .1, np.nan, g), gp=random.uniform(.999, 1.001, n),
        e=wide[:n], en=random.permutation(wide)[:n], ox=np.empty(n, np.float32), od=np.empty(n),
        oi=np.empty(n, np.int64))


def inputs(n):
    random, side = np.random.default_rng(5), int(n ** .5)
    given = vectors(random, n)
    given.update(
        {k + "k": random.permutation(given[k])[:1000] for k in "edj"},
        ik=random.integers(0, 1000, 300), k100=np.sort(floats(random, 100)),
        k1000=np.sort(random.random(1001)), v1000=random.random(1001),
        x2=floats(random, side, side), c2=random.random((side, side)) < .1,
        w10=floats(random, max(n // 10, 1), 10), t10=np.full(max(n // 10, 1), 10),
        t=random.integers(0, 3, n), r=random.integers(0, side, side),
        r2=random.integers(0, side, (side, side)), row=floats(random, side),
        column=floats(random, side, 1))
    given.update({k + "1": given[k] + 1 for k in ("p", "q", "r", "r2")}, u=given["b"] + 1)
    return given


SCOPES = {"numpy": {"np": np, "rng": np.random.default_rng(1)}, "torch": {"torch": torch},
          "polars": {"polars": polars}}
ADOPT = {"numpy": lambda array: array, "torch": torch.from_numpy,
         "polars": lambda array: polars.Series(array) if array.ndim == 1 else None}


def peer_inputs(library, given):
    """The same as the library's arrays, in the same memory where it can, with n, and the clock,
    which is the processor's."""
    arrays = {name: ADOPT[library](array) for name, array in given.items()}
    return {**SCOPES[library], **arrays, "n": given["x"].size, "clock": time.process_time_ns}
