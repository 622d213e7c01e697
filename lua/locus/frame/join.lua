-- SPDX-License-Identifier: MIT
-- Joins: the rows of two frames that agree in their keys, side by side. Keys become numbers that
-- both sides share; the rest is counting.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local pairs_by_number = require "locus.sets.pairs"
local sides = require "locus.frame.sides"
local internal = core.internal
local free = core.methods.free

-- The bytes of a row of two frames, and how many such rows fit into the memory that there is.
local function most_rows(state, other)
  local bytes = 16 -- a row on each side, by number
  for _, side in ipairs {state, other} do
    for _, c in pairs(side.columns) do
      bytes = bytes + core.methods.element_size((column.parts(c)))
    end
  end
  return bytes, math.floor(internal.memory_of_machine() / bytes)
end

-- Whether each row's number is its place, as it is if all keys are distinct.
local function are_rows(ids, rows)
  local last = rows > 0 and tonumber(ids[-1]) == rows
  return last and core.equal(ids, core.arange(1, rows + 1,
    {dtype = internal.dtype_of(ids), device = internal.device_of(ids)}))
end

return function(frame)
  -- The keys of both sides as numbers, 0 if the other side cannot have the key: this side's, the
  -- other's, and the greatest number. If the other side's keys are distinct and in order, this
  -- side's numbers are the rows of the other, and nothing else is needed.
  local function numbers_of(state, other, keys)
    local theirs, ours, count = sides.pair({keys.others, "other: on", other.rows, "other"},
      {keys.own, "frame: on", state.rows, "frame"})
    if not are_rows(theirs, other.rows) then return ours, theirs, count end
    if count == other.rows then return ours, nil, count end
    return core.masked_fill(ours, core.gt(ours, other.rows), 0), nil, other.rows
  end

  -- Pairs of rows with the same key, in the order of this side's rows, then of the other's: their
  -- rows on both sides, and whether there are two in each pair. If all rows of this side are
  -- wanted, those without a match have 0 beside them. First nil: this side's rows as they are.
  local function pairs_of(state, other, keys, all)
    local own, others, count = numbers_of(state, other, keys)
    if not others then
      local match = core.count_nonzero(own) == state.rows
      if all or match then return nil, own, match end
    end
    local bytes, most = most_rows(state, other)
    local total, rows, matched = pairs_by_number(own, others, count, all, most)
    if rows then return rows, matched, not all end
    declare.raise("the result would have %.0f rows, that is %.0f bytes, and the memory has %.0f",
      total, total * bytes, internal.memory_of_machine())
  end

  -- This side's columns, which are those of the frame itself if all of its rows stay anyway.
  local function own_columns(state, rows, all)
    if rows then return frame.state(frame.at(state, rows)) end
    if all then return state end
    return frame.state(frame.map(state, function(c) return column.map(c, core.methods.clone) end))
  end

  -- Both frames side by side. The names of the result are known before any row is looked at.
  local function beside(state, other, keys, all, suffix, missing)
    local rest, names = frame.rest(state, other, keys.names, suffix, missing)
    local rows, others, match = pairs_of(state, other, keys, all)
    local own = own_columns(state, rows, all)
    local taken = frame.state(match and not missing and frame.at(rest, others)
      or frame.take(rest, others, missing or {}, 1))
    if rows then -- else `others` may be the ids of a string column
      free(rows)
      free(others)
    end
    return frame.beside(own, taken, names)
  end

  local function filtered(state, other, keys, wanted)
    local own, others, count = numbers_of(state, other, keys)
    if others then own = core.bincount(others, nil, count):take(own, 0) end
    local rows = core.nonzero((wanted and core.gt or core.eq)(own, 0), {as_tuple = true})
    return frame.at(state, rows)
  end

  local brings = {inner = true, left = true, semi = false, anti = false} -- columns of the other one

  local function check(how, suffix, missing)
    if brings[how] == nil then
      declare.raise("'how' must be \"inner\", \"left\", \"semi\" or \"anti\", got \"%s\"", how)
    elseif suffix ~= nil and not brings[how] then
      declare.raise("'suffix' is for columns of 'other', and how = \"%s\" takes none of them", how)
    elseif missing ~= nil and how ~= "left" then
      declare.raise("'missing' is for rows that find nothing, which only how = \"left\" keeps")
    end
  end

  -- join(other, {on, how, suffix, missing}): every pair of rows of the two frames whose columns
  -- `on` are equal (NaN equals NaN), side by side, in the order of this frame's rows, then of the
  -- other's. how = "left" also keeps rows without a match, with NaN and "", or the value that
  -- `missing` names for the column; integers need one. "semi" keeps this frame's rows that have a
  -- match, "anti" those that have none, both without columns of the other frame. Errors: a name
  -- that both frames have, without a suffix for the other's; a result larger than the machine's
  -- memory.
  frame.method("join(frame:any, other:any, {on:names, how:string=\"inner\", suffix:string=nil, "
    .. "missing:any=nil})",
    function(state, given, on, how, suffix, missing)
      local other = frame.argument(given, "other")
      check(how, suffix, missing)
      local keys = {names = on}
      keys.own, keys.others = frame.pairs(state, other, on, "on")
      if not brings[how] then return filtered(state, other, keys, how == "semi") end
      return beside(state, other, keys, how == "left", suffix, missing)
    end)
end
