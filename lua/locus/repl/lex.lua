-- SPDX-License-Identifier: MIT
-- Lua source as a list of tokens, complete or not, for the prompt, which rewrites it, and for
-- completion, which looks for the word being typed.
local lex = {}

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat
  return then true until while]]):gmatch("%a+") do
  KEYWORDS[word] = true
end
lex.keywords = KEYWORDS

-- Where a string or a comment in long brackets ends that begins at `at`; nil where none begins
-- there, and whether its end is missing.
local function long_bracket(text, at)
  local level = text:match("^%[(=*)%[", at)
  if not level then return nil end
  local _, last = text:find("]" .. level .. "]", at + #level + 2, true)
  return last or #text, not last
end

-- The same of a string in quotes, which ends with the line at the latest; \z skips line ends, too.
local function quoted(text, at)
  local quote, i = text:sub(at, at), at + 1
  while i <= #text do
    local c = text:sub(i, i)
    if c == quote then return i, false end
    if c == "\n" then return i - 1, true end
    if c ~= "\\" then i = i + 1
    elseif text:sub(i + 1, i + 1) == "z" then i = text:find("%S", i + 2) or #text + 1
    else i = i + 2
    end
  end
  return #text, true
end

local function comment(text, at)
  local last, open = long_bracket(text, at + 2)
  if last then return last, open end
  last = text:find("\n", at, true)
  return last and last - 1 or #text, not last
end

local function number(text, at)
  local last = at - 1
  repeat -- behind the letter of an exponent there may be a sign
    last = last + #text:match("^[+-]?[%w_.]+", last + 1)
    local letter = text:find("^0[xX]", at) and "^[pP][+-]%d" or "^[eE][+-]%d"
  until not text:find(letter, last)
  return last
end

local OPERATORS = {}
for word in ("... .. == ~= <= >= :: != && || << >> ~>> ??"):gmatch("%S+") do
  OPERATORS[word] = true
end

local function operator(text, at)
  for length = 3, 2, -1 do
    if OPERATORS[text:sub(at, at + length - 1)] then return at + length - 1 end
  end
  return at
end

-- The token that begins at `at`: its kind, its last byte, and whether its end is missing.
local function token(text, at)
  if text:find("^%-%-", at) then return "comment", comment(text, at) end
  if text:find("^[\"']", at) then return "string", quoted(text, at) end
  local last, open = long_bracket(text, at)
  if last then return "string", last, open end
  if text:find("^%.?%d", at) then return "number", number(text, at) end
  local word = text:match("^[%a_\128-\255][%w_\128-\255]*", at)
  if word then return KEYWORDS[word] and "keyword" or "name", at + #word - 1 end
  return "operator", operator(text, at)
end

-- A list of {kind, text, first, last, open}: kind is "name", "keyword", "number", "string",
-- "operator" or "comment"; open, whether a string or a comment goes on behind the end.
function lex.tokens(text)
  local list, at = {}, text:find("%S")
  while at do
    local kind, last, open = token(text, at)
    list[#list + 1] = {kind = kind, text = text:sub(at, last), first = at, last = last,
                       open = open or false}
    at = text:find("%S", last + 1)
  end
  return list
end

-- The same without comments.
function lex.code(text)
  local list = {}
  for _, t in ipairs(lex.tokens(text)) do
    if t.kind ~= "comment" then list[#list + 1] = t end
  end
  return list
end

-- The state that a string in quotes at the end of a text leaves to the next line: a backslash takes
-- its line end, and \z blanks and line ends. "" or "\\z"; nil if the string ends with its line.
function lex.continued(text)
  if #text:match("\\*$") % 2 == 1 then return "" end
  local before = text:match("(\\*)z%s*$")
  return before and #before % 2 == 1 and "\\z" or nil
end

return lex
