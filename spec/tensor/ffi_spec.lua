-- SPDX-License-Identifier: MIT
-- Memory shared through LuaJIT's FFI: data, from_ptr; and from_string. Who keeps whom alive.

local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local same, message = support.same, support.message

local POINTERS = support.known("the pointer", {
  bool = "uint8_t *", uint8 = "uint8_t *", int8 = "int8_t *", int16 = "int16_t *",
  int32 = "int32_t *", int64 = "int64_t *", float16 = "uint16_t *", bfloat16 = "uint16_t *",
  float32 = "float *", float64 = "double *", complex64 = "complex float *",
  complex128 = "complex *",
})

local function collect()
  for _ = 1, 2 do -- what a finalizer lets go of goes with the next
    collectgarbage()
  end
end

describe("data", function()
  it("points to the elements, typed by dtype #host", function()
    for _, dtype in ipairs(support.dtypes) do
      local p = locus.zeros(3, { dtype = dtype }):data()
      assert.equal(tostring(ffi.typeof(POINTERS[dtype])), tostring(ffi.typeof(p)))
    end
    for _, dtype in ipairs { "float32", "float64", unpack(support.integers) } do
      local x = locus.tensor({ 5, 6, 7 }, { dtype = dtype })
      local p = x:data()
      assert.same({ 5, 7 }, { tonumber(p[0]), tonumber(p[2]) })
      p[1] = 9
      same(x, { 3 }, { 5, 9, 7 }, dtype)
    end
    local z = locus.tensor { support.complex(1, 2) }:data()
    assert.same({ 1, 2 }, { z[0].re, z[0].im })
    assert.equal(1, locus.tensor { true }:data()[0])
    assert.equal(0x3c00, locus.ones(1, { dtype = "float16" }):data()[0])
    assert.equal(0x3f80, locus.ones(1, { dtype = "bfloat16" }):data()[0])
  end)

  it("is 64-byte aligned when the memory is ours", function()
    for n = 1, 5 do
      local address = ffi.cast("uintptr_t", locus.zeros(n):data())
      assert.equal(0, tonumber(address % 64))
    end
  end)

  it("starts at a view's first element #host", function()
    local x = locus.arange(6):view(2, 3)
    assert.equal(4, x[2]:data()[1])
    assert.equal(2, x:select(2, 3):data()[0])
  end)

  it("keeps the tensor alive #host", function()
    collect()
    local live = locus.live_bytes()
    local p = locus.full({ 1000 }, 7):data()
    collect()
    assert.is_true(locus.live_bytes() >= live + 8000)
    for i = 0, 999 do
      assert.equal(7, p[i])
    end
    p = nil
    collect()
    assert.equal(live, locus.live_bytes())
    assert.is_nil(p)
  end)
end)

describe("from_ptr", function()
  it("shares the memory, with the dtype of the elements", function()
    for _, case in ipairs {
      { "uint8_t", "uint8" }, { "int8_t", "int8" }, { "int16_t", "int16" }, { "int32_t", "int32" },
      { "int64_t", "int64" }, { "float", "float32" }, { "double", "float64" }, { "long", "int64" },
      { "int", "int32" }, { "short", "int16" }, { "unsigned char", "uint8" },
    } do
      local array = ffi.new(case[1] .. "[6]", 1, 2, 3, 4, 5, 6)
      local x = locus.from_ptr(array, 2, 3)
      same(x, { 2, 3 }, { 1, 2, 3, 4, 5, 6 }, case[2])
      same(locus.from_ptr(ffi.cast(case[1] .. " *", array), { 6 }), { 6 }, { 1, 2, 3, 4, 5, 6 })
      x[{ 2, 3 }] = 9
      assert.equal(9, tonumber(array[5]))
    end
    local constant = locus.from_ptr(ffi.new("const float[2]", 5, 6), 2)
    same(constant, { 2 }, { 5, 6 }, "float32")
    assert.matches("index: 'input' is read%-only; write to its clone%(%)$",
      support.message(function() constant[1] = 9 end))
    assert.equal("ctype<const float *>", tostring(ffi.typeof(constant:data())))
    local flags = ffi.new("bool[2]", true, false)
    same(locus.from_ptr(flags, 2), { 2 }, { true, false }, "bool")
    local z = ffi.new("complex float[2]", { { 1, 2 }, { 3, 4 } })
    same(locus.from_ptr(z, 2), { 2 }, { support.complex(1, 2), support.complex(3, 4) }, "complex64")
    same(locus.from_ptr(ffi.new("double[?]", 2, 5, 6), 2), { 2 }, { 5, 6 }, "float64")
  end)

  it("takes the dtype where the pointer does not say it", function()
    local half = ffi.new("uint16_t[2]", 0x3c00, 0x4000)
    same(locus.from_ptr(half, 2, { dtype = "float16" }), { 2 }, { 1, 2 }, "float16")
    same(locus.from_ptr(half, { 2 }, { dtype = "bfloat16" }), { 2 }, { 2 ^ -7, 2 }, "bfloat16")
    local array = ffi.new("float[2]", 1, 2)
    same(locus.from_ptr(ffi.cast("void *", array), 2, { dtype = "float32" }), { 2 }, { 1, 2 })
    same(locus.from_ptr(ffi.cast("char *", array), 2, { dtype = "float32" }), { 2 }, { 1, 2 })
    same(locus.from_ptr(ffi.cast("uint8_t *", array), 2, { dtype = "float32" }), { 2 }, { 1, 2 })
    same(locus.from_ptr(ffi.new("uint8_t[2]", 0, 7), 2, { dtype = "bool" }), { 2 }, { false, true })
    same(locus.from_ptr(array, 2, { dtype = "float32" }), { 2 }, { 1, 2 })
  end)

  it("takes sizes in every form", function()
    local array = ffi.new("int32_t[4]", 1, 2, 3, 4)
    same(locus.from_ptr(array, {}), {}, { 1 }, "int32")
    same(locus.from_ptr(array, 0), { 0 }, {})
    same(locus.from_ptr(ffi.cast("int32_t *", nil), 0, 3), { 0, 3 }, {}, "int32")
    same(locus.from_ptr { array, sizes = { 2, 2 } }, { 2, 2 }, { 1, 2, 3, 4 })
    same(locus.from_ptr(array + 1, 2), { 2 }, { 2, 3 })
  end)

  it("keeps the cdata alive, through views too", function()
    local freed = 0
    local function make()
      local array = ffi.gc(ffi.new("double[100]"), function() freed = freed + 1 end)
      for i = 0, 99 do
        array[i] = i
      end
      return (locus.from_ptr(array, 10, 10))
    end
    local x = make()
    collect()
    assert.equal(0, freed)
    local views = { x[2], x:t(), x:view(100), x:narrow(1, 3, 2), x:select(2, 1), x[{ { 1, 2 } }],
      x:unsqueeze(1), x:expand(2, 10, 10), x:flatten(), x.T, x:contiguous(), x:permute(2, 1) }
    x = nil
    collect()
    assert.equal(0, freed)
    while #views > 0 do
      assert.equal(0, freed)
      views[#views] = nil
      collect()
    end
    assert.equal(1, freed)
    assert.is_nil(x)
  end)

  it("keeps an owner alive", function()
    local weak = setmetatable({}, { __mode = "v" })
    local array = ffi.new("float[4]", 1, 2, 3, 4)
    weak.owner = {}
    local x = locus.from_ptr(ffi.cast("float *", array), 4, { keep = weak.owner })
    collect()
    assert.is_table(weak.owner)
    local row = x:narrow(1, 2, 2)
    x = nil
    collect()
    assert.is_table(weak.owner)
    same(row, { 2 }, { 2, 3 })
    row = nil
    collect()
    assert.is_nil(weak.owner)
    assert.is_nil(x or row)
  end)

  it("neither frees nor counts what is not ours", function()
    collect()
    local live = locus.live_bytes()
    local array = ffi.new("double[1000]")
    local x = locus.from_ptr(array, 1000)
    assert.is_true(locus.live_bytes() - live < x:numel())
    x = nil
    collect()
    assert.equal(live, locus.live_bytes())
    assert.is_nil(x)
    array[999] = 5
    assert.equal(5, array[999])
  end)

  it("is not resized in place as an out", function()
    local array = ffi.new("int64_t[4]", 1, 2, 3, 4)
    local out = locus.from_ptr(array, 4, 1)
    locus.nonzero({ 1, 0, 1 }, { out = out })
    same(out, { 2, 1 }, { 1, 3 }, "int64")
    assert.same({ 1, 2, 3, 4 }, { tonumber(array[0]), tonumber(array[1]), tonumber(array[2]),
      tonumber(array[3]) })
  end)

  it("refuses addresses that are not aligned, and NULL with elements", function()
    local array = ffi.new("double[4]")
    local byte = ffi.cast("char *", array) + 1
    local sizes = { int16 = 2, float32 = 4, float64 = 8, complex64 = 8, complex128 = 8 }
    for dtype, size in pairs(sizes) do
      local text = message(locus.from_ptr, byte, 1, { dtype = dtype })
      local wanted = ("from_ptr: 'pointer' must be aligned to %d bytes for dtype %s, got 0x")
        :format(size, dtype)
      assert.equal(wanted, text:sub(1, #wanted))
    end
    same(locus.from_ptr(byte, 1, { dtype = "uint8" }), { 1 }, { 0 }, "uint8")
    assert.equal("from_ptr: 'pointer' is NULL, but there are 6 elements",
      message(locus.from_ptr, ffi.cast("float *", nil), 2, 3))
  end)

  it("says what is wrong", function()
    local array = ffi.new("float[4]")
    assert.equal("from_ptr: 'dtype' is float64, but 'pointer' points to float",
      message(locus.from_ptr, array, 2, { dtype = "float64" }))
    assert.equal("from_ptr: 'dtype' is int32, but 'pointer' points to unsigned int",
      message(locus.from_ptr, ffi.new("uint32_t[2]"), 2, { dtype = "int32" }))
    for _, pointer in ipairs { ffi.cast("void *", array), ffi.new("uint16_t[2]"),
      ffi.new("uint32_t[2]"), ffi.new("struct { int x; }[2]"), ffi.new("float[2][2]") } do
      assert.equal("from_ptr: 'dtype' is missing, and 'pointer' does not say what it points to",
        message(locus.from_ptr, pointer, 2))
    end
    assert.equal("from_ptr: 'pointer' must be a pointer or an array, got the cdata 5",
      message(locus.from_ptr, 5LL, 2))
    assert.equal("from_ptr: 'pointer' must be a pointer or an array, got a table",
      message(locus.from_ptr, { 1 }, 2))
    assert.equal("from_ptr: 'pointer' must be a pointer or an array, got the string \"abcd\"",
      message(locus.from_ptr, "abcd", 2))
    assert.equal("from_ptr: 'sizes' is missing", message(locus.from_ptr, array))
    assert.equal("from_ptr: 'sizes' must not hold negative sizes, got -1",
      message(locus.from_ptr, array, -1))
    assert.equal("from_ptr: a float32 tensor of size 4611686018427387904 has more bytes than 2^62",
      message(locus.from_ptr, array, 2 ^ 62))
    assert.equal("from_ptr: 'sizes' 3x2 need more than the 32 bytes of the array",
      message(locus.from_ptr, ffi.new("double[4]"), 3, 2))
    assert.equal("from_ptr: 'sizes' 5 need more than the 4 bytes of the array",
      message(locus.from_ptr, ffi.new("uint8_t[?]", 4), 5))
    assert.equal("from_ptr: there is no argument 'own'; "
      .. "the arguments are 'pointer', 'sizes', 'dtype', 'keep', 'device'",
      message(locus.from_ptr, array, 2, { own = array }))
  end)
end)

describe("an element", function()
  -- LuaJIT keeps pointers and tags in such NaNs.
  it("that is NaN of any bits is a number", function()
    local pieces = {}
    for high = 240, 255 do
      for tag = 0, 255 do
        pieces[#pieces + 1] = string.char(1, 2, 3, 4, 5, tag, high, 255)
        pieces[#pieces + 1] = string.char(255, tag, high, 127, 255, tag, high, 255)
      end
    end
    for _, dtype in ipairs {"float64", "float32"} do
      local x = locus.from_string(table.concat(pieces), dtype)
      local kept = x:isnan():totable()
      for _ = 1, 3 do
        for i = 1, #kept do
          local value = x[i]
          assert(type(value) == "number" and (value ~= value) == kept[i])
        end
      end
      assert.equal(-locus.inf, locus.tensor({1, -locus.inf}, {dtype = dtype})[2])
    end
  end)
end)

describe("from_string", function()
  it("copies the elements in a string", function()
    same(locus.from_string("\1\2\255", "uint8"), { 3 }, { 1, 2, 255 }, "uint8")
    same(locus.from_string("\1\2\255", "int8"), { 3 }, { 1, 2, -1 }, "int8")
    same(locus.from_string("", "float64"), { 0 }, {}, "float64")
    for _, dtype in ipairs(support.real) do
      local x = locus.tensor({ 1, 2, 3 }, { dtype = dtype })
      local bytes = ffi.string(support.memory(x, "uint8_t"), 3 * x:element_size())
      same(locus.from_string(bytes, dtype), { 3 }, { 1, 2, 3 }, dtype)
    end
    local z = locus.tensor { support.complex(1, 2) }
    same(locus.from_string(ffi.string(support.memory(z, "uint8_t"), 16), "complex128"), { 1 },
      { support.complex(1, 2) })
    same(locus.from_string { bytes = "\0\0", dtype = "int16" }, { 1 }, { 0 }, "int16")
  end)

  it("says what is wrong", function()
    assert.equal("from_string: 'bytes' must be a multiple of 4 long for dtype float32, got 7",
      message(locus.from_string, "1234567", "float32"))
    assert.equal("from_string: 'bytes' must be a multiple of 16 long for dtype complex128, got 8",
      message(locus.from_string, "12345678", "complex128"))
    assert.equal("from_string: 'dtype' is missing", message(locus.from_string, "1"))
    assert.equal("from_string: 'bytes' must be a string, got the number 5",
      message(locus.from_string, 5, "uint8"))
  end)
end)
