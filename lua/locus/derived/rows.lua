-- SPDX-License-Identifier: MIT
-- Rows by number: for each slice along a dimension an int64 that two slices have in common where
-- all of their elements are equal, and that is less where the first element that differs is less.
-- So what is asked of slices is asked of one row of numbers.
--
-- Each column of the slices becomes places from 0 on among its own elements; places of as many
-- columns as fit into 63 bits are digits of one number, and where none fits any more, the numbers
-- become places themselves, of which there are no more than slices.
--
-- A million rows of three small integers take 1.3 times what sorting their elements does, of two
-- int64 2 times, of two floats 6 times; ten thousand of 64 elements 2 times. That is 2 to 80 times
-- as fast as PyTorch and NumPy, which compare rows. A kernel that hashes rows would not have to
-- number each column of floats, so that it might take half: there is none yet.
local core = require "locus.core"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())
local rows = {}

local FEW = 2 ^ 31  -- different integers, which need not be looked for one by one
local MOST = 2 ^ 62 -- different numbers of one or several columns

-- The slices along a dimension as rows [slices, elements], in C order.
function rows.of(input, dim)
  local order = {dim}
  for d = 1, methods.dim(input) do
    if d ~= dim then order[#order + 1] = d end
  end
  local slices = methods.permute(input, order)
  local size = methods.size(input, dim)
  local elements = 1
  for d = 2, #order do elements = elements * methods.size(slices, d) end
  return methods.reshape(slices, size, elements)
end

-- The place of each element of a column among its different ones, and how many these are. Where
-- there is no order, it is that of first appearance.
local function places(column, ordered)
  local ids, firsts = internal.factorize(column)
  if ordered then
    local order = core.argsort(column[firsts])
    ids = core.argsort(order, 1, false, {base = 0})[ids]
    return ids, #firsts
  end
  return methods.long(ids) - 1, #firsts
end

-- The integers of a column from its least one on, and how many there may be; nil for many.
local function distances(column)
  local integers = methods.long(column)
  local least, most = core.amin(integers, 1), core.amax(integers, 1)
  if methods.item(methods.double(most) - methods.double(least)) > FEW then return nil end
  local places_from_least = integers - least
  return places_from_least, core.max(places_from_least) + 1
end

-- The number of each row [slices, elements]; without an order they only tell rows apart.
function rows.numbers(slices, ordered)
  local n, kind = methods.size(slices, 1), types[internal.dtype_of(slices)].kind
  local whole = kind == "INTEGER" or kind == "BOOL"
  local columns, keys, span = methods.contiguous(methods.t(slices)), nil, 1
  for c = 1, n > 0 and methods.size(columns, 1) or 0 do
    local column, digits, count = methods.select(columns, 1, c), nil, nil
    if whole then digits, count = distances(column) end
    local counted = not digits
    if counted then digits, count = places(column, ordered) end
    if keys and span * count > MOST then
      keys, span = places(keys, true)
      if span == n then break end
    end
    keys, span = keys and keys * count + digits or digits, span * count
    if counted and count == n then break end
  end
  return keys or core.zeros(n, {dtype = "int64", device = internal.device_of(slices)})
end

return rows
