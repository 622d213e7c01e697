-- SPDX-License-Identifier: MIT
-- No option passes in silence: every public function refuses a name that it does not know, a value
-- too many, and an empty table in the place of each argument, unless that is data.
local declare = require "locus.call.declare"
local kind_forms = require("locus.frame.column").kind_forms
local locus = require "locus"
local public = require "spec.support.calls.public"
local recorded = require "spec.support.calls.recorded"
local support = require "spec.support"

local message = support.message

-- Functions that all ranks call would start MPI: spec/mpi/options.lua has them.
local functions = {}
for _, entry in ipairs(public) do
  if not entry.name:find "^mpi%." then functions[#functions + 1] = entry end
end

local function full_name(entry)
  return entry.kind == "tensor" and entry.name or entry.kind .. ":" .. entry.name
end

local function set(names)
  local known = {}
  for name in names:gmatch("%S+") do known[name] = true end
  return known
end

-- These have no names for their arguments, or a table whose keys are names of columns.
local UNNAMED = set [[
  builder builder:extend builder:push frame:fill_missing frame:rename frame:take group:agg
  cuda.with_stream
  fail_allocation get_default_dtype get_num_threads instruction_sets is_tensor keep live_bytes tidy
  why_denormals_are_zero
]]

describe("every public function #once #host", function()
  it("refuses a name that it does not know", function()
    local found, count = {}, 0
    for _, entry in ipairs(functions) do
      local ok, said = pcall(entry.f, {no_such_name = 1})
      local named = not ok and tostring(said):find("there is no argument 'no_such_name'", 1, true)
      if named then count = count + 1
      elseif not UNNAMED[full_name(entry)] then found[#found + 1] = full_name(entry) end
    end
    assert.same({}, found)
    assert.is_true(count > 600, count)
  end)

  it("refuses a value too many", function()
    local found, count = {}, 0
    for _, entry in ipairs(functions) do
      local most = 0
      for i, param in ipairs(declare.parameters(entry.f) or {}) do
        most = param.sizes and math.huge or param.named and most or math.max(most, i)
      end
      if most < math.huge and declare.parameters(entry.f) then
        local values = {}
        values[most + 1] = 1
        local ok, said = pcall(entry.f, unpack(values, 1, most + 1))
        count = count + 1
        local told = tostring(said):find("takes at most", 1, true)
          or tostring(said):find("'size' must hold whole numbers", 1, true)
        if ok or not told and not UNNAMED[full_name(entry)] then
          found[#found + 1] = full_name(entry)
        end
      end
    end
    assert.same({}, found)
    assert.is_true(count > 500, count)
    local function says(sentence, f, ...) assert.equal(sentence, message(f, ...)) end
    local f = locus.frame{{"a", {1}}}
    says("is_tensor: takes at most 1 argument by position, got 2", locus.is_tensor, 1, 2)
    for _, name in ipairs {"get_default_dtype", "get_num_threads", "instruction_sets",
                           "live_bytes", "why_denormals_are_zero"} do
      says(name .. ": takes at most 0 arguments by position, got 1", locus[name], 5)
    end
    says("rename: takes at most 3 arguments by position, got 4", f.rename, f, "a", "b", "c")
    local one, b = locus.builder "int8", locus.builder{{"a", "float64"}}
    says("extend: takes one value, got 2", one.extend, one, {}, 1)
    says("extend: takes one value, got 2", b.extend, b, f, {})
    says("builder: takes one value, got 2", locus.builder, "int8", {unit = "s"})
  end)
end)

-- -- Empty tables --------------------------------------------------------------------------------

-- Behind the first argument an empty table is data here.
local DATA = {}
for _, names in pairs {
  ["elements, none of them"] = [[
    builder:extend/values strings:isin/values strings:lookup/values strings:take/positions
    frame:take/positions asof/values bucketize/boundaries digitize/bins eq/other equal/other
    ge/other overlaps/values sketch:push/values sketch:quantile/q
    gather/index index_select/index intersect/other interval_lookup/values isin/values lookup/values
    lt/other nanquantile/q put/index quantile/q group:nanquantile/q group:quantile/q result_type/b
    result_type/c scatter/index
    scatter_/index scatter_add/index scatter_add_/index scatter_reduce/index scatter_reduce_/index
    searchsorted/values setdiff/other setxor/other take/positions take_along_dim/indices
    union/other]],
  ["dimensions or sizes, none of them"] = [[
    all/dim amax/dim amin/dim any/dim argsort/dim choice/size count_nonzero/dim flip/dims
    from_ptr/sizes logsumexp/dim max/dim mean/dim min/dim nancount/dim nanmax/dim nanmean/dim
    nanmin/dim nanstd/dim nansum/dim nanvar/dim norm/dim npy_writer/sizes prod/dim randint/high
    reshape/shape roll/dims squeeze/dim std/dim sum/dim tile/dims var/dim view/shape]],
  ["names, none of them"] = [[
    frame:drop/names frame:drop_missing/names frame:rename/names frame:select/names
    group:agg/columns
    savez/tensors]],
  ["values by name, none of them"] = [[
    chunks/missing connect/options frame:asof/missing
    frame:write_sql/missing read_sql/missing read_sql/params sql_chunks/missing sql_chunks/params
    frame:join/missing frame:pivot/missing
    frame:take/missing frame:write_csv/formats frame:write_json/formats
    read_csv/missing read_json/missing read_log/missing strings:as_duration/missing]],
  ["anything, whose owner it is; an argument of another function; a tensor of that name"] = [[
    from_ptr/keep tidy/arguments savez/progress]],
  ["options, as 'dtype' beside a dtype is refused otherwise"] = "to/dtype",
} do
  for name in names:gmatch("%S+") do DATA[#DATA + 1] = name end
end
table.sort(DATA)

-- The arguments before the i-th and the value there; with `rest` those behind it, too.
local function placed(args, i, value, rest)
  local list = {n = rest and args.n or i}
  for k = 1, list.n do list[k] = args[k] end
  list[i] = value
  return list
end

local function call(f, args) return pcall(f, unpack(args, 1, args.n)) end

-- Whether the argument may not be a table at all, so that {} in the last place is an empty table of
-- options.
local function takes_no_table(entry, params, args, i)
  local ok, said = call(entry.f, recorded.with(placed(args, i - 1, args[i - 1]), params, i, {0}))
  return not ok and tostring(said):find("got a table", 1, true) ~= nil
end

describe("an empty table #once #host", function()
  it("is data, options in the last place, or refused", function()
    local found, seen, count = {}, {}, 0
    for _, entry in ipairs(functions) do
      local params = declare.parameters(entry.f) or {}
      for _, args in ipairs(recorded[entry.kind .. ":" .. entry.name] or {}) do
        for i, param in ipairs(params) do
          local name = full_name(entry) .. "/" .. param.name
          if i > 1 and not seen[name] then
            count = count + 1
            local passes
            if param.named then
              passes = call(entry.f, recorded.with(args, params, i, {}))
            else
              passes = i <= args.n + 1 and call(entry.f, placed(args, i, {}))
                and not takes_no_table(entry, params, args, i)
                or i < args.n and call(entry.f, placed(args, i, {}, true))
            end
            if passes then seen[name], found[#found + 1] = true, name end
          end
        end
      end
    end
    table.sort(found)
    assert.same(DATA, found)
    assert.is_true(count > 3000, count)
  end)
end)

describe("an empty table in the last place #host #once", function()
  local function raises(sentence, f, ...) assert.equal(sentence, message(f, ...)) end
  local x, n = locus.tensor{1, 2, 3}, locus.LongTensor{1, 2}

  it("is what may stand there, as an empty tensor is", function()
    local f = locus.frame{{"t", {1, 2}}, {"x", {1, 2}}}
    local two = "'bins' must hold two edges at least, got 0"
    raises("histogram: " .. two, x.histogram, x, {})
    raises("histogram: " .. two, x.histogram, x, locus.tensor{})
    raises("hist: " .. two, x.hist, x, {})
    raises("histc: 'bins' must be a whole number, got a table", x.histc, x, {})
    raises("bincount: 'weights' must be of size 2, like 'input', got 0", n.bincount, n, {})
    raises("clamp: 'min' of size 0 does not broadcast with size 3", x.clamp, x, {})
    raises("clamp: 'max' of size 0 does not broadcast with size 3", x.clamp, x, 1, {})
    raises("where: 'y' is missing", locus.where, x:gt(1), {})
    raises("norm: 'p' must be a number or \"fro\", got a table", x.norm, x, {})
    raises("to: 'target' must be a dtype, a device or a tensor, got a table", x.to, x, {})
    raises("plot: 'names' must hold the name of a column", f.plot, f, "t", {})
    raises("rename: 'new' is for one name, and 'names' is a table; write f:rename{old = \"new\"}",
      f.rename, f, {t = "u"}, {})
  end)

  it("is no options where nothing else can stand", function()
    assert.same({3, 2, 1}, x:sort(1, true, {}):totable())
    assert.same({1, 2, 3}, x:sort({}):totable())
    assert.equal(2, x:searchsorted(2, {}))
    assert.equal(6, x:sum({}))
    assert.equal(2, x:quantile(0.5, {}))
    assert.equal("x\n1.0\n2.0\n3.0\n", locus.frame{{"x", x}}:write_csv({}))
  end)

  it("is no tensor that could be written to", function()
    raises("fill_: 'input' must be a tensor, got a table", x.fill_, {}, 1)
    raises("zero_: 'input' must be a tensor, got a table", x.zero_, {1, 2})
  end)
end)

describe("tables within arguments #host #once", function()
  local function raises(sentence, f, ...) assert.equal(sentence, message(f, ...)) end
  local long = locus.LongTensor

  it("of frames have nothing that says nothing", function()
    local function says(sentence, columns) raises("frame: " .. sentence, locus.frame, columns) end
    local form = "'columns[1]' must be {name, column} or {name, column, kind}, and has "
    says(form .. "an item 4", {{"a", {1}, "time", 5}})
    says(form .. "a key 'knd'", {{"a", {1}, knd = "time"}})
    says("'columns' must be a list of {name, column}, and has an item 3",
      {{"a", {1}}, [3] = {"b", {2}}})
    local kind = ("the kind of 'a' must be %s, and has "):format(kind_forms("ns"))
    says(kind .. "a key 'zone'", {{"a", long{1}, {"time", unit = "ns", zone = 1}}})
    says(kind .. 'an item 2; write {"time", unit = "ns"}', {{"a", long{1}, {"time", "ns"}}})
    local f = locus.frame{{"a", long{1}}}
    raises("with: " .. kind .. "a key 'units'", f.with, f, "a", f.a,
      {kind = {"time", units = "ns"}})
  end)

  it("of tensors, columns and frames have no gap, and nothing beside the list", function()
    local x, f = locus.tensor{1, 2}, locus.frame{{"a", {1}}}
    local keys = "'tensors' must have the keys 1..n and no others"
    for _, name in ipairs {"cat", "stack", "hstack", "vstack", "meshgrid"} do
      for _, key in ipairs {3, 0, -1, 1.5, 2 ^ 53} do
        raises(name .. ": " .. keys, locus[name], {x, [key] = x})
      end
      raises(name .. ": " .. keys, locus[name], {x, [true] = x})
      raises(name .. ": " .. keys, locus[name], {x, [x] = x})
    end
    for _, part in ipairs {f, locus.strings{"a"}} do
      for _, key in ipairs {3, 0, 1.5} do
        raises("cat: " .. keys, locus.cat, {part, [key] = part})
      end
      local what = part == f and "a frame" or "a string column"
      raises("cat: 'tensors[2]' must be " .. what .. ", as 'tensors[1]' is, got nil", locus.cat,
        {part, nil, part})
    end
    assert.matches("^cat: 'tensors", message(locus.cat, {f, nil, f, fill = true}))
    raises("cat: " .. keys, locus.cat, {f, f, [0] = f, fill = true})
    local g = f:group("a")
    for _, key in ipairs {0, -1, 1.5} do
      raises("agg: 'r' must be {\"sum\", column, dtype = ...}, there is no '" .. key .. "'", g.agg,
        g, {r = {"sum", "a", [key] = 1}})
    end
  end)

  it("of builders likewise", function()
    local function says(sentence, types) raises("builder: " .. sentence, locus.builder, types) end
    says("'types[1]' must be {name, type}, and has an item 3", {{"a", "int8", 5}})
    says("'types[1]' must be {name, type}, and has a key 'kind'", {{"a", "int64", kind = "time"}})
    says("'types' must be a list of {name, type}, and has a key 'b'", {{"a", "int8"}, b = "int8"})
    local kind = ("the kind of '%%s' must be %s, and has a key 'missing'"):format(kind_forms("ns"))
    says(kind:format("value"), {"time", missing = 0})
    says(kind:format("a"), {{"a", {"time", missing = 0}}})
  end)

  it("of asof likewise", function()
    local function says(sentence, by)
      raises("asof: " .. sentence, locus.asof, {1}, {1}, {by = by})
    end
    says("'by' must be {of the sequence, of the values}, and has a key 'x'", {{1}, {1}, x = 2})
    says("'by[1]' must be a key, or a list of keys, and has a key 'x'", {{{1}, x = {2}}, {{1}}})
  end)

  it("of ranges and results likewise", function()
    local x = locus.tensor{1, 2, 3}
    local form = "'range' must be a table of two numbers, and has a key 'x'"
    raises("histogram: " .. form, x.histogram, x, 3, {range = {0, 1, x = 2}})
    raises("hist: " .. form, x.hist, x, 3, {range = {0, 1, x = 2}})
    local values, indices = locus.zeros(0), long{}
    raises("sort: 'out' must be a table of two tensors, {values, indices}, and has 3 keys", x.sort,
      x, {out = {values, indices, 5}})
    raises("sort: 'out' must be a table of two tensors, {values, indices}, and has 3 keys", x.sort,
      x, {out = {values, indices, x = 5}})
  end)

  it("of readers likewise", function()
    local csv = {text = "a,b\n1,2\n"}
    local function says(sentence, source, options)
      raises("read_csv: " .. sentence, locus.read_csv, source, options)
    end
    says("'source' must be {text = s}, and has a key 'header'", {text = "1\n", header = false},
      {types = {a = "int8"}})
    says("'text' takes the place of 'source', and both are given", csv, {text = "a\n1\n"})
    says("'columns' must be a list of strings, and has a key 'b'", csv, {columns = {"a", b = true}})
    says("'header' must be a list of strings, and has a key 'c'", csv,
      {header = {"a", "b", c = 1}})
    says("'missing' must be a list of strings, and has a key 'a'", csv, {missing = {a = "-"}})
    says("'types': column 'a' has the option 'bogus', which int8 does not have", csv,
      {types = {a = {"int8", bogus = 1}}})
  end)
end)
