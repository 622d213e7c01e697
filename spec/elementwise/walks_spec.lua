-- SPDX-License-Identifier: MIT
-- Elementwise ops over operands in every layout of memory: permuted, with gaps, spread.
-- Operands are written and results read element by element through their strides.
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

-- Sizes on both sides of what tiles and rows are made of.
local SHAPES = {
  {1}, {70}, {2100}, {1, 40}, {3, 5}, {16, 16}, {31, 33}, {32, 32}, {33, 31}, {64, 65}, {130, 127},
  {128, 20}, {3, 400}, {400, 3}, {2, 1100}, {1100, 2}, {600, 10}, {10, 130}, {2, 3, 200},
  {200, 3, 2}, {7, 33, 35}, {40, 2, 40}, {5, 4, 6, 7}, {2, 129, 3, 3},
}

local function each(shape, visit)
  local index, n = {}, 1
  for d, size in ipairs(shape) do index[d], n = 0, n * size end
  for i = 1, n do
    visit(i, index)
    for d = #shape, 1, -1 do
      index[d] = index[d] + 1
      if index[d] < shape[d] then break end
      index[d] = 0
    end
  end
end

local function offset(index, strides)
  local sum = 0
  for d = 1, #index do sum = sum + index[d] * strides[d] end
  return sum
end

local function strides_of(t)
  local strides = {}
  for d = 1, t:dim() do strides[d] = t:stride(d) end
  return strides
end

local function pointer(t) return ffi.cast(support.unit(t.dtype) .. " *", t:data()) end

-- How a tensor of the shape may lie: the sizes of its memory, and the view of that. The dimensions
-- lie there in a random order, some with gaps; with `spread` some are one element expanded.
local function layout(shape, spread)
  local order, sizes, back = {}, {}, {}
  for d = 1, #shape do table.insert(order, math.random(#order + 1), d) end
  local ranges, expanded = {}, {}
  for place, d in ipairs(order) do
    local one = spread and math.random(5) == 1
    local step = math.random(4) == 1 and 2 or 1
    sizes[place] = one and 1 or shape[d] * step
    ranges[place] = one and {} or {step, sizes[place], step}
    back[d], expanded[d] = place, shape[d]
  end
  return sizes, function(whole)
    local t = whole[ranges]
    if #shape > 1 then t = t:permute(unpack(back)) end
    return t:expand(expanded)
  end
end

-- A tensor of zeros that lies so, and its memory.
local function laid(dtype, shape)
  local sizes, view = layout(shape)
  local whole = locus.zeros(sizes, {dtype = dtype})
  return view(whole), whole
end

-- A tensor of whole numbers.
local function filled(dtype, shape, spread)
  local sizes, view = layout(shape, spread)
  local whole = locus.zeros(sizes, {dtype = dtype, device = "cpu"})
  local t = view(whole)
  local p, strides = pointer(t), strides_of(t)
  each(shape, function(_, index)
    local v = math.random(0, 100)
    p[offset(index, strides)] = dtype == "bool" and v % 2 * v or v
  end)
  return view(whole:to(support.device))
end

-- The elements in row-major order, as numbers.
local function values(t, shape)
  local here = t:cpu()
  local list, p, strides = {}, pointer(here), strides_of(here)
  each(shape, function(i, index)
    local v = p[offset(index, strides)]
    list[i] = tonumber(t.dtype == "complex128" and v.re or v)
  end)
  return list
end

local function operand(dtype, shape)
  local t = filled(dtype, shape, true)
  return t, values(t, shape)
end

local function describe_layout(t)
  return t.dtype .. " {" .. table.concat(strides_of(t), ",") .. "}"
end

local function check(out, shape, want, ...)
  for i, got in ipairs(values(out, shape)) do
    if got ~= want(i) then
      local layouts = {describe_layout(out)}
      for _, t in ipairs {...} do layouts[#layouts + 1] = describe_layout(t) end
      error(("size %s, element %d: expected %s, got %s; %s"):format(table.concat(shape, "x"), i,
        want(i), got, table.concat(layouts, " ")))
    end
  end
end

local function over_shapes(test)
  return function()
    math.randomseed(11)
    for _, shape in ipairs(SHAPES) do
      for _ = 1, 4 do test(shape) end
    end
  end
end

local function any(list) return list[math.random(#list)] end

describe("operands in any layout:", function()
  it("where", over_shapes(function(shape)
    local dtype = any {"uint8", "int16", "float32", "float64", "complex128"}
    local c, cs = operand("bool", shape)
    local x, xs = operand(dtype, shape)
    local y, ys = operand(any {dtype, "uint8"}, shape)
    local out = laid(dtype, shape)
    check(c:where(x, y, {out = out}), shape, function(i) return cs[i] ~= 0 and xs[i] or ys[i] end,
      c, x, y)
  end))

  it("where past the caches, row by row #host", function()
    local rows, columns, step, random = 2900, 2901, 3000, math.random
    local function slice(dtype, most)
      local t = locus.zeros({rows, step}, {dtype = dtype}):narrow(2, 7, columns)
      local p = pointer(t)
      for r = 0, rows - 1 do
        for k = 0, columns - 1 do p[r * step + k] = random(0, most) end
      end
      return t, p
    end
    local c, cs = slice("bool", 1)
    local x, xs = slice("uint8", 255)
    local y, ys = slice("uint8", 255)
    local out = c:where(x, y)
    local p, wrong = pointer(out), 0
    for r = 0, rows - 1 do
      for k = 0, columns - 1 do
        local at = r * step + k
        local want = cs[at] ~= 0 and xs[at] or ys[at]
        if p[r * columns + k] ~= want then wrong = wrong + 1 end
      end
    end
    assert.same({rows, columns, 0}, {out:size(1), out:size(2), wrong})
  end)

  it("add", over_shapes(function(shape)
    local a, as = operand(any {"float32", "int16", "float64"}, shape)
    local b, bs = operand(any {"float32", "uint8"}, shape)
    check(a + b, shape, function(i) return as[i] + bs[i] end, a, b)
  end))

  it("eq", over_shapes(function(shape)
    local a, as = operand(any {"float32", "int16"}, shape)
    local b, bs = operand(any {"float32", "int32"}, shape)
    local out = laid("bool", shape)
    check(a:eq(b, {out = out}), shape, function(i) return as[i] == bs[i] and 1 or 0 end, a, b)
  end))

  it("neg in place", over_shapes(function(shape)
    local a = filled(any {"int16", "float64"}, shape)
    local as = values(a, shape)
    check(a:neg_(), shape, function(i) return -as[i] end)
  end))

  it("copy_ and conversion", over_shapes(function(shape)
    local a, as = operand(any {"uint8", "int16", "int32", "float64", "complex128"}, shape)
    check(a:clone(), shape, function(i) return as[i] end, a)
    local to = a.dtype == "complex128" and a.dtype or any {a.dtype, "float32", "int16"}
    check(laid(to, shape):copy_(a), shape, function(i) return as[i] end, a)
  end))

  it("nothing is written between the elements of an out", over_shapes(function(shape)
    local out, whole = laid(any {"uint8", "int16", "float32", "float64"}, shape)
    local a = filled("uint8", shape, true)
    locus.add(a:to(out.dtype), 1, {out = out})
    local here = whole:cpu()
    local p, written = pointer(here), 0
    for i = 0, whole:numel() - 1 do written = written + (p[i] ~= 0 and 1 or 0) end
    assert.equal(out:numel(), written)
  end))
end)
