-- SPDX-License-Identifier: MIT
-- Frames: what they are made of, their brackets, columns by name, frames on a device.
local has_ffi = pcall(require, "ffi")
local locus = require "locus"
local frames = require "locus.frame.frame"
local kind_forms = require("locus.frame.column").kind_forms
local support = require "spec.support"
local made = require "spec.support.data.trades"

local message, same = support.message, support.same
local refused, trades = made.refused, made.new

describe("locus.frame", function()
  it("keeps columns by name, in order", function()
    local time = locus.tensor {1, 2}
    local f = locus.frame {{"time", time}, {"sym", {"a", "b"}}, {"day", {19000, 19001}, "date"}}
    assert.same({"time", "sym", "day"}, f:columns())
    assert.equal(2, #f)
    assert.is_true(rawequal(time, f.time))
    assert.equal("b", f.sym[2])
    same(f.day, {2}, {19000, 19001}, "int64")
    assert.equal("frame", getmetatable(f))
    assert.is_true(frames.is(f))
    assert.is_false(frames.is(time))
    assert.is_nil(f.bad)
  end)

  it("takes every dtype, strided columns and lists", function()
    for _, dtype in ipairs(support.dtypes) do
      local x = locus.ones(3, 2, {dtype = dtype})
      local f = locus.frame {{"x", x[{{}, 1}]}, {"y", x:t()[2]}}
      assert.same({dtype, dtype, 3}, {f.x.dtype, f.y.dtype, #f})
      local word = dtype == "bool" and {"bool", "true", "false"} or dtype
      assert.same({x = word, y = word}, f:types())
    end
    local f = locus.frame {{"a", {}}, {"b", {}}}
    assert.same({0, "float64"}, {#f, f.a.dtype})
    f = locus.frame {{"a", {true, false}}, {"b", {"x", "y"}}}
    assert.same({"bool", "string"}, {f.a.dtype, f.b.dtype})
    assert.equal(support.device, locus.frame {{"a", {1}}}.a.device)
  end)

  it("may have no columns, and no rows", function()
    local f = locus.frame {}
    assert.same({0, {}, {}}, {#f, f:columns(), f:totable()})
    assert.equal("[frame of 0 rows, 0 columns]", tostring(f))
    assert.equal("index: the frame has no columns", message(function() return f[1] end))
    assert.equal("the frame has no column or method 'x'; it has no columns",
      message(function() return f.x end))
    f = trades()[{{1, 0}}]
    assert.same({0, {"time", "price", "sym"}}, {#f, f:columns()})
    assert.equal(0, #f:sort("sym"))
    assert.equal(0, #locus.cat {f, f})
    assert.equal(3, #f:describe())
  end)

  it("refuses what is no list of columns", function()
    local make = locus.frame
    assert.equal("frame: 'columns' is missing", message(make))
    assert.equal("frame: 'columns' must be a list of {name, column}, got the number 5",
      message(make, 5))
    assert.equal("frame: 'columns[2]' must be {name, column} or {name, column, kind}, got the "
      .. 'string "b"', message(make, {{"a", {1}}, "b"}))
    local name = "frame: the name of a column at [1] must be a string that is not empty, got "
    assert.equal(name .. "nil", message(make, {{}}))
    assert.equal(name .. "an empty one", message(make, {{"", {1}}}))
    assert.equal(name .. "the number 5", message(make, {{5, {1}}}))
    assert.truthy(message(make, {{"a", {1}}, nil, {"b", {1}}}):find("'columns[2]'", 1, true))
    assert.equal("frame: the column 'a' is there twice", message(make, {{"a", {1}}, {"a", {2}}}))
    assert.equal("frame: there is no argument 'a'; keys have no order: write "
      .. 'frame{{"a", column}}', message(make, {a = {1}}))
  end)

  it("refuses columns that are none, and those that do not fit", function()
    local function column(value, kind) return message(locus.frame, {{"a", value, kind}}) end
    assert.equal("frame: the column 'a' must be 1-D, got a 0-d float64 tensor",
      column(locus.tensor(5)))
    assert.equal("frame: the column 'a' must be 1-D, got a float64 tensor of size 2x2",
      column(locus.zeros(2, 2)))
    assert.equal("frame: the column 'a' must be 1-D, got a float64 tensor of size 1x2",
      column {{1, 2}})
    local must = "frame: the column 'a' must be a 1-D tensor, a string column or a list, got "
    assert.equal(must .. "nil", column(nil))
    assert.equal(must .. "a userdata", column(io.stdout))
    assert.equal(must .. "a frame of 4 rows and 3 columns", column(trades()))
    assert.equal("frame: the columns 'a' and 'b' must have the same length, got 1 and 2 rows",
      message(locus.frame, {{"a", {1}}, {"b", {"x", "y"}}}))
    assert.equal("frame: the column 'a' holds the string \"x\" at [2], which is no number",
      column {1, "x"})
    assert.equal("frame: 'a[2]' must be a string, got the number 1", column {"x", 1})
    assert.truthy(message(locus.frame, {{"50%1", {1, "x"}}}):find("the column '50%1'", 1, true))
  end)

  it("wants all columns on one device #cuda", function()
    local x = locus.tensor({1}, {device = "cuda"})
    assert.equal("frame: the columns 'a' and 'b' must be on the same device, got cuda:0 and cpu",
      message(locus.frame, {{"a", x}, {"b", locus.tensor({1}, {device = "cpu"})}}))
    assert.equal("cuda:0", locus.frame {{"l", {"x"}}, {"k", {1}}, {"a", x}}.k.device)
  end)
end)

describe("the kind of a column", function()
  it("says that integers are times, dates or addresses", function()
    local f = locus.frame {
      {"a", {1}, "time"}, {"b", {1}, {"time", unit = "ns"}}, {"c", {1}, "date"},
      {"d", {1}, "ipv4"}, {"e", {1}, {"time"}},
    }
    assert.same({a = "time", b = {"time", unit = "ns"}, c = "date", d = "ipv4", e = "time"},
      f:types())
    assert.equal('{a = "time", b = {"time", unit = "ns"}, c = "date", d = "ipv4", e = "time"}',
      tostring(f:types()))
    local odd = locus.frame {{"end", {1}}, {"a b", {1}}, {"_1", {1}}}
    assert.equal('{["end"] = "float64", ["a b"] = "float64", _1 = "float64"}',
      tostring(odd:types()))
    assert.equal("int64", f.a.dtype)
    local again = locus.cat {f[{{1, 1}}]:rename {a = "z"}, f:rename {a = "z"}}:drop("e")
    assert.same({z = "time", b = {"time", unit = "ns"}, c = "date", d = "ipv4"}, again:types())
  end)

  it("stays until a column is replaced", function()
    local f = locus.frame {{"a", {3, 1}, "date"}, {"b", {1, 2}}}
    for _, g in ipairs {f:sort("b"), f:head(1), f:select("a"), f:drop("b"), f:with("c", {1, 2}),
                        f[f.b:gt(1)], f:to(support.device)} do
      assert.equal("date", g:types().a)
    end
    assert.equal("date", f:with("a", f.a):types().a)
    assert.equal("int64", f:with("a", f.a:long()):types().a)
    assert.equal("time", f:with("a", f.a, {kind = "time"}):types().a)
  end)

  it("is one of those, and of int64", function()
    local function kind(given, column)
      return message(locus.frame, {{"a", column or {1}, given}})
    end
    local must = ("frame: the kind of 'a' must be %s, got "):format(kind_forms("ns"))
    assert.equal(must .. 'the string "int64"', kind("int64"))
    assert.equal(must .. "the number 5", kind(5))
    assert.equal(must .. "a table", kind {})
    assert.equal(must .. 'the string "date"', kind {"date", unit = "s"})
    assert.equal('frame: the unit of \'a\' must be "s", "ms", "us" or "ns", got the string "h"',
      kind {"time", unit = "h"})
    assert.equal("frame: the column 'a' is of kind date and must be int64, got a float64 tensor of "
      .. "size 1; write x:long()", kind("date", locus.tensor {1}))
    assert.equal("frame: the column 'a' is of kind time and must be int64, got a string column of "
      .. "size 1", kind("time", locus.strings {"x"}))
    assert.truthy(kind("time", {1.5}):find("which int64 cannot hold", 1, true))
  end)
end)

describe("f[...]", function()
  it("is a row by a number, negative from the end", function()
    local f = trades()
    assert.same({time = 6, price = 2.5, sym = "AAPL"}, f[2])
    assert.same({time = 8, price = 4.5, sym = ""}, f[-1])
    assert.same({time = 5, price = 1.5, sym = "IBM"}, f[{1}])
    assert.equal("index: 5 is outside 1..4, the positions of dimension 1",
      message(function() return f[5] end))
    assert.equal("index: 0 is outside 1..4, the positions of dimension 1",
      message(function() return f[0] end))
    assert.truthy(message(function() return f[1.5] end):find("must be a whole number", 1, true))
    assert.truthy(message(function() return f[nil] end):find("got nil", 1, true))
  end)

  it("is a frame by a mask, by positions and by a range", function()
    local f = trades()
    local g = f[f.time:gt(6)]
    assert.same({2, {"time", "price", "sym"}}, {#g, g:columns()})
    same(g.time, {2}, {7, 8}, "int64")
    assert.same({"IBM", ""}, g.sym:totable())
    assert.same({"", "IBM", "IBM"}, f[locus.tensor {4, 1, 1}:long()].sym:totable())
    assert.same({"AAPL", "IBM"}, f[locus.tensor {2, -2}:int()].sym:totable())
    assert.same({2.5}, f[{{2}}].price:totable())
    assert.same({1.5, 4.5}, f[{{1, 4, 3}}].price:totable())
    assert.same({"IBM", ""}, f[{{-2, -1}}].sym:totable())
    assert.equal(2, #f[{locus.tensor {1, 2}:long()}])
    assert.equal(0, #f[f.time:gt(99)])
    assert.equal(0, #f[locus.zeros(0):long()])
  end)

  it("shares the memory of columns in a range, and copies else", function()
    local f = trades()
    local g = f[{{2, 3}}]
    f.time[2] = 60
    assert.equal(60, g.time[1])
    local h = f[f.time:eq(60)]
    f.time[2] = 61
    assert.equal(60, h.time[1])
  end)

  it("keeps int64 exact", function()
    if not has_ffi then return end
    local big = support.integer("9007199254740993")
    local f = locus.frame {{"n", locus.full({3}, big, {dtype = "int64"})}, {"s", {"a", "b", "c"}}}
    assert.equal(big, f[1].n)
    assert.equal(big, f:totable().n[3])
    for _, row in f:iter() do assert.equal(big, row.n) end
    assert.equal(big, locus.cat {f, f}[6].n)
    assert.equal(big, f:sort("-n").n[1])
  end)

  it("says what is wrong with a key", function()
    local f = trades()
    local function key(k) return message(function() return f[k] end) end
    assert.equal("index: f[...] takes rows; write f:select(\"a\", \"b\") for columns",
      key {"price", "sym"})
    assert.equal("index: a frame has one dimension, got 2; ranges are written f[{ {1, 3} }]",
      key {1, 2})
    assert.equal("index: a frame has one dimension, got 0; ranges are written f[{ {1, 3} }]",
      key {})
    assert.equal("index: a mask of size 2 does not match the 4 rows of the frame",
      key(locus.tensor {true, false}))
    assert.equal("index: positions and masks of a frame must be 1-D, got an int64 tensor of size "
      .. "1x1", key(locus.ones(1, 1):long()))
    assert.equal("index: positions and masks of a frame must be 1-D, got a 0-d bool tensor",
      key(locus.tensor(true)))
    assert.equal("index: the tensor must be int64 or int32, or a bool mask, got float64; write "
      .. ":long()", key(f.price))
    assert.equal("index: index 5 at [1] is outside 1..4, the positions of dimension 1",
      key(locus.tensor {5}:long()))
    assert.truthy(key(true):find("the index is the Lua boolean true", 1, true))
    assert.truthy(key(f):find("got a frame of 4 rows and 3 columns", 1, true))
  end)
end)

describe("f.name", function()
  it("is a method before it is a column, which column() reaches", function()
    local f = locus.frame {{"sort", {1}}, {"bad", {2}}, {"a b", {3}}}
    assert.equal("function", type(f.sort))
    assert.same({1, 2, 2, 3}, {f:column("sort")[1], f:column("bad")[1], f.bad[1], f["a b"][1]})
    assert.same({sort = 1, bad = 2, ["a b"] = 3}, f[1])
    assert.equal(4, locus.frame {{"a\0b", {4}}}:column("a\0b")[1])
    assert.equal("column: 'name' must be a string, got the number 1",
      support.message(f.column, f, 1))
    local g = locus.frame {{"a", {1}}}
    frames.state(g).bad = f
    assert.equal(f, g.bad)
  end)

  it("raises where there is none, and names what is alike", function()
    local f = trades()
    local function get(name) return message(function() return f[name] end) end
    local none = "the frame has no column or method "
    assert.equal(none .. "'prise'; did you mean 'price'?", get "prise")
    assert.equal(none .. "'describ'; did you mean 'describe'?", get "describ")
    assert.equal(none .. "'quantity'; it has 'price', 'sym', 'time'", get "quantity")
    assert.equal(none .. "'sum'; write f.name:sum(...)", get "sum")
    assert.equal(none .. '\'sort_values\'; write f:sort{"a", "-b"}', get "sort_values")
    assert.equal("column: the frame has no column 'tme'; did you mean 'time'?",
      refused(f, "column", "tme"))
    local many = {}
    for i = 1, 20 do many[i] = {("%02d"):format(i), {1}} end
    assert.equal("column: the frame has no column 'quantity'; it has '01', '02', '03', '04', '05', "
      .. "'06', '07', '08' and 12 more", refused(locus.frame(many), "column", "quantity"))
    local eight = locus.frame({unpack(many, 1, 8)})
    assert.matches("'07', '08'$", refused(eight, "column", "quantity"))
  end)

  it("cannot be set, as rows cannot", function()
    local f = trades()
    assert.equal('a frame does not change; write f = f:with("x", column)',
      message(function() f.x = f.time end))
    assert.equal("a frame does not change; write f = f:with(name, column), or f.name[i] = value",
      message(function() f[1] = {} end))
    f.price[1] = 7 -- the tensor in it does
    assert.equal(7, f[1].price)
  end)

  it("answers wrong uses with a sentence", function()
    local f = trades()
    assert.truthy(message(function() return f(1) end):find("cannot be called", 1, true))
    assert.truthy(message(function() return f .. "x" end):find("locus.cat({f, g})", 1, true))
    local write = '; write f:head(...), or f:column("head") for a column of that name'
    assert.equal("head: 'frame' must be a frame, got the string \"x\"" .. write,
      message(f.head, "x"))
    assert.equal("head: 'frame' is missing" .. write, message(f.head))
  end)
end)

describe("a frame on a device #cuda", function()
  it("is indexed, sorted, described, joined and printed there", function()
    local f = trades():to("cuda")
    assert.same({"cuda:0", "cuda:0"}, {f.time.device, f.sym.ids.device})
    assert.same({time = 6, price = 2.5, sym = "AAPL"}, f[2])
    local g = f[f.time:gt(6)]:sort("sym")
    assert.same({"", "IBM"}, g.sym:totable())
    assert.equal("cuda:0", locus.cat {f, g}.sym.ids.device)
    assert.equal(3, f:describe().count[2])
    assert.truthy(tostring(f):find("[frame of 4 rows, 3 columns on cuda:0]", 1, true))
    assert.same({"IBM", "AAPL", "IBM", ""}, f:to("cpu").sym:totable())
    assert.equal("cuda:0", f:with("s", {"a", "b", "c", "d"}).s.ids.device)
    for i, row in f:iter() do assert.equal(4 + i, row.time) end
  end)
end)
