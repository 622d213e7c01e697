# SPDX-License-Identifier: MIT
"""A case of bench/cuda with its inputs made: every contender runs once and is compared with PyTorch;
those that are right can be timed."""
import functools

import torch

import contenders
import peers
import table

LARGE = 64 << 20  # results of this many bytes are collected outside of the time taken
WORD = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def parts(result):
    """A result as a list of tensors and numbers: several results, or the columns of a matrix."""
    if isinstance(result, (tuple, list)):
        return [part for each in result for part in parts(each)]
    if hasattr(result, "ndim") and not torch.is_tensor(result):
        result = torch.as_tensor(result)
    if torch.is_tensor(result) and result.dim() == 2 and result.dtype == torch.int64:
        return list(result.unbind(1))
    return [result]


def bits(tensor):
    return tensor.view(WORD[tensor.element_size()]) if tensor.is_floating_point() else tensor


def same(wanted, got, tolerance, any_dtype):
    """Whether a result is PyTorch's, bit for bit unless there is a tolerance."""
    if tolerance:
        wanted, got = float(wanted), float(got)
        return abs(wanted - got) <= tolerance * abs(wanted)
    if not torch.is_tensor(wanted):
        return wanted == got
    if any_dtype and got.dtype != wanted.dtype:
        got = got.to(wanted.dtype)
    return (got.dtype == wanted.dtype and got.shape == wanted.shape
            and torch.equal(bits(wanted), bits(got)))


class Open:
    """An open case: inputs made, every contender run once and compared with PyTorch."""

    def __init__(self, bench, case):
        self.bench, self.case, self.lua, self.device = bench, case, bench.lua, bench.device
        self.call = contenders.CALLS[case.call]
        self.inputs = case.make()
        if case.call == "nonzero static":
            self.inputs["size"] = int(self.inputs["x"].count_nonzero())
        self.found = {}    # by (library, form): the function to time
        self.wrong = []    # what locus got wrong
        self.expected = None

    def note(self, text):
        self.bench.notes.append(f"{self.case.name}: {text}")

    def judge(self, who, result, any_dtype=True):
        wanted, got = parts(self.expected), parts(result)
        tolerance = self.call.get("tolerance")
        if len(wanted) == len(got) and all(same(a, b, tolerance, any_dtype)
                                           for a, b in zip(wanted, got)):
            return True
        self.note(f"{who} gives something else than PyTorch")
        return False

    def peer(self, library):
        """Runs a peer's calls once; those that it can do, and does right, are timed."""
        for form in ("fresh", "out"):
            key = library if form == "fresh" else library + " out"
            if key not in self.call or (library == "cub" and not self.bench.baseline):
                continue
            try:
                if form == "fresh" or library == "cub":
                    self.names = contenders.names(library, self.case.call, self.inputs,
                                                  self.expected, self.device.cp)
                result = eval(self.call[key], {**peers.SCOPE, **self.names})
                if library == "cub":
                    result = self.names["out"]
                self.device.synchronize()
                if self.judge(f"{library} {form}", result):
                    self.found[library, form] = peers.compiled(self.call[key], self.names)
            except Exception as refusal:  # a peer's limits are its own
                self.note(f"{library} {form}: {str(refusal).splitlines()[:1]}")

    def torch(self):
        self.expected = eval(self.call["torch"], {**peers.SCOPE, **self.inputs})
        self.expected = (list(self.expected) if isinstance(self.expected, (tuple, list))
                         else [self.expected])
        self.peer("torch")

    def memory(self, tensor):
        """A tensor's memory in the words of the driver."""
        return contenders.kind(tensor), self.device.memory, tensor.data_ptr(), *tensor.shape

    def locus(self):
        out = [self.call["locus out"]] if "locus out" in self.call else []
        self.lua.driver("begin", self.call["locus"], *out)
        for name, value in self.inputs.items():
            if torch.is_tensor(value):
                self.lua.driver("adopt", name, "cuda:0", *self.memory(value))
            else:
                self.lua.driver("value", name, value)
        if self.case.derive:
            self.lua.driver("derive", *self.case.derive)
        for form in ["fresh", "out"][:1 + len(out)]:
            result = [self.seen(k, value)
                      for k, value in enumerate(self.lua.driver("run", form))]
            if self.judge(f"locus {form}", result, any_dtype=False):
                self.found["locus", form] = functools.partial(self.loop, form)
            else:
                self.wrong.append(form)
        self.lua.driver("collect")

    def seen(self, k, described):
        """A result of locus as a tensor of PyTorch, positions from 0."""
        if not isinstance(described, tuple):
            return described
        dtype, _, sizes, _ = described
        tensor = torch.empty(sizes, dtype=getattr(torch, dtype), device=self.device.name)
        self.lua.driver("copy", k + 1, *self.memory(tensor))
        self.device.synchronize()
        return tensor.sub_(1) if k >= self.call.get("positions", 9) else tensor

    def loop(self, form, times):
        self.lua.run(f"return driver.time('{form}', {times})")

    def timers(self):
        result = sum(e.nbytes for e in self.expected if torch.is_tensor(e))
        for (library, form), call in self.found.items():
            timer = self.device.timed(call, self.call.get("waits", False))
            if library == "locus" and form == "fresh" and result > LARGE:
                timer = functools.partial(self.collected, timer)
            yield (library, form), 1, timer

    def collected(self, timer, times):
        elapsed = timer(times)
        self.lua.driver("collect")
        return elapsed

    def bytes(self):
        """What has to move: every input read and every result written once; of keys no more than a
        sector of 32 bytes for each value."""
        if self.case.per_element:
            return self.case.per_element * self.inputs["cond"].numel()
        moved = {name: value.nbytes for name, value in self.inputs.items() if torch.is_tensor(value)}
        if "keys" in moved:
            moved["keys"] = min(moved["keys"], 32 * len(self.inputs["values"]))
        return sum(moved.values()) + sum(e.nbytes for e in self.expected if torch.is_tensor(e))

    def rows(self, times):
        forms = ["fresh", "out"] if "locus out" in self.call else ["fresh"]
        for form in forms:
            row = {"name": self.case.name, "form": form, "bytes": self.bytes(),
                   "wrong": form in self.wrong}
            for library in ("locus", "torch", "cupy", "cub"):
                allowed = {"locus": [form], "cub": ["out"]}.get(library, [form, "fresh"])
                pairs = [times[library, f] for f in allowed if (library, f) in times]
                median, least = min(pairs) if pairs else (None, None)
                row[library] = median and median / 1e6
                row[library + "_min"] = least and least / 1e6
            yield table.judged(row, self.case, self.bench.copy, self.device.gpu)
