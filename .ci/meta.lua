-- SPDX-License-Identifier: MIT
-- Returns the text of lua/locus/meta/functions.lua, which tells editors about the public functions.
-- It comes from the parameters that they declare, in src/bind and by lua/locus/call/declare.lua,
-- and from the types in .ci/types.lua. `.ci/meta` writes the file; meta_spec checks that it is
-- current.
local core = require "locus.core"
local declare = require "locus.call.declare"
local locus = require "locus"
require "locus.mpi" -- defines the functions that are otherwise defined at their first use
local objects = require "spec.support.calls.objects"
local sharded = require "locus.sharded.object"
local types = dofile ".ci/types.lua"

local WIDTH = 140
local HEAD = [[
---@meta locus.functions
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of the public functions; nothing loads this file. `.ci/meta`
-- writes it from their declarations, and from the types in .ci/types.lua.
]]

-- Types as src/bind has them, in full: `Table | Dims[]` is `locus.Table|locus.Dims[]`.
local function full(type)
  type = type:gsub(" ?| ?", "|"):gsub(" %*", "*"):gsub(" %[", "[")
  return (type:gsub("%f[%w][A-Z]%w*", "locus.%0"))
end

local REMARKS = {
  base = "what positions count from",
  keep = "the owner of the memory",
  ["locus.Tensor|locus.Tensor[]"] = "a table of two for two results",
}

-- "---@field right? boolean (false)" of a parameter that goes by name alone.
local function field(param)
  local type, otherwise = full(param.type), param.otherwise
  local words = {"---@field", param.name .. (otherwise and "?" or ""), type}
  words[#words + 1] = REMARKS[param.name] or REMARKS[type]
  if otherwise and otherwise ~= "nil" then words[#words + 1] = "(" .. otherwise .. ")" end
  return table.concat(words, " ")
end

-- The types of the results of Lua functions, by name.
local answers = {}
for type, names in pairs(types.results) do
  for name in names:gmatch("%S+") do answers[name] = type end
end

-- A default as Lua writes it.
local function written(value)
  if type(value) ~= "string" then return tostring(value) end
  return '"' .. value:gsub("\n", "\\n"):gsub("\t", "\\t") .. '"'
end

-- The type of a parameter in Lua; self is that of the first one, nil where others may come there.
local function type_in_lua(key, i, param, self)
  local kind = param.name .. ":" .. param.kind
  return i == 1 and self or types.own[key .. "/" .. param.name] or types.names[kind]
    or types.names[param.name] or types.kinds[param.kind]
    or error((".ci/types.lua has no type of '%s' of %s"):format(param.name, key), 0)
end

-- The parameters of a Lua function in the form of a C function's; `key` is its name in
-- .ci/types.lua.
local function from_lua(params, key, self)
  local list = {name = key:gsub("^.*:", ""):gsub("%.", "_"), results = answers[key] or "any"}
  for i, param in ipairs(params) do
    list[i] = {
      name = param.name, named = param.named, optional = param.optional,
      sizes = param.sizes and (types.several[param.kind] or "integer"),
      type = type_in_lua(key, i, param, self),
      otherwise = param.optional and written(param.default) or nil,
    }
  end
  return list
end

-- The class of the arguments by name alone, and whether all of them are optional; nil if there are
-- none. Functions with the same fields share a class. It is named after its fields if they are few,
-- else after the function.
local Classes = {}
Classes.__index = Classes

function Classes:name(params, prefix)
  local lines, names, optional = {}, {}, true
  for _, param in ipairs(params) do
    if param.named then
      lines[#lines + 1], names[#names + 1] = field(param), param.name
      optional = optional and param.otherwise ~= nil
    end
  end
  if #lines == 0 then return nil end
  table.sort(lines)
  table.sort(names)
  local text = table.concat(lines, "\n")
  if not self.names[text] then
    local few = "locus.named." .. table.concat(names, "_")
    local name = #names <= 3 and not self.taken[few] and few
      or "locus.named." .. prefix .. params.name:gsub("%.", "_")
    assert(not self.taken[name], name .. " is there already")
    self.names[text], self.taken[name] = name, true
    self.text = self.text .. ("\n---@class %s\n%s\n"):format(name, text)
  end
  return self.names[text], optional
end

-- "fun(input: locus.Table, dim?: integer, named?: locus.named.sum): any".
local function type_of(params, classes, prefix)
  local words, sizes = {}, false
  for _, param in ipairs(params) do
    if not param.named then
      local name = param.name == "end" and "last" or param.name -- a keyword is no name there
      words[#words + 1] = name .. (param.optional and "?" or "") .. ": " .. full(param.type)
      sizes = sizes or param.sizes and full(param.sizes == true and "integer" or param.sizes)
    end
  end
  local named, optional = classes:name(params, prefix)
  if sizes then words[#words + 1] = "...: " .. sizes .. (named and "|" .. named or "")
  elseif named then words[#words + 1] = (optional and "named?: " or "named: ") .. named end
  local results = params.results ~= "nil" and ": " .. full(params.results) or ""
  return "fun(" .. table.concat(words, ", ") .. ")" .. results
end

-- The functions of a class that declare their parameters, by name.
local function declared_in(class)
  local found = {}
  for name, f in pairs(class.functions) do
    local public = type(f) == "function" and (not class.only or class.only(name))
    local params = public and declare.parameters(f)
    local in_lua = declare.declared[f] or public and declare.later[f]
    if not in_lua and params and not params.results then params = nil end -- written by hand
    if params and in_lua then
      local self = class.self or class.tensors and name:find("_$") and "Tensor" or nil
      params = from_lua(params, (class.key or "") .. name, self)
    end
    if params then found[#found + 1] = {name = name, params = params} end
  end
  table.sort(found, function(a, b) return a.name < b.name end)
  return found
end

local function shared(name)
  return type(rawget(locus, name)) == "function" and core.methods[name] ~= nil
end
local function alone(name) return not shared(name) end

-- A class of functions: `key` begins their names in .ci/types.lua, `prefix` those of their classes.
local CLASSES = {
  {name = "locus.Shared", functions = locus, only = shared, tensors = true},
  {name = "locus.Tensor", functions = core.methods, only = alone, self = "Tensor"},
  {name = "locus", functions = locus, only = alone},
  {name = "locus.Memory", functions = locus.memory},
  {name = "locus.Cuda", functions = locus.cuda},
  {name = "locus.Mpi", functions = locus.mpi, key = "mpi.", prefix = "mpi_"},
  {name = "locus.Sharded", functions = sharded.methods, key = "mpi.", prefix = "sharded_",
   self = "Sharded"},
  {name = "locus.Stream", functions = core.streams},
  {name = "locus.Event", functions = core.events},
  {name = "locus.SearchIndex", functions = {searchsorted = core.internal.search_indexed},
   prefix = "index_"},
}
for _, object in ipairs(objects) do
  local own = object.class:match("%.(.*)$")
  CLASSES[#CLASSES + 1] = {name = object.class, functions = object.methods, key = object.prefix,
                           prefix = own:lower() .. "_", self = own}
end

local classes = setmetatable({names = {}, taken = {}, text = ""}, Classes)
local aliases, text = "", ""
for _, class in ipairs(CLASSES) do
  local prefix = class.prefix or ""
  text = text .. ("\n---@class %s\n"):format(class.name)
  for _, found in ipairs(declared_in(class)) do
    local name, type = found.name, type_of(found.params, classes, prefix)
    if #type + #name > WIDTH - #"---@field  " then
      local alias = "locus.functions." .. prefix .. name
      aliases = aliases .. ("---@alias %s\n---| %s\n"):format(alias, type)
      type = alias
    end
    text = text .. ("---@field %s %s\n"):format(name, type)
  end
end
return HEAD .. classes.text .. "\n" .. aliases .. text
