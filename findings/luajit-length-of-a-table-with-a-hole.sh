#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: #{1, nil, 3} is 3: the constructor makes an array of three.
# Seen: LuaJIT 2.1 answers 1, and unpack stops there; Lua 5.1 and 5.4 answer 3. With a nil in
# front, {nil, nil, 3}, LuaJIT answers 3.
# Where: The manual of Lua 5.1, section 2.5.5: any border may be the answer.
# For users: Rows with nil between numbers are short in LuaJIT alone, and pass the tests on plain
# Lua. locus asks for NaN or names the gap.
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
    print(lua.eval("jit and 'LuaJIT 2.1' or _VERSION"), lua.eval("#{1, nil, 3}"), lua.eval("#{nil, nil, 3}"))
END
cat >expected <<'END'
lupa 2.8
Lua 5.1 3 3
LuaJIT 2.1 1 3
Lua 5.4 3 3
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
