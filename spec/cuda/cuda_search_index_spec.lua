-- SPDX-License-Identifier: MIT
-- search_index on a CUDA device: whatever is made ready once, the answers are those of searchsorted
-- on the CPU. In the emulator 64 values are worth a tree, and rows of more than 1024 bytes levels.
local arrays = require "spec.support.data.arrays"
local locus = require "locus"
local support = require "spec.support"

-- On the device, as it is, or as every second element of a larger row.
local function sent(t, stepped)
  if not stepped or t:numel() == 0 then return t:cuda() end
  local wide = locus.zeros(2 * t:numel(), {dtype = t.dtype, device = "cuda"})
  return wide[{{2, 2 * t:numel(), 2}}]:copy_(t:cuda())
end

-- Both sides as int64, and one as int32 into out, the sorter being overwritten before that.
local function agree(sequence, option, values)
  local asked = {side = "both", descending = option.descending, sorter = option.sorter}
  local left, right = sequence:searchsorted(values, asked)
  local sorter = option.sorter and sent(option.sorter, option.stepped)
  local index = sent(sequence, option.stepped):search_index{
    descending = option.descending, sorter = sorter}
  if sorter then sorter:fill_(2 ^ 30) end
  local there = values:cuda()
  local got_left, got_right = index:searchsorted(there, {side = "both"})
  support.same(got_left:cpu(), support.shape(left), support.values(left), "int64")
  support.same(got_right:cpu(), support.shape(right), support.values(right), "int64")
  local out = locus.zeros(right:size(), {dtype = "int32", device = "cuda"})
  assert.equal(out, index:searchsorted(there, {right = true, out_int32 = true, out = out}))
  assert.is_true(out:cpu():equal(right:to("int32")))
end

describe("search_index on a CUDA device #cuda", function()
  before_each(function() math.randomseed(12) end)

  for _, dtype in ipairs(support.ordered) do
    it(dtype .. ": as it lies, stepped, descending, through a sorter, by rows", function()
      for _, n in ipairs{0, 1, 129, 257} do
        for _, m in ipairs{1, 64} do
          local v = arrays.tensor(arrays.random(dtype, {m}))
          for _, descending in ipairs{false, true} do
            local row = arrays.sort_rows(arrays.random(dtype, {n}), descending)
            agree(arrays.tensor(row), {descending = descending}, v)
            agree(arrays.tensor(row), {descending = descending, stepped = true}, v)
            local sorter = arrays.tensor(arrays.shuffle_rows(row, 1))
            local option = {descending = descending, stepped = descending, sorter = sorter}
            agree(arrays.tensor(row), option, v)
          end
        end
      end
      local rows = arrays.sort_rows(arrays.random(dtype, {5, 90}))
      agree(arrays.tensor(rows), {}, arrays.tensor(arrays.random(dtype, {5, 20})))
      agree(arrays.tensor(rows), {}, arrays.tensor(arrays.random("float64", {5, 1})))
      local sorter = arrays.tensor(arrays.shuffle_rows(rows, 1))
      agree(arrays.tensor(rows), {sorter = sorter}, arrays.tensor(arrays.random(dtype, {5, 20})))
    end)
  end

  it("rows that are one in memory", function()
    local s = locus.arange(0, 700, {dtype = "int16"}):reshape(1, 700)
    local v = locus.arange(-50, 750, 2):reshape(2, 200)
    local index = s:cuda():expand(2, 700):search_index()
    local here = s:expand(2, 700):searchsorted(v)
    assert.is_true(index:searchsorted(v:cuda()):cpu():equal(here))
  end)

  it("keeps the elements of its sequence alive", function()
    local s = locus.arange(0, 3000, {dtype = "float32", device = "cuda"})
    local index = s:search_index()
    s = setmetatable({s}, {__mode = "v"})
    for _ = 1, 3 do
      collectgarbage()
      locus.full(3000, 7, {dtype = "float32", device = "cuda"})
    end
    assert.is_nil(s[1])
    support.same(index:searchsorted{-1, 5, 1e7}:cpu(), {3}, {1, 6, 3001}, "int64")
  end)

  it("gives some position once the sequence has been written to", function()
    local s = locus.arange(0, 3000, {dtype = "float32", device = "cuda"})
    local index = s:search_index()
    local v = locus.arange(-10, 3010, {device = "cuda"})
    for _, value in ipairs{0 / 0, -1} do
      s:fill_(value)
      for _, answers in ipairs{index:searchsorted(v), index:searchsorted(v, {right = true})} do
        answers = answers:cpu()
        assert(answers:min() >= 1 and answers:max() <= 3001)
      end
    end
  end)

  it("says what it holds, and refuses a sorter that leads outside", function()
    local s = locus.arange(0, 1100, {dtype = "float64", device = "cuda"})
    assert.equal("[search index of a float64 tensor of size 10, 0 bytes]",
      tostring(s:narrow(1, 1, 10):search_index()))
    assert.equal("[search index of a descending float64 tensor of size 10, 128 bytes]",
      tostring(s:narrow(1, 1, 10):search_index{descending = true}))
    local sorter = locus.tensor({1, 9}, {dtype = "int64", device = "cuda"})
    assert.equal("search_index: 'sorter' holds 9 at [2], outside 1..2",
      support.message(locus.search_index, s:narrow(1, 1, 2), {sorter = sorter}))
  end)
end)
