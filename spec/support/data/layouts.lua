-- SPDX-License-Identifier: MIT
-- Tensors in every layout of memory, each beside the same elements in C order. Elements
-- are written and read through strides on the CPU, so that no op has a part in it.
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local layouts = {}

local SIZES, SIZES_OF_THREE = {0, 1, 15, 16, 17, 65}, {0, 1, 17, 65}

-- A case meets all sizes in all layouts where the run is to be thorough. Elsewhere it meets one
-- pair in several, and the next case the next ones: all instruction sets together meet all of them.
-- A call costs more under a sanitizer, and most on an emulated device: there it meets fewer of
-- them, and others each time.
local sets = locus.instruction_sets()
local function turns()
  if support.thorough then return 1 end
  if support.device ~= "cpu" then return 64 end
  return support.slow and 12 or #sets
end
local TURNS, OWN_TURN = turns(), 0
for i, isa in ipairs(sets) do
  if isa == locus.isa then OWN_TURN = i end
end
if support.slow then OWN_TURN = support.sample_number end

-- Every size in every place of one and two dimensions, some in every place of three.
local function list_shapes()
  local shapes = {}
  for _, a in ipairs(SIZES) do
    shapes[#shapes + 1] = {a}
    for _, b in ipairs(SIZES) do shapes[#shapes + 1] = {a, b} end
  end
  for _, a in ipairs(SIZES_OF_THREE) do
    for _, shape in ipairs {{a, 2, 17}, {2, a, 17}, {2, 17, a}} do shapes[#shapes + 1] = shape end
  end
  return shapes
end

layouts.shapes = list_shapes()

local function inside(t, shape, skip)
  for d, size in ipairs(shape) do t = t:narrow(d, skip + 1, size) end
  return t
end

local function map(shape, change)
  local sizes = {}
  for d, size in ipairs(shape) do sizes[d] = change(size, d) end
  return sizes
end

local function reversed(shape)
  return map(shape, function(_, d) return shape[#shape + 1 - d] end)
end

local function wider(shape) return map(shape, function(size) return size + 3 end) end

-- Every other element of the first dimensions when `from` is 1, or of the last one when it is -1.
local function stepped(name, place)
  local function at(shape) return place > 0 and 1 or #shape end
  return {name = name, sizes = function(shape)
    return map(shape, function(size, d) return d == at(shape) and 2 * size or size end)
  end, view = function(t, shape)
    local d = at(shape)
    return shape[d] == 0 and t or t:slice(d, 2, 2 * shape[d], 2)
  end}
end

local function expanded(name, place)
  return {name = name, repeats = true, sizes = function(shape)
    local at = place > 0 and 1 or #shape
    return map(shape, function(size, d) return d == at and 1 or size end)
  end, view = function(t, shape) return t:expand(shape) end}
end

-- The sizes of the memory for a shape, and the view of it; `least` dimensions; whether elements
-- share memory.
local LAYOUTS = {
  {name = "C order", sizes = function(shape) return shape end, view = function(t) return t end},
  {name = "transposed", least = 2, sizes = reversed, view = function(t) return t.T end},
  {name = "permuted", least = 3, sizes = function(shape)
    return {shape[3], shape[1], shape[2]}
  end, view = function(t) return t:permute(2, 3, 1) end},
  stepped("stepped", -1),
  stepped("stepped across", 1),
  expanded("expanded", 1),
  expanded("expanded along", -1),
  {name = "offset", sizes = wider, view = function(t, shape) return inside(t, shape, 2) end},
  {name = "transposed, offset", least = 2, sizes = function(shape)
    return wider(reversed(shape))
  end, view = function(t, shape) return inside(t.T, shape, 1) end},
}

-- Visits the elements of a shape in C order: their number from 0, and where they lie.
local function each_place(shape, strides, visit)
  local index, place = map(shape, function() return 0 end), 0
  for i = 0, support.numel(shape) - 1 do
    visit(i, place)
    for d = #shape, 1, -1 do
      index[d], place = index[d] + 1, place + strides[d]
      if index[d] < shape[d] then break end
      index[d], place = 0, place - shape[d] * strides[d]
    end
  end
end

local function pointer(t) return ffi.cast(support.unit(t.dtype) .. " *", t:data()) end

-- A function that gives a new tensor in the layout, and one for the same elements in C order.
-- element(i) is what the i-th, from 0, is to be, unless it shares its memory with another one.
local function makers(layout, shape, dtype, element)
  local whole = locus.ones(layout.sizes(shape), {dtype = dtype, device = "cpu"})
  local plain = locus.ones(shape, {dtype = dtype, device = "cpu"})
  local view = layout.view(whole, shape)
  local strides = map(shape, function(_, d) return view:stride(d) end)
  local from, to = pointer(view), pointer(plain)
  each_place(shape, strides, function(i, place) from[place] = element(i) end)
  each_place(shape, strides, function(i, place) to[i] = from[place] end)
  whole, plain = whole:to(support.device), plain:to(support.device)
  return function() return layout.view(whole:clone(), shape) end,
    function() return plain:clone() end
end

-- Small whole numbers, a third of them 0, in no order.
local function number(i, salt)
  local x = (i * 7919 + salt * 104729 + 12345) % 1009
  return x % 3 == 0 and 0 or x % 100
end

local function number_of(dtype, salt)
  if dtype == "complex128" then
    return function(i) return ffi.new("complex", number(i, salt), number(i, salt + 1)) end
  elseif dtype == "bool" then
    return function(i) return number(i, salt) % 2 end
  end
  return function(i) return number(i, salt) end
end

-- The meaning of the fields of a case: the dtype (nil: that of the case), the layout by how many
-- places further in the list, and the elements. `row` is the last size.
local FIELDS = {
  x = {0, function(dtype) return dtype, number_of(dtype, 1) end},
  y = {2, function(dtype) return dtype, number_of(dtype, 5) end},
  mask = {0, function() return "bool", number_of("bool", 2) end},
  other_mask = {3, function() return "bool", number_of("bool", 3) end},
  sorted = {0, function(dtype, row)
    return dtype, function(i) return math.floor(i % row * 100 / row) end
  end},
  sorter = {3, function(_, row) return "int64", function(i) return i % row + 1 end end},
  places = {0, function() return "int64", function(i) return number(i, 4) % 9 + 1 end end},
}

local function fitting(ndim)
  local list = {}
  for _, layout in ipairs(LAYOUTS) do
    if ndim >= (layout.least or 1) then list[#list + 1] = layout end
  end
  return list
end

-- The arguments of cases: `laid` with its fields in layouts, `plain` with the same in C order. A
-- field is made at its first use; e:fresh(name) is another tensor like it, to write to.
local function pair(list, at, shape, dtype)
  local fresh = {}
  local function both(name)
    if not fresh[name] then
      local further, describe = unpack(FIELDS[name])
      local layout = list[(at + further - 1) % #list + 1]
      fresh[name] = {makers(layout, shape, describe(dtype, shape[#shape]))}
    end
    return fresh[name]
  end
  local function arguments(which)
    local own = {shape = shape, dtype = dtype}
    function own:fresh(name) return both(name)[which]() end -- luacheck: ignore self
    return setmetatable(own, {__index = function(_, name)
      if not FIELDS[name] then error("no field '" .. name .. "'") end
      own[name] = both(name)[which]()
      return own[name]
    end})
  end
  return {name = list[at].name, repeats = list[at].repeats, shape = shape, laid = arguments(1),
          plain = arguments(2)}
end

local made = {}

-- The pairs of a dtype, as TURNS lists.
local function turns_of(dtype)
  local lists = {}
  for turn = 1, TURNS do lists[turn] = {} end
  for row, shape in ipairs(layouts.shapes) do
    local list = fitting(#shape)
    for at = 1, #list do
      local turn = lists[(row + at) % TURNS + 1]
      turn[#turn + 1] = pair(list, at, shape, dtype)
    end
  end
  return lists
end

--- The arguments of shapes and layouts, for elements of a dtype, that the n-th case meets.
function layouts.pairs(dtype, n)
  made[dtype] = made[dtype] or turns_of(dtype)
  return made[dtype][(n + OWN_TURN) % TURNS + 1]
end

local describe

local function describe_tensor(t)
  local here = t.device == "cpu" and t or t:cpu()
  if not here:is_contiguous() then here = here:contiguous() end
  local bytes = here:numel() * here:element_size()
  return t.dtype .. " " .. table.concat(t:size(), "x") .. " " .. ffi.string(here:data(), bytes)
end

local function describe_table(list)
  local words = {}
  for i, value in ipairs(list) do words[i] = describe(value) end
  return table.concat(words, ",")
end

--- A value as text: of a tensor dtype, sizes and bytes.
function describe(value)
  if locus.is_tensor(value) then return describe_tensor(value) end
  if type(value) == "table" then return describe_table(value) end
  return support.show(value)
end

--- The outcome of a call, as text: its results, or its error.
function layouts.outcome(...)
  local results = {pcall(...)}
  if not results[1] then return "error: " .. tostring(results[2]):gsub("^[^:]+:%d+: ", "") end
  return describe_table(results)
end

return layouts
