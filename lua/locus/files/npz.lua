-- SPDX-License-Identifier: MIT
-- NumPy's files .npz: archives of tensors, each an .npy file of its own. locus.savez writes them,
-- load reads them.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.savez.html
local core = require "locus.core"
local declare = require "locus.call.declare"
local file = require "locus.files.file"
local npy = require "locus.files.npy"
local progress = require "locus.progress"
local promised = require "locus.files.promised"
local zip = require "locus.files.zip"
local internal, methods = core.internal, core.methods
local raise = declare.raise

local npz = {}

local SUFFIX = ".npy"

-- -- Reading --------------------------------------------------------------------------------------

-- The tensors of an archive by name, on the default device. Nothing is read before all entries are
-- known to be tensors that the file has room for. `option` is that of progress, for each.
function npz.read(path, handle, option)
  local entries, tensors = zip.entries(path, handle), {}
  for _, entry in ipairs(entries) do
    if entry.name:sub(-#SUFFIX) ~= SUFFIX then
      file.fail(path, "holds '%s', which is no tensor", entry.name)
    end
  end
  for _, entry in ipairs(entries) do
    local source = zip.source(path, handle, entry)
    tensors[entry.name:sub(1, -#SUFFIX - 1)] = npy.read(source, nil, option)
    source.finish()
  end
  return tensors
end

-- -- Writing --------------------------------------------------------------------------------------

-- No name may lead a program that unpacks the archive out of the folder that it unpacks to.
local function check_name(name)
  if type(name) ~= "string" then
    raise("'tensors' must have names as keys, got %s", internal.describe(name))
  elseif #name + #SUFFIX > zip.LONGEST_NAME then
    raise("'tensors' has a name of %d bytes; the limit is %d", #name,
      zip.LONGEST_NAME - #SUFFIX)
  elseif name:find("%z") or name:find("\\", 1, true) or name:sub(1, 1) == "/"
      or ("/" .. name .. "/"):find("/../", 1, true) then
    raise("'tensors' has the name '%s', which is unsafe as the name of a file", name:gsub("%z",
      "?"))
  end
end

-- The names of the tensors in their order, and the tensors.
local function check_tensors(given)
  if type(given) ~= "table" then
    raise("'tensors' must be a table of tensors by name, got %s", internal.describe(given))
  end
  local names, tensors = {}, {}
  for name, value in pairs(given) do
    check_name(name)
    if type(value) == "table" then value = core.tensor {data = value} end
    if not core.is_tensor(value) then
      raise("'tensors' must hold tensors, got %s for '%s'", internal.describe(value), name)
    end
    local dtype = internal.dtype_of(value)
    if not npy.has(dtype) then
      raise("files of tensors have no %s; write x:float() for '%s'", dtype, name)
    end
    names[#names + 1], tensors[name] = name, value
  end
  if #names > zip.MOST_ENTRIES then
    raise("'tensors' holds %d tensors; the limit is %d", #names, zip.MOST_ENTRIES)
  end
  table.sort(names)
  return names, tensors
end

-- Writes one tensor at a place; gives its entry and the place behind it. A copy in C order is made
-- where there is none, and goes before the next tensor's.
local function put_tensor(put, name, x, offset)
  local here = methods.contiguous(methods.cpu(x))
  local header = npy.header(internal.dtype_of(here), methods.size(here))
  local entry = {
    name = name .. SUFFIX, offset = offset, crc = internal.crc32(here, internal.crc32(header, 0)),
    size = #header + methods.numel(here) * methods.element_size(here),
  }
  local before = zip.header(entry)
  put(before .. header)
  put(here)
  return entry, offset + #before + entry.size
end

local by_name = declare.define("savez(path:string, tensors:any, {progress:any=nil})",
  function(path, given, option)
    progress.check(option)
    promised.check(path, "NumPy's format .npz", "npz", 'locus.savez("%s.npz", tensors)')
    local names, tensors = check_tensors(given)
    local length = 0
    for _, x in pairs(tensors) do length = length + file.size_of(x) end
    file.write(path, function(put)
      local entries, offset = {}, 0
      for i, name in ipairs(names) do
        entries[i], offset = put_tensor(put, name, tensors[name], offset)
      end
      put(zip.directory(entries, offset))
    end, option, length)
  end)

-- Writes tensors, a table by name, from any device and layout, to an archive as NumPy's savez does.
-- It is not compressed, and sorted by name; the elements of each begin at a multiple of 64 bytes.
-- Equal tensors give the same bytes. The file is replaced whole, as by save. `progress` as in
-- read_csv. Errors: names that are none or might lead a program that unpacks the file astray;
-- bfloat16, which the format lacks; what the system says.
-- By position the second argument is the tensors, though its keys are names.
local SAVEZ = "savez(path:string, tensors:any, {progress:any=nil})"
declare.add(core, declare.plain(SAVEZ, function(...)
  local path, tensors = ...
  if select("#", ...) == 2 and type(tensors) == "table" then
    return by_name {path = path, tensors = tensors}
  end
  return by_name(...)
end))

return npz
