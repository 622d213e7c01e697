-- SPDX-License-Identifier: MIT
-- lt le gt ge eq ne, equal, allclose: the rows of src/core/compare.def.
local ffi = require "ffi"
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local numbers = require "spec.support.models.numbers"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local nan, inf = support.nan, math.huge
local less, same = numbers.less, numbers.same

local OPS = numbers.comparisons(less, same)

local function parts(v)
  if ffi.istype("complex", v) then return v.re, v.im end
  return v, 0
end

-- eq of two values of any kind: exactly, part by part.
local function same_parts(a, b)
  local a_re, a_im = parts(a)
  local b_re, b_im = parts(b)
  return same(a_re, b_re) and same(a_im, b_im)
end

-- Checks one op on two arrays against a function of two values; a scalar stands for its array.
local function check(op, f, a, b, x, y)
  local want = {}
  for i = 1, math.max(#a.values, #b.values) do
    want[i] = f(a.values[#a.values == 1 and 1 or i], b.values[#b.values == 1 and 1 or i])
  end
  arrays.check(locus[op](x, y), #a.values == 1 and b.shape or a.shape, want, "bool", op, a, b)
end

describe("comparisons", function()
  it("have an oracle each", function() support.covers("compare", OPS) end)

  for op, f in pairs(OPS) do
    it(op .. " is exact for every pair of real dtypes", function()
      math.randomseed(13)
      for _, first in ipairs {"bool", unpack(support.real)} do
        for _, second in ipairs {"bool", unpack(support.real)} do
          local a, b = arrays.random(first, {9, 11}), arrays.random(second, {9, 11})
          check(op, f, a, b, arrays.tensor(a), arrays.tensor(b))
        end
      end
    end)
  end

  it("eq and ne are exact where one side is complex", function()
    for _, first in ipairs(support.dtypes) do
      for _, second in ipairs(support.complexes) do
        local a, b = arrays.random(first, {60}), arrays.random(second, {60})
        for i = 1, 20 do
          local re, im = parts(a.values[i])
          if type(re) == "boolean" then re = re and 1 or 0 end
          b.values[i] = oracle.convert(support.complex(tonumber(re), im), second)
        end
        local function differ(v, w) return not same_parts(v, w) end
        check("eq", same_parts, a, b, arrays.tensor(a), arrays.tensor(b))
        check("eq", same_parts, b, a, arrays.tensor(b), arrays.tensor(a))
        check("ne", differ, a, b, arrays.tensor(a), arrays.tensor(b))
      end
    end
  end)

  it("tell int64 from float64 around 2^53 and at the ends", function()
    local i = support.tensor("int64", {
      support.integer("9007199254740993"), support.integer("9007199254740993"),
      support.range.int64[2], support.range.int64[1], support.integer("-9007199254740993"),
      0, 5, 5})
    local f = locus.tensor {2 ^ 53, 2 ^ 53 + 2, 2 ^ 63, -2 ^ 63, -2 ^ 53, -0.0, inf, nan}
    support.same(i:eq(f), {8}, {false, false, false, true, false, true, false, false})
    support.same(i:lt(f), {8}, {false, true, true, false, true, false, true, false})
    support.same(i:gt(f), {8}, {true, false, false, false, false, false, false, false})
    support.same(f:lt(i), {8}, {true, false, false, false, false, false, false, false})
    support.same(f:ge(i), {8}, {false, true, true, true, true, true, true, false})
    support.same(i:ne(f), {8}, {true, true, true, false, true, false, true, true})
    support.same(i:eq(f:to("complex128")), {8},
                 {false, false, false, true, false, true, false, false})
  end)

  it("tell an integer from the double that it rounds to, up, down or beyond all", function()
    local x = support.tensor("int64", {9007199254740995LL, 9007199254740993LL, 2LL ^ 53,
                                       9223372036854775807LL})
    local y = locus.tensor {2 ^ 53 + 4, 2 ^ 53, 2 ^ 53, 2 ^ 63}
    for op, want in pairs {
      lt = {1, 0, 0, 1}, le = {1, 0, 1, 1}, gt = {0, 1, 0, 0}, ge = {0, 1, 1, 0},
      eq = {0, 0, 1, 0}, ne = {1, 1, 0, 1},
    } do
      support.same(locus[op](x, y):byte(), {4}, want, "uint8")
    end
  end)

  it("compare an integer tensor with any number, exactly", function()
    local others = {300, -1, 0.5, 2, nan, inf, -inf, 2 ^ 63, 1e300, 2 ^ 53, 255, 9007199254740993LL,
                    true, false}
    for _, dtype in ipairs {"bool", unpack(support.integers)} do
      local a = arrays.random(dtype, {40})
      for _, v in ipairs(others) do
        local b = {scalar = "number", values = {v}}
        for op, f in pairs(OPS) do
          check(op, f, a, b, arrays.tensor(a), v)
          check(op, f, {scalar = "number", values = {v}}, a, v, arrays.tensor(a))
        end
      end
    end
    local u = support.tensor("uint8", {0, 255})
    support.same(u:lt(300), {2}, {true, true}, "bool")
    support.same(u:eq(support.complex(255, 0)), {2}, {false, true}, "bool")
    support.same(u:ne(support.complex(255, 1)), {2}, {true, true}, "bool")
  end)

  it("round a number to the dtype of a float tensor", function()
    for _, dtype in ipairs(support.floats) do
      local x = support.tensor(dtype, {0.1, 0.2})
      support.same(x:eq(0.1), {2}, {true, false}, "bool")
      support.same(locus.ge(0.1, x), {2}, {true, false}, "bool")
      support.same(x:eq(locus.tensor(0.1)), {2}, {true, false}, "bool")
      support.same(locus.le(locus.tensor(0.1), x), {2}, {true, true}, "bool")
      support.same(support.tensor(dtype, {0.1}, {}):eq(0.1), {}, {true}, "bool")
      support.same(x:lt(inf), {2}, {true, true}, "bool")
    end
    support.same(support.tensor("float32", {0.1}):eq {0.1}, {1}, {false}, "bool")
    support.same(support.tensor("float64", {2 ^ 53}):eq(9007199254740993LL), {1}, {true}, "bool")
    support.same(support.tensor("float32", {16777216}):eq(locus.tensor(16777217LL)), {1}, {true})
    support.same(support.tensor("float32", {16777216}):eq(locus.tensor {16777217LL}), {1}, {false})
    support.same(support.tensor("complex64", {0.1}):eq(0.1), {1}, {true}, "bool")
    support.same(support.tensor("float32", {0.1}):eq(support.complex(0.1, 0)), {1}, {true}, "bool")
    support.same(support.tensor("int32", {0, 1}):eq(locus.tensor(0.5)), {2}, {false, false}, "bool")
  end)

  it("give a Lua boolean for two Lua values, a 0-d tensor for 0-d tensors", function()
    assert.is_true(locus.lt(1, 2))
    assert.is_false(locus.eq(9007199254740993LL, 2 ^ 53))
    assert.is_true(locus.eq(true, 1))
    assert.is_false(locus.eq(nan, nan))
    assert.is_true(locus.ne(support.complex(1, 2), 1))
    support.same(locus.eq(locus.tensor(1), 1LL), {}, {true}, "bool")
  end)

  it("broadcast, and work on what is empty", function()
    local x = locus.tensor {{1, 2, 3}, {4, 5, 6}}
    support.same(x:gt {{3}, {4}}, {2, 3}, {false, false, false, false, true, true}, "bool")
    support.same(x:le({2, 2, 2}), {2, 3}, {true, true, false, false, false, false}, "bool")
    support.same(locus.zeros(0, 3):eq {1, 2, 3}, {0, 3}, {}, "bool")
    support.same(locus.zeros(0):lt(1), {0}, {}, "bool")
    local long = locus.arange(3000):ge(support.tensor("int64", {1500}))
    assert.same({false, true}, {long[1500], long[1501]})
  end)

  it("write into out", function()
    local x, wide = locus.tensor {1, 2, 3}, locus.tensor {{true, true}, {true, true}, {true, true}}
    local out = wide:select(2, 1)
    assert.equal(out, x:gt(2, {out = out}))
    assert.same({{false, true}, {false, true}, {true, true}}, wide:totable())
    local mask = locus.tensor {true, false}
    assert.equal(mask, mask:eq({false, false}, {out = mask}))
    assert.same({false, true}, mask:totable())
    for _, case in ipairs {
      {"lt: 'out' must be bool, got float64", x, 2, {out = x}},
      {"lt: 'out' must be of size 3, got 2", x, 2, {out = mask}},
      {"lt: 'out' overlaps 'input' in memory; give a separate tensor", out:narrow(1, 1, 2), true,
       {out = out:narrow(1, 2, 2)}},
    } do
      assert.equal(case[1], support.message(locus.lt, unpack(case, 2)))
    end
    assert.same({{1, 2, 3}, {false, true}}, {x:totable(), mask:totable()})
  end)

  it("say what is wrong with a call", function()
    local x, z = locus.tensor {1, 2}, locus.tensor {support.complex(1, 2)}
    local order = "complex values have no order; only eq and ne compare them"
    for _, case in ipairs {
      {"lt: " .. order, "lt", z, 1},
      {"ge: " .. order, "ge", x, support.complex(0, 1)},
      {"gt: 'other' of size 3 does not broadcast with size 2", "gt", x, {1, 2, 3}},
      {"eq: 'other' must be a tensor, a table or a number, got the string \"1\"", "eq", x, "1"},
      {"eq: 'other' is missing", "eq", x},
      {"eq: there is no argument 'othr'; did you mean 'other'?", "eq", x, {othr = 1}},
    } do
      assert.equal(case[1], support.message(locus[case[2]], unpack(case, 3)))
    end
    support.same(locus.eq {input = x, other = 2}, {2}, {false, true})
  end)
end)

describe("equal", function()
  it("wants the same size and every element equal", function()
    local x = locus.tensor {{1, 2}, {3, 4}}
    assert.is_true(x:equal(x))
    assert.is_true(x:equal {{1, 2}, {3, 4}})
    assert.is_true(locus.equal(x:to("int8"), x:t():to("float16"):t()))
    assert.is_false(x:equal {{1, 2}, {3, 5}})
    assert.is_false(x:equal {1, 2, 3, 4})
    assert.is_false(x:equal(1))
    assert.is_false(locus.ones(3):equal(1))
    assert.is_false(locus.equal({nan}, {nan}))
    assert.is_true(locus.equal({}, {}))
    assert.is_false(locus.equal(locus.zeros(0, 2), locus.zeros(2, 0)))
    assert.is_true(locus.equal(5, 5LL))
    assert.is_true(locus.equal(locus.tensor(5), 5))
    local big = support.tensor("int64", {support.integer("9007199254740993")})
    assert.is_false(big:equal {2 ^ 53})
    assert.is_true(locus.equal({support.complex(1, 2)}, {support.complex(1, 2)}))
    local long = locus.arange(200000)
    assert.is_true(long:equal(long:to("int32")))
    local other = long:clone()
    other[199999] = 0
    assert.is_false(long:equal(other))
    assert.equal("equal: 'other' is missing", support.message(locus.equal, x))
  end)
end)

describe("allclose", function()
  it("allows atol + rtol * |other|", function()
    local x = locus.tensor {1, 100, -100}
    assert.is_true(x:allclose(x))
    assert.is_true(x:allclose(x * (1 + 9e-6)))
    assert.is_false(x:allclose(x * (1 + 2e-5)))
    assert.is_true(x:allclose(x + 1, 0, 1))
    assert.is_false(x:allclose(x + 1, 0, 0.99))
    assert.is_true(x:allclose(x + 1, {atol = 1}))
    assert.is_true(locus.allclose({1}, {2}, 0.5, 0))
    assert.is_false(locus.allclose({2}, {1}, 0.5, 0))
    assert.is_true(locus.allclose {input = {1, 2}, other = {1, 2.1}, rtol = 0.1})
    assert.is_true(locus.allclose(support.tensor("int32", {5, 5}), 5))
    assert.is_true(locus.allclose({{1}, {1}}, {1, 1, 1}))
    assert.is_true(locus.allclose({}, {}))
    assert.is_true(locus.allclose(1, 1 + 1e-9))
  end)

  it("knows infinities, NaN and complex values", function()
    assert.is_true(locus.allclose({inf, -inf}, {inf, -inf}))
    assert.is_false(locus.allclose({inf}, {-inf}))
    assert.is_false(locus.allclose({1}, {inf}, 1))
    assert.is_false(locus.allclose({inf}, {1}, 1))
    assert.is_false(locus.allclose({nan}, {nan}))
    assert.is_true(locus.allclose({nan, 1}, {nan, 1}, {equal_nan = true}))
    assert.is_false(locus.allclose({nan}, {1}, 1e-5, 1e-8, true))
    local z = locus.tensor {support.complex(3, 4)}
    assert.is_true(z:allclose({support.complex(3, 4.5)}, 0.1))
    assert.is_false(z:allclose({support.complex(3, 4.5)}, 0.09))
    assert.is_true(locus.allclose({support.complex(nan, 0)}, {support.complex(0, nan)},
                                  {equal_nan = true}))
  end)

  it("refuses negative tolerances and sizes that do not broadcast", function()
    for _, case in ipairs {
      {"allclose: 'rtol' must not be negative, got -1", {1}, {1}, -1},
      {"allclose: 'atol' must not be negative, got nan", {1}, {1}, 0, nan},
      {"allclose: 'other' of size 3 does not broadcast with size 2", {1, 2}, {1, 2, 3}},
      {"allclose: 'equal_nan' must be true or false, got the number 1", {1}, {1}, 0, 0, 1},
      {"allclose: 'rtol' must be a number, got the string \"x\"", {1}, {1}, "x"},
      {"allclose: there is no argument 'tol'; did you mean 'rtol'?", {1}, {1}, {tol = 1}},
    } do
      assert.equal(case[1], support.message(locus.allclose, unpack(case, 2)))
    end
  end)
end)
