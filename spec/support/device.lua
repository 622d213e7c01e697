-- SPDX-License-Identifier: MIT
-- Run before the specs, and in the processes they start, where LOCUS_TEST_DEVICE names a device:
-- tensors made without `device` are made there, in every file and every spec, whatever the one
-- before has set. All spec files share this one Lua half of the module.
local busted = package.loaded["busted"]
local locus = require "locus"

local function begin()
  locus.set_default_device(os.getenv "LOCUS_TEST_DEVICE")
  return nil, true -- for whom else it concerns
end

-- Tensors that a file left on the device would make every call of the next ones slower.
local function finish()
  collectgarbage()
  collectgarbage()
  locus.cuda.empty_cache()
  return nil, true
end

begin()
if busted and busted.subscribe then
  -- busted forgets which files a file of specs has loaded: a second copy would not know the frames
  -- of the first, and would register its names once more.
  for _, load in pairs(require("locus.call.declare").later) do load() end
  require "locus.mpi"
  for _, what in ipairs{"file", "describe", "test"} do busted.subscribe({what, "start"}, begin) end
  busted.subscribe({"file", "end"}, finish)
end
