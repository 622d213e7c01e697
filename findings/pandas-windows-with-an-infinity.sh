#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: The mean of a window that holds inf is inf.
# Seen: pandas 3.1.1 answers NaN, since its windows take infinities for missing values; its max
# does, too. polars 2.1.0 answers inf.
# Where: pandas-dev/pandas issue 26688.
# For users: A quotient by zero makes a hole of a window's length, and looks like missing data.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1 polars==2.1.0
cd "$folder"
venv/bin/python - >seen <<'END'
import math, pandas as pd, polars as pl
print("pandas", pd.__version__, "polars", pl.__version__)
x = [1.0, math.inf, 1.0, 1.0]
print("pandas mean", pd.Series(x).rolling(2).mean().tolist(), "max", pd.Series(x).rolling(2).max().tolist())
print("polars mean", pl.Series(x).rolling_mean(2).to_list(), "max", pl.Series(x).rolling_max(2).to_list())
END
cat >expected <<'END'
pandas 3.1.1 polars 2.1.0
pandas mean [nan, nan, nan, 1.0] max [nan, nan, nan, 1.0]
polars mean [None, inf, inf, 1.0] max [None, inf, inf, 1.0]
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
