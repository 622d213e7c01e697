-- SPDX-License-Identifier: MIT
-- searchsorted with side = "both": the right answers that are found from the left ones are those of
-- a search of their own. Runs of equal keys, each at the beginning, within and at the end of a row,
-- lie beside numbers that are there once or not at all. The seeds are fixed.

local locus = require "locus"

local floor, min, random = math.floor, math.min, math.random
local KEYS = { "float32", "float64", "int32", "int64" }

describe("side = \"both\" in searchsorted, in one walk", function()
  before_each(function()
    math.randomseed(11)
  end)

  for _, dtype in ipairs(KEYS) do
    it(dtype .. ": both sides at once, whatever the length of runs #host", function()
      local float = dtype:find "float"
      local top, nan = float and 1 / 0 or 2 ^ 31 - 1, float and 0 / 0 or 0
      local function row_of(n, length)
        local s = locus.empty({ n }, { dtype = "float64" })
        local p = s:data()
        for i = 0, n - 1 do
          p[i] = 2 * (floor(i / length) % 3 == 0 and floor(i / length) * length or i)
        end
        for i = n - length, n - 1 do
          p[i] = length % 2 == 0 and top or float and length % 3 == 0 and nan or 2 * (n - length)
        end
        return s:to(dtype)
      end
      local function check(n, length, m)
        local s = row_of(n, length)
        local v = locus.empty({ m }, { dtype = "float64" })
        local p = v:data()
        for i = 0, m - 1 do p[i] = random(-1, 2 * n) end
        for _ = 1, min(m, 9) do
          p[random(0, m - 1)] = top
          p[random(0, m - 1)] = nan
          p[random(0, m - 1)] = -0.0
        end
        v = v:to(dtype)
        local left, right = s:searchsorted(v, { side = "both" })
        local note = ("n = %d, runs of %d, m = %d"):format(n, length, m)
        assert.is_true(locus.equal(left, s:searchsorted(v)), note)
        assert.is_true(locus.equal(right, s:searchsorted(v, { right = true })), note)
      end
      for _, n in ipairs { 3, 17, 50, 64, 129, 257, 1000, 5000 } do
        for _, length in ipairs { 1, 2, 3, 7, 8, 16, 33, 1000 } do
          for _, m in ipairs { 3, 9, 65, 200 } do
            if length <= n then check(n, length, m) end
          end
        end
      end
      for _, length in ipairs { 1, 2, 7, 8, 9, 16, 17, 33, 70, 4000 } do -- down a tree
        check(2 ^ 18 + 40 + length, length, 33000)
      end
      check(300, 3, 2 ^ 20 + 5) -- answers past the caches
    end)
  end

  it("tells int64 past 2^53 apart #host", function()
    for _, n in ipairs { 5, 300, 2 ^ 18 } do
      local s = locus.empty({ n }, { dtype = "int64" })
      local p = s:data()
      for i = 0, n - 1 do p[i] = 2LL ^ 53 + floor(i / 3) * 2LL end
      local v = s:clone()
      p = v:data()
      for i = 0, n - 1 do p[i] = p[i] + i % 3 - 1 end
      local left, right = s:searchsorted(v, { side = "both" })
      assert.is_true(locus.equal(left, s:searchsorted(v)))
      assert.is_true(locus.equal(right, s:searchsorted(v, { right = true })))
      assert.is_false(locus.equal(left, right))
    end
  end)
end)
