-- SPDX-License-Identifier: MIT
-- Every op on every layout with every size answers what it answers in C order. A public function
-- that is neither called here nor named as one that need not be fails a spec.
local locus = require "locus"
local core = require "locus.core"
local layouts = require "spec.support.data.layouts"

local WIDTHS = {"uint8", "int16", "float32", "int64", "complex128"}

-- call(f, e) calls f, the public function of that name, on arguments in e. `writes`: it writes to a
-- tensor in the layout, whose elements therefore must not share memory.
local cases, covered = {}, {}

local function add(names, dtypes, call, writes)
  for name in names:gmatch("%S+") do
    covered[name] = true
    for _, dtype in ipairs(dtypes) do
      cases[#cases + 1] = {name = name, dtype = dtype, call = call, writes = writes}
    end
  end
end

local function add_writing(names, dtypes, call) add(names, dtypes, call, true) end

-- Elementwise
local function of_x(f, e) return f(e.x) end
local function of_both(f, e) return f(e.x, e.y) end
local function into_out(f, e) return f(e.x, e.y, {out = e.fresh("x")}) end
local function in_place(f, e) return f(e.fresh("x"), e.y) end

-- Divisors and exponents that answer for any element.
local function from_one(f, e) return f(e.x, e.y:clamp(1, 3)) end

add("neg __unm abs sign square isnan isinf isfinite logical_not floor ceil round trunc reciprocal "
  .. "sqrt exp log sin", {"float32", "int16"}, of_x)
add("frac exp2 expm1 log2 log10 log1p cos tan asin acos atan sinh cosh tanh", {"float32"}, of_x)
add("bnot __bnot", {"int16"}, of_x)
add("add sub mul minimum maximum __add __sub __mul", {"float64", "uint8"}, of_both)
add("div __div", {"float32", "int16"}, from_one)
add("remainder pow __mod __pow fmod floor_divide", {"float64", "int32"}, from_one)
add("hypot atan2", {"float32"}, of_both)
add("band bor bxor lshift rshift __band __bor __bxor __shl __shr __sar", {"int16"}, of_both)
add("lt le gt ge eq ne logical_and logical_or logical_xor", {"float64", "uint8"}, of_both)
add("allclose equal result_type", {"float64"}, of_both)
add("equal", {"int16"}, function(f, e) return f(e.x, e.fresh("x")) end)
add("clamp", {"float64"}, function(f, e) return f(e.x, 5, e.y) end)
add_writing("add sub minimum bxor", {"int16"}, into_out)
add_writing("neg", {"float32"}, function(f, e) return f(e.x, {out = e.fresh("x")}) end)
local function in_place_of_x(f, e) return f(e.fresh("x")) end
add_writing("neg_ abs_ sign_ square_ bnot_ logical_not_ zero_ floor_ ceil_ round_ trunc_",
  {"int32"}, in_place_of_x)
add_writing("frac_ reciprocal_ sqrt_ exp_ exp2_ expm1_ log_ log2_ log10_ log1p_ sin_ cos_ tan_ "
  .. "asin_ acos_ atan_ sinh_ cosh_ tanh_", {"float64"}, in_place_of_x)
add_writing("add_ sub_ mul_ minimum_ maximum_ band_ bor_ bxor_ lshift_ rshift_ logical_and_ "
  .. "logical_or_ logical_xor_", {"int16"}, in_place)
add_writing("div_ remainder_ pow_ fmod_ floor_divide_ hypot_ atan2_", {"float32"}, function(f, e)
  return f(e.fresh("x"), e.y:clamp(1, 3))
end)
add_writing("clamp_", {"float64"}, function(f, e) return f(e.fresh("x"), 5, e.y) end)

-- Reductions and order: along each dimension, over everything, and over two
local function along(f, e)
  local results = {}
  for d = 1, #e.shape do results[d] = {layouts.outcome(f, e.x, d)} end
  return results
end

add("sum", {"float32", "int16", "complex128"}, along)
add("mean any all count_nonzero cumsum", {"float32"}, along)
add("std var", {"float32", "int16"}, along)
add("prod nansum nanmean nanmin nanmax norm logsumexp", {"float32", "int16"}, along)
add("prod nansum nanmean nanmin nanmax norm logsumexp", {"float32"}, of_x)
add("cumprod cummin cummax", {"float32", "int16"}, along)
add_writing("cumsum_ cumprod_", {"float64", "int16"}, function(f, e) return f(e.fresh("x"), 1) end)
add("min max amin amax argmin argmax", {"float64", "int16"}, along)
add("sort argsort", {"float32", "int64"}, along)
add("median nanmedian", {"float32", "int64"}, along)
add("kthvalue topk", {"float32", "int64"}, function(f, e) return f(e.x, 1, 1) end)
add("quantile nanquantile", {"float32", "int64"}, function(f, e) return f(e.x, {0.3, 1}, 1) end)
add("median nanmedian", {"float32"}, of_x)
add("sort", {"float32", "int64"}, function(f, e) return f(e.x, {dim = 1, indices = false}) end)
add("sum mean any all count_nonzero min max amin amax argmin argmax", {"float32"}, of_x)
add("sum any count_nonzero amin amax", {"int16"}, function(f, e) return f(e.x, {1, #e.shape}) end)
add("bincount", {"int64"}, function(f, e) return f(e.x), f(e.x, e.y) end)
add("segment", {"int64", "float32"}, function(f, e)
  return f(e.x, e.x:long() % 3, "sum", {base = 0})
end)

add("segment_reduce", {"float32", "int16"}, function(f, e)
  local n = #e.shape
  return f(e.x, "sum", {offsets = {1, e.shape[1] + 1}}),
    layouts.outcome(f, e.x, "max", {lengths = {1, e.shape[n] - 1}, axis = n, initial = 3})
end)

-- Sets
add("unique unique_consecutive", {"float32", "int64"}, function(f, e)
  return f(e.x, {return_inverse = true, return_counts = true, return_index = true})
end)
add("unique unique_consecutive", {"float32", "int16"}, function(f, e)
  local named = {dim = 1, return_inverse = true, return_counts = true}
  local values, inverse, counts = f(e.x, named)
  named.dim = #e.shape
  return values, inverse, counts, layouts.outcome(f, e.x, named)
end)
add("group_by", {"int16"}, function(f, e) return f(e.x).ids end)
add("isin", {"float32", "int64"}, function(f, e) return f(e.x, e.y), f(e.x, {1, 2}) end)
add("rle", {"float32", "int64"}, of_x)
add("intersect union setdiff setxor", {"float32", "int64"}, of_both)
add("intersect", {"int16"}, function(f, e) return f(e.x, e.y, {return_indices = true}) end)
add("is_sorted", {"float32", "int16"}, along)
add("is_sorted", {"float32"}, of_x)
add("rank", {"float32", "int16"}, along)
add("lookup", {"int16"}, function(f, e) return f(e.sorted:flatten(), e.x) end)

-- The three and their family
add("searchsorted", {"float32", "int16"}, function(f, e)
  return f(e.sorted, e.x), f(e.sorted, 7), f(e.sorted, e.x, {sorter = e.sorter, side = "both"})
end)
add("searchsorted", {"float64"}, function(f, e) return f((e.sorted:flatten():sort()), e.x) end)
add("bucketize", {"float64"}, function(f, e) return f(e.x, (e.sorted:flatten():sort())) end)
add("searchsorted", {"float32"}, function(f, e) return f(e.sorted, e.x, {check = true}) end)
add("search_index", {"float32"}, function(f, e)
  return f(e.sorted, {sorter = e.sorter}):searchsorted(e.x)
end)
add("hist image plot spark", {"float32", "int64"}, function(f, e) return tostring(f(e.x)) end)
add("between", {"float32", "int64"}, function(f, e) return f(e.x, e.y, 5) end)
add("histogram", {"float32", "int64"}, function(f, e)
  return f(e.x, {1, 3, 5, 19}), f(e.x, 7), f(e.x, 7, {weight = e.y})
end)
add("histc", {"float32", "int16"}, function(f, e) return f(e.x, 5) end)
add("digitize", {"float32", "int16"}, function(f, e)
  return f(e.x, (e.sorted:flatten():sort())), f(e.x, {5, 3, 2}, true)
end)
add("interp", {"float32", "int16"}, function(f, e)
  local points = e.sorted:flatten():unique()
  return layouts.outcome(f, e.x, points, points * 2)
end)
add("nonzero where", WIDTHS, function(f, e) return f(e.x) end)
add("nonzero", {"float32"}, function(f, e) return f(e.x, {as_tuple = true}) end)
add("argwhere count_nonzero", WIDTHS, of_x)
add("nonzero_static", WIDTHS, function(f, e) return f(e.x, {size = 20}) end)
add("masked_select", WIDTHS, function(f, e) return f(e.x, e.mask), f(e.x, e.other_mask) end)
add("take", WIDTHS, function(f, e)
  local row = locus.arange(20):to(e.dtype)
  return f(row, e.places), layouts.outcome(f, e.x, e.places % 2, 1)
end)
add("asof", {"float32", "int16"}, function(f, e)
  local sequence, values = e.sorted:flatten():sort(), e.x:flatten():sort()
  return f(sequence, values), f(sequence, values, {direction = "nearest", tolerance = 1})
end)
add("interval_lookup", {"float32", "int16"}, function(f, e)
  local starts = e.sorted:flatten():unique()
  return f(starts, starts, e.x)
end)
add("masked_fill", {"float32"}, function(f, e) return f(e.x, e.other_mask, 5) end)
add_writing("masked_fill_", {"float32"}, function(f, e) return f(e.fresh("x"), e.other_mask, 5) end)
add("where", WIDTHS, function(f, e) return f(e.mask, e.x, e.y), f(e.other_mask, e.x, 0) end)
add_writing("where", WIDTHS, function(f, e)
  return f(e.other_mask, e.y, e.x, {out = e.fresh("x")})
end)

-- Brackets
local function key(e, first)
  local list = {first}
  for d = 2, #e.shape do list[d] = {} end
  return list
end

add("__index", WIDTHS, function(f, e) return f(e.x, e.mask), f(e.x, e.other_mask) end)
add("__index", WIDTHS, function(f, e)
  local row = locus.arange(20):to(e.dtype)
  return f(row, e.places), layouts.outcome(f, e.x, key(e, {1, 0})), f(e.x, "T")
end)
add("__index", {"int64"}, function(f, e) -- e.x has positions from 0, or from the end
  local rows = locus.arange(200):view(10, 20)
  return layouts.outcome(f, e.x, key(e, e.places[e.mask])), layouts.outcome(f, rows, {e.places, -2})
end)
add_writing("__newindex", WIDTHS, function(f, e)
  local x, y, z = e.fresh("x"), e.fresh("x"), e.fresh("x")
  f(x, e.other_mask, 5)
  f(y, e.other_mask, e.y[e.other_mask])
  f(z, {{}}, e.y)
  return x, y, z
end)
add_writing("__newindex", {"float32"}, function(f, e)
  local row, x = locus.arange(20):to(e.dtype), e.fresh("x")
  f(row, e.places, e.x)
  return row, layouts.outcome(f, x, key(e, e.places[e.mask]), 7), x
end)
add_writing("index_put_", WIDTHS, function(f, e)
  local x, y = e.fresh("x"), e.fresh("x")
  f(x, {e.other_mask}, e.y[e.other_mask])
  f(y, {e.mask}, e.x[e.mask], true)
  return x, y
end)
add_writing("index_put_", {"float32"}, function(f, e)
  local row, x = locus.arange(20):to(e.dtype), e.fresh("x")
  f(row, {e.places}, e.x, true)
  return row, layouts.outcome(f, x, {e.places[e.mask]}, 7), x
end)

-- Parts
add("split chunk", {"int16"}, function(f, e) return f(e.x, 2, #e.shape) end)
add("unbind", {"int16"}, function(f, e) return f(e.x, #e.shape) end)
add("flip", WIDTHS, function(f, e) return f(e.x), f(e.x, 1), f(e.x, #e.shape) end)
add("roll", WIDTHS, function(f, e) return f(e.x, 3), f(e.x, {1, -2}, {1, #e.shape}) end)
add("tile", WIDTHS, function(f, e) return f(e.x, 2), f(e.x, 2, 1, 3) end)
add("repeat_interleave", WIDTHS, function(f, e)
  local counts = (e.places % 3):flatten()
  return f(e.x, 2), f(e.x, 2, #e.shape), f(e.x, counts), layouts.outcome(f, e.x, {1, 3}, 1)
end)
add_writing("flip roll", {"int16", "complex128"}, function(f, e)
  return f(e.x, 1, {out = e.fresh("x")})
end)
add("diff", {"int16", "float32"}, function(f, e)
  return f(e.x, 1, 1), f(e.x), f(e.x, {prepend = e.y, append = 3, n = 2})
end)
add("meshgrid", {"int16"}, function(f, e)
  return f(e.x:flatten(), {1, 2}), f(e.x:select(1, 1):flatten(), {1, 2}, {indexing = "xy"})
end)

-- By index: e.places has positions of 1..9, for a first dimension of that size, or within one of n.
local function nine(e)
  local ones, sizes = {9}, {9}
  for d = 2, #e.shape do ones[d], sizes[d] = 1, e.shape[d] end
  return locus.arange(9):to(e.dtype):view(ones):expand(sizes)
end

local function within(e, n) return e.places % math.max(n, 1) end

add("gather", WIDTHS, function(f, e)
  return f(nine(e), 1, e.places), f(e.x, 1, within(e, e.shape[1]), {base = 0})
end)
add("take_along_dim", {"float32"}, function(f, e) return f(nine(e), e.places, 1) end)
add("index_select", WIDTHS, function(f, e)
  return layouts.outcome(f, e.x, 1, {1, 1}), layouts.outcome(f, e.x, #e.shape, {-1, 1})
end)
add("scatter scatter_add", WIDTHS, function(f, e) return f(nine(e), 1, e.places, e.x) end)
add("scatter_reduce", {"int16", "float32"}, function(f, e)
  return f(nine(e), 1, e.places, e.x, "mean"), f(nine(e), 1, e.places, e.x, "amin")
end)
add("index_add", {"float32"}, function(f, e) return f(e.x, 1, {}, e.x[{{1, 0}}], {alpha = 2}) end)
add("put", {"float32"}, function(f, e) return f(locus.zeros(9), e.places, e.x) end)
add_writing("scatter_ scatter_add_", WIDTHS, function(f, e)
  return f(e.fresh("x"), 1, within(e, e.shape[1]), e.x, {base = 0})
end)
add_writing("scatter_reduce_", {"int16", "float32"}, function(f, e)
  return f(e.fresh("x"), 1, within(e, e.shape[1]), e.x, "prod", {include_self = false, base = 0})
end)
add_writing("index_add_", WIDTHS, function(f, e)
  return f(e.fresh("x"), 1, locus.arange(e.shape[1], 0, -1, {dtype = "int64"}), e.x)
end)
add_writing("put_", WIDTHS, function(f, e)
  return f(e.fresh("x"), within(e, e.x:numel()), e.x, true, {base = 0})
end)

-- Copies and conversions
add("clone contiguous cpu cuda flatten pin_memory", WIDTHS, of_x)
add("tensor to", WIDTHS, function(f, e) return f(e.x, {dtype = e.dtype}) end)
add("to", {"uint8"}, function(f, e) return f(e.x, "complex128"), f(e.x, "float16") end)
add("float double half bfloat16 long int short char byte bool", {"int32", "float64"}, of_x)
add("BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor "
  .. "IntTensor LongTensor ShortTensor Tensor", {"int16"}, of_x)
add_writing("copy_", WIDTHS, in_place)
add_writing("copy_", {"float32"}, function(f, e) return f(e.fresh("x"), e.mask) end)
add_writing("fill_", WIDTHS, function(f, e) return f(e.fresh("x"), 7) end)
add("cat stack", {"uint8", "complex128"}, function(f, e)
  local results = {}
  for d = 1, #e.shape do results[d] = f({e.x, e.y, e.x}, d) end
  return results
end)
add("hstack vstack", {"int16", "complex128"}, function(f, e) return f({e.x, e.y, e.x}) end)
add("reshape", WIDTHS, function(f, e) return layouts.outcome(f, e.x, -1) end)
add("zeros_like ones_like", {"float32"}, of_x)
add("full_like", {"float32"}, function(f, e) return f(e.x, 3) end)
add("empty_like", {"float32"}, function(f, e) return f(e.x):size() end)

-- Views, and what there is to read
add("view", {"int16"}, function(f, e) return f(e.x, e.shape) end)
add("view_as expand_as", {"int16"}, of_both)
add("expand", {"int16"}, function(f, e) return f(e.x, 2, unpack(e.shape)) end)
add("narrow", {"int16"}, function(f, e) return f(e.x, 1, 1, math.min(3, e.shape[1])) end)
add("slice", {"int16"}, function(f, e) return layouts.outcome(f, e.x, #e.shape, 1, -1, 3) end)
add("select", {"int16"}, function(f, e) return layouts.outcome(f, e.x, #e.shape, -1) end)
add("unsqueeze", {"int16"}, function(f, e) return f(e.x, 2) end)
add("transpose", {"int16"}, function(f, e) return f(e.x, 1, #e.shape) end)
add("unfold", {"int16"}, function(f, e) return layouts.outcome(f, e.x, #e.shape, 4, 3) end)
add("permute", {"int16"}, function(f, e) return f(e.x, unpack({3, 2, 1}, 4 - #e.shape)) end)
add("squeeze t totable item size dim nDimension numel nElement element_size is_tensor __len "
  .. "__tostring", {"int16"}, of_x)
add("save", {"int16", "complex128"}, function(f, e)
  local path = os.tmpname()
  f(e.x, path)
  local back = locus.load(path)
  os.remove(path)
  return back
end)
add("tofile", {"int16"}, function(f, e)
  local path = os.tmpname()
  f(e.x, path)
  local back = locus.from_file(path, "int16")
  os.remove(path)
  return back
end)
add("tobytes", {"int16"}, of_x)
add("to_dlpack", {"int16"}, function(f, e) return locus.from_dlpack(f(e.x:cpu())) end)
add("to_arrow", {"int16"}, function(f, e)
  return locus.from_arrow(f(e.x:cpu():reshape(-1)))
end)
add("savez", {"int16"}, function(f, e)
  local path = os.tmpname()
  f(path, {x = e.x})
  local back = locus.load(path).x
  os.remove(path)
  return back
end)
add("iter", {"int16"}, function(f, e)
  local seen = {}
  for i, value in f(e.x) do seen[#seen + 1] = {i, value} end
  return seen
end)

-- Chance
local function seeded() return {generator = locus.generator(5)} end

add("rand_like randn_like", {"float32", "complex64"}, function(f, e) return f(e.x, seeded()) end)
add_writing("uniform_ normal_ exponential_ random_", {"float32"}, function(f, e)
  return f(e.fresh("x"), seeded())
end)

add("shuffle", {"int16"}, function(f, e) return f(e.x, 1, seeded()) end)
add("bernoulli", {"int16"}, function(f, e) return f(e.x, 0.5, seeded()) end)
add("multinomial", {"float32"}, function(f, e) return f(e.x:abs(), 1, false, seeded()) end)
add("choice", {"int16"}, function(f, e)
  return f(e.x, {3}, {generator = locus.generator(5), dim = -1})
end)
add_writing("shuffle_", {"int16"}, function(f, e) return f(e.fresh("x"), 1, seeded()) end)
add_writing("bernoulli_", {"int16"}, function(f, e) return f(e.fresh("x"), 0.5, seeded()) end)

-- What tells of the layout, always raises, or takes no tensor.
local OTHERS = {
  "stride", "storage_offset", "is_contiguous", "isContiguous", "data", "is_pinned", "__gc",
  "__lt", "__le", "__concat", "__call", "__pairs", "__ipairs",
  "arange", "range", "linspace", "empty", "zeros", "ones", "full",
  "from_ptr", "from_string", "fail_allocation", "help", "instruction_sets", "live_bytes",
  "get_default_device", "get_default_dtype", "get_num_threads", "why_denormals_are_zero",
  "set_default_device", "set_default_dtype", "set_num_threads", "set_printoptions",
  "get_printoptions", "strings", "frame", "builder", "load", "from_file", "npy_writer",
  "from_dlpack", "from_arrow", "from_arrow_stream", "tidy", "keep", "free",
  "read_csv", "read_log", "chunks",
  "rand", "randn", "randint", "exponential", "generator", "manual_seed", "seed", "initial_seed",
  "get_rng_state", "set_rng_state", "randperm",
}

local function public(name) return core.methods[name] or core.metatable[name] or locus[name] end

local function show(shape) return table.concat(shape, "x") end

local NEEDS_CUDA = {cuda = true, pin_memory = true}

-- Some calls of a case must answer, the others raise alike. A device may meet too few to say so.
local function check(case, number)
  local f, answers = public(case.name), 0
  for _, pair in ipairs(layouts.pairs(case.dtype, number)) do
    if not (case.writes and pair.repeats) then
      local want = layouts.outcome(case.call, f, pair.plain)
      local got = layouts.outcome(case.call, f, pair.laid)
      if got ~= want then
        error(("%s of size %s, %s: other than in C order"):format(case.dtype, show(pair.shape),
          pair.name))
      end
      if not got:find("error: ", 1, true) then answers = answers + 1 end
    end
  end
  assert.is_true(answers > 0 or locus.get_default_device() ~= "cpu", "no call has answered")
end

describe("in every layout and of every size #layouts:", function()
  for number, case in ipairs(cases) do
    local tag = NEEDS_CUDA[case.name] and " #cuda" or ""
    it(case.name .. " of " .. case.dtype .. tag, function() check(case, number) end)
  end

  it("every public function is called, or named as one that need not be", function()
    local known, missing = {}, {}
    for _, name in ipairs(OTHERS) do known[name] = true end
    for _, functions in ipairs {core.methods, core.metatable, locus} do
      for name, value in pairs(functions) do
        if type(value) == "function" and not covered[name] and not known[name] then
          missing[#missing + 1] = name
        end
      end
    end
    assert.same({}, missing)
  end)

  it("what is named so is there", function()
    for _, name in ipairs(OTHERS) do assert.equal("function", type(public(name))) end
  end)
end)
