#!/bin/sh
# SPDX-License-Identifier: MIT
# The command locus: finds LuaJIT and the modules beside this file, installed or in a checkout, and
# leaves the rest to lua/locus/repl/command.lua.
set -eu

self=$(readlink -f "$0")
here=${self%/*}
for root in "$here" "$here/../share/lua/5.1"; do
  [ ! -e "$root/locus/repl/start.lua" ] || break
done

openresty=${OPENRESTY_PREFIX:-/usr/local/openresty}/luajit/bin/luajit
for luajit in luajit "$openresty" ""; do
  [ -z "$luajit" ] || ! command -v "$luajit" >/dev/null 2>&1 || break
done
if [ -z "$luajit" ]; then
  echo "locus: no luajit in PATH, and none of OpenResty's in $openresty" >&2
  exit 1
fi
exec "$luajit" "$root/locus/repl/start.lua" "$@"
