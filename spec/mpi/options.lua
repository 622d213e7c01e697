-- SPDX-License-Identifier: MIT
-- Ranks that call one function with options that differ: all raise one sentence that shows both,
-- and go on. Every option of every function that all ranks call is met here, and every argument
-- that is the same on all ranks.
local declare = require "locus.call.declare"
local locus = require "locus"
local check = require "spec.mpi.check"
local mpi, rank, size = locus.mpi, check.rank, check.size

local s = mpi.shard(locus.tensor({{1, 2}, {3, rank}}))
local row = mpi.shard(locus.tensor({1, 2, 3}) + 3 * rank)
local whole = mpi.shard(locus.LongTensor{1, 2})
local mask = s:map(function(x) return x:gt(1) end)
local f = mpi.shard(locus.frame{{"t", locus.tensor{1, 2} + 2 * rank}, {"k", {"a", "b"}},
                                {"n", locus.LongTensor{1, 2}}, {"v", locus.tensor{1, 2}}})
local g = mpi.shard(locus.frame{{"t", locus.tensor{1, 2} + 2 * rank}, {"k", {"a", "b"}},
                                {"n", locus.LongTensor{1, 2}}, {"w", locus.LongTensor{1, 2}}})
local path = "/tmp/locus-options-" .. tostring(mpi.bcast(locus.tensor(os.time())):item())
if rank == 0 then
  for _, end_of_name in ipairs {"a", "b"} do locus.tensor{1, 2}:save(path .. end_of_name) end
end
mpi.barrier()

-- Functions, what they are given by name on all ranks, and two values of each that is varied.
local dim, extremes = {1, 2}, {dim = {1, 2}, keepdim = {true, false}, base = {0, 1}}
local sums = {dim = {1, {1, 2}}, keepdim = {true, false}, dtype = {"float32", "float64"}}
local x = locus.zeros(size)
local cases = {
  {mpi.bcast, {x = x}, {root = {0, 1}}},
  {mpi.gather, {x = x}, {root = {0, 1}}}, {mpi.allgather, {x = x}, {}},
  {mpi.gatherv, {x = x}, {root = {0, 1}}}, {mpi.allgatherv, {x = x}, {}},
  {mpi.scatter, {x = x}, {root = {0, 1}}},
  {mpi.scatterv, {x = x, counts = locus.ones(size):long()}, {root = {0, 1}}},
  {mpi.alltoall, {x = x}, {}}, {mpi.alltoallv, {x = x, counts = locus.ones(size):long()}, {}},
  {mpi.allreduce, {x = x}, {op = {"sum", "max"}}},
  {mpi.reduce, {x = x}, {op = {"sum", "max"}, root = {0, 1}}},
  {mpi.exscan, {x = x}, {op = {"sum", "max"}}},
  {mpi.barrier, {}, {}},
  {mpi.shard, {x = x}, {root = {0, 1}}},
  {mpi.load, {}, {path = {path .. "a", path .. "b"}}},
  {mpi.map, {input = s, f = function(part) return part end}, {}},
  {mpi.rebalance, {input = s}, {}},
  {s.gather, {input = s}, {root = {0, 1}}}, {s.allgather, {input = s}, {}},
  {mpi.sum, {input = s}, sums}, {mpi.mean, {input = s}, sums},
  {mpi.any, {input = s}, {dim = dim, keepdim = {true, false}}},
  {mpi.all, {input = s}, {dim = dim, keepdim = {true, false}}},
  {mpi.count_nonzero, {input = s}, {dim = dim}},
  {mpi.min, {input = s}, extremes}, {mpi.max, {input = s}, extremes},
  {mpi.nonzero, {input = s}, {as_tuple = {true, false}, base = {0, 1}}},
  {mpi.argwhere, {input = s}, {base = {0, 1}}},
  {mpi.where, {condition = mask}, {base = {0, 1}}},
  {mpi.where, {condition = mask}, {
    x = {0.1, 0.1 + 2 ^ -56}, y = {locus.tensor{1, 2}, locus.tensor{1, 3}}}, {x = 0, y = 0}},
  {mpi.where, {condition = mask, y = 1}, {x = {{{1, 2}}, {{1, 3}}}}},
  {mpi.where, {condition = mask, y = 1}, {x = {locus.tensor(3), locus.tensor(4)}}},
  {mpi.masked_select, {input = s}, {mask = {locus.tensor{true, false}, locus.tensor{true, true}}}},
  {mpi.sort, {input = s}, {dim = dim, descending = {true, false}, indices = {true, false},
                           stable = {true, false}, base = {0, 1}}},
  {mpi.argsort, {input = s}, {dim = dim, descending = {true, false}, stable = {true, false},
                              base = {0, 1}}},
  {mpi.searchsorted, {sorted_sequence = row, values = {1, 2}}, {
    right = {true, false}, side = {"left", "both"}, out_int32 = {true, false}, base = {0, 1},
    check = {true, false}, descending = {true, false}}},
  {mpi.bucketize, {input = s}, {boundaries = {locus.tensor{1, 2}, locus.tensor{1, 3}},
    right = {true, false}, out_int32 = {true, false}, base = {0, 1}}, {boundaries = {1, 2}}},
  {mpi.bucketize, {input = s}, {boundaries = {locus.arange(100), locus.arange(100):sqrt()}}},
  {mpi.unique, {input = s}, {sorted = {true, false}, return_inverse = {true, false},
    return_counts = {true, false}, return_index = {true, false}, base = {0, 1}}},
  {mpi.histogram, {input = s}, {bins = {3, 4}, range = {{0, 1}, {0, 2}}, density = {true, false}}},
  {mpi.histogram, {input = s}, {bins = {locus.tensor{0, 1}, locus.tensor{0, 2}}}},
  {mpi.bincount, {input = whole}, {minlength = {3, 4}, base = {0, 1}}},
  {f.gather, {frame = f}, {root = {0, 1}}},
  {f.sort, {frame = f}, {by = {"k", "t"}}},
  {f.agg, {frame = f}, {by = {"t", "n"}}, {columns = {{"c", "count"}}}},
  {f.agg, {frame = f, by = "t"}, {columns = {{{"c", "count"}}, {{"d", "count"}}}}},
  {f.agg, {frame = f, by = "t"}, {columns = {{{"p", "quantile", "v", 0.5}},
                                             {{"p", "quantile", "v", 0.75}}}}},
  {f.agg, {frame = f, by = "t"}, {columns = {{{"p", "sum", "v"}}, {{"p", "sum", "t"}}}}},
  {f.asof, {frame = f, other = g}, {
    on = {"t", "n"}, by = {"k", {"k", "n"}}, direction = {"forward", "nearest"},
    tolerance = {1, 2}, inclusive = {true, false}, suffix = {"_a", "_b"},
    missing = {{w = 0}, {w = 1}}}, {on = "t", suffix = "_g", missing = {w = 0}}},
}

-- The arguments that are each rank's own, and those that go with others.
local OWN = {}
for name in ("x input frame other condition sorted_sequence values counts weight weights f out "
  .. "sorter boundaries mask y"):gmatch("%S+") do OWN[name] = true end

local seen = {}

local function differ(call, name, given, defaults, values)
  local arguments = {}
  for key, value in pairs(defaults or {}) do arguments[key] = value end
  for key, value in pairs(given) do arguments[key] = value end
  arguments[name] = values[rank == 1 and 2 or 1]
  local said = tostring(select(2, pcall(call, arguments)))
  local params = declare.parameters(call)
  local pattern = ("rank 1: came to %s(.*), where rank 0 came to %s(.*)$"):format(
    params.name:gsub("%p", "%%%0"), params.name:gsub("%p", "%%%0"))
  local mine, first = said:match(pattern)
  check.equal(true, mine ~= nil and mine ~= first,
    ("%s with another %s: %s"):format(params.name, name, said))
  check.equal(size, mpi.allreduce(1), "what comes after it")
end

for _, case in ipairs(cases) do
  local call, given, varied, defaults = unpack(case)
  seen[call] = seen[call] or {}
  local names = {}
  for name in pairs(varied) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    seen[call][name] = true
    differ(call, name, given, defaults, varied[name])
  end
end

-- Nothing is left out.
local ALONE = {} -- these call no other rank, or one alone
for name in ("why rank size finalize send recv is_sharded dim numel"):gmatch("%S+") do
  ALONE[name] = true
end

local frames, tensors = require("locus.sharded.frames"), require("locus.sharded.object")
for _, functions in ipairs {mpi, tensors.methods, frames.methods} do
  for name, call in pairs(functions) do
    if type(call) == "function" and not ALONE[name] then
      check.equal(true, seen[call] ~= nil, name .. " is called")
      for _, param in ipairs(declare.parameters(call)) do
        check.equal(true, OWN[param.name] or seen[call][param.name] or false,
                    ("%s: its option %s differs"):format(name, param.name))
      end
    end
  end
end

-- A name that nobody knows, and a value too many. All ranks call in one order.
local names_of = {}
for _, functions in ipairs {mpi, tensors.methods, frames.methods} do
  for name, call in pairs(functions) do
    local params = type(call) == "function" and declare.parameters(call)
    if params then names_of[#names_of + 1] = {name, call, params} end
  end
end
table.sort(names_of, function(a, b) return a[3].name .. #a[3] < b[3].name .. #b[3] end)
for _, entry in ipairs(names_of) do
  local name, call, params = unpack(entry)
  local most = 0
  for i, param in ipairs(params) do
    if not param.named then most = i end
  end
  local _, said = pcall(call, {no_such_name = 1})
  check.equal(true, tostring(said):find("there is no argument 'no_such_name'", 1, true) ~= nil,
    name .. ": " .. tostring(said))
  local values = {}
  values[most + 1] = 1
  _, said = pcall(call, unpack(values, 1, most + 1))
  check.equal(true, tostring(said):find("takes at most", 1, true) ~= nil,
    name .. ": " .. tostring(said))
end

-- -- Sentences -----------------------------------------------------------------------------------

local function says(sentence, call, ...)
  check.raises(sentence, call, ...)
  check.equal(size, mpi.allreduce(1), "what comes after it")
end

local q = rank == 1 and 0.9 or 0.95
says([[rank 1: came to mpi.agg(frame of t float64, k string, n int64, v float64, "t", ]]
  .. [[{{"p", "quantile", "v", 0.9}}), where rank 0 came to mpi.agg(frame of t float64, k string, ]]
  .. [[n int64, v float64, "t", {{"p", "quantile", "v", 0.95}})]],
  function() return f:agg("t", {{"p", "quantile", "v", q}}) end)
says("rank 1: came to mpi.histogram(float64 " .. 2 * size .. "x2, float64 2 {0, 2}, false, false), "
  .. "where rank 0 came to mpi.histogram(float64 " .. 2 * size .. "x2, float64 2 {0, 1}, false, "
  .. "false)", mpi.histogram, s, locus.tensor{0, rank == 1 and 2 or 1})

-- Where they differ is shown of what is long.
local wide = {}
for i = 1, 60 do wide[i] = {("a_column_%d"):format(i), {1}} end
local w = mpi.shard(locus.frame(wide))
local said = select(2, pcall(w.sort, w, rank == 1 and "a_column_2" or "a_column_1"))
check.equal([[rank 1: came to mpi.sort(... a_column_59 float64, a_column_60 float64, ]]
  .. [["a_column_2"), where rank 0 came to mpi.sort(... a_column_59 float64, ]]
  .. [[a_column_60 float64, "a_column_1")]],
  tostring(said):match("rank 1: .*$"), "what is long")
local columns = {}
for i = 1, 300 do columns[i] = {("name %d"):format(i), "sum", "v"} end
if rank == 1 then columns[200] = {"name 200", "mean", "v"} end
said = tostring(select(2, pcall(f.agg, f, "t", columns)))
check.equal(true, said:find('{"name 200", "mean", "v"}', 1, true) ~= nil
  and said:find('{"name 200", "sum", "v"}', 1, true) ~= nil and #said < 500, said)

if rank == 0 then
  for _, end_of_name in ipairs {"a", "b"} do os.remove(path .. end_of_name) end
end
