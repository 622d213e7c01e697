-- SPDX-License-Identifier: MIT
-- What has an order, and is in it: checks of functions that search, and their sentences. A check is
-- one pass, of isnan or of the kernel that searchsorted's `check` has.
local core = require "locus.core"
local declare = require "locus.declare"
local internal = core.internal

local types = select(2, internal.dtypes())
local order = {}

function order.is_float(x) return types[internal.dtype_of(x)].kind == "FLOAT" end

-- Raises where elements have no order; the sentence ends with a remedy, where there is one.
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
  declare.raise("'%s' holds NaN at [%.0f], which has no place in an order", name,
    tonumber(places[1]))
end

-- An element for a message.
function order.text(value)
  if type(value) == "number" then return ("%.15g"):format(value) end
  return (tostring(value):gsub("LL$", ""))
end

-- Raises that element `row` is less than an earlier one. `whose` tells which have an order, and
-- that the two may lie apart.
function order.raise(x, name, row, before, base, whose)
  declare.raise("'%s' is not ascending%s: %s at [%.0f] follows %s%s", name, whose or "",
    order.text(x[row]), row + base - 1, order.text(x[before]),
    whose and (" at [%.0f]"):format(before + base - 1) or "")
end

return order
