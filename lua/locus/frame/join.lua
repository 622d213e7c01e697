-- SPDX-License-Identifier: MIT
-- Joins: the rows of two frames that agree in their keys, side by side. Keys become numbers that
-- both sides share; from there on it is counting.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.declare"
local keys = require "locus.frame.keys"
local internal = core.internal

-- For rows that stand `counts` times each, `total` in all: which one stands at each place, from 1
-- on, and how many times it has stood before.
local function spread(counts, total)
  local ends = core.cumsum(counts, 1)
  local place = core.arange(0, total, {dtype = "int64", device = internal.device_of(counts)})
  local row = core.searchsorted(ends, place, {right = true, base = 1})
  return row, place:sub_(core.sub(ends, counts)[row])
end

-- Raises where so many rows of two frames cannot fit into the memory that there is.
local function check_size(total, state, other)
  local bytes = 16 -- a row on each side, by number
  for _, side in ipairs {state, other} do
    for _, c in pairs(side.columns) do
      bytes = bytes + core.methods.element_size(column.tensor(c))
    end
  end
  local memory = internal.memory_of_machine()
  if total * bytes <= memory then return end
  declare.raise("the result would have %.0f rows, that is %.0f bytes, and the memory has %.0f",
    total, total * bytes, memory)
end

-- Rows by number of their key, 0..count: where those of each number begin in the order of numbers,
-- counted from 0 on, how many there are, and that order.
local function gather(ids, count)
  local counts = core.bincount(ids, nil, count + 1)
  return core.sub(core.cumsum(counts, 1), counts), counts, core.argsort(ids)
end

return function(frame)
  -- The numbers of the keys on both sides: the own ones, 0 where the other side has no such key; the
  -- others', 1..count; and count.
  local function numbers_of(state, other, names)
    local own, others = {}, {}
    for k, name in ipairs(names) do own[k], others[k] = frame.pair(state, other, name) end
    local theirs, ours, count = keys.pair({others, "other: on", other.rows, "other"},
      {own, "frame: on", state.rows, "frame"})
    local most = other.rows > 0 and tonumber(core.max(theirs):item()) or 0
    if most < count then ours = core.masked_fill(ours, core.gt(ours, most), 0) end
    return ours, theirs, most
  end

  -- Pairs of rows with the same key, in the order of the own ones, then of the others. Where all the
  -- own ones are wanted, those without another have 0 beside them.
  local function pairs_of(state, other, names, all)
    local own, others, count = numbers_of(state, other, names)
    if count == other.rows then -- each key is there once, and has the number of its row
      if all then return nil, own end
      local rows = core.nonzero(core.gt(own, 0), {as_tuple = true})
      return rows, own[rows]
    end
    local starts, counts, order = gather(others, count)
    own = core.add(own:long(), 1)
    local times = counts[own]
    local total = tonumber(core.sum(all and core.clamp(times, 1) or times):item())
    check_size(total, state, other)
    local rows, before = spread(all and core.clamp(times, 1) or times, total)
    local place = core.add(starts[own[rows]], before)
    if not all then return rows, order:take(place, {base = 0}) end
    local none = core.eq(times, 0)[rows]
    return rows, order:take(place:masked_fill_(none, -1), 0, {base = 0})
  end

  local function beside(state, other, names, rows, others, suffix, missing)
    local rest = frame.state(frame.without(other, names))
    local own = state
    if rows then own = frame.state(frame.map(state, function(c) return column.take(c, rows) end)) end
    return frame.beside(own, frame.state(frame.take(rest, others, missing or {}, 1)), suffix)
  end

  local function filtered(state, other, names, wanted)
    local found = core.gt((numbers_of(state, other, names)), 0)
    if not wanted then found = found:logical_not() end
    local rows = core.nonzero(found, {as_tuple = true})
    return frame.map(state, function(c) return column.take(c, rows) end)
  end

  local ways = {
    inner = function(state, other, names, suffix)
      local rows, others = pairs_of(state, other, names, false)
      return beside(state, other, names, rows, others, suffix)
    end,
    left = function(state, other, names, suffix, missing)
      local rows, others = pairs_of(state, other, names, true)
      return beside(state, other, names, rows, others, suffix, missing)
    end,
    semi = function(state, other, names) return filtered(state, other, names, true) end,
    anti = function(state, other, names) return filtered(state, other, names, false) end,
  }

  local function check(how, suffix, missing)
    if not ways[how] then
      declare.raise("'how' must be \"inner\", \"left\", \"semi\" or \"anti\", got \"%s\"", how)
    elseif suffix ~= nil and how ~= "inner" and how ~= "left" then
      declare.raise("'suffix' is for columns of 'other', of which how = \"%s\" takes none", how)
    elseif missing ~= nil and how ~= "left" then
      declare.raise("'missing' is for rows that find nothing, which only how = \"left\" keeps")
    elseif missing ~= nil and type(missing) ~= "table" then
      declare.raise("'missing' must be a table of values by name, got %s",
        internal.describe(missing))
    end
  end

  -- join(other, {on, how, suffix, missing}): rows of this frame and of the other one whose columns
  -- `on` are equal (NaN equals NaN), side by side: every pair of them, in the order of this frame's
  -- rows, then of the other's. how = "left" keeps the rows that find nothing, with NaN and "" or what
  -- `missing` says by name, which integers need; "semi" keeps this frame's rows that find something,
  -- "anti" those that find nothing, both without columns of the other one. A name that both have
  -- raises, unless there is a suffix for the other's; so does a result beyond the machine's memory.
  frame.method("join(frame:any, other:any, {on:names, how:string=\"inner\", suffix:string=nil, "
    .. "missing:any=nil})",
    function(state, given, on, how, suffix, missing)
      local other = frame.argument(given, "other")
      check(how, suffix, missing)
      return ways[how](state, other, on, suffix, missing)
    end)
end
