-- SPDX-License-Identifier: MIT
-- Every call of spec/support/calls.lua, stopped by Ctrl-C whenever it asks; spec/support/polls.c
-- runs this.
local ffi = require "ffi"
local failing = require "spec.support.failing"

ffi.cdef "int polls_stop(int k);"

failing {
  arm = ffi.C.polls_stop,
  disarm = function() return ffi.C.polls_stop(0) end,
  message = "interrupted!$",
}
