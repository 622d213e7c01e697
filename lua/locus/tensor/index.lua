-- SPDX-License-Identifier: MIT
-- t[...]: the meaning of the brackets. A string is a method or a field; a number, a tensor or a
-- table of numbers, ranges and tensors is an index. Elements take the short path of element.lua,
-- views and the elements that one index tensor names that of slice.lua, the rest goes through the
-- core.
local declare = require "locus.call.declare"
local registry = require "locus.call.registry"
local element = require "locus.tensor.element"
local handle = require "locus.tensor.handle".type
local slice = require "locus.tensor.slice"
local ffi = handle and require "ffi"

-- Gives tensors their brackets, # and iter; resolve(t, name) answers t.name.
return function(core, metatable, resolve)
  local internal, events = core.internal, registry.once(metatable)
  local get, set = element(internal, metatable)
  local view, take = slice(internal, metatable)
  local index, index_put = internal.index, internal.index_put
  local size, ndim = core.methods.size, core.methods.dim

  function events.__index(t, key)
    local kind = type(key)
    if kind == "string" then return resolve(t, key) end
    if get and (kind == "number" or kind == "table") then
      local value = get(t, key)
      if value ~= nil then return value end
      value = view(t, key)
      if value ~= nil then return value end
    elseif take and kind == "userdata" then
      local value = take(t, key)
      if value ~= nil then return value end
    end
    return index(t, key)
  end

  function events.__newindex(t, key, value)
    local kind = type(key)
    if kind == "string" then
      internal.raise(("index: a tensor's '%s' cannot be set; t[...] takes positions"):format(key))
    end
    if set and (kind == "number" or kind == "table") and set(t, key, value) then return end
    index_put(t, key, value)
  end

  function events.__len(t)
    if handle and getmetatable(t) == metatable then
      local tensor = ffi.cast(handle, t).tensor
      if tensor.ndim > 0 and tensor.storage ~= nil then return tonumber(tensor.size[0]) end
    end
    if ndim(t) == 0 then internal.raise("#: a 0-d tensor has no size") end
    return size(t, 1)
  end

  function events.__call()
    internal.raise("a tensor cannot be called; write x[i], or for i, v in x:iter() do")
  end

  -- Called where LuaJIT was built with Lua 5.2's features; others raise a sentence of their own.
  function events.__pairs()
    internal.raise("pairs and ipairs take no tensor; write for i, v in x:iter() do")
  end
  events.__ipairs = metatable.__pairs

  -- for i, v in x:iter() do: the positions of the first dimension, counted from base (1, or 0 with
  -- {base = 0}), and the part at each, a Lua value when x is 1-D and a view otherwise.
  declare.method("iter(input:tensor, {base=1})", function(input, base)
    if ndim(input) == 0 then
      declare.raise("'input' must have dimensions, got a 0-d tensor")
    end
    local last = size(input, 1) + base - 1
    return function(x, i)
      if not i then internal.raise("iter: is for loops; write for i, v in x:iter() do") end
      if i < last then return i + 1, x[i + 2 - base] end
    end, input, base - 1
  end)
end
