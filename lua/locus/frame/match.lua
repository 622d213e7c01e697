-- SPDX-License-Identifier: MIT
-- Rows of another frame beside those of a frame.
local asof = require "locus.frame.asof"
local column = require "locus.frame.column"
local declare = require "locus.call.declare"
local sides = require "locus.frame.sides"
local core = require "locus.core"
local free, internal = core.methods.free, core.internal

return function(frame)
  -- The state of a frame that is an argument.
  function frame.argument(value, name)
    local state = frame.state(value)
    if state then return state end
    declare.raise("'%s' must be a frame, got %s", name, internal.describe(value))
  end

  local function check_missing(missing, rest)
    if missing == nil then return end
    if type(missing) ~= "table" then
      declare.raise("'missing' must be a table of values by name, got %s",
        internal.describe(missing))
    end
    for name in pairs(missing) do
      if type(name) ~= "string" then
        declare.raise("'missing' must have its values by name, got one by %s",
          internal.describe(name))
      elseif not rest.columns[name] then
        declare.raise("'missing' names the column '%s', and 'other' brings %s", name:sub(1, 60),
          #rest.names > 0 and "'" .. table.concat(rest.names, "', '") .. "'" or "none")
      end
    end
  end

  -- The columns of another frame, except the keys, and their names beside the first frame's: with
  -- the suffix where both have one. Raises where two columns would have one name, and where
  -- `missing` is no table of values for these columns.
  function frame.rest(state, other, keys, suffix, missing)
    local rest, names, taken = frame.state(frame.without(other, keys)), {}, {}
    check_missing(missing, rest)
    for _, name in ipairs(state.names) do taken[name] = true end
    for i, old in ipairs(rest.names) do
      local name = state.columns[old] and suffix and old .. suffix or old
      if taken[name] and not suffix then
        declare.raise("both frames have a column '%s'; give a 'suffix' for those of the other one, "
          .. "or rename it", name)
      elseif taken[name] then
        declare.raise("'suffix' makes a second column '%s' of '%s'; give another one", name, old)
      end
      names[i], taken[name] = name, true
    end
    return rest, names
  end

  -- The columns of a frame, and behind them those of another one with as many rows, by these names.
  function frame.beside(state, other, others)
    local names, columns, kinds = {}, {}, {}
    local function add(name, from, old)
      names[#names + 1], columns[name], kinds[name] = name, from.columns[old], from.kinds[old]
    end
    for _, name in ipairs(state.names) do add(name, state, name) end
    for i, old in ipairs(other.names) do add(others[i], other, old) end
    return frame.make(names, columns, kinds)
  end

  -- The columns of these names in both frames. Strings do not compare with numbers, nor times of
  -- different units, nor two dtypes that no third one holds exactly.
  function frame.pair(state, other, name, their_name)
    their_name = their_name or name
    local own, theirs = frame.column(state, name), frame.column(other, their_name, "'other'")
    local kind, their_kind = state.kinds[name], other.kinds[their_name]
    local a, b = column.type_text(own, kind), column.type_text(theirs, their_kind)
    if a ~= b and (kind and their_kind or a == "string" or b == "string")
      or not sides.are_comparable(own, theirs) then
      if name == their_name then
        declare.raise("the column '%s' must be of the same kind in both frames, got %s and %s",
          name, a, b)
      end
      declare.raise("the column '%s' and the other frame's '%s' must be of the same kind, got %s "
        .. "and %s", name, their_name, a, b)
    end
    return own, theirs
  end

  -- Raises unless the names, an argument, are different ones.
  local function check_names(names, argument)
    local seen = {}
    if #names == 0 then declare.raise("'%s' names no column", argument) end
    for _, name in ipairs(names) do
      if seen[name] then declare.raise("'%s' names '%s' twice", argument, name:sub(1, 60)) end
      seen[name] = true
    end
  end

  -- The columns of these names in both frames, two lists; `argument` is the name of the argument.
  function frame.pairs(state, other, names, argument, their_names, their_argument)
    local own, theirs = {}, {}
    check_names(names, argument)
    if their_names then check_names(their_names, their_argument) end
    for k, name in ipairs(names) do
      own[k], theirs[k] = frame.pair(state, other, name, their_names and their_names[k])
    end
    return own, theirs
  end

  local function keys_of(state, other, names)
    local own, theirs = frame.pairs(state, other, names, "by")
    return {theirs, own}
  end

  -- asof(other, {on, by, direction, tolerance, inclusive, suffix, missing}): adds the columns of
  -- the other frame, except `on` and `by`, from the row that was in force. That is the last row
  -- whose `on` is not greater, among those with the same `by`, as locus.asof finds it. A row
  -- without a match has NaN and "", or the value that `missing` names for the column; integers need
  -- one.
  frame.method('asof(frame:any, other:any, {on:string, by:names=nil, direction:string="backward", '
    .. "tolerance:any=nil, inclusive:boolean=true, suffix:string=nil, missing:any=nil})",
    function(state, given, on, by, direction, tolerance, inclusive, suffix, missing)
      local other = frame.argument(given, "other")
      local values, sequence = frame.pair(state, other, on)
      if column.type(values) == "string" then
        declare.raise("the column '%s' must be of numbers, got a string column", on)
      end
      local options = {direction = direction, tolerance = tolerance, inclusive = inclusive,
                       by = by and keys_of(state, other, by), base = 1}
      local rest, rest_names = frame.rest(state, other, {on, unpack(by or {})}, suffix, missing)
      local names = {sequence = "other." .. on, values = "frame." .. on, by_sequence = "other: by",
                     by_values = "frame: by"}
      local rows = asof(sequence, values, options, names)
      local taken = frame.take(rest, rows, missing or {}, 1)
      free(rows)
      return frame.beside(state, frame.state(taken), rest_names)
    end)
end
