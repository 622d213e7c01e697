-- SPDX-License-Identifier: MIT
-- The prompt of locus without a terminal: a function that runs a text as if it had been typed, with
-- the lines of a list behind it, and answers with what that shows; the session; and a list that
-- gets what is remembered.
local evaluate = require "locus.repl.evaluate"
local prompt = require "locus.repl.prompt"

-- A file whose text is taken away.
local function collector()
  local parts = {}
  local file = {}
  function file:write(...)
    for i = 1, select("#", ...) do parts[#parts + 1] = tostring((select(i, ...))) end
    return self
  end
  function file.flush() end
  local function take()
    local text = table.concat(parts)
    parts = {}
    return text
  end
  return file, take
end

return function()
  local out, take = collector()
  local session, lines, kept = evaluate.session(), {}, {}
  local editor = {read = function() return table.remove(lines, 1) end,
                  remember = function(text) kept[#kept + 1] = text end}
  local made = prompt.over(session, out, editor, {add = function() end})
  rawset(session.variables, "print", function(...)
    local words = {}
    for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
    out:write(table.concat(words, "\t"), "\n")
  end)
  local function run(text, more)
    lines = more or {}
    made:run(text)
    return take()
  end
  return run, session, kept
end
