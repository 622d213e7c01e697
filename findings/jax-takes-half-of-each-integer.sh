#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: DLPack hands over memory as it is, or refuses: an int64 array arrives as int64.
# Seen: JAX 0.10.2 answers int32 unless jax_enable_x64 is set: 2^40 arrives as 0, 2^31 as
# -2147483648, and float64 as float32, each without a warning.
# Where: jax-ml/jax issue 11895, which chose this.
# For users: Times in microseconds and identifiers are destroyed on the way. Set jax_enable_x64,
# or compare the dtype.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6
cd "$folder"
venv/bin/python - >seen <<'END'
import jax, jax.numpy as jnp, numpy as np
print("jax", jax.__version__)
x = np.array([2**40, 2**31, 7])
y = jnp.from_dlpack(x)
print(x.dtype, x.tolist(), "->", y.dtype, y.tolist())
print("float64 ->", jnp.from_dlpack(np.array([.1])).dtype)
jax.config.update("jax_enable_x64", True)
print("with x64 ->", jnp.from_dlpack(x).dtype, jnp.from_dlpack(x).tolist())
END
cat >expected <<'END'
jax 0.10.2
int64 [1099511627776, 2147483648, 7] -> int32 [0, -2147483648, 7]
float64 -> float32
with x64 -> int64 [1099511627776, 2147483648, 7]
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
