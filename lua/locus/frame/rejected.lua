-- SPDX-License-Identifier: MIT
-- Lines that cannot be read: their error message, and the frame of those left out.
local core = require "locus.core"
local frame = require "locus.frame.frame"
local strings = require "locus.frame.strings"
local internal = core.internal

local rejected = {}

local MOST_SHOWN = 40 -- bytes of a text or a name

-- The first bytes, without half a character of UTF-8 at the end.
local function head(text, bytes)
  local cut = text:sub(1, bytes)
  local first = cut:match("()[\192-\255][\128-\191]*$")
  if not first or #text <= bytes then return cut end
  local lead = cut:byte(first)
  local length = lead >= 240 and 4 or lead >= 224 and 3 or 2
  return first + length - 1 > bytes and cut:sub(1, first - 1) or cut
end

local function shown(text, mark)
  local cut = head(text, MOST_SHOWN)
  return mark .. internal.visible(cut, true) .. mark .. (#cut < #text and "..." or "")
end

-- The text for a message: its beginning, between quotes, without control characters.
function rejected.quoted(text) return shown(text, '"') end

-- The same for a column's name, which is quoted already.
function rejected.escaped(name) return shown(name, "") end

-- The number of times a byte occurs in a text.
local function count_of(text, byte) return select(2, text:gsub(byte, "")) end

-- '; write separator = ";"' if a semicolon, a tab or a bar occurs in the header or in a row as
-- often as a separator should; else "". `text` is the row that failed, or nil.
function rejected.separator(names, separator, text)
  local header = table.concat(names, separator)
  for _, byte in ipairs {";", "\t", "|"} do
    local count = count_of(header, "%" .. byte)
    local in_row = text and count_of(text, "%" .. byte)
    local fits = #names == 1 and count > 0 or in_row and in_row > 0
      and (in_row == count or count == 0 and in_row == #names - 1)
    if byte ~= separator and fits then
      return ("; write separator = %s"):format(byte == "\t" and '"\\t"' or '"' .. byte .. '"')
    end
  end
  return ""
end

-- trades.csv:815088: column 'price' (2) is not a float64: "12,3x"
function rejected.sentence(place, bad)
  local what = bad.path and ("key '%s' "):format(rejected.escaped(bad.path)) or bad.field > 0
    and ("column '%s' (%d) "):format(rejected.escaped(bad.column), bad.field) or ""
  local text = bad.text ~= "" and ": " .. rejected.quoted(bad.text) or ""
  return ("%s:%d: %s%s%s"):format(place, bad.line, what, bad.reason, text)
end

-- A list of {line=, column= (a name, or ""), text=, reason=, file=} as a frame, with the column of
-- files if there may be several.
function rejected.frame(list, several)
  local parts = {line = {}, column = {}, text = {}, reason = {}}
  local order = {"line", "column", "text", "reason"}
  if several then
    parts.file = {}
    table.insert(order, 1, "file")
  end
  for i, bad in ipairs(list) do
    for name, part in pairs(parts) do part[i] = bad[name] end
  end
  for name, part in pairs(parts) do
    local is_line = name == "line"
    parts[name] = is_line and core.tensor(part, {dtype = "int64", device = "cpu"})
      or strings.of(part, "cpu")
  end
  return frame.make(order, parts, {})
end

return rejected
