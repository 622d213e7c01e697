#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Sums in float32 cost some digits.
# Seen: The variance of a million float32 that alternate between 10000 and 10001 is 0.25.
# bottleneck 1.6.0 answers 17246.8, and so does pandas 3.1.1 where bottleneck is installed:
# importing an unrelated package changes pandas' answers. numpy 2.4.6 is right.
# Where: pydata/bottleneck issue 462, pandas-dev/pandas issues 25307 and 42878.
# For users: Columns of float32 in pandas: df.astype('float64'), or the option
# compute.use_bottleneck. locus adds float32 in float64.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check bottleneck==1.6.0 numpy==2.4.6 pandas==3.1.1
cd "$folder"
venv/bin/python - >seen <<'END'
import bottleneck as bn, numpy as np, pandas as pd
print("bottleneck", bn.__version__, "numpy", np.__version__, "pandas", pd.__version__)
x = (10000 + np.arange(10**6) % 2).astype("float32")
print("numpy", round(float(x.var()), 3), "bottleneck", round(float(bn.nanvar(x)), 1))
print("pandas", round(float(pd.Series(x).var()), 1))
with pd.option_context("compute.use_bottleneck", False):
    print("pandas without bottleneck", round(float(pd.Series(x).var()), 3))
END
cat >expected <<'END'
bottleneck 1.6.0 numpy 2.4.6 pandas 3.1.1
numpy 0.25 bottleneck 17246.8
pandas 17246.8
pandas without bottleneck 0.25
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
