-- SPDX-License-Identifier: MIT
-- The first code of every process of Lua (LUA_INIT) when .ci/mutation/cover.lua looks which blocks
-- of lua/ a spec reaches: a block sets its element of this table, and its number is noted, each
-- once and at once, since not every process ends well.
local path = os.getenv("LOCUS_HITS")

LOCUS_HITS = setmetatable({}, { -- luacheck: ignore 111
  __newindex = function(hits, block)
    rawset(hits, block, true)
    local file = io.open(path, "a")
    if file then
      file:write("lua ", block, "\n")
      file:close()
    end
  end,
})
