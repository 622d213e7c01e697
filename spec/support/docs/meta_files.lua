-- SPDX-License-Identifier: MIT
-- The files that tell editors of lua/locus. A class comes before those that inherit from it.
return {
  "lua/locus/meta/functions.lua",
  "lua/locus/meta/sharded.lua",
  "lua/locus/meta/locus.lua",
  "lua/locus/meta/frame.lua",
}
