-- SPDX-License-Identifier: MIT
-- The measured calls, as data: how inputs are made, how each op is called from Lua (bench/peers.py
-- has the same calls for NumPy and PyTorch under the same names), and the cases. Every case is a
-- test case too: spec/house/bench_spec.lua.
--
-- A case is { call =, dtype =, sizes = { { n =, m =, rows =, shape = }, ... } } and what its call's
-- inputs take besides: data = "random" | "ascending" | "skewed" | "runs", density =, values = a
-- second dtype. The seed is fixed, so inputs are the same on every machine.
local locus = require "locus"
local inputs = require "bench.inputs"

-- fresh: the call in Lua, over the inputs' names. out: the same into `out`, which is what the fresh
-- call gave before (a table of several, where there are several results); `options` is the kept
-- table { out = out }. positions: the results from this one on count from 1. limit: which bound of
-- bench/limits.py holds. unit: the input by whose elements a time is divided; none: the call's.
local calls = {
  ["searchsorted"] = {
    inputs = inputs.search, positions = 1, limit = "search", unit = "values",
    fresh = "keys:searchsorted(values)", out = "keys:searchsorted(values, {out = out})",
  },
  ["searchsorted right"] = {
    inputs = inputs.search, positions = 1, limit = "search", unit = "values",
    fresh = "keys:searchsorted(values, {right = true})",
    out = "keys:searchsorted(values, {right = true, out = out})",
  },
  ["searchsorted both"] = {
    inputs = inputs.search, positions = 1, unit = "values",
    fresh = "keys:searchsorted(values, {side = 'both'})",
    out = "keys:searchsorted(values, {side = 'both', out = out})",
  },
  ["searchsorted int32"] = {
    inputs = inputs.search, positions = 1, limit = "search", unit = "values",
    fresh = "keys:searchsorted(values, {out_int32 = true})",
    out = "keys:searchsorted(values, {out_int32 = true, out = out})",
  },
  ["searchsorted sorter"] = {
    inputs = inputs.sorter, positions = 1, unit = "values",
    fresh = "keys:searchsorted(values, {sorter = sorter})",
    out = "keys:searchsorted(values, {sorter = sorter, out = out})",
  },
  ["searchsorted rows"] = {
    inputs = inputs.search, positions = 1, limit = "search", unit = "values",
    fresh = "keys:searchsorted(values)", out = "keys:searchsorted(values, {out = out})",
  },
  ["searchsorted mixed"] = {
    inputs = inputs.search, positions = 1, unit = "values",
    fresh = "keys:searchsorted(values)", out = "keys:searchsorted(values, {out = out})",
  },
  ["searchsorted index"] = {
    inputs = inputs.index, needs = "search_index", positions = 1, unit = "values",
    fresh = "index:searchsorted(values)", out = "index:searchsorted(values, {out = out})",
  },
  ["searchsorted one number"] = {
    inputs = inputs.one_value, positions = 1, fresh = "keys:searchsorted(value)",
  },
  ["nonzero"] = {
    inputs = inputs.nonzero, positions = 1, limit = "emit", unit = "x",
    fresh = "x:nonzero()", out = "x:nonzero({out = out})",
  },
  ["nonzero tuple"] = {
    inputs = inputs.nonzero, positions = 1, limit = "emit", unit = "x",
    fresh = "x:nonzero({as_tuple = true})",
  },
  ["count_nonzero"] = {
    inputs = inputs.nonzero, limit = "stream", unit = "x", fresh = "x:count_nonzero()",
  },
  ["masked_select"] = {
    inputs = inputs.mask, limit = "emit", unit = "x",
    fresh = "x:masked_select(mask)", out = "x:masked_select(mask, {out = out})",
  },
  ["where"] = {
    inputs = inputs.where, limit = "stream", unit = "cond",
    fresh = "locus.where(cond, x, y)", out = "locus.where(cond, x, y, options)",
  },
  ["where number"] = {
    inputs = inputs.where_number, limit = "stream", unit = "cond",
    fresh = "locus.where(cond, x, 0.5)", out = "locus.where(cond, x, 0.5, options)",
  },
  ["where broadcast"] = {
    inputs = inputs.broadcast, limit = "stream", unit = "cond",
    fresh = "locus.where(cond, x, y)", out = "locus.where(cond, x, y, options)",
  },
  ["where transposed"] = {
    inputs = inputs.transposed, limit = "stream", unit = "cond",
    fresh = "locus.where(cond, x, y)", out = "locus.where(cond, x, y, options)",
  },
  ["add"] = {
    inputs = inputs.pair, limit = "stream", unit = "x",
    fresh = "x + y", out = "locus.add(x, y, options)",
  },
  ["lt"] = {
    inputs = inputs.pair, limit = "stream", unit = "x",
    fresh = "x:lt(y)", out = "x:lt(y, options)",
  },
  ["sum"] = { inputs = inputs.bits, limit = "stream", unit = "x", fresh = "x:sum()" },
  ["to float32"] = {
    inputs = inputs.one, limit = "stream", unit = "x",
    fresh = "x:to('float32')", out = "out:copy_(x)",
  },
  ["contiguous"] = {
    inputs = inputs.columns, limit = "stream", unit = "x",
    fresh = "x:contiguous()", out = "out:copy_(x)",
  },
  ["sort"] = {
    inputs = inputs.one, positions = 2, unit = "x",
    fresh = "x:sort()", out = "x:sort({out = out})",
  },
  ["argsort"] = {
    inputs = inputs.one, positions = 1, unit = "x", fresh = "x:argsort()",
  },
  -- Small calls: a time is that of the call.
  ["small where"] = {
    inputs = inputs.where,
    fresh = "locus.where(cond, x, y)", out = "locus.where(cond, x, y, options)",
  },
  ["small where, table made"] = {
    inputs = inputs.where, out = "locus.where(cond, x, y, {out = out})",
    fresh = "locus.where(cond, x, y)",
  },
  ["small searchsorted"] = {
    inputs = inputs.search, positions = 1,
    fresh = "keys:searchsorted(values)", out = "keys:searchsorted(values, options)",
  },
  ["small nonzero"] = {
    inputs = inputs.nonzero, positions = 1, fresh = "x:nonzero()", out = "x:nonzero(options)",
  },
  ["small add"] = {
    inputs = inputs.pair, fresh = "x + y", out = "locus.add(x, y, options)",
  },
  ["small where number"] = {
    inputs = inputs.where_number,
    fresh = "locus.where(cond, x, 0.5)", out = "locus.where(cond, x, 0.5, options)",
  },
  ["small add number"] = {
    inputs = inputs.one, fresh = "x + 0.5", out = "locus.add(x, 0.5, options)",
  },
  ["small range"] = { inputs = inputs.places, fresh = "x[range]" },
  ["small places"] = { inputs = inputs.places, fresh = "x[places]" },
  ["small mask"] = { inputs = inputs.mask, fresh = "x[mask]" },
  ["small one number right"] = {
    inputs = inputs.one_value, positions = 1, fresh = "keys:searchsorted(value, right)",
  },
}


-- { n =, m = } for each n.
local function against(m, ...)
  local sizes = {}
  for i, n in ipairs { ... } do
    sizes[i] = { n = n, m = m }
  end
  return sizes
end

local function of(...)
  return against(nil, ...)
end

local function square(...)
  local sizes = {}
  for i, n in ipairs { ... } do
    sizes[i] = { shape = { n, n } }
  end
  return sizes
end

local FEW = {}
for _, n in ipairs { 10, 1e3, 1e5, 1e6, 1e7 } do
  for _, m in ipairs { 1, 10, 1e3 } do
    FEW[#FEW + 1] = { n = n, m = m }
  end
end

local SOME = { { n = 1e6, m = 4e3 }, { n = 1e6, m = 16e3 }, { n = 1e6, m = 3e4 } }

local cases = {
  { call = "searchsorted", dtype = "float32", data = "random",
    sizes = against(1e6, 10, 64, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8) },
  { call = "searchsorted", dtype = "int32", data = "random",
    sizes = against(1e6, 10, 64, 100, 1e3, 1e4, 1e5, 1e6, 1e7) },
  { call = "searchsorted", dtype = "float64", data = "random",
    sizes = against(1e6, 10, 32, 100, 1e3, 1e4, 1e5, 1e6, 1e7) },
  { call = "searchsorted", dtype = "int64", data = "random",
    sizes = against(1e6, 10, 32, 100, 1e3, 1e4, 1e5, 1e6, 1e7) },
  { call = "searchsorted", dtype = "float32", data = "random",
    sizes = against(1e7, 1e3, 1e6, 1e7) },
  { call = "searchsorted", dtype = "float32", data = "random", sizes = FEW },
  { call = "searchsorted", dtype = "float32", data = "random", sizes = SOME },
  { call = "searchsorted", dtype = "float64", data = "random", sizes = SOME },
}

local function add(case)
  cases[#cases + 1] = case
end

for _, dtype in ipairs { "uint8", "int8", "int16", "float16", "bfloat16" } do
  add { call = "searchsorted", dtype = dtype, data = "random", sizes = against(1e6, 100, 1e4) }
end
for _, dtype in ipairs { "float32", "int64" } do
  add { call = "searchsorted", dtype = dtype, data = "ascending", sizes = {
    { n = 100, m = 1e6 }, { n = 1e4, m = 1e6 }, { n = 1e5, m = 1e6 }, { n = 1e6, m = 1e6 },
    { n = 1e6, m = 1e7 }, { n = 1e7, m = 1e6 },
  } }
end
add { call = "searchsorted", dtype = "float32", data = "skewed",
      sizes = against(1e6, 1e3, 1e5, 1e6, 1e7) }
add { call = "searchsorted right", dtype = "float32", data = "random",
      sizes = against(1e6, 1e3, 1e5) }
add { call = "searchsorted both", dtype = "float32", data = "random",
      sizes = against(1e6, 1e3, 1e5) }
add { call = "searchsorted int32", dtype = "float32", data = "random",
      sizes = against(1e6, 64, 1e3, 1e5) }
add { call = "searchsorted sorter", dtype = "float32", data = "random",
      sizes = against(1e6, 1e3, 1e5, 1e6) }
for _, pair in ipairs { { "float32", "float64" }, { "int64", "float64" }, { "int32", "int64" } } do
  add { call = "searchsorted mixed", dtype = pair[1], values = pair[2], data = "random",
        sizes = against(1e6, 1e3, 1e5) }
end
for _, dtype in ipairs { "float32", "float64" } do
  add { call = "searchsorted rows", dtype = dtype, data = "random", sizes = {
    { rows = 4096, n = 64, m = 64 }, { rows = 3000, n = 50, m = 50 },
    { rows = 8192, n = 16, m = 16 }, { rows = 4096, n = 300, m = 64 },
  } }
end
add { call = "searchsorted index", dtype = "float32", data = "random",
      sizes = against(1e3, 1e5, 1e7) }

for _, density in ipairs { 0, 0.01, 0.03, 0.1, 0.3, 0.5, 0.9, 1 } do
  local every = density == 0.1 and of(1, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8)
    or density == 0.03 and of(1e5, 1e6, 1e8) or density == 0.5 and of(1e4, 1e5, 1e6, 1e8) or of(1e6)
  add { call = "nonzero", dtype = "bool", density = density, sizes = every }
  add { call = "nonzero", dtype = "float32", density = density, sizes = every }
end
for _, density in ipairs { 0.1, 0.5 } do
  add { call = "nonzero", dtype = "int64", density = density, sizes = of(1e6, 1e8) }
  add { call = "nonzero", dtype = "bool", density = density, sizes = {
    { shape = { 1000, 1000 } }, { shape = { 1e5, 10 } }, { shape = { 1e4, 1e4 } },
  } }
  add { call = "nonzero", dtype = "float32", density = density,
        sizes = { { shape = { 100, 100, 100 } } } }
  add { call = "masked_select", dtype = "float32", density = density, sizes = of(1e4, 1e6, 1e7) }
end
add { call = "nonzero", dtype = "bool", density = 0.1, transposed = true, sizes = square(1000) }
add { call = "nonzero tuple", dtype = "bool", density = 0.1, sizes = square(1000) }
add { call = "count_nonzero", dtype = "bool", density = 0.1, sizes = of(1e4, 1e6, 1e8) }
add { call = "count_nonzero", dtype = "float32", density = 0.1, sizes = of(1e4, 1e6, 1e8) }

add { call = "where", dtype = "float32", data = "random",
      sizes = of(1, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8) }
add { call = "where", dtype = "float32", data = "runs", sizes = of(1e5, 1e7) }
for _, dtype in ipairs { "float64", "int64", "uint8" } do
  add { call = "where", dtype = dtype, data = "random", sizes = of(1e3, 1e5, 1e6, 1e7) }
end
add { call = "where", dtype = "float64", data = "random", sizes = of(1e8) }
add { call = "where", dtype = "float32", values = "float64", data = "random", sizes = of(1e5, 1e7) }
add { call = "where number", dtype = "float32", data = "random", sizes = of(1e5, 1e7) }
add { call = "where broadcast", dtype = "float32", sizes = square(1024, 4096) }
add { call = "where transposed", dtype = "float32", sizes = square(1024, 4096) }

add { call = "add", dtype = "float32", sizes = of(1e4, 1e6, 1e7) }
add { call = "lt", dtype = "float32", sizes = of(1e4, 1e6, 1e7) }
add { call = "sum", dtype = "float32", sizes = of(1e4, 1e6, 1e7) }
add { call = "to float32", dtype = "int64", sizes = of(1e4, 1e6, 1e7) }
add { call = "contiguous", dtype = "float32", sizes = square(1024, 4096) }

add { call = "sort", dtype = "float32", sizes = of(1e3, 1e6) }
for _, dtype in ipairs { "float32", "int32", "float64", "int64" } do
  add { call = "argsort", dtype = dtype, sizes = of(1e3, 1e5, 1e6, 1e7) }
end

add { call = "small where", dtype = "float32", data = "random", sizes = of(10) }
add { call = "small where, table made", dtype = "float32", data = "random", sizes = of(10) }
add { call = "small searchsorted", dtype = "float32", data = "random", sizes = against(10, 10) }
add { call = "searchsorted one number", dtype = "float64", sizes = of(10, 1e6) }
add { call = "small nonzero", dtype = "bool", density = 0.5, sizes = of(10) }
add { call = "small add", dtype = "float32", sizes = of(10) }
add { call = "small where number", dtype = "float32", sizes = of(10) }
add { call = "small add number", dtype = "float32", sizes = of(10) }
add { call = "small range", dtype = "float32", sizes = of(10) }
add { call = "small places", dtype = "float32", sizes = of(10) }
add { call = "small mask", dtype = "float32", density = 0.5, sizes = of(10) }
add { call = "small one number right", dtype = "float64", sizes = of(10) }

-- The case in words: its call, dtypes, data and density.
local function name(case)
  local words = { case.call, case.dtype, case.values or false, case.data or false,
                  case.density and "d=" .. case.density, case.transposed and "transposed" }
  local said = {}
  for i = 1, 6 do
    said[#said + 1] = words[i] or nil
  end
  return table.concat(said, " ")
end

--- The inputs of a case at a size, by name, always the same; nil when its call is not there.
local function make(case, size)
  local call = calls[case.call]
  if call.needs and not pcall(function() return locus.zeros(1)[call.needs] end) then
    return nil
  end
  math.randomseed(7)
  return call.inputs(case, size)
end

return { calls = calls, cases = cases, name = name, make = make }
