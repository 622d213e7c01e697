# SPDX-License-Identifier: MIT
"""The calls of bench/cases.lua in PyTorch and NumPy, under the same names and over the same inputs.

Several forms of a call are alternatives: the fastest of them is the one that counts. "out" forms
write into `out`, which is what the fresh call gave before; without one a peer's fresh call stands
for it.
"""
import itertools
import time

import numpy as np
import torch


def numpy_rows(keys, values):
    out = np.empty(values.shape, np.int64)
    for row in range(len(keys)):
        out[row] = keys[row].searchsorted(values[row])
    return out


SEARCH = {
    "torch": ["torch.searchsorted(keys, values)"],
    "torch out": ["torch.searchsorted(keys, values, out=out)"],
    "numpy": ["keys.searchsorted(values)"],
}
WHERE_NUMBER = {
    "torch": ["torch.where(cond, x, 0.5)"],
    "torch out": ["torch.where(cond, x, 0.5, out=out)"],
    "numpy": ["np.where(cond, x, 0.5)"],
    "numpy out": ["np.copyto(out, 0.5); np.copyto(out, x, where=cond)"],
}
WHERE = {
    "torch": ["torch.where(cond, x, y)"],
    "torch out": ["torch.where(cond, x, y, out=out)"],
    "numpy": ["np.where(cond, x, y)"],
    "numpy out": ["np.copyto(out, y); np.copyto(out, x, where=cond)"],
}
NONZERO = {
    "torch": ["torch.nonzero(x)", "torch.nonzero(x != 0)"],
    "torch out": ["torch.nonzero(x, out=out)"],
    "numpy": ["x.nonzero()", "(x != 0).nonzero()"],
}
ADD = {
    "torch": ["x + y"],
    "torch out": ["torch.add(x, y, out=out)"],
    "numpy": ["x + y"],
    "numpy out": ["np.add(x, y, out=out)"],
}

CALLS = {
    "searchsorted": SEARCH,
    "searchsorted right": {
        "torch": ["torch.searchsorted(keys, values, right=True)"],
        "torch out": ["torch.searchsorted(keys, values, right=True, out=out)"],
        "numpy": ["keys.searchsorted(values, 'right')"],
    },
    "searchsorted both": {
        "torch": ["torch.searchsorted(keys, values), torch.searchsorted(keys, values, right=True)"],
        "torch out": ["torch.searchsorted(keys, values, out=out[0]);"
                      "torch.searchsorted(keys, values, right=True, out=out[1])"],
        "numpy": ["keys.searchsorted(values), keys.searchsorted(values, 'right')"],
    },
    "searchsorted int32": {
        "torch": ["torch.searchsorted(keys, values, out_int32=True)"],
        "torch out": ["torch.searchsorted(keys, values, out_int32=True, out=out)"],
        "numpy": ["keys.searchsorted(values)"],
    },
    "searchsorted mixed": {
        "torch": ["torch.searchsorted(keys.to(values.dtype), values)"],
        "torch out": ["torch.searchsorted(keys.to(values.dtype), values, out=out)"],
        "numpy": ["keys.searchsorted(values)"],
    },
    "searchsorted sorter": {
        "torch": ["torch.searchsorted(keys, values, sorter=sorter0)",
                  "torch.searchsorted(keys[sorter0], values)"],
        "torch out": ["torch.searchsorted(keys, values, sorter=sorter0, out=out)",
                      "torch.searchsorted(keys[sorter0], values, out=out)"],
        "numpy": ["keys.searchsorted(values, sorter=sorter0)",
                  "keys[sorter0].searchsorted(values)"],
    },
    "searchsorted rows": {**SEARCH, "numpy": ["numpy_rows(keys, values)"]},
    "searchsorted index": SEARCH,
    "searchsorted one number": {
        "torch": ["torch.searchsorted(keys, value)"],
        "numpy": ["keys.searchsorted(value)"],
    },
    "nonzero": NONZERO,
    "nonzero tuple": {
        "torch": ["torch.nonzero(x, as_tuple=True)"],
        "numpy": ["x.nonzero()"],
    },
    "count_nonzero": {
        "torch": ["torch.count_nonzero(x)", "(x != 0).sum()"],
        "numpy": ["np.count_nonzero(x)", "np.count_nonzero(x != 0)"],
    },
    "masked_select": {
        "torch": ["torch.masked_select(x, mask)", "x[mask]"],
        "torch out": ["torch.masked_select(x, mask, out=out)"],
        "numpy": ["x[mask]", "np.compress(mask, x)", "x[mask.nonzero()[0]]"],
        "numpy out": ["np.compress(mask, x, out=out)"],
    },
    "where": WHERE,
    "where number": WHERE_NUMBER,
    "where broadcast": WHERE,
    "where transposed": WHERE,
    "add": ADD,
    "lt": {
        "torch": ["x < y"],
        "torch out": ["torch.lt(x, y, out=out)"],
        "numpy": ["x < y"],
        "numpy out": ["np.less(x, y, out=out)"],
    },
    "sum": {"torch": ["x.sum()"], "numpy": ["x.sum()"]},
    "to float32": {
        "torch": ["x.to(torch.float32)"],
        "torch out": ["out.copy_(x)"],
        "numpy": ["x.astype(np.float32)"],
        "numpy out": ["np.copyto(out, x, casting='unsafe')"],
    },
    "contiguous": {
        "torch": ["x.contiguous()"],
        "torch out": ["out.copy_(x)"],
        "numpy": ["np.ascontiguousarray(x)"],
        "numpy out": ["np.copyto(out, x)"],
    },
    "sort": {
        "torch": ["torch.sort(x, stable=True)"],
        "torch out": ["torch.sort(x, stable=True, out=out)"],
        "numpy": ["(x[(i := x.argsort(kind='stable'))], i)"],
    },
    "argsort": {
        "torch": ["torch.argsort(x, stable=True)"],
        "numpy": ["x.argsort(kind='stable')"],
    },
    "small where": WHERE,
    "small where, table made": WHERE,
    "small searchsorted": SEARCH,
    "small nonzero": NONZERO,
    "small add": ADD,
    "small where number": WHERE_NUMBER,
    "small add number": {
        "torch": ["x + 0.5"],
        "torch out": ["torch.add(x, 0.5, out=out)"],
        "numpy": ["x + 0.5"],
        "numpy out": ["np.add(x, 0.5, out=out)"],
    },
    "small range": {"torch": ["x[first:last]"], "numpy": ["x[first:last]"]},
    "small places": {
        "torch": ["x[places0]", "torch.index_select(x, 0, places0)"],
        "numpy": ["x[places0]", "x.take(places0)"],
    },
    "small mask": {"torch": ["x[mask]", "torch.masked_select(x, mask)"], "numpy": ["x[mask]"]},
    "small one number right": {
        "torch": ["torch.searchsorted(keys, value, right=True)"],
        "numpy": ["keys.searchsorted(value, 'right')"],
    },
}


SCOPE = {"np": np, "torch": torch, "numpy_rows": numpy_rows, "clock": time.perf_counter_ns}


def compiled(statement, names):
    """A function that runs the statement so often and gives the nanoseconds; names are locals."""
    scope, names = dict(SCOPE), dict(names)
    exec(f"def run(times, {', '.join(names)}):\n"
         f"    start = clock()\n"
         f"    for _ in times: {statement}\n"
         f"    return clock() - start", scope)
    return lambda times: scope["run"](itertools.repeat(None, times), **names)


class Peer:
    """One of the two libraries with the inputs of an open case."""

    def __init__(self, library, call, inputs):
        self.name, self.forms, self.names = library, CALLS[call], dict(inputs)
        self.refusal = None  # what the library said to a form that it cannot do
        self.timers = {}     # for "fresh" and "out" the fastest form

    def run(self):
        """Gives the result of the fresh call, None when the library refuses it."""
        form = self.choose("fresh", self.name)
        if form is None:
            return None
        self.names["out"] = result = eval(form, {**SCOPE, **self.names})
        if self.name + " out" in self.forms:
            self.choose("out", self.name + " out")
        return result

    def choose(self, kind, key):
        """The form to time, the fastest where there are several; what is refused is no form."""
        best = None
        for form in self.forms[key]:
            try:
                timer = compiled(form, self.names)
                cost = timer(1)
                if len(self.forms[key]) > 1 and cost < 1e8:
                    cost = min(timer(1), timer(1))
            except (RuntimeError, NotImplementedError, TypeError) as refusal:
                self.refusal = str(refusal).split("\n")[0]
                continue
            if best is None or cost < best[0]:
                best = cost, form
                self.timers[kind] = timer
        return best and best[1]


def of_torch(described, arrays):
    """The driver's inputs as torch tensors over the same memory."""
    tensors = {}
    for name, value in described.items():
        tensors[name] = arrays[name]
        if isinstance(value, tuple):
            tensors[name] = torch.from_numpy(arrays[name])
            if value[0] == "bfloat16":
                tensors[name] = tensors[name].view(torch.bfloat16)
    return tensors
