#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: The deviation of a window of equal numbers is 0, at worst 1e-8 by rounding.
# Seen: After 1e8 has left the window, bottleneck 1.6.0 answers 1.22 and numbagg 0.9.6 1.73 for
# windows of equal ones, to the end of the series; after an infinity both answer NaN to its end.
# pandas 3.1.1 and polars 2.1.0 recover.
# Where: pydata/bottleneck issues 164 and 377.
# For users: One outlier spoils all windows behind it. Windows must be summed anew, or with
# compensation.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check bottleneck==1.6.0 numbagg==0.9.6 numba==0.68.1 numpy==2.4.6 pandas==3.1.1 polars==2.1.0
cd "$folder"
venv/bin/python - >seen <<'END'
import warnings, bottleneck as bn, numbagg, numpy as np, pandas as pd, polars as pl
warnings.simplefilter("ignore")
print("bottleneck", bn.__version__, "numbagg", numbagg.__version__, "pandas", pd.__version__,
    "polars", pl.__version__)
x = np.array([1e8 + .1, 1e8 + .2, 1, 1, 1, 1])
print("deviation of the last window of two ones")
print("bottleneck %.3f" % bn.move_std(x, 2)[-1], "numbagg %.3f" % numbagg.move_std(x, window = 2)[-1],
    "pandas %.3f" % pd.Series(x).rolling(2).std().iloc[-1],
    "polars %.3f" % pl.Series(x).rolling_std(2)[-1])
x = np.array([1, np.inf, 1, 1, 1])
print("mean of the last window of two ones")
print("bottleneck", bn.move_mean(x, 2)[-1], "numbagg", numbagg.move_mean(x, window = 2)[-1],
    "pandas", pd.Series(x).rolling(2).mean().iloc[-1], "polars", pl.Series(x).rolling_mean(2)[-1])
END
cat >expected <<'END'
bottleneck 1.6.0 numbagg 0.9.6 pandas 3.1.1 polars 2.1.0
deviation of the last window of two ones
bottleneck 1.225 numbagg 1.732 pandas 0.000 polars 0.000
mean of the last window of two ones
bottleneck nan numbagg nan pandas 1.0 polars 1.0
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
