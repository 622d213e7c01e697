-- SPDX-License-Identifier: MIT
-- A value that is to stand where a function has none: an element of a dtype, or nil where the dtype
-- cannot hold it.
local core = require "locus.core"

-- A tensor of that one element, on the CPU.
return function(value, dtype)
  local ok, made = pcall(core.full, {1}, value, {dtype = dtype, device = "cpu"})
  if ok then return made end
  if made:find("out of memory", 1, true) or made:find("interrupted!$") then error(made, 0) end
end
