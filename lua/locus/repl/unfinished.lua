-- SPDX-License-Identifier: MIT
-- Whether the typed text surely goes on, told line by line: every line is read once, so that a
-- statement of a thousand lines is not compiled a thousand times. A string, a comment, a bracket or
-- a block is open, or the last word needs another one. If the text does not surely go on, the
-- parser decides.
local lex = require "locus.repl.lex"

local OPENS = {["function"] = true, ["if"] = true, ["repeat"] = true, ["("] = true, ["{"] = true,
               ["["] = true}
local HEADS = {["for"] = true, ["while"] = true} -- opened by these, closed by the end of their `do`
local CLOSES = {["end"] = true, ["until"] = true, [")"] = true, ["}"] = true, ["]"] = true}
-- Other operators and keywords that may be the last of a statement.
local LAST = {["..."] = true, ["::"] = true, [";"] = true, ["break"] = true, ["end"] = true,
              ["false"] = true, ["nil"] = true, ["true"] = true, ["return"] = true}

local unfinished = {}
unfinished.__index = unfinished

-- Nothing has been typed yet.
function unfinished.new() return setmetatable({depth = 0, heads = {}}, unfinished) end

-- Takes a word that is no string and no comment.
function unfinished:word(token)
  local text = token.text
  self.wants = (token.kind == "operator" or token.kind == "keyword")
    and not LAST[text] and not CLOSES[text] or text == "until"
  if token.kind ~= "operator" and token.kind ~= "keyword" then return end
  if HEADS[text] then
    self.depth = self.depth + 1
    self.heads[self.depth] = true
  elseif text == "do" and self.heads[self.depth] then
    self.heads[self.depth] = nil
  elseif OPENS[text] or text == "do" then
    self.depth = self.depth + 1
  elseif CLOSES[text] then
    self.heads[self.depth] = nil
    self.depth = self.depth - 1
  end
end

-- The line from where a string or a comment ends that is open from the lines before; nil where it
-- goes on.
function unfinished:rest(line)
  if self.quote then return self.quote .. line end
  if not self.closer then return line end
  local _, last = line:find(self.closer, 1, true)
  return last and line:sub(last + 1)
end

-- Takes one more line: whether the text surely goes on.
function unfinished:add(line)
  local rest = self:rest(line)
  if not rest then return true end
  self.quote, self.closer = nil, nil
  local broken = false
  for _, token in ipairs(lex.tokens(rest)) do
    local level = token.text:match("^%-?%-?%[(=*)%[")
    if token.open and level then
      self.closer = "]" .. level .. "]"
    elseif token.open and token.kind == "string" then
      local left = lex.continued(token.text)
      self.quote = left and token.text:sub(1, 1) .. left
      broken = not self.quote
    end
    if token.kind == "string" then self.wants = false end
    if token.kind ~= "string" and token.kind ~= "comment" then self:word(token) end
  end
  if self.quote or self.closer then return true end
  return not broken and (self.depth > 0 or self.wants or false)
end

return unfinished
