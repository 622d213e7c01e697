-- SPDX-License-Identifier: MIT
-- One long row, and few of them, which all threads share. Sorts, ranks, selections and searches
-- give the same bytes with 1, 2, 3, 5 and 16 threads: for lengths around those at which work is cut
-- otherwise, layouts, ties, zeros of both signs, NaN of all kinds. Nothing is written if memory
-- runs out. (That the answers are right: sort_rows_spec and others, with
-- LOCUS_SMALL_PIECES.)
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local before = locus.get_num_threads()
local small = os.getenv("LOCUS_SMALL_PIECES")
local N = small and 3001 or 66001

local function bytes(...)
  local list = {}
  for i = 1, select("#", ...) do
    local answer = select(i, ...)
    if locus.is_tensor(answer) then
      local t = answer:cpu():contiguous()
      local size = t:numel() * t:element_size()
      answer = t.dtype .. tostring(t.shape) .. (size > 0 and ffi.string(t:data(), size) or "")
    end
    list[i] = type(answer) == "string" and answer or support.show(answer)
  end
  return table.concat(list, "|")
end

-- The results of f are those with one thread, bit for bit.
local function check(what, f, ...)
  local first
  for _, n in ipairs {1, 2, 3, 5, 16} do
    locus.set_num_threads(n)
    local got = bytes(f(...))
    first = first or got
    if got ~= first then error(("%s differs with %d threads"):format(what, n)) end
  end
end

-- Words of n elements from the bits of three numbers of a sequence: any bits, few distinct ones,
-- few in the middle of many, bits of one number at both ends.
local kinds = {
  any = function(x) return x end,
  few = function(x) return x % 5 end,
  ["mostly one"] = function(x) return locus.where(locus.lt(x % 10, 8), 77, x) end,
  near = function(x) return x % 1000 + 2 ^ 40 end,
  ["one far"] = function(x)
    local y = x % 1000
    y[7] = 2 ^ 62
    return y
  end,
}

-- A tensor of any dtype whose bytes are those of int64 of a kind.
local function made(kind, dtype, n)
  locus.manual_seed(n)
  local words = kinds[kind](locus.randint(-2 ^ 62, 2 ^ 62, {n}, {dtype = "int64"})):contiguous()
  local size = locus.empty(1, {dtype = dtype}):element_size()
  local one = dtype == "bool" and 1 or size
  local text = ffi.string(words:data(), n * 8)
  return locus.from_string(text:sub(1, n * one), dtype)
end

-- Floats with zeros of both signs and NaN of several kinds among them, `count` of each.
local function odd(dtype, n, count)
  local x = locus.randn(n, {dtype = "float32"}):to(dtype)
  local size = x:element_size()
  local any = made("any", dtype, count)
  local nans = locus.from_string(ffi.string(any:data(), count * size), "uint8"):view(count, size)
  nans[{{}, {size - 1, size}}] = 255 -- all bits of the exponent; the others are any
  x[locus.randint(1, n + 1, {count}, {dtype = "int64"})] =
    locus.from_string(ffi.string(nans:contiguous():data(), count * size), dtype)
  local zeros = (locus.arange(count) % 2 * 2 - 1):to(dtype) * 0
  x[locus.randint(1, n + 1, {count}, {dtype = "int64"})] = zeros
  return x
end

local function sorts(x, ...)
  for _, descending in ipairs {false, true} do
    check(("sort of %s, %s"):format(x.dtype, table.concat({...}, " ")), function()
      local v, i = x:sort(-1, descending)
      return v, i, x:sort(-1, descending, {indices = false})
    end)
  end
end

describe("A long row is shared, #host", function()
  after_each(function() locus.set_num_threads(before) end)

  -- Small pieces are quick: all dtypes then.
  for _, dtype in ipairs(small and support.ordered or {"uint8", "int32", "float64"}) do
    it("sort and argsort of " .. dtype, function()
      for kind in pairs(kinds) do sorts(made(kind, dtype, N), kind) end
      if support.types[dtype].kind ~= "FLOAT" then return end
      sorts(odd(dtype, N, 9), "some odd")
      sorts(odd(dtype, N, math.floor(N / 3)), "mostly odd")
    end)
  end

  it("of any length", function()
    local lengths = small and {63, 64, 65, 127, 128, 129, 513, 1025, 8193}
      or {65535, 65536, 65537, 600001}
    for _, n in ipairs(lengths) do
      for _, kind in ipairs {"any", "few"} do
        sorts(made(kind, "float64", n), kind, n)
        sorts(made(kind, "int32", n), kind, n)
      end
    end
  end)

  it("as pieces of a longer one, and in order", function()
    for _, x in ipairs {locus.arange(N), -locus.arange(N), locus.arange(N):floor_divide(3),
                        locus.ones(N), locus.cat {locus.arange(N), locus.zeros(1)}} do
      sorts(x)
    end
    local x = made("any", "float32", 3 * N)
    for _, y in ipairs {x[{ {1, 3 * N, 3} }], x:view(N, 3):t(), x:view(3, N),
                        x:view(N, 3)[{{}, 2}]} do
      sorts(y)
      check("into every other place", function()
        local size = y:size()
        local values = locus.zeros(size[1], size[2] or 1, 2, {dtype = "float32"}):select(3, 1)
        local index = locus.zeros(size[1], size[2] or 1, 2, {dtype = "int64"}):select(3, 2)
        values, index = values:reshape(size), index:reshape(size)
        locus.sort(y, -1, {out = {values, index}})
        return values, index
      end)
    end
  end)

  it("and so are functions that sort or select", function()
    for _, x in ipairs {odd("float64", N, 99), made("few", "int64", N), odd("float32", N, 99)} do
      for _, method in ipairs {"average", "min", "max", "dense", "ordinal"} do
        check("rank " .. method, function() return x:rank{method = method} end)
      end
      for _, k in ipairs {1, 2, 17, math.floor(N / 2), N} do
        check("kthvalue", function() return x:kthvalue(k) end)
        if k < 100 then
          check("topk", function() return bytes(x:topk(k)), bytes(x:topk(k, 1, false)) end)
        end
      end
      check("median", function() return bytes(x:median(1)), x:median() end)
      check("quantile", function() return x:quantile{0, 0.1, 0.5, 0.99, 1} end)
      check("nanquantile", function() return x:nanquantile{0, 0.1, 0.5, 0.99, 1} end)
      check("unique", function()
        return x:unique{return_inverse = true, return_counts = true, return_index = true}
      end)
      check("unique values", function() return x:unique(), (x:unique_consecutive()) end)
      check("search through a sorter", function()
        local sorter = x:argsort()
        return x:searchsorted(x:narrow(1, 1, 3000), {sorter = sorter, side = "both"})
      end)
    end
  end)

  it("and so is the look for the first element out of order", function()
    for _, at in ipairs {2, 1024, 1025, N - 7, N} do
      local x = locus.arange(N)
      x[at] = -1
      x[{ {N - 6, N - 3} }] = -1
      local first = at < N and at or N - 6
      for _, n in ipairs {1, 2, 5, 16} do
        locus.set_num_threads(n)
        local message = support.message(x.searchsorted, x, 3, {check = true})
        assert.matches(("[^%%d]%d[^%%d]"):format(first), message)
      end
    end
  end)

  it("and so are frames sorted by several keys", function()
    local f = locus.frame {{"a", made("few", "int64", N)}, {"b", odd("float64", N, 99)},
                           {"c", made("any", "int32", N)}}
    for _, names in ipairs {{"a"}, {"a", "b"}, {"-a", "c"}, {"b", "-c"}} do
      check("frame", function()
        local g = f:sort(names)
        return g.a, g.b, g.c
      end)
    end
  end)

  it("and writes nothing where memory runs out", function()
    locus.set_num_threads(5)
    local x = odd("float64", N, 99)
    local sorted, from = x:sort()
    local wanted = bytes(sorted, from)
    for _, y in ipairs {x, locus.stack({x, x}, 2):select(2, 1)} do
      local failed, k = 0, 1
      repeat
        local values = locus.full({N}, 7)
        local index = locus.full({N}, 7, {dtype = "int64"})
        collectgarbage()
        locus.memory.trim()
        locus.fail_allocation(k, true)
        local ok = pcall(locus.sort, y, 1, {out = {values, index}})
        local refused = locus.fail_allocation(0)
        if ok then assert.is_true(wanted == bytes(values, index))
        else
          failed = failed + 1
          assert.is_true(values:eq(7):all() and index:eq(7):all())
        end
        k = k + 1
      until refused == 0
      assert.is_true(failed > 0)
    end
  end)
end)
