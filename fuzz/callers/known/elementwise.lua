-- SPDX-License-Identifier: MIT
-- Elementwise ops with oracles in plain Lua: those of unary.def, binary.def and compare.def, where,
-- and conversions. Each function makes one call by chance and compares its answer.
local arrays = require "fuzz.callers.known.arrays"
local compared = require "fuzz.callers.known.compared"
local convert = require "fuzz.callers.known.convert"
local drawn = require "fuzz.callers.known.drawn"
local ffi = require "ffi"
local locus = require "locus"
local numbers = require "spec.support.models.numbers"
local oracle = require "spec.support.models.oracle"
local plan = require "fuzz.callers.plan"
local rounding = require "fuzz.callers.known.rounding"

jit.off(true, true) -- see plan.compile

local pick, chance, random = plan.pick, plan.chance, math.random
local types = arrays.types

local ops = {}

local function kind(dtype) return types[dtype].kind:lower() end

-- Whether a tensor of that dtype and shape can be `out`, none of whose elements share memory.
local function fits(t, dtype, shape)
  if t.dtype ~= dtype or t:dim() ~= #shape then return false end
  for d = 1, #shape do
    if t:size(d) ~= shape[d] or t:stride(d) == 0 then return false end
  end
  return true
end

-- Calls f with `out`, which is the first operand at times, or without; what it answers with is
-- `out` then.
local function answer(f, dtype, shape, ...)
  local args, n = {...}, select("#", ...)
  local out = chance(4) and fits(args[1], dtype, shape) and args[1] or arrays.out(dtype, shape)
  if not out then return f(...) end
  args[n + 1] = {out = out}
  local got = f(unpack(args, 1, n + 1))
  assert(got == out, "the answer is not `out`")
  return got
end

-- -- One operand --------------------------------------------------------------------------------

-- Loops over v in `class`; `f` gets a value and gives one, bools as numbers.
local LOOP = {
  d = [[local f = ... return function(a, to, n) for i = 0, n - 1 do to[i] = f(a[i]) end end]],
  z = [[local f = ... return function(a, to, n)
    for i = 0, n - 1 do to[2 * i], to[2 * i + 1] = f(a[2 * i], a[2 * i + 1]) end end]],
  predicate = [[local f = ... return function(a, to, n)
    for i = 0, n - 1 do to[i] = f(a[2 * i], a[2 * i + 1]) end end]],
}

local abs, huge = math.abs, math.huge
local function one_if(x) return x and 1 or 0 end
plan.compile {one_if}

-- By kind: bool and floats as doubles, integers as int64, complex as two doubles.
local UNARY = {}
for name, cells in pairs(numbers.unary) do UNARY[name] = cells end
for name, of in pairs(numbers.floating) do
  UNARY[name] = {floating = {float32 = of[1], float64 = of[2]}}
end

local PREDICATES = {
  logical_not = {d = function(x) return one_if(x == 0) end,
                 z = function(re, im) return one_if(re == 0 and im == 0) end},
  isnan = {d = function(x) return one_if(x ~= x) end,
           z = function(re, im) return one_if(re ~= re or im ~= im) end},
  isinf = {d = function(x) return one_if(abs(x) == huge) end,
           z = function(re, im) return one_if(abs(re) == huge or abs(im) == huge) end},
  isfinite = {d = function(x) return one_if(abs(x) < huge) end,
              z = function(re, im) return one_if(abs(re) < huge and abs(im) < huge) end},
}
PREDICATES.isnan.q, PREDICATES.isinf.q = function() return 0 end, function() return 0 end
PREDICATES.isfinite.q = function() return 1 end
PREDICATES.logical_not.q = function(x) return one_if(x == 0LL) end
for _, cells in pairs(PREDICATES) do plan.compile(cells) end

-- A function of a value with what rounds its answer.
local ROUNDED = [[local f, first, second = ... return function(x) return second(first(f(x))) end]]

local function of_float(name, f, dtype)
  local first, second = rounding.to[oracle.computed(dtype)], rounding.to[dtype]
  return arrays.compiled(ROUNDED, "rounded " .. name .. dtype, f, first, second)
end

-- Integers are computed in int64 and wrapped.
local WRAP = [[local f, wrap = ... return function(x) return wrap(f(ffi.cast("int64_t", x))) end]]
local function of_integer(name, f, dtype)
  local function wrap(x) return numbers.wrap(ffi.cast("int64_t", x), dtype) end
  plan.compile {wrap}
  return arrays.compiled("local ffi = require 'ffi' " .. WRAP, "wrapped " .. name .. dtype, f, wrap)
end

local function unary_want(name, cells, a)
  local of, dtype = kind(a.dtype), a.dtype
  local f
  if cells.floating then
    if of ~= "float" then
      if of == "complex" then return nil end
      a, dtype = convert.to(a, "float64"), "float64"
    end
    f = of_float(name, cells.floating[oracle.computed(dtype)], dtype)
  elseif not cells[of] then
    return nil
  else
    f = of == "float" and of_float(name, cells.float, dtype)
      or of == "integer" and of_integer(name, cells.integer, dtype) or cells[of]
  end
  local want = arrays.blank(dtype, a.n)
  local loop = LOOP[a.class] or LOOP.d
  arrays.compiled(loop, "unary " .. name .. dtype .. a.class, f)(a.v, want.v, a.n)
  return want
end

local function operand(dtype)
  local shape, n = arrays.shape(arrays.count())
  local a = arrays.random(dtype, n)
  return a, arrays.tensor(a, shape), shape
end

for name, cells in pairs(UNARY) do
  local dtypes = {}
  for _, dtype in ipairs(arrays.dtypes) do
    local of = kind(dtype)
    if cells[of] or cells.floating and of ~= "complex" then dtypes[#dtypes + 1] = dtype end
  end
  ops[name] = function()
    local a, t, shape = operand(pick(dtypes))
    local want = unary_want(name, cells, a)
    if want.dtype == a.dtype and chance(6) then
      compared.same(name .. "_", t[name .. "_"](t), want, shape)
    else
      compared.same(name, answer(locus[name], want.dtype, shape, t), want, shape)
    end
  end
end

for name, cells in pairs(PREDICATES) do
  ops[name] = function()
    local a, t, shape = operand(pick(arrays.dtypes))
    local want = arrays.blank("bool", a.n)
    local loop = a.class == "z" and LOOP.predicate or LOOP.d
    arrays.compiled(loop, "predicate " .. name .. a.class, cells[a.class])(a.v, want.v, a.n)
    compared.same(name, answer(locus[name], "bool", shape, t), want, shape)
  end
end

-- -- Two operands -------------------------------------------------------------------------------

-- Two random arrays that broadcast to one shape, which either of them has, that shape, their
-- tensors, and they themselves spread over it. `change` holds what changes each of them first.
local function operands(first, second, change)
  local shape, n = arrays.shape(arrays.count())
  local made, whole = {}, random(2)
  for i, dtype in ipairs {first, second} do
    local own = i == whole and shape or convert.part_of(shape)
    local count = 1
    for _, size in ipairs(own) do count = count * size end
    local a = arrays.random(dtype, count)
    if change and change[i] then change[i](a) end
    local t = arrays.tensor(a, own)
    made[i] = {a = convert.spread(a, own, shape), t = t, rank = #own}
  end
  local other = made[3 - whole]
  if #shape > 0 and other.rank == 0 then other.t = other.t:expand(shape) end
  return made[1], made[2], shape, n
end

local BINARY = {
  integer = [[local f, wrap = ...
    local ffi = require "ffi"
    return function(a, b, to, n)
      for i = 0, n - 1 do
        to[i] = wrap(f(ffi.cast("int64_t", a[i]), ffi.cast("int64_t", b[i])))
      end
    end]],
  float = [[local f, computed, first, second = ...
    return function(a, b, to, n)
      for i = 0, n - 1 do to[i] = second(first(f(a[i], b[i], first, computed))) end
    end]],
  bool = [[local f = ... return function(a, b, to, n)
      for i = 0, n - 1 do to[i] = f(a[i] ~= 0, b[i] ~= 0) and 1 or 0 end
    end]],
  complex = [[local f, first = ... return function(a, b, to, n)
      for i = 0, n - 1 do
        to[2 * i], to[2 * i + 1] = f(a[2 * i], a[2 * i + 1], b[2 * i], b[2 * i + 1], first)
      end
    end]],
}

-- In parts: numbers.lua makes cdata of them.
local COMPLEX = plan.compile {
  add = function(a, b, c, d, r) return r(a + c), r(b + d) end,
  sub = function(a, b, c, d, r) return r(a - c), r(b - d) end,
  mul = function(a, b, c, d, r)
    return r(r(a * c) - r(b * d)), r(r(a * d) + r(b * c))
  end,
}

-- No integer divisor is 0, and no integer exponent negative or huge.
local function nonzero(a)
  if kind(a.dtype) == "integer" or a.dtype == "bool" then
    for i = 0, a.n - 1 do
      if a.v[i] == 0 then a.v[i], a.raw[i] = 1, 1 end
    end
  end
end
local function small(a)
  if kind(a.dtype) ~= "integer" then return end
  for i = 0, a.n - 1 do
    local x = math.abs(tonumber(a.v[i] % 9))
    a.v[i], a.raw[i] = x, x
  end
end

-- libm's pow and hypot ask whether a NaN is a signaling one, which plain Lua does not know.
local QUIET = {float16 = 0x7e00, bfloat16 = 0x7fc0, float32 = 0 / 0, float64 = 0 / 0}
local function quiet(a)
  local nan = QUIET[a.dtype]
  if not nan then return end
  for i = 0, a.n - 1 do
    if a.v[i] ~= a.v[i] then a.raw[i] = nan end
  end
end
local function exponent(a) quiet(a) small(a) end

-- Functions that change the operands of an op, and the values that the second then never holds.
local CHANGE = {pow = {quiet, exponent}, hypot = {quiet, quiet}}
drawn.claim("pow", 2, {integer = {"negative", "least", "greatest", "past 2^53"}}, {integer = 9})
for _, name in ipairs {"remainder", "fmod", "floor_divide"} do
  CHANGE[name] = {nil, nonzero}
  drawn.claim(name, 2, {integer = {"zero"}, bool = {"false"}})
end

-- libm computes in float, numbers.lua in double; a root is rounded correctly.
local FLOAT = {}
for name, f in pairs(numbers.binary) do FLOAT[name] = f.float end
ffi.cdef "double pow(double, double); float powf(float, float);"
function FLOAT.pow(a, b, _, computed)
  if b == 0.5 and a > 0 then return math.sqrt(a) end
  return computed == "float64" and ffi.C.pow(a, b) or ffi.C.powf(a, b)
end
plan.compile {FLOAT.pow}

local function binary_want(name, a, b, dtype)
  local of, want = kind(dtype), arrays.blank(dtype, a.n)
  a, b = convert.to(a, dtype), convert.to(b, dtype)
  local loop
  if of == "integer" then
    local function wrap(x) return numbers.wrap(ffi.cast("int64_t", x), dtype) end
    plan.compile {wrap}
    loop = arrays.compiled(BINARY.integer, name .. dtype, numbers.binary[name].integer, wrap)
  elseif of == "float" then
    local computed = oracle.computed(dtype)
    loop = arrays.compiled(BINARY.float, name .. dtype, FLOAT[name], computed,
      rounding.to[computed], rounding.to[dtype])
  elseif of == "complex" then
    loop = arrays.compiled(BINARY.complex, name .. dtype, COMPLEX[name],
      rounding.to[oracle.computed(dtype)])
  else
    loop = arrays.compiled(BINARY.bool, name .. dtype, numbers.binary[name].bool)
  end
  loop(a.v, b.v, want.v, a.n)
  return want
end

-- The dtype it is computed in; nil where it is not defined.
local function computed(name, first, second)
  local dtype = numbers.computed(name, oracle.promote(first, second))
  local of = kind(dtype)
  if of == "complex" then return COMPLEX[name] and dtype end
  return numbers.binary[name][of] and dtype or nil
end

for name in pairs(numbers.binary) do
  local pairs_of = {}
  for _, first in ipairs(arrays.dtypes) do
    for _, second in ipairs(arrays.dtypes) do
      if computed(name, first, second) then pairs_of[#pairs_of + 1] = {first, second} end
    end
  end
  ops[name] = function()
    local two = pick(pairs_of)
    local x, y, shape = operands(two[1], two[2], CHANGE[name])
    local want = binary_want(name, x.a, y.a, computed(name, two[1], two[2]))
    compared.same(name, answer(locus[name], want.dtype, shape, x.t, y.t), want, shape)
  end
end

local TRUTH = {
  d = "return function(a, to, n) for i = 0, n - 1 do to[i] = a[i] ~= 0 and 1 or 0 end end",
  z = [[return function(a, to, n) for i = 0, n - 1 do
    to[i] = (a[2 * i] ~= 0 or a[2 * i + 1] ~= 0) and 1 or 0 end end]],
}
TRUTH.q = TRUTH.d
local function truth(a)
  local b = arrays.blank("bool", a.n)
  arrays.compiled(TRUTH[a.class], "truth " .. a.class)(a.v, b.v, a.n)
  return b
end

for name, f in pairs(numbers.logical) do
  ops[name] = function()
    local x, y, shape = operands(pick(arrays.dtypes), pick(arrays.dtypes))
    local want = arrays.blank("bool", x.a.n)
    arrays.compiled(BINARY.bool, name, f)(truth(x.a).v, truth(y.a).v, want.v, want.n)
    compared.same(name, answer(locus[name], "bool", shape, x.t, y.t), want, shape)
  end
end

-- -- Comparisons --------------------------------------------------------------------------------

local less, equal = numbers.less, numbers.same
local COMPARE = plan.compile(numbers.comparisons(less, equal))
local COMPARED = [[local f = ... return function(a, b, to, n)
  for i = 0, n - 1 do to[i] = f(a[i], b[i]) and 1 or 0 end end]]

for name, f in pairs(COMPARE) do
  ops[name] = function()
    local x, y, shape = operands(pick(arrays.ordered), pick(arrays.ordered))
    local want = arrays.blank("bool", x.a.n)
    local loop = arrays.compiled(COMPARED, name .. x.a.class .. y.a.class, f)
    loop(x.a.v, y.a.v, want.v, want.n)
    compared.same(name, answer(locus[name], "bool", shape, x.t, y.t), want, shape)
  end
end

-- -- where, and conversions ---------------------------------------------------------------------

local CHOOSE = {
  d = [[return function(c, a, b, to, n)
    for i = 0, n - 1 do if c[i] ~= 0 then to[i] = a[i] else to[i] = b[i] end end end]],
  z = [[return function(c, a, b, to, n)
    for i = 0, n - 1 do
      local from = c[i] ~= 0 and a or b
      to[2 * i], to[2 * i + 1] = from[2 * i], from[2 * i + 1]
    end end]],
}
CHOOSE.q = CHOOSE.d

ops.where = function()
  local first, second = pick(arrays.dtypes), pick(arrays.dtypes)
  if chance(2) then second = first end
  local x, y, shape, n = operands(first, second)
  local condition = arrays.random("bool", n)
  local dtype = oracle.promote(first, second)
  local want = arrays.blank(dtype, n)
  local a, b = convert.to(x.a, dtype), convert.to(y.a, dtype)
  arrays.compiled(CHOOSE[want.class], "where " .. dtype)(condition.v, a.v, b.v, want.v, n)
  local c = arrays.tensor(condition, shape)
  compared.same("where", answer(locus.where, dtype, shape, c, x.t, y.t), want, shape)
end

-- To what holds its kind; what does not is refused, and has its own specs.
ops.to = function()
  local first = pick(arrays.dtypes)
  local second = oracle.promote(first, pick(arrays.dtypes))
  local a, t, shape = operand(first)
  compared.same("to", t:to(second), convert.to(a, second), shape)
end

return ops
