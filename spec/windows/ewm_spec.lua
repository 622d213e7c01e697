-- SPDX-License-Identifier: MIT
-- Exponentially weighted means against the sums that define them: of rows, columns and groups, with
-- NaN and infinities; long series, equal elements; threads; and what ewm_mean refuses.
local locus = require "locus"
local support = require "spec.support"

local message = support.message
local nan, inf = 0 / 0, math.huge

-- The means by their definition: all weights anew for each element. Elements are `alpha` heavy, but
-- for the first, unless `adjust`; each step takes 1 - alpha of the weight of all.
local function slow(list, alpha, o)
  local found, weights, count = {}, {}, 0
  for i, x in ipairs(list) do
    if x == x or not o.ignore_na then
      for k, w in pairs(weights) do weights[k] = w * (1 - alpha) end
    end
    if x == x then
      weights[i] = (o.adjust or count == 0) and 1 or alpha
      count = count + 1
    end
    local sum, weight = 0, 0
    for k, w in pairs(weights) do sum, weight = sum + w * list[k], weight + w end
    if x == x and not o.adjust then -- the recursive form: all that has been weighs 1
      for k, w in pairs(weights) do weights[k] = w / weight end
      weight = 1
    end
    local whole = 0
    for k, w in pairs(weights) do whole = whole + w / weight * list[k] end
    found[i] = count < math.max(o.min, 1) and nan or whole
  end
  return found
end

local function check(got, want, what)
  assert.equal(#want, #got)
  for i = 1, #want do
    local a, b = got[i], want[i]
    if not (a ~= a and b ~= b or math.abs(a - b) <= 1e-12 * math.max(10, math.abs(b))) then
      error(("%s at %d: %s, not %s"):format(what, i, tostring(a), tostring(b)))
    end
  end
end

local WAYS = {
  alpha = function(v) return v end,
  span = function(v) return 2 / (v + 1) end,
  halflife = function(v) return 1 - math.exp(-math.log(2) / v) end,
  com = function(v) return 1 / (1 + v) end,
}

-- Options, with the alpha that they stand for.
local function random_options()
  local values = {alpha = math.random(20) / 20, span = math.random(2, 60) / 2,
                  halflife = math.random(40) / 4, com = math.random(0, 30) / 3}
  local names = {"alpha", "span", "halflife", "com"}
  local way = names[math.random(4)]
  local options = {adjust = math.random(2) == 1, ignore_na = math.random(2) == 1,
                   min = math.random(0, 4), [way] = values[way]}
  return options, WAYS[way](values[way])
end

local function random_list(n)
  local list, holes = {}, math.random(3) == 1 and 2 or 9
  for i = 1, n do list[i] = math.random(holes) == 1 and nan or math.random(-40, 40) / 4 end
  return list
end

-- A tensor whose NaN is all one, so that equal() tells whether bits are.
local function marked(x) return x:masked_fill(x:isnan(), -9e99) end

describe("ewm_mean", function()
  for seed = 1, support.hasty and 20 or 120 do
    it("is the weighted mean of what has come, seed " .. seed, function()
      math.randomseed(seed)
      local n = ({0, 1, 2, 17, 90})[seed % 5 + 1]
      local list, options, alpha = random_list(n), random_options()
      local x = locus.tensor(list, {dtype = "float64"})
      check(x:ewm_mean(options):totable(), slow(list, alpha, options), "a row")

      local keys, rows, want = {}, {}, {}
      for i = 1, n do
        keys[i] = math.random(5)
        rows[keys[i]] = rows[keys[i]] or {}
        table.insert(rows[keys[i]], i)
      end
      for _, places in pairs(rows) do
        local own = {}
        for k, i in ipairs(places) do own[k] = list[i] end
        for k, v in ipairs(slow(own, alpha, options)) do want[places[k]] = v end
      end
      local g = locus.group_by(locus.tensor(keys, {dtype = "int64"}))
      check(g:ewm_mean(x, options):totable(), want, "groups")
    end)

    it("is that of each row and column, however they lie, seed " .. seed, function()
      math.randomseed(seed)
      local rows, n = math.random(0, 11), math.random(0, 7)
      local options = random_options()
      local x = locus.tensor(random_list(rows * n), {dtype = "float64"}):view(rows, n)
      for _, y in ipairs {x, x:t():contiguous():t(), x:flip(2):flip(2)} do
        local along = y:ewm_mean(options)
        options.dim = 1
        local across = y:ewm_mean(options)
        options.dim = nil
        assert.same(x:size(), along:size())
        for i = 1, rows do
          assert.is_true(marked(along[i]):equal(marked(x[i]:ewm_mean(options))))
        end
        for i = 1, n do
          local column = x[{{}, i}]
          assert.is_true(marked(across[{{}, i}]):equal(marked(column:ewm_mean(options))))
        end
      end
    end)
  end

  it("is that of each line of a tensor of three dimensions", function()
    local x = locus.randn(3, 30, 70)
    for dim, size in ipairs {3, 30, 70} do
      local got, last = x:ewm_mean {span = 4, dim = dim}:transpose(dim, 3), x:transpose(dim, 3)
      got, last = got:contiguous():view(-1, size), last:contiguous():view(-1, size)
      for i = 1, #last do assert.is_true(got[i]:equal(last[i]:ewm_mean {span = 4})) end
    end
    for _, size in ipairs {{0, 3, 2}, {3, 0, 2}, {3, 2, 0}} do
      for dim = 1, 3 do
        local got = locus.ones(size):ewm_mean {com = 1, dim = dim}
        assert.equal(table.concat(size, "x"), tostring(got:size()))
      end
    end
  end)

  it("has the dtype of floats, and float64 for others", function()
    local double = locus.arange(24):remainder(2):view(4, 6):double()
    for _, dtype in ipairs(support.ordered) do
      local x, float = double:to(dtype), support.types[dtype].kind == "FLOAT"
      local want = double:ewm_mean {span = 3}:to(float and dtype or "float64")
      local got = x:ewm_mean {span = 3}
      assert.equal(float and dtype or "float64", got.dtype)
      assert.is_true(got:equal(want))
      local g = locus.group_by(locus.arange(6):remainder(2))
      assert.equal(got.dtype, g:ewm_mean(x[1], {span = 3}).dtype)
    end
    local large = locus.tensor({"9223372036854775807", "9223372036854775807"}, {dtype = "int64"})
    assert.same({2 ^ 63, 2 ^ 63}, large:ewm_mean {alpha = 0.3}:totable())
    local f = locus.frame {{"a", {1, 2}}, {"sym", {"x", "y"}}}
    assert.same({1, 1.5}, f.a:ewm_mean {alpha = 0.5, adjust = false}:totable())
    assert.same({1, 2}, f:group "sym":ewm_mean("a", {alpha = 0.5}):totable())
  end)

  it("does not drift, and keeps equal elements", function()
    math.randomseed(5)
    local n, base = support.slow and 5000 or 40000, 2 ^ 27
    local small = locus.randint(-4096, 4096, {n}):double() / 1024
    local ulp = 2 ^ -25 -- of the large elements, which are whole numbers of it
    for _, alpha in ipairs {1e-6, 1e-3, 0.05, 0.4, 0.6, 0.999} do
      for _, adjust in ipairs {true, false} do
        local options = {alpha = alpha, adjust = adjust}
        local apart = (small + base):ewm_mean(options) - base - small:ewm_mean(options)
        assert.is_true(apart:abs():max() <= ulp)
        assert.is_true(locus.full({999}, 0.1):ewm_mean(options):equal(locus.full({999}, 0.1)))
      end
    end
    -- So light a decay leaves the mean of all, whose sum is exact here.
    local sums = small:cumsum(1) / locus.range(1, n)
    local slight = small:ewm_mean {alpha = 1e-19}
    assert.is_true((slight - sums):abs():max() <= 4 * 2 ^ -52)
    -- The sum of the weights is as exact: those of elements long ago can still be told.
    local x = locus.zeros(n)
    x[1] = 1
    local alpha = 1e-3
    for _, i in ipairs {2, 100, n / 8, n / 2} do
      local faded = (1 - alpha) ^ (i - 1) * alpha / (1 - (1 - alpha) ^ i)
      assert.is_true(math.abs(x:ewm_mean {alpha = alpha}[i] / faded - 1) < 1e-9)
    end
  end)

  it("keeps infinities, and is not led beyond the largest number", function()
    local function same(want, list, options)
      for i, v in ipairs(locus.tensor(list):ewm_mean(options):totable()) do
        assert.is_true(v == want[i] or v ~= v and want[i] ~= want[i])
      end
    end
    for _, adjust in ipairs {true, false} do
      for _, alpha in ipairs {1e-300, 0.1, 0.5, 0.9} do
        local o = {alpha = alpha, adjust = adjust}
        same({1, inf, inf, inf, inf}, {1, inf, 2, nan, 3}, o)
        same({-inf, -inf, -inf}, {-inf, -inf, 3}, o)
        same({inf, nan, nan, nan}, {inf, -inf, 2, inf}, o)
      end
      same({1, inf, 2, 2, -inf, 1e-300}, {1, inf, 2, nan, -inf, 1e-300},
        {alpha = 1, adjust = adjust})
    end
    local most = 1.5e308
    same({most, 0, -most / 2}, {most, -most, -most}, {alpha = 0.5, adjust = false})
    local far = locus.tensor {most, -most}:ewm_mean {alpha = 0.5}
    assert.is_true(math.abs(far[2] / (-most / 3) - 1) < 1e-15)
    same({1e20, 3, -1e20, 7}, {1e20, 3, -1e20, 7}, {alpha = 1})
  end)

  it("takes a long gap, and a first element after one", function()
    local x = locus.full({20001}, nan)
    x[5], x[20001] = 8, 2
    local got = x:ewm_mean {alpha = 0.25}
    assert.is_true(got[{{1, 4}}]:isnan():all())
    assert.is_true(got[{{5, 20000}}]:eq(8):all())
    assert.equal(2, got[20001])
    assert.equal(2 + 6 * 0.75 / 1.75, x:ewm_mean {alpha = 0.25, ignore_na = true}[20001])
    assert.is_true(x:ewm_mean {alpha = 0.25, min = 2}[{{1, 20000}}]:isnan():all())
    assert.is_true(locus.full({3, 4}, nan):ewm_mean {com = 2}:isnan():all())
  end)

  it("gives the same bits with any number of threads #host", function()
    math.randomseed(3)
    local before, n = locus.get_num_threads(), support.slow and 6000 or 60000
    local x = locus.randn(n)
    x = x:masked_fill(x:gt(1.5), nan)
    local g = locus.group_by(locus.randint(0, 50, {n}))
    local function all()
      local found = {g:ewm_mean(x, {halflife = 7})}
      for _, rows in ipairs {1, 2, 3, 5, 50, 600} do
        found[#found + 1] = x:view(rows, -1):ewm_mean {span = 20}
        found[#found + 1] = x:view(rows, -1):ewm_mean {span = 2, adjust = false, dim = 1}
      end
      return found
    end
    locus.set_num_threads(1)
    local one = all()
    for _, threads in ipairs {2, 5} do
      locus.set_num_threads(threads)
      for i, got in ipairs(all()) do assert.is_true(marked(got):equal(marked(one[i]))) end
    end
    locus.set_num_threads(before)
  end)

  it("says what to write", function()
    local x = locus.arange(5)
    local function says(want, ...) assert.equal("ewm_mean: " .. want, message(x.ewm_mean, ...)) end
    local ways = "write one of alpha = 0.1, span = 20, halflife = 10 and com = 9"
    says("'alpha' is missing; " .. ways, x)
    says("'alpha' is missing; " .. ways, x, {adjust = false})
    says("'span' does not go with 'alpha'; " .. ways, x, {alpha = 0.1, span = 20})
    says("'com' does not go with 'halflife'; " .. ways, x, {com = 0.1, halflife = 20})
    for _, v in ipairs {0, -0.5, 1.5, inf, nan} do
      says("'alpha' must be greater than 0 and at most 1, got " .. locus.tensor(v):totable(), x,
        {alpha = v})
    end
    says("'span' must be at least 1 and finite, got 0.5", x, {span = 0.5})
    says("'span' must be at least 1 and finite, got inf", x, {span = inf})
    says("'halflife' must be greater than 0 and finite, got 0", x, {halflife = 0})
    says("'halflife' must be greater than 0 and finite, got inf", x, {halflife = inf})
    says("'com' must be at least 0 and finite, got -1", x, {com = -1})
    says("'min' must not be negative, got -1", x, {com = 1, min = -1})
    says("'input' must have dimensions, got a 0-d tensor", locus.tensor(3), {com = 1})
    says("'input' must be of real numbers, got a complex128 tensor of size 2",
      locus.tensor({1, 2}, {dtype = "complex128"}), {com = 1})
    local g = locus.frame {{"k", {"a", "b"}}, {"x", {1, 2}}}:group "k"
    assert.equal("ewm_mean: the column 'k' must be of numbers for 'ewm_mean', got a string "
      .. "column of size 2", message(g.ewm_mean, g, "k", {com = 1}))
    assert.equal("ewm_mean: 'alpha' is missing; " .. ways, message(g.ewm_mean, g, "x"))
  end)
end)
