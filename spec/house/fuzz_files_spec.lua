-- SPDX-License-Identifier: MIT
-- fuzz/files.lua on its seeds, on what once broke a reader of files, and on seeds whose bytes were
-- changed at random.
local support = require "spec.support"

describe("fuzz/files.lua #host #once", function()
  it("finds that files are read, the same when mapped, or refused in a sentence", function()
    local folder = os.tmpname()
    os.remove(folder)
    local output, status = support.run([[
      local files = dofile "fuzz/files.lua"
      local seeds, made = files.seeds(), {}
      for i, bytes in ipairs(seeds) do made[i] = bytes end
      for name in io.popen("find fuzz/crashes/files -type f 2>/dev/null"):lines() do
        made[#made + 1] = io.open(name, "rb"):read "*a"
      end
      math.randomseed(4711)
      for i = 1, 3000 do
        local bytes = seeds[i % #seeds + 1]
        for _ = 1, math.random(4) do
          local at = math.random(2, #bytes)
          bytes = bytes:sub(1, at - 1) .. string.char(math.random(0, 255)) .. bytes:sub(at + 1)
        end
        made[#made + 1] = i % 5 > 0 and bytes or bytes:sub(1, math.random(#bytes))
      end
      for _, bytes in ipairs(made) do
        local ok, message = pcall(files.check, bytes)
        if not ok then print(("%q: %s"):format(bytes, message)) end
      end
      io.write(#made >= 3049 and "all" or "few")
    ]], {FUZZ_FOLDER = folder})
    os.execute("rm -r " .. folder)
    assert.equal("all", output)
    assert.equal(0, status)
  end)
end)
