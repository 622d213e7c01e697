-- SPDX-License-Identifier: MIT
-- Tensors of two kinds or units in one call, of every public function: it raises, or is one of a
-- few that read positions, sizes or truth. Values and texts beside times, wherever one is written.
local core = require "locus.core"
local kinds = require "locus.tensor.kind"
local locus = require "locus"
local support = require "spec.support"

local message = support.message

-- Those in which the two never meet: one holds positions, counts, ids or sizes, or each has
-- answers of its own; products, which are plain numbers whatever the units; and truth.
local APART = {bincount = true, expand_as = true, gather = true, index_add = true,
               index_add_ = true, index_select = true, interp = true, logical_and = true,
               logical_or = true, logical_xor = true, lshift = true, rshift = true, meshgrid = true,
               mul = true, pow = true, put = true, put_ = true, repeat_interleave = true,
               result_type = true, scatter = true, scatter_ = true, scatter_add = true,
               scatter_add_ = true, segment = true, take = true, take_along_dim = true,
               view_as = true, hist = true, scatter_reduce = true, scatter_reduce_ = true,
               to = true}
-- Those that take no tensors of numbers, and those that end more than a call.
local SKIPPED = {free = true, set_default_device = true, set_default_dtype = true, save = true,
                 set_num_threads = true, tofile = true, fail_allocation = true, help = true,
                 set_printoptions = true, tidy = true, keep = true}

local US, NS = kinds.named("time", "us"), kinds.named("time", "ns")

local function int64(list, kind)
  local x = locus.tensor(list, {dtype = "int64", device = support.device})
  return kind and kinds.tagged(x, kind) or x
end

-- The forms in which functions take two tensors among other arguments.
local FORMS = {{"a", "b"}, {"b", "a"}}
for _, more in ipairs {"i", "m", "1", "sum"} do
  FORMS[#FORMS + 1], FORMS[#FORMS + 2] = {more, "a", "b"}, {"a", more, "b"}
  FORMS[#FORMS + 3] = {"a", "b", more}
  for _, last in ipairs {"i", "m", "1", "sum"} do
    FORMS[#FORMS + 1], FORMS[#FORMS + 2] = {"a", more, last, "b"}, {"a", more, "b", last}
    FORMS[#FORMS + 3], FORMS[#FORMS + 4] = {"a", "b", more, last}, {more, "a", "b", last}
  end
end

local function called(f, form, first, second)
  local given = {
    a = int64({1, 2, 3}, first), b = int64({1, 2, 3}, second), i = int64 {1, 2, 3},
    m = locus.tensor({true, false, true}, {device = support.device}), ["1"] = 1, sum = "sum",
  }
  local arguments = {}
  for i, word in ipairs(form) do arguments[i] = given[word] end
  return pcall(f, unpack(arguments))
end

describe("two kinds in one call", function()
  it("raise in every function, or never meet #once", function()
    local functions, seen = {}, 0
    for _, from in ipairs {core, core.methods} do
      for name, f in pairs(from) do
        if type(f) == "function" and not SKIPPED[name] then functions[name] = f end
      end
    end
    for name, f in pairs(functions) do
      for _, form in ipairs(FORMS) do
        if called(f, form) then
          local ok, why = called(f, form, US, NS)
          seen = seen + 1
          if ok then
            assert.is_true(APART[name], ("%s(%s) takes two kinds"):format(name,
              table.concat(form, ", ")))
          else
            assert.is_truthy(why:find("as_unit", 1, true) or why:find("has numbers, but", 1, true),
              why)
          end
        end
      end
    end
    assert.is_true(seen > 200)
  end)

  it("raise where one is added in place", function()
    local t, n, i = int64({1, 2, 3}, US), int64({1, 2, 3}, NS), int64 {1, 2, 3}
    local span = int64({1, 2, 3}, kinds.named("duration", "us"))
    for name, f in pairs {
      index_add_ = function(y) return t:clone():index_add_(1, i, y) end,
      index_put_ = function(y) return t:clone():index_put_({i}, y, true) end,
      scatter_add = function(y) return t:scatter_add(1, i, y) end,
      scatter_reduce = function(y) return t:scatter_reduce(1, i, y, "sum") end,
    } do
      assert.matches(name .. ": 'input' has times in us, and '.*' has times in ns; write "
        .. 'x:as_unit%("us"%)', message(f, n))
      assert.matches("are both times, which do not add", message(f, t))
      assert.equal("time", f(span).kind)
    end
    assert.equal("scatter_add: 'input' has durations in us, to which times in us do not add",
      message(span.scatter_add, span, 1, i, t))
  end)

  it("raise in edges of bins, gaps and ranges", function()
    local t, n = int64({1, 2, 3}, US), int64({1, 2, 3}, NS)
    local sentence = "has times in us, and '%s' has times in ns; write x:as_unit(\"us\")"
    for name, call in pairs {
      bins = function() return locus.histogram(t, n) end,
      other = function() return locus.allclose(t, n) end,
      value = function() return t:fill_missing(n, {missing = 3}) end,
      values = function() return locus.overlaps(t, t, n) end,
      ends = function() return locus.interval_lookup(t, n, t) end,
    } do assert.is_truthy(message(call):find(sentence:format(name), 1, true), message(call)) end
    local f = locus.frame {{"when", t}}
    assert.equal("fill_missing: the column 'when' has times in us, and the value of 'when' has "
      .. 'times in ns; write x:as_unit("us") for one of them',
      message(f.fill_missing, f, {when = n}))
  end)
end)

describe("a value beside times", function()
  local TEXTS = {"2026-11-22T10:00:00Z", "2026-11-22T11:00:00Z", "2026-11-22T12:30:00Z"}
  local t = locus.times(TEXTS):to(support.device)
  local n = locus.times(TEXTS, {unit = "ns"})
  local spans = t - t[1]

  local function texts(x)
    local list = {}
    for i = 1, #x do list[i] = tostring(x[i]) end
    return list
  end

  -- Where a value of the tensor's kind is written: f(t, value).
  local places = {
    shift = function(x, v) return x:shift(1, {fill = v}) end,
    full_like = function(x, v) return locus.full_like(x, v) end,
    ffill = function(x, v) return x:ffill{missing = v} end,
    bfill_ = function(x, v) return x:clone():bfill_{missing = v} end,
    fill_missing = function(x, v) return x:fill_missing(v, {missing = v}) end,
    rolling = function(x, v) return x:rolling{rows = 2, fill = v}:max() end,
    mean = function(x, v) return x:rolling{rows = 2, fill = v}:mean() end,
    cat = function(x, v) return locus.cat {x, {v}} end,
    lists = function(x, v) return locus.cat {{v}, x} end,
    stack = function(x, v) return locus.stack {x:select(1, 2), v} end,
    isin = function(x, v) return x:isin(v) end,
    among = function(x, v) return locus.isin(v, x) end,
    lookup = function(x, v) return x:lookup(v) end,
    allclose = function(x, v) return locus.allclose(x, v) end,
    asof = function(x, v) return locus.asof(x, v) end,
    interval_lookup = function(x, v) return locus.interval_lookup(x, x, v) end,
    overlaps = function(x, v) return locus.overlaps(x, x, v) end,
    histogram = function(x, v) return (locus.histogram(x, {v, TEXTS[3]})) end,
    range = function(x, v) return select(2, locus.histogram(x, 2, {range = {v, TEXTS[3]}})) end,
    where = function(x, v) return locus.where(x:gt(v), x, v) end,
    take = function(x, v) return x:take({0, 1}, v) end,
    groups = function(x, v)
      return locus.frame{{"k", {1, 1, 2}}, {"x", x}}:group("k"):shift("x", 1, {fill = v})
    end,
    gaps = function(x, v)
      return locus.frame{{"k", {1, 1, 2}}, {"x", x}}:group("k"):ffill("x", {missing = v})
    end,
    windows = function(x, v)
      return locus.frame{{"k", {1, 1, 2}}, {"x", x}}:group("k"):rolling{rows = 2, fill = v}
        :max("x")
    end,
  }

  local function plain(answer)
    return core.is_tensor(answer) and answer:long():totable() or answer
  end

  it("is a text, an element, or one in another unit", function()
    for name, f in pairs(places) do
      local expected = plain(f(t, t[2]))
      assert.same(expected, plain(f(t, TEXTS[2])), name)
      assert.same(expected, plain(f(t, n[2])), name)
    end
    assert.same({TEXTS[2], TEXTS[1], TEXTS[2]}, texts(places.shift(t, TEXTS[2])))
    assert.same({TEXTS[1], TEXTS[1], TEXTS[3]}, texts(places.ffill(t, TEXTS[2])))
    assert.same({TEXTS[2], TEXTS[2], TEXTS[3]}, texts(places.rolling(t, TEXTS[2])))
  end)

  it("raises where the unit cannot hold it, or it is none, and says what to write", function()
    for name, f in pairs(places) do
      assert.is_truthy(message(f, t, n[2] + 1):find("times in us cannot hold$"), name)
      assert.is_truthy(message(f, t, "soon"):find(
        "is the string \"soon\", which is not a time; write \"2026-11-22T10:00:00Z\"", 1, true),
        name)
    end
    assert.equal("shift: 'input' has times in us, which have no NaN for the places that the shift "
      .. 'leaves; write fill = "2026-11-22T10:00:00Z"', message(t.shift, t))
    assert.is_truthy(message(function() return t:rolling{rows = 2}:min() end):find(
      'times in us have no NaN for its answer; write min = 1 or fill = "2026-11-22T10:00:00Z"', 1,
      true))
  end)

  it("is a duration for differences and sums", function()
    local g = locus.frame{{"k", {1, 1, 1}}, {"t", t}, {"span", spans}}:group("k")
    assert.same({"2:00:00", "1:00:00", "1:30:00"}, texts(g:diff("t", 1, {fill = "2:00:00"})))
    assert.same({"0:00:00", "1:00:00", "3:30:00"}, texts(g:cumsum("span")))
    assert.same({"0:00:00", "1:00:00", "3:30:00"}, texts(spans:rolling{rows = 2, min = 1}:sum()))
    assert.matches('write fill = "1:30:00"$', message(g.diff, g, "t"))
    assert.matches("which is not a duration", message(g.diff, g, "t", 1, {fill = TEXTS[1]}))
  end)
end)

describe("means of windows of times", function()
  it("are times, right to the unit however far from 1970", function()
    for _, unit in ipairs {"s", "us", "ns"} do
      for _, first in ipairs {0, 2 ^ 52, -2 ^ 52} do
        local list = {}
        for i = 1, 60 do list[i] = first + i * i % 17 end
        local t = locus.times(int64(list), {unit = unit})
        local means = t:rolling{rows = 4, min = 1}:mean()
        assert.equal("time", means.kind)
        assert.equal(unit, means.unit)
        local medians = t:rolling{rows = 4, min = 1}:quantile(0.5)
        for i = 1, 60 do
          local window = t[{{math.max(1, i - 3), i}}]
          assert.equal(tostring(window:mean()), tostring(means[i]))
          assert.equal(tostring(window:quantile(0.5)), tostring(medians[i]))
        end
      end
    end
  end)

  it("hold int64's ends", function()
    local t = locus.times(int64 {-2 ^ 63, 0, 2 ^ 62})
    local means = t:rolling{rows = 2, min = 1}:mean():long()
    assert.same({-2 ^ 63, -2 ^ 62, 2 ^ 61}, {tonumber(means[1]), tonumber(means[2]),
                                             tonumber(means[3])})
  end)
end)

describe("bins of times", function()
  local t = locus.times({"2026-11-22T10:00:00Z", "2026-11-22T10:10:00Z", "2026-11-22T11:00:00Z"})
    :to(support.device)

  it("have edges in whole units that count as they say", function()
    local counts, edges = locus.histogram(t, 7)
    assert.equal("time", edges.kind)
    assert.equal(8, #edges)
    assert.is_true(edges[1] == t[1] and edges[8] == t[3])
    assert.same(locus.histogram(t, edges):totable(), counts:totable())
    assert.same({2, 0, 1}, locus.histc(t, 3):totable())
    assert.same({2, 1}, (locus.histogram(t, {t[1], "2026-11-22T10:30:00Z", t[3]})):totable())
    local spans = locus.histogram(t - t[1], 3)
    assert.same({2, 0, 1}, spans:totable())
    local density = locus.histogram(t:as_unit("ns"), 2, {density = true})
    assert.is_true(locus.allclose(density * 1800e9, {2 / 3, 1 / 3}))
  end)

  it("are of a unit at least", function()
    local days = locus.dates {"2026-11-22", "2026-11-24"}
    local counts, edges = locus.histogram(days, 4)
    assert.same({1, 0, 1, 0}, counts:totable())
    assert.equal("2026-11-26", tostring(edges[5]))
    assert.same({0, 0}, (locus.histogram(days[{{1, 0}}], 2)):totable())
    assert.equal("histogram: 'bins' is 3, but 'range' has 1 days; write at most as many",
      message(locus.histogram, days, 3, {range = {"2026-11-22", "2026-11-23"}}))
    assert.equal("histogram: 'range' must not fall, got 2026-11-24 and 2026-11-22",
      message(locus.histogram, days, 3, {range = {days[2], days[1]}}))
    assert.matches("^histogram: 'range' must be a table of two dates, got ",
      message(locus.histogram, days, 3, {range = 5}))
  end)
end)
