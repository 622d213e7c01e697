# SPDX-License-Identifier: MIT
"""Where all contenders of bench/cuda work, and how calls are timed there."""
import gc
import sys
import time

import torch


class Device:
    """Where all contenders work: a GPU, or in its place this CPU, and the emulator for locus; such
    times mean nothing."""

    def __init__(self, rehearsal, lua):
        self.gpu, self.lua = not rehearsal, lua
        self.name = "cpu" if rehearsal else "cuda"      # of PyTorch's tensors
        self.memory = "cpu" if rehearsal else "cuda:0"  # the same to locus
        if rehearsal:
            import numpy as cp  # has the functions of CuPy that are called
            self.cp = cp
        else:
            if not torch.cuda.is_available():
                sys.exit(f"PyTorch {torch.__version__} sees no CUDA device here")
            self.cp = cupy_or_none()

    def size(self, n):
        return int(n) if self.gpu else max(24, int(n ** .4))

    def synchronize(self):
        if self.gpu:
            torch.cuda.synchronize()
        else:
            self.lua.driver("synchronize")

    def clean(self):
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
