-- SPDX-License-Identifier: MIT
-- The rows of a frame, one after the other.
local column = require "locus.frame.column"
local row_at = require("locus.frame.row").at

local FIRST, MOST = 16, 256 -- rows that are read at a time, and kept where one of them is

return function(frame)
  -- A function that reads rows first..last into lists by name.
  local function reader(state)
    local readers = {}
    for name, c in pairs(state.columns) do readers[name] = column.reader(c) end
    return function(first, last)
      local lists = {}
      for name, read in pairs(readers) do lists[name] = read(first, last) end
      return lists
    end
  end

  -- for i, row in f:iter() do: each row by name, to be read. The columns are read in blocks, so a
  -- write into them meanwhile may not be seen.
  frame.method("iter(frame:any)", function(state)
    local names, read, lists = state.names, reader(state), nil
    local i, before, last, block = 0, 0, 0, FIRST
    return function()
      if i == state.rows then return nil end
      if i == last then
        before, last = last, math.min(last + block, state.rows)
        lists, block = read(before + 1, last), math.min(2 * block, MOST)
      end
      i = i + 1
      return i, row_at(names, lists, i - before)
    end
  end)
end
