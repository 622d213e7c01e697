# SPDX-License-Identifier: MIT
"""Long calls with one thread and with two, beside polars with two: a Markdown table.

    python3 bench/cores.py [--rows 2000000] [--rounds 5] [--passes 3] [CASE ...]

Each pass runs locus, then polars where this Python has it, in processes of their own; each case is
timed `rounds` times in a pass, and the least of all passes counts: what the machine does besides
only ever adds. LOCUS_BUILD names the build, a Release one.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

# The least ratio of wall time that is wanted, of processor time, and of polars' time to locus'.
WALL, PROCESSOR, PEER = 0.58, 1.12, 1.5


def peers(folder, rounds, wanted):
    """polars' calls, on the files and of the sizes that cores.lua has made."""
    import numpy as np
    import polars as pl

    frame = pl.read_csv(folder + "/trades.csv", schema_overrides={"time": pl.Datetime("us")})
    rows = frame.height
    random = np.random.default_rng(5)
    values = pl.Series(random.random(5 * rows))
    prices = pl.Series("x", random.random(rows))
    sizes = pl.Series("y", random.integers(0, 1000, rows))
    words = [pl.Series("k", ["name%06d" % (i * 7919 % 1000003) for i in range(1, n + 1)])
             .gather(random.integers(0, n, rows)).cast(pl.Categorical)
             for n in (10_000, 500_000)]
    keys = {n: pl.Series("k", random.integers(0, n, rows)) for n in (20, 10_000, 500_000)}
    by = {n: pl.DataFrame([keys[n], prices, sizes]) for n in keys}
    right = pl.DataFrame({"k": random.permutation(500_000), "y": random.random(500_000)})

    def groups(n, answer):
        return lambda: by[n].group_by("k", maintain_order=True).agg(answer)

    sums, p95 = pl.sum("x"), pl.col("x").quantile(0.95, "linear")
    four = [pl.sum("x"), pl.mean("x").alias("m"), pl.max("y"), pl.len()]
    calls = {
        "read_csv": lambda: pl.read_csv(folder + "/trades.csv", schema=frame.schema),
        "write_csv": lambda: frame.write_csv(folder + "/peer.csv"),
        "group by 1e4 names": lambda: words[0].unique(maintain_order=True),
        "group by 5e5 names": lambda: words[1].unique(maintain_order=True),
        "group by 1e4 integers": lambda: keys[10_000].unique(maintain_order=True),
        "group by 5e5 integers": lambda: keys[500_000].unique(maintain_order=True),
        "sums of 20 groups": groups(20, sums), "sums of 1e4 groups": groups(10_000, sums),
        "sums of 5e5 groups": groups(500_000, sums),
        **{f"agg of 4 answers, {label} groups": groups(n, four)
           for label, n in (("20", 20), ("1e4", 10_000), ("5e5", 500_000))},
        "p95 of 20 groups": groups(20, p95), "p95 of 1e4 groups": groups(10_000, p95),
        "sort float64": values.sort, "argsort float64": values.arg_sort,
        "unique int64": lambda: keys[500_000].unique().sort(),
        "join": lambda: by[500_000].drop("y").join(right, on="k"), "quantile": lambda: values.quantile(0.5),
    }
    for name, call in calls.items():
        if wanted and not any(name.startswith(prefix) for prefix in wanted):
            continue
        least = float("inf")
        for _ in range(rounds + 1):
            began = time.perf_counter()
            call()
            least = min(least, time.perf_counter() - began)
        print(name, "polars", least, 0, sep="\t", flush=True)


def run(command, found, **environment):
    """Keeps the least times of the lines that the command prints."""
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE,
                          text=True, check=True)
    for line in done.stdout.splitlines():
        name, who, wall, processor = line.split("\t")
        old = found.setdefault(name, {}).get(who, (float("inf"), float("inf")))
        found[name][who] = (min(old[0], float(wall)), min(old[1], float(processor)))


def has_polars():
    try:
        import polars  # noqa: F401
    except ImportError:
        return False
    return True


def print_table(found):
    print("| call | one thread, ms | two, ms | wall | processor | polars, ms | polars / locus |")
    print("| --- | --: | --: | --: | --: | --: | --: |")
    for name, times in found.items():
        (wall, cpu), (wall_2, cpu_2) = times["1"], times["2"]
        cells = [name, f"{wall * 1e3:.1f}", f"{wall_2 * 1e3:.1f}", judged(wall_2 / wall, WALL, 1),
                 judged(cpu_2 / cpu, PROCESSOR, 1)]
        if "polars" in times:
            peer = times["polars"][0]
            cells += [f"{peer * 1e3:.1f}", judged(peer / wall_2, PEER, -1)]
        else:
            cells += ["", ""]
        print("| " + " | ".join(cells) + " |")


def judged(ratio, goal, sign):
    return f"{ratio:.2f}" + ("" if sign * ratio <= sign * goal else " MISS")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rows", type=int, default=2_000_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--passes", type=int, default=3)
    options.add_argument("--peer", metavar="FOLDER", help=argparse.SUPPRESS)
    options.add_argument("case", nargs="*")
    given = options.parse_args()
    if given.peer:
        return peers(given.peer, given.rounds, given.case)
    build = os.environ.get("LOCUS_BUILD", "build")
    paths = {"LUA_PATH": "lua/?.lua;lua/?/init.lua;./?.lua;;", "LUA_CPATH": build + "/?.so;;"}
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.passes):
            print(f"pass {number + 1} of {given.passes}", file=sys.stderr)
            run(["luajit", "bench/cores.lua", folder, str(given.rows), str(given.rounds)]
                + given.case, found, **paths)
            if has_polars():
                run([sys.executable, __file__, "--peer", folder, "--rounds", str(given.rounds)]
                    + given.case, found, POLARS_MAX_THREADS="2")
    print_table(found)


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    main()
