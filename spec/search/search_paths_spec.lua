-- SPDX-License-Identifier: MIT
-- searchsorted: every search strategy, on both sides of the sizes at which it changes. The specs
-- check the law of the documentation: the element in front of an answer counts for the value, the
-- one behind it does not. The seeds are fixed.

local arrays = require "spec.support.data.arrays"
local locus = require "locus"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local before, random, floor, min = oracle.before, math.random, math.floor, math.min
local KEYS = { "float32", "float64", "int32", "int64" }

-- Answers of both sides with base = 0; `row` is in the order of the search.
local function keep_law(row, values, left, right, descending, note)
  local n = #row
  local function precedes(a, b)
    if descending then
      a, b = b, a
    end
    return before(a, b)
  end
  for k, v in ipairs(values) do
    local i, j = left[k], right[k]
    local good = (i == 0 or precedes(row[i], v)) and (i == n or not precedes(row[i + 1], v))
      and (j == 0 or not precedes(v, row[j])) and (j == n or precedes(v, row[j + 1]))
    if not good then
      error(("value %d of %d, %s: %d and %d in %d %s"):format(k, #values, support.show(v), i, j, n,
        note), 2)
    end
  end
end

local function flat(sequence, values, options)
  local o = { base = 0, side = "both" }
  for name, value in pairs(options or {}) do
    o[name] = value
  end
  local left, right = sequence:searchsorted(values, o)
  return support.values(left), support.values(right)
end

local function sorted(dtype, n, descending)
  return arrays.sort_rows(arrays.random(dtype, { n }), descending)
end

describe("the paths of searchsorted", function()
  before_each(function()
    math.randomseed(7)
  end)

  for _, dtype in ipairs(support.sample(KEYS, 2)) do
    it(dtype .. ": from one key to many, wherever they lie in memory", function()
      local sizes = { 0, 1, 3, 4, 5, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255,
                      256, 257, 511, 512, 513, 1000, 4100 }
      for _, n in ipairs(sizes) do
        local row = sorted(dtype, n)
        for _, m in ipairs { random(7), 8, 8 + random(30), 63 + random(3), 150 + random(150) } do
          local skip, later = random(0, 3), random(0, 3)
          local s = locus.zeros(n + skip, { dtype = dtype }):narrow(1, skip + 1, n)
          local v = locus.zeros(m + later, { dtype = dtype }):narrow(1, later + 1, m)
          local values = arrays.random(dtype, { m })
          s:copy_(arrays.tensor(row))
          v:copy_(arrays.tensor(values))
          local left, right = flat(s, v)
          keep_law(row.values, values.values, left, right, false, "keys from " .. skip)
          support.same(s:searchsorted(v, { base = 0 }), { m }, left, "int64")
          local narrow = s:searchsorted(v, { right = true, base = 0, out_int32 = true })
          support.same(narrow, { m }, right, "int32")
        end
      end
    end)

    it(dtype .. ": rows past the caches, with trees of one level and more", function()
      for skip, n in pairs { [1] = 263000, [4] = 1100000, [7] = 4300000 } do
        local s = locus.arange(-skip, n):to(dtype):narrow(1, skip + 1, n)
        for _, m in ipairs { 3, 30, 32768 } do
          local values = { -1, 0, 1, n - 1, n, 2 * n }
          for k = #values + 1, m do
            values[k] = random(0, n)
          end
          local left, right = flat(s, support.tensor(dtype, values))
          for k, v in ipairs(values) do
            local i, j = math.max(0, math.min(v, n)), math.max(0, math.min(v + 1, n))
            if left[k] ~= i or right[k] ~= j then error(dtype .. " " .. n .. " " .. v) end
          end
        end
      end
    end)
  end

  for _, dtype in ipairs(support.sample(KEYS, 2)) do
    it(dtype .. ": ascending values, evenly and in clusters", function()
      for _, n in ipairs { 1, 64, 1000, 4100 } do
        local row = sorted(dtype, n)
        local s = arrays.tensor(row)
        for _, m in ipairs(support.sample({ 63, 64, 129, n, 5000 }, 2)) do
          local clusters = {}
          for k = 1, m do
            clusters[k] = row.values[math.ceil((k / m) ^ 8 * n)]
          end
          for _, values in ipairs { sorted(dtype, m).values, clusters } do
            local left, right = flat(s, support.tensor(dtype, values))
            keep_law(row.values, values, left, right, false, "ascending")
          end
          for _, other in ipairs(support.sample(KEYS, 1)) do
            local values = sorted(other, m)
            local left, right = flat(s, arrays.tensor(values))
            keep_law(row.values, values.values, left, right, false, "ascending " .. other)
          end
        end
      end
    end)

    it(dtype .. ": values that ascend but at one place", function()
      local row = sorted(dtype, 100)
      local s = arrays.tensor(row)
      for _, m in ipairs { 128, 130, 200 } do
        for _, place in ipairs(support.sample({ 2, 63, 64, 65, 66, 67, m - 1, m }, 3)) do
          for _, lower in ipairs { row.values[1], dtype:find("float") and support.nan or -3 } do
            local values = arrays.sort_rows(arrays.random(dtype, { m }, true)).values
            values[place] = lower
            local left, right = flat(s, support.tensor(dtype, values))
            keep_law(row.values, values, left, right, false, "but at " .. place)
          end
        end
      end
    end)

    it(dtype .. ": ascending values with answers past the caches #host", function()
      local m = 1100000
      for _, n in ipairs { 7, 1000, 1100000 } do
        local s = locus.arange(0, n, { dtype = dtype })
        local v = locus.arange(0, m, { dtype = "float64" }):mul(n):div(m):long():to(dtype)
        for skip, lowest in pairs { [0] = 0, [3] = 0, [5] = n - 2 } do
          local outs = { locus.full(m + skip, -1), locus.full(m + skip, -1) }
          outs = { outs[1]:long(), outs[2]:long() }
          s:searchsorted(v + lowest, { side = "both", base = 0,
            out = { outs[1]:narrow(1, skip + 1, m), outs[2]:narrow(1, skip + 1, m) } })
          local left, right = outs[1]:cpu():data(), outs[2]:cpu():data()
          local wrong = 0
          for k = 0, m - 1 do
            local v_k = floor(k * n / m) + lowest
            local good = left[skip + k] == min(v_k, n) and right[skip + k] == min(v_k + 1, n)
            wrong = good and wrong or wrong + 1
          end
          assert.equal(0, wrong)
        end
      end
    end)
  end

  -- Values are searched in groups, and the last may overlap: up to 64 values and 32 at a time.
  for _, dtype in ipairs(support.sample(KEYS, 2)) do
    it(dtype .. ": every number of values that is left after groups", function()
      local most = 2 * 64 + 3
      local sizes = support.hasty and { 17, 300 } or { 1, 5, 16, 17, 40, 100, 129, 300 }
      for _, n in ipairs(sizes) do
        local row, values = sorted(dtype, n), arrays.random(dtype, { most })
        local s, v = arrays.tensor(row), arrays.tensor(values)
        local upward = arrays.tensor(arrays.sort_rows({ dtype = dtype, shape = { 2 * most },
          values = { unpack(arrays.random(dtype, { 2 * most }, true).values) } }))
        for _, case in ipairs { { v, 1, most }, { upward, 20, 2 * most } } do
          local all, first, last = unpack(case)
          local one = { {}, {} }
          for k, value in ipairs(support.values(all)) do
            one[1][k] = s:searchsorted(value, { base = 0 })
            one[2][k] = s:searchsorted(value, { base = 0, right = true })
          end
          keep_law(row.values, support.values(all), one[1], one[2], false, dtype .. " one by one")
          for m = first, last do
            local outs = { locus.full(m + 2, -1):long(), locus.full(m + 2, -1):long() }
            s:searchsorted(all:narrow(1, 1, m), { side = "both", base = 0,
              out = { outs[1]:narrow(1, 2, m), outs[2]:narrow(1, 2, m) } })
            for side = 1, 2 do
              local got = support.values(outs[side])
              local good = got[1] == -1 and got[m + 2] == -1
              for k = 1, m do
                good = good and got[k + 1] == one[side][k]
              end
              if not good then error(("%s, %d of %d"):format(dtype, m, n)) end
            end
          end
        end
      end
    end)

    it(dtype .. ": rows of answers past the caches #host", function()
      for _, sizes in ipairs { { 40, 50 }, { 200, 70 }, { 70, 133 }, { 130, 1000 } } do
        local n, m = sizes[1], sizes[2]
        local rows = math.ceil(2 ^ 20 / m) + 1
        local s = arrays.tensor(sorted(dtype, n))
        local sequence = s:expand(rows, n)
        local v = arrays.tensor(arrays.random(dtype, { 1009 }))
        v = v:expand(math.ceil(rows * m / 1009), 1009):reshape(-1):narrow(1, 1, rows * m)
        v = v:reshape(rows, m)
        local out = locus.empty({ rows * m + 3 }, { dtype = "int64" })
        out = out:narrow(1, 4, rows * m):view(rows, m)
        sequence:searchsorted(v, { out = out })
        for row = 1, rows, 97 do
          assert(out:narrow(1, row, 1):equal(s:searchsorted(v:narrow(1, row, 1))))
        end
        assert(out:narrow(1, rows, 1):equal(s:searchsorted(v:narrow(1, rows, 1))))
      end
    end)
  end

  for _, dtype in ipairs(support.ordered) do
    it(dtype .. ": values of every dtype", function()
      for _, other in ipairs(support.sample(support.ordered, 3)) do
        for _, n in ipairs { random(20), 100, 1300 } do
          local row = sorted(dtype, n)
          for _, m in ipairs { 3, 20, 1100 } do
            local values = arrays.random(other, { m })
            local left, right = flat(arrays.tensor(row), arrays.tensor(values))
            keep_law(row.values, values.values, left, right, false, dtype .. ", " .. other)
          end
        end
      end
    end)

    it(dtype .. ": strided, descending and through a sorter", function()
      for _, n in ipairs { 1, 50, 700 } do
        for _, m in ipairs { 2, 25, 300 } do
          local values = arrays.random(dtype, { m })
          local v = arrays.tensor(values)
          for _, descending in ipairs { false, true } do
            local row = sorted(dtype, n, descending)
            local left, right = flat(arrays.tensor(row, "stepped"), v, { descending = descending })
            keep_law(row.values, values.values, left, right, descending, "stepped")
            left, right = flat(arrays.tensor(row), v, { descending = descending })
            keep_law(row.values, values.values, left, right, descending, "as it lies")
            local ordered = { unpack(row.values) }
            local order = arrays.tensor(arrays.shuffle_rows(row, 0), "stepped")
            for _, positions in ipairs { "int32", "int64" } do
              left, right = flat(arrays.tensor(row), v,
                { descending = descending, sorter = order:to(positions) })
              keep_law(ordered, values.values, left, right, descending, "sorter")
            end
          end
        end
      end
    end)
  end

  it("many short rows, few long ones", function()
    local cases = { { 300, 64, 64 }, { 40, 300, 70 }, { 70, 5, 3 }, { 3, 50, 4500 },
                    { 2, 3, 9000 }, { 3, 200, 1500 }, { 2, 140, 4200 } }
    for _, dtype in ipairs { "float32", "int64", "int8", "float16" } do
      for _, sizes in ipairs(support.sample(cases, 3)) do
        local rows, n, m = sizes[1], sizes[2], sizes[3]
        local sequence = arrays.sort_rows(arrays.random(dtype, { rows, n }))
        local values = arrays.random(dtype, { rows, m })
        local left, right = flat(arrays.tensor(sequence), arrays.tensor(values))
        for r = 1, rows do
          local function part(list, width)
            local of_row = {}
            for k = 1, width do
              of_row[k] = list[(r - 1) * width + k]
            end
            return of_row
          end
          keep_law(part(sequence.values, n), part(values.values, m), part(left, m), part(right, m),
            false, dtype .. " in row " .. r)
        end
      end
    end
  end)

  it("long rows that are copied", function()
    for _, dtype in ipairs(support.sample(KEYS, 2)) do
      local n, values, wanted = 150000, {}, {}
      local s = locus.arange(0, 2 * n, { dtype = dtype }):unfold(1, 1, 2):squeeze(2)
      for k = 1, 10000 do
        wanted[k] = k <= 100 and 65486 + k or random(0, n - 1)
        values[k] = 2 * wanted[k]
      end
      local left, right = flat(s, support.tensor(dtype, values))
      for k, place in ipairs(wanted) do
        assert(left[k] == place and right[k] == place + 1, dtype .. " " .. place)
      end
    end
  end)

  it("rows of values that overlap", function()
    for _, dtype in ipairs(support.sample(KEYS, 2)) do
      for _, m in ipairs { 30, 1500 } do
        local row, values = sorted(dtype, 100), arrays.random(dtype, { m + 3 })
        local windows = support.tensor(dtype, values.values):unfold(1, m, 1)
        local left, right = flat(arrays.tensor(row), windows)
        keep_law(row.values, support.values(windows), left, right, false, dtype)
      end
    end
  end)

  it("values of few bits, searched once each and looked up #host", function()
    local narrow = {}
    for _, dtype in ipairs(support.ordered) do
      if support.types[dtype].size <= 2 then narrow[#narrow + 1] = dtype end
    end
    local function repeated(t, m)
      local times = math.ceil(m / 1009) + 1
      return t:expand(times, 1009):reshape(times * 1009):narrow(1, 2, m)
    end
    for _, dtype in ipairs(narrow) do
      local enough = 2 ^ (8 * support.types[dtype].size) * 4
      local values = arrays.random(dtype, { 1009 })
      local one = arrays.tensor(values)
      for _, sequence in ipairs { dtype, "float64", "int64" } do
        for _, n in ipairs(support.hasty and { 129 } or { 128, 129, 3000 }) do
          for _, descending in ipairs { false, true } do
            local row = sorted(sequence, n, descending)
            local s = arrays.tensor(row, n == 129 and "stepped" or nil)
            local options = { base = 0, side = "both", descending = descending }
            local left, right = s:searchsorted(one, options)
            keep_law(row.values, values.values, support.values(left), support.values(right),
              descending, dtype .. " in " .. sequence)
            for _, m in ipairs { enough - 1, enough + 5 } do
              local l, r = s:searchsorted(repeated(one, m), options)
              assert(l:equal(repeated(left, m)) and r:equal(repeated(right, m)))
            end
            local index = s:search_index({ descending = descending })
            options.descending, options.side, options.right = nil, nil, true
            assert(index:searchsorted(repeated(one, enough + 5), options)
              :equal(repeated(right, enough + 5)))
          end
        end
      end
    end
  end)

  it("answers past the caches, wherever they begin", function()
    for _, dtype in ipairs(support.sample(KEYS, 2)) do
      local row = sorted(dtype, 100)
      local s, values = arrays.tensor(row), arrays.random(dtype, { 1009 })
      local one = arrays.tensor(values)
      local left, right = flat(s, one)
      keep_law(row.values, values.values, left, right, false, dtype)
      for start, answers in ipairs { "int64", "int32", "int64" } do
        local m = 2 ^ 23 / (answers == "int64" and 8 or 4) + start - 2
        local all = one:expand(2100, 1009):reshape(2100 * 1009):narrow(1, 2, m)
        local outs = {}
        for side = 1, 2 do
          outs[side] = locus.full(m + 20, -1, { dtype = answers })
        end
        s:searchsorted(all, { side = "both", base = 0, out_int32 = answers == "int32",
          out = { outs[1]:narrow(1, 2 * start, m), outs[2]:narrow(1, 9, m) } })
        for side, expected in ipairs { left, right } do
          local at, first = outs[side]:cpu():data(), side == 1 and 2 * start or 9
          assert(at[first - 2] == -1 and at[first + m - 1] == -1)
          for i = 0, m - 1 do
            if at[first - 1 + i] ~= expected[(i + 1) % 1009 + 1] then
              error(("%s, %s %d: answer %d"):format(dtype, answers, side, i))
            end
          end
        end
      end
    end
  end)
end)
