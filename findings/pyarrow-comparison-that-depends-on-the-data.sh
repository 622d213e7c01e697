#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Comparing int64 with double answers, exactly or after rounding, for all values alike.
# Seen: pyarrow 26.0.1 casts the integers to double, and raises where one of them is beyond 2^53,
# so that the same code works until a large identifier comes. An integer that double holds, such
# as 2^60, raises as well.
# Where: Arrow's page on compute functions says that integers and floats get a common type, not
# that the cast is checked.
# For users: Columns that were filled with NaN on the way (a join, pandas) are double: cast before
# comparing. locus compares both exactly.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyarrow==26.0.1
cd "$folder"
venv/bin/python - >seen <<'END'
import pyarrow as pa, pyarrow.compute as pc
print("pyarrow", pa.__version__)
for x in (2**53, 2**53 + 1, 2**60):
    try: print(x, pc.equal(pa.array([x]), pa.array([float(x)]))[0])
    except pa.ArrowInvalid as error: print(x, error)
END
cat >expected <<'END'
pyarrow 26.0.1
9007199254740992 True
9007199254740993 Integer value 9007199254740993 not in range: -9007199254740992 to 9007199254740992
1152921504606846976 Integer value 1152921504606846976 not in range: -9007199254740992 to 9007199254740992
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
