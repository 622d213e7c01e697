-- SPDX-License-Identifier: MIT
-- Ops without an oracle here, whose answers must be the same on every instruction set: the rows of
-- spec/ops that have `alike`. Only their digests tell, or the sentence of an error. Each function
-- makes one call by chance, on a matrix of any dtype and layout.
local arrays = require "fuzz.callers.known.arrays"
local bit = require "bit"
local compared = require "fuzz.callers.known.compared"
local locus = require "locus"
local plan = require "fuzz.callers.plan"
local table_of_calls = require "spec.ops"

jit.off(true, true) -- see plan.compile

local pick, chance, random = plan.pick, plan.chance, math.random

-- The operands of calls: matrices x and y of any dtype, `plain` of small numbers, a mask; x as one
-- row; a dimension, its length, and numbers of groups and positions along it; a source of more.
local function ingredients()
  local n = math.max(arrays.count(), 1)
  local rows = random(math.min(n, 40))
  local shape = {rows, math.floor(n / rows)}
  if chance(2) then shape[1], shape[2] = shape[2], shape[1] end
  local own = {shape = shape, dim = random(2), dtype = pick(arrays.dtypes), pick = pick,
               chance = chance, random = random}
  local count = shape[1] * shape[2]
  local function tensor(dtype, plain)
    return arrays.tensor(arrays.random(dtype, count, plain), shape)
  end
  own.x, own.y = tensor(own.dtype), tensor(own.dtype)
  own.plain = tensor(pick {"float64", "float32", "int32", "float16"}, true)
  own.mask = tensor "bool"
  local long = shape[own.dim]
  own.places = arrays.tensor(arrays.of("int64", long, function() return random(long) end), {long})
  own.groups = arrays.tensor(arrays.of("int64", long, function() return random(9) end), {long})
  own.flat = own.x:reshape(-1)
  own.count, own.long = count, long
  return own
end

local function note(text)
  for i = 1, #text do
    compared.digest = bit.bxor(bit.rol(compared.digest, 5), text:byte(i)) + 1
  end
end

local function outcome(e, answered, ...)
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if locus.is_tensor(v) then compared.seen(arrays.read(v), 0)
    else note((tostring(v):gsub("^[^:]+:%d+: ", ""))) end
  end
  compared.count = compared.count + (answered and e.count or 0)
end

local ops = {}
for _, entry in ipairs(table_of_calls.rows) do
  local row = entry.row
  if row.alike then
    ops["alike_" .. entry.name .. (row[2] and "" or "_" .. row.form:gsub(" ", "_"))] = function()
      local e = ingredients()
      outcome(e, pcall(row.alike, table_of_calls.public(entry.name), e))
    end
  end
end

return ops
