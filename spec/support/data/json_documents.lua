-- SPDX-License-Identifier: MIT
-- Random objects of JSON as text, with all that the grammar allows: white space, escapes of
-- characters that need none, surrogates, numbers in every form, keys that come twice, arrays and
-- objects in each other.
local json = require "spec.support.models.json"
local random = math.random

local documents = {}

local function pick(list) return list[random(#list)] end

local BLANKS = {"", "", "", "", " ", "  ", "\t", "\r", " \t "}
local function blank() return pick(BLANKS) end

-- A code point of any plane, and no surrogate.
local function code_point()
  local most = pick {0x7f, 0x7f, 0x7f, 0x7ff, 0xffff, 0x10ffff}
  local code = random(0, most)
  return code >= 0xd800 and code < 0xe000 and 0xfffd or code
end

local function hex(code)
  return (pick {"\\u%04x", "\\u%04X"}):format(code)
end

local NAMED = {[0x22] = '\\"', [0x5c] = "\\\\", [0x2f] = "\\/", [8] = "\\b", [12] = "\\f",
               [10] = "\\n", [13] = "\\r", [9] = "\\t"}

local function escaped(code)
  if NAMED[code] and random(2) == 1 then return NAMED[code] end
  if code < 0x10000 then return hex(code) end
  code = code - 0x10000
  return hex(0xd800 + math.floor(code / 0x400)) .. hex(0xdc00 + code % 0x400)
end

function documents.string(length)
  local parts = {}
  for i = 1, length do
    local code = code_point()
    local must = code < 0x20 or code == 0x22 or code == 0x5c
    parts[i] = (must or random(8) == 1) and escaped(code) or json.utf8(code)
  end
  return '"' .. table.concat(parts) .. '"'
end

local function digits(count)
  local list = {}
  for i = 1, count do list[i] = random(0, 9) end
  return table.concat(list)
end

local WHOLE = {"9223372036854775807", "-9223372036854775808", "9007199254740993", "-0", "0", "1",
               "18446744073709551616"}

function documents.number()
  if random(4) == 1 then return pick(WHOLE) end
  local text = pick {"", "-"} .. pick {"0", random(9) .. digits(random(0, pick {3, 20}))}
  if random(2) == 1 then text = text .. "." .. digits(random(pick {1, 4, 30})) end
  if random(3) == 1 then
    text = text .. pick {"e", "E"} .. pick {"", "+", "-"} .. digits(random(pick {1, 2, 3}))
  end
  return text
end

local value

local function list_of(open, close, item, count)
  local items = {}
  for i = 1, count do items[i] = blank() .. item(i) .. blank() end
  return open .. (count == 0 and blank() or table.concat(items, ",")) .. close
end

local function array(depth)
  return list_of("[", "]", function() return value(depth - 1) end, random(0, 4))
end

local function key(text)
  if random(10) > 1 then return '"' .. text .. '"' end
  local function written(c) return random(2) == 1 and hex(c:byte()) or c end
  return '"' .. text:gsub(".", written) .. '"'
end

--- An object with some of these keys, some twice, and other keys.
function documents.object(keys, depth)
  return list_of("{", "}", function()
    local name = random(5) > 1 and key(pick(keys)) or documents.string(random(0, 6))
    return name .. blank() .. ":" .. blank() .. value(depth - 1)
  end, random(0, 9))
end

documents.keys = {"a", "b", "key", "user", "x", "deep", "longer than a word of eight bytes"}

function value(depth)
  local what = random(depth > 0 and 9 or 6)
  if what <= 2 then return documents.number() end
  if what <= 4 then return documents.string(pick {0, 1, 3, 8, 9, random(40)}) end
  if what <= 6 then return pick {"true", "false", "null"} end
  return what <= 8 and documents.object(documents.keys, depth) or array(depth)
end

documents.value = value

return documents
