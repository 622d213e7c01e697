-- SPDX-License-Identifier: MIT
-- tostring(f): the first and the last rows of as many columns as fit a line, and the number of the
-- rest.
local column = require "locus.frame.column"
local core = require "locus.core"
local printable = require "locus.frame.printable"
local printing = require "locus.print"
local strings = require "locus.frame.strings"
local internal = core.internal

local EDGE = 5         -- rows at either end, unless set_printoptions was told another number
local MOST_NAMES = 160 -- characters of the names that are not shown

-- The texts of a column's elements at those positions.
local function texts(c, positions)
  if not strings.is(c) then return printing.texts(c, positions) end
  local list = {}
  for i, position in ipairs(positions) do list[i] = c[position] end
  return list
end

-- The texts of all float64 columns, by name, whose numbers belong together row by row.
local function texts_by_row(state, positions)
  local names, found, elements = {}, {}, {}
  for _, name in ipairs(state.names) do
    local c = state.columns[name]
    if core.is_tensor(c) and internal.dtype_of(c) == "float64" then
      names[#names + 1], found[name] = name, {}
      elements[name] = internal.elements(c, positions)
    end
  end
  for i = 1, #positions do
    local numbers = {}
    for k, name in ipairs(names) do numbers[k] = elements[name][i] end
    for k, text in ipairs(printing.texts_of_row(numbers)) do found[names[k]][i] = text end
  end
  return found
end

-- A column as lines: its name, its type and its elements, whose texts are `given` or its own.
local function layout(name, c, kind, positions, given)
  local lines = {}
  local l = {lines = lines, widths = {}, left = strings.is(c), width = 0}
  local function add(text)
    local shown, width = printable(text)
    lines[#lines + 1], l.widths[#lines + 1] = shown, width
    l.width = math.max(l.width, width)
  end
  add(name)
  add(column.type_text(c, kind))
  for _, text in ipairs(given or texts(c, positions)) do add(text) end
  return l
end

-- The columns that fit a line, the first one always, and the names of the others.
local function layouts(state, rows)
  local list, left_out, width, positions = {}, {}, -1, {}
  for _, row in ipairs(rows) do positions[#positions + 1] = row or nil end
  local given = state.print == "by_row" and texts_by_row(state, positions) or {}
  for _, name in ipairs(state.names) do
    local l = #left_out == 0
      and layout(name, state.columns[name], state.kinds[name], positions, given[name])
    width = width + (l and l.width + 2 or 0)
    if l and (#list == 0 or width <= printing.columns_of_line()) then
      list[#list + 1] = l
    else
      left_out[#left_out + 1] = (printable(name))
    end
  end
  return list, left_out
end

local function line(list, i)
  local words = {}
  for k, l in ipairs(list) do
    local pad = (" "):rep(l.width - l.widths[i])
    words[k] = l.left and l.lines[i] .. pad or pad .. l.lines[i]
  end
  return ((" " .. table.concat(words, "  ")):gsub(" +$", ""))
end

-- "; not shown: a, b, c"; if there are very many, only the first ones.
local function unseen(names)
  local text, count = "", 0
  for i, name in ipairs(names) do
    if i > 1 and #text + #name > MOST_NAMES then break end
    text, count = text .. (i > 1 and ", " or "") .. name, i
  end
  if count < #names then text = ("%s and %d more"):format(text, #names - count) end
  return count > 0 and "; not shown: " .. text or ""
end

return function(frame)
  local function text_of(f)
    local state, lines = frame.state(f), {}
    local rows = printing.shown(state.rows, printing.edge_of_rows(EDGE))
    local list, left_out = layouts(state, rows)
    if #list > 0 then
      lines[1], lines[2] = line(list, 1), line(list, 2)
      local shown = 2
      for _, row in ipairs(rows) do
        shown = row and shown + 1 or shown
        lines[#lines + 1] = row and line(list, shown) or " ..."
      end
    end
    local device = list[1] and column.device(state.columns[state.names[1]]) or "cpu"
    lines[#lines + 1] = ("[frame of %s%s%s]"):format(frame.sizes(state, ", "),
      device ~= "cpu" and " on " .. device or "", unseen(left_out))
    return table.concat(lines, "\n")
  end

  function frame.metatable.__tostring(f) return internal.ieee(text_of, f) end
end
