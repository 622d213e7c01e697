# SPDX-License-Identifier: MIT
"""Times the calls of cases.py, all contenders in turn round by round, one thread each, new results.
Called by bench/ops/run."""
import argparse
import functools
import gc

import numpy as np
import torch

import luajit
import measure
from cases import CALLS, inputs, peer_inputs

BEHIND = 0.9  # of the better peer's speed: what is slower is marked
LINE = "{:<22} {:>6} {:>11} {:>9} {:>9} {:>6}  {}"


def arguments():
    parser = argparse.ArgumentParser(prog="bench/ops/run", description=__doc__)
    parser.add_argument("names", nargs="*", help="the first words of calls (default: all)")
    parser.add_argument("--sizes", default="1e3,1e5,1e7", help="elements (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.2, help="for the rounds of one call")
    return parser.parse_args()


def adopt(lua, given):
    """Makes the inputs known to Lua, in copies of its own, where a script would have them."""
    for name, array in given.items():
        sizes = ", ".join(map(str, array.shape))
        lua.run(f"driver.adopt('{name}', 'cpu', '{array.dtype}', 'cpu', {array.ctypes.data}ULL, "
                f"{sizes}) driver.derive('{name}', '{name}', 'clone')")
    lua.run(f"driver.value('n', {given['x'].size})")


def peer_timer(library, expression, given):
    """A function that makes the call so often and gives the nanoseconds."""
    names = {**measure.peers.SCOPE, **peer_inputs(library, given)}
    return measure.peers.compiled(expression, {k: v for k, v in names.items() if k != "clock"})


def contenders(lua, calls, given):
    """Those of one call, as measure.measured takes them."""
    ours, *theirs = calls
    lua.run(f"driver.call([=[{ours}]=])")
    lua.driver("run", "fresh")
    found = [(("locus",), 1, lambda times: float(lua.run(f"return driver.time('fresh', {times})")))]
    for library, expression in zip(("numpy", "torch"), theirs):
        if expression:
            found.append(((library,), 1, peer_timer(library, expression, given)))
    for _, _, call in found:
        call(10)
    return found


def compare(lua, name, given, seconds):
    """The line of a call, and how fast it is beside the better peer."""
    times = measure.measured(contenders(lua, CALLS[name], given), lambda threads: None, seconds)
    ns = {library: median for (library,), (median, least) in times.items()}
    ratio = min(ns.get("numpy", np.inf), ns.get("torch", np.inf)) / ns["locus"]
    shown = [f"{ns[k] / 1e3:.2f}" if k in ns else "-" for k in ("locus", "numpy", "torch")]
    mark = "behind" if ratio < BEHIND else ""
    return ratio, LINE.format(name, f"{given['x'].size:.0e}", *shown, f"{ratio:.2f}", mark)


def main():
    options = arguments()
    wanted = [name for name in CALLS
              if not options.names or any(name.startswith(word) for word in options.names)]
    torch.set_num_threads(1)
    lua = luajit.Lua()
    lua.driver("threads", 1)
    found = []
    print(LINE.format("call (us)", "size", "locus", "numpy", "torch", "x", ""))
    for size in options.sizes.split(","):
        given = inputs(int(float(size)))
        lua.run("driver.begin()")
        adopt(lua, given)
        for name in wanted:
            gc.collect()
            found.append(compare(lua, name, given, options.seconds))
            print(found[-1][1], flush=True)
        lua.driver("close")
    behind = sorted(pair for pair in found if pair[0] < BEHIND)
    print(f"\n{len(behind)} of {len(found)} are behind {BEHIND} of the better peer's speed:")
    for _, line in behind:
        print(line)


if __name__ == "__main__":
    main()
