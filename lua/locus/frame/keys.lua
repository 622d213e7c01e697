-- SPDX-License-Identifier: MIT
-- Rows by number: equal rows of one or several columns have one number, in order of first
-- appearance. Each column is numbered by itself, then the rows of these numbers. So there is never
-- a table of all combinations.
local strings = require "locus.frame.strings"
local internal = require("locus.core").internal

local keys = {}

-- The number of each row of the columns in a list, and the position of the first row of each.
function keys.number(columns)
  local parts = {}
  for i, c in ipairs(columns) do
    local ids, firsts = (strings.is(c) and strings.number or internal.factorize)(c)
    if #columns == 1 then return ids, firsts end
    parts[i] = {ids, #firsts}
  end
  return internal.combine(parts)
end

return keys
