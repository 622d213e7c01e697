-- SPDX-License-Identifier: MIT
-- x:hist() and x:spark(): what is drawn, character by character, and that every element is counted
-- in a bar or in the last line.
local arrays = require "spec.support.data.arrays"
local glyphs = require "locus.plot.glyphs"
local locus = require "locus"
local support = require "spec.support"

local inf, nan, message = math.huge, support.nan, support.message

local function lines(...) return table.concat({...}, "\n") end

local function draws(picture, ...) assert.equal(lines(...), tostring(picture)) end

local function int64(...)
  local list = {...}
  for i, text in ipairs(list) do list[i] = support.integer(text) end
  return locus.tensor(list, {dtype = "int64"})
end

-- Runs f with a locale that names no UTF-8.
local function in_ascii(f)
  local locale = glyphs.locale
  glyphs.locale = function() return "C" end
  local ok, problem = pcall(f)
  glyphs.locale = locale
  if not ok then error(problem, 0) end
end

-- The numbers behind the bars, and those of the last line.
local function counts(picture)
  local text, list = tostring(picture), {}
  for line in text:gmatch("[^\n]+") do
    local number = line:match("│[^%d]*(%d+)$")
    if number then list[#list + 1] = tonumber(number) end
  end
  local last = text:match("[^\n]*$")
  return list, tonumber(last:match("^%[(%d+) element")), tonumber(last:match("(%d+) outside") or 0),
    tonumber(last:match("(%d+) NaN") or 0), tonumber(last:match("(%d+) inf") or 0)
end

describe("where bins lie #once", function()
  -- The left edges and the last right one, as they are written.
  local function labels(picture)
    local list, last = {}, nil
    for left, right in tostring(picture):gmatch("%[ *([^ ,]+), +([^ ,%])]+)[%])]") do
      list[#list + 1], last = left, right
    end
    list[#list + 1] = last
    return list
  end
  local x = locus.tensor{1, 2, 3}

  it("is written so that different edges differ, however far apart", function()
    for _, edges in ipairs {{-.5, 5e307, 1e308}, {1, 1 + 2 ^ -52, 2}, {-1e-300, 1e-310, 5e307},
      {-1e15, .25, .5, 1e15}, {-1e15, 1, 1.25, 1.5, 1e15}, {1e15, 1e15 + .125, 1e15 + .25, 1e18},
      {-5e-324, 5e-324, 1e300}} do
      local written = labels(x:hist(locus.tensor(edges, {dtype = "float64"})))
      assert.equal(#edges, #written)
      for i, text in ipairs(written) do
        assert.equal(edges[i] < 0, text:find("^%-") ~= nil, text)
        assert.is_true(tonumber(text) ~= 0, text)
        assert.is_true(i == 1 or tonumber(written[i - 1]) < tonumber(text), text)
      end
    end
    assert.same({"-0.5", "5e307", "1.0e308"}, labels(x:hist(locus.tensor{-.5, 5e307, 1e308})))
    assert.same({"0", "1"}, labels(x:hist(locus.tensor{-0.0, 1})))
  end)
end)

describe("hist #once", function()
  it("draws a bar for each bin, the longest as long as there is room", function()
    -- 20 columns: 6 are the bin, 1 the number, 4 stand between; 9 remain, of 8 parts
    draws(locus.hist({0, 0.5, 1.5, 1.5, 1.5, 1.5}, {0, 1, 2}, {width = 20}),
      " [0, 1) │████▌ 2", " [1, 2] │█████████ 4", "[6 elements in 2 bins]")
    draws(locus.hist({0, 1.5, 1.5, 1.5}, {0, 1, 2, 3}, {width = 20}), " [0, 1) │███ 1",
      " [1, 2) │█████████ 3", " [2, 3] │ 0", "[4 elements in 3 bins]")
  end)

  it("draws something where there is something", function()
    local x = locus.cat {locus.zeros(999), locus.ones(1)}
    assert.truthy(tostring(x:hist(2, {width = 30})):find("│▏ 1\n", 1, true))
    in_ascii(function()
      draws(locus.hist({0, 0.5, 1.5, 1.5, 1.5, 1.5}, {0, 1, 2}, {width = 20}),
        " [0, 1) |##### 2", " [1, 2] |######### 4", "[6 elements in 2 bins]")
      assert.truthy(tostring(x:hist(2, {width = 30})):find("|# 1\n", 1, true))
    end)
  end)

  it("has bins of a round width, of integers one for each where they are few", function()
    draws(locus.tensor({3, 5, 3}, {dtype = "int32"}):hist {width = 20}, " 3 │██████████████ 2",
      " 4 │ 0", " 5 │███████ 1", "[3 elements in 3 bins]")
    draws(locus.hist({0.1, 0.3, 0.5}, {width = 30}), " [0.1, 0.2) │███████████████ 1",
      " [0.2, 0.3) │ 0", " [0.3, 0.4) │███████████████ 1", " [0.4, 0.5] │███████████████ 1",
      "[3 elements in 4 bins]")
    draws(locus.tensor({true, false, true}):hist {width = 20}, " 0 │███████ 1",
      " 1 │██████████████ 2", "[3 elements in 2 bins]")
    local text = tostring(locus.arange(0, 1000):int():hist())
    assert.truthy(text:find("^ %[   0,  100%) │[█]+ 100\n"))
    assert.truthy(text:find("\n %[ 900, 1000%] │[█]+ 100\n%[1000 elements in 10 bins%]$"))
  end)

  it("counts what is not finite, and draws the rest in as many bins as were asked for", function()
    for _, dtype in ipairs(support.floats) do
      for _, odd in ipairs {nan, inf, -inf} do
        local x = locus.tensor({1, odd, 3, 2}, {dtype = dtype})
        local left = odd ~= odd and "1 NaN left out]" or "1 inf left out]"
        for _, y in ipairs {x, locus.stack({x, x}, 2):select(2, 1), x:view(2, 2)} do
          draws(y:hist(2, {width = 20}), " [1, 2) │████▌ 1", " [2, 3] │█████████ 2",
            "[4 elements in 2 bins; " .. left)
          draws(y:hist(2, {range = {0, 4}, width = 20}), " [0, 2) │████▌ 1",
            " [2, 4] │█████████ 2", "[4 elements in 2 bins; " .. left)
        end
        draws(locus.tensor({odd}, {dtype = dtype}):hist(2), "[1 element; " .. left)
      end
    end
    local f = locus.frame {{"price", {5, nan, 6, inf, 5}}}
    draws(f.price:hist(1, {width = 20}), " [5, 6] │█████████ 3",
      "[5 elements in 1 bin; 1 NaN, 1 inf left out]")
    local list = counts(locus.hist({-1.7e308, nan, 1.7e308}, 2))
    assert.same({1, 1}, list)
  end)

  it("takes a range beyond what float32 holds", function()
    local x = locus.tensor({1, 2, 3e38, -5}, {dtype = "float32"})
    draws(x:hist(4, {range = {-1e39, 1e39}, width = 40}), " [-1.0e39,   -5e38) │ 0",
      " [  -5e38,       0) │█████▋ 1", " [      0,    5e38) │█████████████████ 3",
      " [   5e38,  1.0e39] │ 0", "[4 elements in 4 bins]")
    for _, range in ipairs {{0.1, 1e39}, {-1e300, 1e300}, {1e39, 1e40}, {-1.7e308, 0}} do
      for _, bins in ipairs {1, 3, 1000} do
        local text = tostring(x:hist(bins, {range = range}))
        assert.matches("%[4 elements in " .. bins .. " bins?", text)
      end
      assert.matches("%[4 elements in ", tostring(x:hist {range = range}))
    end
  end)

  it("has the bins of histogram where it is told", function()
    local x = locus.tensor {1, 2, 3, 4, 5, 6}
    for _, bins in ipairs {1, 2, 5, {0, 2, 7}, {2, 3}} do
      local list = counts(x:hist(bins))
      assert.same((x:histogram(bins)):totable(), list)
      assert.same((x:histogram(bins)):totable(), (counts(locus.hist {x, bins = bins})))
    end
    draws(x:hist(2, {range = {2, 6}, width = 20}), " [2, 4) │██████ 2", " [4, 6] │█████████ 3",
      "[6 elements in 2 bins; 1 outside]")
    draws(x:hist {range = {0, 5}, width = 20}, " [0, 1) │ 0", " [1, 2) │████▌ 1",
      " [2, 3) │████▌ 1", " [3, 4) │████▌ 1", " [4, 5] │█████████ 2",
      "[6 elements in 5 bins; 1 outside]")
  end)

  it("says what has no place", function()
    draws(locus.hist({1, nan, 1, inf, -inf}, {width = 20}), " [0.5, 1.5] │█████ 2",
      "[5 elements in 1 bin; 1 NaN, 2 inf left out]")
    draws(locus.hist {nan, nan}, "[2 elements; 2 NaN left out]")
    draws(locus.hist {inf}, "[1 element; 1 inf left out]")
    draws(locus.zeros(0, 3):hist(4), "[0 elements]")
    draws(locus.tensor(5):hist {width = 20}, " [4.5, 5.5] │█████ 1", "[1 element in 1 bin]")
  end)

  it("counts every element once, for any dtypes, layouts and sizes", function()
    math.randomseed(4)
    for _ = 1, 300 do
      local x = arrays.random(arrays.pick(support.ordered), {math.random(0, 4), math.random(0, 9)})
      local t = arrays.tensor(x)
      for _, picture in ipairs {t:hist(), t:hist(5, {range = {0, 4}}), t:t():hist {0, 1, 3}} do
        local list, n, outside, missing, infinite = counts(picture)
        local sum = outside + missing + infinite
        for _, number in ipairs(list) do sum = sum + number end
        assert.equal(n, sum)
        assert.equal(#x.values, n)
        if #list > 0 then assert.equal(t:isfinite():sum(), n - missing - infinite) end
      end
    end
  end)

  it("tells int64 past 2^53 apart, and takes those that are far from each other", function()
    draws(int64("9007199254740993", "9007199254740995"):hist {width = 30},
      " 9007199254740993 │█████████ 1", " 9007199254740994 │ 0", " 9007199254740995 │█████████ 1",
      "[2 elements in 3 bins]")
    draws(int64("9223372036854775807"):hist {width = 30}, " 9223372036854775807 │██████ 1",
      "[1 element in 1 bin]")
    draws(int64("-9223372036854775808", "-9223372036854775807"):hist {width = 30},
      " -9223372036854775808 │█████ 1", " -9223372036854775807 │█████ 1",
      "[2 elements in 2 bins]")
    local list = counts(int64("-9223372036854775808", "0", "9223372036854775807"):hist())
    local sum = 0
    for _, number in ipairs(list) do sum = sum + number end
    assert.equal(3, sum)
  end)

  it("takes numbers that are as far apart as can be, or hardly", function()
    for _, list in ipairs {{-1.7e308, 1.7e308}, {0, 5e-324}, {1, 1 + 2 ^ -52}, {1e308, -inf, 1e307},
                           {1e-300, 2e-300}, {1e15, 1e15 + 1}} do
      local bars, n, outside, _, infinite = counts(locus.hist(list))
      local sum = outside + infinite
      for _, number in ipairs(bars) do sum = sum + number end
      assert.equal(n, sum, table.concat(list, " "))
    end
  end)

  it("brings only what it draws to Lua", function()
    local core, brought = require "locus.core", 0
    local totable = core.methods.totable
    core.methods.totable = function(x)
      brought = brought + x:numel()
      return totable(x)
    end
    local x = locus.arange(0, 200000) % 1000
    local ok, problem = pcall(function()
      return tostring(x:hist()), tostring(x:spark()), tostring(x:plot()),
        tostring(x:view(400, 500):image()), x:plot {x = x}, x:plot {x = x, points = true}
    end)
    core.methods.totable = totable
    assert(ok, problem)
    assert.is_true(brought > 0 and brought < 100000, brought)
  end)

  it("refuses what it cannot draw", function()
    local x = locus.tensor {1, 2}
    assert.equal("hist: 'input' is complex64, and complex numbers have no order",
      message(locus.hist, locus.ones(2, {dtype = "complex64"})))
    for _, bins in ipairs {0, 1001, 1.5} do
      assert.equal("hist: 'bins' must be a whole number from 1 to 1000, or as many edges, got the "
        .. "number " .. bins, message(locus.hist, x, bins))
    end
    assert.equal("hist: 'bins' must hold finite edges, got a float64 tensor of size 2",
      support.nowhere(message(locus.hist, x, {0, inf})))
    assert.matches("^hist: 'bins' is not ascending", message(locus.hist, x, {2, 1}))
    assert.matches("^hist: 'range' must be a table of two numbers", message(locus.hist, x,
      {range = 5}))
    assert.equal("hist: 'width' must be a whole number from 20 to 1000, got the number 19",
      message(locus.hist, x, {width = 19}))
    assert.equal("hist: there is no argument 'widht'; did you mean 'width'?",
      message(locus.hist, x, {widht = 30}))
  end)
end)

describe("spark #once", function()
  it("is one character for each element", function()
    draws(locus.spark {0, 1, 2, 3, 4, 5, 6, 7}, "▁▂▃▄▅▆▇█  0 to 7")
    draws(locus.spark({8, 0, 4, nan, inf, 8}), "█▁▅  █  0 to 8; 1 NaN, 1 inf left out")
    draws(locus.spark({0.5, -0.25}), "█▁  -0.25 to 0.50")
    draws(locus.tensor(5):spark(), "▅  5")
    draws(locus.spark {3, 3}, "▅▅  3")
    draws(locus.spark {}, "nothing to draw")
    draws(locus.spark {nan}, "   nothing to draw; 1 NaN left out")
    draws(locus.spark {-inf, inf}, "    nothing to draw; 2 inf left out")
    draws(int64("9007199254740993", "9007199254740995"):spark(),
      "▁█  9007199254740993 to 9007199254740995")
    in_ascii(function() draws(locus.spark {0, 1, 2, 3, 4, 5, 6, 7}, "_.-~=+*#  0 to 7") end)
  end)

  it("draws the means of equally many where there are more than columns", function()
    -- 50 elements in 20 columns: 3 in each, 2 in the 17th; the means are 1, 4 ... 46 and 48.5
    draws(locus.arange(50):spark {width = 20}, "▁▁▂▂▃▃▄▄▅▅▆▆▇▇███  1.0 to 48.5, means of 3")
    local x = locus.cat {locus.full({2}, nan), locus.zeros(20), locus.tensor {4, nan}}
    draws(x:spark {width = 20}, " ▁▁▁▁▁▁▁▁▁▁█  0 to 4, means of 2; 3 NaN left out")
    draws((locus.arange(40):half() * 0 + 60000):spark {width = 20},
      "▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅  60000, means of 2")
    draws(locus.cat {locus.full({20}, 1.5e308), locus.full({20}, -1.5e308)}:spark {width = 20},
      "██████████▁▁▁▁▁▁▁▁▁▁  -1.5e308 to 1.5e308, means of 2")
  end)

  it("refuses what it cannot draw", function()
    assert.equal("spark: 'input' must be 1-D, got a float64 tensor of size 2x2",
      support.nowhere(message(locus.spark, locus.ones(2, 2))))
    assert.equal("spark: 'input' is complex128, and complex numbers have no order",
      message(locus.spark, locus.ones(2, {dtype = "complex128"})))
  end)
end)
