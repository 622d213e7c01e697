-- SPDX-License-Identifier: MIT
-- The kinds of values that locus has made, and the methods and fields of each.
local core = require "locus.core"
local lazy = require "locus.call.lazy"

local kinds = {}

local function of_module(name, place)
  return function()
    local found = lazy(name)
    return place and found[place] or found
  end
end

-- By the getmetatable of a value: its word in the help, its methods, its fields.
local KNOWN = {
  ["frame"] = {word = "frame", methods = of_module("locus.frame.frame", "methods"),
               fields = {"bad"}},
  ["string column"] = {word = "strings", methods = of_module("locus.frame.strings", "methods"),
                       fields = {"ids", "names", "device", "dtype"}},
  ["group"] = {word = "group", methods = of_module("locus.frame.group", "methods"),
               fields = {"keys", "ids"}},
  ["generator"] = {word = "generator", methods = of_module("locus.derived.generator", "methods")},
  ["writer"] = {word = "writer", methods = of_module("locus.files.writer")},
  ["connection"] = {word = "connection",
                    methods = of_module("locus.sql.connection", "methods")},
  ["search index"] = {word = "index", methods = function()
    return {searchsorted = core.searchsorted}
  end},
  ["a stream"] = {word = "stream", methods = function() return core.streams end,
                  fields = {"device", "cuda_stream"}},
  ["an event"] = {word = "event", methods = function() return core.events end,
                  fields = {"device"}},
}

local TENSOR = {word = "tensor", methods = function() return core.methods end,
                fields = {"T", "device", "dtype", "ndim", "shape"}}

-- Builders are of two kinds, of a column and of a frame, with methods of their own.
local function of_builder(value)
  local methods = debug.getmetatable(value).__index
  if type(methods) ~= "table" then return nil end -- of somebody who says so, too
  return {word = "builder", methods = function() return methods end}
end

-- {word, methods, fields}: methods() is a table of functions by name, fields a list of names. Nil
-- for values that are not of locus.
function kinds.of(value)
  if type(value) ~= "userdata" then return nil end
  if core.is_tensor(value) then return TENSOR end
  local said = getmetatable(value)
  if said == "builder" then return of_builder(value) end
  return KNOWN[said]
end

kinds.tensor = TENSOR
kinds.frame = KNOWN.frame

-- The method of that name; tables of methods raise where they have none.
function kinds.method(kind, name) return rawget(kind.methods(), name) end

-- The names of a frame's columns.
function kinds.columns(value)
  if getmetatable(value) ~= "frame" then return {} end
  local state = lazy("locus.frame.frame").state(value)
  return state and state.names or {} -- somebody else's may say so, too
end

return kinds
