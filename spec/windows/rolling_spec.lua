-- SPDX-License-Identifier: MIT
-- Windows of rows and spans against each window answered alone: NaN, infinities, ties, short rows,
-- int64 past 2^53; long series, in units of the last place; threads; and what it refuses.
local locus = require "locus"
local support = require "spec.support"

local message = support.message
local nan, inf = 0 / 0, math.huge

-- The elements of a window as a list, NaN left out where it is skipped.
local function elements(list, begin, past, skips)
  local some = {}
  for k = begin, past - 1 do
    if not (skips and list[k] ~= list[k]) then some[#some + 1] = list[k] end
  end
  return some
end

local function has_nan(list)
  for _, v in ipairs(list) do
    if v ~= v then return true end
  end
end

local function sorted(list)
  local some = {unpack(list)}
  table.sort(some)
  return some
end

-- A window's answer from its elements alone, each as in x:how() of it; sums are of halves or whole
-- numbers, so that they are exact.
local alone = {}
function alone.sum(list)
  local sum = 0
  for _, v in ipairs(list) do sum = sum + v end
  return sum
end
function alone.mean(list) return #list > 0 and alone.sum(list) / #list or nan end
function alone.min(list) return has_nan(list) and nan or math.min(unpack(list)) end
function alone.max(list) return has_nan(list) and nan or math.max(unpack(list)) end
function alone.var(list)
  local mean, squares = alone.mean(list), 0
  for _, v in ipairs(list) do squares = squares + (v - mean) ^ 2 end
  return #list > 1 and squares / (#list - 1) or nan
end
function alone.std(list) return math.sqrt(alone.var(list)) end
function alone.median(list)
  return has_nan(list) and nan or sorted(list)[math.floor((#list + 1) / 2)]
end
function alone.quantile(list)
  return has_nan(list) and nan or locus.tensor(list, {device = "cpu"}):quantile(0.3)
end
function alone.first(list) return list[1] end
function alone.last(list) return list[#list] end

local HOWS = {"sum", "mean", "min", "max", "var", "std", "median", "quantile", "first", "last"}

local SKIPPING = {sum = "nansum", mean = "nanmean", min = "nanmin", max = "nanmax",
                  var = "nanvar", std = "nanstd", median = "nanmedian", quantile = "nanquantile"}

local function near(got, want)
  if want ~= want then return got ~= got end
  return got == want or math.abs(got - want) <= 1e-12 * math.max(1, math.abs(want))
end

-- Asks windows every question, and compares with windows begins[i] .. ends[i] - 1 of the list.
local function check(w, list, begins, ends, fewest, what)
  for _, how in ipairs(HOWS) do
    for _, skips in ipairs {false, true} do
      local name = skips and SKIPPING[how] or how
      skips = name ~= how
      local got = (how == "quantile" and w[name](w, 0.3) or w[name](w)):totable()
      assert.equal(#list, #got)
      for i = 1, #list do
        local some = elements(list, begins[i], ends[i], skips)
        local least = how == "sum" and fewest or math.max(fewest, 1)
        local want = #some < least and nan or alone[how](some)
        if not near(got[i], want) then
          error(("%s %s at %d: %s, not %s"):format(what, name, i, tostring(got[i]),
            tostring(want)))
        end
      end
    end
  end
  local counts = w:nancount():totable()
  for i = 1, #list do assert.equal(#elements(list, begins[i], ends[i], true), counts[i]) end
end

local function random_list(n, special)
  local list = {}
  for i = 1, n do
    local roll = special and math.random(12) or 12
    list[i] = roll == 1 and nan or roll == 2 and inf or roll == 3 and -inf
      or math.random(-8, 8) / 2
  end
  return list
end

describe("rolling", function()
  for seed = 1, support.hasty and 40 or 400 do
    it("answers as each window alone, seed " .. seed, function()
      math.randomseed(seed)
      local n = ({0, 1, 2, 7, 33, 70, 200})[seed % 7 + 1]
      local rows = math.random(seed % 3 == 0 and 3 or 60)
      local min = math.random(3) > 1 and math.random(0, rows) or nil
      local center = math.random(2) == 1
      local list = random_list(n, seed % 2 == 0)
      local x = locus.tensor(list, {dtype = "float64"})
      local after = center and math.floor((rows - 1) / 2) or 0
      local begins, ends = {}, {}
      for i = 1, n do
        begins[i] = math.max(1, i + after - rows + 1)
        ends[i] = math.min(n, i + after) + 1
      end
      check(x:rolling {rows = rows, min = min, center = center}, list, begins, ends, min or rows,
        ("rows = %d, n = %d"):format(rows, n))
    end)
  end

  local CLOSED = {right = {false, true}, left = {true, false}, both = {true, true},
                  neither = {false, false}}
  for seed = 1, support.hasty and 24 or 200 do
    it("answers as each window of a span alone, seed " .. seed, function()
      math.randomseed(seed)
      local n, at = math.random(0, 90), {}
      local list = random_list(n, seed % 2 == 0)
      for i = 1, n do at[i] = (at[i - 1] or math.random(-9, 9)) + math.random(0, 3) end
      for closed, ends_in in pairs(CLOSED) do
        local span, begins, ends = math.random(0, 9), {}, {}
        for i = 1, n do
          begins[i], ends[i] = nil, nil
          for k = 1, n do
            local behind, ahead = at[i] - at[k], at[k] - at[i]
            local inside = (ends_in[1] and behind <= span or behind < span)
              and (ends_in[2] and ahead <= 0 or ahead < 0)
            if inside then begins[i], ends[i] = begins[i] or k, k + 1 end
          end
          if not begins[i] then begins[i], ends[i] = 1, 1 end
        end
        for _, dtype in ipairs {"int64", "float64"} do
          local on = locus.tensor(at, {dtype = dtype})
          check(locus.tensor(list, {dtype = "float64"}):rolling {on = on, span = span,
            closed = closed}, list, begins, ends, 1, closed)
        end
      end
    end)
  end

  it("is exact for int64", function()
    local big = locus.tensor({"9223372036854775807", "1", "-9223372036854775808", "2", "3"},
      {dtype = "int64"})
    local w = big:rolling {rows = 2, min = 1}
    local sums, means = w:sum(), w:mean()
    for i = 1, 5 do
      local part = big[{{math.max(1, i - 1), i}}]
      assert.is_true(locus.tensor({part:sum()}, {dtype = "int64"}):equal(sums[{{i, i}}]))
    end
    assert.same({2 ^ 62, -2 ^ 62}, {means[2], means[3]})
    assert.equal(2.5, means[5])
    assert.is_true(w:max():equal(locus.tensor({"9223372036854775807", "9223372036854775807", "1",
      "2", "3"}, {dtype = "int64"})))
    for _, how in ipairs {"sum", "min", "median", "first", "count"} do
      assert.equal("int64", w[how](w).dtype)
    end
  end)

  it("keeps dtypes, dimensions and layouts", function()
    for _, dtype in ipairs(support.ordered) do
      local x = locus.arange(24):remainder(2):view(4, 6):to(dtype)
      for dim = 1, 2 do
        for _, y in ipairs {x, x:t():contiguous():t()} do
          local got = y:rolling {rows = 2, min = 1, dim = dim}:max()
          assert.equal(dtype, got.dtype)
          local want = locus.maximum(y:long(), y:long():shift(1, {dim = dim, fill = -1})):to(dtype)
          assert.is_true(got:equal(want))
        end
      end
      local float = support.types[dtype].kind == "FLOAT"
      assert.equal(float and dtype or "int64", x:rolling {rows = 2, min = 1}:sum().dtype)
      assert.equal(float and dtype or "float64", x:rolling {rows = 2, min = 1}:var().dtype)
    end
  end)

  it("adds up finite elements whose sum is beyond float64 on the way", function()
    for _, ahead in ipairs {0, 1, 2, 3} do
      local x = locus.zeros(40)
      for k = 1, 4 do x[ahead + 3 + k] = k < 3 and 1e308 or -1e308 end
      for _, w in ipairs {x:rolling(4), x:rolling {on = locus.arange(40), span = 4}} do
        for _, how in ipairs {"sum", "nansum", "mean", "nanmean"} do
          assert.equal(0, w[how](w)[ahead + 7], how)
        end
        assert.equal(inf, w:sum()[ahead + 5])
      end
    end
  end)

  it("keeps the digits of deviations beside a great mean", function()
    local small, list, want = locus.arange(60):mul(7919):remainder(13):div(4), {}, {}
    for i, value in ipairs(small:totable()) do
      list[i] = value
      want[i] = i >= 6 and alone.var {unpack(list, i - 5, i)}
    end
    for _, mean in ipairs {0, 1e9, 1e12} do
      local x = small + mean
      for _, w in ipairs {x:rolling(6), x:rolling {on = locus.arange(60), span = 6}} do
        for how, power in pairs {std = 2, nanstd = 2, var = 1} do
          local found = w[how](w):totable()
          for i = 6, 60 do
            assert.is_true(math.abs(found[i] ^ power / want[i] - 1) < 1e-13)
          end
        end
      end
    end
  end)

  it("does not drift, and is not poisoned by what has left", function()
    math.randomseed(7)
    local n, rows = support.slow and 3000 or 20000, 50
    local list = {}
    for i = 1, n do
      list[i] = (math.random() - 0.5) * 10 ^ math.random(-8, 8)
      if i % 997 == 0 then list[i] = 1e300 end
      if i % 1499 == 0 then list[i] = i % 2 == 0 and inf or nan end
    end
    local x = locus.tensor(list)
    local on = locus.arange(n)
    for _, w in ipairs {x:rolling {rows = rows}, x:rolling {on = on, span = rows, min = rows}} do
      local sums, means = w:sum():totable(), w:mean():totable()
      for i = rows, n do
        local high, low, size = 0, 0, 0
        for k = i - rows + 1, i do
          local sum = high + list[k]
          local own = sum - high
          low = low + ((high - (sum - own)) + (list[k] - own))
          high, size = sum, size + math.abs(list[k])
        end
        local want = size < inf and high + low or high
        local ulp = 2 ^ (math.floor(math.log(size) / math.log(2)) - 52)
        assert.is_true(sums[i] == want or want ~= want and sums[i] ~= sums[i]
          or math.abs(sums[i] - want) <= ulp)
        assert.is_true(want - want ~= 0 or math.abs(means[i] - want / rows) <= 2 * ulp / rows)
      end
    end
  end)

  it("has the mean of equal elements, and of sums beyond float64", function()
    for _, rows in ipairs {3, 7, 49, 1000} do
      local x = locus.full({5000}, 0.1)
      assert.is_true(x:rolling {rows = rows, min = 1}:mean():equal(x))
      assert.equal(0, x:rolling {rows = rows}:var()[5000])
    end
    local large = locus.full({100}, 1.5e308):rolling {rows = 5}
    assert.equal(1.5e308, large:mean()[50])
    assert.equal(inf, large:sum()[50])
    assert.equal(1.5e308, locus.full({5}, 1.5e308):rolling {rows = 5}:mean()[5])
  end)

  it("gives the same bits with any number of threads #host", function()
    math.randomseed(3)
    local before, n = locus.get_num_threads(), support.slow and 5000 or 60000
    local x, at = locus.randn(n), locus.rand(n):cumsum(1)
    local function all()
      local found = {}
      for _, w in ipairs {x:rolling {rows = 20}, x:rolling {rows = 2500},
                          x:rolling {on = at, span = 40}, x:view(50, -1):rolling {rows = 7}} do
        for _, how in ipairs {"sum", "mean", "max", "std", "median", "nansum", "count"} do
          found[#found + 1] = w[how](w)
        end
      end
      return found
    end
    locus.set_num_threads(1)
    local one = all()
    for _, threads in ipairs {2, 5} do
      locus.set_num_threads(threads)
      for i, got in ipairs(all()) do
        got, one[i] = got:double(), one[i]:double()
        assert.is_true(got:masked_fill(got:isnan(), -9):equal(
          one[i]:masked_fill(one[i]:isnan(), -9)))
      end
    end
    locus.set_num_threads(before)
  end)

  it("fills what has no answer", function()
    local x = locus.tensor({1, 2, 3}, {dtype = "int32"})
    assert.same({-1, 1, 2}, x:rolling {rows = 2, fill = -1}:min():totable())
    assert.same({0, 3, 5}, x:double():rolling {rows = 2, fill = 0}:sum():totable())
    assert.same({1, 2, 2}, x:rolling {rows = 2}:count():totable())
  end)

  it("says what to write", function()
    local x = locus.arange(5)
    local function says(want, ...) assert.equal(want, message(x.rolling, x, ...)) end
    says("rolling: 'rows' is missing; write rows = 20, or on and span", {})
    says("rolling: 'rows' must be at least 1, got 0", {rows = 0})
    says("rolling: 'min' must be at most 'rows', 3, got 4", {rows = 3, min = 4})
    says("rolling: 'min' must not be negative, got -1", {rows = 3, min = -1})
    says("rolling: 'span' is missing; write span = \"5m\"", {on = x})
    says("rolling: 'on' is missing; write on = \"time\"", {span = 3})
    says("rolling: 'on' must have 5 rows, got 4", {span = 3, on = locus.arange(4)})
    says("rolling: 'on' must ascend, and falls in row 3; sort by it first",
      {span = 3, on = locus.tensor {1, 2, 0, 3, 1}})
    says("rolling: 'span' is \"5m\", and 'on' has no unit; write a number, or make 'on' a time",
      {span = "5m", on = x})
    says("rolling: 'span' must be a span of time such as \"5m\", or a number of at least 0, got -1",
      {span = -1, on = x})
    says("rolling: 'closed' must be \"right\", \"left\", \"both\" or \"neither\", got \"up\"",
      {span = 1, on = x, closed = "up"})
    says("rolling: 'rows' does not go with 'span'; write one of rows = 20 and span = \"5m\"",
      {span = 1, on = x, rows = 3})
    says("rolling: 'closed' goes with 'span'; windows by rows end with their row, or write "
      .. "center = true", {rows = 3, closed = "left"})
    local w = x:long():rolling {rows = 3}
    assert.equal("sum: a window has fewer than 3 elements, and int64 has no NaN for its answer; "
      .. "write min = 1 or fill = 0 in rolling, or take x:double()", message(w.sum, w))
    assert.equal("quantile: 'q' must be a number from 0 to 1, or a list of such, got the number 2",
      message(w.quantile, w, 2))
    assert.equal("sum: takes no column, since the windows are those of a tensor, got the string "
      .. '"a"', message(w.sum, w, "a"))
  end)
end)

describe("deviations of windows", function()
  it("hold where their squares do not, as those of tensors", function()
    for _, scale in ipairs {1e308, 1e200, 1e-170, 1e-200, 1e-300} do
      local x = locus.tensor {1, -1, 1, 0.25, 0.25, -0.5, 1} * scale
      for rows = 2, 4 do
        local found = x:rolling {rows = rows}:std()
        for i = rows, #x do
          local expected = x[{{i - rows + 1, i}}]:std()
          assert.is_true(math.abs(found[i] - expected) <= 1e-14 * expected, scale)
        end
        assert.is_true(found[1] ~= found[1])
      end
      local mixed = locus.cat {x, {7, 8}, x}:rolling {rows = 2, min = 1}:nanstd()
      assert.is_true(math.abs(mixed[2] / x[{{1, 2}}]:std() - 1) < 1e-14)
    end
    local odd = locus.tensor {1e308, math.huge, 1, 1, 0 / 0, 2}:rolling {rows = 2}:std()
    assert.same({true, true, true, false, true, true}, odd:isnan():totable())
    assert.equal(0, odd[4])
    assert.equal(0, #locus.zeros(0):rolling {rows = 2}:std())
  end)
end)

describe("windows beside times #host", function()
  local s = locus.times({"2026-01-01", "2026-01-02T03:04:05Z"}, {unit = "s"})
  local x = locus.tensor {1, 2}

  it("take a duration of any unit for a span, and no moment", function()
    local days = locus.duration(2, {unit = "d"})
    assert.same({1, 3}, x:rolling {on = s, span = days}:sum():totable())
    assert.same({1, 1}, locus.sessions(s, {gap = days}):totable())
    assert.matches("^rolling: 'span' is the time ", message(x.rolling, x, {on = s, span = s[1]}))
    assert.matches("which is no whole number of the units of 'on'$",
      message(x.rolling, x, {on = s, span = locus.duration(1, {unit = "ns"})}))
    assert.matches("^rolling: 'fill' must be a number, or a text of times, got a table",
      message(s.rolling, s, {rows = 2, fill = {}}))
  end)

  it("of groups keep the kind, and a quantile needs its q", function()
    local g = locus.frame {{"t", s}, {"k", {1, 1}}}:group "k"
    assert.equal("time", g:rolling {rows = 1}:max("t").kind)
    local windows = x:rolling(2)
    assert.equal("quantile: 'q' is missing; write a number from 0 to 1",
      message(windows.quantile, windows))
  end)
end)
