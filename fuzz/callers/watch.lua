-- SPDX-License-Identifier: MIT
-- The law of a call, whatever its arguments: an error is a sentence of ours or one that the caller
-- itself raised, and tensors are as they were, except those that the call writes to.
local evil = require "fuzz.callers.evil"
local ffi = require "ffi"
local locus = require "locus"

local watch = {}

-- -- Tensors ------------------------------------------------------------------------------------

local function look(t)
  return table.concat({t.dtype, table.concat(t:size(), "x"), table.concat(t:stride(), ",")}, " ")
end

-- Where the elements of a tensor of any strides lie: the address of the first, and how many bytes
-- from there.
local function place(t)
  local last = 0
  for d = 1, t:dim() do last = last + (t:size(d) - 1) * t:stride(d) end
  return ffi.cast("char *", t:data()), (last + 1) * t:element_size()
end

--- Takes down the elements of the tensors of a box.
function watch.begin(box)
  for _, entry in ipairs(box.tensors) do
    local there, text = pcall(look, entry.tensor)
    entry.look = there and text
    if entry.keeper then
      entry.from, entry.size = place(entry.keeper)
      entry.bytes = ffi.string(entry.from, entry.size)
    end
  end
end

-- The tensors that rawget reaches from a value that a call writes to, also in tables.
local function gather(into, v, depth)
  if locus.is_tensor(v) then into[v] = true end
  if type(v) ~= "table" or depth > 3 then return end
  for _, inner in next, v do gather(into, inner, depth + 1) end
end

-- The tensors that a call may write to: `out`, and the first argument of a name that ends in an
-- underscore.
local function written(call)
  local into = {}
  for i = 1, call.args.n do
    local v = call.args[i]
    if type(v) == "table" then
      gather(into, rawget(v, "out"), 0)
      if call.name:find "_$" then gather(into, rawget(v, "input"), 0) end
    end
  end
  if call.name:find "_$" or call.name == "x[k] = v" or call.name == "free" then
    gather(into, call.args[1], 0)
  end
  return into
end

-- Whether they share bytes with one of those.
local function is_near(entry, others)
  for _, other in ipairs(others) do
    if other.from and entry.from and entry.from < other.from + other.size
        and other.from < entry.from + entry.size then
      return true
    end
  end
  return false
end

-- The change; nil when nothing has changed that may not.
local function changed(box, call, raised)
  local may, others = raised and {} or written(call), {}
  for _, entry in ipairs(box.tensors) do
    if may[entry.tensor] then others[#others + 1] = entry end
  end
  for i, entry in ipairs(box.tensors) do
    local touched = may[entry.tensor]
    if entry.look and not touched then
      local there, text = pcall(look, entry.tensor)
      if not there or text ~= entry.look then
        return ("tensor %d was %s and is %s"):format(i, entry.look, tostring(text))
      end
    end
    if entry.from and not touched and not is_near(entry, others)
        and ffi.string(entry.from, entry.size) ~= entry.bytes then
      return ("the elements of tensor %d (%s) changed"):format(i, entry.look or "freed")
    end
  end
end

-- -- Sentences ----------------------------------------------------------------------------------

-- Lua's own errors when a caller yields or runs out of memory, or calls itself too often.
local LUAS = {"attempt to yield across C%-call boundary$", "^not enough memory$",
              "^attempt to yield from outside a coroutine$", "cannot resume", "stack overflow",
              "^error in error handling$", "C stack overflow", "^table overflow$"}

-- Words that no sentence of ours has.
local FORBIDDEN = {"attempt to", "bad argument", "nil value", "lua/locus/", "assertion failed",
                   "internal", "number expected", "invalid key", "invalid value", "no value",
                   "invalid option", "index out of", "too many results",
                   "userdata: ", "table: 0x", "invalid order function", "string length overflow",
                   "number overflow", "cannot convert", "cannot change a protected metatable"}

local LONGEST = 400

-- The names in errors of functions that have another name, or that functions.lua calls one with
-- another.
local SAID = {nElement = "numel", nDimension = "dim", isContiguous = "is_contiguous",
              to_dlpack = "dlpack"}

local function is_own(message)
  if message == evil.own_table or message == nil then return true end
  return type(message) == "string" and message:find(evil.OWN, 1, true)
end

-- Whether a function is among the arguments or in a table there: errors may come from its calls.
local function calls_back(call)
  for i = 1, call.args.n do
    local v = call.args[i]
    if type(v) == "function" then return true end
    for _, inner in next, type(v) == "table" and v or {} do
      if type(inner) == "function" or type(inner) == "table" then return true end
    end
  end
end

-- The fault of an error; nil when there is none.
local function ill(message, call)
  if is_own(message) then return nil end
  if type(message) ~= "string" then return "raised a " .. type(message) end
  for _, pattern in ipairs(LUAS) do
    if message:find(pattern) then return nil end
  end
  local line, sentence = message:match "^([%w_./%-%[%]\"= ]-:%d+): (.*)$"
  -- Changes that the text of a call in specs makes to its arguments are the caller's doing.
  if line and line:find "spec/%w+/" and sentence:find "^attempt to" then return nil end
  if call.operator and line and sentence:find "^attempt to" then return nil end
  sentence = sentence or message
  for _, word in ipairs(FORBIDDEN) do
    if message:find(word) then return "says '" .. word .. "'" end
  end
  if sentence:find "[%c]" then return "is more than one line" end
  if #sentence > LONGEST then return "says more than a sentence" end
  if call.named and not call.bare and not (line and line:find "callers/") then
    return "says no place of its caller"
  end
  local name = SAID[call.name] or call.name
  if call.named and not calls_back(call) and not sentence:find(name .. ": ", 1, true) then
    return "does not name the function"
  end
end

--- The fault after a call that raised, or gave results; nil when there is none.
function watch.fault(box, call, done, message)
  local wrong = not done and ill(message, call)
  if wrong then return wrong .. ": " .. tostring(message) end
  if box.changed or call.careless then return nil end
  wrong = changed(box, call, not done)
  return wrong and (done and "" or "raised '" .. tostring(message) .. "', and ") .. wrong
end

return watch
