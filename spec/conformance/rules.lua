-- SPDX-License-Identifier: MIT
-- Where an answer of ours differs from PyTorch's: the rule, when it applies (decided from the
-- content of a case), and our answer. An answer is an expectation as in the cases, { raises =
-- {words} } or { within = n } (positions 0..n).

local oracle = require "spec.support.models.oracle"
local support = require "spec.support"
local vectors = require "spec.conformance.vectors"

local FLOAT = "float32" -- the default dtype while the cases run

-- The arguments of a search under one name each; nil for other operations and for calls that are
-- wrong in shape.
local function search_of(case)
  local sequence, values = case.seq or case.boundaries, case.values or case.input
  if not sequence or not values or sequence.view and not sequence.vdata then
    return nil
  end
  local sorter = case.sorter and vectors.array(case.sorter)
  return vectors.array(sequence), vectors.array(values), sorter
end

local function is_right(case)
  return case.side == "right" or case.right == true
end

local function rows(sequence, sorter)
  local n, list = sequence.shape[#sequence.shape], {}
  for r = 1, n > 0 and #sequence.values / n or 0 do
    list[r] = oracle.row(sequence, r, sorter, 0)
  end
  return list
end

local function is_sorted(sequence, sorter)
  for _, row in ipairs(rows(sequence, sorter)) do
    if not oracle.is_sorted(row) then
      return false
    end
  end
  return true
end

-- The answer of the plain Lua search, which must be the one the case names for this rule, when it
-- names one.
local function searched(case, alternative)
  local sequence, values, sorter = search_of(case)
  local options = { right = is_right(case), sorter = sorter, base = 0 }
  local positions = oracle.searchsorted(sequence, values, options)
  local dtype = case.out_int32 and "int32" or "int64"
  local answer = vectors.tensor(dtype, values.shape or {}, positions)
  if case.alt and case.alt[alternative] then
    assert(case.alt[alternative].data == answer.data, "the oracle and the case agree on the answer")
  end
  return answer
end

local function has_nan(sequence)
  for _, value in ipairs(sequence.values) do
    if value ~= value then
      return true
    end
  end
  return false
end

-- True when a dtype holds a real value as it is.
local function holds(dtype, value)
  if type(value) == "boolean" or value ~= value then
    return true
  elseif oracle.kind(dtype) == 3 then
    return support.same_value(value == 0 and 0 or value, oracle.round(value, dtype))
  end
  local low, high = unpack(support.range[dtype])
  return not oracle.before(value, low) and not oracle.before(high, value)
end

local function all_held(dtype, values)
  for _, value in ipairs(values) do
    if not holds(dtype, value) then
      return false
    end
  end
  return true
end

-- The tensor and the scalar of a where that has one of each.
local function where_scalar(case)
  local x, y = case.x or {}, case.y or {}
  if case.op ~= "where" or not x.scalar == not y.scalar then
    return nil
  end
  local tensor, scalar = x.scalar and y or x, x.scalar and x or y
  return tensor, vectors.array(scalar)
end

local function selected(case)
  local condition, x, y = vectors.array(case.cond), vectors.array(case.x), vectors.array(case.y)
  local result = oracle.where(condition, x, y, FLOAT)
  return vectors.tensor(result.dtype, result.shape, result.values)
end

local function same_shape(a, b)
  return table.concat(a, "x") == table.concat(b, "x")
end

local function is_complex(argument)
  return oracle.kind(argument.dtype or argument.scalar) == 4
end

local function dims_of(argument)
  return argument.scalar and -1 or argument.dim or #argument.shape
end

-- True for a float16 tensor beside a complex value that has no dimensions while the tensor has, or
-- is a scalar.
local function is_half_beside_complex(half, other)
  return half.dtype == "float16" and is_complex(other) and dims_of(half) > dims_of(other)
    and dims_of(other) < 1
end

return {
  {
    name = "NaN has its place in the order",
    applies = function(case)
      local sequence, _, sorter = search_of(case)
      return case.expect and sequence and has_nan(sequence) and is_sorted(sequence, sorter)
    end,
    answer = function(case)
      return searched(case, "numpy_order")
    end,
  },
  {
    name = "an unsorted sequence gives some position, and check = true refuses it",
    applies = function(case)
      local sequence, _, sorter = search_of(case)
      return case.expect and sequence and not is_sorted(sequence, sorter)
    end,
    answer = function(case)
      local sequence = search_of(case)
      local answer = { dtype = case.expect.dtype, shape = case.expect.shape }
      answer.within = sequence.shape[#sequence.shape]
      return answer
    end,
    also = { options = { check = true }, raises = { "sorted_sequence" } },
  },
  {
    name = "different dtypes are compared exactly",
    applies = function(case)
      local sequence, values = search_of(case)
      if not case.expect or not sequence or sequence.dtype == values.dtype then
        return false
      elseif oracle.kind(sequence.dtype) == 3 and (values.scalar or #values.shape == 0) then
        return false
      end
      local common = oracle.result_type(sequence, values, FLOAT)
      return not all_held(common, sequence.values) or not all_held(common, values.values)
    end,
    answer = function(case)
      return searched(case, "exact")
    end,
  },
  {
    name = "bool sequences are searchable",
    applies = function(case)
      local sequence, values = search_of(case)
      return sequence and sequence.dtype == "bool" and values.dtype == "bool"
    end,
    answer = searched,
  },
  {
    name = "a sorter may be int32",
    applies = function(case)
      return case.sorter and case.sorter.dtype == "int32"
    end,
    answer = searched,
  },
  {
    name = "out_int32 needs n + base <= 2^31 - 1",
    applies = function(case)
      local shape = case.out_int32 and case.seq and (case.seq.vshape or case.seq.shape)
      return shape and shape[#shape] == 2 ^ 31 - 1
    end,
    answer = function(case)
      local first, value = vectors.base(case.seq).values[1], vectors.base(case.values).values[1]
      local after = oracle.before(first, value)
      if is_right(case) then
        after = not oracle.before(value, first)
      end
      return vectors.tensor("int32", case.values.shape, { after and 2 ^ 31 - 1 or 0 })
    end,
    also = { options = { base = 1 }, raises = { "out_int32" } },
  },
  {
    name = "an out with elements and a wrong size is an error",
    applies = function(case)
      local sized = case.op == "searchsorted" or case.op == "bucketize" or case.op == "where"
      if not sized or not case.out or not case.expect then
        return false
      end
      local shape = case.out.vshape or case.out.shape
      return support.numel(shape) > 0 and not same_shape(shape, case.expect.shape)
    end,
    answer = function()
      return { raises = { "'out'" } }
    end,
  },
  {
    name = "a scalar that does not fit an integer dtype is an error",
    applies = function(case)
      local tensor, scalar = where_scalar(case)
      return tensor and case.expect and scalar.scalar == "int" and oracle.kind(tensor.dtype) == 2
        and not holds(tensor.dtype, scalar.values[1])
    end,
    answer = function(case)
      local tensor, scalar = where_scalar(case)
      return { raises = { tensor.dtype, tostring(scalar.values[1]) } }
    end,
  },
  {
    name = "a number beside floats is rounded to their dtype",
    applies = function(case)
      local tensor, scalar = where_scalar(case)
      return tensor and not case.expect and scalar.scalar == "float"
        and oracle.kind(tensor.dtype) == 3 and not holds(tensor.dtype, scalar.values[1])
    end,
    answer = selected,
  },
  {
    name = "a complex number beside float16 gives complex64",
    applies = function(case)
      local x, y = case.x or case.a, case.y or case.b
      return x and y and (is_half_beside_complex(x, y) or is_half_beside_complex(y, x))
    end,
    answer = function(case)
      local answer = {}
      for name, part in pairs(case.expect) do
        answer[name] = part
      end
      answer.dtype = "complex64"
      return answer
    end,
  },
  {
    name = "a condition is bool",
    applies = function(case)
      return case.op == "where" and case.x and case.cond.dtype == "uint8"
    end,
    answer = function()
      return { raises = { "'condition'", "uint8", ":ne(0)" } }
    end,
  },
  {
    name = "the self of a method is the first documented argument",
    applies = function(case)
      return case.form == "method"
    end,
    answer = function(case)
      return case.expect
    end,
    also = { options = { self = "x" }, raises = {} },
  },
  {
    name = "a Lua number beside bool or another number gives the default dtype",
    numbers = true,
    applies = function(case)
      local x, y = case.x or case.a, case.y or case.b
      if not case.expect or not x or not y or not (x.scalar == "int" or y.scalar == "int") then
        return false
      end
      local other = x.scalar == "int" and y or x
      return other.dtype == "bool" or other.scalar == "bool" or other.scalar == "int"
    end,
    answer = function(case)
      return { dtype = FLOAT, shape = case.expect.shape, data = case.expect.data }
    end,
  },
}
