-- SPDX-License-Identifier: MIT
-- The calls whose work bench/cuda/counts counts, each at a size that reaches its steady state.
--   luajit bench/cuda/counted.lua list     a line each, tabs between name, units and moves
--   luajit bench/cuda/counted.lua prepare  the inputs of all: no kernel may run for them
--   luajit bench/cuda/counted.lua run NAME the call once, on the device; the answer must be right
local inputs = require "bench.inputs"
local core = require "locus.core"
local locus = require "locus"

local kth = core.internal.kth

-- Values of the searches that have a tree, values of those that have not, keys past every cache.
local M, FEW, MANY = 2 ^ 18, 65535, 11e6
local N, HALF = 2 ^ 20, 2 ^ 19

-- A case: name; units, by which its counts are divided; make(), the inputs on the CPU; call(...);
-- plain, by which name of bench/cuda/plain.lua the same is asked of a plain form; near: sums that
-- may be added in another order. And moves, a list of { kernel, bytes, bytes }: what a unit takes
-- of memory and of the second-level cache in kernels that begin so, where counts do not tell; the
-- last is left out where they do.
local cases = {}

local function add(case)
  cases[#cases + 1] = case
  return case
end

-- The same again in a plain form.
local function beside(case, name, form, moves)
  add { name = name, units = case.units, make = case.make, call = case.call, plain = form,
        moves = moves }
end

-- -- The three ------------------------------------------------------------------------------------

-- Levels of 4-byte keys in a tree of 64 KB of shared memory, and of sectors in 128 KB of the
-- first-level cache; bytes of a value and its answer.
local IN_TREE, IN_CACHE, STREAMED, SECTOR = 14, 12, 4 + 8, 32

-- Bytes of keys that a bisection takes from the second-level cache where the first levels are held
-- nearer: a sector for each level but the last three, which are in one.
local function path(n, held)
  local levels = math.ceil(math.log(n) / math.log(2)) - 3
  return levels <= held and 0 or (levels - held + 1) * SECTOR
end

local function search(name, n, m, moves, options)
  return add {
    name = name, units = m, moves = moves,
    make = function()
      local made = inputs.search({ dtype = "float32", data = "random" }, { n = n, m = m })
      return made.keys, made.values
    end,
    call = function(keys, values) return keys:searchsorted(values, options) end,
  }
end

local function tree(name, n, options)
  local streamed = STREAMED + (options and options.side and 8 or 0)
  local moves = { { "tree_search", streamed, streamed + path(n, IN_TREE) } }
  return search("searchsorted tree " .. name, n, M, moves, options)
end

local function bisecting(kernel, n)
  return { { kernel, STREAMED, STREAMED + path(n, IN_CACHE) } }
end

search("searchsorted direct n=1e6", 1e6, FEW, bisecting("plain_search", 1e6))
beside(tree("n=1e3", 1e3), "plain searchsorted n=1e3", "search", bisecting("plain_bisect", 1e3))
beside(tree("n=1e6", 1e6), "plain searchsorted n=1e6", "search", bisecting("plain_bisect", 1e6))
tree("n=1e6 right", 1e6, { right = true })
tree("n=1e6 both sides", 1e6, { side = "both" })
-- Three nodes of two sectors, the last of which no cache holds.
search("searchsorted levels n=1.1e7", MANY, M / 2,
       { { "levels_search", STREAMED + 2 * SECTOR, STREAMED + 3 * 2 * SECTOR } })

local function nonzero(name, dtype, density, n, shape)
  return add {
    name = name, units = n, call = function(x) return x:nonzero() end,
    make = function()
      return inputs.nonzero({ dtype = dtype, density = density }, { shape = shape or { n } }).x
    end,
  }
end

for _, density in ipairs { 0.01, 0.5, 0.99 } do
  local case = nonzero("nonzero bool d=" .. density, "bool", density, N)
  beside(case, "plain nonzero bool d=" .. density, "nonzero")
end
beside(nonzero("nonzero float32 d=0.5", "float32", 0.5, N), "plain nonzero float32 d=0.5",
       "nonzero")
nonzero("nonzero float64 d=0.5", "float64", 0.5, HALF)
beside(nonzero("nonzero bool rows of 64 d=0.5", "bool", 0.5, N, { N / 64, 64 }),
       "plain nonzero bool rows of 64 d=0.5", "nonzero", { { "plain_divide", (8 + 16) / 2 } })

local function where(name, n, make)
  return add { name = name, units = n, make = make,
               call = function(cond, x, y) return locus.where(cond, x, y) end }
end

local function where_of(dtype, n, values)
  return function()
    local made = inputs.where({ dtype = dtype, values = values }, { n = n })
    return made.cond, made.x, made.y
  end
end

local single = where("where float32", N, where_of("float32", N))
local double = where("where float64", HALF, where_of("float64", HALF))
where("where uint8", N, where_of("uint8", N))
where("where float32 and a number", N, function()
  local cond, x = where_of("float32", N)()
  return cond, x, 0.5
end)
where("where float32 y a row", N, function()
  local cond, x, y = where_of("float32", N)()
  return cond:view(1024, 1024), x:view(1024, 1024), y:narrow(1, 1, 1024)
end)
where("where float32 x int32", N, where_of("int32", N, "float32"))
beside(single, "plain where float32, an element a thread", "where1")
beside(single, "plain where float32, four a thread", "where4")
beside(double, "plain where float64, an element a thread", "where1")

-- -- Families -------------------------------------------------------------------------------------

local function of(name, dtype, n, call, near)
  return add { name = name, units = n, call = call, near = near,
               make = function() return inputs.one({ dtype = dtype }, { n = n }).x end }
end

local function of_rows(name, dtype, rows, columns, call)
  return add {
    name = name, units = rows * columns, call = call,
    make = function() return inputs.one({ dtype = dtype }, { shape = { rows, columns } }).x end,
  }
end

local function of_pair(name, n, call)
  add { name = name, units = n, call = call, make = function()
    local made = inputs.pair({ dtype = "float32" }, { n = n })
    return made.x, made.y
  end }
end

of("sum float32", "float32", N, function(x) return x:sum() end)
of("sum int64", "int64", HALF, function(x) return x:sum() end)
of_rows("sum float32 of rows", "float32", 1024, 1024, function(x) return x:sum(2) end)
of_rows("sum float32 of columns", "float32", 1024, 1024, function(x) return x:sum(1) end)
of("max float32", "float32", N, function(x) return x:max() end)
add { name = "count_nonzero bool", units = N, call = function(x) return x:count_nonzero() end,
      make = function() return inputs.nonzero({ dtype = "bool", density = 0.5 }, { n = N }).x end }
of("cumsum float32", "float32", N, function(x) return x:cumsum(1) end, true)
of("cumsum int64", "int64", HALF, function(x) return x:cumsum(1) end)
of_rows("copy of parts of rows", "float32", 1024, 1024, function(x)
  return x:narrow(2, 1, 1000):contiguous()
end).units = 1024 * 1000
of_rows("copy transposed", "float32", 1024, 1024, function(x) return x:t():contiguous() end)
of("to float64", "float32", N, function(x) return x:to("float64") end)
of("neg float32", "float32", N, function(x) return -x end)
of_pair("add float32", N, function(x, y) return x + y end)
of_pair("lt float32", N, function(x, y) return x:lt(y) end)
add {
  name = "masked_select float32 d=0.5", units = N,
  call = function(x, mask) return x:masked_select(mask) end,
  make = function()
    local made = inputs.mask({ dtype = "float32", density = 0.5 }, { n = N })
    return made.x, made.mask
  end,
}

-- Elements and a permutation of their places.
local function shuffled()
  local made = inputs.sorter({ dtype = "float32", data = "random" }, { n = M, m = 1 })
  return made.keys, made.sorter
end

local CHECK = { { "find_first", 8, 8 } }

add { name = "gather float32", units = M, make = shuffled, moves = CHECK,
      call = function(x, places) return x[places] end }
add { name = "scatter float32", units = M, moves = CHECK, make = function()
  local x, places = shuffled()
  return x, places, locus.zeros(M, { dtype = "float32" })
end, call = function(x, places, y)
  y[places] = x
  return y
end }
of("sort float32", "float32", M, function(x) return (x:sort(1)) end)
of_rows("sort float32 of rows", "float32", 1024, 256, function(x) return (x:sort(2)) end)

-- -- Groups, ranks, as-of -------------------------------------------------------------------------

-- Elements and what they are grouped by: 1000 groups, or so many that each has a few.
local function grouped(name, groups, how)
  add { name = name, units = M, call = function(x, ids) return x:segment(ids, how) end,
        make = function()
          local x = inputs.one({ dtype = "float32" }, { n = M }).x
          return x, (inputs.one({ dtype = "float32" }, { n = M }).x * groups):to("int32") + 1
        end }
end

grouped("segment sum float32 1000 groups", 1000, "sum")
grouped("segment max float32 1000 groups", 1000, "max")
grouped("segment sum float32 groups of 4", M / 4, "sum")

local function ranked(name, dtype, n, rows, ranks, options)
  add { name = "kth " .. dtype .. " " .. name, units = n, make = function()
    local x = inputs.one({ dtype = dtype }, { shape = { rows, n / rows } }).x
    return x, locus.tensor(ranks, { dtype = "int64" })
  end, call = function(x, at) return (kth(x, at, options)) end }
end

ranked("one rank", "float32", N, 1, { N / 2 })
ranked("one rank with positions", "float32", N, 1, { N / 2 }, { positions = true })
ranked("three ranks", "float64", N, 1, { 0, N / 2, N - 1 })
ranked("four ranks", "float64", N, 1, { 0, N / 4, N / 2, N - 1 })
ranked("two ranks of short rows", "float32", M, 1024, { 0, 128 })

local function asof(name, keys)
  add { name = name, units = M, make = function()
    local function key()
      return (inputs.one({ dtype = "float32" }, { n = M }).x * keys):to("int32")
    end
    local times = inputs.one({ dtype = "float64" }, { n = M }).x:sort(1)
    local asked = inputs.one({ dtype = "float64" }, { n = M }).x:sort(1)
    return times, asked, key(), key()
  end, call = function(times, asked, of_times, of_asked)
    return locus.asof(times, asked, { by = { of_times, of_asked } })
  end }
end

asof("asof by 20 keys", 20)
asof("asof by 10000 keys", 10000)

-- -- Running them ---------------------------------------------------------------------------------

local function on_device(list)
  local there = {}
  for i, x in ipairs(list) do there[i] = locus.is_tensor(x) and x:cuda() or x end
  return there
end

-- The inputs of a case, always the same ones.
local function made(case)
  math.randomseed(7)
  return { case.make() }
end

-- A result on the CPU, copied as it lies: rows and columns change places where columns are
-- contiguous, since a kernel would run for it otherwise.
local function fetched(t)
  return t:is_contiguous() and t:cpu() or t:t():cpu():t()
end

local function same(case, wanted, got)
  if not locus.is_tensor(wanted) then return wanted == got end
  got = fetched(got)
  return case.near and locus.allclose(wanted, got) or wanted:equal(got)
end

local function run(case)
  local here = made(case)
  local there = on_device(here)
  local wanted = case.call(unpack(here))
  local call = case.plain and require("bench.cuda.plain")[case.plain] or case.call
  assert(same(case, wanted, call(unpack(there))), case.name .. ": another answer than the CPU's")
end

local commands = {}

function commands.list()
  for _, c in ipairs(cases) do
    local fields = { c.name, c.units }
    for _, row in ipairs(c.moves or {}) do
      fields[#fields + 1] = table.concat({ row[1], row[2], row[3] or "counted" }, ":")
    end
    print(table.concat(fields, "\t"))
  end
end

function commands.prepare()
  for _, case in ipairs(cases) do
    on_device(made(case))
    collectgarbage()
  end
end

function commands.run(name)
  for _, case in ipairs(cases) do
    if case.name == name then return run(case) end
  end
  error("there is no case " .. name)
end

commands[arg[1]](arg[2])
