-- SPDX-License-Identifier: MIT
-- The files that tell editors of lua/locus. What others inherit from comes first.
return {
  "lua/locus/meta/bound.lua",
  "lua/locus/meta/files.lua",
  "lua/locus/meta/selection.lua",
  "lua/locus/meta/shape.lua",
  "lua/locus/meta/searching.lua",
  "lua/locus/meta/reduced.lua",
  "lua/locus/meta/chance.lua",
  "lua/locus/meta/sets.lua",
  "lua/locus/meta/by_index.lua",
  "lua/locus/meta/plot.lua",
  "lua/locus/meta/mpi.lua",
  "lua/locus/meta/sharded.lua",
  "lua/locus/meta/locus.lua",
  "lua/locus/meta/frame.lua",
}
