-- SPDX-License-Identifier: MIT
-- Completion by Tab at the cursor: names of variables, fields and methods, of arguments inside
-- braces, of dtypes, columns and files inside quotes, of the prompt's commands and topics.
local commands = require "locus.repl.commands"
local declare = require "locus.call.declare"
local internal = require("locus.core").internal
local kinds = require "locus.repl.kinds"
local lex = require "locus.repl.lex"
local locus = require "locus"
local lookup = require "locus.repl.lookup"
local pages = require "locus.help.pages"

local complete = {}

local CLOSING = {[")"] = "(", ["]"] = "[", ["}"] = "{"}
local OPENING = {["("] = true, ["["] = true, ["{"] = true}

local function is_word(name) return name:find("^[%a_][%w_]*$") and not lex.keywords[name] end

-- The names that begin with `start`, each once, sorted; internal ones only where asked for.
local function chosen(names, start)
  local list, seen = {}, {}
  for _, name in ipairs(names) do
    local hidden = name:find("^__") and not start:find("^__") or internal.visible(name) ~= name
    if not seen[name] and not hidden and name:sub(1, #start) == start then
      seen[name] = true
      list[#list + 1] = name
    end
  end
  table.sort(list)
  return list
end

-- The names that end before token i, with the token of the first one: for `a.b["c"]` a, b and c.
-- Nil if something else is there, such as the result of a call.
local function path_before(tokens, i)
  local parts = {}
  while true do
    local t = tokens[i]
    if not t then return nil end
    if t.text == "]" then
      local key = tokens[i - 1]
      if not key or not tokens[i - 2] or tokens[i - 2].text ~= "[" then return nil end
      local name = key.kind == "string" and key.text:match("^([\"'])(.*)%1$")
      name = name and key.text:sub(2, -2) or key.kind == "number" and tonumber(key.text)
      if not name then return nil end
      table.insert(parts, 1, name)
      i = i - 3
    elseif t.kind == "name" then
      table.insert(parts, 1, t.text)
      local joint = tokens[i - 1]
      if not joint or joint.text ~= "." then return parts, i, joint and joint.text == ":" end
      i = i - 2
    else
      return nil
    end
  end
end

-- The value before token i, nil if it cannot be known; and whether it is the result of a call or
-- another expression.
local function value_before(variables, tokens, i)
  local parts, _, method = path_before(tokens, i)
  if not parts or method then return nil, tokens[i] and CLOSING[tokens[i].text] ~= nil end
  return lookup.path(variables, parts), false
end

-- The names that may follow the dot or the colon that is token i.
local function members(variables, tokens, i)
  local names, of_method = {}, tokens[i].text == ":"
  local value, given = value_before(variables, tokens, i - 1)
  local kind = kinds.of(value) or given and kinds.tensor
  if kind and of_method then
    for name in pairs(kind.methods()) do names[#names + 1] = name end
  elseif kind then
    for _, name in ipairs(kind.fields or {}) do names[#names + 1] = name end
    for _, name in ipairs(kinds.columns(value)) do
      if is_word(name) then names[#names + 1] = name end
    end
  elseif type(value) == "string" and not of_method then
    return names
  else
    lookup.each(value, function(name, field)
      if is_word(name) and (not of_method or type(field) == "function") then
        names[#names + 1] = name
      end
    end)
  end
  return names
end

local function variable_names(variables)
  local names = {}
  lookup.each(variables, function(name) names[#names + 1] = name end)
  for word in pairs(lex.keywords) do names[#names + 1] = word end
  return names
end

-- The bracket that is open before token i, and the place of the last comma in it.
local function open_bracket(tokens, i)
  local depth, comma = 0, nil
  for k = i - 1, 1, -1 do
    local text = tokens[k].kind == "operator" and tokens[k].text
    if CLOSING[text] then depth = depth + 1
    elseif OPENING[text] and depth > 0 then depth = depth - 1
    elseif OPENING[text] then return k, comma
    elseif depth == 0 and (text == "," or text == ";") then comma = comma or k
    end
  end
end

-- The function whose call the brace at token `brace` belongs to, of `f{`, `f(x, {`, `x:sort{`, and
-- whether it is called as a method.
local function called(variables, tokens, brace)
  local at = brace
  local before = tokens[at - 1]
  if before and (before.text == "(" or before.text == ",") then
    at = before.text == "(" and at - 1 or open_bracket(tokens, at)
    if not at or tokens[at].text ~= "(" then return nil end
  end
  local name, joint = tokens[at - 1], tokens[at - 2]
  if name and name.kind == "name" and joint and joint.text == ":" then
    local value = value_before(variables, tokens, at - 3)
    if value == nil then return kinds.tensor.methods()[name.text], true end
    return lookup.field(value, name.text), true
  end
  return (value_before(variables, tokens, at - 1))
end

-- The names of arguments that may begin at token i; none unless that is inside the braces of a
-- call, at the beginning of a field.
local function arguments(variables, tokens, i)
  local names, brace, comma = {}, open_bracket(tokens, i)
  if not brace or tokens[brace].text ~= "{" or i - 1 > (comma or brace) then return names end
  local f, method = called(variables, tokens, brace)
  local given = {}
  for k = brace, i - 1 do
    if tokens[k + 1] and tokens[k + 1].text == "=" then given[tokens[k].text] = true end
  end
  for place, param in ipairs(type(f) == "function" and declare.parameters(f) or {}) do
    local is_self = method and place == 1
    if not is_self and not given[param.name] and is_word(param.name) then
      names[#names + 1] = param.name .. " = "
    end
  end
  return names
end

-- The files whose names begin with `start`, folders with a slash behind them; ~ is written out,
-- which otherwise only a shell does.
local function files(start)
  if start:find("%z") then return {} end -- no name has one; a command would end there
  local home = os.getenv("HOME")
  local real = home and start:gsub("^~/", (home:gsub("%%", "%%%%")) .. "/") or start
  local list = {}
  local pipe = io.popen(("ls -1dp -- '%s'* 2>/dev/null"):format((real:gsub("'", "'\\''"))))
  if not pipe then return list end -- there is no room for another process
  for name in pipe:lines() do list[#list + 1] = name end
  pipe:close()
  table.sort(list)
  return list
end

local NOT_OF_COLUMNS = {save = true, write_csv = true, write_json = true, to_arrow = true,
                        to = true}

-- The frame whose columns a string in quotes may name that is open behind the tokens: of `f["`, and
-- of `f:sort("`, `f:sort{"a", "`, `f:asof(g, {on = "`.
local function frame_around(variables, tokens)
  local i = #tokens + 1
  if tokens[i - 1] and tokens[i - 1].text == "=" then
    local option = tokens[i - 2] and tokens[i - 2].text
    if option ~= "on" and option ~= "by" then return nil end
  end
  i = open_bracket(tokens, i)
  if i and tokens[i].text == "[" then return (value_before(variables, tokens, i - 1)) end
  while i do
    local name, joint = tokens[i - 1], tokens[i - 2]
    if joint and joint.text == ":" and name.kind == "name" then
      return not NOT_OF_COLUMNS[name.text] and value_before(variables, tokens, i - 3) or nil
    end
    i = open_bracket(tokens, i)
  end
end

-- The candidates for a string in quotes behind the tokens: dtypes, columns; else files.
local function quoted(variables, tokens, start)
  local last, before = tokens[#tokens], tokens[#tokens - 1]
  local converts = last and last.text == "(" and before and before.text == "to"
  if converts or last and last.text == "=" and before and before.text == "dtype" then
    local names = {}
    for name, value in pairs(locus) do
      if name == value then names[#names + 1] = name end
    end
    return chosen(names, start)
  end
  local names = chosen(kinds.columns(frame_around(variables, tokens)), start)
  return #names > 0 and names or files(start)
end

-- The candidates for ?name: functions, methods of tensors and frames, pages, variables that hold
-- values of locus.
local function topics(variables, start)
  local names = {unpack(pages.names)}
  local function add(name) names[#names + 1] = name end
  lookup.each(locus, add)
  for name in pairs(kinds.tensor.methods()) do add(name) end
  for name in pairs(kinds.frame.methods()) do add(name) end
  lookup.each(variables, function(name, value)
    if kinds.of(value) then add(name) end
  end)
  return chosen(names, start)
end

-- The candidates for the word behind token i - 1, which begins with `start`.
local function candidates(variables, tokens, i, start)
  local joint = tokens[i - 1]
  if joint and (joint.text == "." or joint.text == ":") and joint.kind == "operator" then
    return chosen(members(variables, tokens, i - 1), start)
  end
  local named = chosen(arguments(variables, tokens, i), start)
  if #named > 0 then return named end
  return start ~= "" and chosen(variable_names(variables), start) or {}
end

-- The candidates for the end of a text, up to the cursor, with the first byte of that end; the list
-- is empty if nothing is known. It calls nothing except functions of locus.
function complete.at(variables, text)
  local command = text:match("^%s*(%%%a*)$")
  if command then return chosen(commands.names, command), #text - #command + 1 end
  local asked = text:match("^%s*%?%s*([%a_][%w_]*)$")
  if asked then return topics(variables, asked), #text - #asked + 1 end
  local tokens = lex.tokens(text)
  local last = tokens[#tokens]
  local open = last and last.open
  local typed = last and last.last == #text and (last.kind == "name" or last.kind == "keyword")
  local start = typed and last.text or ""
  local code = {}
  for i, t in ipairs(tokens) do
    if t.kind ~= "comment" and not ((typed or open) and i == #tokens) then code[#code + 1] = t end
  end
  if open then
    if last.kind ~= "string" or not last.text:find("^[\"']") then return {}, #text + 1 end
    return quoted(variables, code, last.text:sub(2)), last.first + 1
  end
  return candidates(variables, code, #code + 1, start), #text - #start + 1
end

-- The same for line editors, which decide where a word begins: the candidates for the text that
-- begins at the byte `first`.
function complete.words(variables, text, first)
  local list, from = complete.at(variables, text)
  for i, word in ipairs(list) do
    list[i] = from < first and word:sub(first - from + 1) or text:sub(first, from - 1) .. word
  end
  return list
end

return complete
