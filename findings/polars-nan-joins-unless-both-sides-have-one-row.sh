#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Whether NaN matches NaN in a join does not depend on how many rows there are.
# Seen: In polars 2.1.0 NaN is one key in group_by, unique and join, but a frame of one row inner-
# or left-joined to a frame of one row has no match; a second row on either side, or the streaming
# engine, makes one. semi joins match.
# Where: Not in the page of join; nulls_equal speaks of nulls alone.
# For users: Tests on frames of one row, and lookups of one key, disagree with the pipeline. locus
# takes all NaN as one key at every size.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check polars==2.1.0
cd "$folder"
venv/bin/python - >seen <<'END'
import math, polars as pl
print("polars", pl.__version__)
def joined(rows, others, engine = "in-memory"):
    left = pl.LazyFrame({"k": [math.nan] * rows})
    right = pl.LazyFrame({"k": [math.nan] * others, "v": range(others)})
    return left.join(right, on = "k").collect(engine = engine).height
for rows, others in ((1, 1), (1, 2), (2, 1), (2, 2)):
    print(rows, "and", others, "rows:", joined(rows, others), "streaming:",
        joined(rows, others, "streaming"))
END
cat >expected <<'END'
polars 2.1.0
1 and 1 rows: 0 streaming: 1
1 and 2 rows: 2 streaming: 2
2 and 1 rows: 2 streaming: 2
2 and 2 rows: 4 streaming: 4
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
