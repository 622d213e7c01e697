#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: A filter x > 2 keeps the same rows of one Parquet file in all engines.
# Seen: DuckDB 2.0.1 and polars 2.1.0 take NaN for greater than any number and keep it, pyarrow
# 26.0.1 follows IEEE and drops it. The file's statistics name 1 to 3 as least and greatest,
# though NaN is in it.
# Where: DuckDB's and polars' pages on numeric types; Parquet's format says that NaN must not be
# in statistics.
# For users: Counts above a threshold differ by engine. locus compares NaN as IEEE does: false.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check duckdb==2.0.1 polars==2.1.0 pyarrow==26.0.1
cd "$folder"
venv/bin/python - >seen <<'END'
import math, duckdb, polars as pl, pyarrow as pa, pyarrow.parquet as parquet
print("duckdb", duckdb.__version__, "polars", pl.__version__, "pyarrow", pa.__version__)
parquet.write_table(pa.table({"x": [1.0, math.nan, 3.0]}), "x.parquet")
print("duckdb ", duckdb.sql("select x from 'x.parquet' where x > 2").fetchall())
print("polars ", pl.scan_parquet("x.parquet").filter(pl.col("x") > 2).collect().rows())
print("pyarrow", parquet.read_table("x.parquet", filters = [("x", ">", 2)])["x"].to_pylist())
found = parquet.ParquetFile("x.parquet").metadata.row_group(0).column(0).statistics
print("statistics", found.min, found.max)
END
cat >expected <<'END'
duckdb 2.0.1 polars 2.1.0 pyarrow 26.0.1
duckdb  [(nan,), (3.0,)]
polars  [(nan,), (3.0,)]
pyarrow [3.0]
statistics 1.0 3.0
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
