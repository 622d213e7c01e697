# SPDX-License-Identifier: MIT
"""JSON lines beside polars and DuckDB, the contenders in turns.

    python3 bench/json_lines.py [--build build] [--rows N] [--rounds N] [--threads N] [CASE...]

Needs a Python with polars and duckdb. Each round runs every contender once; the table has the
median of processor time and of wall time in milliseconds, and how many times longer each other
takes. `all` reads eight columns of given types, `few` two of them, `guess` all without types. The
cases of locus are in bench/json_lines.lua.
"""
import argparse
import json
import os
import random
import statistics
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..")
CASES = ("all", "few", "guess")


def write_lines(path, rows):
    """Lines of a service's log: some 170 bytes each."""
    rng = random.Random(1)
    names = [f"user{i}" for i in range(20000)]
    with open(path, "w") as out:
        for i in range(rows):
            at = f"{i // 40000 % 28 + 1:02d}T{i // 1700 % 24:02d}:{i // 60 % 60:02d}:{i % 60:02d}"
            line = {
                "time": f"2026-11-{at}.{i % 1000:03d}Z", "service": f"service-{rng.randrange(20)}",
                "level": "info", "latency": round(rng.expovariate(.05), 3),
                "status": rng.choice([200, 200, 200, 404, 500]),
                "user": {"id": rng.randrange(10**6), "name": rng.choice(names)},
                "path": f"/api/v1/items/{rng.randrange(5000)}",
            }
            out.write(json.dumps(line, separators=(",", ":")) + "\n")


class Locus:
    """bench/json_lines.lua in a process of its own."""

    def __init__(self, path, build, threads):
        env = dict(os.environ, LUA_PATH=f"{TOP}/?.lua;{TOP}/lua/?.lua;{TOP}/lua/?/init.lua;;",
                   LUA_CPATH=f"{TOP}/{build}/?.so;;")
        self.process = subprocess.Popen(["luajit", f"{TOP}/bench/json_lines.lua", path, str(threads)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env,
                                        text=True)

    def run(self, case):
        self.process.stdin.write(case + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"bench/json_lines.lua ended at '{case}'")
        return tuple(map(float, line.split()))


def timed(call):
    cpu, wall = time.process_time(), time.perf_counter()
    call()
    return time.process_time() - cpu, time.perf_counter() - wall


def polars_cases(path):
    import polars as pl
    user = pl.Struct({"id": pl.Int64, "name": pl.String})
    schema = {"time": pl.String, "service": pl.String, "level": pl.String, "latency": pl.Float64,
              "status": pl.Int64, "user": user, "path": pl.String}
    few = {"latency": pl.Float64, "user": pl.Struct({"name": pl.String})}
    at = pl.col("time").str.to_datetime("%Y-%m-%dT%H:%M:%S%.fZ", time_unit="ms")
    return {
        "all": lambda: pl.read_ndjson(path, schema=schema).unnest("user").with_columns(at),
        "few": lambda: pl.read_ndjson(path, schema=few).unnest("user"),
        "guess": lambda: pl.read_ndjson(path, infer_schema_length=None),
    }


def duckdb_cases(path, threads):
    import duckdb
    base = duckdb.connect(config={"threads": threads})
    fields = {"time": "TIMESTAMP", "service": "VARCHAR", "level": "VARCHAR", "latency": "DOUBLE",
              "status": "BIGINT", "user": 'STRUCT(id BIGINT, name VARCHAR)', "path": "VARCHAR"}

    def query(fields, columns):
        types = ", ".join(f"{name}: '{kind}'" for name, kind in fields.items())
        text = f"read_json('{path}', format = 'newline_delimited', columns = {{{types}}})"
        base.sql(f"create or replace temp table t as select {columns} from {text}")

    few = {"latency": "DOUBLE", "user": "STRUCT(name VARCHAR)"}
    guess = f"read_json('{path}', format = 'newline_delimited', sample_size = -1)"
    return {
        "all": lambda: query(fields, 'time, service, level, latency, status, "user".id, '
                             '"user".name, path'),
        "few": lambda: query(few, 'latency, "user".name'),
        "guess": lambda: base.sql(f"create or replace temp table t as select * from {guess}"),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--rows", type=int, default=10**6)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--file")
    parser.add_argument("cases", nargs="*", default=list(CASES))
    args = parser.parse_args()
    os.environ["POLARS_MAX_THREADS"] = str(args.threads)
    with tempfile.TemporaryDirectory() as folder:
        path = args.file or os.path.join(folder, "log.jsonl")
        if not os.path.exists(path):
            write_lines(path, args.rows)
        ours = Locus(path, args.build, args.threads)
        polars, duck = polars_cases(path), duckdb_cases(path, args.threads)
        print("| case | locus: ms | wall | polars: ms | wall | times | DuckDB: ms | wall | times |")
        print("| --- |" + " ---: |" * 8)
        for case in args.cases or CASES:
            calls = {"locus": lambda: ours.run(case), "polars": lambda: timed(polars[case]),
                     "DuckDB": lambda: timed(duck[case])}
            times = {name: [] for name in calls}
            for _ in range(args.rounds):
                for name, call in calls.items():
                    times[name].append(call())
            cpu = {name: statistics.median(t[0] for t in all) for name, all in times.items()}
            wall = {name: statistics.median(t[1] for t in all) for name, all in times.items()}
            cells = [f"{1e3 * cpu['locus']:.0f}", f"{1e3 * wall['locus']:.0f}"]
            for name in ("polars", "DuckDB"):
                cells += [f"{1e3 * cpu[name]:.0f}", f"{1e3 * wall[name]:.0f}",
                          f"{cpu[name] / cpu['locus']:.2f}"]
            print(f"| {case} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
