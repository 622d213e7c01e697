-- SPDX-License-Identifier: MIT
-- The tokens of C and of Lua: { text, kind, from, to, line }, where kind is name, number, string
-- or op. Comments are no tokens, nor are the preprocessor's lines, except the body of a macro,
-- whose tokens have `macro`.
local tokens = {}

local OPS = {}
for op in ([[<<= >>= ... -> ++ -- << >> <= >= == != ~= && || += -= *= /= %= &= |= ^= .. ::]])
  :gmatch("%S+") do
  OPS[op] = true
end

-- The end of a string that begins at i.
local function string_end(text, i)
  local quote, to = text:sub(i, i), i + 1
  while to < #text and text:sub(to, to) ~= quote do
    to = to + (text:sub(to, to) == "\\" and 2 or 1)
  end
  return to
end

local function number_end(text, i)
  local _, to = text:find("^%.?%d[%w_.]*", i)
  while text:find("^[eEpP]", to) and text:find("^[+-]%d", to + 1)
    and not (text:find("^0[xX]", i) and text:find("^[eE]", to)) do
    _, to = text:find("^[+-]%d[%w_.]*", to + 1)
  end
  return to
end

-- The end of a comment, of a string in long brackets (`kind` is then string), or of another piece
-- that is no token.
local function lua_skip(text, i)
  local level = text:match("^%-%-%[(=*)%[", i) or text:match("^%[(=*)%[", i)
  if level then
    local _, to = text:find("]" .. level .. "]", i, true)
    return to or #text, text:sub(i, i) == "[" and "string" or nil
  end
  local _, to = text:find("^%-%-[^\n]*", i)
  if not to and i == 1 then _, to = text:find("^#![^\n]*") end
  return to
end

-- The end of a preprocessor line; a backslash at the end of a line continues it.
local function directive_end(text, i)
  local to = text:find("\n", i, true)
  while to and text:sub(to - 1, to - 1) == "\\" do to = text:find("\n", to + 1, true) end
  return to or #text
end

local function c_skip(text, i, state)
  local _, to = text:find("^/%*.-%*/", i)
  if not to then _, to = text:find("^//[^\n]*", i) end
  if not to then _, to = text:find("^\\\n", i) end
  if to or text:sub(i, i) ~= "#" then return to end
  if not ("\n" .. text:sub(1, i - 1)):find("\n[ \t]*$") then return nil end
  state.macro_end = directive_end(text, i)
  _, to = text:find("^#%s*define%s+[%w_]+", i)
  if not to then return state.macro_end end
  local _, parameters = text:find("^%b()", to + 1)
  return parameters or to
end

local function one(text, i)
  if text:find("^[%a_]", i) then return "name", select(2, text:find("^[%w_]+", i)) end
  if text:find("^%.?%d", i) then return "number", number_end(text, i) end
  if text:find("^[\"']", i) then return "string", string_end(text, i) end
  for length = 3, 2, -1 do
    if OPS[text:sub(i, i + length - 1)] then return "op", i + length - 1 end
  end
  return "op", i
end

--- The tokens of a text; `language` is c or lua.
function tokens.of(text, language)
  local list, i, line, state = {}, 1, 1, { macro_end = 0 }
  local skip = language == "lua" and lua_skip or c_skip
  while i <= #text do
    local to, kind = skip(text, i, state)
    if not to and text:find("^%s", i) then to = i end
    if not to then kind, to = one(text, i) end
    local piece = text:sub(i, to)
    if kind then
      list[#list + 1] = { text = piece, kind = kind, from = i, to = to, line = line,
                          macro = i <= state.macro_end }
    end
    line = line + select(2, piece:gsub("\n", ""))
    i = to + 1
  end
  return list
end

--- For each token of Lua how deep in brackets and blocks it stands (`depth`), which token opened
--- the block that it belongs to (`open`), and whether a statement may begin there (`statement`). A
--- block's own closing word counts as outside.
function tokens.nest(list)
  local stack = {}
  local function push(token, block) stack[#stack + 1] = { token = token, block = block } end
  for i, token in ipairs(list) do
    local word = token.kind ~= "string" and token.text or ""
    if word:find("^[%)%]}]$") or word == "end" or word == "until" or word == "elseif"
      or word == "else" then
      stack[#stack] = nil
    end
    local top = stack[#stack]
    token.depth, token.statement = #stack, not top or top.block
    for k = #stack, 1, -1 do
      if stack[k].block then token.open = stack[k].token break end
    end
    if word:find("^[%(%[{]$") then
      push(token, false)
    elseif word == "then" or word == "do" or word == "else" or word == "repeat" then
      push(token, true)
    elseif word == "function" then
      push(list[i], true)
    end
  end
end

return tokens
