-- SPDX-License-Identifier: MIT
-- The arguments with which spec/ops calls public functions: by "tensor:sort" or
-- "frame:sort" a list of {n =, ...}. Tensors among them are copies from before the call.
local core = require "locus.core"
local calls = require("spec.ops").calls
local declare = require "locus.call.declare"
local locus = require "locus"
local objects = require "spec.support.calls.objects"

local recorded = {}

-- All files of functions are loaded before: these put them into the tables.
local loaders = {}
for _, load in pairs(declare.later) do loaders[#loaders + 1] = load end
for _, load in ipairs(loaders) do load() end

local tables = {{locus, "tensor:"}, {core.methods, "tensor:"}}
for _, object in ipairs(objects) do tables[#tables + 1] = {object.methods, object.prefix} end

-- Functions that take over an argument or give a result to take over, once: they are not called
-- again.
local TAKES_OVER = {to_dlpack = true, from_dlpack = true, from_arrow = true,
                    from_arrow_stream = true}

local clone, is_tensor = core.methods.clone, core.is_tensor

local function copied(...)
  local args = {n = select("#", ...), ...}
  for i = 1, args.n do
    if is_tensor(args[i]) then args[i] = clone(args[i]) end
  end
  return args
end

-- Puts functions in the place of all in the table that note their arguments; gives those it had.
local function watch(functions, prefix)
  local before = {}
  for name, f in pairs(functions) do
    if type(f) == "function" and not TAKES_OVER[name] then before[name] = f end
  end
  for name, f in pairs(before) do
    local list = recorded[prefix .. name] or {}
    recorded[prefix .. name] = list
    functions[name] = function(...)
      if #list < 30 then list[#list + 1] = copied(...) end
      return f(...)
    end
  end
  return before
end

local function run(entry)
  local before = {}
  for i, each in ipairs(tables) do before[i] = watch(each[1], each[2]) end
  local ok, message = pcall(function() entry.call(locus, entry.make(locus)) end)
  for i, each in ipairs(tables) do
    for name, f in pairs(before[i]) do each[1][name] = f end
  end
  assert(ok, message)
end

for _, entry in ipairs(calls) do
  if entry.calls then run(entry) end
end

-- The same arguments with another value for one parameter, in the place that it has or by name.
function recorded.with(args, params, i, value)
  local list, n = {unpack(args, 1, args.n)}, args.n
  local last = list[n]
  local named = type(last) == "table" and type(next(last, #last > 0 and #last or nil)) == "string"
  if not params[i].named and i <= n - (named and 1 or 0) then
    list[i] = value
  else
    local names = {}
    for key, given in pairs(named and last or {}) do names[key] = given end
    names[params[i].name] = value
    n = named and n or n + 1
    list[n] = names
  end
  list.n = n
  return list
end

return recorded
