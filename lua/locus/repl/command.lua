-- SPDX-License-Identifier: MIT
-- The command locus and its arguments.
local evaluate = require "locus.repl.evaluate"
local internal = require("locus.core").internal

local USAGE = [=[
usage: locus [options] [script [arguments]]
  without a script: the prompt, or where no terminal is there a program from the input
  -e LINE        runs a line, with locus at hand; one that begins with = shows its value
  -l MODULE      requires a module
  -i             the prompt after the script or the lines
  -v, --version  says which locus and which LuaJIT
  -h, --help     says this
  --             ends the options; - as a script is the input]=]

local VALUED = {["-e"] = "a line", ["-l"] = "the name of a module"}
local LONG = {["--help"] = "-h", ["--version"] = "-v"}
local FLAGS = {["-i"] = true, ["-h"] = true, ["-v"] = true}

-- {actions, flags, script, rest}: the actions in order, as {"-e", line}; nil and a sentence for
-- arguments that mean nothing.
local function parse(arguments)
  local parsed, i = {actions = {}}, 1
  while arguments[i] and arguments[i]:find("^%-.") do
    local word = LONG[arguments[i]] or arguments[i]
    local option, value = word:sub(1, 2), word:sub(3)
    i = i + 1
    if word == "--" then break end
    if VALUED[option] then
      if value == "" then
        value, i = arguments[i], i + 1
        if not value then return nil, ("%s wants %s"):format(option, VALUED[option]) end
      end
      table.insert(parsed.actions, {option, value})
    elseif FLAGS[word] then
      parsed[word] = true
    else
      return nil, ("there is no option %s; locus --help lists them"):format(word)
    end
  end
  parsed.script, parsed.rest = arguments[i], {unpack(arguments, i + 1)}
  return parsed
end

local function traced(problem)
  if type(problem) ~= "string" then return problem end
  return (debug.traceback(problem, 2):gsub("\n[^\n]*locus/repl/command%.lua:.*", ""))
end

-- Tells of an error; always false.
local function tell(problem)
  local show = require "locus.repl.show"
  io.stdout:flush()
  io.stderr:write("locus: ",
    type(problem) == "string" and show.lines(problem) or show.raised(problem), "\n")
  return false
end

-- Calls f(...); false where it fails, which is told.
local function attempt(f, ...)
  local done, problem = xpcall(f, traced, ...)
  return done or tell(problem)
end

-- Runs a program among the variables of the session, and shows the answers of one that begins with
-- =.
local function run_text(session, text, name)
  local run, message = loadstring((text:gsub("^%s*=", "return ")), name)
  if not run then return tell(message) end
  setfenv(run, session.variables)
  return attempt(function()
    local results = {n = 0}
    local function keep(...) results = {n = select("#", ...), ...} end
    keep(run())
    for i = 1, results.n do print(require("locus.repl.show").text(results[i])) end
  end)
end

local ACTIONS = {
  ["-e"] = function(session, line) return run_text(session, line, "=(command line)") end,
  ["-l"] = function(_, name) return attempt(require, name) end,
}

local function run_script(parsed)
  local run, message = loadfile(parsed.script ~= "-" and parsed.script or nil)
  if not run then return tell(message) end
  return attempt(function(...) run(...) end, unpack(parsed.rest))
end

local function input(session)
  if internal.is_terminal(io.stdin) then return require("locus.repl.prompt").run(session) end
  return run_text(session, io.read("*a"):gsub("^#[^\n]*", ""), "=stdin")
end

local function version()
  print(("locus %s, %s"):format(require("locus").version, jit.version))
end

-- Follows the arguments; answers with the exit status.
return function(arguments)
  local parsed, message = parse(arguments)
  if not parsed then
    io.stderr:write("locus: ", message, "\n")
    return 2
  end
  if parsed["-h"] then print(USAGE) return 0 end
  if parsed["-v"] then version() return 0 end
  _G.arg = {[0] = parsed.script or "locus", unpack(parsed.rest)}
  local session = evaluate.session(require("locus.repl.interrupts").catch)
  for _, action in ipairs(parsed.actions) do
    if not ACTIONS[action[1]](session, action[2]) then return 1 end
  end
  if parsed.script and not run_script(parsed) and not parsed["-i"] then return 1 end
  if parsed["-i"] then
    require("locus.repl.prompt").run(session)
  elseif not parsed.script and #parsed.actions == 0 then
    return input(session) == false and 1 or 0
  end
  return 0
end
