-- SPDX-License-Identifier: MIT
-- What readers of text answer, and whether they answer it with any number of threads.
local locus = require "locus"

local answers = {}

-- Everything that a reader answers, as a string: values, numbers of strings, names, bad lines.
function answers.told(frame)
  local parts = {tostring(#frame)}
  for _, name in ipairs(frame:columns()) do
    local column = frame:column(name)
    local strings = not locus.is_tensor(column)
    parts[#parts + 1] = (strings and column.ids or column):tobytes()
    if strings then parts[#parts + 1] = table.concat(column.names, "\1") end
  end
  local _, bad = pcall(function() return frame.bad end)
  if type(bad) == "userdata" then
    for _, row in bad:iter() do
      parts[#parts + 1] = ("%d|%s|%s|%s"):format(row.line, row.column, row.text, row.reason)
    end
  end
  return table.concat(parts, "\2")
end

-- The result of `read`, or its error.
local function outcome(read)
  local ok, answer = pcall(read)
  return ok and answers.told(answer) or "error: " .. tostring(answer)
end

-- Asks with one thread and with several; a difference is an error that names `about`.
function answers.same_for_threads(about, read)
  local threads = locus.get_num_threads()
  locus.set_num_threads(1)
  local alone, differs = outcome(read), nil
  for _, n in ipairs {2, 3, 5, 16} do
    locus.set_num_threads(n)
    if outcome(read) ~= alone then differs = n end
  end
  locus.set_num_threads(threads)
  assert(not differs, ("%s: %s threads differ from one"):format(about, differs))
  return alone
end

return answers
