-- SPDX-License-Identifier: MIT
-- Joins: the rows of two frames that have equal keys. Keys become numbers that both frames share;
-- the rows of the other frame lie ordered by number, so that a number's rows are a range of them.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.declare"
local sides = require "locus.frame.sides"
local strings = require "locus.frame.strings"
local internal = core.internal

local types = select(2, internal.dtypes())

-- -- Positions -----------------------------------------------------------------------------------

-- A row each at most: rows[i] is the row of the number i, 0 where there is none.
local function single(ids, count)
  local device = internal.device_of(ids)
  local rows = core.zeros(count, {dtype = "int64", device = device})
  rows[ids] = core.arange(1, #ids + 1, {dtype = "int64", device = device})
  return rows
end

-- Those rows that find one, and what they find; of a left join all rows, and 0 for nothing.
local function match_single(own, ids, count, left)
  local found = core.take(single(ids, count), own, 0)
  if left then return nil, found end
  local rows = core.nonzero(found, {as_tuple = true})
  if #rows == #own then return nil, found end
  return rows, found[rows]
end

-- Raises where the pairs are too many for any memory, before any of it is asked for.
local function check_total(total, columns)
  if total * 8 * (columns + 2) < 2 ^ 47 then return end
  declare.raise("the answer would have %.0f rows, which is too many; is a key missing in 'on'?",
    total)
end

-- Every pair of rows: those of the frame in their order, each as often as it finds one; and what it
-- finds, in the order of the other frame.
local function match_many(own, ids, counts, left, columns)
  local device = internal.device_of(own)
  local times = core.take(counts, own, 0)
  local found = times
  if left then times = core.clamp(times, 1) end
  local ends = core.cumsum(times, 1)
  local total = #own > 0 and tonumber(ends[#own]) or 0
  check_total(total, columns)
  local place = core.arange(1, total + 1, {dtype = "int64", device = device})
  local rows = core.searchsorted(ends, place)
  local before = core.take(core.cumsum(counts, 1) - counts, own, 0) - (ends - times)
  place:add_(before[rows])
  if left then place:masked_fill_(core.eq(found, 0)[rows], 0) end
  return rows, core.take(core.argsort(ids), place, 0)
end

-- Positions in both frames, as long as the answer; nil for all rows of the first one as they are.
local function pairs_of(own, ids, count, left, columns)
  local counts = core.bincount(ids, nil, count)
  if #ids == 0 or core.max(counts) <= 1 then return match_single(own, ids, count, left) end
  return match_many(own, ids, counts, left, columns)
end

-- -- Frames --------------------------------------------------------------------------------------

-- The rows of a frame at these positions, all of them for nil.
local function at(frame, state, rows)
  if not rows then return state end
  return frame.state(frame.map(state, function(c) return column.take(c, rows) end))
end

local function mask_of(own, ids, count)
  local there = core.zeros(count, {dtype = "bool", device = internal.device_of(ids)})
  there[ids] = true
  return core.take(there, own, false)
end

local hows = {}

function hows.inner(frame, state, rest, numbers, options)
  local own, ids, count = unpack(numbers)
  local rows, found = pairs_of(own, ids, count, false, #state.names + #rest.names)
  return frame.beside(at(frame, state, rows), at(frame, rest, found), options.suffix)
end

function hows.left(frame, state, rest, numbers, options)
  local own, ids, count = unpack(numbers)
  local rows, found = pairs_of(own, ids, count, true, #state.names + #rest.names)
  return frame.beside(at(frame, state, rows),
    frame.state(frame.take(rest, found, options.missing or {}, 1)), options.suffix)
end

function hows.semi(frame, state, _, numbers)
  local rows = core.nonzero(mask_of(unpack(numbers)), {as_tuple = true})
  return frame.map(state, function(c) return column.take(c, rows) end)
end

function hows.anti(frame, state, _, numbers)
  local rows = core.nonzero(core.logical_not(mask_of(unpack(numbers))), {as_tuple = true})
  return frame.map(state, function(c) return column.take(c, rows) end)
end

-- Raises for two columns that no dtype compares exactly.
local function check_comparable(name, a, b)
  if strings.is(a) then return end
  local one, other = internal.dtype_of(a), internal.dtype_of(b)
  local function mixed(x, y) return x == "int64" and types[y].kind == "COMPLEX" end
  if mixed(one, other) or mixed(other, one) then
    declare.raise("the column '%s' is %s in one frame and %s in the other, which do not compare",
      name, one, other)
  end
end

local function check_options(options)
  if not hows[options.how] then
    declare.raise("'how' must be \"inner\", \"left\", \"semi\" or \"anti\", got \"%s\"",
      options.how:sub(1, 40))
  end
  local missing = options.missing
  if missing == nil then return end
  if type(missing) ~= "table" then
    declare.raise("'missing' must be a table of values by name, got %s", internal.describe(missing))
  end
  if options.how ~= "left" then declare.raise("'missing' is for how = \"left\" alone") end
end

return function(frame)
  -- The numbers of both frames' rows, by the columns `on`: the frame's own, 0 for those that the
  -- other one does not know; the other's; and the greatest that there may be.
  local function number(state, other, on)
    local own, theirs, seen = {}, {}, {}
    for k, name in ipairs(on) do
      if seen[name] then declare.raise("'%s' is named twice", name:sub(1, 60)) end
      seen[name] = true
      own[k], theirs[k] = frame.pair(state, other, name)
      check_comparable(name, own[k], theirs[k])
    end
    local ids, found, count = sides.pair({theirs, "other: on", other.rows, "other"},
      {own, "frame: on", state.rows, "frame"})
    return {found, ids, count}
  end

  -- join(other, {on, how, suffix, missing}): the rows of the frame beside those of the other one
  -- that have equal values in the columns `on`, in the order of the frame and then of the other
  -- one; "left" keeps rows that find none, with NaN and "" or what `missing` says by name, "semi"
  -- those rows that find one, "anti" those that do not.
  frame.method('join(frame:any, other:any, {on:names, how:string="inner", suffix:string=nil, '
    .. "missing:any=nil})",
    function(state, given, on, how, suffix, missing)
      local other = frame.argument(given, "other")
      local options = {how = how, suffix = suffix, missing = missing}
      check_options(options)
      if #on == 0 then declare.raise("'on' names no column") end
      local rest = frame.state(frame.without(other, on))
      if how == "inner" or how == "left" then frame.beside(state, rest, suffix) end -- it may raise
      return hows[how](frame, state, rest, number(state, other, on), options)
    end)
end
