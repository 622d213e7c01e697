-- SPDX-License-Identifier: MIT
-- CUDA's streams and events in Lua, and with_stream.
local declare = require "locus.call.declare"
local registry = require "locus.call.registry"

local stream = {metatables = {stream = {}, event = {}}}

-- Fills a metatable: methods, fields, and an error for every other name. The entries stay as they
-- are, for when this file is loaded again.
local function fill(core, metatable, what, entries, fields)
  local methods, events = {}, registry.once(metatable)
  for name, entry in pairs(entries) do
    registry.put(name:find("^__") and metatable or methods, name, entry)
  end
  function events.__index(self, key)
    if fields[key] then return fields[key](self) end
    if methods[key] then return methods[key] end
    core.internal.raise(("%s has no '%s'"):format(what, declare.shown(key)))
  end
  metatable.__metatable = what
end

function stream.setup(core)
  local streams, events = stream.metatables.stream, stream.metatables.event
  local device, pointer = core.streams.device, core.streams.cuda_stream

  -- The cudaStream_t, for other libraries.
  local function cuda_stream(self)
    return require("ffi").cast("void *", pointer(self))
  end
  fill(core, streams, "a stream", core.streams, {device = device, cuda_stream = cuda_stream})
  fill(core, events, "an event", core.events, {device = device})
  registry.put(streams, "__tostring", function(self)
    return ("[CUDA stream on %s]"):format(device(self))
  end)
  registry.put(events, "__tostring", function(self)
    local at = device(self)
    return at and ("[CUDA event on %s]"):format(at) or "[CUDA event, not recorded]"
  end)

  local cuda = core.cuda

  local function restore(before, ok, ...)
    cuda.set_stream(before)
    if not ok then error(..., 0) end
    return ...
  end

  local function expect(ok, name, what, got)
    if ok then return end
    core.internal.raise(("cuda.with_stream: '%s' must be %s, got %s"):format(
      name, what, core.internal.describe(got)))
  end

  -- Calls f(...) with the stream as the current one of its device, and gives its results.
  registry.put(cuda, "with_stream", function(chosen, f, ...)
    local known = type(chosen) == "userdata" and debug.getmetatable(chosen) == streams
    expect(known, "stream", "a stream, as cuda.Stream() makes", chosen)
    expect(type(f) == "function", "f", "a function", f)
    local before = cuda.current_stream(device(chosen))
    cuda.set_stream(chosen)
    return restore(before, pcall(f, ...))
  end)
end

return stream
