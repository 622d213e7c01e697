-- SPDX-License-Identifier: MIT
-- x:plot() and f:plot(): what is drawn, dot by dot; ticks; long series as few points.
local glyphs = require "locus.plot.glyphs"
local locus = require "locus"
local reduce = require "locus.plot.reduce"
local support = require "spec.support"
local ticks = require "locus.plot.ticks"

local inf, nan, message = math.huge, support.nan, support.message

local function draws(picture, ...)
  assert.equal(table.concat({...}, "\n"), tostring(picture))
end

local function in_ascii(f)
  local locale = glyphs.locale
  glyphs.locale = function() return "en_US.ISO-8859-1" end
  local ok, problem = pcall(f)
  glyphs.locale = locale
  if not ok then error(problem, 0) end
end

-- The last line.
local function note(picture) return tostring(picture):match("[^\n]*$") end

describe("plot #once", function()
  it("draws a line of dots between axes", function()
    -- 14 columns of 2 dots, 3 rows of 4: from the lowest dot at the left to the highest
    draws(locus.plot({0, 1}, {width = 20, height = 3}),
      " 1.0 ┤         ⢀⡠⠤⠒⠉",
      " 0.5 ┤    ⢀⣀⠤⠒⠉⠁",
      " 0.0 ┤⣀⠤⠒⠊⠁",
      "     └┬────────────┬",
      "      1            2", "[2 points]")
    draws(locus.plot({5, 5}, {width = 20, height = 1}),
      " 5.5 ┤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤",
      "     └┬────────────┬",
      "      1            2", "[2 points]")
  end)

  -- The dots of braille between the axes: {x, y} from the upper left, in a table by x.
  local function dots(picture)
    local list, row = {}, 0
    for line in tostring(picture):gmatch("[^\n]+") do
      local column, axis = 0, line:find("┤", 1, true) or line:find("│", 1, true) or #line
      for char in line:sub(axis + #"│"):gmatch("[%z\1-\127\194-\244][\128-\191]*") do
        local a, b = char:byte(2, 3)
        local bits = a and (a - 0xa0) * 64 + b - 0x80 or 0
        for i, place in ipairs {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}} do
          if math.floor(bits / 2 ^ (i - 1)) % 2 == 1 then
            local x = column * 2 + place[1]
            list[x] = list[x] or {}
            table.insert(list[x], row * 4 + place[2])
          end
        end
        column = column + 1
      end
      row = row + 1
    end
    return list
  end

  it("has the dot of every column that is nearest to a straight line", function()
    for height = 1, 9 do
      local last = height * 4 - 1
      local found = dots(locus.plot({0, 1, 2, 3}, {width = 66, height = height}))
      local columns = 0
      while found[columns] do columns = columns + 1 end
      assert.is_true(columns > 110)
      for x = 0, columns - 1 do -- the axis ends at 3 or above
        assert.equal(1, #found[x])
        assert.is_true(x == 0 or found[x][1] <= found[x - 1][1])
      end
      assert.equal(last, found[0][1])
      local slope = (found[columns - 1][1] - last) / (columns - 1)
      for x = 0, columns - 1 do
        assert.is_true(math.abs(last + slope * x - found[x][1]) <= 1)
      end
    end
  end)

  it("draws points alone, over x in any order", function()
    draws(locus.plot({0, 2, 2}, {x = {0, 4, 2}, points = true, width = 20, height = 2}),
      " 2 ┤        ⠁      ⠈",
      " 0 ┤⡀",
      "   └┬───┬───┬──┬───┬",
      "    0   1   2  3   4", "[3 points]")
  end)

  it("ends a line at what is not finite, and counts that", function()
    draws(locus.plot({0, 0, nan, inf, 0, 0}, {width = 20, height = 1}),
      "  0.5 ┤⠤⠤⠤       ⠤⠤⠤",
      "      └──┬────┬────┬",
      "         2    4    6", "[6 points; 1 NaN, 1 inf left out]")
    draws(locus.plot {nan, -inf}, "[2 points; 1 NaN, 1 inf left out]")
    draws(locus.plot {}, "[0 points]")
    draws(locus.zeros(0, 3):plot(), "[0 points]")
    draws(locus.plot({1, 2}, {x = {nan, nan}}), "[2 points; 2 NaN left out]")
    assert.equal("[3 points; 1 NaN left out]", note(locus.plot({1, 2, 3}, {x = {1, nan, 3}})))
  end)

  it("tells several series apart by marks and names", function()
    draws(locus.plot({{0, 2}, {2, 0}}, {names = {"up", "down"}, width = 20, height = 3}),
      " * up  + down",
      " 2 ┤++++        ****",
      " 1 ┤    ++++++++",
      " 0 ┤****        ++++",
      "   └┬──────────────┬",
      "    1              2", "[2 series of 2 points]")
    assert.equal(tostring(locus.plot {{1, 2}, {3, 4}}),
      tostring(locus.plot {locus.tensor {1, 2}, locus.tensor {3, 4}}))
    assert.equal("[2 series of 3 points; 1 NaN left out]",
      note(locus.plot {locus.tensor {1, nan}, locus.tensor {3, 4, 5}}))
  end)

  it("draws in ASCII where the locale has no UTF-8", function()
    in_ascii(function()
      draws(locus.plot({0, 2}, {width = 20, height = 3}),
        " 2 +            ****",
        " 1 +    ********",
        " 0 +****",
        "   ++--------------+",
        "    1              2", "[2 points]")
    end)
  end)

  it("is as wide as it is told, whatever it draws", function()
    math.randomseed(3)
    local printing = require "locus.print"
    for _ = 1, 200 do
      local n, width, scale = math.random(1, 40), math.random(30, 99), 10 ^ math.random(-12, 12)
      local picture = (locus.randn(n) * scale):plot {width = width, height = math.random(1, 20)}
      for line in tostring(picture):gmatch("[^\n]+") do
        assert.is_true(printing.width(line) <= width, tostring(picture))
      end
    end
  end)

  it("is as high as the terminal has room for, and at most 15 rows", function()
    local core = require "locus.core"
    local terminal_size = core.internal.terminal_size
    for _, pair in ipairs {{18, 10}, {100, 15}, {9, 5}, {nil, 15}} do
      core.internal.terminal_size = function() return 80, pair[1] end
      local _, before_last = tostring(locus.plot {1, 2}):gsub("\n", "")
      core.internal.terminal_size = terminal_size
      assert.equal(pair[2] + 2, before_last) -- below the rows an axis and its texts
    end
  end)

  it("takes every dtype and layout", function()
    local x = {width = 30, height = 4}
    local wanted = tostring(locus.tensor({1, 0, 1, 1}, {dtype = "int32"}):plot(x))
    for _, dtype in ipairs(support.integers) do
      assert.equal(wanted, tostring(locus.tensor({1, 0, 1, 1}, {dtype = dtype}):plot(x)))
    end
    assert.equal(wanted, tostring(locus.tensor {true, false, true, true}:plot(x)))
    wanted = tostring(locus.tensor {0, 0.5, 2}:plot(x))
    for _, dtype in ipairs(support.floats) do
      for _, layout in ipairs {"contiguous", "stepped", "inner"} do
        local t = support.laid(support.tensor(dtype, {0, 0.5, 2}), layout)
        assert.equal(wanted, tostring(t:plot(x)))
      end
    end
  end)

  it("writes int64 past 2^53 exactly", function()
    local list = {support.integer("9223372036854775800"), support.integer("9223372036854775807")}
    local text = tostring(locus.tensor(list, {dtype = "int64"}):plot {width = 40})
    assert.truthy(text:find(" 9223372036854775800 ┤", 1, true))
    assert.truthy(text:find(" 9223372036854775808 ┤", 1, true)) -- above the last one
    local odd = {}
    for i = 3, 9, 3 do odd[#odd + 1] = support.integer("900719925474099" .. i) end
    text = tostring(locus.tensor(odd, {dtype = "int64"}):plot {width = 40})
    for label in text:gmatch("(%d+) ┤") do assert.truthy(label:find("[02468]$"), text) end
    local far = tostring(locus.tensor({support.integer("-9223372036854775808"), list[2]},
      {dtype = "int64"}):plot {width = 40})
    assert.truthy(far:find(" 1.0e19 ┤", 1, true), far)
  end)

  it("refuses what it cannot draw", function()
    local x = locus.tensor {1, 2}
    assert.equal("plot: 'input' is complex64, and complex numbers have no order",
      message(locus.plot, locus.ones(2, {dtype = "complex64"})))
    assert.equal("plot: 'x' must have the 2 elements of a series, got 3",
      message(locus.plot, x, {x = {1, 2, 3}}))
    assert.equal("plot: 'input' must have one dimension, or two with a series in each row, got a "
      .. "float64 tensor of size 1x1x1", support.nowhere(message(locus.plot, locus.ones(1, 1, 1))))
    assert.equal("plot: 'input[2]' must be a 1-D tensor, got the number 5",
      message(locus.plot, {x, 5}))
    assert.equal("plot: 8 series can be drawn at most, got 9",
      message(locus.plot, locus.ones(9, 2)))
    assert.equal("plot: 'names' must have a name for each of the 1 series, got 2",
      message(locus.plot, x, {names = {"a", "b"}}))
    assert.equal("plot: 'height' must be a whole number from 1 to 1000, got the number 0",
      message(locus.plot, x, {height = 0}))
    assert.equal("plot: 'input' must be a tensor or a table, got the string \"a\"",
      message(locus.plot, "a"))
  end)
end)

-- The texts of ticks.
local function texts(low, high, most, axis)
  local list = {}
  for i, tick in ipairs(ticks.between(low, high, most, axis)) do list[i] = tick.text end
  return table.concat(list, " ")
end

describe("ticks #once", function()
  local numbers, whole = {origin = 0}, {origin = 0, whole = true}

  it("are at 1, 2 and 5 times powers of ten", function()
    assert.equal("0.0 0.2 0.4 0.6 0.8 1.0", texts(0, 1, 5, numbers))
    assert.equal("-0.3 -0.2 -0.1 0.0 0.1", texts(-0.3, 0.1, 5, numbers))
    assert.equal("50 100 150 200", texts(33, 202, 5, numbers))
    assert.equal("1 2 3", texts(1, 3, 9, whole))
    assert.equal("0 1e12 2e12", texts(0, 2e12, 2, numbers))
    assert.equal("1.0e-12 1.5e-12 2.0e-12", texts(1e-12, 2e-12, 3, numbers))
    assert.equal("-1e308 0 1e308", texts(-1.7e308, 1.7e308, 4, numbers))
  end)

  it("are the numbers that their texts are", function()
    for power = -20, 20 do -- powers of ten that are exact
      for _, tick in ipairs(ticks.between(-3.3 * 10 ^ power, 7.1 * 10 ^ power, 9, numbers)) do
        assert.equal(tonumber(tick.text), tick.at)
      end
    end
  end)

  it("come to an end where numbers are so large that 1 more is the same", function()
    assert.is_true(#ticks.between(2 ^ 60, 2 ^ 60 + 2000, 9, whole) < 99)
    assert.is_true(#ticks.between(1e300, 1.0000000000001e300, 9, numbers) < 99)
    local text = tostring(locus.tensor {4.6e24, 4.6e24 + 6.4e9}:plot {width = 40})
    assert.truthy(text:find("2 points", 1, true))
  end)

  it("are where people count times", function()
    local time, minute = {origin = 0, kind = "time"}, 60e6
    assert.equal("00:00 00:15 00:30 00:45 01:00", texts(0, 60 * minute, 5, time))
    assert.equal("00:00:30 00:01:00 00:01:30", texts(minute / 3, 1.5 * minute, 3, time))
    assert.equal("00:00:00.00 00:00:00.05 00:00:00.10", texts(0, 1e5, 2, time))
    assert.equal("12-31 18:00 01-01 00:00 01-01 06:00", texts(-6 * 60 * minute, 6 * 60 * minute, 2,
      time))
    assert.equal("1970-01-01 1970-01-02 1970-01-03", texts(0, 2880 * minute, 2, time))
    assert.equal("1970-01-01 1970-01-06 1970-01-11", texts(0, 10, 2, {origin = 0, kind = "date"}))
  end)
end)

describe("long series #once", function()
  -- The least and the greatest of the elements at places from low to high.
  local function extent(points, low, high)
    local least, most = inf, -inf
    for _, point in ipairs(points) do
      if point[1] >= low and point[1] <= high then
        least, most = math.min(least, point[2]), math.max(most, point[2])
      end
    end
    return least, most
  end

  it("keep the least and the greatest of every part", function()
    local n = 10000
    local y = locus.randn(n, {generator = locus.generator(2)})
    local order = locus.randperm(n, {generator = locus.generator(3)})
    local x = locus.arange(1, n + 1)
    local list = {}
    for i, value in ipairs(y:totable()) do list[i] = {i, value} end
    for _, points in ipairs {reduce.line(nil, y), (reduce.line(x, y, 1, n)),
                             (reduce.line(x[order], y[order], 1, n))} do
      assert.is_true(#points <= reduce.MOST)
      for first = 1, n, n / 4 do -- quarters are whole columns, or nearly so
        local low, high = extent(list, first + 20, first + n / 4 - 21)
        local least, most = extent(points, first, first + n / 4 - 1)
        assert.is_true(least <= low and most >= high)
        low, high = extent(list, first - 20, first + n / 4 + 19)
        assert.is_true(least >= low and most <= high)
      end
    end
  end)

  it("are said to be so", function()
    local x = locus.arange(2000)
    assert.equal("[2000 points, of every 4 the least and the greatest]", note(x:plot()))
    assert.equal("[2000 points, of every column the least and the greatest]", note(x:plot {x = x}))
    assert.equal("[1280 points]", note(locus.arange(1280):plot()))
    assert.equal("[2000 points]", note(x:plot {points = true}))
  end)

  it("leave out what is not finite, in x, too", function()
    local x = locus.arange(3000)
    local y = x:clone()
    y[5], y[{{1000, 1999}}], x[7] = inf, nan, nan
    assert.equal("[3000 points, of every column the least and the greatest; 1001 NaN, 1 inf "
      .. "left out]", note(y:plot {x = x}))
    local text = tostring(y:plot {width = 40, height = 6})
    assert.truthy(text:find("\n[^\n]*┤ +⢀", 1)) -- a gap before the second part
    assert.is_true(#reduce.line(locus.full({3000}, nan), y, 0, 1) == 0)
  end)

  it("are points in cells without lines", function()
    local x = locus.rand(5000, {generator = locus.generator(5)})
    local y = locus.rand(5000, {generator = locus.generator(6)})
    local few = tostring(x[{{1, 1200}}]:plot {x = y[{{1, 1200}}], points = true, width = 60})
    local points = reduce.scatter(y, x, {low = 0, high = 1}, {low = 0, high = 1})
    assert.is_true(#points > 4500 and #points <= 5000)
    local least = extent(points, 0, 1)
    assert.is_true(math.abs(least - x:min()) <= 1 / 320)
    assert.equal("[1200 points]", few:match("[^\n]*$"))
  end)
end)

describe("f:plot #once", function()
  local minute = locus.tensor({0, 1, 2}, {dtype = "int64"}) * 60000000
  local f = locus.frame {{"time", minute, "time"}, {"bid", {1, 3, 2}}, {"ask", {2, 3, 3}},
    {"sym", {"a", "b", "c"}}, {"day", minute * 0, "date"},
    {"ns", minute * 1000, {"time", unit = "ns"}},
    {"s", locus.tensor({0, 60, 120}, {dtype = "int64"}), {"time", unit = "s"}}}

  it("draws columns over another one, and says which", function()
    draws(f:plot("time", "bid", {width = 24, height = 3}),
      " 3 ┤       ⣀⠤⠒⠉⠒⠢⠤⣀⣀",
      " 2 ┤   ⢀⡠⠔⠉         ⠉⠑⠒⠤",
      " 1 ┤⡠⠔⠊⠁",
      "   └┬─────────┬────────┬",
      "  00:00     00:01  00:02",
      "[bid by time from 1970-01-01T00:00:00Z, 3 points]")
  end)

  it("draws times of any unit alike", function()
    local function axis(name) return tostring(f:plot(name, "bid", "ask")):gsub("[^\n]*$", "") end
    assert.equal(axis "time", axis "ns")
    assert.equal(axis "time", axis "s")
    assert.equal("[bid, ask by time from 1970-01-01T00:00:00Z, 2 series of 3 points]",
      note(f:plot("time", "bid", "ask")))
    assert.equal("[time by bid, 3 points]", note(f:plot("bid", "time")))
    assert.truthy(tostring(f:plot("bid", "time")):find("00:02:00 ┤", 1, true))
    assert.equal("[bid by day, 3 points]", note(f:plot("day", "bid", {points = true})))
  end)

  it("draws as numbers what no date is of", function()
    local far = locus.tensor({1, 2, 3}, {dtype = "int64"}) * 2 ^ 60
    for _, kind in ipairs {"time", {"time", unit = "s"}, "date", "ipv4"} do
      local g = f:with("far", far, {kind = kind})
      local text = tostring(g:plot("far", "bid"))
      assert.equal("[bid by far, 3 points]", text:match("[^\n]*$"))
      assert.is_nil(text:find("%d:%d") or text:find("%d%-%d%d%-"), text)
      assert.truthy(tostring(g:plot("bid", "far")):find("e%d+ ┤", 1))
    end
  end)

  it("refuses what it cannot draw", function()
    assert.equal("plot: the column 'sym' holds strings, which are not drawn",
      message(f.plot, f, "time", "sym"))
    assert.equal("plot: the frame has no column 'bit'; did you mean 'bid'?",
      message(f.plot, f, "time", "bit"))
    assert.equal("plot: 'names' is missing", message(f.plot, f, "time"))
    assert.equal("plot: 'z' is complex128, and complex numbers have no order",
      message(f.plot, f:with("z", locus.ones(3, {dtype = "complex128"})), "time", "z"))
  end)

  it("shows names of any bytes", function()
    local g = f:rename {bid = "b\n\255", ask = "é"}
    assert.equal(" * b\\n\\xff  + é", tostring(g:plot("time", "b\n\255", "é")):match("^[^\n]*"))
  end)
end)
