-- SPDX-License-Identifier: MIT
-- tidy(f, ...): calls f and frees the tensors made meanwhile that are not among its results. Called
-- here and not in C, f may yield; tensors that others make while it is suspended are theirs.
local core = require "locus.core"
local declare = require "locus.call.declare"
local internal = core.internal

local metatable = {__gc = internal.drop_scope}
local spare -- a scope that no call uses

local ACROSS = "attempt to yield across metamethod/C-call boundary" -- says plain Lua

local function finish(scope, done, ...)
  internal.close_scope(scope, done, ...)
  spare = scope
  if done then return ... end
  local message = ...
  if not jit and type(message) == "string" and message:find(ACROSS, 1, true) then
    message = "tidy: 'f' cannot yield on plain Lua 5.1, only on LuaJIT"
  end
  error(message, 0)
end

-- The answers of f(...), as tidy says; an error of f names the function that the caller called.
local function tidied(f, ...)
  local scope = spare or internal.scope(metatable)
  spare = nil
  internal.open_scope(scope)
  return finish(scope, pcall(f, ...))
end

-- tidy(f, ...): the results of f(...). Tensors made during the call are kept if they are among
-- these values, also inside tables, frames, string columns, groups and search indexes, or if
-- locus.keep has been given them. All others are freed when the call ends, by an error too.
declare.add(core, declare.plain("tidy(f, arguments...)", function(f, ...)
  if type(f) ~= "function" then
    declare.raise("'f' must be a function, got %s", internal.describe(f))
  end
  return tidied(declare.call, f, ...)
end))

return tidied
