-- SPDX-License-Identifier: MIT
-- The one order in plain Lua, NaN last, both zeros equal: rows sorted by it, and where values go.
local arrays = require "fuzz.callers.known.arrays"
local oracle = require "spec.support.models.oracle"
local plan = require "fuzz.callers.plan"

jit.off(true, true) -- see plan.compile

local sorted = {before = oracle.before}

-- A heap: slow and obvious, and nobody's way here.
local SORT = [[local before = ...
local function sink(v, k, n)
  local x = v[k]
  while true do
    local child = 2 * k + 1
    if child >= n then break end
    if child + 1 < n and before(v[child], v[child + 1]) then child = child + 1 end
    if not before(x, v[child]) then break end
    v[k] = v[child]
    k = child
  end
  v[k] = x
end
return function(v, n)
  for k = math.floor(n / 2) - 1, 0, -1 do sink(v, k, n) end
  for last = n - 1, 1, -1 do
    local x = v[last]
    v[last] = v[0]
    v[0] = x
    sink(v, 0, last)
  end
end]]

--- The converse.
function sorted.after(a, b) return oracle.before(b, a) end
plan.compile {sorted.after}

--- Sorts n elements of a class at v; descending: NaN first.
function sorted.sort(class, v, n, descending)
  local order = descending and sorted.after or sorted.before
  arrays.compiled(SORT, "sort " .. class .. tostring(descending), order)(v, n)
end

--- A sorted copy of an array.
function sorted.copy(a)
  local b = arrays.blank(a.dtype, a.n)
  for i = 0, a.n - 1 do b.v[i] = a.v[i] end
  sorted.sort(a.class, b.v, b.n)
  return b
end

plan.compile {sorted.copy}

local FIND = [[local before = ...
return function(row, n, x)
  local low, high = 0, n
  while low < high do
    local middle = math.floor((low + high) / 2)
    if before(row[middle], x) then low = middle + 1 else high = middle end
  end
  return low
end]]

--- How many elements of a row are before a value.
function sorted.finder(class) return arrays.compiled(FIND, "find " .. class, oracle.before) end

return sorted
