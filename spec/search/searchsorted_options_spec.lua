-- SPDX-License-Identifier: MIT
-- searchsorted: sorter, descending, side = "both", out, check, strided memory.

local locus = require "locus"
local support = require "spec.support"

local same, tensor, nan, inf = support.same, support.tensor, support.nan, math.huge

describe("the sorter of searchsorted", function()
  local unsorted = { 5, 1, 9, 3, 7 }

  it("reads the sequence in its order, from base", function()
    for _, dtype in ipairs(support.real) do
      local s = tensor(dtype, unsorted)
      for _, kind in ipairs { "int64", "int32" } do
        for base = 0, 1 do
          local sorter = tensor(kind, { 1 + base, 3 + base, 0 + base, 4 + base, 2 + base })
          local o = { sorter = sorter, base = base }
          same(s:searchsorted({ 0, 1, 6, 9, 10 }, o), { 5 },
            { 0 + base, 0 + base, 3 + base, 4 + base, 5 + base }, "int64")
          o.side = "right"
          same(s:searchsorted({ 0, 1, 6, 9, 10 }, o), { 5 },
            { 0 + base, 1 + base, 3 + base, 5 + base, 5 + base }, "int64")
        end
      end
    end
  end)

  it("may be a table", function()
    local s = tensor("float32", unsorted)
    assert.are.equal(4, s:searchsorted(6, { sorter = { 2, 4, 1, 5, 3 } }))
    assert.are.equal(3, s:searchsorted(6, { sorter = { 1, 3, 0, 4, 2 }, base = 0 }))
    assert.are.equal(4, locus.searchsorted(unsorted, 6, { sorter = { 2, 4, 1, 5, 3 } }))
  end)

  it("may name an element more than once", function()
    local s = tensor("int64", { 20, 10 })
    local o = { sorter = { 2, 2 } }
    same(s:searchsorted({ 5, 10, 15, 20, 25 }, o), { 5 }, { 1, 1, 3, 3, 3 }, "int64")
    o.right = true
    same(s:searchsorted({ 5, 10, 15 }, o), { 3 }, { 1, 3, 3 }, "int64")
  end)

  it("has a row for each row", function()
    local s = tensor("int64", { 3, 1, 2, 4, 6, 5 }, { 2, 3 })
    local o = { sorter = { { 2, 3, 1 }, { 1, 3, 2 } } }
    same(s:searchsorted({ { 2, 3 }, { 5, 7 } }, o), { 2, 2 }, { 2, 3, 2, 4 }, "int64")
    o.side = "right"
    same(s:searchsorted({ { 2 }, { 5 } }, o), { 2, 1 }, { 3, 3 }, "int64")
  end)

  it("is what argsort gives", function()
    local s = tensor("float64", { 0.5, nan, -inf, 3, 0.5, -2 })
    local o = { sorter = s:argsort() }
    same(s:searchsorted({ -inf, -3, 0.5, 1, nan }, o), { 5 }, { 1, 2, 3, 5, 6 }, "int64")
    o.descending, o.sorter = true, s:argsort { descending = true }
    same(s:searchsorted({ -inf, -3, 0.5, 1, nan }, o), { 5 }, { 6, 6, 3, 3, 1 }, "int64")
  end)

  it("may be empty with its sequence", function()
    local s = locus.zeros(2, 0)
    local sorter = locus.zeros({ 2, 0 }, { dtype = "int64" })
    same(s:searchsorted({ { 1 }, { 2 } }, { sorter = sorter }), { 2, 1 }, { 1, 1 }, "int64")
  end)
end)

describe("descending in searchsorted", function()
  local down = { 9, 7, 7, 7, 2, 0 }
  local values = { 10, 9, 8, 7, 3, 2, 0, -1 }
  local left = { 1, 1, 2, 2, 5, 5, 6, 7 }
  local right = { 1, 2, 2, 5, 5, 6, 7, 7 }

  it("puts ties where the exact reverse order has them, for every dtype", function()
    for _, dtype in ipairs(support.real) do
      local s = tensor(dtype, down)
      same(s:searchsorted(values, { descending = true }), { 8 }, left, "int64")
      same(s:searchsorted(values, { descending = true, side = "right" }), { 8 }, right, "int64")
    end
    local bools = tensor("bool", { true, false, false })
    same(bools:searchsorted({ true, false }, { descending = true }), { 2 }, { 1, 2 }, "int64")
  end)

  it("keeps the law read downwards", function()
    local s = tensor("int32", down)
    for value = -1, 10, 0.5 do
      local i = s:searchsorted(value, { descending = true })
      local j = s:searchsorted(value, { descending = true, right = true })
      assert(i == 1 or down[i - 1] > value)
      assert(i == 7 or value >= down[i])
      assert(j == 1 or down[j - 1] >= value)
      assert(j == 7 or value > down[j])
    end
  end)

  it("puts NaN first", function()
    for _, dtype in ipairs(support.floats) do
      local s = tensor(dtype, { nan, nan, inf, 1, 0.0, -0.0, -inf })
      local o = { descending = true, base = 0 }
      local wanted = { nan, inf, 2, 1, 0, -0.0, -1, -inf }
      same(s:searchsorted(wanted, o), { 8 }, { 0, 2, 3, 3, 4, 4, 6, 6 }, "int64")
      o.side = "right"
      same(s:searchsorted(wanted, o), { 8 }, { 2, 3, 3, 4, 6, 6, 6, 7 }, "int64")
    end
    assert.are.equal(1, tensor("int8", { 3, 2 }):searchsorted(nan, { descending = true }))
  end)

  it("goes with rows, a sorter and both sides", function()
    local s = tensor("int64", { 3, 1, 2, 4, 6, 5 }, { 2, 3 })
    local o = { sorter = { { 1, 3, 2 }, { 2, 3, 1 } }, descending = true, side = "both" }
    local l, r = s:searchsorted({ { 2, 0 }, { 5, 7 } }, o)
    same(l, { 2, 2 }, { 2, 4, 2, 1 }, "int64")
    same(r, { 2, 2 }, { 3, 4, 3, 1 }, "int64")
  end)
end)

describe("side = \"both\" in searchsorted", function()
  local s = tensor("int64", { 1, 3, 3, 5 })

  it("gives left and right", function()
    local left, right, more = s:searchsorted({ 3, 4 }, { side = "both" })
    same(left, { 2 }, { 2, 4 }, "int64")
    same(right, { 2 }, { 4, 4 }, "int64")
    assert.is_nil(more)
    left, right = s:searchsorted({ { 3 } }, { side = "both", base = 0, out_int32 = true })
    same(left, { 1, 1 }, { 1 }, "int32")
    same(right, { 1, 1 }, { 3 }, "int32")
  end)

  it("gives two Lua numbers for one, two 0-d tensors for one", function()
    assert.are.same({ 2, 4 }, { s:searchsorted(3, { side = "both" }) })
    local left, right = s:searchsorted(locus.tensor(3), { side = "both" })
    same(left, {}, { 2 }, "int64")
    same(right, {}, { 4 }, "int64")
  end)

  it("writes to a pair", function()
    local a, b = tensor("int64", { 0, 0 }), tensor("int64", { 0, 0 })
    local left, right = s:searchsorted({ 3, 4 }, { side = "both", out = { a, b } })
    assert(rawequal(a, left) and rawequal(b, right))
    same(a, { 2 }, { 2, 4 }, "int64")
    same(b, { 2 }, { 4, 4 }, "int64")
    local c, d = tensor("int64", {}, { 0 }), locus.tensor(0LL)
    assert.has_error(function() s:searchsorted(3, { side = "both", out = { c, c } }) end)
    left, right = s:searchsorted(3, { side = "both", out = { c, d } })
    assert(rawequal(c, left) and rawequal(d, right))
    same(c, {}, { 2 }, "int64")
    same(d, {}, { 4 }, "int64")
  end)

  it("keeps the pair when one of it is wrong", function()
    local a, b = tensor("int64", { 7, 7 }), tensor("int64", { 7, 7, 7 })
    assert.has_error(function() s:searchsorted({ 3, 4 }, { side = "both", out = { a, b } }) end)
    same(a, { 2 }, { 7, 7 })
    same(b, { 3 }, { 7, 7, 7 })
  end)
end)

describe("the out of searchsorted", function()
  local s = tensor("float32", { 1, 3, 5 })

  it("is what comes back", function()
    local out = tensor("int64", { 0, 0 })
    assert(rawequal(out, s:searchsorted({ 4, 0 }, { out = out })))
    same(out, { 2 }, { 3, 1 }, "int64")
    local small = tensor("int32", { 0, 0 })
    s:searchsorted({ 4, 0 }, { out = small, out_int32 = true })
    same(small, { 2 }, { 3, 1 }, "int32")
  end)

  it("is resized when it has no elements", function()
    local out = tensor("int64", {}, { 0 })
    s:searchsorted({ { 4 }, { 0 } }, { out = out })
    same(out, { 2, 1 }, { 3, 1 }, "int64")
    out = tensor("int64", {}, { 3, 0 })
    s:searchsorted(4, { out = out })
    same(out, {}, { 3 }, "int64")
  end)

  it("may be strided, and keeps what lies between", function()
    for _, dtype in ipairs { "int64", "int32" } do
      local base = tensor(dtype, { 9, 9, 9, 9, 9, 9, 9, 9 }, { 4, 2 })
      s:searchsorted({ 4, 0, 3, 9 }, { out = base:select(2, 2), out_int32 = dtype == "int32" })
      same(base, { 4, 2 }, { 9, 3, 9, 1, 9, 2, 9, 4 }, dtype)
    end
  end)

  it("may share a storage with an input when no byte is shared", function()
    local both = tensor("int64", { 1, 3, 5, 0, 0, 4, 2, 9 })
    both:narrow(1, 1, 3):searchsorted(both:narrow(1, 6, 2), { out = both:narrow(1, 4, 2) })
    same(both, { 8 }, { 1, 3, 5, 3, 2, 4, 2, 9 }, "int64")
  end)
end)

describe("check in searchsorted", function()
  local function checked(sequence, options)
    local o = { check = true }
    for name, value in pairs(options or {}) do
      o[name] = value
    end
    return sequence:searchsorted(locus.zeros(sequence:dim() == 1 and { 1 }
      or { sequence:size(1), 1 }), o)
  end

  it("has nothing to look at in rows of one", function()
    local rows, none = locus.zeros(1):expand(2 ^ 50, 1), locus.zeros(1, 0):expand(2 ^ 50, 0)
    assert.are.equal(0, rows:searchsorted(none, { check = true }):numel())
  end)

  it("lets sorted sequences through", function()
    for _, dtype in ipairs(support.real) do
      checked(tensor(dtype, { 0, 1, 1, 2 }))
      checked(tensor(dtype, { 2, 1, 1, 0 }), { descending = true })
      checked(tensor(dtype, { 2, 0, 1 }), { sorter = { 2, 3, 1 } })
      checked(tensor(dtype, { 1, 2, 1, 3 }, { 2, 2 }))
      checked(tensor(dtype, {}, { 0 }))
    end
    checked(tensor("float32", { -inf, -0.0, 0.0, -0.0, inf, nan, nan }))
    checked(tensor("float32", { nan, inf, 0.0, -0.0, -inf }), { descending = true })
    checked(tensor("bool", { false, true, true }))
  end)

  it("names the first position out of order", function()
    local function says(expected, ...)
      assert.are.equal("searchsorted: 'sorted_sequence' is not " .. expected,
        support.message(checked, ...))
    end
    says("ascending: 2 at [3] follows 5", tensor("int64", { 1, 5, 2, 1 }))
    says("ascending: 2 at [2] follows 5", tensor("int64", { 1, 5, 2, 1 }), { base = 0 })
    says("ascending: 2.5 at [2,3] follows 4", tensor("float64", { 1, 2, 3, 3, 4, 2.5 }, { 2, 3 }))
    says("ascending: 1 at [2] follows nan", tensor("float16", { nan, 1 }))
    says("descending: nan at [2] follows 1", tensor("float16", { 1, nan }), { descending = true })
    says("descending: 3 at [3] follows 1", tensor("int8", { 2, 1, 3 }), { descending = true })
    says("ascending in the order of 'sorter': 1 at [2] follows 3", tensor("int16", { 1, 2, 3 }),
      { sorter = { 3, 1, 2 } })
    says("ascending in the order of 'sorter': 4 at [1,2] follows 6",
      tensor("int16", { 1, 2, 3, 4, 5, 6 }, { 2, 3 }),
      { sorter = tensor("int32", { 0, 1, 2, 1, 2, 0 }, { 2, 3 }), base = 0 }
    )
  end)

  it("finds the one pair in a long row", function()
    local row = {}
    for i = 1, 70000 do
      row[i] = i
    end
    row[65538] = 65536.5
    local message = support.message(checked, tensor("float64", row))
    assert(message:find("65536.5 at [65538] follows 65537", 1, true), message)
  end)

  it("finds the first one wherever it stands, in every dtype", function()
    for _, dtype in ipairs(support.real) do
      local row = locus.ones(1300, { dtype = dtype })
      for _, at in ipairs { 2, 511, 512, 513, 514, 1025, 1026, 1300 } do
        local sequence = row:clone()
        sequence[at] = 0
        local expected = ("not ascending: 0 at [%d] follows 1"):format(at)
        assert.are.equal("searchsorted: 'sorted_sequence' is " .. expected,
          support.message(checked, sequence))
      end
    end
  end)
end)

describe("strided memory in searchsorted", function()
  it("sequence, sorter, values and out, all at once", function()
    local s = tensor("int64", { 3, 5, 1, 4, 2, 6 }, { 3, 2 }):transpose(1, 2) -- 3 1 2, 5 4 6
    local sorter = tensor("int32", { 2, 2, 3, 1, 1, 3 }, { 3, 2 }):transpose(1, 2)
    local values = tensor("float32", { 2, 5, 0, 9 }, { 2, 2 }):transpose(1, 2) -- 2 0, 5 9
    local out = tensor("int64", { 0, 0, 0, 0 }, { 2, 2 }):transpose(1, 2)
    s:searchsorted(values, { sorter = sorter, out = out })
    same(out, { 2, 2 }, { 2, 1, 2, 4 }, "int64")
    s:searchsorted(values, { sorter = sorter, out = out, side = "right" })
    same(out, { 2, 2 }, { 3, 1, 3, 4 }, "int64")
  end)

  it("every layout answers alike", function()
    local rows, wanted = { 1, 3, 5, 7, 0, 2, 4, 6, 5, 5, 5, 5 }, { 4, 0, 5, 9, 5, 6 }
    local expected = { 3, 1, 4, 5, 1, 5 }
    for _, dtype in ipairs(support.real) do
      local s, v = tensor(dtype, rows, { 3, 4 }), tensor(dtype, wanted, { 3, 2 })
      for _, layout in ipairs(support.layouts) do
        for _, other in ipairs(support.layouts) do
          local got = support.laid(s, layout):searchsorted(support.laid(v, other))
          same(got, { 3, 2 }, expected, "int64")
        end
      end
    end
  end)

  it("expanded sequences and values", function()
    local s = tensor("int64", { 1, 3, 5 })
    local v = tensor("int64", { 4, 0 })
    same(s:expand(2, 3):searchsorted(v:expand(2, 2)), { 2, 2 }, { 3, 1, 3, 1 }, "int64")
    same(s:searchsorted(locus.tensor(4LL):expand(3)), { 3 }, { 3, 3, 3 }, "int64")
    same(locus.tensor(4LL):expand(5):searchsorted { 3, 4, 5 }, { 3 }, { 1, 1, 6 }, "int64")
    local one = tensor("int64", { 1, 3, 5 }, { 3, 1 }):expand(3, 4)
    same(one:searchsorted { { 2 }, { 2 }, { 5 } }, { 3, 1 }, { 5, 1, 1 }, "int64")
  end)

  it("rows that cannot be merged with what runs along them", function()
    local s = tensor("int64", { 0, 2, 1, 3, 2, 4, 3, 5 }, { 2, 2, 2 })
    for _, layout in ipairs(support.layouts) do
      local laid = support.laid(s, layout)
      local v = tensor("int64", { 1, 1, 4, 4 }, { 2, 2, 1 })
      same(laid:searchsorted(v), { 2, 2, 1 }, { 2, 1, 2, 2 }, "int64")
      same(laid:searchsorted(v:expand(2, 2, 3)), { 2, 2, 3 },
        { 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2 }, "int64")
    end
  end)
end)
