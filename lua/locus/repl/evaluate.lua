-- SPDX-License-Identifier: MIT
-- A session: lines of Lua as they are typed, statements or expressions, compiled and run one after
-- the other among the same variables.
local lex = require "locus.repl.lex"
local rewrite = require "locus.repl.rewrite"

local evaluate = {}

local NAME = "=prompt" -- the name of typed source in errors
local MOST_TRIED = 64 -- tokens from the end at which a last expression may begin

-- LuaJIT skips a first line that begins with #, as scripts have one.
local function compile(text) return loadstring(" " .. text, NAME) end

local function is_expression(text) return loadstring("return " .. text, NAME) ~= nil end

-- Lua that answers with an expression. It is no tail call, so that errors know its line.
local function answering(text)
  local tokens = lex.code(text)
  local last = #tokens
  if last > 0 and tokens[last].text == ";" then last = last - 1 end
  local body = last > 0 and text:sub(1, tokens[last].last) or ""
  return ("return %s(%s)"):format(rewrite.RESULTS, body)
end

-- `a = 1; a` gives a value, too: the source that answers with the part behind the place `at`, if
-- both sides compile alone and one behind the other. Nothing may follow `return`.
local function split_at(text, at)
  local head, tail = text:sub(1, at - 1), text:sub(at)
  if tail:find("%S") and compile(head) and is_expression(tail) then
    local source = head .. " " .. answering(tail)
    return compile(source) and source
  end
end

local function split_at_semicolon(text, tokens)
  for i = #tokens - 1, 1, -1 do
    if tokens[i].text == ";" then return split_at(text, tokens[i].last + 1) end
  end
end

-- The same at a name, which begins its line, or any.
local function split_at_name(text, tokens, at_line)
  for i = #tokens, math.max(2, #tokens - MOST_TRIED), -1 do
    local between = text:sub(tokens[i - 1].last, tokens[i].first)
    local fits = tokens[i].kind == "name" and (not at_line or between:find("\n"))
    local source = fits and split_at(text, tokens[i].first)
    if source then return source end
  end
end

local HEADS = {["for"] = "do", ["while"] = "do", ["if"] = "then"}

-- The remark on a method that is not called, for whose arguments the parser would wait, and of
-- Python's colon in front of a block, behind which it would wait for a method.
local function uncalled(text, tokens)
  local last, joint = tokens[#tokens], tokens[#tokens - 1]
  if not last then return nil end -- a comment that goes on
  if last.text == ":" and HEADS[tokens[1].text] then
    return ("a block begins with '%s', not with ':', and closes with 'end'"):format(
      HEADS[tokens[1].text])
  end
  if not joint or joint.text ~= ":" or last.kind ~= "name" then return nil end
  local path = text:match("^%s*([%a_][%w_.]*:[%a_][%w_]*)%s*$")
  return ("%s is a method: write :%s(...)%s"):format(last.text, last.text,
    path and (", or ?%s for what it does"):format(path) or "")
end

-- Whether more lines may make it right. A string in quotes goes on behind a backslash or \z alone.
local function ends_early(message, text)
  if not message or not message:find("'<eof>'$") then return false end
  return not message:find("unfinished string", 1, true) or lex.continued(text) ~= nil
end

-- The error of a text, from the parser's errors for an expression and for a statement; nil if more
-- lines may make it right. A text that cannot begin a statement is an expression; its first line
-- may hold no token, but a comment that goes on.
local function broken(text, tokens, failed, message)
  if ends_early(failed, text) or ends_early(message, text) then return nil end
  local first = tokens[1] and message:find("near '" .. tokens[1].text .. "'", 1, true)
  return first and failed or message
end

-- Lua for a text, with its answer if it ends in an expression. Else nil and an error, or nil and
-- nil if more lines are to come.
local function source_of(text, tokens)
  local wanted, failed = loadstring("return " .. text, NAME)
  if wanted then return answering(text) end
  local split = split_at_semicolon(text, tokens) or split_at_name(text, tokens, true)
  if split then return split end
  local compiled, message = compile(text)
  if compiled then return text end
  local problem = broken(text, tokens, failed, message)
  if problem then return nil, problem end
  return split_at_name(text, tokens), uncalled(text, tokens)
end

-- Whether an expression ends in a call, whose nil is no answer.
local function is_call(tokens)
  local last = tokens[#tokens]
  return last and (last.text == ")" or last.text == "}" or last.kind == "string")
end

-- How often a loop passes before it leaves compiled code, where no hook is called and so no Ctrl-C
-- arrives. It then calls look(), too, for the case that a pcall has caught the last Ctrl-C.
local PASSES = 10000

local function checker(look)
  local passes, gethook = 0, debug.gethook
  return function()
    passes = passes + 1
    if passes > PASSES then
      passes = 0
      gethook() -- not compiled
      look()
    end
  end
end

-- The variables of a session: its own ones, and behind them the globals, to which everything goes
-- that is not local.
local function variables(look)
  local own = {}
  local locals = setmetatable({}, {__newindex = function(_, name, value)
    rawset(own, name, value)
  end})
  local hidden = {[rewrite.LOCALS] = locals, [rewrite.CHECK] = checker(look),
                  [rewrite.RESULTS] = function(...) return ... end}
  setmetatable(hidden, {__index = _G})
  return setmetatable(own, {__index = hidden, __newindex = _G})
end

-- The calls that led to an error, without those of the prompt.
local function trace()
  local lines = {}
  for line in debug.traceback("", 3):gmatch("[^\n]+") do
    if line:find("'xpcall'", 1, true) then break end
    lines[#lines + 1] = line
  end
  return table.concat(lines, "\n")
end

local methods = {}
methods.__index = methods

-- A new session, with locus at hand. Loops that are typed call look() now and then.
function evaluate.session(look)
  local session = setmetatable({variables = variables(look or function() end)}, methods)
  rawset(session.variables, "locus", require "locus")
  return session
end

-- The meaning of a text: {run =, quiet =, call =}: a function, whether a last semicolon says that
-- nothing is to be shown, and whether it ends in a call. Nil and an error if it is wrong; nil alone
-- if it is not yet complete.
function methods:compile(text)
  text = text:gsub("^%s*=", "")
  local tokens = lex.code(text)
  local source, message = source_of(text, tokens)
  if not source then return nil, message end
  local run = assert(loadstring(rewrite.source(source), NAME))
  local last = tokens[#tokens]
  return {run = setfenv(run, self.variables), call = is_call(tokens),
          quiet = last and last.text == ";" or false}
end

-- The error of a text that goes on; nil where nothing is yet.
function evaluate.wrong(text)
  text = text:gsub("^%s*=", "")
  local _, failed = loadstring("return " .. text, NAME)
  local _, message = compile(text)
  return message and broken(text, lex.code(text:match("^%s*[^\n]*")), failed, message)
end

local function packed(done, ...)
  if not done then return false, (...) end
  return true, {n = select("#", ...), ...}
end

-- Runs f: true and its results with their number, n; or false and the error, whose calls %trace
-- then shows.
function methods:call(f)
  local function failed(problem)
    self.trace = trace()
    return problem
  end
  return packed(xpcall(f, failed))
end

-- An error as a sentence: its own words, and the line of the typed text if that has several. Nil
-- for an error that is no string.
function evaluate.sentence(problem, text)
  if type(problem) ~= "string" then return nil end
  if problem:find("interrupted!$") then return "interrupted!" end
  local line, rest = problem:match("^prompt:(%d+): (.*)$")
  if not line then return problem end
  local only = line == "1" and not (text and text:find("\n"))
  return only and rest or ("line %s: %s"):format(line, rest)
end

return evaluate
