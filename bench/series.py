# SPDX-License-Identifier: MIT
"""Time series and windows beside pandas, polars and DuckDB: one thread each, the contenders in turns.

    python3 bench/series.py [--build build] [--rows N] [--rounds N] [CASE...]

Needs a Python with pandas, polars and duckdb. A case is named by its beginning. Each round runs
every contender once; the table has the median of processor time in milliseconds, and how many
times longer the best of the others takes. A case of locus is in bench/series.lua by the same name.
"""
import argparse
import os
import statistics
import subprocess
import tempfile
import time

os.environ["POLARS_MAX_THREADS"] = "1"

import duckdb  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
import polars as pl  # noqa: E402

import text  # noqa: E402

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
ZONE = "Europe/Berlin"


class Locus:
    """bench/series.lua in a process of its own."""

    def __init__(self, folder, build):
        env = dict(os.environ, LUA_PATH=f"{TOP}/?.lua;{TOP}/lua/?.lua;{TOP}/lua/?/init.lua;;",
                   LUA_CPATH=f"{TOP}/{build}/?.so;;")
        self.process = subprocess.Popen(["luajit", f"{TOP}/bench/series.lua", folder, "1"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env,
                                        text=True)

    def run(self, case):
        self.process.stdin.write(case + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"bench/series.lua ended at '{case}'")
        return float(line)


def timed(call):
    began = time.process_time()
    call()
    return time.process_time() - began


def time_cases(folder, rows):
    """Times of one year, in order and in none: by case, the calls of the others."""
    rng = np.random.default_rng(1)
    random = rng.integers(0, 365 * 86400, rows) * 10**6 + 1767225600 * 10**6
    cases = {}
    for order, values in (("sorted", np.sort(random)), ("random", random)):
        values.astype(np.int64).tofile(os.path.join(folder, order))
        utc = pl.Series(values).cast(pl.Datetime("us", "UTC"))
        zoned = utc.dt.convert_time_zone(ZONE)
        naive = zoned.dt.replace_time_zone(None)
        p_utc = pd.Series(pd.DatetimeIndex(values.astype("M8[us]"), tz="UTC"))
        p_zoned = p_utc.dt.tz_convert(ZONE)
        p_naive = p_zoned.dt.tz_localize(None)
        base = duckdb.connect()
        base.execute("set threads to 1")
        base.execute(f"set timezone to '{ZONE}'")
        base.register("arrow", pl.DataFrame({"t": utc, "n": utc.dt.replace_time_zone(None)}
                                            ).to_arrow())
        base.execute("create table x as select t::timestamptz t, n from arrow")

        def duck(query, base=base):
            return lambda: base.execute(f"create or replace table y as select {query} from x")

        for span, of_polars, of_pandas, of_duck in (
                ("15m", "15m", lambda s: s.dt.floor("15min", ambiguous="NaT"), "15 minutes"),
                ("day", "1d", lambda s: s.dt.floor("D"), "1 day"),
                ("month", "1mo", None, "1 month")):
            for where, a, b, c in ((" in a zone", zoned, p_zoned, "t"), ("", utc, p_utc, "n")):
                word = {"15 minutes": None, "1 day": "day", "1 month": "month"}[of_duck]
                query = (f"date_trunc('{word}', {c})" if word
                         else f"time_bucket(interval '15 minutes', {c})")
                cases[f"floor {span}{where}, {order}"] = {
                    "pandas": of_pandas and (lambda f=of_pandas, b=b: f(b)),
                    "polars": lambda a=a, s=of_polars: a.dt.truncate(s), "DuckDB": duck(query)}
        for part, of_polars, of_pandas, of_duck in (
                ("hour", "hour", lambda s: s.dt.hour, "hour"),
                ("month", "month", lambda s: s.dt.month, "month"),
                ("isoweek", "week", lambda s: s.dt.isocalendar().week, "week")):
            cases[f"{part} in a zone, {order}"] = {
                "pandas": lambda f=of_pandas, b=p_zoned: f(b),
                "polars": lambda a=zoned, p=of_polars: getattr(a.dt, p)(),
                "DuckDB": duck(f"{of_duck}(t)")}
        cases[f"offset 1 month, {order}"] = {
            "pandas": lambda b=p_utc: b + pd.DateOffset(months=1),
            "polars": lambda a=utc: a.dt.offset_by("1mo"),
            "DuckDB": duck("n + interval 1 month")}
        cases[f"UTC to a zone's clocks, {order}"] = {
            "pandas": lambda b=p_zoned: b.dt.tz_localize(None),
            "polars": lambda a=zoned: a.dt.replace_time_zone(None),
            "DuckDB": duck("t::timestamp")}
        cases[f"a zone's clocks to UTC, {order}"] = {
            "pandas": lambda b=p_naive: b.dt.tz_localize(
                ZONE, ambiguous=np.zeros(len(b), bool), nonexistent="shift_forward"),
            "polars": lambda a=naive: a.dt.replace_time_zone(ZONE, ambiguous="earliest",
                                                             non_existent="null"),
            "DuckDB": duck("t::timestamp at time zone 'Europe/Berlin'")}
    return cases


def window_cases(folder, rows):
    """Windows of rows of a random walk; shifts, running sums and means by group, keys given."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=rows).cumsum()
    x.tofile(os.path.join(folder, "x"))
    s, p = pd.Series(x), pl.Series(x)
    base = duckdb.connect()
    base.execute("set threads to 1")
    table = {"i": np.arange(rows), "x": x}
    frames = {}
    for count in (20, 10000):
        table[f"g{count}"] = rng.integers(0, count, rows)
        table[f"g{count}"].tofile(os.path.join(folder, f"g{count}"))
    whole = pl.DataFrame(table)
    base.register("arrow", whole.to_arrow())
    base.execute("create table w as select * from arrow")

    def duck(query, behind=""):
        return lambda: base.execute(f"create or replace table y as select {query} from w {behind}")

    cases = {}
    sql = {"sum": "sum", "mean": "avg", "max": "max", "std": "stddev"}
    for how, of_duck in sql.items():
        for n in (20, 1000):
            cases[f"rolling {how} of {n} rows"] = {
                "pandas": lambda how=how, n=n: getattr(s.rolling(n), how)(),
                "polars": lambda how=how, n=n: getattr(p, f"rolling_{how}")(n),
                "DuckDB": duck(f"{of_duck}(x) over (order by i rows {n - 1} preceding)")}
    cases["rolling median of 101 rows"] = {
        "pandas": lambda: s.rolling(101).median(), "polars": lambda: p.rolling_median(101),
        "DuckDB": duck("median(x) over (order by i rows 100 preceding)")}
    cases["ewm mean, span 20"] = {"pandas": lambda: s.ewm(span=20).mean(),
                                  "polars": lambda: p.ewm_mean(span=20), "DuckDB": None}
    for count in (20, 10000):
        g = f"g{count}"
        frames[g] = pd.DataFrame({"g": table[g], "x": x}).groupby("g", sort=False)["x"]
        of = whole.select(pl.col(g).alias("g"), "x")
        over = f"over (partition by {g} order by i)"

        def column(expression, of=of):
            return lambda: of.select(expression.over("g"))

        cases[f"shift by {count} groups"] = {
            "pandas": lambda g=g: frames[g].shift(1), "polars": column(pl.col("x").shift(1)),
            "DuckDB": duck(f"lag(x) {over}")}
        cases[f"cumsum by {count} groups"] = {
            "pandas": lambda g=g: frames[g].cumsum(), "polars": column(pl.col("x").cum_sum()),
            "DuckDB": duck(f"sum(x) {over}")}
        cases[f"nanmean of {count} groups"] = {
            "pandas": lambda g=g: frames[g].mean(),
            "polars": lambda of=of: of.group_by("g").agg(pl.col("x").drop_nans().mean()),
            "DuckDB": duck(f"{g}, avg(x)", f"group by {g}")}
        cases[f"rolling mean of 20 rows by {count} groups"] = {
            "pandas": lambda g=g: frames[g].rolling(20).mean(),
            "polars": column(pl.col("x").rolling_mean(20)),
            "DuckDB": duck(f"avg(x) over (partition by {g} order by i rows 19 preceding)")}
    return cases


FAMILIES = (time_cases, window_cases)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--rows", type=int, default=10**6)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    options = parser.parse_args()
    peers = ("pandas", "polars", "DuckDB")
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        cases = {}
        for family in FAMILIES:
            cases |= family(folder, options.rows)
        locus = Locus(folder, options.build)
        for name, calls in cases.items():
            if options.cases and not any(name.startswith(case) for case in options.cases):
                continue
            seconds = {who: [] for who in ("locus", *peers)}
            locus.run(name)
            for _ in range(options.rounds):
                seconds["locus"].append(locus.run(name))
                for who in peers:
                    if calls[who]:
                        seconds[who].append(timed(calls[who]))
            middle = {who: statistics.median(s) * 1e3 for who, s in seconds.items() if s}
            best = min(middle[who] for who in peers if who in middle)
            lines.append([name, *(text.number(middle.get(who)) for who in ("locus", *peers)),
                          text.number(best / middle["locus"]),
                          text.number(middle["polars"] / middle["locus"])])
            print(" | ".join(lines[-1]), flush=True)
    print(f"\n{options.rows} rows, one thread, median of {options.rounds} rounds in ms; pandas "
          f"{pd.__version__}, polars {pl.__version__}, DuckDB {duckdb.__version__}; {text.commit()}\n")
    header = ("case", "locus", *peers, "x best", "x polars")
    print("\n".join(text.markdown(header, lines)))


if __name__ == "__main__":
    main()
