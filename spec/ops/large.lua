-- SPDX-License-Identifier: MIT
-- For calls on more elements than 32 bits count: answers as text, and what an op says of a few
-- places of whole operands beside what it says of these elements alone.
local locus = require "locus"

local large = {}

--- Tensors and numbers as text, in which every NaN is the same.
function large.text_of(...)
  local words = {}
  for i = 1, select("#", ...) do
    local t = select(i, ...)
    local elements = locus.is_tensor(t) and t:reshape(-1):totable() or {t}
    for k, element in ipairs(elements) do elements[k] = tostring(element) end
    words[i] = table.concat(elements, " ")
  end
  return (table.concat(words, ", "):gsub("%-nan", "nan"))
end

-- How many elements of a tensor are not that of one element, where NaN is NaN.
local function differing(t, one)
  local same = one:isnan():any() and t:isnan() or t:eq(one)
  return t:numel() - same:count_nonzero()
end

--- The answers of f at a few places of whole operands, and the right ones; and how many others
--- differ from its answer for 0. All marks of .ci/large.lua are at these places.
function large.beside(marks, f, ...)
  local got, want, whole = {}, {}, f(...)
  local of_zero, others = whole[{{2, 2}}]:clone(), 0
  local n, middle = marks[5], marks[3]
  for i, place in ipairs {{1, 10}, {70, 80}, {middle - 5, middle + 4}, {n - 10, n}} do
    local few = {}
    for k = 1, select("#", ...) do
      local operand = select(k, ...)
      few[k] = locus.is_tensor(operand) and operand[{place}]:clone() or operand
    end
    local said = f(unpack(few))
    got[i], want[i] = large.text_of(whole[{place}]), large.text_of(said)
    others = others + differing(said, of_zero)
  end
  got[5], want[5] = large.text_of(differing(whole, of_zero)), large.text_of(others)
  return table.concat(got, "; "), table.concat(want, "; ")
end

return large
