-- SPDX-License-Identifier: MIT
-- Memory that others write to while calls read it: a thread through a pointer of from_ptr, and
-- through another mapping of a file, as another process would. Answers may be any, and errors come
-- and go; but no call reads or writes past its tensors, and none divides by 0.
local support = require "spec.support"

-- How long each call meets the writer. In a process of its own, since the memory is not there any
-- more where one fails.
local SECONDS = os.getenv "LOCUS_THOROUGH" and 1 or 0.01

local library

describe("what changes while it is read #native #host", function()
  setup(function()
    library = os.tmpname()
    assert.equal(0, os.execute(("env -u LD_PRELOAD cc -shared -fPIC -O1 -pthread "
      .. "spec/support/trials/changing.c -o %s"):format(library)))
  end)
  teardown(function() os.remove(library) end)

  it("harms nothing", function()
    local output, status = support.run(
      ("require 'spec.support.trials.changing'(%q, %g)"):format(library, SECONDS))
    assert.equal("survived\n", output:match("[^\n]*\n$"), output)
    assert.equal(0, status, output)
  end)

  it("is named as it was when it was found to be wrong", function()
    for _, calls in ipairs{"^take int64", "^sorter, few int32", "^segment sum int64", "^int int64",
                           "^bincount, few int64", "^remainder int64", "^sorter, checked"} do
      local output = support.run(("require 'spec.support.trials.changing'(%q, %g, %q)"):format(
        library, 10 * SECONDS, calls))
      assert.equal("survived\n", output:match("[^\n]*\n$"), output)
    end
  end)

  it("is said, where positions lead nowhere when they are used", function()
    local output = support.run(
      ("require 'spec.support.trials.changing'(%q, .5, '^gather into out int64')"):format(library),
      {CHANGING_SHOW = "1"})
    assert.is_truthy(output:find("gather: positions changed while they were read: another thread "
      .. "or process writes there", 1, true) or output:find("gather: index %-?%d+ at"), output)
  end)
end)
