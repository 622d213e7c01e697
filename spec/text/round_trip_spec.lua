-- SPDX-License-Identifier: MIT
-- Frames that write_csv writes, read_csv reads back the same.
local arrays = require "spec.support.data.arrays"
local frames = require "spec.support.data.frames"
local files = require "spec.support.text"
local locus = require "locus"
local support = require "spec.support"

local pick, random = arrays.pick, math.random

local function int64(list)
  local texts = {}
  for i, text in ipairs(list) do texts[i] = support.integer(text) end
  return locus.tensor(texts, {dtype = "int64"})
end

describe("what write_csv writes, read_csv reads", function()
  local function check(f, options)
    local read = {types = f:types()}
    for k, v in pairs(options or {}) do
      if k ~= "newline" then read[k] = v end -- which is known when it is seen
    end
    local g = locus.read_csv({text = f:write_csv(options)}, read)
    assert.same(f:columns(), g:columns())
    assert.same(f:types(), g:types())
    for _, name in ipairs(f:columns()) do
      local a, b = f:column(name), g:column(name)
      local expected, got = a:totable(), b:totable()
      for i = 1, #f do
        assert.equal(support.show(expected[i]), support.show(got[i]), name .. " " .. i)
      end
      assert.equal(#f, #g)
    end
  end

  local every = {}
  for byte = 0, 255 do every[#every + 1] = string.char(byte) .. "x" .. string.char(byte) end

  it("strings of every byte", function()
    check(locus.frame{{"s", locus.strings(every)}, {"n", locus.arange(0, 256):long()}})
    check(locus.frame{{"s", locus.strings(every)}})
    check(locus.frame{{"s", locus.strings{"", "a", "", '""', "\r\n", "\n", ""}}})
    check(locus.frame{{"s", locus.strings(every)}}, {separator = "x", quote = "'"})
  end)

  it("names that need quotes", function()
    check(locus.frame{{"a,b", locus.tensor{1}}, {'"', locus.tensor{2}}, {" ", locus.tensor{3}},
      {"two\nlines", locus.tensor{4}}})
    check(locus.frame{{"\239\187\191", locus.tensor{1}}})
  end)

  it("all that is no string", function()
    local columns = {{"ok", locus.tensor{true, false, true, false}}}
    for _, dtype in ipairs(support.integers) do
      local low, high = unpack(support.range[dtype])
      columns[#columns + 1] = {dtype, locus.tensor({low, 0, 1, high}, {dtype = dtype})}
    end
    for _, dtype in ipairs(support.floats) do
      columns[#columns + 1] = {dtype, locus.tensor({0 / 0, -0.0, 1 / 3, -1 / 0}, {dtype = dtype})}
    end
    for _, unit in ipairs{"s", "ms", "us", "ns"} do
      columns[#columns + 1] = {unit, int64{"-1", "0", "1795305600123456789", "9223372036854775807"},
        {"time", unit = unit}}
    end
    columns[#columns + 1] = {"day", int64{"-1", "0", "20779", "2932897"}, "date"}
    columns[#columns + 1] = {"ip", int64{"0", "1", "3232235521", "4294967295"}, "ipv4"}
    check(locus.frame(columns))
    check(locus.frame(columns), {separator = ";", decimal = ",", newline = "\r\n"})
  end)

  it("one column of NaN, and no rows", function()
    check(locus.frame{{"x", locus.tensor{0 / 0, 1, 0 / 0}}})
    check(locus.frame{{"x", locus.zeros(0)}, {"s", locus.strings{}}})
  end)
end)

-- The text that write_csv wrote with those options, read in every form that can be read.
local function ways(f, options, types)
  local text = f:write_csv(options)
  local read = {types = types}
  for k, v in pairs(options) do
    if k ~= "newline" then read[k] = v end
  end
  local function whole(source) return locus.read_csv(source, read) end
  local function with_file(use)
    return files.with_file("", function(path)
      f:write_csv(path, options)
      return use(path)
    end)
  end
  return {
    text = function() return whole({text = text}) end,
    file = function() return with_file(whole) end,
    handle = function()
      return with_file(function(path)
        local file = io.open(path, "rb")
        local g = whole(file)
        file:close()
        return g
      end)
    end,
    gzip = function()
      return with_file(function(path)
        os.execute("gzip -1 " .. path)
        local ok, g = pcall(whole, path .. ".gz")
        os.remove(path .. ".gz")
        return ok and g or error(g, 0)
      end)
    end,
    pieces = function() return whole(frames.pieces(text, random(1, 2 * #text / 3 + 1))) end,
    bytes = function() return whole(frames.pieces(text:sub(1, 20000), 1)) end,
    chunks = function()
      local parts = {}
      read.rows = random(1, #f + 1)
      for part in locus.chunks({text = text}, read) do parts[#parts + 1] = part end
      read.rows = nil
      return parts[1] and locus.cat(parts) or f
    end,
  }
end

describe("random frames", function()
  local OPTIONS = {{}, {newline = "\r\n"}, {separator = ";", decimal = ","}, {separator = "\t"},
                   {quote = "'"}, {separator = " ", quote = "|"}}

  -- Reads it in all ways but those that take long.
  local function check(f, options, but)
    local types = f:types()
    for way, read in pairs(ways(f, options, types)) do
      if not but[way] then
        local wrong = frames.difference(f, read())
        if wrong then
          error(("%s, %s: %s"):format(way, next(options) or "as usual", wrong))
        end
      end
    end
  end

  it("of a few rows come back, in every way and form", function()
    math.randomseed(13)
    for i = 1, 60 do
      local f = frames.random(pick{0, 1, 1, 2, 5, 12}, random(1, 8))
      check(f, pick(OPTIONS), i > 15 and {file = true, handle = true, gzip = true} or {})
    end
  end)

  it("of many rows come back", function()
    math.randomseed(14)
    for _, columns in ipairs{1, 12} do
      check(frames.random(2500, columns), pick(OPTIONS), {bytes = true})
    end
  end)
end)
