-- SPDX-License-Identifier: MIT
-- internal.factorize(input, values, names): the elements of a 1-D tensor by number. Answers on
-- input's device: the number of each element, int32, 1 to n in the order in which they first come;
-- and firsts, int64, the first position of each number, counted from 1. With `values`, of the same
-- dtype and device, also their numbers, 0 for those that the input lacks. Equal elements have one
-- number: NaN equals NaN, -0 equals 0, complex numbers are equal if both parts are. `names`: the
-- input is ids of strings, and an error if one that is numbered on the CPU is not 1..names.
--
-- internal.combine(list): the same of several such columns of numbers, given as {{ids, count}, ...}
-- with 0 <= ids <= count: rows are equal if all of them are.
local core = require "locus.core"
local kinds = require "locus.tensor.kind"
local internal = core.internal

local types = select(2, internal.dtypes())
local SAMPLE = 1024
local numbers = {}

local function is_complex(t) return types[internal.dtype_of(t)].kind == "COMPLEX" end

-- Whether each element of a 1-D tensor, or row of a 2-D one, differs from the one before it; the
-- first does.
function numbers.starts(x)
  local n, is_row = #x, core.methods.dim(x) == 1
  local starts = core.ones(n, {dtype = "bool", device = internal.device_of(x)})
  if n < 2 then return starts end
  local behind = starts[{{2, n}}]
  local differs = core.ne(x[{{1, n - 1}}], x[{{2, n}}], {out = is_row and behind or nil})
  if types[internal.dtype_of(x)].kind == "FLOAT" then
    local nan = core.isnan(x)
    if core.any(nan) then
      local both = core.logical_and(nan[{{1, n - 1}}], nan[{{2, n}}])
      core.methods.logical_and_(differs, core.logical_not(both))
    end
  end
  if not is_row then core.any(differs, 2, {out = behind}) end
  return starts
end

-- Whether a sort of a row on the CPU is faster than a hash table. It is if integers are far apart
-- and a sample shows that most elements differ: a share of 0.9 if elements alone are sorted, 0.97
-- with their positions.
function numbers.mostly_differ(x, share)
  local n = #x
  if n < 8 * SAMPLE or internal.device_of(x) ~= "cpu" then return false end
  local sample = x[{{1, n, math.floor(n / math.max(SAMPLE, n / 128))}}]
  local _, firsts = internal.factorize(sample)
  if #firsts < share * #sample then return false end
  if types[internal.dtype_of(x)].kind == "FLOAT" then return true end
  x = kinds.plain(x)
  return tonumber(core.amax(x)) - tonumber(core.amin(x)) > 4 * n
end

-- For each row of a 2-D tensor the number of its run.
local function row_runs(x)
  if is_complex(x) then
    x = core.reshape(internal.factorize(core.flatten(x)), core.methods.size(x))
  end
  return core.cumsum(numbers.starts(x), 1)
end

-- The runs of equal elements of a 1-D tensor: the element of each; with `places` the position where
-- each begins, counted from base, and its length, else nil. With `has_numbers` also the number of
-- each element's run, counted from base. The same for rows of a 2-D tensor, except the first
-- answer.
function numbers.runs(x, places, has_numbers, base)
  if core.methods.dim(x) == 2 then x = row_runs(x) end
  return internal.runs(core.methods.contiguous(x), not not places, not not has_numbers, base)
end

-- Numbers in the order of first appearance, by sorting: rows of one number lie together, in the
-- order in which they came, so that the first of them is the first of all.
local function by_order(input)
  local device = internal.device_of(input)
  local sorted, order = core.sort(input)
  local _, begins, _, run = numbers.runs(sorted, true, true, 1)
  local rows = order[begins]
  local is_first = core.zeros(#input, {dtype = "bool", device = device})
  is_first[rows] = true
  local own = core.cumsum(is_first, 1)[rows]
  local ids = core.empty(#input, {dtype = "int32", device = device})
  ids[order] = own[run]
  return ids, core.nonzero(is_first, {as_tuple = true})
end

local function on_device(input)
  if #input > 0 and not is_complex(input) then return by_order(input) end
  local ids, firsts = internal.factorize_host(input:cpu():contiguous()) -- they have no order
  local device = internal.device_of(input)
  return ids:to(device), firsts:to(device)
end

-- The values come behind the input in one row.
local function both_on_device(input, values)
  local n = #input
  local ids, firsts = on_device(core.cat({input, values}))
  local found = ids[{{n + 1, #ids}}]
  firsts = firsts[core.le(firsts, n)] -- in order, so the first ones
  return ids[{{1, n}}], firsts, core.masked_fill(found, core.gt(found, #firsts), 0)
end

function internal.factorize(input, values, names)
  if internal.device_of(input) ~= "cpu" then
    if values then return both_on_device(input, values) end
    return on_device(input)
  end
  return internal.factorize_host(input:contiguous(), values and values:contiguous(), names)
end

-- The same on a device: pairs of columns, one after the other.
local function combine_on_device(list)
  local ids, firsts = list[1][1], nil
  for i = 2, #list do
    local other, count = unpack(list[i])
    ids, firsts = internal.factorize(ids:long() * (count + 1) + other)
  end
  return ids, firsts
end

local MOST = 2 ^ 61 -- different rows of columns whose elements are digits of one key

-- As many columns at once as fit into a key; behind them the numbers that they got are a column.
local function combine_digits(digits)
  local some, product, made = {}, 1, nil
  for _, digit in ipairs(digits) do
    if product * digit[3] > MOST then
      local ids, firsts = internal.factorize_rows_host(some)
      if made then core.methods.free(made) end
      made, some, product = ids, {{ids, 1, #firsts}}, #firsts
    end
    some[#some + 1], product = digit, product * digit[3]
  end
  local ids, firsts = internal.factorize_rows_host(some)
  if made then core.methods.free(made) end
  return ids, firsts
end

function internal.combine(list)
  if #list == 1 then return internal.factorize(list[1][1]) end
  if #list[1][1] == 0 or internal.device_of(list[1][1]) ~= "cpu" then
    return combine_on_device(list)
  end
  local digits = {}
  for i, entry in ipairs(list) do digits[i] = {entry[1]:contiguous(), 0, entry[2] + 1} end
  return combine_digits(digits)
end

-- The digit {column, low, count} of integers that lie so close together that they need no numbers;
-- nil for others.
local function near_digit(column)
  local kind = types[internal.dtype_of(column)].kind
  if kind == "BOOL" then return {column, 0, 2} end
  if kind ~= "INTEGER" then return nil end
  column = kinds.plain(column)
  local low, high = tonumber(core.amin(column)), tonumber(core.amax(column))
  if math.max(-low, high) >= 2 ^ 53 or high - low >= 4 * #column then return nil end
  return {column, low, high - low + 1}
end

-- numbers.rows(columns): the number of each row, and the first row of each number, as factorize
-- gives them. A column is a tensor, or {ids, count}, with ids of `count` names. Rows are equal if
-- all of their elements are. Ids, and integers of a narrow range, are digits as they are; other
-- columns get numbers first, which are freed.
function numbers.rows(columns)
  local digits, made = {}, {}
  for i, column in ipairs(columns) do
    if type(column) == "table" then
      digits[i] = {column[1]:contiguous(), 1, math.max(column[2], 1), true}
    else
      digits[i] = near_digit(column:contiguous())
    end
    if not digits[i] then
      local ids, firsts = internal.factorize(column)
      made[#made + 1], digits[i] = ids, {ids, 1, #firsts}
    end
  end
  local ids, firsts = combine_digits(digits)
  for _, column in ipairs(made) do core.methods.free(column) end
  return ids, firsts
end

-- The positions of numbers, counted from base; base - 1 for 0.
function numbers.positions(found, firsts, base)
  local none = core.zeros(1, {dtype = "int64", device = internal.device_of(firsts)})
  return core.cat({none, firsts})[found + 1] + (base - 1)
end

return numbers
