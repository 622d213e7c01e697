-- SPDX-License-Identifier: MIT
-- internal.factorize(input, values): the elements of a 1-D tensor by number. Answers on input's
-- device: the number of each element, int32, 1 to n in the order in which they first come; and
-- firsts, int64, the positions from 1 on where each number first stands. With `values`, of the same
-- dtype and device, also their numbers, 0 where they are none of the input's. Equal elements have
-- one number: NaN equals NaN, -0 equals 0, complex numbers are equal where both parts are.
--
-- internal.combine(list): the same of several such columns of numbers, given as {{ids, count}, ...}
-- with 0 <= ids <= count: rows are equal where all of them are.
local core = require "locus.core"
local internal = core.internal

local types = select(2, internal.dtypes())

-- Numbers in the order of first appearance, by sorting: rows of one number lie together, in the
-- order in which they came, so that the first of them is the first of all.
local function by_order(input)
  local n, device = #input, internal.device_of(input)
  local sorted, order = core.sort(input)
  local before, after = sorted[{{1, n - 1}}], sorted[{{2, n}}]
  local starts = core.ones(n, {dtype = "bool", device = device})
  local equal = core.logical_or(core.eq(before, after),
    core.logical_and(core.ne(before, before), core.ne(after, after)))
  starts[{{2, n}}] = core.logical_not(equal)
  local firsts, place = core.sort(order[starts])
  local numbers = core.empty(#firsts, {dtype = "int32", device = device})
  numbers[place] = core.arange(1, #firsts + 1, {dtype = "int32", device = device})
  local ids = core.empty(n, {dtype = "int32", device = device})
  ids[order] = numbers[core.cumsum(starts, 1)]
  return ids, firsts
end

-- The numbers of the values among those of the input, which stand before them in one row.
local function beside(factorize, input, values)
  local n = #input
  local ids, firsts = factorize(core.cat({input, values}))
  local known = firsts[core.le(firsts, n)] -- in order, so the first ones
  local found = ids[{{n + 1, #ids}}]
  return ids[{{1, n}}], known, core.masked_fill(found, core.gt(found, #known), 0)
end

local function on_device(input)
  if #input > 0 and types[internal.dtype_of(input)].kind ~= "COMPLEX" then
    return by_order(input)
  end
  local ids, firsts = internal.factorize_host(input:cpu():contiguous()) -- they have no order
  local device = internal.device_of(input)
  return ids:to(device), firsts:to(device)
end

function internal.factorize(input, values)
  if internal.device_of(input) ~= "cpu" then
    if values then return beside(on_device, input, values) end
    return on_device(input)
  end
  return internal.factorize_host(input:contiguous(), values and values:contiguous())
end

function internal.combine(list)
  local ids, firsts = internal.factorize(list[1][1])
  for i = 2, #list do
    local other, count = unpack(list[i])
    ids, firsts = internal.factorize(ids:long() * (count + 1) + other)
  end
  return ids, firsts
end
