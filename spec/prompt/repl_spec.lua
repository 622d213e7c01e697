-- SPDX-License-Identifier: MIT
-- The prompt without a terminal: what lines mean, what is shown, help and commands, the history.
local support = require "spec.support"

local function typed()
  local run, session, kept = require "spec.support.programs.prompt"()
  return run, session, kept
end

describe("a line at the prompt #host #once", function()
  local run, session, kept
  before_each(function() run, session, kept = typed() end)

  it("shows the values of an expression, and nothing of a statement", function()
    assert.equal("3\n", run "1 + 2")
    assert.equal("3\n", run "=1 + 2")
    assert.equal("3\n", run "  = 1 + 2 -- three")
    assert.equal("1\n\"a\"\nnil\n", run "1, 'a', nil")
    assert.equal("", run "local x = 5")
    assert.equal("5\n", run "x")
    assert.equal("5\n6\n", run "return x, x + 1")
    assert.equal("", run "-- nothing")
  end)

  it("waits for the end of a comment that stands alone", function()
    assert.equal("5\n", run("--[[ a", {"b ]] 5"}))
    assert.equal("", run("-- a\n--[==[", {"]==]"}))
  end)

  it("waits for the end of a string whose line ends with a backslash or \\z", function()
    run("local a = 'one\\", {" two'"})
    assert.equal('"one\\n two"\n', run "a")
    local text = 'a = "one\\z'
    run(text, {"   local b = 2\\z  ", "", '  local c"'})
    assert.equal('"onelocal b = 2local c"\n', run "a")
    assert.equal("nil\nnil\n", run "b, c")
    run("x = 'one\\z", {"\t\\z", "'; y = 1"})
    assert.equal('"one"\n1\n', run "x, y")
    assert.equal("unfinished string near '<eof>'\n", run "'one\\\\z")
    assert.equal("unfinished string near '<eof>'\n", run "'one")
    assert.equal('"one\\\\z"\n', run [['one\\z']])
  end)

  it("shows nil, but not that of a call", function()
    assert.equal("nil\n", run "nil")
    assert.equal("nil\n", run "no_such_thing")
    run "local function f(...) return ... end"
    assert.equal("", run "f()")
    assert.equal("", run "f(nil, nil)")
    assert.equal("nil\n1\n", run "f(nil, 1)")
    assert.equal("", run "f(f())")
  end)

  it("shows what stands behind a semicolon, and nothing in front of one", function()
    assert.equal("4\n", run "local x = 3; x + 1")
    assert.equal("", run "x + 1;")
    assert.equal("4\n", run "_")
    assert.equal("5\n", run "local y = 5 y") -- two statements of Lua without one
    assert.equal("{1, 2}\n", run "local t = {1; 2}; t")
    assert.equal("'=' expected near 'y'\n", run "x y")
  end)

  it("shows the value of a last line where several were pasted", function()
    assert.equal("3\n", run "local x = 1\nlocal y = 2\nx + y\n")
    assert.equal("1\n", run "local t = {}\nt[1] = 1 -- one\nrawget(\n  t,\n  1)")
    assert.equal("", run "local z = x\n-y")
    assert.equal("-1\n", run "z")
    assert.equal("-1\n", run "return\nz")
    assert.equal("", run "for i = 1, 2 do\n  x = i\nend")
  end)

  it("loops in a function with another environment", function()
    assert.equal("6\n", run [[setfenv(function()
      local n = 0
      for i = 1, 3 do n = n + i end
      return n
    end, {})()]])
    run [[function f()
      local n = 0
      while n < 3 do n = n + 1 end
      repeat n = n + 1 until n > 8
      return n
    end]]
    assert.equal("9\n", run "setfenv(f, {})()")
    assert.equal("5\n", run "setfenv(1, {x = 5}) x")
    assert.equal("", run "setfenv(1, {ipairs = ipairs}); local y = 6; for _ in ipairs{1} do end")
    assert.equal("6\n", run "y")
  end)

  it("takes no line for the first one of a script", function()
    run "local t = {7}"
    assert.equal("1\n", run "#t")
    assert.equal("1\n7\n", run "#t, t[1]")
    assert.equal("'<eof>' expected near 'rest'\n", run "# the rest is no comment, local")
    assert.equal("'<eof>' expected near 't'\n", run "#t; t[1]")
  end)

  it("keeps the last value that is not nil in _", function()
    run "6 * 7"
    run "nil"
    run "local x = 1"
    assert.equal("42\n", run "_")
    run "'a', 'b'"
    assert.equal('"a"\n', run "_")
  end)

  it("keeps locals, which hide globals and are no globals", function()
    run "local rate, other = 2, 3"
    run "local function twice(v) if v > 50 then return v end return twice(v * rate) end"
    assert.equal("64\n", run "twice(1)")
    run "rate = 4"
    assert.equal("256\n3\n", run "twice(16) * 4, other")
    assert.is_nil(rawget(_G, "rate"))
    assert.is_nil(rawget(_G, "twice"))
    run "local print, type = 1"
    assert.equal("1\nfunction\n", (run "print, _G.type":gsub("function: .*", "function\n")))
    assert.equal("function", type(print))
  end)

  it("leaves locals of blocks, loops and functions to Lua", function()
    run "do local a = 1 end for i = 1, 2 do local b = i end"
    run "local f = function() local c = 1 end f()"
    run "if true then local d = 1 end repeat local e = 1 until e while not g do local h g = 1 end"
    assert.equal("nil\nnil\nnil\nnil\nnil\nnil\n", run "a, b, c, d, e, h")
    assert.equal(1, rawget(_G, "g"))
    rawset(_G, "g", nil)
    assert.equal("2\n", run "local a, b = 1 do local a = 2 b = a end return b")
    assert.equal("1\n", run "a")
  end)

  it("runs loops of every form, and what only looks like one", function()
    local text = "local n = 0 for i = 1, 3 do n = n + i end for k in pairs{1, 2} do n = n + k end "
      .. "while (function() do return n < 20 end end)() do n = n + 1 end "
      .. "repeat local stop = n > 30 n = n + 1 until stop"
    assert.equal("32\n", run(text .. "; n"))
    assert.equal("\"do while local x\"\n", run "'do while local x' --[[ for i = 1, 2 do ]]")
    assert.equal("1\n", run "({['end'] = 1, x = 'repeat'})['end']")
  end)

  it("is rewritten to what compiles, on the same lines, whatever stands there", function()
    local lex, rewrite = require "locus.repl.lex", require "locus.repl.rewrite"
    local pipe = io.popen("ls lua/locus/*.lua lua/locus/*/*.lua spec/*/*.lua examples/*.lua")
    local count = 0
    for path in pipe:lines() do
      local file = assert(io.open(path))
      local text = file:read("*a"):gsub("^#[^\n]*", "")
      file:close()
      local rewritten = rewrite.source(text)
      assert.is_truthy(loadstring(rewritten), path)
      assert.equal(select(2, text:gsub("\n", "")), select(2, rewritten:gsub("\n", "")))
      local tokens = {}
      for i, t in ipairs(lex.tokens(text)) do tokens[i] = t.text end
      assert.equal((text:gsub("%s+", "")), (table.concat(tokens):gsub("%s+", "")), path)
      count = count + 1
    end
    pipe:close()
    assert.is_true(count > 100, count)
  end)

  it("asks for more when the input ends too early, and only then", function()
    assert.equal("1\n2\n", run("for i = 1, 2 do", {"print(i)", "end"}))
    assert.equal("3\n", run("1 +", {"2"}))
    assert.equal("\"a\\nb\"\n", run("[[a", {"b]]"}))
    assert.equal("{1, 2}\n", run("{1,", {"", "-- more", "2}"}))
    assert.equal("unexpected symbol near ')'\n", run(")", {"1"}))
    assert.equal("unfinished string near '<eof>'\n", run('"a', {"1"}))
    assert.equal("\"a\\nb\"\n", run('"a\\', {'b"'}))
    assert.equal("unexpected symbol near '*'\n", run("1 +* 2", {"1"}))
    assert.equal("", run("f(", {false})) -- Ctrl-C
    assert.equal("7\n", run "7")
  end)

  it("tells of a method that is not called", function()
    run "local x = locus.zeros(2)"
    assert.equal("sort is a method: write :sort(...), or ?x:sort for what it does\n",
      run("x:sort", {"()"}))
    assert.equal("a block begins with 'do', not with ':', and closes with 'end'\n",
      run("for i in range(3):", {"x"}))
    assert.equal("a block begins with 'then', not with ':', and closes with 'end'\n",
      run("if f(x):", {"x"}))
    assert.equal("rep is a method: write :rep(...)\n", run("('abc'):rep", {"(1)"}))
  end)

  it("says what went wrong in a sentence, and the calls that led there at %trace", function()
    assert.equal("sum: there is no argument 'axis'; write 'dim'\n",
      run "locus.sum({1}, {axis = 1})")
    assert.equal("line 2: no\n", run "local x\nerror 'no'")
    assert.equal("error: {code = 5}\n", run "error{code = 5}")
    assert.equal("error: nil\n", run "error()")
    assert.equal("error: told\n",
      run "error(setmetatable({}, {__tostring = function() return 'told' end}))")
    run("local function inner() error('deep', 0) end")
    assert.equal("deep\n", run "inner()")
    local said = run "%trace"
    assert.matches("in function 'inner'", said)
    assert.matches("prompt:1: in main chunk", said)
    assert.is_nil(said:find("evaluate.lua", 1, true), said)
    run "7"
    assert.equal(said, run "%trace")
  end)

  it("may give what raises as it becomes text, or raise that", function()
    run "local t = setmetatable({}, {__tostring = function(t) error(t) end})"
    local told = "error: a table, whose __tostring raises\n"
    assert.equal(told, run "t")
    assert.equal(told, run "error(t)")
    assert.equal("7\n", run "7")
    assert.equal("{1}\n", run "setmetatable({1}, {__tostring = 5})")
  end)

  it("is in the way of no script", function()
    local before = {}
    for name in pairs(_G) do before[name] = true end
    run "local x = 1; x"
    run "locus.zeros(1)"
    run "for i = 1, 2 do end"
    for name in pairs(_G) do assert.is_true(before[name], name) end
    run "made = 1"
    assert.equal(1, rawget(_G, "made"))
    rawset(_G, "made", nil)
    assert.is_nil(rawget(_G, "locus"))
    assert.equal("nil\n", run "_G.locus")
  end)

  it("is remembered with the lines that belong to it, and not twice", function()
    run "1"
    run "1"
    run("for i = 1, 2 do", {"end"})
    run "  "
    run("f(", {false})
    run "?"
    assert.same({"1", "for i = 1, 2 do\nend", "?"}, kept)
  end)

  it("shows an error of a value's own text, as that of a frame that is read when it is shown",
    function()
      run "local broken = setmetatable({}, {__tostring = function() error('no text', 0) end})"
      assert.equal("no text\n", run "broken")
      assert.equal("1\n", run "#{broken}")
      assert.not_nil(session.trace)
    end)
end)

describe("a value at the prompt #host #once", function()
  local show = require("locus.repl.show").text
  local locus = require "locus"

  it("is a number with the digits that mean it #native", function()
    local texts = {[0.1] = "0.1", [0.1 + 0.2] = "0.30000000000000004", [1e15] = "1000000000000000",
                   [2 ^ 53 - 1] = "9007199254740991", [2 ^ 53] = "9007199254740992",
                   [1e300] = "1e+300", [1 / 3] = "0.3333333333333333", [-5] = "-5",
                   [math.huge] = "inf", [-math.huge] = "-inf"}
    for v, text in pairs(texts) do assert.equal(text, show(v)) end
    assert.equal("nan", show(0 / 0))
    assert.equal("nan", show(-(0 / 0)))
    assert.equal("-0", show(-0.0))
    assert.equal("5LL", show(support.integer("9007199254740993") * 0 + 5))
  end)

  it("is a string in quotes", function()
    assert.equal([["a\n\t\"\\\x00\x7f"]], show("a\n\t\"\\\0\127"))
    assert.equal('"größe"', show("größe"))
    assert.equal('"gr\\xf6ße"', show("gr\246\195\159e"))
    local long = show(("x"):rep(1e6))
    assert.is_true(#long < 3000)
    assert.matches("%.%.%. %(1000000 bytes%)$", long)
  end)

  it("is a table with what is in it", function()
    assert.equal("{}", show{})
    assert.equal('{1, "a", {true, {}}, [-1] = 0, ["a b"] = 2, ["end"] = 3, x = 1}',
      show{1, "a", {true, {}}, x = 1, ["a b"] = 2, ["end"] = 3, [-1] = 0})
    local own = {1}
    own.self = own
    assert.equal("{1, self = {the table around it}}", show(own))
    assert.equal("{{{{{...}}}}}", show{{{{{{1}}}}}})
    assert.equal("2x3", show(locus.zeros(2, 3).shape))
    assert.equal("{shape = 2x3, x = [float64 tensor of size 2]}",
      (show{x = locus.zeros(2), shape = locus.zeros(2, 3).shape}:gsub(" on cuda:%d", "")))
    local many = {}
    for i = 1, 1000 do many[i] = i end
    local text = show(many)
    assert.matches("^{\n  1, 2, 3, .*40,\n?%s+%.%.%. 960 more\n}$", text)
    for line in text:gmatch("[^\n]+") do assert.is_true(#line <= 80, line) end
  end)

  it("is a tensor as print shows it", function()
    local x = locus.tensor{1, 2}
    assert.equal(tostring(x), show(x))
  end)
end)

describe("commands of the prompt #host #once", function()
  local run
  before_each(function() run = typed() end)

  it("%time shows the values and the times", function()
    assert.matches("^3\n[%d.e+]+ [nmu]?s by the clock, [%d.e+]+ [nmu]?s of the processors\n$",
      run "%time 1 + 2")
    assert.matches("^[%d.]+ [nmu]?s by", run "%time local x = 1")
    assert.equal("1\n", run "x")
    assert.equal("no\n", run "%time error('no', 0)")
    assert.equal("unexpected symbol near ')'\n", run "%time )")
    assert.equal("the line ends too early\n", run("%time f(", {")"}))
  end)

  it("%bench says how long a run takes", function()
    run "runs = 0"
    local said = run "%bench (function() runs = runs + 1 end)()"
    local samples, each = said:match("^[%d.e+]+ [nmu]?s, at best [%d.e+]+ [nmu]?s: "
      .. "the median of (%d+) times (%d+) runs\n$")
    assert.is_true(rawget(_G, "runs") > samples * each, said)
    rawset(_G, "runs", nil)
    assert.equal("no\n", run "%bench error('no', 0)")
  end)

  it("names the commands that there are", function()
    assert.equal("there is no %nosuch; there are %bench, %time, %trace\n", run "%nosuch 1")
    assert.equal("there was no error yet\n", run "%trace")
    assert.equal("%bench needs a line of Lua behind it\n", run "%bench ")
  end)

  describe("for help", function()
    local real, asked
    before_each(function()
      real, asked = package.loaded["locus.help"], {}
      package.loaded["locus.help"] = {
        text = function(name)
          asked[#asked + 1] = name
          if name == "sort" then return "the text" end
          return nil, "there is no such name"
        end,
        search = function(text)
          local found = {}
          for i = 1, tonumber(text) or 0 do found[i] = {name = "n" .. i, line = "line"} end
          return found
        end,
      }
    end)
    after_each(function() package.loaded["locus.help"] = real end)

    it("ask for the method of what a variable holds", function()
      run "local x, f = locus.zeros(2), locus.frame{{'a', {1}}}"
      assert.equal("the text\n", run "?x:sort")
      assert.equal("the text\n", run "? sort")
      assert.equal("there is no such name\n", run "?f:group")
      run "?locus.sort"
      run "?f.a:sum"
      run "?y:sort"
      assert.same({"sort", "sort", "frame:group", "locus.sort", "sum", "y:sort"}, asked)
    end)

    it("search for words that are no name", function()
      assert.equal("no page mentions 'no such'\n", run "?no such")
    end)

    it("say what a variable holds", function()
      run "local x = locus.zeros(2)"
      local said = run("?x"):gsub(" on cuda:%d", "")
      assert.equal("x is a float64 tensor of size 2. "
        .. "?x:name tells of a method, Tab after x: lists them.\n", said)
      run "local f = locus.frame{{'price', {1}}}"
      assert.matches("^f%.price is a float64 tensor of size 1", run "?f.price")
      assert.matches("^locus is the module%. ", run "?locus")
      assert.same({}, asked)
    end)

    it("search", function()
      assert.equal("n1: line\nn2: line\n", run '?"2"')
      assert.equal("no page mentions 'no'\n", run "?'no'")
      assert.matches("n20: line\n$", run '?"20"')
      assert.matches("n20: line\n%.%.%. 30 more\n$", run '?"50"')
    end)

    it("list the commands", function()
      local said = run "?"
      for _, word in ipairs {"%time", "%bench", "%trace", "Tab", "Ctrl-C"} do
        assert.is_truthy(said:find(word, 1, true), word)
      end
    end)
  end)
end)
