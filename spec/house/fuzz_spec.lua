-- SPDX-License-Identifier: MIT
-- The inputs that once broke a reader of text, and those that the fuzzer begins with, run through
-- the fuzzer's targets under sanitizers of their own: once, since src/text has no instruction sets.
local wanted = not os.getenv("LD_PRELOAD")

local function output_of(command)
  local pipe = io.popen(command .. " 2>&1; echo \"status $?\"")
  local text = pipe:read("*a")
  pipe:close()
  return text
end

describe("fuzz/run replay #host #native #once", function()
  if not wanted or not output_of("command -v cc"):find("status 0") then
    pending("runs without other sanitizers, where there is a C compiler")
    return
  end

  it("runs every input of each target", function()
    local folder = os.tmpname()
    os.remove(folder)
    local said = output_of("fuzz/run replay " .. folder)
    os.execute("rm -r " .. folder)
    local counts = {}
    for count in said:gmatch("(%d+) inputs replayed") do counts[#counts + 1] = tonumber(count) end
    assert.equal(6, #counts, said)
    for _, count in ipairs(counts) do assert.is_true(count > 1) end
    assert.truthy(said:find("status 0\n$"), said)
  end)
end)
