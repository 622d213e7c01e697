-- SPDX-License-Identifier: MIT
-- Checks of functions that search, whether elements have an order and are in it, and their
-- sentences. A check is one pass, of isnan or of the kernel that searchsorted's `check` has.
local core = require "locus.core"
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local internal = core.internal

local types = select(2, internal.dtypes())
local order = {}

function order.is_float(x) return types[internal.dtype_of(x)].kind == "FLOAT" end

-- Raises if elements have no order; the sentence ends with a remedy, if there is one.
function order.check_ordered(x, name, remedy)
  local dtype = internal.dtype_of(x)
  if types[dtype].kind ~= "COMPLEX" then return end
  declare.raise("'%s' is %s, and complex numbers have no order%s", name, dtype, remedy or "")
end

-- Raises unless x is a row of numbers that have an order.
function order.check_real(x, name)
  if core.methods.dim(x) ~= 1 then
    declare.raise("'%s' must be 1-D, got %s", name, internal.describe(x))
  end
  order.check_ordered(x, name)
end

-- Raises where x holds NaN; which is last where x ascends, as internal.unsorted has it.
function order.check_nan(x, name, ascends)
  if not order.is_float(x) or #x == 0 or ascends and x[#x] == x[#x] then return end
  local places = core.nonzero(core.isnan(x), {as_tuple = true})
  if #places == 0 then return end
  declare.raise("'%s' holds NaN at [%d], which has no place in an order", name,
    places[1])
end

-- Two elements for a message, x[i] and y[j]: where as many digits as each dtype needs make them
-- look alike, as many as a double needs.
function order.texts(x, i, y, j)
  local a, b = x[i], y[j]
  if kinds.of(x) then return tostring(a), tostring(b) end
  local first = internal.spell(a, internal.dtype_of(x))
  local second = internal.spell(b, internal.dtype_of(y))
  if first ~= second or a == b then return first, second end
  return internal.spell(a), internal.spell(b)
end

-- Raises that element `row` is less than an earlier one. `whose` tells which have an order, and
-- that the two may lie apart.
function order.raise(x, name, row, before, base, whose)
  local text, earlier = order.texts(x, row, x, before)
  declare.raise("'%s' is not ascending%s: %s at [%d] follows %s%s", name, whose or "", text,
    row + base - 1, earlier, whose and internal.format(" at [%d]", before + base - 1) or "")
end

-- The values beside a sequence as a tensor with a dimension, and the function that gives an answer
-- the values' own form: a number beside floats is rounded to their dtype, as in searchsorted, and
-- has a number for an answer; a 0-d tensor has a 0-d one.
function order.values(given, sequence)
  if core.is_tensor(given) then
    if core.methods.dim(given) > 0 then return given, function(answer) return answer end end
    return core.methods.reshape(given, 1), function(answer) return answer:reshape({}) end
  end
  local x = core.tensor({given}, {device = internal.device_of(sequence)})
  local dtype = internal.dtype_of(sequence)
  if types[dtype].kind == "FLOAT" then x = core.methods.to(x, dtype) end
  return x, function(answer) return answer:item() end
end

return order
