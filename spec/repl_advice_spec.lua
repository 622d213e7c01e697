-- SPDX-License-Identifier: MIT
-- What the prompt adds where a line means something else to Lua than to one who comes from Python
-- or Torch7.
local evaluate = require "locus.repl.evaluate"
local prompt = require "locus.repl.prompt"
local typed = require "spec.support.prompt"

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

  it("is about what the parser does not know", function()
    local range = "; a range is x[{ {1, 2} }], and a whole dimension {}: x[{ {}, 1 }]"
    for _, line in ipairs {"x[1:2]", "x[:,1]", "x[1,:]", "x[::2]", "x[:]", "local y = x[1:2]"} do
      adds(range, line)
    end
    adds("; write x[{i, j}]", "x[1, 2]")
    adds('; write f:select("a", "b")', 'f["price", "sym"]')
    adds("; write x ^ y", "x ** 2")
    adds("; write x = x + y, or x:add_(y)", "x += 1")
    adds("; write x:floor_divide(y), or math.floor(a / b)", "local y = x // 2")
    adds("; write x:ne(y), or a ~= b of numbers and strings", "if x != 3 then")
    adds("; write x:logical_and(y), or x:band(y) of bits", "x:gt(3) & x:lt(5)")
    adds("; write x:logical_or(y), or a or b", "x || x")
    adds("; write x:logical_not(), or not a", "!x")
    adds("; locus is there already", "import locus")
    assert.equal("unexpected symbol near ')'\n", run "print(x[1], 'a:b' .. )")
    assert.equal("'=' expected near 'y'\n", run "x y '**'")
    assert.equal("unexpected symbol near '*'\n", run "1 +* 2")
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
    adds("; write f:sort(...)", 'f.sort("price")')
    adds("; what is one element is a Lua number, which has no methods", "x:sum():item()")
    adds("; write for i, v in x:iter() do", "for i, v in ipairs(x) do end")
    assert.matches("^function: %w+\nsize is a method: write x:size%(%.%.%.%)\n$", run "x.size")
    assert.matches("^function: %w+\n$", run "locus.zeros")
    assert.equal("mean: 'input' is missing\n", run "locus.mean()")
  end)

  it("is about what stands outside of braces", function()
    for typed, write in pairs{["locus.tensor({1, 2}, 'int32')"] = 'dtype = "int32"',
      ['locus.zeros({2, 2}, "int32")'] = 'dtype = "int32"',
      ['f:join(f, "sym")'] = 'on = "sym"', ['x:searchsorted(1, "right")'] = 'side = "right"'} do
      assert.equal("; write {" .. write .. "}\n", run(typed):match("; .*$"))
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
