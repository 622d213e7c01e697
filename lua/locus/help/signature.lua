-- SPDX-License-Identifier: MIT
-- Signatures as the docs have them: `sort(input, dim=-1, {out=nil})`, `c:sort(descending=false)`,
-- `set_printoptions{precision=4}`. Braces hold the parameters that go by name alone; `...` takes
-- all values at its place and behind.

local signature = {}

-- Splits "a, b={1, 2}, c=','" at the commas outside of braces and quotes.
local function split(text)
  local list, depth, quote, from = {}, 0, nil, 1
  for i = 1, #text do
    local c = text:sub(i, i)
    if quote then
      if c == quote then quote = nil end
    elseif c == '"' or c == "'" then
      quote = c
    elseif c == "{" or c == "(" then
      depth = depth + 1
    elseif c == "}" or c == ")" then
      depth = depth - 1
    elseif c == "," and depth == 0 then
      list[#list + 1] = text:sub(from, i - 1):match("^%s*(.-)%s*$")
      from = i + 1
    end
  end
  list[#list + 1] = text:sub(from):match("^%s*(.-)%s*$")
  return list
end

-- {name =, default = its text or nil, sizes =, named =}; nil if it is no parameter.
local function parameter(text, named)
  local name, default = text:match("^([%a_][%w_]*)%s*=%s*(.*)$")
  if name and default ~= "" then return {name = name, default = default, named = named} end
  name = text:match("^([%a_][%w_]*)$")
  if name and name ~= "true" and name ~= "false" and name ~= "nil" then
    return {name = name, named = named}
  end
  name = not named and text:match("^([%a_]*[%w_]*)%.%.%.$")
  return name and {name = name, sizes = true} or nil
end

-- Adds the parameters of a list in text; answers with them, or nil where one is none.
local function add_all(params, text, named)
  for _, part in ipairs(text:find("%S") and split(text) or {}) do
    local inside = not named and part:match("^{(.*)}$")
    local param = not inside and parameter(part, named)
    if inside and not add_all(params, inside, true) or not inside and not param then return nil end
    params[#params + 1] = param or nil
  end
  return params
end

-- The signature in a piece of code: {text =, receiver = "x" or nil, name = "sort"} with its
-- parameters as a list; for a field such as `x.shape` {text, receiver, name, field = true}. nil for
-- other code, such as an example of a call.
function signature.parse(text)
  local whole, inside = text:match("^([%w_.:]+)%((.*)%)$")
  if not whole then whole, inside = text:match("^([%w_.:]+)({.*})$") end
  if not whole then
    local receiver, name = text:match("^([%a_][%w_]*)%.([%a_][%w_]*)$")
    return receiver and {text = text, receiver = receiver, name = name, field = true}
  end
  local receiver, name = whole:match("^([%a_][%w_]*):([%a_][%w_]*)$")
  name = name or whole:gsub("^locus%.", "")
  if not name:find("^[%a_][%w_.]*$") then return nil end
  return add_all({text = text, receiver = receiver, name = name}, inside, false)
end

-- The same signature of another name, for functions that share one: `add(input, other)` is that of
-- `sub`, too.
function signature.renamed(sig, name)
  local copy = {}
  for key, value in pairs(sig) do copy[key] = value end
  local first, last = sig.text:find(sig.name, 1, true)
  copy.name, copy.text = name, sig.text:sub(1, first - 1) .. name .. sig.text:sub(last + 1)
  return copy
end

return signature
