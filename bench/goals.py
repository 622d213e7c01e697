# SPDX-License-Identifier: MIT
"""What the project wants to reach, judged on the rows of a run: one thread each, random data, fresh
results; shares of the limit with a kept `out`, since fresh memory has another limit."""

FOUR, EIGHT = ("float32", "int32"), ("float64", "int64")


def search(dtypes, least, most, **more):
    return dict(call=("searchsorted",), dtype=dtypes, data=("random",), n=(least, most),
                m=(1e6, 1e6), **more)


# (what, which rows, compared with, at least). "peers" is the faster one. A range holds its ends.
GOALS = [
    ("searchsorted f32 i32, n = 100 to 1e6", search(FOUR, 100, 1e6), "torch", 22),
    ("searchsorted f32 i32, n = 100 to 1e6", search(FOUR, 100, 1e6), "numpy", 30),
    ("searchsorted f32 i32, n <= 64", search(FOUR, 1, 64), "torch", 40),
    ("searchsorted f32 i32, n <= 64", search(FOUR, 1, 64), "numpy", 45),
    ("searchsorted f64 i64, n = 100 to 1e6", search(EIGHT, 100, 1e6), "torch", 18),
    ("searchsorted f64 i64, n = 100 to 1e6", search(EIGHT, 100, 1e6), "numpy", 20),
    ("searchsorted f32, n = 1e8", search(FOUR, 1e8, 1e8), "torch", 20),
    ("searchsorted, ascending queries, m >= 10 n",
     dict(call=("searchsorted",), dtype=("float32",), data=("ascending",), many=True), "peers", 25),
    ("searchsorted, 4096 rows of 64 by 64",
     dict(call=("searchsorted rows",), dtype=("float32",), n=(64, 64)), "peers", 50),
    ("searchsorted with a sorter", dict(call=("searchsorted sorter",)), "peers", 30),
    ("nonzero bool f32, densities 0.03 to 0.5, in cache",
     dict(call=("nonzero",), dtype=("bool", "float32"), density=(0.03, 0.5), flat=True,
          n=(1e4, 1e6)), "torch", 25),
    ("nonzero bool f32, densities 0.03 to 0.5, 1e8",
     dict(call=("nonzero",), dtype=("bool", "float32"), density=(0.03, 0.5), n=(1e8, 1e8)),
     "torch", 15),
    ("nonzero i64, 1e8", dict(call=("nonzero",), dtype=("int64",), n=(1e8, 1e8)), "torch", 9),
    ("nonzero, several dimensions",
     dict(call=("nonzero", "nonzero tuple"), density=(0.03, 0.5), flat=False), "torch", 15),
    ("where, random condition, in cache",
     dict(call=("where",), dtype=("float32",), values=False, data=("random",), n=(1e5, 1e6)),
     "peers", 30),
    ("where, random condition, out of cache",
     dict(call=("where",), dtype=("float32", "float64"), values=False, data=("random",),
          n=(1e7, 1e8)), "peers", 12),
    ("argsort, 1e6", dict(call=("argsort",), n=(1e6, 1e6)), "numpy", 3),
    ("small calls", dict(small=True), "torch", 4),
    ("small calls", dict(small=True), "numpy", 4),
    ("small where into out, kept options", dict(call=("small where",), form=("out",)), "ns", 150),
    ("small where into out, options made for the call",
     dict(call=("small where, table made",), form=("out",)), "ns", 250),
    ("where at 1e7 and 1e8: share of the limit",
     dict(call=("where",), data=("random",), n=(1e7, 1e8), form=("out",)), "limit", 0.9),
    ("nonzero at 1e8: share of the limit",
     dict(call=("nonzero",), density=(0.03, 0.5), n=(1e8, 1e8), form=("out",)), "limit", 0.8),
    ("searchsorted in cache: share of the limit",
     search(FOUR + EIGHT, 1, 1e5, form=("out",)), "limit", 0.7),
    ("searchsorted beyond: share of the limit",
     search(FOUR + EIGHT, 1e6, 1e8, form=("out",)), "limit", 0.5),
]


def fits(row, which):
    """Whether a row is one of those a goal speaks of."""
    if row["threads"] != 1 or row["form"] not in which.get("form", ("fresh",)):
        return False
    for field, wanted in which.items():
        if field == "many":
            if row["m"] < 10 * row["n"]:
                return False
        elif field == "flat":
            if (len(row["shape"]) == 1) != wanted:
                return False
        elif field in ("n", "m", "density"):
            if not wanted[0] <= row[field] <= wanted[1]:
                return False
        elif field in ("values", "small"):
            if bool(row[field]) != wanted:
                return False
        elif row[field] not in wanted:
            return False
    return True


def figure(row, against):
    if against == "ns":
        return row["locus"]
    if against == "limit":
        return row["share"]
    libraries = ("torch", "numpy") if against == "peers" else (against,)
    ratios = [row["x_" + library] for library in libraries if row["x_" + library]]
    return min(ratios, default=None)


def judge(rows):
    """For each goal (what, against, wanted, reached, where, met): the row that is farthest from it;
    reached is None where no row was measured."""
    judged = []
    for what, which, against, wanted in GOALS:
        found = [(figure(row, against), row) for row in rows if fits(row, which)]
        found = [(value, row) for value, row in found if value is not None]
        if not found:
            judged.append((what, against, wanted, None, "", False))
            continue
        worst = max if against == "ns" else min
        value, row = worst(found, key=lambda pair: pair[0])
        met = value <= wanted if against == "ns" else value >= wanted
        judged.append((what, against, wanted, value, f"{row['name']} {row['size']}", met))
    return judged
