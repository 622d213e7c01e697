-- SPDX-License-Identifier: MIT
-- Arguments that one who half knows is likely to give a parameter of some name: values near sense.
local core = require "locus.core"
local evil = require "fuzz.callers.evil"
local plan = require "fuzz.callers.plan"
local things = require "fuzz.callers.things"

local pick, chance, random = plan.pick, plan.chance, math.random
local dtypes = core.internal.dtypes()

local sense = {}

local function one_of(list) return function() return pick(list) end end
local function tensor(box) return things.tensor(box) end
local function of(dtype) return function(box) return things.tensor(box, dtype) end end
local function number() return pick(things.numbers) end
local small = one_of {1, 2, 3, 0, -1, 4, 2, 1}
local flag = one_of {true, false}
local name = one_of {"a", "b", "s", "sum", "p", "none", "-a"}

local function tensors(box)
  local list = {}
  for i = 1, random(3) do list[i] = tensor(box) end
  return list
end

local function value(box) return chance(2) and tensor(box) or number() end

local function out(box)
  if chance(8) then return {tensor(box), tensor(box)} end
  return things.tensor(box, pick(dtypes), pick {{0}, {3}, {2, 3}, {0}})
end

local function sizes() return pick {2, 3, 0, {2, 3}, {0, 2}, {}, {3}, -1, {6, -1}, {1, 3}} end

local function positions(box)
  return pick {function() return things.tensor(box, "int64") end,
               function() return {1, 2, 3} end, function() return {0, 1} end,
               function() return {{1, 2}, {2, 1}} end, function() return {-1, 1} end,
               function() return things.tensor(box, "int32") end}()
end

local function key(box)
  return pick {small, name, of "bool", positions, function() return {{1, 2}} end,
               function() return {{}, {1}} end, function() return {tensor(box), tensor(box)} end,
               function() return {{1, -1, 2}} end, function() return {{2}, 1} end}(box)
end

local function path() return pick {"a.npy", "b.npz", "c.csv", "d", "none/a.npy", "e/", ""} end

local function columns(box)
  return pick {
    function() return {a = {1, 2, 3}, b = {"x", "y", "z"}} end,
    function() return {{"a", things.tensor(box, nil, {3})}, {"s", things.strings(box)}} end,
    function() return {n = "count", m = {"sum", "a"}} end,
    function() return things.frame(box) end,
  }()
end

local TEXTS = {"a,b\n1,2\n3,4\n", "a,s\n1,x\n2,y", "<1> a\n<2> b\n", "a\n\n\n", "a,a\n1,2\n",
               '"a\n', "a;b\n1;2\n", "\239\187\191a\n1\n", "a\n1e999\n", ("a,b\n"):rep(500)}

-- A source of a text: the text itself, or a function that gives pieces of it; the last call may do
-- anything.
local function text_of_csv(box)
  local text = pick(TEXTS)
  if chance(2) then return {text = text} end
  local at, deed = 1, chance(2) and evil.f(box)
  return function()
    local piece = text:sub(at, at + 3)
    at = at + 4
    if piece ~= "" then return piece end
    return deed and deed() or nil
  end
end

local function types()
  return pick {"int64", "string", {a = "int64"}, {a = "int8", b = "string"}, {{"a", "float64"}},
               {"int64", "string"}, {{"a", "time"}, {"s", "string"}}, {a = {"bool", "1", "2"}}}
end

local BY_NAME = {
  input = tensor, other = value, source = value, src = value, values = tensor, x = value, y = value,
  mask = of "bool", condition = of "bool", index = positions, indices = positions,
  positions = positions, ids = positions, sorted_sequence = of "float64", boundaries = of "int64",
  sorter = positions, tensors = tensors, dim = small, dims = one_of {1, 2, {1, 2}, -1, {}},
  dim0 = small, dim1 = small, axis = small, dimension = small, start_dim = small, end_dim = small,
  keepdim = flag, descending = flag, stable = flag, right = flag, out_int32 = flag, check = flag,
  as_tuple = flag, sorted = flag, largest = flag, paged = flag, unsafe = flag, accumulate = flag,
  return_inverse = flag, return_counts = flag, return_index = flag, return_indices = flag,
  density = flag, replacement = flag, replace = flag, header = flag, append = flag, color = flag,
  out = out, dtype = one_of(dtypes), device = one_of {"cpu", "cpu", "cuda"}, base = one_of {0, 1},
  size = sizes, sizes = sizes, shape = sizes, shifts = small, n = small, k = small, i = small,
  steps = small, step = small, start = small, first = small, last = small, length = small,
  low = number, high = number, min = number, max = number, value = value, fill_value = number,
  side = one_of {"left", "right", "both"}, how = one_of {"sum", "mean", "std", "first", "inner",
    "left", "semi", "anti", "count", "median"},
  reduce = one_of {"sum", "prod", "mean", "amax", "amin", "add", "multiply", "max"},
  method = one_of {"average", "min", "max", "dense", "ordinal"}, op = one_of {"sum", "max", "prod"},
  direction = one_of {"backward", "forward", "nearest"}, indexing = one_of {"ij", "xy"},
  interpolation = one_of {"linear", "lower", "nearest", "midpoint"},
  inclusive = one_of {"both", "left", "neither", true, false}, mmap = one_of {"r", "c", "r+"},
  weights = tensor, weight = tensor, bins = value, range = one_of {{0, 1}, {1, 0}, {0, 0}},
  q = one_of {0.5, 0, 1, {0.25, 0.5}, 2, -1}, p = one_of {1, 2, 0.5, 1 / 0, "fro", 0},
  lengths = positions, offsets = positions, repeats = positions, counts = positions,
  starts = of "int64", ends = of "int64", xp = of "float64", fp = of "float64",
  f = evil.f, progress = evil.f, formats = function(box) return {a = evil.f(box)} end,
  names = name, name = name, on = name, by = name, column = name, columns = columns,
  frame = things.frame, new = name, suffix = one_of {"_r", ""}, missing = one_of {0, "x", {a = 0}},
  key = key, path = path, bytes = one_of {"abcd", "", "12345678"}, list = one_of {{"a", "b"}, {}},
  types = types, format = one_of {"$a $b", "<$a> $b", "$a", "combined", ""}, keys = tensors,
  generator = things.generator, seed = small, state = of "uint8", width = one_of {1, 20, 80},
  height = one_of {1, 4, 20}, rows = one_of {1, 2, 100}, skip = one_of {0, 1, 9},
  bad = one_of {0, 1},
  limit = one_of {0, 1, 100}, separator = one_of {",", ";", " ", ""}, quote = one_of {'"', "'", ""},
  decimal = one_of {".", ","}, data = function(box) return things.table(box) end,
  groups = small, minlength = small, num_samples = small, initial = number, decimals = small,
  target = function(box) return pick {things.tensor, path, evil.f, one_of(dtypes)}(box) end,
  strings = things.strings, pattern = one_of {"a", "^b", "[", "%", "(.)"},
  array = things.cdata, schema = things.cdata, stream = things.cdata, pointer = number,
}

-- The same for methods of a kind that mean something else by it.
local function text(box) return chance(2) and things.strings(box) or pick {"a", "b", "", "x"} end
local OF_KIND = {
  frame = {other = things.frame, names = function()
    return pick {{"a"}, {"a", "b"}, "a", "s", {a = "c"}, {"s", "-a"}}
  end, column = function(box)
    return pick {{1, 2, 3}, {"x", "y", "z"}, things.tensor(box, nil, {3})}
  end, missing = function() return pick {{a = 0}, {a = 0, b = 1, s = "x"}, {}} end},
  strings = {other = text, values = text, missing = text},
  builder = {value = function() return pick {1, "a", true, 2.5} end,
             values = function(box) return pick {{p = 1, s = "a"}, {1, 2}, things.tensor(box)} end},
  sketch = {other = things.sketch, q = one_of {0, 0.5, {0.1, 1}, 2}},
  generator = {state = function() return things.generator():get_state() end},
  writer = {values = function(box) return things.tensor(box, pick {"float64", "int8"}, {3}) end},
}

--- A value for the parameter of that name of a method of `kind`.
function sense.of(box, parameter, kind, place)
  if place == 1 and (parameter == "self" or kind ~= "tensor") and things.object[kind] then
    return things.object[kind](box)
  end
  if parameter == "source" and kind == "text" then return text_of_csv(box) end
  local make = OF_KIND[kind] and OF_KIND[kind][parameter] or BY_NAME[parameter]
  return (make or things.any)(box)
end

-- Addresses are trusted: a call that takes one gets no other than NULL.
local TRUSTING = {from_ptr = true, from_dlpack = true, from_arrow = true, from_arrow_stream = true}

-- Brackets behind a pointer are the FFI's own matter.
local function allowed(box, entry, v)
  if type(v) ~= "cdata" then return v end
  if TRUSTING[entry.name] and v ~= nil then return 1 end
  return entry.operator and things.tensor(box) or v
end

--- The arguments of a call of an entry of functions.lua: {n =, ...}.
function sense.arguments(box, entry)
  local args, ordered, named = {n = 0}, entry.params.ordered, entry.params.named
  local kind = (entry.name:find "^read_" or entry.name == "chunks") and "text" or entry.kind
  local nonsense = chance(2) and 4 or 25 -- one of n values
  local function value_of(parameter, place)
    local v
    if chance(nonsense) then v = things.any(box) else v = sense.of(box, parameter, kind, place) end
    return allowed(box, entry, v)
  end
  local options = {}
  for i, parameter in ipairs(ordered) do
    if chance(nonsense * 3) then break end
    if chance(8) and i > 1 then options[parameter] = value_of(parameter, i)
    else args.n = i args[i] = value_of(parameter, i) end
  end
  for _, parameter in ipairs(named) do
    if chance(3) then options[parameter] = value_of(parameter) end
  end
  if chance(nonsense * 5) then options[pick(things.texts)] = things.any(box) end
  if next(options) ~= nil then
    args.n = args.n + 1
    args[args.n] = options
  end
  if chance(nonsense * 3) then
    args.n = args.n + 1
    args[args.n] = things.any(box)
  end
  -- All by name, in one table.
  if chance(12) and args.n <= #ordered + 1 then
    for i = 1, math.min(args.n, #ordered) do options[ordered[i]] = args[i] end
    args = {n = 1, options}
  end
  return args
end

--- Any values: up to five.
function sense.nothing(box, entry)
  local args = {n = random(0, 5)}
  for i = 1, args.n do args[i] = allowed(box, entry, things.any(box)) end
  return args
end

return sense
