-- SPDX-License-Identifier: MIT
-- The calls of known.lua with short operands: drawn.lua SEED COUNT [OP ...]. A thousand calls of
-- each op, in a fifth of a second, show which special values its operands hold.
require("fuzz.callers.known.arrays").short = true
require "fuzz.callers.known"
