-- SPDX-License-Identifier: MIT
-- What rows get from the others of their group, and sessions, against plain loops over the rows:
-- shift, diff, cumsum, cumcount, rank and rolling of groups, rolling of frames.
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local message = support.message
local nan = 0 / 0

-- The rows of each key, in order.
local function rows_of(keys)
  local rows = {}
  for i, key in ipairs(keys) do
    rows[key] = rows[key] or {}
    table.insert(rows[key], i)
  end
  return rows
end

local function same(got, want, what)
  assert.equal(#want, #got)
  for i = 1, #want do
    local equal = got[i] == want[i] or want[i] ~= want[i] and got[i] ~= got[i]
    if not equal then
      error(("%s at %d: %s, not %s"):format(what, i, tostring(got[i]), tostring(want[i])))
    end
  end
end

local function random_frame(seed)
  math.randomseed(seed)
  local n, groups = ({0, 1, 2, 30, 200})[seed % 5 + 1], math.random(1, 40)
  local data = {keys = {}, x = {}, s = {}, t = {}, n = n}
  for i = 1, n do
    data.keys[i] = "k" .. math.random(groups)
    data.x[i] = math.random(8) == 1 and nan or math.random(-6, 6)
    data.s[i] = ("abc"):sub(math.random(3)):sub(1, 1)
    data.t[i] = (data.t[i - 1] or 0) + math.random(0, 4)
  end
  local f = locus.frame {{"k", locus.strings(data.keys)},
    {"x", locus.tensor(data.x, {dtype = "float64"})}, {"s", locus.strings(data.s)},
    {"t", locus.tensor(data.t, {dtype = "int64"})}}
  return data, f
end

describe("groups give each row", function()
  for seed = 1, support.hasty and 30 or 300 do
    it("what the rows of its group say, seed " .. seed, function()
      local d, f = random_frame(seed)
      local g, rows = f:group("k"), rows_of(d.keys)
      local k = math.random(-5, 5)
      local want = {shift = {}, strings = {}, diff = {}, changed = {}, sum = {}, count = {}}
      for _, list in pairs(rows) do
        local sum = 0
        for place, i in ipairs(list) do
          local other = list[place - k]
          want.shift[i] = other and d.x[other] or nan
          want.strings[i] = other and d.s[other] or "-"
          want.diff[i] = other and d.x[i] - d.x[other] or nan
          if other then want.changed[i] = d.s[i] ~= d.s[other] else want.changed[i] = true end
          sum = sum + d.t[i]
          want.sum[i], want.count[i] = sum, place
        end
      end
      same(g:shift("x", k):totable(), want.shift, "shift")
      same(g:shift("s", k, {fill = "-"}):totable(), want.strings, "shift of strings")
      same(g:diff("x", k):totable(), want.diff, "diff")
      if k ~= 0 then
        same(g:diff("s", k, {fill = true}):totable(), want.changed, "diff of strings")
      end
      same(g:cumsum("t"):totable(), want.sum, "cumsum")
      same(g:cumcount():totable(), want.count, "cumcount")
      same(g:cumcount({base = 0}):totable(), (g:cumcount() - 1):totable(), "cumcount from 0")
    end)

    it("its rank and its windows, seed " .. seed, function()
      local d, f = random_frame(seed)
      local g, rows = f:group("k"), rows_of(d.keys)
      local size, span = math.random(1, 6), math.random(1, 12)
      for _, method in ipairs {"average", "min", "max", "dense", "ordinal"} do
        for _, descending in ipairs {false, true} do
          local want = {}
          for _, list in pairs(rows) do
            local at = locus.tensor(list, {dtype = "int64"})
            local own = f.x[at]:rank {method = method}
            if descending then
              own = f.x[at]:rank {method = method, descending = true}
            end
            for place, rank in ipairs(own:totable()) do want[list[place]] = rank end
          end
          same(g:rank("x", {method = method, descending = descending}):totable(), want,
            "rank " .. method)
        end
      end
      for _, how in ipairs {"sum", "nansum", "mean", "max", "nanmedian", "count", "last"} do
        local by_rows, by_span = {}, {}
        for _, list in pairs(rows) do
          local at = locus.tensor(list, {dtype = "int64"})
          local w = f.x[at]:rolling {rows = size, min = 1, center = true}
          local v = f.x[at]:rolling {on = f.t[at], span = span}
          local of_rows, of_span = w[how](w):totable(), v[how](v):totable()
          for place, i in ipairs(list) do
            by_rows[i], by_span[i] = of_rows[place], of_span[place]
          end
        end
        local w = g:rolling {rows = size, min = 1, center = true}
        same(w[how](w, "x"):totable(), by_rows, how .. " by rows")
        local v = g:rolling {on = "t", span = span}
        same(v[how](v, "x"):totable(), by_span, how .. " by span")
        local u, x = f:rolling {rows = size}, f.x:rolling {rows = size}
        same(u[how](u, "x"):totable(), x[how](x):totable(), how .. " of a frame")
      end
    end)
  end

  it("sums of int64 modulo 2^64, and of floats in their dtype", function()
    local g = locus.group_by {1, 2, 1}
    local sums = g:cumsum(locus.tensor({"9223372036854775807", "5", "1"}, {dtype = "int64"}))
    assert.equal("int64", sums.dtype)
    assert.is_true(sums[3] == ffi.cast("int64_t", 2 ^ 63) or sums[3] == -2 ^ 63)
    assert.equal("float32", g:cumsum(locus.tensor({1, 2, 3}, {dtype = "float32"})).dtype)
    assert.same({1, 0, 2}, g:cumsum {true, false, true}:totable())
    assert.same({7, 7, 1}, g:shift(locus.tensor({1, 2, 3}, {dtype = "uint8"}), 1,
      {fill = 7}):totable())
  end)

  it("answers that say what to write", function()
    local f = locus.frame {{"k", {"a", "b", "a"}},
      {"n", locus.tensor({1, 2, 3}, {dtype = "int64"})},
      {"t", {1, 2, 0}}}
    local g = f:group "k"
    assert.equal("shift: the column 'n' is int64, which has no NaN for rows without another one in "
      .. "their group; write fill = 0, or another int64", message(g.shift, g, "n"))
    assert.equal("diff: the difference of the column 'k' is bool, which has no NaN for rows "
      .. "without another one in their group; write fill = false, or fill = true",
      message(g.diff, g, "k"))
    assert.equal("rolling: 'on' must ascend within each group, and falls in row 3; sort by it "
      .. "first",
      message(g.rolling, g, {on = "t", span = 2}))
    local w = g:rolling {rows = 2}
    assert.equal("mean: 'column' is missing; write w:mean(\"price\")", message(w.mean, w))
    assert.equal("mean: the column 'k' must be of real numbers for 'mean', got a string column of "
      .. "size 3", message(w.mean, w, "k"))
  end)
end)

describe("sessions", function()
  for seed = 1, 20 do
    it("are numbered as rows come, seed " .. seed, function()
      local d, f = random_frame(seed)
      local gap, last, number, count, want, all = math.random(0, 9), {}, {}, 0, {}, {}
      for i, key in ipairs(d.keys) do
        if not last[key] or d.t[i] - last[key] > gap then
          count = count + 1
          number[key] = count
        end
        last[key], want[i] = d.t[i], number[key]
        all[i] = i == 1 and 1 or all[i - 1] + (d.t[i] - d.t[i - 1] > gap and 1 or 0)
      end
      same(locus.sessions(f.t, {by = f.k, gap = gap}):totable(), want, "by key")
      same(locus.sessions(f.t:double(), {by = {f.k}, gap = gap}):totable(), want, "of floats")
      same(locus.sessions(f.t, {gap = gap}):totable(), all, "of all")
    end)
  end

  it("say what to write", function()
    local t = locus.tensor({3, 1}, {dtype = "int64"})
    local function says(want, ...) assert.equal(want, message(locus.sessions, ...)) end
    says("sessions: 'gap' is missing; write gap = \"30m\"", t)
    says("sessions: 'time' must ascend, and falls in row 2; sort by it first", t, {gap = 1})
    says("sessions: 'time' must ascend for each value of 'by', and falls in row 2; sort by it "
      .. "first", t, {gap = 1, by = {1, 1}})
    says("sessions: 'by' must be a column of 2 rows, or a list of such, got a float64 tensor of "
      .. "size 3", t, {gap = 1, by = locus.ones(3)})
    assert.same({1, 2}, locus.sessions(t, {gap = 1, by = locus.tensor {1, 2}}):totable())
  end)
end)
