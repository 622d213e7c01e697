-- SPDX-License-Identifier: MIT
-- Long texts at the prompt: the work grows with the text alone, and what surely goes on is told
-- line by line.
local typed = require "spec.support.programs.prompt"
local unfinished = require "locus.repl.unfinished"

-- Runs f while bytes that are compiled are counted: what it answers, and their number.
local function counted(f)
  local original, bytes = loadstring, 0
  rawset(_G, "loadstring", function(text, ...)
    bytes = bytes + #text
    return original(text, ...)
  end)
  local ok, answer = pcall(f)
  rawset(_G, "loadstring", original)
  assert(ok, answer)
  return answer, bytes
end

local function lines_of(text)
  local list = {}
  for line in (text .. "\n"):gmatch("([^\n]*)\n") do list[#list + 1] = line end
  return list
end

-- Whether a text surely goes on after its last line.
local function goes_on(text)
  local state, said = unfinished.new()
  for _, line in ipairs(lines_of(text)) do said = state:add(line) end
  return said
end

describe("a long paste #host #once", function()
  local KINDS = {
    {"a table", "t = {", "  {'name', 12, [[x]], f(1, 2)}, -- a comment with { and [[", "}"},
    {"a function", "function g(x)", "  if x then return 'end' end", "end"},
    {"a long string", "s = [==[", "text ]] with { and end", "]==]"},
    {"a long comment", "--[[ about", "much [ more", "]] u = 5"},
    {"a sum", "s = 0 +", "  1 +", "  1"},
    {"a string with backslashes", "s = 'a\\", "b\\", "c'"},
    {"loops", "for i = 1, 2 do", "  while false do repeat until true end", "end"},
    {"a head that goes on", "for i = 1,", "  1 +", "  1 do end"},
  }

  it("of one statement is compiled a fixed number of times, however long it is", function()
    for _, kind in ipairs(KINDS) do
      local title, first, middle, last = unpack(kind)
      local share = {}
      for _, n in ipairs {300, 1200} do
        local run, session, kept = typed()
        rawset(session.variables, "f", function() return 1 end)
        local lines = {}
        for i = 1, n do lines[i] = middle end
        lines[n + 1] = last
        local said, bytes = counted(function() return run(first, lines) end)
        assert.equal("", said, title)
        assert.equal(0, #lines, title)
        assert.equal(n + 2, #lines_of(kept[1]), title)
        share[#share + 1] = bytes / #kept[1]
      end
      assert.is_true(share[2] < 30, ("%s: %.1f times"):format(title, share[2]))
      assert.is_true(share[2] < 2 * share[1], ("%s: %.1f and %.1f"):format(title, unpack(share)))
    end
  end)

  it("is what it says", function()
    local run = typed()
    local lines = {}
    for i = 1, 500 do lines[i] = ("  %d,"):format(i) end
    lines[501] = "}"
    run("t = {", lines)
    assert.equal("500\t500\n", run "print(#t, t[500])")
    lines = {}
    for i = 1, 100 do lines[i] = "line" end
    lines[101] = "]] .. 'x'"
    run("s = [[", lines)
    assert.equal("501\n", run "#s")
  end)

  it("with an error in it ends there, or somewhat later", function()
    local run = typed()
    local lines = {}
    for i = 1, 400 do lines[i] = i == 100 and "  1 1," or "  1," end
    assert.matches("^line 101: '}' expected %(to close '{' at line 1%) near '1'",
      run("t = {", lines))
    assert.is_true(#lines > 200, #lines)
    lines = {"  1 1,", "  2"}
    assert.matches("^line 2: '}' expected", run("t = {", lines))
    assert.same({"  2"}, lines)
  end)

  it("with an error in it says so, too, where its first line is a comment that goes on", function()
    local run = typed()
    for _, first in ipairs {"--[[", "  --[==[ a", "=--[["} do
      local level = first:match("%[(=*)%[")
      local lines = {"]" .. level .. "] t = {"}
      for i = 2, 200 do lines[i] = i == 100 and "  1 1," or "  1," end
      assert.matches("^line 101: [^\n]+ near '1'\n$", run(first, lines), first)
    end
  end)
end)

describe("what goes on #host #once", function()
  it("is open, or wants another word", function()
    for _, text in ipairs {"f(", "t = {", "x[", "function f()", "if x then", "if x", "for i = 1, 2",
      "for i = 1, 2 do", "while x", "repeat", "do", "f(function() return 1 end", "x = [[a\nb",
      "--[==[ a\n]] b", "x = 'a\\\nb\\", "x =", "x = 1 +", "a,", "x.", "x and", "not", "local",
      "t = {\n1\n}\n.. --[[ c ]]", "if x then y() else", "repeat until", "x:", "goto", "x = -",
      "if a then b() end for k in", "f{[(", "{ -- }"} do
      assert.is_true(goes_on(text), text)
    end
    for _, text in ipairs {"", "x", "f()", "x = 1", "t = {}", "return", "break", "return ...",
      "do end", "if x then y() end", "repeat until x", "for i = 1, 2 do end", "x = 'a\\\nb'",
      "while x do end", "x = [[a\nb]]", "--[[ a\n b ]]", "-- {", "'{'", "f() -- (", "::a::", "x;",
      "for i = 1, 2 do while true do break end end", "f(function() end)", "x = 'open",
      "t = { 'open",
      "nil", "a.b", "x = 5 --[[ c ]]"} do
      assert.is_false(goes_on(text), text)
    end
  end)

  it("is never told of what compiles, in the files of this project", function()
    for _, name in ipairs {"repl/lex", "repl/evaluate", "names/advice", "print", "frame/read",
      "frame/job", "arrow/import", "help/markdown", "plot/ticks", "names/peers"} do
      local file = assert(io.open("lua/locus/" .. name .. ".lua"))
      local text = file:read("*a")
      file:close()
      local state, lines, last = unfinished.new(), {}, nil
      for i, line in ipairs(lines_of(text:gsub("\n$", ""))) do
        lines[i] = line
        last = state:add(line)
        if last then assert.is_nil((loadstring(table.concat(lines, "\n"))), name .. ":" .. i) end
      end
      assert.is_false(last, name)
    end
  end)
end)

describe("an error of a long paste #host #once", function()
  it("finds its advice in time that grows with the text alone", function()
    local run = typed()
    run "x = require('locus').ones(2); a = 1"
    -- The fastest of three, since others may be at work.
    local function seconds(count, body, last)
      local least = math.huge
      for _ = 1, 3 do
        local lines, begin = {}, os.clock()
        for i = 1, count do lines[i] = body end
        lines[count + 1] = last
        assert.matches("; write", run("do", lines), 1, true)
        least = math.min(least, os.clock() - begin)
      end
      return least
    end
    for body, last in pairs {["if a > 5 then b = 1 end"] = "local c = x:abs() > 3 end",
                             ["b = a + 2 * a - 1"] = "b = 5LL + x:abs() end"} do
      local few, many = seconds(500, body, last), seconds(4000, body, last)
      assert.is_true(many < 25 * few, ("%s: %.3f s, and %.3f s of 500"):format(body, many, few))
    end
  end)
end)
