-- SPDX-License-Identifier: MIT
-- What the files of lua/locus/meta tell editors of a function's parameters is what it takes.
local core = require "locus.core"
local declare = require "locus.call.declare"
local locus = require "locus"
require "locus.mpi" -- defines what is otherwise defined when it is first asked for
local sharded = require "locus.sharded.object"

local meta = require "spec.support.docs.meta"

local fields, aliases = meta.fields, meta.aliases

-- The fields of a class of named arguments, as a sorted list.
local function class_names(class)
  local list = {}
  if not class then return "" end
  for field in pairs(fields[class] or {["no class " .. class] = ""}) do
    list[#list + 1] = field
  end
  table.sort(list)
  return table.concat(list, " ")
end

-- "input dim? {base out}", as meta.lua has it.
local function in_meta(type)
  local inside = (aliases[type] or type):match("^fun(%b())")
  local words, named = {}, ""
  for name, optional, of in inside:sub(2, -2):gmatch("([%w_.]+)(%??):? ?([^,]*)") do
    if name == "named" then
      named = class_names(of)
    elseif name == "..." then -- more sizes, then the named ones
      named = class_names(of:match("|(locus.[%w_.]+)"))
    else
      words[#words + 1] = name .. optional
    end
  end
  return table.concat(words, " ") .. " {" .. named .. "}"
end

-- The same, as the function says it.
local function declared(params)
  local words, named = {}, {}
  for _, param in ipairs(params) do
    if param.named then
      named[#named + 1] = param.name
    else
      local name = param.name == "end" and "last" or param.name -- a keyword is no name in meta.lua
      words[#words + 1] = name .. (param.optional and "?" or "")
    end
  end
  table.sort(named)
  return table.concat(words, " ") .. " {" .. table.concat(named, " ") .. "}"
end

-- The functions of a class whose parameters differ, and how many there are that have any.
local function differing(class, functions)
  local list, count = {}, 0
  for name, meta_type in pairs(fields[class]) do
    local f = rawget(functions, name)
    local typed = meta_type == "locus.Typed" -- takes any table as data
    local params = not typed and type(f) == "function" and declare.parameters(f)
    if params then
      count = count + 1
      local told, taken = in_meta(meta_type), declared(params)
      if told ~= taken then
        list[#list + 1] = ("%s: meta.lua has %s, it takes %s"):format(name, told, taken)
      end
    end
  end
  table.sort(list)
  return list, count
end

describe("meta/bound.lua #host #once", function()
  it("is what .ci/meta writes of the functions in C", function()
    local file = assert(io.open("lua/locus/meta/bound.lua"))
    local text = file:read("*a")
    file:close()
    assert(text == dofile(".ci/meta.lua"), "lua/locus/meta/bound.lua is not current: run .ci/meta")
  end)
end)

describe("meta.lua has the parameters #host #once", function()
  it("of the module's functions", function()
    local found, count = differing("locus", locus)
    assert.same({}, found)
    assert.is_true(count > 90, count)
    assert.same({}, (differing("locus.Memory", locus.memory)))
    assert.same({}, (differing("locus.Cuda", locus.cuda)))
    assert.same({}, (differing("locus.Mpi", locus.mpi)))
  end)

  it("of methods", function()
    local found, count = differing("locus.Tensor", core.methods)
    assert.same({}, found)
    assert.is_true(count > 120, count)
    assert.same({}, (differing("locus.Stream", core.streams)))
    assert.same({}, (differing("locus.Event", core.events)))
    local of_sharded, methods = differing("locus.Sharded", sharded.methods)
    assert.same({}, of_sharded)
    assert.is_true(methods > 20, methods)
  end)

  it("of the methods of what is made of tensors", function()
    for _, object in ipairs(require "spec.support.calls.objects") do
      local found, count = differing(object.class, object.methods)
      assert.same({}, found)
      assert.is_true(count > 1, object.class)
    end
  end)
end)
