-- SPDX-License-Identifier: MIT
-- locus.cat of frames that differ: columns that one lacks, and dtypes.
local locus = require "locus"
local support = require "spec.support"
local made = require "spec.support.data.trades"

local message, nan = support.message, support.nan
local trades = made.new

local function refused(...)
  return (message(locus.cat, ...):gsub("^cat: ", ""))
end

local function int64(list) return locus.tensor(list, {dtype = "int64"}) end

describe("cat with fill", function()
  it("has what stands for nothing where a frame lacks a column", function()
    local f = trades():drop("time")
    local g = locus.frame {{"name", {"a", "b"}}, {"price", {9, 8}}, {"x", locus.zeros(2):float()}}
    for _, h in ipairs {locus.cat {f, g, {fill = true}}, locus.cat({f, g}, {fill = true}),
                        locus.cat {f, g, fill = true}, locus.cat {{f, g}, fill = true},
                        locus.cat {tensors = {f, g}, fill = true},
                        locus.cat({f, g}, 1, {fill = true})} do
      assert.same({"price", "sym", "name", "x"}, h:columns())
      support.same(h.price:cpu(), {6}, {1.5, 2.5, nan, 4.5, 9, 8})
      assert.same({"IBM", "AAPL", "IBM", "", "", ""}, h.sym:totable())
      assert.same({"", "", "", "", "a", "b"}, h.name:totable())
      support.same(h.x:cpu(), {6}, {nan, nan, nan, nan, 0, 0}, "float32")
    end
    assert.same({"price", "sym"}, f:columns())
  end)

  it("takes columns in any order, of any number of frames, without rows, too", function()
    local f = locus.frame {{"a", {1}}, {"b", {"x"}}}
    local g = locus.frame {{"b", {"y"}}, {"a", {2}}}
    local h = locus.cat {f, g, locus.frame {}, f:head(0), g:select("b"), {fill = true}}
    assert.same({"a", "b"}, h:columns())
    support.same(h.a:cpu(), {3}, {1, 2, nan})
    assert.same({"x", "y", "y"}, h.b:totable())
    h = locus.cat {locus.frame {}, f, {fill = true}}
    assert.same({1, "x"}, {h.a[1], h.b[1]})
    assert.equal(0, #locus.cat {locus.frame {}, {fill = true}})
    local without = locus.frame {{"n", int64 {}}} -- a column that is lacking where there is no row
    assert.same({"n", "a"}, locus.cat {without, locus.frame {{"a", locus.zeros(0)}},
      {fill = true}}:columns())
  end)

  it("has what missing says, and must be told where a type has no such value", function()
    local f = trades()
    local g = locus.frame {{"b", {true}}, {"d", int64 {1}, "date"}, {"sym", {"x"}}}
    local sentence = "'tensors[2]' has no column '%s', which is %s; write missing = {%s = value}"
    assert.equal(sentence:format("time", "int64", "time"), refused {f, g, {fill = true}})
    assert.equal("'tensors[1]' has no column 'b', which is bool; write missing = {b = value}",
      refused {g:select("sym"), g:select("sym", "b"), {fill = true}})
    assert.equal(sentence:format("d", "date", "d"),
      refused {g, f:select("sym"), {fill = true, missing = {b = false}}})
    local missing = {time = -1, b = false, d = 0, sym = "?", price = 0}
    for _, options in ipairs {{fill = true, missing = missing}, {fill = missing}} do
      local h = locus.cat {f, g, f:drop("sym"), options}
      assert.same({5, 6, 7, 8, -1, 5, 6, 7, 8}, h.time:totable())
      assert.same({false, false, false, false, true, false, false, false, false}, h.b:totable())
      assert.same({0, 0, 0, 0, 1, 0, 0, 0, 0}, h.d:totable())
      assert.same({"IBM", "AAPL", "IBM", "", "x", "?", "?", "?", "?"}, h.sym:totable())
      assert.equal(0, h.price[5])
      assert.equal("date", h:types().d)
    end
    local big = support.integer "9007199254740993"
    assert.equal(big, locus.cat {f, g:select("sym"), {fill = {time = big}}}.time[5])
  end)

  it("says what is wrong", function()
    local f, g = trades(), trades():drop("time")
    local function of(options) return refused({f, g}, options) end
    assert.equal("'missing' names a column 'tim', which no frame has; did you mean 'time'?",
      of {fill = true, missing = {tim = 1}})
    assert.equal("'missing.time' is 1.5, which int64 cannot hold", of {fill = {time = 1.5}})
    assert.equal("'missing.sym' must be a string, got the number 5",
      refused({f, f:drop("sym")}, {fill = {sym = 5}}))
    assert.equal("'missing' is for columns that 'fill' adds; write fill = true",
      of {missing = {time = 1}})
    assert.equal("'fill' must be true, false or a table of values by name, got an empty one",
      of {fill = {}})
    assert.equal("'missing' must be a table of values by name, got an empty one",
      of {fill = true, missing = {}})
    assert.equal("'fill' must be true, false or a table of values by name, got the number 0",
      of {fill = 0})
    assert.equal("there is no argument 'fil'; did you mean 'fill'?", refused {f, g, {fil = true}})
    assert.equal("'tensors[3]' must be a frame, as 'tensors[1]' is, got a table",
      refused {f, g, {}})
    assert.equal("'fill' and 'promote' are for frames", refused {f.sym, f.sym, {promote = true}})
    assert.equal("the column 'price' of 'tensors[2]' must be float64, as in 'tensors[1]', got "
      .. "string", refused {f, locus.frame {{"price", {"x"}}}, {fill = true, promote = true}})
    assert.equal("column 1 of 'tensors[2]' must be 'time', as in 'tensors[1]', got 'price'",
      refused {f, g, {promote = true}})
  end)
end)

describe("cat with promote", function()
  it("gives a column the dtype that its parts make", function()
    for _, a in ipairs(support.dtypes) do
      for _, b in ipairs(support.dtypes) do
        local x, y = locus.ones(2, {dtype = a}), locus.zeros(1, {dtype = b})
        local h = locus.cat {locus.frame {{"x", x}}, locus.frame {{"x", y}}, {promote = true}}
        assert.equal(locus.result_type(x, y), h.x.dtype, a .. " and " .. b)
        assert.is_true(h.x:eq(locus.cat {x, y}):all())
      end
    end
    local h = locus.cat {locus.frame {{"n", int64 {1, 2}}}, locus.frame {{"n", {0.5}}},
      locus.frame {}, {promote = true, fill = true}}
    assert.same({1, 2, 0.5}, h.n:totable())
    local f = locus.frame {{"a", int64 {1}}}
    local g = locus.frame {{"b", locus.zeros(1):float()}}
    h = locus.cat {f, g, locus.frame {{"a", {2.5}}, {"b", {1}}}, {fill = true, promote = true}}
    support.same(h.a:cpu(), {3}, {1, nan, 2.5}) -- there is NaN where a float is among them
    support.same(h.b:cpu(), {3}, {nan, 0, 1})
  end)

  it("rounds no whole number", function()
    local id = support.integer "9007199254740993"
    local f, g = locus.frame {{"id", int64 {1, id}}}, locus.frame {{"id", {nan}}}
    local sentence = "the column 'id' of 'tensors[%d]' is %s and has numbers that %s would round; "
      .. "give it one type in all of them"
    assert.equal(sentence:format(1, "int64", "float64"), refused {f, g, {promote = true}})
    assert.equal(sentence:format(2, "int64", "float64"), refused {g, f, {promote = true}})
    local small = locus.frame {{"id", locus.tensor({16777217}, {dtype = "int32"})}}
    assert.equal(sentence:format(1, "int32", "float32"),
      refused {small, locus.frame {{"id", locus.zeros(1):float()}}, {promote = true}})
    local z = locus.frame {{"id", locus.zeros(1, {dtype = "complex64"})}}
    assert.equal(sentence:format(1, "int32", "complex64"), refused {small, z, {promote = true}})
    local h = locus.cat {f:head(1), locus.frame {{"id", {2}}}, {promote = true}}
    assert.same({1, 2}, h.id:totable())
  end)

  it("leaves kinds and strings as they are", function()
    local f = locus.frame {{"t", int64 {1}, "time"}}
    assert.equal("time", locus.cat {f, f, {promote = true}}:types().t)
    assert.equal("the column 't' of 'tensors[2]' must be time, as in 'tensors[1]', got time[ns]",
      refused {f, locus.frame {{"t", int64 {1}, {"time", unit = "ns"}}}, {promote = true}})
    assert.equal("the column 't' of 'tensors[2]' must be time, as in 'tensors[1]', got int64",
      refused {f, locus.frame {{"t", int64 {1}}}, {promote = true}})
    assert.equal("the column 't' of 'tensors[2]' must be time, as in 'tensors[1]', got float64",
      refused {f, locus.frame {{"t", {1.5}}}, {promote = true}})
  end)
end)
