# SPDX-License-Identifier: MIT
"""The calls of bench/cuda in locus, PyTorch, CuPy, and CUB or Thrust (baseline.cu), over the same
device memory. Those of CUB write into memory that is there, as the "out" calls of the others do."""
import ctypes

import torch

SEARCH = {
    "locus": "keys:searchsorted(values)",
    "locus out": "keys:searchsorted(values, {out = out})",
    "torch": "torch.searchsorted(keys, values)",
    "torch out": "torch.searchsorted(keys, values, out=out)",
    "cupy": "cp.searchsorted(keys, values)",
    "cub out": "cub.call('search_' + kind, keys, len(keys), values, len(values), out)",
    "positions": 0,
}
WHERE = {
    "locus": "locus.where(cond, x, y)",
    "locus out": "locus.where(cond, x, y, {out = out})",
    "torch": "torch.where(cond, x, y)",
    "torch out": "torch.where(cond, x, y, out=out)",
    "cupy": "cp.where(cond, x, y)",
    "cub out": "cub.where(cond, x, y, out)",
}

# waits: the call itself waits for the device, since its answer is a number or has a size that
# depends on data; such calls are timed by the host's clock. positions: results from this one on
# count from 1 in locus. tolerance: sums may be added in another order.
CALLS = {
    "searchsorted": SEARCH,
    "searchsorted int32": {
        "locus": "keys:searchsorted(values, {out_int32 = true})",
        "locus out": "keys:searchsorted(values, {out_int32 = true, out = out})",
        "torch": "torch.searchsorted(keys, values, out_int32=True)",
        "torch out": "torch.searchsorted(keys, values, out_int32=True, out=out)",
        "cub out": "cub.call('search_float32_int32', keys, len(keys), values, len(values), out)",
        "positions": 0,
    },
    "searchsorted rows": {
        "locus": SEARCH["locus"],
        "locus out": SEARCH["locus out"],
        "torch": SEARCH["torch"],
        "torch out": SEARCH["torch out"],
        "positions": 0,
    },
    "searchsorted index": {
        **SEARCH,
        "locus": "index:searchsorted(values)",
        "locus out": "index:searchsorted(values, {out = out})",
    },
    "nonzero": {
        "locus": "x:nonzero()",
        "locus out": "x:nonzero({out = out})",
        "torch": "torch.nonzero(x)",
        "torch out": "torch.nonzero(x, out=out)",
        "cupy": "cp.nonzero(x)",
        "cub out": "cub.nonzero(x, out, count)",
        "positions": 0, "waits": True,
    },
    "nonzero static": {
        "locus": "x:nonzero_static({size = size})",
        "torch": "torch.nonzero_static(x, size=size)",
        "positions": 0,
    },
    "where": WHERE,
    "where number": {
        "locus": "locus.where(cond, x, 0.5)",
        "locus out": "locus.where(cond, x, 0.5, {out = out})",
        "torch": "torch.where(cond, x, 0.5)",
        "cupy": "cp.where(cond, x, cp.float32(0.5))",
    },
    "add": {
        "locus": "x + y",
        "locus out": "locus.add(x, y, {out = out})",
        "torch": "x + y",
        "torch out": "torch.add(x, y, out=out)",
        "cupy": "x + y",
        "cub out": "cub.call('add', x, y, out, len(x))",
    },
    "sum": {
        "locus": "x:sum()",
        "torch": "x.sum().item()",
        "cupy": "float(x.sum())",
        "cub out": "cub.scratch('sum', x, out, len(x))",
        "waits": True, "tolerance": 1e-5,
    },
    "sum rows": {
        "locus": "x:sum(2)",
        "torch": "x.sum(1)",
        "cupy": "x.sum(1)",
        "tolerance": 1e-5,
    },
    "sum columns": {
        "locus": "x:sum(1)",
        "torch": "x.sum(0)",
        "cupy": "x.sum(0)",
        "tolerance": 1e-5,
    },
    "contiguous": {
        "locus": "x:t():contiguous()",
        "torch": "x.t().contiguous()",
        "cupy": "cp.ascontiguousarray(x.T)",
    },
    "masked_select": {
        "locus": "x:masked_select(mask)",
        "locus out": "x:masked_select(mask, {out = out})",
        "torch": "torch.masked_select(x, mask)",
        "torch out": "torch.masked_select(x, mask, out=out)",
        "cupy": "x[mask]",
        "cub out": "cub.scratch('masked_select', x, mask, out, count, len(x))",
        "waits": True,
    },
    "cumsum": {
        "locus": "x:cumsum(1)",
        "locus out": "x:cumsum(1, {out = out})",
        "torch": "x.cumsum(0)",
        "torch out": "torch.cumsum(x, 0, out=out)",
        "cupy": "x.cumsum()",
        "cub out": "cub.scratch('cumsum', x, out, len(x))",
    },
    "cumsum rows": {
        "locus": "x:cumsum(2)",
        "torch": "x.cumsum(1)",
        "cupy": "x.cumsum(1)",
        "tolerance": 1e-5,
    },
    "median": {
        "locus": "x:median()",
        "torch": "x.median().item()",
        "waits": True,
    },
    "quantile": {
        "locus": "x:quantile(0.3)",
        "torch": "x.quantile(0.3).item()",
        "waits": True, "tolerance": 1e-5,
    },
    "segment sum": {
        "locus": "x:segment(ids, 'sum', {base = 0})",
        "torch": "torch.zeros(int(ids.max()) + 1, device=x.device).index_add_(0, ids, x)",
        "waits": True, "tolerance": 1e-5,
    },
    "sort": {
        "locus": "x:sort(1)",
        "torch": "x.sort(stable=True)",
        "cub out": "cub.scratch('sort', x, ramp, *out, len(x))",
        "positions": 1,
    },
    "argsort": {
        "locus": "x:argsort(1)",
        "torch": "x.argsort(stable=True)",
        "cupy": "cp.argsort(x, kind='stable')",
        "cub out": "cub.scratch('sort', x, ramp, sorted, out, len(x))",
        "positions": 0,
    },
}


class Baseline:
    """The shared object of baseline.cu: functions that take pointers and int64_t."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.temporary = {}  # by call: memory that CUB asked for

    def call(self, name, *arguments):
        arguments = [ctypes.c_void_p(a.data_ptr()) if torch.is_tensor(a) else
                     ctypes.c_int64(a) if isinstance(a, int) else a for a in arguments]
        status = self.lib["baseline_" + name](*arguments)
        if status != 0:
            raise RuntimeError(f"{name}: CUDA error {status}")

    def scratch(self, name, *arguments):
        """A call that begins with temporary memory and its size, the same one each time."""
        if name not in self.temporary:
            size = ctypes.c_size_t(0)
            self.call(name, ctypes.c_void_p(None), ctypes.byref(size), *arguments)
            memory = torch.empty(max(size.value, 1), dtype=torch.uint8, device=arguments[0].device)
            self.temporary[name] = memory, size
        memory, size = self.temporary[name]
        self.call(name, memory, ctypes.byref(size), *arguments)

    def nonzero(self, x, out, count):
        if x.dim() > 1:
            raise NotImplementedError("positions in one dimension only")
        self.scratch(f"nonzero_{kind(x)}", x, out, count, len(x))

    def where(self, cond, x, y, out):
        if not cond.shape == x.shape == y.shape or x.dtype != y.dtype:
            raise NotImplementedError("operands alike only")
        self.call("where", cond, x, y, out, len(x))


def kind(tensor):
    return str(tensor.dtype)[len("torch."):]


def names(library, call, inputs, expected, cp):
    """What a peer's expressions speak of. `expected` is what PyTorch gave."""
    if library == "cupy":
        return {name: cp.asarray(value) if torch.is_tensor(value) else value
                for name, value in inputs.items()}
    found = dict(inputs)
    one = expected[0]
    if library == "torch":
        found["out"] = one
    else:
        x = next(iter(inputs.values()))
        made = [torch.empty_like(e) if torch.is_tensor(e) else torch.empty_like(x[:1])
                for e in expected]
        found.update(out=made if len(made) > 1 else made[0], kind=kind(x),
                     count=torch.zeros(1, dtype=torch.int64, device=x.device))
        if call in ("sort", "argsort"):
            found.update(ramp=torch.arange(len(x), device=x.device), sorted=torch.empty_like(x))
    return found
