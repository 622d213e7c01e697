-- SPDX-License-Identifier: MIT
-- Elements, or slices along a dimension, each as often as is said.
--
-- A number of times is one copy, at the speed of clone (1 to 1.4 times its time, 2.5 for slices of
-- ten elements). By counts a kernel copies as it goes. The times are in those of clone for the
-- answer. A million numbers take 4.5 with counts of 0 to 2, 1.1 with counts of ten, and 0.5 with
-- some hundred. Slices of ten numbers take 0.8 to 1.4, of 32 numbers 0.5 to 1.5. A gather by
-- positions that a kernel wrote took 1.4, 2.1 and 3.5 times as long for numbers, and 1.1 to 2 times
-- for slices. The positions alone took 0.8 to 0.9 of the time.
local core = require "locus.core"
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())
local repeats = {}

-- Most elements of anything: beyond it sums in float64 are not exact.
local MOST = 2 ^ 53

-- Raises unless that argument is a tensor of whole numbers on input's device.
function repeats.check_integers(counts, name, input)
  if not core.is_tensor(counts) then
    declare.raise("'%s' must be a tensor or a table, got %s", name, internal.describe(counts))
  end
  local device, dtype = internal.device_of(input), internal.dtype_of(counts)
  if types[dtype].kind ~= "INTEGER" then
    declare.raise("'%s' must be of an integer dtype, got %s", name, dtype)
  end
  if internal.device_of(counts) ~= device then
    declare.raise("'%s' must be on %s, got %s", name, device, internal.describe(counts))
  end
end

-- Raises where one of them is negative.
function repeats.check_counts(counts, name)
  local least = methods.numel(counts) > 0 and tonumber(core.min(counts)) or 0
  if least < 0 then declare.raise("'%s' must not be negative, got %d", name, least) end
end

local function check_total(total, name, output_size)
  if total > MOST then declare.raise("'%s' must give at most 2^53 elements, got more", name) end
  if output_size and output_size ~= total then
    declare.raise("'output_size' must be %d, the sum of '%s', got %d", total, name,
      output_size)
  end
end

-- The running sums of 1-D counts, the argument of that name, and their total.
local function ends_of(counts, name, output_size)
  counts = internal.own(kinds.plain(counts))
  repeats.check_counts(counts, name)
  local ends, total = core.cumsum(methods.long(counts), 1), 0
  if #counts > 0 then
    local exact = tonumber(core.max(counts)) * #counts <= MOST
    total = exact and tonumber(ends[-1]) or core.sum(methods.double(counts))
  end
  check_total(total, name, output_size)
  return ends, total
end

-- Positions counted from base, repeated by ends.
local function positions(ends, base)
  local each = {dtype = "int64", device = internal.device_of(ends)}
  return internal.repeats(core.arange(base, base + #ends, each), ends, 1)
end

-- Every slice along a dimension repeated that many times.
local function evenly(input, dim, count, output_size)
  if count < 0 then declare.raise("'repeats' must not be negative, got %d", count) end
  local sizes, outer, inner = {}, 1, 1
  for d = 1, methods.dim(input) do
    sizes[d] = methods.size(input, d)
    if d < dim then outer = outer * sizes[d] elseif d > dim then inner = inner * sizes[d] end
  end
  local size = sizes[dim]
  sizes[dim] = size * count
  check_total(sizes[dim], "repeats", output_size)
  local answers = core.empty(sizes,
    {dtype = internal.dtype_of(input), device = internal.device_of(input)})
  answers = kinds.tagged(answers, kinds.of(input))
  if methods.numel(answers) == 0 then return answers end
  local slices = methods.reshape(input, outer, size, 1, inner)
  methods.copy_(methods.view(answers, outer, size, count, inner),
    methods.expand(slices, outer, size, count, inner))
  return answers
end

-- The slices along a dimension as often as counts say, or a number.
local function interleaved(input, counts, dim, output_size)
  if not core.is_tensor(counts) then
    return evenly(input, dim, tonumber(counts), output_size)
  end
  repeats.check_integers(counts, "repeats", input)
  local size = methods.size(input, dim)
  if methods.dim(counts) > 1 then
    declare.raise("'repeats' must be 0-d or 1-D, got size %s", tostring(methods.size(counts)))
  elseif methods.numel(counts) == 1 then
    return evenly(input, dim, tonumber(methods.item(counts)), output_size)
  elseif methods.numel(counts) ~= size then
    declare.raise("'repeats' must be of size %d, as 'input' is along dimension %d, got %d",
      size, dim, methods.numel(counts))
  end
  local ends, total = ends_of(counts, "repeats", output_size)
  if total < size and not methods.is_contiguous(input) then -- it is much to copy
    return core.index_select(input, dim, positions(ends, 1))
  end
  return internal.repeats(methods.contiguous(input), ends, dim)
end

local of_input = declare.define("repeat_interleave(input:tensor, repeats:counts, dim:dim=nil, "
  .. "{output_size:integer=nil, out=nil})",
  function(input, counts, dim, output_size, out)
    if dim and methods.dim(input) == 0 then
      declare.raise "'input' must have dimensions, got a 0-d tensor"
    end
    local slices = dim and input or methods.flatten(input)
    return declare.deliver(input, out, interleaved(slices, counts, dim or 1, output_size))
  end)

local of_positions = declare.define(
  "repeat_interleave(input:counts, {output_size:integer=nil, base=1, out=nil})",
  function(counts, output_size, base, out)
    repeats.check_integers(counts, "input", counts)
    if methods.dim(counts) ~= 1 then
      declare.raise("'input' must be 1-D, got %s", internal.describe(counts))
    end
    return declare.deliver(counts, out, positions(ends_of(counts, "input", output_size), base))
  end)

-- repeat_interleave(input, repeats, dim, ...): the slices of input along a dimension, or without
-- `dim` its elements in C order, each repeated. `repeats` is a whole number, or an integer tensor
-- with one for each slice. repeat_interleave(repeats): the repeated positions, counted from base,
-- as int64. `output_size`, where it is known, must be how many there are. Errors: negative numbers,
-- another number of them than of slices.
-- Source: https://pytorch.org/docs/stable/generated/torch.repeat_interleave.html
declare.both("repeat_interleave(input:any, repeats:any=nil, dim:any=nil, "
  .. "{output_size:any=nil, base=1, out=nil})",
  function(input, counts, dim, output_size, base, out)
    if counts == nil and dim == nil then
      return of_positions(input, {output_size = output_size, base = base, out = out})
    end
    return of_input(input, {repeats = counts, dim = dim, output_size = output_size, out = out})
  end)

return repeats
