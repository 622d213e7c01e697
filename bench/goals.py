# SPDX-License-Identifier: MIT
"""What the project wants to reach, judged on the rows of a run: one thread each, random data, fresh
results unless it says out; shares of the limit with a kept `out`, since fresh memory has another
limit. Neighbouring sizes of searches are judged by bench/sweep.lua; bench/ops compares the ops
around."""

import re

FOUR, EIGHT = ("float32", "int32"), ("float64", "int64")


def search(dtypes, least, most, **more):
    return dict(call=("searchsorted",), dtype=dtypes, data=("random",), n=(least, most),
                m=(1e6, 1e6), **more)


def nonzero(**more):
    return dict(call=("nonzero",), dtype=("bool", "float32"), **more)


def where(least, most, **more):
    return dict(call=("where",), dtype=("float32",), values=False, data=("random",),
                n=(least, most), **more)


def small(*calls, form="fresh"):
    return dict(call=tuple("small " + call for call in calls), form=(form,))


OUT = ("out",)
SMALL = ("searchsorted", "nonzero", "add", "places", "mask", "where")

# (what, which rows, compared with, at least; "ns": at most). "peers" is the faster one. A range
# holds its ends.
GOALS = [
    ("searchsorted f32 i32, n <= 64", search(FOUR, 1, 64), "torch", 30),
    ("searchsorted f32 i32, n <= 64", search(FOUR, 1, 64), "numpy", 33),
    ("searchsorted f32 i32, n <= 64, out", search(FOUR, 1, 64, form=OUT), "peers", 44),
    ("searchsorted f32 i32, n <= 64, out", search(FOUR, 1, 64, form=OUT), "limit", 0.8),
    ("searchsorted f32 i32, n = 100 to 1e5", search(FOUR, 100, 1e5), "torch", 28),
    ("searchsorted f32 i32, n = 100 to 1e5", search(FOUR, 100, 1e5), "numpy", 33),
    ("searchsorted f32 i32, n = 1e6", search(FOUR, 1e6, 1e6), "torch", 16),
    ("searchsorted f32 i32, n = 1e6", search(FOUR, 1e6, 1e6), "numpy", 25),
    ("searchsorted f32 i32, n = 1e6, out", search(FOUR, 1e6, 1e6, form=OUT), "limit", 0.5),
    ("searchsorted f64 i64, n = 100 to 1e5", search(EIGHT, 100, 1e5), "torch", 19),
    ("searchsorted f64 i64, n = 100 to 1e5", search(EIGHT, 100, 1e5), "numpy", 22),
    ("searchsorted f64 i64, n = 1e6", search(EIGHT, 1e6, 1e6), "torch", 16),
    ("searchsorted f64 i64, n = 1e6", search(EIGHT, 1e6, 1e6), "numpy", 25),
    ("searchsorted, m = 1000 to 3e4, n = 1e6",
     dict(call=("searchsorted",), data=("random",), n=(1e6, 1e6), m=(1e3, 3e4)), "torch", 18),
    ("searchsorted, n = 1e8", search(FOUR, 1e8, 1e8), "torch", 9),
    ("searchsorted, n = 1e8", search(FOUR, 1e8, 1e8), "numpy", 21),
    ("searchsorted, n = 1e8, out", search(FOUR, 1e8, 1e8, form=OUT), "limit", 0.45),
    ("searchsorted, ascending values, n = 100",
     dict(call=("searchsorted",), dtype=("float32",), data=("ascending",), n=(100, 100), many=True),
     "peers", 14),
    ("searchsorted, ascending values, n >= 1e4",
     dict(call=("searchsorted",), dtype=("float32",), data=("ascending",), n=(1e4, 1e9), many=True),
     "peers", 28),
    ("searchsorted, 4096 rows of 64 by 64",
     dict(call=("searchsorted rows",), dtype=("float32",), n=(64, 64), m=(64, 64)), "peers", 45),
    ("searchsorted, rows of 16 to 64",
     dict(call=("searchsorted rows",), dtype=("float32",), n=(16, 64), m=(16, 64)), "peers", 25),
    ("searchsorted with a sorter, n <= 1e5",
     dict(call=("searchsorted sorter",), n=(1, 1e5)), "peers", 30),
    ("searchsorted with a sorter, n = 1e6",
     dict(call=("searchsorted sorter",), n=(1e6, 1e6)), "peers", 13),
    ("nonzero in cache, fresh", nonzero(density=(0.03, 0.5), flat=True, n=(1e4, 1e6)), "torch", 15),
    ("nonzero in cache, out", nonzero(density=(0.03, 0.5), flat=True, n=(1e4, 1e6), form=OUT),
     "torch", 25),
    ("nonzero bool d=0.5 in cache, fresh",
     dict(call=("nonzero",), dtype=("bool",), density=(0.5, 0.5), flat=True, n=(1e4, 1e6)),
     "numpy", 4),
    ("nonzero, 1e8, out", nonzero(density=(0.03, 0.5), n=(1e8, 1e8), form=OUT), "limit", 0.85),
    ("nonzero i64, 1e8", dict(call=("nonzero",), dtype=("int64",), n=(1e8, 1e8)), "torch", 6),
    ("nonzero, several dimensions, d=0.5",
     dict(call=("nonzero", "nonzero tuple"), density=(0.5, 0.5), flat=False), "torch", 9),
    ("nonzero, several dimensions, d=0.1",
     dict(call=("nonzero", "nonzero tuple"), density=(0.1, 0.1), flat=False, transposed=False),
     "torch", 13),
    ("nonzero, transposed", dict(call=("nonzero",), flat=False, transposed=True), "torch", 5),
    ("where, 1e5, fresh", where(1e5, 1e5), "peers", 25),
    ("where, 1e5, out", where(1e5, 1e5, form=OUT), "peers", 35),
    ("where, 1e6", where(1e6, 1e6), "peers", 11),
    ("where, 1e7 and 1e8, out", where(1e7, 1e8, form=OUT), "limit", 0.9),
    ("argsort, 1e6", dict(call=("argsort",), n=(1e6, 1e6)), "numpy", 3),
    ("small calls, fresh", small(*SMALL), "numpy", 1),
    ("small calls, fresh", small(*SMALL), "torch", 3),
    ("small where, fresh", small("where"), "numpy", 2),
    ("small view", small("range"), "ns", 200),
    ("small search and where, out", small("searchsorted", "where", form="out"), "ns", 100),
    ("small add and nonzero, out", small("add", "nonzero", form="out"), "ns", 85),
    ("small with a number, out", small("where number", "add number", form="out"), "ns", 120),
    ("one number, with an option", small("one number right"), "ns", 20),
]


def fits(row, which):
    """Whether a row is one of those a goal speaks of."""
    if row["threads"] != 1 or row["form"] not in which.get("form", ("fresh",)):
        return False
    for field, wanted in which.items():
        if field == "many":
            if row["m"] < 10 * row["n"]:
                return False
        elif field == "transposed":
            if row["name"].endswith("transposed") != wanted:
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
        return 1 if row["beaten"] else row["share"]
    libraries = ("torch", "numpy") if against == "peers" else (against,)
    ratios = [row["x_" + library] for library in libraries if row["x_" + library]]
    return min(ratios, default=None)


def judge_neighbours(sweep):
    """The same as judge for what bench/sweep.lua printed: no size dearer than the next by more."""
    cliffs, steepest, line = re.search(r"(\d+) cliffs; the steepest pair: (\S+) in (.*)",
                                       sweep).groups()
    return ("searchsorted, neighbouring sizes", "a neighbour", 1.3, float(steepest),
            f"{line} ({cliffs} cliffs)", cliffs == "0")


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
