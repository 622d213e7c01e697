-- SPDX-License-Identifier: MIT
-- The files that tell editors of lua/locus. What others inherit from comes first.
return {
  "lua/locus/meta/bound.lua",
  "lua/locus/files/meta.lua",
  "lua/locus/derived/meta.lua",
  "lua/locus/meta/shape.lua",
  "lua/locus/meta/searching.lua",
  "lua/locus/meta/reduced.lua",
  "lua/locus/meta/chance.lua",
  "lua/locus/meta/sets.lua",
  "lua/locus/meta/by_index.lua",
  "lua/locus/meta/plot.lua",
  "lua/locus/mpi/meta.lua",
  "lua/locus/sharded/meta.lua",
  "lua/locus/meta.lua",
  "lua/locus/frame/meta.lua",
}
