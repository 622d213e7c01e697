-- SPDX-License-Identifier: MIT
-- The calls of spec/support/calls of elementwise ops.

local FLOATING = "reciprocal sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan "
  .. "sinh cosh tanh"

local function in_place(names) return (names:gsub("%S+", "%0_")) end

return function(on_pair, each)
  local function of_x(f, a) return f(a.x) end
  local function of_y(f, a) return f(a.y) end
  local function of_both(f, a) return f(a.x, a.y) end
  local function of_integers(f, a) return f(a.y, a.y) end

  local of_numbers = "neg abs sign square floor ceil round trunc logical_not"
  each(of_numbers .. " frac isnan isinf isfinite " .. FLOATING, of_x)
  each(in_place(of_numbers) .. " frac_ zero_ " .. in_place(FLOATING), of_x, false)
  each("bnot", of_y)
  each("bnot_", of_y, false)
  on_pair("round, decimals", function(a) return a.x:round {decimals = 1} end)
  on_pair("neg into out", function(a, locus) return a.x:neg {out = locus.zeros(0)} end)
  on_pair("- alone", function(a) return -a.x end)

  local of_two = "add sub mul div remainder fmod floor_divide hypot atan2 pow minimum maximum"
  each(of_two .. " lt le gt ge eq ne", of_both)
  each(in_place(of_two .. " logical_and logical_or logical_xor"), of_both, false)
  each("band bor bxor lshift rshift logical_and logical_or logical_xor", of_integers)
  each("band_ bor_ bxor_ lshift_ rshift_", of_integers, false)
  on_pair("+", function(a) return a.x + a.y end)
  on_pair("* by a number", function(a) return a.x * 2 end)
  on_pair("% by a number", function(a) return a.y % 2 end)
  on_pair("/ of integers", function(a) return a.y / 2 end)
  on_pair("^ of integers", function(a) return a.y ^ 2 end)
  on_pair("eq of a 0-d tensor", function(a, locus) return a.x:float():eq(locus.tensor(0.1)) end)
  on_pair("equal", function(a) return a.x:equal(a.x) end)
  on_pair("allclose", function(a) return a.x:allclose(a.x + 1e-9) end)

  each("fill_", function(f, a) return f(a.x, 5) end, false)
  each("clamp", function(f, a) return f(a.x, 2, 4) end)
  each("clamp_", function(f, a) return f(a.x, 2, a.y) end, false)
  on_pair("clamp by tensors", function(a) return a.x:clamp(a.y, {6, 6, 6}) end)
  on_pair("result_type", function(a, locus) return locus.result_type(a.x, {1, 2}) end)
end
