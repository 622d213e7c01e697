-- SPDX-License-Identifier: MIT
-- Every vector of spec/conformance/cases.lua (or of the file LOCUS_CASES names) against the public
-- API, grouped by operation and class. The last lines say how many were judged by PyTorch's answer
-- and how many by which rule of ours.

local locus = require "locus"
local runner = require "spec.conformance.runner"

local GIVEN = "spec/conformance/cases.lua"
local SHOWN = 10
local path = os.getenv("LOCUS_CASES") or GIVEN

local function group(cases)
  local groups, order = {}, {}
  for _, case in ipairs(cases) do
    local name = case.op .. ", class " .. case.class
    if not groups[name] then
      groups[name] = {}
      order[#order + 1] = name
    end
    table.insert(groups[name], case)
  end
  return groups, order
end

local function cases_in_text()
  local count = 0
  for line in io.lines(path) do
    count = count + (line:sub(1, 4) == "add{" and 1 or 0)
  end
  return count
end

describe("conformance", function()
  local cases = dofile(path)
  local groups, order = group(cases)
  local seen = { cases = 0, again = 0, passed = 0, by_pytorch = 0, by_rule = {} }

  local function run(case, numbers, mismatches)
    local ok, wrong, rule = pcall(runner.run, case, numbers)
    if not ok then
      wrong = "the runner failed: " .. tostring(wrong)
    end
    if wrong then
      local how = numbers and " with Lua numbers" or ""
      mismatches[#mismatches + 1] = ("%s%s: %s"):format(case.id, how, wrong)
    else
      seen.passed = seen.passed + 1
    end
    if rule then
      seen.by_rule[rule] = (seen.by_rule[rule] or 0) + 1
    else
      seen.by_pytorch = seen.by_pytorch + 1
    end
  end

  setup(function()
    locus.set_default_dtype("float32")
  end)

  teardown(function()
    locus.set_default_dtype("float64")
  end)

  for _, name in ipairs(order) do
    it(("%s: %d cases"):format(name, #groups[name]), function()
      local mismatches = {}
      for _, case in ipairs(groups[name]) do
        seen.cases = seen.cases + 1
        run(case, false, mismatches)
        if runner.has_numbers(case) then
          seen.again = seen.again + 1
          run(case, true, mismatches)
        end
      end
      local shown = table.concat(mismatches, "\n  ", 1, math.min(#mismatches, SHOWN))
      assert(#mismatches == 0, ("%d mismatches:\n  %s"):format(#mismatches, shown))
    end)
  end

  it("accounts for every case of the file", function()
    local judged = seen.by_pytorch
    local rules = {}
    for rule, count in pairs(seen.by_rule) do
      judged = judged + count
      rules[#rules + 1] = ("%6d  %s"):format(count, rule)
    end
    table.sort(rules, function(a, b) return a:sub(9) < b:sub(9) end)
    print(("\nconformance: %d cases of %s,"):format(seen.cases, path))
    print(("%d of them run again with Lua numbers for ints;"):format(seen.again))
    print(("%d of %d runs passed"):format(seen.passed, judged))
    print(("%6d  judged by the answer of PyTorch"):format(seen.by_pytorch))
    print(table.concat(rules, "\n"))
    assert.are.equal(cases_in_text(), seen.cases)
    assert.are.equal(seen.cases + seen.again, judged)
    assert.are.equal(judged, seen.passed)
  end)

  if path == GIVEN then
    it("has a case for every rule, and the 4,802 cases it was given", function()
      assert.are.equal(4802, seen.cases)
      for _, rule in ipairs(require "spec.conformance.rules") do
        assert.is_truthy(seen.by_rule[rule.name], rule.name)
      end
    end)
  end
end)
