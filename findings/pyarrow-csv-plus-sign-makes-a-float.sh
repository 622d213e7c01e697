#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: A column of integers with plus signs stays text, or is int64.
# Seen: pyarrow 26.0.1 reads it as double, and rounds integers past 2^53 without a word. Without
# the sign the same digits are int64.
# Where: Not in the page on CSV, which lists int64 before double.
# For users: Ledgers and telemetry write +. locus guesses text for such a column, and reads it
# exactly where int64 is told.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyarrow==26.0.1
cd "$folder"
venv/bin/python - >seen <<'END'
import io, pyarrow as pa, pyarrow.csv as csv
print("pyarrow", pa.__version__)
for text in (b"9007199254740993", b"+9007199254740993"):
    column = csv.read_csv(io.BytesIO(b"a\n" + text + b"\n")).column(0)
    print(text.decode(), column.type, int(column[0].as_py()))
END
cat >expected <<'END'
pyarrow 26.0.1
9007199254740993 int64 9007199254740993
+9007199254740993 double 9007199254740992
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
