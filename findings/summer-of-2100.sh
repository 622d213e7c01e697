#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Libraries that know a zone's rule apply it to any year.
# Seen: pandas 3.1.1, DuckDB 2.0.1 and Python's zoneinfo have daylight saving time in New York in
# July 2100. polars 2.1.0 and pyarrow 26.0.1 have none: their tables end, and the rule at the end
# of a zone's file is not read.
# Where: chronotope/chrono-tz issue 155, apache/arrow issue 36110.
# For users: Schedules of bonds and contracts are an hour off from some year on, which differs by
# library and system.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check polars==2.1.0 pyarrow==26.0.1 pandas==3.1.1 duckdb==2.0.1 tzdata==2026.6
cd "$folder"
venv/bin/python - >seen <<'END'
import datetime, zoneinfo, duckdb, pandas as pd, polars as pl, pyarrow as pa, pyarrow.compute as pc
print("polars", pl.__version__, "pyarrow", pa.__version__, "pandas", pd.__version__,
    "duckdb", duckdb.__version__)
zone, day = "America/New_York", datetime.datetime(2100, 7, 1)
utc = day.replace(tzinfo = datetime.timezone.utc)
print("zoneinfo", utc.astimezone(zoneinfo.ZoneInfo(zone)).hour)
print("pandas  ", pd.Timestamp(day, tz = "UTC").tz_convert(zone).hour)
print("duckdb  ", duckdb.sql("select timezone('%s', timestamptz '2100-07-01 00:00:00+00')" % zone)
    .fetchall()[0][0].hour)
print("polars  ", pl.Series([day]).dt.replace_time_zone("UTC").dt.convert_time_zone(zone).dt.hour()[0])
print("pyarrow ", pc.hour(pc.local_timestamp(pa.array([day], pa.timestamp("us", zone))))[0])
END
cat >expected <<'END'
polars 2.1.0 pyarrow 26.0.1 pandas 3.1.1 duckdb 2.0.1
zoneinfo 20
pandas   20
duckdb   20
polars   19
pyarrow  19
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
