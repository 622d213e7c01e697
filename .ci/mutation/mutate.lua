-- SPDX-License-Identifier: MIT
-- The mutants of a source of C or Lua: { path, line, from, to, with }, a piece of its text and what
-- stands there instead. Made of tokens: comments and strings stay as they are.
local tokens = require "tokens"
local mutate = {}

local function set(words)
  local found = {}
  for word in words:gmatch("%S+") do found[word] = true end
  return found
end

local SWAPPED = {
  c = { ["<"] = "<=", ["<="] = "<", [">"] = ">=", [">="] = ">", ["=="] = "!=", ["!="] = "==",
        ["&&"] = "||", ["||"] = "&&", ["<<"] = ">>", [">>"] = "<<", ["+="] = "-=", ["-="] = "+=",
        ["<<="] = ">>=", [">>="] = "<<=", ["++"] = "--", ["--"] = "++", ["break"] = "continue",
        ["continue"] = "break", ["true"] = "false", ["false"] = "true", ["!"] = "" },
  lua = { ["<"] = "<=", ["<="] = "<", [">"] = ">=", [">="] = ">", ["=="] = "~=", ["~="] = "==",
          ["and"] = "or", ["or"] = "and", ["true"] = "false", ["false"] = "true", ["not"] = "",
          ["break"] = "" },
}
local BINARY = { ["+"] = "-", ["-"] = "+", ["*"] = "/", ["/"] = "*", ["&"] = "|", ["|"] = "&" }

local C_WORDS = set [[if else for while do switch case default return goto break continue sizeof
  typedef static const struct enum union extern inline void int char bool double float unsigned
  signed long short _Generic _Static_assert defined]]
local LUA_WORDS = set [[and break do else elseif end false for function if in local nil not or
  repeat return then true until while goto]]

-- The tokens that may come behind the first word of a statement of C that is no declaration.
local C_GOES_ON = set "( = . -> [ += -= *= /= %= &= |= ^= <<= >>= ++ --"
-- Behind which words of Lua a statement begins, and before which it has ended.
local LUA_BEGINS = set "then else do repeat end ;"
local LUA_ENDED = set "end else elseif until return local if for while repeat function break do"

-- One source, on its way: its text, tokens, language, and the mutants so far.
local source = {}
source.__index = source

function source:add(from, to, with)
  local first = self.list[from]
  local begin, last = first.from, self.list[to].to
  if self.text:sub(begin, last) == with then return end
  self.found[#self.found + 1] =
    { path = self.path, line = first.line, from = begin, to = last, with = with }
end

function source:piece(from, to) return self.text:sub(self.list[from].from, self.list[to].to) end

function source:word(i)
  local token = self.list[i]
  return token and token.kind ~= "string" and token.text
end

function source:is_name(i)
  local token = self.list[i]
  return token and token.kind == "name"
    and not (self.language == "c" and C_WORDS or LUA_WORDS)[token.text]
end

-- Whether an operand may end there.
function source:ends_operand(i)
  local token = self.list[i]
  return token and (self:is_name(i) or token.kind == "number" or token.kind == "string"
    or token.text:find("^[%)%]}]$") or token.text == "true" or token.text == "false"
    or token.text == "nil" or token.text == "...")
end

-- The token that closes the bracket at i.
function source:closing(i)
  local depth = 0
  for k = i, #self.list do
    local word = self:word(k)
    if word and word:find("^[%(%[{]$") then depth = depth + 1 end
    if word and word:find("^[%)%]}]$") then
      depth = depth - 1
      if depth == 0 then return k end
    end
  end
end

function source:spaced(i)
  local token = self.list[i]
  return self.text:find("^%s", token.from - 1) and self.text:find("^%s", token.to + 1)
end

function source:operator(i)
  local word = self:word(i)
  local with = word and SWAPPED[self.language][word]
  if with then self:add(i, i, with) end
  with = word and BINARY[word]
  if with and self:ends_operand(i - 1) and self:spaced(i) then self:add(i, i, with) end
end

function source:constant(i)
  if self.list[i].kind ~= "number" then return end
  local digits, suffix = self.list[i].text:match("^(%d+)([uUlL]*)$")
  if digits and #digits < 10 then
    local with = ({ ["0"] = "1", ["1"] = "0" })[digits] or tostring(tonumber(digits) + 1)
    self:add(i, i, with .. suffix)
  end
end

function source:condition(i)
  local word = self:word(i)
  if self.language == "c" then
    local close = (word == "if" or word == "while") and self:word(i + 1) == "("
      and self:closing(i + 1)
    if close then self:add(i + 1, close, "(!" .. self:piece(i + 1, close) .. ")") end
  elseif word == "if" or word == "elseif" or word == "while" then
    local wanted = word == "while" and "do" or "then"
    for k = i + 1, math.min(i + 60, #self.list) do
      if self:word(k) == "function" then return end
      if self:word(k) == wanted then
        return self:add(i + 1, k - 1, "not (" .. self:piece(i + 1, k - 1) .. ")")
      end
    end
  end
end

-- The arguments of the call whose bracket is at i, as pairs of tokens.
function source:arguments(i)
  local close, depth, list, from = self:closing(i), 0, {}, i + 1
  for k = i + 1, close or 0 do
    local word = self:word(k)
    if (word == "," and depth == 0 or k == close) and k > from then
      list[#list + 1] = { from, k - 1 }
      from = k + 1
    elseif word and word:find("^[%(%[{]$") then
      depth = depth + 1
    elseif word and word:find("^[%)%]}]$") then
      depth = depth - 1
    elseif word == ";" or word == "function" then
      return {}
    end
  end
  return list
end

-- Neighbouring arguments, the one for the other. The parameters in a definition do not count.
function source:swap(i)
  if not self:is_name(i) or self:word(i + 1) ~= "(" then return end
  local before = self:word(i - 1)
  if before == "function" or self.language == "c" and (self:is_name(i - 1) or before == "*"
    or C_WORDS[before] and before ~= "return" and before ~= "else" and before ~= "case") then
    return
  end
  local list = self:arguments(i + 1)
  for k = 1, #list - 1 do
    local a, b = list[k], list[k + 1]
    local first, second = self:piece(a[1], a[2]), self:piece(b[1], b[2])
    if first ~= second and #first + #second < 80 then
      self:add(a[1], b[2], second .. self.text:sub(self.list[a[2]].to + 1,
        self.list[b[1]].from - 1) .. first)
    end
  end
end

function source:c_statement(i)
  local before = self:word(i - 1)
  if not (before and before:find("^[;{})]$") or before == "else" or before == "do")
    or not self:is_name(i) or not C_GOES_ON[self:word(i + 1) or ""] then
    return
  end
  local depth = 0
  for k = i, math.min(i + 80, #self.list) do
    local word = self:word(k)
    depth = depth + (word == "(" and 1 or word == ")" and -1 or 0)
    if word == "{" or word == "}" or depth < 0 then return end
    if word == ";" then
      local piece = self:piece(i, k)
      if piece:find("\\\n") then return end
      return self:add(i, k, "{}" .. piece:gsub("[^\n]", ""))
    end
  end
end

function source:lua_statement(i)
  local list, token = self.list, self.list[i]
  local before, previous = self:word(i - 1), list[i - 1]
  local first = previous and previous.line < token.line
  if not token.statement or not self:is_name(i) or not previous
    or not (LUA_BEGINS[before] or first and self:ends_operand(i - 1)) then
    return
  end
  for k = i + 1, math.min(i + 120, #list) do
    local next, same = list[k], list[k].depth == token.depth
    if list[k].depth < token.depth and not LUA_ENDED[next.text] then return end
    local begins = LUA_ENDED[next.text] and next.kind == "name"
      or same and next.line > list[k - 1].line and (self:is_name(k)) and self:ends_operand(k - 1)
    if list[k].depth <= token.depth and begins then
      return self:add(i, k - 1, (self:piece(i, k - 1):gsub("[^\n]", "")))
    end
  end
end

-- Returns nothing.
function source:result(i)
  if self:word(i) ~= "return" then return end
  local nothing = self.language == "c" and "0" or "nil"
  for k = i + 1, math.min(i + 60, #self.list + 1) do
    local word, lua = self:word(k), self.language == "lua"
    local ended = not lua and word == ";" or lua and (not word and k > #self.list
      or word and self.list[k].depth <= self.list[i].depth and LUA_ENDED[word])
    if ended then
      if k > i + 1 then
        local lines = self:piece(i + 1, k - 1):gsub("[^\n]", "")
        if not self:piece(i + 1, k - 1):find("\\\n") then
          self:add(i + 1, k - 1, nothing .. lines)
        end
      end
      return
    end
  end
end

--- All mutants of a text.
function mutate.all(path, text)
  local language = path:find("%.lua$") and "lua" or "c"
  local self = setmetatable({ path = path, text = text, language = language, found = {},
                              list = tokens.of(text, language) }, source)
  if language == "lua" then tokens.nest(self.list) end
  for i = 1, #self.list do
    self:operator(i)
    self:constant(i)
    self:condition(i)
    self:swap(i)
    self:result(i)
    self[language .. "_statement"](self, i)
  end
  return self.found
end

--- The text with a mutant in it.
function mutate.apply(text, mutant)
  return text:sub(1, mutant.from - 1) .. mutant.with .. text:sub(mutant.to + 1)
end

-- The lines that hold these places of a text, in one.
local function lines_of(text, from, to)
  local begin = from
  while begin > 1 and text:sub(begin - 1, begin - 1) ~= "\n" do begin = begin - 1 end
  local ended = text:find("\n", math.max(to, begin), true) or #text + 1
  return (text:sub(begin, ended - 1):gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

--- The lines that a mutant changes, before and after, by which it is known again; and the line
--- above.
function mutate.lines(text, mutant)
  local after = mutate.apply(text, mutant)
  local above = text:sub(1, mutant.from - 1):match("([^\n]*)\n[^\n]*$") or ""
  return lines_of(text, mutant.from, mutant.to),
    lines_of(after, mutant.from, mutant.from + math.max(#mutant.with, 1) - 1),
    lines_of(above, 1, #above)
end

return mutate
