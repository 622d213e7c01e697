-- SPDX-License-Identifier: MIT
-- Searches in a sequence that is larger than memory: the first element of each page is kept, and a
-- search reads the one page in which its answer lies. That page is copied, which takes half a
-- microsecond; a page that is not in memory takes ten to a hundred.
local core = require "locus.core"
local declare = require "locus.call.declare"
local tidied = require "locus.tidy"
local internal, methods = core.internal, core.methods

local PAGE = 4096  -- bytes
local BATCH = 128 -- values whose pages are copied side by side

local paged = {}

-- The parts of an index: the sequence, its elements `per` page and `lead` in front of the first
-- one, an index of the elements that begin a page, and the pages. make: search_index, in whose name
-- this raises.
paged.new = declare.define("search_index(sequence:any, descending:any, make:any)",
  function(sequence, descending, make)
    if methods.dim(sequence) ~= 1 or not methods.is_contiguous(sequence)
        or internal.device_of(sequence) ~= "cpu" then
      declare.raise("'sorted_sequence' must be 1-D, contiguous and on the CPU if paged is true, "
        .. "got %s", internal.describe(sequence))
    end
    local n, per = #sequence, PAGE / methods.element_size(sequence)
    local lead = math.min(n, internal.bytes_to(sequence, PAGE) * per / PAGE)
    local starts = methods.clone(sequence[{{lead + 1, n, per}}])
    internal.read_scattered(sequence)
    return {sequence = sequence, descending = descending, n = n, per = math.min(per, n),
            lead = lead, page = per, starts = starts,
            firsts = make(starts, {descending = descending}),
            windows = n > 0 and methods.unfold(sequence, 1, math.min(per, n), 1)}
  end)

-- The place, counted from 0, where the elements begin among which the answers lie. It is the page
-- whose first element is the last one in front of the value, or at either end a place with a page
-- of elements. pages: how many of these first elements are in front of a value, a tensor or a
-- number.
local function begin_of(index, pages)
  if type(pages) == "number" then
    local from = (pages - 1) * index.page + index.lead
    return math.max(0, math.min(from, index.n - index.per))
  end
  return pages:sub(1):mul_(index.page):add_(index.lead):clamp_(0, index.n - index.per)
end

-- Where a number would go, from 0.
local function answer_number(index, value, right)
  local named = {right = right, base = 0}
  local from = begin_of(index, index.firsts:searchsorted(value, named))
  named.descending = index.descending
  local window = index.sequence[{{from + 1, from + index.per}}]
  return from + core.searchsorted(window, value, named)
end

-- Where each of up to BATCH values would go, from 0.
local function answer_batch(index, values, right)
  local named = {right = right, base = 0}
  local from = begin_of(index, index.firsts:searchsorted(values, named))
  named.descending = index.descending
  local within = core.searchsorted(index.windows[from + 1], values:view(-1, 1), named)
  return from:add_(within:view(-1))
end

-- Where the values would go, from `base`, in their shape.
local function answer(index, values, right, base)
  local flat = methods.reshape(values, -1)
  local answers = core.zeros(#flat, {dtype = "int64", device = "cpu"})
  for first = 1, index.n > 0 and #flat or 0, BATCH do
    local range = {{first, math.min(first + BATCH - 1, #flat)}}
    answers[range] = tidied(answer_batch, index, flat[range], right)
  end
  return answers:add_(base):view(methods.size(values))
end

local SIDES = {left = true, right = true, both = true}

local function read_side(right, side)
  if side == nil then return right and "right" or "left" end
  if not SIDES[side] then
    declare.raise("'side' must be \"left\", \"right\" or \"both\", got %s", internal.describe(side))
  end
  if right and side == "left" then declare.raise("'side' is \"left\", but 'right' is true") end
  if right and side == "both" then
    declare.raise("'right' cannot be given with side = \"both\"")
  end
  return side
end

-- The values as a tensor: 0-d ones are rounded to the dtype of floats, as numbers are.
local function tensor_of(index, values)
  if not core.is_tensor(values) then return core.tensor(values, {device = "cpu"}) end
  local dtype = internal.dtype_of(index.sequence)
  if methods.dim(values) == 0 and dtype:find "float" then return values:to(dtype) end
  return values
end

-- The method searchsorted of such an index, as of any other.
paged.searchsorted = declare.define(
  "searchsorted(index:any, values:any, {out_int32:boolean=false, right:boolean=false, "
    .. "side:any=nil, out:any=nil, base=1})",
  function(index, values, small, right, side, out, base)
    side = read_side(right, side)
    local single = not core.is_tensor(values) and type(values) ~= "table" and out == nil
    if small and index.n + base > 2 ^ 31 - 1 then
      declare.raise("'out_int32' cannot be true for positions up to %d", index.n + base)
    end
    if not single then values = tensor_of(index, values) end
    local function one(after)
      if single then return index.n == 0 and base or answer_number(index, values, after) + base end
      local answers = answer(index, values, after, base)
      return small and answers:int() or answers
    end
    local first = one(side == "right")
    local second = side == "both" and one(true) or nil
    if out ~= nil then
      internal.deliver(values, out, first, second)
      if second then return out[1], out[2] end
      return out
    end
    if second == nil then return first end
    return first, second
  end)

return paged
