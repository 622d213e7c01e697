#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: A time with more digits than nanoseconds raises, or loses the last digit.
# Seen: NumPy 2.4.6 takes picoseconds as the unit where no unit is given. These reach 107 days
# from 1970, so a time of 2026 wraps around into 1969 without a word.
# Where: numpy/numpy issue 5452, open since 2015.
# For users: Files of times with ten or more digits must not pass through np.datetime64 without a
# unit. locus refuses what its unit cannot hold.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6
cd "$folder"
venv/bin/python - >seen <<'END'
import numpy as np
print("numpy", np.__version__)
for digits in ("123456789", "1234567890"):
    print(digits, np.datetime64("2026-01-01T00:00:00." + digits))
END
cat >expected <<'END'
numpy 2.4.6
123456789 2026-01-01T00:00:00.123456789
1234567890 1969-11-19T14:49:29.047339833864
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
