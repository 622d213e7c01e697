-- SPDX-License-Identifier: MIT
-- As-of: for each value the row of a sorted sequence that is in force. Rows are found by searching
-- the whole sequence. With groups, a walk through both then finds the nearest row of the value's
-- own.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local keys = require "locus.frame.keys"
local kinds = require "locus.tensor.kind"
local quantity = require "locus.tensor.quantity"
local sides = require "locus.frame.sides"
local order = require "locus.derived.order"
local internal = core.internal

local is_float = order.is_float
local free = core.methods.free

-- -- What is given -------------------------------------------------------------------------------

-- Raises unless the rows of each group ascend.
local function check_groups(x, name, ids, base)
  local rows = core.argsort(ids)
  local n, sorted, groups = #x, x[rows], ids[rows]
  local falls = core.lt(sorted[{{2, n}}], sorted[{{1, n - 1}}])
  local alike = core.eq(groups[{{2, n}}], groups[{{1, n - 1}}])
  local wrong = core.logical_and(falls, alike)
  local right = not core.any(wrong)
  for _, each in ipairs {sorted, groups, falls, alike} do free(each) end
  if right then
    free(rows)
    free(wrong)
    return
  end
  local row, k = core.min(rows[{{2, n}}][wrong], 1)
  local before = rows[{{1, n - 1}}][wrong][k:item()]
  order.raise(x, name, tonumber(row:item()), tonumber(before), base, " within its group")
end

-- nil if x ascends; else the order that sorts it, if each of its groups ascends by itself.
-- number(): the group of each row; nil without groups.
local function order_of(x, name, number, base)
  local row = internal.unsorted(x)
  order.check_nan(x, name, not row)
  if not row then return nil end
  if not number then order.raise(x, name, tonumber(row), tonumber(row) - 1, base) end
  check_groups(x, name, number(), base)
  return core.argsort(x)
end

-- A key, or several in a list; lists of numbers and of strings become columns.
local function read_key(key, name, device)
  if type(key) ~= "table" then return key end
  local first = type(key[1])
  if first ~= "table" and first ~= "userdata" then return column.of(name, key, nil, device) end
  local list = {}
  declare.check_keys(key, ("'%s'"):format(name), "a key, or a list of keys", #key)
  for k, one in ipairs(key) do list[k] = read_key(one, ("%s[%d]"):format(name, k), device) end
  return list
end

local function read_by(by, device)
  if type(by) ~= "table" or #by ~= 2 then
    declare.raise("'by' must be {of the sequence, of the values}, got %s", internal.describe(by))
  end
  declare.check_keys(by, "'by'", "{of the sequence, of the values}", 2)
  return {read_key(by[1], "by[1]", device), read_key(by[2], "by[2]", device)}
end

-- A tolerance in units of the sequence, which a duration is brought to.
local function read_tolerance(tolerance, sequence)
  if not (quantity.is and quantity.is(tolerance)) then return tolerance end
  local units = quantity.units_beside(tolerance, kinds.of(sequence))
  if units then return units end
  declare.raise("'tolerance' is %s, and the sequence is %s", internal.describe(tolerance),
    internal.describe(sequence))
end

local function check_tolerance(tolerance)
  local number = type(tolerance) == "cdata" and tonumber(tolerance) or tolerance
  if type(number) == "number" and number >= 0 then return end
  declare.raise("'tolerance' must be a number of at least 0, got %s",
    internal.describe_number(tolerance))
end

-- -- Rows ----------------------------------------------------------------------------------------

-- The number of rows less than each value, and the number not greater; nil for an answer that is
-- not wanted.
local function counts_of(s, less, not_greater)
  local options = {side = less and not_greater and "both" or not_greater and "right" or "left",
                   base = 0}
  local counts, others = core.searchsorted(s.sequence, s.values, options)
  if others then return counts, others end
  return less and counts, not_greater and counts
end

-- For each value, the number of rows up to the last one that is not ahead of it, and the first row
-- ahead, counted from 0; nil for an answer that is not wanted. Rows equal to the value belong to
-- both, if they count.
local function rows_of(s, behind, ahead)
  local before, after
  if s.inclusive then after, before = counts_of(s, ahead, behind)
  else before, after = counts_of(s, behind, ahead) end
  if s.of_rows then
    local function of_group(limits, forward)
      local rows = internal.asof_rows(limits, s.of_rows, s.of_values, s.groups, forward,
        forward and 0 or 1)
      free(limits)
      return rows
    end
    before, after = before and of_group(before, false), after and of_group(after, true)
  end
  return before or nil, after or nil
end

-- The dtype of distances: int64, exactly, or float64.
local function measured(s)
  local function as(x) return s.exact and x:long():contiguous() or x:double():contiguous() end
  s.exact = not is_float(s.sequence) and not is_float(s.values)
  return as(s.sequence), as(s.values)
end

local function search(s, direction, tolerance)
  local before, after = rows_of(s, direction ~= "forward", direction ~= "backward")
  if before and not after and not tolerance then
    return s.base == 1 and before or before:sub_(1)
  end
  local sequence, values = measured(s)
  local rows = internal.nearest_rows(sequence, values, before, after, tolerance or math.huge,
    s.base)
  if before then free(before) end
  if after then free(after) end
  return rows
end

-- Maps answers for sorted rows and values back to their original order. Frees the orders, the
-- answers, and what prepare has sorted by these orders, which nobody else holds.
local function restore(rows, s, sequence_order, values_order)
  local restored = rows
  if sequence_order then
    if s.base ~= 1 then sequence_order:sub_(1) end
    restored = core.take(sequence_order, rows, s.base - 1, {base = s.base})
    for _, copy in ipairs {rows, s.sequence, s.of_rows, sequence_order} do free(copy) end
  end
  if not values_order then return restored end
  local sorted = restored
  restored = core.empty_like(sorted)
  restored[values_order] = sorted
  for _, copy in ipairs {sorted, s.values, s.of_values, values_order} do free(copy) end
  return restored
end

-- The numbering of the groups of one side. Values are numbered by their own keys, since keys that
-- the sequence lacks share one number there.
local function numbering(key)
  if key == nil then return nil end
  return function() return (keys.number(type(key) == "table" and key or {key})) end
end

-- Both sides sorted, for `search`, and the orders that sorted them. options: the arguments of asof
-- by name; names: the four columns in messages.
local function prepare(sequence, values, options, names)
  local s = {sequence = sequence, values = values, inclusive = options.inclusive,
             base = options.base}
  if options.by then
    s.of_rows, s.of_values, s.groups = sides.pair(
      {options.by[1], names.by_sequence, #sequence, names.sequence},
      {options.by[2], names.by_values, #values, names.values})
  end
  local by = options.by or {}
  local sequence_order = order_of(sequence, names.sequence, numbering(by[1]), s.base)
  local values_order = order_of(values, names.values, numbering(by[2]), s.base)
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

-- The answer of asof to arguments whose types have been checked.
local function asof(sequence, values, options, names)
  order.check_real(sequence, names.sequence)
  order.check_real(values, names.values)
  local direction = options.direction
  if direction ~= "backward" and direction ~= "forward" and direction ~= "nearest" then
    declare.raise("'direction' must be \"backward\", \"forward\" or \"nearest\", got \"%s\"",
      direction)
  end
  local tolerance = read_tolerance(options.tolerance, sequence)
  if tolerance ~= nil then check_tolerance(tolerance) end
  local s, sequence_order, values_order = prepare(sequence, values, options, names)
  return restore(search(s, direction, tolerance), s, sequence_order, values_order)
end

local names = {sequence = "sorted_sequence", values = "values", by_sequence = "by[1]",
               by_values = "by[2]"}

-- asof(sorted_sequence, values, {by, direction, tolerance, inclusive, base}): for each value a
-- position in the sequence. "backward" gives the last element that is not greater, "forward" the
-- first one that is not less, "nearest" the nearer of the two, or the former if they are equally
-- near. With by = {of_sequence, of_values}, among the elements whose key is the value's. base - 1
-- where there is none, or none within the tolerance; elements equal to the value count unless
-- inclusive is false. Errors: either side out of order, by groups where there are any, or with NaN.
declare.func("asof(sorted_sequence:tensor, values:value, {by:any=nil, "
  .. 'direction:string="backward", tolerance:any=nil, inclusive:boolean=true, base=1})',
  function(sequence, given, by, direction, tolerance, inclusive, base)
    local values, answer = order.values(given, sequence)
    by = by ~= nil and read_by(by, internal.device_of(sequence)) or nil
    local options = {by = by, direction = direction, tolerance = tolerance, inclusive = inclusive,
                     base = base}
    return answer(asof(sequence, values, options, names))
  end)

return asof
