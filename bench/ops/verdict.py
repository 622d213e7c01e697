# SPDX-License-Identifier: MIT
"""What the calls of bench/ops should reach, judged on the rows of a run, and why some do not."""
import elementwise
from cases import CALLS

BEHIND = 0.9  # of the better peer's speed: what is slower is marked
LEVEL = 0.95  # "no slower": runs differ by as much
CLOSE = 0.4   # of what is wanted

FUNCTIONS = elementwise.calls()
LIBM = {name for name in FUNCTIONS if name.split()[0] in elementwise.LIBM}
KEPT = {name for name in FUNCTIONS if name.endswith(" out")}


def beginning(*words):
    return {name for name in CALLS if any(name.startswith(word) for word in words)}


# (what, which calls, compared with, at least), of 1e5 elements and more, and of fewer by itself. x
# is the best peer, x_numpy NumPy.
MANY = 1e5
GOALS = [
    ("histogram", beginning("histogram"), "x_numpy", 2.5),
    ("isin", beginning("isin"), "x_numpy", 5),
    ("isin, best peer", beginning("isin"), "x", 5),
    ("rand", {"rand", "rand float32"}, "x_numpy", 1.5),
    ("elementwise, into out", KEPT - LIBM, "x_numpy", LEVEL),
    ("elementwise, new results", set(FUNCTIONS) - KEPT - LIBM, "x_numpy", LEVEL),
    ("functions of libm", LIBM, "x_numpy", LEVEL),
]

# Why a goal is missed; of few elements the call itself is most of it.
WHY = {
    "isin":
        "integers of a narrow range are looked up in a table, by NumPy too; of 1e5 a part of the "
        "time is the call's and the new result's",
    "few":
        "a call whose arguments Lua reads costs some microseconds before it begins, and a new "
        "result one; with `out` elementwise calls cost a tenth of a microsecond",
    "isin, best peer":
        "polars has tables of hashes and of ranges as well: each element is asked for once, in "
        "memory that lies nowhere near the one before",
    "elementwise, into out":
        "of shifts, fmod and floor_divide of int64 the second operand is read, and looked at, for "
        "each element, a number's too",
    "elementwise, new results":
        "the result: reference counts give NumPy the same memory again, still in the cache; Lua's "
        "collector comes round after several, and `out`, `free` and `tidy` have no such loss",
    "functions of libm":
        "libm takes one number at a time; NumPy has vectors of its own for these, with other bits "
        "on each instruction set, which locus must not have",
}


def is_missed(row, goal):
    what, calls, against, wanted = goal
    return row["name"] in calls and row[against] and row[against] < wanted


def is_close(row):
    """Whether a goal is missed by so little that it is worth a longer look."""
    return any(is_missed(row, goal) and row[goal[2]] > CLOSE * goal[3] for goal in GOALS)


def remark(row):
    """What stands behind a row: a goal that it misses, else whether it is behind its peers."""
    missed = [goal[0] for goal in GOALS if is_missed(row, goal)]
    return "MISS " + missed[0] if missed else "behind" if row["x"] < BEHIND else ""


def judge(rows):
    """For each goal, of many elements and of few (what, against, wanted, the row that is farthest
    from it, how many rows meet it, of how many, why not all do); what has no row is left out."""
    judged = []
    for many in True, False:
        for goal in GOALS:
            what, calls, against, wanted = goal
            found = [row for row in rows if row["name"] in calls and row[against]
                     and (row["size"] >= MANY) == many]
            if not found:
                continue
            met = sum(not is_missed(row, goal) for row in found)
            judged.append((what if many else what + ", few", against, wanted,
                           min(found, key=lambda row, key=against: row[key]), met, len(found),
                           WHY.get(what if many or calls is LIBM else "few")))
    return judged
