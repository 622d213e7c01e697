-- SPDX-License-Identifier: MIT
-- Jobs large enough to be shared give the same bytes with any number of threads, strided and
-- contiguous. (That they are right: the other specs, with LOCUS_SMALL_PIECES.)
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local before = locus.get_num_threads()
local ROWS = os.getenv("LOCUS_SMALL_PIECES") and 7 or 70
local N = ROWS * 1001 -- two pieces of contiguous elements, more of strided ones

-- Everything about an answer: bytes of tensors, anything else as text.
local function bytes(...)
  local list = {}
  for i = 1, select("#", ...) do
    local answer = select(i, ...)
    if locus.is_tensor(answer) then
      local t = answer:cpu():contiguous()
      local size = t:numel() * t:element_size()
      answer = t.dtype .. tostring(t.shape) .. (size > 0 and ffi.string(t:data(), size) or "")
    end
    list[i] = support.show(answer)
  end
  return table.concat(list, "|")
end

-- The results of f with 1 thread and with several.
local function check(what, f, ...)
  local first
  for _, n in ipairs {1, 2, 5} do
    locus.set_num_threads(n)
    local got = bytes(f(...))
    first = first or got
    if got ~= first then error(("%s differs with %d threads"):format(what, n)) end
  end
end

-- N elements in no order, with zeros and equal ones, NaN among floats.
local function data(dtype)
  local x = (locus.arange(N) * 7919 % 1013 - 500) / 4
  if dtype:find("float") or dtype:find("complex") then
    x:narrow(1, N - 9, 3):fill_(locus.nan)
  else
    x = x:abs() - x:abs() % 1
  end
  return dtype == "bool" and x:gt(50) or x:remainder(100):to(dtype)
end

-- The data as rows, contiguous and in another layout.
local function each_layout(dtype, f)
  local x = data(dtype)
  f("contiguous", x)
  f("contiguous rows", x:view(ROWS, -1))
  for _, layout in ipairs {"transposed", "stepped"} do
    f(layout, support.laid(x:view(ROWS, -1), layout))
  end
end

describe("threads share, with equal answers, #host", function()
  after_each(function() locus.set_num_threads(before) end)

  local function share(name, dtypes, f)
    it(name, function()
      for _, dtype in ipairs(dtypes) do
        each_layout(dtype, function(layout, x)
          check(("%s of %s %s"):format(name, layout, dtype), f, x)
        end)
      end
    end)
  end

  share("neg and isnan", support.floats, function(x) return -x, x:isnan() end)
  share("std", support.ordered, function(x) return x:std(1), x:std() end)
  share("add", support.dtypes, function(x) return x + x, x:add(x:select(1, 1)) end)
  share("remainder", support.real, function(x) return x:remainder(7) end)
  share("comparisons", support.ordered, function(x) return x:lt(3), x:eq(x), x:gt(x:t():t()) end)
  share("allclose", support.floats, function(x) return x:allclose(x, {equal_nan = true}) end)
  share("conversion", support.real, function(x)
    return x:to("complex128"), x:to("float32"), x:clone()
  end)
  share("in place", support.real, function(x) return x:clone():add_(1):mul_(x) end)
  share("cumsum", support.dtypes, function(x) return x:cumsum(-1), x:cumsum(1) end)
  share("cumprod", support.dtypes, function(x) return x:cumprod(-1), x:cumprod(1) end)
  share("cummin", support.ordered, function(x)
    return bytes(x:cummin(-1)), bytes((select(2, x:cummin(1))))
  end)
  for _, op in ipairs {"sum", "prod", "mean", "nanmean", "any", "all", "count_nonzero"} do
    share(op, support.dtypes, function(x) return x[op](x), x[op](x, 1), x[op](x, -1) end)
  end
  for _, op in ipairs {"min", "max", "nanmin", "argmin", "argmax"} do
    share(op, support.ordered, function(x) return bytes(x[op](x)), bytes(x[op](x, 1)),
      bytes(x[op](x, -1)) end)
  end
  share("indexing", support.dtypes, function(x)
    local index = locus.arange(N):long() % x:size(1) + 1
    return x[index:narrow(1, 1, x:dim() == 1 and N or ROWS)]
  end)
  share("where", support.dtypes, function(x) return locus.where(x:eq(x), x, 1) end)
  share("nonzero", support.dtypes, function(x)
    return x:nonzero(), x:masked_select(x:ne(0)), x:masked_fill(x:eq(0), 1)
  end)
  share("sort", {"float32", "int64"}, function(x) return x:sort(-1) end)
  share("rank", {"float32", "uint8"}, function(x) return x:rank(-1) end)
  share("runs", {"float64", "uint8"}, function(x)
    return x:unique_consecutive{return_inverse = true, return_counts = true, return_index = true}
  end)
  share("searchsorted", {"float32", "int64", "uint8"}, function(x)
    return locus.arange(100):to(x.dtype):searchsorted(x, {side = "both"})
  end)
end)

describe("threads share #host", function()
  after_each(function() locus.set_num_threads(before) end)

  it("arange and linspace", function()
    check("arange", locus.arange, 3, 3 + 7 * N, 7, {dtype = "int64"})
    check("linspace", locus.linspace, 0, 1, N)
    check("half", locus.arange, 0, 2000, 1 / 128, {dtype = "float16"})
  end)

  it("the search for what a conversion cannot hold, and name the first", function()
    for _, at in ipairs {1, N - 4000, N - 1, N} do
      local x = locus.zeros(N)
      x[at] = 300
      x[N] = 1e9
      check("conversion", function() return support.message(x.to, x, "uint8") end)
      assert.matches(("%%[%d%%]"):format(at), support.message(x.to, x, "uint8"))
    end
  end)

  it("whole reductions of rows of any length", function()
    for _, n in ipairs {16384, 16385, 24576, 24577, 65537, 524288, 524289, 1048577} do
      local x = locus.arange(n) * 1.1 % 7
      for _, op in ipairs {"sum", "mean", "argmax", "argmin", "count_nonzero"} do
        check(op .. " of " .. n, x[op], x)
        if n < 70000 then
          check(op .. " of three times " .. n, x[op], locus.stack({x, x, x}, 2), 1)
        end
      end
    end
  end)

  it("the search for an extreme, and take the first", function()
    for _, n in ipairs {1, 2, 5} do
      locus.set_num_threads(n)
      local x = locus.zeros(600000)
      for _, at in ipairs {600000, 500001, 131073, 131072, 70000, 1} do
        x[at] = 1
        assert.equal(at, x:argmax())
        assert.equal(at, (-x):argmin())
      end
    end
  end)

  it("any and all, which end early", function()
    for _, n in ipairs {1, 2, 5} do
      locus.set_num_threads(n)
      local x = locus.zeros(600000)
      for _, at in ipairs {600000, 500001, 131073, 131072, 70000, 1} do
        assert.is_false(x:any())
        assert.is_true(x:eq(0):all())
        x[at] = 1
        assert.is_true(x:any())
        assert.is_false(x:eq(0):all())
        x[at] = 0
      end
      assert.is_true(locus.tensor({{1}, {0}}):expand(2, 2 ^ 49):any())
      assert.is_false(locus.tensor({{0}, {1}}):expand(2, 2 ^ 49):all())
    end
  end)
end)
