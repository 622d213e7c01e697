-- SPDX-License-Identifier: MIT
-- What docs/differences.md says of PyTorch and NumPy, run by differences.py where
-- `./bootstrap.sh peers` has installed them, so that a release that changes an answer is seen.
local files = require "spec.support.text"
local pages = require "spec.support.docs.pages"

local python = files.peers().new

describe("docs/differences.md #host #once #program", function()
  if not python or os.getenv "LD_PRELOAD" then
    pending("needs PyTorch and NumPy, and no sanitizer: write ./bootstrap.sh peers")
    return
  end

  it("is right about PyTorch and NumPy", function()
    local page, count = pages.read "docs/differences.md", 0
    local pipe = io.popen(python .. " spec/peers/differences.py 2>&1")
    for line in pipe:lines() do
      local said, topic, why = line:match "^(%a+)\t([^\t]+)\t(.*)$"
      assert.equal("holds", said, line .. (why or ""))
      assert.is_truthy(page:find("| " .. topic .. " |", 1, true), "no row of the page: " .. topic)
      count = count + 1
    end
    pipe:close()
    assert.is_true(count >= 32, count)
  end)
end)
