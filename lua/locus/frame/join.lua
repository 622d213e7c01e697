-- SPDX-License-Identifier: MIT
-- Joins: the rows of two frames that agree in their keys, side by side. Keys become numbers that
-- both sides share; the rest is counting.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local sides = require "locus.frame.sides"
local internal = core.internal
local free = core.methods.free

-- Rows repeated `counts` times each, `total` in all: the row at each place, counted from 1, and how
-- often it has come before.
local function spread(counts, total)
  local ends = core.cumsum(counts, 1)
  local place = core.arange(0, total, {dtype = "int64", device = internal.device_of(counts)})
  local row = core.searchsorted(ends, place, {right = true, base = 1})
  local starts = core.sub(ends, counts)
  local before = starts[row]
  place:sub_(before)
  for _, each in ipairs {ends, starts, before} do free(each) end
  return row, place
end

-- Raises where the given number of rows of two frames cannot fit into the memory that there is.
local function check_size(total, state, other)
  local bytes = 16 -- a row on each side, by number
  for _, side in ipairs {state, other} do
    for _, c in pairs(side.columns) do
      bytes = bytes + core.methods.element_size((column.parts(c)))
    end
  end
  local memory = internal.memory_of_machine()
  if total * bytes <= memory then return end
  declare.raise("the result would have %.0f rows, that is %.0f bytes, and the memory has %.0f",
    total, total * bytes, memory)
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
    if count == other.rows then return ours end
    return core.masked_fill(ours, core.gt(ours, other.rows), 0)
  end

  -- Pairs of rows with the same key, in the order of this side's rows, then of the other's. If all
  -- rows of this side are wanted, those without a match have 0 beside them. nil: this side's rows
  -- as they are.
  local function pairs_of(state, other, keys, all)
    local own, others, count = numbers_of(state, other, keys)
    if not others then
      if all then return nil, own end
      local rows = core.nonzero(core.gt(own, 0), {as_tuple = true})
      return rows, own[rows]
    end
    local counts = core.bincount(others, nil, count)
    local found = counts:take(own, 0)
    local times = all and core.clamp(found, 1) or found
    local total = tonumber(core.sum(times))
    check_size(total, state, other)
    local rows, before = spread(times, total)
    if all then free(times) end
    local ends = core.cumsum(counts, 1)
    local starts = core.sub(ends, counts) -- of each number in the order of them
    local numbers = own[rows]
    local place = starts:take(numbers, 0):add_(before)
    for _, each in ipairs {before, counts, ends, starts, numbers} do free(each) end
    local order = core.argsort(others)
    if all then
      local none = core.eq(found, 0)
      local unmatched = none[rows]
      place:masked_fill_(unmatched, -1)
      free(none)
      free(unmatched)
    end
    local matched = all and order:take(place, 0, {base = 0}) or order:take(place, {base = 0})
    for _, each in ipairs {place, order, found} do free(each) end
    return rows, matched
  end

  -- Both frames side by side. The names of the result are known before any row is looked at.
  local function beside(state, other, keys, all, suffix, missing)
    local rest, names = frame.rest(state, other, keys.names, suffix, missing)
    local rows, others = pairs_of(state, other, keys, all)
    local own = rows and frame.state(frame.at(state, rows)) or state
    local taken = frame.state(frame.take(rest, others, missing or {}, 1))
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
