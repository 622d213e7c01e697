-- SPDX-License-Identifier: MIT
-- NumPy's format .npy: its headers. array.lua reads what is behind one.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
local core = require "locus.core"
local file = require "locus.files.file"
local methods = core.methods
local fail = file.fail

local npy = {}

local MAGIC = "\147NUMPY"
local LONGEST = 65536 -- bytes of a header that is read
local LONGEST_TEXT = 2 ^ 24 -- characters of a string
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

-- The dtypes that their bits are read as, and the ones that then hold the numbers.
local unsigned = {u2 = {"int16", "int32"}, u4 = {"int32", "int64"}, u8 = {"int64", "int64"}}

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

local DEEPEST = 16 -- records within records

-- The fields of a record: [('a', '<i4'), ('b', [...]), ('c', '<f8', (3,))]: each has a name, and a
-- descr or fields, and may have a shape. A title before the name says nothing here.
local function fields(text, at, depth)
  local list, next = {}, text:match("^%[%s*()", at)
  while next and text:sub(next, next) ~= "]" do
    local field, place = {}, text:match("^%(%s*()", next)
    local inner = place and text:match("^%(%s*()", place)
    if inner then -- ('title', 'name')
      inner = select(2, literal.descr(text, inner))
      inner = inner and text:match("^%s*,%s*()", inner)
      if not inner then return nil end
      field.name, place = literal.descr(text, inner)
      place = place and text:match("^%s*%)%s*()", place)
    elseif place then
      field.name, place = literal.descr(text, place)
    end
    place = place and text:match("^%s*,%s*()", place)
    if not place then return nil end
    if text:sub(place, place) == "[" then
      if depth == DEEPEST then return nil end
      field.fields, place = fields(text, place, depth + 1)
    else
      field.descr, place = literal.descr(text, place)
    end
    local shape = place and text:match("^%s*,%s*()%(", place)
    if shape then field.shape, place = literal.shape(text, shape) end
    place = place and text:match("^%s*,?%s*%)%s*()", place)
    if not place then return nil end
    list[#list + 1] = field
    next = text:match("^,%s*()", place) or text:match("^()%]", place)
  end
  return next and list, next and next + 1
end

-- The content of a header: descr, fortran_order, shape, these three in any order; nil when it is
-- none. The descr of records is a list of fields.
local function parse(text)
  local said, count = {}, 0
  local at = text:match("^%s*{%s*()")
  while at and text:sub(at, at) ~= "}" do
    local name, place = literal.descr(text, at)
    place = place and text:match("^%s*:%s*()", place)
    if not place or not literal[name] or said[name] ~= nil then return nil end
    if name == "descr" and text:find("^%[", place) then
      said[name], place = fields(text, place, 1)
    else
      said[name], place = literal[name](text, place)
    end
    at = place and text:match("^%s*,%s*()", place) or place and text:match("^%s*()}", place)
    count = count + 1
  end
  return at and count == 3 and text:find("^}%s*$", at) and said or nil
end

-- The elements that NumPy's letters mean: their `size` in bytes, whether these are `swapped`, in
-- the other order; the dtype, and if they are `unsigned` the one that their bits are read as; or
-- `text`, "S" for bytes and "U" for code points, `width` of them. Those for which there is no dtype
-- have the reason and advice as `refused`.
local function element_of(descr)
  local order, code = descr:match("^([<>|=]?)(.*)$")
  local letter, digits = code:sub(1, 1), tonumber(code:match("^%a(%d+)$"))
  local element = {swapped = order == ">", dtype = dtypes[code], size = digits or 8}
  if not element.dtype then
    local name, fits = unpack(refused[code] or refused[letter] or {"'" .. descr .. "'"})
    element.refused = ("holds %s, for which there is no dtype%s"):format(name,
      fits and ("; in NumPy, save x.astype('%s')"):format(fits) or "")
    element.unsigned, element.dtype = unpack(unsigned[code] or {})
    element.text = digits and digits <= LONGEST_TEXT and letter:match("^[SU]$")
    element.raw = letter == "V" and digits
    if element.text then element.width = digits end
    if letter == "U" then element.size = 4 * element.size end
  end
  return element
end

-- Puts the fields of records into a flat list, each with its name, "a.b" for one within another,
-- its element and its offset; gives the bytes of a record. Padding has no name.
local function flatten(list, said, prefix, offset)
  for _, field in ipairs(said) do
    local name = prefix .. field.name
    if field.fields then
      if field.shape then
        list.refused = ("holds records whose field '%s' is an array of records"):format(name)
      end
      offset = flatten(list, field.fields, name .. ".", offset)
    else
      local element, count = element_of(field.descr), 1
      for _, size in ipairs(field.shape or {}) do count = count * size end
      if field.name ~= "" then
        list[#list + 1] = {name = name, element = element, offset = offset}
        if field.shape then
          list.refused = ("holds records whose field '%s' is an array; in NumPy, save x['%s'] "
            .. "alone"):format(name, name)
        elseif element.refused and not element.unsigned and not element.text then
          list.refused = list.refused or ("holds records whose field '%s' %s"):format(name,
            element.refused)
        end
      end
      offset = offset + element.size * count
    end
  end
  return offset
end

npy.START = 8 -- the bytes that tell the format of a file, and its version

-- The content of the next header, or of the rest of one whose `start` has been read: sizes, in
-- memory order; fortran, whether that is Fortran's order; and what element_of says, or the `fields`
-- of records of `size` bytes.
function npy.header_of(source, start)
  local path = source.path
  local said = parse(read_header(source, start or source.read(npy.START)))
  if not said then fail(path, "has a header that is not NumPy's") end
  local layout = type(said.descr) == "string" and element_of(said.descr)
    or {fields = {}, refused = "holds records or raw bytes, for which there is no dtype"}
  if layout.fields then layout.size = flatten(layout.fields, said.descr, "", 0) end
  layout.sizes, layout.fortran = {}, said.fortran_order
  local ndim = #said.shape
  for d, size in ipairs(said.shape) do
    if size > 2 ^ 53 or ndim > npy.MOST_DIMS then fail(path, "has a size that no tensor can "
      .. "have") end
    layout.sizes[said.fortran_order and ndim + 1 - d or d] = size
  end
  return layout
end

-- The same of elements that have a dtype: what else there is raises.
function npy.layout(source, start)
  local layout = npy.header_of(source, start)
  if layout.refused then fail(source.path, "%s", layout.refused) end
  return layout
end

-- The tensor that a layout says, of one that has its elements as they lie.
function npy.view(layout, x)
  local ndim, dims = #layout.sizes, {}
  if not layout.fortran or ndim < 2 then return x end
  for d = 1, ndim do dims[d] = ndim + 1 - d end
  return methods.permute(x, dims)
end

return npy
