-- SPDX-License-Identifier: MIT
-- require "locus": the module table and the fields of tensors, from the C core and the Lua files
-- beside this one. It creates no global.
if _VERSION ~= "Lua 5.1" then
  error("locus is for LuaJIT and Lua 5.1, and this is " .. _VERSION, 3)
end

local found, core = pcall(require, "locus.core")
if not found then
  local hidden = tostring(core):match("symbol.-(luaL?_%w+)")
  if not hidden then error(core, 0) end
  error(("locus finds no %s: this program hides Lua's symbols; it must load Lua's library with "
    .. "RTLD_GLOBAL, or be linked with -Wl,-E"):format(hidden), 3)
end
local internal = core.internal
require("locus.call.registry").begin()
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local lazy = require "locus.call.lazy"
local registry = require "locus.call.registry"

-- Size tables: {2, 3} compares with == and prints as 2x3.
local size = {}
function size.__eq(a, b)
  if #a ~= #b then return false end
  for d = 1, #a do
    if a[d] ~= b[d] then return false end
  end
  return true
end
function size.__tostring(s) return #s == 0 and "0-d" or table.concat(s, "x") end

local hooks = {
  size = size,
  source = debug.getinfo(1, "S").source:gsub("init%.lua$", ""),
  declared = declare.declared,
  mean = function(...) return lazy("locus.derived.times").mean(...) end,
  meant = function(...) return lazy("locus.call.surplus").advice(...) end,
}
for name, hook in pairs(require "locus.tensor.cdata") do hooks[name] = hook end
local stream = require "locus.stream"
for name, metatable in pairs(stream.metatables) do hooks[name] = metatable end
core.internal.setup(hooks)

local methods, metatable = core.methods, core.metatable
local events = registry.once(metatable)

local aliases = {nElement = "numel", nDimension = "dim", isContiguous = "is_contiguous"}
for name, method in pairs(aliases) do registry.put(methods, name, methods[method]) end

local fields = {dtype = internal.dtype_of, device = internal.device_of, shape = methods.size,
                ndim = methods.dim}

-- "time", "date", "duration" or "ipv4", and the unit of the first and the third; nil for numbers.
registry.put(fields, "kind", function(t)
  local kind = kinds.of(t)
  return kind and kind.type
end)
registry.put(fields, "unit", function(t)
  local kind = kinds.of(t)
  return kind and kind.unit
end)

-- The transpose: all dimensions in reverse order.
function fields.T(t)
  local ndim, dims = methods.dim(t), {}
  for d = 1, ndim do dims[d] = ndim + 1 - d end
  return ndim < 2 and t or methods.permute(t, dims)
end

local locus = {nan = 0 / 0, inf = math.huge}
local of_tensor = {known = {methods, fields}, elsewhere = locus, form = "locus.%s(...)"}
local of_module = {known = {locus}, elsewhere = methods, form = "x:%s(...)",
                   module = true}
local of_memory = {known = {core.memory}, elsewhere = locus, form = "locus.%s(...)"}
local of_cuda = {known = {core.cuda}, elsewhere = locus, form = "locus.%s(...)"}

-- The advice of names.lua; nothing where that file cannot be loaded any more.
local function advice(key, place)
  local there, names = pcall(lazy, "locus.names.advice")
  return there and names.advice(key, place) or ""
end

-- The method or field of that name; an unknown one raises.
local function resolve(t, key)
  local method = methods[key]
  if method then return method end
  local field = fields[key]
  if field then return field(t) end
  internal.raise(("a tensor has no '%s'%s"):format(key:sub(1, 60), advice(key, of_tensor)))
end

require "locus.tensor.index"(core, metatable, resolve)
function events.__tostring(tensor) return internal.ieee(lazy("locus.print").tensor, tensor) end

require "locus.tensor.small"(core, metatable)

-- Operators are elementwise; either side may be a number. Lua makes one boolean of < and <=. Those
-- of bits, & | ~ << >> ~>>, go by the names of LuaJIT 3.0; LuaJITs 2.1 of 2026-07 on know them, but
-- call no metamethod. Source: https://github.com/LuaJIT/LuaJIT/issues/1475
local operators = {__add = "add", __sub = "sub", __mul = "mul", __div = "div", __mod = "remainder",
                   __pow = "pow", __band = "band", __bor = "bor", __bxor = "bxor",
                   __shl = "lshift", __shr = "rshift", __sar = "rshift"}
for event, name in pairs(operators) do events[event] = core[name] end
function events.__unm(x) return core.neg(x) end
function events.__bnot(x) return core.bnot(x) end
function events.__lt()
  internal.raise("< and > compare whole values; write x:lt(y) or x:gt(y)")
end
function events.__le()
  internal.raise("<= and >= compare whole values; write x:le(y) or x:ge(y)")
end
function events.__concat()
  internal.raise(".. joins strings; write locus.cat({x, y}), or tostring(x) for its text")
end

stream.setup(core)

require "locus.tidy"
require "locus.call.later"(locus)

locus.version, locus.isa, locus.memory, locus.cuda = core.version, core.isa, core.memory, core.cuda
locus.search_index = require "locus.search.search_index"(core)
registry.put(methods, "search_index", locus.search_index)

local function add(name, value)
  registry.check_new(locus, name)
  locus[name] = value
end
for name, value in pairs(core) do
  if type(value) == "function" then add(name, value) end
end
for _, dtype in ipairs(internal.dtypes()) do add(dtype, dtype) end
add("methods", methods) -- of tensors, by name: for prompts and editors that complete names
for name in pairs(fields) do registry.check_new(methods, name) end

-- Makes unknown names in a table of functions raise.
local function guard(functions, name, place)
  return setmetatable(functions, {__index = function(_, key)
    local told = type(key) == "string" and advice(key, place) or ""
    internal.raise(("%s has no '%s'%s"):format(name, declare.shown(key), told))
  end})
end
guard(locus.memory, "locus.memory", of_memory)
guard(locus.cuda, "locus.cuda", of_cuda)

-- locus.mpi: the first of its functions that is asked for has its files define all.
core.mpi = {}
add("mpi", core.mpi)
setmetatable(locus.mpi, {__index = function(mpi, key)
  require "locus.mpi"
  guard(mpi, "locus.mpi", {known = {mpi}, elsewhere = locus, form = "locus.%s(...)"})
  return mpi[key]
end})

return guard(locus, "locus", of_module)
