-- SPDX-License-Identifier: MIT
-- Questions to examples/lookup and the right answers: the sequence of step s is s, 2s, ... and ENDS
-- after so many elements. Also a process that asks until it is told to end.
local http = require "spec.support.programs.http"

local lookups = {ENDS = 200000}

--- Where a value, a multiple of 1/2, belongs in the sequence of that step.
function lookups.position(step, value)
  return math.max(1, math.min(math.ceil(value / step), lookups.ENDS + 1))
end

--- The answer to a body that holds those values.
function lookups.answer(step, values, json)
  local list = {}
  for i, value in ipairs(values) do list[i] = lookups.position(step, value) end
  return json and "[" .. table.concat(list, ",") .. "]\n" or table.concat(list, "\n") .. "\n"
end

-- Values whose answers differ in the sequences of all steps.
local function random_values(count)
  local values = {}
  for i = 1, count do values[i] = math.random(2000, 2 * lookups.ENDS) / 2 end
  return values
end

-- Asks for one value, for lines of values, or for a JSON array; gives the values and the answer.
local function ask(port, kind)
  local values = random_values(kind == 1 and 1 or 20)
  if kind == 1 then return values, http.ask(port, "/lookup?v=" .. values[1]) end
  local body = kind == 2 and table.concat(values, "\n") or "[" .. table.concat(values, ", ") .. "]"
  return values, http.ask(port, "/lookup", body)
end

-- The step, up to the greatest, whose sequence gives this answer to all of the values.
local function step_of(answer, values, json, steps)
  for step = 1, steps do
    if answer == lookups.answer(step, values, json) then return step end
  end
end

--- Asks one question after the other until there is the file `ended`, or too much is wrong. Writes
--- a line for each: the step whose sequence has answered, or what came in place of an answer.
function lookups.load(port, steps, ended, log)
  local file, kind, wrong = io.open(log, "w"), 0, 0
  file:setvbuf "line"
  repeat
    kind = kind % 3 + 1
    local values, status, answer = ask(port, kind)
    local step = status == 200 and step_of(answer, values, kind == 3, steps)
    file:write(step or ("wrong: %s %s"):format(status, answer), "\n")
    wrong = wrong + (step and 0 or 1)
    local told = io.open(ended)
  until told or wrong == 100
end

return lookups
