-- SPDX-License-Identifier: MIT
-- Values by position that are too many, or of another type than the argument of their place: the
-- error names the option that they were likely meant for.
local declare = require "locus.call.declare"
local locus = require "locus"
local public = require "spec.support.calls.public"
local support = require "spec.support"
local surplus = require "locus.call.surplus"

local message = support.message
local x = locus.tensor{1, 2, 3}
local f = locus.frame{{"city", {"Rome", "Oslo"}}, {"t", {1, 2}}}

-- The calls say, behind their sentence: write so.
local function write(text, call, ...)
  local said = message(call, ...) or "nothing"
  local tail = said:match("; write (.*)$")
  assert.equal(text, tail, said)
end

describe("a value too many", function()
  it("that is a word of an option names it", function()
    write('{side = "right"}', locus.searchsorted, x, x, "right")
    write('{side = "both"}', x.searchsorted, x, 2, "both")
    write('{inclusive = "left"}', x.between, x, 1, 2, "left")
    write('{direction = "forward"}', locus.asof, x, x, "forward")
    write('{direction = "nearest"}', f.asof, f, f, "nearest")
    write('{how = "semi"}', f.join, f, f, "semi")
    write('{kind = "time"}', f.with, f, "m", x, "time")
    write('{method = "dense"}', x.rank, x, 1, "dense")
    write('{interpolation = "nearest"}', x.quantile, x, .5, 1, false, "nearest")
    write('{mmap = "r"}', locus.load, "x.npy", "r")
    write('{reduce = "add"}', x.scatter, x, 1, {1}, {2}, "add")
    write('{dtype = "int64"}', locus.tensor, {1, 2}, "int64")
    write('{dtype = "int8"}', locus.full, {2}, 1, "int8")
    write('{device = "cpu"}', locus.arange, 1, 5, 1, "cpu")
  end)

  it("that is the name of an option of true and false sets it", function()
    write("{right = true}", locus.bucketize, x, x, "right")
    write("{right = true}", x.bucketize, x, x, "right")
    write("{descending = true}", locus.searchsorted, x, x, "descending")
    write("{descending = true}", x.sort, x, "descending")
    write("{keepdim = true}", x.std, x, 1, "keepdim")
    write("{return_counts = true}", x.unique, x, "return_counts")
  end)

  it("that is nearly such a word names it, too", function()
    write('{side = "right"}', locus.searchsorted, x, x, "Right")
    write('{side = "right"}', locus.searchsorted, x, x, "rihgt")
    write('{method = "ordinal"}', x.rank, x, 1, "ordnal")
  end)

  it("names the options that take its type, those that must be given first", function()
    write('{on = "city"}, {left_on = "city"} or {right_on = "city"}', f.join, f, f, "city")
    write('{on = "t"}', f.asof, f, f, "t")
    write("{on = ...}, {left_on = ...} or {right_on = ...}", f.join, f, f, {"city"})
    write("{decimals = 1}", x.round, x, 1)
    write("{decimals = 2}", locus.round, x, 2)
    write('{separator = ";"}', f.write_csv, f, "/nowhere/x.csv", ";")
    write('{separator = ";"}', locus.read_csv, "x.csv", ";")
    write("{rows = 100}, {skip = 100} or {limit = 100}", locus.chunks, "x.csv", 100)
    write("{correction = 0}", x.var, x, 1, 0)
    write("{keepdim = true}", x.std, x, 1, true)
    write("{range = ...}", x.hist, x, 10, {0, 1})
    write("{sorter = ...}", locus.searchsorted, x, x, x:long())
    write("{out = ...}", locus.where, x:gt(1), x, x, x)
    write("{out_int32 = true} or {right = true}", locus.bucketize, x, x, true)
    write("{base = 0}", locus.lookup, x, x, 0)
    write("{offset = 5} or {count = 5}", locus.from_file, "x", "int64", 5)
    write("{progress = ...}", f.save, f, "x", print)
  end)

  it("leaves out what the option is anyway, and what was given", function()
    write("{return_inverse = true}, {return_counts = true} or {return_index = true}", x.unique, x,
      true)
    write("{right = true}, {check = true} or {descending = true}", locus.searchsorted, x, x, true,
      {out_int32 = true})
  end)

  it("and others: each names its own", function()
    write('{side = "right", sorter = ...}', locus.searchsorted, x, x, "right", x:long())
    write("{decimals = 1, base = 0}", declare.define("f(x:any, {decimals:integer=0, base=1})",
      function() end), 1, 1, 0)
  end)

  it("is not shown when it is long or holds what a terminal obeys", function()
    write("{on = ...}", f.asof, f, f, ("long"):rep(20))
    write("{on = ...}", f.asof, f, f, "a\27[31m")
    write("{on = ...}", f.asof, f, f, 'a"')
  end)

  it("that no option takes has nothing to add", function()
    assert.equal("narrow: takes at most 4 arguments by position, got 5",
      message(x.narrow, x, 1, 1, 2, x))
    assert.equal("where: takes at most 3 arguments by position, got 4",
      message(locus.where, x:gt(1), x, x, "here"))
    assert.equal("head: takes at most 2 arguments by position, got 3", message(f.head, f, 1, 2))
    assert.equal("f: takes at most 0 arguments by position, got 1",
      message(declare.define("f()", function() end), "x"))
  end)

  it("in a function that another one calls is that one's own affair", function()
    local outer = declare.define("outer(x:any)", function(input)
      return locus.searchsorted(input, input, "right")
    end)
    assert.matches("^[%w_]+: takes at most 2 arguments by position, got 3", message(outer, x))
  end)
end)

describe("data without its braces", function()
  it("is shown in them", function()
    write("tensor{1, 2, 3}", locus.tensor, 1, 2, 3)
    write("tensor{1, 2, 3, 4, ...}", locus.tensor, 1, 2, 3, 4, 5, 6)
    write("tensor{true, false}", locus.tensor, true, false)
    write("tensor{{...}, {...}}", locus.tensor, {1}, {2})
    write('tensor({1, 2}, {dtype = "int64"})', locus.tensor, {1, 2, dtype = "int64"})
    write('tensor({{...}, {...}}, {dtype = "int8"})', locus.tensor, {{1}, {2}, dtype = "int8"})
    write('strings{"a", "b"}', locus.strings, "a", "b")
    if rawget(_G, "jit") then
      local one = require("ffi").new("int64_t", 1)
      write("tensor{1LL, 1LL}", locus.tensor, one, one)
    end
    write("tensor{0.5, true}", locus.tensor, .5, true)
  end)

  it("has its dtype and device apart", function()
    write('tensor({1, 2, 3}, {dtype = "float32"})', locus.tensor, 1, 2, 3, "float32")
    write('tensor({1, 2}, {dtype = "int8", device = "cpu"})', locus.tensor, 1, 2, "int8", "cpu")
    write('tensor({1, 2}, {dtype = "int8", device = "cpu"})', locus.tensor, 1, 2, "cpu",
      {dtype = "int8"})
    write('{dtype = "float32"}', locus.tensor, 1, "float32")
  end)

  it("as tensors one by one, the same ones by the same letter", function()
    local y, z, other = locus.ones(3), locus.ones(3), locus.ones(3)
    write("cat({x, x}, 1)", locus.cat, x, x, 1)
    write("cat({x, y, x}, 2)", locus.cat, x, y, x, 2)
    write("cat({x, y})", locus.cat, x, y)
    write("stack({x, y})", locus.stack, x, y)
    write("vstack({x, y})", locus.vstack, x, y)
    write("hstack({x, y, z})", locus.hstack, x, y, z)
    write("vstack({x, y, z, ...})", locus.vstack, x, y, z, other, x)
    write("stack({x, y})", locus.tensor, x, y)
    write("stack({x, x})", locus.tensor, x, x)
    write("cat({x})", locus.cat, x)
    write("cat({x}, 1)", locus.cat, x, 1)
    write("stack({x})", locus.stack, x)
  end)

  it("as tensors one by one beside options, which stay", function()
    write("cat({x, x}, {dim = 1})", locus.cat, x, x, {dim = 1})
    write("cat({x, x, x}, {dim = 1})", locus.cat, x, x, x, {dim = 1})
    write("stack({x, x, x}, {dim = 1})", locus.stack, x, x, x, {dim = 1})
    write("stack({x}, {dim = 1})", locus.stack, x, {dim = 1})
    write("cat({x}, {dim = 1, out = ...})", locus.cat, x, {dim = 1, out = locus.empty(0)})
    write("cat({x, x}, {dim = 1, out = ...})", locus.cat, x, x, {dim = 1, out = x})
    assert.equal("sum: 'dim' is given twice", message(x.sum, x, 1, {dim = 1}))
  end)
end)

describe("a value in another argument's place", function()
  it("that is a word of an option names it", function()
    write('{dtype = "int64"}', locus.zeros, 2, 3, "int64")
    write('{dtype = "float32"}', locus.rand, 2, "float32")
    write('{dtype = "int32"}', locus.zeros, {2, 3}, "int32")
    write('{device = "cpu"}', locus.ones, {2, 3}, "cpu")
    write('{dtype = "int64"}', locus.arange, 1, 10, "int64")
    write('{indexing = "xy"}', locus.meshgrid, x, x, "xy")
    write('{interpolation = "lower"}', x.quantile, x, .5, "lower")
    write('{device = "cpu"}', x.to, x, "float32", "cpu")
    assert.equal("to: 'dtype' is given twice", message(x.to, x, "float32", "int8"))
    assert.equal("median: 'keepdim' must be true or false, got the string \"x\"",
      message(x.median, x, 1, "x"))
  end)
end)

describe("true or false in another argument's place", function()
  it("names the first option that takes it", function()
    write("{descending = true}", x.sort, x, true)
    write("{descending = true}", x.argsort, x, true)
    write("{keepdim = true}", x.sum, x, true)
    write("{keepdim = false}", x.max, x, false)
  end)
end)

describe("options of other libraries", function()
  it("lead to those that say the same", function()
    local function told(text, call, ...)
      assert.matches("; write " .. text, message(call, ...), 1, true)
    end
    for _, spread in ipairs{x.std, x.var, locus.std, locus.var} do
      told("'correction'", spread, x, {ddof = 0})
      told("'correction', which is 0 for false", spread, x, {unbiased = false})
    end
    told("'descending', the opposite", x.sort, x, {ascending = false})
    told("'dim'", x.sum, x, {axis = 1})
  end)
end)

describe("what a function of Lua answers when it fails", function()
  it("passes its sentence on", function()
    local why = select(2, io.open("/nowhere/at.all"))
    assert.matches("No such file", why)
    assert.equal("read_csv: 'source' is nil: " .. why,
      message(locus.read_csv, io.open("/nowhere/at.all")))
    assert.equal("read_log: 'source' is nil: " .. why,
      message(locus.read_log, io.open("/nowhere/at.all")))
    assert.equal("chunks: 'source' is nil: " .. why,
      message(locus.chunks, io.open("/nowhere/at.all")))
    assert.equal("write_csv: 'target' is nil: " .. why,
      message(f.write_csv, f, io.open("/nowhere/at.all")))
    assert.equal("read_csv: 'source' is nil: too bad", message(locus.read_csv, nil, "too bad"))
  end)
end)

describe("what is written in another way altogether", function()
  it("is said so", function()
    write("x[{ {first, last} }] for a part, x - y for a difference", x.sub, x, 2, 3)
    write("f:group(name), or locus.group_by{column, column}", locus.group_by, f, "city")
    write('"-name" for the reverse order', f.sort, f, "city", true)
    assert.equal("sort: takes at most 3 arguments by position, got 4; write {stable = true} or "
      .. "{indices = true}", message(x.sort, x, 1, true, true))
  end)
end)

it("every option of every function is of a kind that a surplus value can fit #host #once",
  function()
    local unknown, options = {}, 0
    for _, entry in ipairs(public) do
      for _, param in ipairs(declare.parameters(entry.f) or {}) do
        local takes = surplus.takes(param)
        local first = takes:match("^[^|]+")
        if param.named then
          options = options + 1
          if not surplus.types[first] and not takes:find("|", 1, true) then
            unknown[#unknown + 1] = entry.name .. "/" .. param.name
          end
        end
      end
    end
    assert.same({}, unknown)
    assert.is_true(options > 200, options)
  end)
