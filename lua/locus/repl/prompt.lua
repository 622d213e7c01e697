-- SPDX-License-Identifier: MIT
-- The prompt: reads lines, runs them and shows their answers, until the input ends.
local advice = require "locus.repl.advice"
local commands = require "locus.repl.commands"
local complete = require "locus.repl.complete"
local evaluate = require "locus.repl.evaluate"
local history = require "locus.repl.history"
local interrupts = require "locus.repl.interrupts"
local internal = require("locus.core").internal
local show = require "locus.repl.show"
local unfinished = require "locus.repl.unfinished"

local FIRST, MORE = "locus> ", "     > "
local BOLD, RED, DIM, PLAIN = "\27[1m", "\27[31m", "\27[2m", "\27[0m"

local function set(name)
  local value = os.getenv(name)
  return value ~= nil and value ~= ""
end

local function is_dumb() return os.getenv("TERM") == "dumb" end

-- Whether output may be coloured.
local function has_colours(file)
  return internal.is_terminal(file) and not is_dumb() and not set "NO_COLOR"
end

local methods = {}
methods.__index = methods

-- Shows a text.
function methods:say(text) self.out:write(text, "\n") end

-- Shows an error of a text that was typed.
function methods:fail(problem, text)
  local sentence = evaluate.sentence(problem, text)
  if sentence and text then
    sentence = sentence .. advice.of_error(problem, text, self.session.variables)
  end
  sentence = sentence and show.lines(sentence) or "error: " .. show.raised(problem)
  self.out:flush()
  self.err:write(self.red and RED .. sentence .. PLAIN or sentence, "\n")
end

local function all_nil(results)
  for i = 1, results.n do
    if results[i] ~= nil then return false end
  end
  return true
end

-- Shows the results of a chunk; the first one becomes `_`. Nil from a call is no result.
function methods:show(results, chunk, text)
  if results[1] ~= nil then rawset(self.session.variables, "_", results[1]) end
  if chunk.quiet or chunk.call and all_nil(results) then return end
  local done, problem = self.session:call(function()
    for i = 1, results.n do self:say(show.text(results[i])) end
  end)
  if not done then return self:fail(problem, text) end
  local told = results.n == 1 and advice.of_value(results[1], text, self.session.variables)
  if told then self:say(told) end
end

-- Up to this many lines are compiled at each new one. A longer text that surely goes on is checked
-- for errors when it has grown by a half, so that the work grows with the text alone.
local FEW, GROWTH = 32, 1.5

-- The parser's answer to a text of n lines: its compiled form, or the error, or neither.
function methods:parse(text, goes_on)
  if not goes_on then return self.session:compile(text) end
  return nil, evaluate.wrong(text)
end

-- Reads until the parser is content: the text and its compiled form, or the error. Nil at the end
-- of the input; false if the lines are to be dropped.
function methods:read_rest(first)
  local lines, open, due = {first}, unfinished.new(), FEW
  local goes_on = open:add(first)
  while true do
    local few = #lines <= FEW
    if few or not goes_on or #lines >= due then
      due = #lines * GROWTH
      local text = table.concat(lines, "\n")
      local chunk, message = self:parse(text, goes_on and not few)
      if chunk or message then return text, chunk, message end
    end
    local line = self.editor.read(self.more)
    if not line then return line end
    lines[#lines + 1] = line
    goes_on = open:add(line)
  end
end

function methods:remember(text)
  if text == self.last then return end
  self.last = text
  self.editor.remember(text)
  self.history.add(text)
end

local ENDS = {exit = true, quit = true}

-- For a line that is only a word of other prompts, with or without a call, and no variable's name:
-- true if it ends the session, false if it asks for help. nil for any other line.
function methods:word(line)
  local name = line:match("^%s*(%a+)%s*;?%s*$") or line:match("^%s*(%a+)%s*%(%s*%)%s*;?%s*$")
  if not ENDS[name] and name ~= "help" then return nil end
  if self.session.variables[name] ~= nil then return nil end
  return name ~= "help"
end

-- Runs the text that begins with a line; true at the end of the input.
function methods:run(line)
  if not line:find("%S") then return end
  local ends = self:word(line)
  if ends then return true end
  if ends == false then line = "?" end
  if line:find("^%s*[?%%]") then
    self:remember(line)
    commands.run(self, line)
    return
  end
  local text, chunk, message = self:read_rest(line)
  if not text then return text == nil end
  self:remember(text)
  if not chunk then return self:fail(message, text) end
  local done, answer = self.session:call(chunk.run)
  if not done then return self:fail(answer, text) end
  self:show(answer, chunk, text)
end

-- One line, or several that belong together; true at the end of the input.
function methods:step()
  interrupts.arm()
  local line = self.editor.read(self.first)
  if line == nil then return true end
  if line == false then return end
  return self:run(line) or false
end

-- The best line editor that there is, or the one that LOCUS_EDITOR names.
local function best_editor(completed, entries)
  local wanted = os.getenv("LOCUS_EDITOR")
  local terminal = internal.is_terminal(io.stdin) and internal.is_terminal(io.stdout)
  if wanted ~= "plain" and terminal and not is_dumb() then
    for _, name in ipairs {"readline", "libedit"} do
      if not set "LOCUS_EDITOR" or wanted == name then
        local editor = require "locus.repl.readline"(name, completed, entries)
        if editor then return editor end
      end
    end
  end
  return require "locus.repl.plain"
end

-- A prompt text in colour; a line editor needs marks around the bytes that take no room.
local function coloured(text, code, editor)
  if not has_colours(io.stdout) then return text end
  if editor.name == "plain" then return code .. text .. PLAIN end
  return "\1" .. code .. "\2" .. text .. "\1" .. PLAIN .. "\2"
end

local function new(session)
  local entries = history.read()
  local function completed(text, first) return complete.words(session.variables, text, first) end
  local editor = best_editor(completed, entries)
  return setmetatable({
    session = session, editor = editor, history = history, last = entries[#entries],
    first = coloured(FIRST, BOLD, editor), more = coloured(MORE, DIM, editor),
    out = io.stdout, err = io.stderr, red = has_colours(io.stderr),
  }, methods)
end

-- A Ctrl-C that comes between two lines, or a defect, ends a step and not the session.
local function steps(made)
  while true do
    local done, answer = pcall(made.step, made)
    if done and answer then return end
    if not done then made:fail(answer) end
  end
end

local prompt = {}

-- A prompt without a terminal: its output goes to `out`, a file or an object with write and flush;
-- the editor has read and remember, as plain.lua has them, and the history add.
function prompt.over(session, out, editor, kept)
  return setmetatable({session = session, out = out, err = out, editor = editor, history = kept,
                       first = FIRST, more = MORE}, methods)
end

-- Reads and runs lines in a session until the input ends.
function prompt.run(session)
  local typed_at = new(session)
  if internal.is_terminal(io.stdout) then
    local locus = require "locus"
    typed_at:say(("locus %s, %s, %s. Tab completes, ? helps, Ctrl-D ends."):format(locus.version,
      jit.version, locus.isa))
  end
  local kept, why = history.make()
  if not kept then typed_at:fail("the history is not kept: " .. why) end
  interrupts.over(function()
    while not pcall(steps, typed_at) do end -- an interrupt's echo finds no hook here
  end)
  if internal.is_terminal(io.stdin) then typed_at:say("") end
end

return prompt
