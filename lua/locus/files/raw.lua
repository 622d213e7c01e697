-- SPDX-License-Identifier: MIT
-- Files and strings of elements and nothing else, in the machine's byte order: locus.from_file,
-- x:tofile and x:tobytes.
local declare = require "locus.call.declare"
local core = require "locus.core"
local file = require "locus.files.file"
local progress = require "locus.progress"
local promised = require "locus.files.promised"
local internal, methods = core.internal, core.methods

local _, types = internal.dtypes()
local LONGEST = 2 ^ 31 - 257 -- bytes of a string in LuaJIT

-- How many elements there are behind `offset`, `count` at most or all of them.
local function numel(path, handle, dtype, offset, count)
  local length, width = file.left(handle), types[dtype].size
  if not length or length >= 2 ^ 53 then file.fail(path, "does not say how long it is") end
  if offset > length then
    file.fail(path, "has %d bytes, and 'offset' is %d", length, offset)
  end
  if count then
    if count * width <= length - offset then return count end
    file.fail_cut(path, length - offset, count * width)
  end
  if (length - offset) % width > 0 then
    file.fail(path, "ends within an element: it has %d bytes, and %s takes %d", length - offset,
      dtype, width)
  end
  return (length - offset) / width
end

-- The elements that lie in a file one behind the other, in the machine's byte order: a 1-D tensor
-- on the default device, read straight into its memory. They begin `offset` bytes into the file;
-- without `count` they go up to its end. `mmap` as in load: on the CPU. Errors: a file that is too
-- short, ends within an element, or does not say how long it is; what the system says. `progress`
-- as in read_csv.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.fromfile.html
declare.func(
  "from_file(path:string, dtype:dtype, {offset:integer=0, count:integer=nil, mmap:any=nil, "
    .. "progress:any=nil})",
  function(path, dtype, offset, count, mmap, option)
    progress.check(option)
    local writable = file.is_writable(mmap)
    if offset < 0 then declare.raise("'offset' must not be negative, got %d", offset) end
    if count and count < 0 then declare.raise("'count' must not be negative, got %d", count) end
    return file.with(path, writable and "r+b" or "rb", function(handle)
      local sizes = {numel(path, handle, dtype, offset, count)}
      if mmap then return internal.map_file(handle, path, dtype, sizes, offset, writable) end
      handle:seek("set", offset)
      local x = file.elements(file.source(path, handle), dtype, sizes, option)
      return methods.to(x, core.get_default_device())
    end)
  end)

-- Writes the elements, of any device and layout, in C order: what from_file reads. The file is
-- replaced whole, as by save. `progress` as in read_csv. Errors: what the system says.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.ndarray.tofile.html
declare.method("tofile(input:tensor, path:string, {progress:any=nil})",
  function(input, path, option)
    progress.check(option)
    promised.check(path, "elements alone", "", 'x:tofile("%s.bin"), or x:save(path) for NumPy')
    local here = methods.contiguous(methods.cpu(input))
    file.write(path, function(put) put(here) end, option, file.size_of(here))
  end)

-- The elements, of any device and layout, in C order, as a string of bytes: what from_string reads.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.ndarray.tobytes.html
declare.method("tobytes(input:tensor)", function(input)
  local bytes = methods.numel(input) * methods.element_size(input)
  if bytes > LONGEST then
    declare.raise("'input' has %.0f bytes, and a Lua string holds at most %.0f; write "
      .. "x:tofile(path)", bytes, LONGEST)
  end
  return internal.bytes_of(methods.contiguous(methods.cpu(input)))
end)
