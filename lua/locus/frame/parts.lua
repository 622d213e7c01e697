-- SPDX-License-Identifier: MIT
-- Chunks of existing data: tensors along their first dimension, string columns, frames.
local core = require "locus.core"
local frame = require "locus.frame.frame"
local strings = require "locus.frame.strings"
local internal = core.internal

local parts = {}

function parts.has(source)
  return core.is_tensor(source) or strings.is(source) or frame.is(source)
end

-- An iterator over views of at most `rows` rows, each with the position of its first row. `given`:
-- the options of the caller.
function parts.of(raise, given, rows)
  local source, last = given.source, 0
  for name in pairs(given) do
    if name ~= "source" and name ~= "rows" then
      raise("'%s' is for text, and 'source' is %s", name, internal.describe(source))
    end
  end
  if core.is_tensor(source) and core.methods.dim(source) == 0 then
    raise("'source' has no rows: it is %s", internal.describe(source))
  end
  local size = frame.is(source) and #source or strings.is(source) and #source
    or core.methods.size(source, 1)
  return function()
    if last >= size then return nil end
    local first = last + 1
    last = math.min(last + rows, size)
    return source[{{first, last}}], first
  end
end

return parts
