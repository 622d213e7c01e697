#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Integers divided by zero give 0 as in NumPy, -1 as on GPUs, or an error.
# Seen: JAX 0.10.2 on a CPU answers -2 for 1 // 0, -1 // 0 and 5 // 0, -1 for 0 // 0, and 0 for
# any remainder, without a warning.
# Where: jax-ml/jax issue 11990.
# For users: Buckets by a computed width that is 0 become plausible negative numbers. locus raises
# before it writes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6
cd "$folder"
venv/bin/python - >seen <<'END'
import warnings, jax, jax.numpy as jnp, numpy as np
warnings.simplefilter("ignore")
print("jax", jax.__version__)
x, zero = jnp.array([1, 0, -1, 5]), jnp.array(0)
print("jax  ", (x // zero).tolist(), (x % zero).tolist())
print("numpy", (np.array([1, 0, -1, 5]) // 0).tolist(), (np.array([1, 0, -1, 5]) % 0).tolist())
END
cat >expected <<'END'
jax 0.10.2
jax   [-2, -1, -2, -2] [0, 0, 0, 0]
numpy [0, 0, 0, 0] [0, 0, 0, 0]
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
