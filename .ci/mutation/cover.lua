-- SPDX-License-Identifier: MIT
-- Maps lines to the specs that reach them. Each file of specs runs once in the copy `hits`. The
-- blocks that it reached stay in build-mutants/cover/, with its hash and its processor time in
-- seconds.
local copies = require "copies"
local blocks = require "blocks"
local shell = require "shell"
local cover = {}

local FOLDER = copies.FOLDER .. "/cover"
local MOST = 100 -- seconds of processors for one file
-- The distance, in lines, within which a line without code looks for one with code.
local NEAR = 10

cover.BUSTED = 'luajit "$(command -v busted)" --ignore-lua --exclude-tags=cuda,large'
cover.SETTINGS = "LOCUS_SMALL_PIECES=1 LOCUS_NUM_THREADS=2 "

local function hashes()
  local names, found = {}, {}
  for path in copies.must(".", "ls spec/*/*_spec.lua"):gmatch("%S+") do
    names[#names + 1] = path:match("([^/]*)%.lua")
  end
  local i = 0
  for hash in copies.must(".", "git hash-object spec/*/*_spec.lua"):gmatch("%x+") do
    i = i + 1
    found[names[i]] = hash
  end
  return names, found
end

--- Runs one file of specs and notes what it reaches.
function cover.record(name, hash)
  local raw = FOLDER .. "/" .. name .. ".raw"
  os.remove(raw)
  local _, output, seconds = copies.run(copies.FOLDER .. "/hits",
    ("ulimit -t %d; export LOCUS_HITS=$PWD/../cover/%s.raw LUA_INIT=@$PWD/.ci/mutation/hits.lua\n"
      .. "%s timeout %d %s spec/*/%s.lua"):format(MOST, name, cover.SETTINGS, 10 * MOST,
      cover.BUSTED, name))
  local reached = copies.must(FOLDER, ("touch %s.raw; LC_ALL=C sort -u %s.raw"):format(name, name))
  os.remove(raw)
  copies.must(".", ("rm -f %s/good/*-%s"):format(copies.FOLDER, name)) -- asked for again
  shell.write(FOLDER .. "/" .. name .. ".log", output)
  shell.write(FOLDER .. "/" .. name, ("%s %.2f\n%s"):format(hash, seconds, reached))
end

--- Runs the files of specs that are new or changed.
function cover.make()
  local names, hash = hashes()
  local wanted = {}
  copies.must(".", "mkdir -p " .. FOLDER)
  for _, name in ipairs(names) do
    local known = shell.read(FOLDER .. "/" .. name)
    if not known or known:match("^%x+") ~= hash[name] then
      wanted[#wanted + 1] = name .. " " .. hash[name]
    end
  end
  if #wanted == 0 then return end
  print(("what %d files of specs reach"):format(#wanted))
  io.flush()
  shell.write(FOLDER .. "/wanted.list", table.concat(wanted, "\n") .. "\n")
  copies.must(".", 'xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 2 luajit .ci/mutants cover <'
    .. FOLDER .. "/wanted.list")
end

-- The specs, cheapest first, with the set of blocks that each reaches, by block.
local function read_all()
  local specs, by_block = {}, {}
  for _, name in ipairs((hashes())) do
    local text = assert(shell.read(FOLDER .. "/" .. name), name)
    local seconds = tonumber(text:match("^%x+ ([%d.]+)"))
    specs[#specs + 1] = { name = name, seconds = seconds, text = text }
  end
  table.sort(specs, function(a, b) return a.seconds < b.seconds end)
  for i, spec in ipairs(specs) do
    for block in spec.text:match("\n(.*)$"):gmatch("[^\n]+") do
      local list = by_block[block] or {}
      by_block[block] = list
      list[#list + 1] = i
    end
    spec.text = nil
  end
  return specs, by_block
end

local map = {}
map.__index = map

--- The map of all files.
function cover.load()
  local self = setmetatable({ lines = {}, files = {} }, map)
  local by_block
  self.specs, by_block = read_all()
  for block, places in pairs(blocks.read(copies.FOLDER .. "/hits")) do
    for _, place in ipairs(places) do
      local path = place:match("^(.*):")
      local line, file = self.lines[place] or {}, self.files[path] or {}
      self.lines[place], self.files[path] = line, file
      for _, i in ipairs(by_block[block] or {}) do line[i], file[i] = true, true end
    end
  end
  return self
end

--- The specs to run for a line, as a list of { name, seconds }: those named after the file, then
--- the others, cheapest first. A line without code, as of a macro or a table, has those of the
--- lines around it and then of its file, or of the files that include it.
function map:specs_of(path, line, includers)
  local list, listed, base = {}, {}, path:match("([%w_]+)%.%w+$")
  local function add(set)
    local first = #list + 1
    for i, spec in ipairs(self.specs) do
      if set and set[i] and not listed[i] then
        local place = #list + 1
        if spec.name == base .. "_spec" then place = first end
        table.insert(list, place, spec)
        listed[i] = true
      end
    end
  end
  local own = self.lines[path .. ":" .. line]
  if own then
    add(own)
    return list
  end
  for step = 1, NEAR do
    add(self.lines[path .. ":" .. line - step])
    add(self.lines[path .. ":" .. line + step])
  end
  add(self.files[path])
  for _, file in ipairs(includers) do add(self.files[file]) end
  return list
end

return cover
