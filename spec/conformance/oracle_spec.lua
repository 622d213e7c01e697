-- SPDX-License-Identifier: MIT
-- searchsorted, nonzero and where against the plain Lua oracle on random arrays: every dtype and
-- pair of dtypes, every layout, NaN, infinities, both zeros, duplicates, int64 beyond 2^53, empty
-- sizes. The seeds are fixed.

local ffi = require "ffi"
local arrays = require "spec.support.data.arrays"
local locus = require "locus"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local check, pick, tensor, int64 = arrays.check, arrays.pick, arrays.tensor, arrays.int64
local random = math.random
local SEARCHED = { "bool", unpack(support.real) }

describe("searchsorted against the oracle", function()
  local function shapes()
    local n = pick { 0, 1, 2, 3, 5, 8, 17, 33 }
    if random(3) == 1 then
      local rows = pick { 0, 1, 2, 4 }
      if random(3) == 1 then
        return { 2, rows, n }, { 2, rows, pick { 0, 1, 4 } }
      end
      return { rows, n }, { rows, pick { 0, 1, 2, 9 } }
    end
    return { n }, pick { {}, { 0 }, { 1 }, { 11 }, { 3, 4 }, { 2, 0, 3 }, { 2, 1, 3 } }
  end

  local function describe_options(o)
    local words = {}
    for _, name in ipairs { "right", "base", "out_int32", "descending" } do
      words[#words + 1] = name .. " = " .. tostring(o[name])
    end
    return table.concat(words, ", ")
  end

  local function compare(sequence, values, o, layout)
    local dtype = o.out_int32 and "int32" or "int64"
    local given = {
      base = o.base, out_int32 = o.out_int32, descending = o.descending, right = o.right,
      sorter = o.sorter and tensor(o.sorter, layout),
    }
    local s, v = tensor(sequence, layout), tensor(values, layout)
    local got = locus.searchsorted(s, v, given)
    local wanted = oracle.searchsorted(sequence, values, o)
    local note = describe_options(o)
    check(got, values.shape, wanted, dtype, sequence, values, note, o.sorter)
    return s, v, given
  end

  -- One random search; every fourth also through side = "both".
  local function trial(first, second)
    local shape, wanted = shapes()
    local o = { right = random(2) == 1, base = random(0, 1), descending = random(3) == 1 }
    o.out_int32 = random(3) == 1
    local sequence = arrays.sort_rows(arrays.random(first, shape), o.descending)
    if random(3) == 1 then
      o.sorter = arrays.shuffle_rows(sequence, o.base)
    end
    local values = arrays.random(second, wanted)
    local s, v, given = compare(sequence, values, o)
    if random(4) == 1 then
      given.right, given.side = nil, "both"
      local left, right = locus.searchsorted(s, v, given)
      local dtype = o.out_int32 and "int32" or "int64"
      for side, result in pairs { [false] = left, [true] = right } do
        o.right = side
        local positions = oracle.searchsorted(sequence, values, o)
        local note = "both, " .. describe_options(o)
        check(result, wanted, positions, dtype, sequence, values, note)
      end
    end
  end

  for _, first in ipairs(SEARCHED) do
    it(first .. " with every dtype", function()
      math.randomseed(20)
      for _, second in ipairs(SEARCHED) do
        for _ = 1, 12 do
          trial(first, second)
        end
      end
    end)
  end

  it("long sequences, many values, ascending values", function()
    math.randomseed(21)
    for _, dtype in ipairs(SEARCHED) do
      for _, n in ipairs { 64, 130, 700 } do
        local o = { right = random(2) == 1, base = 1 }
        local sequence = arrays.sort_rows(arrays.random(dtype, { n }))
        local values = arrays.random(dtype, { 150 })
        if random(2) == 1 then
          arrays.sort_rows(values)
        end
        compare(sequence, values, o, "contiguous")
        compare(sequence, values, { right = not o.right, base = 0 }, "stepped")
      end
    end
  end)

  it("every layout of rows", function()
    math.randomseed(22)
    for _, layout in ipairs(support.layouts) do
      for _, dtype in ipairs(SEARCHED) do
        local sequence = arrays.sort_rows(arrays.random(dtype, { 2, 3, 9 }))
        compare(sequence, arrays.random(dtype, { 2, 3, 5 }), { base = 0 }, layout)
        compare(sequence, arrays.random(dtype, { 2, 3, 5 }), { base = 1, right = true }, layout)
      end
    end
  end)

  it("one row shared by an expanded sequence", function()
    math.randomseed(23)
    for _, dtype in ipairs(SEARCHED) do
      local row = arrays.sort_rows(arrays.random(dtype, { 1, 7 }))
      local all = { dtype = dtype, shape = { 3, 7 }, values = {} }
      for i = 1, 21 do
        all.values[i] = row.values[(i - 1) % 7 + 1]
      end
      local values = arrays.random(dtype, { 3, 4 })
      local got = locus.searchsorted(tensor(row, "contiguous"):expand(3, 7), tensor(values))
      check(got, { 3, 4 }, oracle.searchsorted(all, values, {}), "int64", row, values)
    end
  end)

  local SCALARS = {
    { "bool", true }, { "bool", false }, { "int", int64 "9007199254740993" },
    { "int", int64 "-9223372036854775808" }, { "int", int64 "-1" }, { "int", int64 "300" },
    { "float", 0 }, { "float", -0.0 }, { "float", 2.5 }, { "float", -1 }, { "float", 300 },
    { "float", 0.1 }, { "float", 2 ^ 53 }, { "float", 2 ^ 63 }, { "float", -2 ^ 63 },
    { "float", 1e300 }, { "float", math.huge }, { "float", -math.huge }, { "float", support.nan },
  }

  it("Lua values give Lua numbers", function()
    math.randomseed(24)
    for _, dtype in ipairs(SEARCHED) do
      for _, scalar in ipairs(SCALARS) do
        local o = { right = random(2) == 1, base = random(0, 1) }
        local sequence = arrays.sort_rows(arrays.random(dtype, { random(0, 12) }))
        local values = { scalar = scalar[1], values = { scalar[2] } }
        local wanted = oracle.searchsorted(sequence, values, o)[1]
        local got = locus.searchsorted(tensor(sequence), scalar[2], o)
        local lines = { arrays.show(sequence), arrays.show(values), describe_options(o) }
        local note = table.concat(lines, "\n  ")
        assert.are.equal("number", type(got), note)
        assert.are.equal(wanted, got, note)
      end
    end
  end)
end)

describe("nonzero against the oracle", function()
  local function compare(a, t)
    for base = 0, 1 do
      local rows, count = oracle.nonzero(a, base)
      local got = locus.nonzero(t, { base = base })
      check(got, { count, #a.shape }, rows, "int64", a, "base " .. base)
      local columns = { locus.nonzero(t, { as_tuple = true, base = base }) }
      assert.are.equal(math.max(#a.shape, 1), #columns)
      for d, column in ipairs(columns) do
        local wanted = {}
        for i = 1, count do
          wanted[i] = #a.shape == 0 and base or rows[(i - 1) * #a.shape + d]
        end
        check(column, { count }, wanted, "int64", a, "column " .. d)
      end
    end
  end

  for _, dtype in ipairs(support.dtypes) do
    it(dtype .. " of ranks 0 to 4 in every layout", function()
      math.randomseed(30)
      for rank = 0, 4 do
        for _, layout in ipairs(support.layouts) do
          local shape = {}
          for d = 1, rank do
            shape[d] = pick { 1, 2, 3, 4, 5, random(0, 1) }
          end
          local a = arrays.random(dtype, shape)
          for i in ipairs(a.values) do
            if random(2) == 1 then
              a.values[i] = dtype ~= "bool" and oracle.convert(0, dtype)
            end
          end
          compare(a, tensor(a, layout))
        end
      end
    end)
  end

  it("long vectors", function()
    math.randomseed(31)
    for _, dtype in ipairs(support.dtypes) do
      for _, n in ipairs { 63, 64, 65, 257, 1000 } do
        local a = arrays.random(dtype, { n })
        compare(a, tensor(a))
      end
    end
  end)

  it("broadcast inputs", function()
    math.randomseed(32)
    for _, dtype in ipairs(support.dtypes) do
      local row = arrays.random(dtype, { 1, 4 })
      local all = { dtype = dtype, shape = { 3, 4 }, values = {} }
      for i = 1, 12 do
        all.values[i] = row.values[(i - 1) % 4 + 1]
      end
      compare(all, tensor(row, "contiguous"):expand(3, 4))
    end
  end)
end)

describe("where against the oracle", function()
  local SHAPES = {
    { { 3 }, { 3 }, { 3 } },
    { { 2, 3 }, { 2, 3 }, { 2, 3 } },
    { { 2, 1 }, { 3 }, {} },
    { {}, { 2, 3 }, { 3 } },
    { { 3, 1, 2 }, { 4, 1 }, { 2 } },
    { { 0, 3 }, { 3 }, { 1, 1 } },
    { { 1, 1, 1 }, {}, { 2 } },
    { {}, {}, {} },
    { { 70 }, { 70 }, { 1 } },
    { { 2, 3, 4 }, { 1, 3, 1 }, { 2, 1, 4 } },
  }

  -- A tensor without dimensions beside one with some has to fit its integer dtype.
  local function trial(first, second)
    local shape = pick(SHAPES)
    local condition = arrays.random("bool", shape[1])
    local x = arrays.random(first, shape[2], #shape[2] == 0 and oracle.kind(first) == 2)
    local y = arrays.random(second, shape[3], #shape[3] == 0 and oracle.kind(second) == 2)
    local wanted = oracle.where(condition, x, y, "float64")
    local got = locus.where(tensor(condition), tensor(x), tensor(y))
    check(got, wanted.shape, wanted.values, wanted.dtype, condition, x, y)
    assert.are.equal(wanted.dtype, locus.result_type(tensor(x), tensor(y)))
  end

  for _, first in ipairs(support.dtypes) do
    it(first .. " with every dtype", function()
      math.randomseed(40)
      for _, second in ipairs(support.dtypes) do
        for _ = 1, 8 do
          trial(first, second)
        end
      end
    end)
  end

  it("every layout of one shape, and broadcast operands", function()
    math.randomseed(41)
    for _, dtype in ipairs(support.dtypes) do
      for _, layout in ipairs(support.layouts) do
        local condition = arrays.random("bool", { 3, 2, 5 })
        local x, y = arrays.random(dtype, { 3, 2, 5 }), arrays.random(dtype, { 3, 2, 1 })
        local wanted = oracle.where(condition, x, y, "float64")
        local spread = tensor(y, layout):expand(3, 2, 5)
        local got = locus.where(tensor(condition, layout), tensor(x, layout), spread)
        check(got, wanted.shape, wanted.values, wanted.dtype, condition, x, y)
      end
    end
  end)

  -- The dtype that a Lua value counts as beside another operand.
  local function scalar(value, other)
    if type(value) == "boolean" then
      return { scalar = "bool", values = { value } }
    elseif type(value) == "cdata" then
      return { scalar = ffi.istype("complex", value) and "complex" or "int", values = { value } }
    end
    local integers = oracle.kind(other) == 2
    local kind = integers and value == math.floor(value) and math.abs(value) < math.huge
    return { scalar = kind and "int" or "float", values = { value } }
  end

  local VALUES = {
    true, false, 0, 3, 100, 2.5, -0.5, 0.1, math.huge, support.nan, int64 "0", int64 "7",
    support.complex(1, -2),
  }

  it("tensors beside Lua values", function()
    math.randomseed(42)
    for _, dtype in ipairs(support.dtypes) do
      for _, value in ipairs(VALUES) do
        local shape = pick { {}, { 4 }, { 2, 3 } }
        local condition, x = arrays.random("bool", { 2, 1, 1 }), arrays.random(dtype, shape)
        local y = scalar(value, dtype)
        local wanted = oracle.where(condition, x, y, "float64")
        local got = locus.where(tensor(condition), tensor(x), value)
        check(got, wanted.shape, wanted.values, wanted.dtype, condition, x, y)
        wanted = oracle.where(condition, y, x, "float64")
        got = locus.where(tensor(condition), value, tensor(x))
        check(got, wanted.shape, wanted.values, wanted.dtype, condition, y, x)
      end
    end
  end)

  it("two Lua values", function()
    math.randomseed(43)
    for _, first in ipairs(VALUES) do
      for _, second in ipairs(VALUES) do
        local function beside(value)
          return type(value) == "cdata" and not ffi.istype("complex", value) and "int64" or "bool"
        end
        local condition = arrays.random("bool", { 3 })
        local x, y = scalar(first, beside(second)), scalar(second, beside(first))
        local wanted = oracle.where(condition, x, y, "float64")
        local got = locus.where(tensor(condition), first, second)
        check(got, wanted.shape, wanted.values, wanted.dtype, condition, x, y)
      end
    end
  end)
end)
