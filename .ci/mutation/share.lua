-- SPDX-License-Identifier: MIT
-- A share of the mutants. In a copy of the tree one mutant after the other is built, compiling only
-- what it touches, and run against the specs that reach it.
local copies = require "copies"
local cover = require "cover"
local mutate = require "mutate"
local shell = require "shell"
local share = {}
share.__index = share

local TREE = copies.FOLDER .. "/tree"
local GOOD = copies.FOLDER .. "/good"

-- The environment of a build's specs, and how often the usual seconds of a spec it may take.
local BUILDS = {
  build = { prefix = "ulimit -v 8000000; ", slower = 10 },
  ["build-asan"] = {
    prefix = "export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:quarantine_size_mb=16:"
      .. "hard_rss_limit_mb=6000; export LD_PRELOAD=$(cc -print-file-name=libasan.so); ",
    slower = 40,
  },
}

local function plain(text) return (text:gsub("%p", "%%%0")) end

-- The compile command of each object of core.so, by its name, and the sources that it depends on.
local function objects_of(build)
  local here = copies.must(".", "pwd"):match("[^\n]+") .. "/" .. TREE
  local found, link = {}, shell.read(TREE .. "/" .. build .. "/CMakeFiles/core.dir/link.txt")
  local text = shell.read(TREE .. "/" .. build .. "/compile_commands.json")
  for command in text:gmatch('"command": "(.-)",\n') do
    local object = command:match(" %-o (%S+)")
    if link:find(object, 1, true) then
      local needs = {}
      for path in shell.read(("%s/%s/%s.d"):format(TREE, build, object)):gmatch("%S+") do
        local own = path:match("^" .. plain(here) .. "/(.*)$")
        if own then needs[own] = true end
      end
      found[object] = { needs = needs, command = command:gsub('\\"', '"'):gsub("\\\\", "\\")
        :gsub(plain(here), "$PWD"):gsub(" %-o %S+", " -Werror -o ") }
    end
  end
  return found, link
end

--- The share of that number, with the map of the specs.
function share.new(number, map)
  local self = setmetatable({ map = map, objects = {}, link = {} }, share)
  self.name = "share-" .. number
  self.folder = copies.FOLDER .. "/" .. self.name
  copies.must(".", ("rm -rf %s; mkdir -p %s"):format(self.folder, GOOD))
  copies.fill(self.name)
  self.here = copies.must(self.folder, "pwd"):match("[^\n]+")
  for build in pairs(BUILDS) do
    self.objects[build], self.link[build] = objects_of(build)
    copies.must(self.folder, ("ln -s ../tree/%s %s"):format(build, build))
  end
  copies.must(self.folder, "mkdir -p build-mutant/objects build-mutant/locus && "
    .. "ln -s ../../build/locus/mpi.so build-mutant/locus/")
  return self
end

function share:path(path) return self.folder .. "/" .. path end

-- Builds core.so with what has changed in that source: ill, same, or nil where there is something
-- to run.
function share:compile(path, build)
  local script, link, same = { "set -e; rm -f build-mutant/objects/*" }, self.link[build], {}
  for object, how in pairs(self.objects[build]) do
    if how.needs[path] then
      local own = "build-mutant/objects/" .. object:gsub("/", "-")
      script[#script + 1] = how.command:gsub(" %-o ", function() return " -o " .. own .. " " end)
      same[#same + 1] = ("cmp -s %s %s/%s"):format(own, build, object)
      link = link:gsub(plain(object), function() return self.here .. "/" .. own end, 1)
    end
  end
  if #same == 0 then return "same" end
  if copies.run(self.folder, table.concat(script, "\n")) ~= 0 then return "ill" end
  if copies.run(self.folder, table.concat(same, " && ")) == 0 then return "same" end
  link = link:gsub("%-o locus/core%.so", function()
    return "-o " .. self.here .. "/build-mutant/locus/core.so"
  end)
  copies.must(TREE .. "/" .. build, link)
end

-- Builds what a mutant has changed.
function share:build(mutant, before, after, build)
  if not mutant.path:find("%.lua$") then return self:compile(mutant.path, build) end
  local changed = loadstring(after, "@" .. mutant.path)
  if not changed then return "ill" end
  if string.dump(changed, true) == string.dump(loadstring(before, "@" .. mutant.path), true) then
    return "same"
  end
end

-- Runs one file of specs against a folder that is built as `build` is: how it failed, or nil; and
-- the seconds that it took.
function share:spec(spec, folder, build)
  local prefix, slower = BUILDS[build].prefix, BUILDS[build].slower
  local most = math.ceil(5 + slower * spec.seconds)
  local status, output, seconds = copies.run(self.folder,
    ("%sulimit -t %d; LOCUS_BUILD=%s %s timeout -k 5 %d %s --no-keep-going spec/*/%s.lua"):format(
      prefix, most, folder, cover.SETTINGS, 60 + 10 * most, cover.BUSTED, spec.name))
  local how = "a spec"
  if status == 0 and output:find("%d+ success[es]* / 0 failures / 0 errors") then
    how = nil
  elseif status == 124 or status == 137 or status == 152 then
    how = "a hang"
  elseif status > 128 then
    how = "a crash"
  end
  return how, seconds
end

-- Whether specs pass without a mutant, asked once, or again if they fail. Specs that never pass
-- prove nothing.
function share:passes(spec, build)
  local path = ("%s/%s-%s"):format(GOOD, build, spec.name)
  local known = shell.read(path)
  if not known then
    known = (not self:spec(spec, build, build) or not self:spec(spec, build, build)) and "passes"
      or "fails"
    shell.write(path, known)
  end
  return known == "passes"
end

-- The first spec that fails, and how, of those that `seconds` are enough for.
function share:kill(mutant, texts, list, build, seconds)
  local folder = mutant.path:find("%.lua$") and build or "build-mutant"
  local spent, passed = 0, 0
  for _, spec in ipairs(list) do
    local path = ("%s/%s-%s"):format(GOOD, build, spec.name)
    local enough = spent == 0 or spent + spec.seconds <= seconds
    if enough and (shell.read(path) or "passes") == "passes" then
      local how, took = self:spec(spec, folder, build)
      spent = spent + took
      if how then
        shell.write(self:path(mutant.path), texts.before)
        local good = self:passes(spec, build)
        shell.write(self:path(mutant.path), texts.after)
        if good then return how, spec.name, spent end
      end
      passed = passed + (how and 0 or 1)
    end
  end
  return nil, passed, spent
end

-- The files that include that one.
function share:includers(path)
  local list = {}
  for _, how in pairs(self.objects.build) do
    if how.needs[path] then
      for needed in pairs(how.needs) do
        if needed:find("%.c$") then list[#list + 1] = needed end
      end
    end
  end
  return list
end

--- The fate of a mutant: { outcome, spec }. ill and same are none.
function share:judge(mutant, seconds)
  local before = shell.read(mutant.path)
  local texts = { before = before, after = mutate.apply(before, mutant) }
  shell.write(self:path(mutant.path), texts.after)
  local outcome, spec, spent = self:build(mutant, texts.before, texts.after, "build"), nil, 0
  if not outcome then
    local list = self.map:specs_of(mutant.path, mutant.line, self:includers(mutant.path))
    outcome, spec, spent = self:kill(mutant, texts, list, "build", seconds)
    if not outcome and #list > 0 and not mutant.path:find("%.lua$")
      and not self:build(mutant, texts.before, texts.after, "build-asan") then
      local how, name, more = self:kill(mutant, texts, list, "build-asan", 3 * seconds)
      spent = spent + more
      if how then outcome, spec = "a sanitizer", name end
    end
    if not outcome then
      spec = #list == 0 and "no spec comes here"
        or ("%d of %d files of specs ran and pass"):format(spec, #list)
      outcome = "lives"
    end
  end
  shell.write(self:path(mutant.path), texts.before)
  return outcome, spec, spent
end

return share
