-- SPDX-License-Identifier: MIT
-- Every call of spec/ops with the next allocation failing: from then on where
-- `persistent`, else once, when the call collects garbage and comes through.
local locus = require "locus"
local failing = require "spec.support.trials.failing"
local support = require "spec.support"

return function(persistent)
  failing({
    arm = function(k) locus.fail_allocation(k, persistent) end,
    disarm = function() return locus.fail_allocation(0) end,
    message = "out of memory.* %(wanted %d+ bytes.*%)",
    whole = true, always = persistent,
  }, function(entry, k)
    if k == 1 and entry.allocates ~= false then print(entry.name .. " allocates nothing") end
    local claims_none = entry.allocates == false and support.device == "cpu"
    if k > 1 and claims_none then print(entry.name .. " allocates") end
  end)
end
