-- SPDX-License-Identifier: MIT
-- The first code of every Lua process (LUA_INIT) while .ci/mutation/cover.lua records which blocks
-- of lua/ a spec reaches. A block sets its element of this table. Its number is then written, once
-- and immediately, since not every process ends normally.
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
