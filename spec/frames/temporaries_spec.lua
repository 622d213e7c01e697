-- SPDX-License-Identifier: MIT
-- Sorted copies, orders and counts go when the call ends that made them, without a collection.
local locus = require "locus"

local N = 40000

-- The bytes of a frame's columns.
local function bytes_of(frame)
  local bytes = 0
  for _, name in ipairs(frame:columns()) do
    local c = frame:column(name)
    bytes = bytes + (locus.is_tensor(c) and c:element_size() or 4) * #frame
  end
  return bytes
end

-- How many bytes a call leaves behind beside the columns of the frame that it answers.
local function left_by(call)
  call() -- makes what is kept for good
  collectgarbage()
  collectgarbage()
  collectgarbage "stop"
  local before = locus.live_bytes()
  local made = call()
  local left = locus.live_bytes() - before - bytes_of(made)
  collectgarbage "restart"
  return left
end

describe("what a frame's call makes meanwhile #host", function()
  if locus.memory.stats().cache_limit == 0 and os.getenv "LD_PRELOAD" then return end
  local g = locus.generator(5)
  local time = locus.randperm(N, {generator = g})
  local frame = locus.frame{{"time", time}, {"price", locus.rand(N, {generator = g})},
    {"key", locus.randint(0, 50, {N}, {generator = g})}}
  -- Each key's rows ascend, all together do not.
  local by_key = frame:sort("key", "time")
  local other = by_key:rename("price", "bid")

  -- Whole columns of N rows that may be left: those that may be a caller's, too.
  for name, case in pairs {
    ["asof of unsorted sides"] = {3.1, function()
      return by_key:asof(other, {on = "time", by = "key", missing = {}})
    end},
    ["sort by three keys"] = {0.2, function() return frame:sort{"key", "-price", "time"} end},
    ["join of several rows each"] = {2.5, function()
      return frame:join(other:head(2000), {on = "key", suffix = "_2", how = "inner"})
    end},
  } do
    it("goes when it ends: " .. name, function()
      local left = left_by(case[2]) / (8 * N)
      assert.is_true(left < case[1], left)
    end)
  end
end)
