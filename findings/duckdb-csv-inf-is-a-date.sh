#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: A column of inf in a CSV file is a column of floats, as nan is.
# Seen: DuckDB 2.0.1 reads nan as DOUBLE and inf as DATE: dates have an infinity there, and dates
# are tried first. With one finite number among them the column is VARCHAR.
# Where: The list of types that the reader tries in turn is in DuckDB's pages on CSV;
# duckdb/duckdb issue 18071 asks that dates take inf.
# For users: A short file of ratios may come back as dates of the year 9999, or as text. Types
# that are written down do not depend on the rows.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check duckdb==2.0.1
cd "$folder"
venv/bin/python - >seen <<'END'
import duckdb
print("duckdb", duckdb.__version__)
def read(*fields):
    with open("x.csv", "w") as file:
        file.write("a,b\n" + "".join("%s,1\n" % field for field in fields))
    found = duckdb.sql("select a, typeof(a) from read_csv('x.csv', header = true)").fetchall()
    print(fields, found[0][1], str(found[0][0]))
read("nan", "nan")
read("inf", "inf")
read("inf", "1.5")
END
cat >expected <<'END'
duckdb 2.0.1
('nan', 'nan') DOUBLE nan
('inf', 'inf') DATE 9999-12-31
('inf', '1.5') VARCHAR inf
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
