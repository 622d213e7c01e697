-- SPDX-License-Identifier: MIT
-- Small operands of the calls in this folder, by the name of a set: make(locus) gives them anew.
-- Where a call writes it asks e:fresh(name), which is the operand itself here, and on layouts a
-- tensor like it.
local operands = {}

local function own(e)
  return setmetatable(e, {__index = {fresh = function(self, name) return self[name] end}})
end

function operands.pair(locus)
  return own {
    x = locus.tensor({{3, 1, 2}, {6, 5, 4}}), y = locus.tensor({1, 2, 3}, {dtype = "int32"}),
    mask = locus.tensor({{true, false, true}, {false, true, true}}),
    index = locus.tensor({2, 1, -1}, {dtype = "int64"}), seq = locus.tensor({1, 3, 5, 7}),
    out = locus.zeros(0, {dtype = "int64"}), left = locus.zeros(0, {dtype = "int64"}),
    full = locus.zeros(2, 3),
  }
end

function operands.integers(locus)
  return own {
    x = locus.tensor({1, 2, 3}, {dtype = "int32"}), y = locus.tensor({1, 2, 3}, {dtype = "int32"}),
  }
end

-- Masks of more elements than are kept without an allocation.
function operands.many(locus)
  local x = locus.arange(5000)
  return own {x = x, mask = x:lt(70), y = locus.zeros(70)}
end

function operands.strings(locus)
  return own {
    c = locus.strings{"b", "a", "b", "", "c"}, d = locus.strings{"c", "a", "d", "b", "b"},
    mask = locus.tensor{true, false, true, false, true},
  }
end

function operands.times(locus)
  local kinds = require "locus.tensor.kind"
  local numbers = locus.tensor({0, 1774751400, -1}, {dtype = "int64"})
  return own {t = kinds.tagged(numbers, kinds.named("time", "s"))}
end

function operands.none() return own {} end

return operands
