-- SPDX-License-Identifier: MIT
-- The line editor of last resort: the terminal's own, or none where lines come from elsewhere.
local plain = {name = "plain"}

-- Reads a line behind a prompt: the line; nil at the end; false after Ctrl-C.
function plain.read(prompt)
  io.stdout:write(prompt)
  io.stdout:flush()
  local ok, line, reason = pcall(function()
    local line, reason = io.read("*l")
    return line, reason -- in a frame of its own: here the hook of Ctrl-C is called
  end)
  if ok and not reason then return line end
  io.stdout:write("\n")
  return false
end

function plain.remember() end

return plain
