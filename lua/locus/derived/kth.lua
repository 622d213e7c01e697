-- SPDX-License-Identifier: MIT
-- Elements by rank, for other files.
local core = require "locus.core"
local internal, methods = core.internal, core.methods

-- kth_segments(values, offsets, ranks): of each segment of the 1-D values the elements of its
-- ranks: what stands there, from 0 on, once the segment is sorted. Segment s has the values from
-- offsets[s], counted from 0, until before offsets[s + 1] (int64); ranks are int64
-- [segments, wanted] and never fall along a row. Zeros come as +0.
function internal.kth_segments(values, offsets, ranks)
  local contiguous = methods.contiguous
  return internal.kth(contiguous(values), contiguous(ranks), contiguous(offsets))
end
