-- SPDX-License-Identifier: MIT
-- tostring(t), set_printoptions and get_printoptions.

local locus = require "locus"
local support = require "spec.support"

local message, nan = support.message, support.nan

-- Lines joined, as tostring gives them.
local function lines(...)
  return table.concat({ ... }, "\n")
end

local function prints(t, ...)
  assert.equal(lines(...), support.nowhere(tostring(t)))
end

-- Runs f with print options set, then restores the usual ones.
local function with(options, f)
  locus.set_printoptions(options)
  local ok, problem = pcall(f)
  locus.set_printoptions { profile = "default", linewidth = 80 }
  if not ok then
    error(problem, 0)
  end
end

describe("tostring", function()
  setup(function()
    locus.set_printoptions { linewidth = 80 }
  end)

  it("shows integral floats without decimals", function()
    prints(locus.tensor { 1, 2, 30 }, "  1   2  30", "[float64 tensor of size 3]")
    prints(locus.tensor { -1, 0, 2 ^ 53 },
      "               -1                 0  9007199254740992", "[float64 tensor of size 3]")
    prints(locus.tensor({ 1, 2 }, { dtype = "float32" }), " 1  2", "[float32 tensor of size 2]")
  end)

  it("shows other floats with four decimals and no scale factor", function()
    prints(locus.tensor { 0.5, 100.25, -3 }, "   0.5000  100.2500   -3.0000",
      "[float64 tensor of size 3]")
    prints(locus.tensor { { 0.1, 1 }, { 10, 1000 } }, "    0.1000     1.0000",
      "   10.0000  1000.0000", "[float64 tensor of size 2x2]")
    prints(locus.tensor({ 0.1, 3.14159 }, { dtype = "float16" }), " 0.1000  3.1406",
      "[float16 tensor of size 2]")
    prints(locus.tensor({ 0.1, 2 }, { dtype = "bfloat16" }), " 0.1001  2.0000",
      "[bfloat16 tensor of size 2]")
  end)

  it("goes to exponents where four decimals would hide a number", function()
    prints(locus.tensor { 0.00001, 1 }, " 1.0000e-05  1.0000e+00", "[float64 tensor of size 2]")
    prints(locus.tensor { 0.5, 1e8 }, " 5.0000e-01  1.0000e+08", "[float64 tensor of size 2]")
    prints(locus.tensor { 1e20, 1 }, " 1.0000e+20  1.0000e+00", "[float64 tensor of size 2]")
    prints(locus.tensor { 0.0001, 99999999.5 }, "        0.0001  99999999.5000",
      "[float64 tensor of size 2]")
  end)

  it("spells nan, infinities and the negative zero #native", function()
    prints(locus.tensor { nan, 1 / 0, -1 / 0, 2 }, "  nan   inf  -inf     2",
      "[float64 tensor of size 4]")
    prints(locus.tensor { nan, 0.5 }, "    nan  0.5000", "[float64 tensor of size 2]")
    prints(locus.tensor { -nan, -0.0 }, " nan   -0", "[float64 tensor of size 2]")
  end)

  it("shows every digit of integers", function()
    prints(locus.tensor({ "9007199254740993", "-9223372036854775808" }, { dtype = "int64" }),
      "     9007199254740993  -9223372036854775808", "[int64 tensor of size 2]")
    prints(locus.tensor({ 0, 255 }, { dtype = "uint8" }), "   0  255", "[uint8 tensor of size 2]")
    prints(locus.tensor { support.integer("9223372036854775807") },
      " 9223372036854775807", "[int64 tensor of size 1]")
  end)

  it("shows booleans and complex numbers #native", function()
    prints(locus.tensor { true, false }, "  true  false", "[bool tensor of size 2]")
    local z = support.complex
    prints(locus.tensor { z(1, 2), z(-3, -4), z(0, 10) }, "  1+2i  -3-4i  0+10i",
      "[complex128 tensor of size 3]")
    prints(locus.tensor { z(0.5, -1), z(nan, 1 / 0) }, " 0.5000-1.0000i        nan+infi",
      "[complex128 tensor of size 2]")
    prints(locus.tensor({ z(1, -0.0) }, { dtype = "complex64" }), " 1-0i",
      "[complex64 tensor of size 1]")
  end)

  it("shows a 0-d tensor in one line, an empty one by its last line", function()
    prints(locus.tensor(5), "5 [float64 tensor, 0-d]")
    prints(locus.tensor(0.1), "0.1000 [float64 tensor, 0-d]")
    prints(locus.tensor(true), "true [bool tensor, 0-d]")
    prints(locus.tensor(support.integer("9007199254740993")),
      "9007199254740993 [int64 tensor, 0-d]")
    prints(locus.tensor {}, "[float64 tensor of size 0]")
    prints(locus.zeros(0, 3, { dtype = "int8" }), "[int8 tensor of size 0x3]")
    prints(locus.zeros(2, 3, 0, 4), "[float64 tensor of size 2x3x0x4]")
  end)

  it("wraps a row at the width of the line", function()
    prints(locus.arange(30),
      "  0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16  17  18  19",
      " 20  21  22  23  24  25  26  27  28  29", "[float64 tensor of size 30]")
    with({ linewidth = 11 }, function()
      prints(locus.arange(5), " 0  1  2  3", " 4", "[float64 tensor of size 5]")
    end)
    with({ linewidth = 1 }, function()
      prints(locus.arange(2), " 0", " 1", "[float64 tensor of size 2]")
    end)
  end)

  it("takes the width from COLUMNS", function()
    local chunk = 'print((require "locus").arange(5))'
    local text = support.run(chunk, { COLUMNS = "11" })
    assert.equal(" 0  1  2  3\n 4\n[float64 tensor of size 5]\n", support.nowhere(text))
    text = support.run(chunk, { COLUMNS = "" })
    assert.equal(" 0  1  2  3  4\n[float64 tensor of size 5]\n", support.nowhere(text))
  end)

  it("takes the width of the terminal that it prints to #host", function()
    local command = ("env -u COLUMNS LUA_PATH=%s LUA_CPATH=%s luajit -e %s"):format(
      support.quote(package.path), support.quote(package.cpath),
      support.quote [[print(require("locus").arange(5))]])
    local pipe = io.popen("script -qec " .. support.quote("stty cols 11; " .. command)
      .. " /dev/null 2> /dev/null < /dev/null")
    local text = pipe:read("*a"):gsub("\r", "")
    pipe:close()
    if text == "" then pending "there is no script(1) here" end
    assert.equal(" 0  1  2  3\n 4\n[float64 tensor of size 5]\n", text)
  end)

  it("cuts a wide matrix into runs of columns", function()
    with({ linewidth = 11 }, function()
      prints(locus.arange(10):view(2, 5), "Columns 1 to 4", " 0  1  2  3", " 5  6  7  8", "",
        "Columns 5 to 5", " 4", " 9", "[float64 tensor of size 2x5]")
    end)
  end)

  it("shows more dimensions as slices", function()
    prints(locus.arange(12):view(2, 2, 3), "(1,.,.) =", "  0   1   2", "  3   4   5", "",
      "(2,.,.) =", "  6   7   8", "  9  10  11", "[float64 tensor of size 2x2x3]")
    prints(locus.arange(4):view(2, 2, 1, 1), "(1,1,.,.) =", " 0", "", "(1,2,.,.) =", " 1", "",
      "(2,1,.,.) =", " 2", "", "(2,2,.,.) =", " 3", "[float64 tensor of size 2x2x1x1]")
  end)

  it("reads views", function()
    prints(locus.tensor { { 1, 2 }, { 3, 4 } }:t(), " 1  3", " 2  4",
      "[float64 tensor of size 2x2]")
    prints(locus.arange(6):view(2, 3):select(2, 2), " 1  4", "[float64 tensor of size 2]")
    prints(locus.tensor { 7 }:expand(3), " 7  7  7", "[float64 tensor of size 3]")
  end)

  it("shows the edges alone above 1000 elements", function()
    prints(locus.arange(1001), "    0     1     2   ...   998   999  1000",
      "[float64 tensor of size 1001]")
    assert.is_nil(tostring(locus.arange(1000)):find("...", 1, true))
    prints(locus.zeros(2, 501), "   0    0    0  ...    0    0    0",
      "   0    0    0  ...    0    0    0",
      "[float64 tensor of size 2x501]")
    prints(locus.zeros(501, 2), " 0  0", " 0  0", " 0  0", " ...", " 0  0", " 0  0", " 0  0",
      "[float64 tensor of size 501x2]")
    prints(locus.arange(1001):view(1001, 1, 1), "(1,.,.) =", "    0", "", "(2,.,.) =", "    1", "",
      "(3,.,.) =", "    2", "", "...", "", "(999,.,.) =", "  998", "", "(1000,.,.) =", "  999", "",
      "(1001,.,.) =", " 1000", "[float64 tensor of size 1001x1x1]")
  end)

  it("prints few of ten million elements, of 10^14, and of many small dimensions", function()
    local long, deep = locus.ones(1e7), locus.ones { 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2 }
    local spread = locus.tensor(1):expand(1e5, 1e5, 1e4)
    local vast = locus.tensor(true):expand(2 ^ 31 - 1, 2 ^ 31 - 1)
    local texts = { tostring(long), tostring(deep), tostring(spread), tostring(vast) }
    assert.equal(lines("   1    1    1  ...    1    1    1", "[float64 tensor of size 10000000]"),
      support.nowhere(texts[1]))
    assert.truthy(texts[2]:find("(2,2,2,2,2,2,2,2,2,2,2,2,2,.,.) =\n 1  1\n 1  1\n[", 1, true))
    assert.is_true(#texts[3] < 3000)
    assert.truthy(texts[4]:find(" true  true  true   ...  true  true  true\n[bool", 1, true))
    local longest = tostring(locus.tensor(true):expand(2 ^ 62))
    assert.truthy(longest:find(" true  true  true   ...  true  true  true\n[bool", 1, true))
  end)

  it("does nothing to the tensor", function()
    local x = locus.arange(3)
    local text = tostring(x)
    assert.equal(text, tostring(x))
    support.same(x, { 3 }, { 0, 1, 2 })
  end)
end)

describe("size tables", function()
  it("print as 2x3 and compare with ==", function()
    assert.equal("2x3", tostring(locus.zeros(2, 3):size()))
    assert.equal("0-d", tostring(locus.tensor(1).shape))
    assert.is_true(locus.zeros(2, 3).shape == locus.ones(2, 3):size())
    assert.is_false(locus.zeros(2, 3).shape == locus.zeros(3, 2).shape)
    assert.is_false(locus.zeros(2).shape == locus.zeros(2, 1).shape)
  end)
end)

describe("set_printoptions", function()
  it("is not needed: up to a thousand elements are printed in full", function()
    assert.equal("false\ttrue\n", support.run([[
      local locus = require "locus"
      local function cut(n) return tostring(locus.zeros(n)):find("...", 1, true) ~= nil end
      print(cut(1000), cut(1001))]]))
  end)

  it("sets threshold, edgeitems and precision", function()
    with({ threshold = 4, edgeitems = 1 }, function()
      prints(locus.arange(5), "   0  ...    4", "[float64 tensor of size 5]")
      prints(locus.arange(4), " 0  1  2  3", "[float64 tensor of size 4]")
    end)
    with({ precision = 1 }, function()
      prints(locus.tensor { 0.24, 1.5 }, " 0.2  1.5", "[float64 tensor of size 2]")
      prints(locus.tensor { 0.05 }, " 5.0e-02", "[float64 tensor of size 1]")
    end)
    with({ threshold = math.huge, linewidth = math.huge }, function()
      assert.equal(2, select(2, tostring(locus.zeros(2000)):gsub("[^\n]+", "")))
      assert.is_nil(tostring(locus.zeros(2000)):find("...", 1, true))
    end)
  end)

  it("decides about exponents with sci_mode, which every call sets anew", function()
    with({ sci_mode = true, precision = 2 }, function()
      prints(locus.tensor { 1, 2 }, " 1.00e+00  2.00e+00", "[float64 tensor of size 2]")
      prints(locus.tensor({ 1, 2 }, { dtype = "int32" }), " 1  2", "[int32 tensor of size 2]")
      prints(locus.tensor { true }, " true", "[bool tensor of size 1]")
      prints(locus.tensor { nan, 1 / 0, 0 }, "      nan       inf  0.00e+00",
        "[float64 tensor of size 3]")
    end)
    with({ sci_mode = false }, function()
      prints(locus.tensor { 0.00001, 1e9 }, "          0.0000  1000000000.0000",
        "[float64 tensor of size 2]")
      prints(locus.tensor { 2 ^ 60 }, " 1152921504606846976.0000", "[float64 tensor of size 1]")
      locus.set_printoptions { edgeitems = 3 }
      prints(locus.tensor { 1e9, 0.5 }, " 1.0000e+09  5.0000e-01", "[float64 tensor of size 2]")
    end)
  end)

  it("has PyTorch's profiles, and what is given beside them holds", function()
    with({ profile = "short", linewidth = 80 }, function()
      prints(locus.tensor { 0.126 }, " 0.13", "[float64 tensor of size 1]")
      prints(locus.arange(1001), "    0     1   ...   999  1000", "[float64 tensor of size 1001]")
    end)
    with({ profile = "full", linewidth = 80 }, function()
      assert.is_nil(tostring(locus.arange(1001)):find("...", 1, true))
      prints(locus.tensor { 0.126 }, " 0.1260", "[float64 tensor of size 1]")
    end)
    with({ profile = "short", precision = 6, linewidth = 30 }, function()
      prints(locus.tensor { 0.126 }, " 0.126000", "[float64 tensor of size 1]")
      prints(locus.arange(1001), "    0     1   ...   999  1000", "[float64 tensor of size 1001]")
      prints(locus.arange(12), "  0   1   2   3   4   5   6", "  7   8   9  10  11",
        "[float64 tensor of size 12]")
    end)
    with({ precision = 1, threshold = 2, edgeitems = 1, linewidth = 9 }, function()
      locus.set_printoptions { profile = "default" }
      local now = locus.get_printoptions()
      assert.same({ 4, 1000, 3 }, { now.precision, now.threshold, now.edgeitems })
      assert.is_true(now.linewidth > 9)
    end)
  end)

  it("takes its arguments by position, in PyTorch's order", function()
    with({}, function()
      locus.set_printoptions(2, 5, 1, 40, nil, true)
      assert.same({ precision = 2, threshold = 5, edgeitems = 1, linewidth = 40, sci_mode = true },
        locus.get_printoptions())
      locus.set_printoptions(4, 1000, 3, 80, "short")
      assert.same({ precision = 4, threshold = 1000, edgeitems = 3, linewidth = 80 },
        locus.get_printoptions())
    end)
  end)

  it("gives back with get_printoptions what sets it again", function()
    with({ precision = 3, threshold = 7, edgeitems = 2, linewidth = 50, sci_mode = false },
      function()
        local kept = locus.get_printoptions()
        locus.set_printoptions { profile = "full", linewidth = 10 }
        locus.set_printoptions(kept)
        assert.same({ precision = 3, threshold = 7, edgeitems = 2, linewidth = 50,
          sci_mode = false }, locus.get_printoptions())
      end)
    assert.equal("get_printoptions: takes at most 0 arguments by position, got 1",
      message(locus.get_printoptions, 5))
  end)

  it("refuses unknown names and wrong values, and changes nothing then", function()
    local function refused(options)
      return message(locus.set_printoptions, options)
    end
    assert.equal("set_printoptions: there is no argument 'treshold'; did you mean 'threshold'?",
      refused { treshold = 5, precision = 1 })
    assert.equal("set_printoptions: 'edgeitems' must be a whole number in 1..1000, "
      .. "got the number 0", refused { edgeitems = 0 })
    assert.equal("set_printoptions: 'precision' must be a whole number in 0..17, "
      .. "got the number 1.5", refused { precision = 1.5 })
    assert.equal("set_printoptions: 'threshold' must be a whole number in 0..inf, "
      .. "got the number nan", refused { threshold = locus.nan, precision = 1 })
    assert.equal("set_printoptions: 'threshold' must be a number, got the string \"5\"",
      refused { threshold = "5" })
    assert.equal("set_printoptions: 'profile' must be \"default\", \"short\" or \"full\", "
      .. "got \"long\"", refused { profile = "long", precision = 1 })
    assert.equal("set_printoptions: 'sci_mode' must be true or false, got the number 1",
      refused { sci_mode = 1, precision = 1 })
    prints(locus.tensor { 0.5 }, " 0.5000", "[float64 tensor of size 1]")
  end)
end)
