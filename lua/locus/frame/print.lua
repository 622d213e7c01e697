-- SPDX-License-Identifier: MIT
-- tostring(f): the first and the last rows of as many columns as fit a line, and what was left out.
local column = require "locus.frame.column"
local core = require "locus.core"
local printing = require "locus.print"
local strings = require "locus.frame.strings"
local internal = core.internal

local EDGE = 5         -- rows at either end, unless set_printoptions was told another number
local MOST_CHARS = 32  -- of a string or a name
local MOST_NAMES = 160 -- characters of the names that are not shown

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
local function printable(text)
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

-- Of a column the texts of its elements at those positions.
local function texts(c, kind, positions)
  if not strings.is(c) and not kind then return printing.texts(c, positions) end
  local list = {}
  for i, position in ipairs(positions) do
    local value = c[position]
    list[i] = kind and internal["format_" .. kind.type](value, {unit = kind.unit}) or value
  end
  return list
end

-- A column as lines: its name, its type and its elements, with false for rows that are left out.
local function layout(name, c, kind, rows)
  local positions, lines = {}, {}
  for _, row in ipairs(rows) do positions[#positions + 1] = row or nil end
  local l = {lines = lines, widths = {}, left = strings.is(c), width = 0}
  local function add(text)
    local shown, width = printable(text)
    lines[#lines + 1], l.widths[#lines + 1] = shown, width
    l.width = math.max(l.width, width)
  end
  add(name)
  add(column.type_text(c, kind))
  for _, text in ipairs(texts(c, kind, positions)) do add(text) end
  return l
end

-- The columns that fit a line, the first one always, and the names of the others.
local function layouts(state, rows)
  local list, left_out, width = {}, {}, -1
  for _, name in ipairs(state.names) do
    local l = #left_out == 0 and layout(name, state.columns[name], state.kinds[name], rows)
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

-- "; not shown: a, b, c", of very many only the first ones.
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
  function frame.metatable.__tostring(f)
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
end
