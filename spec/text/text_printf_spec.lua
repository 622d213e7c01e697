-- SPDX-License-Identifier: MIT
-- core.internal.format and spell: the text of numbers, whatever LuaJIT and the locale, beside the
-- C library's printf, whose digits glibc and musl round from the exact value, halves to even.
local core = require "locus.core"
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

pcall(ffi.cdef, "int snprintf(char *, size_t, const char *, ...);")
local format, spell = core.internal.format, core.internal.spell
local inf, nan = math.huge, support.nan
local random = math.random
local MOST = 600
local buffer = ffi.new("char[?]", MOST)

local function printed(directive, x)
  return ffi.string(buffer, ffi.C.snprintf(buffer, MOST, directive, ffi.cast("double", x)))
end

local both = ffi.new("union { uint32_t word[2]; double number; }")
local function of_words(high, low)
  both.word[0], both.word[1] = low, high
  return both.number
end

local function random_word() return random(0, 2 ^ 32 - 1) end

-- Random doubles, each a kind of its own: finite bits; subnormals; numbers that people write; exact
-- halves of a decimal place, with its neighbours; whole numbers.
local kinds = {
  function()
    local high
    repeat high = random_word() until high % 2 ^ 31 < 0x7ff00000
    return of_words(high, random_word())
  end,
  function() return of_words(random(0, 2 ^ random(0, 20) - 1), random_word()) end,
  function() return random(-1e6, 1e6) / 10 ^ random(0, 8) end,
  function()
    local places = random(0, 24)
    local whole = random(0, 2 ^ random(0, 28)) * 2 ^ places
    return (whole + 2 * random(0, 2 ^ places - 1) + 1) / 2 ^ (places + 1)
  end,
  function()
    local half = (2 * random(0, 10 ^ random(1, 7)) + 1) / 2 ^ random(1, 12)
    local step = random(-1, 1)
    both.number = half
    local low = both.word[0] + step
    if low >= 0 and low < 2 ^ 32 then both.word[0] = low end
    return both.number
  end,
  function() return math.floor(random() * 2 ^ random(0, 100)) * 10 ^ random(0, 20) end,
}

local DIRECTIVES = {"%.0f", "%.1f", "%.2f", "%.4f", "%.9f", "%.17f", "%.20f", "%.21f", "%.40f",
                    "%.99f", "%.0e", "%.1e", "%.4e", "%.9e", "%.16e", "%.17e", "%.30e", "%.99e",
                    "%.0g", "%.1g", "%.3g", "%.6g", "%.15g", "%.17g", "%.40g", "%f", "%e", "%g",
                    "%9.2f", "%-9.1e|", "%30.3g"}

local function compare(directive, x)
  local expected, got = printed(directive, x), format(directive, x)
  if got ~= expected then
    error(("%s of %s is %s, got %s"):format(directive, printed("%.17g", x), expected, got))
  end
end

describe("a number by a format #host #once", function()
  it("is what printf prints, each of many", function()
    math.randomseed(39)
    for _ = 1, support.hasty and 40000 or 350000 do
      for _, kind in ipairs(kinds) do compare(DIRECTIVES[random(#DIRECTIVES)], kind()) end
    end
  end)

  it("is so at every exponent", function()
    math.randomseed(40)
    for exponent = -1074, 1023 do
      for _, x in ipairs {2 ^ exponent, -(2 - 2 ^ -52) * 2 ^ exponent, 2 ^ exponent * random()} do
        for _, directive in ipairs(DIRECTIVES) do compare(directive, x) end
      end
    end
    for power = -323, 308 do
      local x = tonumber("1e" .. power)
      both.number = x
      both.word[0] = both.word[0] - 1
      for _, directive in ipairs(DIRECTIVES) do
        compare(directive, x)
        compare(directive, both.number)
      end
    end
  end)

  it("rounds halves to the even digit", function()
    for _, case in ipairs {
      {"%.4f", 0.03125, "0.0312"}, {"%.4f", 0.09375, "0.0938"}, {"%.0f", 0.5, "0"},
      {"%.0f", 1.5, "2"}, {"%.0f", 2.5, "2"}, {"%.1f", 0.25, "0.2"}, {"%.1f", 0.35, "0.3"},
      {"%.0e", 9.7, "1e+01"}, {"%.0e", 2.5, "2e+00"}, {"%.1e", 1.25, "1.2e+00"},
      {"%.0f", 9.5, "10"}, {"%.0f", 2 ^ 70, "1180591620717411303424"}, {"%.4f", 1e-200, "0.0000"},
      {"%.3g", 0.00012345, "0.000123"}, {"%.2g", 99.6, "1e+02"}, {"%.30f", 2 ^ -31,
       "0.000000000465661287307739257812"}, {"%.21f", 0, "0.000000000000000000000"},
    } do assert.equal(case[3], format(case[1], case[2]), case[1]) end
  end)

  it("has words for what is not finite, and the sign of -0", function()
    for _, letter in ipairs {".3f", ".3e", ".3g"} do
      assert.same({"nan", "inf", "-inf"}, {format("%" .. letter, nan), format("%" .. letter, inf),
                                          format("%" .. letter, -inf)})
    end
    assert.equal("-0.0 -0e+00 -0 -0", format("%.1f %.0e %g %s", -0.0, -0.0, -0.0, -0.0))
  end)

  it("stands in a text with others", function()
    assert.equal("100 % of 'x', [1, true, nil]", format("%d %% of '%s', [%s, %s, %s]", 100, "x", 1,
      true, nil))
    assert.equal('5 ff 007 "a\\"b" [5    ]', format("%s %x %03d %q [%-5s]", 5, 255, 7, 'a"b', "5"))
    assert.equal(tostring(locus.tensor{1}), format("%s", locus.tensor{1}))
    assert.equal("2x3", format("%s", locus.zeros(2, 3):size()))
    assert.equal("9223372036854775807 -5", format("%d %s", support.integer("9223372036854775807"),
      support.integer("-5")))
    assert.equal("1+2i 0.1-infi", format("%s %s", ffi.new("complex", 1, 2),
      ffi.new("complex", 0.1, -inf)))
    assert.equal("", format(""))
    assert.equal("0.25 3e+00", format("%.*f %.*e", 2, 0.25, -0.0, 3))
    assert.equal("%", format("%%"))
  end)
end)

describe("a number in a message #host #once", function()
  it("has as many digits as tell it from its neighbours", function()
    for text, x in pairs {
      ["1.0000000000000002"] = 1 + 2 ^ -52, ["0.3"] = 0.3, ["0.30000000000000004"] = 0.1 + 0.2,
      ["9007199254740993"] = support.integer("9007199254740993"), ["1e+300"] = 1e300,
      ["1000000000000000000"] = 1e18, ["1e-05"] = 1e-5, ["0.0001"] = 1e-4, ["5e-324"] = 2 ^ -1074,
      ["nan"] = nan, ["inf"] = inf, ["-inf"] = -inf, ["-0"] = -0.0, ["0"] = 0, ["-7"] = -7,
      ["123456789.125"] = 123456789.125,
    } do
      assert.equal(text, spell(x))
      assert.equal("<" .. text .. ">", format("<%s>", x))
    end
    math.randomseed(41)
    for _ = 1, 20000 do
      local x = kinds[1]()
      assert(tonumber(spell(x)) == x, spell(x))
    end
  end)

  it("has those of its dtype, or of a double where that holds more", function()
    local x = locus.tensor({0.1, 1 + 2 ^ -23}, {dtype = "float32"})
    assert.same({"0.1", "1.0000001"}, {spell(x[1], "float32"), spell(x[2], "float32")})
    assert.equal("0.10000000149011612", spell(x[1]))
    assert.equal("0.1", spell(0.1, "float32"))
    assert.equal("1.001", spell(locus.tensor({1.001}, {dtype = "float16"})[1], "float16"))
    assert.equal("0.30000000000000004", spell(0.1 + 0.2, "float32"))
  end)

  it("is refused where it is none", function()
    assert.matches("a number", support.message(spell, "x"))
  end)
end)

describe("Lua's string.format #host #once", function()
  local calls = require("spec.ops").calls
  local FLOAT = "%%[-+ #0]*%d*%.?[%d*]*[aAeEfgG]"
  local PRECISE = "%%[-+ #0]*%d*%.[%d*]*[aAeEfFgG]"

  -- The part of a format that looks different from one LuaJIT to the next; nil for none.
  local function differs(pattern, ...)
    local asked = pattern:gsub("%%%%", "")
    if asked:find(FLOAT) then return asked end
    for i = 1, select("#", ...) do
      local x = select(i, ...)
      if type(x) == "number" and not (x % 1 == 0 and math.abs(x) < 1e14) then return asked end
    end
  end

  it("writes no float in any call, nor does the text of what that answers", function()
    local own, found = string.format, {}
    rawset(string, "format", function(pattern, ...)
      local asked = differs(pattern, ...)
      if asked then found[#found + 1] = asked .. debug.traceback() end
      return own(pattern, ...)
    end)
    for _, entry in ipairs(calls) do
      local ok, answer = pcall(entry.call, locus, entry.make(locus))
      if ok then tostring(answer) end
    end
    rawset(string, "format", own)
    assert.same({}, found)
  end)

  it("is not printf either, whose point is the locale's", function()
    local files, found = io.popen("find src mpi -name '*.[ch]' -o -name '*.inc'"), {}
    for path in files:lines() do
      local file = assert(io.open(path))
      local text = file:read("*a"):gsub("/%*.-%*/", ""):gsub("%%%%", "")
      file:close()
      for asked in text:gmatch(PRECISE) do
        found[#found + 1] = path .. ": " .. asked
      end
    end
    files:close()
    table.sort(found) -- the sentence that names what write_csv takes
    assert.same({"src/text/write/output.c: %.0f", "src/text/write/output.c: %.20f"}, found)
  end)

  it("is given no float by any file", function()
    local files, found = io.popen("find lua -name '*.lua'"), {}
    local count = 0
    for path in files:lines() do
      local file = assert(io.open(path))
      local text = file:read("*a"):gsub("%-%-[^\n]*", ""):gsub("%%%%", "")
      file:close()
      count = count + 1
      for asked in text:gmatch("(%b()):format%f[%W]") do
        if asked:find(FLOAT) then found[#found + 1] = path .. ": " .. asked end
      end
      -- of a pattern that goes by a name: none of the file's other texts asks for floats
      local rest = text:gsub("internal%.format%b()", ""):gsub("f%a+%b()", function(call)
        return (call:find("^format") or call:find("^fail")) and "" or nil
      end):gsub("raise%b()", "")
      if text:find("string%.format") or rest:find("[%w_]:format%(") and (rest:find(PRECISE)
        or rest:find("%%[eEgG]%f[%W]")) then
        found[#found + 1] = path
      end
    end
    files:close()
    assert.is_true(count > 100)
    assert.same({}, found)
  end)
end)
