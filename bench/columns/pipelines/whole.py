# SPDX-License-Identifier: MIT
"""Runs a script as if it had been called by name, and says on standard error how many CPU seconds
the process took, imports and all, and how many bytes of memory at most."""
import re
import runpy
import sys
import time

sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
with open("/proc/self/status", encoding="ascii") as status:
    peak = 1024 * int(re.search(r"VmHWM:\s*(\d+)", status.read())[1])
print(time.process_time(), peak, file=sys.stderr)
