-- SPDX-License-Identifier: MIT
-- The special cases of prod, nansum, nanmean, nanmin and nanmax: values, NaN, layouts with NaN in
-- them, and errors. (reduce_spec.lua has prod, nansum and nanmean on every dtype.)
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local reductions = require "spec.support.models.reductions"
local support = require "spec.support"

local nan, inf = support.nan, math.huge

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- A random array in which some elements at regular distances, or nearly all, are NaN.
local function holed(dtype, shape)
  local a = arrays.random(dtype, shape)
  local apart = math.random(4)
  for i = 1, #a.values do
    local gap = apart == 1 and i % 7 ~= 0 or i % (apart * apart) == 1
    if gap and dtype:find("complex") then a.values[i] = support.complex(1, nan)
    elseif gap and dtype:find("float") then a.values[i] = nan end
  end
  return a
end

local function check(op, a, layout, dim)
  local x, reduced = arrays.tensor(a, layout), {}
  reduced[dim] = true
  local shape, values, dtype = reductions.by_dims(reductions.ops[op], a, reduced, false)
  arrays.check(x[op](x, dim), shape, values, dtype, op, layout, dim, a)
end

describe("nanmin and nanmax", function()
  for _, op in ipairs {"nanmin", "nanmax"} do
    it(op .. " is right for every dtype, layout and dimension", function()
      math.randomseed(41)
      for _, dtype in ipairs(support.ordered) do
        for _, layout in ipairs(support.layouts) do
          for _, shape in ipairs {{4, 3, 5}, {70, 9}, {2, 300}} do
            local a = holed(dtype, shape)
            for dim = 1, #shape do check(op, a, layout, dim) end
            local whole = reductions.ops[op](a.values, dtype)
            local x = arrays.tensor(a, layout)
            assert.is_true(support.same_value(whole, x[op](x)))
          end
        end
      end
    end)

    it(op .. " finds an infinity among NaN", function()
      for _, dtype in ipairs {"float16", "bfloat16", "float32", "float64"} do
        for _, n in ipairs {1, 3, 31, 64, 200, 5000} do
          for _, value in ipairs {inf, -inf} do
            local x = locus.full({n}, nan, {dtype = dtype})
            assert.is_true(x[op](x) ~= x[op](x))
            x[n] = value
            assert.equal(value, x[op](x))
            x = x:expand(9, n):contiguous()
            support.same(x[op](x, 2), {9}, {value, value, value, value, value, value, value, value,
                                           value}, dtype)
            x = x:t():contiguous()
            support.same(x[op](x, 1):narrow(1, 1, 2), {2}, {value, value}, dtype)
          end
        end
      end
    end)
  end

  it("pass NaN over, and give it where there is nothing else", function()
    local x = locus.tensor({{1, nan, -3}, {nan, nan, nan}})
    support.same(x:nanmin(2), {2}, {-3, nan}, "float64")
    support.same(x:nanmax(2, true), {2, 1}, {1, nan}, "float64")
    support.same(x:nanmax{dim = 1}, {3}, {1, nan, -3}, "float64")
    support.same(x:nanmin({1, 2}, true), {1, 1}, {-3}, "float64")
    assert.equal(-3, x:nanmin())
    assert.equal(1, locus.nanmax({nan, 1}))
    assert.equal(7, locus.nanmax(7))
    local big = support.integer("9007199254740993")
    assert.is_true(support.tensor("int64", {big, 1}):nanmax() == big)
    local out = locus.zeros(0)
    assert.equal(out, x:nanmax(2, {out = out}))
    support.same(out, {2}, {1, nan})
  end)

  it("say what is wrong with their arguments", function()
    local x = locus.tensor({{1, nan}})
    raises("nanmin: 'input' has no elements", locus.nanmin, locus.zeros(0))
    raises("nanmax: 'input' of size 2x0 has no elements along dimension 2", locus.nanmax,
           locus.zeros(2, 0), 2)
    support.same(locus.zeros(0, 2):nanmax(2), {0}, {}, "float64")
    raises("nanmax: 'input' is complex64, and complex numbers have no order", locus.nanmax,
           locus.zeros(2, {dtype = "complex64"}))
    raises("nanmin: there is no argument 'base'; the arguments are 'input', 'dim', 'keepdim', "
           .. "'out'", x.nanmin, x, {base = 0})
    raises("nanmin: 'out' overlaps 'input' in memory; give a separate tensor", x.nanmin, x, 1,
           {out = x:select(1, 1)})
    raises("nanmax: 'out' must be float64, got int64", x.nanmax, x, 1,
           {out = locus.zeros(2, {dtype = "int64"})})
  end)
end)

describe("nansum and nanmean", function()
  it("are right of what holds many NaN", function()
    math.randomseed(42)
    for _, dtype in ipairs {"float16", "bfloat16", "float32", "float64", "complex64",
                            "complex128"} do
      for _, layout in ipairs(support.layouts) do
        for _, shape in ipairs {{4, 3, 5}, {70, 9}, {2, 300}} do
          for _, op in ipairs {"nansum", "nanmean"} do
            local a = holed(dtype, shape)
            for dim = 1, #shape do check(op, a, layout, dim) end
          end
        end
      end
    end
  end)

  it("follow the same tree along rows that threads share", function()
    local n, values = 40000, {}
    for i = 1, n do values[i] = i % 3 == 0 and nan or 1 / i end
    for _, dtype in ipairs {"float64", "float32"} do
      local x = locus.tensor(values, {dtype = dtype})
      local list = x:totable()
      assert.equal((reductions.ops.nansum(list, dtype)), x:nansum())
      assert.equal((reductions.ops.nanmean(list, dtype)), x:nanmean())
      local columns = x:view(-1, 8)
      support.same(columns:nanmean(1), {8}, (select(2, reductions.by_dims(
        reductions.ops.nanmean, {shape = {n / 8, 8}, values = list, dtype = dtype}, {true}))))
    end
  end)

  it("pass NaN over, and infinities not", function()
    local x = locus.tensor({{1, nan, 2}, {nan, nan, nan}})
    support.same(x:nansum(2), {2}, {3, 0}, "float64")
    support.same(x:nanmean(2), {2}, {1.5, nan}, "float64")
    support.same(x:nanmean(1, true), {1, 3}, {1, nan, 2}, "float64")
    assert.equal(1.5, x:nanmean())
    assert.equal(inf, locus.nansum({inf, nan, 1}))
    assert.is_true(locus.nansum({inf, -inf}) ~= locus.nansum({inf, -inf}))
    assert.equal(0, locus.nansum({nan}))
    assert.equal(0, locus.nansum({}))
    assert.equal(2, locus.nanmean(locus.IntTensor{1, 3}))
    support.same(x:nansum(2, {dtype = "float32"}), {2}, {3, 0}, "float32")
    raises("nanmean: 'dtype' must be a float or complex dtype, got int64", x.nanmean, x,
           {dtype = "int64"})
    local z = locus.tensor({support.complex(1, nan), support.complex(2, 3)})
    assert.is_true(support.same_value(support.complex(2, 3), z:nansum()))
    assert.is_true(support.same_value(support.complex(2, 3), z:nanmean()))
  end)
end)

describe("prod", function()
  it("multiplies integers modulo 2^64, and floats as doubles #native", function()
    assert.equal(24, locus.LongTensor{2, 3, 4}:prod())
    local big = support.integer("3037000500")
    local square = support.integer("-9223372036709301616")
    assert.is_true(support.tensor("int64", {big, big}):prod() == square)
    assert.equal(0, locus.full({64}, 2, {dtype = "int64"}):prod())
    assert.equal(65025, locus.ByteTensor{255, 255}:prod())
    assert.equal(1, locus.tensor({true, true}):prod())
    assert.equal(0, locus.tensor({true, false}):prod())
    assert.equal(1, locus.FloatTensor{1e30, 1e30, 1e-30, 1e-30}:to("float64"):prod() > 0.99 and 1)
    assert.equal(1, math.floor(locus.FloatTensor{1e30, 1e30, 1e-30, 1e-30}:prod() + 0.5))
    assert.equal(-inf, 1 / locus.prod({-0.0}))
    assert.is_true(locus.prod({nan, 0}) ~= locus.prod({nan, 0}))
  end)

  it("is 1 of nothing, in every dtype", function()
    for _, dtype in ipairs(support.dtypes) do
      local none = locus.zeros(0, {dtype = dtype})
      assert.is_true(support.same_value(none:prod(), (reductions.ops.prod({}, dtype))))
    end
    support.same(locus.zeros(2, 0, 3):prod(2), {2, 3}, {1, 1, 1, 1, 1, 1}, "float64")
    support.same(locus.zeros(0, 2):prod(2, {dtype = "uint8"}), {0}, {}, "uint8")
  end)

  it("takes dims, keepdim, dtype and out", function()
    local x = locus.tensor({{1, 2, 3}, {4, 5, 6}})
    support.same(x:prod(1), {3}, {4, 10, 18}, "float64")
    support.same(x:prod({1, 2}, true), {1, 1}, {720}, "float64")
    support.same(x:prod(2, {dtype = "int8"}), {2}, {6, 120}, "int8")
    assert.equal(720 - 512 - 256, x:prod{dtype = "int8"})
    local out = locus.IntTensor(2)
    assert.equal(out, x:prod(2, {dtype = "int32", out = out}))
    support.same(out, {2}, {6, 120}, "int32")
    raises("prod: 'out' must be int64, got int32", locus.prod, locus.LongTensor{2}, 1,
           {out = locus.IntTensor()})
  end)

  it("does not lose a complex factor beside infinity", function()
    local z = locus.tensor({support.complex(inf, 2), support.complex(1, 0)})
    assert.is_true(support.same_value(support.complex(inf, 2), z:prod()))
  end)

  it("is the same on every instruction set", function()
    local chunk = [[
      local locus = require "locus"
      local x = (locus.arange(30000) * 0.618033988749895 % 1 + 0.5)
      print(locus.isa)
      x[1] = 0 / 0
      for _, dtype in ipairs {"float64", "float32", "bfloat16"} do
        local y = x:to(dtype)
        for _, op in ipairs {"prod", "nansum", "nanmean", "nanmin", "nanmax", "norm"} do
          local m = y:narrow(1, 2, 8000):view(1000, 8)
          print(op, ("%.17g"):format(y:narrow(1, 2, 29000)[op](y)))
          local bytes = m[op](m, {dim = 1}):tobytes()
          print((bytes:gsub(".", function(c) return c:byte() .. " " end)))
          print(m[op](m, {dim = 2}):sum())
        end
      end
      print(tostring(x:view(300, 100):to("complex128"):prod(1)))]]
    local first
    for _, isa in ipairs(locus.instruction_sets()) do
      local output, status = support.run(chunk, {LOCUS_ISA = isa})
      assert.equal(0, status)
      local name, answers = output:match("^(%w+)\n(.*)$")
      assert.equal(isa, name)
      first = first or answers
      assert.equal(first, answers)
    end
  end)
end)
