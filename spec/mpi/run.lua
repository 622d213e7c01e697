-- SPDX-License-Identifier: MIT
-- The work of the ranks for spec/mpi/mpi_spec.lua: run the scripts of these names, one after the
-- other, and tell how many checks held.
local check = require "spec.mpi.check"

return function(...)
  for _, name in ipairs {...} do require("spec.mpi." .. name) end
  check.finish()
end
