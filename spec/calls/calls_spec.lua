-- SPDX-License-Identifier: MIT
-- spec/ops has a row of every public function, with a small call or the reason for none, and each
-- function without an oracle has specs that know its answers.
local core = require "locus.core"
local locus = require "locus"
local ops = require "spec.ops"
local support = require "spec.support"

-- By name; a method of what is made of tensors is "frame:sort".
local function functions()
  local names = {}
  local function add(part, prefix)
    for name, value in pairs(part) do
      if type(value) == "function" then names[prefix .. name] = true end
    end
  end
  add(locus, "")
  add(core.methods, "")
  add(core.metatable, "")
  for _, object in ipairs(require "spec.support.calls.objects") do
    add(object.methods, object.prefix)
  end
  return names
end

local function sorted(set)
  local list = {}
  for name in pairs(set) do list[#list + 1] = name end
  table.sort(list)
  return list
end

describe("spec/ops", function()
  it("calls every public function, but those that need no call", function()
    local covered, excused, missing = {}, {}, {}
    for _, entry in ipairs(ops.rows) do
      if entry.row[2] then covered[entry.name] = true end
      if entry.row.uncalled then excused[entry.name] = true end
    end
    for name in pairs(functions()) do
      local operator = name:find("^__") -- which layouts_spec asks for
      if not (operator or covered[name] or excused[name]) then missing[name] = true end
      if covered[name] and excused[name] then missing["no reason for " .. name] = true end
    end
    assert.same({}, sorted(missing), "spec/ops has no call of")
  end)

  it("has an oracle of each #once, or says which specs know its answers", function()
    local known, missing = {}, {}
    local oracles = support.run([[
      for _, file in ipairs {"elementwise", "selecting", "ordering", "reducing"} do
        for name in pairs(require("fuzz.callers.known." .. file)) do print(name) end
      end]], {CALL_FOLDER = "/nowhere"})
    for name in oracles:gmatch("[%w_]+") do known[name] = true end
    for _, entry in ipairs(ops.rows) do
      local row, answers = entry.row, ops.families[entry.family].answers
      known[entry.name] = known[entry.name] or answers or row.answers or row.alike
    end
    for _, entry in ipairs(ops.rows) do
      local name = entry.name
      local there = known[name] or known[name:gsub("_$", "")] or name:find("^__")
      if not there then missing[name] = true end
    end
    assert.same({}, sorted(missing), "spec/ops has neither an oracle nor `answers` of")
  end)

  it("names functions that are there", function()
    local known, unknown = functions(), {}
    for _, entry in ipairs(ops.rows) do
      if not known[entry.name] then unknown[entry.name] = true end
    end
    assert.same({}, sorted(unknown))
  end)

  it("has one row of each form of a function", function()
    local seen, twice = {}, {}
    for _, call in ipairs(ops.calls) do
      if seen[call.name] then twice[call.name] = true end
      seen[call.name] = true
    end
    assert.same({}, sorted(twice))
  end)
end)
