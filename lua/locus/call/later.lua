-- SPDX-License-Identifier: MIT
-- Functions that are written in Lua, by the files that define them. A file is loaded when one of
-- its functions is first called: unused functions cost a script no time, and no heap, round which
-- the collector would go for its new tensors.
local core = require "locus.core"
local declare = require "locus.call.declare"
local lazy = require "locus.call.lazy"
local registry = require "locus.call.registry"
local internal, methods = core.internal, core.methods

-- `both` are functions and methods. The files that know columns are one room: its files load each
-- other.
local rooms = {
  {files = "derived.join", functions = "hstack vstack"},
  {files = "sets.sets", both = "isin lookup unique unique_consecutive rle"},
  {files = "derived.ranks", both = "is_sorted rank"},
  {files = "sets.unions", both = "intersect union setdiff setxor"},
  {files = "derived.intervals", functions = "interval_lookup"},
  {files = "derived.times", functions = "dates duration durations format_time time times",
   methods = "as_unit", both = "date"},
  {files = "derived.overlaps", functions = "overlaps"},
  {files = "derived.selection", both = "kthvalue topk"},
  {files = "derived.quantile", both = "median nanmedian nanquantile quantile"},
  {files = "derived.spread", both = "nanstd nanvar std var"},
  {files = "missing.tensor", both = "fill_missing fill_missing_"},
  {files = "derived.repeats", both = "repeat_interleave"},
  {files = "derived.segment", both = "segment"},
  {files = "derived.segments", both = "segment_reduce"},
  {files = "derived.shift", both = "shift"},
  {files = "window.windows", both = "rolling"},
  {files = "window.ewm", both = "ewm_mean"},
  {files = "derived.shape", functions = "meshgrid", both = "chunk split unbind"},
  {files = "derived.searching", both = "digitize"},
  {files = "derived.interp", both = "interp"},
  {files = "derived.norm", both = "logsumexp norm"},
  {files = "derived.sampling", functions = "randperm", methods = "bernoulli_ shuffle_",
   both = "bernoulli choice multinomial shuffle"},
  {files = "derived.generator derived.chance",
   functions = "exponential generator get_rng_state initial_seed manual_seed rand rand_like "
     .. "randint randn randn_like seed set_rng_state",
   methods = "exponential_ normal_ random_ uniform_"},
  {files = "derived.by_index",
   both = "index_add index_add_ put put_ scatter scatter_ scatter_add scatter_add_ scatter_reduce "
     .. "scatter_reduce_ take_along_dim"},
  {files = "derived.histogram", both = "histc histogram"},
  {files = "derived.sketch", functions = "sketch"},
  {files = "printoptions", functions = "get_printoptions set_printoptions"},
  {files = "plot.hist plot.spark plot.plot plot.image", both = "hist image plot spark"},
  {files = "help", functions = "help"},
  {files = "time.parts time.buckets time.clocks", functions = "time_range",
   methods = "day hour isoweek isoyear local_time minute month offset quarter second utc_time "
     .. "weekday year yearday"},
  {files = "dlpack", functions = "from_dlpack", methods = "to_dlpack"},
  {files = "files.load", functions = "load", methods = "save"},
  {files = "files.writer", functions = "npy_writer"},
  {files = "files.npz", functions = "savez"},
  {files = "files.raw", functions = "from_file", methods = "tobytes tofile"},
  {files = "frame.strings frame.frame frame.group window.grouped frame.read write.csv write.json "
    .. "frame.builder files.folder arrow.export arrow.import sql.read sql.write",
   functions = "asof builder chunks connect frame from_arrow from_arrow_stream group_by read_csv "
     .. "read_json read_log read_sql sessions sql_chunks strings",
   methods = "to_arrow"},
}

local module -- the table of locus

-- Loads a room's files, and puts their functions where users look them up.
local function open(room)
  for file in room.files:gmatch("%S+") do lazy("locus." .. file) end
  for f, name in pairs(room.waiting) do
    if module and rawget(module, name) == f then module[name] = core[name] end
  end
end

-- The function that the files put in the place of `waiting`, which the user may keep.
local function real_of(waiting, name)
  local real = rawget(core, name) or methods[name]
  if real == waiting then -- else it would call itself without end
    error(("locus: '%s' belongs to a locus that was loaded before"):format(name), 0)
  end
  return real
end

-- Whether a function of Lua is there already, from a file that was required before locus.
local function is_there(functions, name)
  local there = functions[name]
  return there and debug.getinfo(there, "S").what ~= "C"
end

-- A room's loader, and a function in the place of each that its files will put there. There are
-- hundreds: each has as few upvalues as can be.
for _, room in ipairs(rooms) do
  room.waiting = {}
  local function load(waiting)
    open(room)
    return waiting and real_of(waiting, room.waiting[waiting])
  end
  for kind, tables in pairs {functions = {core}, methods = {methods}, both = {core, methods}} do
    for name in (room[kind] or ""):gmatch("%S+") do
      if not is_there(tables[1], name) then
        local waiting
        waiting = function(...) return load(waiting)(...) end
        for _, functions in ipairs(tables) do registry.put(functions, name, waiting) end
        declare.later[waiting] = load
        room.waiting[waiting] = name
      end
    end
  end
end

-- Frames, string columns and the like.
local function is_object(value) return type(value) == "userdata" and internal.is_object(value) end

-- cat and argsort take tensors, and columns too, which are then there already; but argsort takes
-- lists of tensors for several keys.
internal.cat_tensors, internal.argsort_tensor = core.cat, core.argsort

function core.cat(tensors, ...)
  local first = type(tensors) == "table" and (rawget(tensors, 1) or rawget(tensors, "tensors"))
  if is_object(first) or type(first) == "table" and is_object(rawget(first, 1)) then
    local joined = lazy("locus.frame.frame").cat(tensors, ...)
    return joined
  end
  return internal.cat_tensors(tensors, ...)
end

-- A list of keys begins with a column or with two keys.
local function is_list(value)
  if type(value) ~= "table" then return false end
  local first, second = rawget(value, 1), rawget(value, 2)
  return is_object(first)
    or core.is_tensor(first) and (core.is_tensor(second) or is_object(second))
end

function core.argsort(input, ...)
  if is_object(input) or is_list(input)
      or type(input) == "table" and is_list(rawget(input, 1)) then
    local positions = lazy("locus.frame.argsort").any(input, ...)
    return positions
  end
  return internal.argsort_tensor(input, ...)
end

-- floor and ceil take numbers, and with a span times. Their core is called from here, in one line,
-- so that numbers pay for one test.
local function takes_span(span, input)
  return type(span) == "string" or type(span) == "table" and rawget(span, "span") ~= nil
    or type(span) == "number" and internal.kind_of(input) > 0
end

for _, name in ipairs {"floor", "ceil"} do
  local of_numbers = core[name]
  local function of_any(input, ...)
    if not takes_span((...), input) then return of_numbers(input, ...) end
    local cut = lazy("locus.time.buckets")[name](input, ...)
    return cut
  end
  core[name], methods[name] = of_any, of_any
end

-- Tells which table is to get the functions that the files define.
return function(locus) module = locus end
