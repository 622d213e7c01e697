-- SPDX-License-Identifier: MIT
-- The table of docs/hostile.md, a list of {what=, text= (of the CSV), answer= (as written there)},
-- and the answer that locus gives.
local locus = require "locus"
local strings = require "locus.frame.strings"

local hostile = {}

local function show(value)
  if type(value) ~= "string" then return tostring(value) end
  local function escape(c) return ("\\%03d"):format(c:byte()) end
  return '"' .. value:gsub('"', '\\"'):gsub("[%c\127-\255]", escape) .. '"'
end

-- The last three values.
local function column_text(name, column)
  local values, shown = column:totable(), {}
  for i = math.max(1, #values - 2), #values do shown[#shown + 1] = show(values[i]) end
  local type = strings.is(column) and "string" or column.dtype
  return ("%s %s: %s"):format(name, type, table.concat(shown, ", "))
end

-- "a int64: 1, 2; b string: "x"", or the error's sentence.
function hostile.answer(text)
  local ok, frame = pcall(locus.read_csv, {text = text})
  if not ok then return (frame:gsub("^.-read_csv: ", "")) end
  local words = {}
  for i, name in ipairs(frame:columns()) do words[i] = column_text(name, frame:column(name)) end
  return table.concat(words, "; ")
end

function hostile.cases()
  local list = {}
  for line in io.lines("docs/hostile.md") do
    local what, text, answer = line:match("^| ([^`|]-) | `([^|]-)` | `([^|]-)` |")
    if what then
      list[#list + 1] = {what = what, text = assert(loadstring("return " .. text))(),
                         answer = answer}
    end
  end
  return list
end

return hostile
