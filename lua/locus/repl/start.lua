-- SPDX-License-Identifier: MIT
-- The script that the command locus has LuaJIT run: finds the modules around it, whether they are
-- installed or in a checkout, and starts.
if not rawget(_G, "jit") then
  io.stderr:write("locus: this needs LuaJIT, and ", arg[-1], " is ", _VERSION, "\n")
  os.exit(1)
end

local function exists(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

local lua = arg[0]:match("^(.*)/locus/repl/start%.lua$")
local build = os.getenv("LOCUS_BUILD") or "build" -- a path, or a folder of the checkout
if not build:find("^/") then build = lua .. "/../" .. build end
package.path = ("%s/?.lua;%s/?/init.lua;"):format(lua, lua) .. package.path
for _, folder in ipairs {build, (lua:gsub("share/lua/5%.1$", "lib/lua/5.1"))} do
  if exists(folder .. "/locus/core.so") then
    package.cpath = folder .. "/?.so;" .. package.cpath
    break
  end
end

os.exit(require "locus.repl.command"(arg), true)
