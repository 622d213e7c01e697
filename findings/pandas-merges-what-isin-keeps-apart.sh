#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Two columns whose values isin keeps apart have no row in common when merged.
# Seen: pandas 3.1.1: 2^53 + 1 as int64 is not in [2.0^53], and merges with it; == says that they
# are equal. numpy.isin finds it.
# Where: pandas warns of merges of int and float only where a float has a fraction.
# For users: Identifiers past 2^53 match their neighbours once one side has been a float. locus
# compares exactly in all three.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1 numpy==2.4.6
cd "$folder"
venv/bin/python - >seen <<'END'
import numpy as np, pandas as pd
print("pandas", pd.__version__, "numpy", np.__version__)
a, b = pd.DataFrame({"k": [2**53 + 1]}), pd.DataFrame({"k": [2.0**53]})
print("isin", a.k.isin(b.k)[0], "merged rows", len(a.merge(b, on = "k")), "equal", (a.k == b.k)[0],
    "numpy.isin", np.isin(a.k, b.k)[0])
END
cat >expected <<'END'
pandas 3.1.1 numpy 2.4.6
isin False merged rows 1 equal True numpy.isin True
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
