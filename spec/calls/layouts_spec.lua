-- SPDX-License-Identifier: MIT
-- Every op on every layout with every size answers what it answers in C order: the rows of spec/ops
-- that have `layouts`. A public function that has none, and no reason, fails a spec.
local locus = require "locus"
local core = require "locus.core"
local layouts = require "spec.support.data.layouts"
local support = require "spec.support"
local ops = require "spec.ops"

local function show(shape) return table.concat(shape, "x") end

local NEEDS_CUDA = {cuda = true, pin_memory = true}

-- Some calls of a case must answer, the others raise alike. A device may meet too few to say so.
local function check(case, number)
  local f, answers = ops.public(case.name), 0
  for _, pair in ipairs(layouts.pairs(case.dtype, number)) do
    if not (case.writes and pair.repeats) then
      local want = layouts.outcome(case.call, f, pair.plain)
      local got = layouts.outcome(case.call, f, pair.laid)
      if got ~= want then
        error(("%s of size %s, %s: other than in C order"):format(case.dtype, show(pair.shape),
          pair.name))
      end
      if not got:find("error: ", 1, true) then answers = answers + 1 end
    end
  end
  local sampled = support.slow or locus.get_default_device() ~= "cpu"
  assert.is_true(answers > 0 or sampled, "no call has answered")
end

describe("in every layout and of every size #layouts:", function()
  for number, case in ipairs(ops.layouts) do
    local tag = NEEDS_CUDA[case.name] and " #cuda" or ""
    it(case.name .. " of " .. case.dtype .. tag, function() check(case, number) end)
  end

  it("every public function is called, or has a reason why not", function()
    local covered, excused, missing, both = {}, {}, {}, {}
    for _, case in ipairs(ops.layouts) do covered[case.name] = true end
    for _, entry in ipairs(ops.rows) do
      if entry.row.unlaid then excused[entry.name] = true end
    end
    for _, functions in ipairs {core.methods, core.metatable, locus} do
      for name, value in pairs(functions) do
        if type(value) == "function" then
          local list = covered[name] and excused[name] and both
            or not covered[name] and not excused[name] and missing
          if list then list[#list + 1] = name end
        end
      end
    end
    assert.same({}, missing, "spec/ops has no row with layouts or `unlaid` of")
    assert.same({}, both, "spec/ops has rows with layouts and with `unlaid` of")
  end)
end)
