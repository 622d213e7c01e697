-- SPDX-License-Identifier: MIT
-- Reading t[...]: elements, views, index tensors, masks, iter and #. (Ranges: ranges_spec.lua.)
local ffi = require "ffi"
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local support = require "spec.support"

local function long(list, shape) return support.tensor("int64", list, shape) end
local message = support.message

describe("a gather by its shorter paths", function()
  -- Elements of every width, by positions from either end, one by one and in rows of any length.
  for _, dtype in ipairs(support.dtypes) do
    it("gives what one index after the other gives: " .. dtype, function()
      math.randomseed(41)
      for _, columns in ipairs {1, 2, 3, 4, 17, 70} do
        local a = arrays.random(dtype, {50, columns})
        for _, layout in ipairs(support.layouts) do
          local x = arrays.tensor(a, layout)
          for _, forward in ipairs {true, false} do
            local positions, rows, first = {}, {}, {}
            for i = 1, 200 do
              local at = math.random(50)
              positions[i] = (forward or math.random(3) > 1) and at or at - 51
              for j = 1, columns do
                rows[#rows + 1] = a.values[(at - 1) * columns + j]
              end
              first[i] = a.values[(at - 1) * columns + 1]
            end
            local places = long(positions)
            support.same(x[places], {200, columns}, rows, dtype)
            support.same(x[{{}, 1}][places], {200}, first, dtype)
            support.same(x[places:int()], {200, columns}, rows, dtype)
            support.same(x[places:view(20, 10)], {20, 10, columns}, rows, dtype)
          end
        end
      end
    end)
  end

  it("names the first position that is outside", function()
    local x = locus.arange(300)
    for _, at in ipairs {1, 127, 128, 129, 256, 290} do
      for _, bad in ipairs {0, 301, -301} do
        local places = locus.ones(290):long()
        places[{{1, 5}}] = -1
        places[at] = bad
        places[290] = at < 290 and 999 or bad
        assert.equal(("index: index %d at [%d] is outside 1..300, the positions of dimension 1")
          :format(bad, at), message(function() return x[places] end))
      end
    end
  end)
end)

describe("t[number]", function()
  for _, dtype in ipairs(support.dtypes) do
    it("gives the element of a 1-D tensor as a Lua value, " .. dtype, function()
      local list = {0, 1, 1, 0, 1}
      local x = support.laid(support.tensor(dtype, list), "stepped")
      for i, value in ipairs(list) do
        if dtype == "bool" then value = value ~= 0 end
        if dtype:find("complex") then value = support.complex(value, 0) end
        assert.is_true(support.same_value(value, x[i]))
        assert.is_true(support.same_value(value, x[i - 6]))
        assert.is_true(support.same_value(value, x[{i}]))
      end
    end)
  end

  it("gives int64 beyond 2^53 exactly, as cdata", function()
    local texts = {"9007199254740992", "9007199254740993", "-9007199254740993",
                   "9223372036854775807", "-9223372036854775808"}
    local x = locus.tensor(texts, {dtype = "int64"})
    assert.equal("number", type(x[1]))
    for i = 2, 5 do
      assert.equal("cdata", type(x[i]))
      assert.is_true(x[i] == support.integer(texts[i]))
    end
    assert.is_true(x[{2}] == support.integer(texts[2]))
  end)

  it("reads elements of 2, 3 and 4 dimensions in any layout", function()
    for ndim = 2, 4 do
      local shape, values = {unpack({3, 2, 4, 2}, 1, ndim)}, {}
      for i = 1, support.numel(shape) do values[i] = i end
      for _, layout in ipairs(support.layouts) do
        for _, dtype in ipairs {"float32", "int16", "float16"} do
          local x, flat = support.laid(support.tensor(dtype, values, shape), layout), 0
          for a = 1, shape[1] do
            for b = 1, shape[2] do
              for c = 1, shape[3] or 1 do
                for d = 1, shape[4] or 1 do
                  flat = flat + 1
                  assert.equal(flat, x[{unpack({a, b, c, d}, 1, ndim)}])
                  local back = {a - 4, b - 3, c - 5, d - 3}
                  assert.equal(flat, x[{unpack(back, 1, ndim)}])
                end
              end
            end
          end
        end
      end
    end
  end)

  it("gives a view of what has more dimensions", function()
    local x = locus.tensor({{1, 2}, {3, 4}, {5, 6}})
    assert.same({3, 4}, x[2]:totable())
    assert.same({5, 6}, x[-1]:totable())
    x[2][1] = 30
    assert.equal(30, x[{2, 1}])
    assert.same({{1, 2}, {30, 4}, {5, 6}}, x[{}]:totable())
  end)

  it("takes int64 cdata", function()
    local x = locus.tensor({{1, 2}, {3, 4}})
    assert.equal(2, x[ffi.new("int64_t", 1)][ffi.new("int64_t", 2)])
    assert.equal(3, x[{ffi.new("int64_t", 2), 1}])
    assert.same({{2}, {4}}, x[{{}, {ffi.new("int64_t", -1)}}]:totable())
  end)

  it("stays right in loops that change dtype, layout and size", function()
    local function sum(x, n)
      local s = 0
      for i = 1, n do s = s + x[i] end
      return s
    end
    for _, dtype in ipairs(support.real) do
      for _, layout in ipairs(support.layouts) do
        local x = support.laid(locus.ones({120}, {dtype = dtype}), layout)
        assert.equal(120, sum(x, 120))
        assert.equal("index: 121 is outside 1..120, the positions of dimension 1",
                     message(function() sum(x, 121) end))
      end
    end
  end)

  it("does not read a tensor that was freed", function()
    for _, dtype in ipairs {"float64", "bool"} do
      local x = locus.ones({3}, {dtype = dtype})
      debug.getmetatable(x).__gc(x)
      assert.equal("index: 'input' has been freed", message(function() return x[1] end))
      assert.equal("index: 'input' has been freed", message(function() x[1] = 1 end))
      assert.equal("index: 'input' has been freed", message(function() return x[{}] end))
    end
  end)

  it("refuses what is not a tensor", function()
    local index = debug.getmetatable(locus.zeros(1)).__index
    for _, other in ipairs {io.stdout, newproxy(), newproxy(true)} do
      assert.equal("index: 'input' must be a tensor or a table, got a userdata",
                   message(function() index(other, 1) end))
    end
  end)
end)

describe("t[index tensors]", function()
  local x = locus.arange(1, 13):view(3, 4)

  it("gathers rows, columns and elements into new tensors", function()
    assert.same({{9, 10, 11, 12}, {1, 2, 3, 4}}, x[long {3, 1}]:totable())
    assert.same({{9, 10, 11, 12}, {1, 2, 3, 4}}, x[{long {-1, 1}}]:totable())
    assert.same({12, 2}, x[{long {3, 1}, long {4, 2}}]:totable())
    assert.same({{4, 1}, {8, 5}, {12, 9}}, x[{{}, long {4, 1}}]:totable())
    assert.same({8, 5}, x[{2, long {4, 1}}]:totable())
    assert.same({{1, 2}, {9, 10}}, x[{long({1, 3}, {2, 1}), long {1, 2}}]:totable())
    local y = x[long {1}]
    y[{1, 1}] = 99
    assert.equal(1, x[{1, 1}])
  end)

  it("gives a tensor for a 0-d index tensor", function()
    local e = x[{locus.tensor(2, {dtype = "int64"}), locus.tensor(-1, {dtype = "int32"})}]
    assert.same({0, 8}, {e:dim(), e:item()})
    assert.same({9, 10, 11, 12}, x[locus.tensor(3, {dtype = "int64"})]:totable())
  end)

  it("keeps neighbours in place and sends the separated to the front", function()
    local y, i, j = locus.zeros(2, 3, 4, 5), long {1, 2, 1, 1, 2, 2, 1}, long {3, 1, 3, 2, 1, 1, 2}
    assert.equal("2x7x5", tostring(y[{{}, j, j}]:size()))
    assert.equal("7x3x5", tostring(y[{i, {}, j}]:size()))
    assert.equal("7x4", tostring(y[{i, {}, {}, j}][{{}, 1}]:size()))
    assert.equal("7x5", tostring(y[{i, 1, j}]:size()))
    assert.equal("3x7x5", tostring(y[{1, {}, j}]:size()))
    assert.equal("2x3x7x1", tostring(y[{{}, {}, j, {2}}]:size()))
  end)

  it("works where there is nothing", function()
    assert.equal("0x4", tostring(x[long {}]:size()))
    assert.equal("0x2x4", tostring(x[long({}, {0, 2})]:size()))
    assert.equal("2x0", tostring(locus.zeros(3, 0)[long {1, 2}]:size()))
    assert.equal("0x3", tostring(locus.zeros(0, 3)[long {}]:size()))
  end)

  it("moves elements of every dtype bit for bit", function()
    for _, dtype in ipairs(support.dtypes) do
      local a = arrays.random(dtype, {7, 3})
      local t, want = arrays.tensor(a), {}
      for i, row in ipairs {7, 2, 2, 1} do
        for c = 1, 3 do want[(i - 1) * 3 + c] = a.values[(row - 1) * 3 + c] end
      end
      arrays.check(t[long {7, 2, -6, 1}], {4, 3}, want, dtype, a)
    end
  end)

  it("gathers across many blocks", function()
    local n = 5000
    local big = locus.arange(1, 2 * n + 1):view(n, 2)
    local y = big[locus.arange(n, 0, -1):long()]
    assert.same({2 * n - 1, 2 * n, 1, 2}, {y[{1, 1}], y[{1, 2}], y[{n, 1}], y[{n, 2}]})
    for i = 1, n do
      if y[{i, 2}] ~= 2 * (n - i + 1) then error("row " .. i) end
    end
  end)

  it("checks every index before it reads", function()
    local outside = "index: index %s is outside 1..3, the positions of dimension 1"
    assert.equal(outside:format("7 at [2]"), message(function() return x[long {1, 7, 9}] end))
    assert.equal(outside:format("0 at [3]"), message(function() return x[long {1, 2, 0, 9}] end))
    assert.equal(outside:format("-4 at [1,2]"),
                 message(function() return x[long({1, -4}, {1, 2})] end))
    assert.equal(outside:format("4"),
                 message(function() return x[locus.tensor(4, {dtype = "int32"})] end))
    assert.equal("index: index 5 at [1] is outside 1..4, the positions of dimension 2",
                 message(function() return x[{2, long {5}}] end))
    assert.equal("index: index 1 at [1] is no position of dimension 1, whose size is 0",
                 message(function() return locus.zeros(0, 3)[long {1}] end))
    local most = support.tensor("int64", {support.range.int64[1]})
    assert.equal(outside:format("-9223372036854775808 at [1]"),
                 message(function() return x[most] end))
  end)

  it("is taken as int64 or int32 alone", function()
    local error_of = "index: the tensor%s must be int64 or int32, or a bool mask, got %s; write "
    for _, dtype in ipairs(support.dtypes) do
      local t = locus.ones({2}, {dtype = dtype})
      if dtype == "uint8" then
        assert.equal(error_of:format("", dtype) .. ":long(), or :ne(0) for a mask",
                     message(function() return x[t] end))
      elseif dtype ~= "int64" and dtype ~= "int32" and dtype ~= "bool" then
        assert.equal(error_of:format(" at [2]", dtype) .. ":long()",
                     message(function() return x[{1, t}] end))
      end
    end
    assert.equal("index: index tensors of size 2 and 3 do not broadcast together",
                 message(function() return x[{long {1, 2}, long {1, 2, 3}}] end))
  end)

  it("keeps to 32 dimensions", function()
    local shape = {}
    for d = 1, 32 do shape[d] = 1 end
    local deep = locus.ones(shape)
    assert.equal(1, deep[shape])
    assert.equal(32, deep[long {1}]:dim())
    assert.equal("index: the result has more than 32 dimensions",
                 message(function() return deep[long({1}, {1, 1})] end))
    assert.equal("index: the result has more than 32 dimensions",
                 message(function() return deep[locus.tensor(true)] end))
    shape[33] = 1
    assert.equal("index: a tensor has at most 32 dimensions, got 33",
                 message(function() return deep[shape] end))
  end)
end)

describe("t[mask]", function()
  local x = locus.arange(1, 7):view(2, 3)

  it("selects in C order, in any layout", function()
    for _, layout in ipairs(support.layouts) do
      local mask = support.laid(x:gt(2), layout)
      assert.same({3, 4, 5, 6}, support.laid(x, layout)[mask]:totable())
    end
    assert.equal("0", tostring(x[x:gt(9)]:size()))
  end)

  it("stands for the dimensions it has", function()
    local rows, columns = locus.tensor {false, true}, locus.tensor {true, false, true}
    assert.same({{4, 5, 6}}, x[rows]:totable())
    assert.same({{1, 3}, {4, 6}}, x[{{}, columns}]:totable())
    assert.same({4, 6}, x[{2, columns}]:totable())
    assert.same({4, 6}, x[{rows, columns}]:totable())
    local y = locus.arange(1, 25):view(2, 3, 4)
    assert.same({{5, 6, 7, 8}, {21, 22, 23, 24}}, y[x:remainder(4):eq(2)]:totable())
    assert.same({2, 3}, y[{1, 1, locus.tensor {false, true, true, false}}]:totable())
  end)

  it("adds a dimension when it has none", function()
    assert.equal("1x2x3", tostring(x[locus.tensor(true)]:size()))
    assert.equal("0x2x3", tostring(x[locus.tensor(false)]:size()))
    assert.same({7}, locus.tensor(7)[locus.tensor(true)]:totable())
  end)

  it("must match the sizes it stands for", function()
    assert.equal("index: a mask of size 3 does not match the size 2 it stands for",
                 message(function() return x[locus.tensor {true, false, true}] end))
    assert.equal("index: a mask of size 3x2 does not match the size 2x3 it stands for",
                 message(function() return x[locus.ones({3, 2}, {dtype = "bool"})] end))
    assert.equal("index: 3 dimensions are indexed in a tensor of size 2x3; ranges are written "
                 .. "t[{ {1, 3} }]",
                 message(function() return x[{1, locus.ones({3, 2}, {dtype = "bool"})}] end))
  end)

  it("is no Lua boolean", function()
    assert.equal("index: the index is the Lua boolean false; == compares identity, write x:eq(3)",
                 message(function() return x[x == 3] end))
    assert.equal("index: the index at [2] is the Lua boolean true; == compares identity, write "
                 .. "x:eq(3)", message(function() return x[{1, true}] end))
  end)
end)

describe("a key that means nothing", function()
  local x = locus.arange(1, 7):view(2, 3)
  local wanted = "index: the index%s must be a whole number, a range, an index tensor or a mask, "
  local cases = {
    {"index: 3 is outside 1..2, the positions of dimension 1", function() return x[3] end},
    {"index: 0 is outside 1..2, the positions of dimension 1", function() return x[0] end},
    {"index: -3 is outside 1..2, the positions of dimension 1", function() return x[-3] end},
    {"index: 4 is outside 1..3, the positions of dimension 2", function() return x[{1, 4}] end},
    {"index: 0 is outside 1..3, the positions of dimension 2", function() return x[{{}, 0}] end},
    {"index: 1 is no position of dimension 1, whose size is 0",
     function() return locus.zeros(0)[1] end},
    {wanted:format("") .. "got the number 1.5", function() return x[1.5] end},
    {wanted:format("") .. "got the number 1.5", function() return x:eq(1)[1][1.5] end},
    {wanted:format("") .. "got the number nan", function() return x[locus.nan] end},
    {wanted:format("") .. "got the number inf", function() return x[locus.inf] end},
    {wanted:format(" at [1]") .. "got the number 1.5", function() return x[{1.5, 1}] end},
    {wanted:format("") .. "got nil", function() return x[nil] end},
    {wanted:format("") .. "got a function", function() return x[print] end},
    {wanted:format(" at [2]") .. 'got the string "1"', function() return x[{1, "1"}] end},
    {wanted:format("") .. "got the cdata 1+2i", function() return x[support.complex(1, 2)] end},
    {"index: the table must have the keys 1..n and no others", function() return x[{nil, 2}] end},
    {"index: the table must have the keys 1..n and no others",
     function() return x[{1, base = 0}] end},
    {"index: the table at [1] must have the keys 1..n and no others",
     function() return x[{{first = 1}}] end},
    {"index: the range at [2] must be {first, last, step}, got 4 numbers",
     function() return x[{1, {1, 2, 1, 1}}] end},
    {"index: the range at [1] must hold whole numbers, got the number 1.5",
     function() return x[{{1.5}}] end},
    {"index: the range at [1] must hold whole numbers, got a table",
     function() return x[{{{1}}}] end},
    {"index: 3 dimensions are indexed in a tensor of size 2x3; ranges are written t[{ {1, 3} }]",
     function() return x[{1, 2, 3}] end},
    {"index: 4 dimensions are indexed in a tensor of size 1x2x3; ranges are written t[{ {1, 3} }]",
     function() return x:unsqueeze(1)[{1, 2, 3, 1}] end},
    {"index: 1 dimension is indexed in a tensor of size 0-d", function()
      return locus.tensor(5)[1]
    end},
  }
  for i, case in ipairs(cases) do
    it("raises, case " .. i, function() assert.equal(case[1], message(case[2])) end)
  end

  it("raises at the caller's line", function()
    local line = debug.getinfo(1, "l").currentline
    local function outer() local v = x[{5, 5}]; return v end
    local ok, text = pcall(outer)
    assert.is_false(ok)
    assert.equal("spec/index/index_spec.lua:" .. line + 1, text:match("^[^:]+:%d+"))
  end)
end)

describe("a 0-d tensor", function()
  it("has only all of it to index", function()
    local x = locus.tensor(5)
    assert.same({0, 5}, {x[{}]:dim(), x[{}]:item()})
  end)
end)

describe("# and iter", function()
  it("go along the first dimension", function()
    assert.same({3, 0, 2}, {#locus.zeros(3), #locus.zeros(0, 4), #locus.zeros(2, 5)})
    local seen = {}
    for i, v in locus.tensor({7, 8, 9}, {dtype = "int8"}):iter() do seen[i] = v end
    assert.same({7, 8, 9}, seen)
    seen = {}
    for i, row in locus.tensor({{1, 2}, {3, 4}}):iter() do seen[i] = row:totable() end
    assert.same({{1, 2}, {3, 4}}, seen)
    for _ in locus.zeros(0):iter() do error("nothing is there") end
  end)

  it("raise for a 0-d tensor", function()
    local x = locus.tensor(5)
    assert.equal("#: a 0-d tensor has no size", message(function() return #x end))
    assert.equal("iter: 'input' must have dimensions, got a 0-d tensor",
                 message(function() return x:iter() end))
  end)

  it("give an iterator for loops alone", function()
    local step = locus.zeros(2):iter()
    assert.equal("iter: is for loops; write for i, v in x:iter() do", message(step))
  end)
end)
