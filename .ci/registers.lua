-- SPDX-License-Identifier: MIT
-- Limits for the kernels of searchsorted, nonzero and where on dense inputs, and for those of runs,
-- groups, ranks, repeats and as-of that read all rows. None may have a stack frame or spills, on
-- any architecture. On this one each has at most n registers, so that a multiprocessor can hold the
-- threads that its loads need. It has 65,536 registers, given out in units of 8 a thread.
return {
  architecture = "sm_90",
  -- 128 threads a block: nine blocks, and twelve
  { "direct_search<*>", 56 },
  { "plain_search<*>", 40 },
  -- 512 threads a block: two blocks, whose threads have four loads under way
  { "tree_search<*, true>", 64 },
  { "levels_search<*, true>", 64 },
  -- 512 threads a block: four blocks, all that a processor has
  { "fill_level<*>", 32 },
  -- 256 threads a block, or 128: three quarters of a processor's threads, and all
  { "mask_bits<*, true>", 40 },
  { "mask_count<*, true>", 32 },
  -- 512 threads, and one block
  { "add_up", 64 },
  -- 128 threads a block: twelve blocks, for which there is shared memory
  { "nonzero_rows", 40 },
  { "select_set<*>", 40 },
  -- 256 threads a block: four blocks, and two vectors of each operand for a thread
  { "where_rows<*>", 64 },
  -- 128 threads a block: eight blocks
  { "answer_groups<*>", 64 },
  -- 256 threads a block: six blocks
  { "repeat_pieces<*>", 40 },
  { "rank_segments<*>", 40 },
  -- 256 threads a block: eight blocks, all that a processor has
  { "start_bits<*>", 32 },
  { "tied_ranks<*>", 32 },
  { "count_digits<*>", 32 },
  { "find_rows<*>", 32 },
}
