-- SPDX-License-Identifier: MIT
-- Runs one case: builds its arguments, calls the operation through the public API with base = 0,
-- and compares the results, the arguments afterwards and the sentence of an error with the
-- expectation (format: README.md).

local ffi = require "ffi"
local locus = require "locus"
local rules = require "spec.conformance.rules"
local support = require "spec.support"
local vectors = require "spec.conformance.vectors"

local runner = {}

local VIEW = {
  transpose = function(t, first, second)
    return t:transpose(first + 1, second + 1)
  end,
  slice = function(t, dim, start, stop, step)
    local ranges = {}
    for d = 1, t:dim() do
      ranges[d] = d == dim + 1 and { start + 1, math.min(stop, t:size(d)), step } or {}
    end
    return t[ranges]
  end,
  select = function(t, dim, index)
    return t:select(dim + 1, index + 1)
  end,
  expand = function(t, sizes)
    return t:expand(sizes)
  end,
  permute = function(t, dims)
    local from_one = {}
    for i, dim in ipairs(dims) do
      from_one[i] = dim + 1
    end
    return t:permute(unpack(from_one))
  end,
}

-- A PyTorch number in Lua; `numbers` asks for Lua numbers in place of int64 cdata.
local function scalar(argument, numbers)
  local value = vectors.array(argument).values[1]
  if argument.scalar == "int" and not numbers then
    return ffi.new("int64_t", value)
  end
  return value
end

-- The arguments of a call under construction: what is passed, by name, and every base tensor behind
-- it.
local Arguments = {}
Arguments.__index = Arguments

function Arguments:tensor(argument)
  local array = vectors.base(argument)
  local base = support.tensor(array.dtype, array.values, array.shape)
  self.bases[#self.bases + 1] = base
  local t = base
  for _, step in ipairs(argument.view or {}) do
    t = VIEW[step[1]](t, unpack(step, 2))
  end
  return t, base
end

-- An index of x[...]: a mask as it is, positions raised by one, those that count from the end not.
function Arguments:index(argument)
  if argument.dtype == "bool" then
    return (self:tensor(argument))
  end
  local array = vectors.base(argument)
  for i, k in ipairs(array.values) do
    if type(k) == "number" and k >= 0 then
      array.values[i] = k + 1
    end
  end
  local t = support.tensor(array.dtype, array.values, array.shape)
  self.bases[#self.bases + 1] = t
  return t
end

local function any(argument, arguments, numbers)
  if argument.scalar then
    return scalar(argument, numbers)
  elseif argument.dim then
    return support.tensor(argument.dtype, { 1 }, argument.dim == 0 and {} or { 1 })
  end
  return arguments:tensor(argument)
end

-- "x", or a part of the tensor all parts share: "base[1:4]" (from 0, end excluded).
local function part(passed, text)
  local name, start, stop = text:match("^(%w+)%[(%d+):(%d+)%]$")
  if name then
    return passed[name][{ { tonumber(start) + 1, tonumber(stop) } }]
  end
  return passed[text]
end

local NAMES = {
  "base", "seq", "values", "sorter", "input", "boundaries", "mask", "cond", "x", "y", "a", "b",
}

local function build(case, numbers)
  local arguments = setmetatable({ bases = {}, passed = {} }, Arguments)
  local passed = arguments.passed
  for _, name in ipairs(NAMES) do
    if case[name] then
      passed[name] = any(case[name], arguments, numbers)
    end
  end
  for i, index in ipairs(case.indices or {}) do
    passed.indices = passed.indices or {}
    passed.indices[i] = arguments:index(index)
  end
  if case.x_is then
    passed.x = part(passed, case.x_is)
  end
  if case.out_is then
    passed.out = part(passed, case.out_is)
  elseif case.out then
    passed.out, arguments.out_base = arguments:tensor(case.out)
  end
  return arguments
end

local function dims_from_one(dim)
  if type(dim) == "table" then
    local list = {}
    for i, d in ipairs(dim) do
      list[i] = dims_from_one(d)
    end
    return list
  end
  return dim and dim >= 0 and dim + 1 or dim
end

-- The call of each operation: `a` is what is passed, `o` the options of the case with base and out.
-- No tail calls: the position in an error must be that of a line of this table.
local CALL = {
  searchsorted = function(a, o)
    local r = { locus.searchsorted(a.seq, a.values, o) }
    return r
  end,
  bucketize = function(a, o)
    local r = { locus.bucketize(a.input, a.boundaries, o) }
    return r
  end,
  nonzero = function(a, o)
    local r = { locus.nonzero(a.input, o) }
    return r
  end,
  argwhere = function(a, o)
    local r = { locus.argwhere(a.input, o) }
    return r
  end,
  count_nonzero = function(a, o)
    local r = { locus.count_nonzero(a.input, { dim = o.dim }) }
    return r
  end,
  nonzero_static = function(a, o)
    local r = { locus.nonzero_static(a.input, o) }
    return r
  end,
  where = function(a, o)
    local r
    if o.self == "x" then
      r = { a.x:where(a.cond, a.y) }
    elseif o.self == "cond" then
      r = { a.cond:where(a.x, a.y) }
    elseif a.x == nil then
      r = { locus.where(a.cond, o) }
    elseif a.y == nil then
      r = { locus.where(a.cond, a.x) }
    elseif a.out then
      r = { locus.where(a.cond, a.x, a.y, { out = a.out }) }
    else
      r = { locus.where(a.cond, a.x, a.y) }
    end
    return r
  end,
  masked_select = function(a, o)
    local r = { locus.masked_select(a.input, a.mask, { out = o.out }) }
    return r
  end,
  index = function(a)
    local r = { a.input[a.indices] }
    return r
  end,
  result_type = function(a)
    local r = { locus.result_type(a.a, a.b) }
    return r
  end,
}

local OPTIONS = { "right", "side", "out_int32", "as_tuple", "size", "fill_value" }

local function options_of(case, passed, changes)
  local options = { base = 0, sorter = passed.sorter, out = passed.out }
  options.dim = dims_from_one(case.dim)
  for _, name in ipairs(OPTIONS) do
    options[name] = case[name]
  end
  if case.form == "method" then
    options.self = "cond"
  end
  for name, value in pairs(changes or {}) do
    options[name] = value
  end
  return options
end

local function snapshot(t)
  return { t = t, dtype = t.dtype, shape = support.shape(t), values = support.values(t) }
end

local function changed(snapshots)
  for i, s in ipairs(snapshots) do
    local difference = support.difference(s.t, s.shape, s.values, s.dtype)
    if difference then
      return ("argument %d was changed: %s"):format(i, difference)
    end
  end
end

local function expected(what, got)
  return ("expected %s, got %s"):format(what, tostring(got))
end

-- The fault of one result; nil when it is as expected. `lua`: a Lua value must replace a 0-d
-- tensor.
local function compare(result, expect, lua)
  if not expect.shape then
    return result ~= expect.dtype and expected(expect.dtype, result) or nil
  elseif expect.within then
    local positions = support.values(result)
    for _, position in ipairs(positions) do
      if position < 0 or position > expect.within then
        return expected("positions 0.." .. expect.within, position)
      end
    end
    return support.difference(result, expect.shape, positions, expect.dtype)
  end
  local array = vectors.array(expect)
  if lua then
    local same = type(result) == "number" and result == array.values[1]
    return not same and expected("the number " .. array.values[1], result) or nil
  end
  return support.difference(result, array.shape, array.values, array.dtype)
end

-- PyTorch's strides bind where nonzero made the result itself and they mean something.
local function stride_difference(case, result)
  if not case.stride or case.out and not case.resized or result:size(1) < 2 then
    return nil
  end
  for d, stride in ipairs(case.stride) do
    if result:stride(d) ~= stride then
      return ("expected stride %d in dimension %d, got %d"):format(stride, d, result:stride(d))
    end
  end
end

local function judge_results(case, expect, arguments, results)
  local wants = expect.tuple or { expect }
  if #results ~= #wants then
    return ("expected %d results, got %d"):format(#wants, #results)
  end
  local searched = case.values or case.op == "bucketize" and case.input
  local lua = searched and searched.scalar and not case.out
    or case.op == "count_nonzero" and not case.dim
  for i, want in ipairs(wants) do
    local wrong = compare(results[i], want, lua)
    if wrong then
      return wrong
    end
  end
  local out = arguments.passed.out
  if out and not rawequal(results[1], out) then
    return "expected the very 'out' that was passed"
  elseif case.out_base_after then
    local after = { dtype = case.out.dtype, shape = case.out.shape, data = case.out_base_after }
    local wrong = compare(arguments.out_base, after)
    return wrong and "base of 'out': " .. wrong
  end
  return stride_difference(case, results[1])
end

local function judge_error(case, expect, message)
  local sentence = tostring(message):match("^[^:]*runner%.lua:%d+: (.*)$")
  if not sentence then
    return "the error does not begin with the position of the call: " .. tostring(message)
  elseif case.op ~= "index" and sentence:sub(1, #case.op + 2) ~= case.op .. ": " then
    return "the sentence does not begin with the function: " .. sentence
  end
  for _, word in ipairs(expect.raises) do
    if not sentence:find(word, 1, true) then
      return ("the sentence does not contain %s: %s"):format(word, sentence)
    end
  end
end

-- Makes the call once and says what is wrong with it.
local function judge(case, expect, numbers, changes)
  local arguments = build(case, numbers)
  local options = options_of(case, arguments.passed, changes)
  local writes = arguments.passed.out
  local snapshots = {}
  for _, base in ipairs(arguments.bases) do
    local is_out = rawequal(base, arguments.out_base) or case.out_is and rawequal(base, writes)
    if expect.raises or not is_out then
      snapshots[#snapshots + 1] = snapshot(base)
    end
  end
  local ok, results = pcall(CALL[case.op], arguments.passed, options)
  local wrong
  if expect.raises then
    wrong = ok and expected("an error", "none") or not ok and judge_error(case, expect, results)
  else
    wrong = not ok and tostring(results) or ok and judge_results(case, expect, arguments, results)
  end
  return wrong or changed(snapshots)
end

--- The rules that apply to a case; `numbers` as in `run`.
function runner.rules_for(case, numbers)
  local list = {}
  for _, rule in ipairs(rules) do
    if (numbers or not rule.numbers) and rule.applies(case) then
      list[#list + 1] = rule
    end
  end
  return list
end

--- True when a case has ints and Lua numbers hold them all, so that it can run with those.
function runner.has_numbers(case)
  local found = false
  for _, name in ipairs(NAMES) do
    local argument = case[name]
    if argument and argument.scalar == "int" then
      found = true
      if type(vectors.array(argument).values[1]) ~= "number" then
        return false
      end
    end
  end
  return found
end

--- Runs a case, with Lua numbers for its ints if `numbers` is true; gives what is wrong (nil:
--- nothing) and the name of the rule of ours that judged it (nil: PyTorch's answer did).
function runner.run(case, numbers)
  local applying = runner.rules_for(case, numbers)
  assert(#applying <= 1, "at most one rule applies to a case")
  local rule = applying[1]
  local expect = rule and rule.answer(case) or case.expect or { raises = {} }
  local wrong = judge(case, expect, numbers)
  if rule and rule.also and not wrong then
    wrong = judge(case, { raises = rule.also.raises }, numbers, rule.also.options)
  end
  return wrong, rule and rule.name
end

return runner
