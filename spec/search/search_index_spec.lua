-- SPDX-License-Identifier: MIT
-- search_index: whatever is made ready once, the answers are those of searchsorted.

local arrays = require "spec.support.data.arrays"
local locus = require "locus"
local support = require "spec.support"

local function sorted(dtype, size, descending)
  return arrays.sort_rows(arrays.random(dtype, size), descending)
end

local function raises(message, f)
  local got = support.message(f)
  assert(got:find(message, 1, true), got)
end

-- Both sides, as int64 and int32, new and into out, as searchsorted answers them.
local function agree(sequence, made, values, options)
  local index = sequence:search_index(made)
  for _, small in ipairs { false, true } do
    local asked = { side = "both", base = 0, out_int32 = small, sorter = options and options.sorter,
                    descending = options and options.descending }
    if asked.sorter then
      asked.sorter = asked.sorter - 1
    end
    local left, right = sequence:searchsorted(values, asked)
    local named = { side = "both", base = 0, out_int32 = small }
    local got_left, got_right = index:searchsorted(values, named)
    assert(got_left:equal(left) and got_right:equal(right))
    assert(got_left.dtype == left.dtype)
    got_left:fill_(-1)
    assert(rawequal(index:searchsorted(values, { base = 0, out_int32 = small, out = got_left }),
      got_left))
    assert(got_left:equal(left))
  end
  local one_based = sequence:searchsorted(values, options)
  assert(index:searchsorted(values):equal(one_based))
end

describe("search_index", function()
  before_each(function()
    math.randomseed(11)
  end)

  for _, dtype in ipairs(support.ordered) do
    it(dtype .. ": as it lies, stepped, descending, through a sorter, by rows", function()
      for _, n in ipairs { 1, 40, 700 } do
        for _, m in ipairs { 1, 3, 25, 800 } do
          local v = arrays.tensor(arrays.random(dtype, { m }))
          for _, descending in ipairs { false, true } do
            local option = { descending = descending }
            local row = sorted(dtype, { n }, descending)
            agree(arrays.tensor(row), option, v, option)
            agree(arrays.tensor(row, "stepped"), option, v, option)
            local order = arrays.tensor(arrays.shuffle_rows(row, 1), "stepped")
            option.sorter = order
            agree(arrays.tensor(row), option, v, option)
          end
        end
      end
      local rows = arrays.tensor(sorted(dtype, { 5, 90 }))
      agree(rows, nil, arrays.tensor(arrays.random(dtype, { 5, 30 })))
      agree(rows, nil, arrays.tensor(arrays.random("float64", { 5, 1 })))
    end)
  end

  it("rows past the caches, which have trees", function()
    for _, dtype in ipairs { "float32", "int64", "int16", "float64" } do
      local n = dtype == "int16" and 30000 or 300000
      local s = locus.arange(0, n, { dtype = dtype }):reshape(1, n):expand(3, n)
      local v = locus.tensor({ { -5 }, { n / 2 }, { n + 9 } })
      agree(s:contiguous(), nil, v)
      agree(s:contiguous(), nil, (v:expand(3, 5000) + 0))
      agree(s:contiguous():narrow(2, 2, n - 1), nil, (v:expand(3, 5000) + 0))
      agree(s:select(1, 1), nil, v)
    end
  end)

  it("keeps the elements of its sequence alive", function()
    local s = locus.arange(0, 300000, { dtype = "float32" })
    local index = s:search_index()
    s = setmetatable({ s }, { __mode = "v" })
    for _ = 1, 3 do
      collectgarbage()
      locus.full(300000, 7, { dtype = "float32" })
    end
    assert(s[1] == nil)
    support.same(index:searchsorted({ -1, 5, 1e7 }), { 3 }, { 1, 6, 300001 }, "int64")
  end)

  it("gives some position once the sequence has been written to", function()
    local s = locus.arange(0, 300000, { dtype = "float32" })
    local index = s:search_index()
    s:fill_(0 / 0)
    local v = locus.arange(-10, 300010, { dtype = "float64" })
    local left, right = index:searchsorted(v, { side = "both" })
    local n = s:numel()
    assert(left:min() >= 1 and left:max() <= n + 1 and right:min() >= 1 and right:max() <= n + 1)
  end)

  it("answers numbers with numbers, and says what it is", function()
    local index = locus.tensor({ 1, 2, 4 }):search_index()
    assert(index:searchsorted(3) == 3 and index:searchsorted(4, { right = true, base = 0 }) == 3)
    assert(tostring(index) == "[search index of a float64 tensor of size 3, 0 bytes]")
    local down = locus.tensor({ 3, 2 }, { dtype = "int8" }):search_index({ descending = true })
    assert(tostring(down) == "[search index of a descending int8 tensor of size 2, 64 bytes]")
  end)

  it("refuses what searchsorted refuses, and what was settled when it was made", function()
    local index = locus.tensor({ 1, 2, 4 }):search_index()
    raises("search_index: 'sorted_sequence' is not ascending: 1 at [2] follows 3", function()
      locus.search_index({ 3, 1 }, { check = true })
    end)
    raises("search_index: 'sorted_sequence' must have a dimension", function()
      locus.search_index(locus.tensor({ 1 }):select(1, 1))
    end)
    raises("search_index: 'sorter' holds 9 at [2], outside 1..2", function()
      locus.search_index({ 3, 1 }, { sorter = { 1, 9 } })
    end)
    raises("searchsorted: there is no argument 'sorter'", function()
      index:searchsorted({ 1 }, { sorter = { 1, 2, 3 } })
    end)
    raises("searchsorted: 'out' must be int64, got float64", function()
      index:searchsorted({ 1 }, { out = locus.tensor({ 1 }) })
    end)
    raises("searchsorted: write index:searchsorted(values), with a colon", function()
      index.searchsorted({ 1 })
    end)
    raises("a search index has no 'find'", function()
      return index.find
    end)
    raises("a search index cannot be changed", function()
      index.x = 1
    end)
  end)
end)
