-- SPDX-License-Identifier: MIT
-- The addition to the error of an unknown name: how the name of Torch7, PyTorch, NumPy, pandas or
-- polars is written here, else which library has it, else the nearest name. Loaded for the first
-- such error.
local core = require "locus.core"
local peers = require "locus.names.peers"

-- Names of tensors and of the module alike; x is the tensor.
local hints = {
  -- Torch7
  cadd = "x + y", csub = "x - y", cmul = "x * y", cdiv = "x / y", cpow = "x ^ y", mod = "x % y",
  clshift = "x:lshift(y)", crshift = "x:rshift(y)", cfmod = "x:fmod(y)",
  cmax = "x:maximum(y)", cmin = "x:minimum(y)", cmod = "x % y", cremainder = "x % y",
  copy = "x:copy_(y)", zero = "x:zero_()", typename = "x.dtype", type = "x.dtype or x:to(dtype)",
  typeAs = "x:to(y)", isSameSizeAs = "x.shape == y.shape", expandAs = "x:expand(y.shape)",
  viewAs = "x:view(y.shape)", maskedCopy = "x[mask] = y", index = "x[positions]",
  indexSelect = "x:index_select(dim, positions)",
  indexAdd = "x:index_add_(dim, positions, y)",
  indexCopy = "x[positions] = y", indexFill = "x[positions] = value",
  resize = "x:view(sizes), or locus.empty(sizes)", resizeAs = "locus.empty_like(x)",
  storage = "x:data()",
  pointer = "x:data()",
  setdefaulttensortype = "locus.set_default_dtype(dtype)",
  getdefaulttensortype = "locus.get_default_dtype()",
  -- PyTorch
  subtract = "x - y", multiply = "x * y", divide = "x / y", true_divide = "x / y",
  negative = "-x", greater = "x:gt(y)", greater_equal = "x:ge(y)", less = "x:lt(y)",
  less_equal = "x:le(y)", not_equal = "x:ne(y)", bitwise_and = "x:band(y)",
  bitwise_or = "x:bor(y)", bitwise_xor = "x:bxor(y)", bitwise_not = "x:bnot()",
  clip = "x:clamp(min, max)", absolute = "x:abs()",
  concat = "locus.cat(tensors)",
  masked_scatter_ = "x[mask] = y", type_as = "x:to(y)",
  tolist = "x:totable()", nelement = "x:numel()", ndimension = "x.ndim", data_ptr = "x:data()",
  frombuffer = "locus.from_string(bytes, dtype)", as_tensor = "locus.tensor(data)",
  from_numpy = "locus.from_ptr(pointer, sizes)", detach = "x:clone()",
  rsqrt = "x:sqrt():reciprocal()", rsub = "y - x", sigmoid = "1 / ((-x):exp() + 1)",
  float_power = "x:double() ^ y", addcmul = "x + y * z", addcdiv = "x + y / z",
  lerp = "x + (y - x) * weight", dot = "(x * y):sum()",
  sgn = "x:sign()", fix = "x:trunc()", arctan2 = "x:atan2(y)", arcsin = "x:asin()",
  arccos = "x:acos()", arctan = "x:atan()", bitwise_left_shift = "x:lshift(y)",
  bitwise_right_shift = "x:rshift(y)",
  isneginf = "x:eq(-locus.inf)", isposinf = "x:eq(locus.inf)",
  nan_to_num = "x:fill_missing(0)",
  msort = "x:sort{dim = 1, indices = false}",
  broadcast_to = "x:expand(sizes)", swapdims = "x:transpose(dim1, dim2)",
  movedim = "x:permute(dims)", moveaxis = "x:permute(dims)", reshape_as = "x:reshape(y.shape)",
  new_zeros = "locus.zeros(sizes)", new_ones = "locus.ones(sizes)",
  new_empty = "locus.empty(sizes)", new_full = "locus.full(sizes, value)",
  new_tensor = "locus.tensor(data)", scalar_tensor = "locus.tensor(5)",
  promote_types = "locus.result_type(x, y)",
  nbytes = "x:numel() * x:element_size()",
  normal = "locus.randn(sizes) * std + mean", uniform = "locus.rand(sizes) * (high - low) + low",
  randint_like = "locus.randint(low, high, x.shape)", cauchy_ = "x:uniform_():mul_(math.pi):tan_()",
  log_normal_ = "x:normal_(mean, std):exp_()",
  -- Matplotlib
  imshow = "x:image()", matshow = "x:image()", savefig = "x:plot():save(path)",
  bar = "x:hist()",
  -- NumPy
  histogram_bin_edges = "select(2, x:histogram(bins))",
  array = "locus.tensor(data)", asarray = "locus.tensor(data)", astype = "x:to(dtype)",
  item_size = "x:element_size()", itemsize = "x:element_size()", ravel = "x:flatten()",
  expand_dims = "x:unsqueeze(dim)", swapaxes = "x:transpose(dim1, dim2)",
  concatenate = "locus.cat(tensors)", row_stack = "locus.vstack(tensors)",
  flatnonzero = "x:flatten():nonzero()", extract = "x[mask]", compress = "x[mask]",
  place = "x[mask] = y", putmask = "x[mask] = y", array_equal = "x:equal(y)",
  rint = "x:round()", around = "x:round{decimals = n}", left_shift = "x:lshift(y)",
  right_shift = "x:rshift(y)", invert = "x:bnot()", size_of = "x:numel()", power = "x ^ y",
  ascontiguousarray = "x:contiguous()", permute_dims = "x:permute(dims)", fabs = "x:abs()",
  fromfile = "locus.from_file(path, dtype)", dump = "x:save(path)",
  memmap = 'locus.load(path, {mmap = "r"})', open_memmap = 'locus.load(path, {mmap = "r+"})',
  serialize = "x:save(path)", append = "locus.builder(dtype)",
  take_along_axis = "x:take_along_dim(indices, dim)",
  put_along_axis = "x:scatter_(dim, indices, values)",
  percentile = "x:quantile(p / 100)", nanpercentile = "x:nanquantile(p / 100)",
  partition = "x:kthvalue(k + 1)", argpartition = "x:topk(k)",
  ptp = "x:max() - x:min()", product = "x:prod()",
  savetxt = 'locus.frame{{"x", x}}:write_csv(path)',
  ediff1d = "x:flatten():diff()", repeatTensor = "x:tile(dims)",
  ["repeat"] = "x:repeat_interleave(repeats), or x:tile(dims)",
  reduceat = "x:segment_reduce(reduce, {offsets = offsets})",
  repeat_by = "x:repeat_interleave(repeats)", inverse_rle = "x:repeat_interleave(lengths)",
  flipud = "x:flip(1)", fliplr = "x:flip(2)",
  rot90 = "x:flip(2):t()", circshift = "x:roll(shifts, dims)",
  tensor_split = "x:split(sizes, dim)", array_split = "x:split(sizes, dim)",
  split_with_sizes = "x:split(sizes, dim)", vsplit = "x:split(sizes, 1)",
  hsplit = "x:split(sizes, 2)", dsplit = "x:split(sizes, 3)", unstack = "x:unbind(dim)",
  -- NumPy's sets, Julia's
  intersect1d = "x:intersect(y)", union1d = "x:union(y)", setdiff1d = "x:setdiff(y)",
  setxor1d = "x:setxor(y)", issorted = "x:is_sorted()", symdiff = "x:setxor(y)",
  rankdata = "x:rank()", tiedrank = "x:rank()", ordinalrank = 'x:rank{method = "ordinal"}',
  competerank = 'x:rank{method = "min"}', denserank = 'x:rank{method = "dense"}',
  difference = "x:setdiff(y)", symmetric_difference = "x:setxor(y)",
  -- pandas and polars
  lag = "x:shift(k)", shift_ = "x:shift(k)", lead = "x:shift(-k)",
  strftime = "locus.format_time(x, pattern)", dayofweek = "x:weekday()", dayofyear = "x:yearday()",
  ordinal_day = "x:yearday()", iso_year = "x:isoyear()", truncate = 'x:floor("day")',
  offset_by = 'x:offset("1 month")', tz_convert = "x:local_time(zone)",
  tz_localize = "x:utc_time(zone)", convert_time_zone = "x:local_time(zone)",
  replace_time_zone = "x:utc_time(zone)",
  expanding = "x:cumsum(1), x:cummax(1) and so on", rolling_sum = "x:rolling{rows = n}:sum()",
  rolling_mean = "x:rolling{rows = n}:mean()", rolling_min = "x:rolling{rows = n}:min()",
  rolling_max = "x:rolling{rows = n}:max()", rolling_std = "x:rolling{rows = n}:std()",
  rolling_var = "x:rolling{rows = n}:var()", rolling_median = "x:rolling{rows = n}:median()",
  rolling_quantile = "x:rolling{rows = n}:quantile(q)",
  moving_average = "x:rolling{rows = n}:mean()",
  ewm = "x:ewm_mean{alpha = 0.1}", ewma = "x:ewm_mean{alpha = 0.1}",
  ema = "x:ewm_mean{alpha = 0.1, adjust = false}",
  pivot = 'f:pivot{rows = "a", columns = "b", values = "x"}',
  pivot_table = 'f:pivot{rows = "a", columns = "b", values = "x", how = "mean"}',
  crosstab = 'f:pivot{rows = "a", columns = "b", how = "count"}',
  melt = 'f:unpivot{index = "id"}', unpivot = 'f:unpivot{index = "id"}',
  uint16 = 'x:to("int32"), which holds all of them',
  uint32 = 'x:to("int64"), which holds all of them',
  uint64 = 'x:to("int64"), which holds those up to 2^63 - 1',
  sample = "x:choice(n, {replace = false})", filter = "x[mask]", is_infinite = "x:isinf()",
  ["and"] = "x:logical_and(y)", ["or"] = "x:logical_or(y)", ["not"] = "x:logical_not()",
  and_ = "x:logical_and(y)", or_ = "x:logical_or(y)", not_ = "x:logical_not()",
  xor = "x:logical_xor(y)", len = "#x", inter = "x:intersect(y)",
  is_between = "x:between(low, high)",
  isna = "x:isnan()", isnull = "x:isnan()", is_nan = "x:isnan()", is_null = "x:isnan()",
  notna = "x:isnan():logical_not()", notnull = "x:isnan():logical_not()",
  fillna = "x:fill_missing(value)", fill_nan = "x:fill_missing(value)",
  fill_null = "x:fill_missing(value)", forward_fill = "x:ffill()", backward_fill = "x:bfill()",
  fill_forward = "x:ffill()", pad = "x:ffill()", fills = "x:ffill()",
  interpolate = "x:ffill(), or locus.interp(values, x, y) for a line",
  count_nan = "x:isnan():count_nonzero()", nanprod = "x:fill_missing(1):prod()",
  nancumsum = "x:fill_missing(0):cumsum(1)", nanargmin = "x:fill_missing(locus.inf):argmin()",
  nanargmax = "x:fill_missing(-locus.inf):argmax()",
  cut = "x:bucketize(boundaries)", search_sorted = "x:searchsorted(values)",
  merge_asof = "locus.asof(x, values)", join_asof = "locus.asof(x, values)",
  nlargest = "x:topk(k)", nsmallest = "x:topk(k, dim, false)", top_k = "x:topk(k)",
  bottom_k = "x:topk(k, dim, false)",
  value_counts = "x:unique{return_counts = true}", to_list = "x:totable()",
  to_csv = 'locus.frame{{"x", x}}:write_csv(path)',
  write_csv = 'locus.frame{{"x", x}}:write_csv(path)',
  to_json = 'locus.frame{{"x", x}}:write_json(path)',
  write_json = 'locus.frame{{"x", x}}:write_json(path)',
  write_ndjson = 'locus.frame{{"x", x}}:write_json(path)',
  -- Julia, and other names in docs/features.md
  index_copy = "x[positions] = y", index_fill = "x[positions] = value",
  lexsort = "locus.argsort({x, y})",
  arg_sort = "x:argsort()", arg_max = "x:argmax()", arg_min = "x:argmin()",
  arg_true = "mask:nonzero()", index_of = "x:lookup(value)", cum_sum = "x:cumsum(dim)",
  aminmax = "x:min(), x:max()",
  findall = "mask:nonzero()", sortperm = "x:argsort()",
  searchsortedfirst = "x:searchsorted(values)", indexin = "y:lookup(x)",
  partialsort = "x:topk(k, dim, false)", nonunique = "x:unique{return_index = true}",
  countmap = "x:unique{return_counts = true}",
}

-- Operators by the method that does the same in place.
local IN_PLACE = {["x + y"] = "x:add_(y)", ["x - y"] = "x:sub_(y)", ["x * y"] = "x:mul_(y)",
                  ["x / y"] = "x:div_(y)", ["x ^ y"] = "x:pow_(y)", ["-x"] = "x:neg_()"}

-- Names of things that are not here.
local notes = {}
for name in ([[mm matmul bmm mv mvdot addmm addmv addbmm baddbmm addr chain_matmul multi_dot einsum
  tensordot kron svd svd_lowrank eig eigh eigvals qr lu cholesky inverse inv pinverse pinv det
  slogdet logdet solve lstsq gels gesv matrix_power matrix_rank matrix_exp linalg]])
  :gmatch("%S+") do
  notes[name] = "; matrix products and decompositions are not here"
end

-- Names of the module alone: PyTorch's memory functions and the names of its dtypes; text and
-- frames.
local module_hints = {
  ComplexTensor = 'locus.tensor(data, {dtype = "complex128"})',
  ComplexHalfTensor = 'locus.tensor(data, {dtype = "complex64"})',
  ComplexFloatTensor = 'locus.tensor(data, {dtype = "complex64"})',
  ComplexDoubleTensor = 'locus.tensor(data, {dtype = "complex128"})',
  UShortTensor = "locus.IntTensor, which holds all of them",
  UIntTensor = "locus.LongTensor, which holds all of them",
  ULongTensor = "locus.LongTensor, which holds those up to 2^63 - 1",
  uint16 = "locus.int32, which holds all of them", uint32 = "locus.int64, which holds all of them",
  uint64 = "locus.int64, which holds those up to 2^63 - 1",
  now = "os.time()", datetime = "locus.time(text), or locus.times(list)",
  Timestamp = "locus.time(text)", strptime = "locus.time(text, {pattern = pattern})",
  datetime64 = "locus.time(text), or locus.times(list)", timedelta = "locus.duration(text)",
  Timedelta = "locus.duration(text)", timedelta64 = "locus.duration(text)",
  date_range = "locus.time_range(a, b, step)", datetime_range = "locus.time_range(a, b, step)",
  strftime = "locus.format_time(t, pattern)",
  permutation = "locus.randperm(n)", permuted = "x:shuffle(dim)",
  Generator = "locus.generator(seed)", default_rng = "locus.generator(seed)",
  RandomState = "locus.generator(seed)", manualSeed = "locus.manual_seed(seed)",
  random = "locus.rand(sizes), or locus.randint(low, high, size)",
  integers = "locus.randint(low, high, size)",
  standard_normal = "locus.randn(sizes)", standard_exponential = "locus.exponential(sizes)",
  initialSeed = "locus.initial_seed()", getRNGState = "locus.get_rng_state()",
  setRNGState = "locus.set_rng_state(state)",
  empty_cache = "locus.memory.trim()", memory_stats = "locus.memory.stats()",
  memory_allocated = "locus.live_bytes()",
  float = "locus.float32", double = "locus.float64", half = "locus.float16",
  long = "locus.int64", int = "locus.int32", short = "locus.int16", char = "locus.int8",
  byte = "locus.uint8", cfloat = "locus.complex64", cdouble = "locus.complex128",
  savez_compressed = "locus.savez(path, tensors)",
  loadtxt = 'locus.read_csv(path, {separator = " "})',
  genfromtxt = 'locus.read_csv(path, {separator = " "})',
  read_table = 'locus.read_csv(path, {separator = "\\t"})',
  csv = "locus.read_csv(path)", scan_csv = "locus.chunks(path, {types = types})",
  read_sql_query = 'locus.read_sql("sqlite:shop.db", query)',
  read_sql_table = 'locus.read_sql("sqlite:shop.db", "select * from name")',
  read_database = 'locus.read_sql("sqlite:shop.db", query)',
  read_database_uri = 'locus.read_sql("sqlite:shop.db", query)',
  read_parquet = "locus.read_sql(\"duckdb:\", \"select * from 'file.parquet'\")",
  scan_parquet = "locus.sql_chunks(\"duckdb:\", \"select * from 'file.parquet'\")",
  read_csv_batched = "locus.chunks(path, {types = types})",
  DataFrame = 'locus.frame{{"name", column}}', dataframe = 'locus.frame{{"name", column}}',
  from_dict = 'locus.frame{{"name", column}}', Series = "locus.tensor(data)",
  Categorical = "locus.strings(list)", factorize = "x:unique{return_inverse = true}",
  to_datetime = "locus.times(list)", to_timedelta = "locus.durations(list)",
  groupby = "locus.group_by(keys)", is_in = "x:isin(values)", in1d = "x:isin(values)",
  n_unique = "#x:unique()", nunique = "#x:unique()", drop_duplicates = "x:unique()",
  shape = "x.shape", dtype = "x.dtype", ndim = "x.ndim", size = "x.shape", to = "x:to(dtype)",
}

for kind in ("Byte Char Short Int Long Half Float Double"):gmatch("%a+") do
  module_hints["Cuda" .. kind .. "Tensor"] = "x:cuda()"
end
module_hints.CudaTensor = "x:cuda()"

-- Names that mean something elsewhere and are spelled like ones that mean something else here, of
-- those whose owner peers.lua does not tell: pandas' and polars' columns, Julia, q, Python.
local OTHERS = [[
  allunique bytes close cols counteq countne counts dequantize fills hcat insorted inter
  is_nested is_shared is_unique items lead len list maxs mcount method mins mmax mmin msum ngroup
  nonunique null prd quantilerank read row selectdim side smm splice sums svar til time
  toc transform ungroup vcat winsor within write_json wsum xgroup xrank
]]

-- A name of fewer letters is near to too many.
local SHORTEST, LONG = 4, 8

-- A name without underscores and capitals; a last underscore says "in place" and stays.
local function plain(name)
  local body, last = name:match("^(.-)(_?)$")
  return body:gsub("_", ""):lower() .. last
end

-- The known name of the same letters: maskedFill is masked_fill.
local function same_letters(key, tables)
  for _, known in ipairs(tables) do
    for name in pairs(known) do
      if plain(name) == plain(key) then return name end
    end
  end
end

-- ", which PyTorch and NumPy have", for a name of theirs.
local function whose(key)
  local body, have = key:match("^([%a][%w_]-)_?$"), {}
  for _, peer in ipairs(peers) do
    local name, list = peer[1], (peer.features or "") .. peer.rest
    if body and list:find("%f[%w_]" .. body .. "_?%f[^%w_]") then have[#have + 1] = name end
  end
  if #have == 0 then return nil end
  local last = table.remove(have)
  if #have == 0 then return (", which %s has"):format(last) end
  return (", which %s and %s have"):format(table.concat(have, ", "), last)
end

-- The known name that is spelled most alike, at most `far` letters away.
local function nearest(key, tables, far)
  if #key > 31 then return nil end
  local best, least = nil, far + 1
  for _, known in ipairs(tables) do
    for name in pairs(known) do
      local distance = core.internal.spelling_distance(key, name)
      if distance < least or (distance == least and best and name < best) then
        best, least = name, distance
      end
    end
  end
  return best
end

-- The known name that two neighbouring letters in the other order make: srot is sort.
local function swapped(key, tables)
  for i = 1, math.min(#key, 31) - 1 do
    local name = key:sub(1, i - 1) .. key:sub(i + 1, i + 1) .. key:sub(i, i) .. key:sub(i + 2)
    for _, known in ipairs(tables) do
      if rawget(known, name) ~= nil then return name end
    end
  end
end

-- The known name that works in place: fill_ for fill.
local function in_place(key, tables)
  for _, known in ipairs(tables) do
    if rawget(known, key .. "_") ~= nil then return key .. "_" end
  end
end

-- How a name of the module is written: a dtype is a target of conversion.
local function of_elsewhere(place, key)
  local value = rawget(place.elsewhere, key)
  if value == nil then return nil end
  if value == key then return ('x:to("%s")'):format(key) end
  local form = type(value) == "function" and place.form or "locus.%s"
  return form:format(key)
end

local names = {hints = hints, module_hints = module_hints, notes = notes}

local function suggest(name) return name and ("; did you mean '%s'?"):format(name) end

-- The name of ours that was mistyped; not one that another library has, which means what it says.
local function mistyped(key, tables)
  local body = key:gsub("_$", "")
  local elsewhere = hints[body] or module_hints[body] or notes[body] or whose(key)
    or not body:find("[^%w_]") and OTHERS:find("%f[%w_]" .. body .. "%f[^%w_]")
  if elsewhere or #key < SHORTEST then return nil end
  return swapped(key, tables) or nearest(key, tables, #key < LONG and 1 or 2)
end

-- "; did you mean 'cat'?": the name among the keys of those tables that is most alike, or nothing.
function names.did_you_mean(key, tables)
  return suggest(same_letters(key, tables) or mistyped(key, tables)) or ""
end

-- The same of names that a user has made up, as those of columns: all that is alike may be meant.
function names.nearest_own(key, own)
  local near = nearest(key, {own}, math.max(math.floor(#key / 4), #key > 2 and 1 or 0))
  return suggest(same_letters(key, {own}) or swapped(key, {own}) or near) or ""
end

-- How `key` is written here, where another library has it: `lag_` as `lag`, and in place where a
-- method does that here.
local function hint_of(key, place)
  local own = place.hints or hints
  local hint = place.module and module_hints[key] or own[key]
  local body = key:match("^(.*[^_])_$")
  if hint or not body then return hint end
  hint = own[body]
  local method = hint and hint:match("^x:([%w_]+)%(")
  if method and core.methods[method .. "_"] then return (hint:gsub(method, method .. "_", 1)) end
  return IN_PLACE[hint] or hint
end

-- ", which PyTorch has; matrix products and decompositions are not here", or "".
function names.note(key)
  local note = notes[(key:gsub("_$", ""))]
  return note and (whose(key) or "") .. note or ""
end

-- The words after "there is no such name": "; write x * y", ", which NumPy has", "; did you mean
-- 'cat'?" or nothing. `place` describes the look-up: whether it is in the module, the tables that
-- have its names as keys, and a table of names that belong elsewhere, with the form in which to
-- write them. It has `hints` if those above are not about it.
function names.advice(key, place)
  local hint = hint_of(key, place) or of_elsewhere(place, key)
  if hint then return "; write " .. hint end
  local note, known = names.note(key), place.known
  if note ~= "" then return note end
  return suggest(same_letters(key, known) or in_place(key, known)) or whose(key)
    or suggest(mistyped(key, known)) or ""
end

return names
