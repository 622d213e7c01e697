#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Names that savez takes are the names that load answers to.
# Seen: Of arrays named a and a.npy, both saved and both listed, load(...)['a.npy'] is the array
# a: each name stands for a member with .npy behind it, and a name that is a member's goes first.
# Where: The page of numpy.lib.npyio.NpzFile does not say which one wins.
# For users: Readers that keep members' names apart find two arrays; scripts that load by name
# lose one. Names that end in .npy are to be avoided.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6
cd "$folder"
venv/bin/python - >seen <<'END'
import numpy as np, zipfile
print("numpy", np.__version__)
np.savez("x.npz", **{"a": np.zeros(1), "a.npy": np.ones(1)})
print(zipfile.ZipFile("x.npz").namelist())
loaded = np.load("x.npz")
print(loaded.files, loaded["a"].tolist(), loaded["a.npy"].tolist())
END
cat >expected <<'END'
numpy 2.4.6
['a.npy', 'a.npy.npy']
['a', 'a.npy'] [0.0] [0.0]
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
