-- SPDX-License-Identifier: MIT
-- The promises of the rows of src/core/dtype.def, for each dtype that the core has.
local core = require "locus.core"
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local names, types = core.internal.dtypes()
local RANK = {BOOL = 1, INTEGER = 2, FLOAT = 3, COMPLEX = 4}

local function made(a, b)
  return (locus.zeros(1, {dtype = a}) + locus.zeros(1, {dtype = b})).dtype
end

describe("a dtype", function()
  it("makes itself with itself, and with another one the same from either side", function()
    for _, a in ipairs(names) do
      assert.equal(a, made(a, a))
      for _, b in ipairs(names) do
        local both = made(a, b)
        assert.equal(both, made(b, a), a .. " " .. b)
        assert.equal(math.max(RANK[types[a].kind], RANK[types[b].kind]), RANK[types[both].kind],
                     a .. " " .. b)
        assert.equal(both, made(both, a), a .. " " .. b)
      end
    end
  end)

  it("of integers holds its range and nothing else", function()
    for _, dtype in ipairs(names) do
      local c = types[dtype]
      if c.kind == "INTEGER" then
        local bits = 8 * locus.zeros(1, {dtype = dtype}):element_size()
        local signed = not c.element:find("^u")
        assert.equal(signed and -2 ^ (bits - 1) or 0, c.low, dtype)
        assert.equal(2 ^ (signed and bits - 1 or bits), c.past, dtype)
        local x = locus.zeros(1, {dtype = dtype})
        x[1] = c.low
        assert.is_true(x[1] == c.low)
        assert.matches("cannot hold", support.message(function() x[1] = c.past end))
        assert.matches("cannot hold", support.message(function()
          locus.tensor({c.past}, {dtype = dtype})
        end))
        if c.low > -2 ^ 63 then
          assert.matches("cannot hold", support.message(function() x[1] = c.low - 1 end))
        end
      end
    end
  end)

  it("has a pointer of its width, which gives the tensor back", function()
    for _, dtype in ipairs(names) do
      local x = locus.ones(3, {dtype = dtype, device = "cpu"})
      local pointer = x:data()
      local bytes = ffi.cast("char *", pointer + 1) - ffi.cast("char *", pointer)
      assert.equal(x:element_size(), tonumber(bytes))
      local y = locus.from_ptr(pointer, 3, {dtype = dtype, keep = x})
      assert.is_true(x:equal(y))
      assert.equal(dtype, y.dtype)
    end
  end)

  it("stands in meta.lua", function()
    local file = assert(io.open("lua/locus/meta/locus.lua"))
    local text = file:read("*a")
    file:close()
    local alias = text:match("@alias locus.Dtype\n(.-)\n%-%-%-@alias")
    local listed = {}
    for name in alias:gmatch('"(%w+)"') do listed[#listed + 1] = name end
    assert.same(names, listed)
  end)
end)
