-- SPDX-License-Identifier: MIT
-- The rows of src/core/unary.def: signs, rounding, functions of libm, bits, predicates.
local ffi = require "ffi"
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local numbers = require "spec.support.models.numbers"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local nan, inf = support.nan, math.huge
local kind, int64, wrap = numbers.kind, numbers.int64, numbers.wrap
local function is_complex(v) return ffi.istype("complex", v) end

local function parts(predicate, join)
  return function(v)
    if not is_complex(v) then return predicate(v) end
    return join(predicate(v.re), predicate(v.im))
  end
end
local function both(a, b) return a and b end
local function either(a, b) return a or b end

-- The answer of each op for one value, by kind, and its dtype if it is another one.
local OPS = {}
for name, cells in pairs(numbers.unary) do
  OPS[name] = {
    bool = cells.bool and function(v) return cells.bool(v and 1 or 0) ~= 0 end,
    integer = cells.integer and function(v, dtype)
      return wrap(int64(cells.integer(int64(v))), dtype)
    end,
    float = cells.float and function(v, dtype)
      return oracle.round(oracle.round(cells.float(v), oracle.computed(dtype)), dtype)
    end,
    complex = cells.complex and function(v) return support.complex(cells.complex(v.re, v.im)) end,
  }
end
function OPS.square.complex(v, dtype)
  return oracle.convert(numbers.apply("mul", v, v, dtype), dtype)
end

-- Numbers as floats: those that are computed in float32 and in float64; others give the default
-- dtype.
local function floating(in_f32, in_f64)
  local op = {floating = "float64"}
  function op.float(v, dtype)
    return oracle.round(oracle.computed(dtype) == "float64" and in_f64(v) or in_f32(v), dtype)
  end
  function op.integer(v) return in_f64(tonumber(v)) end
  function op.bool(v) return in_f64(v and 1 or 0) end
  return op
end
for name, of in pairs(numbers.floating) do OPS[name] = floating(of[1], of[2]) end

local TRUTH = {
  logical_not = function(v)
    if type(v) == "boolean" then return not v end
    if is_complex(v) then return v.re == 0 and v.im == 0 end
    return v == 0
  end,
  isnan = parts(function(v) return v ~= v end, either),
  isinf = parts(function(v) return type(v) == "number" and (v == inf or v == -inf) end, either),
  isfinite = parts(function(v)
    return type(v) ~= "number" or v == v and v ~= inf and v ~= -inf
  end, both),
}
for name, f in pairs(TRUTH) do
  OPS[name] = {answer = "bool"}
  for _, k in ipairs {"bool", "integer", "float", "complex"} do OPS[name][k] = f end
end

describe("unary ops", function()
  it("have an oracle each", function() support.covers("unary", OPS) end)

  for name, op in pairs(OPS) do
    it(name .. " is right on every dtype and layout #native", function()
      math.randomseed(7)
      for _, dtype in ipairs(support.dtypes) do
        local f = op[kind(dtype)]
        for _, shape in ipairs {{}, {0}, {37}, {3, 5}, {2, 0, 3}, {2, 3, 4}} do
          local a = arrays.random(dtype, shape)
          local t = arrays.tensor(a)
          local answer = op.answer or kind(dtype) ~= "float" and op.floating or dtype
          if f then
            local want = {}
            for i, v in ipairs(a.values) do want[i] = f(v, dtype) end
            arrays.check(locus[name](t), shape, want, answer, name, a)
            arrays.check(t[name](t), shape, want, answer, name, a)
          else
            local message = support.message(t[name], t)
            assert.matches("^" .. name .. ": not defined for " .. dtype .. "; ", message)
          end
        end
      end
    end)

    it(name .. " runs over long tensors", function()
      local f, dtype = op.float or op.integer, op.float and "float32" or "int16"
      local t = locus.arange(-70000, 70001):to("float32")
      if dtype == "int16" then t = t:remainder(1000):to("int16") end
      local got = t[name](t)
      for _, i in ipairs {1, 2, 1024, 1025, 65536, 65537, 70001, 131072, 140001} do
        arrays.check(got[{ {i} }], {1}, {f(t[i], dtype)}, op.answer or dtype)
      end
    end)
  end

  it("round to n decimals as PyTorch does, step by step in the dtype #native", function()
    local x = locus.tensor {2.345, -2.355, 0.5, 1234.567, nan, inf}
    support.same(x:round {decimals = 2}, {6}, {2.35, -2.36, 0.5, 1234.57, nan, inf}, "float64")
    support.same(x:round {decimals = -2}, {6}, {0, -0.0, 0, 1200, nan, inf}, "float64")
    support.same(locus.round(x:float(), {decimals = 1}):double(), {6},
      locus.tensor({2.3, -2.4, 0.5, 1234.6, nan, inf}, {dtype = "float32"}):double():totable())
    assert.equal(2.35, locus.round(2.345, {decimals = 2}))
    support.same(support.tensor("int16", {125, -7}):round {decimals = 1}, {2}, {125, -7}, "int16")
    local out = locus.zeros(0)
    assert.equal(out, x:round {decimals = 2, out = out})
    assert.equal(2.35, out[1])
    assert.equal(x, x:round_ {decimals = 1})
    assert.equal(1234.6, x[4])
    assert.equal("round: 'decimals' must not be negative for int16, got -1",
      support.message(locus.round, support.tensor("int16", {1}), {decimals = -1}))
    assert.matches("^round: 'decimals' must be a whole number",
      support.message(locus.round, x, {decimals = 0.5}))
  end)

  it("round to decimals beyond all powers of ten: nothing finite becomes NaN #native", function()
    local list = {2.5, -2.5, 0, -0.0, 1e30, -1e-30, nan, inf, -inf}
    local zeros = {0, -0.0, 0, -0.0, 0, -0.0, nan, inf, -inf}
    for _, dtype in ipairs {"float16", "bfloat16", "float32", "float64"} do
      local x = locus.tensor(list):to(dtype)
      local finite = x:isfinite()
      local values = x:double():totable()
      for _, decimals in ipairs {45, 308, 309, 400, 2 ^ 53, 0x7fffffffffffffffLL} do
        support.same(x:round {decimals = decimals}, {9}, values, dtype)
        local away = finite:where(x:round {decimals = -decimals}:double(), x:double())
        support.same(away, {9}, dtype == "float64" and decimals == 45 and away:totable()
          or finite:where(locus.tensor(zeros), x:double()):totable(), "float64")
        support.same(x:clone():round_ {decimals = decimals}, {9}, values, dtype)
        assert.is_true(x:clone():round_ {decimals = -decimals}:double():isnan()
          :eq(x:double():isnan()):all())
      end
    end
    assert.equal(2.5, locus.round(2.5, {decimals = 400}))
    assert.equal(-inf, 1 / locus.round(-2.5, {decimals = -400}))
    assert.equal(1e300, locus.round(1e300, {decimals = 10}))
    assert.equal(1e300, locus.round(1e300, {decimals = -20}))
    support.same(locus.zeros(0):round {decimals = 400}, {0}, {}, "float64")
    for _, decimals in ipairs {400, -400} do
      assert.equal("round_: 'input' has elements that share memory; write input:contiguous()",
        support.message(locus.round_, locus.ones(1):expand(3), {decimals = decimals}))
    end
  end)

  it("rounds halves to decimals in float32, which holds what their dtype does not", function()
    for _, dtype in ipairs {"float16", "bfloat16"} do
      local x = support.tensor(dtype, {-480, 0.5, 2.25, nan, -inf})
      support.same(x:round {decimals = 5}, {5}, {-480, 0.5, 2.25, nan, -inf}, dtype)
      support.same(x:round {decimals = 1}, {5},
        locus.tensor {-480, 0.5, 2.2, nan, -inf}:to(dtype):double():totable(), dtype)
      support.same(x:round {decimals = -1}, {5}, {-480, 0, 0, nan, -inf}, dtype)
      local out = locus.empty({0}, {dtype = dtype})
      assert.equal(out, x:round {decimals = 5, out = out})
      assert.equal(-480, out[1])
      assert.equal(x, x:round_ {decimals = 1})
      support.same(x[{ {2, 3} }], {2}, locus.tensor {0.5, 2.2}:to(dtype):double():totable(), dtype)
      assert.matches("^round: 'out' must be " .. dtype,
        support.message(locus.round, x, {decimals = 1, out = locus.zeros(5)}))
    end
  end)

  it("of libm are those of libm, also where floats end #native", function()
    local x = locus.tensor {0, -0.0, inf, -inf, nan, -1, 1}
    support.same(x:sqrt(), {7}, {0, -0.0, inf, nan, nan, nan, 1}, "float64")
    support.same(x:log(), {7}, {-inf, -inf, inf, nan, nan, nan, 0}, "float64")
    support.same(x:log1p(), {7}, {0, -0.0, inf, nan, nan, -inf, math.log(2)}, "float64")
    support.same(x:exp2(), {7}, {1, 1, inf, 0, nan, 0.5, 2}, "float64")
    support.same(x:reciprocal(), {7}, {inf, -inf, 0, -0.0, nan, -1, 1}, "float64")
    support.same(x:tanh():abs(), {7},
      {0, 0, 1, 1, nan, math.tanh(1), math.tanh(1)}, "float64")
    support.same(locus.tensor({1e-20, -1e-20}):expm1(), {2}, {1e-20, -1e-20})
    support.same(locus.tensor({3, 4}, {dtype = "int8"}):sqrt(), {2},
      {math.sqrt(3), 2}, "float64")
    finally(function() locus.set_default_dtype("float64") end)
    locus.set_default_dtype("float32")
    assert.equal("float32", locus.tensor({3}, {dtype = "int64"}):exp().dtype)
    assert.equal("float16", locus.tensor({3}, {dtype = "float16"}):exp().dtype)
  end)

  it("of floats do not go into an integer", function()
    local i = support.tensor("int8", {1, 2})
    assert.equal("exp_: the result is float64, which int8 cannot hold; write x:exp(...)",
      support.message(i.exp_, i))
    support.same(i, {2}, {1, 2}, "int8")
    assert.equal("exp: 'out' must be float64, got int8", support.message(i.exp, i, {out = i}))
  end)

  it("wrap at the ends of a dtype", function()
    for _, dtype in ipairs(support.signed) do
      local least = support.range[dtype][1]
      local t = support.tensor(dtype, {least})
      support.same(-t, {1}, {least}, dtype)
      support.same(t:abs(), {1}, {least}, dtype)
      support.same(t:bnot(), {1}, {support.range[dtype][2]}, dtype)
    end
    support.same(-support.tensor("uint8", {0, 1, 255}), {3}, {0, 255, 1}, "uint8")
  end)

  it("keep the sign of zero and of NaN's neighbours #native", function()
    for _, dtype in ipairs(support.floats) do
      support.same(-support.tensor(dtype, {0, -0.0, inf}), {3}, {-0.0, 0, -inf}, dtype)
      support.same(support.tensor(dtype, {-0.0, -inf, nan}):abs(), {3}, {0, inf, nan}, dtype)
    end
  end)

  it("count any nonzero byte of a bool as true", function()
    local bytes = ffi.new("uint8_t[3]", 0, 2, 255)
    local t = locus.from_ptr(bytes, 3, {dtype = "bool", keep = bytes}):to(support.device)
    support.same(t:logical_not(), {3}, {true, false, false}, "bool")
    support.same(t:bnot(), {3}, {true, false, false}, "bool")
  end)

  it("give a Lua value for a Lua value, a 0-d tensor for a 0-d tensor", function()
    assert.equal(-5, locus.neg(5))
    assert.equal(2.5, locus.abs(-2.5))
    assert.equal(-6, locus.bnot(5LL))
    assert.equal(support.integer("-9007199254740993"), locus.neg(9007199254740993LL))
    assert.is_true(locus.logical_not(0))
    assert.is_false(locus.bnot(true))
    assert.is_true(locus.isnan(nan))
    assert.is_true(locus.isinf(-inf))
    assert.is_false(locus.isfinite(support.complex(1, nan)))
    support.same(locus.neg(locus.tensor(5)), {}, {-5}, "float64")
  end)

  it("take tables and names", function()
    support.same(locus.neg {1, -2}, {2}, {-1, 2}, "float64")
    support.same(locus.isnan {{1, nan}}, {1, 2}, {false, true}, "bool")
    support.same(locus.abs {input = {-1}}, {1}, {1}, "float64")
    support.same(locus.bnot({true, false}), {2}, {false, true}, "bool")
  end)

  it("write into out: strided, empty, or the input itself", function()
    local x, wide = locus.tensor {1, -2, 3}, locus.zeros(3, 2)
    local out = wide:select(2, 2)
    assert.equal(out, x:neg {out = out})
    assert.same({{0, -1}, {0, 2}, {0, -3}}, wide:totable())
    local empty = locus.zeros(0)
    assert.equal(empty, x:neg {out = empty})
    support.same(empty, {3}, {-1, 2, -3})
    x:abs {out = x}
    assert.same({1, 2, 3}, x:totable())
    local five = locus.tensor(0)
    assert.equal(five, locus.neg(-5, {out = five}))
    assert.equal(5, five:item())
    local mask = locus.tensor {true, false}
    mask:logical_not {out = mask}
    assert.same({false, true}, mask:totable())
  end)

  it("write in place", function()
    local x = locus.tensor {{1, -2}, {-3, 4}}
    local column = x:select(2, 2)
    assert.equal(column, column:neg_())
    assert.same({{1, 2}, {-3, -4}}, x:totable())
    x:t():abs_()
    assert.same({{1, 2}, {3, 4}}, x:totable())
    local i = support.tensor("int8", {5, 0})
    support.same(i:bnot_(), {2}, {-6, -1}, "int8")
    support.same(i:logical_not_(), {2}, {0, 0}, "int8")
    local f = support.tensor("float16", {0, nan, -0.0})
    support.same(locus.logical_not_(f), {3}, {1, 0, 1}, "float16")
    assert.is_nil(rawget(locus, "isnan_"))
  end)

  it("refuse a wrong out and leave it as it was", function()
    local x, three = locus.tensor {1, 2, 3, 4}, locus.tensor {7, 8, 9}
    local cases = {
      {{out = three}, "neg: 'out' must be of size 4, got 3"},
      {{out = locus.zeros(4, {dtype = "int32"})}, "neg: 'out' must be float64, got int32"},
      {{out = 5}, "neg: 'out' must be a tensor, got the number 5"},
    }
    for _, case in ipairs(cases) do
      assert.equal(case[2], support.message(x.neg, x, case[1]))
    end
    assert.same({7, 8, 9}, three:totable())
    local message = support.message(locus.neg, x:narrow(1, 1, 3), {out = x:narrow(1, 2, 3)})
    assert.equal("neg: 'out' overlaps 'input' in memory; give a separate tensor", message)
    assert.same({1, 2, 3, 4}, x:totable())
    message = support.message(function() locus.zeros(1):expand(3):neg_() end)
    assert.matches("^neg_: 'input' has elements that share memory", message)
  end)

  it("say what is wrong with a call", function()
    local b = locus.tensor {true}
    local cases = {
      {"neg: not defined for bool; write x:logical_not()", locus.neg, b},
      {"abs: not defined for bool; convert it with x:long()", locus.abs, b},
      {"bnot: not defined for float64; convert it with x:long()", locus.bnot, {1}},
      {"bnot: not defined for float64; convert it with x:long()", locus.bnot, 1},
      {"abs: not defined for complex128; complex values have + - * eq ne", locus.abs,
       support.complex(1, 2)},
      {"neg: 'input' must be a tensor, a table or a number, got the string \"1\"", locus.neg, "1"},
      {"neg: 'input' is missing", locus.neg},
      {"neg_: 'input' must be a tensor, got the number 5", locus.neg_, 5},
      {"neg_: 'input' must be a tensor, got a table", locus.neg_, {5}},
      {"isnan: takes at most 1 argument by position, got 2", locus.isnan, b, 1},
      {"abs: there is no argument 'outt'; did you mean 'out'?", locus.abs, b, {outt = b}},
      {"abs_: there is no argument 'out'; the arguments are 'input'", locus.abs_, b, {out = b}},
    }
    for _, case in ipairs(cases) do
      assert.equal(case[1], support.message(case[2], case[3], case[4]))
    end
  end)
end)
