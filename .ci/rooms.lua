-- SPDX-License-Identifier: MIT
-- Returns the text of spec/README.md: the rooms of spec/, and the first sentence of each of their
-- files. `.ci/rooms` writes the page; docs_spec checks that it is current.
local shell = require "shell"
local rooms = {}

local HEAD = [[
# Which spec holds what

`busted` runs every `*_spec.lua` below this folder, `busted spec/search` those of one room,
`busted spec/search/lookup_spec.lua` one file. `.ci/rooms` writes this page from the first sentence
of each file, and `.ci/rooms.lua` has the list of rooms; a spec fails while the page is not current.
]]

-- In the order of the page: a folder below spec/, and what it is about.
local SPECS = {
  {"search", "where would this go: searchsorted and what stands on it"},
  {"masks", "where is something, and which of the two: nonzero, where, masks"},
  {"conformance", "the three operations beside PyTorch's answers, their documents and plain Lua"},
  {"tensor", "making, converting, printing, viewing, cutting and joining"},
  {"index", "brackets, and reading and writing by position"},
  {"elementwise", "ops of one and of two operands, comparisons"},
  {"random", "functions that draw numbers"},
  {"reduce", "many elements to one, and running answers"},
  {"order", "sorting, ranks, elements by rank"},
  {"groups", "sets, counts, and answers by group"},
  {"windows", "windows that move along rows: by rows, spans and groups"},
  {"frames", "frames, string columns, builders"},
  {"text", "text to columns and back"},
  {"files", "files of tensors and frames, and memory of other libraries"},
  {"pictures", "plots and images in text, and as SVG"},
  {"prompt", "the prompt, and the command `locus`"},
  {"peers", "what the pages say of other libraries, run by these"},
  {"calls", "how every function is called: arguments, names, errors, layouts, small calls"},
  {"process", "memory, threads, Ctrl-C, the process, loading"},
  {"cuda", "devices"},
  {"mpi", "several ranks: the specs, and the scripts that they have mpirun start"},
  {"plain", "everything that must hold without LuaJIT: `busted --lua=lua5.1 spec/plain`"},
  {"docs", "pages, signatures, help, and what editors are told"},
  {"examples", "the programs of `examples/`"},
  {"house", "the bench, the random callers, scripts, builds and packages"},
}
local SHARED = {
  {"support", "the common part of all specs, by `require \"spec.support\"`, and busted's helpers"},
  {"ops", "the table of calls: a row of each form of each function"},
  {"support/calls", "the list of functions, and the arguments of their calls"},
  {"support/models", "answers in plain Lua"},
  {"support/data", "random tensors and frames, layouts, files"},
  {"support/trials", "every call while something goes wrong, and C for that"},
  {"support/programs", "programs that specs start, and libraries put in front of others"},
  {"support/docs", "the contents of pages and of the files of `lua/locus/meta`"},
}

-- The comment at the top of a file, behind its SPDX line, in one line.
local function head_of(path)
  local text = assert(shell.read(path)):gsub("^#![^\n]*\n", ""):gsub("^[^\n]*SPDX[^\n]*\n", "")
  local words = {}
  if path:find("%.c$") then
    words[1] = text:match("^/%*(.-)%*/")
  elseif path:find("%.py$") then
    words[1] = text:match('^"""(.-)"""')
  else
    for line in text:gmatch("([^\n]*)\n") do
      if not line:find("^%-%-") then break end
      words[#words + 1] = line:match("^%-%-+(.*)")
    end
  end
  local head = table.concat(words):gsub("\n%*%*", " "):gsub("%s+", " "):match("^%s*(.-)%s*$")
  return head ~= "" and head or error(path .. " begins with no comment that says what it holds")
end

local function first_sentence(head)
  return head:match("^(.-)%.%)? [%u`]") or head:match("^(.-)%.?$")
end

-- The files of a room, sorted by name; what is generated, or a page of its own, is none.
local function files_of(folder)
  local list = {}
  for name in shell.must("LC_ALL=C ls spec/" .. folder):gmatch("[^\n]+") do
    if name:find("%.[lcp][uy]?a?$") then list[#list + 1] = name end
  end
  return list
end

local function add_room(lines, room)
  lines[#lines + 1] = ("\n## %s\n\n%s.\n\n| file | |\n| --- | --- |"):format(room[1],
    room[2]:gsub("^%l", string.upper))
  for _, name in ipairs(files_of(room[1])) do
    local said = first_sentence(head_of(("spec/%s/%s"):format(room[1], name)))
    lines[#lines + 1] = ("| `%s` | %s |"):format(name, (said:gsub("[|*<]", "\\%0")))
  end
end

-- Every folder below spec/ that has files is a room.
local function check_rooms()
  local known = {}
  for _, list in ipairs {SPECS, SHARED} do
    for _, room in ipairs(list) do known["spec/" .. room[1]] = true end
  end
  for path in shell.must("find spec -name '*.lua' -exec dirname {} + | sort -u"):gmatch("[^\n]+") do
    if not known[path] then error(path .. " is no room: it is missing in .ci/rooms.lua") end
  end
end

--- The text of the page.
function rooms.page()
  check_rooms()
  local lines = {HEAD}
  for _, room in ipairs(SPECS) do
    lines[#lines + 1] = ("- [%s](#%s): %s"):format(room[1], room[1], room[2])
  end
  for _, room in ipairs(SPECS) do add_room(lines, room) end
  for _, room in ipairs(SHARED) do add_room(lines, room) end
  return table.concat(lines, "\n") .. "\n"
end

return rooms
