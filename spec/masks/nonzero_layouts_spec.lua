-- SPDX-License-Identifier: MIT
-- nonzero and count_nonzero of inputs that lie in memory in another order than their own:
-- dimensions permuted, cut, stepped over and broadcast, with one and several threads.
local bits = require "spec.support.data.bits"
local locus = require "locus"
local support = require "spec.support"

-- A view of the shape over a contiguous tensor whose dimensions are in the order `dims`, and the
-- view's nonzero positions in its own order.
local function permuted(dtype, shape, dims, density)
  local sizes, back = {}, {}
  for i, d in ipairs(dims) do sizes[i], back[d] = shape[d], i end
  local x, set = bits.random(dtype, support.numel(shape), density)
  local wanted = {}
  local columns = bits.columns(set, sizes, 0)
  for k = 1, #set do
    local at = 0
    for d = 1, #shape do at = at * shape[d] + columns[back[d]][k] end
    wanted[k] = at
  end
  table.sort(wanted)
  return x:view(sizes):permute(unpack(back)), wanted
end

local function check(x, set, note)
  local rows = x:nonzero()
  assert.equal(#set .. "x" .. x:dim(), tostring(rows:size()), note)
  assert.is_nil(bits.difference(rows, bits.columns(set, support.shape(x), 1), 1, #set), note)
  assert.equal(#set, x:count_nonzero(), note)
end

local CASES = {
  {{1, 300}, {2, 1}}, {{2, 300}, {2, 1}}, {{15, 40}, {2, 1}}, {{16, 40}, {2, 1}},
  {{17, 1}, {2, 1}}, {{40, 3}, {2, 1}}, {{63, 65}, {2, 1}}, {{64, 64}, {2, 1}}, {{65, 63}, {2, 1}},
  {{127, 2}, {2, 1}}, {{129, 70}, {2, 1}}, {{200, 333}, {2, 1}}, {{1000, 5}, {2, 1}},
  {{5, 70, 9}, {1, 3, 2}}, {{5, 70, 9}, {2, 1, 3}}, {{70, 5, 9}, {2, 3, 1}},
  {{70, 5, 9}, {3, 2, 1}}, {{9, 3, 70}, {3, 1, 2}}, {{20, 6, 66}, {3, 2, 1}},
  {{3, 17, 4, 25}, {1, 3, 4, 2}}, {{3, 17, 4, 25}, {4, 3, 2, 1}}, {{2, 100, 1, 31}, {4, 1, 3, 2}},
}

describe("nonzero of permuted dimensions", function()
  before_each(function() math.randomseed(40) end)

  for _, dtype in ipairs {"bool", "float16", "float32", "complex64", "complex128"} do
    it("keeps to the logical order, " .. dtype, function()
      for _, case in ipairs(CASES) do
        local x, set = permuted(dtype, case[1], case[2], 0.3)
        check(x, set, table.concat(case[1], "x"))
      end
    end)
  end

  it("does so with several threads", function()
    for _, case in ipairs {{{700, 301}, {2, 1}}, {{5, 100, 407}, {1, 3, 2}}} do
      local x, set = permuted("float32", case[1], case[2], 0.1)
      bits.with_threads(function() check(x, set, table.concat(case[1], "x")) end)
    end
  end)

  it("sees nothing of what lies beside", function()
    for _, cut in ipairs {{100, 50}, {64, 64}, {30, 100}, {90, 3}} do
      local x = locus.ones({130, 150}, {dtype = "int16"}):t():narrow(1, 17, cut[1])
        :narrow(2, 5, cut[2])
      assert.equal(cut[1] * cut[2], x:count_nonzero())
      x:fill_(0)
      assert.equal(0, (x:nonzero():size(1)))
      assert.equal(0, x:count_nonzero())
      x[{cut[1], cut[2]}] = 1
      assert.same({{cut[1], cut[2]}}, x:nonzero():totable())
    end
  end)
end)

describe("nonzero of views", function()
  before_each(function() math.randomseed(41) end)

  it("steps over elements", function()
    for _, dtype in ipairs {"uint8", "int16", "float32", "float64", "complex128"} do
      local x, set = bits.random(dtype, 90 * 70, 0.3)
      x = x:view(90, 70)
      for _, step in ipairs {2, 3, 16, 33} do
        local view = x[{{2, 90}, {1, 70, step}}]
        local width, wanted = math.ceil(70 / step), {}
        for _, at in ipairs(set) do
          local column = at % 70
          if at >= 70 and column % step == 0 then
            wanted[#wanted + 1] = ((at - column) / 70 - 1) * width + column / step
          end
        end
        check(view, wanted, dtype .. " " .. step)
        check(x:t()[{{1, 70, step}, {2, 90}}]:t(), wanted, dtype .. " of a transpose " .. step)
      end
    end
  end)

  it("broadcasts rows, columns and both", function()
    for _, dtype in ipairs {"bool", "float32", "complex128"} do
      local row, set = bits.random(dtype, 100, 0.3)
      local rows, columns, both = {}, {}, {}
      for i = 0, 29 do
        for _, at in ipairs(set) do rows[#rows + 1] = i * 100 + at end
      end
      for _, at in ipairs(set) do
        for i = 0, 29 do columns[#columns + 1] = at * 30 + i end
      end
      for i = 0, 6 do
        for _, at in ipairs(set) do
          for k = 0, 29 do both[#both + 1] = (i * 100 + at) * 30 + k end
        end
      end
      check(row:expand(30, 100), rows, "rows")
      check(row:expand(30, 100):t(), columns, "rows transposed")
      check(row:view(100, 1):expand(100, 30), columns, "columns")
      check(row:view(1, 100, 1):expand(7, 100, 30), both, "both")
      check(row:unfold(1, 10, 10), set, "unfolded")
      check(locus.ones({1}, {dtype = dtype}):expand(3, 5), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
        12, 13, 14}, "one")
    end
  end)

  it("reads windows that overlap", function()
    local x, set = bits.random("uint8", 300, 0.3)
    local is_set, wanted, turned = {}, {}, {}
    for _, at in ipairs(set) do is_set[at] = true end
    for i = 0, 99 do
      for k = 0, 199 do
        if is_set[i + k] then
          wanted[#wanted + 1] = i * 200 + k
          turned[#turned + 1] = k * 100 + i
        end
      end
    end
    table.sort(turned)
    local windows = x:narrow(1, 1, 299):unfold(1, 200, 1)
    check(windows, wanted, "windows")
    check(windows:t(), turned, "transposed")
    local twos = x:narrow(1, 1, 299):unfold(1, 100, 2):t() -- strides 1, 2
    local two = {}
    for i = 0, 99 do
      for k = 0, 99 do
        if is_set[i + 2 * k] then two[#two + 1] = i * 100 + k end
      end
    end
    check(twos, two, "steps of two")
  end)
end)
