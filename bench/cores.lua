-- SPDX-License-Identifier: MIT
-- Long calls with one thread and with two, in turns within one process: bench/cores.py prints the
-- table. A line of output has the case, the number of threads, and the least seconds on the clock
-- and of the processor. The order is the turns': the least is found over all rounds of a run.
--
--   cores.lua FOLDER ROWS ROUNDS [CASE ...]
local locus = require "locus"
local clock = require "bench.clock"

local FOLDER, ROWS, ROUNDS = arg[1], tonumber(arg[2]), tonumber(arg[3])
local THREADS = {1, 2}

local generator = locus.generator(5)
local function integers(below, n) return locus.randint(0, below, {n}, {generator = generator}) end

local function names(count)
  local list = {}
  for i = 1, count do list[i] = ("name%06d"):format(i * 7919 % 1000003) end
  return locus.strings(list)
end

local function strings_of(count, n)
  return names(count):take(integers(count, n) + 1)
end

-- The operands, each made when a case first asks for it.
local makers, operands = {}, {}
setmetatable(operands, {__index = function(made, name)
  local value = makers[name]()
  rawset(made, name, value)
  return value
end})

function makers.trades()
  return locus.frame{{"id", locus.arange(ROWS):long()}, {"name", strings_of(1e4, ROWS)},
    {"price", (locus.rand(ROWS, {generator = generator}) * 1e5):floor() / 100},
    {"time", locus.arange(ROWS):long() * 1000003 + 1764288000000000, "time"}}
end
function makers.csv()
  local path = FOLDER .. "/trades.csv"
  operands.trades:write_csv(path)
  return path
end
function makers.log()
  local path, file = FOLDER .. "/requests.log"
  file = assert(io.open(path, "w"))
  local lines = {}
  for i = 1, 1000 do
    lines[i] = ('10.0.%d.%d [%d] "GET /item/%d" %d %.3f\n'):format(i % 200, i % 251, 1764288000 + i,
      i * 7919 % 1000, i % 17 == 0 and 404 or 200, i * 31 % 977 / 977)
  end
  local block = table.concat(lines)
  for _ = 1, ROWS / 1000 do file:write(block) end
  file:close()
  return path
end
function makers.values() return locus.rand(5 * ROWS, {generator = generator}) end
function makers.prices() return locus.rand(ROWS, {generator = generator}) end
function makers.sizes() return integers(1000, ROWS) end
function makers.words() return strings_of(1e4, ROWS) end
function makers.many_words() return strings_of(5e5, ROWS) end
for _, groups in ipairs{20, 10000, 500000} do
  makers["keys" .. groups] = function() return integers(groups, ROWS) end
  makers["groups" .. groups] = function() return locus.group_by(operands["keys" .. groups]) end
end
function makers.left()
  return locus.frame{{"key", integers(5e5, ROWS)}, {"x", operands.prices}}
end
function makers.right()
  return locus.frame{{"key", locus.randperm(5e5, {generator = generator}) - 1},
    {"y", locus.rand(5e5, {generator = generator})}}
end

local TYPES = {id = "int64", name = "string", price = "float64", time = "time"}
local PATTERN = '$host [$at] "GET $path" $status $seconds'
local LOG = {host = "string", at = "int64", path = "string", status = "int64", seconds = "float64"}

-- For each group of the rows the sum and the mean of a column, the maximum of another, and how many
-- they are.
local function four(o, groups)
  return groups:agg{{"sum", "sum", o.prices}, {"mean", "mean", o.prices}, {"max", "max", o.sizes},
                    {"n", "count"}}
end

local cases = {
  {"read_csv", function(o) return locus.read_csv(o.csv, {types = TYPES}) end},
  {"read_log", function(o) return locus.read_log(o.log, PATTERN, {types = LOG}) end},
  {"write_csv", function(o) o.trades:write_csv(FOLDER .. "/out.csv") end},
  {"group by 1e4 names", function(o) return locus.group_by(o.words) end},
  {"group by 5e5 names", function(o) return locus.group_by(o.many_words) end},
  {"group by 1e4 integers", function(o) return locus.group_by(o.keys10000) end},
  {"group by 5e5 integers", function(o) return locus.group_by(o.keys500000) end},
  {"sums of 20 groups", function(o) return o.groups20:sum(o.prices) end},
  {"sums of 1e4 groups", function(o) return o.groups10000:sum(o.prices) end},
  {"sums of 5e5 groups", function(o) return o.groups500000:sum(o.prices) end},
  {"agg of 4 answers, 20 groups", function(o) return four(o, o.groups20) end},
  {"agg of 4 answers, 1e4 groups", function(o) return four(o, o.groups10000) end},
  {"agg of 4 answers, 5e5 groups", function(o) return four(o, o.groups500000) end},
  {"p95 of 20 groups", function(o) return o.groups20:quantile(o.prices, 0.95) end},
  {"p95 of 1e4 groups", function(o) return o.groups10000:quantile(o.prices, 0.95) end},
  {"sort float64", function(o) return (o.values:sort()) end},
  {"argsort float64", function(o) return o.values:argsort() end},
  {"unique int64", function(o) return o.keys500000:unique() end},
  {"join", function(o) return o.left:join(o.right, {on = "key"}) end},
  {"quantile", function(o) return o.values:quantile(0.5) end},
}

local function measure(call, threads)
  locus.set_num_threads(threads)
  collectgarbage()
  collectgarbage()
  local wall, cpu = clock.read(clock.MONOTONIC), clock.read(clock.OF_PROCESS)
  call(operands)
  return (clock.read(clock.MONOTONIC) - wall) / 1e9, (clock.read(clock.OF_PROCESS) - cpu) / 1e9
end

local function run(name, call)
  local least = {}
  call(operands)
  for round = 1, ROUNDS do
    for turn = 1, 2 do
      local threads = THREADS[(round + turn) % 2 + 1]
      local wall, cpu = measure(call, threads)
      local own = least[threads] or {math.huge, math.huge}
      least[threads] = {math.min(own[1], wall), math.min(own[2], cpu)}
    end
  end
  for _, threads in ipairs(THREADS) do
    print(("%s\t%d\t%.6f\t%.6f"):format(name, threads, least[threads][1], least[threads][2]))
  end
  io.flush()
end

local function wanted(name)
  if #arg < 4 then return true end
  for i = 4, #arg do if name:find(arg[i], 1, true) == 1 then return true end end
end

assert(operands.csv) -- the peers read it, too
for _, case in ipairs(cases) do if wanted(case[1]) then run(case[1], case[2]) end end
