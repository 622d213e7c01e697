-- SPDX-License-Identifier: MIT
-- An element of a tensor that has a kind, as a value of LuaJIT's FFI: a time, a date, a duration or
-- an address. It prints as such, computes and compares by the rules of tensors, and stands wherever
-- they take a number. `v:item()` is the bare number. Nothing without the FFI, where elements stay
-- numbers.
local has_ffi, ffi = pcall(require, "ffi")
if not has_ffi then return {} end
local core = require "locus.core"
local kinds = require "locus.tensor.kind"
local registry = require "locus.call.registry"
local internal = core.internal

local int64 = ffi.typeof("int64_t")
local word, exact = int64(2 ^ 32), int64(2 ^ 53) -- 1LL would not even load in Lua 5.1
local quantity = {}
local metatable = {}
local events = registry.once(metatable)
-- The number is the kind's. The remark makes a type of each load: for busted one text is one type,
-- which keeps its first metatable.
local new = ffi.typeof(("struct { int64_t units; int32_t number; } /* %s */"):format(
  tostring(metatable)))

-- By number of a kind: that of the durations between such, and whether it is one.
local span_of, is_moment = {}, {}
for number, k in ipairs(internal.kinds()) do
  is_moment[number] = k.type == "time" or k.type == "date"
  local unit = k.type == "date" and "d" or k.unit or nil
  span_of[number] = (is_moment[number] or k.type == "duration") and kinds.number {
    type = "duration", unit = unit} or nil
end

local function is(v) return ffi.istype(new, v) end
quantity.is = is

--- The value of that kind, by its number, and of that many units, a number or an int64.
function quantity.make(number, units) return new(units, number) end

--- The same of two halves, for the core.
function quantity.of_halves(number, high, low)
  return new(int64(high) * word + int64(low), number)
end

--- The kind of a value, and its int64.
function quantity.parts(v) return kinds.by_number(v.number), v.units end

--- The bare number of a duration in the units of a time, date or duration of that kind; nil if it
--- is no whole number of these.
function quantity.units_beside(v, k)
  local own, wanted = kinds.by_number(v.number), kinds.by_number(span_of[k and k.number or 0] or 0)
  if own.type ~= "duration" or not wanted then return nil end
  if own.per_day == wanted.per_day then return v.units end
  if own.per_day > wanted.per_day then
    local ratio = int64(own.per_day / wanted.per_day)
    return v.units % ratio == 0 and v.units / ratio or nil
  end
  local ratio = int64(wanted.per_day / own.per_day)
  local units = v.units * ratio
  return units / ratio == v.units and units or nil
end

-- The number of a value as Lua has it: exact up to 2^53, beyond that an int64.
local function bare(units)
  return units >= -exact and units <= exact and tonumber(units) or units
end

-- A number that the fast ways take: whole, and far from int64's ends.
local function is_whole(x)
  return type(x) == "number" and x % 1 == 0 and x > -2 ^ 53 and x < 2 ^ 53
end

-- A text beside a value, as a value of its kind.
local function read(a, b, name)
  local text = type(a) == "string" and a or b
  local k = kinds.by_number((text == a and b or a).number)
  local value, wrong = quantity.parse(k, text)
  if wrong then internal.raise(("%s: %s %s"):format(name, internal.describe(text), wrong)) end
  return text == a and value or a, text == b and value or b
end

--- The value of a text, or nil and "is not a time".
function quantity.parse(k, text, pattern)
  local units, wrong = internal["parse_" .. k.type](text, {unit = k.unit, pattern = pattern})
  if wrong then return nil, wrong end
  return new(units, k.number)
end

-- Both in the finer of two units, where they are of one sort and the coarser one fits; else as they
-- are.
local function alike(a, b)
  if not is(a) or not is(b) or a.number == b.number then return a, b end
  local of_a, of_b = kinds.by_number(a.number), kinds.by_number(b.number)
  local per_a, per_b = of_a.per_day, of_b.per_day
  if per_a == 0 or per_b == 0 or per_a == per_b then return a, b end
  if per_a > per_b then
    local y, x = alike(b, a)
    return x, y
  end
  local ratio = int64(per_b / per_a)
  local units = a.units * ratio
  if units / ratio ~= a.units then return a, b end
  local target = is_moment[a.number] and (is_moment[b.number] and b.number
    or kinds.number {type = "time", unit = of_b.unit}) or span_of[b.number]
  return new(units, target), b
end

-- -- Arithmetic ----------------------------------------------------------------------------------

local function with_core(name)
  local op = core[name]
  return function(a, b)
    if type(a) == "string" or type(b) == "string" then
      internal.raise(("%s: a time and a text do not compute; write locus.time(text)"):format(name))
    end
    return op(alike(a, b))
  end
end

local add, sub = with_core "add", with_core "sub"

function events.__add(a, b)
  if is(a) and is_whole(b) and span_of[a.number] then return new(a.units + b, a.number) end
  if is(b) and is_whole(a) and span_of[b.number] then return new(b.units + a, b.number) end
  return add(a, b)
end

function events.__sub(a, b)
  if is(a) and span_of[a.number] then
    if is_whole(b) then return new(a.units - b, a.number) end
    if is(b) and a.number == b.number then return new(a.units - b.units, span_of[a.number]) end
  end
  return sub(a, b)
end

for event, name in pairs {__mul = "mul", __div = "div", __mod = "remainder", __pow = "pow"} do
  events[event] = with_core(name)
end
function events.__unm(a) return core.neg(a) end

-- -- Order ---------------------------------------------------------------------------------------

local function compared(name, fast)
  local op = core[name]
  return function(a, b)
    if is(a) and is(b) and a.number == b.number then return fast(a.units, b.units) end
    if is(a) and is_whole(b) then return fast(a.units, int64(b)) end
    if is(b) and is_whole(a) then return fast(int64(a), b.units) end
    if type(a) == "string" or type(b) == "string" then a, b = read(a, b, name) end
    local tables = type(a) == "table" or type(b) == "table"
    if tables or core.is_tensor(a) or core.is_tensor(b) then
      internal.raise("< and > compare whole values; write x:lt(y) or x:gt(y)")
    end
    return op(alike(a, b))
  end
end

events.__lt = compared("lt", function(a, b) return a < b end)
events.__le = compared("le", function(a, b) return a <= b end)

local comparable = {number = true, cdata = true}
local equal = compared("eq", function(a, b) return a == b end)

-- Whether two values are the same moment, in whatever units; never an error.
function events.__eq(a, b)
  if type(a) == "string" or type(b) == "string" then
    local text, v = a, b
    if type(b) == "string" then text, v = b, a end
    local value = quantity.parse(kinds.by_number(v.number), text)
    return value ~= nil and value.units == v.units
  end
  if not comparable[type(a)] or not comparable[type(b)] then return false end
  local ok, same = pcall(equal, a, b)
  return ok and same
end

-- -- Text ----------------------------------------------------------------------------------------

local function text_of(v)
  local k = kinds.by_number(v.number)
  return internal["format_" .. k.type](v.units, {unit = k.unit})
end
events.__tostring = text_of

function events.__concat(a, b)
  local other = is(a) and b or a
  if not is(other) and type(other) ~= "string" and type(other) ~= "number" then
    internal.raise((".. joins texts, numbers and times, got %s"):format(internal.describe(other)))
  end
  return (is(a) and text_of(a) or a) .. (is(b) and text_of(b) or b)
end

-- -- Methods -------------------------------------------------------------------------------------

local methods = {}

--- The bare number.
function methods.item(v) return bare(v.units) end

--- The same as a function of tensors of no dimension gives it: a value for a value.
local function answer(first, ...)
  if core.is_tensor(first) and core.methods.dim(first) == 0 then
    first = core.min(first)
  end
  return first, ...
end

local fields = {}
local known = registry.once(fields)

function known.kind(v) return kinds.by_number(v.number).type end
function known.unit(v) return kinds.by_number(v.number).unit end
function known.dtype() return "int64" end

-- A method, or one of tensors, which is called with the value as a tensor of no dimension.
function events.__index(v, key)
  if methods[key] then return methods[key] end
  if fields[key] then return fields[key](v) end
  local method = core.methods[key]
  if not method then
    internal.raise(("a %s has no '%s'; v:item() is its number"):format(
      kinds.by_number(v.number).type, tostring(key):sub(1, 60)))
  end
  return function(self, ...)
    if not is(self) then return method(self, ...) end
    return answer(method(core.select(core.full({1}, self, {dtype = "int64"}), 1, 1), ...))
  end
end

new = ffi.metatype(new, metatable)

return quantity
