#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: A reader of JSON lines that meets an unknown key adds a column, or raises.
# Seen: polars 2.1.0 looks at 100 lines, and drops keys that come later without a word; a later
# float in a column of integers raises. Of a key that comes twice it takes the first value.
# Where: pola-rs/polars issue 29330. RFC 8259, section 4, leaves duplicate keys open and says that
# many take the last.
# For users: Rare fields, such as errors, are those that are lost: pass infer_schema_length =
# None.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check polars==2.1.0
cd "$folder"
venv/bin/python - >seen <<'END'
import io, polars as pl
print("polars", pl.__version__)
def read(text, **options):
    try: return pl.read_ndjson(io.BytesIO(text), **options)
    except pl.exceptions.ComputeError as error: return str(error).splitlines()[0]
print("key of line 100", read(b'{"a":1}\n' * 99 + b'{"a":1,"error":7}\n').columns)
late = b'{"a":1}\n' * 100 + b'{"a":1,"error":7}\n'
print("key of line 101", read(late).columns, read(late, infer_schema_length = None).columns)
print("float in line 101:", read(b'{"a":1}\n' * 100 + b'{"a":1.5}\n'))
print("twice", read(b'{"a":1,"a":2}\n')["a"][0])
END
cat >expected <<'END'
polars 2.1.0
key of line 100 ['a', 'error']
key of line 101 ['a'] ['a', 'error']
float in line 101: cannot parse '1.5' (f64) as Int64
twice 1
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
