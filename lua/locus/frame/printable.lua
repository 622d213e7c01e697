-- SPDX-License-Identifier: MIT
-- Strings and names of any bytes, as people can look at them.
local printing = require "locus.print"
local strings = require "locus.frame.strings"

local MOST_CHARS = 32 -- of a string or a name

-- The bytes of the character at `i`; nil where UTF-8 has none, or where it is a control character.
local function character(text, i)
  local first = text:byte(i)
  if first < 0x80 then return first >= 0x20 and first ~= 0x7f and text:sub(i, i) or nil end
  local count = first >= 0xf0 and 4 or first >= 0xe0 and 3 or 2
  local char = text:match("^[\194-\244][\128-\191]+", i)
  if not char or #char < count then return nil end
  local second = char:byte(2)
  local too_long = first == 0xe0 and second < 0xa0 or first == 0xf0 and second < 0x90
  local beyond = first == 0xf4 and second > 0x8f or first == 0xed and second > 0x9f
  local control = first == 0xc2 and second < 0xa0
  return not (too_long or beyond or control) and char:sub(1, count) or nil
end

-- The text with everything that is no character written as \n or \x01, cut at MOST_CHARS, and how
-- many columns that takes.
return function(text)
  local list, i, width, fits = {}, 1, 0, 0
  while i <= #text and width <= MOST_CHARS do
    local char = character(text, i)
    local byte = text:sub(i, i)
    local shown = char or strings.escapes[byte] or ("\\x%02x"):format(byte:byte())
    list[#list + 1] = shown
    width = width + (char and 1 or #shown)
    if width <= MOST_CHARS - 3 then fits = #list end
    i = i + (char and #char or 1)
  end
  local cut = width > MOST_CHARS
  local shown = table.concat(list, "", 1, cut and fits or #list) .. (cut and "..." or "")
  return shown, printing.width(shown)
end
