-- SPDX-License-Identifier: MIT
-- Groups: a column of the frame's length, in its order, whose missing values are filled from rows
-- of their own group.
local aggregate = require "locus.frame.aggregate"
local answers = require "locus.frame.answers"
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local gaps = require "locus.missing.tensor"
local kinds = require "locus.tensor.kind"
local strings = require "locus.frame.strings"
local internal = core.internal

-- The order is for devices alone: the CPU keeps the last row of each group.
local function filled(state, tensor, backward, limit, missing)
  local order = column.device(tensor) ~= "cpu" and answers.order(state) or nil
  return internal.fill_groups(tensor, state.ids, order, state.size, backward, limit, missing)
end

-- `missing` beside times may be a text.
local function check_missing(c, missing, name)
  local number = type(missing) == "number" or type(missing) == "cdata"
  if not number and not (type(missing) == "string" and kinds.of(c)) then
    declare.raise("'missing' must be a whole number, got %s", internal.describe(missing))
  end
  gaps.check(c, name)
end

return function(method)
  -- ffill(column), bfill(column): as x:ffill and c:ffill, along the rows of each group.
  for name, backward in pairs {ffill = false, bfill = true} do
    method(name .. "(group:any, column:any, {limit:integer=nil, missing:any=nil})",
      function(state, given, limit, missing)
        local c, _, name_of = aggregate.values(state, given)
        local ids, dictionary = strings.parts(c)
        if not ids then
          if missing ~= nil then check_missing(c, missing, name_of) end
          return filled(state, c, backward, limit, missing)
        end
        if missing ~= nil then
          declare.raise("'missing' is a value of integers, and in strings \"\" is missing")
        end
        local empty = internal.dictionary_find(dictionary, "")
        return empty and strings.like(c, filled(state, ids, backward, limit, empty)) or c
      end)
  end
end
