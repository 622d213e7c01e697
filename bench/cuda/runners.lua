-- SPDX-License-Identifier: MIT
-- Every runner of src/core/jobs.h on a CUDA device, at small and modest sizes, against the CPU:
-- what compute-sanitizer watches. luajit bench/cuda/runners.lua [KEYS]: the length of the longest
-- sequence; on a GPU 11e6, which is more than its cache holds.
local core = require "locus.core"
local locus = require "locus"

local kth = core.internal.kth

-- n integers in no order, with duplicates; the same on every run.
local function mixed(n, dtype)
  local range = dtype == "uint8" and 251 or math.max(1, n - n % 3)
  return (locus.arange(n) * 7919 + 13):remainder(range):to(dtype or "float32")
end

local function matrix(n, columns)
  local rows = math.max(1, math.floor(n / columns))
  return mixed(rows * columns):view(rows, columns)
end

-- By runner: what it is given, made on the CPU, of about n elements; and calls that reach it.
local cases = {}

function cases.copy(n)
  return { matrix(n, 7), mixed(n) }, function(x, y)
    return x:t():contiguous(), y:clone(), y:to("int16"), y:to("complex64"), locus.cat({ y, y }, 1)
  end
end

function cases.find(n)
  return { mixed(n, "float64"), mixed(n, "int32") }, function(x, y)
    return x:to("int32"), y:remainder(y:clamp(1, 5))
  end
end

function cases.unary(n)
  return { mixed(n), matrix(n, 7) }, function(x, y) return -x, y:t():neg(), (x - 5):abs() end
end

function cases.binary(n)
  return { mixed(n), matrix(n, 9) }, function(x, y)
    return x + x, x * 3, y + y[1], x:maximum(7), x:to("int32") + x
  end
end

function cases.compare(n)
  return { mixed(n), mixed(n, "int64") }, function(x, y)
    return x:lt(y), x:eq(x), y:gt(3), x:gt(2):logical_and(y:lt(9))
  end
end

function cases.between(n)
  return { mixed(n), mixed(n, "int64") }, function(x, y)
    return x:between(2, 5), y:between(x, 9, { inclusive = "left" }), y:between(3, y + 1)
  end
end

function cases.close(n)
  return { mixed(n) }, function(x) return x:allclose(x + 1e-9), x:allclose(x * 1.001) end
end

function cases.where(n)
  return { mixed(n), matrix(n, 40), mixed(n, "uint8") }, function(x, y, z)
    local even, few = x:remainder(2):eq(0), x:lt(2)
    return locus.where(even, x, -x), locus.where(few, x, 0.5), locus.where(even, z, x),
      locus.where(few, z, z + 1), locus.where(y:lt(9), y, y[1]), locus.where(y:t():lt(9), y:t(), 1)
  end
end

function cases.reduce(n)
  return { mixed(n, "int64"), matrix(n, 70) }, function(x, y)
    return x:sum(), x:max(), x:argmin(), y:sum(1), y:max(2), y:sum(), y:gt(5):any(1),
      y:var(2)
  end
end

function cases.scan(n)
  return { mixed(n, "int64"), matrix(n, 33) }, function(x, y)
    local most, places = y:cummax(2)
    return x:cumsum(1), y:cumsum(1), x:cumprod(1), x:cummin(1), most, places
  end
end

function cases.sort(n)
  return { mixed(n), matrix(n, 50), mixed(n, "int64") }, function(x, y, z)
    local values, places = x:sort(1)
    local rows, columns = y:sort(2, true)
    return values, places, rows, columns, z:argsort(1)
  end
end

function cases.tied_ranks(n)
  return { mixed(n), matrix(n, 50) }, function(x, y)
    return x:rank(), y:rank{ method = "min" }, y:rank{ method = "max", descending = true }
  end
end

-- Rows, and segments between offsets.
function cases.kth(n)
  local rows, x, whole = matrix(n, 50), mixed(n), mixed(n, "int64")
  local third = math.floor(n / 3)
  local function long(list) return locus.tensor(list, { dtype = "int64" }) end
  return { rows, x, whole, long{ 0, math.floor(rows:size(2) / 2) }, long{ 0, third, n },
           long{ { math.floor(third / 2) }, { n - third - 1 } }, long{ 0, n - 1 } },
    function(short, long_row, integers, few, offsets, by_segment, ends)
      local values, places = kth(short, few, { positions = true })
      local ordered = third > 0 and kth(long_row, by_segment, offsets) or 0
      return values, places, ordered, kth(long_row:view(1, -1), ends),
        kth(integers:view(1, -1), ends, { descending = true })
    end
end

function cases.searchsorted(n)
  local sorted, columns = mixed(n):sort(1), matrix(n, 60)
  return { sorted, mixed(n) * 0.5, sorted:to("int64"), columns:sort(2), columns * 0.75,
           mixed(n), mixed(n):argsort(1) },
    function(keys, values, whole, rows, of_rows, unsorted, sorter)
      return keys:searchsorted(values), whole:searchsorted(values, { right = true }),
        rows:searchsorted(of_rows), keys:searchsorted(values, { out_int32 = true }),
        keys:narrow(1, 1, math.min(n, 900)):searchsorted(values), keys:searchsorted{ 3, 5 },
        unsorted:searchsorted(keys, { sorter = sorter }), keys:searchsorted(keys, { side = "both" })
    end
end

-- More keys than a cache holds, and enough values to make it worth a tree.
function cases.search_index(n, most)
  local many = n > 1000 and most or n
  return { locus.arange(many):to("float32"), mixed(math.max(n, math.ceil(many / 200))) * 1.5 },
    function(keys, values)
      return keys:searchsorted(values), keys:search_index():searchsorted(values)
    end
end

-- One value and one row: where a sequence on the device is asked for a number.
function cases.lookup(n)
  return { mixed(n):sort(1) }, function(keys)
    return keys:searchsorted(n / 3), keys:searchsorted(-1)
  end
end

function cases.unsorted(n)
  return { mixed(n):sort(1) }, function(keys) return keys:searchsorted({ 1 }, { check = true }) end
end

function cases.repeats(n)
  return { mixed(n, "int64"):remainder(4), mixed(n) },
    function(counts, x) return x:repeat_interleave(counts), counts:repeat_interleave() end
end

-- Times, with a key each, and those asked for.
local function moments(n)
  return { locus.arange(n):to("int64"), (mixed(n, "int64") * 2):sort(1), mixed(n):remainder(7),
           mixed(n):remainder(9) }
end

function cases.asof(n)
  return moments(n), function(times, asked, of_times, of_asked)
    local by = { of_times, of_asked }
    return locus.asof(times, asked), locus.asof(times, asked, { by = by }),
      locus.asof(times, asked, { by = by, direction = "forward", inclusive = false })
  end
end

function cases.nearest(n)
  return moments(n), function(times, asked, of_times, of_asked)
    local by = { of_times, of_asked }
    return locus.asof(times, asked, { direction = "nearest" }),
      locus.asof(times:double(), asked, { direction = "nearest", tolerance = 1.5, by = by })
  end
end

function cases.mask(n)
  return { mixed(n), matrix(n, 11) }, function(x, y)
    return x:gt(2):nonzero(), y:t():gt(3):nonzero(), x:masked_select(x:gt(2))
  end
end

function cases.starts(n)
  return { mixed(n):sort(1), mixed(n):remainder(2):to("complex64") }, function(x, y)
    return x:unique_consecutive(), y:unique_consecutive()
  end
end

function cases.runs(n)
  return { mixed(n):sort(1) }, function(x)
    local begins, lengths, values = x:rle()
    local _, numbers = x:unique_consecutive{ return_inverse = true }
    return begins, lengths, values, numbers
  end
end

function cases.count_nonzero(n)
  return { mixed(n), matrix(n, 13) }, function(x, y)
    return x:count_nonzero(), y:count_nonzero(1), x:gt(1):count_nonzero()
  end
end

function cases.nonzero(n)
  return { mixed(n), matrix(n, 11), mixed(n, "bool") }, function(x, y, z)
    local rows, columns = y:nonzero{ as_tuple = true }
    return x:nonzero(), y:nonzero(), z:nonzero(), rows, columns, x:nonzero_static{ size = 5 }
  end
end

function cases.masked_select(n)
  return { mixed(n), mixed(n, "uint8") }, function(x, y)
    return x:masked_select(x:gt(2)), y:masked_select(x:lt(2)), x[x:remainder(3):eq(0)]
  end
end

function cases.masked_scatter(n)
  return { mixed(n), mixed(n) }, function(x, y)
    local mask = x:remainder(2):eq(0)
    x[mask] = y[mask] + 1
    y[y:gt(3)] = 7
    return x, y
  end
end

function cases.gather(n)
  return { mixed(n), mixed(n):argsort(1), matrix(n, 8) }, function(x, places, y)
    return x[places], x:take(places:remainder(n), 0.5),
      y[{ locus.tensor({ 1, -1 }, { dtype = "int64" }):to(y.device), {} }]
  end
end

function cases.scatter(n)
  return { mixed(n), mixed(n):argsort(1) }, function(x, places)
    local y = x:clone()
    y[places] = x
    return y, y:scatter_reduce(1, places:remainder(math.min(n, 9)) + 1, x, "mean")
  end
end

function cases.bincount(n)
  return { (mixed(n):remainder(50) + 1):to("int64") }, function(x) return x:bincount() end
end

function cases.histogram(n)
  return { mixed(n) }, function(x)
    return x:histogram(7), x:histogram({ 1, 3, 5 }, { weight = x:remainder(3) })
  end
end

-- Groups of one row, of a few and of many.
function cases.segment(n)
  local few = math.min(n, 9)
  return { mixed(n), mixed(n, "int64"), mixed(n):remainder(few):to("int32") + 1,
           locus.arange(n):to("int64") + 1 },
    function(x, y, ids, own)
      return x:segment(ids, "sum"), x:segment(ids, "max"), y:segment(ids, "sum"),
        x:segment(ids, "count"), x:segment(own, "mean"), x:segment(own, "last"),
        y:gt(3):segment(ids, "any")
    end
end

-- Segments of ten elements, and of ten rows.
function cases.segment_runs(n)
  local tens = math.floor(n / 10)
  local whole = mixed(n, "int64"):narrow(1, 1, 10 * tens)
  return { whole, whole:double():view(tens, 10), locus.full({ tens }, 10, { dtype = "int64" }) },
    function(x, y, lengths)
      local rows = { lengths = lengths:narrow(1, 1, math.floor(tens / 10)), unsafe = true }
      return x:segment_reduce("sum", { lengths = lengths }),
        x:segment_reduce("max", { lengths = lengths }), y:segment_reduce("mean", rows)
    end
end

function cases.ramp(n)
  return { locus.zeros(1) }, function(x)
    return locus.arange(n, { device = x.device }), locus.linspace(0, 1, n, { device = x.device })
  end
end

function cases.random(n)
  return { mixed(n), mixed(n, "int64") }, function(x, y)
    local generator = locus.generator(5)
    return x:uniform_{ generator = generator }, y:random_{ generator = generator }
  end
end

local function same(a, b)
  if not locus.is_tensor(a) then return a == b end
  return a.dtype == b.dtype and a:equal(b:cpu())
end

-- Runs a case on the CPU and on the device; raises where an answer differs.
local function run(name, n, keys)
  local function on(device)
    local inputs, call = cases[name](n, keys)
    for i, input in ipairs(inputs) do inputs[i] = input:to(device) end
    return { call(unpack(inputs)) }
  end
  local wanted, got = on "cpu", on "cuda"
  assert(#wanted == #got, name)
  for i, value in ipairs(wanted) do
    assert(same(value, got[i]), ("of %d elements: answer %d differs"):format(n, i))
  end
end

-- Runs every case at these sizes, the small ones first; raises what went wrong. told(n) is called
-- when all have run at a size.
local function run_all(sizes, keys, told)
  local names, failures = {}, {}
  for name in pairs(cases) do names[#names + 1] = name end
  table.sort(names)
  for _, n in ipairs(sizes) do
    for _, name in ipairs(names) do
      local ok, message = pcall(run, name, n, keys)
      failures[#failures + 1] = not ok and name .. ": " .. tostring(message) or nil
    end
    if told then told(n, #names, failures) end
  end
  locus.cuda.synchronize()
  if #failures > 0 then error(table.concat(failures, "\n"), 0) end
end

-- Prints how far it has come: whoever stops this has what was found by then.
local function tell(n, count, failures)
  print(("%d runners of %d elements, failures so far: %d %s"):format(count, n, #failures,
    table.concat(failures, "; ")))
  io.stdout:flush()
end

if arg and arg[0] and arg[0]:find "runners.lua$" then
  run_all({ 1, 70, 900, 20000 }, tonumber(arg[1]) or 11e6, tell)
  print("every runner on " .. locus.cuda.device_info().name .. ": same answers as the CPU")
end

return { cases = cases, run_all = run_all }
