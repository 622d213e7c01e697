-- SPDX-License-Identifier: MIT
-- clamp and clamp_.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local numbers = require "spec.support.models.numbers"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local nan, inf = support.nan, math.huge

describe("clamp", function()
  it("is minimum(maximum(input, min), max) for every three dtypes", function()
    math.randomseed(3)
    for _, first in ipairs(support.real) do
      for _, second in ipairs(support.real) do
        local third = arrays.pick(support.real)
        local a, low, high = arrays.random(first, {19}), arrays.random(second, {19}),
                             arrays.random(third, {19})
        local dtype = oracle.promote(oracle.promote(first, second), third)
        local want = {}
        for i, v in ipairs(a.values) do
          local raised = numbers.apply("maximum", v, low.values[i], dtype)
          want[i] = numbers.apply("minimum", raised, high.values[i], dtype)
        end
        local got = arrays.tensor(a):clamp(arrays.tensor(low), arrays.tensor(high))
        arrays.check(got, {19}, want, dtype, a, low, high)
      end
    end
  end)

  it("takes either bound alone, by position or by name", function()
    local x = locus.tensor {1, 5, 9}
    support.same(x:clamp(2, 6), {3}, {2, 5, 6})
    support.same(x:clamp(2), {3}, {2, 5, 9})
    support.same(x:clamp(nil, 6), {3}, {1, 5, 6})
    support.same(x:clamp {max = 6}, {3}, {1, 5, 6})
    support.same(x:clamp {min = 2, max = {3, 4, 5}}, {3}, {2, 4, 5})
    support.same(locus.clamp {input = {1, 5}, min = 3}, {2}, {3, 5})
    support.same(x:clamp(6, 2), {3}, {2, 2, 2})
  end)

  it("hands NaN on, from the input and from the bounds", function()
    support.same(locus.clamp({nan, 1, inf, -inf}, 0, 5), {4}, {nan, 1, 5, 0})
    support.same(locus.clamp({1, 2}, nan, 5), {2}, {nan, nan})
    support.same(locus.clamp({1, 2}, {0, 0}, {nan, 1}), {2}, {nan, 1})
  end)

  it("promotes and broadcasts", function()
    local u = support.tensor("uint8", {1, 200})
    support.same(u:clamp(2, 100), {2}, {2, 100}, "uint8")
    support.same(u:clamp(1.5), {2}, {1.5, 200}, "float64")
    support.same(u:clamp(support.tensor("int16", {-5, 300})), {2}, {1, 300}, "int16")
    support.same(u:clamp({{0}, {50}}, 60), {2, 2}, {1, 60, 50, 60}, "float64")
    support.same(locus.tensor({true, false}):clamp(false, false), {2}, {false, false}, "bool")
    local big = support.integer("9007199254740993")
    support.same(support.tensor("int64", {big, 0}):clamp(1LL, big - 1), {2}, {2 ^ 53, 1}, "int64")
    support.same(locus.zeros(0, 2):clamp(1, {2, 3}), {0, 2}, {})
    support.same(locus.tensor(7):clamp(1, 5), {}, {5})
    assert.equal(5, locus.clamp(7, 1, 5))
    assert.equal(2, locus.clamp(1LL, 2LL))
  end)

  it("writes into out, also when that is an operand", function()
    local x, low, high = locus.tensor {1, 5, 9}, locus.tensor {2, 2, 2}, locus.tensor {6, 3, 8}
    local want = {2, 3, 8}
    for _, out in ipairs {x:clone(), low, high, locus.zeros(3), locus.zeros(0)} do
      local input, min, max = x:clone(), low:clone(), high:clone()
      if out == low then min = low elseif out == high then max = high end
      assert.equal(out, input:clamp(min, max, {out = out}))
      assert.same(want, out:totable())
    end
    assert.equal(x, x:clamp(2, 8, {out = x}))
    assert.same({2, 5, 8}, x:totable())
  end)

  it("works in place and keeps the dtype", function()
    local x = locus.tensor {{1, 5}, {9, 3}}
    x:t():clamp_(2, {4, 8})
    assert.same({{2, 4}, {8, 3}}, x:totable())
    local i = support.tensor("int8", {-100, 100})
    support.same(i:clamp_(-5LL, 5), {2}, {-5, 5}, "int8")
    support.same(i:clamp_(support.tensor("int64", {0, -9})), {2}, {0, 5}, "int8")
    local f = support.tensor("float32", {1, 9})
    support.same(f:clamp_(support.tensor("float64", {2, 2}), 5), {2}, {2, 5}, "float32")
  end)

  it("says what is wrong and leaves the input as it was", function()
    local x, u = locus.tensor {1, 2, 3}, support.tensor("uint8", {1, 200})
    for _, case in ipairs {
      {"clamp: 'min' or 'max' must be given", "clamp", x},
      {"clamp: 'max' is 300, which uint8 cannot hold", "clamp", u, 2, 300},
      {"clamp_: 'max' is 300, which uint8 cannot hold", "clamp_", u, 2, 300},
      {"clamp_: 'min' is -1, which uint8 cannot hold", "clamp_", u, -1},
      {"clamp_: the result is float64, which uint8 cannot hold; write x:clamp(...)", "clamp_", u,
       0.5},
      {"clamp_: 'max' holds 999 at [2], which uint8 cannot hold", "clamp_", u, 5,
       support.tensor("int16", {9, 999})},
      {"clamp: 'min' of size 2 does not broadcast with size 3", "clamp", x, {1, 2}},
      {"clamp: 'max' of size 4 does not broadcast with size 2x3", "clamp", x, {{1}, {2}},
       {1, 2, 3, 4}},
      {"clamp: not defined for complex128; complex values have + - * eq ne", "clamp",
       support.complex(1, 1), 2},
      {"clamp: 'min' must be a tensor, a table or a number, got the string \"1\"", "clamp", x, "1"},
      {"clamp: there is no argument 'mx'; did you mean 'max'?", "clamp", x, {mx = 1}},
      {"clamp: 'input' is missing", "clamp"},
      {"clamp_: 'input' overlaps 'max' in memory; give a separate tensor", "clamp_",
       x:narrow(1, 1, 2), 0, x:narrow(1, 2, 2)},
    } do
      assert.equal(case[1], support.message(locus[case[2]], unpack(case, 3)))
    end
    assert.same({{1, 2, 3}, {1, 200}}, {x:totable(), u:totable()})
  end)
end)
