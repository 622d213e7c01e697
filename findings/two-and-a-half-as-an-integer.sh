#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: A cast to integer cuts, as in C, or rounds, as in SQL: the same in all of one library.
# Seen: DuckDB 2.0.1: 2.5 is a decimal and becomes 3, 2.5::double becomes 2 (ties to even),
# round(2.5::double) is 3. DataFusion 55 cuts, polars 2.1.0 cuts, pyarrow 26.0.1 raises.
# Where: Each engine's page on casts; DuckDB's does not tell decimals from doubles.
# For users: Prices in cents differ by one with the engine and with how the literal is written.
# locus refuses fractions where an integer is wanted.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check duckdb==2.0.1 datafusion==55.0.0 pyarrow==26.0.1 polars==2.1.0
cd "$folder"
venv/bin/python - >seen <<'END'
import datafusion, duckdb, polars as pl, pyarrow as pa
print("duckdb", duckdb.__version__, "datafusion", datafusion.__version__, "polars", pl.__version__,
    "pyarrow", pa.__version__)
print("duckdb", duckdb.sql("select 2.5::int, 2.5::double::int, round(2.5::double)").fetchall()[0])
print("datafusion", list(datafusion.SessionContext()
    .sql("select cast(2.5 as int) a, cast(cast(2.5 as double) as int) b").to_pydict().values()))
print("polars", pl.Series([2.5]).cast(pl.Int32)[0])
try: pa.array([2.5]).cast(pa.int32())
except pa.ArrowInvalid as error: print("pyarrow:", error)
END
cat >expected <<'END'
duckdb 2.0.1 datafusion 55.0.0 polars 2.1.0 pyarrow 26.0.1
duckdb (3, 2, 3.0)
datafusion [[2], [2]]
polars 2
pyarrow: Float value 2.500000 was truncated converting to int32
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
