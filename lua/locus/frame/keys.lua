-- SPDX-License-Identifier: MIT
-- Rows by number: equal rows of one or several columns have one number, in order of first
-- appearance. On the CPU ids of strings and integers of a narrow range are digits of a row's key;
-- other columns are numbered first. So there is never a table of all combinations. On a device each
-- column is numbered by itself, then the rows of these numbers.
local core = require "locus.core"
local numbers = require "locus.sets.factorize"
local strings = require "locus.frame.strings"
local internal = core.internal

local keys = {}

local function number(column)
  return (strings.is(column) and strings.number or internal.factorize)(column)
end

local function ids_and_names(column)
  local ids, dictionary = strings.parts(column)
  return {ids, internal.dictionary_count(dictionary)}
end

-- The number of each row of the columns in a list, and the position of the first row of each.
function keys.number(columns)
  if #columns == 1 then return number(columns[1]) end
  local parts, on_cpu = {}, #columns[1] > 0
  for _, c in ipairs(columns) do
    on_cpu = on_cpu and internal.device_of(strings.parts(c) or c) == "cpu"
  end
  for i, c in ipairs(columns) do
    if not on_cpu then
      local ids, firsts = number(c)
      parts[i] = {ids, #firsts}
    else
      parts[i] = strings.is(c) and ids_and_names(c) or c
    end
  end
  return (on_cpu and numbers.rows or internal.combine)(parts)
end

return keys
