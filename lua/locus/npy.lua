-- SPDX-License-Identifier: MIT
-- Files of tensors in NumPy's format .npy: x:save(path) and locus.load(path); and of elements
-- alone.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
local declare = require "locus.declare"
local core = require "locus.core"
local progress = require "locus.frame.progress"
local internal, methods = core.internal, core.methods

local MAGIC = "\147NUMPY"
local LONGEST = 65536 -- bytes of a header that is read
local MOST_DIMS = 32 -- of a tensor
local PIECE = 2 ^ 24 -- bytes that are read between two words of progress

-- NumPy's letters for our dtypes, without the order of bytes.
local letters = {
  bool = "b1", uint8 = "u1", int8 = "i1", int16 = "i2", int32 = "i4", int64 = "i8",
  float16 = "f2", float32 = "f4", float64 = "f8", complex64 = "c8", complex128 = "c16",
}
local dtypes = {}
for dtype, code in pairs(letters) do dtypes[code] = dtype end

-- What no dtype is for, by its letters or its first one; and what NumPy can make of it.
local refused = {
  u2 = {"uint16", "int32"}, u4 = {"uint32", "int64"}, u8 = {"uint64", "float64"},
  f16 = {"long double", "float64"}, c32 = {"complex long double", "complex128"},
  M = {"times", "int64"}, m = {"time spans", "int64"}, O = {"Python objects"}, S = {"strings"},
  U = {"strings"}, V = {"records or raw bytes"},
}

-- Raises a sentence about the file.
local function fail(path, format, ...)
  declare.raise("'%s' " .. format, path, ...)
end

-- A file that f(file) reads or writes; it is closed whatever happens.
local function with_file(path, mode, f)
  local file, reason = io.open(path, mode)
  if not file then fail(path, "cannot be opened: %s", reason:sub(#path + 3)) end
  local ok, result = pcall(f, file)
  local closed, why = file:close()
  if not ok then error(result, 0) end
  if not closed then fail(path, "cannot be closed: %s", why) end
  return result
end

-- -- Writing --------------------------------------------------------------------------------------

-- The header that NumPy writes, too: with room for the first size to grow to 21 digits, and the
-- data at a multiple of 64 bytes.
local function header(dtype, sizes)
  local code, digits = letters[dtype], {}
  for d = 1, #sizes do digits[d] = ("%d"):format(sizes[d]) end
  local text = ("{'descr': '%s%s', 'fortran_order': False, 'shape': (%s%s), }"):format(
    code:sub(2) == "1" and "|" or "<", code, table.concat(digits, ", "), #sizes == 1 and "," or "")
  if #sizes > 0 then text = text .. (" "):rep(21 - #digits[1]) end
  text = text .. (" "):rep(64 - (#text + 11) % 64) .. "\n"
  return MAGIC .. "\1\0" .. string.char(#text % 256, math.floor(#text / 256)) .. text
end

-- Writes the tensor, from any device and layout, to a file in format .npy, version 1.0, in C order.
-- What was in the file is lost. The file is complete when this returns; a call that raises for the
-- system's reasons leaves what could be written.
-- Errors: bfloat16, which the format lacks; what the system says.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.save.html
declare.method("save(input:tensor, path:string)", function(input, path)
  local dtype = internal.dtype_of(input)
  if not letters[dtype] then
    declare.raise("files of tensors have no %s; write x:float():save(path)", dtype)
  end
  local here = methods.contiguous(methods.cpu(input))
  with_file(path, "wb", function(file)
    local ok, reason = file:write(header(dtype, methods.size(here)))
    if ok then ok, reason = internal.write_bytes(file, here) end
    if not reason then reason = internal.flush_file(file) end
    if not ok or reason then fail(path, "cannot be written: %s", reason) end
  end)
end)

-- -- Reading --------------------------------------------------------------------------------------

-- So many bytes of the file.
local function bytes_of(file, path, count)
  local bytes, reason = file:read(count)
  if reason then fail(path, "cannot be read: %s", reason) end
  return bytes or ""
end

-- The text of the header, a dict of Python.
local function read_header(file, path)
  local start = bytes_of(file, path, 8)
  local major = start:byte(7)
  if start:sub(1, 6) ~= MAGIC or not major then
    fail(path, "is no file of a tensor in NumPy's format .npy")
  elseif major < 1 or major > 3 then
    fail(path, "is in version %d of NumPy's format, which is not known", major)
  end
  local wide = major > 1 and 4 or 2
  local length, size = bytes_of(file, path, wide), 0
  for i = #length, 1, -1 do size = 256 * size + length:byte(i) end
  if size > LONGEST then fail(path, "has a header of %.0f bytes, which is too long", size) end
  local text = bytes_of(file, path, size)
  if #length < wide or #text < size then fail(path, "is cut off in its header") end
  return text
end

-- Each reads a value at a place in the header, as `tuple` reads "(3, 4)": the value and the place
-- behind it; nil when there is none. Numbers of Python 2 end in L.
local literal = {}

function literal.descr(text, at)
  local code, next = text:match("^'([^'\\]*)'()", at)
  if not code then code, next = text:match('^"([^"\\]*)"()', at) end
  return code, next
end

function literal.fortran_order(text, at)
  local word, next = text:match("^(%a+)()", at)
  if word == "True" or word == "False" then return word == "True", next end
end

function literal.shape(text, at)
  local inside, next = text:match("^(%b())()", at)
  if not inside then return nil end
  local sizes, rest = {}, inside:sub(2, -2):gsub("%s", " ")
  if not rest:find("^[%d, L]*$") then return nil end
  for digits, comma in rest:gmatch("([^,]*)(,?)") do
    local size = digits:match("^ *(%d+)L? *$")
    if size and (comma == "," or #sizes > 0) then
      sizes[#sizes + 1] = tonumber(size)
    elseif digits:find("[^ ]") or comma == "," then
      return nil
    end
  end
  return sizes, next
end

-- What a header says: descr, fortran_order, shape, these three in any order; nil when it is none.
local function parse(text)
  local said, count = {}, 0
  local at = text:match("^%s*{%s*()")
  while at and text:sub(at, at) ~= "}" do
    local name, place = literal.descr(text, at)
    place = place and text:match("^%s*:%s*()", place)
    if not place or not literal[name] or said[name] ~= nil then return nil end
    if name == "descr" and text:find("^[[(]", place) then return {descr = "V"} end
    said[name], place = literal[name](text, place)
    at = place and text:match("^%s*,%s*()", place) or place and text:match("^%s*()}", place)
    count = count + 1
  end
  return at and count == 3 and text:find("^}%s*$", at) and said or nil
end

-- The dtype that NumPy's letters stand for, and whether the bytes are in the other order.
local function find_dtype(path, descr)
  local order, code = descr:match("^([<>|=]?)(.*)$")
  if not dtypes[code] then
    local name, fits = unpack(refused[code] or refused[code:sub(1, 1)] or {"'" .. descr .. "'"})
    local advice = fits and ("; in NumPy, save x.astype('%s')"):format(fits) or ""
    fail(path, "holds %s, for which there is no dtype%s", name, advice)
  end
  return dtypes[code], order == ">"
end

local function fail_cut(path, got, needed)
  fail(path, "is cut off: it has %.0f of %.0f bytes of elements", got, needed)
end

-- How many bytes there are from here on; nil where the file does not say.
local function length_of(file)
  local here = file:seek("cur")
  local last = here and file:seek("end")
  if not last then return nil end
  file:seek("set", here)
  return last - here
end

-- Fills a tensor on the CPU, in one piece, with the bytes from here on.
local function fill(file, path, x, bytes, option)
  local flat, n, got = methods.flatten(x), methods.numel(x), 0
  local step, tell = PIECE / x:element_size(), progress.begin(option, path, bytes)
  for first = 1, n, step do
    local part = methods.narrow(flat, 1, first, math.min(step, n - first + 1))
    local more, reason = internal.read_bytes(file, part)
    got = got + more
    if reason or more < part:numel() * part:element_size() then
      tell()
      if reason then fail(path, "cannot be read: %s", reason) end
      fail_cut(path, got, bytes)
    end
    tell(got)
  end
  tell()
end

-- Reads the elements into a new tensor on the default device; on the CPU it is all the memory that
-- this takes.
local function read_tensor(file, path, option)
  local said = parse(read_header(file, path))
  if not said then fail(path, "has a header that is none of NumPy's") end
  local dtype, swapped = find_dtype(path, said.descr)
  local _, types = internal.dtypes()
  local sizes, ndim, bytes = {}, #said.shape, types[dtype].size
  for d, size in ipairs(said.shape) do
    if size > 2 ^ 53 or ndim > MOST_DIMS then fail(path, "is of a size that no tensor has") end
    sizes[said.fortran_order and ndim + 1 - d or d] = size
    bytes = bytes * size
  end
  local length = length_of(file)
  if length and length < bytes then fail_cut(path, length, bytes) end
  local x = core.empty(sizes, {dtype = dtype, device = "cpu"})
  fill(file, path, x, bytes, option)
  if swapped then internal.swap_bytes(x) end
  x = methods.to(x, core.get_default_device())
  if not said.fortran_order or ndim < 2 then return x end
  local dims = {}
  for d = 1, ndim do dims[d] = ndim + 1 - d end
  return methods.permute(x, dims)
end

-- The tensor in a file that NumPy's save or x:save(path) wrote, on the default device: bool, int8
-- to int64, uint8, float16 to float64 and both complex dtypes, in either order of bytes, read
-- straight into the tensor's memory. What NumPy keeps in Fortran's order is a transposed view.
-- Errors: a file that is none, is cut off, or holds what no dtype is for; what the system says.
-- `progress` as in read_csv.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.load.html
declare.func("load(path:string, {progress:any=nil})", function(path, option)
  progress.check(option)
  return with_file(path, "rb", function(file) return read_tensor(file, path, option) end)
end)

-- The elements that lie in a file one behind the other, and nothing else, in the machine's byte
-- order: a 1-D tensor on the default device, read straight into its memory. Errors: a file that
-- ends within an element, or does not say how long it is; what the system says. `progress` as in
-- read_csv.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.fromfile.html
declare.func("from_file(path:string, dtype:string, {progress:any=nil})",
  function(path, dtype, option)
    progress.check(option)
    local width = core.empty(0, {dtype = dtype, device = "cpu"}):element_size()
    return with_file(path, "rb", function(file)
      local bytes = length_of(file)
      if not bytes or bytes >= 2 ^ 53 then fail(path, "does not say how long it is") end
      if bytes % width > 0 then
        fail(path, "ends within an element: it has %.0f bytes, and %s takes %d", bytes, dtype,
          width)
      end
      local x = core.empty(bytes / width, {dtype = dtype, device = "cpu"})
      fill(file, path, x, bytes, option)
      return methods.to(x, core.get_default_device())
    end)
  end)
