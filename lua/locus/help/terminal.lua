-- SPDX-License-Identifier: MIT
-- The blocks of help/markdown.lua as lines of a terminal: paragraphs wrapped, tables in columns,
-- code indented and never broken. There are no colours; code keeps its backticks.
local markdown = require "locus.help.markdown"

local terminal = {}

-- How many columns a text takes: bytes that go on with a character of UTF-8 take none.
local function columns_of(text) return #text:gsub("[\128-\191]", "") end

-- A word that is longer than a line, in pieces of at most `width` characters.
local function pieces(word, width)
  local list, piece, count = {}, {}, 0
  for character in word:gmatch("[%z\1-\127\192-\255][\128-\191]*") do
    if count == width then
      list[#list + 1] = table.concat(piece)
      piece, count = {}, 0
    end
    piece[#piece + 1], count = character, count + 1
  end
  list[#list + 1] = table.concat(piece)
  return list
end

-- The words of a text. Short code stays together.
local function words(text)
  local list, parts = {}, {}
  markdown.spans(text, function(part, is_code)
    if is_code then
      part = "`" .. (#part < 30 and part:gsub(" ", "\2") or part) .. "`"
    end
    parts[#parts + 1] = part
  end)
  for word in table.concat(parts):gmatch("[^ ]+") do list[#list + 1] = word:gsub("\2", " ") end
  return list
end

-- The lines of a text, each of at most `width` columns; longer words have a line alone, or are
-- broken with `hard`.
function terminal.wrap(text, width, hard)
  local lines, line, used = {}, {}, 0
  local function flush()
    lines[#lines + 1] = table.concat(line, " ")
    line, used = {}, 0
  end
  local function put(word)
    local columns = columns_of(word)
    if used > 0 and used + 1 + columns > width then flush() end
    used = used + (used > 0 and 1 or 0) + columns
    line[#line + 1] = word
  end
  for _, word in ipairs(words(text)) do
    if hard and columns_of(word) > width then
      for _, piece in ipairs(pieces(word, width)) do put(piece) end
    else
      put(word)
    end
  end
  flush()
  return lines
end

local function add_wrapped(out, text, width, first, rest)
  for i, line in ipairs(terminal.wrap(text, width - #rest)) do
    out[#out + 1] = (i == 1 and first or rest) .. line
  end
end

-- The widths of columns that need `wanted`, at most `width` together: the widest ones give way, as
-- long as there are some, those whose longest word still fits.
local function fitted(wanted, longest, width)
  local sum = 0
  for i, columns in ipairs(wanted) do
    wanted[i] = math.min(columns, width)
    sum = sum + wanted[i]
  end
  local function widest(may_break)
    local best
    for i, columns in ipairs(wanted) do
      if (may_break or columns > longest[i]) and columns > (wanted[best] or 0) then best = i end
    end
    return best
  end
  while sum > width do
    local i = widest(false) or widest(true)
    wanted[i], sum = wanted[i] - 1, sum - 1
  end
  return wanted
end

local GAP = "  "

-- A row whose cells are lists of lines.
local function add_row(out, cells, widths)
  local most = 1
  for _, lines in ipairs(cells) do most = math.max(most, #lines) end
  for k = 1, most do
    local parts = {}
    for i, width in ipairs(widths) do
      local text = cells[i] and cells[i][k] or ""
      parts[i] = text .. (" "):rep(width - columns_of(text))
    end
    out[#out + 1] = (table.concat(parts, GAP):gsub(" +$", ""))
  end
end

local function rule(widths)
  local parts = {}
  for i, width in ipairs(widths) do parts[i] = ("-"):rep(width) end
  return table.concat(parts, GAP)
end

-- The first row is the head; an empty one shows nothing. If there are more columns than can be told
-- apart, rows are lines of text.
local function add_table(out, rows, width)
  local wanted, longest, texts = {}, {}, {}
  for r, row in ipairs(rows) do
    texts[r] = {}
    for i, cell in ipairs(row) do
      texts[r][i] = markdown.plain(cell)
      wanted[i] = math.max(wanted[i] or 1, columns_of(texts[r][i]))
      longest[i] = longest[i] or 1
      for _, word in ipairs(words(texts[r][i])) do
        longest[i] = math.max(longest[i], columns_of(word))
      end
    end
  end
  local room = width - #GAP * (#wanted - 1)
  if room < 6 * #wanted then
    for _, row in ipairs(texts) do add_wrapped(out, table.concat(row, "; "), width, "", "") end
    return
  end
  local widths = fitted(wanted, longest, room)
  for r, row in ipairs(texts) do
    local cells = {}
    for i, text in ipairs(row) do cells[i] = terminal.wrap(text, widths[i], true) end
    if r > 1 or table.concat(row) ~= "" then add_row(out, cells, widths) end
    if r == 1 and table.concat(row) ~= "" then out[#out + 1] = rule(widths) end
  end
end

local writers = {}

function writers.heading(out, block, width)
  add_wrapped(out, markdown.plain(block.text), width, "", "")
  out[#out + 1] = ("-"):rep(math.min(width, columns_of(out[#out])))
end
-- The place of a definition has a line of its own.
function writers.paragraph(out, block, width)
  local text, source = block.text:match("^(.*) (Source: https?://%S+)$")
  add_wrapped(out, markdown.plain(text or block.text), width, "", "")
  if source then out[#out + 1] = source end
end
function writers.item(out, block, width)
  local mark = block.mark .. " "
  add_wrapped(out, markdown.plain(block.text), width, mark, (" "):rep(#mark))
end
function writers.code(out, block)
  for _, line in ipairs(block.lines) do out[#out + 1] = line == "" and "" or "  " .. line end
end
function writers.table(out, block, width) add_table(out, block.rows, width) end

-- The blocks as a list of lines, with an empty line between two blocks, except between items of one
-- list.
function terminal.lines(blocks, width)
  local out = {}
  for i, block in ipairs(blocks) do
    local before = blocks[i - 1]
    if before and not (before.kind == "item" and block.kind == "item") then out[#out + 1] = "" end
    writers[block.kind](out, block, width)
  end
  return out
end

return terminal
