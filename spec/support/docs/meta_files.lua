-- SPDX-License-Identifier: MIT
-- The files that tell editors of lua/locus. What others inherit from comes first.
return {
  "lua/locus/meta/functions.lua",
  "lua/locus/meta/sharded.lua",
  "lua/locus/meta/locus.lua",
  "lua/locus/meta/frame.lua",
}
