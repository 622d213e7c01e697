-- SPDX-License-Identifier: MIT
-- Arithmetic of two values in plain Lua, slow and obvious, for specs to compare with: integers as
-- int64 cdata wrapped to their width, floats as doubles rounded once, complex by parts.
local bit = require "bit"
local core = require "locus.core"
local ffi = require "ffi"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local numbers = {}

--- "bool", "integer", "float" or "complex".
function numbers.kind(dtype) return support.types[dtype].kind:lower() end

--- A whole number as an int64 cdata.
function numbers.int64(v) return ffi.new("int64_t", v) end

--- An int64 cdata as an integer of that dtype holds it: modulo 2^n.
function numbers.wrap(v, dtype)
  return dtype == "int64" and v or tonumber(ffi.cast(dtype .. "_t", v))
end

local function integer_remainder(a, b)
  if b == -1 then return numbers.int64(0) end
  local rest = a % b
  return rest ~= 0 and (rest < 0) ~= (b < 0) and rest + b or rest
end

-- The sign is the divisor's, of a zero too.
local function float_remainder(a, b)
  local rest = math.fmod(a, b)
  if rest == 0 then return b < 0 and -0.0 or 0 end
  return (rest < 0) ~= (b < 0) and rest == rest and rest + b or rest
end

local function integer_fmod(a, b) return b == -1 and numbers.int64(0) or a % b end

local function integer_floor_divide(a, b)
  if b == -1 then return -a end
  return a / b - (a % b ~= 0 and (a < 0) ~= (b < 0) and 1 or 0)
end

-- As Python divides floats: what the remainder leaves, divided, is whole up to rounding.
local function float_floor_divide(a, b, round)
  if b == 0 then return a / b end
  local rest = math.fmod(a, b)
  local ratio = round(round(a - rest) / b)
  if rest ~= 0 and (rest < 0) ~= (b < 0) then ratio = round(ratio - 1) end
  if ratio == 0 then return 1 / round(a / b) < 0 and -0.0 or 0 end
  local whole = math.floor(ratio)
  return ratio - whole > 0.5 and whole + 1 or whole
end

-- A function of libm, as it is for the dtype that floats are computed in.
local function of_libm(name)
  ffi.cdef(("double %s(double, double); float %sf(float, float);"):format(name, name))
  local wide, narrow = ffi.C[name], ffi.C[name .. "f"]
  return {float = function(a, b, _, computed)
    return computed == "float64" and wide(a, b) or narrow(a, b)
  end}
end

-- By more bits than there are, or by fewer than none, all are gone; the sign stays.
local function left(a, b) return b >= 0 and b < 64 and bit.lshift(a, tonumber(b)) or 0 * a end
local function right(a, b)
  return bit.arshift(a, b >= 0 and b < 64 and tonumber(b) or 63)
end

local function integer_power(a, b)
  local power = numbers.int64(1)
  for _ = 1, tonumber(b) do power = power * a end
  return power
end

local function least(a, b) return (a ~= a or a < b) and a or b end
local function most(a, b) return (a ~= a or a > b) and a or b end
local function both(a, b) return a and b end
local function either(a, b) return a or b end
local function one(a, b) return a ~= b end

--- The answer of each op for two values of the kind it is computed in; a kind that is missing is
--- not defined.
numbers.binary = {
  add = {
    bool = either,
    integer = function(a, b) return a + b end,
    float = function(a, b) return a + b end,
    complex = function(a, b) return support.complex(a.re + b.re, a.im + b.im) end,
  },
  sub = {
    integer = function(a, b) return a - b end,
    float = function(a, b) return a - b end,
    complex = function(a, b) return support.complex(a.re - b.re, a.im - b.im) end,
  },
  mul = {
    bool = both,
    integer = function(a, b) return a * b end,
    float = function(a, b) return a * b end,
    complex = function(a, b, round)
      return support.complex(round(a.re * b.re) - round(a.im * b.im),
                             round(a.re * b.im) + round(a.im * b.re))
    end,
  },
  div = {float = function(a, b) return a / b end},
  remainder = {integer = integer_remainder, float = float_remainder},
  fmod = {integer = integer_fmod, float = math.fmod},
  floor_divide = {integer = integer_floor_divide, float = float_floor_divide},
  hypot = of_libm "hypot",
  atan2 = of_libm "atan2",
  lshift = {integer = left},
  rshift = {integer = right},
  pow = {
    bool = function(a, b) return a or not b end,
    integer = integer_power,
    float = function(a, b) return a ^ b end,
  },
  minimum = {bool = both, integer = least, float = least},
  maximum = {bool = either, integer = most, float = most},
  band = {bool = both, integer = bit.band},
  bor = {bool = either, integer = bit.bor},
  bxor = {bool = one, integer = bit.bxor},
}

--- Ops that read their operands as bool.
numbers.logical = {logical_and = both, logical_or = either, logical_xor = one}

--- A value read as bool.
function numbers.truth(v)
  if type(v) == "boolean" then return v end
  if ffi.istype("complex", v) then return v.re ~= 0 or v.im ~= 0 end
  return v ~= 0
end

-- Rounds to the dtype that a float or complex one is computed in.
local function rounding(dtype)
  if oracle.kind(dtype) < 3 then return nil end
  local computed = oracle.computed(dtype)
  return function(v) return oracle.round(v, computed) end
end

--- One op on two values, computed in that dtype.
function numbers.apply(op, a, b, dtype)
  local kind, round = numbers.kind(dtype), rounding(dtype)
  local f = numbers.binary[op][kind]
  a, b = oracle.convert(a, dtype), oracle.convert(b, dtype)
  if kind == "integer" then
    return numbers.wrap(f(numbers.int64(a), numbers.int64(b)), dtype)
  elseif kind == "float" then
    return oracle.round(round(f(a, b, round, oracle.computed(dtype))), dtype)
  elseif kind == "complex" then
    return oracle.convert(f(a, b, round), dtype)
  end
  return f(a, b)
end

local floor, abs = math.floor, math.abs
local function ceil(x) return -floor(-x) end -- compiled, math.ceil forgets the sign of a zero
local function same(x) return x end
local function trunc(x) return x < 0 and ceil(x) or floor(x) end
local function round_half(x)
  if x ~= x or abs(x) >= 2 ^ 52 then return x end
  local whole = abs(x) + 2 ^ 52 - 2 ^ 52
  return 1 / x < 0 and -whole or whole
end

--- The rows of unary.def on one value by kind: bool as 0 or 1, integers as int64, which the caller
--- wraps, floats as doubles, which it rounds, complex as two numbers.
numbers.unary = {
  neg = {integer = function(x) return -x end, float = function(x) return -x end,
         complex = function(re, im) return -re, -im end},
  abs = {integer = function(x) if x < 0 then return -x end return x end, float = abs},
  sign = {bool = same, integer = function(x) return (x > 0 and 1 or 0) - (x < 0 and 1 or 0) end,
          float = function(x) return x > 0 and 1 or x < 0 and -1 or x == x and 0 or x end},
  square = {integer = function(x) return x * x end, float = function(x) return x * x end},
  floor = {integer = same, float = floor}, ceil = {integer = same, float = ceil},
  trunc = {integer = same, float = trunc}, round = {integer = same, float = round_half},
  frac = {float = function(x) return x - trunc(x) end},
  bnot = {bool = function(x) return 1 - x end, integer = function(x) return -1 - x end},
}

local families = core.internal.families()
local classes = families.binary

--- The functions of unary.def that are computed as floats: {in float32, in float64} by name. Those
--- that do not stand here are libm's of their names.
numbers.floating = {reciprocal = {
  function(v) return oracle.round(1 / v, "float32") end, function(v) return 1 / v end,
}}
for name, class in pairs(families.unary) do
  if class == "FLOATING" and not numbers.floating[name] then
    ffi.cdef(("double %s(double); float %sf(float);"):format(name, name))
    numbers.floating[name] = {ffi.C[name .. "f"], ffi.C[name]}
  end
end

--- The dtype an op is computed in when its operands promote to `dtype`.
function numbers.computed(op, dtype)
  local whole = oracle.kind(dtype) <= 2
  return classes[op] == "FLOATING" and whole and "float64" or dtype
end

--- a < b and a == b for exact reals; NaN is neither to anything.
function numbers.less(a, b) return a == a and b == b and oracle.before(a, b) end
function numbers.same(a, b)
  return a == a and b == b and not oracle.before(a, b) and not oracle.before(b, a)
end

--- The rows of compare.def, of what is less and what is the same.
function numbers.comparisons(is_less, is_same)
  return {
    lt = is_less, gt = function(a, b) return is_less(b, a) end,
    le = function(a, b) return is_less(a, b) or is_same(a, b) end,
    ge = function(a, b) return is_less(b, a) or is_same(a, b) end,
    eq = is_same, ne = function(a, b) return not is_same(a, b) end,
  }
end

return numbers
