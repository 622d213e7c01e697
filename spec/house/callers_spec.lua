-- SPDX-License-Identifier: MIT
-- The random callers of fuzz/call, a few calls of each: that they run, find nothing, and make the
-- same calls of the same seed; and that the known ones draw the operands that they claim to draw.
local support = require "spec.support"

-- The library of a sanitizer is for luajit alone: what else the script starts ends under it.
local sanitizer = os.getenv "LD_PRELOAD"
local prefix = sanitizer
  and "env -u LD_PRELOAD CALL_PREFIX=" .. support.quote("env LD_PRELOAD=" .. sanitizer) or "env"

-- The output of fuzz/call, of another tree if one is named, on both streams, and its status.
local function run(arguments, tree)
  local build = support.quote(package.cpath:match "([^;]*)/%?%.so" or "build")
  local command = ('%s LOCUS_BUILD="$PWD"/%s %s/fuzz/call %s 2>&1'):format(prefix, build,
    tree or ".", arguments)
  local pipe = io.popen(command .. "; echo status $?")
  local text = pipe:read "*a"
  pipe:close()
  return text:match "^(.*)status (%d+)\n$"
end

-- Ops that are judged: those that leave values out, and some of each file.
local DRAWN = "pow remainder fmod floor_divide hypot add atan2 lt logical_and where exp isnan to "
  .. "nonzero gather searchsorted sort sum alike_quantile"

-- The output of fuzz/call for a tree with another line in the elementwise oracles.
local function run_planted(line, other, arguments)
  return support.in_folder({}, function(tree)
    local path = tree .. "/fuzz/callers/known/elementwise.lua"
    assert.equal(0, os.execute(("cp -r fuzz %s && ln -s \"$PWD\"/lua \"$PWD\"/spec %s")
      :format(tree, tree)))
    local file = assert(io.open(path))
    local text = file:read "*a"
    file:close()
    local first, last = text:find(line, 1, true)
    file = assert(io.open(path, "w"))
    file:write(text:sub(1, first - 1), other, text:sub(last + 1))
    file:close()
    return {run(arguments, tree)}
  end)
end

describe("fuzz/call #host #once", function()
  it("makes hostile calls, which break nothing", function()
    local said, status = run "hostile 7 1500"
    assert.matches("^hostile: 1500 calls of seed 7, of which %d+ answered, 0 wrong\n$", said)
    assert.equal("0", status)
  end)

  it("makes calls whose answers are known, the same of a seed #native", function()
    local said, status = run "known 7 3"
    local ops = said:match("\nknown: (%d+) ops on %w+, seed 7, %d+ elements, 0 wrong\n$")
    assert.is_true(tonumber(ops) >= 148, said)
    assert.equal("0", status)
    local digest = said:match "\n(sort .-), [%d.]+ s\n"
    assert.equal(digest, run "known 7 3 sort":match "^(sort .-), [%d.]+ s\n")
    local again = run "known 7 1,2 sort" .. run "known 7 3,3 sort"
    local elements = 0
    for count in again:gmatch "calls, (%d+) elements" do elements = elements + count end
    assert.equal(tonumber(digest:match "calls, (%d+) elements"), elements)
  end)

  it("knows that libm asks for signaling NaNs, and that roots are exact #native", function()
    assert.matches(" 0 wrong\n$", (run "known 1 6751,6751 hypot"))
    assert.matches(" 0 wrong\n$", (run "known 1 5358,5358 pow"))
  end)

  -- Each file's ops; all of them are judged by the runs of .ci/callers.
  it("draws the special values of each dtype, and many others #native", function()
    local said, status = run("drawn 1 1500 " .. DRAWN)
    assert.matches("\nknown: 19 ops on %w+, seed 1, %d+ elements, 0 wrong\n$", said)
    assert.equal("0", status)
    for judged in said:gmatch "(%d+) operands judged" do assert.is_true(tonumber(judged) >= 4) end
  end)

  it("finds an oracle that draws too few operands #native", function()
    local said, status = unpack(run_planted("if change and change[i] then change[i](a) end",
      "if change then change[2](a) end", "drawn 1 1500 pow remainder hypot"))
    assert.equal("1", status)
    for _, mistake in ipairs {
      "known, seed 1, pow, operand 1, int64: negative is never drawn",
      "known, seed 1, pow, operand 1, int16: greatest is never drawn",
      "known, seed 1, pow, operand 1, int32: only 9 distinct values are drawn",
      "known, seed 1, remainder, operand 1, int32: zero is never drawn",
    } do
      assert.matches(mistake, said, 1, true)
    end
    assert.matches("\nhypot [^\n]- 0 wrong", said)
  end)

  it("finds a claim that does not hold #native", function()
    local said, status = unpack(run_planted("local LOOP =",
      'drawn.claim("add", 1, {integer = {"zero"}}) local LOOP =', "drawn 1 1500 add"))
    assert.equal("1", status)
    assert.matches("add, operand 1, int16: zero is drawn, and the op claims that it is not", said,
                   1, true)
  end)

  -- LuaJIT keeps what is no number in NaNs with a sign: bits of elements must not become such.
  it("reads a NaN of any bits", function()
    local said, status = support.run([[
      jit.off()
      local arrays, locus = require "fuzz.callers.known.arrays", require "locus"
      for dtype, low in pairs {float32 = 2, complex64 = 2, float64 = 6, complex128 = 6} do
        local bytes = {}
        for b = low == 2 and 129 or 241, 255 do
          bytes[#bytes + 1] = (("\1"):rep(low) .. string.char(b, 255)):rep(2)
        end
        local a = arrays.read(locus.from_string(table.concat(bytes), dtype))
        for i = 0, 2 * #bytes - 1 do assert(a.v[i] ~= a.v[i]) end
      end]], {CALL_FOLDER = "/dev/null"}, "luajit -joff")
    assert.equal("", said)
    assert.equal(0, status)
  end)

  it("says how it is called", function()
    local said, status = run "other"
    assert.matches("fuzz/call hostile SEED COUNT", said, 1, true)
    assert.equal("2", status)
  end)
end)
