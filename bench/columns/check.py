# SPDX-License-Identifier: MIT
"""Whether a contender's answer is right: bit for bit what data.py put into the file, and of what
was written, that it reads back as just that."""
import os

import numpy as np


def difference(case, folder, answer, out):
    """What is wrong with an answer, nothing where it is right."""
    if case.reads:
        return read(case, f"{folder}/truth/{case.name}", answer)
    if case.name == "floats":
        return shortest(np.fromfile(f"{folder}/truth/floats/x.float64"), lines_of(out))
    if case.name == "write":
        return rows(folder, lines_of(out))
    with open(out, "rb") as ours, open(f"{folder}/{case.file}", "rb") as theirs:
        return "" if ours.read() == theirs.read() else "the text is not that of the file"


def read(case, truth, answer):
    if not case.file:
        return asked(case, truth, answer)
    for column, dtype in case.answer.items():
        kind = {"string": "ids", "float64": "float64"}.get(dtype, "int64")
        wanted, found = (f"{place}/{column}.{kind}" for place in (truth, answer))
        if not os.path.exists(found):
            return f"'{column}' is missing"
        dtype = {"ids": "int32"}.get(kind, kind)
        wrong = differing(np.fromfile(wanted, dtype), np.fromfile(found, dtype))
        if not wrong and kind == "ids":
            wrong = differing(*map(words, (f"{truth}/{column}.names", f"{answer}/{column}.names")))
        if wrong:
            return f"'{column}' is wrong: {wrong}"
    return ""


def asked(case, truth, answer):
    """Rows in the order of their first column; floats may differ by a rounding."""
    order = {}
    for column, dtype in case.answer.items():
        if not os.path.exists(f"{answer}/{column}.{dtype}"):
            return f"'{column}' is missing"
        both = [np.fromfile(f"{place}/{column}.{dtype}", dtype) for place in (truth, answer)]
        if len(both[0]) != len(both[1]):
            return f"{len(both[1])} rows instead of {len(both[0])}"
        for k in (0, 1):
            order.setdefault(k, np.argsort(both[k], kind="stable"))
        wanted, found = (values[order[k]] for k, values in enumerate(both))
        near = abs(wanted - found) <= 1e-12 * abs(wanted) if dtype == "float64" else wanted == found
        if not near.all():
            return f"'{column}' is wrong: {(~near).sum()} of {len(near)} differ"
    return ""


def differing(wanted, found):
    """How arrays differ, in bits but for those of NaN."""
    if len(wanted) != len(found):
        return f"{len(found)} instead of {len(wanted)}"
    different = wanted != found
    if wanted.dtype == np.float64:
        different = wanted.view(np.int64) != found.view(np.int64)
        different &= ~(np.isnan(wanted) & np.isnan(found))
    count = int(different.sum())
    return count and f"{count} of {len(wanted)} differ"


def words(path):
    with open(path, encoding="utf-8") as file:
        return np.array(file.read().split("\n"), dtype=object)


def lines_of(path):
    """The lines after the header."""
    with open(path, encoding="utf-8") as file:
        return file.read().rstrip("\n").split("\n")[1:]


def digits(text):
    """How many significant ones a number has."""
    return len(text.lower().split("e")[0].lstrip("-").replace(".", "").strip("0"))


def shortest(wanted, lines):
    wrong = differing(wanted, np.array([float(line) for line in lines]))
    if wrong:
        return "reads back otherwise: " + wrong
    longer = sum(digits(line) > digits(repr(x)) for line, x in zip(lines, wanted.tolist()))
    return f"{longer} floats are longer than they need be" if longer else ""


def rows(folder, lines):
    """The text of trades.csv with whatever digits the prices have."""
    for k, (name, kind) in enumerate([("time", np.int64), ("price", np.float64),
                                      ("size", np.int64)]):
        column = [line.split(",")[k] for line in lines]
        wanted = np.fromfile(f"{folder}/truth/numbers/{name}.{kind.__name__}", kind)
        wrong = (shortest(wanted, column) if kind is np.float64
                 else differing(wanted, np.array(column, dtype=kind)))
        if wrong:
            return f"'{name}': {wrong}"
    return ""
