-- SPDX-License-Identifier: MIT
-- Ops on more elements than 32 bits count, for .ci/sizes: a table of functions by name, made from
-- the rows of spec/ops that have `large`. f(x, n, marks) returns the answer of an op about x, and
-- the right answer. x has n elements of uint8, all of them 0 but the marks: 1 at the first of these
-- places, 2 at the next, to 5 at the end; f leaves it so. Place 3 is 2^30, place 4 is 2^31 - 8. Ops
-- that want more than 24 GB are not here: sort, randperm, shuffle_ and bernoulli take 10 to 16
-- bytes for each element.
local large = require "spec.ops.large"
local ops = require "spec.ops"

-- The two operands, made of x.
local OPERANDS = {
  uint8 = function(x) return x, x + 1 end,
  number = function(x) return x, 3 end,
  float16 = function(x)
    local half = x:half()
    return half, half + 1
  end,
}

-- A call writes to a copy.
local Operands = {}
Operands.__index = Operands
function Operands:fresh(name) return self[name]:clone() end

local function whole(name, row, kind)
  local call, f = row[2], ops.public(name)
  return function(x, _, marks)
    return large.beside(marks, function(first, second)
      return call(f, setmetatable({x = first, y = second}, Operands))
    end, OPERANDS[kind](x))
  end
end

local by_name = {}
for _, entry in ipairs(ops.rows) do
  local row = entry.row
  if type(row.large) == "function" then
    by_name[entry.name .. (row.form and ", " .. row.form or "")] = row.large
  end
  for kind in (type(row.large) == "string" and row.large or ""):gmatch("%S+") do
    by_name[entry.name .. " of " .. kind] = whole(entry.name, row, kind)
  end
end
return by_name
