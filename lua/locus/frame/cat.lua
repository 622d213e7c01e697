-- SPDX-License-Identifier: MIT
-- locus.cat of frames and of string columns.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.declare"
local strings = require "locus.frame.strings"
local internal = core.internal

-- Raises unless all are what the first one is.
local function check_all(list, is, what)
  for i, value in ipairs(list) do
    if not is(value) then
      declare.raise("'tensors[%d]' must be %s, as 'tensors[1]' is, got %s", i, what,
        internal.describe(value))
    end
  end
end

-- Raises at the first column whose name or type is not that of the first frame.
local function check_same(first, other, i)
  for k = 1, math.max(#first.names, #other.names) do
    local own, name = first.names[k], other.names[k]
    if own ~= name then
      local function said(n) return n and ("'%s'"):format(n) or "none" end
      declare.raise("column %d of 'tensors[%d]' must be %s, as in 'tensors[1]', got %s", k, i,
        said(own), said(name))
    end
    local wanted = column.type_text(first.columns[own], first.kinds[own])
    local got = column.type_text(other.columns[name], other.kinds[name])
    if wanted ~= got then
      declare.raise("the column '%s' of 'tensors[%d]' must be %s, as in 'tensors[1]', got %s", own,
        i, wanted, got)
    end
  end
end

return function(frame)
  local function cat_columns(list)
    return strings.is(list[1]) and strings.cat(list) or internal.cat_tensors(list)
  end

  local function cat_frames(list)
    local states, columns = {}, {}
    for i, f in ipairs(list) do
      states[i] = frame.state(f)
      check_same(states[1], states[i], i)
    end
    for _, name in ipairs(states[1].names) do
      local parts = {}
      for i, state in ipairs(states) do parts[i] = state.columns[name] end
      columns[name] = cat_columns(parts)
    end
    return frame.make(states[1].names, columns, states[1].kinds)
  end

  -- cat(tensors): frames below each other, which have the same names and types in the same order;
  -- or string columns end to end.
  local cat = declare.define("cat(tensors:any, dim:integer=1)", function(list, dim)
    if dim ~= 1 and dim ~= -1 then declare.raise("'dim' must be 1, got %d", dim) end
    if strings.is(list[1]) then
      check_all(list, strings.is, "a string column")
      return strings.cat(list)
    end
    check_all(list, frame.is, "a frame")
    return cat_frames(list)
  end)

  local ours = {[frame.metatable.__metatable] = true, [strings.metatable.__metatable] = true}

  function frame.cat(tensors, ...)
    return (ours[getmetatable(rawget(tensors, 1))] and cat or internal.cat_tensors)(tensors, ...)
  end
end
