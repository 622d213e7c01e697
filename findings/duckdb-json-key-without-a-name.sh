#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: A key "" beside other keys is one more column, whatever its name.
# Seen: One such key makes DuckDB give up columns: read_json answers one column, `json`, of type MAP,
# with the whole object. Within an object the same happens to that object.
# Where: DuckDB 2.0.1.
# For users: `select level from read_json(...)` fails once an object of the sample has the key "".
# Name the columns: read_json(..., columns = {level: 'VARCHAR'}). read_json of locus has a column "".
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check duckdb==2.0.1
cd "$folder"
venv/bin/python - >seen <<'END'
import duckdb

def show(text, more=""):
    with open("x.jsonl", "w") as out:
        out.write(text + "\n")
    rows = duckdb.sql("select * from read_json('x.jsonl'" + more + ")")
    print(text + more, rows.columns, [str(kind) for kind in rows.types])

show('{"level": 1, "ms": 2}')
show('{"level": 1, "": 2}')
show('{"level": {"": 2}}')
show('{"level": 1, "": 2}', ", columns = {level: 'BIGINT'}")
END
cat >expected <<'END'
{"level": 1, "ms": 2} ['level', 'ms'] ['BIGINT', 'BIGINT']
{"level": 1, "": 2} ['json'] ['MAP(VARCHAR, BIGINT)']
{"level": {"": 2}} ['level'] ['MAP(VARCHAR, BIGINT)']
{"level": 1, "": 2}, columns = {level: 'BIGINT'} ['level'] ['BIGINT']
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
