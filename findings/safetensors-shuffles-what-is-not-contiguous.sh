#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: A library that saves arrays copies a transposed or strided one into order first, or
# refuses it.
# Seen: safetensors 0.8.0 writes the memory as it lies under the shape as it is: a transposed
# array comes back shuffled, x[::2] as the first elements of x.
# Where: safetensors/safetensors issue 825, by which 0.7.0 was right.
# For users: Pass np.ascontiguousarray(x). locus writes strided tensors by their elements.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check safetensors==0.8.0 numpy==2.4.6
cd "$folder"
venv/bin/python - >seen <<'END'
import numpy as np, safetensors
from safetensors.numpy import load, save
print("safetensors", safetensors.__version__)
for x in (np.asfortranarray([[0, 1, 2], [3, 4, 5]]), np.arange(6)[::2]):
    print(x.tolist(), "->", load(save({"x": x}))["x"].tolist())
END
cat >expected <<'END'
safetensors 0.8.0
[[0, 1, 2], [3, 4, 5]] -> [[0, 3, 1], [4, 2, 5]]
[0, 2, 4] -> [0, 1, 2]
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
