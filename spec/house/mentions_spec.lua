-- SPDX-License-Identifier: MIT
-- Each public function and each of its options is written where its answers are known, in a spec,
-- and where users read of changes, in CHANGELOG.md.
local core = require "locus.core"
local declare = require "locus.call.declare"
local objects = require "spec.support.calls.objects"
local ops = require "spec.ops"
local pages = require "spec.support.docs.pages"
local public = require "spec.support.calls.public"

local function add_words(words, text)
  for word in text:gmatch("[%a_][%w_]*") do words[word] = true end
  return words
end

local function own_name(name) return name:match("[%w_]+$") end

-- The specs by name, without comments: {words=, text=}. The table of calls is none.
local specs = {}
local pipe = io.popen "find spec -name '*.lua' ! -path 'spec/ops/*' ! -path 'spec/support/docs/*'"
for path in pipe:lines() do
  local text = pages.read(path):gsub("%-%-[^\n]*", "")
  specs[own_name((path:gsub("%.lua$", "")))] = {text = text, words = add_words({}, text)}
end
pipe:close()

local function sorted(set)
  local list = {}
  for name in pairs(set) do list[#list + 1] = name end
  table.sort(list)
  return list
end

-- Specs of all makers and all ops have these, which they write with whatever they call.
local OF_ALL = {out = true, dtype = true, device = true, generator = true}

-- Whether a spec that names the function gives it the option.
local function has_spec(name, option)
  for _, spec in pairs(specs) do
    if spec.words[own_name(name)] and spec.text:find("%f[%w_]" .. option .. "%s*=") then
      return true
    end
  end
  return false
end

-- Objects that hold tensors: a word elsewhere may be the name of a method of one.
local OBJECTS = {}
for _, object in ipairs(objects) do OBJECTS[object.prefix:sub(1, -2)] = true end

describe("a public function #once #host", function()
  it("whose answers specs know stands in one of those that spec/ops names", function()
    local missing, count = {}, 0
    for _, entry in ipairs(ops.rows) do
      local answers = entry.row.answers or ops.families[entry.family].answers
      if type(answers) == "string" and not entry.name:find("^__") then
        local found = false
        for name in answers:gmatch("[%w_]+_spec") do
          assert.truthy(specs[name], "spec/ops names a spec that is not there: " .. name)
          found = found or specs[name].words[own_name(entry.name)]
        end
        count = count + 1
        if not found then missing[entry.name .. " is in none of " .. answers] = true end
      end
    end
    assert.same({}, sorted(missing))
    assert.is_true(count > 150, count)
  end)

  it("has a spec of each option that goes by name", function()
    local missing, count = {}, 0
    for _, entry in ipairs(public) do
      for _, param in ipairs(declare.parameters(entry.f) or {}) do
        if param.named and not OF_ALL[param.name] then
          count = count + 1
          if not has_spec(entry.name, param.name) then
            missing[entry.name .. "/" .. param.name] = true
          end
        end
      end
    end
    assert.same({}, sorted(missing), "no spec gives these options")
    assert.is_true(count > 200, count)
  end)

  it("and the words of its options stand in CHANGELOG.md", function()
    local missing, told, methods = {}, {}, {}
    for span in pages.read("CHANGELOG.md"):gmatch("`([^`]+)`") do
      add_words(told, span)
      for method in span:gmatch(":([%a_][%w_]*)") do methods[method] = true end
    end
    for _, entry in ipairs(public) do
      local name = own_name(entry.name)
      local there = told[name] or told[name:gsub("_$", "")] or told[name:gsub("_like$", "")]
      if OBJECTS[entry.kind] then there = methods[name] end
      if not there then missing[entry.name] = true end
      for _, param in ipairs(declare.parameters(entry.f) or {}) do
        if param.named and not told[param.name] then missing[param.name] = true end
      end
    end
    for _, row in ipairs(core.internal.text_types()) do
      if not told[row.word] then missing[row.word] = true end
    end
    assert.same({}, sorted(missing), "CHANGELOG.md does not name")
  end)
end)
