-- SPDX-License-Identifier: MIT
-- The answers of agg: {how, column, ..., option = ...} takes the arguments of the method of that
-- name, and no more.
local aggregate = require "locus.frame.aggregate"
local answers = require "locus.frame.answers"
local buckets = require "locus.time.groups"
local declare = require "locus.call.declare"
local names = require "locus.names.advice"
local core = require "locus.core"
local internal = core.internal

local agg = {}

local HOWS = "count, sum, prod, mean, std, var, min, max, any, all, first, last, nunique, "
  .. "quantile, or nansum, nanmean, nanstd, nanvar, nanmin, nanmax, nancount, nanmedian or "
  .. "nanquantile"

local readers = {} -- by how: {params, read}

local function reader_of(how)
  if not readers[how] then
    local params, read = declare.reading(("%s(%s)"):format(how, aggregate.parameters[how]))
    local list = {'"' .. how .. '"'}
    for _, param in ipairs(params) do
      if not param.named then list[#list + 1] = param.name end
    end
    local most, plain = #list - 1, table.concat(list, ", ")
    for _, param in ipairs(params) do
      if param.named then list[#list + 1] = param.name .. " = ..." end
    end
    readers[how] = {how = how, params = params, read = read, most = most,
                    plain = "{" .. plain .. "}",
                    form = "{" .. table.concat(list, ", ") .. "}"}
  end
  return readers[how]
end

local function check_name(name)
  if type(name) ~= "string" or name == "" then
    declare.raise("the name of a column must be a string that is not empty, got %s",
      name == "" and "an empty one" or internal.describe(name))
  end
end

-- Names in other libraries of the option for rows that do not count.
local LEAVING_OUT = {skipna = true, dropna = true, skip_nulls = true, ignore_nulls = true,
                     ignore_nan = true, nan_policy = true, min_count = true}

local function unknown(name, reader, key)
  local known, told = {}, ""
  for _, param in ipairs(reader.params) do
    if param.named then known[param.name] = true end
  end
  if LEAVING_OUT[key] then
    told = "; NaN is let through: write nan before the name, as in nanmean"
  elseif known.correction and (key == "ddof" or key == "unbiased") then
    told = "; write correction = n" .. (key == "ddof" and "" or ", which is 0 for false")
  elseif type(key) == "string" then
    told = names.did_you_mean(key, {known})
  end
  declare.raise("'%s' must be %s, there is no '%s'%s", name, reader.form, declare.shown(key), told)
end

-- Raises if an entry has more than its aggregate takes; `first` is the place of `how`.
local function check_keys(name, reader, written, first)
  local known, last = {}, first + reader.most
  for _, param in ipairs(reader.params) do
    if param.named then known[param.name] = true end
  end
  for key, value in pairs(written) do
    if type(key) == "number" and key > last then
      declare.raise("'%s' must be %s, and has %s behind that", name, reader.form,
        internal.describe(value))
    elseif not known[key] and not (type(key) == "number" and key >= 1 and key % 1 == 0) then
      unknown(name, reader, key)
    end
  end
end

-- Names in other libraries, and how to write it here.
local ELSEWHERE = {median = '{"quantile", column, 0.5}', average = '{"mean", column}',
                   avg = '{"mean", column}', size = '{"count"}', n = '{"count"}',
                   len = '{"count"}', n_unique = '{"nunique", column}', stdev = '{"std", column}',
                   total = '{"sum", column}', percentile = '{"quantile", column, p / 100}'}

-- "; write {"quantile", column, 0.99}" for p99, or nothing.
local function written_here(how)
  local digits = how:match("^[pq](%d%d?)$") or how:match("^[pq](99%d)$")
  local share = digits and ("0.%02d"):format(digits):gsub("0$", "")
  local write = ELSEWHERE[how] or share and ('{"quantile", column, %s}'):format(share)
  return write and "; write " .. write or names.did_you_mean(how, {aggregate.parameters})
end

-- Raises unless q is a number from 0 to 1: a column has room for one quantile of each group.
local function check_share(name, reader, q)
  local number = type(q) == "number" or type(q) == "cdata" and tonumber(q)
  if number and q >= 0 and q <= 1 then return end
  local several = type(q) == "table" or core.is_tensor(q)
  local told = several and ("; write an entry for each, or g:%s(column, q) for all in one tensor")
    :format(reader.how) or ""
  declare.raise("'%s' must be %s, q is %s%s", name, reader.plain,
    q == nil and "nil" or "one number from 0 to 1, got " .. internal.describe_number(q),
    told)
end

-- The same for an argument that names no column: {"quantile", 0.9}, or "sum".
local function without_column(reader)
  local function plain(form) return (form:gsub(", column", "", 1)) end
  return setmetatable({plain = plain(reader.plain), form = plain(reader.form)}, {__index = reader})
end

local function raise_unknown(name, how, argument)
  local told = type(how) == "string" and written_here(how) or ""
  declare.raise("'%s' must be %sone of %s, got %s%s", name,
    argument and "" or "{how, column}, and how ", HOWS, internal.describe(how),
    argument and told:gsub(", column", "") or told)
end

-- The plan for {how, column, ...}, with `how` at `first`. `argument`: the one that has it but for
-- the column, which errors name in place of the column that is made.
local function plan_of(state, made, written, first, argument)
  local how, name = written[first], argument or made
  if type(how) ~= "string" or not aggregate.parameters[how] then
    raise_unknown(name, how, argument)
  end
  local reader, arguments = reader_of(how), {}
  if argument then reader = without_column(reader) end
  check_keys(name, reader, written, first)
  for i, param in ipairs(reader.params) do
    local value = written[param.named and param.name or first + i]
    if value == nil and param.name == "column" then
      declare.raise("'%s' must be %s, the column is missing", name, reader.plain)
    elseif param.name == "q" then
      check_share(name, reader, value)
    end
    arguments[param.name] = value
  end
  local plan = aggregate[how](state, reader.read(arguments))
  plan.name, plan.how = made, how
  return plan
end

-- The plans of the columns that agg is asked for: first those of the list, then those by name, each
-- in their order.
local function plans_of(state, columns, argument)
  if type(columns) ~= "table" then
    declare.raise("'columns' must be a table {name = {how, column}}, got %s",
      internal.describe(columns))
  end
  local plans, by_name = {}, {}
  for _, written in ipairs(columns) do
    if type(written) ~= "table" then
      declare.raise("'columns' must hold {name, how, column}, got %s", internal.describe(written))
    end
    check_name(written[1])
    plans[#plans + 1] = plan_of(state, written[1], written, 2, argument)
  end
  for key in pairs(columns) do
    if type(key) == "string" then
      by_name[#by_name + 1] = key
    elseif type(key) ~= "number" or key < 1 or key > #plans or key % 1 ~= 0 then
      declare.raise("'columns' has %s for a key, which names no column", internal.describe(key))
    end
  end
  table.sort(by_name)
  for _, name in ipairs(by_name) do
    check_name(name)
    local written = columns[name]
    if type(written) == "string" then written = {written} end
    if type(written) ~= "table" then
      declare.raise("'%s' must be {how, column}, got %s", name, internal.describe(written))
    end
    plans[#plans + 1] = plan_of(state, name, written, 1)
  end
  return plans
end

-- The columns {name, answer, kind}, as core.frame takes them. `argument` is the one of another
-- function that says how, where errors are to name that.
function agg.entries(state, columns, argument)
  local with_rows = state.with_rows or state
  local plans = plans_of(with_rows, columns, argument)
  local entries = {}
  for i, answer in ipairs(answers.find(with_rows, plans)) do
    local kind = plans[i].kind
    answer = buckets.spread(state, plans[i].how, answer)
    entries[i] = {plans[i].name, answer, kind and {kind.type, unit = kind.unit}}
  end
  return entries
end

return agg
