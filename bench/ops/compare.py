# SPDX-License-Identifier: MIT
"""Times the calls of cases.py, all contenders in turn round by round, one thread each.
Called by bench/ops/run."""
import argparse
import gc

import numpy as np
import torch

import luajit
import measure
import results
import verdict
from cases import CALLS, LARGE
from inputs import inputs, peer_inputs

SIZES = (1e3, 1e5, 1e6)
PEERS = ("numpy", "torch", "polars")
MOST_SETTLING = 5e7  # ns
LONGER = 10  # times as many rounds for what nearly meets its goal


def arguments():
    parser = argparse.ArgumentParser(prog="bench/ops/run", description=__doc__)
    parser.add_argument("names", nargs="*", help="the first words of calls (default: all)")
    parser.add_argument("--sizes", help="elements (default: 1e3,1e5,1e6, of some 1e7, too)")
    parser.add_argument("--seconds", type=float, default=0.2, help="for the rounds of one call")
    parser.add_argument("--save", action="store_true", help="keep the tables in bench/results/")
    return parser.parse_args()


def wanted(options):
    """By size the names of the calls that the options ask for."""
    names = [name for name in CALLS
             if not options.names or any(name.startswith(word) for word in options.names)]
    if options.sizes:
        return {float(size): names for size in options.sizes.split(",")}
    large = [name for name in names if name in LARGE]
    return {**dict.fromkeys(SIZES, names), **({1e7: large} if large else {})}


def adopt(lua, given):
    """Makes the inputs known to Lua, in copies of its own, where a script would have them."""
    for name, array in given.items():
        sizes = ", ".join(map(str, array.shape))
        lua.run(f"driver.adopt('{name}', 'cpu', '{array.dtype}', 'cpu', {array.ctypes.data}ULL, "
                f"{sizes}) driver.derive('{name}', '{name}', 'clone')")
    lua.run(f"driver.value('n', {given['x'].size})")


def contenders(lua, calls, size, arrays):
    """Those of one call, as measure.measured takes them; Lua's collector has come round."""
    ours, *theirs = calls
    lua.run(f"driver.call([=[{ours}]=])")
    lua.driver("run", "fresh")
    found = [(("locus",), 1, lambda times: float(lua.run(f"return driver.time('fresh', {times})")))]
    found += [((library,), 1, measure.peers.compiled(expression, arrays[library]))
              for library, expression in zip(PEERS, theirs) if expression]
    cost = max(found[0][2](1), 1)
    found[0][2](int(min(measure.SETTLE / 8 / size, MOST_SETTLING / cost)) + 1)
    return found


def row(lua, name, size, arrays, seconds):
    """What a call took: medians in ns, and how many times longer the better peer and NumPy took."""
    found = contenders(lua, CALLS[name], size, arrays)
    times = measure.measured(found, lambda threads: None, seconds)
    ns = {library: median for (library,), (median, least) in times.items()}
    best = min(value for library, value in ns.items() if library != "locus")
    return {"name": name, "size": size, **{k: ns.get(k) for k in ("locus", *PEERS)},
            "x": best / ns["locus"],
            "x_numpy": ns["numpy"] / ns["locus"] if "numpy" in ns else None}


def measured(lua, options):
    """The rows of all calls, said as they come."""
    print(results.LINE.format(*results.HEADER))
    rows = []
    for size, names in wanted(options).items():
        given = inputs(int(size))
        arrays = {library: peer_inputs(library, given) for library in PEERS}
        lua.run("driver.begin()")
        adopt(lua, given)
        for name in names:
            gc.collect()
            rows.append(row(lua, name, size, arrays, options.seconds))
            if verdict.is_close(rows[-1]):
                rows[-1] = row(lua, name, size, arrays, LONGER * options.seconds)
            print(results.LINE.format(*results.cells(rows[-1])), flush=True)
        lua.driver("close")
    return rows


def main():
    options = arguments()
    torch.set_num_threads(1)
    lua = luajit.Lua()
    lua.driver("threads", 1)
    lua.driver("count_processor_time")
    about = results.about(lua)
    rows = measured(lua, options)
    judged = verdict.judge(rows)
    results.say(judged)
    if options.save:
        results.write(about, rows, judged)


if __name__ == "__main__":
    main()
