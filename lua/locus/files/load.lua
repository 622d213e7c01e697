-- SPDX-License-Identifier: MIT
-- x:save(path) and locus.load(path): tensors in NumPy's files; load also reads the folders of
-- frames.
local array = require "locus.files.array"
local declare = require "locus.call.declare"
local core = require "locus.core"
local file = require "locus.files.file"
local npy = require "locus.files.npy"
local lazy = require "locus.call.lazy"
local paths = require "locus.source.paths"
local progress = require "locus.progress"
local promised = require "locus.files.promised"
local internal, methods = core.internal, core.methods

-- Writes the tensor, from any device and layout, to a file in format .npy, version 1.0, in C order.
-- The old content stays until the new file is complete and on the disk. `progress` as in read_csv.
-- Errors: bfloat16, which the format lacks; what the system says.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.save.html
declare.method("save(input:tensor, path:string, {progress:any=nil})", function(input, path, option)
  promised.check(path, "NumPy's format .npy", "npy", 'x:save("%s.npy")')
  local dtype = internal.dtype_of(input)
  if not npy.has(dtype) then
    declare.raise("files of tensors have no %s; write x:float():save(path)", dtype)
  end
  progress.check(option)
  local here = methods.contiguous(methods.cpu(input))
  file.write(path, function(put)
    put(npy.header(dtype, methods.size(here)))
    put(here)
  end, option, file.size_of(here))
end)

-- Whether a file that begins so is an archive (npz.lua).
local function is_archive(start) return start:find("^PK\3\4") or start:find("^PK\5\6") end

-- Raises where the file is text, or compressed, which others read.
local function check_binary(path, start, handle)
  local text = start .. (handle:read(4096) or "")
  local form = internal.compressed_by(text)
  if form then
    file.fail(path, "is compressed by %s; text in it is read by locus.read_csv(path)", form)
  end
  local foreign = internal.foreign(text)
  if foreign then
    file.fail(path, "%s", foreign)
  elseif start ~= "" then
    if text:find("\n") and not text:find("[%z\1-\8\14-\31]") then
      file.fail(path, "is text; write locus.read_csv(path)")
    end
  end
end

-- The tensor in an .npy file as it lies there, on the CPU.
local function map(source, start, handle, writable)
  local path, layout = source.path, npy.header_of(source, start)
  if layout.refused then
    local is_read = layout.unsigned or layout.text or layout.fields
    file.fail(path, "%s%s", layout.refused, is_read and "; it is read without 'mmap'" or "")
  elseif layout.swapped then
    file.fail(path, "has the other byte order and cannot be mapped")
  end
  local x = internal.map_file(handle, path, layout.dtype, layout.sizes, handle:seek("cur"),
    writable)
  return npy.view(layout, x)
end

-- f(source, layout) for a file that must hold one tensor in format .npy.
local function with_rows(path, f)
  if internal.is_folder(path) then file.fail(path, "is a folder, which is loaded alone") end
  return file.with(path, "rb", function(handle)
    local source = file.source(path, handle)
    local start = source.read(npy.START)
    if is_archive(start) then file.fail(path, "is an archive, which is loaded alone") end
    if not npy.is_one(start) then check_binary(path, start, handle) end
    local layout = npy.header_of(source, start)
    if layout.refused and not layout.unsigned then file.fail(path, "%s", layout.refused) end
    return f(source, layout)
  end)
end

-- The sizes of the array in a layout, as it is seen, and those of a row in words.
local function sizes_of(layout)
  local sizes, ndim = {}, #layout.sizes
  for d, size in ipairs(layout.sizes) do sizes[layout.fortran and ndim + 1 - d or d] = size end
  return sizes, layout.dtype .. (ndim > 1 and " of size " .. table.concat(sizes, "x", 2) or "")
end

-- The sizes of all rows, those of each file, and the dtype.
local function measure(list)
  local counts, all, dtype, first = {}, nil, nil, nil
  for i, path in ipairs(list) do
    local layout = with_rows(path, function(_, layout) return layout end)
    local sizes, row = sizes_of(layout)
    if #sizes == 0 then file.fail(path, "has no rows: it holds one element") end
    if first and (row ~= first or #sizes ~= #all) then
      file.fail(path, "has rows of %s, and '%s' has rows of %s", row, list[1], first)
    end
    all, first, dtype = all or sizes, first or row, layout.dtype
    counts[i] = sizes[1]
    if i > 1 then all[1] = all[1] + sizes[1] end
  end
  return all, counts, dtype
end

-- The rows of several files in one tensor, on the default device.
local function rows_of(list, mmap, recover, only, option)
  if mmap then declare.raise("'mmap' is for one file, and 'path' names %d", #list) end
  if recover then declare.raise("'recover' is for frames in folders") end
  if only ~= nil then declare.raise("'only' is for an archive, and 'path' names %d", #list) end
  local sizes, counts, dtype = measure(list)
  local rows, first = core.empty(sizes, {dtype = dtype, device = "cpu"}), 1
  for i, path in ipairs(list) do
    local part = methods.narrow(rows, 1, first, counts[i])
    with_rows(path, function(source, layout)
      local now, row = sizes_of(layout)
      now[1], sizes[1] = now[1] == counts[i] and 0 or 1, 0
      if table.concat(now, "x") ~= table.concat(sizes, "x") or layout.dtype ~= dtype then
        file.fail(path, "has changed while it was read: it has rows of %s now", row)
      end
      array.fill(source, layout, part, option)
    end)
    first = first + counts[i]
  end
  return methods.to(rows, core.get_default_device())
end

-- The array in a file that NumPy's save or x:save(path) wrote, on the default device, in either
-- byte order. Elements are read straight into the tensor's memory; uint16 and uint32 become int32
-- and int64, and so does uint64 if it fits. Strings are a column, records a frame. An array in
-- Fortran's order becomes a transposed view. With `mmap` a tensor is read when it is touched, and
-- lies on the CPU: "r" for reading alone, so that writing to it raises; "r+" for writing to the
-- file, too.
-- An archive that NumPy's savez, savez_compressed or locus.savez wrote gives a table of such arrays
-- by name, or of `only` those; the first bytes of the file tell. It cannot be mapped.
-- The frame in a folder that f:save(folder) wrote, its columns read or mapped; `recover` as in
-- folder.lua.
-- The files of a pattern, "parts/*.npy", or of a list of paths and patterns give one tensor: their
-- rows follow each other along the first dimension. Dtypes and the other sizes must be the same.
-- Errors: a file that is none, is cut off, or holds what there is nothing for; what the system
-- says. `progress` as in read_csv, for each array.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.load.html
declare.func("load(path:any, {mmap:any=nil, recover:boolean=false, only:any=nil, "
  .. "progress:any=nil})", function(path, mmap, recover, only, option)
    progress.check(option)
    local writable = file.is_writable(mmap)
    local several = paths.several(declare.raise, path)
    if several then return rows_of(several, mmap, recover, only, option) end
    only = only ~= nil and lazy("locus.files.npz").names(only) or nil
    local function check_only() -- which is for archives
      if only == nil then return end
      declare.raise("'only' is for archives, and '%s' is none", path)
    end
    if internal.is_folder(path) then
      local open_room = declare.later[core.frame] -- frames have methods from all of its files
      if open_room then open_room() end
      check_only()
      return lazy("locus.files.folder").load(path, mmap, recover, option)
    end
    if recover and file.exists(path) then
      declare.raise("'recover' is for frames in folders, and '%s' is none", path)
    end
    return file.with(path, writable and "r+b" or "rb", function(handle)
      local source = file.source(path, handle)
      local start = source.read(npy.START)
      if is_archive(start) then
        if mmap then file.fail(path, "is an archive, whose tensors cannot be mapped") end
        return lazy("locus.files.npz").read(path, handle, only, option)
      end
      check_only()
      if not npy.is_one(start) then check_binary(path, start, handle) end
      if mmap then return map(source, start, handle, writable) end
      return array.read(source, start, option)
    end)
  end, paths.gather("path"))
