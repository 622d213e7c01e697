-- SPDX-License-Identifier: MIT
-- Answers what lua/locus/meta/bound.lua is to hold: what editors should know of the functions that
-- are bound in C, from the parameters that they declare there. `.ci/meta` writes the file;
-- meta_spec asks whether it is current.
local core = require "locus.core"
local declare = require "locus.call.declare"
local locus = require "locus"

local WIDTH = 140
local HEAD = [[
---@meta locus.bound
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of the functions that are bound in C; nothing loads this
-- file. `.ci/meta` writes it from their declarations in src/bind.
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

-- The class of what goes by name alone, and whether all of it may be left out; nil where there is
-- none. Functions share a class of the same fields: it is called by them where they are few, by the
-- function where they are not.
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
      sizes = sizes or param.sizes
    end
  end
  local named, optional = classes:name(params, prefix)
  if sizes then words[#words + 1] = "...: integer" .. (named and "|" .. named or "")
  elseif named then words[#words + 1] = (optional and "named?: " or "named: ") .. named end
  local results = params.results ~= "nil" and ": " .. full(params.results) or ""
  return "fun(" .. table.concat(words, ", ") .. ")" .. results
end

-- Of a table of functions those that say what they take and answer, by name.
local function declared_in(functions, wanted)
  local found = {}
  for name, f in pairs(functions) do
    local bound = type(f) == "function" and declare.declared[f] == nil and not declare.later[f]
    local params = bound and wanted(name) and declare.parameters(f)
    if params and params.results then found[#found + 1] = {name = name, params = params} end
  end
  table.sort(found, function(a, b) return a.name < b.name end)
  return found
end

local function any() return true end
local function shared(name)
  return type(rawget(locus, name)) == "function" and core.methods[name] ~= nil
end

local CLASSES = {
  {"locus.Shared", locus, shared},
  {"locus.Tensor", core.methods, function(name) return not shared(name) end},
  {"locus", locus, function(name) return not shared(name) end},
  {"locus.Memory", locus.memory, any},
  {"locus.Cuda", locus.cuda, any},
  {"locus.Stream", core.streams, any},
  {"locus.Event", core.events, any},
  {"locus.SearchIndex", {searchsorted = core.internal.search_indexed}, any, "index_"},
}

local classes = setmetatable({names = {}, taken = {}, text = ""}, Classes)
local aliases, text = "", ""
for _, row in ipairs(CLASSES) do
  text = text .. ("\n---@class %s\n"):format(row[1])
  for _, found in ipairs(declared_in(row[2], row[3])) do
    local name, type = found.name, type_of(found.params, classes, row[4] or "")
    if #type + #name > WIDTH - #"---@field  " then
      aliases = aliases .. ("---@alias locus.bound.%s\n---| %s\n"):format(name, type)
      type = "locus.bound." .. name
    end
    text = text .. ("---@field %s %s\n"):format(name, type)
  end
end
return HEAD .. classes.text .. "\n" .. aliases .. text
