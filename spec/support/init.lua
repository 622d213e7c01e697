-- SPDX-License-Identifier: MIT
-- The common part of all specs: the dtypes by kind, tensors of any dtype from flat lists, exact
-- comparison of values, the sentence of an error, and a child process. Values are numbers,
-- booleans, int64 cdata and complex cdata.
local has_ffi, ffi = pcall(require, "ffi")
local core = require "locus.core"
local locus = require "locus"

local support = {}

-- Output is the same on every terminal, and in every locale.
function core.internal.terminal_size() end
require("locus.plot.glyphs").locale = function() return "C.UTF-8" end

local dtypes, types = core.internal.dtypes()

-- The dtypes of these kinds, as the core lists them.
local function of_kinds(...)
  local wanted, list = {}, {}
  for _, kind in ipairs { ... } do wanted[kind] = true end
  for _, dtype in ipairs(dtypes) do
    if wanted[types[dtype].kind] then list[#list + 1] = dtype end
  end
  return list
end

--- All dtypes, and what the core says of each.
support.dtypes, support.types = dtypes, types
support.integers = of_kinds("INTEGER")
support.floats = of_kinds("FLOAT")
support.complexes = of_kinds("COMPLEX")
support.real = of_kinds("INTEGER", "FLOAT")
--- The dtypes that have an order.
support.ordered = of_kinds("BOOL", "INTEGER", "FLOAT")

--- Whether what takes long is not cut short, as before a release.
support.thorough = os.getenv("LOCUS_THOROUGH") ~= nil
support.hasty = not support.thorough

--- A table of what specs know by dtype or op: another key raises an error that names it.
function support.known(what, list)
  return setmetatable(list, {
    __index = function(_, key)
      error(("no spec knows %s of '%s'"):format(what, tostring(key)), 2)
    end,
  })
end

--- Raises unless the table has an entry for each row of a .def file, and no other: of all classes
--- where none is named.
function support.covers(family, oracles, ...)
  local classes, wrong = { ... }, {}
  for name, class in pairs(core.internal.families()[family]) do
    local wanted = #classes == 0
    for _, own in ipairs(classes) do
      wanted = wanted or own == class
    end
    if wanted and rawget(oracles, name) == nil then
      wrong[#wrong + 1] = ("'%s' (%s) has no oracle"):format(name, class)
    elseif not wanted and rawget(oracles, name) ~= nil then
      wrong[#wrong + 1] = ("'%s' is of class %s"):format(name, class)
    end
  end
  for name in pairs(oracles) do
    if not core.internal.families()[family][name] then
      wrong[#wrong + 1] = ("'%s' is no row"):format(name)
    end
  end
  table.sort(wrong)
  if #wrong > 0 then
    error(("%s.def: %s"):format(family, table.concat(wrong, "; ")), 2)
  end
end

support.nan = 0 / 0

--- Where tensors are made that do not say it: LOCUS_TEST_DEVICE runs the specs on a device.
support.device = locus.get_default_device()

--- Whether fewer cases must do, since a sanitizer or an emulated device makes each slow.
support.slow = support.hasty and (support.device ~= "cpu" or os.getenv("LD_PRELOAD") ~= nil)

--- The number of the samples that slow runs take, another one each time: LOCUS_SAMPLE has it again.
support.sample_number = tonumber(os.getenv "LOCUS_SAMPLE") or os.time()

--- A list; where each case is slow only n of its entries.
function support.sample(list, n)
  if not support.slow or n >= #list then return list end
  local some = {}
  for i = 1, n do some[i] = list[(support.sample_number + i) % #list + 1] end
  return some
end

--- A text without the names of that device that tostring puts into it.
function support.nowhere(text)
  return (text:gsub(" on cuda:%d+", ""))
end

--- The C type of a dtype's elements, complex ones as LuaJIT has them.
function support.unit(dtype)
  local part = types[dtype].kind == "COMPLEX" and types[dtype].size / 2
  return part and (part == 4 and "complex float" or "complex") or types[dtype].element
end

--- The elements of a tensor in row-major order, copied to an FFI array of some type.
function support.memory(t, unit)
  local here = t:cpu():contiguous()
  local bytes = here:numel() * here:element_size()
  local array = ffi.new(unit .. "[?]", bytes / ffi.sizeof(unit))
  ffi.copy(array, here:data(), bytes)
  return array
end

--- The exact integer a decimal string stands for: a number below 2^53, an int64 cdata from there.
function support.integer(text)
  local sign, digits = text:match("^(%-?)(%d+)$")
  local near = tonumber(text)
  if math.abs(near) < 2 ^ 53 then
    return near
  end
  local value = ffi.new("int64_t", 0)
  for digit in digits:gmatch("%d") do
    value = sign == "-" and value * 10 - tonumber(digit) or value * 10 + tonumber(digit)
  end
  return value
end

--- The integers that have a sign, and the least and the greatest value of all.
support.signed, support.range = {}, {}
for _, dtype in ipairs(support.integers) do
  local signed, bits = not dtype:find("^u"), 8 * types[dtype].size
  support.signed[#support.signed + 1] = signed and dtype or nil
  support.range[dtype] = signed and { -2 ^ (bits - 1), 2 ^ (bits - 1) - 1 } or { 0, 2 ^ bits - 1 }
end
support.range.int64 = has_ffi and {
  support.integer("-9223372036854775808"), support.integer("9223372036854775807"),
}

--- A complex cdata.
function support.complex(re, im)
  return ffi.new("complex", re, im)
end

--- Elements of a shape.
function support.numel(shape)
  local n = 1
  for _, size in ipairs(shape) do
    n = n * size
  end
  return n
end

--- A fresh contiguous tensor from a flat row-major list (shape: {#values} unless given); a number
--- is a bool by ~= 0.
function support.tensor(dtype, values, shape)
  shape = shape or { #values }
  assert(#values == support.numel(shape), "as many values as the shape has elements")
  local data = {}
  for i, value in ipairs(values) do
    data[i] = value
    if dtype == "bool" and type(value) == "number" then
      data[i] = value ~= 0
    end
  end
  if #shape == 0 then
    return locus.tensor(data[1], { dtype = dtype })
  elseif #data == 0 then
    return locus.zeros(shape, { dtype = dtype })
  end
  return locus.tensor(data, { dtype = dtype }):view(shape)
end

local LAYOUT = {
  contiguous = function(t)
    return t:clone()
  end,
  transposed = function(t)
    local dims = {}
    for d = 1, t:dim() do
      dims[d] = t:dim() + 1 - d
    end
    return #dims < 2 and t:clone() or t:permute(unpack(dims)):contiguous():permute(unpack(dims))
  end,
  stepped = function(t, shape)
    if #shape == 0 or shape[#shape] == 0 then
      return t:clone()
    end
    local sizes, ranges = {}, {}
    for d, size in ipairs(shape) do
      sizes[d], ranges[d] = size, {}
    end
    sizes[#shape] = 3 * shape[#shape]
    ranges[#shape] = { 2, sizes[#shape], 3 }
    local view = locus.ones(sizes, { dtype = t.dtype })[ranges]
    view:copy_(t)
    return view
  end,
  inner = function(t, shape)
    local sizes = {}
    for d, size in ipairs(shape) do
      sizes[d] = size + 3
    end
    local view = locus.ones(sizes, { dtype = t.dtype })
    for d, size in ipairs(shape) do
      view = view:narrow(d, 3, size)
    end
    view:copy_(t)
    return view
  end,
}

support.layouts = { "contiguous", "transposed", "stepped", "inner" }

--- The same tensor in another memory layout. "transposed" has its dimensions in reverse order in
--- memory. "stepped" takes every third element of its last dimension. "inner" is cut out of the
--- middle of a larger tensor. The other one is "contiguous". The elements between are 1.
function support.laid(t, layout)
  return LAYOUT[layout](t, support.shape(t))
end

--- The sizes of a tensor as a plain table.
function support.shape(t)
  local shape = {}
  for d = 1, t:dim() do
    shape[d] = t:size(d)
  end
  return shape
end

local function append(list, value)
  if type(value) == "table" then
    for _, inner in ipairs(value) do
      append(list, inner)
    end
  else
    list[#list + 1] = value
  end
  return list
end

--- The elements of a tensor in row-major order of its logical shape.
function support.values(t)
  return append({}, t:dim() == 0 and t:item() or t:totable())
end

--- True for the same value bit for bit, all NaN being one; 5 and the int64 cdata 5 are the same
--- value.
function support.same_value(a, b)
  if has_ffi and (ffi.istype("complex", a) or ffi.istype("complex", b)) then
    return ffi.istype("complex", a) and ffi.istype("complex", b) and support.same_value(a.re, b.re)
      and support.same_value(a.im, b.im)
  elseif type(a) == "boolean" or type(b) == "boolean" then
    return a == b
  elseif type(a) == "number" and type(b) == "number" then
    return a == b and 1 / a == 1 / b or a ~= a and b ~= b
  elseif type(a) == type(b) then
    return a == b
  end
  local int, number = a, b
  if type(a) == "number" then
    int, number = b, a
  end
  return math.abs(number) < 2 ^ 63 and math.floor(number) == number
    and int == ffi.new("int64_t", number)
end

--- One value as text, the sign of zero and every digit shown.
function support.show(value)
  if type(value) ~= "number" then
    return tostring(value)
  elseif value == 0 then
    return 1 / value < 0 and "-0" or "0"
  end
  return ("%.17g"):format(value)
end

local function show_list(values)
  local words = {}
  for i = 1, math.min(#values, 24) do
    words[i] = support.show(values[i])
  end
  return table.concat(words, " ") .. (#values > 24 and " ..." or "")
end

local function same_list(a, b)
  local same = #a == #b
  for i = 1, #a do
    same = same and support.same_value(a[i], b[i])
  end
  return same
end

--- The difference of a tensor from a shape, values and (if given) a dtype, as one sentence; nil
--- when it is the same.
function support.difference(t, shape, values, dtype)
  if not locus.is_tensor(t) then
    return "expected a tensor, got " .. type(t) .. " " .. tostring(t)
  elseif dtype and t.dtype ~= dtype then
    return ("expected dtype %s, got %s"):format(dtype, t.dtype)
  end
  local got = support.shape(t)
  if not same_list(got, shape) then
    local wanted = table.concat(shape, ",")
    return ("expected shape {%s}, got {%s}"):format(wanted, table.concat(got, ","))
  end
  got = support.values(t)
  if not same_list(got, values) then
    return ("expected %s, got %s"):format(show_list(values), show_list(got))
  end
end

--- Raises unless the tensor has exactly this shape, these values in row-major order and (if given)
--- this dtype.
function support.same(t, shape, values, dtype)
  local difference = support.difference(t, shape, values, dtype)
  if difference then
    error(difference, 2)
  end
end

local SIGNIFICAND_BITS = { float16 = 11, bfloat16 = 8, float32 = 24, float64 = 53 }

--- By how many units in the last place of its dtype a tensor is at most off these values.
function support.ulps_off(t, values)
  local most = 0
  for i, got in ipairs(support.values(t:view(-1))) do
    local _, exponent = math.frexp(values[i])
    local off = math.abs(got - values[i]) * 2 ^ (SIGNIFICAND_BITS[t.dtype] - exponent)
    if not support.same_value(got, values[i]) then
      most = off == off and math.max(most, off) or math.huge
    end
  end
  return most
end

--- The sentence f(...) raises, without its position; raises when f does not.
function support.message(f, ...)
  local ok, message = pcall(f, ...)
  if ok then
    error("expected an error, none came", 2)
  end
  return (tostring(message):gsub("^[^:]+:%d+: ", ""))
end

--- The text as one word of a shell.
function support.quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end
local quote = support.quote

local default_device = support.device == "cpu" and "" or " -e 'require \"spec.support.device\"'"

--- Runs a chunk in a child luajit that finds the same modules and has the same default device;
--- gives what it printed on both streams and its exit status. `environment` adds variables,
--- `command` replaces "luajit".
function support.run(chunk, environment, command)
  local words = { "LUA_PATH=" .. quote(package.path), "LUA_CPATH=" .. quote(package.cpath) }
  for name, value in pairs(environment or {}) do
    words[#words + 1] = name .. "=" .. quote(value)
  end
  words[#words + 1] = (command or "luajit" .. default_device) .. " -e " .. quote(chunk)
  local pipe = assert(io.popen(table.concat(words, " ") .. " 2>&1; echo \"status $?\""))
  local text = pipe:read("*a")
  pipe:close()
  local output, status = text:match("^(.*)status (%d+)\n$")
  return output, tonumber(status)
end

--- The result of f for a new folder with files of these paths and contents, which is then removed.
function support.in_folder(files, f)
  local root = os.tmpname()
  os.remove(root)
  os.execute("mkdir " .. quote(root))
  for path, content in pairs(files) do
    os.execute("mkdir -p " .. quote((root .. path):match("^(.*)/")))
    local file = assert(io.open(root .. path, "w"))
    file:write(content)
    file:close()
  end
  local result = f(root)
  os.execute("rm -r " .. quote(root))
  return result
end

return support
