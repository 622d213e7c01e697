#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: A library has one rule for NaN: it is skipped, it is the greatest, or it spoils the
# answer.
# Seen: In polars 2.1.0 it spoils sums and means, is skipped by max and min, is the greatest in
# sort, in median and quantile, and in comparisons: NaN > 2 is true.
# Where: polars' page on data types says that NaN compares as greater than any number; max is said
# to skip it.
# For users: A filter of values above a limit keeps NaN; median([1, 2, NaN]) is 2. locus: NaN
# spoils all of them but the functions named nan..., and compares false.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check polars==2.1.0
cd "$folder"
venv/bin/python - >seen <<'END'
import math, polars as pl
print("polars", pl.__version__)
x = pl.Series([1.0, 2.0, math.nan])
print("sum", x.sum(), "mean", x.mean(), "max", x.max(), "nan_max", x.nan_max())
print("median", x.median(), "last when sorted", x.sort()[-1], "above 2", (x > 2).to_list())
END
cat >expected <<'END'
polars 2.1.0
sum nan mean nan max 2.0 nan_max nan
median 2.0 last when sorted nan above 2 [False, False, True]
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
