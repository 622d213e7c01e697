-- SPDX-License-Identifier: MIT
-- empty zeros ones full, *_like, and Torch7's typed constructors.

local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local same, message = support.same, support.message

-- n times the same value.
local function times(n, value)
  local list = {}
  for i = 1, n do
    list[i] = value
  end
  return list
end

local function in_kind(dtype, value)
  if dtype == "bool" then
    return value ~= 0
  elseif dtype:find("complex") then
    return support.complex(value, 0)
  end
  return value
end

describe("zeros, ones, empty", function()
  it("fill every dtype", function()
    for _, dtype in ipairs(support.dtypes) do
      same(locus.zeros(2, 3, { dtype = dtype }), { 2, 3 }, times(6, in_kind(dtype, 0)), dtype)
      same(locus.ones({ 3 }, { dtype = dtype }), { 3 }, times(3, in_kind(dtype, 1)), dtype)
      local t = locus.empty(4, 1, { dtype = dtype })
      assert.same({ dtype, "4x1" }, { t.dtype, tostring(t.shape) })
    end
  end)

  it("take sizes as numbers, one table, a size table, int64 cdata, or by name", function()
    local expected = times(6, 0)
    same(locus.zeros(2, 3), { 2, 3 }, expected, "float64")
    same(locus.zeros({ 2, 3 }), { 2, 3 }, expected, "float64")
    same(locus.zeros(locus.ones(2, 3):size()), { 2, 3 }, expected, "float64")
    same(locus.zeros(2LL, 3), { 2, 3 }, expected, "float64")
    same(locus.zeros { size = { 2, 3 } }, { 2, 3 }, expected, "float64")
    same(locus.zeros { 2, 3, dtype = "int8" }, { 2, 3 }, expected, "int8")
    same(locus.zeros { { 2, 3 }, dtype = "int8" }, { 2, 3 }, expected, "int8")
    same(locus.zeros({ 2, 3 }, {}), { 2, 3 }, expected, "float64")
  end)

  it("make 0-d and empty tensors", function()
    same(locus.zeros {}, {}, { 0 }, "float64")
    same(locus.ones({}, { dtype = "int64" }), {}, { 1 }, "int64")
    same(locus.zeros(0), { 0 }, {})
    same(locus.ones(3, 0, 2), { 3, 0, 2 }, {})
    assert.equal(0, locus.empty(0, 5):numel())
  end)

  it("follow the default dtype", function()
    locus.set_default_dtype("float32")
    local zeros, full, ramp = locus.zeros(1), locus.full({ 1 }, 0.5), locus.arange(2)
    local z = locus.full({ 1 }, support.complex(1, 2))
    locus.set_default_dtype("float64")
    assert.same({ "float32", "float32", "float32", "complex64" },
      { zeros.dtype, full.dtype, ramp.dtype, z.dtype })
    assert.equal("float64", locus.zeros(1).dtype)
  end)

  it("write into out", function()
    local out = locus.empty(2, 2, { dtype = "int16" })
    assert.equal(out, locus.ones(2, 2, { out = out }))
    same(out, { 2, 2 }, times(4, 1), "int16")
    local resized = locus.empty(0, { dtype = "int8" })
    assert.equal(resized, locus.zeros(3, { out = resized }))
    same(resized, { 3 }, times(3, 0), "int8")
    local matrix = locus.zeros(2, 3)
    locus.ones(3, 2, { out = matrix:t() })
    same(matrix, { 2, 3 }, times(6, 1))
    local column = locus.zeros(3, 2)
    locus.ones(3, { out = column:select(2, 2) })
    same(column, { 3, 2 }, { 0, 1, 0, 1, 0, 1 })
  end)

  it("leave a wrong out as it was", function()
    local out = locus.full({ 2 }, 7)
    assert.equal("zeros: 'out' must be of size 3, got 2",
      message(locus.zeros, 3, { out = out }))
    assert.equal("zeros: 'out' must be int8, got float64",
      message(locus.zeros, 2, { out = out, dtype = "int8" }))
    assert.equal("zeros: 'out' must be a tensor, got the number 5",
      message(locus.zeros, 2, { out = 5 }))
    assert.equal("zeros: 'out' has elements that share memory; write out:contiguous()",
      message(locus.zeros, 2, 4, { out = out:expand(4, 2):t() }))
    same(out, { 2 }, { 7, 7 })
  end)

  it("refuse sizes that are none", function()
    assert.equal("zeros: 'size' is missing", message(locus.zeros))
    assert.equal("zeros: 'size' is missing", message(locus.zeros, nil))
    assert.equal("zeros: 'size' is missing", message(locus.zeros, { dtype = "int8" }))
    assert.equal("zeros: 'size' must hold whole numbers, got nil", message(locus.zeros, 2, nil))
    assert.equal("zeros: 'size' must hold whole numbers, got nil", message(locus.zeros, 2, nil, 3))
    assert.equal("ones: 'size' must hold whole numbers, got the number 2.5",
      message(locus.ones, 2.5))
    assert.equal("ones: 'size' must hold whole numbers, got the number nan",
      message(locus.ones, support.nan))
    assert.equal("ones: 'size' must hold whole numbers, got the string \"2\"",
      message(locus.ones, "2"))
    assert.equal("ones: 'size' must hold whole numbers, got a table", message(locus.ones, 2, { 3 }))
    assert.equal("empty: 'size' must not hold negative sizes, got -1", message(locus.empty, 2, -1))
    assert.equal("empty: a float64 tensor of size 4294967296x4294967296 has more bytes than 2^62",
      message(locus.empty, 2 ^ 32, 2 ^ 32))
    assert.equal("empty: a float64 tensor of size 0x4294967296x4294967296 has more bytes than 2^62",
      message(locus.empty, 0, 2 ^ 32, 2 ^ 32))
    assert.equal("empty: 'size' has more than 32 dimensions", message(locus.empty, times(33, 1)))
    assert.equal(32, locus.empty(times(32, 1)):dim())
  end)

  it("refuse unknown names and values", function()
    assert.equal("zeros: there is no argument 'dtyp'; did you mean 'dtype'?",
      message(locus.zeros, 2, { dtyp = "int8" }))
    assert.truthy(message(locus.zeros, 2, { dtype = "int128" }):find(
      "zeros: 'dtype' must be one of bool uint8", 1, true))
    assert.equal("zeros: 'dtype' must be a string, got the number 3",
      message(locus.zeros, 2, { dtype = 3 }))
    assert.equal("zeros: 'device' must be \"cpu\", \"cuda\" or \"cuda:<number>\", got \"tpu\"",
      message(locus.zeros, 2, { device = "tpu" }))
    assert.equal("zeros: 'size' is given twice", message(locus.zeros, 2, { size = 3 }))
  end)

  it("raise at the caller's line", function()
    local ok, text = pcall(function() locus.zeros(-1) end)
    local line = debug.getinfo(1, "l").currentline - 1
    assert.is_false(ok)
    assert.truthy(text:find("create_spec.lua:" .. line .. ": zeros: ", 1, true), text)
  end)
end)

describe("full", function()
  it("takes the dtype of the value", function()
    same(locus.full({ 2 }, 3), { 2 }, { 3, 3 }, "float64")
    same(locus.full({ 2 }, 3LL), { 2 }, { 3, 3 }, "int64")
    same(locus.full({ 2 }, true), { 2 }, { true, true }, "bool")
    local z = support.complex(1, -2)
    same(locus.full({ 2 }, z), { 2 }, { z, z }, "complex128")
    same(locus.full(3, 0.5), { 3 }, { 0.5, 0.5, 0.5 }, "float64")
    same(locus.full({}, 4), {}, { 4 }, "float64")
  end)

  it("keeps int64 exact and converts to a dtype given", function()
    local big = support.integer("9007199254740993")
    same(locus.full({ 2 }, big), { 2 }, { big, big }, "int64")
    same(locus.full({ 1 }, 0.1, { dtype = "float32" }), { 1 }, { tonumber(ffi.new("float", 0.1)) })
    same(locus.full({ 1 }, 5, { dtype = "bool" }), { 1 }, { true }, "bool")
    same(locus.full { { 1 }, fill_value = 5, dtype = "uint8" }, { 1 }, { 5 }, "uint8")
    same(locus.full({ 1 }, 1e300, { dtype = "float16" }), { 1 }, { math.huge }, "float16")
  end)

  it("refuses what the dtype cannot hold", function()
    local function refused(value, dtype)
      return message(locus.full, { 2 }, value, { dtype = dtype })
    end
    assert.equal("full: 'fill_value' is 300, which uint8 cannot hold", refused(300, "uint8"))
    assert.equal("full: 'fill_value' is -1, which uint8 cannot hold", refused(-1, "uint8"))
    assert.equal("full: 'fill_value' is 1.5, which int64 cannot hold", refused(1.5, "int64"))
    assert.equal("full: 'fill_value' is nan, which int8 cannot hold", refused(support.nan, "int8"))
    assert.equal("full: 'fill_value' is 9.223372036854776e+18, which int64 cannot hold",
      refused(2 ^ 63, "int64"))
    assert.equal("full: 'fill_value' is 1+2i, which float64 cannot hold",
      refused(support.complex(1, 2), "float64"))
    assert.equal("full: 'fill_value' must be a number, a boolean or a cdata, got the string \"3\"",
      message(locus.full, { 2 }, "3"))
    assert.equal("full: 'fill_value' is missing", message(locus.full, { 2 }))
    local out = locus.zeros(2, { dtype = "uint8" })
    message(locus.full, { 2 }, 300, { out = out })
    same(out, { 2 }, { 0, 0 }, "uint8")
  end)
end)

describe("*_like", function()
  it("keep size and dtype unless another is given", function()
    for _, dtype in ipairs(support.dtypes) do
      local x = locus.zeros(3, 2, { dtype = dtype })
      same(locus.ones_like(x), { 3, 2 }, times(6, in_kind(dtype, 1)), dtype)
      same(locus.zeros_like(locus.ones_like(x)), { 3, 2 }, times(6, in_kind(dtype, 0)), dtype)
      same(x:full_like(1), { 3, 2 }, times(6, in_kind(dtype, 1)), dtype)
      assert.same({ dtype, "3x2" }, { x:empty_like().dtype, tostring(x:empty_like().shape) })
    end
    same(locus.ones_like(locus.zeros(2), { dtype = "int8" }), { 2 }, { 1, 1 }, "int8")
    same(locus.full_like(locus.zeros(2, 0), 3), { 2, 0 }, {})
    same(locus.zeros_like(locus.tensor(3)), {}, { 0 })
    same(locus.zeros_like { { 1, 2 } }, { 1, 2 }, { 0, 0 }, "float64")
  end)

  it("are in C order whatever the layout of the input", function()
    local x = locus.zeros(3, 2):t()
    assert.is_false(x:is_contiguous())
    assert.is_true(locus.zeros_like(x):is_contiguous())
    same(locus.ones_like(x), { 2, 3 }, times(6, 1))
  end)

  it("say what is wrong", function()
    assert.equal("zeros_like: 'input' must be a tensor or a table, got the number 3",
      message(locus.zeros_like, 3))
    assert.equal("full_like: 'fill_value' is 2.5, which int8 cannot hold",
      message(locus.full_like, locus.zeros(1, { dtype = "int8" }), 2.5))
  end)
end)

describe("Torch7's typed constructors", function()
  local TYPES = {
    DoubleTensor = "float64", FloatTensor = "float32", HalfTensor = "float16",
    BFloat16Tensor = "bfloat16", LongTensor = "int64", IntTensor = "int32",
    ShortTensor = "int16", CharTensor = "int8", ByteTensor = "uint8", Tensor = "float64",
  }

  it("are there for every dtype that has an order", function()
    local made = { bool = true }
    for _, dtype in pairs(TYPES) do made[dtype] = true end
    for _, dtype in ipairs(support.ordered) do assert.is_true(made[dtype], dtype) end
  end)

  it("take a table as data and numbers as sizes", function()
    for name, dtype in pairs(TYPES) do
      same(locus[name] { 5 }, { 1 }, { 5 }, dtype)
      same(locus[name](5), { 5 }, times(5, 0), dtype)
      same(locus[name](2, 3), { 2, 3 }, times(6, 0), dtype)
      same(locus[name] { { 1, 2 }, { 3, 4 } }, { 2, 2 }, { 1, 2, 3, 4 }, dtype)
      same(locus[name](), { 0 }, {}, dtype)
      same(locus[name] {}, { 0 }, {}, dtype)
      same(locus[name](locus.tensor { 1, 2 }), { 2 }, { 1, 2 }, dtype)
    end
    same(locus.BoolTensor { true, false }, { 2 }, { true, false }, "bool")
    same(locus.BoolTensor(2), { 2 }, { false, false }, "bool")
  end)

  it("copy a tensor of the same dtype", function()
    local x = locus.LongTensor { 1, 2 }
    local copy = locus.LongTensor(x)
    copy:fill_(9)
    same(x, { 2 }, { 1, 2 })
  end)

  it("follow the default dtype in Tensor", function()
    locus.set_default_dtype("float32")
    local sized, data = locus.Tensor(2), locus.Tensor { 1 }
    locus.set_default_dtype("float64")
    assert.same({ "float32", "float32" }, { sized.dtype, data.dtype })
  end)

  it("say what is wrong", function()
    assert.equal("LongTensor: 'size' must hold whole numbers, got the number 2.5",
      message(locus.LongTensor, 2.5))
    assert.equal("ByteTensor: 'data' is 300, which uint8 cannot hold, at [2]",
      message(locus.ByteTensor, { 1, 300 }))
    assert.equal("LongTensor: 'data' holds 1.5 at [1], which int64 cannot hold",
      (message(locus.LongTensor, locus.tensor { support.nan }):gsub("nan", "1.5")))
    assert.equal("FloatTensor: takes at most 1 argument by position, got 2; "
      .. "write FloatTensor{{...}, {...}}",
      message(locus.FloatTensor, { 1 }, { 2 }))
  end)
end)
