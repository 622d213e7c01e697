-- SPDX-License-Identifier: MIT
-- to_dlpack and from_dlpack: the struct field by field, who keeps what alive, and what is refused.
-- With other libraries: exchange_spec.lua.
local has_ffi, ffi = pcall(require, "ffi")
local locus = require "locus"
local support = require "spec.support"

local message, same = support.message, support.same

if has_ffi then
  ffi.cdef [[
    typedef struct {
      void *data;
      int32_t device_type, device_id, ndim;
      uint8_t code, bits;
      uint16_t lanes;
      int64_t *shape, *strides;
      uint64_t byte_offset;
    } dlpack_tensor;
    typedef struct dlpack_plain {
      dlpack_tensor tensor;
      void *context;
      void (*deleter)(struct dlpack_plain *);
    } dlpack_plain;
    typedef struct dlpack_versioned {
      uint32_t major, minor;
      void *context;
      void (*deleter)(struct dlpack_versioned *);
      uint64_t flags;
      dlpack_tensor tensor;
    } dlpack_versioned;
  ]]
end

-- The managed tensor of x, as Lua sees it.
local function export(x, versioned)
  return ffi.cast(versioned and "dlpack_versioned *" or "dlpack_plain *",
    x:to_dlpack{versioned = versioned})
end

local CODES = {bool = 6, uint8 = 1, int8 = 0, int16 = 0, int32 = 0, int64 = 0, float16 = 2,
               bfloat16 = 4, float32 = 2, float64 = 2, complex64 = 5, complex128 = 5}

-- The bytes of all tensors that somebody still has.
local function live()
  for _ = 1, 3 do collectgarbage() end
  return locus.live_bytes()
end

describe("to_dlpack #host", function()
  it("says all there is to say of a tensor", function()
    for _, dtype in ipairs(support.dtypes) do
      local x = support.tensor(dtype, {0, 1, 1, 0, 1, 0}, {2, 3}):t()
      for _, versioned in ipairs {true, false} do
        local m = export(x, versioned)
        local t = m.tensor
        assert.equal(ffi.cast("void *", x:data()), t.data)
        assert.same({1, 0, 2, CODES[dtype], 8 * x:element_size(), 1, 3, 2, 1, 3, 0},
          {t.device_type, t.device_id, t.ndim, t.code, t.bits, t.lanes, tonumber(t.shape[0]),
           tonumber(t.shape[1]), tonumber(t.strides[0]), tonumber(t.strides[1]),
           tonumber(t.byte_offset)})
        if versioned then assert.same({1, 0}, {m.major, tonumber(m.flags)}) end
        m.deleter(m)
      end
    end
  end)

  it("keeps the elements alive until the deleter is called, and no longer", function()
    local before = live()
    local m = export(locus.arange(1e5), true)
    assert.is_true(live() - before >= 8e5)
    assert.equal(99999, ffi.cast("double *", m.tensor.data)[99999])
    m.deleter(m)
    assert.equal(before, live())
  end)

  it("takes back what nobody took over", function()
    local before = live()
    local pointer = locus.arange(1e5):to_dlpack()
    assert.matches("^from_dlpack: 'pointer'", message(locus.from_dlpack, pointer,
      {versioned = false}))
    assert.is_true(live() - before >= 8e5)
    locus.from_dlpack(pointer):free()
    assert.equal(before, live())
  end)

  it("refuses memory of others, and what it cannot say", function()
    local x = locus.from_ptr(ffi.new("float[2]", 1, 2), 2)
    assert.equal("to_dlpack: 'input' lies in memory of another owner; write x:clone() first",
      message(x.to_dlpack, x))
    local path = os.tmpname()
    locus.arange(3):save(path)
    local mapped = locus.load(path, {mmap = "r"})
    os.remove(path)
    assert.equal("to_dlpack: 'input' is read-only, which only versioned = true can say",
      message(mapped.to_dlpack, mapped, {versioned = false}))
    local m = export(mapped, true)
    assert.equal(1, tonumber(m.flags))
    mapped:free()
    same(locus.from_dlpack(m), {3}, {0, 1, 2})
  end)
end)

describe("from_dlpack #host", function()
  it("shares the elements, in their layout, of every dtype", function()
    for _, dtype in ipairs(support.dtypes) do
      local x = support.tensor(dtype, {0, 1, 1, 0, 1, 0}, {2, 3})
      for _, layout in ipairs(support.layouts) do
        local laid = support.laid(x, layout)
        for _, versioned in ipairs {true, false} do
          local y = locus.from_dlpack(export(laid, versioned), {versioned = versioned})
          same(y, {2, 3}, support.values(x), dtype)
          assert.equal(laid:data(), y:data())
        end
      end
    end
    for _, shape in ipairs {{}, {0}, {3, 0, 2}} do
      same(locus.from_dlpack(locus.zeros(shape):to_dlpack()), shape, #shape == 0 and {0} or {})
    end
  end)

  it("calls the deleter when the last view is gone, once", function()
    local before = live()
    local y = locus.from_dlpack(locus.arange(1e5):to_dlpack())
    local view = y[{{2, 3}}]
    y:free()
    same(view, {2}, {1, 2})
    assert.is_true(live() - before >= 8e5)
    view:free()
    assert.equal(before, live())
  end)

  it("is read-only where the other one says so, and no result's memory", function()
    local m = export(locus.arange(3), true)
    m.flags = 1
    local y = locus.from_dlpack(m)
    assert.equal("add_: 'input' is read-only; write to its clone()", message(y.add_, y, 1))
    y = locus.from_dlpack(locus.arange(8):to_dlpack())
    local data = y:data()
    locus.tensor({5, 6}):masked_select(locus.tensor({1, 1}):gt(0), {out = y})
    same(y, {2}, {5, 6})
    assert.not_equal(data, y:data())
  end)

  it("takes no strides for C order, and an offset in bytes", function()
    local m = export(locus.arange(6), true)
    m.tensor.strides, m.tensor.byte_offset, m.tensor.shape[0] = nil, 16, 4
    same(locus.from_dlpack(m), {4}, {2, 3, 4, 5})
  end)

  it("widens unsigned integers, and hands the pointer back where they do not fit", function()
    local before = live()
    local function as_unsigned(dtype, values, strided)
      local x = locus.tensor(values, {dtype = dtype, device = "cpu"})
      local m = export(strided and x:view(2, 2):t() or x, true)
      m.tensor.code = 1
      return m
    end
    for dtype, wider in pairs {int16 = "int32", int32 = "int64", int64 = "int64"} do
      local top = 2 ^ (8 * support.types[dtype].size)
      local values = dtype == "int64" and {1, 2, 3, 4} or {1, -1, 3, -4}
      local wanted = dtype == "int64" and values or {1, top - 1, 3, top - 4}
      same(locus.from_dlpack(as_unsigned(dtype, values)), {4}, wanted, wider)
      same(locus.from_dlpack(as_unsigned(dtype, values, true)), {2, 2},
        {wanted[1], wanted[3], wanted[2], wanted[4]}, wider)
    end
    assert.equal(before, live()) -- each deleter was called
    local m = as_unsigned("int64", {1, -1})
    assert.equal("from_dlpack: 'pointer' holds uint64 past 2^63 - 1; convert it to float64 first",
      message(locus.from_dlpack, m))
    live()
    assert.is_true(m.deleter ~= nil)
    m.deleter(m)
    assert.equal(before, live())
  end)

  it("refuses what it does not know, and the pointer is still the caller's", function()
    local function refuses(text, change)
      local before = live()
      local m = export(locus.arange(4), true)
      change(m, m.tensor)
      assert.equal("from_dlpack: 'pointer' " .. text, message(locus.from_dlpack, m))
      m.deleter(m)
      assert.equal(before, live())
    end
    refuses("is of version 2 of DLPack, which is not supported", function(m) m.major = 2 end)
    refuses("is on a device of type 10, neither on the CPU nor on one of CUDA",
      function(_, t) t.device_type = 10 end)
    refuses("holds elements of type code 1 with 128 bits and 1 lanes, for which there is no dtype",
      function(_, t) t.code, t.bits = 1, 128 end)
    refuses("holds elements of type code 2 with 64 bits and 2 lanes, for which there is no dtype",
      function(_, t) t.lanes = 2 end)
    refuses("has 33 dimensions, a tensor at most 32", function(_, t) t.ndim = 33 end)
    refuses("has -1 dimensions, a tensor at most 32", function(_, t) t.ndim = -1 end)
    refuses("has a negative size", function(_, t) t.shape[0] = -4 end)
    refuses("has negative strides; export a copy", function(_, t) t.strides[0] = -1 end)
    refuses("has no data, but 4 elements", function(_, t) t.data = nil end)
    local m = export(locus.arange(4), true)
    m.tensor.byte_offset = 3
    assert.matches("has its elements at .*, which is not a multiple of 8 bytes$",
      message(locus.from_dlpack, m))
    m.tensor.byte_offset, m.tensor.shape[0] = 0, 2 ^ 62
    assert.matches("^from_dlpack: ", message(locus.from_dlpack, m))
    m.deleter(m)
    assert.equal("from_dlpack: 'pointer' must be a pointer, got the number 5",
      message(locus.from_dlpack, 5))
    assert.equal("from_dlpack: 'pointer' is NULL",
      message(locus.from_dlpack, ffi.cast("void *", nil)))
  end)
end)

describe("DLPack on devices #cuda #emulator", function()
  local function on(device, n) return locus.arange(n, {device = device}) end

  it("says which device, and gives a tensor there", function()
    for i = 0, 1 do
      local device = "cuda:" .. i
      local x = on(device, 6):view(2, 3):t()
      local m = export(x, true)
      assert.same({2, i, 1, 3}, {m.tensor.device_type, m.tensor.device_id,
        tonumber(m.tensor.strides[0]), tonumber(m.tensor.strides[1])})
      assert.equal(ffi.cast("void *", x:data()), m.tensor.data)
      local y = locus.from_dlpack(m)
      assert.equal(device, y.device)
      assert.equal(x:data(), y:data())
      x[{2, 2}] = 42
      same((y + 1):cpu(), {3, 2}, {1, 4, 2, 43, 3, 6})
    end
    same(locus.from_dlpack(on("cuda", 0):to_dlpack()):cpu(), {0}, {})
  end)

  it("keeps the elements until the last view is gone", function()
    local before = live()
    local x = on("cuda", 1e4)
    local y = locus.from_dlpack(x:to_dlpack())
    x:free()
    local sum = (y * 2):sum()
    y:free()
    assert.equal(1e4 * (1e4 - 1), sum)
    x, y = nil, nil
    assert.equal(before, live(), x, y)
  end)

  it("refuses devices that are not there, and what they do not reach", function()
    local function refuses(text, device, change)
      local m = export(on(device, 4), true)
      change(m.tensor)
      assert.matches("^from_dlpack: 'pointer' " .. text .. "$", message(locus.from_dlpack, m))
      m.deleter(m)
    end
    refuses("is on cuda:2, and there are 2 devices", "cuda", function(t) t.device_id = 2 end)
    refuses("is on cuda:%-1, and there are 2 devices", "cuda", function(t) t.device_id = -1 end)
    local lost = "has its elements at 0x%x+, where there is no memory of cuda:0"
    refuses(lost, "cuda:1", function(t) t.device_id = 0 end)
    refuses(lost, "cpu", function(t) t.device_type = 2 end)
  end)
end)
