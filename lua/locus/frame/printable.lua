-- SPDX-License-Identifier: MIT
-- Strings and names of any bytes, as people can look at them.
local internal = require "locus.core".internal
local printing = require "locus.print"

local MOST_CHARS = 32 -- of a string or a name

-- The text, with each byte that is no printable character as \n or \x01, cut at MOST_CHARS; and its
-- width in columns.
return function(text)
  local list, width, fits = {}, 0, 0
  for char in text:gmatch(".[\128-\191]*") do
    local shown = internal.visible(char)
    list[#list + 1] = shown
    width = width + (shown == char and 1 or #shown)
    if width <= MOST_CHARS - 3 then fits = #list end
    if width > MOST_CHARS then break end
  end
  local cut = width > MOST_CHARS
  local shown = table.concat(list, "", 1, cut and fits or #list) .. (cut and "..." or "")
  return shown, printing.width(shown)
end
