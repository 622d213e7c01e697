-- SPDX-License-Identifier: MIT
-- Blanks: userdata that have no tensor yet. They are made many at a time, so that calls through the
-- FFI can fill one without leaving compiled code.
local blanks = require("locus.core").internal.blanks

local BATCH = 64
local kept, count = {}, 0

local blank = {}

-- A blank that nobody else has. Finalizers run while more are made, and may take some; an interrupt
-- between two lines loses one at most.
function blank.take()
  if count == 0 then
    local made = blanks(BATCH)
    kept, count = made, BATCH
  end
  local at = count
  count = at - 1
  local userdata = kept[at]
  kept[at] = false
  return userdata or blank.take()
end

-- Gives back one that was not filled.
function blank.give(userdata)
  count = count + 1
  kept[count] = userdata
end

return blank
