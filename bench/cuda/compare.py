# SPDX-License-Identifier: MIT
"""Measures the cases of bench/cuda/cases.py. Called by bench/cuda/run, which sets the paths; leaves
what it found in a JSON file after every case, so that nothing is lost when time is up."""
import argparse
import functools
import gc
import json
import os
import sys
import time

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import torch

import contenders
import luajit
import measure
import peers
import table
from cases import cases

SECONDS = 1.2          # for the rounds of a case
FEWEST, MOST = 5, 9    # rounds
LARGE = 64 << 20       # bytes of results from which they are collected outside of the time taken
WORD = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


class Device:
    """Where all contenders work: a GPU, or in its place this CPU, whose times mean nothing."""

    def __init__(self, rehearsal):
        self.gpu = not rehearsal
        self.name = "cpu" if rehearsal else "cuda"
        if rehearsal:
            import numpy as cp  # has the functions of CuPy that are called
            self.cp = cp
        else:
            torch.cuda.init()
            self.cp = cupy_or_none()

    def size(self, n):
        return int(n) if self.gpu else max(24, int(n ** .45))

    def synchronize(self):
        if self.gpu:
            torch.cuda.synchronize()

    def clean(self):
        """Gives the memory back that libraries keep."""
        gc.collect()
        if self.gpu:
            torch.cuda.empty_cache()
            if self.cp:
                self.cp.get_default_memory_pool().free_all_blocks()

    def timed(self, call, waits):
        """call(times), timed in ns: by events, or by the host's clock from an idle device to an idle
        device where the call waits itself."""
        def by_clock(times):
            self.synchronize()
            start = time.perf_counter_ns()
            call(times)
            self.synchronize()
            return time.perf_counter_ns() - start

        def by_events(times):
            start = torch.cuda.Event(enable_timing=True)
            end = torch.cuda.Event(enable_timing=True)
            start.record()
            call(times)
            end.record()
            end.synchronize()
            return start.elapsed_time(end) * 1e6
        return by_events if self.gpu and not waits else by_clock


def cupy_or_none():
    try:
        import cupy
        return cupy
    except Exception as why:  # whatever a package that does not fit this machine raises
        print("no CuPy:", why, file=sys.stderr)
        return None


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

    def adopt(self, name, tensor):
        self.lua.driver("adopt", name, contenders.kind(tensor), self.bench.locus_device,
                        tensor.data_ptr(), *tensor.shape)

    def locus(self):
        out = [self.call["locus out"]] if "locus out" in self.call else []
        self.lua.driver("begin", self.call["locus"], *out)
        for name, value in self.inputs.items():
            if torch.is_tensor(value):
                self.adopt(name, value)
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
        self.adopt("seen", tensor)
        self.lua.driver("copy", k + 1, "seen")
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


class Bench:
    def __init__(self, options):
        self.options, self.start = options, time.monotonic()
        self.device = Device(options.rehearsal)
        self.locus_device = options.locus_device
        self.lua = luajit.Lua()
        self.baseline = contenders.Baseline(options.baseline) if options.baseline else None
        peers.SCOPE.update(cp=self.device.cp, cub=self.baseline)
        self.notes, self.rows, self.left_out, self.copy = [], [], [], None

    def measured(self, found):
        gc.collect()
        gc.disable()
        times = measure.measured(found, lambda threads: None, SECONDS, FEWEST, MOST)
        gc.enable()
        return times

    def copy_ceiling(self):
        """Bytes read and written in a second by the faster of two copies of 4 GB."""
        a = torch.randn(self.device.size(1 << 30), device=self.device.name)
        b = torch.empty_like(a)
        calls = {"torch": lambda times: [b.copy_(a) for _ in range(times)]}
        if self.baseline:
            calls["cudaMemcpy"] = lambda times: [self.baseline.call("copy", b, a, a.nbytes)
                                                 for _ in range(times)]
        times = self.measured([(name, 1, self.device.timed(call, False))
                               for name, call in calls.items()])
        self.copies = {name: 2 * a.nbytes / median * 1e9 for name, (median, _) in times.items()}
        self.copy = max(self.copies.values())

    def case(self, case):
        opened = Open(self, case)
        self.device.clean()
        opened.torch()
        opened.locus()
        for library in ("cupy", "cub"):
            if library != "cupy" or self.device.cp:
                opened.peer(library)
        self.device.clean()
        try:
            times = self.measured(list(opened.timers()))
        except Exception as failure:  # memory may be short for all of them together
            opened.note(f"without CuPy and CUB: {str(failure).splitlines()[:1]}")
            self.device.clean()
            times = self.measured([timer for timer in opened.timers()
                                   if timer[0][0] in ("locus", "torch")])
        return list(opened.rows(times))

    def run(self):
        self.copy_ceiling()
        print(table.HEADER, flush=True)
        for case in cases(self.device.name, self.device.size):
            if time.monotonic() - self.start > self.options.seconds:
                self.left_out.append(case.name)
                continue
            try:
                rows = self.case(case)
            except Exception as failure:  # this case's; the others still can be measured
                self.notes.append(f"{case.name}: FAILED: {failure}")
                rows = []
            self.lua.driver("close")
            if self.baseline:
                self.baseline.temporary.clear()
            self.device.clean()
            for row in rows:
                print(table.line(row), flush=True)
            self.rows += rows
            self.save()

    def save(self):
        with open(self.options.into + ".part", "w", encoding="utf-8") as file:
            json.dump({"about": about(self), "copy_bytes_per_second": self.copies,
                       "rows": self.rows, "notes": self.notes, "left_out": self.left_out},
                      file, indent=1)
        os.replace(self.options.into + ".part", self.options.into)


def about(bench):
    """The device and the versions."""
    facts = {"torch": torch.__version__, "cupy": getattr(bench.device.cp, "__version__", None),
             "cuda of torch": torch.version.cuda}
    if bench.device.gpu:
        of = torch.cuda.get_device_properties(0)
        facts.update(gpu=of.name, bytes=of.total_memory, processors=of.multi_processor_count,
                     l2_bytes=getattr(of, "L2_cache_size", None))
    return facts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", required=True, help="the JSON file")
    parser.add_argument("--seconds", type=float, default=300, help="no case begins after so many")
    parser.add_argument("--baseline", help="the shared object of baseline.cu")
    parser.add_argument("--locus-device", default="cuda:0")
    parser.add_argument("--rehearsal", action="store_true", help="on the CPU, at small sizes")
    bench = Bench(parser.parse_args())
    bench.run()
    bench.save()
    for note in bench.notes:
        print("note:", note)
    for name in bench.left_out:
        print("left out, no time:", name)
    failed = any(row["wrong"] for row in bench.rows) or any("FAILED" in n for n in bench.notes)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
