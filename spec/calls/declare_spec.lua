-- SPDX-License-Identifier: MIT
-- Functions written in Lua: their arguments are read as those of functions in C, and their errors
-- are the caller's, whatever they call inside.
local core = require "locus.core"
local declare = require "locus.call.declare"
local locus = require "locus"
local support = require "spec.support"

local message, same = support.message, support.same

-- A function as one of locus's own files would declare it.
local function own(text)
  local source = debug.getinfo(declare.define, "S").source:gsub("declare%.lua$", "derived/spec.lua")
  local chunk = assert(loadstring(text, source))
  return setfenv(chunk, setmetatable({core = core, declare = declare}, {__index = _G}))()
end

local hstack = own [[return declare.define("hstack(tensors, {out=nil})", function(tensors, out)
  local dim = core.methods.dim(tensors[1]) > 1 and 2 or 1
  return core.cat(tensors, dim, {out = out})
end)]]

-- Gives back what it was called with.
local function echo(line) return declare.define(line, function(...) return ... end) end

describe("a declared function", function()
  local f = echo('f(input:any, other:any, dim:integer=-1, '
    .. '{right:boolean=false, side:string="left"})')

  it("is called by position, by name and with both", function()
    assert.same({1, 2, -1, false, "left"}, {f(1, 2)})
    assert.same({1, 2, 3, false, "left"}, {f(1, 2, 3)})
    assert.same({1, 2, -1, true, "left"}, {f(1, 2, {right = true})})
    assert.same({1, 2, 3, true, "right"}, {f{1, 2, 3, right = true, side = "right"}})
    assert.same({1, 2, 3, false, "left"}, {f(1, {other = 2, dim = 3})})
    assert.same({1, 2, -1, false, "left"}, {f(1, 2, nil, {right = nil})})
    assert.same({1, 2, -1, false, "left"}, {f(1, 2, {})})
    assert.equal(5, select("#", f(1, 2)))
  end)

  it("says what is wrong as functions in C do", function()
    assert.equal("f: 'input' is missing", message(f))
    assert.equal("f: 'other' is missing", message(f, 1))
    assert.equal("f: 'other' is given twice", message(f, 1, 2, {other = 3}))
    assert.equal("f: there is no argument 'sied'; did you mean 'side'?",
      message(f, 1, 2, {sied = "left"}))
    assert.equal("f: takes at most 3 arguments by position, got 4", message(f, 1, 2, 3, 4))
    assert.equal("f: 'right' must be true or false, got the number 1",
      message(f, 1, 2, {right = 1}))
    assert.equal("g: 'size' is missing", message(echo "g(input:any, {size:integer})", 1))
  end)

  it("takes int64 cdata as numbers, which the function gets", function()
    local twice = declare.define("twice(x:number)", function(x) return x * 2 end)
    assert.equal(7, twice(3.5))
    assert.equal("number", type(twice(3LL)))
    assert.equal(6, twice(3LL))
    assert.equal(-2, twice(-1LL))
    assert.equal(2 ^ 54, twice(9007199254740993LL))
    assert.equal("twice: 'x' must be a number, got the Lua boolean true", message(twice, true))
    assert.matches("^twice: 'x' must be a number, got a cdata",
      message(twice, require "ffi".new("int[1]")))
    assert.is_true(core.allclose({1}, {1.5}, {atol = 1LL}))
  end)

  it("takes sizes as one table or as numbers", function()
    local g = echo "g(input:any, sizes..., {dtype=nil})"
    local input, sizes, dtype = g(1, 2, 3, {dtype = "int8"})
    assert.same({1, "2x3", "int8"}, {input, tostring(sizes), dtype})
    assert.equal("4x5", tostring((select(2, g(1, {4, 5})))))
    assert.equal("g: 'sizes' must not hold negative sizes, got -1", message(g, 1, -1))
  end)

  it("takes names one by one, as a list, or one alone", function()
    local g = echo "g(input:any, names..., {right:boolean=false})"
    assert.same({1, {"a"}, false}, {g(1, "a")})
    assert.same({1, {"a", "b"}, false}, {g(1, "a", "b")})
    assert.same({1, {"a", "b"}, true}, {g(1, {"a", "b"}, {right = true})})
    assert.same({1, {}, false}, {g(1, {})})
    local list = {"a"}
    assert.is_false(rawequal(list, select(2, g(1, list))))
    assert.equal("g: 'names' must hold names, got nil", message(g, 1, "a", nil))
    assert.equal("g: 'names[2]' must be a name, got the number 5", message(g, 1, "a", 5))
    local must = "g: 'names' must be a name or a list of names, got "
    assert.equal(must .. "a table", message(g, 1, {"a", nil, "c"}))
    local h = echo "h(input:any, chosen:names)"
    assert.same({1, {"a"}}, {h(1, "a")})
    assert.equal("h: 'chosen' must be a name or a list of names, got the number 5",
      message(h, 1, 5))
  end)

  it("takes tensors one by one or as a list, and whole numbers, one or a list", function()
    local g = echo "g(tensors..., {dim:integers=1})"
    local x, y = locus.tensor({1}), locus.tensor({2})
    for _, tensors in ipairs {{g(x, y)}, {g({x, y})}, {g{{x, y}, dim = 1}}, {g(x, {2})}} do
      assert.equal(2, #tensors[1])
      same(tensors[1][2], {1}, {2})
      assert.equal(1, tensors[2])
    end
    assert.equal("g: 'tensors' must hold tensors, got nil", message(g, x, nil, y))
    assert.same({3, -1, 2 ^ 40}, select(2, g(x, {dim = {3, -1, 2LL ^ 40}})))
    assert.same({}, select(2, g(x, {dim = {}})))
    assert.equal("g: 'dim[2]' must be a whole number, got the number 1.5",
      message(g, x, {dim = {3, 1.5}}))
    assert.equal("g: 'dim' must be a whole number or a list of whole numbers, got the Lua "
      .. "boolean true", message(g, x, {dim = true}))
  end)

  it("takes counts: a whole number, a tensor, or a table as int64", function()
    local g = echo "g(counts:counts)"
    assert.same({2, 3}, {g(2), g(3LL)})
    same(g{2, 1}, {2}, {2, 1}, "int64")
    local x = locus.tensor{1.5}
    assert.is_true(rawequal(x, g(x)))
    assert.equal("g: 'counts' is 1.5, which int64 cannot hold, at [1]", message(g, {1.5}))
    local must = "g: 'counts' must be a tensor, a table or a whole number, got "
    assert.equal(must .. "the number 1.5", message(g, 1.5))
    assert.equal(must .. "the Lua boolean true", message(g, true))
  end)

  it("may read its arguments itself, and is named by its line", function()
    local plain = own [[return declare.plain("f(input, value)", function(input, ...)
      if select("#", ...) > 1 then declare.raise("takes one value") end
      return core.add(input, ...), nil
    end)]]
    same(plain({1, 2}, 3), {2}, {4, 5})
    assert.equal("f: takes one value", message(plain, {1}, 2, 3))
    assert.matches("^f: ", message(plain, {1}, "x"))
    local params = declare.parameters(plain)
    assert.same({"f", "input", "value"}, {params.name, params[1].name, params[2].name})
  end)

  it("stands where it is declared to stand", function()
    finally(function()
      core.in_module, core.in_both = nil, nil
      core.methods.in_both, core.methods.of_tensors = nil, nil
    end)
    local function body() return 7 end
    declare.func("in_module()", body)
    declare.both("in_both(input:tensor)", body)
    declare.method("of_tensors(input:tensor)", body)
    local x = locus.zeros(1)
    assert.same({7, 7, 7, 7}, {core.in_module(), core.in_both(x), x:in_both(), x:of_tensors()})
    assert.is_nil(core.methods.in_module)
    assert.is_nil(core.of_tensors)
  end)

  it("is refused where its line has no sense", function()
    assert.has_error(function() echo "f(input:number_of_things)" end,
      "f: there is no kind of argument 'number_of_things'")
    local many = {}
    for i = 1, 25 do many[i] = "a" .. i .. ":any" end
    assert.has_error(function() echo("f(" .. table.concat(many, ", ") .. ")") end,
      "f: at most 24 parameters")
  end)
end)

describe("a kind of argument", function()
  local x = locus.tensor({{1, 2, 3}, {4, 5, 6}})

  -- The body's second argument, after a tensor.
  local function given(kind, value)
    local f = echo(("f(input:tensor, a:%s=nil)"):format(kind))
    return (select(2, f(x, value)))
  end
  local function refused(kind, value)
    local f = echo(("f(input:tensor, a:%s=nil)"):format(kind))
    return message(f, x, value)
  end

  it("reads tables as tensors, and numbers where they may stand for one", function()
    same(given("tensor", {1, 2}), {2}, {1, 2})
    assert.is_true(rawequal(x, given("tensor", x)))
    same(given("value", {1, 2}), {2}, {1, 2})
    assert.equal(5, given("value", 5))
    assert.equal(true, given("value", true))
    assert.is_true(rawequal(x, given("out", x)))
    assert.equal("f: 'a' must be a tensor or a table, got the number 5", refused("tensor", 5))
    assert.equal("f: 'a' is the Lua boolean false; == compares identity, write x:eq(3)",
      refused("tensor", false))
    assert.equal("f: 'a' must be a tensor, a table or a number, got a function",
      refused("value", print))
    assert.equal("f: 'a' must be a tensor, got a table", refused("out", {1}))
    local freed = locus.zeros(1)
    getmetatable(freed).__gc(freed)
    for _, kind in ipairs {"tensor", "value", "out"} do
      assert.equal("f: 'a' has been freed", refused(kind, freed))
    end
  end)

  it("reads a table of tensors", function()
    local list = {x, {1, 2}}
    local read = given("tensors", list)
    assert.is_true(rawequal(x, read[1]))
    same(read[2], {2}, {1, 2})
    assert.equal("table", type(list[2]))
    assert.same({}, (echo "f(tensors)"({})))
    assert.equal("f: 'a[2]' must be a tensor or a table, got the number 3",
      refused("tensors", {x, 3}))
    assert.equal("f: 'a' must be a table of tensors, got a float64 tensor of size 2x3",
      refused("tensors", x))
  end)

  it("reads dimensions of the first argument", function()
    for dim, read in pairs {[1] = 1, [2] = 2, [-1] = 2, [-2] = 1} do
      assert.equal(read, given("dim", dim))
    end
    assert.same({1, 2}, given("dims", {-1, 1}))
    assert.same({2}, given("dims", 2))
    assert.is_nil(given("dims"))
    assert.equal("f: 'a' must be in 1..2 or -2..-1, got 3", refused("dim", 3))
    assert.equal("f: 'a' must be a dimension, got the string \"1\"", refused("dim", "1"))
    assert.equal("f: 'a' names a dimension twice", refused("dims", {2, -1}))
  end)

  it("reads Lua values", function()
    assert.same({true, 3, 0.5, "a", 0, "int8", "cpu", print},
      {given("boolean", true), given("integer", 3LL), given("number", 0.5), given("string", "a"),
       given("base", 0), given("dtype", "int8"), given("device", "cpu"), given("function", print)})
    assert.equal(2LL ^ 53 + 1, given("integer", 2LL ^ 53 + 1))
    assert.equal("f: 'a' must be a whole number, got the number 0.5", refused("integer", 0.5))
    assert.equal("f: 'a' must be a number, got the string \"1\"", refused("number", "1"))
    assert.equal("f: 'a' must be a string, got the number 1", refused("string", 1))
    assert.equal("f: 'a' must be 1 or 0, got the number 2", refused("base", 2))
    assert.matches("f: 'a' must be one of bool uint8", refused("dtype", "float"), 1, true)
    assert.matches("f: 'device' must be", refused("device", "gpu"), 1, true)
    assert.equal("f: 'a' must be a function, got the number 5", refused("function", 5))
  end)
end)

describe("an error inside a declared function", function()
  local x = locus.tensor({{1, 2}, {3, 4}})

  local function raised(f)
    local line = debug.getinfo(f, "S").linedefined
    local ok, text = pcall(f)
    assert.is_false(ok)
    local place = "spec/calls/declare_spec.lua:" .. line .. ": "
    assert.equal(place, text:sub(1, #place))
    return text:sub(#place + 1)
  end

  it("has the name of the function that was called, and stands at the caller's line", function()
    same(hstack{{1, 2}, {3}}, {3}, {1, 2, 3})
    assert.equal("hstack: 'tensors[2]' of size 1x3 does not fit 'tensors[1]' of size 2x2: "
      .. "only dimension 2 may differ",
      raised(function() local y = hstack{x, {{1, 2, 3}}} return y end))
    assert.matches("hstack: 'out' must be float64",
      raised(function() local y = hstack({x}, {out = locus.LongTensor()}) return y end), 1, true)
    assert.matches("cat: 'tensors' must be a table",
      raised(function() local y = locus.cat(5) return y end), 1, true)
  end)

  it("has the outermost name where such functions call each other", function()
    local outer = own [[
      local inner = declare.define("inner(input:tensor)", function(input)
        return core.methods.view(input, 7)
      end)
      return declare.define("outer(input:tensor)", function(input) return inner(input) end)]]
    assert.matches("^outer: ", raised(function() local y = outer(x) return y end))
  end)

  it("may be a sentence of its own", function()
    local f = own [[return declare.define("f(n:integer)", function(n)
      if n < 0 then declare.raise("'n' must not be negative, got %d", n) end
      return n
    end)]]
    assert.equal(3, f(3))
    assert.equal("f: 'n' must not be negative, got -3",
      raised(function() local y = f(-3) return y end))
  end)

  it("is its own in what the caller's function does, and leaves nothing behind", function()
    local each = own [[return declare.define("each(f:function)", function(f) return f() end)]]
    local function wrong() local y = x:sum(9) return y end
    local _, text = pcall(each, wrong)
    local line = debug.getinfo(wrong, "S").linedefined
    assert.matches("^spec/calls/declare_spec.lua:" .. line .. ": sum: ", text)
    local _, thrown = pcall(each, function() error({7}) end)
    assert.same({7}, thrown)
    assert.matches("^sum: ", raised(wrong))
  end)

  it("is named in a coroutine, and across a yield", function()
    local each = own [[return declare.define("each(f:function, input:tensor)", function(f, input)
      f()
      return core.cat({input, 5})
    end)]]
    local first = coroutine.create(function() return (each(coroutine.yield, x)) end)
    assert.is_true(coroutine.resume(first))
    assert.matches("^cat: ", raised(function() local y = locus.cat(5) return y end))
    local ok, text = coroutine.resume(first)
    assert.is_false(ok)
    assert.matches(": each: ", text, 1, true)
  end)
end)

describe("the parameters of a function", function()
  local function names(f)
    local list = {}
    for i, param in ipairs(declare.parameters(f)) do
      list[i] = (param.named and "." or "") .. param.name .. (param.optional and "?" or "")
        .. (param.sizes and "..." or "")
    end
    return table.concat(list, " ")
  end

  it("are known, whatever it is written in", function()
    assert.equal("tensors .out?", names(hstack))
    assert.equal("hstack", declare.parameters(hstack).name)
    assert.equal("hstack(tensors, {out=nil})", declare.parameters(hstack).text)
    assert.equal("tensors dim? .out?", names(locus.cat))
    assert.equal("input .out? .as_tuple? .base?", names(locus.nonzero))
    assert.equal("input boundaries .out_int32? .right? .out? .base?", names(locus.bucketize))
    assert.is_nil(declare.parameters(locus.is_tensor))
  end)

  it("are asked for without a call", function()
    declare.parameters(locus.zeros)
    assert.equal("zeros: 'size' is missing", message(locus.zeros))
  end)
end)
