-- SPDX-License-Identifier: MIT
-- luajit bench/sweep.lua [WORD ...]: searchsorted at sizes next to each other, on both sides of
-- every size where the CPU switches to another search strategy. Ends with status 1 where one size
-- costs more than LIMIT times as much a value as the next one. LOCUS_ISA chooses the instruction
-- set; WORDs choose the lines to measure, all of them being found in a line's name.
local locus = require "locus"
local clock = require "bench.clock"

local LIMIT = 1.3
local STEP = 0.5                 -- ns a value
local ROUNDS, MORE = 9, 3        -- a suspect pair gets MORE times as many rounds again
local CALL, KEYS = 16384, 2 ^ 17 -- the values of a call, and the most keys of its rows

-- This thread's processor time.
local function now() return clock.read(clock.OF_THREAD) end

-- Rows of n numbers, number(0) first.
local function filled(dtype, rows, n, number)
  local t = locus.empty({ rows, n }, { dtype = "float64" })
  local p = t:data()
  for r = 0, rows - 1 do
    for i = 0, n - 1 do p[r * n + i] = number(i) end
  end
  return t:to(dtype)
end

-- One size of a line: what is measured, and the least ns a value so far.
local function open(line, n, m, rows)
  local random, top = math.random, line.top or n
  local spread = line.strided and 2 or 1
  local sequence = filled(line.dtype, rows, n * spread,
    function(i) return math.floor(i * top / (n * spread)) end)
  local values = filled(line.values or line.dtype, rows, m, line.ascending
    and function(i) return math.floor(i * top / m) end or function() return random(0, top) end)
  if line.strided then sequence = sequence:unfold(2, 1, 2):squeeze(3) end
  local out = sequence:searchsorted(values)
  local function run() sequence:searchsorted(values, { out = out }) end
  local size = { n = n, m = m, best = math.huge, times = 1 }
  function size.round()
    run() -- its data is in the caches again
    local start = now()
    for _ = 1, size.times do run() end
    local ns = now() - start
    if ns < 2e5 then
      size.times = size.times * 2
      return size.round()
    end
    size.best = math.min(size.best, ns / size.times / (rows * m))
  end
  return size
end

-- A threshold x lies between x - 1 and x, or x and x + 1: both pairs must be level. Up to 1.5 x a
-- value may become cheaper. In registers a value costs so little that one comparison more is a good
-- part of it: a step of less than STEP is none.
local function pairs_of(sizes)
  local below, at, above, far = unpack(sizes)
  local function ratio(a, b) return b.best < a.best + STEP and 1 or b.best / a.best end
  return { { below, at, math.max(ratio(below, at), ratio(at, below)) },
           { at, above, math.max(ratio(at, above), ratio(above, at)) },
           { above, far, ratio(above, far) } }
end

local function worst(found)
  return math.max(found[1][3], found[2][3], found[3][3])
end

local function measure(line)
  local x, sizes = line[line.vary], {}
  local steps = { x - 1, x, x + 1, math.floor(1.5 * x) }
  local largest = { n = line.n, m = line.m, [line.vary] = steps[4] }
  local rows = line.one and 1 or math.max(1, math.min(math.floor(CALL / largest.m),
    math.floor(KEYS / largest.n)))
  for i, step in ipairs(steps) do
    sizes[i] = open(line, line.vary == "n" and step or line.n, line.vary == "m" and step or line.m,
      rows)
  end
  for attempt = 0, MORE do
    for _ = 1, ROUNDS do
      for _, size in ipairs(sizes) do size.round() end
    end
    if attempt > 0 and worst(pairs_of(sizes)) <= LIMIT then break end
    if attempt == 0 and worst(pairs_of(sizes)) <= 0.95 * LIMIT then break end
  end
  return pairs_of(sizes)
end

-- How many keys a register of the instruction set has.
local function lanes_of(dtype)
  local four = { avx512 = 16, avx2 = 8, neon = 4, scalar = 16 }
  return four[locus.isa] / (not dtype:find "64" and 1 or locus.isa == "scalar" and 4 or 2)
end

-- The lines: dtype, n and m, which of them is varied around its value, and what is special.
local lines = {}

local function line(vary, dtype, n, m, special)
  local l = { vary = vary, dtype = dtype, n = n, m = m }
  for name, value in pairs(special or {}) do l[name] = value end
  l.name = ("%s%s %s n=%d m=%d%s%s"):format(vary, "", dtype, n, m,
    l.ascending and " ascending" or "", l.strided and " strided" or "")
    .. (l.values and (" " .. l.values) or "")
  lines[#lines + 1] = l
end

for _, dtype in ipairs { "float32", "float64", "int32", "int64" } do
  for _, m in ipairs { 16, 50, 64, 4096 } do -- as many keys as registers have lanes
    for _, n in ipairs { 4, 8, 16, 32, 64, 128 } do line("n", dtype, n, m) end
  end
  for _, n in ipairs { 10, 50, 100, 1000, 100000 } do -- one by one, and groups of values
    for _, m in ipairs { 5, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256 } do
      line("m", dtype, n, m)
    end
  end
  local lanes = lanes_of(dtype)
  -- the fewest that are merged, and groups
  for _, m in ipairs { lanes < 8 and 6 * lanes or 8 * lanes, 10 * lanes, 2048 } do
    line("m", dtype, 100, m, { ascending = true })
  end
  -- the most for each value that are merged
  local keys = (locus.isa == "scalar" or lanes > 8) and 3 or lanes < 8 and 8 or 6
  line("n", dtype, keys * 4096, 4096, { ascending = true })
  line("m", dtype, keys * 4096, 4096, { ascending = true })
  local cached = 2 ^ 20 / (dtype:find "64" and 8 or 4) -- a tree over what caches do not hold
  line("n", dtype, cached, 65536, { one = true })
  line("m", dtype, 4 * cached, 16384, { one = true })
  local copied = dtype:find "64" and 1000 or 500 -- a copy of what lies scattered
  line("m", dtype, 16000, copied, { one = true, strided = true })
end
for _, values in ipairs { "uint8", "float16" } do -- a table for values of few bits
  local enough = values == "uint8" and 384 or 98304
  line("m", "float32", 1000, enough, { values = values, top = 250, one = true })
  line("n", "float32", 128, enough, { values = values, top = 250, one = true })
end

local function chosen(name)
  for _, word in ipairs(arg) do
    if not (" " .. name .. " "):find(word, 1, true) then return false end
  end
  return true
end

math.randomseed(1)
locus.set_num_threads(1)
local cliffs, highest, where = 0, 0, ""
for _, l in ipairs(lines) do
  if chosen(l.name) then
    local found = measure(l)
    io.write(("%-34s"):format(l.name))
    for _, pair in ipairs(found) do
      local cliff = pair[3] > LIMIT
      io.write(("  %d %.2f, %d %.2f: %.2f%s"):format(pair[1][l.vary], pair[1].best,
        pair[2][l.vary], pair[2].best, pair[3], cliff and " <--" or ""))
      if cliff then cliffs = cliffs + 1 end
    end
    io.write("\n")
    io.flush()
    if worst(found) > highest then highest, where = worst(found), l.name end
  end
end
print(("%d cliffs; the steepest pair: %.2f in %s"):format(cliffs, highest, where))
os.exit(cliffs == 0 and 0 or 1, true)
