-- SPDX-License-Identifier: MIT
-- .ci/coverage, which counts what specs have reached, on a small program in a folder of its own.
local support = require "spec.support"
local read = require("spec.support.text").read

local PROGRAM = [[
enum color { RED, GREEN };

#define SIGN(type) static int sign_##type(int a) { return a < 0 ? -1 : 1; }
SIGN(f32) SIGN(f64)

static int number(enum color color)
{
  switch (color) {
  case RED: return 1;
  case GREEN: return 2;
  }
  return 0;
}

int main(int count, char **words)
{
  (void)words;
  if (count > 1) return sign_f32(1);
  return sign_f64(-1) + number(RED) + number(GREEN) - 2;
}
]]

-- The output of .ci/coverage, and its status, once the program has run as often as `runs` says.
local function coverage(rows, runs)
  local files = {["/.ci/coverage"] = read(".ci/coverage"),
    ["/.ci/shell.lua"] = read(".ci/shell.lua"), ["/src/core/x.c"] = PROGRAM,
    ["/src/core/dtype.def"] = read("src/core/dtype.def"), ["/.ci/uncovered.lua"] = "return {"
      .. "{ why = 'as this spec has it', " .. rows .. " } }"}
  return unpack(support.in_folder(files, function(root)
    local pipe = io.popen(("cd %s && env -u LD_PRELOAD sh -c '{ mkdir b && cd b && cc --coverage "
      .. "-O0 -o x \"$PWD/../src/core/x.c\" && { %s; cd ..; luajit .ci/coverage b; }; } 2>&1; "
      .. "echo \"status $?\"'"):format(root, runs))
    local output, status = pipe:read("*a"):match("^(.*)status (%d+)\n$")
    pipe:close()
    return {output, tonumber(status)}
  end))
end

describe(".ci/coverage #native #host #once #program", function()
  local after = '{"src/core/x.c", "return 0;", 0}'

  it("counts lines, and ways by any instance; no way past a switch that names all", function()
    local output, status = coverage(after, "./x; ./x 1")
    assert.matches("^==> report: src/core +8 of +8 lines 100.00 %% +6 of +6 branches 100.00 %%\n",
      output)
    assert.equal(0, status, output)
  end)

  it("passes over what gcov warns of, such as a source that never ran", function()
    local output, status = coverage(after, "cc --coverage -c -o y.o ../src/core/x.c; ./x; ./x 1")
    assert.matches("^==> report: src/core +8 of +8 lines ", output)
    assert.equal(0, status, output)
  end)

  it("lists what is left", function()
    local output, status = coverage("", "./x")
    assert.equal(1, status, output)
    assert.matches("^==> report: src/core +8 of +9 lines +88.89 %% +4 of +6 branches +66.67 %%"
      .. " +below the goal", output)
    for _, line in ipairs{"4: 1 of 2 ways: SIGN(f32)", "12: not reached: return 0;",
                          "18: 1 of 2 ways: if (count > 1)"} do
      assert.truthy(output:find("\nsrc/core/x.c:" .. line, 1, true), output)
    end
  end)

  it("fails where what is left out is taken, is not there, or has other ways out", function()
    local expected = ": .ci/uncovered.lua names what is taken or is not there"
    for _, row in ipairs{'{"src/core/x.c", "if (count", 1}', '{"src/core/y.c", "x", 1}',
                         '{"src/core/x.c", "return sign_f64", 1}'} do
      local output, status = coverage(after .. ", " .. row, "./x; ./x 1")
      assert.equal(1, status, output)
      assert.truthy(output:find(expected, 1, true), output)
    end
    local output, status = coverage(after .. ', {"src/core/x.c", "if (count", 2}', "./x")
    assert.equal(1, status, output)
    assert.truthy(output:find("x.c:18: 1 ways are not taken, and .ci/uncovered.lua leaves out 2", 1,
                              true), output)
  end)

  it("leaves out functions that are never called, by their names", function()
    local row = '{"src/core/x.c", "number()"}'
    local output = coverage(row, "true")
    assert.falsy(output:find("x.c:10:", 1, true), output)
    output = coverage(row, "./x")
    assert.truthy(output:find("FAILED: src/core/x.c: number(): .ci/uncovered.lua leaves out a "
      .. "function that is called", 1, true), output)
  end)
end)
