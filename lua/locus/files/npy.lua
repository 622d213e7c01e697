-- SPDX-License-Identifier: MIT
-- NumPy's format .npy: its headers, and the tensor behind one.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
local core = require "locus.core"
local file = require "locus.files.file"
local internal, methods = core.internal, core.methods
local fail = file.fail

local npy = {}

local MAGIC = "\147NUMPY"
local LONGEST = 65536 -- bytes of a header that is read
npy.MOST_DIMS = 32 -- of a tensor

-- NumPy's letters for our dtypes, without the order of bytes.
local letters = {
  bool = "b1", uint8 = "u1", int8 = "i1", int16 = "i2", int32 = "i4", int64 = "i8",
  float16 = "f2", float32 = "f4", float64 = "f8", complex64 = "c8", complex128 = "c16",
}
local dtypes = {}
for dtype, code in pairs(letters) do dtypes[code] = dtype end

-- Types of NumPy without a dtype here, by their letters or the first one; and the type that NumPy
-- can make of them.
local refused = {
  u2 = {"uint16", "int32"}, u4 = {"uint32", "int64"}, u8 = {"uint64", "float64"},
  f16 = {"long double", "float64"}, c32 = {"complex long double", "complex128"},
  M = {"times", "int64"}, m = {"time spans", "int64"}, O = {"Python objects"}, S = {"strings"},
  U = {"strings"}, V = {"records or raw bytes"},
}

-- -- Writing --------------------------------------------------------------------------------------

-- Whether there are letters for a dtype: not for bfloat16.
function npy.has(dtype) return letters[dtype] ~= nil end

-- The header that NumPy writes, too: with room for the first size to grow to 21 digits, and the
-- data at a multiple of 64 bytes, or at `start`; nil if there is no room for it.
function npy.header(dtype, sizes, start)
  local code, digits = letters[dtype], {}
  for d = 1, #sizes do digits[d] = ("%d"):format(sizes[d]) end
  local text = ("{'descr': '%s%s', 'fortran_order': False, 'shape': (%s%s), }"):format(
    code:sub(2) == "1" and "|" or "<", code, table.concat(digits, ", "), #sizes == 1 and "," or "")
  if #sizes > 0 then text = text .. (" "):rep(21 - #digits[1]) end
  local rest = start and start - #text - 11 or 64 - (#text + 11) % 64
  if rest < 0 then return nil end
  text = text .. (" "):rep(rest) .. "\n"
  return MAGIC .. "\1\0" .. string.char(#text % 256, math.floor(#text / 256)) .. text
end

-- -- Reading --------------------------------------------------------------------------------------

-- Whether such a file begins so.
function npy.is_one(start) return start:sub(1, 6) == MAGIC end

-- The text of the header, a dict of Python.
local function read_header(source, start)
  local path = source.path
  local major = start:byte(7)
  if not npy.is_one(start) or not major then
    fail(path, "is not a file in NumPy's format .npy")
  elseif major < 1 or major > 3 then
    fail(path, "is in version %d of NumPy's format, which is not supported", major)
  end
  local wide = major > 1 and 4 or 2
  local length, size = source.read(wide), 0
  for i = #length, 1, -1 do size = 256 * size + length:byte(i) end
  if size > LONGEST then fail(path, "has a header of %d bytes, which is too long", size) end
  local text = source.read(size)
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

-- The content of a header: descr, fortran_order, shape, these three in any order; nil when it is
-- none.
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

-- The dtype of NumPy's letters, and whether the bytes are in the other order.
local function find_dtype(path, descr)
  local order, code = descr:match("^([<>|=]?)(.*)$")
  if not dtypes[code] then
    local name, fits = unpack(refused[code] or refused[code:sub(1, 1)] or {"'" .. descr .. "'"})
    local advice = fits and ("; in NumPy, save x.astype('%s')"):format(fits) or ""
    fail(path, "holds %s, for which there is no dtype%s", name, advice)
  end
  return dtypes[code], order == ">"
end

npy.START = 8 -- the bytes that tell the format of a file, and its version

-- The content of the next header, or of the rest of one whose `start` has been read: dtype;
-- swapped, whether the byte order is the other one; sizes, in memory order; fortran, whether that
-- is Fortran's order.
function npy.layout(source, start)
  local path = source.path
  local said = parse(read_header(source, start or source.read(npy.START)))
  if not said then fail(path, "has a header that is not NumPy's") end
  local layout = {sizes = {}, fortran = said.fortran_order}
  layout.dtype, layout.swapped = find_dtype(path, said.descr)
  local ndim = #said.shape
  for d, size in ipairs(said.shape) do
    if size > 2 ^ 53 or ndim > npy.MOST_DIMS then fail(path, "has a size that no tensor can "
      .. "have") end
    layout.sizes[said.fortran_order and ndim + 1 - d or d] = size
  end
  return layout
end

-- The tensor that a layout says, of one that has its elements as they lie.
function npy.view(layout, x)
  local ndim, dims = #layout.sizes, {}
  if not layout.fortran or ndim < 2 then return x end
  for d = 1, ndim do dims[d] = ndim + 1 - d end
  return methods.permute(x, dims)
end

-- The tensor that comes next, or behind the `start` of its header, on the default device; on the
-- CPU it is all the memory that this takes. `option` is that of progress.
function npy.read(source, start, option)
  local layout = npy.layout(source, start)
  local x = file.elements(source, layout.dtype, layout.sizes, option)
  if layout.swapped then internal.swap_bytes(x) end
  return npy.view(layout, methods.to(x, core.get_default_device()))
end

-- Fills rows, a contiguous tensor on the CPU, with the tensor that comes next; its header has been
-- read.
function npy.fill(source, layout, rows, option)
  if layout.fortran and #layout.sizes > 1 then
    local x = file.elements(source, layout.dtype, layout.sizes, option)
    if layout.swapped then internal.swap_bytes(x) end
    methods.copy_(rows, npy.view(layout, x))
  else
    file.fill(source, rows, option)
    if layout.swapped then internal.swap_bytes(rows) end
  end
end

return npy
