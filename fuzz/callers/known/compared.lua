-- SPDX-License-Identifier: MIT
-- Comparing the answers of locus with those of plain Lua: element by element, all NaN being one,
-- zeros with their sign. Counts the comparisons, and makes a digest of the answers, which is the
-- same on every instruction set.
local arrays = require "fuzz.callers.known.arrays"
local ffi = require "ffi"

jit.off(true, true) -- see plan.compile

local compared = {count = 0, digest = 0}

function compared.reset() compared.count, compared.digest = 0, 0 end

local FIRST_OTHER = [[return function(a, b, count)
  for i = 0, count - 1 do
    local x, y = a[i], b[i]
    if not (x == y and (x ~= 0 or 1 / x == 1 / y)) and not (x ~= x and y ~= y) then return i end
  end
end]]
local FIRST_OTHER_WHOLE = [[return function(a, b, count)
  for i = 0, count - 1 do
    if a[i] ~= b[i] then return i end
  end
end]]

local function first_other(class, a, b, count)
  local source = class == "q" and FIRST_OTHER_WHOLE or FIRST_OTHER
  return arrays.compiled(source, "compare " .. class)(a, b, count)
end

local DIGEST = [[local rol, bxor, tobit = bit.rol, bit.bxor, bit.tobit
return function(words, count, sum)
  for i = 0, count - 1 do sum = tobit(bxor(rol(sum, 5), words[i]) + 0x9e3779b) end
  return sum
end]]
local function digest(v, count)
  local words = ffi.cast("const int32_t *", v)
  compared.digest = arrays.compiled(DIGEST, "digest")(words, 2 * count, compared.digest)
end

local function text_of(shape) return "{" .. table.concat(shape, ",") .. "}" end

local function same_shape(t, shape)
  if t:dim() ~= #shape then return false end
  for d = 1, #shape do
    if t:size(d) ~= shape[d] then return false end
  end
  return true
end

--- Raises unless the tensor has that shape, and the dtype and elements of the array; `counted` is
--- how many elements that compares, when not one for each.
function compared.same(what, t, want, shape, counted)
  if t.dtype ~= want.dtype then
    error(("%s is %s, not %s"):format(what, t.dtype, want.dtype), 0)
  elseif not same_shape(t, shape) then
    error(("%s is of size %s, not %s"):format(what, tostring(t:size()), text_of(shape)), 0)
  end
  local got, parts = arrays.read(t), want.class == "z" and 2 or 1
  local at = first_other(want.class, got.v, want.v, want.n * parts)
  if at then
    error(("%s, %s of size %s: element %d is %s, not %s"):format(what, want.dtype, text_of(shape),
      math.floor(at / parts), tostring(got.v[at]), tostring(want.v[at])), 0)
  end
  digest(got.v, want.n * parts)
  compared.count = compared.count + (counted or want.n)
end

--- The same for elements that have been read already, an array.
function compared.seen(a, counted)
  digest(a.v, a.n * (a.class == "z" and 2 or 1))
  compared.count = compared.count + (counted or a.n)
end

return compared
