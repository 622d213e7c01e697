-- SPDX-License-Identifier: MIT
-- The table of docs/threads.md has a row for each public function, and no other.
-- ./bench/run threads makes it anew.
local threads = require "bench.threads"

-- The functions of the table, in its order, and how they share.
local function table_of(path)
  local file = assert(io.open(path))
  local names, shares = {}, {}
  for line in file:lines() do
    local name, share = line:match "^| `([^`]+)` | (%S+) |"
    if name then names[#names + 1], shares[name] = name, share end
  end
  file:close()
  return names, shares
end

describe("the table of docs/threads.md", function()
  local names, shares = table_of "docs/threads.md"

  it("has every public function, in order", function()
    assert.same(threads.names(), names)
  end)

  it("says that long functions share, and that views are short", function()
    for _, name in ipairs {"add", "where", "searchsorted", "nonzero", "sum", "read_csv", "read_log",
                           "chunks"} do
      assert.equal("yes", shares[name], name)
    end
    for _, name in ipairs {"view", "t", "select", "size"} do
      assert.equal("short", shares[name], name)
    end
  end)

  it("is made of calls that the pool is asked about", function()
    local locus = require "locus"
    local before = locus.get_num_threads()
    finally(function() locus.set_num_threads(before) end)
    locus.set_num_threads(2)
    local x = locus.rand(1e6)
    local function call() return x + 1 end
    local found = threads.measure(call)
    assert.is_true(found.jobs > 0 and found.shared > 0 and found.shared < found.seconds)
    locus.set_num_threads(1)
    found = threads.measure(call)
    assert.same({0, 0}, {found.jobs, found.shared})
  end)
end)
