#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: 5 % math.huge is 5, as in Lua 5.3 and later; -5 % math.huge is inf.
# Seen: LuaJIT 2.1 computes a - floor(a / b) * b, which is 0 * inf: NaN for both, as Lua 5.1 does.
# Where: The manual of Lua 5.1, section 2.5.1, has the formula.
# For users: An unlimited period, n % math.huge, is NaN in LuaJIT. locus' % of tensors follows
# PyTorch: 5 and inf.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check lupa==2.8
cd "$folder"
venv/bin/python - >seen <<'END'
import lupa.lua51, lupa.lua54, lupa.luajit21
from importlib.metadata import version
print("lupa", version("lupa"))
for module in (lupa.lua51, lupa.luajit21, lupa.lua54):
    lua = module.LuaRuntime()
    print(lua.eval("jit and 'LuaJIT 2.1' or _VERSION"), lua.eval("tostring(5 % math.huge)").lstrip("-"),
        lua.eval("tostring(-5 % math.huge)").lstrip("-"))
END
cat >expected <<'END'
lupa 2.8
Lua 5.1 nan nan
LuaJIT 2.1 nan nan
Lua 5.4 5.0 inf
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
