-- SPDX-License-Identifier: MIT
-- As-of: for each value the row of a sorted sequence that is in force. Rows are found by searching
-- the whole sequence; where there are groups, a walk through both then finds the nearest row of the
-- value's own.
local core = require "locus.core"
local declare = require "locus.declare"
local sides = require "locus.frame.sides"
local order = require "locus.derived.order"
local internal = core.internal

local is_float = order.is_float

-- -- What is given -------------------------------------------------------------------------------

-- Raises unless the rows of each group ascend.
local function check_groups(x, name, ids, base)
  local rows = core.argsort(ids)
  local n, sorted, groups = #x, x[rows], ids[rows]
  local wrong = core.logical_and(core.lt(sorted[{{2, n}}], sorted[{{1, n - 1}}]),
    core.eq(groups[{{2, n}}], groups[{{1, n - 1}}]))
  if not core.any(wrong) then return end
  local row, k = core.min(rows[{{2, n}}][wrong], 1)
  local before = rows[{{1, n - 1}}][wrong][k:item()]
  order.raise(x, name, tonumber(row:item()), tonumber(before), base, " within its group")
end

-- nil where x ascends; else the order in which it does, where its groups do each for itself.
local function order_of(x, name, ids, base)
  local row = internal.unsorted(x)
  order.check_nan(x, name, not row)
  if not row then return nil end
  if not ids then order.raise(x, name, tonumber(row), tonumber(row) - 1, base) end
  check_groups(x, name, ids, base)
  return core.argsort(x)
end

local function check_by(by)
  if type(by) == "table" and #by == 2 then return end
  declare.raise("'by' must be {of the sequence, of the values}, got %s", internal.describe(by))
end

local function check_tolerance(tolerance)
  local number = type(tolerance) == "cdata" and tonumber(tolerance) or tolerance
  if type(number) == "number" and number >= 0 then return end
  declare.raise("'tolerance' must be a number from 0 on, got %s", internal.describe(tolerance))
end

-- -- Rows ----------------------------------------------------------------------------------------

-- The last row with a key before each value, forward the first one after it; or equal to it, where
-- that counts.
local function rows_of(s, forward)
  local right = s.inclusive ~= forward
  if s.of_rows then
    local limits = core.searchsorted(s.sequence, s.values, {right = right, base = 0})
    return internal.asof_rows(limits, s.of_rows, s.of_values, s.groups, forward, s.base)
  end
  if not forward then
    local before = core.searchsorted(s.sequence, s.values, {right = right, base = 0})
    return s.base == 1 and before or before:sub_(1)
  end
  local rows = core.searchsorted(s.sequence, s.values, {right = right, base = s.base})
  return rows:masked_fill_(core.eq(rows, #s.sequence + s.base), s.base - 1)
end

-- How far a row's key is from the value: of integers exactly, but modulo 2^64; else as float64.
-- Where there is no row it means nothing.
local function distances(s, rows, forward)
  local found = core.take(s.sequence, rows, 0, {base = s.base})
  local from, to = forward and s.values or found, forward and found or s.values
  if not is_float(from) and not is_float(to) then return core.sub(to:long(), from:long()) end
  return core.masked_fill(core.sub(to:double(), from:double()), core.eq(from, to), 0)
end

local LEAST = -2 ^ 63

-- a <= b; of int64 without their sign.
local function is_closer(a, b)
  if is_float(a) then return core.le(a, b) end
  return core.le(core.bxor(a, LEAST), core.bxor(b, LEAST))
end

local function is_within(distance, tolerance)
  if is_float(distance) then return core.le(distance, tolerance) end
  local wrapped = core.lt(distance, 0)
  local within = core.logical_and(core.le(distance, tolerance), core.logical_not(wrapped))
  if type(tolerance) == "cdata" or tolerance < 2 ^ 63 then return within end
  return core.logical_or(within,
    core.logical_and(wrapped, core.le(distance:double() + 2 ^ 64, tolerance)))
end

-- The nearer one of the last row before a value and the first one after it, and how far it is.
local function nearest_of(s)
  local before, after = rows_of(s, false), rows_of(s, true)
  local to_before, to_after = distances(s, before, false), distances(s, after, true)
  local takes_before = core.logical_or(core.lt(after, s.base),
    core.logical_and(core.ge(before, s.base), is_closer(to_before, to_after)))
  return core.where(takes_before, before, after), core.where(takes_before, to_before, to_after)
end

local directions = {
  backward = function(s) return rows_of(s, false) end,
  forward = function(s) return rows_of(s, true) end,
  nearest = nearest_of,
}

local function search(s, direction, tolerance)
  local rows, distance = directions[direction](s)
  if tolerance == nil or tolerance == math.huge or #s.sequence == 0 then return rows end
  distance = distance or distances(s, rows, direction == "forward")
  local beyond = core.logical_not(is_within(distance, tolerance))
  return rows:masked_fill_(beyond, s.base - 1)
end

-- Answers for rows and values that were brought into order, as they were before.
local function restore(rows, s, sequence_order, values_order)
  if sequence_order then
    rows = core.take(sequence_order + (s.base - 1), rows, s.base - 1, {base = s.base})
  end
  if not values_order then return rows end
  local restored = core.empty_like(rows)
  restored[values_order] = rows
  return restored
end

-- The sides in order: what `search` takes, and the orders that they were brought into. options: the
-- arguments of asof by name; names: what messages call the four columns.
local function prepare(sequence, values, options, names)
  local s = {sequence = sequence, values = values, inclusive = options.inclusive,
             base = options.base}
  if options.by then
    s.of_rows, s.of_values, s.groups = sides.pair(
      {options.by[1], names.by_sequence, #sequence, names.sequence},
      {options.by[2], names.by_values, #values, names.values})
  end
  local sequence_order = order_of(sequence, names.sequence, s.of_rows, s.base)
  local values_order = order_of(values, names.values, s.of_values, s.base)
  if sequence_order then
    s.sequence, s.of_rows = sequence[sequence_order], s.of_rows[sequence_order]
  end
  if values_order then
    s.values, s.of_values = values[values_order], s.of_values[values_order]
  end
  if options.by then
    s.of_rows, s.of_values = s.of_rows:contiguous(), s.of_values:contiguous()
  end
  return s, sequence_order, values_order
end

-- What asof answers, of arguments whose types have been checked.
local function asof(sequence, values, options, names)
  order.check_real(sequence, names.sequence)
  order.check_real(values, names.values)
  if not directions[options.direction] then
    declare.raise("'direction' must be \"backward\", \"forward\" or \"nearest\", got \"%s\"",
      options.direction)
  end
  if options.tolerance ~= nil then check_tolerance(options.tolerance) end
  local s, sequence_order, values_order = prepare(sequence, values, options, names)
  return restore(search(s, options.direction, options.tolerance), s, sequence_order, values_order)
end

local names = {sequence = "sorted_sequence", values = "values", by_sequence = "by[1]",
               by_values = "by[2]"}

-- asof(sorted_sequence, values, {by, direction, tolerance, inclusive, base}): for each value the
-- position of the last element of the sequence that is not greater (backward), of the first one
-- that is not less (forward), or of the nearer of the two, the former if they are equally near.
-- With by = {of_sequence, of_values}, among the elements whose key is the value's. base - 1 where
-- there is none, or none within the tolerance; elements equal to the value count unless inclusive
-- is false. Errors: either side out of order, by groups where there are any, or with NaN.
declare.func("asof(sorted_sequence:tensor, values:tensor, {by:any=nil, "
  .. 'direction:string="backward", tolerance:any=nil, inclusive:boolean=true, base=1})',
  function(sequence, values, by, direction, tolerance, inclusive, base)
    if by ~= nil then check_by(by) end
    local options = {by = by, direction = direction, tolerance = tolerance, inclusive = inclusive,
                     base = base}
    return asof(sequence, values, options, names)
  end)

return asof
