-- SPDX-License-Identifier: MIT
-- The vectors of spec/conformance/cases.lua once more, with every tensor on a CUDA device.
local locus = require "locus"
local runner = require "spec.conformance.runner"

local SHOWN = 10

describe("conformance on a CUDA device #cuda", function()
  local by_op, order = {}, {}
  for _, case in ipairs(dofile("spec/conformance/cases.lua")) do
    if not by_op[case.op] then
      by_op[case.op] = {}
      order[#order + 1] = case.op
    end
    table.insert(by_op[case.op], case)
  end

  setup(function()
    runner.device = "cuda"
    locus.set_default_dtype("float32")
  end)

  teardown(function()
    runner.device = "cpu"
    locus.set_default_dtype("float64")
  end)

  for _, op in ipairs(order) do
    it(("%s: %d cases"):format(op, #by_op[op]), function()
      local mismatches = {}
      for _, case in ipairs(by_op[op]) do
        local ok, wrong = pcall(runner.run, case, false)
        if not ok or wrong then
          mismatches[#mismatches + 1] = ("%s: %s"):format(case.id, tostring(wrong))
        end
      end
      local shown = table.concat(mismatches, "\n  ", 1, math.min(#mismatches, SHOWN))
      assert(#mismatches == 0, ("%d mismatches:\n  %s"):format(#mismatches, shown))
    end)
  end
end)
