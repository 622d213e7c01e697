-- SPDX-License-Identifier: MIT
-- A reader of JSON that is written as plainly as the grammar of RFC 8259 is, a function for each of
-- its rules. It takes nothing that the grammar does not have, and any bytes that are UTF-8.
local json = {}

json.null = setmetatable({}, {__tostring = function() return "null" end})

local value -- of a rule below

-- Each function takes the text and a place in it. It returns what stands there and the place behind
-- it, or raises {at = place}.
local function fail(at) error({at = at}, 0) end

local function blanks(text, at) return text:match("^[ \t\n\r]*()", at) end

local function expect(text, at, literal)
  if text:sub(at, at + #literal - 1) ~= literal then fail(at) end
  return at + #literal
end

-- number = [ minus ] int [ frac ] [ exp ]: its text, as {number = "1.50"}
local function number(text, at)
  local first = at
  at = text:match("^%-?()", at)
  at = text:match("^0()", at) or text:match("^[1-9]%d*()", at) or fail(at)
  at = text:match("^%.%d+()", at) or at
  at = text:match("^[eE][-+]?%d+()", at) or at
  return {number = text:sub(first, at - 1)}, at
end

-- The bytes of a code point, surrogates too.
function json.utf8(code)
  local char, floor = string.char, math.floor
  if code < 0x80 then return char(code) end
  if code < 0x800 then return char(0xc0 + floor(code / 64), 0x80 + code % 64) end
  if code < 0x10000 then
    return char(0xe0 + floor(code / 4096), 0x80 + floor(code / 64) % 64, 0x80 + code % 64)
  end
  return char(0xf0 + floor(code / 262144), 0x80 + floor(code / 4096) % 64,
    0x80 + floor(code / 64) % 64, 0x80 + code % 64)
end

local escapes = {['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r",
                 t = "\t"}

local function hex(text, at)
  local digits = text:match("^\\u(%x%x%x%x)", at)
  return digits and tonumber(digits, 16)
end

-- A pair of surrogates is one character; one alone is itself.
local function escape(text, at)
  local plain = escapes[text:sub(at + 1, at + 1)]
  if plain then return plain, at + 2 end
  local code, low = hex(text, at) or fail(at), hex(text, at + 6)
  if code >= 0xd800 and code < 0xdc00 and low and low >= 0xdc00 and low < 0xe000 then
    return json.utf8(0x10000 + (code - 0xd800) * 0x400 + low - 0xdc00), at + 12
  end
  return json.utf8(code), at + 6
end

local function string_of(text, at)
  local parts = {}
  at = expect(text, at, '"')
  while true do
    local plain, behind = text:match('^([^"\\%z\1-\31]+)()', at)
    if plain then
      parts[#parts + 1], at = plain, behind
    elseif text:sub(at, at) == "\\" then
      parts[#parts + 1], at = escape(text, at)
    else
      return table.concat(parts), expect(text, at, '"')
    end
  end
end

-- {keys = {"a", "b"}, values = {...}}, in their order, with those that come twice
local function object(text, at)
  local made = {keys = {}, values = {}}
  at = blanks(text, at + 1)
  if text:sub(at, at) == "}" then return made, at + 1 end
  while true do
    local k = #made.keys + 1
    made.keys[k], at = string_of(text, blanks(text, at))
    made.values[k], at = value(text, blanks(text, expect(text, blanks(text, at), ":")))
    at = blanks(text, at)
    if text:sub(at, at) == "}" then return made, at + 1 end
    at = expect(text, at, ",")
  end
end

-- {items = {...}}
local function array(text, at)
  local items = {}
  at = blanks(text, at + 1)
  if text:sub(at, at) == "]" then return {items = items}, at + 1 end
  while true do
    items[#items + 1], at = value(text, blanks(text, at))
    at = blanks(text, at)
    if text:sub(at, at) == "]" then return {items = items}, at + 1 end
    at = expect(text, at, ",")
  end
end

local literals = {t = {"true", true}, f = {"false", false}, n = {"null", json.null}}

function value(text, at)
  local first = text:sub(at, at)
  local literal = literals[first]
  if literal then return literal[2], expect(text, at, literal[1]) end
  if first == "{" then return object(text, at) end
  if first == "[" then return array(text, at) end
  if first == '"' then return string_of(text, at) end
  return number(text, at)
end

--- The value of a text, or nil and where it is none.
function json.decode(text)
  local ok, made, at = pcall(value, text, blanks(text, 1))
  if not ok and type(made) ~= "table" then error(made, 0) end
  if not ok then return nil, made.at end
  at = blanks(text, at)
  if at <= #text then return nil, at end
  return made
end

-- The least and the greatest second byte behind some first bytes; others have 0x80 to 0xbf behind
-- them, as all bytes further on.
local SECOND = {[0xe0] = {0xa0, 0xbf}, [0xed] = {0x80, 0x9f}, [0xf0] = {0x90, 0xbf},
                [0xf4] = {0x80, 0x8f}}

--- Whether the bytes are UTF-8, by table 3-7 of Unicode.
function json.is_utf8(bytes)
  local at = 1
  while at <= #bytes do
    local first = bytes:byte(at)
    local more = first < 0x80 and 0 or first < 0xc2 and -1 or first < 0xe0 and 1
      or first < 0xf0 and 2 or first < 0xf5 and 3 or -1
    if more < 0 then return false end
    for k = 1, more do
      local range = k == 1 and SECOND[first] or {0x80, 0xbf}
      local byte = bytes:byte(at + k) or 0
      if byte < range[1] or byte > range[2] then return false end
    end
    at = at + 1 + more
  end
  return true
end

--- Whether all strings of a value are Unicode: neither bytes that are no UTF-8 nor lone surrogates.
function json.is_unicode(made)
  if type(made) == "string" then return json.is_utf8(made) end
  if type(made) ~= "table" then return true end
  for _, list in ipairs {made.keys or {}, made.values or {}, made.items or {}} do
    for _, item in ipairs(list) do
      if not json.is_unicode(item) then return false end
    end
  end
  return true
end

--- The member of an object with that key, the last one where there are several.
function json.member(made, key)
  for k = #made.keys, 1, -1 do
    if made.keys[k] == key then return made.values[k] end
  end
end

--- The values of the lines.
function json.lines(text)
  local list = {}
  for line in text:gmatch("(.-)\n") do list[#list + 1] = assert(json.decode(line), line) end
  return list
end

return json
