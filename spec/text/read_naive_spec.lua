-- SPDX-License-Identifier: MIT
-- read_csv and chunks of random text, in pieces of all sizes, against a reader that is written as
-- plainly as the rules are: fields, lines that are left out, their numbers, text and reasons.
local locus = require "locus"
local pieces = require("spec.support.text").pieces

local NAMES = {"a", "b", "c"}

-- The fields of the record at `at`, where the next one begins, and how many lines it takes; where
-- it is bad nil, the next one, the lines and what is told of it.
local function record(text, at)
  local fields, from, lines = {}, at, 1
  while true do
    local field, stop = {}
    local quoted = text:sub(from, from) == '"'
    if quoted then
      local open = from + 1
      repeat
        stop = text:find('"', open, true)
        if not stop then
          local feed = text:find("\n", from)
          return nil, feed + 1, lines, {lines - 1, text:sub(from, feed - 1),
            "has a quote that never closes"}
        end
        field[#field + 1] = text:sub(open, stop - 1)
        open = stop + 2
      until text:sub(stop + 1, stop + 1) ~= '"'
      stop = stop + 1
      lines = lines + select(2, text:sub(from, stop - 1):gsub("\n", ""))
    else
      stop = text:find("[,\r\n]", from)
      field[1] = text:sub(from, stop - 1)
    end
    local behind = text:match("^\r\n()", stop) or text:match("^[,\n]()", stop)
    if not behind then
      local feed = text:find("\n", stop)
      return nil, feed + 1, lines, {0, text:sub(from, feed - 1), quoted
        and "has text behind the closing quote"
        or "has a carriage return (CR) without a line feed"}
    end
    fields[#fields + 1] = table.concat(field, '"')
    if text:sub(behind - 1, behind - 1) == "\n" then return fields, behind, lines end
    from = behind
  end
end

-- Rows and bad lines, each as a string.
local function naive(text, count)
  local rows, bad, at, line = {}, {}, 1, 1
  if text ~= "" and text:sub(-1) ~= "\n" then text = text .. "\n" end
  while at <= #text do
    local feed = text:find("\n", at)
    if text:sub(at, at) == "#" or count > 1 and text:find("^\r?\n", at) then
      at, line = feed + 1, line + 1
    else
      local fields, behind, lines, wrong = record(text, at)
      if not fields then
        bad[#bad + 1] = ("%d|%s|%s"):format(line + wrong[1], wrong[2], wrong[3])
      elseif #fields ~= count then
        bad[#bad + 1] = ("%d|%s|has %d field%s and not %d"):format(line,
          text:sub(at, behind - 2):gsub("\r$", ""), #fields, #fields == 1 and "" or "s", count)
      else
        rows[#rows + 1] = table.concat(fields, "|")
      end
      at, line = behind, line + lines
    end
  end
  return table.concat(rows, "\n"), table.concat(bad, "\n")
end

-- The same of frames.
local function shown(frames)
  local rows, bad = {}, {}
  for _, f in ipairs(frames) do
    for _, row in f:iter() do
      local fields = {}
      for i, name in ipairs(f:columns()) do fields[i] = row[name] end
      rows[#rows + 1] = table.concat(fields, "|")
    end
    for _, row in f.bad:iter() do
      bad[#bad + 1] = ("%d|%s|%s"):format(tonumber(row.line), row.text, row.reason)
    end
  end
  return table.concat(rows, "\n"), table.concat(bad, "\n")
end

local PARTS = {"1", "x", ",", ",", ",", '"', '""', '"y\nz"', '"q""r"', "\n", "\n", "\n", "\r\n",
               "\r", " ", "\n#,", "1,2\n", "1,2,3\n", "é", "\0"}

local function random_text()
  local parts = {}
  for i = 1, math.random(0, 30) do parts[i] = PARTS[math.random(#PARTS)] end
  return table.concat(parts)
end

describe("random text #once", function()
  it("is read as the rules say, in whatever pieces it comes", function()
    for _ = 1, 600 do
      local text, count = random_text(), math.random(3)
      local header, types = {}, {}
      for i = 1, count do header[i], types[NAMES[i]] = NAMES[i], "string" end
      local options = {header = header, types = types, comment = "#", bad = 1000}
      local rows, bad = naive(text, count)
      local function check(frames, how)
        local read, rejected = shown(frames)
        assert.equal(rows, read, ("%q %s"):format(text, how))
        assert.equal(bad, rejected, ("%q %s"):format(text, how))
      end
      check({locus.read_csv({text = text}, options)}, "at once")
      for _, size in ipairs {1, 2, math.random(3, 20)} do
        check({locus.read_csv(pieces(text, size), options)}, "in pieces of " .. size)
      end
      options.rows = math.random(3)
      local frames = {}
      for part in locus.chunks({text = text}, options) do frames[#frames + 1] = part end
      check(frames, "in chunks of " .. options.rows)
      local guessed = locus.read_csv({text = text}, {header = header, comment = "#", bad = 1000})
      assert.equal(bad, select(2, shown({guessed})))
    end
  end)
end)
