# SPDX-License-Identifier: MIT
"""Measures the cases of bench/cuda/cases.py. Called by bench/cuda/run, which sets the paths; leaves
what it found in a JSON file after every case, so that nothing is lost when time is up."""
import argparse
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
from device import Device
from opened import Open

SECONDS = 1.2        # for the rounds of a case
FEWEST, MOST = 5, 9  # rounds


class Bench:
    def __init__(self, options):
        self.options, self.start = options, time.monotonic()
        self.lua = luajit.Lua()
        self.device = Device(options.rehearsal, self.lua)
        self.baseline = contenders.Baseline(options.baseline) if options.baseline else None
        peers.SCOPE.update(cp=self.device.cp, cub=self.baseline)
        self.notes, self.rows, self.left_out, self.copy = [], [], [], None

    def measured(self, found):
        gc.collect()
        gc.disable()
        times = measure.measured(found, lambda threads: None, SECONDS * self.device.gpu,
                                 FEWEST, MOST)
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
        start = time.monotonic()
        while self.device.gpu and time.monotonic() - start < 1:  # until its clocks are up
            calls["torch"](10)
            self.device.synchronize()
        times = self.measured([(name, 1, self.device.timed(call, False))
                               for name, call in calls.items()])
        self.copies = {name: 2 * a.nbytes / median * 1e9 for name, (median, _) in times.items()}
        self.copy = max(self.copies.values())

    def clean(self):
        """Gives back the memory that locus and the others keep."""
        self.lua.driver("trim")
        self.device.clean()

    def case(self, case):
        opened = Open(self, case)
        self.clean()
        opened.torch()
        opened.locus()
        for library in ("cupy", "cub"):
            if library != "cupy" or self.device.cp:
                opened.peer(library)
        self.clean()
        try:
            times = self.measured(list(opened.timers()))
        except Exception as failure:  # memory may be short for all of them together
            opened.note(f"without CuPy and CUB: {str(failure).splitlines()[:1]}")
            self.clean()
            times = self.measured([timer for timer in opened.timers()
                                   if timer[0][0] in ("locus", "torch")])
        return list(opened.rows(times))

    def chosen(self):
        of = cases(self.device.name, self.device.size)
        names = json.loads(self.options.cases) if self.options.cases else None
        return [case for case in of if names is None or case.name in names]

    def run(self):
        waiting = self.chosen()
        self.left_out = [case.name for case in waiting]
        self.copy_ceiling()
        print(about(self), {name: f"{speed:.4g} bytes a second"
                            for name, speed in self.copies.items()})
        print(table.HEADER, flush=True)
        self.save()
        for case in waiting:
            if time.monotonic() - self.start > self.options.seconds:
                break
            try:
                rows = self.case(case)
            except Exception as failure:  # this case's; the others still can be measured
                self.notes.append(f"{case.name}: FAILED: {failure}")
                rows = []
            self.left_out.remove(case.name)
            self.lua.driver("close")
            if self.baseline:
                self.baseline.temporary.clear()
            self.clean()
            for row in rows:
                print(table.line(row), flush=True)
            self.rows += rows
            self.save()

    def save(self):
        found = {"about": about(self), "copy_bytes_per_second": self.copies, "rows": self.rows,
                 "notes": self.notes, "left_out": self.left_out}
        table.replaced(self.options.into, json.dumps(found, indent=1))


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
    parser.add_argument("--cases", help="a list of names in JSON: none but these")
    parser.add_argument("--rehearsal", action="store_true", help="on the CPU, at small sizes")
    bench = Bench(parser.parse_args())
    bench.run()
    for note in bench.notes:
        print("note:", note)
    for name in bench.left_out:
        print("left out, no time:", name)
    failed = any(row["wrong"] for row in bench.rows) or any("FAILED" in n for n in bench.notes)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
