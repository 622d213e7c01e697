-- SPDX-License-Identifier: MIT
-- Input that others stumble over: the answers are those of docs/hostile.md.
local hostile = require "spec.support.data.hostile"

describe("read_csv of hostile input #once", function()
  for _, case in ipairs(hostile.cases()) do
    it(case.what, function() assert.equal(case.answer, hostile.answer(case.text)) end)
  end

  it("is all of the table", function() assert.equal(35, #hostile.cases()) end)
end)
