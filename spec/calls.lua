-- SPDX-License-Identifier: MIT
-- One call of every op in each of its main forms: make(locus) gives the inputs, call(locus, inputs)
-- does the work. memory_spec lets every allocation of every call fail. A call that allocates
-- nothing says so.
local list = {}

local function add(name, make, call, allocates)
  list[#list + 1] = {name = name, make = make, call = call, allocates = allocates}
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

-- Masks of more elements than are kept without an allocation.
local function on_large(name, call)
  add(name, function(locus)
    local x = locus.arange(5000)
    return {x = x, mask = x:lt(70), y = locus.zeros(70)}
  end, function(_, a) return call(a) end)
end

-- Construction and conversion
on_pair("tensor of a table", function(_, locus) return locus.tensor({{1, 2}, {3, 4}}) end)
on_pair("zeros", function(_, locus) return locus.zeros(3, 4) end)
on_pair("full", function(_, locus) return locus.full({3}, 7) end)
on_pair("arange", function(_, locus) return locus.arange(0, 5, 0.5) end)
on_pair("linspace", function(_, locus) return locus.linspace(0, 1, 5) end)
on_pair("zeros_like", function(a, locus) return locus.zeros_like(a.x) end)
on_pair("LongTensor", function(_, locus) return locus.LongTensor{1, 2} end)
on_pair("from_string", function(_, locus) return locus.from_string("abcd", "uint8") end)
on_pair("from_ptr", function(a, locus) return locus.from_ptr(a.x:data(), 6) end)
on_pair("to", function(a) return a.x:to("int16") end)
on_pair("clone", function(a) return a.x:clone() end)
on_pair("contiguous of a transpose", function(a) return a.x:t():contiguous() end)
on_pair("reshape of a transpose", function(a) return a.x:t():reshape(6) end)
on_pair("flatten of a transpose", function(a) return a.x:t():flatten() end)
on_pair("copy_ from itself", function(a) return a.x:narrow(2, 1, 2):copy_(a.x:narrow(2, 2, 2)) end)
on_pair("cat", function(a, locus) return locus.cat({a.x, a.x}, 2) end)
on_pair("stack", function(a, locus) return locus.stack({a.y, {1, 2, 3}}) end)
on_pair("hstack", function(a, locus) return locus.hstack({a.x, a.x}) end)
on_pair("vstack", function(a, locus) return locus.vstack({a.y, {1, 2, 3}}) end)
on_pair("tostring", function(a) return tostring(a.x) end, false)

on_pair("set_default_device", function(_, locus)
  return locus.set_default_device(locus.get_default_device())
end, false)

on_pair("set_num_threads", function(_, locus)
  return locus.set_num_threads(locus.get_num_threads())
end, false)

-- Elementwise
on_pair("+", function(a) return a.x + a.y end)
on_pair("mul by a number", function(a) return a.x * 2 end)
on_pair("add_", function(a) return a.x:add_(a.y) end, false)
on_pair("remainder", function(a) return a.y % 2 end)
on_pair("neg", function(a) return -a.x end)
on_pair("neg into out", function(a, locus) return a.x:neg{out = locus.zeros(0)} end)
on_pair("integers divided", function(a) return a.y / 2 end)
on_pair("pow of integers", function(a) return a.y ^ 2 end)
on_pair("eq of a 0-d tensor", function(a, locus) return a.x:to("float32"):eq(locus.tensor(0.1)) end)
on_pair("clamp by tensors", function(a) return a.x:clamp(a.y, {6, 6, 6}) end)
on_pair("result_type", function(a, locus) return locus.result_type(a.x, {1, 2}) end)
on_pair("lt", function(a) return a.x:lt(a.y) end)
on_pair("logical_and", function(a) return a.x:logical_and(a.mask) end)
on_pair("clamp", function(a) return a.x:clamp(2, 4) end)
on_pair("equal", function(a) return a.x:equal(a.x) end)
on_pair("allclose", function(a) return a.x:allclose(a.x + 1e-9) end)

-- Reductions and order
on_pair("sum", function(a) return a.x:sum() end, false)
on_pair("sum by dimension", function(a) return a.x:sum(1) end)
on_pair("sum in a dtype", function(a) return a.x:sum(1, {dtype = "complex128"}) end)
on_pair("sum in a dtype, whole", function(a) return a.x:sum{dtype = "complex128"} end, false)
on_pair("max by dimension", function(a) return a.x:max(2) end)
on_pair("amax", function(a) return a.x:amax({1, 2}, true) end)
on_pair("argmin", function(a) return a.x:argmin(1) end)
on_pair("any", function(a) return a.mask:any(1) end)
on_pair("count_nonzero", function(a) return a.x:count_nonzero(1) end)
on_pair("cumsum", function(a) return a.x:cumsum(1) end)
on_pair("cumsum in a dtype", function(a) return a.x:cumsum(1, {dtype = "complex128"}) end)
on_pair("sort", function(a) return a.x:sort(2) end)
on_pair("argsort of a long row", function(a, locus)
  return locus.arange(300):argsort(1, true), a
end)
on_pair("bincount", function(a) return a.y:bincount() end)

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
on_pair("a search index", function(a) return a.seq:search_index():searchsorted(a.x) end)
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
on_pair("masked_fill", function(a) return a.x:masked_fill(a.mask, 0) end)
on_pair("where", function(a) return a.mask:where(a.x, a.y) end)
on_pair("where into out", function(a) return a.mask:where(a.x, 0, {out = a.full}) end, false)
on_pair("where of a condition", function(a, locus) return locus.where(a.mask) end)

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

return list
