#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Of a key that an object has twice every reader takes the last value.
# Seen: Python and pandas take the last one, polars the first. Of two objects at one key polars takes
# the first one's place and the second one's keys, and answers null. DuckDB and pyarrow refuse the
# line.
# Where: RFC 8259, section 4, says that names should be unique, and that readers differ. polars 2.1.0,
# DuckDB 2.0.1, pandas 3.1.1, pyarrow 26.0.1.
# For users: A log with a key twice has another value in each library, or none. read_json of locus
# takes the last one, with all that is below it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  polars==2.1.0 duckdb==2.0.1 pandas==3.1.1 pyarrow==26.0.1
cd "$folder"
venv/bin/python - >seen <<'END'
import json
import duckdb, pandas, polars, pyarrow.json

READERS = {
    "Python": lambda: [json.loads(line) for line in open("x.jsonl")][0]["a"],
    "pandas": lambda: pandas.read_json("x.jsonl", lines=True)["a"][0],
    "polars": lambda: polars.read_ndjson("x.jsonl")["a"][0],
    "DuckDB": lambda: duckdb.sql("select a from read_json('x.jsonl')").fetchall()[0][0],
    "pyarrow": lambda: pyarrow.json.read_json("x.jsonl")["a"][0].as_py(),
}
for text in ('{"a": 1, "a": 2}', '{"a": {"b": 1}, "a": {"c": 2}}'):
    print(text)
    with open("x.jsonl", "w") as out:
        out.write(text + "\n")
    for name, read in READERS.items():
        try:
            print(" ", name, read())
        except Exception as error:
            print(" ", name, "raises", type(error).__name__)
END
cat >expected <<'END'
{"a": 1, "a": 2}
  Python 2
  pandas 2
  polars 1
  DuckDB raises InvalidInputException
  pyarrow raises ArrowInvalid
{"a": {"b": 1}, "a": {"c": 2}}
  Python {'c': 2}
  pandas {'c': 2}
  polars {'c': None}
  DuckDB raises InvalidInputException
  pyarrow raises ArrowInvalid
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
