-- SPDX-License-Identifier: MIT
-- .ci/sizes itself, with other sizes: its checks of large tensors hold for small ones.
local support = require "spec.support"

describe(".ci/sizes #host #once #program", function()
  it("finds nothing wrong around 4096 elements, without loops", function()
    local said, status = support.run("", {LOCUS_BUILD = os.getenv("LOCUS_BUILD") or "build"},
                                     "luajit .ci/sizes 0 0 4096")
    assert.matches("\n==> report: sizes: %d%d%d checks, 0 wrong\n$", said)
    assert.equal(0, status)
  end)
end)
