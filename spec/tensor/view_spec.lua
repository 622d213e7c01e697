-- SPDX-License-Identifier: MIT
-- select narrow slice t transpose permute expand unsqueeze squeeze unfold: what they mean, that
-- they share elements, and what they refuse.
local locus = require "locus"
local support = require "spec.support"
local views = require "spec.support.data.views"

local message = support.message
local size, shares = views.size, views.shares
local counted, in_all_forms = views.counted, views.in_all_forms

describe("select", function()
  it("drops a dimension, also the last one", function()
    local x = counted(2, 3)
    in_all_forms("select", x, {"dim", "index"}, {2, -1}, function(v)
      assert.same({3, 6}, v:totable())
    end)
    assert.same({4, 5, 6}, x:select(-2, 2):totable())
    local e = x:select(1, 2):select(1, 3)
    assert.same({0, 6}, {e:dim(), e:item()})
    e:fill_(60)
    assert.equal(60, x[{2, 3}])
    assert.same({2, 4}, locus.select({{1, 2}, {3, 4}}, 2, 2):totable())
  end)

  it("refuses", function()
    local x = counted(2, 3)
    local cases = {
      {"select: 'index' 4 is outside 1..3, the positions of dimension 2", 2, 4},
      {"select: 'index' 0 is outside 1..2, the positions of dimension 1", 1, 0},
      {"select: 'index' -3 is outside 1..2, the positions of dimension 1", 1, -3},
      {"select: 'dim' must be in 1..2 or -2..-1, got 3", 3, 1},
      {"select: 'dim' must be in 1..2 or -2..-1, got 0", 0, 1},
      {"select: 'index' must be a whole number, got the number 1.5", 1, 1.5},
      {"select: 'index' is missing", 1},
    }
    for _, case in ipairs(cases) do
      assert.equal(case[1], message(x.select, x, case[2], case[3]))
    end
    assert.equal("select: 'input' must have dimensions, got a 0-d tensor",
                 message(x.select, locus.tensor(1), 1, 1))
    assert.equal("select: 'index' 1 is no position of dimension 2, whose size is 0",
                 message(x.select, locus.zeros(2, 0), 2, 1))
  end)
end)

describe("narrow and slice", function()
  local x = counted(5)

  it("cut a part out of a dimension", function()
    in_all_forms("narrow", x, {"dim", "start", "length"}, {1, 2, 3}, function(v)
      assert.same({2, 3, 4}, v:totable())
    end)
    in_all_forms("slice", x, {"dim", "first", "last", "step"}, {1, 1, 5, 2}, function(v)
      assert.same({1, 3, 5}, v:totable())
    end)
    assert.same({4, 5}, x:narrow(1, -2, 2):totable())
    assert.same({2, 3, 4}, x:slice(1, 2, -2):totable())
    assert.same({{2}, {4}}, counted(2, 2):narrow(2, 2, 1):totable())
    x:narrow(1, 2, 1):fill_(2)
    assert.is_true(shares(x:narrow(1, 1, 2), x))
    assert.same({"0", "0", "0"}, {size(x:narrow(1, 6, 0)), size(x:narrow(1, 1, 0)),
                                  size(x:slice(1, 6, 5))})
    assert.equal("2x0", size(counted(2, 2):narrow(2, 3, 0)))
    assert.equal(1, x:slice(1, 2, 3, 1e15):numel())
  end)

  it("refuse what goes outside", function()
    for _, case in ipairs {
      {"narrow: 'start' must be in 1..6 or -5..-1, got 7", 7, 0},
      {"narrow: 'start' must be in 1..6 or -5..-1, got 0", 0, 1},
      {"narrow: 'start' must be in 1..6 or -5..-1, got -6", -6, 1},
      {"narrow: 'length' must be in 0..1 from 'start' 5 on, got 2", 5, 2},
      {"narrow: 'length' must be in 0..2 from 'start' -2 on, got 3", -2, 3},
      {"narrow: 'length' must be in 0..5 from 'start' 1 on, got -1", 1, -1},
      {"narrow: 'length' must be in 0..4 from 'start' 2 on, got 9007199254740992", 2, 2 ^ 53},
    } do
      assert.equal(case[1], message(x.narrow, x, 1, case[2], case[3]))
    end
    assert.equal("slice: the range {2, 6} goes outside 1..5, the positions of dimension 1",
                 message(x.slice, x, 1, 2, 6))
    assert.equal("slice: the range {4, 2} of dimension 1 ends before it starts",
                 message(x.slice, x, 1, 4, 2))
    assert.same({0, 0, 0, 0}, {
      locus.zeros(0):slice(1, 1, -1):numel(), locus.zeros(0):slice(1, 0, -1, {base = 0}):numel(),
      locus.zeros(0):slice(1, 2, -1, 3):numel(), locus.zeros(3, 1):slice(2, 1, -2):numel(),
    })
    assert.equal("slice: the range {3, -1} goes outside 1..1, the positions of dimension 1",
                 message(locus.slice, {1}, 1, 3, -1))
    assert.equal("slice: the step of a range must be positive, got 0",
                 message(x.slice, x, 1, 1, 2, 0))
    assert.equal("narrow: 'input' must have dimensions, got a 0-d tensor",
                 message(x.narrow, locus.tensor(1), 1, 1, 1))
  end)
end)

describe("t, transpose and permute", function()
  local x = counted(2, 3, 4)

  it("reorder dimensions", function()
    assert.same({{1, 4}, {2, 5}, {3, 6}}, counted(2, 3):t():totable())
    assert.same({1, 2}, locus.t({1, 2}):totable())
    assert.equal(5, locus.tensor(5):t():item())
    in_all_forms("transpose", x, {"dim0", "dim1"}, {1, -1}, function(v)
      assert.same({4, 3, 2}, {unpack(v:size())})
      assert.equal(x[{2, 3, 1}], v[{1, 3, 2}])
    end)
    for _, v in ipairs {x:permute(3, 1, 2), x:permute({3, 1, 2}), x:permute(-1, 1, 2),
                        locus.permute(x, {3, 1, 2}), x:permute {dims = {3, 1, 2}}} do
      assert.equal("4x2x3", size(v))
      assert.equal(x[{2, 1, 4}], v[{4, 2, 1}])
      assert.is_true(shares(v, x))
    end
    assert.equal(0, locus.tensor(5):permute({}):dim())
    assert.equal(3, locus.zeros(3):permute {dims = 1}:numel())
    assert.equal("0x2", size(locus.zeros(2, 0):t()))
  end)

  it("refuse", function()
    assert.equal("t: 'input' must have at most 2 dimensions, got size 2x3x4; write "
                 .. "transpose(dim0, dim1)", message(x.t, x))
    assert.equal("transpose: 'dim1' must be in 1..3 or -3..-1, got 4",
                 message(x.transpose, x, 1, 4))
    assert.equal("permute: 'dims' must name all 3 dimensions of 'input', got 2",
                 message(x.permute, x, 1, 2))
    assert.equal("permute: 'dims' names a dimension twice", message(x.permute, x, 1, 2, -3))
    assert.equal("permute: 'dims' must be in 1..3 or -3..-1, got 4",
                 message(x.permute, x, 1, 2, 4))
  end)
end)

describe("expand", function()
  local x = locus.tensor {{1}, {2}}

  it("repeats what has size 1, without new bytes", function()
    in_all_forms("expand", x, {"sizes"}, {{2, 3}}, function(v)
      assert.same({{1, 1, 1}, {2, 2, 2}}, v:totable())
      assert.is_true(shares(v, x))
    end)
    assert.same({{1, 1}, {2, 2}}, x:expand(-1, 2):totable())
    assert.equal("4x2x3", size(x:expand(4, 2, 3)))
    assert.equal("4x2x1", size(x:expand(4, -1, -1)))
    assert.equal("2x0", size(x:expand(2, 0)))
    assert.same({7, 7}, locus.tensor(7):expand(2):totable())
    assert.equal(0, locus.tensor(7):expand({}):dim())
    assert.same({{1, 1}, {2, 2}}, x:expand_as({{0, 0}, {0, 0}}):totable())
    assert.equal("0x2x3", size(x:expand(0, 2, 3)))
  end)

  it("refuses", function()
    for _, case in ipairs {{"3x1", {3, 1}}, {"2", {2}}, {"-1x2x1", {-1, 2, 1}}, {"0-d", {}}} do
      assert.equal(("expand: 'sizes' %s is no expansion of size 2x1"):format(case[1]),
                   message(x.expand, x, case[2]))
    end
    assert.equal("expand: 'sizes' must not hold negative sizes, got -2",
                 message(x.expand, x, 2, -2))
    assert.equal("expand: a float64 tensor of size 4194304x1099511627776x2x1 has more bytes than "
                 .. "2^62", message(x.expand, x, 2 ^ 22, 2 ^ 40, 2, 1))
    local deep = {}
    for d = 1, 33 do deep[d] = 1 end
    assert.equal("expand: 'sizes' has more than 32 dimensions", message(x.expand, x, deep))
    assert.equal("expand_as: 'sizes' 3 is no expansion of size 2x1",
                 message(x.expand_as, x, {1, 2, 3}))
  end)
end)

describe("unsqueeze and squeeze", function()
  it("add and drop dimensions of size 1", function()
    local x = counted(2, 3)
    for dim, want in pairs {[1] = "1x2x3", [2] = "2x1x3", [3] = "2x3x1", [-1] = "2x3x1",
                            [-3] = "1x2x3"} do
      in_all_forms("unsqueeze", x, {"dim"}, {dim}, function(v)
        assert.equal(want, size(v))
        assert.is_true(shares(v, x) and v:is_contiguous())
      end)
    end
    assert.equal("1", size(locus.tensor(5):unsqueeze(1)))
    local y = locus.zeros(1, 2, 1, 0, 1)
    assert.equal("2x0", size(y:squeeze()))
    assert.equal("2x1x0x1", size(y:squeeze(1)))
    assert.equal("1x2x1x0x1", size(y:squeeze(2)))
    assert.equal("1x2x0", size(y:squeeze({3, -1})))
    in_all_forms("squeeze", y, {"dim"}, {-1}, function(v) assert.equal("1x2x1x0", size(v)) end)
    assert.equal(0, locus.ones(1, 1):squeeze():dim())
    assert.equal(0, locus.tensor(5):squeeze(1):dim())
  end)

  it("squeeze no dimension where none is named", function()
    local x = locus.zeros(1, 2, 1)
    assert.same({"1x2x1", "1x2x1"}, {size(x:squeeze({})), size(x:squeeze{dim = {}})})
    assert.equal("1x2x1", size(locus.squeeze(x, {})))
    assert.equal("1x2x1", size(locus.squeeze{x, dim = {}}))
    assert.is_true(shares(x:squeeze({}), x))
    assert.equal(0, locus.tensor(5):squeeze({}):dim())
    assert.equal("0", size(locus.squeeze({})))
  end)

  it("refuse", function()
    local x = counted(2, 3)
    assert.equal("unsqueeze: 'dim' must be in 1..3 or -3..-1, got 4", message(x.unsqueeze, x, 4))
    assert.equal("squeeze: 'dim' must be in 1..2 or -2..-1, got 3", message(x.squeeze, x, 3))
    local deep = {}
    for d = 1, 32 do deep[d] = 1 end
    local most = locus.ones(deep)
    assert.equal("unsqueeze: the result has more than 32 dimensions",
                 message(most.unsqueeze, most, 1))
    assert.equal("unfold: the result has more than 32 dimensions",
                 message(most.unfold, most, 1, 1, 1))
  end)
end)

describe("unfold", function()
  it("lists windows along a dimension", function()
    local x = counted(7)
    in_all_forms("unfold", x, {"dimension", "size", "step"}, {1, 3, 2}, function(v)
      assert.same({{1, 2, 3}, {3, 4, 5}, {5, 6, 7}}, v:totable())
    end)
    assert.same({{1, 2, 3, 4, 5, 6, 7}}, x:unfold(1, 7, 9):totable())
    assert.equal("8x0", size(x:unfold(1, 0, 1)))
    assert.same({{{1, 3}, {2, 4}}, {{3, 5}, {4, 6}}}, counted(3, 2):unfold(1, 2, 1):totable())
    assert.same({5}, locus.tensor(5):unfold(1, 1, 1):totable())
  end)

  it("refuses", function()
    local x = counted(7)
    assert.equal("unfold: 'size' must be in 0..7, the size of dimension 1, got 8",
                 message(x.unfold, x, 1, 8, 1))
    assert.equal("unfold: 'size' must be in 0..7, the size of dimension 1, got -1",
                 message(x.unfold, x, 1, -1, 1))
    assert.equal("unfold: 'step' must be positive, got 0", message(x.unfold, x, 1, 2, 0))
    assert.equal("unfold: 'dimension' must be in 1..1 or -1..-1, got 2",
                 message(x.unfold, x, 2, 1, 1))
  end)
end)

describe("views of every kind", function()
  it("keep storage alive and see each other's writes", function()
    local x = counted(4, 6)
    local v = x:t():narrow(1, 2, 4):unsqueeze(1):squeeze():transpose(1, 2)[{{}, {1, 4, 3}}]
    x = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.same({{2, 5}, {8, 11}, {14, 17}, {20, 23}}, v:totable())
    local same = v:view(4, 2)
    same:fill_(1)
    assert.equal(1, v[{4, 2}])
    local large = locus.zeros(1000, 10)
    local live = locus.live_bytes()
    assert.same({10000}, large:view(-1):size())
    assert.is_true(locus.live_bytes() - live < 8000)
  end)

  it("refuse a tensor that was freed", function()
    local x = counted(2, 3)
    debug.getmetatable(x).__gc(x)
    assert.equal("t: 'input' has been freed", message(locus.t, x))
    assert.equal("view: 'input' has been freed", message(function() x:view(6) end))
  end)
end)
