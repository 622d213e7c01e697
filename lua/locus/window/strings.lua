-- SPDX-License-Identifier: MIT
-- String columns: shift, and diff.
local core = require "locus.core"
local declare = require "locus.call.declare"
local internal = core.internal

return function(strings)
  local methods = strings.methods

  -- The positions 1..n, k places further along; 0 in the places that they leave.
  local function places(ids, k)
    local rows = core.arange(1, #ids + 1, {dtype = "int64", device = ids.device})
    return core.shift(rows, k, {fill = 0})
  end

  -- shift(k, {fill=""}): the strings k places further along, or back where k is negative; `fill` in
  -- the places that they leave.
  strings.method('shift(input:any, k:integer=1, {fill:any=""})', function(ids, _, c, k, fill)
    if type(fill) ~= "string" then
      declare.raise("'fill' must be a string, got %s", internal.describe(fill))
    end
    return methods.take(c, places(ids, k), fill)
  end, true)

  -- diff(): whether each string but the first differs from the one before it, bool.
  strings.method("diff(input:any)", function(ids, _, c)
    if #ids < 2 then return core.empty(0, {dtype = "bool", device = ids.device}) end
    return methods.ne(c[{{2, #ids}}], c[{{1, #ids - 1}}])
  end, true)
end
