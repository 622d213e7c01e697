-- SPDX-License-Identifier: MIT
-- Functions written in Lua declare their parameters in one line, the signature of the docs:
--
--   declare.func("hstack(tensors, {out=nil})", function(tensors, out)
--     ...
--     return core.cat(tensors, dim, {out = out})
--   end)
--
-- Users call the function by position or by name, as those in C. It gets its arguments in the order
-- of the line, each checked: a table is a tensor by then, an absent argument its default. An error
-- raised inside says `hstack: ...` at the caller's line.
--
-- A parameter is `name`, `name:kind` or `name:kind=default`. Without a kind, its name is the kind.
-- With a default, it may be left out. Those in braces go by name alone. `sizes...`, `names...` and
-- `tensors...` take all values at their place and behind. src/bind/tensor/declare.c has the kinds:
--
--   any              any value
--   any_or_options   any value, but {} in last place is an empty table of options
--   tensor           a tensor
--   value            a tensor or a scalar
--   tensors          a table of tensors
--   out              a tensor, which is kept as it is
--   dim, dims        a dimension of the first argument, counted from 1; a list of them
--   sizes            a table of sizes
--   boolean, integer, number, string, function
--   names            a list of strings
--   base, dtype, device
--   integers         a whole number or a list of them
--   counts           a whole number or a tensor; a table is read as int64
local core = require "locus.core"
local registry = require "locus.call.registry"
local internal = core.internal

local declare = {}

-- The parameters of each declared function: a list of {name=, kind=, optional=, named=, sizes=,
-- default=}, the name of the function and the line. The core names errors by it.
declare.declared = setmetatable({}, {__mode = "k"})

-- The loaders of functions whose files are not loaded yet: each answers the function that takes its
-- place (later.lua).
declare.later = registry.later

local literals = {["true"] = true, ["false"] = false}

local function literal(text)
  local value = literals[text]
  if value == nil then value = tonumber(text) or text:match('^"(.*)"$') end
  return value
end

local function parameter(text, named)
  local declaration, default = text:match("^(.-)=(.*)$")
  local name, kind = (declaration or text):match("^([%w_]+):?([%w_]*)")
  return {name = name, kind = kind ~= "" and kind or name, named = named,
          optional = default ~= nil, default = default and literal(default),
          sizes = (declaration or text):find("%.%.%.$") ~= nil}
end

-- The parameters that a line declares.
local function parse(line)
  local params = {text = line}
  local inside = line:match("^[%w_.]+(%b())$"):sub(2, -2)
  local ordered, named = inside:match("^([^{]*){?([^}]*)}?$")
  for text in ordered:gmatch("[^%s,]+") do params[#params + 1] = parameter(text, false) end
  for text in named:gmatch("[^%s,]+") do params[#params + 1] = parameter(text, true) end
  return params
end

-- The frame of a declared function must stay on the stack while its body runs: without this the
-- body would be a tail call.
local function results(...) return ... end

-- Calls a function that the caller gave. The functions that it calls raise under its name:
-- locus_called, of src/bind/ground/raise.c, looks no further than here.
function declare.call(f, ...) return results(f(...)) end
declare.declared[declare.call] = false

-- The parameters of that line, and the reader of their arguments.
function declare.reading(line)
  local params, defaults = parse(line), {}
  for i, param in ipairs(params) do defaults[i] = param.default end
  return params, internal.reader(line:match("^[%w_.]+"), params, defaults)
end

-- Whether this thread computes otherwise than IEEE 754 has it. Bodies do not.
local differs = core.why_denormals_are_zero

-- `read` of the arguments as `gather` gives them, if it is given.
local function gathered(read, gather)
  return gather and function(...) return read(gather(...)) end or read
end

-- The function of that line: it calls body with the checked arguments. gather(...) may write the
-- arguments of the call in another form.
function declare.define(line, body, gather)
  local params, read = declare.reading(line)
  read = gathered(read, gather)
  local function run(...) return body(read(...)) end
  local function declared(...)
    if differs() then return results(internal.ieee(run, ...)) end
    return results(body(read(...)))
  end
  declare.declared[declared] = params
  return declared
end

-- A function that reads its arguments itself, for loops that are to stay compiled. The line gives
-- the signature, and the function's name in errors.
function declare.plain(line, f)
  local params = parse(line)
  params.name = line:match("^[%w_.]+")
  declare.declared[f] = params
  return f
end

-- Registers a declared function in a table of functions, by the name that its line has.
function declare.add(functions, f)
  registry.put(functions, declare.declared[f].name:match("[%w_]+$"), f)
  return f
end

-- The same as a function of the module, a method, or both.
function declare.func(line, body, gather)
  declare.add(core, declare.define(line, body, gather))
end
function declare.method(line, body) declare.add(core.methods, declare.define(line, body)) end
function declare.both(line, body)
  declare.add(core.methods, declare.add(core, declare.define(line, body)))
end

-- An error that a body raises: a sentence about the arguments, to which the name of its function is
-- added.
function declare.raise(format, ...)
  internal.fail(internal.format(format, ...))
end

-- A key that nothing goes by, as an error shows it.
function declare.shown(key)
  local kind = type(key)
  if kind == "string" then return key:sub(1, 60) end
  if kind == "number" then return internal.spell(key) end
  if kind == "boolean" then return tostring(key) end
  return "[" .. internal.describe(key):gsub("^an? ", "") .. "]"
end

-- The unknown entries of a table, in words: a key that is none of the places 1..most, and none of
-- `names`, a set. nil where it has no such key.
function declare.surplus(given, most, names)
  for key in pairs(given) do
    local in_list = type(key) == "number" and key >= 1 and key <= most and key % 1 == 0
    if not in_list and not (names and names[key]) then
      return type(key) == "number" and "an item " .. internal.spell(key)
        or ("a key '%s'"):format(declare.shown(key))
    end
  end
end

-- Raises unless a table has these places and names alone; `form` is how it is written.
function declare.check_keys(given, what, form, most, names)
  local surplus = declare.surplus(given, most, names)
  if surplus then declare.raise("%s must be %s, and has %s", what, form, surplus) end
end

-- The results of a function: `out` that has become the answer, where it was given. It must lie
-- apart from the input, which errors call by that name.
function declare.deliver(input, out, answer, name)
  if out == nil then return answer end
  internal.deliver(input, out, answer, nil, name)
  return out
end

-- The parameters of a function in C: each with its `type`, by src/bind/ground/call.h, and its
-- default as the text `otherwise`.
local function bound(f)
  local params = internal.parameters(f)
  for _, param in ipairs(params or {}) do
    local type, otherwise = param.type:match("^(.*) = (.*)$")
    param.type, param.otherwise = type or param.type, otherwise
    param.optional = param.optional and (otherwise ~= nil or not param.named)
  end
  return params
end

-- The parameters of any public function, as in `declared`, with its `results`. A C function has
-- types in place of kinds. nil if they have no names, as those of is_tensor.
function declare.parameters(f)
  if declare.later[f] then f = declare.later[f](f) end
  return declare.declared[f] or bound(f)
end

return declare
