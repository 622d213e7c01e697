-- SPDX-License-Identifier: MIT
-- Writes inputs to begin with, one folder for each target: luajit fuzz/seeds.lua FOLDER
local folder = arg[1]
local counts = {}

local function write(target, bytes)
  counts[target] = (counts[target] or 0) + 1
  local file = assert(io.open(("%s/%s/seed-%03d"):format(folder, target, counts[target]), "wb"))
  file:write(bytes)
  file:close()
end

-- -- read -----------------------------------------------------------------------------------------

-- The first bytes of an input, as fuzz/plan.c takes them apart.
local at = {flags = 0, separator = 1, quote = 2, comment = 3, missing = 4, limit = 5, skip = 6,
            count = 7, types = 8, form = 14, pieces = 15, failing = 16, most = 17, literals = 18}

local function head(choices)
  local bytes = {}
  for i = 0, 23 do bytes[i] = 0 end
  for name, value in pairs(choices) do
    local list = type(value) == "table" and value or {value}
    for i, byte in ipairs(list) do bytes[at[name] + i - 1] = byte end
  end
  return string.char(unpack(bytes, 0, 23))
end

local function commas(text) return select(2, text:match("[^\n]*"):gsub(",", "")) end

-- The table of docs/hostile.md, in every form that text may come.
local row = 0
for line in io.lines("docs/hostile.md") do
  local text = line:match("^| [^`|]- | `([^|]-)` | `[^|]-` |")
  text = text and assert(loadstring("return " .. text))()
  if text and #text < 4000 then
    row = row + 1
    for form = 0, 3 do
      local count = commas(text)
      write("read", head {flags = 2 + 8 * (row % 2), count = count, form = form, pieces = row,
                          failing = form * row % 7, most = form == 2 and row % 5 or 0} .. text)
      write("read", head {count = count, types = {1, form * 2, row % 23, row % 11, 3, 2},
                          form = form, limit = row % 8, comment = row % 4, missing = row % 4,
                          separator = row % 3, failing = row % 5} .. text)
    end
  end
end

local values = "1,2.5,x,2026-11-22T08:30:59Z,2026-11-22,192.168.0.1\n"
local log = '10.0.0.1 - ann [22/Nov/2026:08:30:59 +0000] "GET /a?b HTTP/1.1" 200 "\\x41\\"b"\n'
for form = 0, 3 do
  write("read", head {count = 5, types = {2, 3, 1, 4, 5, 6}, form = form, most = form}
    .. values:rep(9))
  write("read", head {flags = 1, count = 4, types = {6, 1, 4, 8, 9}, form = form,
                      literals = {0, 0, 3, 1, 7}} .. log:rep(3))
end

-- Guesses of times: dates, then times; without and with offsets; in nanoseconds; and none.
local guessed = {"2026-11-22", "2026-11-22 08:30", "1969-12-31T23:59:59.5", "2026-11-22T08:30Z",
                 "22/Nov/2026:08:30:59 +0100", "1970-01-01T00:00:00.000000001", "2300-01-01", "",
                 "7"}
for first, a in ipairs(guessed) do
  for second, b in ipairs(guessed) do
    write("read", head {count = 1, form = first % 4, pieces = second, failing = second % 5}
      .. (a .. ",1\n"):rep(2 + 20 * (first % 2)) .. (b .. ",x\n"):rep(2))
  end
end

-- Blanks about fields and between them, and quotes that a backslash escapes, in each combination.
local loose = ' a, "x, y" ,\t"p\\"q\\\\", c\n  \n1 2\t"3 ""4" \t5 \r\n'
  .. '"C:\\x" ,-1.5D+03,1/2/2000 9:5:60\n'
for how = 1, 7 do
  for form = 0, 3 do
    write("read", head {flags = 32 * how + (form % 2) * 2, count = 3, types = {1, 0, 1, 15},
                        form = form, limit = (how + form) % 8} .. loose:rep(2))
  end
end

for form = 0, 3 do -- a separator at the end of each line, or of most
  write("read", head {count = 2, types = {0, 1, 23}, form = form}
    .. "1,x,\n2,,\r\n3,y\n4,z,w\n5,v,\n")
end

-- -- The others -----------------------------------------------------------------------------------

local numbers = {"1.5", "-0", "9223372036854775807", "-9223372036854775808", "1e400", "2,5e-3",
                 "4.9406564584124654e-324", "0.1000000000000000055511151231257827", "nan",
                 "-Infinity", "65519.99999999", "123456789012345678901234567890.5", "1e22"}
for _, text in ipairs(numbers) do
  for what = 4, 28, 8 do write("numbers", string.char(what) .. text) end
  write("numbers", "\0" .. text)
  write("numbers", "\5" .. text)
end
for _, what in ipairs {1, 2, 3, 9, 17, 25} do
  write("numbers", string.char(what) .. "\21\0\0\0\0\0\240\63")
  write("numbers", string.char(what) .. "12345678")
end

local times = {"2026-11-22", "2026-11-22T08:30:59Z", "2026-11-22 08:30:59,25 +0100",
               "22/Nov/2026:08:30:59 +01:00", "2026-11-22T08:30|2026-11-22T08:30:59Z",
               "192.168.0.1", "+12345-01-01", "2026-11-22T08:30:59", "2016-12-31T23:59:60 UTC"}
for _, text in ipairs(times) do
  for what = 4, 30, 2 do write("times", string.char(what) .. text) end
  write("times", "\5" .. text)
end
local patterns = {"%Y-%m-%dT%H:%M:%S.%f%z", "%d %b %y %I:%M %p", "%s.%f", "%j %Y", "%D %T", "%F %%",
                  "%A %e %B %Y %k:%M:%S", "%a %b %e %l %p %y"}
local samples = {"22 Nov 26 08:30 PM", "Sunday 22 November 2026 8:5:60", "sun nov  2 9 pm 25"}
for i, pattern in ipairs(patterns) do
  for k, sample in ipairs(samples) do
    local what = string.char(8 * ((i + k) % 4))
    write("times", what .. "12345678" .. string.char(8 * i) .. pattern .. "\n" .. sample)
  end
end
write("times", "\0031234567\0\8")

write("dictionary", "\3\12\1a\2bc\3def\14\8\6\40\0\25\42\3\1\1\2")
write("dictionary", "\6\200\0\22\200\100\12\28\9\25\10\9\1\2\3\4\5\6\7\8\9\13\12")

-- -- strings --------------------------------------------------------------------------------------

-- No failing allocation; offsets of 4 and 8 bytes, and views; how many strings; then their places.
for how = 0, 7 do
  local present = how >= 4 and "\1\0\1" or ""
  local places = how % 4 < 2 and "\0\3\2\4" or ("\5abcdabcdabcd"):rep(2) .. "\20\1\1\2"
  write("strings", string.char(0, how, 3) .. present .. places .. ("hello w\195\182rld, "):rep(9))
end

-- -- json -----------------------------------------------------------------------------------------

local cases = dofile "spec/support/data/json_cases.lua"

-- The form of the text, the seed of its pieces, failing allocations, rows of a chunk, the limit and
-- the types; then a text, or a value in the places that columns ask for.
for _, list in ipairs {cases.right, cases.wrong} do
  for i, text in ipairs(list.texts) do
    write("json", string.char(i % 4, i, i % 5, i % 3, 0, 0) .. text)
  end
  for i, value in ipairs(list.values) do
    local line = ('{"a":%s,"o":{"x":%s},"l":[0,%s]}\n'):gsub("%%s", function() return value end)
    if #line < 1900 then
      write("json", string.char(i % 4, i, i % 7, i % 3, i % 8, i % 3 > 0 and 0 or i % 256) .. line)
    end
  end
end
for _, list in ipairs {cases.open.accepted, cases.open.refused} do
  for i, value in ipairs(list) do
    if #value < 1900 then
      write("json", string.char(i % 4, i, 0, 0, 0, 0) .. '[{"a":' .. value .. "}]")
    end
  end
end
