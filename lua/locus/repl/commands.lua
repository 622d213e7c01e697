-- SPDX-License-Identifier: MIT
-- The prompt's lines beside Lua: those that begin with ? ask for help, those with % are commands.
local clock = require "locus.repl.clock"
local core = require "locus.core"
local kinds = require "locus.repl.kinds"
local locus = require "locus"
local lookup = require "locus.repl.lookup"
local show = require "locus.repl.show"

local MOST_FOUND = 20 -- lines of a search

local commands = {}

-- -- Help ----------------------------------------------------------------------------------------

local GENERAL = [[
?name        tells of a function, a method or a page; also ?x:sort of a variable x
?"words"     where the documentation has these words
%time line   runs a line and says how long it took
%bench line  runs it again and again and says how long once takes
%trace       the calls that led to the last error
_            the last value; a semicolon at the end of a line hides it
Tab          completes names, fields, methods, arguments in braces, files in quotes
Ctrl-C       stops what runs, or drops the line; Ctrl-D ends]]

local ABOUT_LOCUS = [[
locus is the module. ?name tells of a function, ?guide of the first ten minutes; Tab after locus.
lists what there is.]]

-- The documentation's name of a method: "sort" of a tensor, "frame:sort" of a frame.
local function topic(kind, name)
  return kind.word == "tensor" and name or kind.word .. ":" .. name
end

-- A value of locus in a few words, and how to ask on.
local function about_value(name, value)
  return ("%s is %s. ?%s:name tells of a method, Tab after %s: lists them."):format(name,
    core.internal.describe(value), name, name)
end

-- The request: the name of a topic, or the text about a value.
local function meant(variables, query)
  local base, name = query:match("^([%a_][%w_.]*)[:.]([%a_][%w_]*)$")
  local function held(path)
    local parts = {}
    for part in path:gmatch("[^.:]+") do parts[#parts + 1] = part end
    local value = parts[1] and lookup.path(variables, parts)
    return value, kinds.of(value)
  end
  local _, kind = held(base or "")
  if kind and kinds.method(kind, name) then return topic(kind, name) end
  local value, own = held(query)
  if own then return nil, about_value(query, value) end
  if query == "locus" and value == locus then return nil, ABOUT_LOCUS end
  return query
end

local function search(prompt, text, pages)
  local found = pages.search(text)
  for i = 1, math.min(#found, MOST_FOUND) do
    prompt:say(found[i].name .. ": " .. found[i].line)
  end
  if #found == 0 then prompt:say(("no page mentions '%s'"):format(show.lines(text))) end
  if #found > MOST_FOUND then prompt:say(("... %d more"):format(#found - MOST_FOUND)) end
end

local function ask(prompt, query)
  if query == "" then return prompt:say(GENERAL) end
  local name, told = meant(prompt.session.variables, query)
  if told then return prompt:say(told) end
  local pages = require "locus.help"
  local words = query:match('^"(.-)"?$') or query:match("^'(.-)'?$")
  if words then return search(prompt, words, pages) end
  local text, sentence = pages.text(name)
  if not text and name:find("%S%s+%S") then return search(prompt, name, pages) end
  prompt:say(text or sentence)
end

-- -- Commands ------------------------------------------------------------------------------------

local run = {}

local function compiled(prompt, text)
  local chunk, message = prompt.session:compile(text)
  if not chunk then prompt:fail(message or "the line ends too early", text) end
  return chunk
end

function run.time(prompt, text)
  local chunk = compiled(prompt, text)
  if not chunk then return end
  local wall, cpu = clock.now(), os.clock()
  local done, answer = prompt.session:call(chunk.run)
  wall, cpu = clock.now() - wall, os.clock() - cpu
  if not done then return prompt:fail(answer, text) end
  prompt:show(answer, chunk, text)
  prompt:say(("%s by the clock, %s of the processors"):format(clock.text(wall), clock.text(cpu)))
end

function run.bench(prompt, text)
  local chunk = compiled(prompt, text)
  if not chunk then return end
  local done, answer = prompt.session:call(function() return clock.bench(chunk.run) end)
  if not done then return prompt:fail(answer, text) end
  local b = answer[1]
  prompt:say(("%s, at best %s: the median of %d times %d runs"):format(clock.text(b.median),
    clock.text(b.least), b.samples, b.runs))
end

function run.trace(prompt)
  prompt:say(show.lines(prompt.session.trace or "there was no error yet"))
end

commands.names = {}
for name in pairs(run) do commands.names[#commands.names + 1] = "%" .. name end
table.sort(commands.names)

-- Runs a line that is no Lua; false if it is Lua.
function commands.run(prompt, line)
  local query = line:match("^%s*%?%s*(.-)%s*$")
  if query then
    ask(prompt, query)
    return true
  end
  local name, rest = line:match("^%s*%%(%w*)%s*(.-)%s*$")
  if not name then return false end
  if run[name] and rest == "" and name ~= "trace" then
    prompt:say(("%%%s needs a line of Lua behind it"):format(name))
  elseif run[name] then
    run[name](prompt, rest)
  else
    prompt:say(("there is no %%%s; there are %s"):format(name, table.concat(commands.names, ", ")))
  end
  return true
end

return commands
