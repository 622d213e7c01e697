-- SPDX-License-Identifier: MIT
-- Calls of elementwise ops: the rows of unary.def, binary.def and compare.def, clamp, and what
-- compares whole tensors.
local locus = require "locus"

local function of_x(f, e) return f(e.x) end
local function of_both(f, e) return f(e.x, e.y) end
local function in_place(f, e) return f(e:fresh "x") end
local function in_place_of_both(f, e) return f(e:fresh "x", e.y) end

-- The names of the forms in place.
local function forms_in_place(names) return (names:gsub("%S+", "%0_")) end

-- Divisors and exponents that answer for any element.
local function from_one(f, e) return f(e.x, e.y:clamp(1, 3)) end
local function in_place_from_one(f, e) return f(e:fresh "x", e.y:clamp(1, 3)) end

local FLOATING = "sqrt exp log sin exp2 expm1 log2 log10 log1p cos tan asin acos atan sinh cosh "
  .. "tanh reciprocal"
local SIGNED = "neg abs sign square logical_not floor ceil round trunc"
local BITS = "band bor bxor lshift rshift"
local LOGICAL = "logical_and logical_or logical_xor"
local DIVIDING = "remainder fmod floor_divide pow"

return {
  {SIGNED .. " isnan isinf isfinite", of_x, layouts = "float32 int16", large = "uint8 float16"},
  {"__unm", of_x, layouts = "float32 int16"},
  {FLOATING .. " frac", of_x, layouts = "float32", large = "float16"},
  {"reciprocal sqrt exp log sin", laid = of_x, layouts = "int16"},
  {"bnot", of_x, on = "integers", layouts = "int16", large = "uint8"},
  {"__bnot", of_x, on = "integers", layouts = "int16"},
  {"neg_ abs_ sign_ square_", in_place, allocates = false, layouts = "int32", writes = true,
   large = "uint8"},
  {"zero_", in_place, allocates = false, layouts = "int32", writes = true, large = "uint8",
   alike = function(f, e) return f(e.x:clone()) end},
  {"logical_not_ floor_ ceil_ round_ trunc_", in_place, allocates = false, layouts = "int32",
   writes = true},
  {"bnot_", in_place, on = "integers", allocates = false, layouts = "int32", writes = true,
   large = "uint8"},
  {forms_in_place(FLOATING) .. " frac_", in_place, allocates = false, layouts = "float64",
   writes = true},
  {"neg", function(f, e) return f(e.x, {out = locus.zeros(0)}) end, form = "into out",
   laid = function(f, e) return f(e.x, {out = e:fresh "x"}) end, layouts = "float32",
   writes = true},
  {"round", function(f, e) return f(e.x, {decimals = 1}) end, form = "decimals"},
  {"round round_", function(f, e) return f(e.x * 1.26) end, form = "to whole numbers"},

  {"add sub mul minimum maximum", of_both, layouts = "float64 uint8", large = "uint8 number"},
  {"__add __sub __mul", of_both, layouts = "float64 uint8"},
  {"__mul", function(f, e) return f(e.x, 2) end, form = "of a number"},
  {"div", of_both, laid = from_one, layouts = "float32 int16", large = "float16"},
  {"__div", function(f, e) return f(e.y, 2) end, laid = from_one, layouts = "float32 int16"},
  {DIVIDING, of_both, laid = from_one, layouts = "float64 int32", large = "uint8 number"},
  {"__mod __pow", function(f, e) return f(e.y, 2) end, laid = from_one, layouts = "float64 int32"},
  {"hypot atan2", of_both, layouts = "float32", large = "float16"},
  {BITS, of_both, on = "integers", layouts = "int16", large = "uint8 number"},
  {"__band __bor __bxor __shl __shr __sar", laid = of_both, layouts = "int16"},
  {LOGICAL, of_both, on = "integers", layouts = "float64 uint8", large = "uint8 number"},
  {"lt le gt ge eq ne", of_both, layouts = "float64 uint8", large = "uint8 number"},
  {"eq", function(f, e) return f(e.x:float(), locus.tensor(0.1)) end, form = "of a 0-d tensor"},
  {"add sub minimum bxor", laid = function(f, e) return f(e.x, e.y, {out = e:fresh "x"}) end,
   layouts = "int16", writes = true},
  {forms_in_place("add sub mul minimum maximum " .. LOGICAL), in_place_of_both, allocates = false,
   layouts = "int16", writes = true, large = "uint8"},
  {forms_in_place(BITS), in_place_of_both, on = "integers", allocates = false, layouts = "int16",
   writes = true, large = "uint8"},
  {forms_in_place(DIVIDING), in_place_of_both, allocates = false, laid = in_place_from_one,
   layouts = "float32", writes = true, large = "uint8"},
  {"div_ hypot_ atan2_", in_place_of_both, allocates = false, laid = in_place_from_one,
   layouts = "float32", writes = true},

  {"clamp", function(f, e) return f(e.x, 2, 4) end,
   laid = function(f, e) return f(e.x, 5, e.y) end, layouts = "float64", large = "uint8",
   alike = function(f, e) return f(e.x, 1, 5) end},
  {"clamp_", function(f, e) return f(e:fresh "x", 2, e.y) end, allocates = false,
   layouts = "float64", writes = true},
  {"clamp", function(f, e) return f(e.x, e.y, {6, 6, 6}) end, form = "by tensors"},
  {"result_type", function(f, e) return f(e.x, {1, 2}) end, laid = of_both, layouts = "float64",
   alike = of_both},
  {"equal", function(f, e) return f(e.x, e.x) end, laid = of_both, layouts = "float64",
   large = function(x) return x:equal(x:clone()), true end, alike = of_both},
  {"equal", laid = function(f, e) return f(e.x, e:fresh "x") end, layouts = "int16"},
  {"allclose", function(f, e) return f(e.x, e.x + 1e-9) end, laid = of_both, layouts = "float64",
   large = function(x) return x:allclose(x + 0), true end,
   alike = function(f, e) return f(e.x, e.y), e.x:equal(e.x) end},
  {"add", form = "with_numbers", alike = function(_, e)
    return (e.plain + 1) * 3 - e.plain / 7, e.plain ^ 2, e.plain % 3
  end},

  {"neg", runner = "unary", device = function(f, e)
    return f(e.x), f(e:matrix(7):t()), (e.x - 5):abs()
  end},
  {"add", runner = "binary", device = function(f, e)
    local y = e:matrix(9)
    return f(e.x, e.x), e.x * 3, f(y, y[1]), e.x:maximum(7), f(e.x:to("int32"), e.x)
  end},
  {"lt", runner = "compare", device = function(f, e)
    return f(e.x, e.i), e.x:eq(e.x), e.x:gt(3), e.x:gt(2):logical_and(f(e.i, 9))
  end},
  {"allclose", runner = "close", device = function(f, e)
    return f(e.x, e.x + 1e-9), f(e.x, e.x * 1.001)
  end},
}
