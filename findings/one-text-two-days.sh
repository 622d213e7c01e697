#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Libraries that accept 1/2/2026 agree about the month.
# Seen: pandas 3.1.1 reads January 2. polars 2.1.0 (str.to_date) and DuckDB 2.0.1 (read_csv) read
# February 1. DuckDB's JSON reader leaves the same text a string.
# Where: Each library's page on parsing dates; none names the others.
# For users: A pattern must be written. locus has no pattern for such dates unless its user gives
# one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1 polars==2.1.0 duckdb==2.0.1
cd "$folder"
venv/bin/python - >seen <<'END'
import duckdb, pandas as pd, polars as pl
print("pandas", pd.__version__, "polars", pl.__version__, "duckdb", duckdb.__version__)
text = "1/2/2026"
with open("x.csv", "w") as file: file.write("a,b\n%s,1\n" % text)
with open("x.json", "w") as file: file.write('{"a": "%s"}\n' % text)
print("pandas ", pd.to_datetime([text])[0].date())
print("polars ", pl.Series([text]).str.to_date()[0])
print("duckdb csv ", duckdb.sql("select a from read_csv('x.csv', header = true)").fetchall()[0][0])
print("duckdb json", duckdb.sql("select typeof(a) from read_json('x.json')").fetchall()[0][0])
END
cat >expected <<'END'
pandas 3.1.1 polars 2.1.0 duckdb 2.0.1
pandas  2026-01-02
polars  2026-02-01
duckdb csv  2026-02-01
duckdb json VARCHAR
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
