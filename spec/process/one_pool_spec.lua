-- SPDX-License-Identifier: MIT
-- One pool for all functions: small work and one thread share nothing, wherever the number of
-- threads comes from; readers, writers, groups, joins and sorts ask the same pool.
local support = require "spec.support"

-- Functions that share, by their names in bench/threads/rows.lua.
local SHARING = {"read_csv", "read_log", "chunks", "frame:take", "frame:write_csv",
                 "frame:write_json", "frame:group", "group:sum", "group:mean", "group:quantile",
                 "group:agg", "frame:join",
                 "frame:asof", "frame:unique", "frame:sort", "strings:eq", "strings:sort", "unique",
                 "sort", "argsort", "rank", "quantile", "lookup", "isin", "segment", "take",
                 "bernoulli", "choice"}
-- Those of them that do so at the size of this spec in every build.
local SURELY = {"read_csv", "read_log", "chunks", "frame:take", "strings:eq", "choice"}

local PRELUDE = [[
  local ngx = ...
  if ngx then package.loaded.ngx = {} end
  local locus = require "locus"
  local internal = require("locus.core").internal
  require("bench.threads.rows").set_size(1e5)
  local calls = require "bench.threads.calls"
  local function threads()
    return tonumber(io.open("/proc/self/status"):read("*a"):match("Threads:%s*(%d+)"))
  end
  -- The number of shared jobs of the calls of that name.
  local function shared(name)
    internal.count_shared(true)
    for _, each in ipairs(calls.of(name)) do each.call() end
    return (internal.count_shared(false))
  end
]]

local function printed(chunk, environment)
  local output, status = support.run(PRELUDE .. chunk, environment)
  assert.equal(0, status, output)
  return output
end

local function list(names) return "{'" .. table.concat(names, "', '") .. "'}" end

-- Says which of these functions shared anything, and how many threads there are.
local ASK = ([[
  for _, name in ipairs %s do
    if shared(name) > 0 then io.write(name, " ") end
  end
  print(locus.get_num_threads(), threads())
  require("bench.threads.rows").close()]]):format(list(SHARING))

describe("one thread #host #native", function()
  local NONE = "1\t1\n"

  it("shares nothing and starts nothing, by set_num_threads", function()
    assert.equal(NONE, printed("locus.set_num_threads(1)" .. ASK, {LOCUS_NUM_THREADS = "5"}))
  end)

  it("shares nothing and starts nothing, by LOCUS_NUM_THREADS", function()
    assert.equal(NONE, printed(ASK, {LOCUS_NUM_THREADS = "1"}))
  end)

  it("shares nothing and starts nothing, inside nginx", function()
    local in_nginx = PRELUDE:gsub("%.%.%.", "true", 1)
    local output, status = support.run(in_nginx .. ASK, {LOCUS_NUM_THREADS = ""})
    assert.equal(0, status, output)
    assert.equal(NONE, output)
  end)
end)

describe("several threads #host #native", function()
  it("share in what is long, until there is one again", function()
    local output = printed(([[
      for _, name in ipairs %s do
        locus.set_num_threads(3)
        local several = shared(name)
        locus.set_num_threads(1)
        io.write(several > 0 and "yes" or name, shared(name) == 0 and " no " or " yes ")
      end
      print(threads())
      require("bench.threads.rows").close()]]):format(list(SURELY)), {LOCUS_NUM_THREADS = "1"})
    assert.equal(("yes no "):rep(#SURELY) .. "3\n", output)
  end)

  it("share in no small call of any function", function()
    local output = printed([[
      local ops = require "spec.ops"
      for _, entry in ipairs(ops.calls) do
        local e = entry.make(locus)
        internal.count_shared(true)
        local _ = pcall(entry.call, locus, e)
        if internal.count_shared(false) > 0 then io.write(entry.name, " ") end
      end
      local x = locus.arange(2000)
      internal.count_shared(true)
      local _ = x + 1, x:sum(), x:sqrt(), x:gt(3):nonzero()
      print(internal.count_shared(false))]], {LOCUS_NUM_THREADS = "5", LOCUS_SMALL_PIECES = ""})
    assert.equal("0\t0\t0\t0\n", output)
  end)
end)
