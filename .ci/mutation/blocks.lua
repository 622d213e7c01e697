-- SPDX-License-Identifier: MIT
-- Maps lines to blocks of code. In C objdump shows the calls that -fsanitize-coverage=trace-pc has
-- put at the beginning of each block. In Lua keywords show where blocks begin, and this file puts
-- the marks there.
local shell = require "shell"
local tokens = require "tokens"
local blocks = {}

-- Where in a source of Lua blocks begin: behind the parameters of a function, and behind then,
-- else, do and repeat. By the token that opens each.
local function openings(list)
  local found = {}
  for i, token in ipairs(list) do
    local word = token.kind == "name" and token.text
    if word == "then" or word == "else" or word == "do" or word == "repeat" then
      found[token] = token.to
    elseif word == "function" then
      local k = i
      while list[k].text ~= ")" do k = k + 1 end
      found[token] = list[k].to
    end
  end
  return found
end

--- Puts marks into a text of Lua, whose lines stay what they are; adds a line to the index for each
-- block.
function blocks.mark_lua(path, text, index)
  local list, places, number = tokens.of(text, "lua"), {}, {}
  local lines, last_line = {}, {}
  tokens.nest(list)
  for token, to in pairs(openings(list)) do places[#places + 1] = { to = to, token = token } end
  table.sort(places, function(a, b) return a.to < b.to end)
  for k, place in ipairs(places) do
    number[place.token] = index.next
    index.next, places[k].number = index.next + 1, index.next
  end
  for _, token in ipairs(list) do
    local own = number[token.open]
    if own and last_line[own] ~= token.line then
      lines[own], last_line[own] = (lines[own] or "") .. " " .. token.line, token.line
    end
  end
  local pieces, last = {}, 1
  for _, place in ipairs(places) do
    pieces[#pieces + 1] = text:sub(last, place.to)
    pieces[#pieces + 1] = (" LOCUS_HITS[%d]=true "):format(place.number)
    index[#index + 1] = ("lua %d %s%s"):format(place.number, path, lines[place.number] or "")
    last = place.to + 1
  end
  return table.concat(pieces) .. text:sub(last)
end

-- Adds a line for each block of core.so to the index: where its call returns to, then its lines.
local function index_c(folder, index)
  local path, line, block
  local function close()
    if block and block[1] then index[#index + 1] = block.name .. table.concat(block) end
  end
  local pipe = io.popen("objdump -d -l --no-show-raw-insn " .. folder .. "/build/locus/core.so")
  local called = false
  for text in pipe:lines() do
    local source, number = text:match("/hits/(src/.-):(%d+)")
    local place = text:match("^ *(%x+):\t")
    if source then
      path, line = source, number
    elseif place then
      if called then
        close()
        block, called = { name = place }, false
      end
      if text:find("call.*<__sanitizer_cov_trace_pc") then called = true end
      local here = path and (" %s:%s"):format(path, line)
      if block and here and block[here] == nil then
        block[here] = true
        block[#block + 1] = here
      end
    end
  end
  close()
  pipe:close()
end

--- Marks the blocks of lua/ in a copy of the tree and writes its index, the file `blocks`.
function blocks.mark(folder)
  local index = { next = 1 }
  local pipe = io.popen("cd " .. folder .. " && find lua -name '*.lua' | LC_ALL=C sort")
  for path in pipe:lines() do
    local file = folder .. "/" .. path
    local marked = blocks.mark_lua(path, assert(shell.read(file)), index)
    assert(loadstring(marked, path))
    shell.write(file, marked)
  end
  pipe:close()
  index_c(folder, index)
  shell.write(folder .. "/blocks", table.concat(index, "\n") .. "\n")
end

--- Reads the index: from a block's name to its lines, "path:line" each.
function blocks.read(folder)
  local found = {}
  for text in io.lines(folder .. "/blocks") do
    local number, path, lines = text:match("^lua (%d+) (%S+)(.*)$")
    local list = {}
    if number then
      for line in lines:gmatch("%d+") do list[#list + 1] = path .. ":" .. line end
      found["lua " .. number] = list
    else
      for place in text:gmatch(" (%S+)") do list[#list + 1] = place end
      found[text:match("^%x+")] = list
    end
  end
  return found
end

return blocks
