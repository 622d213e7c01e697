-- SPDX-License-Identifier: MIT
-- Help at the prompt, from the pages of docs/: the meaning of a name, the places of a word, and the
-- list of all topics. Nothing in a page is run. Loaded when help is first asked for.
local core = require "locus.core"
local declare = require "locus.call.declare"
local locus = require "locus" -- first: the stand-in that loads this file then replaces locus.help
local names = require "locus.names.advice"
local pages = require "locus.help.pages"
local printing = require "locus.print"
local terminal = require "locus.help.terminal"
local lazy = require "locus.call.lazy"

local help = {search = require "locus.help.search"}
local full_name = pages.full_name

local MISSING = "help: there are no pages: the folder docs of locus is not installed"

-- Every name, page and title as users type it; for each its meanings, in the pages' order.
local function index()
  if help.known then return help.known end
  local known = {names = {}, titles = {}, pages = {}}
  local function add(list, key, value)
    list[key] = list[key] or {}
    table.insert(list[key], value)
  end
  for _, section in ipairs(pages.all() or {}) do
    add(known.pages, section.page, section)
    if #section.names == 0 then add(known.titles, section.title:lower(), section) end
    for _, entry in ipairs(section.defined) do add(known.names, entry.name, entry) end
  end
  help.known = pages.read and known
  return known
end

-- The parts of a query: "f:sort" is sort of a frame, "locus.memory.trim()" is memory.trim.
local function parts_of(query)
  local name = query:match("^%s*(.-)%s*$"):gsub("%(%)$", ""):gsub("^locus[.:]", "")
  local word, last = name:match("^([%a_][%w_]*)[:.]([%a_][%w_]*)$")
  local kind = word and pages.kind(word)
  return kind and last or name, kind
end

-- Those of a list with that kind, or all, tensors' first.
local function of_kind(entries, kind)
  local first, rest = {}, {}
  for _, entry in ipairs(entries or {}) do
    if not kind or entry.kind == kind then
      table.insert((kind or entry.kind == "tensor") and first or rest, entry)
    end
  end
  for _, entry in ipairs(rest) do first[#first + 1] = entry end
  return first
end

local function add(list, more)
  for _, value in ipairs(more) do list[#list + 1] = value end
end

-- A section's first paragraph without the signature that is shown above it: none is left of one
-- that says nothing else.
local function without(block, shown)
  local code, rest = block.text:match("^`([^`]+)`(.*)$")
  if code ~= shown then return block end
  if rest == "" then return nil end
  rest = rest:match("^: (.*)$")
  if not rest then return block end
  return {kind = block.kind, text = rest:gsub("^%l", string.upper)}
end

-- The place of a section, and the other places of its name or its title.
local function add_places(out, section, others, width)
  local names_there = {}
  for i, other in ipairs(others) do names_there[i] = other.name and full_name(other) or other end
  out[#out + 1] = ""
  local place = ("docs/%s.md: %s"):format(section.page, section.above or section.title)
  add(out, terminal.wrap(place, width))
  if #names_there > 0 then
    add(out, terminal.wrap("See also " .. table.concat(names_there, ", "), width))
  end
end

-- The lines of one entry: its signature, the text of its section, and its place.
local function lines_of(entry, others, width)
  local section, out = entry.section, {}
  local shown = entry.signature and entry.signature.text
  local blocks = {}
  add(blocks, section.blocks)
  if shown and blocks[1] and blocks[1].text then
    local left = without(blocks[1], shown)
    if not left then table.remove(blocks, 1) else blocks[1] = left end
  end
  add(out, terminal.wrap(shown or full_name(entry), width))
  out[#out + 1] = ""
  add(out, terminal.lines(blocks, width))
  add_places(out, section, others, width)
  return out
end

-- The entries of a name that are in other sections and are not told by the first one, and the page
-- of that name.
local function elsewhere(entries, page)
  local list, first = {page and page[1].page .. ".md"}, entries[1]
  for i = 2, #entries do
    local apart = entries[i].section ~= first.section
    if apart and full_name(entries[i]) ~= full_name(first) then list[#list + 1] = entries[i] end
  end
  return list
end

-- The names that sections define, as one line for each section that has any.
local function contents(sections, width)
  local out = {}
  for _, section in ipairs(sections) do
    if #section.defined > 0 then
      local list = {}
      for _, entry in ipairs(section.defined) do list[#list + 1] = full_name(entry) end
      add(out, terminal.lines({{kind = "item", mark = " ", text = table.concat(list, " ")}}, width))
    elseif section.level == 2 then
      if #out > 0 then out[#out + 1] = "" end
      out[#out + 1] = section.title
    end
  end
  return out
end

-- A section of prose with the names of the sections below it.
local function prose(section, width)
  local out = terminal.lines({{kind = "heading", text = section.title}}, width)
  local below = {}
  for _, other in ipairs(pages.all()) do
    if other.page == section.page and other.above == section.title and other.level == 3 then
      below[#below + 1] = other
    end
  end
  for _, part in ipairs {terminal.lines(section.blocks, width), contents(below, width)} do
    if #part > 0 then out[#out + 1] = "" end
    add(out, part)
  end
  return out
end

-- A page: the whole of one without names; of others the text in front and the names that they
-- define.
local function page_lines(sections, width)
  local any = false
  for _, section in ipairs(sections) do any = any or #section.defined > 0 end
  local out = prose(sections[1], width)
  if any then
    local rest = contents(sections, width)
    if #rest > 0 then out[#out + 1] = "" end
    add(out, rest)
    return out
  end
  for i = 2, #sections do
    out[#out + 1] = ""
    add(out, prose(sections[i], width))
  end
  return out
end

-- The sections of that title; "page#title" is the one of that page.
local function titled(known, query)
  local page, title = query:lower():match("^([%w_]+)#(.+)$")
  local list = {}
  for _, section in ipairs(known.titles[title or query:lower()] or {}) do
    if not page or section.page == page then list[#list + 1] = section end
  end
  return list
end

-- The first of the sections of a title, and where the others are.
local function prose_lines(sections, width)
  local out, others = prose(sections[1], width), {}
  for i = 2, #sections do
    others[#others + 1] = sections[i].page .. "#" .. sections[i].title:lower()
  end
  add_places(out, sections[1], others, width)
  return out
end

-- The addition to the sentence about an unknown name: how it is written here, or the name that is
-- most alike among those of its kind, or the first names that a search finds.
local function advice(known, name, kind)
  local names_there = {}
  for known_name, entries in pairs(known.names) do
    names_there[known_name] = of_kind(entries, kind)[1]
  end
  local told = names.advice(name, {known = {names_there}, elsewhere = {}, module = not kind})
  if told ~= "" then return told end
  local found = {}
  for i, hit in ipairs(help.search(name)) do
    if i <= 3 then found[i] = hit.name end
  end
  return #found > 0 and "; see " .. table.concat(found, ", ") or ""
end

-- The text about a name: of a function, a method ("x:nonzero", "frame:group", "group:agg"), a
-- field, a page ("chance") or a section ("promotion", "tensor#memory"). For an unknown name nil and
-- a sentence with the likely one. Lines have at most `width` columns, except those of code.
function help.text(query, width)
  width = math.max(width or printing.columns_of_line(), 20)
  if not pages.all() then return nil, MISSING end
  local known = index()
  local name, kind = parts_of(query)
  local entries, sections = of_kind(known.names[name], kind), titled(known, name)
  local page = known.pages[name:lower():gsub("^docs/", ""):gsub("%.md$", "")]
  local lines = entries[1] and lines_of(entries[1], elsewhere(entries, page), width)
    or page and page_lines(page, width) or sections[1] and prose_lines(sections, width)
  if lines then return table.concat(lines, "\n") end
  local asked = kind and kind ~= "tensor" and kind .. ":" .. name or name
  return nil, ("help: there is no '%s'%s"):format(core.internal.visible(asked:sub(1, 60)),
    advice(known, name, kind))
end

-- The objects with methods of their own, and the pages of these.
local OBJECTS = {
  frame = {"locus.frame.frame", "methods"}, strings = {"locus.frame.strings", "methods"},
  group = {"locus.frame.group", "methods"}, builder = {"locus.frame.builder", "of_column"},
  writer = {"locus.files.writer"}, generator = {"locus.derived.generator", "methods"},
}

-- The name of a function of locus; nil for others.
local function name_of(f)
  f = declare.later[f] and declare.later[f](f) or f
  local function find(functions, prefix)
    for name, value in pairs(functions) do
      if value == f then return prefix .. name end
    end
  end
  local found = find(locus, "") or find(core.methods, "") or find(locus.memory, "memory.")
    or find(locus.cuda, "cuda.") or find(locus.mpi, "mpi.") or find(core.streams, "stream:")
    or find(core.events, "event:")
  for kind, place in pairs(OBJECTS) do
    local file = lazy(place[1])
    found = found or find(place[2] and file[place[2]] or file, kind .. ":")
  end
  return found
end

-- All topics, by pages.
local function overview(width)
  local out = {}
  for _, page in ipairs(pages.names) do
    local sections = index().pages[page] or {}
    local list = {}
    for _, section in ipairs(sections) do
      for _, entry in ipairs(section.defined) do list[#list + 1] = full_name(entry) end
    end
    if sections[1] then
      add(out, terminal.wrap(("%s: %s"):format(page, sections[1].title), width))
      if #list > 0 then
        add(out, terminal.lines({{kind = "item", mark = "   ", text = table.concat(list, " ")}},
          width))
      end
    end
  end
  return table.concat(out, "\n")
end

-- locus.help: prints the text about a name or a function of locus, without one what there is. For
-- an unknown name what the search finds is shown, too.
declare.func("help(name:any=nil)", function(name)
  local width = printing.columns_of_line()
  if not pages.all() then print(MISSING) return end
  if name == nil then print(overview(width)) return end
  local query = type(name) == "function" and name_of(name) or name
  if type(query) ~= "string" then
    declare.raise("'name' must be a name or a function of locus, got %s",
      core.internal.describe(name))
  end
  local text, sentence = help.text(query, width)
  print(text or sentence)
  for i, found in ipairs(text and {} or help.search(query)) do
    if i <= 10 then print(("  %s: %s"):format(found.name, found.line)) end
  end
end)

return help
