-- SPDX-License-Identifier: MIT
-- The keys of f:join: of two names, of how many rows, and which frame lacks one.
local locus = require "locus"
local support = require "spec.support"

local message = support.message

describe("f:join", function()
  it("takes keys of other names on the other side, and brings none of these", function()
    local f = locus.frame {{"id", {1, 2, 2, 3}}, {"x", {1, 2, 3, 4}}}
    local g = locus.frame {{"uid", {2, 3, 9}}, {"y", {"a", "b", "c"}}}
    local same = g:rename("uid", "id")
    for _, how in ipairs {"inner", "left", "semi", "anti"} do
      assert.equal(tostring(f:join(same, {on = "id", how = how})),
        tostring(f:join(g, {left_on = "id", right_on = "uid", how = how})))
    end
    local two = locus.frame {{"a", {2, 3}}, {"b", {3, 4}}, {"y", {"a", "b"}}}
    local wide = f:join(two, {left_on = {"id", "x"}, right_on = {"a", "b"}})
    assert.same({"id", "x", "y"}, wide:columns())
    assert.same({"a", "b"}, wide.y:totable())
    local crossed = locus.frame {{"x", {2, 3}}, {"id", {7, 8}}}
    assert.same({7, 7, 8}, f:join(crossed, {left_on = "id", right_on = "x", suffix = "_r"})
      .id_r:totable())
  end)

  it("says where keys occur more often than validate has it", function()
    local f = locus.frame {{"id", {1, 2, 2, 3}}}
    local g = locus.frame {{"id", {2, 3, 9}}, {"y", {"a", "b", "c"}}}
    for _, relation in ipairs {"m:1", "m:m", "many_to_one"} do
      assert.equal(3, #f:join(g, {on = "id", validate = relation}))
    end
    for _, relation in ipairs {"1:1", "1:m", "one_to_many"} do
      assert.equal(('join: validate = "%s" says that a key is in one row of the frame, and rows 2 '
        .. "and 3 have one key"):format(relation),
        message(f.join, f, g, {on = "id", validate = relation}))
    end
    assert.equal("join: validate = \"m:1\" says that a key is in one row of 'other', and rows 2 "
      .. "and 3 have one key", message(g.join, g, f, {on = "id", validate = "m:1"}))
    assert.equal(3, #g:join(f, {on = "id", validate = "1:m"}))
    assert.equal("join: 'validate' must be \"1:1\", \"1:m\", \"m:1\" or \"m:m\", got \"one\"",
      message(f.join, f, g, {on = "id", validate = "one"}))
  end)

  it("says which frame lacks a key, and which argument is missing", function()
    local f = locus.frame {{"id", {1}}, {"x", {1}}}
    local g = locus.frame {{"uid", {2}}, {"y", {"a"}}}
    local function says(wanted, options)
      assert.equal("join: " .. wanted, message(f.join, f, g, options))
    end
    says("'right_on' is missing, the keys of 'other'", {left_on = "id"})
    says("'left_on' is missing, the keys of the frame itself", {right_on = "uid"})
    says("'on' names the keys of both frames; write it alone, or left_on and right_on",
      {on = "id", left_on = "id"})
    says("'left_on' and 'right_on' must name as many columns, got 2 and 1",
      {left_on = {"id", "x"}, right_on = "uid"})
    says("'other' has no column 'id'; it has 'uid', 'y'", {on = "id"})
    says("the frame has no column 'y'; it has 'id', 'x'", {on = "y"})
    says("the column 'id' and the other frame's 'y' must be of the same kind, got float64 and "
      .. "string", {left_on = "id", right_on = "y"})
    assert.equal("asof: 'other' has no column 'x'; it has 'uid', 'y'",
      message(f.asof, f, g, {on = "x"}))
  end)
end)
