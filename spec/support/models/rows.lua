-- SPDX-License-Identifier: MIT
-- The rows of an array along a dimension (oracle.lua says what an array is), and their order in
-- plain Lua.
local oracle = require "spec.support.models.oracle"

local rows = {}

--- The rows along a dimension, each a list, in C order of the other dimensions.
function rows.along(a, dim)
  local inner, n, list = 1, a.shape[dim], {}
  for d = dim + 1, #a.shape do
    inner = inner * a.shape[d]
  end
  for start = 1, #a.values do
    if math.floor((start - 1) / inner) % n == 0 then
      local row = {}
      for k = 0, n - 1 do
        row[k + 1] = a.values[start + k * inner]
      end
      list[#list + 1] = row
    end
  end
  return list
end

--- The size of an array without a dimension, or with `size` there.
function rows.shape(a, dim, size)
  local shape = { unpack(a.shape) }
  if size then
    shape[dim] = size
  else
    table.remove(shape, dim)
  end
  return shape
end

--- Lists of `count` answers for each row, in the place of the row: flat, in C order.
function rows.placed(answers, a, dim, count)
  local inner, flat = 1, {}
  for d = dim + 1, #a.shape do
    inner = inner * a.shape[d]
  end
  for r, list in ipairs(answers) do
    local outer, within = math.floor((r - 1) / inner), (r - 1) % inner
    for k = 1, count do
      flat[(outer * count + k - 1) * inner + within + 1] = list[k]
    end
  end
  return flat
end

--- The positions of a list in the one order; equal elements keep theirs.
function rows.order(list, descending)
  local at = {}
  for i = 1, #list do
    at[i] = i
  end
  table.sort(at, function(i, j)
    local a, b = list[i], list[j]
    if descending then
      a, b = b, a
    end
    if oracle.before(a, b) then
      return true
    end
    return i < j and not oracle.before(b, a)
  end)
  return at
end

return rows
