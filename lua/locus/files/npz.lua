-- SPDX-License-Identifier: MIT
-- NumPy's files .npz: archives of arrays, each an .npy file of its own. locus.savez writes them,
-- load reads them.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.savez.html
local array = require "locus.files.array"
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
local MOST_SHOWN = 20 -- names of an archive in an error

-- -- Reading --------------------------------------------------------------------------------------

-- The names in the caller's list, or the one name; nil for none of them.
function npz.names(only)
  if only == nil then return nil end
  local list = type(only) == "string" and {only} or only
  if type(list) ~= "table" or declare.surplus(list, #list) then list = {false} end
  for _, name in ipairs(list) do
    if type(name) ~= "string" then
      raise("'only' must be a name or a list of names, got %s", internal.describe(only))
    end
  end
  return list
end

-- The names that the caller wants of the entries, as a set; nil for all of them.
local function wanted(path, only, entries)
  if not only then return nil end
  local names, known, chosen = {}, {}, {}
  for _, entry in ipairs(entries) do names[#names + 1] = entry.name:match "^(.*)%.npy$" end
  for _, name in ipairs(names) do known[name] = true end
  for _, name in ipairs(only) do
    if not known[name] then
      table.sort(names)
      raise("'only' names '%s', and '%s' holds %s", declare.shown(name), path, #names == 0
        and "nothing" or "'" .. table.concat(names, "', '", 1, math.min(#names, MOST_SHOWN)) .. "'"
          .. (#names > MOST_SHOWN and ", ..." or ""))
    end
    chosen[name] = true
  end
  return chosen
end

-- A table of arrays by name, where the name of one that could not be read raises, and says why.
local function with_reasons(arrays, reasons)
  if not next(reasons) then return arrays end
  return setmetatable(arrays, {__index = function(_, name)
    if reasons[name] then internal.raise("load: " .. reasons[name]) end
  end})
end

local PIECE = 2 ^ 20 -- bytes that are read of an entry for which there is nothing

-- The array of an entry; nil and the reason where there is nothing for it, whose checksum counts,
-- too.
local function read_entry(path, handle, entry, option)
  local source = zip.source(path, handle, entry)
  local made, why = array.try(source, nil, option)
  while made == nil and source.left() > 0 do source.read(PIECE) end
  source.finish()
  return made, why and ("'%s' %s"):format(source.path, why)
end

-- The arrays of an archive by name, on the default device, or `only` those. Nothing is read before
-- the file is known to have room for all entries. An entry of a type that there is nothing for
-- spoils no other: its name raises, unless it was asked for, or is all there is. `option` is that
-- of progress, for each.
function npz.read(path, handle, only, option)
  local entries, arrays, reasons = zip.entries(path, handle), {}, {}
  local chosen, first = wanted(path, only, entries), nil
  for _, entry in ipairs(entries) do
    if not chosen and not entry.name:find "%.npy$" then
      file.fail(path, "holds '%s', which is no tensor", entry.name)
    end
  end
  for _, entry in ipairs(entries) do
    local name = entry.name:match "^(.*)%.npy$"
    if not chosen or name and chosen[name] then
      local made, why = read_entry(path, handle, entry, option)
      if made == nil and chosen then raise("%s", why) end
      arrays[name], reasons[name], first = made, why, first or why
    end
  end
  if first and not next(arrays) then raise("%s", first) end
  return with_reasons(arrays, reasons)
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

-- Writes the elements behind their header, and counts their checksum with it. Others may write to
-- their memory meanwhile, so each piece is one that nobody else can change.
local function put_elements(put, here, crc)
  local flat, n = methods.flatten(here), methods.numel(here)
  local step = file.PIECE / methods.element_size(here)
  for first = 1, n, step do
    local piece = internal.own(methods.narrow(flat, 1, first, math.min(step, n - first + 1)))
    crc = internal.crc32(piece, crc)
    put(piece)
  end
  return crc
end

-- Goes to a place of the file; gives that place.
local function go_to(path, handle, from, place)
  local at, reason = handle:seek(from, place)
  if not at then file.fail(path, "cannot be written: %s", reason:gsub("^.*: ", "")) end
  return at
end

-- Writes one tensor at a place; gives its entry and the place behind it. A copy in C order is made
-- where there is none, and goes before the next tensor's. The checksum stands before the elements:
-- it is written once they are, or, to a pipe, is counted over a copy first.
local function put_tensor(put, path, handle, name, x, offset)
  local here = methods.contiguous(methods.cpu(x))
  local header = npy.header(internal.dtype_of(here), methods.size(here))
  local entry = {name = name .. SUFFIX, offset = offset, size = #header + file.size_of(here)}
  local place = handle:seek("cur")
  if not place then here = internal.own(here) end
  local of_header = internal.crc32(header, 0)
  entry.crc = place and 0 or internal.crc32(here, of_header)
  local before = zip.header(entry)
  put(before .. header)
  entry.crc = put_elements(put, here, of_header)
  if place then
    local last = go_to(path, handle, "cur")
    go_to(path, handle, "set", place)
    put(zip.header(entry))
    go_to(path, handle, "set", last)
  end
  return entry, offset + #before + entry.size
end

local by_name = declare.define("savez(path:string, tensors:any, {progress:any=nil})",
  function(path, given, option)
    progress.check(option)
    promised.check(path, "NumPy's format .npz", "npz", 'locus.savez("%s.npz", tensors)')
    local names, tensors = check_tensors(given)
    local length = 0
    for _, x in pairs(tensors) do length = length + file.size_of(x) end
    file.write(path, function(put, handle)
      local entries, offset = {}, 0
      for i, name in ipairs(names) do
        entries[i], offset = put_tensor(put, path, handle, name, tensors[name],
          offset)
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
