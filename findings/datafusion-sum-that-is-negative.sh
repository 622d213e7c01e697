#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: An SQL engine's sum of two large positive integers raises or is wider.
# Seen: DataFusion 55 and pyarrow 26.0.1 answer the least int64. DuckDB 2.0.1 answers a HUGEINT;
# an overflow of + raises there.
# Where: apache/datafusion issues 3520 and 12140.
# For users: Sums of nanoseconds or of hashes come out negative. locus wraps modulo 2^64 as
# PyTorch does, and its page says so: sum in float64 where that matters.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check datafusion==55.0.0 duckdb==2.0.1 pyarrow==26.0.1
cd "$folder"
venv/bin/python - >seen <<'END'
import datafusion, duckdb, pyarrow as pa, pyarrow.compute as pc
print("datafusion", datafusion.__version__, "duckdb", duckdb.__version__, "pyarrow", pa.__version__)
query = "select sum(x) s from (values (9223372036854775807), (1)) t(x)"
print("datafusion", datafusion.SessionContext().sql(query).to_pydict()["s"][0])
print("pyarrow   ", pc.sum(pa.array([2**63 - 1, 1])))
print("duckdb    ", duckdb.sql(query).fetchall()[0][0])
END
cat >expected <<'END'
datafusion 55.0.0 duckdb 2.0.1 pyarrow 26.0.1
datafusion -9223372036854775808
pyarrow    -9223372036854775808
duckdb     9223372036854775808
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
