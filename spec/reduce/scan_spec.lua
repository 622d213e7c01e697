-- SPDX-License-Identifier: MIT
-- Running answers: an oracle for each row of scan.def, on every dtype, layout and dimension; what
-- is particular to cumprod, cummin and cummax, and the forms in place. (cumsum: cumsum_spec.lua.)
local core = require "locus.core"
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local numbers = require "spec.support.models.numbers"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local nan, inf = support.nan, math.huge

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

local function complex_times(a, b)
  if b.re == 1 and b.im == 0 then return a end
  if a.re == 1 and a.im == 0 then return b end
  return {re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re}
end

local function complex_plus(a, b) return {re = a.re + b.re, im = a.im + b.im} end

-- Each element with those before it: `join` of numbers, or of complex ones, from `none` on.
local function joined(join, join_complex, none)
  return function(list, dtype)
    local kind, answers = oracle.kind(dtype), {}
    local part = kind == 4 and oracle.computed(dtype)
    local so_far = kind <= 2 and numbers.int64(none) or kind == 3 and none or {re = none, im = 0}
    for i, v in ipairs(list) do
      if kind == 4 then
        so_far = join_complex(so_far, v)
        answers[i] = support.complex(oracle.round(so_far.re, part), oracle.round(so_far.im, part))
      else
        so_far = join(so_far, v == true and 1 or v == false and 0 or v)
        answers[i] = kind == 3 and oracle.round(so_far, dtype) or so_far
      end
    end
    return answers, kind <= 2 and "int64" or dtype
  end
end

-- The best so far, the last of equal ones, and where it is, counted from 1.
local function chosen(better)
  return function(list, dtype)
    local values, places, at = {}, {}, 1
    for i, v in ipairs(list) do
      if v ~= v or not better(list[at], v) and list[at] == list[at] then at = i end
      values[i], places[i] = list[at], at
    end
    return values, dtype, places
  end
end

local running = {
  sum = joined(function(a, b) return a + b end, complex_plus, 0),
  prod = joined(function(a, b) return a * b end, complex_times, 1),
  min = chosen(oracle.before),
  max = chosen(function(a, b) return oracle.before(b, a) end),
}

-- The same along a dimension of an array: values, dtype, positions.
local function along(f, a, dim)
  local inner, n, values, places, dtype = 1, a.shape[dim], {}, nil, nil
  for d = dim + 1, #a.shape do inner = inner * a.shape[d] end
  for start = 1, #a.values do
    if math.floor((start - 1) / inner) % n == 0 then
      local list = {}
      for k = 0, n - 1 do list[k + 1] = a.values[start + k * inner] end
      local row, answer, at = f(list, a.dtype)
      dtype = answer
      places = at and (places or {})
      for k = 0, n - 1 do
        values[start + k * inner] = row[k + 1]
        if at then places[start + k * inner] = at[k + 1] end
      end
    end
  end
  return values, dtype, places
end

local function check(op, a, layout, dim)
  local x = arrays.tensor(a, layout)
  local values, dtype, places = along(running[op], a, dim)
  local got, at = x["cum" .. op](x, dim)
  arrays.check(got, a.shape, values, dtype, op, layout, dim, a)
  if places then arrays.check(at, a.shape, places, "int64", op, layout, dim, a)
  else assert.is_nil(at) end
end

local SHAPES = {{7}, {4, 3, 5}, {1, 6}, {2, 1100}, {300, 9}, {2, 1030}}

describe("a running answer", function()
  it("has an oracle", function() support.covers("scan", running) end)

  for op, class in pairs(core.internal.families().scan) do
    it("cum" .. op .. " is right for every dtype, layout and dimension", function()
      math.randomseed(33)
      for _, dtype in ipairs(class == "ELEMENT" and support.ordered or support.dtypes) do
        for _, shape in ipairs(support.sample(SHAPES, 2)) do
          local a = arrays.random(dtype, shape)
          for _, layout in ipairs(support.layouts) do
            for dim = 1, #shape do check(op, a, layout, dim) end
          end
        end
      end
    end)
  end

  it("is the same on every instruction set", function()
    local chunk = [[
      local locus = require "locus"
      local x = locus.arange(20000) * 0.618033988749895 % 1 + 0.5
      print(locus.isa)
      for _, dtype in ipairs {"float64", "float32", "bfloat16", "complex128"} do
        local y = x:to(dtype)
        for _, op in ipairs {"cumprod", "cummin", "cummax"} do
          if op == "cumprod" or dtype ~= "complex128" then
            for _, m in ipairs {y, y:view(-1, 10), y:view(10, -1)} do
              local values, places = m[op](m, 1)
              print((values:tobytes():gsub(".", function(c) return c:byte() .. " " end)))
              print(places and places:sum())
            end
          end
        end
      end]]
    local first
    for _, isa in ipairs(locus.instruction_sets()) do
      local output, status = support.run(chunk, {LOCUS_ISA = isa})
      assert.equal(0, status)
      local name, answers = output:match("^(%w+)\n(.*)$")
      assert.equal(isa, name)
      first = first or answers
      assert.is_true(first == answers)
    end
  end)
end)

describe("cumprod", function()
  it("multiplies integers modulo 2^64 and floats as doubles", function()
    support.same(locus.tensor({true, true, false}):cumprod(1), {3}, {1, 1, 0}, "int64")
    local third = support.integer("3037000500")
    support.same(support.tensor("int64", {third, third}):cumprod(-1), {2},
                 {third, support.integer("-9223372036709301616")}, "int64")
    support.same(support.tensor("float32", {1e30, 1e30, 1e-30}):cumprod(1):ge(1e29), {3},
                 {true, true, true}, "bool")
    support.same(locus.tensor({2, inf, 0, 1}):cumprod(1), {4}, {2, inf, nan, nan}, "float64")
    support.same(support.tensor("int8", {100, 2}):cumprod(1, {dtype = "int8"}), {2}, {100, -56},
                 "int8")
    support.same(locus.LongTensor{2, 3}:cumprod(1, {dtype = "float32"}), {2}, {2, 6}, "float32")
    assert.equal(5, locus.cumprod(5, 1))
    support.same(locus.zeros(2, 0):cumprod(2), {2, 0}, {}, "float64")
    support.same(locus.tensor(5):cumprod(1), {}, {5}, "float64")
    support.same(locus.tensor({{2}}):expand(1, 3):cumprod(2), {1, 3}, {2, 4, 8}, "float64")
  end)

  it("writes to out, and says what is wrong", function()
    local x = locus.tensor({{1, 2}, {3, 4}})
    local out = locus.zeros(2, 2):t()
    assert.equal(out, x:cumprod(1, {out = out}))
    support.same(out, {2, 2}, {1, 2, 3, 8})
    raises("cumprod: 'dim' is missing", x.cumprod, x)
    raises("cumprod: 'out' overlaps 'input' in memory; give a separate tensor", x.cumprod, x, 1,
           {out = x})
    raises("cumprod: 'input' holds 300 at [2], which uint8 cannot hold", locus.cumprod, {1, 300},
           1, {dtype = "uint8"})
  end)
end)

describe("cumsum_ and cumprod_", function()
  it("are in place, in the dtype", function()
    math.randomseed(34)
    for _, op in ipairs {"cumsum", "cumprod"} do
      for _, dtype in ipairs(support.dtypes) do
        for _, shape in ipairs {{7}, {4, 3, 5}, {3, 1100}, {1100, 9}} do
          for _, layout in ipairs {"contiguous", "transposed"} do
            for dim = 1, #shape do
              local x = arrays.tensor(arrays.random(dtype, shape, true), layout)
              local want = x[op](x, dim, {dtype = dtype})
              assert.equal(x, x[op .. "_"](x, dim))
              assert.is_true(x:isnan():logical_or(x:eq(want)):all())
              assert.equal(dtype, x.dtype)
            end
          end
        end
      end
    end
  end)

  it("wrap in a small dtype, and want a tensor of their own", function()
    local x = support.tensor("uint8", {200, 100, 3})
    assert.equal(x, x:cumsum_(1))
    support.same(x, {3}, {200, 44, 47}, "uint8")
    local wide = locus.zeros(1):expand(4)
    assert.matches("^cumsum_: 'input' ", support.message(wide.cumsum_, wide, 1))
    raises("cumprod_: 'dim' must be in 1..1 or -1..-1, got 2", x.cumprod_, x, 2)
    assert.matches("^cumprod_: 'input' must be a tensor", support.message(locus.cumprod_, 5, 1))
  end)
end)

describe("cummin and cummax", function()
  it("give the last of equal elements, and NaN from the first one on #native", function()
    local values, places = locus.cummax({1, 3, 3, 2, 3}, 1)
    support.same(values, {5}, {1, 3, 3, 3, 3}, "float64")
    support.same(places, {5}, {1, 2, 3, 3, 5}, "int64")
    values, places = locus.tensor({1, 1, 0, 0, nan, nan, -1}):cummin(1, {base = 0})
    support.same(values, {7}, {1, 1, 0, 0, nan, nan, nan}, "float64")
    support.same(places, {7}, {0, 1, 2, 3, 4, 5, 5}, "int64")
    values, places = locus.tensor({true, false, true}):cummin(1)
    support.same(values, {3}, {true, false, false}, "bool")
    support.same(places, {3}, {1, 2, 2}, "int64")
    values = locus.tensor({0, -0.0}):cummax(1)
    assert.equal(-inf, 1 / values[2])
  end)

  it("are exact past 2^53", function()
    local big = support.integer("9007199254740993")
    local low = support.integer("9007199254740992")
    local values, places = support.tensor("int64", {big, low, big}):cummin(1)
    support.same(values, {3}, {big, low, low}, "int64")
    support.same(places, {3}, {1, 2, 2}, "int64")
  end)

  it("take empty, 0-d and expanded tensors, tables, numbers and names", function()
    local values, places = locus.zeros(2, 0, 3):cummax(2)
    support.same(values, {2, 0, 3}, {}, "float64")
    support.same(places, {2, 0, 3}, {}, "int64")
    values, places = locus.zeros(0, 3):cummin(1)
    support.same(values, {0, 3}, {})
    support.same(places, {0, 3}, {})
    values, places = locus.tensor(5):cummax(-1)
    support.same(values, {}, {5}, "float64")
    support.same(places, {}, {1}, "int64")
    values, places = locus.cummax(5, 1)
    support.same(values, {}, {5}, "float64")
    support.same(places, {}, {1}, "int64")
    values, places = locus.tensor({{2}}):expand(1, 3):cummin{dim = 2, base = 0}
    support.same(values, {1, 3}, {2, 2, 2})
    support.same(places, {1, 3}, {0, 1, 2})
  end)

  it("write to out", function()
    local x = locus.tensor({{1, 5}, {3, 4}})
    local values, places = locus.zeros(2, 2):t(), locus.zeros(0, {dtype = "int64"})
    local first, second = x:cummax(1, {out = {values, places}})
    assert.equal(values, first)
    assert.equal(places, second)
    support.same(values, {2, 2}, {1, 5, 3, 5})
    support.same(places, {2, 2}, {1, 1, 2, 1})
  end)

  it("say what is wrong with their arguments", function()
    local x = locus.tensor({1, 2, 3})
    local places = locus.zeros(3, {dtype = "int64"})
    raises("cummax: 'dim' is missing", x.cummax, x)
    raises("cummin: 'dim' must be in 1..1 or -1..-1, got 2", x.cummin, x, 2)
    raises("cummax: 'input' is complex64, and complex numbers have no order", locus.cummax,
           locus.zeros(2, {dtype = "complex64"}), 1)
    raises("cummax: 'out[1]' must be float64, got int64", x.cummax, x, 1,
           {out = {places, places:clone()}})
    raises("cummax: 'out[1]' overlaps 'input' in memory; give a separate tensor", x.cummax, x, 1,
           {out = {x, places}})
    raises("cummin: 'out' holds the same tensor twice", locus.cummin, places:clone(), 1,
           {out = {places, places}})
    raises("cummin: there is no argument 'dtype'; the arguments are 'input', 'dim', 'out', 'base'",
           x.cummin, x, 1, {dtype = "int64"})
    support.same(x, {3}, {1, 2, 3})
  end)
end)
