-- SPDX-License-Identifier: MIT
-- locus.sketch: every quantile within its error beside sorted numbers, parts that merge into the
-- whole, bytes there and back, and what it refuses.
local locus = require "locus"
local support = require "spec.support"

local message, nan = support.message, support.nan
local random = math.random

-- Numbers of one kind: of any magnitude and sign, of one, small whole ones, few different ones.
local KINDS = {
  function() return (random() < 0.5 and -1 or 1) * 10 ^ (random() * 40 - 20) end,
  function() return random() * 100 end,
  function() return random(-20, 20) end,
  function() return 5 end,
  function() return -(10 ^ (random() * 6 - 3)) end,
}

local function drawn(n, kind)
  local list = {}
  for i = 1, n do list[i] = kind() end
  return list
end

-- Whether the answer is the element of a sorted list at the place of q, up to a share of it.
local function check(sorted, q, answer, accuracy)
  local right = sorted[math.floor(q * (#sorted - 1)) + 1]
  assert.is_true(math.abs(answer - right) <= accuracy * (1 + 1e-9) * math.abs(right),
    ("q = %g: %.17g, not %.17g"):format(q, answer, right))
end

local SHARES = {0, 0.001, 0.05, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1}

describe("locus.sketch", function()
  it("finds every quantile within its accuracy", function()
    math.randomseed(81)
    for _, kind in ipairs(KINDS) do
      for _, accuracy in ipairs {0.5, 0.01, 0.001} do
        for _, n in ipairs {1, 2, 100, 1500} do
          local list = drawn(n, kind)
          local one, all = locus.sketch {accuracy = accuracy}, locus.sketch {accuracy = accuracy}
          for _, x in ipairs(list) do one:push(x) end
          all:push(list)
          table.sort(list)
          assert.same(one:quantile(SHARES), all:quantile(SHARES))
          for i, q in ipairs(SHARES) do
            check(list, q, all:quantile(q), accuracy)
            assert.equal(all:quantile(q), all:quantile(SHARES)[i])
          end
          assert.same({n, list[1], list[n]}, {#all, all:min(), all:max()})
          assert.equal(n, one:count())
        end
      end
    end
  end)

  it("holds numbers of all magnitudes", function()
    local list = {-1.7e308, -1, -2.3e-308, 2.3e-308, 1e-150, 1e150, 1.7e308}
    local s = locus.sketch {accuracy = 0.1}:push(list)
    for i = 1, #list do check(list, (i - 1) / 6, s:quantile((i - 1) / 6), 0.1) end
    for _, accuracy in ipairs {0.5, 0.1, 0.01} do
      local most = locus.sketch {accuracy = accuracy}:push {1, 1.79e308, 1.79e308, math.huge}
      check({1.79e308}, 0.5, most:quantile(0.5), accuracy)
    end
  end)

  it("takes elements of every real dtype and layout", function()
    for _, dtype in ipairs {"bool", "uint8", "int8", "int16", "int32", "int64", "float16",
                            "bfloat16", "float32", "float64"} do
      local x = locus.tensor({{0, 1, 0}, {1, 1, 1}}, {dtype = dtype})
      local s = locus.sketch():push(x:t())
      assert.same({6, 0, 4}, {#s, s:min(), s:sum()})
      check({0, 0, 1, 1, 1, 1}, 0.5, s:quantile(0.5), 0.01)
    end
    assert.equal(1, #locus.sketch():push(locus.tensor(3)))
    assert.equal(0, #locus.sketch():push(locus.zeros(0)))
    local far = locus.LongTensor {"9007199254740993"}
    check({2 ^ 53}, 0.5, locus.sketch():push(far):quantile(0.5), 0.01)
    assert.equal("push: 'values' must be real, got a complex128 tensor of size 1",
      message(locus.sketch().push, locus.sketch(), locus.zeros({1}, {dtype = "complex128"})))
  end)

  it("leaves NaN out, and keeps infinities, zeros of both signs and subnormals", function()
    local s = locus.sketch():push {nan, 1 / 0, -1 / 0, 0, -0.0, 5e-324, -5e-324, nan, 7}
    s:push(nan)
    assert.equal(7, #s)
    assert.same({-1 / 0, 0, 0, 0, 1 / 0}, s:quantile {0, 1 / 6, 0.5, 4 / 6, 1})
    check({7}, 1, s:quantile(5 / 6), 0.01)
    assert.is_true(s:mean() ~= s:mean())
    local none = locus.sketch():push(nan)
    assert.is_true(none:quantile(0.5) ~= none:quantile(0.5) and none:min() ~= none:min())
    assert.same({0, 0, 2}, {#none, none:sum(), #none:quantile {0, 1}})
  end)

  it("merges parts into the sketch of all, in any order, also from bytes", function()
    math.randomseed(82)
    for _ = 1, 20 do
      local all, parts = locus.sketch(), {}
      for i = 1, random(6) do
        local list = drawn(random(0, 300), KINDS[random(#KINDS)])
        parts[i] = locus.sketch():push(list)
        all:push(list)
      end
      local merged, of_bytes = locus.sketch(), locus.sketch()
      for i = #parts, 1, -1 do merged:merge(parts[i]) end
      for _, part in ipairs(parts) do of_bytes:merge(part:tobytes()) end
      if #all > 0 then
        assert.same(all:quantile(SHARES), merged:quantile(SHARES))
        assert.same(all:quantile(SHARES), of_bytes:quantile(SHARES))
      end
      assert.equal(#all, #merged)
      local again = locus.sketch {bytes = merged:tobytes()}
      assert.equal(merged:tobytes(), again:tobytes())
      assert.equal(#all, #again)
    end
    local s = locus.sketch():push {1, 2, 3}
    assert.equal(6, #s:merge(s))
    assert.equal(3, #locus.sketch():push {1, 2, 3}:merge(locus.sketch()))
  end)

  it("leaves what was merged as it was, and forgets when asked", function()
    local a, b = locus.sketch():push {1, 2}, locus.sketch():push {3}
    local bytes = b:tobytes()
    a:merge(b):push {4, 4, 4}
    assert.equal(bytes, b:tobytes())
    assert.equal(0, #a:clear())
    assert.equal(0.01, tonumber(tostring(a):match("accuracy ([%d.]+)")))
    assert.equal("[sketch of 1 number, accuracy 0.01]", tostring(b))
  end)

  it("says what is wrong", function()
    local s = locus.sketch():push(1)
    assert.equal("sketch: 'accuracy' must be from 0.0001 to 0.5, got 1",
      message(locus.sketch, {accuracy = 1}))
    assert.equal("quantile: 'q' must be a number from 0 to 1, or a list of such, got the number 2",
      message(s.quantile, s, 2))
    assert.equal("merge: 'other' has the accuracy 0.1, and this one 0.01; only equal ones merge",
      message(s.merge, s, locus.sketch {accuracy = 0.1}))
    assert.equal("merge: 'other' must be a sketch or the bytes of one, got the number 5",
      message(s.merge, s, 5))
    assert.equal("sketch: 'bytes' are of a sketch of accuracy 0.01, not 0.1",
      message(locus.sketch, {bytes = s:tobytes(), accuracy = 0.1}))
    assert.equal("push: 'sketch' must be made by locus.sketch, got the number 5",
      message(s.push, 5, 1))
    assert.matches("a sketch has no 'median'; it has push, ",
      message(function() return s.median end))
    assert.matches("a sketch has no fields", message(function() s.x = 1 end))
  end)

  it("refuses bytes of anything else, and every damage that could lead astray", function()
    local bytes = locus.sketch():push {1, -2, 0, 1 / 0}:tobytes()
    for _, wrong in ipairs {"", "abc", bytes:sub(1, -2), bytes .. "x", ("x"):rep(200)} do
      assert.matches("^sketch: 'bytes' must come from a sketch's tobytes, got ",
        message(locus.sketch, {bytes = wrong}))
    end
    assert.matches("^sketch: 'bytes' must be a string", message(locus.sketch, {bytes = 5}))
    math.randomseed(83)
    for _ = 1, 500 do
      local i = random(#bytes)
      local damaged = bytes:sub(1, i - 1) .. string.char(random(0, 255)) .. bytes:sub(i + 1)
      local ok, made = pcall(locus.sketch, {bytes = damaged})
      if ok then
        assert.is_number(made:quantile(0.5))
        assert.equal(#damaged, #made:tobytes())
        assert.equal(2 * #made, #made:merge(damaged))
      else
        assert.matches("'bytes' must come from a sketch's tobytes", made)
      end
    end
  end)
end)
