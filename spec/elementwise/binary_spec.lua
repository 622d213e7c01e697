-- SPDX-License-Identifier: MIT
-- The rows of src/core/binary.def, and the operators.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local numbers = require "spec.support.models.numbers"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local nan, inf = support.nan, math.huge

-- Integers have none by 0.
local DIVIDING = {remainder = true, fmod = true, floor_divide = true}

-- Gives an array values that the op is defined on and that the dtype computed in can hold.
local function tame(a, op, dtype, computed, position)
  local kind = numbers.kind(computed)
  for i, v in ipairs(a.values) do
    if op == "pow" and kind ~= "bool"
      or position == 2 and DIVIDING[op] and kind == "integer" then
      v = numbers.kind(dtype) == "bool" or math.random(1, 9)
      if op == "pow" and kind == "float" then v = numbers.kind(dtype) == "bool" or 2 end
    end
    a.values[i] = v
  end
  return a
end

-- The expected answer of an op for two arrays of one shape, or nil if it is not defined.
local function expected(op, a, b)
  local dtype = numbers.computed(op, oracle.result_type(a, b, "float64"))
  if not numbers.binary[op][numbers.kind(dtype)] then return nil, dtype end
  local values = {}
  for i, v in ipairs(a.values) do values[i] = numbers.apply(op, v, b.values[i], dtype) end
  return values, dtype
end

describe("binary ops", function()
  it("have an oracle each", function()
    support.covers("binary", numbers.binary, "PROMOTED", "FLOATING")
    support.covers("binary", numbers.logical, "TRUTH")
  end)

  for op in pairs(numbers.binary) do
    it(op .. " is right for every pair of dtypes #native", function()
      math.randomseed(11)
      for _, first in ipairs(support.dtypes) do
        for _, second in ipairs(support.dtypes) do
          local computed = numbers.computed(op, oracle.promote(first, second))
          local a = tame(arrays.random(first, {5, 7}), op, first, computed, 1)
          local b = tame(arrays.random(second, {5, 7}), op, second, computed, 2)
          local x, y = arrays.tensor(a), arrays.tensor(b)
          local want, dtype = expected(op, a, b)
          if want then
            arrays.check(x[op](x, y), {5, 7}, want, dtype, op, a, b)
          else
            local message = support.message(locus[op], x, y)
            assert.matches("^" .. op .. ": not defined for " .. dtype .. "; ", message)
          end
        end
      end
    end)
  end

  for op, f in pairs(numbers.logical) do
    it(op .. " reads any pair of dtypes as bool", function()
      for _, first in ipairs(support.dtypes) do
        for _, second in ipairs(support.dtypes) do
          local a, b = arrays.random(first, {23}), arrays.random(second, {23})
          local want = {}
          for i, v in ipairs(a.values) do
            want[i] = f(numbers.truth(v), numbers.truth(b.values[i]))
          end
          arrays.check(locus[op](arrays.tensor(a), arrays.tensor(b)), {23}, want, "bool", op, a, b)
        end
      end
    end)
  end

  it("promote by rank: a lower one counts when its kind is higher", function()
    local others = {1, 2.5, true, 3LL, support.complex(1, 2)}
    for _, dtype in ipairs(support.dtypes) do
      local a = arrays.random(dtype, {6}, true)
      for _, second in ipairs(support.dtypes) do
        local b = arrays.random(second, {}, true)
        local want = oracle.result_type(a, b, "float64")
        assert.equal(want, locus.add(arrays.tensor(a), arrays.tensor(b)).dtype)
        assert.equal(want, locus.add(arrays.tensor(b), arrays.tensor(a)).dtype)
        assert.equal(want, locus.result_type(arrays.tensor(a), arrays.tensor(b)))
      end
      local scalars = {"int", "float", "bool", "int", "complex"}
      for i, v in ipairs(others) do
        local scalar = dtype == "bool" and v == 1 and "float" or scalars[i]
        local want = oracle.result_type(a, {scalar = scalar, values = {v}}, "float64")
        assert.equal(want, (arrays.tensor(a) + v).dtype)
        assert.equal(want, locus.add(v, arrays.tensor(a)).dtype)
        assert.equal(want, locus.result_type(v, arrays.tensor(a)))
      end
    end
  end)

  it("give a Lua value for two Lua values", function()
    assert.equal(3, locus.add(1, 2))
    assert.equal(3, locus.add(1LL, 2))
    assert.equal(support.integer("9007199254740993"), locus.add(9007199254740992LL, 1LL))
    assert.equal(2.5, locus.div(5LL, 2LL))
    assert.equal(true, locus.add(true, false))
    assert.equal(2, locus.remainder(-1, 3))
    local z = locus.add(support.complex(1, 2), support.complex(0, 3))
    assert.same({1, 5}, {z.re, z.im})
    local out = locus.tensor(0)
    assert.equal(out, locus.add(1, 2, {out = out}))
    assert.equal(3, out:item())
    support.same(locus.add(locus.tensor(1), 2), {}, {3}, "float64")
  end)

  it("follow the default dtype", function()
    local i = support.tensor("int32", {1, 2})
    finally(function() locus.set_default_dtype("float64") end)
    locus.set_default_dtype("float32")
    assert.equal("float32", (i / 2).dtype)
    assert.equal("float32", (i + 0.5).dtype)
    assert.equal("float32", locus.result_type(1, 2))
  end)

  it("broadcast", function()
    local x = locus.tensor {{1, 2, 3}, {4, 5, 6}}
    support.same(x + {10, 20, 30}, {2, 3}, {11, 22, 33, 14, 25, 36})
    support.same(x + {{10}, {20}}, {2, 3}, {11, 12, 13, 24, 25, 26})
    support.same(locus.tensor {{1}, {2}} * {3, 4}, {2, 2}, {3, 4, 6, 8})
    support.same(x + locus.tensor(1), {2, 3}, {2, 3, 4, 5, 6, 7})
    support.same(locus.zeros(0, 3) + x:select(1, 1), {0, 3}, {})
    support.same(locus.zeros(2, 1, 0) + locus.zeros(3, 1), {2, 3, 0}, {})
    support.same(locus.zeros(0) + 1, {0}, {})
    local long = locus.zeros(3, 2000) + locus.arange(2000)
    assert.same({0, 1999, 0, 1999}, {long[{1, 1}], long[{1, 2000}], long[{3, 1}], long[{3, 2000}]})
  end)

  it("take operators, a table or a number on either side", function()
    local x = support.tensor("int32", {7, -7})
    support.same(x + 1, {2}, {8, -6}, "int32")
    support.same(1 - x, {2}, {-6, 8}, "int32")
    support.same(x * x, {2}, {49, 49}, "int32")
    support.same(x / 2, {2}, {3.5, -3.5}, "float64")
    support.same(x % 4, {2}, {3, 1}, "int32")
    support.same(10 % x, {2}, {3, -4}, "int32")
    support.same(x ^ 2, {2}, {49, 49}, "int32")
    support.same(2 ^ locus.tensor {1, -1}, {2}, {2, 0.5})
    support.same(-x, {2}, {-7, 7}, "int32")
    support.same({1, 2} - x, {2}, {-6, 9}, "float64")
    support.same(x + 5LL, {2}, {12, -2}, "int32")
    assert.is_false(x == x + 0)
    for _, case in ipairs {
      {function() return x < x end, "< and > compare whole values; write x:lt(y) or x:gt(y)"},
      {function() return x >= x end, "<= and >= compare whole values; write x:le(y) or x:ge(y)"},
      {function() return x .. "!" end,
       ".. joins strings; write locus.cat({x, y}), or tostring(x) for its text"},
      {function() return x + "1" end,
       "add: 'other' must be a tensor, a table or a number, got the string \"1\""},
      {function() return x() end,
       "a tensor cannot be called; write x[i], or for i, v in x:iter() do"},
    } do
      assert.equal(case[2], support.message(case[1]))
    end
  end)

  it("take arguments by name and by position", function()
    local x = locus.tensor {1, 2}
    support.same(locus.sub {input = x, other = 3}, {2}, {-2, -1})
    support.same(locus.sub {x, other = 3}, {2}, {-2, -1})
    support.same(x:sub {other = 3}, {2}, {-2, -1})
    support.same(locus.sub {x, 3, out = locus.zeros(2)}, {2}, {-2, -1})
    for _, case in ipairs {
      {"sub: there is no argument 'othr'; did you mean 'other'?", {input = x, othr = 3}},
      {"sub: 'other' is missing", x},
      {"sub: 'input' is given twice", x, {input = x, other = 1}},
      {"sub: takes at most 2 arguments by position, got 3; write {out = ...}", x, 1, x},
    } do
      assert.equal(case[1], support.message(locus.sub, unpack(case, 2)))
    end
  end)

  it("take the divisor's sign in remainders #native", function()
    for _, dtype in ipairs(support.signed) do
      local least = support.range[dtype][1]
      local x = support.tensor(dtype, {7, -7, 7, -7, least, least})
      local y = support.tensor(dtype, {4, 4, -4, -4, -1, least})
      support.same(x % y, {6}, {3, 1, -1, -3, 0, 0}, dtype)
    end
    for _, dtype in ipairs(support.floats) do
      support.same(support.tensor(dtype, {5.5, -5.5, 4, -4, 4, -1, 1, inf, 3, nan, 0, -0.0}) %
                   support.tensor(dtype, {2, 2, -2, 2, -3, inf, -inf, 2, 0, 1, 5, 5}),
                   {12}, {1.5, 0.5, -0.0, 0, -2, inf, -inf, nan, nan, nan, 0, 0}, dtype)
    end
  end)

  it("give the remainders of C, whatever the quotients #host #native", function()
    math.randomseed(5)
    local function number()
      local kind = math.random(4)
      if kind == 1 then return math.random(-1000, 1000) end
      if kind == 2 then return math.random(-3000, 3000) * 0.1 end
      if kind == 3 then return (2 ^ 24 - math.random(0, 3)) * 2 ^ math.random(-8, 2) end
      return (math.random() - 0.5) * 2 ^ math.random(-20, 24)
    end
    local rare = {inf, -inf, nan, 0, -0.0, 1e300, 5e-324, 2 ^ 53, 2 ^ 22 - 1, 2 ^ 22}
    local remainder = numbers.binary.remainder.float
    for _, dtype in ipairs {"float64", "float32"} do
      for _, often in ipairs {0, 0.01, 0.3} do
        local x, y = locus.zeros(3001, {dtype = dtype}), locus.zeros(3001, {dtype = dtype})
        for i = 1, 3001 do
          local chance = math.random()
          y[i] = chance < often and rare[math.random(#rare)] or number()
          x[i] = chance > 1 - often and rare[math.random(#rare)]
            or chance < 0.5 and y[i] * math.random(-2000, 2000) or number()
        end
        local got, in_place = x % y, x:clone()
        in_place:remainder_(y)
        for i = 1, 3001 do
          local right = locus.zeros(1, {dtype = dtype})
          right[1] = remainder(x[i], y[i])
          assert.equal(support.show(right[1]), support.show(got[i]))
          assert.equal(support.show(got[i]), support.show(in_place[i]))
        end
      end
    end
  end)

  it("divide integers exactly, whatever their sizes #host #native", function()
    math.randomseed(9)
    local rare = {2LL ^ 51 - 1, 2LL ^ 51, -2LL ^ 51, -2LL ^ 51 - 1, 2LL ^ 53 + 1, 2LL ^ 62,
      math.random(2 ^ 30) * 4294967296LL, 1LL, -1LL}
    local function number(often)
      if math.random() < often then return rare[math.random(#rare)] end
      return math.random(-2 ^ 20, 2 ^ 20) * 2LL ^ math.random(0, 30) + math.random(-1, 1)
    end
    for _, dtype in ipairs {"int64", "int32"} do
      for _, often in ipairs {0, 0.001, 0.3} do
        local x, y = locus.zeros(3001, {dtype = "int64"}), locus.zeros(3001, {dtype = "int64"})
        for i = 1, 3001 do
          local b = number(often)
          y[i] = b == 0 and 1 or b
          x[i] = math.random() < 0.5 and b * math.random(1000) - math.random(0, 1) or number(often)
        end
        if dtype == "int32" then x, y = (x % 2 ^ 32 - 2 ^ 31):int(), (y % 2 ^ 32 - 2 ^ 31):int() end
        y:masked_fill_(y:eq(0), 7)
        local down, rest, toward = x:floor_divide(y), x % y, x:fmod(y)
        for i = 1, 3001 do
          local a, b = x[i] + 0LL, y[i] + 0LL
          local q, r = a / b, a % b -- of C
          local other = r ~= 0 and (r < 0) ~= (b < 0)
          assert.equal(r, toward[i] + 0LL)
          assert.equal(other and r + b or r, rest[i] + 0LL)
          assert.equal(other and q - 1 or q, down[i] + 0LL)
        end
        for i = 1, 40 do -- by one number
          for name, answers in pairs {floor_divide = down, remainder = rest, fmod = toward} do
            assert.equal(answers[i], x[name](x, y[i])[i])
            local mixed, others = y[{{i, i}}]:expand(3001):clone(), {{2, -1, 2}}
            mixed[{{1, -1, 2}}] = 7
            assert.is_true(x[name](x, y[i])[others]:equal(x[name](x, mixed)[others]))
          end
        end
        assert.is_true(x:clone():remainder_(y):equal(rest))
        assert.is_true(y:clone():copy_(x):floor_divide_(y):equal(down))
      end
    end
  end)

  it("square by multiplication, in place too", function()
    math.randomseed(2)
    local values = {0, -0.0, inf, -inf, nan, 1e200, -3}
    for i = 8, 20000 do values[i] = math.random() end
    for _, dtype in ipairs {"float64", "float32", "float16", "int32"} do
      local x = locus.tensor(values)
      if dtype == "int32" then x = x:narrow(1, 7, 1000) * 1e5 end
      x = x:to(dtype)
      assert.is_true((x ^ 2):allclose(x * x, {rtol = 0, atol = 0, equal_nan = true}))
      assert.is_true((x ^ 2LL):allclose(x:clone():pow_(2), {rtol = 0, atol = 0, equal_nan = true}))
    end
    support.same(locus.tensor({true, false}):long() ^ 2, {2}, {1, 0}, "int64")
  end)

  -- On a device, what CUDA's documentation gives for pow and powf; and one for the C library's own.
  it("raise floats to powers within a few units in the last place", function()
    local host = support.device == "cpu"
    math.randomseed(3)
    for dtype, most in pairs {float64 = host and 1 or 2 + 1, float32 = host and 1 or 8 + 1} do
      local bases, powers, want = {2, 0.5, inf}, {0.5, 2, -1}, {}
      for i = 4, 3000 do
        bases[i] = oracle.round(math.random() * 2 ^ math.random(-20, 20), dtype)
        powers[i] = oracle.round(math.random() * 8 - 4, dtype)
      end
      for i, base in ipairs(bases) do want[i] = oracle.round(base ^ powers[i], dtype) end
      local x, y = support.tensor(dtype, bases), support.tensor(dtype, powers)
      local off = support.ulps_off(x ^ y, want)
      assert.is_true(off <= most, dtype .. " is " .. off .. " off")
    end
  end)

  it("raise bool to a power: PyTorch's dtypes, but the default one for numbers", function()
    local b = locus.tensor({true, false})
    support.same(b ^ true, {2}, {true, false}, "bool")
    support.same(b ^ false, {2}, {true, true}, "bool")
    support.same(b:clone():pow_(true), {2}, {true, false}, "bool")
    support.same(b:view(2, 1) ^ b, {2, 2}, {true, true, false, true}, "bool")
    support.same(locus.pow(true, b), {2}, {true, true}, "bool")
    support.same(b ^ 2, {2}, {1, 0}, "float64")
    support.same(b ^ 2.5, {2}, {1, 0}, "float64")
    support.same(b ^ 0, {2}, {1, 1}, "float64")
    support.same(b ^ 2LL, {2}, {1, 0}, "int64")
    support.same(b ^ locus.tensor({2, 3}, {dtype = "int8"}), {2}, {1, 0}, "int8")
    support.same(locus.pow(2, b), {2}, {2, 1}, "float64")
    assert.is_true(locus.pow(false, false))
    assert.equal("pow_: the result is float64, which bool cannot hold; write x:pow(...)",
                 support.message(b.pow_, b, 2))
  end)

  it("wrap integer powers", function()
    local x = support.tensor("int64", {3, -3, 2, 2, 0, 0, 1, -1})
    local y = support.tensor("int64", {40, 41, 63, 64, 0, 5, 1000001, 1000001})
    support.same(x ^ y, {8}, {support.integer("-6289078614652622815"),
      support.integer("420491770248316829"), support.range.int64[1], 0, 1, 0, 1, -1}, "int64")
    support.same(support.tensor("uint8", {3, 16}) ^ 5, {2}, {243, 0}, "uint8")
    x, y = support.tensor("float32", {2, 9, -8, 0}), support.tensor("float32", {-1, .5, 3, 0})
    support.same(x ^ y, {4}, {0.5, 3, -512, 1}, "float32")
  end)

  it("hand NaN on in minimum and maximum", function()
    for _, dtype in ipairs(support.floats) do
      local x = support.tensor(dtype, {nan, 1, nan, -inf})
      local y = support.tensor(dtype, {1, nan, nan, 2})
      support.same(x:minimum(y), {4}, {nan, nan, nan, -inf}, dtype)
      support.same(x:maximum(y), {4}, {nan, nan, nan, 2}, dtype)
    end
  end)

  it("refuse what would not be an integer, and write nothing", function()
    local i = support.tensor("int32", {5, 6, 7, 8}, {2, 2})
    local out = support.tensor("int32", {1, 2, 3, 4}, {2, 2})
    local divisors = support.tensor("int32", {3, 0}, {2, 1})
    local zero, minus = locus.tensor(0LL), support.tensor("int8", {2, -2})
    for _, case in ipairs {
      {"remainder: 'other' is 0, and integers have no remainder by 0; write x:double()",
       "remainder", 0},
      {"remainder: 'other' is 0, and integers have no remainder by 0; write x:double()",
       "remainder", zero},
      {"remainder: 'other' is 0 at [2,1], and integers have no remainder by 0; write x:double()",
       "remainder", divisors},
      {"remainder: 'other' is false at [1], and integers have no remainder by 0; write x:double()",
       "remainder", locus.tensor {false, true}},
      {"pow: 'other' is -1, and integers have no negative powers; write x:double()", "pow", -1},
      {"pow: 'other' is -2 at [2], and integers have no negative powers; write x:double()", "pow",
       minus},
    } do
      assert.equal(case[1], support.message(locus[case[2]], i, case[3], {out = out}))
      assert.equal((case[1]:gsub("^%a+", "%0_")), support.message(i[case[2] .. "_"], i, case[3]))
    end
    assert.same({{1, 2}, {3, 4}}, out:totable())
    assert.same({{5, 6}, {7, 8}}, i:totable())
    support.same(locus.zeros(0, {dtype = "int32"}) % locus.zeros(0, {dtype = "int32"}), {0}, {})
    support.same(locus.tensor {1, 2} % 0, {2}, {nan, nan})
  end)

  it("refuse a lower rank that an integer dtype cannot hold", function()
    local u = support.tensor("uint8", {1, 2})
    for _, case in ipairs {
      {"add: 'other' is 300, which uint8 cannot hold", u, 300},
      {"add: 'input' is -1, which uint8 cannot hold", -1, u},
      {"add: 'other' is 9007199254740993, which uint8 cannot hold", u, 9007199254740993LL},
      {"add: 'other' holds 300, which uint8 cannot hold", u, locus.tensor(300LL)},
    } do
      assert.equal(case[1], support.message(locus.add, case[2], case[3]))
    end
    support.same(u + locus.tensor(5LL), {2}, {6, 7}, "uint8")
    support.same(u + 0.5, {2}, {1.5, 2.5}, "float64")
    support.same(support.tensor("float32", {1}) + locus.tensor(0.1), {1},
                 {oracle.round(1 + oracle.round(0.1, "float32"), "float32")}, "float32")
  end)

  it("say where there is no such op", function()
    local b, f, z = locus.tensor {true}, locus.tensor {1}, locus.tensor {support.complex(1, 2)}
    for _, case in ipairs {
      {"sub: not defined for bool; write x:logical_xor(y)", "sub", b, b},
      {"remainder: not defined for bool; convert with x:long()", "remainder", b, true},
      {"band: not defined for float64; convert with x:long()", "band", f, 1},
      {"div: not defined for complex128; complex values have + - * eq ne", "div", z, 2},
      {"add: 'other' of size 3 does not broadcast with size 2", "add", {1, 2}, {1, 2, 3}},
      {"add: 'other' of size 2x2 does not broadcast with size 2x3", "add", locus.zeros(2, 3),
       locus.zeros(2, 2)},
      {"add: 'other' must be a tensor, a table or a number, got a function", "add", f, print},
      {"result_type: 'b' is missing", "result_type", f},
    } do
      assert.equal(case[1], support.message(locus[case[2]], case[3], case[4]))
    end
  end)
end)
