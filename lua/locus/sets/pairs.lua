-- SPDX-License-Identifier: MIT
-- Pairs of rows on two sides whose keys have the same number, in the order of the own side's rows,
-- then of the other's. On the CPU one pass in C (src/text/names/join.c) makes them, by all threads;
-- on a device, and for more rows than that takes, ops do.
local core = require "locus.core"
local internal = core.internal
local free = core.methods.free

local MOST = 2 ^ 32 - 1 -- rows of the other side

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

-- The number of pairs, and how often each row of the own side is in one: by its `found` matches,
-- and once without any if `all` are wanted.
local function count(found, all)
  local times = all and core.clamp(found, 1) or found
  return tonumber(core.sum(times)), times
end

-- The same as pairs_of, of more than no other numbers.
local function by_ops(own, others, groups, all, most)
  local counts = core.bincount(others, nil, groups)
  local found = counts:take(own, 0)
  local total, times = count(found, all)
  if total > most then return total end
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
  return total, rows, matched
end

-- Rows of the own side whose number is that of a row.
local function single(own, most)
  local has = core.gt(own, 0)
  local total = core.count_nonzero(has)
  if total > most then return total end
  local rows = core.nonzero(has, {as_tuple = true})
  free(has)
  return total, rows, own[rows]
end

-- The number of pairs; and if they are at most `most`, the rows of both sides, counted from 1. The
-- numbers are int32: own 0..groups, where 0 finds nothing, others 1..groups; others nil: row k of
-- the other side has number k. With `all` each row of the own side that finds nothing is beside 0.
return function(own, others, groups, all, most)
  if internal.device_of(own) == "cpu" and (not others or #others <= MOST) then
    return internal.join_rows_host(own:contiguous(), others and others:contiguous(), groups, all,
      most)
  end
  if not others then return single(own, most) end
  return by_ops(own, others, groups, all, most)
end
