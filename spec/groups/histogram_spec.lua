-- SPDX-License-Identifier: MIT
-- histogram and histc against a look at every bin; answers of PyTorch and NumPy.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local message, same = support.message, support.same
local inf, nan = math.huge, support.nan
local before, random = oracle.before, math.random

local function is_nan(v) return v ~= v end

-- The number of the bin that holds v, nil where none does.
local function bin_of(v, edges)
  local n = #edges
  if is_nan(v) or before(v, edges[1]) or before(edges[n], v) then return nil end
  for i = n - 1, 1, -1 do
    if not before(v, edges[i]) then return i end
  end
end

-- Counts, or sums of weights, between edges.
local function plain(values, edges, weights)
  local counts = {}
  for i = 1, #edges - 1 do counts[i] = 0 end
  for i, v in ipairs(values) do
    local bin = bin_of(v, edges)
    if bin then counts[bin] = counts[bin] + (weights and weights[i] or 1) end
  end
  return counts
end

local function numbers(a)
  local list = {}
  for i, v in ipairs(a.values) do list[i] = v == true and 1 or tonumber(v) or 0 end
  return list
end

local function of_dtype(dtype) return locus.zeros(0, {dtype = dtype}) end

-- Edges of that dtype in order, without NaN.
local function random_edges(dtype, n)
  local edges = arrays.sort_rows(arrays.random(dtype, {n}))
  return not is_nan(edges.values[n]) and edges or random_edges(dtype, n)
end

-- All float64 that lie next to an edge, and it: where a computed bin is wrong by one.
local function neighbours(edges)
  local list = {}
  for _, edge in ipairs(edges) do
    local _, exponent = math.frexp(edge)
    local step = 2 ^ (exponent - 53)
    for _, v in ipairs {edge - step, edge - step / 2, edge, edge + step} do list[#list + 1] = v end
  end
  return list
end

describe("histogram between edges", function()
  it("is that of a look at every bin, for any dtypes, layouts and sizes", function()
    math.randomseed(81)
    for _ = 1, 500 do
      local x = arrays.random(arrays.pick(support.ordered), {random(0, 4), random(0, 9)})
      local edges = random_edges(arrays.pick(support.ordered), random(2, 9))
      local counts, same_edges = arrays.tensor(x):histogram(arrays.tensor(edges))
      arrays.check(counts, {#edges.values - 1}, plain(x.values, edges.values), "int64", x, edges)
      arrays.check(same_edges, edges.shape, edges.values, edges.dtype)
    end
  end)

  it("is so for many edges that lie anywhere, and values on and beside them", function()
    math.randomseed(82)
    for _, kind in ipairs {"even", "random", "tenfold", "equal"} do
      for _, n in ipairs {2, 3, 10, 65, 300, 1500} do
        local edges, values = {}, {}
        for i = 1, n do
          edges[i] = kind == "even" and i / 10 or kind == "random" and random()
            or kind == "tenfold" and 10 ^ (i / n * 600 - 300) or math.floor(i / 7)
        end
        table.sort(edges)
        local near = neighbours(edges)
        for i = 1, 400 do values[i] = arrays.pick(near) end
        for i = 401, 450 do values[i] = edges[1] + random() * (edges[n] - edges[1]) end
        for _, v in ipairs {nan, inf, -inf, edges[1], edges[n]} do values[#values + 1] = v end
        same((locus.histogram(values, edges)), {n - 1}, plain(values, edges), "int64")
      end
    end
  end)

  it("takes infinite edges", function()
    local x = {-inf, -5, 0, 1, 7, inf, nan}
    same((locus.histogram(x, {-inf, 0, 1, inf})), {3}, {2, 1, 3}, "int64")
    same((locus.histogram(x, {-inf, -inf, 0})), {2}, {0, 3}, "int64")
    same((locus.histogram(x, {0, inf, inf})), {2}, {3, 1}, "int64")
    same((locus.histogram({-1e308, 0, 1e308}, {-1e308, 0, 1e308})), {2}, {1, 2}, "int64")
  end)

  it("counts int64 past 2^53 exactly", function()
    local function int64(...)
      local list = {...}
      for i, text in ipairs(list) do list[i] = support.integer(text) end
      return locus.tensor(list, {dtype = "int64"})
    end
    local x = int64("9007199254740992", "9007199254740993", "9007199254740994", "9007199254740995")
    same((x:histogram(int64("9007199254740993", "9007199254740994"))), {1}, {2}, "int64")
    same((x:histogram(int64("1", "9007199254740993", "9007199254740995"))), {2}, {1, 3}, "int64")
    same((x:histogram({0, 2 ^ 53})), {1}, {1}, "int64")
    same((x:histogram({0, 2 ^ 53 - 1})), {1}, {0}, "int64")
    local counts, edges = x:histogram(2)
    same(counts:sum(1), {}, {4}, "int64")
    assert.is_true(edges[1] <= 2 ^ 53 and edges[3] >= 2 ^ 53 + 4)
    same((x:double():histogram(int64("9007199254740993", "9007199254740994"))), {1}, {1})
  end)

  it("shares large inputs among threads", function()
    local x = locus.arange(0, 300000) % 1000
    same((x:histogram(locus.range(0, 1000, 100))), {10}, {30000, 30000, 30000, 30000, 30000, 30000,
      30000, 30000, 30000, 30000}, "int64")
    same((x:histogram(locus.range(0, 20000, 1)))[{{999, 1002}}], {4}, {300, 300, 0, 0}, "int64")
  end)
end)

describe("histogram by a number of bins", function()
  it("has edges of equal steps, and counts between them", function()
    math.randomseed(83)
    for _ = 1, 300 do
      local x = arrays.random(arrays.pick(support.ordered), {random(1, 40)}, true)
      local bins, range = random(1, 30), random(2) == 1 and {random(0, 9), random(20, 30)} or nil
      local t = arrays.tensor(x)
      local counts, edges = t:histogram(bins, {range = range})
      local low, high = unpack(range or {tonumber(t:long():min()), tonumber(t:long():max())})
      if low == high then low, high = low - 0.5, high + 0.5 end
      local dtype = x.dtype == "float32" and "float32" or "float64"
      arrays.check(edges, {bins + 1}, locus.linspace(low, high, bins + 1, {dtype = dtype})
        :totable(), dtype, x)
      arrays.check(counts, {bins}, plain(numbers(x), edges:totable()), "int64", x)
    end
  end)

  it("counts what lies on edges and beside them, where tenths round", function()
    for _, bins in ipairs {3, 10, 49, 100, 1000} do
      local _, edges = locus.histogram({0.1, 0.7}, bins)
      edges = edges:totable()
      local values = neighbours(edges)
      same((locus.histogram(values, bins, {range = {0.1, 0.7}})), {bins}, plain(values, edges))
    end
  end)

  it("takes half a step around a single value, 0..1 of nothing, and wide ranges", function()
    local counts, edges = locus.zeros(3):histogram(2)
    same(counts, {2}, {0, 3}, "int64")
    same(edges, {3}, {-0.5, 0, 0.5}, "float64")
    counts, edges = locus.zeros(0, 3, {dtype = "float32"}):histogram(2)
    same(counts, {2}, {0, 0}, "int64")
    same(edges, {3}, {0, 0.5, 1}, "float32")
    counts, edges = locus.histogram({-1e308, 1e308}, 2)
    same(counts, {2}, {1, 1}, "int64")
    same(edges, {3}, {-1e308, 0, 1e308}, "float64")
    assert.equal(100, #(locus.histogram({1, 2})))
    same((locus.tensor(3):histogram(1)), {1}, {1}, "int64")
    same((locus.tensor({true, false, true}):histogram(2)), {2}, {1, 2}, "int64")
  end)

  it("leaves out NaN where a range is given, and raises where none is", function()
    local x = locus.tensor({0, 1, 2, 3, nan})
    same((x:histogram(3, {range = {0, 2}})), {3}, {1, 1, 1}, "int64")
    assert.equal("histogram: 'input' holds nan, so the range of the bins must be given: write "
      .. "{range = {0, 3}} for its finite elements", message(x.histogram, x, 3))
    assert.equal("histc: 'input' holds inf, so the range of the bins must be given: write "
      .. "{min = 0, max = 2} for its finite elements", message(locus.histc, {2, 0, inf}))
    for _, list in ipairs {{nan}, {inf, -inf}, {nan, nan, -inf}} do
      assert.equal("histogram: 'input' has no finite element, so the range of the bins must be "
        .. "given: write {range = {0, 1}}", message(locus.histogram, list, 3))
    end
  end)

  it("takes the range that the error writes, in which all finite elements lie", function()
    math.randomseed(86)
    for _, dtype in ipairs(support.floats) do
      for _, odd in ipairs {nan, inf, -inf} do
        for _, size in ipairs {1, 1e-3, 1e4} do
          local n = random(1, 9)
          local x = locus.cat {locus.rand(n) * size, locus.tensor {odd}}:to(dtype)
          if n == 1 and odd == inf then x = x:expand(3, 2) end
          local finite = tonumber(x:isfinite():sum())
          local text = message(x.histogram, x, 3):match(": write (.-) for its finite")
          same((x:histogram(3, loadstring("return " .. text)()):sum(1)), {}, {finite}, "int64")
          text = message(locus.histc, x, 3):match(": write (.-) for its finite")
          local counts = locus.histc(x, 3, loadstring("return " .. text)())
          assert.equal(finite, counts:sum())
        end
      end
    end
    local text = message(locus.histogram, {1e300, nan}, 2):match(": write (.-) for its finite")
    same((locus.histogram({1e300, nan}, 2, loadstring("return " .. text)())), {2}, {0, 1}, "int64")
  end)
end)

describe("histogram's weights and densities", function()
  it("are sums in the order of the input, for any dtypes and layouts", function()
    math.randomseed(84)
    for _ = 1, 200 do
      local shape = {random(0, 4), random(0, 9)}
      local x = arrays.random(arrays.pick(support.ordered), shape)
      local weights = arrays.random(arrays.pick(support.ordered), shape, true)
      local edges = random_edges(arrays.pick(support.ordered), random(2, 5))
      local counts = arrays.tensor(x):histogram(arrays.tensor(edges),
        {weight = arrays.tensor(weights)})
      arrays.check(counts, {#edges.values - 1}, plain(x.values, edges.values, numbers(weights)),
        "float64", x, edges, weights)
    end
  end)

  it("have both names, propagate NaN, and may lie outside", function()
    local x = {0, 1, 2, 3}
    same((locus.histogram(x, {0, 2, 3}, {weights = {1, 2, 3, nan}})), {2}, {3, nan}, "float64")
    same((locus.histogram(x, {0, 2}, {weight = {1, 2, 4, nan}})), {1}, {7}, "float64")
    same((locus.histogram(x, 4, {weight = {1, 2, 3, 4}, density = true})), {4},
      {1 / 0.75 / 10, 2 / 0.75 / 10, 3 / 0.75 / 10, 4 / 0.75 / 10}, "float64")
    same((locus.histogram({1, 2, 2}, {0, 2, 6}, {density = true})), {2}, {1 / 2 / 3, 2 / 4 / 3})
    same((locus.histogram(x, 2, {range = {7, 9}, density = true})), {2}, {nan, nan}, "float64")
    same((locus.histogram(x, {-inf, 1, inf}, {density = true})), {2}, {0, 0}, "float64")
  end)
end)

describe("histc", function()
  it("has the counts of histogram in PyTorch's dtype", function()
    math.randomseed(85)
    for _ = 1, 200 do
      local x = arrays.random(arrays.pick(support.ordered), {random(0, 3), random(1, 9)}, true)
      local bins, low = random(1, 9), random(0, 50)
      local high = low + random(1, 50)
      local t = arrays.tensor(x)
      local counts = t:histogram(bins, {range = {low, high}})
      local dtype = oracle.kind(x.dtype) == 3 and x.dtype or "int64"
      same(t:histc(bins, low, high), {bins}, counts:totable(), dtype)
      same(t:histc(bins), {bins}, (t:histogram(bins)):totable(), dtype)
    end
    assert.equal(100, #locus.histc({1, 2}))
    same(locus.histc({0, 1, 2, 3, nan}, 3, 0, 2), {3}, {1, 1, 1}, "float64")
    same(locus.histc({0, 1, 2, 3}, 3, 1, 1), {3}, {1, 1, 2}, "float64")
  end)

  it("writes to out", function()
    local out = of_dtype("float32")
    assert.equal(out, locus.FloatTensor{1, 2, 4}:histc(2, {min = 0, max = 4, out = out}))
    same(out, {2}, {1, 2}, "float32")
    local x = locus.tensor({1, 2})
    assert.matches("^histc: 'out' ", message(x.histc, x, 2, {out = x}))
    same(x, {2}, {1, 2})
    assert.equal("histc: 'out' must be float64, got float32",
      message(x.histc, x, 2, {out = locus.FloatTensor(2)}))
  end)
end)

describe("histogram and histc", function()
  it("refuse more bins than there are numbers for their edges", function()
    local function refuses(dtype, from, to, name, f, ...)
      local text = ("%s: 'bins' is 100, but between %s and %s %s has too few numbers for the "
        .. "edges"):format(name, from, to, dtype)
      assert.equal(text, message(f, ...))
    end
    local wide = support.tensor("int64", {2LL ^ 60, 2LL ^ 60 + 100})
    local close = locus.tensor{1, 1 + 2 ^ -52}
    local single = support.tensor("float32", {16777216, 16777217 + 1})
    for _, name in ipairs {"histogram", "histc"} do
      refuses("float64", "1152921504606846720", "1152921504606847232", name, locus[name],
              wide)
      refuses("float64", "1", "1.0000000000000002", name, locus[name], close)
      refuses("float32", "16777216", "16777218", name, locus[name], single)
      refuses("float64", "1e+300", "1e+300", name, locus[name], locus.tensor{1e300})
    end
    local range = {1e16, 1e16 + 100}
    refuses("float64", "10000000000000000", "10000000000000100", "histogram", locus.histogram, wide,
            100, {range = range, density = true})
    refuses("float64", "10000000000000000", "10000000000000100", "histc", locus.histc, wide, 100,
            unpack(range))
    assert.matches("^hist: 'bins' is 100, but ", message(close.hist, close, 100))
    for _, name in ipairs {"histogram", "histc"} do
      local args = name == "histogram" and {{range = {0, 1e300}}} or {0, 1e300}
      assert.equal(name .. ": the bins must be within float32, as 'input' is, got a range from "
        .. "0 to 1e+300", message(locus[name], single, 10, unpack(args)))
    end
    -- as many as there are go
    local counts, edges = locus.tensor{1, 1 + 2 ^ -50}:histogram(4)
    assert.same({1, 0, 0, 1}, {tonumber(counts[1]), tonumber(counts[2]), tonumber(counts[3]),
                               tonumber(counts[4])})
    for i = 0, 4 do assert.equal(1 + i * 2 ^ -52, edges[i + 1]) end
    assert.equal(2, tonumber(wide:histogram(1)[1]))
    assert.equal(2, tonumber(single:histogram(1):sum()))
  end)

  it("have densities at the ends of the range", function()
    local most = (2 - 2 ^ -52) * 2 ^ 1023
    local density = locus.tensor{-1e308, 0, 1e308}:histogram({-most, most}, {density = true})
    assert.is_true(math.abs(density[1] * most * 2 - 1) < 1e-9)
    local many = locus.full({1000000}, 1e-306)
    assert.is_true(math.abs(many:histogram({0, 2e-306}, {density = true})[1] * 2e-306 - 1) < 1e-12)
  end)

  it("refuse what does not go", function()
    local function says(text, ...)
      assert.equal("histogram: " .. text, message(locus.histogram, ...))
    end
    local x, complex = {1, 2}, locus.zeros(2, {dtype = "complex64"})
    says("'bins' must be a whole number from 1 to 2^30, or edges, got 0", x, 0)
    says("'bins' must be a whole number from 1 to 2^30, or edges, got 2.5", x, 2.5)
    says("'bins' must hold two edges at least, got 1", x, {1})
    says("'bins' must be 1-D, got a float64 tensor of size 1x2", x, {{1, 2}})
    says("'bins' is not ascending: 1 at [2] follows 3", x, {3, 1})
    says("'bins' holds NaN at [2], which has no place in an order", x, {3, nan})
    says("'bins' is complex64, and complex numbers have no order", x, complex)
    says("'input' is complex64, and complex numbers have no order", complex)
    says("'weight' is complex64, and complex numbers have no order", x, 2, {weight = complex})
    says("'weight' must be of size 2, as 'input' is, got a float64 tensor of size 3", x, 2,
      {weight = {1, 2, 3}})
    says("'weight' and 'weights' are two names of one option", x, 2, {weight = x, weights = x})
    says("'range' must be a table of two numbers, got the number 5", x, 2, {range = 5})
    says("'range' must not fall, got 2 and 1", x, 2, {range = {2, 1}})
    says("'range' must be finite, got 0 and inf", x, 2, {range = {0, inf}})
    says("'range' goes with a number of bins, but 'bins' holds their edges", x, {1, 2},
      {range = {0, 1}})
    assert.equal("histc: 'min' and 'max' must not fall, got 3 and 1",
      message(locus.histc, x, 2, 3, 1))
    assert.equal("histc: 'input' is complex64, and complex numbers have no order",
      message(locus.histc, complex))
  end)
end)
