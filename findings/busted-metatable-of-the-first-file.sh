#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Under busted a module that calls ffi.metatype is loaded anew for each file of specs, with the
# metatable of that load, or the second ffi.metatype raises.
# Seen: busted keeps what ffi.typeof gave for a text, and what ffi.metatype gave for a type. The
# second load is handed the first type with the metatable of the first load, without a word: its
# methods see the upvalues of a module that is gone.
# Where: Debian's lua-busted 2.1.1, busted/luajit.lua, on LuaJIT 2.1 (lupa 2.8).
# For users: Let a reloaded module name its type anew (a comment in the declaration does). locus does
# so; without it, elements of times in the third file of specs called functions of the first load.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check lupa==2.8
cd "$folder"
apt-get download -qq lua-busted=2.1.1-1 2>errors || { cat errors; exit 1; }
dpkg -x lua-busted_2.1.1-1_all.deb unpacked
cat >twice.lua <<'END'
package.path = "unpacked/usr/share/lua/5.1/?.lua"
require("busted.luajit")()
local ffi = require "ffi"
local function load_module(answer, remark)
  local new = ffi.typeof("struct { int x; }" .. remark)
  return ffi.metatype(new, {__index = function() return answer end})
end
local said = {}
for _, name in ipairs {"first", "second"} do
  said[#said + 1] = name .. " load: " .. load_module(name, "")().name
end
for _, name in ipairs {"third", "fourth"} do
  said[#said + 1] = name .. " load, a text of its own: "
    .. load_module(name, "/* " .. name .. " */")().name
end
return table.concat(said, "\n")
END
venv/bin/python - >seen <<'END'
import lupa.luajit21
from importlib.metadata import version
print("lupa", version("lupa"))
print(lupa.luajit21.LuaRuntime().execute(open("twice.lua").read()))
END
cat >expected <<'END'
lupa 2.8
first load: first
second load: first
third load, a text of its own: third
fourth load, a text of its own: fourth
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
