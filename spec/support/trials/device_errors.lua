-- SPDX-License-Identifier: MIT
-- Every call of spec/ops on the emulated CUDA device, each piece of whose work fails
-- in its turn. Work queued behind that is lost, and the device answers nothing else until it is
-- repaired.
local ffi = require "ffi"
local locus = require "locus"
local failing = require "spec.support.trials.failing"

ffi.cdef [[
  int locus_emulator_fail_at(int error, int k);
  void locus_emulator_mend(void);
]]
locus.cuda.synchronize() -- loads it
local emulator = ffi.load(package.searchpath("locus.cuda_emu", package.cpath))

failing {
  arm = function(k) emulator.locus_emulator_fail_at(719, k) end, -- cudaErrorLaunchFailure
  disarm = function()
    pcall(locus.cuda.synchronize) -- what is queued may fail, too
    local reached = emulator.locus_emulator_fail_at(0, 0)
    emulator.locus_emulator_mend()
    return reached
  end,
  message = "unspecified launch failure", each = 6,
}
