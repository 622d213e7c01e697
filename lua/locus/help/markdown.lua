-- SPDX-License-Identifier: MIT
-- Markdown as the pages of docs/ have it, read into blocks. Every string is a page: text that looks
-- like nothing else is a paragraph, and control characters are left out.

local markdown = {}

-- Without bytes that could move a terminal's cursor: control characters of ASCII and of UTF-8's C1.
local function printable(text)
  return (text:gsub("\r\n", "\n"):gsub("[%z\1-\8\11-\31\127]", ""):gsub("\194[\128-\159]", ""))
end

-- The cells of "| a | b |"; a bar behind a backslash is none.
local function cells(line)
  local list = {}
  line = line:gsub("\\|", "\1"):gsub("^%s*|", ""):gsub("|%s*$", "") .. "|"
  for cell in line:gmatch("([^|]*)|") do
    list[#list + 1] = cell:gsub("\1", "|"):match("^%s*(.-)%s*$")
  end
  return list
end

-- The block that a line begins: a reader of blocks, which takes lines from number i, adds a block
-- to the list and returns the number of the next line.

local function heading(lines, i, add)
  local marks, text = lines[i]:match("^(#+) +(.*)$")
  add({kind = "heading", level = #marks, text = text})
  return i + 1
end

local function code(lines, i, add)
  local block = {kind = "code", tag = lines[i]:match("^```(.*)$"), lines = {}}
  i = i + 1
  while lines[i] and lines[i]:sub(1, 3) ~= "```" do
    block.lines[#block.lines + 1] = lines[i]
    i = i + 1
  end
  add(block)
  return i + 1
end

local function rows(lines, i, add)
  local block = {kind = "table", rows = {}}
  while lines[i] and lines[i]:sub(1, 1) == "|" do
    if not lines[i]:find("^[|%s:-]*%-[|%s:-]*$") then
      block.rows[#block.rows + 1] = cells(lines[i])
    end
    i = i + 1
  end
  add(block)
  return i
end

local function mark_of_item(line)
  return line:match("^%s*[-*] +") or line:match("^%s*%d+%. +")
end

local function begins(line)
  return line:find("^#+ ") and heading or line:sub(1, 3) == "```" and code
    or line:sub(1, 1) == "|" and rows or nil
end

-- A paragraph, or an item of a list with the lines that go on in it.
local function paragraph(lines, i, add)
  local mark = mark_of_item(lines[i])
  local parts = {lines[i]:sub(#(mark or "") + 1)}
  i = i + 1
  while lines[i] and lines[i]:find("%S") and not begins(lines[i]) and not mark_of_item(lines[i]) do
    parts[#parts + 1] = lines[i]
    i = i + 1
  end
  local text = table.concat(parts, " "):gsub("%s+", " "):match("^ ?(.-) ?$")
  add({kind = mark and "item" or "paragraph", text = text,
       mark = mark and mark:match("%d+%.") or mark and "-"})
  return i
end

-- The blocks of a page: {kind = "heading", level, text}, {kind = "paragraph", text}, {kind =
-- "item", mark, text}, {kind = "code", tag, lines} and {kind = "table", rows}, whose rows are lists
-- of cells. Each has the number of its first line.
function markdown.blocks(page)
  local lines, list = {}, {}
  for line in (printable(page) .. "\n"):gmatch("([^\n]*)\n") do lines[#lines + 1] = line end
  local i = 1
  local function add(block) list[#list + 1] = block end
  while lines[i] do
    local first = i
    if lines[i]:find("%S") then
      i = (begins(lines[i]) or paragraph)(lines, i, add)
      list[#list].line = first
    else
      i = i + 1
    end
  end
  return list
end

-- A text in parts, one after the other: f(part, whether it is code between backticks).
function markdown.spans(text, f)
  local at = 1
  while true do
    local first, last = text:find("`+", at)
    if not first then return f(text:sub(at), false) end
    local marks = text:sub(first, last)
    local from, to = text:find("`+", last + 1) -- the next backticks of that number
    while from and to - from ~= #marks - 1 do from, to = text:find("`+", to + 1) end
    if from then
      f(text:sub(at, first - 1), false)
      f(text:sub(last + 1, from - 1):match("^ ?(.-) ?$"), true)
      at = to + 1
    else
      f(text:sub(at, last), false)
      at = last + 1
    end
  end
end

-- The code between backticks in a text, as a list.
function markdown.code(text)
  local list = {}
  markdown.spans(text, function(part, is_code)
    if is_code then list[#list + 1] = part end
  end)
  return list
end

-- A text without marks of links and emphasis; code keeps its backticks. Links to other pages keep
-- their words; other links keep the address, too.
function markdown.plain(text)
  local parts, held = {}, {}
  markdown.spans(text, function(part, is_code)
    if is_code then
      held[#held + 1] = "`" .. part .. "`"
      part = "\1" .. #held .. "\1"
    end
    parts[#parts + 1] = part
  end)
  return (table.concat(parts)
    :gsub("%[([^%[%]]*)%]%(([^()%s]*)%)", function(words, address)
      return address:find("^https?:") and ("%s (%s)"):format(words, address) or words
    end)
    :gsub("%*%*", "")
    :gsub("%f[%S]%*(%w[^*]*)%*", "%1")
    :gsub("\1(%d+)\1", function(n) return held[tonumber(n)] end))
end

return markdown
