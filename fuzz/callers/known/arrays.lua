-- SPDX-License-Identifier: MIT
-- Arrays whose elements plain Lua knows: in FFI arrays, so that loops over them are compiled. An
-- array is {dtype=, n=, class=, v=, raw=}: v has the elements in C order, as double[] ("d"), as
-- int64_t[] for int64 ("q"), or as pairs of double ("z") for complex; raw has their bytes.
local core = require "locus.core"
local ffi = require "ffi"
local locus = require "locus"
local plan = require "fuzz.callers.plan"
local rounding = require "fuzz.callers.known.rounding"
local support = require "spec.support"

jit.off(true, true) -- see plan.compile

local band = require("bit").band
local pick, chance, random = plan.pick, plan.chance, math.random

local arrays = {}

local dtypes, types = core.internal.dtypes()
arrays.dtypes, arrays.types = dtypes, types

local function of_kinds(words)
  local list = {}
  for _, dtype in ipairs(dtypes) do
    if words:find(types[dtype].kind) then list[#list + 1] = dtype end
  end
  return list
end
arrays.ordered = of_kinds "BOOL INTEGER FLOAT"
arrays.integers, arrays.floats = of_kinds "INTEGER", of_kinds "FLOAT"
arrays.numbers = of_kinds "INTEGER FLOAT COMPLEX"

--- "d", "q" or "z".
function arrays.class(dtype)
  return dtype == "int64" and "q" or types[dtype].kind == "COMPLEX" and "z" or "d"
end

local STORED = {d = "double[?]", q = "int64_t[?]", z = "double[?]"}
local PART = {bool = "uint8_t", float16 = "uint16_t", bfloat16 = "uint16_t", float32 = "float",
              float64 = "double", complex64 = "float", complex128 = "double"}
local pointers = {}
for _, dtype in ipairs(dtypes) do
  pointers[dtype] = ffi.typeof((PART[dtype] or dtype .. "_t") .. " *")
end

--- An array of n zeros: values alone.
function arrays.blank(dtype, n)
  local class = arrays.class(dtype)
  return {dtype = dtype, n = n, class = class,
          v = ffi.new(STORED[class], math.max(n, 1) * (class == "z" and 2 or 1))}
end

--- A function of its own for each key, from a template: its loops are then compiled for the types
--- of that key alone.
local made = {}
function arrays.compiled(source, key, ...)
  local name = source .. key
  made[name] = made[name] or assert(loadstring(source, "=" .. key))(...)
  return made[name]
end

-- -- Bytes to values ----------------------------------------------------------------------------

local NAN = 0 / 0
local DECODE = [[
  local get = ...
  return function(raw, bits, v, count)
    for i = 0, count - 1 do v[i] = get(raw, i, bits) end
  end]]
local halves = rounding.halves
local words = ffi.typeof "const int32_t *"

-- LuaJIT keeps values that are no numbers in NaNs with a sign: bits are checked for that before
-- they are read as a number.
local function single(raw, i, bits)
  return band(bits[i], 0x7fffffff) > 0x7f800000 and NAN or raw[i]
end
local function double(raw, i, bits)
  local high = band(bits[2 * i + 1], 0x7fffffff)
  return (high > 0x7ff00000 or high == 0x7ff00000 and bits[2 * i] ~= 0) and NAN or raw[i]
end
local GET = plan.compile {
  bool = function(raw, i) return raw[i] ~= 0 and 1 or 0 end,
  float16 = function(raw, i) return halves.float16[raw[i]] end,
  bfloat16 = function(raw, i) return halves.bfloat16[raw[i]] end,
  float32 = single, complex64 = single, float64 = double, complex128 = double,
}
local function plain(raw, i) return raw[i] end
local function bits() return random(0, 65535) end

local function any_int64()
  return ((bits() * 65536LL + bits()) * 65536LL + bits()) * 65536LL + bits()
end
plan.compile {plain, bits, any_int64}

local function decode(a, raw)
  local count = a.n * (a.class == "z" and 2 or 1)
  local loop = arrays.compiled(DECODE, "decode " .. a.dtype, GET[a.dtype] or plain)
  loop(raw, ffi.cast(words, raw), a.v, count)
  return a
end

-- -- Values by chance ---------------------------------------------------------------------------

local SPECIAL = {NAN, 1 / 0, -1 / 0, 0, -0.0, 1, -1, 0.5, 2 ^ 31, -2 ^ 31, 2 ^ 53, 65504, 3e38,
                 2 ^ -24, 2 ^ -149, 5e-324, 16777217, 1e308, -1e308, 2 ^ 63, -2 ^ 63}
local WIDE = {}
for i, x in ipairs {2 ^ 53, -2 ^ 53, 2 ^ 62, -2 ^ 62, 2 ^ 31, 2 ^ 24} do
  WIDE[i] = ffi.new("int64_t", x)
end
local MOST, LEAST = 0x7fffffffffffffffLL, -0x7fffffffffffffffLL - 1

-- Few values, so that many are equal; some where dtypes part; any bits.
local FILLS = {
  d = plan.compile {
    function() return random(-6, 6) end,
    function() return chance(5) and pick(SPECIAL) or random(-12, 12) / 2 end,
    function() return (random() - 0.5) * 2 ^ random(-30, 30) end,
    function() return random(-1000, 1000) end,
  },
  q = plan.compile {
    function() return ffi.new("int64_t", random(-6, 6)) end,
    function() return pick(WIDE) + random(-3, 3) end,
    any_int64,
    function() return chance(4) and (chance(2) and MOST or LEAST) or any_int64() / 2 ^ 20 end,
  },
}

FILLS.z = FILLS.d

local FILL = [[
  local make = ...
  return function(v, count) for i = 0, count - 1 do v[i] = make() end end]]

-- Bits of 16-bit floats that are zeros, infinities and the least denormals.
local EDGES = {float16 = {0, 0x8000, 0x7c00, 0xfc00, 1, 0x8001},
               bfloat16 = {0, 0x8000, 0x7f80, 0xff80, 1, 0x8001}}

-- In raw, for dtypes whose values are not those of doubles: all bytes by chance, some elements at
-- the edges, or numbers near 0.
local function fill_raw(a, raw, small)
  local bytes, few, edges = ffi.cast("uint8_t *", raw), rounding.few[a.dtype], EDGES[a.dtype]
  if small and few then
    for i = 0, a.n - 1 do raw[i] = few[random(#few)] end
    return
  end
  local zeros = a.dtype == "bool" and 100 or -1
  for i = 0, a.n * types[a.dtype].size - 1 do
    local x = random(0, 255)
    bytes[i] = x < zeros and 0 or x
  end
  for i = 0, edges and a.n - 1 or -1, 16 do
    local at = i + random(0, 15)
    if at < a.n then raw[at] = edges[random(#edges)] end
  end
end

plan.compile {fill_raw}

local STORE = [[return function(raw, v, count)
  for i = 0, count - 1 do raw[i] = v[i] end
end]]

--- A random array of any values; with `small`, of small whole numbers.
function arrays.random(dtype, n, small)
  local a = arrays.blank(dtype, n)
  a.any = not small
  local count = n * (a.class == "z" and 2 or 1)
  a.bytes = ffi.new("uint8_t[?]", math.max(n, 1) * types[dtype].size + 16)
  a.raw = ffi.cast(pointers[dtype], a.bytes)
  local fill = small and 1 or random(4)
  if rounding.few[dtype] or dtype == "bool" or not small and chance(3) then
    fill_raw(a, a.raw, small or fill < 3)
  else
    arrays.compiled(FILL, "fill " .. a.class .. fill, FILLS[a.class][fill])(a.v, count)
    local range = rounding.range[dtype]
    if range then rounding.clip(a.v, count, range[1], range[2]) end
    arrays.compiled(STORE, "store " .. dtype)(a.raw, a.v, count)
  end
  return decode(a, a.raw)
end

--- An array of values from a function of the position, from 0; they must suit the dtype.
function arrays.of(dtype, n, value)
  local a = arrays.blank(dtype, n)
  a.bytes = ffi.new("uint8_t[?]", math.max(n, 1) * types[dtype].size + 16)
  a.raw = ffi.cast(pointers[dtype], a.bytes)
  for i = 0, n - 1 do
    local x = value(i)
    a.v[i], a.raw[i] = x, x
  end
  return a
end

-- -- Tensors ------------------------------------------------------------------------------------

local function ones(shape, dtype, layout)
  return support.laid(locus.ones(shape, {dtype = dtype}), layout)
end

local WIDTH = {"uint8_t", "uint16_t", [4] = "uint32_t", [8] = "uint64_t", [16] = "fuzz_wide"}
ffi.cdef "typedef struct { uint64_t a, b; } fuzz_wide;"
local COPY = [[return function(to, at, step, from, first, next, n)
  for i = 0, n - 1 do to[at + i * step] = from[first + i * next] end
end]]

-- Visits the rows of a tensor: where each begins in memory, in elements, and its number.
local function each_row(t, visit)
  local ndim = t:dim()
  if t:numel() == 0 then return end
  local n, step, rows = ndim > 0 and t:size(ndim) or 1, ndim > 0 and t:stride(ndim) or 1, 1
  local sizes, strides = ffi.new "double[32]", ffi.new "double[32]"
  for d = 1, ndim - 1 do
    sizes[d], strides[d] = t:size(d), t:stride(d)
    rows = rows * sizes[d]
  end
  for row = 0, rows - 1 do
    local left, at = row, 0
    for d = ndim - 1, 1, -1 do
      at = at + left % sizes[d] * strides[d]
      left = math.floor(left / sizes[d])
    end
    visit(at, step, row * n, n)
  end
end

local function copier(dtype)
  local size = types[dtype].size
  local pointer = ffi.typeof(WIDTH[size] .. " *")
  return pointer, arrays.compiled(COPY, "copy " .. size)
end

--- A tensor of the array's elements in that shape, in a layout by chance; `contiguous` in none.
function arrays.tensor(a, shape, contiguous)
  if arrays.watch then arrays.watch(a) end
  local t = ones(shape, a.dtype, contiguous and "contiguous" or pick(support.layouts))
  if a.n == 0 then return t end
  local pointer, copy = copier(a.dtype)
  local to, from = ffi.cast(pointer, t:data()), ffi.cast(pointer, a.raw)
  each_row(t, function(at, step, first, n) copy(to, at, step, from, first, 1, n) end)
  return t
end

--- The elements of a tensor, read through its strides.
function arrays.read(t)
  local a = arrays.blank(t.dtype, t:numel())
  if a.n == 0 then return a end
  local from = ffi.cast("char *", t:data())
  if not t:is_contiguous() then
    local bytes = ffi.new("uint8_t[?]", a.n * types[a.dtype].size + 16)
    local pointer, copy = copier(a.dtype)
    local to, source = ffi.cast(pointer, bytes), ffi.cast(pointer, from)
    each_row(t, function(at, step, first, n) copy(to, first, 1, source, at, step, n) end)
    from = ffi.cast("char *", bytes)
    a.kept = bytes
  end
  return decode(a, ffi.cast(pointers[a.dtype], from))
end

--- An empty tensor for `out`, or one of that shape in some layout, or none.
function arrays.out(dtype, shape)
  if chance(2) then return nil end
  if chance(3) then return locus.zeros({0}, {dtype = dtype}) end
  return ones(shape, dtype, pick(support.layouts))
end

-- -- Shapes -------------------------------------------------------------------------------------

--- How many elements: mostly some thousands, often few, seldom very many; with `arrays.short` some
--- dozens.
function arrays.count()
  if arrays.short then return random(20, 200) end
  local choice = random(20)
  if choice <= 3 then return random(0, 20) end
  if choice <= 8 then return random(20, 300) end
  if choice == 20 then return random(20000, 150000) end
  return random(300, 8000)
end

--- A shape of about n elements, of up to four dimensions.
function arrays.shape(n)
  local shape = {}
  if n == 1 and chance(2) then return shape, 1 end
  for d = 1, random(0, 3) do shape[d] = random(1, 5) end
  local inner = 1
  for _, size in ipairs(shape) do inner = inner * size end
  table.insert(shape, random(#shape + 1), math.floor(n / inner))
  return shape, inner * math.floor(n / inner)
end

return arrays
