-- SPDX-License-Identifier: MIT
-- Hostile lines for the prompt: its tokens, its completions, its source, its advice, and the text
-- of any value. None of these raises, whatever the line; and nothing is run.
local advice = require "locus.repl.advice"
local complete = require "locus.repl.complete"
local evaluate = require "locus.repl.evaluate"
local lex = require "locus.repl.lex"
local lookup = require "locus.repl.lookup"
local plan = require "fuzz.callers.plan"
local show = require "locus.repl.show"
local things = require "fuzz.callers.things"

local pick, chance, random = plan.pick, plan.chance, math.random

local prompt = {}

local WORDS = {"x", "f", "locus", ".", ":", "(", ")", "{", "}", "[", "]", "[[", "]]", "--", "--[[",
               "=", "==", "~=", "..", "...", ",", ";", "local", "function", "end", "for", "while",
               "if", "then", "do", "return", "nil", "1", "0x", "1e", "1.5", "'", '"', "\\", "\n",
               " ", "sum", "dim", "size", "out", "t", "a", "%", "%time", "?", "#", "<", "x.T", "é",
               "\0", "\255", "x:", "locus.", "f.", "x[", "x:sum{", "goto", "::", "until", "repeat"}

local function line()
  local words = {}
  for i = 1, random(0, 12) do words[i] = pick(WORDS) end
  return table.concat(words, chance(2) and " " or "")
end

-- Shown values are told at some depth; nonsense that raises when it is asked for its text may.
local function session(box)
  local made = evaluate.session()
  rawset(made.variables, "x", things.any(box))
  rawset(made.variables, "f", things.frame(box))
  return made
end

local PROBLEMS = {"prompt:1: attempt to call method 'foo' (a nil value)", "prompt:1: x", "",
                  "prompt:1: attempt to compare number with userdata", "a:1: b",
                  "prompt:1: unexpected symbol near '!'", "prompt:1: '=' expected near 'b'",
                  "prompt:2: attempt to index global 'y' (a nil value)"}

local DEEDS = {
  ["lex.tokens"] = function(_, text) return #lex.tokens(text) + #lex.code(text) end,
  ["complete.words"] = function(own, text)
    return #complete.words(own.variables, text, random(1, #text + 1))
  end,
  compile = function(own, text) return own:compile(text) and 1 end,
  ["advice.of_error"] = function(own, text)
    return advice.of_error(pick(PROBLEMS), text, own.variables)
  end,
  ["advice.of_value"] = function(own, text)
    return advice.of_value(chance(2), text, own.variables)
  end,
  sentence = function(_, text) return evaluate.sentence(pick(PROBLEMS), text) end,
  ["lookup.path"] = function(own, text)
    local parts = {}
    for word in text:gmatch "%w+" do parts[#parts + 1] = word end
    return #parts > 0 and type(lookup.path(own.variables, parts))
  end,
  ["show.text"] = function(own) return type(show.text(own.variables.x)) end,
}
local NAMES = {}
for name in pairs(DEEDS) do NAMES[#NAMES + 1] = name end
table.sort(NAMES)

--- A call, as hostile.lua makes them.
function prompt.call(box)
  local name = pick(NAMES)
  return {name = name, f = DEEDS[name], args = {n = 2, session(box), line()}}
end

return prompt
