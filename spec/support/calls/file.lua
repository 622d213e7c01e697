-- SPDX-License-Identifier: MIT
-- The calls of spec/support/calls that read and write files of tensors, and those of DLPack.
local ffi = require "ffi"
local with_file = require("spec.support.text").with_file
local with_stream = require "spec.support.data.arrow_stream"

ffi.cdef [[
  typedef struct { char tensor[48]; void *context; void (*deleter)(void *); } managed_in_calls;
]]

-- What f gives for a managed tensor of x, which is the caller's again when f raises.
local function with_managed(x, f)
  local pointer = x:to_dlpack{versioned = false}
  local ok, result = pcall(f, pointer)
  if ok then return result end
  ffi.cast("managed_in_calls *", pointer).deleter(pointer)
  error(result, 0)
end

return function(on_pair)
  on_pair("save", function(a) a.x:t():save("/dev/null") end)
  on_pair("load", function(a, locus)
    return with_file("", function(path)
      a.x:save(path)
      return locus.load(path)
    end)
  end)
  on_pair("load mapped", function(a, locus)
    return with_file("", function(path)
      a.x:save(path)
      return locus.load(path, {mmap = "r"})
    end)
  end)
  on_pair("frame:save", function(a, locus)
    local folder = os.tmpname()
    os.remove(folder)
    local ok, result = pcall(function()
      local f = locus.frame{{"seq", a.seq:clone()}, {"sym", {"a", "b", "a", "c"}}}
      f:save(folder)
      f:save(folder, {append = true})
      return locus.load(folder)
    end)
    os.execute("rm -rf " .. folder)
    if not ok then error(result, 0) end
    return result
  end)
  on_pair("savez", function(a, locus) locus.savez("/dev/null", {x = a.x:t(), y = a.y}) end)
  for _, name in ipairs {"to_dlpack", "from_dlpack"} do
    on_pair(name, function(a, locus)
      return with_managed(a.x:cpu():clone():t(), function(pointer)
        return locus.from_dlpack(pointer, {versioned = false})
      end)
    end)
  end
  for _, name in ipairs {"to_arrow", "from_arrow", "frame:to_arrow"} do
    on_pair(name, function(a, locus)
      local f = locus.frame {{"x", a.seq:cpu()}, {"m", a.seq:cpu():gt(1)}}
      if not name:find "frame" then f = f.x end
      return locus.from_arrow(f:to_arrow())
    end)
  end
  on_pair("strings:to_arrow", function(_, locus)
    local array, schema = locus.strings({"a", "b", "a"}, {device = "cpu"}):to_arrow()
    return locus.from_arrow(array, schema)
  end)
  on_pair("from_arrow_stream", function(a, locus)
    local first, schema = a.seq:cpu():to_arrow()
    local second = a.seq:cpu():to_arrow()
    return (with_stream(schema, {first, second}, locus.from_arrow_stream))
  end)
  on_pair("from_file", function(_, locus)
    return with_file("abcd", function(path) return locus.from_file(path, "int16") end)
  end)
  on_pair("tofile", function(a) a.x:t():tofile("/dev/null") end)
  on_pair("tobytes", function(a) return #a.x:t():tobytes() end)
  on_pair("npy_writer", function(a, locus)
    return with_file("", function(path)
      local w = locus.npy_writer(path, a.x.dtype, {sizes = {a.x:size(2)}})
      w:write(a.x)
      w:close()
    end)
  end)
  on_pair("writer:write", function(a, locus)
    return with_file("", function(path)
      local w = locus.npy_writer(path, a.x.dtype, {sizes = {a.x:size(2)}})
      w:write(a.x:clone())
      w:close()
    end)
  end)
  on_pair("writer:close", function(a, locus)
    local w = locus.npy_writer("/dev/null", a.x.dtype, {sizes = {a.x:size(2)}})
    w:write(a.x:clone())
    w:close()
  end)
end
