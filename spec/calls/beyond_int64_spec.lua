-- SPDX-License-Identifier: MIT
-- A uint64 cdata is an int64 where that holds it. Where not, every argument says which value it is
-- and that int64 cannot hold it.
local has_ffi, ffi = pcall(require, "ffi")
if not has_ffi then return end
local locus = require "locus"
local support = require "spec.support"

local message = support.message
local SAID = "18446744073709551615, which int64 cannot hold"
local beyond = ffi.cast("uint64_t", -1LL)

-- All places where a number may stand, each as f(number).
local function places()
  local x = locus.tensor{1, 2, 3}
  local long, f = x:long(), locus.frame{{"t", {1, 2}}, {"n", x:long()[{{1, 2}}]}}
  return {
    data = function(n) return locus.tensor{n} end,
    ["data alone"] = function(n) return locus.tensor(n) end,
    ["data of int64"] = function(n) return locus.tensor({1, n}, {dtype = "int64"}) end,
    ["data of float32"] = function(n) return locus.FloatTensor{n} end,
    ["nested data"] = function(n) return locus.tensor{{1}, {n}} end,
    fill_value = function(n) return locus.full({2}, n) end,
    size = function(n) return locus.zeros(n) end,
    sizes = function(n) return locus.zeros{2, n} end,
    operand = function(n) return x + n end,
    ["operand of int64"] = function(n) return long:add(n) end,
    ["operand in place"] = function(n) return long:clone():mul_(n) end,
    compared = function(n) return x:lt(n) end,
    ["compared to int64"] = function(n) return long:eq(n) end,
    between = function(n) return x:between(0, n) end,
    clamp = function(n) return x:clamp(0, n) end,
    index = function(n) return x[n] end,
    ["index of several"] = function(n) return x[{n}] end,
    range = function(n) return x[{{1, n}}] end,
    assigned = function(n) x[1] = n end,
    ["assigned to int64"] = function(n) long:clone()[1] = n end,
    ["assigned to a range"] = function(n) x[{{1, 2}}] = n end,
    ["assigned at"] = function(n) x[n] = 1 end,
    select = function(n) return x:select(1, n) end,
    narrow = function(n) return x:narrow(1, 1, n) end,
    dim = function(n) return x:sum(n) end,
    dims = function(n) return x:sum{n} end,
    searched = function(n) return x:searchsorted(n) end,
    k = function(n) return x:topk(n) end,
    base = function(n) return x:nonzero{base = n} end,
    decimals = function(n) return x:round{decimals = n} end,
    arange = function(n) return locus.arange(n) end,
    linspace = function(n) return locus.linspace(0, n, 3) end,
    masked_fill = function(n) return x:masked_fill(x:gt(1), n) end,
    where = function(n) return locus.where(x:gt(1), n, 0) end,
    isin = function(n) return x:isin(n) end,
    lookup = function(n) return long:lookup(n) end,
    fill_ = function(n) return x:clone():fill_(n) end,
    push = function(n) return locus.builder("int64"):push(n) end,
    ["push a row"] = function(n) return locus.builder{{"a", "int64"}}:push(n) end,
    head = function(n) return f:head(n) end,
    row = function(n) return f[n] end,
    column = function(n) return f:with("m", {1, n}) end,
    take = function(n) return x:take({1}, n) end,
    ["take of a frame"] = function(n) return f:take({0}, {t = n, n = n}) end,
    tolerance = function(n) return locus.asof(x, x, {tolerance = n}) end,
    split = function(n) return x:split(n) end,
    ["split into"] = function(n) return x:split{1, n} end,
    roll = function(n) return x:roll(n) end,
    ["roll by several"] = function(n) return x:roll({n}, {1}) end,
    seed = function(n) return locus.manual_seed(n) end,
    randint = function(n) return locus.randint(0, n, {2}) end,
    minlength = function(n) return long:bincount(nil, n) end,
    repeats = function(n) return x:repeat_interleave(n) end,
    threads = function(n) return locus.set_num_threads(n) end,
    offset = function(n) return locus.from_file("/dev/null", "int64", {offset = n}) end,
    quantile = function(n) return x:quantile(n) end,
    ids = function(n) return locus.segment(x, {n, n, n}, "sum") end,
  }
end

describe("a uint64 cdata #host #once", function()
  it("past int64 is named by every argument", function()
    for place, f in pairs(places()) do
      local said = message(f, beyond)
      assert.is_truthy(said, place)
      local at = said:gsub(" at [%[%]%d, ]+%f[,]", "")
      assert.is_truthy(at:find(SAID, 1, true), place .. ": " .. said)
      assert.is_nil(said:find("\n"), place)
      assert.is_nil(said:find("no number", 1, true), place)
    end
    assert.equal("full: 'fill_value' is " .. SAID, message(locus.full, {2}, beyond))
    assert.equal("tensor: 'data' holds 18446744073709551615 at [2], which int64 cannot hold",
      message(locus.tensor, {1, beyond}))
    assert.equal("zeros: 'size' must hold whole numbers, got " .. SAID,
      message(locus.zeros, beyond))
    local least = ffi.cast("uint64_t", 9223372036854775807LL) + 1
    assert.equal("tensor: 'data' is 9223372036854775808, which int64 cannot hold",
      message(locus.tensor, least))
  end)

  it("is a cdata where no number may stand", function()
    local x = locus.tensor{1, 2}
    local f = locus.frame{{"n", {"a", "b"}}}
    local calls = {
      strings = function(n) return locus.strings{n} end,
      ["of several"] = function(n) return locus.strings{"a", n} end,
      compared = function(n) return f.n:eq(n) end, isin = function(n) return f.n:isin{n} end,
      select = function(n) return f:select{n} end, column = function(n) return f:column(n) end,
      with = function(n) return f:with(n, x) end,
      frame = function(n) return locus.frame{{n, x}} end,
      rename = function(n) return f:rename("n", n) end, to = function(n) return x:to(n) end,
      dtype = function(n) return x:sum{dtype = n} end, side = function(n)
        return x:searchsorted(x, {side = n})
      end, keepdim = function(n) return x:any(1, n) end,
      load = function(n) return locus.load(n) end,
      read_csv = function(n) return locus.read_csv(n) end, match = function(n)
        return f.n:match(n)
      end, map = function(n) return f.n:map(n) end, sort = function(n) return f:sort(n) end,
      group = function(n) return f:group(n) end, agg = function(n)
        return f:group("n"):agg{c = {n}}
      end, stack = function(n) return locus.stack{n} end, cat = function(n) return locus.cat(n) end,
    }
    for place, call in pairs(calls) do
      local said = message(call, beyond)
      assert.is_truthy(said, place)
      local number = place == "to" or place == "stack" or place == "cat" -- or tensors
      assert.is_truthy(number or said:find("cdata 18446744073709551615ULL", 1, true),
        place .. ": " .. said)
      assert.is_truthy(number or not said:find("int64 cannot", 1, true), place .. ": " .. said)
    end
    assert.equal("strings: 'list[1]' must be a string, got the cdata 18446744073709551615ULL",
      message(locus.strings, {beyond}))
  end)

  it("that int64 holds is that", function()
    local five, most = ffi.cast("uint64_t", 5), ffi.cast("uint64_t", 9223372036854775807LL)
    support.same(locus.tensor{five}, {1}, {5}, "int64")
    assert.equal("9223372036854775807LL", tostring(locus.tensor({most})[1]))
    support.same(locus.zeros(five), {5}, {0, 0, 0, 0, 0})
    assert.equal(2, locus.tensor({1, 2})[ffi.cast("uint64_t", 2)])
  end)
end)

describe("a number past int64 beside integers", function()
  it("is a float, as one with a fraction is", function()
    for _, dtype in ipairs {"uint8", "int8", "int16", "int32", "int64"} do
      local x = locus.ones({2}, {dtype = dtype})
      for _, number in ipairs {2 ^ 63, -2 ^ 63 - 2048, 1e300, math.huge, support.nan} do
        assert.equal("float64", locus.result_type(x, number))
        support.same(x + number, {2}, {number, number}, "float64")
        support.same(number * x, {2}, {number, number}, "float64")
        assert.equal("float64", x:maximum(number).dtype)
        support.same(locus.where(x:gt(0), number, x), {2}, {number, number}, "float64")
        assert.equal("add_: the result is float64, which " .. dtype .. " cannot hold; write "
          .. "x:add(...)", support.message(x.add_, x, number))
        assert.equal(x[1], 1)
      end
    end
    local long = locus.LongTensor {1}
    assert.equal("4611686018427387905LL", tostring((long + 2 ^ 62)[1]))
    assert.equal("-9223372036854775807LL", tostring((long + -2 ^ 63)[1]))
    assert.equal("add: 'other' is 4611686018427387904, which int32 cannot hold",
      support.message(locus.add, long:int(), 2 ^ 62))
  end)
end)
