#!/bin/sh
# SPDX-License-Identifier: MIT
# The command locus: finds LuaJIT, and the modules beside this file, in a checkout or installed, and
# leaves the rest to locus/repl/start.lua.
set -eu

fail() {
  echo "locus: $*" >&2
  exit 1
}

self=$(readlink -f "$0")
lua=${self%/*}
[ -e "$lua/locus/repl/start.lua" ] || lua=${lua%/*}/share/lua/5.1
[ -e "$lua/locus/repl/start.lua" ] || fail "there are no modules of locus in $lua"

openresty=${OPENRESTY_PREFIX:-/usr/local/openresty}/luajit/bin/luajit
for luajit in luajit "$openresty" ""; do
  [ -z "$luajit" ] || ! command -v "$luajit" >/dev/null 2>&1 || break
done
[ -n "$luajit" ] || fail "there is no luajit in PATH, and none of OpenResty's: $openresty"
exec "$luajit" "$lua/locus/repl/start.lua" "$@"
