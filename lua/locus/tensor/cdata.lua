-- SPDX-License-Identifier: MIT
-- The services of LuaJIT's FFI for the C core: telling cdata apart, making them, pointing to
-- memory. Empty under plain Lua 5.1.
local has_ffi, ffi = pcall(require, "ffi")
if not has_ffi then return {} end
local core = require "locus.core"

local int64, uint64 = ffi.typeof("int64_t"), ffi.typeof("uint64_t")
local word, half = int64(2 ^ 32), uint64(2) ^ 63 -- 2LL ^ 32 would not even load in Lua 5.1
local complex, complex_float = ffi.typeof("complex"), ffi.typeof("complex float")

local quantity = require "locus.tensor.quantity"

local cdata = {meaning = quantity.of_halves}

-- LuaJIT takes an array of two floats for a complex, too.
local function is_complex(v)
  local near = ffi.istype(complex, v) or ffi.istype(complex_float, v)
  return near and not tostring(ffi.typeof(v)):find("[", 1, true)
end

-- A cdata as a kind and two doubles that hold it exactly, behind which stands the number of a kind
-- of tensors, if it has one; or "beyond" and the digits of a number that int64 cannot hold; or
-- "other" and its type.
function cdata.classify(v)
  if quantity.is(v) then
    local kind, high, low = cdata.classify(v.units)
    return kind, high, low, v.number
  end
  if ffi.istype(int64, v) or (ffi.istype(uint64, v) and v < half) then
    v = int64(v)
    local low = v % word
    if low < 0 then low = low + word end
    return "int64", tonumber((v - low) / word), tonumber(low)
  elseif ffi.istype(uint64, v) then
    return "beyond", (tostring(v):gsub("ULL$", ""))
  elseif is_complex(v) then
    return "complex", tonumber(v.re), tonumber(v.im)
  end
  return "other", tostring(ffi.typeof(v)):match("^ctype<(.*)>$")
end

function cdata.int64(high, low) return int64(high) * word + int64(low) end

function cdata.complex(re, im) return ffi.new(complex, re, im) end

-- Pointers to the elements of each dtype, and the element types that tell their dtype: those that
-- are their own value type. A uint8_t does not tell bool.
local names, types = core.internal.dtypes()
local own = {locus_complex64 = "complex float", locus_complex128 = "complex"} -- LuaJIT's spelling
local pointers, constants, says = {}, {}, {[tostring(ffi.typeof("bool *"))] = "bool"}
for _, dtype in ipairs(names) do
  local c = types[dtype]
  local pointer = ffi.typeof((own[c.element] or c.element) .. " *")
  pointers[dtype] = pointer
  constants[dtype] = ffi.typeof(("const %s *"):format(own[c.element] or c.element))
  if c.element == c.value and c.kind ~= "BOOL" then says[tostring(pointer)] = dtype end
end

-- A pointer of the dtype's type, to const for a read-only tensor, which keeps `owner` alive.
local owners = setmetatable({}, {__mode = "k"})
function cdata.point(address, dtype, owner, readonly)
  local pointer = ffi.cast((readonly and constants or pointers)[dtype], address)
  owners[pointer] = owner
  return pointer
end

-- Element types that may hold any dtype.
local bytes = {}
for _, element in ipairs {"void *", "char *", "uint8_t *"} do
  bytes[tostring(ffi.typeof(element))] = true
end

-- The type of a pointer to the elements, without qualifiers, the bytes of an array, and whether the
-- elements are const; nil when it is neither pointer nor array. (ffi.typeof of the array itself can
-- keep it alive.)
local function spelled(pointer)
  local ok, first = pcall(function() return pointer + 0 end)
  if not ok then first = pointer end
  local kind = ffi.typeof(first)
  local full = tostring(kind)
  local text = full:gsub("const ", ""):gsub("volatile ", "")
  if not text:find("*", 1, true) then return nil end
  return text, not ffi.istype(kind, pointer) and ffi.sizeof(pointer) or nil,
    full:find("const [^*]*%*") ~= nil
end

-- The address as a void * and the dtype of the elements there (`dtype` when given); nil when it is
-- no pointer. The third result is an error's sentence, the fourth the bytes of an array, the fifth
-- whether the elements are const.
function cdata.pointer(pointer, dtype)
  if type(pointer) ~= "cdata" then return nil end
  local text, size, const = spelled(pointer)
  if not text then return nil end
  local address, said = ffi.cast("void *", pointer), says[text]
  if not dtype then
    if said then return address, said, nil, size, const end
    return address, nil, "'dtype' is missing, and 'pointer' does not say what it points to"
  end
  if not bytes[text] and said ~= dtype and text ~= tostring(pointers[dtype]) then
    local element = text:match("^ctype<(.-) ?%*")
    return address, nil, ("'dtype' is %s, but 'pointer' points to %s"):format(dtype, element)
  end
  return address, dtype, nil, size, const
end

return cdata
