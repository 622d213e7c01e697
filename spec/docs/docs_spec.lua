-- SPDX-License-Identifier: MIT
-- Runs every Lua block of README.md and docs/*.md, with `locus` at hand. In a ```lua block, what is
-- printed must be what the `-->` comments say, line by line. In a plain block whose lines start
-- with "locus> ", each is typed at the prompt, and what it shows must be the lines that follow. And
-- the headings of the docs name every function, method and field that there is.

local locus = require "locus"
require "locus.mpi" -- defines what is otherwise defined when it is first asked for
local core = require "locus.core"
local objects = require "spec.support.calls.objects"
local pages = require "spec.support.docs.pages"
local support = require "spec.support"

local read = pages.read

-- One session, which docs_guide_spec.lua runs, what mpi_spec.lua runs on several ranks, and what
-- sql_databases_spec.lua runs where there are drivers.
local ELSEWHERE = {["docs/guide.md"] = true, ["docs/mpi.md"] = true, ["docs/databases.md"] = true}

local function all_pages()
  local list = {"README.md"}
  local pipe = io.popen("ls docs/*.md")
  for path in pipe:lines() do list[#list + 1] = path end
  pipe:close()
  return list
end

local environment, run, trim = pages.environment, pages.run, pages.trim

local function check(expected, printed)
  for i, line in ipairs(printed) do
    printed[i] = trim(support.nowhere(line):gsub(support.device, "cpu"))
  end
  assert.same(expected, printed)
end

local function run_script(block, name)
  local env, printed = environment()
  run(("\n"):rep(block.line) .. table.concat(block.lines, "\n"), name, env)
  check(pages.said(block), printed)
end

-- "     > " goes on with what has begun.
local function run_prompt(block)
  local printed, expected, typed = {}, {}, ""
  local run_typed = require "spec.support.programs.prompt"()
  for i, line in ipairs(block.lines) do
    local new, more = line:match("^locus> (.*)$"), line:match("^     > (.*)$")
    typed = new or more and typed .. "\n" .. more or typed
    local goes_on = (block.lines[i + 1] or ""):find("^     > ")
    if (new or more) and not goes_on then
      for shown in run_typed(typed):gmatch("(.-)\n") do printed[#printed + 1] = shown end
    end
    if not new and not more then expected[#expected + 1] = trim(line) end
  end
  check(expected, printed)
end

-- Whether a block is about pointers, the CPU's memory, or what an index takes there.
local function about_host(block)
  local text = table.concat(block.lines, "\n")
  for _, word in ipairs {":data()", "from_ptr", "locus.memory", "live_bytes", " bytes]"} do
    if text:find(word, 1, true) then return true end
  end
end

describe("the examples of", function()
  for _, path in ipairs(all_pages()) do
    local count = 0
    for _, block in ipairs(ELSEWHERE[path] and {} or pages.blocks(read(path))) do
      local first = block.tag == "" and block.lines[1] or ""
      local runner = block.tag == "lua" and run_script or first:find("^locus> ") and run_prompt
      if runner then
        count = count + 1
        local tag = path == "docs/cuda.md" and " #cuda" or about_host(block) and " #host" or ""
        it(path .. ":" .. block.line .. " do what they say" .. tag, function()
          runner(block, path)
        end)
      end
    end
    if path == "README.md" or path == "docs/api.md" or path == "docs/tensor.md"
      or path == "docs/ops.md" then
      it(path .. " are there", function() assert.is_true(count > 0) end)
    end
  end
end)

-- The names in backticks of the "### `name` `other`" headings of a page.
local function add_headings(path, names)
  for heading in ("\n" .. read(path)):gmatch("\n### ([^\n]+)") do
    for name in heading:gmatch("`([%w_.]+)`") do names[name] = path end
  end
end

-- The names of those classes in the files of lua/locus/meta: "---@field name ...".
local function class_names(...)
  local names, wanted, own = {}, {}, false
  for _, class in ipairs {...} do wanted[class] = true end
  local text = ""
  for _, path in ipairs(require "spec.support.docs.meta_files") do text = text .. read(path) end
  for line in text:gmatch("[^\n]+") do
    local started = line:match("^%-%-%-@class ([%w_.]+)")
    if started then own = wanted[started] end
    local name = line:match("^%-%-%-@field ([%w_]+)")
    if own and name then names[name] = "lua/locus/meta/locus.lua" end
  end
  return names
end

local function documented()
  local names = {}
  for _, path in ipairs(all_pages()) do add_headings(path, names) end
  return names
end

local function missing_from(names, known)
  local missing = {}
  for name in pairs(known) do
    if not names[name] then missing[#missing + 1] = name end
  end
  table.sort(missing)
  return missing
end

local function unknown_in(names, exists)
  local unknown = {}
  for name, path in pairs(names) do
    if not exists(name) then unknown[#unknown + 1] = path .. ": " .. name end
  end
  table.sort(unknown)
  return unknown
end

-- The names of the module: a table's functions as "table.name".
local function module_names()
  local names = {}
  for name, value in pairs(locus) do
    local group = type(value) == "table" and name ~= "methods"
    if not group then names[name] = true end
    for key in pairs(group and value or {}) do names[name .. "." .. key] = true end
  end
  return names
end

local function of_module(name) return rawget(locus, name) ~= nil end

local function of_memory(name) return rawget(locus.memory, name) ~= nil end

local function of_cuda(name) return rawget(locus.cuda, name) ~= nil end

local function of_mpi(name) return rawget(locus.mpi, name) ~= nil end

local function of_tensor(name)
  return (pcall(function() return locus.zeros(1)[name] end))
end

describe("the headings of the docs", function()
  it("name every function, constant and method", function()
    assert.same({}, missing_from(documented(), module_names()))
    assert.same({}, missing_from(documented(), core.methods))
    for _, object in ipairs(objects) do
      assert.same({}, missing_from(documented(), object.methods))
    end
  end)

  it("name nothing else", function()
    local known = module_names()
    for _, object in ipairs(objects) do
      for name in pairs(object.methods) do known[name] = true end
      for name in object.fields:gmatch("%S+") do known[name] = true end
    end
    local function exists(name) return known[name] or of_tensor(name) end
    assert.same({}, unknown_in(documented(), exists))
  end)
end)

describe("spec/README.md", function()
  it("is what .ci/rooms writes", function()
    local path = package.path
    package.path = ".ci/?.lua;" .. path
    local page = require("rooms").page()
    package.path = path
    assert.is_true(page == read("spec/README.md"), "run .ci/rooms")
  end)
end)

describe("meta.lua", function()
  it("has the names of the module and of tensors and no others", function()
    assert.same({}, missing_from(class_names("locus", "locus.Shared"), locus))
    assert.same({}, unknown_in(class_names("locus", "locus.Shared"), of_module))
    assert.same({}, missing_from(class_names("locus.Memory"), locus.memory))
    assert.same({}, unknown_in(class_names("locus.Memory"), of_memory))
    assert.same({}, missing_from(class_names("locus.Cuda"), locus.cuda))
    assert.same({}, unknown_in(class_names("locus.Cuda"), of_cuda))
    assert.same({}, missing_from(class_names("locus.Mpi"), locus.mpi))
    assert.same({}, unknown_in(class_names("locus.Mpi"), of_mpi))
    assert.same({}, missing_from(class_names("locus.Tensor", "locus.Shared"), core.methods))
    assert.same({}, unknown_in(class_names("locus.Tensor", "locus.Shared"), of_tensor))
  end)

  it("has the methods and fields of what is made of tensors and no others", function()
    for _, object in ipairs(objects) do
      local known, named = {}, class_names(object.class)
      for name in pairs(object.methods) do known[name] = true end
      for name in object.fields:gmatch("%S+") do known[name] = true end
      assert.same({}, missing_from(named, known))
      assert.same({}, unknown_in(named, function(name) return known[name] end))
    end
  end)
end)
