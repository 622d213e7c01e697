-- SPDX-License-Identifier: MIT
-- Pages of the documentation as specs read them: their fenced blocks, what these print, and the
-- rows of their tables.
local pages = {}

--- The text of a file.
function pages.read(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

--- The fenced blocks of a page: {tag, lines, line}.
function pages.blocks(text)
  local list, block, number = {}, nil, 0
  for line in (text .. "\n"):gmatch("(.-)\n") do
    number = number + 1
    local tag = line:match("^```(%w*)")
    if tag and not block then
      block = {tag = tag, lines = {}, line = number}
    elseif tag then
      list[#list + 1] = block
      block = nil
    elseif block then
      block.lines[#block.lines + 1] = line
    end
  end
  return list
end

--- An environment with locus whose print goes to a list of lines.
function pages.environment()
  local printed = {}
  local env = setmetatable({locus = require "locus"}, {__index = _G})
  function env.print(...)
    local words = {}
    for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
    for line in (table.concat(words, "\t") .. "\n"):gmatch("(.-)\n") do
      printed[#printed + 1] = line
    end
  end
  return env, printed
end

function pages.run(source, name, env)
  local chunk = assert(loadstring(source, "=" .. name))
  return setfenv(chunk, env)()
end

function pages.trim(line) return (line:gsub("%s+$", "")) end

--- The text behind `-->` in the lines of a block.
function pages.said(block)
  local list = {}
  for _, line in ipairs(block.lines) do
    local said = line:match("%-%->%s?(.*)$")
    if said then list[#list + 1] = pages.trim(said) end
  end
  return list
end

-- The cells of a row; `\|` is a character of a cell.
local function cells(line)
  local list = {}
  for cell in (line:gsub("\\|", "\1"):match("^|(.*)$")):gmatch("([^|]*)|") do
    list[#list + 1] = cell:gsub("\1", "|"):match("^%s*(.-)%s*$")
  end
  return list
end

--- The rows of a page's tables, heads among them: {line, cells}.
function pages.rows(path)
  local list, number = {}, 0
  for line in io.lines(path) do
    number = number + 1
    if line:match("^|") and not line:match("^| %-") then
      list[#list + 1] = {line = number, cells = cells(line)}
    end
  end
  return list
end

return pages
