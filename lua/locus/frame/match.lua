-- SPDX-License-Identifier: MIT
-- Rows of another frame beside those of a frame.
local asof = require "locus.frame.asof"
local column = require "locus.frame.column"
local declare = require "locus.declare"
local internal = require("locus.core").internal

return function(frame)
  -- The state of a frame that is an argument.
  function frame.argument(value, name)
    local state = frame.state(value)
    if state then return state end
    declare.raise("'%s' must be a frame, got %s", name, internal.describe(value))
  end

  -- The columns of `other`, as many rows of another frame, behind those of the first. A name that
  -- both have gets the suffix; without one it raises.
  function frame.beside(state, other, suffix)
    local names, columns, kinds = {}, {}, {}
    local function add(name, from, old)
      names[#names + 1], columns[name], kinds[name] = name, from.columns[old], from.kinds[old]
    end
    for _, name in ipairs(state.names) do add(name, state, name) end
    for _, old in ipairs(other.names) do
      local name = columns[old] and suffix and old .. suffix or old
      if columns[name] then
        declare.raise("both frames have a column '%s'; give a 'suffix' for those of the other one, "
          .. "or rename it", name)
      end
      add(name, other, old)
    end
    return frame.make(names, columns, kinds)
  end

  -- The columns of that name in both frames. Strings and numbers do not compare, nor do times in
  -- other units.
  function frame.pair(state, other, name)
    local own, theirs = frame.column(state, name), frame.column(other, name)
    local kind, their_kind = state.kinds[name], other.kinds[name]
    local a, b = column.type_text(own, kind), column.type_text(theirs, their_kind)
    if a ~= b and (kind and their_kind or a == "string" or b == "string") then
      declare.raise("the column '%s' must be of one kind in both frames, got %s and %s", name, a, b)
    end
    return own, theirs
  end

  -- The keys that asof takes, of the columns of these names.
  local function keys_of(state, other, names)
    if #names == 0 then declare.raise("'by' names no column") end
    local own, theirs = {}, {}
    for k, name in ipairs(names) do own[k], theirs[k] = frame.pair(state, other, name) end
    return {theirs, own}
  end

  -- asof(other, {on, by, direction, tolerance, inclusive, suffix, missing}): the frame with the
  -- columns of the other one, but for `on` and `by`, from the row that was in force: the last one
  -- whose `on` is not greater, among those with the same `by`, as locus.asof finds it. What finds
  -- none has NaN and "", or what `missing` says by name; integers must have it said.
  frame.method('asof(frame:any, other:any, {on:string, by:names=nil, direction:string="backward", '
    .. "tolerance:any=nil, inclusive:boolean=true, suffix:string=nil, missing:any=nil})",
    function(state, given, on, by, direction, tolerance, inclusive, suffix, missing)
      local other = frame.argument(given, "other")
      if missing ~= nil and type(missing) ~= "table" then
        declare.raise("'missing' must be a table of values by name, got %s",
          internal.describe(missing))
      end
      local values, sequence = frame.pair(state, other, on)
      if column.type(values) == "string" then
        declare.raise("the column '%s' must be of numbers, got a string column", on)
      end
      local options = {direction = direction, tolerance = tolerance, inclusive = inclusive,
                       by = by and keys_of(state, other, by), base = 1}
      local names = {sequence = "other." .. on, values = "frame." .. on, by_sequence = "other: by",
                     by_values = "frame: by"}
      local rows = asof(sequence, values, options, names)
      local rest = frame.state(frame.without(other, {on, unpack(by or {})}))
      return frame.beside(state, frame.state(frame.take(rest, rows, missing or {}, 1)), suffix)
    end)
end
