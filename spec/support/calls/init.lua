-- SPDX-License-Identifier: MIT
-- One call of every op in each of its main forms: make(locus) gives the inputs, call(locus, inputs)
-- does the work; `calls` is the function's name where the entry is of one, "frame:sort" for methods
-- of what is made of tensors. memory_spec lets every
-- allocation of every call fail, errors_spec frees its inputs, and calls_spec wants a call of each
-- public function. A call that allocates nothing, on the CPU, says so.
local core = require "locus.core"
local list = {}

local function add(name, make, call, allocates)
  list[#list + 1] = {
    name = name, calls = name:match("^[%w_]+:?[%w_]*"), make = make, call = call,
    allocates = allocates,
  }
end

local function pair(locus)
  return {
    x = locus.tensor({{3, 1, 2}, {6, 5, 4}}), y = locus.tensor({1, 2, 3}, {dtype = "int32"}),
    mask = locus.tensor({{true, false, true}, {false, true, true}}),
    index = locus.tensor({2, 1, -1}, {dtype = "int64"}), seq = locus.tensor({1, 3, 5, 7}),
    out = locus.zeros(0, {dtype = "int64"}), left = locus.zeros(0, {dtype = "int64"}),
    full = locus.zeros(2, 3),
  }
end

local function on_pair(name, call, allocates)
  add(name, pair, function(locus, a) return call(a, locus) end, allocates)
end

-- One call for each name, of the method or function f.
local function each(names, call, allocates)
  for name in names:gmatch("%S+") do
    add(name, pair, function(locus, a)
      return call(core.methods[name] or locus[name], a)
    end, allocates)
  end
end

-- Masks of more elements than are kept without an allocation.
local function on_large(name, call)
  add(name, function(locus)
    local x = locus.arange(5000)
    return {x = x, mask = x:lt(70), y = locus.zeros(70)}
  end, function(_, a) return call(a) end)
end

-- Construction and conversion
on_pair("tensor of a table", function(_, locus) return locus.tensor({{1, 2}, {3, 4}}) end)
on_pair("full", function(_, locus) return locus.full({3}, 7) end)
on_pair("arange", function(_, locus) return locus.arange(0, 5, 0.5) end)
on_pair("linspace", function(_, locus) return locus.linspace(0, 1, 5) end)
on_pair("zeros_like", function(a, locus) return locus.zeros_like(a.x) end)
on_pair("LongTensor", function(_, locus) return locus.LongTensor{1, 2} end)
on_pair("from_string", function(_, locus) return locus.from_string("abcd", "uint8") end)
on_pair("from_ptr", function(a, locus) return locus.from_ptr(a.x:data(), 6) end)
each("empty zeros ones", function(f) return f(3, 4) end)
each("range", function(f) return f(1, 5) end)
each("empty_like ones_like", function(f, a) return f(a.x) end)
each("full_like", function(f, a) return f(a.x, 5) end)
each("Tensor DoubleTensor FloatTensor HalfTensor BFloat16Tensor IntTensor ShortTensor CharTensor "
  .. "ByteTensor BoolTensor", function(f, a) return f(a.seq:to("float16")) end)
each("float double half bfloat16 long short char byte bool", function(f, a) return f(a.y) end)
each("int", function(f, a) return f(a.x) end)
on_pair("to", function(a) return a.x:to("int16") end)
on_pair("to a device and a dtype", function(a) return a.x:to("cpu", "int16") end)
on_pair("clone", function(a) return a.x:clone() end)
on_pair("contiguous of a transpose", function(a) return a.x:t():contiguous() end)
on_pair("reshape of a transpose", function(a) return a.x:t():reshape(6) end)
on_pair("flatten of a transpose", function(a) return a.x:t():flatten() end)
on_pair("copy_ from itself", function(a) return a.x:narrow(2, 1, 2):copy_(a.x:narrow(2, 2, 2)) end)
on_pair("cat", function(a, locus) return locus.cat({a.x, a.x}, 2) end)
on_pair("stack", function(a, locus) return locus.stack({a.y, {1, 2, 3}}) end)
on_pair("hstack", function(a, locus) return locus.hstack({a.x, a.x}) end)
on_pair("vstack", function(a, locus) return locus.vstack({a.y, {1, 2, 3}}) end)
on_pair("[tostring]", function(a) return tostring(a.x) end, false)

-- Views, and what there is to read
local function of_x(f, a) return f(a.x) end

each("iter size stride dim nDimension numel nElement element_size storage_offset is_contiguous "
  .. "isContiguous is_pinned cpu", of_x, false)
each("t squeeze totable data", of_x)
each("item", function(f, a) return f(a.y:narrow(1, 2, 1)) end)
each("view", function(f, a) return f(a.x, 3, 2) end)
each("view_as", function(f, a) return f(a.x, a.full) end)
each("expand", function(f, a) return f(a.y, 4, 3) end)
each("expand_as", function(f, a) return f(a.y, a.x) end)
each("narrow", function(f, a) return f(a.x, 2, 1, 2) end)
each("slice", function(f, a) return f(a.x, 2, 1, 3, 2) end)
each("select", function(f, a) return f(a.x, 2, -1) end)
each("unsqueeze", function(f, a) return f(a.x, 2) end)
each("permute transpose", function(f, a) return f(a.x, 2, 1) end)
each("unfold", function(f, a) return f(a.x, 2, 2, 1) end)

on_pair("set_default_device", function(_, locus)
  return locus.set_default_device(locus.get_default_device())
end, false)

on_pair("set_num_threads", function(_, locus)
  return locus.set_num_threads(locus.get_num_threads())
end, false)

require("spec.support.calls.elementwise")(on_pair, each)
require("spec.support.calls.shape")(on_pair)
require("spec.support.calls.plain")(on_pair, each)
require("spec.support.calls.searching")(on_pair)
on_pair("tidy", function(a, locus) return locus.tidy(locus.add, a.x, 1) end)

-- Reductions and order
each("sum mean any all count_nonzero min max amin amax argmin argmax",
     function(f, a) return f(a.x, 1) end)
require("spec.support.calls.reduced")(on_pair, each)
each("std var", function(f, a) return f(a.x, 2) end)
on_pair("std into out", function(a, locus) return a.x:std(1, {out = locus.zeros(0)}) end)
on_pair("var of all", function(a) return a.x:var{correction = 0} end, false)
on_pair("sum", function(a) return a.x:sum() end, false)
on_pair("sum in a dtype", function(a) return a.x:sum(1, {dtype = "complex128"}) end)
on_pair("sum in a dtype, whole", function(a) return a.x:sum{dtype = "complex128"} end)
on_pair("max by dimension", function(a) return a.x:max(2) end)
on_pair("amax over several", function(a) return a.x:amax({1, 2}, true) end)
on_pair("sort", function(a) return a.x:sort(2) end)
on_pair("sort of values", function(a) return a.x:sort{dim = 2, indices = false} end)
on_pair("sort of values of a long row", function(a, locus)
  return locus.arange(300):sort{descending = true, indices = false}, a
end)
on_pair("argsort", function(a, locus) return locus.argsort(a.x, 1) end)
on_pair("argsort of a long row", function(a, locus)
  return locus.arange(300):argsort(1, true), a
end)
on_pair("kthvalue", function(a) return a.x:kthvalue(2, 2) end)
on_pair("topk", function(a) return a.x:topk(2, 2) end)
on_pair("topk of a long row", function(a, locus) return locus.arange(300):topk(2), a end)
on_pair("topk into out", function(a, locus)
  return a.x:topk(1, 2, {out = {locus.zeros(0), locus.zeros(0, {dtype = "int64"})}})
end)
on_pair("median", function(a) return a.x:median() end)
on_pair("median by dimension", function(a) return a.x:median(2) end)
on_pair("nanmedian", function(a) return a.x:nanmedian(1, true) end)
on_pair("quantile", function(a) return a.x:quantile({0.25, 0.5}, 2) end)
on_pair("quantile into out", function(a, locus)
  return a.x:quantile(0.5, 1, {interpolation = "nearest", out = locus.zeros(0)})
end)
on_pair("nanquantile", function(a) return a.x:nanquantile(0.5, 1, true) end)
on_pair("bincount", function(a) return a.y:bincount() end)
on_pair("segment", function(a) return a.y:segment({2, 1, 2}, "std") end)
on_pair("segment_reduce", function(a)
  return a.x:segment_reduce("mean", {lengths = {1, 2}, axis = 2})
end)
on_pair("segment_reduce, extremes", function(a)
  return a.x:segment_reduce("max", {offsets = {1, 2, 2}, initial = 1})
end)
on_pair("segment_reduce into out", function(a, locus)
  local out = locus.zeros(0, {dtype = "int64"})
  return a.y:segment_reduce("sum", {lengths = {3}, initial = 2, out = out})
end)
on_pair("segment, elements", function(a) return a.y:segment(a.y, "first") end)

-- Sets
local EVERY = {return_inverse = true, return_counts = true, return_index = true}
each("unique unique_consecutive", function(f, a) return f(a.x, EVERY) end)
on_pair("unique, unsorted", function(a) return a.x:unique{sorted = false, return_counts = true} end)
on_pair("unique of rows", function(a) return a.x:unique{dim = 1, return_inverse = true} end)
on_pair("unique of rows of integers", function(a) return a.x:long():unique{dim = 2} end)
on_pair("unique_consecutive of rows", function(a)
  return a.x:unique_consecutive{dim = 2, return_inverse = true}
end)
on_pair("isin", function(a) return a.x:isin(a.y) end)
require("spec.support.calls.sets")(on_pair, each)
on_pair("lookup", function(a) return a.seq:lookup(a.x) end)
on_pair("lookup of floats in int64", function(a) return a.index:lookup(a.seq) end)

-- The three and their family
on_pair("searchsorted", function(a) return a.seq:searchsorted(a.x) end)
on_pair("searchsorted of mixed dtypes", function(a) return a.seq:searchsorted(a.y) end)
on_pair("searchsorted, both sides", function(a)
  return a.seq:searchsorted(a.x, {side = "both", out = {a.left, a.out}})
end)
on_pair("searchsorted with a sorter", function(a)
  return a.seq:searchsorted(a.x, {sorter = {1, 2, 3, 4}, check = true})
end)
on_pair("search_index", function(a) return a.seq:search_index{sorter = {4, 3, 2, 1}} end)
on_pair("search_index, paged", function(a)
  return a.seq:cpu():search_index {paged = true}:searchsorted(a.x:cpu(), {side = "both"})
end)
on_pair("[search index]", function(a) return a.seq:search_index():searchsorted(a.x) end)
on_pair("bucketize", function(a) return a.x:bucketize(a.seq, {right = true}) end)
on_pair("nonzero", function(a) return a.x:nonzero() end)
on_pair("nonzero into out", function(a) return a.x:nonzero{out = a.out} end)
on_pair("nonzero as a tuple", function(a) return a.x:nonzero{as_tuple = true} end)
on_pair("nonzero_static", function(a) return a.x:nonzero_static{size = 4} end)
on_pair("argwhere", function(a) return a.x:argwhere() end)
on_pair("masked_select", function(a) return a.x:masked_select(a.mask) end)
on_large("nonzero of many elements", function(a) return a.x:nonzero() end)
on_large("nonzero_static of many elements", function(a) return a.x:nonzero_static{size = 4} end)
on_large("masked_select of many elements", function(a) return a.x:masked_select(a.mask) end)
each("masked_fill_", function(f, a) return f(a.x, a.mask, 0) end, false)
on_pair("masked_fill", function(a) return a.x:masked_fill(a.mask, 0) end)
on_pair("where", function(a) return a.mask:where(a.x, a.y) end)
on_pair("where into out", function(a) return a.mask:where(a.x, 0, {out = a.full}) end, false)
on_pair("where of a condition", function(a, locus) return locus.where(a.mask) end)

-- Frames
local function on_frame(name, call, allocates)
  on_pair(name, function(a, locus)
    local f = locus.frame {{"seq", a.seq}, {"sym", {"b", "a", "b", "c"}}}
    return call(f, locus, a)
  end, allocates)
end

on_pair("frame", function(a, locus) return locus.frame {{"a", a.y}, {"b", {1, 2, 3}}} end)
on_frame("[frame]", function(f) return f[2], f[{{2, 3}}], f:head(2).seq, #f, tostring(f) end)
on_frame("[frame by a mask]", function(f) return f[f.seq:gt(2)] end)
on_frame("cat of frames", function(f, locus) return locus.cat {f, f} end)
on_frame("cat with fill", function(f, locus) return locus.cat {f, f:drop("sym"), {fill = true}} end)
on_frame("frame:with", function(f) return f:with("more", {1, 2, 3, 4}) end)
on_frame("frame:sort", function(f) return f:sort {"sym", "-seq"} end)
on_frame("frame:select", function(f) return f:select("sym") end)
on_frame("frame:drop", function(f) return f:drop("sym") end)
on_frame("frame:rename", function(f) return f:rename {sym = "name"} end)
on_frame("frame:head", function(f) return f:head(2) end)
on_frame("frame:tail", function(f) return f:tail(2) end)
on_frame("frame:columns", function(f) return f:columns() end)
on_frame("frame:column", function(f) return f:column("sym") end)
on_frame("frame:types", function(f) return tostring(f:types()) end)
on_frame("frame:to", function(f, _, a) return f:to(a.x.device) end)
on_frame("frame:totable", function(f) return f:totable() end)
on_frame("frame:write_csv", function(f)
  return f:write_csv {formats = {sym = string.upper}, comment = "1", separator = "blanks"}
end)
on_frame("frame:describe", function(f) return f:describe() end)
on_frame("frame:iter", function(f)
  for _ in f:iter() do end
end)

-- Builders
on_pair("builder", function(_, locus) return locus.builder("int64") end)
on_pair("builder:push", function(_, locus)
  local b = locus.builder("float64")
  for i = 1, 600 do b:push(i) end
  assert(#b == 600)
end)
on_pair("builder:extend", function(a, locus)
  local b = locus.builder("float64")
  b:extend(a.seq)
  b:extend{1, 2}
  return b:column()
end)
on_pair("builder:tensor", function(_, locus) return locus.builder("int8"):tensor() end)
on_pair("builder:column", function(_, locus)
  local b = locus.builder("string")
  b:push("a")
  return b:column()
end)
on_pair("builder:clear", function(_, locus)
  local b = locus.builder("string")
  b:push("a")
  b:clear()
end)
on_pair("builder:frame", function(_, locus)
  local b = locus.builder{{"price", "float64"}, {"sym", "string"}}
  b:push(1.5, "IBM")
  b:push{sym = "AAPL", price = 2}
  b:extend(b:frame())
  return b:frame()
end)

require("spec.support.calls.file")(on_pair)
require("spec.support.calls.plot")(on_pair)
require("spec.support.calls.chance")(on_pair, each)
require("spec.support.calls.by_index")(on_pair)

-- Brackets
on_pair("t[mask]", function(a) return a.x[a.mask] end)
on_pair("t[mask] = number", function(a) a.x[a.mask] = 5 end, false)
on_pair("t[mask] = tensor", function(a) a.x[a.mask] = a.seq end, false)
on_large("t[mask] = tensor of many elements", function(a) a.x[a.mask] = a.y end)
on_pair("t[index]", function(a) return a.y[a.index] end)
on_pair("t[index] = table", function(a) a.y[a.index] = {7, 8, 9} end)
on_pair("t[{rows, cols}]", function(a) return a.x[{a.index, a.index}] end)
on_pair("t[{range, index}]", function(a) return a.x[{{1, 2}, a.index}] end)
on_pair("index_put_", function(a) a.y:index_put_({a.index}, {7, 8, 9}) end)
on_pair("index_put_, adding", function(a) a.y:index_put_({{1, 1, 2}}, a.y, true) end)
on_pair("t[range] = itself", function(a) a.x[{{}, {1, 2}}] = a.x[{{}, {2, 3}}] end)

-- String columns
local function on_strings(name, call, allocates)
  add(name, function(locus)
    return {
      c = locus.strings{"b", "a", "b", "", "c"}, d = locus.strings{"c", "a", "d", "b", "b"},
      mask = locus.tensor{true, false, true, false, true},
    }
  end, function(locus, a) return call(a, locus) end, allocates)
end

on_pair("strings", function(_, locus) return locus.strings{"b", "a", "b"} end)
on_strings("[a string]", function(a) return a.c[2], a.c.ids, a.c.names, #a.c, tostring(a.c) end)
on_strings("[mask] of strings", function(a) return a.c[a.mask] end)
for _, name in ipairs {"eq", "ne", "lt", "le", "gt", "ge", "isin"} do
  on_strings("strings:" .. name, function(a) return a.c[name](a.c, a.d) end)
end
on_strings("strings:eq of a string", function(a) return a.c:eq("b"), a.c:lt("b") end)
on_strings("strings:isin of a list", function(a) return a.c:isin{"b", "x"} end)
on_strings("strings:match", function(a) return a.c[a.mask]:match("^b") end)
on_strings("strings:map", function(a) return a.c:map(string.upper), a.c:map(string.len) end)
on_strings("strings:compact", function(a) return a.c:compact() end)
on_strings("strings:unique", function(a) return a.c:unique(EVERY) end)
on_strings("strings:unique_consecutive", function(a) return a.c:unique_consecutive(EVERY) end)
on_strings("strings:lookup", function(a) return a.c:lookup(a.d) end)
on_strings("strings:sort", function(a) return a.c:sort(true) end)
on_strings("strings:argsort", function(a) return a.c:argsort() end)
on_strings("strings:to", function(a) return a.c:to("cpu") end, false)
on_strings("strings:totable", function(a) return a.c:totable() end)
on_strings("strings:take", function(a) return a.c:take({0, 2, 1}, "x") end)
on_strings("strings:iter", function(a)
  for _ in a.c:iter() do end
end)
on_strings("cat of strings", function(a, locus) return locus.cat {a.c, a.d} end)

-- Groups
on_frame("frame:group", function(f) return f:group("sym").ids end)
on_frame("group_by", function(f, locus) return locus.group_by{f.seq, f.sym}.keys end)
for _, how in ipairs {"sum", "prod", "mean", "std", "var", "min", "max", "any", "all", "first",
                      "last", "nunique"} do
  on_frame("group:" .. how, function(f)
    local g = f:group("sym")
    return g[how](g, "seq")
  end)
end
on_frame("group:max of strings", function(f) return f:group("seq"):max("sym") end)
on_frame("group:count", function(f) return f:group("sym"):count() end)
on_frame("group:quantile", function(f) return f:group("sym"):quantile("seq", 0.5) end)
on_frame("group:quantile, an element", function(f)
  return f:group("sym"):quantile("seq", {0.5, 0.9}, {interpolation = "higher"})
end)
on_frame("group:std of all", function(f)
  return f:group("sym"):std("seq", {correction = 0})
end)
on_frame("group:sum in a dtype", function(f)
  return f:group("sym"):sum("seq", {dtype = "int8"})
end)
on_frame("group:rows", function(f) return f:group("sym"):rows(2) end)
on_frame("group:each", function(f)
  f:group("sym"):each(function(part) return part.seq:sum() end)
end)
on_pair("take", function(a) return a.seq:take(a.y, 0), a.seq:take({0, 2}, 7) end)
on_pair("asof", function(a, locus)
  return locus.asof(a.seq, a.y, {direction = "nearest", tolerance = 1})
end)
on_pair("asof by strings", function(a, locus)
  local by = {locus.strings{"a", "b", "a", "b"}, locus.strings{"b", "c", "a"}}
  return locus.asof(a.seq, a.y, {by = by})
end)
on_pair("asof by keys, out of order", function(a, locus)
  return locus.asof(a.seq, {5, 3, 1}, {by = {a.seq, a.y}})
end)
on_pair("interval_lookup", function(a, locus)
  return locus.interval_lookup(a.seq, a.seq + 1, a.y)
end)
on_frame("frame:take", function(f) return f:take({0, 2}, {sym = "none"}), f:take{1} end)
on_frame("frame:asof", function(f)
  return f:asof(f:rename("seq", "at"):with("seq", f.seq), {on = "seq", by = "sym"})
end)
on_frame("group:agg", function(f) return f:group("sym"):agg{n = "count", s = {"sum", "seq"}} end)

-- Joins, distinct rows, several keys
for _, how in ipairs {"inner", "left", "semi", "anti"} do
  on_frame("frame:join, " .. how, function(f)
    local beside = how == "inner" or how == "left"
    return f:join(f[f.seq:gt(1)], {on = {"sym"}, how = how, suffix = beside and "_g" or nil,
                                   missing = how == "left" and {seq = 0} or nil})
  end)
end
on_frame("frame:join", function(f) return f:join(f, {on = "seq", suffix = "_g"}) end)
on_frame("frame:unique", function(f) return f:unique("sym", "seq") end)
on_frame("argsort of keys", function(f, locus) return locus.argsort{f.sym, f.seq} end)

-- Text to frames: every type, guesses, bad lines, several chunks.
local CSV = "i,f,s,t,b\n1,2.5,a,2026-11-22T08:30:00Z,yes\n2,,b,2026-11-22,no\nx\n3,1,\"q\"\"\",,\n"
local TYPES = {i = "int8", f = "float32", s = "string", t = {"time", missing = 0},
               b = {"bool", "yes", "no", missing = false}}

local function nothing() return {} end

add("read_csv", nothing, function(locus)
  return locus.read_csv({text = CSV}, {types = TYPES, bad = 1})
end)
add("read_csv without types", nothing, function(locus)
  return locus.read_csv({text = 'i,s\n1,"a\\"b"\n2.5,b\n'}, {escape = "\\"})
end)
add("read_log", nothing, function(locus)
  return locus.read_log({text = "<1> a\n<2> b\n"}, "<$n> $s", {types = {n = "ipv4", s = "string"},
    bad = 2})
end)
add("chunks", nothing, function(locus)
  local types = {i = "int8", s = "string"}
  for _ in locus.chunks({text = "i,s\n1,a\n2,b\n"}, {types = types, rows = 1}) do end
end)

return list
