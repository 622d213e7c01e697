-- SPDX-License-Identifier: MIT
-- .ci/mutants: which small mistakes it makes of a source, and which places it leaves alone.
local path = package.path
package.path = ".ci/?.lua;.ci/mutation/?.lua;" .. path
local mutate = require "mutate"
local blocks = require "blocks"
package.path = path

-- The new text of the first line that a mutant changes, for each, in order.
local function of(name, text)
  local list = {}
  for _, mutant in ipairs(mutate.all(name, text)) do
    local _, after = mutate.lines(text, mutant)
    list[#list + 1] = after
  end
  return list
end

describe("the mutants #host #once", function()
  it("of C are operators, constants, conditions, arguments, results, statements", function()
    assert.same({"if (!(a < 1)) b = f(a, c);", "if (a <= 1) b = f(a, c);",
                 "if (a < 0) b = f(a, c);", "if (a < 1) {}", "if (a < 1) b = f(c, a);"},
                of("x.c", "{\n  if (a < 1) b = f(a, c);\n}\n"))
    assert.same({"return 0;", "return a - 2;", "return a + 3;"}, of("x.c", "return a + 2;"))
    assert.same({"for (; i <= n; i++) break;", "for (; i < n; i--) break;",
                 "for (; i < n; i++) continue;"}, of("x.c", "for (; i < n; i++) break;"))
    assert.same({"x >>= y || z;", "x <<= y && z;"}, of("x.c", "x <<= y || z;"))
  end)

  it("of Lua are the same", function()
    assert.same({"if not (a == 1) then f(a, b) end", "if a ~= 1 then f(a, b) end",
                 "if a == 0 then f(a, b) end", "if a == 1 then f(b, a) end", "if a == 1 then end"},
                of("x.lua", "if a == 1 then f(a, b) end"))
    assert.same({"return nil", "return a or b", "return not a and b"},
                of("x.lua", "return not a or b"))
  end)

  it("leave types, comments, strings and other lines of the preprocessor alone", function()
    assert.same({}, of("x.c", '#include <stdio.h>\n#if 1 < 2\n#endif\n/* a < 1 */ // 1\n'
      .. 'static const char *text = "a < 1\\"0";\nint f(int *a, char b);\n'))
    assert.same({}, of("x.lua", '-- a < 1\n--[[ 1 ]] local a = "1 \\" < 2" .. [[0]]\n'))
  end)

  it("of a macro are those of what it stands for", function()
    assert.same({"#define LESS_1(a, b) ((a) <= (b))"},
                of("x.h", "#define LESS_1(a, b) ((a) < (b))\n"))
  end)

  it("are known again by their lines, and the line above", function()
    local text = "return 1\n  -- above\nreturn\t2\n"
    local told = {}
    for _, mutant in ipairs(mutate.all("x.lua", text)) do
      local before, _, above = mutate.lines(text, mutant)
      told[before] = above
    end
    assert.same({["return 1"] = "", ["return 2"] = "-- above"}, told)
  end)

  it("keep the count of lines", function()
    local text = "{\n  f(a,\n    b);\n}\n"
    for _, mutant in ipairs(mutate.all("x.c", text)) do
      assert.equal(4, select(2, mutate.apply(text, mutant):gsub("\n", "")))
    end
  end)
end)

describe("the blocks of Lua #host #once", function()
  it("are marked where they begin, and own the lines up to the next", function()
    local index = { next = 1 }
    local marked = blocks.mark_lua("x.lua", "local function f(a)\n  if a then\n    g()\n  else\n"
      .. "    h()\n  end\n  return a\nend\n", index)
    assert.equal("local function f(a) LOCUS_HITS[1]=true \n  if a then LOCUS_HITS[2]=true \n"
      .. "    g()\n  else LOCUS_HITS[3]=true \n    h()\n  end\n  return a\nend\n", marked)
    assert.same({"lua 1 x.lua 1 2 4 6 7", "lua 2 x.lua 3", "lua 3 x.lua 5"}, {unpack(index)})
  end)
end)
