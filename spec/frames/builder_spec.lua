-- SPDX-License-Identifier: MIT
-- locus.builder: what columns and frames take, what they give, how they grow, what they refuse.
local ffi = require "ffi"
local core = require "locus.core"
local locus = require "locus"
local kind_forms = require("locus.frame.column").kind_forms
local support = require "spec.support"

local message, same = support.message, support.same

-- The sentence of b:method(...).
local function refused(b, method, ...) return message(b[method], b, ...) end

local function of(type, ...)
  local b = locus.builder(type)
  for _, value in ipairs {...} do b:push(value) end
  return b
end

describe("a builder of a column #once", function()
  it("takes elements of every dtype and gives a tensor", function()
    for _, dtype in ipairs(support.real) do
      local b = of(dtype, 1, 2, 100)
      assert.equal(3, #b)
      same(b:tensor(), {3}, {1, 2, 100}, dtype)
      same(b:column(), {3}, {1, 2, 100}, dtype)
    end
    same(of("bool", true, false, true):tensor(), {3}, {true, false, true}, "bool")
    same(of("complex64", 1, support.complex(2, 3)):tensor(), {2},
      {support.complex(1, 0), support.complex(2, 3)}, "complex64")
    for _, type in ipairs {"time", {"time", unit = "ms"}, "date", "ipv4"} do
      same(of(type, 1, 2 ^ 40):column(), {2}, {1, 2 ^ 40}, "int64")
    end
  end)

  it("begins empty", function()
    for _, dtype in ipairs(support.dtypes) do
      same(locus.builder(dtype):tensor(), {0}, {}, dtype)
    end
    assert.equal(0, #locus.builder("string"):column())
  end)

  it("grows, and keeps what it was given", function()
    local b = locus.builder("int32")
    for i = 1, 5000 do
      b:push(i)
      if i % 999 == 0 then
        assert.equal(i, #b)
        assert.is_true(b:tensor():equal(locus.range(1, i)))
      end
    end
  end)

  it("gives tensors that pushing on does not change", function()
    local b = of("float64", 1, 2)
    local first = b:tensor()
    b:push(3)
    local second = b:tensor()
    first[1] = 7
    for i = 1, 100 do b:push(i) end
    same(first, {2}, {7, 2})
    same(second, {3}, {1, 2, 3})
    same(b:tensor()[{{1, 3}}], {3}, {1, 2, 3})
  end)

  it("keeps int64 exact, and NaN and the infinities of floats", function()
    local low, high = unpack(support.range.int64)
    local b = of("int64", high, low, support.integer("9007199254740993"), 2 ^ 53)
    b:extend{high, 5, support.integer("-9007199254740993")}
    same(b:tensor(), {7}, {high, low, support.integer("9007199254740993"), 2 ^ 53, high, 5,
                           support.integer("-9007199254740993")})
    same(of("float32", support.nan, -locus.inf, 1e300, -0.0):tensor(), {4},
      {support.nan, -locus.inf, locus.inf, -0.0})
    same(of("float64", high, ffi.new("int64_t", 5)):tensor(), {2}, {2 ^ 63, 5})
  end)

  it("takes what x[i] = value takes, and no other", function()
    local values = {0, 1, -1, 2.5, 127, 128, 255, 256, -129, 2 ^ 31, 2 ^ 53, 2 ^ 63, -2 ^ 63, 1e300,
                    support.nan, locus.inf, true, false, "1", {}, support.complex(1, 2),
                    support.complex(1, 0), support.range.int64[2], ffi.new("uint64_t", 5),
                    ffi.new("uint64_t", 2) ^ 63, ffi.new("int[1]")}
    for _, dtype in ipairs(support.dtypes) do
      for _, value in ipairs(values) do
        local x, b = locus.zeros(1, {dtype = dtype, device = "cpu"}), locus.builder(dtype)
        local takes = pcall(function() x[1] = value end) and type(value) ~= "table"
        assert.equal(takes, pcall(b.push, b, value), dtype .. " " .. tostring(value))
        assert.equal(takes and 1 or 0, #b)
        if takes then same(b:tensor(), {1}, support.values(x), dtype) end
      end
    end
  end)

  it("says what it cannot take", function()
    local b = of("int8", 1)
    assert.equal("push: 'value' is 300, which int8 cannot hold", refused(b, "push", 300))
    assert.equal("push: 'value' is 2.5, which int8 cannot hold", refused(b, "push", 2.5))
    assert.equal("push: 'value' is nan, which int8 cannot hold", refused(b, "push", support.nan))
    assert.equal("push: 'value' must be a number, a boolean or a cdata, got the string \"5\"",
      refused(b, "push", "5"))
    assert.equal("push: 'value' is missing", refused(b, "push"))
    assert.equal("push: takes one value, got 2", refused(b, "push", 1, 2))
    assert.equal("push: 'builder' must be made by locus.builder, got the number 5",
      message(b.push, 5))
    assert.equal("push: 'value' must be a string, got the number 5",
      refused(locus.builder("string"), "push", 5))
    same(b:tensor(), {1}, {1}, "int8")
  end)

  it("raises at the caller's line", function()
    local line = debug.getinfo(1, "l").currentline + 1
    local _, text = pcall(function() locus.builder("int8"):push("x") end)
    assert.truthy(text:find("builder_spec.lua:" .. line .. ": push: ", 1, true), text)
  end)

  it("forgets what it had", function()
    local b = of("int16", 1, 2, 3)
    b:clear()
    assert.equal(0, #b)
    b:push(9)
    same(b:tensor(), {1}, {9}, "int16")
  end)

  it("says what it is", function()
    assert.equal("[builder of int64, 2 elements]", tostring(of("int64", 1, 2)))
    assert.equal("[builder of time[ms], 1 element]", tostring(of({"time", unit = "ms"}, 1)))
    assert.equal("builder", getmetatable(of("bool")))
    assert.equal("this builder has no 'frame'; it has push, extend, column and clear",
      message(function() return of("bool").frame end))
    assert.equal("a builder has no fields; write b:push(...)",
      message(function() of("bool").x = 1 end))
  end)
end)

describe("extend of a column #once", function()
  it("takes lists, and tensors of every dtype and layout", function()
    local b = of("float64", 1)
    b:extend{2, 3}
    b:extend{}
    for _, dtype in ipairs(support.real) do
      b:extend(locus.tensor({{4, 5}, {6, 7}}, {dtype = dtype}):t()[1])
    end
    local expected = {1, 2, 3}
    for _ = 1, 2 * #support.real do expected[#expected + 1] = #expected % 2 == 1 and 4 or 6 end
    same(b:tensor(), {#expected}, expected, "float64")
  end)

  it("takes all or none", function()
    local b = of("int64", 1)
    assert.equal("extend: 'values' is 2.5, which int64 cannot hold, at [2]",
      refused(b, "extend", {1, 2.5}))
    assert.equal("extend: 'values' holds fractions, which int64 cannot",
      refused(b, "extend", locus.tensor{1, 2.5}))
    assert.equal("extend: 'values' holds nan at [2], which int64 cannot hold",
      refused(b, "extend", locus.tensor{1, support.nan}))
    assert.matches("^extend: 'values' must be of one dimension, got a float64 tensor of size 2x2",
      refused(b, "extend", locus.zeros(2, 2)))
    assert.matches("^extend: 'values' must be of one dimension, got a 0%-d float64 tensor",
      refused(b, "extend", locus.tensor(5)))
    assert.equal("extend: 'values' must be a tensor or a table, got nil", refused(b, "extend"))
    same(b:tensor(), {1}, {1}, "int64")
  end)
end)

describe("a builder of strings #once", function()
  it("gives string columns with names of their own", function()
    local b = of("string", "b", "a", "b", "")
    local first = b:column()
    b:push("new")
    b:extend{"a", "\0x"}
    b:extend(locus.strings{"z", "b", "z"})
    assert.same({"b", "a", "b", ""}, first:totable())
    assert.same({"b", "a", ""}, first.names)
    assert.same({"b", "a", "b", "", "new", "a", "\0x", "z", "b", "z"}, b:column():totable())
    b:clear()
    b:push("new")
    assert.same({"new"}, b:column().names)
    assert.equal("tensor: strings make a string column; write b:column()", refused(b, "tensor"))
    assert.equal("extend: 'values[2]' must be a string, got the number 1",
      refused(b, "extend", {"a", 1}))
    assert.same({"new"}, b:column():totable())
  end)

  it("has more names than it remembers ids of", function()
    local b = locus.builder("string")
    for i = 1, 70000 do b:push("s" .. i) end
    for i = 69990, 70000 do b:push("s" .. i) end
    local c = b:column()
    assert.same({70011, 70000}, {#c, #c.names})
    assert.same({"s1", "s65537", "s70000", "s69990"}, {c[1], c[65537], c[70000], c[70001]})
  end)
end)

local function trades()
  return locus.builder{{"time", "time"}, {"price", "float32"}, {"sym", "string"}, {"own", "bool"}}
end

describe("a builder of a frame #once", function()
  it("takes rows by position and by name", function()
    local b = trades()
    b:push(1, 2.5, "IBM", true)
    b:push{own = false, sym = "AAPL", price = support.nan, time = support.range.int64[2]}
    local f = b:frame()
    b:push(3, 3, "x", true)
    assert.same({"time", "price", "sym", "own"}, f:columns())
    same(f.time, {2}, {1, support.range.int64[2]}, "int64")
    same(f.price, {2}, {2.5, support.nan}, "float32")
    same(f.own, {2}, {true, false}, "bool")
    assert.same({"IBM", "AAPL"}, f.sym:totable())
    assert.same({3, 2}, {#b, #f})
    assert.equal("[builder of 4 columns, 3 rows]", tostring(b))
    b:clear()
    assert.same({0, 0}, {#b, #b:frame()})
  end)

  it("keeps the kinds of its columns", function()
    local b = locus.builder{{"a", "time"}, {"b", {"time", unit = "ns"}}, {"c", "date"},
                            {"d", "ipv4"}, {"e", "int64"}}
    assert.same({a = "time", b = {"time", unit = "ns"}, c = "date", d = "ipv4", e = "int64"},
      b:frame():types())
  end)

  it("pushes nothing when one value is wrong", function()
    local b = trades()
    b:push(1, 2.5, "IBM", true)
    assert.equal("push: 'price' must be a number, a boolean or a cdata, got the string \"2\"",
      refused(b, "push", 2, "2", "A", true))
    assert.equal("push: 'sym' must be a string, got the number 7",
      refused(b, "push", 2, 2, 7, true))
    assert.equal("push: 'time' is 1.5, which int64 cannot hold",
      refused(b, "push", {time = 1.5, price = 1, sym = "", own = true}))
    assert.equal("push: 'own' is missing", refused(b, "push", 2, 2, "B"))
    assert.equal("push: 'time' is missing", refused(b, "push"))
    assert.equal("push: takes a value for each of 4 columns, got 5",
      refused(b, "push", 1, 2, "C", true, 5))
    assert.equal("push: 'sym' is missing", refused(b, "push", {time = 1, price = 1, own = true}))
    assert.equal("push: there is no column 'prize'; did you mean 'price'?",
      refused(b, "push", {time = 1, prize = 1, sym = "D", own = true}))
    assert.matches("^push: 'builder' must be .* got a builder of bool, 0 elements$",
      message(b.push, of("bool"), true))
    assert.equal("push: there is no column '1'", refused(b, "push", {1, 2, "E", true}))
    assert.equal(1, #b)
    assert.same({"IBM"}, b:frame().sym.names)
  end)

  it("has many columns", function()
    local types, values = {}, {}
    for i = 1, 200 do types[i], values[i] = {"c" .. i, i % 2 == 0 and "int64" or "float64"}, i end
    local b, row = locus.builder(types), {}
    b:push(unpack(values))
    for i = 1, 200 do row["c" .. i] = 2 * i end
    b:push(row)
    for i = 1, 200 do same(b:frame()["c" .. i], {2}, {i, 2 * i}) end
  end)

  it("takes the rows of frames", function()
    local b, more = trades(), trades()
    b:push(1, 2.5, "IBM", true)
    more:push(2, 3, "AAPL", false)
    more:push(3, 4, "IBM", true)
    b:extend(more:frame():select("own", "sym", "price", "time"))
    local f = b:frame()
    same(f.time, {3}, {1, 2, 3}, "int64")
    assert.same({"IBM", "AAPL", "IBM"}, f.sym:totable())
    same(f.own, {3}, {true, false, true}, "bool")
    b:extend(f[{{1, 0}}])
    local plain = locus.builder{{"x", "int64"}}
    plain:extend(locus.frame{{"x", {1, 2}, "date"}})
    same(plain:frame().x, {2}, {1, 2}, "int64")
  end)

  it("takes all rows of a frame or none", function()
    local b = locus.builder{{"n", "int64"}, {"t", {"time", unit = "ms"}}}
    local function frame(n, t, kind) return locus.frame{{"n", n}, {"t", t, kind}} end
    assert.equal("extend: 'n' holds fractions, which int64 cannot",
      refused(b, "extend", frame({1.5}, {1})))
    assert.equal("extend: 't' must be of type time[ms], got time",
      refused(b, "extend", frame({1}, locus.tensor({1}, {dtype = "int64"}), "time")))
    assert.equal("extend: there is no column 'z'",
      refused(b, "extend", frame({1}, {1}):with("z", {1})))
    assert.matches("^extend: the frame has no column 'n'",
      refused(b, "extend", locus.frame{{"t", {1}}}))
    assert.equal("extend: 'frame' must be a frame, got the number 5", refused(b, "extend", 5))
    assert.matches("^extend: 'n' must be ",
      refused(b, "extend", locus.frame{{"n", {"a"}}, {"t", {1}}}))
    assert.equal(0, #b)
  end)
end)

describe("locus.builder #once", function()
  local MUST = ('must be a dtype, "string", %s, got '):format(kind_forms("ms"))

  it("says what it cannot make", function()
    local builder = locus.builder
    assert.equal("builder: 'types' must be a type or a list of {name, type}, got nil",
      message(builder))
    assert.equal("builder: 'types' must be a type or a list of {name, type}, got a table",
      message(builder, {}))
    assert.equal("builder: 'types' " .. MUST .. "the string \"flaot64\"",
      message(builder, "flaot64"))
    assert.equal("builder: 'types' " .. MUST .. "the string \"price\"",
      message(builder, {"price", "float64"}))
    assert.equal("builder: the type of 'price' " .. MUST .. "nil", message(builder, {{"price"}}))
    assert.equal("builder: 'types[2]' must be {name, type}, got the string \"b\"",
      message(builder, {{"a", "int8"}, "b"}))
    assert.equal("builder: 'types[1]' must be {name, type}, got a table",
      message(builder, {{"", "int8"}}))
    assert.equal("builder: the column 'a' is there twice",
      message(builder, {{"a", "int8"}, {"a", "int8"}}))
    assert.matches("^builder: the unit of 'value' must be ", message(builder, {"time", unit = "h"}))
  end)

  it("grows on the host and gives what lies on the default device", function()
    local b = locus.builder{{"x", "int8"}, {"s", "string"}}
    b:push(1, "a")
    local f = b:frame()
    assert.same({support.device, support.device}, {f.x.device, f.s.device})
    b:extend(f)
    same(b:frame().x, {2}, {1, 1}, "int8")
  end)
end)

describe("when memory runs out #once", function()
  it("a push raises and what is there stays #host", function()
    local b = locus.builder{{"x", "float64"}, {"n", "int64"}}
    for i = 1, 1000 do
      for k = 1, 2 do
        locus.fail_allocation(k, true)
        local ok, text = pcall(b.push, b, i, i)
        locus.fail_allocation(0)
        assert.is_true(ok or tostring(text):find("push: out of memory", 1, true) ~= nil, text)
        if ok then break end
        assert.equal(i - 1, #b)
      end
      if #b < i then b:push(i, i) end
    end
    assert.is_true(b:frame().x:equal(locus.range(1, 1000)))
    assert.is_true(b:frame().n:equal(locus.range(1, 1000)))
  end)

  it("takes the memory of its elements, and at most as much again #host", function()
    for _ = 1, 3 do collectgarbage() end
    local before = locus.live_bytes()
    local b = locus.builder("int64")
    for i = 1, 100000 do b:push(i) end
    local taken = locus.live_bytes() - before
    assert.is_true(taken >= 8e5 and taken < 1.7e6, taken)
  end)
end)

describe("a loop that pushes #once #native", function()
  it("stays compiled, and holds what it has pushed", function()
    local output, status = support.run([[
      local locus, support = require "locus", require "spec.support"
      local names = {[0] = "IBM", "AAPL", "MSFT"}
      local f
      local ends = require("spec.support.programs.traces")(function()
        local b = locus.builder{{"t", "int64"}, {"p", "float32"}, {"sym", "string"}, {"b", "bool"}}
        for i = 1, 3000 do b:push(i, i / 2, names[i % 3], true) end
        f = b:frame()
      end, "loop")
      local i = locus.range(1, 3000)
      print(ends:find("loop") ~= nil, f.t:equal(i), f.p:equal(i / 2), f.sym[3000], f.b:sum())
    ]])
    assert.equal(0, status, output)
    assert.equal("true\ttrue\ttrue\tIBM\t3000\n", output)
  end)

  it("is sound while the state closes", function()
    local output, status = support.run([[
      local locus = require "locus"
      local b = locus.builder("int64")
      for i = 1, 100 do b:push(i) end
      local p = newproxy(true)
      getmetatable(p).__gc = function()
        print(pcall(function() for i = 1, 100 do b:push(i) end end) ~= nil)
      end
      KEEP = p
    ]])
    assert.equal(0, status, output)
    assert.equal("true\n", output)
  end)
end)

it("a builder serves interpreted code as compiled one", function()
  local output, status = support.run([[
    jit.off()
    local locus, support = require "locus", require "spec.support"
    local b = locus.builder{{"x", "int64"}, {"ok", "bool"}, {"s", "string"}}
    for i = 1, 100 do b:push(i, i % 2 == 0, "s" .. i % 3) end
    local f = b:frame()
    print(f.x:sum(), f.ok:sum(), f.s[100], support.message(b.push, b, 2.5, true, "s"))
  ]])
  assert.equal(0, status, output)
  assert.equal("5050\t50\ts1\tpush: 'x' is 2.5, which int64 cannot hold\n", output)
end)

it("the core refuses a place where there is no room", function()
  assert.equal("push: there is no room at 3",
    message(core.internal.put_at, locus.zeros(2, {device = "cpu"}), 3, 1, "x"))
end)
