-- SPDX-License-Identifier: MIT
-- x:image(): shades, blocks, and what is said of them.
local glyphs = require "locus.plot.glyphs"
local locus = require "locus"
local support = require "spec.support"

local inf, nan, message = math.huge, support.nan, support.message

local function draws(picture, ...)
  assert.equal(table.concat({...}, "\n"), tostring(picture))
end

describe("image #once", function()
  it("has a shade for each fifth between the least and the greatest element", function()
    draws(locus.image {{0, 1.9, 2, 3.9, 4}, {5.9, 6, 7.9, 8, 10}},
      " ┌──────────┐",
      " │    ░░░░▒▒│",
      " │▒▒▓▓▓▓████│",
      " └──────────┘",
      "[2x5: ' ' 0 to '█' 10]")
    local locale = glyphs.locale
    glyphs.locale = function() return "POSIX" end
    local text = tostring(locus.image {{0, 2, 4, 6, 10}})
    glyphs.locale = locale
    assert.equal(" +----------+\n |  ..::++##|\n +----------+\n[1x5: ' ' 0 to '#' 10]", text)
  end)

  it("marks what is not finite, and counts it", function()
    draws(locus.image {{1, nan}, {-inf, 2}},
      " ┌────┐",
      " │  ??│",
      " │??██│",
      " └────┘",
      "[2x2: ' ' 1 to '█' 2; 1 NaN, 1 inf left out]")
    draws(locus.image {{inf}}, " ┌──┐", " │??│", " └──┘", "[1x1: nothing to draw; 1 inf left out]")
    draws(locus.image {{nan}}, " ┌──┐", " │??│", " └──┘", "[1x1: nothing to draw; 1 NaN left out]")
  end)

  it("has a middle shade for what is all the same, and nothing for nothing", function()
    draws(locus.image {{7, 7}}, " ┌────┐", " │▒▒▒▒│", " └────┘", "[1x2: all 7]")
    draws(locus.zeros(0, 3):image(), "[0x3: nothing to draw]")
    draws(locus.zeros(3, 0):image(), "[3x0: nothing to draw]")
  end)

  it("draws the means of square blocks where there is no room", function()
    -- 4 rows of 40 elements in 20 columns, that is 8 blocks of 5x5, with means 2, 7 ... 37
    local x = locus.arange(40):view(1, 40):expand(4, 40)
    draws(x:image {width = 20},
      " ┌────────────────┐",
      " │    ░░▒▒▒▒▓▓████│",
      " └────────────────┘",
      "[4x40: ' ' 2 to '█' 37, means of 5x5]")
    local tall = x:t():clone()
    tall[{{1, 20}, {}}] = nan
    draws(tall:image {height = 10, width = 20},
      " ┌──┐", " │??│", " │??│", " │??│", " │??│", " │??│", " │  │", " │░░│", " │▒▒│",
      " │▓▓│", " │██│", " └──┘", "[40x4: ' ' 21.5 to '█' 37.5, means of 4x4; 80 NaN left out]")
  end)

  it("has colours in halves of characters on a terminal, where it is told so", function()
    local core, getenv = require "locus.core", os.getenv
    local is_terminal, said = core.internal.is_terminal, nil
    core.internal.is_terminal = function() return true end
    os.getenv = function(name)
      return name == "NO_COLOR" and (said or "") or name ~= "NO_COLOR" and getenv(name) or nil
    end
    local x = locus.tensor {{0, nan, 1}, {2, 1, 0}, {nan, nan, 2}}
    local colored, plain = tostring(x:image {color = true}), tostring(x:image())
    said = "1"
    local silenced = tostring(x:image {color = true})
    core.internal.is_terminal, os.getenv = is_terminal, getenv
    local function ink(color, on) return ("\27[%d;2;%sm"):format(on and 48 or 38, color) end
    local low, middle, high, reset = "68;1;84", "33;145;140", "253;231;37", "\27[0m"
    assert.equal(table.concat {
      " ", ink(low), ink(high, true), "▀", reset, ink(middle), "▄", reset,
      ink(middle), ink(low, true), "▀", reset, "\n",
      "   ", ink(high), "▀", reset, "\n",
      "[3x3: '", ink(low), "█", reset, "' 0 to '", ink(high), "█", reset, "' 2; 3 NaN left out]",
    }, colored)
    assert.equal(plain, silenced)
    assert.equal(plain, tostring(x:image {color = true})) -- no terminal
    assert.is_nil(plain:find("\27"))
  end)

  it("fits the width and the height that it is told", function()
    local printing = require "locus.print"
    for n = 1, 90, 7 do
      local x = locus.rand(n, 91 - n)
      for _, width in ipairs {20, 33, 100} do
        local text, rows = tostring(x:image {width = width, height = 9}), 0
        for line in text:gmatch("[^\n]+") do
          if line:find("│", 1, true) then
            rows = rows + 1
            assert.is_true(printing.width(line) <= width)
          end
        end
        assert.is_true(rows >= 1 and rows <= 9)
      end
    end
  end)

  it("takes every dtype and layout", function()
    local rows = " ┌────┐\n │  ██│\n │██  │\n └────┘\n"
    for _, dtype in ipairs(support.ordered) do
      local t = support.tensor(dtype, {0, 1, 1, 0}, {2, 2})
      for _, layout in ipairs {"contiguous", "transposed", "stepped", "inner"} do
        assert.equal(rows .. "[2x2: ' ' 0 to '█' 1]", tostring(support.laid(t, layout):image()))
      end
    end
    local list = {}
    for i = 3, 5, 2 do list[#list + 1] = support.integer("900719925474099" .. i) end
    assert.equal("[1x2: ' ' 9007199254740993 to '█' 9007199254740995]",
      tostring(locus.tensor({list}, {dtype = "int64"}):image()):match("[^\n]*$"))
  end)

  it("refuses what it cannot draw", function()
    assert.equal("image: 'input' must be 2-D, got a float64 tensor of size 2",
      support.nowhere(message(locus.image, {1, 2})))
    assert.equal("image: 'input' is complex64, and complex numbers have no order",
      message(locus.image, locus.ones(1, 2, {dtype = "complex64"})))
    assert.equal("image: 'height' must be a whole number from 1 to 1000, got the number 1001",
      message(locus.image, locus.ones(1, 1), {height = 1001}))
  end)
end)
