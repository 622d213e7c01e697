-- SPDX-License-Identifier: MIT
-- Where binary ops write: in place (add_ and so on), into `out`, and what memory they may share.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local numbers = require "spec.support.models.numbers"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local function fits(values, dtype)
  local low, high = unpack(support.range[dtype])
  for _, v in ipairs(values) do
    if type(v) ~= "boolean" and (oracle.before(v, low) or oracle.before(high, v)) then
      return false
    end
  end
  return true
end

describe("binary ops in place", function()
  for _, op in ipairs {"add", "sub", "mul", "minimum", "maximum"} do
    it(op .. "_ keeps the dtype for every pair, or refuses", function()
      math.randomseed(5)
      for _, first in ipairs(support.dtypes) do
        for _, second in ipairs(support.dtypes) do
          local a, b = arrays.random(first, {4, 6}), arrays.random(second, {4, 6})
          local dtype, kind = oracle.promote(first, second), oracle.kind(first)
          local x, y, want = arrays.tensor(a), arrays.tensor(b), {}
          if kind == 2 and oracle.kind(dtype) == 2 then dtype = first end
          local f = numbers.binary[op][numbers.kind(dtype)]
          if not f or oracle.kind(dtype) > kind then
            local sentence = f and "the result is " .. dtype .. ", which " .. first ..
              " cannot hold; write x:" .. op .. "(...)" or "not defined for " .. dtype
            local message = support.message(x[op .. "_"], x, y)
            assert.equal(op .. "_: " .. sentence, message:sub(1, #op + 3 + #sentence))
            arrays.check(x, {4, 6}, a.values, first, op, a, b)
          elseif kind == 2 and not fits(b.values, first) then
            local message = support.message(x[op .. "_"], x, y)
            assert.matches("'other' holds %-?%d+ at %[%d,%d%], which " .. first, message)
            arrays.check(x, {4, 6}, a.values, first, op, a, b)
          else
            for i, v in ipairs(a.values) do
              want[i] = oracle.convert(numbers.apply(op, v, b.values[i], dtype), first)
            end
            assert.equal(x, x[op .. "_"](x, y))
            arrays.check(x, {4, 6}, want, first, op, a, b)
          end
        end
      end
    end)
  end

  it("divides nothing by 0, in place or not", function()
    for _, op in ipairs {"remainder", "fmod", "floor_divide"} do
      support.same(locus.zeros(0, 2):long()[op](locus.zeros(0, 2):long(), 0), {0, 2}, {}, "int64")
      support.same(locus.zeros(0, 2):int()[op](locus.zeros(0, 2):int(), locus.IntTensor{1, 0}),
        {0, 2}, {}, "int32")
      assert.equal(0, locus.zeros(0):int()[op .. "_"](locus.zeros(0):int(), 0):numel())
    end
    support.same(locus.zeros(0, 2):long():pow(locus.LongTensor{1, -1}), {0, 2}, {}, "int64")
  end)

  it("take numbers, tables, names, and broadcast other to input", function()
    local x = support.tensor("float32", {1, 2, 3, 4}, {2, 2})
    assert.equal(x, x:add_(1))
    support.same(x, {2, 2}, {2, 3, 4, 5}, "float32")
    support.same(x:mul_ {10, 100}, {2, 2}, {20, 300, 40, 500}, "float32")
    support.same(x:sub_ {other = 1}, {2, 2}, {19, 299, 39, 499}, "float32")
    support.same(locus.div_(x, x), {2, 2}, {1, 1, 1, 1}, "float32")
    support.same(x:pow_ {{2}, {3}}, {2, 2}, {1, 1, 1, 1}, "float32")
    support.same(x:remainder_(0.75), {2, 2}, {.25, .25, .25, .25}, "float32")
    local i = support.tensor("int16", {6, 5})
    support.same(i:band_(4):bor_(1):bxor_(2), {2}, {7, 7}, "int16")
    support.same(i:logical_and_(0.5), {2}, {1, 1}, "int16")
    support.same(i:logical_xor_ {1, 0}, {2}, {0, 1}, "int16")
    support.same(i:logical_or_(support.tensor("bool", {1, 0})), {2}, {1, 1}, "int16")
    support.same(i:pow_(3):remainder_(7LL), {2}, {1, 1}, "int16")
    support.same(locus.zeros(0):add_(1), {0}, {}, "float64")
    support.same(locus.tensor(1):add_(locus.tensor(2)), {}, {3}, "float64")
  end)

  it("write through views and leave the rest alone", function()
    local base = locus.arange(12):view(3, 4)
    base:select(2, 2):add_(100)
    base:t():narrow(1, 4, 1):mul_(-1)
    assert.same({{0, 101, 2, -3}, {4, 105, 6, -7}, {8, 109, 10, -11}}, base:totable())
  end)

  it("round once when other is wider", function()
    local x = support.tensor("float16", {1})
    x:add_(support.tensor("float64", {2 ^ -11 + 2 ^ -40}))
    support.same(x, {1}, {1 + 2 ^ -10}, "float16")
  end)

  it("refuse a higher kind, a larger size and scalars that do not fit", function()
    local i = support.tensor("int32", {1, 2})
    local u, b = support.tensor("uint8", {1}), locus.tensor {true}
    for _, case in ipairs {
      {"add_: the result is float64, which int32 cannot hold; write x:add(...)", "add_", i, 0.5},
      {"div_: the result is float64, which int32 cannot hold; write x:div(...)", "div_", i, 2},
      {"add_: the result is float64, which bool cannot hold; write x:add(...)", "add_", b, 1},
      {"mul_: the result is complex128, which float64 cannot hold; write x:mul(...)", "mul_",
       locus.tensor {1}, support.complex(0, 1)},
      {"add_: the result is of size 3x2, but 'input' is of size 2; write x:add(...)", "add_", i,
       locus.zeros(3, 2, {dtype = "int32"})},
      {"add_: 'other' of size 3 does not broadcast with size 2", "add_", i, {1, 2, 3}},
      {"add_: 'other' is 300, which uint8 cannot hold", "add_", u, 300},
      {"sub_: 'other' is -1, which uint8 cannot hold", "sub_", u, -1},
      {"add_: 'input' must be a tensor, got the number 1", "add_", 1, u},
      {"add_: 'input' must be a tensor, got a table", "add_", {1}, u},
      {"add_: there is no argument 'out'; "
        .. "the arguments are 'input', 'other'", "add_", u, {1, out = u}},
    } do
      assert.equal(case[1], support.message(locus[case[2]], case[3], case[4]))
    end
    assert.same({{1, 2}, {1}, {true}}, {i:totable(), u:totable(), b:totable()})
  end)
end)

describe("out and shared memory", function()
  it("may be strided, empty, or exactly an operand", function()
    local x, y, wide = locus.tensor {1, 2, 3}, locus.tensor {10, 20, 30}, locus.zeros(3, 2)
    local out = wide:select(2, 1)
    assert.equal(out, x:add(y, {out = out}))
    assert.same({{11, 0}, {22, 0}, {33, 0}}, wide:totable())
    local empty = locus.zeros(0, 4)
    assert.equal(empty, locus.add(x, y, {out = empty}))
    support.same(empty, {3}, {11, 22, 33})
    locus.sub(x, y, {out = y})
    assert.same({-9, -18, -27}, y:totable())
    locus.sub(x, y, {out = x})
    assert.same({10, 20, 30}, x:totable())
    x:add(x, {out = x})
    assert.same({20, 40, 60}, x:totable())
    x:add_(x)
    assert.same({40, 80, 120}, x:totable())
  end)

  it("may be exactly a long operand, whatever the loop", function()
    for _, dtype in ipairs {"int8", "int32", "float16", "float32", "float64"} do
      local x = locus.arange(3000):remainder_(50):to(dtype)
      local want = support.values(x + x)
      support.same(locus.add(x, x:clone(), {out = x}), {3000}, want, dtype)
    end
  end)

  it("may not overlap an operand in part, nor itself", function()
    local x = locus.arange(6)
    local a, b = x:narrow(1, 1, 4), x:narrow(1, 2, 4)
    for _, case in ipairs {
      {"add: 'out' overlaps 'input' in memory; give a separate tensor", "add", a, 1, {out = b}},
      {"add: 'out' overlaps 'other' in memory; give a separate tensor", "add", 1, a, {out = b}},
      {"add_: 'input' overlaps 'other' in memory; give a separate tensor", "add_", a, b},
    } do
      assert.equal(case[1], support.message(locus[case[2]], unpack(case, 3)))
    end
    local square = x:narrow(1, 1, 4):view(2, 2)
    assert.matches("^add_: 'input' overlaps 'other'",
                   support.message(square.add_, square, square:t()))
    local spread = locus.zeros(1):expand(4)
    assert.matches("^add_: 'input' has elements that share memory",
                   support.message(spread.add_, spread, 1))
    assert.matches("^add: 'out' has elements that share memory",
                   support.message(locus.add, a, 1, {out = spread}))
    assert.same({0, 1, 2, 3, 4, 5}, x:totable())
    local even, odd = x:view(3, 2):select(2, 1), x:view(3, 2):select(2, 2)
    even:add_(odd)
    assert.same({1, 1, 5, 3, 9, 5}, x:totable())
  end)

  it("must have the result's dtype and size", function()
    local x, i = locus.tensor {1, 2}, support.tensor("int32", {1, 2})
    local out = locus.tensor {7, 8, 9}
    for _, case in ipairs {
      {"add: 'out' must be of size 2, got 3", x, 1, {out = out}},
      {"add: 'out' must be float64, got int32", x, 1, {out = i}},
      {"add: 'out' must be float64, got int32", i, 0.5, {out = i}},
      {"add: 'out' must be a tensor, got the number 3", x, 1, {out = 3}},
    } do
      assert.equal(case[1], support.message(locus.add, unpack(case, 2)))
    end
    assert.same({{7, 8, 9}, {1, 2}}, {out:totable(), i:totable()})
  end)
end)
