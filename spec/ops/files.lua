-- SPDX-License-Identifier: MIT
-- Calls that read and write files of tensors, and those of DLPack and Arrow.
local ffi = require "ffi"
local locus = require "locus"
local text_of = require("spec.ops.large").text_of
local with_file = require("spec.support.text").with_file
local with_stream = require "spec.support.data.arrow_stream"
local fake = require "spec.support.data.adbc"

ffi.cdef [[
  typedef struct { char tensor[48]; void *context; void (*deleter)(void *); } managed_in_calls;
]]

local NO_TENSOR = "takes no tensor"

-- The tensor made of a managed tensor of x, which is the caller's again when that raises.
local function through_dlpack(_, e)
  local pointer = e.x:cpu():clone():t():to_dlpack{versioned = false}
  local ok, result = pcall(locus.from_dlpack, pointer, {versioned = false})
  if ok then return result end
  ffi.cast("managed_in_calls *", pointer).deleter(pointer)
  error(result, 0)
end

local function columns(e) return locus.frame {{"x", e.seq:cpu()}, {"m", e.seq:cpu():gt(1)}} end

-- f(path), then what read(path) makes of the file.
local function read_again(f, read)
  local path = os.tmpname()
  f(path)
  local back = read(path)
  os.remove(path)
  return back
end

-- A connection to the driver for specs.
local function connected(f)
  local c = locus.connect(fake.uri, {driver = fake.driver})
  local ok, result = pcall(f, c)
  if not tostring(c):find "closed" then c:close() end
  if not ok then error(result, 0) end
  return result
end

-- A file of rows like those of x, handed to call.
local function writing(path, e, call)
  local w = locus.npy_writer(path, e.x.dtype, {sizes = {e.x:size(2)}})
  call(w)
  w:close()
end

return {
  answers = "npy_spec, mapped_spec, npz_spec, writer_spec, folder_spec, raw_files_spec, "
    .. "dlpack_spec, arrow_spec, sql_spec",
  {"save", function(f, e) f(e.x:t(), "/dev/null") end, laid = function(f, e)
    return read_again(function(path) f(e.x, path) end, locus.load)
  end, layouts = "int16 complex128", large = function(x, n)
    local back = read_again(function(path) x:save(path) end, locus.load)
    return text_of(back:size(1), back:equal(x)), text_of(n, true)
  end},
  {"load", function(f, e)
    return with_file("", function(path)
      e.x:save(path)
      return f(path)
    end)
  end, unlaid = NO_TENSOR},
  {"load", function(f, e)
    return with_file("", function(path)
      locus.savez(path, {x = e.x, y = e.seq})
      return f(path, {only = {"x"}}).x
    end)
  end, unlaid = NO_TENSOR, form = "only"},
  {"load", function(f, e)
    return with_file("", function(path)
      e.x:save(path)
      return f(path, {mmap = "r"})
    end)
  end, form = "mapped"},
  {"frame:save", function(f, e)
    local folder = os.tmpname()
    os.remove(folder)
    local ok, result = pcall(function()
      local frame = locus.frame{{"seq", e.seq:clone()}, {"sym", {"a", "b", "a", "c"}}}
      f(frame, folder)
      f(frame, folder, {append = true})
      return locus.load(folder)
    end)
    os.execute("rm -rf " .. folder)
    if not ok then error(result, 0) end
    return result
  end},
  {"savez", function(f, e) f("/dev/null", {x = e.x:t(), y = e.y}) end, laid = function(f, e)
    return read_again(function(path) f(path, {x = e.x}) end, locus.load).x
  end, layouts = "int16"},
  {"to_dlpack", through_dlpack,
   laid = function(f, e) return locus.from_dlpack(f(e.x:cpu())) end, layouts = "int16"},
  {"from_dlpack", through_dlpack, unlaid = NO_TENSOR},
  {"to_arrow", function(f, e) return locus.from_arrow(f(columns(e).x)) end, laid = function(f, e)
    return locus.from_arrow(f(e.x:cpu():reshape(-1)))
  end, layouts = "int16"},
  {"from_arrow", function(f, e) return f(columns(e).x:to_arrow()) end, unlaid = NO_TENSOR},
  {"from_arrow", function(f, e)
    local array, schema = columns(e).x:to_arrow()
    return f(array, schema, {missing = 0, decimal = "float64"})
  end, unlaid = NO_TENSOR, form = "missing"},
  {"frame:to_arrow", function(f, e) return locus.from_arrow(f(columns(e))) end},
  {"from_arrow_stream", function(f, e)
    local first, schema = e.seq:cpu():to_arrow()
    local second = e.seq:cpu():to_arrow()
    return (with_stream(schema, {first, second}, f))
  end, unlaid = NO_TENSOR},
  {"from_file", function(f)
    return with_file("abcd", function(path) return f(path, "int16") end)
  end, unlaid = NO_TENSOR},
  {"tofile", function(f, e) f(e.x:t(), "/dev/null") end, laid = function(f, e)
    return read_again(function(path) f(e.x, path) end,
      function(path) return locus.from_file(path, "int16") end)
  end, layouts = "int16"},
  {"tobytes", function(f, e) return #f(e.x:t()) end, laid = function(f, e) return f(e.x) end,
   layouts = "int16"},
  {"npy_writer", function(_, e)
    return with_file("", function(path) writing(path, e, function(w) w:write(e.x) end) end)
  end, unlaid = NO_TENSOR},
  {"writer:write", function(f, e)
    return with_file("", function(path) writing(path, e, function(w) f(w, e.x:clone()) end) end)
  end},
  {"writer:close", function(_, e)
    writing("/dev/null", e, function(w) w:write(e.x:clone()) end)
  end},
  {"read_sql", function(f) return f(fake.uri, "rows 3 2", {driver = fake.driver}) end,
   unlaid = NO_TENSOR},
  {"sql_chunks", function(f)
    local parts = {}
    for part in f(fake.uri, "rows 3 2", {rows = 4, driver = fake.driver}) do
      parts[#parts + 1] = part
    end
    return locus.cat(parts)
  end, unlaid = NO_TENSOR},
  {"connect", function(f) f(fake.uri, {driver = fake.driver}):close() end, allocates = false,
   unlaid = NO_TENSOR},
  {"connection:execute", function(f)
    return connected(function(c) return f(c, "update", {params = {1, "a"}}) end)
  end, unlaid = NO_TENSOR},
  {"connection:transaction", function(f)
    return connected(function(c) return f(c, function() return 1 end) end)
  end, allocates = false, unlaid = NO_TENSOR},
  {"connection:close", function(f) connected(f) end, allocates = false, unlaid = NO_TENSOR},
  {"frame:write_sql", function(f, e)
    return f(columns(e), fake.uri, "t", {driver = fake.driver})
  end},
}
