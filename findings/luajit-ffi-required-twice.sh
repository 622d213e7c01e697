#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: A struct that is declared after package.loaded.ffi = nil and another require "ffi" is a type
# of its own, and `v.name` asks its own metatable.
# Seen: The second ffi numbers its types from the start, so both structs have one number. A compiled
# loop asks for the number alone, and calls __index of the first struct for the second one, until
# jit.flush() drops it. Uncompiled code is right.
# Where: LuaJIT 2.1 (lupa 2.8).
# For users: Whoever reloads modules (a watcher of files, a harness of tests) keeps package.loaded.ffi,
# or calls jit.flush() behind the second require.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check lupa==2.8
cd "$folder"
cat >twice.lua <<'END'
local function load_ffi()
  package.loaded.ffi = nil
  return require "ffi"
end
local function make(answer)
  local ffi = load_ffi()
  return ffi.metatype(ffi.typeof "struct { int x; }", {__index = function() return answer end})
end
local function ask(v, times)
  local last
  for _ = 1, times do last = v.name end
  return last
end

local first = make "first"
local said = {"first struct: " .. ask(first(), 200)}
local second = make "second"
said[2] = "one number: " .. tostring(tostring(first) == tostring(second))
said[3] = "second struct: " .. ask(second(), 200)
jit.flush()
said[4] = "after a flush: " .. ask(second(), 200)
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
first struct: first
one number: true
second struct: first
after a flush: second
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
