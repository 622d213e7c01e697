-- SPDX-License-Identifier: MIT
-- internal.factorize and internal.combine, on which groups, joins and sets of rows stand, against
-- Lua tables, for every dtype. Tables grow, ranges are narrow, wide and the whole of int64, and
-- memory runs out.
local ffi = require "ffi"
local internal = require "locus.core".internal
local locus = require "locus"
require "locus.sets.factorize"
local numbering = require "spec.support.models.numbering"
local support = require "spec.support"

local factorize = internal.factorize

local function check(list, dtype, layout)
  local x = support.laid(support.tensor(dtype, list), layout or "contiguous")
  local ids, firsts = factorize(x)
  local wanted, first = numbering.of(support.values(x))
  support.same(ids, {#list}, wanted, "int32")
  support.same(firsts, {#first}, first, "int64")
  assert.equal(x.device, ids.device)
  assert.equal(x.device, firsts.device)
end

describe("factorize", function()
  it("numbers elements of every dtype in every layout in order of first appearance", function()
    math.randomseed(14)
    for _, dtype in ipairs(support.dtypes) do
      for _, n in ipairs {1, 2, 7, 300, 1500} do
        local layout = support.layouts[math.random(#support.layouts)]
        check(numbering.random(dtype, n), dtype, layout)
        check(numbering.random(dtype, n, true), dtype, layout)
      end
      check({}, dtype)
    end
  end)

  it("takes NaN of any bits for one value, and -0 for 0", function()
    local bits = ffi.new("uint64_t[5]", 0x7ff8000000000000ULL, 0xfff8000000000001ULL,
                         0x7ff0000000000001ULL, 0x8000000000000000ULL, 0)
    local x = locus.from_ptr(ffi.cast("double *", bits), 5):clone():to(support.device)
    support.same(factorize(x), {5}, {1, 1, 1, 2, 2}, "int32")
  end)

  it("tells neighbours past 2^53 and the ends of int64 apart", function()
    local low, high = unpack(support.range.int64)
    check({high, low, 0, high, -1, low, high - 1, low + 1}, "int64")
    local big = support.integer("9007199254740993")
    check({big, big - 1, big, big + 1, big - 1}, "int64")
    check({-3, -1, -3, -2}, "int64")
  end)

  it("grows with as many values as there are, wherever they lie", function()
    local n = 40000
    local order = locus.arange(n):long()
    for _, step in ipairs {1, 4, 1000003, -77777777777} do
      local x = (order * 7919 % n) * step
      local twice = locus.cat({x, x})
      local ids, firsts = factorize(twice)
      assert.is_true(ids:equal(locus.cat({order + 1, order + 1}):int()))
      assert.is_true(firsts:equal(order + 1))
    end
    local c = (order * 7919 % n):to("complex128")
    assert.is_true(factorize(locus.cat({c, c})):equal(locus.cat({order + 1, order + 1}):int()))
  end)

  it("fills memory with a table that is more than half full #large", function()
    local order = locus.arange(5e6):long()
    local x = (order * 7919 % 5000011) * 1000003
    local ids, firsts = factorize(locus.cat({x, x}))
    assert.is_true(ids:equal(locus.cat({order + 1, order + 1}):int()))
    assert.is_true(firsts:equal(order + 1))
  end)

  it("finds the numbers of other values, 0 where they are none", function()
    math.randomseed(15)
    for _, dtype in ipairs(support.dtypes) do
      for _, n in ipairs {0, 3, 700} do
        local list = numbering.random(dtype, n, true)
        local x = support.tensor(dtype, list)
        local values = support.tensor(dtype, numbering.random(dtype, 400))
        local ids, firsts, found = factorize(x, values)
        local wanted, first, known = numbering.of(support.values(x))
        local wanted_found = {}
        for i, v in ipairs(support.values(values)) do
          wanted_found[i] = known[numbering.key(v)] or 0
        end
        support.same(ids, {n}, wanted, "int32")
        support.same(firsts, {#first}, first, "int64")
        support.same(found, {400}, wanted_found, "int32")
      end
    end
    local low, high = unpack(support.range.int64)
    local narrow = support.tensor("int64", {5, 6, 5})
    local _, _, far = factorize(narrow, support.tensor("int64", {low, high, 4, 7, 6}))
    support.same(far, {5}, {0, 0, 0, 0, 2}, "int32")
  end)

  it("leaves its arguments as they are", function()
    local x = support.tensor("float64", {3, -0.0, 3})
    factorize(x, x)
    support.same(x, {3}, {3, -0.0, 3}, "float64")
  end)

  it("combines columns of numbers, 0 among them", function()
    math.randomseed(16)
    for _ = 1, 20 do
      local n = math.random(0, 60)
      local lists, columns, rows = {}, {}, {}
      for k = 1, 3 do
        lists[k] = {}
        for i = 1, n do lists[k][i] = math.random(0, 4) end
        columns[k] = {support.tensor("int32", lists[k]), k == 2 and 2 ^ 31 - 1 or 4}
      end
      for i = 1, n do rows[i] = lists[1][i] .. " " .. lists[2][i] .. " " .. lists[3][i] end
      local wanted, first = numbering.of(rows)
      local alone = numbering.of(lists[1])
      support.same(internal.combine {columns[1]}, {n}, alone, "int32")
      local ids, firsts = internal.combine(columns)
      support.same(ids, {n}, wanted, "int32")
      support.same(firsts, {#first}, first, "int64")
    end
  end)

  local function words(n)
    local list = {}
    for i = 1, n do list[i] = ("w"):rep(math.random(0, 4)) end
    return list
  end

  it("numbers rows of any columns: ids, ranges, far integers and floats", function()
    math.randomseed(17)
    local big = support.integer("9007199254740992")
    local kinds = {
      function(n) return locus.strings(words(n)) end,
      function(n) return locus.strings(words(40))[(locus.rand(n) * 40):long() + 1] end,
      function(n) return (locus.rand(n) * 3):long() - 7 end,
      function(n) return (locus.rand(n) * 3):long() + big end,
      function(n) return (locus.rand(n) * 3):long() * support.range.int64[2] end,
      function(n) return (locus.rand(n) * 4):long():to("uint8") end,
      function(n) return locus.rand(n):gt(.5) end,
      function(n) return (locus.rand(n) * 3 - 1):long():double() * (1 / 0) end,
      function(n) return (locus.rand(n) * 3):long():to("complex64") end,
    }
    for _ = 1, 60 do
      local n, columns, rows = math.random(0, 90), {}, {}
      for k = 1, math.random(2, 7) do
        columns[k] = kinds[math.random(#kinds)](n)
        for i, v in ipairs(columns[k]:totable()) do
          rows[i] = (rows[i] or "") .. " " .. numbering.key(v)
        end
      end
      local wanted, first = numbering.of(rows)
      local g = locus.group_by(columns)
      support.same(g.ids, {n}, wanted, "int32")
      assert.equal(#first, #g)
    end
  end)

  it("holds the numbers of one column at most beside those of the rows #host", function()
    local n = 3e5
    local f = locus.frame {{"a", (locus.rand(n) * 100):long():int()},
                           {"b", (locus.rand(n) * 390):long() * 60000000}}
    for _ = 1, 3 do collectgarbage() end
    finally(function() locus.memory.set_limit(math.huge) end)
    locus.memory.set_limit(locus.live_bytes() + 12 * n)
    assert.equal(n, #f:group({"a", "b"}).ids)
  end)

  it("loses nothing when memory runs out #host", function()
    local x = (locus.arange(3000) * 12345):long()
    for _, dtype in ipairs {"int64", "int16", "complex128"} do
      local input = dtype == "int64" and x or (x % 1000):to(dtype)
      collectgarbage()
      local hit, k = true, 0
      while hit and k < 100 do
        k = k + 1
        locus.fail_allocation(k, true)
        local ok, message = pcall(factorize, input, input)
        hit = locus.fail_allocation(0) > 0
        assert.equal(not hit, ok)
        if hit then assert.matches("out of memory", message) end
      end
      assert.is_true(k > 3 and k < 100)
    end
  end)

  it("says what is wrong with its arguments", function()
    local x = support.tensor("int64", {1})
    local host = internal.factorize_host
    assert.equal("factorize: 'input' must be a contiguous 1-D tensor on the CPU, got a float64 "
      .. "tensor of size 2x2", support.message(host, locus.zeros(2, 2, {device = "cpu"})))
    assert.equal("factorize: 'values' must be of input's dtype, got an int32 tensor of size 1",
      support.message(host, x:cpu(), x:int():cpu()))
  end)
end)
