-- SPDX-License-Identifier: MIT
-- require "locus": the C core with what only Lua can give it.
local core = require "locus.core"

local source = debug.getinfo(1, "S").source:gsub("init%.lua$", "")
local has_ffi, ffi = pcall(require, "ffi")

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

local hooks = {source = source, size = size}
if has_ffi then
  local int64, uint64 = ffi.typeof("int64_t"), ffi.typeof("uint64_t")
  local complex, complex_float = ffi.typeof("complex"), ffi.typeof("complex float")

  -- What a cdata is, as a kind and two doubles that hold it exactly.
  function hooks.classify(v)
    if ffi.istype(int64, v) or (ffi.istype(uint64, v) and v < 2ULL ^ 63) then
      local low = v % 4294967296LL
      if low < 0 then low = low + 4294967296LL end
      return "int64", tonumber((v - low) / 4294967296LL), tonumber(low)
    elseif ffi.istype(complex, v) or ffi.istype(complex_float, v) then
      return "complex", tonumber(v.re), tonumber(v.im)
    end
  end
  function hooks.int64(high, low) return int64(high) * 4294967296LL + int64(low) end
  function hooks.complex(re, im) return ffi.new(complex, re, im) end
end
core.setup(hooks)

local methods, metatable = core.methods, core.metatable
metatable.__index = methods

local locus = {nan = 0 / 0, inf = 1 / 0, methods = methods}
for name, value in pairs(core) do locus[name] = value end
return locus
