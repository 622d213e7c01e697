-- SPDX-License-Identifier: MIT
-- The pages of docs/, if they are installed, and their definitions: sections with the names in
-- their headings, and the signature of each name.
local markdown = require "locus.help.markdown"
local signature = require "locus.help.signature"

local pages = {}

-- THE list of pages, in the order in which they are looked through.
pages.names = {
  "api", "tensor", "ops", "reductions", "searching", "by_index", "shape", "missing", "windows",
  "columns", "json", "groups", "times", "chance", "files", "databases", "plot", "prompt", "cuda",
  "mpi", "guide", "cookbook", "traps", "serving",
  "from_torch7", "from_numpy", "differences", "features", "hostile", "versions", "trust",
  "threads", "architecture",
}

-- The owner of a method or field, by its variable in the docs; other variables, and none, mean a
-- tensor or the module.
local KINDS = {
  c = "strings", f = "frame", g = "group", b = "builder", w = "writer",
  win = "windows", generator = "generator",
  index = "index", p = "picture", s = "sketch", db = "connection", stream = "stream",
  event = "event",
}

-- The kind of a variable or a word; nil if it has none.
function pages.kind(word)
  if KINDS[word] then return KINDS[word] end
  for _, kind in pairs(KINDS) do
    if kind == word then return kind end
  end
  return (word == "x" or word == "tensor" or word == "locus") and "tensor" or nil
end

local function kind_of(sig) return KINDS[sig.receiver] or "tensor" end

-- "frame:sort" for a definition of frames, "sort" for one of tensors or the module.
function pages.full_name(entry)
  return entry.kind == "tensor" and entry.name or entry.kind .. ":" .. entry.name
end

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read("*a")
  if file then file:close() end
  return text
end

-- Folders that may have the pages, relative to the folder of the Lua files of locus: in a checkout,
-- as CMake installs them, and as LuaRocks does.
local function folders()
  local here = debug.getinfo(1, "S").source:match("^@(.-)help/pages%.lua$") or "./"
  local list = {here .. "../../docs/", here .. "../../../doc/locus/docs/"}
  for revision = 1, 9 do
    list[#list + 1] = ("%s../../../../lib/luarocks/rocks-5.1/locus/%s-%d/doc/docs/")
      :format(here, require("locus").version, revision)
  end
  return list
end

-- The folder of the pages, or nil.
function pages.folder()
  for _, folder in ipairs(folders()) do
    if read(folder .. pages.names[1] .. ".md") then return folder end
  end
end

-- The code that a paragraph begins with, or each row of a table.
local function first_code(block, f)
  local code = block.kind == "paragraph" and block.text:match("^`([^`]+)`")
  if code then f(code) end
  for _, row in ipairs(block.rows or {}) do
    code = row[1] and row[1]:match("^`([^`]+)`$")
    if code then f(code) end
  end
end

-- Whether a signature is that of a name in a heading, "memory.trim" being written `trim()`, too.
local function is_of(sig, name) return sig.name == name or sig.name == name:match("%.(.*)$") end

-- All signatures that a section's text has, in order.
local function signatures_in(section)
  local list = {}
  for _, block in ipairs(section.blocks) do
    for _, code in ipairs(block.text and markdown.code(block.text) or {}) do
      list[#list + 1] = signature.parse(code)
    end
  end
  return list
end

-- The first one that is of a function in the heading: names without one of their own share it.
local function shared(section, signatures)
  for _, sig in ipairs(signatures) do
    for _, name in ipairs(section.names) do
      if is_of(sig, name) and not sig.field then return sig end
    end
  end
end

-- The names of a section, and the methods whose signatures begin a paragraph or a table's row:
-- entries {name =, kind =, section =, signature = the first or nil, signatures = all of them}, one
-- for each name and kind.
local function define(section)
  local signatures, defined = signatures_in(section), {}
  local function add(name, kind, sig)
    local key = kind .. ":" .. name
    if not defined[key] then
      defined[key] = {name = name, kind = kind, section = section, signature = sig,
                      signatures = {}}
      section.defined[#section.defined + 1] = defined[key]
    end
    table.insert(defined[key].signatures, sig)
  end
  local other = shared(section, signatures)
  for _, name in ipairs(section.names) do
    local before = #section.defined
    for _, sig in ipairs(signatures) do
      if is_of(sig, name) then add(name, kind_of(sig), sig) end
    end
    if #section.defined == before then
      add(name, other and kind_of(other) or "tensor", other and signature.renamed(other, name))
    end
  end
  for _, block in ipairs(section.names[1] and section.blocks or {}) do
    first_code(block, function(code)
      local sig = signature.parse(code)
      if sig and not sig.field and KINDS[sig.receiver] then add(sig.name, kind_of(sig), sig) end
    end)
  end
end

-- The names in backticks in a heading; "f:unique" is the name unique.
local function names_in(heading)
  local list = {}
  for _, code in ipairs(markdown.code(heading)) do
    list[#list + 1] = code:match("^[%w_]+:([%w_]+)$") or code:match("^[%w_.]+$")
  end
  return list
end

-- The sections of a page; the first one is the text before any heading except the page's own. Each
-- is {page, title, level, names, blocks, defined}; those of level 3 have the title of the section
-- of level 2 around them as `above`.
function pages.sections(page, text)
  local list, section, above = {}, nil, nil
  local function begin(level, heading)
    above = level == 3 and above or markdown.plain(heading)
    section = {page = page, title = markdown.plain(heading), level = level, blocks = {},
               names = level == 3 and names_in(heading) or {}, above = above, defined = {}}
    list[#list + 1] = section
  end
  begin(1, page)
  for _, block in ipairs(markdown.blocks(text)) do
    if block.kind == "heading" and block.level < 4 then
      if block.level == 1 and #list == 1 and #section.blocks == 0 then
        section.title = markdown.plain(block.text)
      else
        begin(block.level, block.text)
      end
    else
      section.blocks[#section.blocks + 1] = block
    end
  end
  for _, each in ipairs(list) do define(each) end
  return list
end

-- All sections of all pages, in order; nil if there are no pages. They are read once.
function pages.all()
  local folder = not pages.read and pages.folder()
  if folder then
    pages.read = {}
    for _, page in ipairs(pages.names) do
      local text = read(folder .. page .. ".md")
      for _, section in ipairs(text and pages.sections(page, text) or {}) do
        pages.read[#pages.read + 1] = section
      end
    end
  end
  return pages.read
end

return pages
