#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Of several rows with the time in force an as-of join takes the last one, which came last.
# Seen: polars 2.1.0 and pandas 3.1.1 do. DuckDB 2.0.1 takes the first one in a small join, with
# one thread; with more rows and threads it may be any.
# Where: duckdb/duckdb issue 25536, closed as expected behaviour.
# For users: Quotes with equal times must have a second key, or be made unique, before DuckDB
# joins them. locus takes the last row.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check duckdb==2.0.1 polars==2.1.0 pandas==3.1.1
cd "$folder"
venv/bin/python - >seen <<'END'
import duckdb, pandas as pd, polars as pl
print("duckdb", duckdb.__version__, "polars", pl.__version__, "pandas", pd.__version__)
left, right = {"t": [5]}, {"t": [3, 3, 3], "v": ["first", "second", "last"]}
print("polars", pl.DataFrame(left).join_asof(pl.DataFrame(right), on = "t")["v"][0])
print("pandas", pd.merge_asof(pd.DataFrame(left), pd.DataFrame(right), on = "t")["v"][0])
duckdb.sql("set threads = 1")
print("duckdb", duckdb.sql("select v from (values (5)) l(t) asof join "
    "(values (3, 'first'), (3, 'second'), (3, 'last')) r(t, v) using (t)").fetchall()[0][0])
END
cat >expected <<'END'
duckdb 2.0.1 polars 2.1.0 pandas 3.1.1
polars last
pandas last
duckdb first
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
