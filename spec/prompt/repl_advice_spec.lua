-- SPDX-License-Identifier: MIT
-- The advice of the prompt if a line means something else to Lua than to one who comes from Python
-- or Torch7.
local evaluate = require "locus.repl.evaluate"
local prompt = require "locus.repl.prompt"
local typed = require "spec.support.programs.prompt"

-- Whether LuaJIT is one of 2026-07 or later, which knows `!=`, `&&`, `&` and more.
local is_new = loadstring("return 1 != 2 && 3 & 1") ~= nil

describe("advice at the prompt #host #once", function()
  local run
  before_each(function()
    run = typed()
    run [[local x, f = locus.zeros(2, 2), locus.frame{{"price", {1, 2}}, {"sym", {"a", "b"}}}]]
  end)

  -- That a line says a sentence and this behind it.
  local function adds(more, line) assert.equal(more .. "\n", (run(line):gsub("^[^;]*", ""))) end

  it("is about comparisons with elements", function()
    adds("; write x:gt(0)", "x > 0")
    adds("; write x:ge(0)", "= 0 <= x;")
    adds("; write f.price:lt(-1.5)", "f.price < -1.5")
    adds('; write f.sym:gt("a")', 'f.sym > "a"')
    local any = "; write x:gt(y), x:ge(y), x:lt(y) or x:le(y)"
    adds("; write x:gt(0)", "if x > 0 then print(1) end")
    adds("; write f.price:ge(100)", "f[f.price >= 100]")
    adds('; write f.sym:lt("b")', 'print(f.sym < "b")')
    adds(any, "0 < x and x < x")
    adds(any, "x:abs() > 3")
    assert.equal("attempt to compare number with nil\n", run "nothing > 0")
  end)

  it("looks for methods without the word of objects that lack them", function()
    run "local b = locus.builder 'int8'"
    local any = "; write x:gt(y), x:ge(y), x:lt(y) or x:le(y)"
    adds(any, "b >= 5")
    adds(any, "5 < b")
    assert.equal("false\n", run "b == 5")
    assert.matches("^help: there is no 'builder:ge'", run "?b:ge")
  end)

  it("is about comparisons of objects, which Lua lets pass", function()
    assert.equal("false\n== compares objects; write x:eq(0) for the elements\n", run "x == 0")
    assert.equal("true\n~= compares objects; write x:ne(0) for the elements\n", run "0 ~= x")
    assert.equal("false\n== compares objects; write f.sym:eq(\"a\") for the elements\n",
      run 'f.sym == "a"')
    for _, line in ipairs {"x == nil", "x.shape[1] == 3", "f == 1", "x:eq(0):any() == 3",
                           "locus.zeros(1) == 0", "not (x == 0) == 1"} do
      assert.matches("^%a+\n$", run(line), line)
    end
    assert.equal("", run "y = x == 0")
    rawset(_G, "y", nil)
  end)

  it("is about cdata on the left, where LuaJIT asks no tensor", function()
    for line, meant in pairs {["5LL + x"] = "x + 5LL", ["5LL*f.price"] = "f.price * 5LL",
      ["5LL - x"] = "locus.sub(5LL, x)", ["-5LL / x"] = "locus.div(-5LL, x)",
      ["5ULL % x"] = "locus.remainder(5ULL, x)", ["print(2LL ^ x)"] = "locus.pow(2LL, x)",
      ["(5LL + x):sum()"] = "x + 5LL", ["1i * x"] = "x * 1i", ["return -5LL - x"] =
      "locus.sub(-5LL, x)"} do
      adds("; write " .. meant, line)
    end
    for _, line in ipairs {"2 * 5LL + x", "5LL + x:sum(1)", "5LL + x[1]", "5LL - x * 2",
                           "5LL + (x)"} do
      adds("; write the tensor first, x + 5LL, or locus.sub(5LL, x)", line)
    end
  end)

  it("is about methods without a call, and the columns that they hide", function()
    run 'h = locus.frame{{"to", {1}}, {"n", {2}}}'
    for _, line in ipairs {"h.to", "h['to']", '= h["to"] '} do
      assert.matches('\nto is a method: write h:to(...), or h:column("to") for the column\n',
        run(line), 1, true)
    end
    assert.matches("\nhead is a method: write h:head(...)\n", run "h['head']", 1, true)
    run 'r = locus.read_csv({text = "bad\\n1\\n"}, {types = {bad = "int64"}, bad = 5})'
    assert.matches("bad", run "r.bad > 5", 1, true)
    assert.matches("'bad' is a column", run "r.bad", 1, true)
    rawset(_G, "h", nil)
    rawset(_G, "r", nil)
  end)

  it("is about what the parser does not know", function()
    local range = "; a range is x[{ {1, 2} }], and a whole dimension {}: x[{ {}, 1 }]"
    for _, line in ipairs {"x[1:2]", "x[:,1]", "x[1,:]", "x[::2]", "x[:]", "local y = x[1:2]"} do
      adds(range, line)
    end
    adds("; write x[{i, j}]", "x[1, 2]")
    adds('; write f:select("a", "b")', 'f["price", "sym"]')
    adds("; write f.price[1]", 'f[1, "price"]')
    adds("; write f.price[i + 1]", "local y = f['price', i + 1]")
    adds('; write f["a b"][2]', 'f[2, "a b"]')
    adds("; write x ^ y", "x ** 2")
    adds("; write x:floor_divide(y), or math.floor(a / b)", "local y = x // 2")
    adds("; write x = x + 1", "x++")
    adds("; locus is there already", "import locus")
    assert.equal("unexpected symbol near ')'\n", run "print(x[1], 'a:b' .. )")
    assert.equal("'=' expected near 'y'\n", run "x y '**'")
    assert.equal("unexpected symbol near '*'\n", run "1 +* 2")
  end)

  it("is about what the parser of older LuaJITs does not know", function()
    if is_new then return end
    adds("; write x = x + y, or x:add_(y)", "x += 1")
    adds("; write x:ne(y), or a ~= b of numbers and strings", "if x != 3 then")
    adds("; write x:logical_and(y), or x:band(y) of bits", "x:gt(3) & x:lt(5)")
    adds("; write x:logical_and(y), or a and b", "x:gt(3) && x:lt(5)")
    adds("; write x:logical_or(y), or a or b", "x || x")
    adds("; write x:logical_or(y), or x:bor(y) of bits", "x | x")
    adds("; write x:logical_not(), or not a", "!x")
    adds("; write x:logical_not(), or x:bnot() of bits", "~x")
    adds("; write x:lshift(y)", "x << 1")
    adds("; write x:rshift(y)", "x >> 1")
    adds("; write x:rshift(y)", "x ~>> 1")
    adds("; write locus.where(mask, x, y), or c and a or b", "x ? 1 : 2")
    adds("; write a or b", "x ?? 1")
    local skip = "; write goto next, and ::next:: where the loop's body ends"
    adds(skip, "for i = 1, 3 do if i == 2 then continue end end")
    adds(skip, "for i = 1, 3 do continue end")
  end)

  it("is about what newer LuaJITs parse, and is asked of objects", function()
    if not is_new then return end
    run "local m, n = x:eq(0), locus.LongTensor{5, 6}"
    assert.equal("true\n!= compares objects; write x:ne(0) for the elements\n", run "x != 0")
    assert.equal("true\n!= compares objects; write x:ne(0) for the elements\n", run "0 != x")
    assert.equal("false\na tensor is always true; write m:logical_not() for the elements\n",
      run "!m")
    local shown = run "m"
    assert.equal(shown .. "&& answers one of its sides; write x:logical_and(m) for the elements\n",
      run "x && m")
    assert.equal(shown .. "|| answers one of its sides; write m:logical_or(x) for the elements\n",
      run "m || x")
    assert.equal("1\na tensor is always true; write locus.where(m, x, y)\n", run "m ? 1 : 2")
    adds("; write n:band(3)", "n & 3")
    adds("; write n:band(3)", "3 & n")
    adds("; write m:bor(m)", "m | m")
    adds("; write n:bxor(n)", "n ~ n")
    adds("; write m:bnot()", "~m")
    adds("; write n:lshift(1)", "n << 1")
    adds("; write n:rshift(1)", "n >> 1")
    adds("; write n:rshift(1)", "n ~>> 1")
    adds("; write x:band(y)", "local y = x:eq(0) & m")
    for _, line in ipairs {"1 != 2", "true && false", "3 & 1", "!nil", "nil ?? 2", "1 ? 2 : 3"} do
      assert.matches("^%w+\n$", run(line), line)
    end
    assert.equal("attempt to perform arithmetic on a string value\n", run "'x' & 1")
  end)

  it("leaves alone what newer LuaJITs do right", function()
    if not is_new then return end
    assert.equal("3\n", run "local k = 1; k += 2; k")
    assert.equal("7\n", run "local c = 0; for i = 1, 4 do if i == 3 then continue end c += i end c")
    assert.equal("1\n", run "x += 1; x[{1, 1}]")
    assert.equal("", run "const c, d = 1_000, 2")
    assert.equal("1002\n", run "c + d")
    run "const function twice(v) return 2 * v end"
    assert.equal("6\n", run "twice(3)")
    assert.equal("4\n", run "local const = 4; const")
    assert.equal("4\n", run "local e = const\nlocal g = 3; e")
  end)

  it("is about names that are nowhere", function()
    adds("; write #x", "len(x)")
    for _, name in ipairs {"torch", "np", "numpy", "pd", "pandas", "pl"} do
      adds("; the module is locus", name .. ".zeros(3)")
    end
    adds("; write locus.zeros", "zeros(3)")
    adds("; did you mean 'print'?", "pirnt(3)")
    run "local trades = f"
    adds("; did you mean 'trades'?", "tradse.price")
    assert.equal("attempt to index global 'nowhere' (a nil value)\n", run "nowhere.x")
  end)

  it("is about calls that miss what they are for", function()
    adds("; it is no method: write .shape", "x:shape()")
    adds("; write x:mean(...)", "x.mean()")
    adds("; write x:size(...)", "print(x.size(1))")
    adds('; write f:sort(...), or f:column("sort") for a column of that name', 'f.sort("price")')
    adds("; one element is a Lua number, which has no methods", "x:sum():item()")
    adds("; write for i, v in x:iter() do", "for i, v in ipairs(x) do end")
    assert.matches("^function: %w+\nsize is a method: write x:size%(%.%.%.%)\n$", run "x.size")
    assert.matches("^function: %w+\n$", run "locus.zeros")
    assert.equal("mean: 'input' is missing\n", run "locus.mean()")
  end)

  it("is about what stands outside of braces", function()
    for line, write in pairs{["locus.tensor({1, 2}, 'int32')"] = 'dtype = "int32"',
      ['locus.zeros({2, 2}, "int32")'] = 'dtype = "int32"',
      ['f:asof(f, "sym")'] = 'on = "sym"', ['x:searchsorted(1, "right")'] = 'side = "right"'} do
      assert.equal("; write {" .. write .. "}\n", run(line):match("; .*$"))
    end
    adds("; options go by name, in braces: f(x, {name = value})", "x:narrow(1, 1, 1, 1, 1)")
    assert.matches('; write f:sort%("%-name"%) for the reverse order\n$',
      run 'f:sort("price", {descending = true})')
  end)

  it("is given of nothing that stands in a file", function()
    run "local inner = loadstring('local x = ... return x > 0', '=file')"
    assert.equal("file:1: attempt to compare number with userdata\n", run "inner(x)")
  end)
end)

describe("a word of other prompts #host #once", function()
  -- A prompt whose lines are those of a list; answers what it says.
  local function says(lines)
    local said, at = {}, 0
    local out = {write = function(_, ...) said[#said + 1] = table.concat{...} end,
                 flush = function() end}
    local editor = {remember = function() end, read = function()
      at = at + 1
      return lines[at]
    end}
    local made = prompt.over(evaluate.session(), out, editor, {add = function() end})
    while not made:step() do end
    return table.concat(said), at
  end

  it("ends it, or asks for help", function()
    for _, word in ipairs {"exit", "quit", "exit()", " quit ( ) ;"} do
      local said, read = says{"1", word, "2"}
      assert.equal("1\n", said)
      assert.equal(2, read)
    end
    assert.matches('^%?name .*%?"words"', (says{"help"}))
    assert.matches('^%?name .*%?"words"', (says{"help()"}))
  end)

  it("is a variable where there is one", function()
    assert.equal("3\n4\n", (says{"local exit, help = 3, 4", "exit", "help"}))
  end)
end)
