-- SPDX-License-Identifier: MIT
-- A suggestion for an unknown name means the same, or there is none: for all names of other
-- libraries, and for names that people type.
local features = require "spec.support.docs.features"
local locus = require "locus"
local peers = require "locus.names.peers"
local support = require "spec.support"

local x = locus.ones(2)
local f = locus.frame {{"price", {1, 2}}, {"symbol", {"a", "b"}}}

-- The error of an object for a name that it lacks; nil if it has it.
local function said(object, name)
  local ok, problem = pcall(function() return object[name] end)
  return not ok and problem:gsub("^[^:]+:%d+: ", "") or nil
end

local PLACES = {["the module"] = locus, ["a tensor"] = x, ["a frame"] = f,
                ["groups"] = f:group("symbol"), ["a string column"] = f.symbol}

-- All names of others.
local function foreign()
  local all = {}
  local function add(text) for name in text:gmatch("[%a_][%w_]*") do all[name] = true end end
  for _, library in ipairs {features.PyTorch, features.NumPy, features.polars, unpack(peers)} do
    add((library.features or "") .. " " .. (library.rest or ""))
  end
  local page = assert(io.open("docs/features.md"))
  for code in page:read("*a"):gmatch("`([^`]*)`") do add(code) end
  page:close()
  return all
end

-- The same name in other letters.
local function plain(name) return (name:gsub("_", ""):lower()) end

-- Other names that mean the same.
local SAME = {offsets = "offset",
              equals = "equal", dtypes = "dtype", nquantile = "quantile", name = "names",
              isequal = "equal", arg_sorts = "argsort"}

describe("the nearest name #host #once", function()
  it("of a name that other libraries have means the same", function()
    local wrong, count = {}, 0
    for name in pairs(foreign()) do
      for place, object in pairs(PLACES) do
        local meant = (said(object, name) or ""):match("did you mean '([^']+)'")
        count = count + 1
        if meant and plain(meant) ~= plain(name) and SAME[name] ~= meant then
          wrong[#wrong + 1] = ("%s: %s is no %s"):format(place, name, meant)
        end
      end
    end
    assert.same({}, wrong)
    assert.is_true(count > 3000, count)
  end)

  it("is offered from four letters on", function()
    for _, name in ipairs {"lag", "len", "now", "get", "pop", "str", "lo", "x", "ad", "srt",
                           "adn"} do
      for place, object in pairs(PLACES) do
        assert.is_nil((said(object, name) or ""):find("did you mean"), place .. "." .. name)
      end
    end
    assert.equal("locus has no 'tesnor'; did you mean 'tensor'?", said(locus, "tesnor"))
    assert.equal("a tensor has no 'srot'; did you mean 'sort'?", said(x, "srot"))
    assert.equal("a tensor has no 'searchsort'; did you mean 'searchsorted'?",
      said(x, "searchsort"))
    assert.equal("locus has no 'tensorial'", said(locus, "tensorial"))
  end)

  it("is sought for names of any bytes", function()
    for _, name in ipairs {"sum\0", "\0\0\0\0\0", "\0sum", "sum%", "%f[sum", "su.m", "sum\255"} do
      for place, object in pairs(PLACES) do
        local problem = said(object, name)
        assert.is_true(problem ~= nil and not problem:find("pattern", 1, true)
          and not problem:find("%z"), place .. ": " .. tostring(problem))
      end
      local problem = support.message(PLACES.groups.agg, PLACES.groups, {p = {name, "price"}})
      assert.matches("^agg: 'p' must be {how, column}", problem)
    end
  end)

  it("of columns is one of the user's own, also of three letters", function()
    local g = locus.frame {{"sym", {1}}, {"time", {1}}}
    assert.matches("did you mean 'time'?", said(g, "tme"), 1, true)
    assert.matches("did you mean 'sym'?", said(g, "smy"), 1, true)
    assert.matches("it has 'sym', 'time'", said(g, "no"), 1, true)
  end)

  it("gives way to how it is written here", function()
    local function writes(text, object, name)
      local told = said(object, name)
      assert.is_truthy(told and told:find(text, 1, true), name .. ": " .. tostring(told))
      assert.is_nil(told:find("did you mean", 1, true), told)
    end
    for _, object in ipairs {locus, x} do
      for name, text in pairs {lag = "x:shift(k)", lead = "x:shift(-k)", sample = "x:choice(n",
        and_ = "x:logical_and(y)", or_ = "x:logical_or(y)", filter = "x[mask]",
        resize = "x:view(sizes)"} do
        writes(text, object, name)
      end
      for _, name in ipairs {"mm", "svd", "matmul", "bmm", "eig", "einsum", "inverse"} do
        writes("matrix products and decompositions are not here", object, name)
      end
    end
    for name, text in pairs {lag_ = "x:shift(k)", shift_ = "x:shift(k)",
      sample_ = "x:choice(n", lead_ = "x:shift(-k)", clip_ = "x:clamp_(min, max)",
      subtract_ = "x:sub_(y)", nan_to_num_ = "x:fill_missing_(0)",
      pivot = 'f:pivot{rows = "a"'} do
      writes(text, x, name)
    end
    for _, wide in ipairs {"uint16", "uint32", "uint64"} do
      local dtype = wide == "uint16" and "int32" or "int64"
      writes("locus." .. dtype, locus, wide)
      writes(('x:to("%s")'):format(dtype), x, wide)
      for _, call in ipairs {function() return x:to(wide) end,
        function() return locus.zeros({1}, {dtype = wide}) end,
        function() return locus.tensor({1}, {dtype = wide}) end,
        function() return x:to {dtype = wide} end, function() return x:sum {dtype = wide} end,
        function() return locus.builder(wide) end,
        function() return locus.read_csv({text = "a\n1\n"}, {types = {a = wide}}) end} do
        local told = support.message(call)
        assert.is_truthy(told:find('write "' .. dtype .. '"', 1, true), told)
      end
    end
    writes("locus.IntTensor", locus, "UShortTensor")
    writes("locus.LongTensor", locus, "UIntTensor")
    writes("locus.LongTensor", locus, "ULongTensor")
    writes('{dtype = "complex64"}', locus, "ComplexFloatTensor")
    writes('{dtype = "complex128"}', locus, "ComplexDoubleTensor")
    writes("x:cuda()", locus, "CudaTensor")
    writes("x:cuda()", locus, "CudaLongTensor")
    writes('{dtype = "complex128"}', locus, "ComplexTensor")
    writes("os.time()", locus, "now")
    writes("locus.randint(low, high, size)", locus, "random")
    for name, text in pairs {pivot_table = "f:pivot{rows =", sample = "f[locus.randperm(#f)[",
      shift = "f.name:shift(k)", insert = "locus.cat{f, g}",
      scatter = "f:plot(a, b, {points = true})"} do
      writes(text, f, name)
    end
    for _, name in ipairs {"lag", "lead"} do writes("f:with(name, f.name:shift(", f, name) end
    local g = f:group("symbol")
    for name, text in pairs {pivot = "f:pivot{rows =", sample = "g:each(",
      lag = "g:shift(", lead = "g:shift("} do
      writes(text, g, name)
    end
    for _, object in ipairs {f, g, f.symbol} do
      for _, name in ipairs {"mm", "svd", "matmul", "einsum"} do
        writes("matrix products and decompositions are not here", object, name)
      end
    end
    writes("g:quantile(column, 0.5)", g, "median")
    for how, text in pairs {median = '{"quantile", column, 0.5}',
      p99 = '{"quantile", column, 0.99}', p5 = '{"quantile", column, 0.05}',
      p999 = '{"quantile", column, 0.999}',
      average = '{"mean", column}', size = '{"count"}'} do
      assert.equal(text, support.message(g.agg, g, {a = {how, "price"}}):match("; write (.*)$"))
    end
    local told = support.message(g.agg, g, {a = {"quantil", "price"}})
    assert.matches("did you mean 'quantile'?", told, 1, true)
  end)
end)

describe("names of parts #host #once", function()
  it("lead to chunks, whose size is rows", function()
    for _, name in ipairs {"chunksize", "chunk_size", "batch_size", "batchsize"} do
      assert.equal(("read_csv: there is no argument '%s'; write locus.chunks(source, {rows = n})")
        :format(name), support.message(locus.read_csv, "x.csv", {[name] = 9}))
      assert.equal(("chunks: there is no argument '%s'; write 'rows'"):format(name),
        support.message(locus.chunks, "x.csv", {[name] = 9}))
    end
  end)

  it("are no strings of more than a Lua string holds", function()
    local huge = locus.zeros(1, {dtype = "uint8", device = "cpu"}):expand(2 ^ 31 - 256)
    assert.equal("tobytes: 'input' has 2147483392 bytes, and a Lua string holds at most "
      .. "2147483391; write x:tofile(path)", support.message(huge.tobytes, huge))
  end)
end)
