-- SPDX-License-Identifier: MIT
-- Methods of frames: the choice of columns, rows one by one, and cat.
local locus = require "locus"
local support = require "spec.support"
local made = require "spec.support.data.trades"

local message, same = support.message, support.same
local refused, trades = made.refused, made.new

describe("the columns of a frame", function()
  it("are replaced and added by with", function()
    local f = trades()
    local g = f:with("size", {1, 2, 3, 4}):with("price", {"a", "b", "c", "d"})
    assert.same({"time", "price", "sym", "size"}, g:columns())
    assert.equal("d", g[4].price)
    assert.same({"time", "price", "sym"}, f:columns())
    assert.is_true(rawequal(f.time, g.time))
    assert.equal(1, #locus.frame {}:with("x", {1}))
    assert.equal(2, #locus.frame {{"x", {1}}}:with("x", {1, 2})) -- the only one
    assert.equal("with: the columns 'time' and 'x' must have the same length, got 4 and 1 rows",
      refused(f, "with", "x", {1}))
    assert.equal("with: the columns 'price' and 'time' must have the same length, got 4 and 1 rows",
      refused(f, "with", "time", {1}))
    assert.equal("with: 'column' is missing", refused(f, "with", "x"))
    assert.equal("with: the name of a column must be a string that is not empty, got the number 5",
      refused(f, "with", 5, {1}))
  end)

  it("are chosen by select and drop", function()
    local f = trades()
    assert.same({"sym", "time"}, f:select("sym", "time"):columns())
    assert.same({"sym", "time"}, f:select({"sym", "time"}):columns())
    assert.same({"price"}, f:drop("sym", "time"):columns())
    assert.same({"time", "price"}, f:drop({"sym"}):columns())
    assert.same({}, f:select({}):columns())
    assert.same({"time", "price", "sym"}, f:drop({}):columns())
    assert.equal("select: the frame has no column 'tim'; did you mean 'time'?",
      refused(f, "select", "tim"))
    assert.equal("drop: the frame has no column 'tim'; did you mean 'time'?",
      refused(f, "drop", "tim"))
    assert.equal("select: 'sym' is named twice", refused(f, "select", "sym", "sym"))
    assert.equal("select: 'names[2]' must be a name, got the number 5",
      refused(f, "select", "sym", 5))
    assert.equal("select: 'names' must hold names, got nil", refused(f, "select", "sym", nil))
    assert.equal("select: 'names' must be a name or a list of names, got the number 5",
      message(f.select, {f, names = 5}))
    assert.equal("select: 'names' is missing", refused(f, "select"))
  end)

  it("are renamed", function()
    local f = trades()
    assert.same({"t", "price", "sym"}, f:rename("time", "t"):columns())
    assert.same({"price", "time", "sym"}, f:rename {time = "price", price = "time"}:columns())
    assert.equal(5, f:rename {time = "price", price = "time"}.price[1])
    assert.equal(5, f:rename {time = "frame"}[1].frame)
    assert.same({"time", "price", "sym"}, f:rename {}:columns())
    assert.equal("rename: the frame has no column 'tme'; did you mean 'time'?",
      refused(f, "rename", {tme = "t"}))
    assert.equal("rename: two columns would be named 'sym'", refused(f, "rename", "time", "sym"))
    assert.equal("rename: 'new' is missing", refused(f, "rename", "time"))
    assert.equal("rename: the new name of 'time' must be a string that is not empty, got an empty "
      .. "one", refused(f, "rename", "time", ""))
    assert.equal("rename: the new name of 'time' must be a string that is not empty, got the number"
      .. " 5", refused(f, "rename", {time = 5}))
    assert.equal("rename: 'names' must have names for keys, got the number 1",
      refused(f, "rename", {"time"}))
    assert.equal("rename: 'names' must be a table {old = \"new\"} or a name, got the number 5",
      refused(f, "rename", 5))
    assert.matches("^rename: 'frame' must be a frame, got nil; write f:rename%(...%)",
      (message(f.rename, nil, {}):gsub("'frame' is missing", "'frame' must be a frame, got nil")))
  end)

  it("come as lists, and to a device", function()
    local f = trades()
    local lists = f:select("time", "sym"):totable()
    assert.same({time = {5, 6, 7, 8}, sym = {"IBM", "AAPL", "IBM", ""}}, lists)
    local g = f:to("cpu")
    assert.same({"cpu", "cpu"}, {g.time.device, g.sym.ids.device})
    assert.truthy(refused(f, "to", "int64"):find("^to: 'device' must be"))
  end)

  it("have heads and tails", function()
    local f = locus.frame {{"n", locus.arange(1, 9)}}
    assert.same({1, 2, 3, 4, 5}, f:head().n:totable())
    assert.same({4, 5, 6, 7, 8}, f:tail().n:totable())
    assert.same({1, 2}, f:head(2).n:totable())
    assert.same({7, 8}, f:tail(2).n:totable())
    assert.same({8, 8, 0, 0}, {#f:head(99), #f:tail(99), #f:head(0), #f:tail(0)})
    assert.equal("head: 'n' must be 0 or more, got the number -1", refused(f, "head", -1))
    assert.truthy(refused(f, "tail", 1.5):find("^tail: 'n' must be"))
  end)
end)

describe("columns", function()
  it("names them all, however many there are", function()
    local list = {}
    for i = 1, 9000 do list[i] = {"c" .. i, {i}} end
    local names = locus.frame(list):columns()
    assert.equal(9000, #names)
    assert.equal("c9000", names[9000])
  end)
end)

describe("iter", function()
  it("gives every row, however many blocks it takes", function()
    local n = 9000
    local f = locus.frame {
      {"n", locus.arange(1, n + 1)},
      {"s", locus.strings {"a", "b"}[locus.arange(n):long() % 2 + 1]},
    }
    local count, wrong = 0, 0
    for i, row in f:iter() do
      count = count + 1
      if i ~= count or row.n ~= i or row.s ~= (i % 2 == 1 and "a" or "b") then wrong = wrong + 1 end
    end
    assert.same({n, 0}, {count, wrong})
  end)

  it("gives rows of their own, and none of an empty frame", function()
    local rows = {}
    for i, row in trades():iter() do rows[i] = row end
    assert.equal("AAPL", rows[2].sym)
    assert.equal(5, rows[1].time)
    for _ in locus.frame {}:iter() do error("a row") end
    for _ in trades():head(0):iter() do error("a row") end
  end)
end)

-- A write into a row would be lost, since it is a copy.
describe("a row", function()
  local function each_row(f, check)
    for i = 1, #f do check(f[i]) end
    for _, row in f:iter() do check(row) end
  end

  it("refuses what is written into it", function()
    local f = trades():head(2)
    each_row(f, function(row)
      local before = row.price
      assert.equal('a row is a copy and read-only; write f:column("price")[i] = value, f = '
        .. 'f:with("price", column), or row() for a table to change', message(function()
          row.price = 5
        end))
      assert.equal(before, row.price)
      assert.equal('a row is a copy and read-only; write f = f:with("sym", column), or row() for a '
        .. 'table to change', message(function() row.sym = "q" end))
      assert.truthy(message(function() row.edge = 1 end):find('f:with("edge", column)', 1, true))
      assert.equal("a row is a copy and read-only, and has no 'pricee'; did you mean 'price'?",
        message(function() row.pricee = 1 end))
      assert.truthy(message(function() row[1] = 1 end):find("read-only", 1, true))
      assert.truthy(message(function() row.sym = nil end):find("read-only", 1, true))
    end)
    assert.truthy(message(function() f[-1].price = 5 end):find("read-only", 1, true))
    assert.equal(1.5, f.price[1])
  end)

  it("gives a table of its own, to change, to walk through, to hand on", function()
    local f = trades():head(2)
    each_row(f, function(row)
      local own, count = row(), 0
      for name, value in pairs(own) do
        count = count + 1
        assert.equal(row[name], value)
      end
      assert.equal(3, count)
      own.price = 7
      assert.are_not.equal(7, row.price)
      local walk, t = getmetatable(row).__pairs(row) -- of Lua 5.2, which some LuaJITs ask
      assert.equal(next, walk)
      assert.same(row(), t)
    end)
    local b = locus.builder {{"time", "int64"}, {"price", "float64"}, {"sym", "string"}}
    for _, row in f:iter() do b:push(row) end
    assert.same(f.sym:totable(), b:frame().sym:totable())
    b = locus.builder {{"time", "int64"}, {"sym", "string"}}
    assert.equal("push: there is no column 'price'", message(function() b:push(f[1]) end))
    assert.equal(0, #b)
  end)

  it("shows its values in the order of the columns", function()
    assert.equal('{time = 5, price = 1.5, sym = "IBM"}', tostring(trades()[1]))
    local f = locus.frame {{"a b", {1 / 3}}, {"n", {1e300}}, {"m", {true}}, {"s", {"x\n\27"}},
      {"z", {locus.nan}}}
    assert.equal('{["a b"] = 0.3333333333333333, n = 1e+300, m = true, s = "x\\n\\x1b", z = nan}',
      tostring(f[1]))
  end)
end)

describe("cat", function()
  it("puts frames below each other, whatever names their strings have", function()
    local f = trades()
    local g = locus.frame {{"time", {1}}, {"price", {9}}, {"sym", {"MSFT"}}}
    g = g:with("time", g.time:long()):select("time", "price", "sym")
    local h = locus.cat {f, g, f}
    assert.same({9, "MSFT", "IBM", 9}, {#h, h[5].sym, h[6].sym, h[5].price})
    same(h.time, {9}, {5, 6, 7, 8, 1, 5, 6, 7, 8}, "int64")
    assert.equal(4, #locus.cat({f}, 1))
    assert.same({}, locus.cat {locus.frame {}, locus.frame {}}:columns())
    local strings = locus.cat {f.sym, locus.strings {"x"}, f.sym}
    assert.same({9, "x"}, {#strings, strings[5]})
  end)

  it("names the first difference", function()
    local f = trades()
    local cat = locus.cat
    assert.equal("cat: column 3 of 'tensors[2]' must be 'sym', as in 'tensors[1]', got none",
      message(cat, {f, f:drop("sym")}))
    assert.equal("cat: column 4 of 'tensors[3]' must be none, as in 'tensors[1]', got 'x'",
      message(cat, {f, f, f:with("x", f.time)}))
    assert.equal("cat: column 1 of 'tensors[2]' must be 'time', as in 'tensors[1]', got 'sym'",
      message(cat, {f, f:select("sym", "price", "time")}))
    assert.equal("cat: the column 'price' of 'tensors[2]' must be float64, as in 'tensors[1]', got "
      .. "float32", message(cat, {f, f:with("price", f.price:float())}))
    assert.equal("cat: the column 'time' of 'tensors[2]' must be int64, as in 'tensors[1]', got "
      .. "time[ns]", message(cat, {f, f:with("time", f.time, {kind = {"time", unit = "ns"}})}))
    assert.equal("cat: 'tensors[2]' must be a frame, as 'tensors[1]' is, got a float64 tensor of "
      .. "size 4", message(cat, {f, f.price}))
    assert.equal("cat: 'tensors[2]' must be a string column, as 'tensors[1]' is, got a frame of 4 "
      .. "rows and 3 columns", message(cat, {f.sym, f}))
    assert.equal("cat: 'tensors[2]' must be a tensor, a table or a number, got a frame of 4 rows "
      .. "and 3 columns", message(cat, {f.price, f}))
    assert.equal("cat: 'dim' must be 1, got 2", message(cat, {f, f}, 2))
    assert.equal("cat: there is no argument 'out'; the arguments are 'tensors', 'dim', 'fill', "
      .. "'promote', 'missing'", message(cat, {f, f}, {out = f.time}))
  end)
end)
