#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Every column that polars reads from a CSV file can be handed to another library by
# Arrow's C interface.
# Seen: polars 2.1.0 reads 9223372036854775808 as Int128, and exports that by a format string of
# its own, _pli128. pyarrow 26.0.1 refuses the stream.
# Where: Arrow's C data interface lists no format for integers of 128 bits.
# For users: One identifier above 2^63 - 1 makes a frame of polars unreadable to its neighbours,
# locus too: cast it to a string or to Decimal first.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check polars==2.1.0 pyarrow==26.0.1
cd "$folder"
venv/bin/python - >seen <<'END'
import io, polars as pl, pyarrow as pa
print("polars", pl.__version__, "pyarrow", pa.__version__)
frame = pl.read_csv(io.BytesIO(b"id\n1\n9223372036854775808\n"))
print(frame.dtypes)
try: pa.table(frame)
except pa.ArrowInvalid as error: print(error)
print(pa.table(frame.with_columns(pl.col("id").cast(pl.String))).column(0).to_pylist())
END
cat >expected <<'END'
polars 2.1.0 pyarrow 26.0.1
[Int128]
Invalid or unsupported format string: '_pli128'
['1', '9223372036854775808']
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
