-- SPDX-License-Identifier: MIT
-- Calls on memory that a thread of changing.c writes to meanwhile. The chunk is called with the
-- path of that library, the seconds for each call, and a pattern of names of calls.
local ffi = require "ffi"
local locus = require "locus"
local ids_of = require "locus.frame.ids"
local strings = require "locus.frame.strings"

ffi.cdef [[
int changing_start(void *memory, int64_t count, int64_t width, const void *other, int64_t others);
int64_t changing_writes(void);
  int64_t changing_stop(void);
]]

local N = 20000
local FAR = {2 ^ 40, -2 ^ 40, 2 ^ 31 - 1, -2 ^ 31, 0, -1, 2 ^ 52, -2 ^ 52}
local NEAR = {2 ^ 31 - 1, -2 ^ 31, 0, -1, N + 1, -N - 1, 2 ^ 30, -2 ^ 30}
local FLOATS = {locus.nan, math.huge, -math.huge, 0, -1e300, 1e300, 1e9, 0.5}
local widths = {int64 = 8, int32 = 4, float64 = 8, float32 = 4}

local x, wide = locus.arange(N) / N, locus.arange(4 * N):view(N, 4)
local sorted = x:clone()

-- Each call: a dtype, the elements that the memory holds, what else it holds for a moment, and what
-- is called with the tensor on that memory.
local calls = {}
local function add(name, dtype, values, others, f)
  calls[#calls + 1] = {name = name, dtype = dtype, values = values, others = others, f = f}
end

local function shuffled(low, high)
  return (locus.arange(N) * 7919 % (high - low + 1) + low):long()
end

-- Results of one pass that the next one looks for.
for dtype in pairs(widths) do
  add("max " .. dtype, dtype, shuffled(1, N), {N + 1, N + 2, 0}, function(t)
    local _, at = t:view(-1, 40):max(2)
    assert(at:max() <= 40)
    assert(select(2, t:max(1)):item() <= N)
  end)
end
for _, how in ipairs {{sorted = false}, {sorted = false, return_index = true}} do
  add("unique in order" .. (how.return_index and ", positions" or ""), "int32",
    locus.arange(1, N + 1):long(), {1, 2, N}, function(t) return t:unique(how) end)
end

-- Positions, of both dtypes.
for _, dtype in ipairs {"int64", "int32"} do
  local others = dtype == "int64" and FAR or NEAR
  local function positions(name, f)
    add(name .. " " .. dtype, dtype, shuffled(1, N), others, f)
  end
  positions("x[i]", function(i) return x[i] end)
  positions("x[{i, j}]", function(i) return wide[{i, locus.ones(N, {dtype = "int64"})}] end)
  positions("rows", function(i) return wide[i] end)
  positions("strided", function(i) return locus.arange(2 * N):view(N, 2):select(2, 1)[i] end)
  positions("x[i] = 1", function(i) x:clone()[i] = 1 end)
  positions("x[i] = y", function(i) x:clone()[i] = x end)
  positions("rows = y", function(i) wide:clone()[i] = wide end)
  positions("index_put_", function(i) x:clone():index_put_({i}, x, true) end)
  positions("gather", function(i) return x:gather(1, i) end)
  positions("gather into out", function(i) return x:gather(1, i, {out = locus.zeros(N)}) end)
  positions("index_select", function(i) return wide:index_select(1, i) end)
  positions("take_along_dim", function(i) return x:take_along_dim(i) end)
  positions("take", function(i) return x:take(i) end)
  positions("take, missing", function(i) return x:take(i, -1) end)
  positions("scatter", function(i) return x:scatter(1, i, x) end)
  positions("scatter number", function(i) return x:scatter(1, i, 7) end)
  positions("scatter_add", function(i) return x:scatter_add(1, i, x) end)
  positions("scatter_reduce", function(i) return x:scatter_reduce(1, i, x, "mean") end)
  positions("scatter_reduce afresh", function(i)
    return x:scatter_reduce(1, i, x, "amax", {include_self = false})
  end)
  positions("index_add", function(i) return wide:index_add(1, i, wide) end)
  positions("put", function(i) return x:put(i, x) end)
  positions("sorter", function(i) return sorted:searchsorted(x, {sorter = i}) end)
  positions("sorter, few", function(i)
    return sorted:searchsorted(locus.tensor{.1, .5}, {sorter = i})
  end)
  positions("sorter, checked", function(i)
    return sorted:searchsorted(x, {sorter = i, check = true})
  end)
  local counted = dtype == "int64" and {2 ^ 50, -2 ^ 40, 0, 70000} or {-2 ^ 31, 0, -1, 70000}
  if dtype == "int64" then positions("int", function(i) return i:int() end) end
  for name, f in pairs {
    bincount = function(i) return i:bincount() end,
    ["bincount, weights"] = function(i) return i:bincount(x) end,
    ["bincount, few"] = function(i) return i:bincount(nil, 10) end,
  } do add(name .. " " .. dtype, dtype, shuffled(1, N), counted, f) end
  for _, how in ipairs {"sum", "mean", "std", "min", "max", "first", "last", "count", "prod"} do
    positions("segment " .. how, function(i) return locus.segment(x, i, how, {groups = N}) end)
  end
  positions("segment of integers", function(i) return locus.segment(i, i, "sum", {groups = N}) end)
  positions("segment all", function(i) return locus.segment(x:gt(.5), i, "all", {groups = N}) end)
end

-- Divisors, where 0 would stop the process.
for _, dtype in ipairs {"int64", "int32"} do
  local zeros = {0, 0, 0, -1}
  for _, name in ipairs {"remainder", "fmod", "floor_divide"} do
    local dividend = (shuffled(1, N) + (dtype == "int64" and 2 ^ 52 or 2 ^ 20)):to(dtype)
    add(name .. " " .. dtype, dtype, shuffled(3, 9), zeros,
      function(i) return locus[name](dividend, i) end)
  end
end

-- Lengths and counts.
local threes = locus.full({N / 4}, 3, {dtype = "int64"})
for _, case in ipairs {
  {"repeat_interleave", function(i) return x[{{1, N / 4}}]:repeat_interleave(i) end},
  {"repeat_interleave rows", function(i) return wide[{{1, N / 4}}]:repeat_interleave(i, 1) end},
  {"repeat_interleave positions", function(i) return locus.repeat_interleave(i) end},
  {"segment_reduce lengths", function(i)
    return x[{{1, 3 * N / 4}}]:segment_reduce("sum", {lengths = i})
  end},
} do add(case[1], "int64", threes, {2 ^ 50, -2 ^ 30, 0, 100000}, case[2]) end
add("segment_reduce offsets", "int64", locus.range(1, N + 1):long(), FAR,
  function(i) return x:segment_reduce("max", {offsets = i}) end)

-- Arguments that are read in several passes.
local many, more = locus.arange(30000) * 7919 % 30011, locus.arange(150000) * 7919 % 150001
for _, dtype in ipairs {"float64", "float32", "int64"} do
  local others = dtype == "int64" and FAR or FLOATS
  local function elements(name, f, values)
    add(name .. " " .. dtype, dtype, values or many, others, f)
  end
  elements("sort", function(y) return y:sort() end)
  elements("sort without positions", function(y) return y:sort{indices = false} end)
  elements("argsort", function(y) return y:argsort() end)
  elements("median", function(y) return y:median() end, more)
  elements("kthvalue", function(y) return y:kthvalue(70000) end, more)
  elements("quantile", function(y) return y:double():quantile(.3) end, more)
  elements("topk", function(y) return y:topk(10) end)
  elements("unique", function(y) return y:unique() end)
  elements("unique_consecutive", function(y) return y:unique_consecutive() end)
  elements("isin", function(y) return y:isin(many) end)
  elements("lookup", function(y) return y:lookup(many) end)
  elements("overlaps", function(y)
    return locus.overlaps(locus.zeros(9), locus.ones(9), y)
  end)
  elements("histogram", function(y) return y:double():histogram(50, {range = {0, 1e5}}) end)
  elements("histc", function(y) return y:double():histc(5000, 0, 1e5) end)
  elements("search of it", function(y) return y:searchsorted(many) end)
  elements("search in it", function(y) return many:searchsorted(y) end)
  elements("nonzero", function(y) return y:nonzero() end)
  elements("x[mask]", function(y) return many[y:gt(7)] end)
  elements("max", function(y) return y:max(1) end)
  elements("rank", function(y) return y:rank() end)
end

-- Files whose checksums must be those of the elements that they hold.
for dtype in pairs(widths) do
  add("savez " .. dtype, dtype, shuffled(1, N), dtype:find "float" and FLOATS or NEAR, function(y)
    local path = os.tmpname()
    local ok, message = pcall(function()
      locus.savez(path .. ".npz", {y = y, z = y[{{1, N, 2}}]})
      return locus.load(path .. ".npz")
    end)
    os.remove(path)
    os.remove(path .. ".npz")
    assert(ok, message)
  end)
end
add("sort of few values", "float64", (many % 3), {0, 1, 2, 0, 0, 0, 2, 1},
  function(y) return y:sort{indices = false} end)
add("histogram by edges", "float64", many, FLOATS,
  function(y) return y:histogram(locus.linspace(0, 1e5, 1000)) end)
add("factorized", "int64", many:long(), {2 ^ 40, -2 ^ 40, -5, 2 ^ 52},
  function(y) return locus.frame{{"k", y}}:group("k"):count() end)

-- Ids of strings, as in a mapped frame.
local letters = {}
for i = 1, 100 do letters[i] = "name" .. i end
local names = locus.strings(letters)
local _, dictionary = strings.parts(names)
local known = locus.strings {"name7", "other"}
for name, f in pairs {
  eq = function(c) return c:eq("name7") end, ["eq column"] = function(c) return c:eq(c) end,
  ["eq others"] = function(c) return c:eq(known[{{1}}]:take(locus.ones(N, {dtype = "int64"}))) end,
  lt = function(c) return c:lt("name7") end, isin = function(c) return c:isin(known) end,
  among = function(c) return names:isin(c) end, lookup = function(c) return c:lookup(known) end,
  places = function(c) return names:lookup(c) end, unique = function(c) return c:unique() end,
  consecutive = function(c) return tostring(c:unique_consecutive()) end,
  argsort = function(c) return c:argsort() end, match = function(c) return c:match("7$") end,
  map = function(c) return c:map(string.len) end, compact = function(c) return c:compact() end,
  list = function(c) return c:totable() end, arrow = function(c) return c:to_arrow() end,
  take = function(c) return tostring(c:take({0, 5, 6}, "another")) end,
  cat = function(c) return locus.cat {c, known}:eq("other") end,
  group = function(c) return locus.frame {{"k", c}, {"x", x}}:group("k"):mean("x") end,
  ["two keys"] = function(c) return locus.frame {{"k", c}, {"x", x}}:group("k", "x"):count() end,
  min = function(c) return locus.frame {{"k", c}, {"x", x}}:group("x"):min("k") end,
  nunique = function(c) return locus.frame {{"k", c}, {"x", x}}:group("x"):nunique("k") end,
  describe = function(c) return locus.frame {{"k", c}}:describe() end,
  join = function(c)
    return locus.frame {{"k", c}}:join(locus.frame {{"k", known}}, {on = "k"})
  end,
  joined = function(c)
    return locus.frame {{"k", known}}:join(locus.frame {{"k", c}}, {on = "k", how = "left"})
  end,
  csv = function(c) return locus.frame {{"k", c}}:write_csv("/dev/null") end,
} do
  add("strings " .. name, "int32", shuffled(1, 100), NEAR, function(y)
    return f(strings.make(y, dictionary, ids_of.from("a frame", "k")))
  end)
end

-- A tensor on memory of the FFI, and what the thread writes through.
local function foreign(case)
  local values = case.values:to(case.dtype)
  local memory = ffi.new("char[?]", values:numel() * widths[case.dtype])
  ffi.copy(memory, values:data(), ffi.sizeof(memory))
  local y = locus.from_ptr(memory, values:numel(), {dtype = case.dtype, keep = memory})
  return y, y
end

-- The same of a mapped file, which the thread writes to through a mapping of its own.
local function mapped(case)
  local path = os.tmpname()
  case.values:to(case.dtype):save(path)
  local y, other = locus.load(path, {mmap = "r"}), locus.load(path, {mmap = "r+"})
  os.remove(path)
  return y, other
end

-- The words of messages about an element: a pattern of it and of a bound, and whether that is
-- wrong.
local CLAIMS = {
  {"'sorter' holds (%-?%d+) at %[%d+%], outside 1%.%.(%d+)",
    function(v, n) return v < 1 or v > n end},
  {"position (%-?%d+) at %[%d+%] is outside 1%.%.(%d+)",
    function(v, n) return v < 1 or v > n end},
  {"index (%-?%d+) at %[%d+%] is outside 1%.%.(%d+)",
    function(v, n) return v == 0 or v > n or v < -n end},
  {"has id (%-?%d+) in row %d+ of column 'k', but names 1 to (%d+)",
    function(v, n) return v < 1 or v > n end},
  {"must hold numbers from (1) on, got (%-?%d+)", function(least, v) return v < least end},
  {"must hold numbers up to (%d+), .* got (%-?%d+)", function(most, v) return v > most end},
  {"is (%-?%d+) at %[%d+%], and integers have no [%a ]+ by (0)", function(v) return v == 0 end},
  {"holds (%-?%d+) at %[%d+%], which int(32) cannot hold",
    function(v) return v < -2 ^ 31 or v >= 2 ^ 31 end},
  {"%.npz: [yz]%.npy' .*(checksum)", function() return false end}, -- a file of locus's own
}

-- The message, where it names an element that is as it should be.
local function false_claim(message)
  for _, claim in ipairs(CLAIMS) do
    local a, b = message:match(claim[1])
    if a and not claim[2](tonumber(a), tonumber(b)) then return message end
  end
end

return function(path, seconds, wanted)
  local library = ffi.load(path)
  for i, case in ipairs(calls) do
    if not wanted or case.name:find(wanted) then
      local y, through = (i % 2 == 0 and foreign or mapped)(case)
      local others = locus.tensor(case.others, {dtype = case.dtype})
      io.stdout:write(case.name, "\n")
      io.stdout:flush()
      local good, bad, last, claimed = 0, 0, nil, nil
      assert(library.changing_start(through:data(), through:numel(), widths[case.dtype],
        others:data(), others:numel()) == 0)
      local stop = os.clock() + seconds
      repeat
        local ok, message = pcall(case.f, y)
        if ok then good = good + 1 else bad, last = bad + 1, message end
        if not ok then claimed = claimed or false_claim(message) end
      until os.clock() > stop and good + bad > 1 and library.changing_writes() > 0
      local writes = tonumber(library.changing_stop())
      assert(writes > 0, "nothing was written")
      assert(not claimed, claimed)
      if os.getenv "CHANGING_SHOW" then print("", good, bad, writes, last) end
    end
  end
  print("survived")
end
