-- SPDX-License-Identifier: MIT
-- t[...]: what the brackets mean. A string is a method or a field; a number, a tensor or a table of
-- numbers, ranges and tensors is an index. Elements go the short way of element.lua, the rest
-- through the core.
local element = require "locus.element"

-- The base among iter's options; nil when they are anything else.
local function base_of(options)
  if options == nil then return 1 end
  if type(options) ~= "table" then return nil end
  for key in pairs(options) do
    if key ~= "base" then return nil end
  end
  local base = options.base or 1
  return (base == 0 or base == 1) and base or nil
end

-- Gives tensors their brackets, # and iter; resolve(t, name) answers t.name.
return function(core, metatable, resolve)
  local internal = core.internal
  local get, set = element(internal, metatable)
  local index, index_put, size = internal.index, internal.index_put, core.methods.size

  function metatable.__index(t, key)
    local kind = type(key)
    if kind == "string" then return resolve(t, key) end
    if get and (kind == "number" or kind == "table") then
      local value = get(t, key)
      if value ~= nil then return value end
    end
    return index(t, key)
  end

  function metatable.__newindex(t, key, value)
    local kind = type(key)
    if kind == "string" then
      internal.raise(("index: a tensor's '%s' cannot be set; t[...] takes positions"):format(key))
    end
    if set and (kind == "number" or kind == "table") and set(t, key, value) then return end
    index_put(t, key, value)
  end

  function metatable.__len(t)
    if #size(t) == 0 then internal.raise("#: a 0-d tensor has no size") end
    return size(t, 1)
  end

  -- for i, v in x:iter() do: the positions of the first dimension, from base (1, or 0 with
  -- {base = 0}), and what stands there, a Lua value when x is 1-D and a view otherwise.
  function core.methods.iter(t, options, ...)
    local base = base_of(options)
    if not base or select("#", ...) > 0 then
      internal.raise("iter: takes 'input' and {base = 0} or {base = 1}, no more")
    elseif not core.is_tensor(t) then
      internal.raise("iter: 'input' must be a tensor, got " .. internal.describe(t))
    elseif #size(t) == 0 then
      internal.raise("iter: 'input' must have dimensions, got a 0-d tensor")
    end
    local last = size(t, 1) + base - 1
    return function(x, i)
      if i < last then return i + 1, x[i + 2 - base] end
    end, t, base - 1
  end
end
