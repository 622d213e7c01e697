-- SPDX-License-Identifier: MIT
-- The random callers of fuzz/call, a few calls of each: that they run, find nothing, and make the
-- same calls of the same seed.
local support = require "spec.support"

-- The library of a sanitizer is for luajit alone: what else the script starts ends under it.
local sanitizer = os.getenv "LD_PRELOAD"
local prefix = sanitizer
  and "env -u LD_PRELOAD CALL_PREFIX=" .. support.quote("env LD_PRELOAD=" .. sanitizer) or "env"

-- What fuzz/call says on both streams, and its status.
local function run(arguments)
  local build = support.quote(package.cpath:match "([^;]*)/%?%.so" or "build")
  local command = ("%s LOCUS_BUILD=%s fuzz/call %s 2>&1"):format(prefix, build, arguments)
  local pipe = io.popen(command .. "; echo status $?")
  local text = pipe:read "*a"
  pipe:close()
  return text:match "^(.*)status (%d+)\n$"
end

describe("fuzz/call #host #once", function()
  it("makes hostile calls, which break nothing", function()
    local said, status = run "hostile 7 1500"
    assert.matches("^hostile: 1500 calls of seed 7, of which %d+ answered, 0 wrong\n$", said)
    assert.equal("0", status)
  end)

  it("makes calls whose answers are known, the same of a seed #native", function()
    local said, status = run "known 7 3"
    assert.matches("\nknown: 133 ops on %w+, seed 7, %d+ elements, 0 wrong\n$", said)
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
