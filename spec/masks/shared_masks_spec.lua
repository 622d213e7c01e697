-- SPDX-License-Identifier: MIT
-- Threads select by masks from slices of a chunk where elements are far apart: the same elements in
-- the same order, and shared from 16,384 elements on.
local locus = require "locus"
local shared = require "spec.support.trials.shared"

describe("masked elements #host", function()
  after_each(shared.restore)

  -- A transposed matrix of n rows and columns, and a mask of it with that share.
  local function transposed(n, share)
    return locus.rand({n, n}):t(), locus.rand({n, n}):lt(share)
  end

  it("of strided tensors are those of one thread", function()
    locus.manual_seed(3)
    for _, n in ipairs {1, 40, 140, 300, 391} do
      for _, share in ipairs {0, 0.01, 0.5, 1} do
        local x, mask = transposed(n, share)
        local bytes = (x * 100):to("int8"):t():contiguous():t()
        shared.check("select", function() return x[mask], bytes[mask], x:t()[mask] end)
        shared.check("scatter", function()
          local y, z = x:clone():t():contiguous():t(), bytes:clone()
          y[mask] = locus.arange(mask:count_nonzero())
          z[mask] = locus.arange(mask:count_nonzero()) % 100
          return y:contiguous(), z
        end)
      end
    end
  end)

  it("are shared where they are far apart, though they are one chunk", function()
    local x, mask = transposed(250, 0.5)
    assert.is_true(shared.jobs(2, function() return x[mask] end) >= 1)
    local near = x:contiguous()
    assert.equal(0, shared.jobs(2, function() return near[mask] end))
    assert.equal(0, shared.jobs(1, function() return x[mask] end))
  end)
end)
