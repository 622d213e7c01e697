-- SPDX-License-Identifier: MIT
-- The answers of calls, as text: for spec/process/flushing_spec.lua, which compares them with those
-- where denormal numbers are taken for zero.
local locus = require "locus"

local TINY, LEAST = 2 ^ -1074, 2 ^ -1022
local values = {TINY, -TINY, 0, 1, LEAST, LEAST / 2, -LEAST / 4, 3e-310, 1e-320, 2.5, -0.0}

-- Bit for bit: %a does not round, and no arithmetic is done here.
local function bits(x)
  local list = {}
  local bytes = x:contiguous():tobytes()
  for i = 1, #bytes do list[i] = ("%02x"):format(bytes:byte(i)) end
  return table.concat(list)
end

local function text(...)
  local list = {}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    list[i] = locus.is_tensor(value) and bits(value)
      or type(value) == "number" and bits(locus.tensor(value)) or tostring(value)
  end
  return table.concat(list, " ")
end

-- The answer of the call, or the sentence that it raises.
local function answer_of(call)
  local ok, answer = pcall(function() return text(call[2]()) end)
  return ok and answer or tostring(answer):gsub("^[^:]+:%d+: ", "")
end

local calls = {}
local function add(name, f) calls[#calls + 1] = {name, f} end

-- Comparisons of bodies in Lua, and single writes.
add("histogram", function() return locus.histogram(locus.tensor{1e-310, 2e-310}, 2) end)
add("histogram of a range", function()
  return locus.histogram(locus.tensor(values), 3, {range = {1e-310, 2e-310}})
end)
add("histc", function() return locus.histc(locus.tensor(values), 3, 1e-310, 2e-310) end)
add("multinomial", function()
  locus.manual_seed(1)
  return locus.multinomial(locus.tensor{1e-311, 1e-310, 0}, 2)
end)
add("interp", function()
  return locus.interp({1e-311, 2e-310}, {0, 1e-310}, {0, 1}, {period = 1e-310})
end)
for _, dtype in ipairs {"int64", "uint8", "float64"} do
  add("write to " .. dtype, function()
    local x = locus.zeros({2}, {dtype = dtype})
    for _ = 1, 100 do x[1] = -0.0 end
    x[2] = 1e-310
    return x
  end)
end

for _, dtype in ipairs {"float64", "float32", "float16", "int64", "int32", "uint8"} do
  local pushed = dtype:find "int" and {3e-310} or {1e-40, -1e-44, 2 ^ -149, LEAST / 2}
  add("builder of " .. dtype, function()
    local b = locus.builder(dtype)
    for _ = 1, 100 do b:push(-0.0) end
    for _, value in ipairs(pushed) do b:push(value) end
    return b:column()
  end)
end

-- A search of one number, which asks for the state of the thread only where that has a say.
for _, dtype in ipairs {"float64", "float32", "float16", "bfloat16", "int64", "uint8"} do
  local list = dtype:find "int" and {0, 1, 1, 2, 3}
    or {-2, -0.1, -TINY, 0, TINY, 1e-310, LEAST, 2 ^ -149, 2 ^ -126, 0.1, 2}
  local sequence = locus.tensor(list, {dtype = dtype})
  add("one number in " .. dtype, function()
    local places = {}
    for _, value in ipairs {TINY, -TINY, 0, 1e-310, LEAST, -LEAST, 2 ^ -149, 3e-40, 2 ^ -126,
                            0.1, 1 / 3, 1, 1.1, locus.nan, locus.inf} do
      for _, side in ipairs {"left", "right"} do
        places[#places + 1] = sequence:searchsorted(value, {side = side})
      end
    end
    return table.concat(places, " ")
  end)
end

for _, dtype in ipairs {"float64", "float32", "float16", "bfloat16"} do
  local scale = ({float64 = 1, float32 = 2 ^ 925, float16 = 2 ^ 1050, bfloat16 = 2 ^ 941})[dtype]
  local list = {}
  for i, value in ipairs(values) do
    list[i] = (value == 1 or value == 2.5) and value or value * scale
  end
  local x = locus.tensor(list, {dtype = dtype})
  local y = locus.flip(x, 1)
  local row = locus.tile(x, 20000)
  local function of(name, f) add(dtype .. " " .. name, f) end
  of("+", function() return x + y end)
  of("*", function() return x * 0.5, x * y end)
  of("/", function() return x / 3, locus.ones_like(x) / x end)
  of("- number", function() return x - list[1] end)
  of("% and floor_divide", function() return x % 3, x:floor_divide(list[1]) end)
  of("abs sqrt neg sign", function() return x:abs(), x:abs():sqrt(), -x, x:sign() end)
  of("exp", function() return (x - 90):exp(), locus.full({3}, -103.5, {dtype = dtype}):exp() end)
  of("compare", function() return x:gt(0), x:eq(0), x:ne(y), x:lt(y), x:eq(list[1]) end)
  of("sort", function() return x:sort() end)
  of("argsort", function() return x:argsort() end)
  of("searchsorted", function() return x:sort():searchsorted(x), x:sort():searchsorted(list[1]) end)
  of("searches in a loop", function()
    local sorted, sum = x:sort(), 0
    for _ = 1, 200 do sum = sum + sorted:searchsorted(list[6]) end
    return sum
  end)
  of("nonzero", function() return x:nonzero(), x:count_nonzero(), x:any(), x:all() end)
  of("where", function() return locus.where(x:gt(0), x, 0), locus.where(x:ne(0), x, list[1]) end)
  of("sum", function() return x:sum(), x:mean(), row:sum(), row:norm() end)
  of("min and max", function() return x:min(), x:max(), x:argmin(), x:abs():amin(1) end)
  of("cumsum", function() return x:cumsum(1), row:cumsum(1), x:cumprod(1) end)
  of("unique", function() return x:unique() end)
  of("isin", function() return x:isin(y), x:isin(list[1]) end)
  of("shared among threads", function() return row * 0.5, row:gt(0), row:unique() end)
  of("clamp", function() return x:clamp(list[7], list[6]) end)
  of("to", function() return x:double(), x:float(), x:half(), x:bool(), x:bfloat16() end)
  of("print", function() return tostring(x) end)
  of("small calls", function()
    local z
    for _ = 1, 200 do z = x + y z = z * 0.5 end
    return z
  end)
  of("elements", function()
    local z = x:clone()
    for i = 1, #z do z[i] = list[#z + 1 - i] end
    return z, z[1], z[2], x[1], x[6]
  end)
  of("totable", function() return unpack(x:totable()) end)
  of("median", function() return x:median(), x:kthvalue(3) end)
  of("histogram", function() return x:double():histogram({0, list[1], 1, 3}) end)
end

add("read_csv", function()
  local f = locus.read_csv({text = "x,y\n5e-324,1e-40\n2.2e-308,1e-45\n1e-310,0\n"},
    {types = {x = "float64", y = "float32"}})
  return f.x, f.y
end)
add("write_csv", function()
  local path = os.tmpname()
  locus.write_csv(locus.frame {{"x", locus.tensor(values)}, {"y", locus.tensor(values):float()}},
    path)
  local file = io.open(path, "rb")
  local written = file:read("*a")
  file:close()
  os.remove(path)
  return written
end)
add("print of a frame", function()
  return tostring(locus.frame {{"x", locus.tensor(values)}})
end)
add("asof and interp", function()
  local s = locus.tensor {0, TINY, 1e-310, 1}
  return s:asof(locus.tensor(values)), s:interp(s, locus.tensor {1, 2, 3, 4})
end)
add("errors", function() return locus.tensor({1e-310}, {dtype = "int64"}) end)

-- `how` is "flushing", "flushing from the start", before the pool has threads, or "upward", where
-- numbers are rounded so; what Lua itself converts is then Lua's. Prints what differs.
return function(path, how)
  local ffi = require "ffi"
  ffi.cdef "void flushing_on(void); void flushing_off(void); void upward_on(void);"
  ffi.cdef "void upward_off(void); int is_flushing(void);"
  local library = ffi.load(path)
  local on, off = library.flushing_on, library.flushing_off
  if how == "upward" then on, off = library.upward_on, library.upward_off end
  local first = {}
  if how == "flushing from the start" then
    on()
    for i, call in ipairs(calls) do first[i] = answer_of(call) end
    off()
  end
  for i, call in ipairs(calls) do
    local plain = answer_of(call)
    on()
    local answer = first[i] or answer_of(call)
    off()
    if answer ~= plain and not (how == "upward" and call[1]:find "elements") then
      print(call[1] .. " differs:\n" .. plain .. "\n" .. answer)
    end
  end
  print(#calls .. " calls")
end
