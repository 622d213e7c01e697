-- SPDX-License-Identifier: MIT
-- The kind of a tensor, times, dates, durations or addresses: which ops keep it, which make another
-- one, and which drop it.
local kinds = require "locus.tensor.kind"
local locus = require "locus"
local support = require "spec.support"

local message = support.message

local function made(type, unit, list)
  local t = locus.tensor(list or {5, 3, 9, 3}, {dtype = "int64", device = support.device})
  return kinds.tagged(t, kinds.named(type, unit))
end

-- "time us", "date", "none"
local function word(t)
  local k = kinds.of(t)
  return k and k.type .. (k.unit and " " .. k.unit or "") or "none"
end

describe("the kind of a tensor", function()
  local all = {{"time", "s"}, {"time", "us"}, {"date"}, {"duration", "ns"}, {"duration", "d"},
               {"ipv4"}}
  local index = locus.tensor({1, 3}, {dtype = "int64", device = support.device})

  local keeps = {
    range = function(t) return t[{{2, 3}}] end,
    index = function(t) return t[index] end,
    mask = function(t) return t[t:ne(3)] end,
    masked_select = function(t) return t:masked_select(t:ne(3)) end,
    view = function(t) return t:view(2, 2) end,
    transpose = function(t) return t:view(2, 2):t() end,
    reshape = function(t) return t:view(2, 2):t():reshape(4) end,
    expand = function(t) return t:unsqueeze(1):expand(2, 4) end,
    narrow = function(t) return t:narrow(1, 1, 2) end,
    select = function(t) return t:select(1, 2) end,
    clone = function(t) return t:clone() end,
    contiguous = function(t) return t[{{1, 4, 2}}]:contiguous() end,
    device = function(t) return t:cpu():to(support.device) end,
    sort = function(t) return (t:sort()) end,
    topk = function(t) return (t:topk(2)) end,
    kthvalue = function(t) return (t:kthvalue(2, 1)) end,
    min = function(t) return (t:min(1)) end,
    amax = function(t) return t:amax(1) end,
    cummax = function(t) return (t:cummax(1)) end,
    unique = function(t) return (locus.unique(t)) end,
    where = function(t) return locus.where(t:gt(3), t, t:flip(1)) end,
    where_number = function(t) return locus.where(t:gt(3), t, 0) end,
    masked_fill = function(t) return t:masked_fill(t:gt(3), 0) end,
    clamp = function(t) return t:clamp(4, 6) end,
    maximum = function(t) return locus.maximum(t, t:flip(1)) end,
    take = function(t) return t:take(index) end,
    gather = function(t) return t:gather(1, index) end,
    index_select = function(t) return t:index_select(1, index) end,
    cat = function(t) return locus.cat {t, t} end,
    stack = function(t) return locus.stack {t, t} end,
    flip = function(t) return t:flip(1) end,
    roll = function(t) return t:roll(1) end,
    tile = function(t) return locus.tile(t, {2}) end,
    intersect = function(t) return t:intersect(t) end,
    union = function(t) return t:union(t) end,
    setdiff = function(t) return t:setdiff(t[{{1, 1}}]) end,
    runs = function(t) return (t:unique_consecutive()) end,
    rle = function(t) return select(3, t:rle()) end,
    nanmin = function(t) return t:view(1, -1):nanmin(1) end,
    nanmax = function(t) return t:view(1, -1):nanmax(1) end,
    segments = function(t) return t:segment_reduce("max", {lengths = {2, 2}}) end,
    chunk = function(t) return t:chunk(2)[1] end,
    hstack = function(t) return locus.hstack {t, t} end,
    shuffle = function(t) return t:shuffle() end,
    choice = function(t) return t:choice(2) end,
    along = function(t) return t:take_along_dim(index, 1) end,
    scatter = function(t) return t:scatter(1, index, t) end,
    lookup_take = function(t) return t:take(t:lookup(t), 0) end,
    repeats = function(t) return locus.repeat_interleave(t, 2) end,
    out = function(t) return locus.sort(t, {out = {locus.empty(0, {dtype = "int64"}):to(t.device),
      locus.empty(0, {dtype = "int64"}):to(t.device)}}) end,
  }

  for _, k in ipairs(all) do
    local name = k[1] .. (k[2] and " " .. k[2] or "")
    for op, f in pairs(keeps) do
      it(("%s passes through %s"):format(name, op), function()
        assert.equal(name, word((f(made(k[1], k[2])))))
      end)
    end
  end

  it("is of int64 alone, and x:long() and x:to(\"int64\") are the bare numbers", function()
    local t = made("time", "us")
    for _, plain in ipairs {t:long(), t:to("int64"), t:double(), t:to("int32"), t:gt(3),
                            t:argsort(), t:nonzero(), locus.where(t:gt(3), t, 0.5)} do
      assert.equal("none", word(plain))
    end
    assert.equal("time us", word(t))
    t:long()[1] = 77 -- a view
    assert.equal(77, t:long()[1])
  end)

  it("is what arithmetic makes of it", function()
    for _, k in ipairs {{"time", "us", "duration us"}, {"time", "s", "duration s"},
                        {"date", nil, "duration d"}} do
      local t, own, span = made(k[1], k[2]), k[1] .. (k[2] and " " .. k[2] or ""), k[3]
      local d = t - t
      for result, expected in pairs {
        [d] = span, [t + 1] = own, [1 + t] = own, [t - 1] = own, [t + d] = own, [d + t] = own,
        [t - d] = own, [d + d] = span, [d - d] = span, [d * 2] = span, [2 * d] = span,
        [d + 1] = span, [-d] = span, [d:abs()] = span, [d / (d + 1)] = "none", [d / 2] = "none",
        [d % 7] = span, [d:floor_divide(2)] = span, [d:floor_divide(d + 1)] = "none",
        [t * 2] = "none", [t % 2] = "none", [t / 2] = "none", [t + 0.5] = "none",
        [d:cumsum(1)] = span, [t:cumsum(1)] = "none", [d:sum(1)] = span, [t:sum(1)] = "none",
        [t:diff()] = span, [d:diff()] = span, [t:eq(t)] = "none", [d * d] = "none",
      } do
        assert.equal(expected, word(result))
      end
    end
  end)

  it("stays in place", function()
    local t = made("time", "us")
    t:add_(1)
    t[1] = 4
    t:masked_fill_(t:gt(3), 0)
    t:fill_(7)
    assert.equal("time us", word(t))
    assert.equal("sub_: the result has durations in us, but 'input' has times in us; write "
      .. "x:sub(...)", message(t.sub_, t, t))
  end)

  it("never mixes silently", function()
    local us, ns, date = made("time", "us"), made("time", "ns"), made("date")
    local span = made("duration", "s")
    for _, f in ipairs {locus.eq, locus.lt, locus.sub, locus.maximum} do
      assert.matches("'input' has times in us, and 'other' has times in ns; write "
        .. 'x:as_unit("us") for one of them', message(f, us, ns), 1, true)
    end
    assert.matches("has times in us, and .* has dates", message(locus.cat, {us, date}))
    assert.matches("has times in us, and .* has durations in s", message(locus.add, us, span))
    assert.matches("are both times, which do not add", message(locus.add, us, us))
    assert.matches("has times in us, and .* has times in ns", message(us.copy_, us, ns))
    assert.matches("has times in us, and .* has times in ns",
      message(locus.where, us:gt(1), us, ns))
  end)

  it("leaves with the frame's column, and comes back", function()
    local f = locus.frame {{"t", {1, 2}, "time"}, {"d", {1, 2}, "date"}}
    assert.equal("time us", word(f.t))
    assert.equal("date", word(f.d))
    local g = locus.frame {{"t", f.t}, {"wait", f.t - f.t}, {"n", f.t:long()}}
    assert.same({t = "time", wait = "duration", n = "int64"}, g:types())
    assert.matches("0:00:00", tostring(g), 1, true)
  end)
end)
