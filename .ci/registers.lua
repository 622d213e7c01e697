-- SPDX-License-Identifier: MIT
-- Kernels of searchsorted, nonzero and where that dense inputs take: none has a stack frame or
-- spills, on any architecture, and on this one each has at most so many registers as leave a
-- processor the threads that its loads need: of 65,536, in units of 8 a thread.
return {
  architecture = "sm_90",
  -- 512 threads a block: two blocks, as many as their trees leave room for
  { "direct_search<*>", 64 },
  { "tree_search<*, true>", 64 },
  { "levels_search<*, true>", 64 },
  -- 512 threads a block: four blocks, all that a processor has
  { "fill_level<*>", 32 },
  -- 512 threads a block: three blocks
  { "mask_bits<*, true>", 40 },
  -- 1024 threads, and one block
  { "add_up", 64 },
  -- 256 threads a block: five blocks
  { "nonzero_rows", 48 },
  -- 256 threads a block: four blocks, and two vectors of each operand for a thread
  { "where_rows<*>", 64 },
}
