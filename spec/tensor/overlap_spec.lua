-- SPDX-License-Identifier: MIT
-- Which views share memory with themselves and with each other, against all their addresses. What
-- locus says is what it refuses: to fill a view two elements of which are one, to write an answer
-- over what it comes from.
local ffi = require "ffi"
local locus = require "locus"

-- The view with those strides and sizes, from the offset on: each dimension but the last one is
-- unfolded.
local function strided(x, offset, strides, sizes)
  local length = x:numel() - offset
  x = x:narrow(1, offset + 1, length)
  for d, stride in ipairs(strides) do
    length = length - (sizes[d] - 1) * stride
    x = x:unfold(d, length, stride)
  end
  return x:select(#strides + 1, 1)
end

-- Where the elements are, counted in units.
local function addresses(strides, sizes, offset, unit)
  local list = {(offset or 0) * (unit or 1)}
  for d, stride in ipairs(strides) do
    local further = {}
    for _, at in ipairs(list) do
      for k = 0, sizes[d] - 1 do further[#further + 1] = at + k * stride * (unit or 1) end
    end
    list = further
  end
  return list
end

local function share_one(list)
  local seen = {}
  for _, at in ipairs(list) do
    if seen[at] then return true end
    seen[at] = true
  end
  return false
end

-- Whether a byte is in both, where elements have n units each.
local function share(a, a_units, b, b_units)
  local seen = {}
  for _, at in ipairs(a) do
    for i = 0, a_units - 1 do seen[at + i] = true end
  end
  for _, at in ipairs(b) do
    for i = 0, b_units - 1 do
      if seen[at + i] then return true end
    end
  end
  return false
end

local function refuses(sentence, f, ...)
  local ok, message = pcall(f, ...)
  return not ok and message:find(sentence, 1, true) ~= nil
end

local function says_one(view)
  return refuses("has elements that share memory", view.fill_, view, 0)
end

local function says_share(to, from)
  return refuses("'out' overlaps 'input'", from.cumsum, from, 1, {out = to})
end

local function random_list(n, low, high)
  local list = {}
  for d = 1, n do list[d] = math.random(low, high) end
  return list
end

-- Strides and sizes of one to `most` dimensions, and how many elements there are to the last.
local function random_view(most, largest)
  local ndim = math.random(most)
  local strides, sizes, reach = random_list(ndim, 1, largest), random_list(ndim, 1, 4), 1
  for d = 1, ndim do reach = reach + strides[d] * (sizes[d] - 1) end
  return strides, sizes, reach
end

local function show(strides, sizes)
  return ("strides %s, sizes %s"):format(table.concat(strides, ","), table.concat(sizes, ","))
end

describe("views", function()
  before_each(function() math.randomseed(17) end)

  it("share memory with themselves when two of their elements do", function()
    local x, count = locus.zeros(5000, {dtype = "uint8"}), {[true] = 0, [false] = 0}
    for _ = 1, 6000 do
      local strides, sizes = random_view(5, math.random(4) == 1 and 300 or 30)
      local want = share_one(addresses(strides, sizes))
      count[want] = count[want] + 1
      if says_one(strided(x, 0, strides, sizes)) ~= want then
        error(("%s: not %s"):format(show(strides, sizes), tostring(want)))
      end
    end
    assert.is_true(count[true] > 1000 and count[false] > 1000)
  end)

  it("that are cut, stepped and turned, too", function()
    local x, count = locus.zeros(60), {[true] = 0, [false] = 0}
    for _ = 1, 3000 do
      local view = x:unfold(1, math.random(60), math.random(20))
      view = view:slice(1, 1, -1, math.random(3)):slice(2, 1, -1, math.random(3))
      view = view:unfold(2, math.random(view:size(2)), math.random(7)):permute(3, 1, 2)
      local want = share_one(addresses(view:stride(), view:size()))
      count[want] = count[want] + 1
      assert.equal(want, says_one(view))
    end
    assert.is_true(count[true] > 500 and count[false] > 500)
  end)

  it("share memory with each other when an element is in both", function()
    local n, count = 160, {[true] = 0, [false] = 0}
    local x = locus.zeros(n)
    for _ = 1, 6000 do
      local views, where = {}, {}
      for i = 1, 2 do
        local strides, sizes, reach = random_view(3, 15)
        local offset = math.random(0, n - reach)
        views[i], where[i] = strided(x, offset, strides, sizes), addresses(strides, sizes, offset)
      end
      local want = share(where[1], 1, where[2], 1)
      count[want] = count[want] + 1
assert.equal(want, says_share(views[1], views[2]))
    end
    assert.is_true(count[true] > 1000 and count[false] > 1000)
  end)

  it("of different dtypes share memory when a byte is in both #host", function()
    local n, count = 320, {[true] = 0, [false] = 0}
    local bytes = ffi.new("uint8_t[?]", n)
    local items = {int16 = 2, float32 = 4}
    local whole, dtypes = {}, {"int16", "float32"}
    for dtype, item in pairs(items) do
      whole[dtype] = locus.from_ptr(ffi.cast("void *", bytes), n / item, {dtype = dtype})
    end
    for _ = 1, 3000 do
      local views, where = {}, {}
      for i, dtype in ipairs(dtypes) do
        local strides, sizes, reach = random_view(3, 8)
        local offset = math.random(0, n / items[dtype] - reach)
        views[i] = strided(whole[dtype], offset, strides, sizes)
        where[i] = addresses(strides, sizes, offset, items[dtype])
      end
      local want = share(where[1], items.int16, where[2], items.float32)
      count[want] = count[want] + 1
      assert.equal(want, says_share(views[1], views[2]))
    end
    assert.is_true(count[true] > 500 and count[false] > 500)
  end)

  -- The search takes 92,244 steps for the first one, 129,050 for the second.
  it("are judged exactly in 100,000 steps, and refused where that does not do", function()
    for _, case in ipairs {
      {7, {533991, 557363, 612909, 680946, 648557, 759407}, false},
      {5, {795889, 834824, 900393, 939614, 971400, 792079, 1212265}, true},
    } do
      local size, strides, refused = unpack(case)
      local sizes, reach = random_list(#strides, size, size), 1
      for _, stride in ipairs(strides) do reach = reach + stride * (size - 1) end
      assert.is_false(share_one(addresses(strides, sizes)))
      local x = locus.empty(reach, {dtype = "uint8"})
      assert.equal(refused, says_one(strided(x, 0, strides, sizes)))
    end
    collectgarbage()
  end)

  it("of even addresses share nothing with those of odd ones, whatever the strides", function()
    local x = locus.zeros(20000, {dtype = "uint8"})
    for _ = 1, 20 do
      local views = {}
      for i = 1, 2 do
        local strides = random_list(6, 100, 300)
        for d, stride in ipairs(strides) do strides[d] = 2 * stride end
        views[i] = strided(x, i - 1, strides, {5, 5, 5, 5, 5, 5})
      end
      assert.is_false(says_share(views[1], views[2]))
    end
  end)
end)
