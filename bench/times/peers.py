# SPDX-License-Identifier: MIT
"""Parts, buckets, shifts and ranges of random times beside pandas and polars.

    python3 bench/times/peers.py [--build build] [--seed N]

Times lie between 1700 and 2095, since the tables of polars end with 2099, and around changes of clocks. Prints the
number of answers compared, and fails at the first column that differs. A line says which buckets
the others refuse or place otherwise, by rule: those that begin while clocks change.
"""
import argparse
import datetime
import os
import random
import subprocess
import tempfile

import numpy as np
import pandas as pd
import polars as pl

RECENT = 10957 * 86400 * 10**6  # 2000
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
         "America/Sao_Paulo", "Pacific/Auckland", "Africa/Johannesburg", "Asia/Tehran"]
PARTS = {"year": "year", "quarter": "quarter", "month": "month", "day": "day", "hour": "hour",
         "minute": "minute", "second": "second", "weekday": "weekday", "yearday": "ordinal_day",
         "isoweek": "week", "isoyear": "iso_year"}
SPANS = {"15m": "15m", "1h": "1h", "90m": "90m", "day": "1d", "week": "1w", "2 weeks": "2w",
         "3 days": "3d", "month": "1mo", "5 months": "5mo", "quarter": "1q", "year": "1y",
         "7 years": "7y"}
SHIFTS = {"1 month": "1mo", "-1 month": "-1mo", "13 months": "13mo", "1 year": "1y",
          "-3 quarters": "-3q", "2 weeks": "2w", "-1 day": "-1d", "90s": "90s"}

ANSWER = r"""
local kinds = require "locus.tensor.kind"
local locus = require "locus"
local folder, zone = arg[1], arg[2]
local t = kinds.tagged(locus.from_file(folder .. "/times", "int64"), kinds.named("time", "us"))
for line in io.lines(folder .. "/asks") do
  local name, method, span = line:match("^(%S+) (%S+) ?(.*)$")
  local options = {zone = zone}
  if method == "offset" then options.ambiguous, options.missing = "first", "forward" end
  local answer = span == "" and t[method](t, options) or t[method](t, span, options)
  kinds.tagged(answer, nil):tofile(folder .. "/" .. name)
end
"""


def draw(seed):
    rng = np.random.default_rng(seed)
    day = 86400 * 10**6
    times = [rng.integers(-98540 * day, 46000 * day, 20000),
             rng.integers(0, 20000 * day, 20000)]
    pick = random.Random(seed)
    for _ in range(4000):  # around the hours in which clocks change
        date = datetime.datetime(pick.randrange(1920, 2040), pick.randrange(1, 13), 1)
        begin = int((date - datetime.datetime(1970, 1, 1)).total_seconds()) * 10**6
        times.append(begin + rng.integers(0, 31 * 24 * 4, 4) * 900 * 10**6)
    return np.concatenate([np.asarray(t) for t in times]).astype(np.int64)


def ours(folder, zone, asks, build):
    with open(os.path.join(folder, "asks"), "w") as file:
        file.writelines(f"{name} {ask}\n" for name, ask in asks.items())
    with open(os.path.join(folder, "answer.lua"), "w") as file:
        file.write(ANSWER)
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    env = dict(os.environ, LUA_PATH=f"{top}/lua/?.lua;{top}/lua/?/init.lua;;",
               LUA_CPATH=f"{top}/{build}/?.so;;")
    subprocess.run(["luajit", os.path.join(folder, "answer.lua"), folder, zone], check=True,
                   env=env)
    return {name: np.fromfile(os.path.join(folder, name), np.int64) for name in asks}


def check(zone, what, got, expected, times, but=None):
    wrong = got != expected
    if but is not None:
        wrong &= ~but
    if wrong.any():
        at = int(np.argmax(wrong))
        raise SystemExit(f"{zone}, {what} of {times[at]}: {got[at]}, expected {expected[at]}; "
                         f"{wrong.sum()} differ")
    return len(got)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    print(f"seed {options.seed}, pandas {pd.__version__}, polars {pl.__version__}")
    times = draw(options.seed)
    compared = placed = 0
    with tempfile.TemporaryDirectory() as folder:
        times.tofile(os.path.join(folder, "times"))
        for zone in ZONES:
            asks = {f"p{i}": part for i, part in enumerate(PARTS)}
            asks |= {f"b{i}": f"floor {span}" for i, span in enumerate(SPANS)}
            asks |= {f"s{i}": f"offset {span}" for i, span in enumerate(SHIFTS)}
            found = ours(folder, zone, asks, options.build)
            series = pl.Series(times).cast(pl.Datetime("us", "UTC")).dt.convert_time_zone(zone)
            # the tables of polars are of another version, which tells another history
            other = np.zeros(len(times), bool) if zone == "UTC" else times < RECENT
            index = pd.DatetimeIndex(times.astype("M8[us]"), tz="UTC").tz_convert(zone)
            for i, (part, theirs) in enumerate(PARTS.items()):
                expected = getattr(series.dt, theirs)().cast(pl.Int64).to_numpy()
                compared += check(zone, part, found[f"p{i}"], expected, times, other)
                name = {"weekday": "day_of_week", "yearday": "day_of_year"}.get(part, part)
                if part in ("isoweek", "isoyear"):
                    calendar = index.isocalendar()
                    again = calendar["week" if part == "isoweek" else "year"].to_numpy(np.int64)
                else:
                    again = np.asarray(getattr(index, name), np.int64) + (part == "weekday")
                compared += check(zone, "pandas " + part, found[f"p{i}"], again, times)
            for i, (span, theirs) in enumerate(SPANS.items()):
                got = found[f"b{i}"]
                local = pl.Series(got).cast(pl.Datetime("us", "UTC")).dt.convert_time_zone(zone)
                naive = series.dt.replace_time_zone(None).dt.truncate(theirs)
                same = (local.dt.replace_time_zone(None) == naive).to_numpy()
                # elsewhere the label is one that the clock never shows, or that it left
                label = naive.to_physical().to_numpy()
                clock = local.dt.replace_time_zone(None).to_physical().to_numpy()
                moved = ~same & ~other
                early = moved & (clock < label)
                if early.any() or moved.mean() > 0.01:
                    at = int(np.argmax(early))
                    raise SystemExit(f"{zone}, {span} of {series[at]}: begins at {local[at]}, before "
                                     f"{naive[at]}; {moved.sum()} are moved")
                placed += int(moved.sum())
                if (got > times).any():
                    raise SystemExit(f"{zone}, {span}: a bucket begins after its time")
                compared += len(got)
            for i, (span, theirs) in enumerate(SHIFTS.items()):
                if theirs.endswith("s"):
                    expected = times + 90 * 10**6
                    compared += check(zone, span, found[f"s{i}"], expected, times)
                    continue
                naive = series.dt.replace_time_zone(None).dt.offset_by(theirs)
                back = naive.dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null")
                expected = back.to_physical().to_numpy()
                gone = back.is_null().to_numpy() | other
                compared += check(zone, span, found[f"s{i}"],
                                  np.where(gone, 0, np.nan_to_num(expected)).astype(np.int64),
                                  times, gone)
    print(f"{compared} answers are those of pandas and polars; {placed} buckets begin at a change")


if __name__ == "__main__":
    main()
