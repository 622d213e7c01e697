-- SPDX-License-Identifier: MIT
-- masked_select, t[mask] and t[mask] = tensor element by element, byte by byte, on both sides of
-- the sizes at which the kernels change strategies.
local bits = require "spec.support.data.bits"
local locus = require "locus"
local support = require "spec.support"

local function bytes_of(t) return support.memory(t, "uint8_t") end

-- Whether element i of one run of bytes is element k of another.
local function same_element(a, i, b, k, size)
  for byte = 0, size - 1 do
    if a[i * size + byte] ~= b[k * size + byte] then return false end
  end
  return true
end

-- Checks that `got` holds the elements of `x` at the 0-based positions `set`.
local function check_selected(got, x, set, note)
  local a, b, size = bytes_of(got), bytes_of(x), bits.size[x.dtype]
  assert.equal(x.dtype, got.dtype, note)
  assert.equal(tostring(#set), tostring(got:size()), note)
  for k = 1, #set do
    if not same_element(a, k - 1, b, set[k], size) then
      error(("%s: element %d is not that at %d"):format(note, k, set[k]))
    end
  end
end

-- Checks that `got` is `x` except at the positions `set`, where it holds the elements of `values`.
local function check_put(got, x, set, values, note)
  local size, k = bits.size[x.dtype], 1
  local g, a = bytes_of(got), bytes_of(x)
  local v = bytes_of(values)
  for i = 0, x:numel() - 1 do
    local chosen = set[k] == i
    if not same_element(g, i, chosen and v or a, chosen and k - 1 or i, size) then
      error(("%s: element %d is wrong"):format(note, i + 1))
    end
    k = chosen and k + 1 or k
  end
end

-- Every other element of a tensor twice as long.
local function stepped(values)
  local wide = locus.ones({2 * #values}, {dtype = values.dtype})[{{1, 2 * #values, 2}}]
  return wide:copy_(values)
end

describe("a mask", function()
  before_each(function() math.randomseed(30) end)

  for _, dtype in ipairs(support.dtypes) do
    it("selects and overwrites in one dimension, " .. dtype, function()
      for i, n in ipairs {1, 63, 64, 65, 300, 1024, 1025, 4095, 4096, 4097, 9000} do
        local density = ({0.02, 0.5, 1})[i % 3 + 1]
        local x, note = bits.random(dtype, n, 0.5), n .. " elements, " .. density
        local mask, set = bits.random("bool", n, density)
        check_selected(x[mask], x, set, note)
        if #set > 0 then
          check_selected(stepped(x):masked_select(mask), x, set, note)
          local values = bits.random(dtype, #set, 0.5)
          local to, strided = x:clone(), stepped(x)
          to[mask], strided[mask] = values, stepped(values)
          check_put(to, x, set, values, note)
          check_put(strided, x, set, values, note)
        end
      end
    end)

    it("selects and overwrites in every layout, " .. dtype, function()
      for _, shape in ipairs {{3, 700}, {70, 5, 9}, {1100, 3}} do
        local n = support.numel(shape)
        local x = bits.random(dtype, n, 0.5):view(shape)
        local mask, set = bits.random("bool", n, 0.3)
        local values = bits.random(dtype, #set, 0.5)
        for _, layout in ipairs(support.layouts) do
          local to = support.laid(x, layout)
          check_selected(to[support.laid(mask:view(shape), layout)], x, set, layout)
          to[mask:view(shape)] = values
          check_put(to, x, set, values, layout)
        end
      end
    end)
  end

  for _, dtype in ipairs {"uint8", "int16", "float32", "float64", "complex128"} do
    it("selects and overwrites with several threads, " .. dtype, function()
      local n = 3 * 65536 + 77
      local x = bits.random(dtype, n, 0.5)
      local mask, set = bits.random("bool", n, 0.2)
      local values = bits.random(dtype, #set, 0.5)
      bits.with_threads(function()
        local to = x:clone()
        check_selected(x[mask], x, set, dtype)
        to[mask] = values
        check_put(to, x, set, values, dtype)
      end)
    end)
  end

  it("selects from a broadcast tensor, and by a broadcast mask", function()
    local mask, set = bits.random("bool", 3 * 2000, 0.4)
    local row = bits.random("float32", 2000, 0.5)
    local wide = row:expand(3, 2000)
    check_selected(wide[mask:view(3, 2000)], wide, set, "row")
    local few, few_set = bits.random("bool", 2000, 0.4)
    local x, all = bits.random("int16", 3 * 2000, 0.5):view(3, 2000), {}
    for r = 0, 2 do
      for _, i in ipairs(few_set) do all[#all + 1] = 2000 * r + i end
    end
    check_selected(x:masked_select(few), x, all, "mask")
  end)

  it("leaves what lies around alone", function()
    local whole = locus.full({5000}, 7, {dtype = "int32"})
    local to = whole:narrow(1, 100, 4200)
    local mask = locus.ones(4200):gt(0)
    to[mask] = locus.arange(4200):int()
    assert.equal(5000 - 4200, whole:eq(7):count_nonzero() - 1)
    assert.is_true(locus.equal(locus.arange(4200):int(), to))
  end)
end)

describe("t[mask] = tensor", function()
  it("refuses another number of elements, and writes nothing", function()
    local x = locus.zeros(2, 3)
    local mask = locus.tensor {{true, false, true}, {false, true, false}}
    for text, values in pairs {
      ["2"] = {1, 2}, ["4"] = {1, 2, 3, 4}, ["0"] = locus.zeros(0), ["3x1"] = {{1}, {2}, {3}},
      ["2x3"] = {{1, 2, 3}, {4, 5, 6}},
    } do
      assert.equal(("index: 'value' of size %s does not broadcast to 3"):format(text),
        support.message(function() x[mask] = values end))
    end
    assert.equal(0, x:count_nonzero())
    x[mask] = {{{1, 2, 3}}} -- leading sizes of 1 say nothing
    assert.same({{1, 0, 2}, {0, 3, 0}}, x:totable())
    x[mask:logical_and(false)] = locus.zeros(0)
    assert.same({{1, 0, 2}, {0, 3, 0}}, x:totable())
  end)

  it("may be the mask's own tensor, and read what it writes", function()
    local x = locus.tensor {true, true, false, true}
    x[x] = locus.tensor {false, true, false}
    assert.same({false, true, false, false}, x:totable())
    local y = locus.arange(1, 7)
    y[y:gt(2)] = y:narrow(1, 1, 4)
    assert.same({1, 2, 1, 2, 3, 4}, y:totable())
  end)
end)
