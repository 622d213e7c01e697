-- SPDX-License-Identifier: MIT
-- lua/locus/meta/functions.lua, by which editors know the functions, is what .ci/meta writes of
-- their declarations; and a parameter of a type that nothing says is named.
local declare = require "locus.call.declare"
local locus = require "locus"
local support = require "spec.support"

describe("meta/functions.lua #host #once", function()
  it("is what .ci/meta writes of the functions", function()
    local file = assert(io.open("lua/locus/meta/functions.lua"))
    local text = file:read("*a")
    file:close()
    assert(text == dofile(".ci/meta.lua"), "lua/locus/meta/functions.lua is not current: "
      .. "run .ci/meta")
  end)

  it("wants the type of each parameter", function()
    rawset(locus, "untyped", declare.define("untyped(strange:any)", function() end))
    local said = support.message(dofile, ".ci/meta.lua")
    rawset(locus, "untyped", nil)
    assert.equal(".ci/types.lua has no type of 'strange' of untyped", said)
  end)
end)
