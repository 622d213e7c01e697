-- SPDX-License-Identifier: MIT
-- ffill, bfill and fill_missing of tensors, beside plain Lua on every dtype, layout and dimension.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local nan = support.nan

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- Elements of which about a half are missing in runs, and the value that is missing in integers.
local function gapped(dtype, shape)
  local a = arrays.random(dtype, shape)
  local kind, gap = oracle.kind(dtype), 0
  local missing = kind == 2 and a.values[1] or nil
  for i = 1, #a.values do
    gap = gap > 0 and gap - 1 or math.random(4) == 1 and math.random(5) or 0
    if gap > 0 and kind == 3 then a.values[i] = nan
    elseif gap > 0 and kind == 4 then
      a.values[i] = support.complex(i % 2 == 0 and nan or 1, i % 2 == 0 and 1 or nan)
    elseif gap > 0 and kind == 2 then a.values[i] = missing end
  end
  return a, missing
end

local function is_missing(v, missing)
  if missing ~= nil then return v == missing end
  if type(v) == "number" then return v ~= v end
  if type(v) == "boolean" or v == nil then return false end
  local ok, re, im = pcall(function() return v.re, v.im end)
  return ok and (re ~= re or im ~= im)
end

-- The list filled from before, or from behind.
local function filled(list, missing, backward, limit)
  local answers, last, age, n = {}, nil, 0, #list
  for k = 1, n do
    local i = backward and n + 1 - k or k
    if is_missing(list[i], missing) then
      age = age + 1
      local reached = last and (not limit or age <= limit)
      answers[i] = reached and list[last] or list[i]
      if reached and list[last] == false then answers[i] = false end
    else
      last, age, answers[i] = i, 0, list[i]
    end
  end
  return answers
end

local function along(a, dim, ...)
  local inner, n, values = 1, a.shape[dim], {}
  for d = dim + 1, #a.shape do inner = inner * a.shape[d] end
  for start = 1, #a.values do
    if math.floor((start - 1) / inner) % n == 0 then
      local list = {}
      for k = 0, n - 1 do list[k + 1] = a.values[start + k * inner] end
      local row = filled(list, ...)
      for k = 0, n - 1 do values[start + k * inner] = row[k + 1] end
    end
  end
  return values
end

local function check(a, missing, layout, dim, limit)
  for _, name in ipairs {"ffill", "bfill"} do
    local values = along(a, dim, missing, name == "bfill", limit)
    local x = arrays.tensor(a, layout)
    local options = {limit = limit, missing = missing}
    arrays.check(x[name](x, dim, options), a.shape, values, a.dtype, name, layout, dim, limit, a)
    if layout ~= "expanded" and pcall(x.add_, x, 0) then
      x = arrays.tensor(a, layout)
      assert.equal(x, x[name .. "_"](x, dim, options))
      arrays.check(x, a.shape, values, a.dtype, name .. "_", layout, dim, limit, a)
    end
  end
end

local SHAPES = {{7}, {4, 3, 5}, {1, 6}, {300, 9}, {2, 1030}}

describe("ffill and bfill", function()
  it("are right for every dtype, layout, dimension and limit", function()
    math.randomseed(91)
    for _, dtype in ipairs(support.dtypes) do
      for _, shape in ipairs(support.sample(SHAPES, 3)) do
        for _, layout in ipairs(support.layouts) do
          local a, missing = gapped(dtype, shape)
          for dim = 1, #shape do
            check(a, missing, layout, dim, ({nil, 0, 1, 3})[math.random(4)])
          end
        end
      end
    end
  end)

  it("are right for long rows that threads share, where nothing is there for long", function()
    math.randomseed(92)
    for k, dtype in ipairs {"float64", "int16", "complex64", "float32"} do
      local shape = k % 2 == 0 and {2, 20000} or {33000}
      local a, missing = gapped(dtype, shape)
      for i = 9000, 18500 do
        a.values[i] = missing or (oracle.kind(dtype) == 4 and support.complex(nan, 0)) or nan
      end
      check(a, missing, "contiguous", #shape, ({nil, 2, 5000})[k])
    end
  end)

  it("leave alone what has nothing before it, and all that is no float", function()
    local x = locus.tensor {nan, nan, 1, nan}
    support.same(x:ffill(), {4}, {nan, nan, 1, 1})
    support.same(x:bfill(), {4}, {1, 1, 1, nan})
    support.same(locus.full({3}, nan):ffill(), {3}, {nan, nan, nan})
    support.same(locus.LongTensor{0, -1, 5}:ffill(), {3}, {0, -1, 5}, "int64")
    support.same(locus.tensor{false, true}:bfill(), {2}, {false, true}, "bool")
    support.same(locus.tensor(nan):ffill(), {}, {nan})
    support.same(locus.zeros(0):ffill(), {0}, {})
    support.same(locus.zeros(2, 0):bfill(1), {2, 0}, {})
    support.same(locus.zeros(0, 2):bfill(-1), {0, 2}, {})
  end)

  it("take int64 beyond 2^53 as what is missing", function()
    local big = support.integer("-9223372036854775808")
    local x = support.tensor("int64", {7, big, big})
    support.same(x:ffill{missing = big}, {3}, {7, 7, 7}, "int64")
  end)

  it("write to out, which may be the input", function()
    local x, out = locus.tensor {1, nan, 3}, locus.zeros(0)
    assert.equal(out, x:ffill{out = out})
    support.same(out, {3}, {1, 1, 3})
    assert.equal(x, x:bfill{out = x})
    support.same(locus.tensor{nan, nan, 2}:bfill_{limit = 1}, {3}, {nan, 2, 2})
    support.same(locus.tensor{2, nan, nan}:ffill_{limit = 1}, {3}, {2, 2, nan})
    support.same(locus.LongTensor{2, 0}:ffill_{missing = 0}, {2}, {2, 2}, "int64")
    support.same(locus.LongTensor{0, 2}:bfill_{missing = 0}, {2}, {2, 2}, "int64")
    support.same(x, {3}, {1, 3, 3})
    local m = locus.tensor {{1, nan}, {nan, 2}}
    raises("ffill: 'out' overlaps 'input' in memory; give a separate tensor", m.ffill, m, 1,
      {out = m:t()})
    raises("bfill: 'out' must be float64, got float32", m.bfill, m, 1,
      {out = locus.zeros(2, 2, {dtype = "float32"})})
    raises("bfill: 'out' must be of size 2x2, got 3", m.bfill, m, 1, {out = locus.zeros(3)})
    support.same(m, {2, 2}, {1, nan, nan, 2})
  end)

  it("say what is wrong with their arguments", function()
    local x = locus.tensor {1, nan}
    raises("ffill: 'limit' must not be negative, got -1", x.ffill, x, {limit = -1})
    raises("ffill: 'dim' must be in 1..1 or -1..-1, got 2", x.ffill, x, 2)
    raises("bfill: 'missing' is a value of integers, and 'input' is float64, where NaN is missing",
      x.bfill, x, {missing = 0})
    raises("ffill: 'missing' is a value of integers, and 'input' is bool, where nothing is missing",
      locus.ffill, locus.tensor{true}, {missing = 1})
    raises("ffill: 'missing' must be a value of uint8, got 300", locus.ffill,
      support.tensor("uint8", {1}), {missing = 300})
    raises("ffill_: 'input' must be a tensor, got a table", locus.ffill_, {1, nan})
  end)
end)

describe("fill_missing", function()
  it("is right for every dtype and layout", function()
    math.randomseed(93)
    for _, dtype in ipairs(support.dtypes) do
      for _, layout in ipairs(support.layouts) do
        local a, missing = gapped(dtype, {4, 3, 5})
        local value, values = arrays.random(dtype, {1}).values[1], {}
        for i, v in ipairs(a.values) do
          values[i] = v
          if is_missing(v, missing) then values[i] = value end
        end
        local x = arrays.tensor(a, layout)
        local got = x:fill_missing(support.tensor(dtype, {value}), {missing = missing})
        arrays.check(got, a.shape, values, dtype, layout, a)
      end
    end
  end)

  it("takes numbers and tensors that broadcast, and keeps the dtype", function()
    local x = locus.tensor {{1, nan}, {nan, 4}}
    support.same(x:fill_missing(0), {2, 2}, {1, 0, 0, 4})
    support.same(x:fill_missing(locus.tensor{7, 8}), {2, 2}, {1, 8, 7, 4})
    support.same(x:fill_missing{9}, {2, 2}, {1, 9, 9, 4})
    support.same(x:float():fill_missing(0.1), {2, 2}, {1, locus.tensor(0.1):float():item(),
      locus.tensor(0.1):float():item(), 4}, "float32")
    support.same(locus.LongTensor{1, -1}:fill_missing(5, {missing = -1}), {2}, {1, 5}, "int64")
    support.same(locus.LongTensor{1, -1}:fill_missing(5), {2}, {1, -1}, "int64")
    support.same(locus.tensor{true}:fill_missing(false), {1}, {true}, "bool")
    local out = locus.zeros(0)
    assert.equal(out, x:fill_missing(3, {out = out}))
    support.same(out, {2, 2}, {1, 3, 3, 4})
    assert.equal(x, x:fill_missing_(2))
    support.same(x, {2, 2}, {1, 2, 2, 4})
    support.same(locus.zeros(0, 3):fill_missing(1), {0, 3}, {})
    support.same(locus.tensor(nan):fill_missing(1), {}, {1})
  end)

  it("says what is wrong with its arguments", function()
    local x, n = locus.tensor {1, nan}, locus.LongTensor {1, 2}
    raises("fill_missing: 'value' must be a value of int64, got 0.5", n.fill_missing, n, 0.5)
    raises("fill_missing: 'value' must be a tensor, a table or a number, got the string \"a\"",
      x.fill_missing, x, "a")
    raises("fill_missing: 'missing' is a value of integers, and 'input' is float64, where NaN is "
      .. "missing", x.fill_missing, x, 0, {missing = 1})
    raises("fill_missing: 'missing' must be a value of int64, got 0.5", n.fill_missing,
      n, 0, {missing = 0.5})
    assert.matches("^fill_missing: .*3", support.message(x.fill_missing, x, locus.ones(3)))
    raises("fill_missing_: 'input' must be a tensor, got a table", locus.fill_missing_, {1, nan},
      0)
    support.same(x, {2}, {1, nan})
  end)
end)
