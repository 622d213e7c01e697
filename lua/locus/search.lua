-- SPDX-License-Identifier: MIT
-- seq:searchsorted(4): one lookup through LuaJIT's FFI, which allocates nothing and stays compiled.
-- Everything else, errors too, goes on to the C core as it came.
local handle = require "locus.handle".type
local ffi = handle and require "ffi"

-- Serves a number in a tensor of that metatable that is 1-D, real and on the CPU.
return function(core, metatable)
  if not handle then return end
  local all, internal = core.searchsorted, core.internal
  local search_number = ffi.cast("double (*)(const void *, double)", internal.search_number())
  local real = {}
  for i, name in ipairs(internal.dtypes()) do real[i - 1] = not name:find("complex", 1, true) end

  local function searchsorted(...)
    local seq, value = ...
    if select("#", ...) == 2 and type(value) == "number" and getmetatable(seq) == metatable then
      local t = ffi.cast(handle, seq).tensor
      if t.ndim == 1 and t.direct ~= 0 and real[t.dtype] then return search_number(t, value) end
    end
    return all(...)
  end

  core.searchsorted, core.methods.searchsorted = searchsorted, searchsorted
end
