-- SPDX-License-Identifier: MIT
-- The advice of the prompt if a line means something else to Lua than to one who comes from Python
-- or Torch7: how it is written here. It calls nothing except functions of locus.
local lazy = require "locus.call.lazy"
local kinds = require "locus.repl.kinds"
local lex = require "locus.repl.lex"
local locus = require "locus"
local lookup = require "locus.repl.lookup"
local names = require "locus.names.advice"

local advice = {}

local NAME = "[%a_][%w_]*"
local PATH = "[%a_][%w_.]*"

-- The kind of the value at a path of names, and the value, if it is of locus and has this method.
local function with_method(variables, path, method)
  local parts = {}
  for part in path:gmatch("[^.]+") do parts[#parts + 1] = part end
  if not parts[1] then return nil end
  local object = lookup.path(variables, parts)
  local kind = kinds.of(object)
  if kind and kinds.method(kind, method) then return kind, object end
end

local LONGEST = 200 -- characters of a path

-- The path that ends at a place. A long text may have a thousand such places, and is not looked
-- through from its beginning at each.
local function path_before(text, last)
  return text:sub(math.max(1, last - LONGEST), last):match("%f[%w_]" .. PATH .. "$")
end

-- -- What Lua cannot parse -----------------------------------------------------------------------

local OPERATORS = {
  ["+="] = "x = x + y, or x:add_(y)", ["-="] = "x = x - y, or x:sub_(y)",
  ["*="] = "x = x * y, or x:mul_(y)", ["/="] = "x = x / y, or x:div_(y)",
  ["++"] = "x = x + 1", ["**"] = "x ^ y", ["//"] = "x:floor_divide(y), or math.floor(a / b)",
  ["!="] = "x:ne(y), or a ~= b of numbers and strings",
  ["&&"] = "x:logical_and(y), or a and b", ["||"] = "x:logical_or(y), or a or b",
  ["&"] = "x:logical_and(y), or x:band(y) of bits",
  ["|"] = "x:logical_or(y), or x:bor(y) of bits",
  ["<<"] = "x:lshift(y)", [">>"] = "x:rshift(y)", ["~>>"] = "x:rshift(y)",
  ["?"] = "locus.where(mask, x, y), or c and a or b", ["??"] = "a or b",
  ["!"] = "x:logical_not(), or not a", ["~"] = "x:logical_not(), or x:bnot() of bits",
}

-- "; write x ^ y": where the parser stops at an operator that Lua has not.
local function of_operators(near, tokens)
  for i, t in ipairs(tokens) do
    local follower = tokens[i + 1]
    local pair = follower and follower.first == t.last + 1 and t.text .. follower.text
    -- older LuaJITs stop at the first character of an operator that they do not know
    local here = t.text == near or t.text:sub(1, 1) == near
    local found = t.kind == "operator" and (here or follower and follower.text == near)
      and (OPERATORS[pair] or here and OPERATORS[t.text])
    if found then return "; write " .. found end
  end
end

-- `f[1, "n"]` and `f["n", 1]` as f.n[1].
local function of_cell(text)
  local quoted, other = "%s*[\"']([^\"']+)[\"']%s*", "%s*([^%[%]{}\"',]-)%s*"
  local path, row, name = text:match(("(%s)%%[%s,%s%%]"):format(PATH, other, quoted))
  if not path then
    path, name, row = text:match(("(%s)%%[%s,%s%%]"):format(PATH, quoted, other))
  end
  if not path then return nil end
  local column = name:find("^" .. NAME .. "$") and "." .. name or ('["%s"]'):format(name)
  return ("%s%s[%s]"):format(path, column, row)
end

-- The same at commas and colons inside of brackets.
local function of_brackets(near, text)
  if near ~= "," and near ~= ":" and near ~= "::" then return nil end
  if text:find("%[[^%[%]]*%f[:]:%f[^:][^%[%]]*%]") or text:find("%[[^%[%]]*::[^%[%]]*%]") then
    return "; a range is x[{ {1, 2} }], and a whole dimension {}: x[{ {}, 1 }]"
  end
  local cell = of_cell(text)
  if cell then return "; write " .. cell end
  if text:find("%[%s*[\"'][^%[%]{}]*,") then return '; write f:select("a", "b")' end
  if text:find("%[[^%[%]{}]*,[^%[%]{}]*%]") then return "; write x[{i, j}]" end
end

-- `x[1] += 1` as x[1] = x[1] + 1.
local function of_element(near, text)
  local element = "^%s*(" .. PATH .. "%b[])%s*([%+%-%*/%%%^])=%s*(.-)%s*;?%s*$"
  local target, sign, value = text:match(element)
  if not target or near:sub(1, 1) ~= sign and near ~= "=" or not loadstring("return " .. value) then
    return nil
  end
  if not value:find("^[%w_.]+$") then value = "(" .. value .. ")" end
  return ("; write %s = %s %s %s"):format(target, target, sign, value)
end

local function of_syntax(message, text)
  local near = message:match(" near '(.-)'$")
  if not near then return nil end
  if message:find("^'=' expected near") and text:find("%f[%w_]continue%f[^%w_]") then
    return "; write goto next, and ::next:: where the loop's body ends"
  end
  if near == "locus" and text:find("^%s*import%s") then return "; locus is there already" end
  return of_element(near, text) or of_brackets(near, text) or of_operators(near, lex.code(text))
end

-- -- What Lua cannot run -------------------------------------------------------------------------

local METHODS = {[">"] = "gt", [">="] = "ge", ["<"] = "lt", ["<="] = "le", ["=="] = "eq",
                 ["~="] = "ne", ["!="] = "ne"}
local FLIPPED = {[">"] = "<", [">="] = "<=", ["<"] = ">", ["<="] = ">=", ["=="] = "==",
                 ["~="] = "~=", ["!="] = "!=", ["&"] = "&", ["|"] = "|", ["~"] = "~",
                 ["&&"] = "&&", ["||"] = "||"}
local BITS = {["&"] = "band", ["|"] = "bor", ["~"] = "bxor", ["<<"] = "lshift", [">>"] = "rshift",
              ["~>>"] = "rshift"}
local LOGIC = {["&&"] = "logical_and", ["||"] = "logical_or"}

-- `x > 0` and `0 < x` as x:gt(0), where x is a variable with such a method and the text is nothing
-- else; the operators are those of that table. And the operator.
local function infix(text, variables, methods)
  text = text:gsub("^%s*=", "")
  local tokens, at = lex.code(text), nil
  for i, t in ipairs(tokens) do
    if t.kind == "keyword" then return nil end -- nil, and, or: meant as they are
    if methods[t.text] and t.kind == "operator" then
      if at then return nil end
      at = i
    end
  end
  if not at or at == 1 or at == #tokens then return nil end
  local sign, last = tokens[at].text, tokens[#tokens]
  local left = text:sub(1, tokens[at - 1].last):match("^%s*(.-)%s*$")
  local right = text:sub(tokens[at + 1].first, last.text == ";" and last.first - 1 or last.last)
  if right:find("^" .. PATH .. "$") and not left:find("^" .. PATH .. "$") then
    left, right, sign = right, left, FLIPPED[sign]
  end
  local method = methods[sign]
  if not method or not left:find("^" .. PATH .. "$") or not loadstring("return " .. right) then
    return nil
  end
  if with_method(variables, left, method) then
    return ("%s:%s(%s)"):format(left, method, right), tokens[at].text
  end
end

-- `!x` and `~x` as x:logical_not() and x:bnot().
local function prefix(text, variables, sign, method)
  local path = text:match("^%s*=?%s*" .. sign .. "%s*(" .. PATH .. ")%s*;?%s*$")
  return path and with_method(variables, path, method) and ("%s:%s()"):format(path, method)
end

-- The same of the first comparison with a literal inside of a longer text: `x[x > 0]`.
local function inner_comparison(text, variables)
  local tokens = lex.code(text)
  for i, t in ipairs(tokens) do
    local sign, left, right = METHODS[t.text], tokens[i - 1], tokens[i + 1]
    local is_literal = right and (right.kind == "number" or right.kind == "string")
    if t.kind == "operator" and sign and left and left.kind == "name" and is_literal then
      local path = path_before(text, left.last)
      if path and with_method(variables, path, sign) then
        return ("%s:%s(%s)"):format(path, sign, right.text)
      end
    end
  end
end

local function of_comparison(message, text, variables)
  if not message:find("^attempt to compare .*userdata") then return nil end
  local meant = infix(text, variables, METHODS) or inner_comparison(text, variables)
  return "; write " .. (meant or "x:gt(y), x:ge(y), x:lt(y) or x:le(y)")
end

-- `m & n` where LuaJIT asks no tensor: 2.1 of 2026-07 and later.
local function of_bits(message, text, variables)
  if not message:find("^attempt to perform arithmetic on .*userdata") then return nil end
  local meant = infix(text, variables, BITS) or prefix(text, variables, "~", "bnot")
  if meant then return "; write " .. meant end
  for _, t in ipairs(lex.code(text)) do
    if t.kind == "operator" and BITS[t.text] then
      return ("; write x:%s(y)"):format(BITS[t.text])
    end
  end
end

-- `5LL + x`, which LuaJIT calculates itself, and so no tensor is asked.
local ARITHMETIC = {["+"] = "add", ["-"] = "sub", ["*"] = "mul", ["/"] = "div",
                    ["%"] = "remainder", ["^"] = "pow"}

-- The number or name that ends at token i, with its sign, if nothing binds it to the tokens before.
local function alone(tokens, i)
  local text, before = tokens[i].text, tokens[i - 1]
  if before and before.text == "-" then text, before = "-" .. text, tokens[i - 2] end
  local free = not before or before.kind == "keyword" or before.text:find("^[%(,=;{]$")
  return free and (tokens[i].kind == "number" or tokens[i].kind == "name") and text
end

local function of_cdata(message, text, variables)
  if not message:find("^attempt to perform arithmetic on '[%w_ ]+' and '.-'$") then return nil end
  local tokens = lex.code(text)
  for i = 2, #tokens - 1 do
    local sign = tokens[i].text
    local name = tokens[i].kind == "operator" and ARITHMETIC[sign]
    local path = name and text:match("^(" .. PATH .. ")%s*%f[%z%),;}]", tokens[i + 1].first)
    local left = path and alone(tokens, i - 1)
    if left and with_method(variables, path, name) then
      local swaps = sign == "+" or sign == "*"
      return "; write " .. (swaps and ("%s %s %s"):format(path, sign, left)
        or ("locus.%s(%s, %s)"):format(name, left, path))
    end
  end
  return "; write the tensor first, x + 5LL, or locus.sub(5LL, x)"
end

local MODULES = {torch = true, np = true, numpy = true, pd = true, pandas = true, pl = true}
local WORDS = {len = "write #x", exit = "Ctrl-D ends", quit = "Ctrl-D ends", help = "write ?name",
               plt = "write x:plot()"}

local function of_globals(message, _, variables)
  local name = message:match("^attempt to %a+ global '(" .. NAME .. ")' %(a nil value%)$")
  if not name then return nil end
  if MODULES[name] then return "; the module is locus" end
  if WORDS[name] then return "; " .. WORDS[name] end
  if type(rawget(locus, name)) == "function" then return "; write locus." .. name end
  local known = {}
  lookup.each(variables, function(key) if not key:find("^__") then known[key] = true end end)
  return names.did_you_mean(name, {known})
end

-- A column with the name of a method, which the method hides.
local function of_hidden(message)
  local name = message:match("^attempt to .- field '(" .. NAME .. ")' %(a function value%)$")
  if not name or not rawget(lazy("locus.frame.frame").methods, name) then return nil end
  return ('; %s is a method, and a column of that name is f:column("%s")'):format(name, name)
end

local function of_calls(message, text)
  local field = message:match("^attempt to call method '(" .. NAME .. ")' %(a %a+ value%)$")
  if field and not message:find("a nil value", 1, true) then
    return ("; it is no method: write .%s"):format(field)
  end
  if message == "attempt to index a number value" then
    return "; one element is a Lua number, which has no methods"
  end
  local loop = message:match("^bad argument #1 to '(i?pairs)' %(table expected, got userdata%)$")
  if loop and text:find(loop, 1, true) then return "; write for i, v in x:iter() do" end
end

-- -- What locus raises ---------------------------------------------------------------------------

-- `x.mean()` of a method: without the colon it has no x.
local function of_dots(message, text, variables)
  local method = message:match("^(" .. NAME .. "): ")
  if not method or message:find("; write f:", 1, true) then return nil end
  for path in text:gmatch("(" .. PATH .. ")%." .. method .. "%f[^%w_]%s*[%({\"']") do
    if with_method(variables, path, method) then
      return ("; write %s:%s(...)"):format(path, method)
    end
  end
end

-- Options outside of braces, if locus knows no option that they were meant for.
local function of_positions(message)
  return message:find("^[%w_]+: takes at most %d+ arguments? by position, got %d+$")
    and "; options go by name, in braces: f(x, {name = value})" or nil
end

-- `f[f.sym == "a"]`: the index that == has made is a Lua boolean.
local function of_identity(message, text, variables)
  if not message:find("^index: .* compares identity") then return nil end
  local meant = inner_comparison(text, variables)
  if not meant then return nil end
  local path = text:match("^%s*=?%s*(" .. PATH .. ")%[[^%[%]]*%]%s*$")
  return "; here " .. (path and ("%s[%s]"):format(path, meant) or meant)
end

local function of_order(message)
  local order = message:match("^sort: there is no argument '(%w+)'.* 'frame', 'names'")
  if order == "descending" or order == "ascending" then
    return '; write f:sort("-name") for the reverse order'
  end
end

local RULES = {of_syntax, of_comparison, of_bits, of_cdata, of_globals, of_hidden, of_calls,
               of_dots, of_positions, of_order, of_identity}

-- The addition to a raised error of a text that was typed: "; write x:gt(0)" or nothing. Errors of
-- files are left alone.
function advice.of_error(problem, text, variables)
  local message = problem:match("^prompt:%d+: (.*)$") or problem
  for _, rule in ipairs(RULES) do
    local told = rule(message, text, variables)
    if told then return told end
  end
  return ""
end

-- -- What Lua lets pass --------------------------------------------------------------------------

-- `m ? x : y` of a mask, which answers x.
local function of_choice(text, variables)
  local tokens = lex.code(text)
  for i = 2, #tokens do
    local sign, name = tokens[i], tokens[i - 1]
    if sign.text == "?" and sign.kind == "operator" and name.kind == "name" then
      local path = path_before(text, name.last)
      if path and with_method(variables, path, "logical_not") then
        return ("a tensor is always true; write locus.where(%s, x, y)"):format(path)
      end
    end
  end
end

-- A method without its call, as f.to and f["to"].
local function of_method(text, variables)
  local path, method = text:match("^%s*=?%s*(" .. PATH .. ")%.(" .. NAME .. ")%s*$")
  if not path then
    local pattern = "^%%s*=?%%s*(%s)%%[%%s*[\"'](%s)[\"']%%s*%%]%%s*$"
    path, method = text:match(pattern:format(PATH, NAME))
  end
  local _, object = with_method(variables, path or "", method)
  if not object then return nil end
  local state = lazy("locus.frame.frame").state(object)
  local hidden = state and state.columns[method] ~= nil
  return ("%s is a method: write %s:%s(...)%s"):format(method, path, method,
    hidden and (', or %s:column("%s") for the column'):format(path, method) or "")
end

-- A line about a result that is hardly the wanted one: a comparison of objects, a choice between
-- them, a method without its call. Nil as a rule.
function advice.of_value(value, text, variables)
  if type(value) == "boolean" then
    local meant, sign = infix(text, variables, METHODS)
    if meant then
      return ("%s compares objects; write %s for the elements"):format(sign, meant)
    end
    meant = prefix(text, variables, "!", "logical_not")
    return meant and ("a tensor is always true; write %s for the elements"):format(meant)
  end
  local meant, sign = infix(text, variables, LOGIC)
  if meant then
    return ("%s answers one of its sides; write %s for the elements"):format(sign, meant)
  end
  meant = of_choice(text, variables)
  if meant then return meant end
  if type(value) == "function" then return of_method(text, variables) end
end

return advice
