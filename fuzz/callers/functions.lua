-- SPDX-License-Identifier: MIT
-- The functions that a hostile caller can call: a list of {name=, kind=, f=, params=} in a fixed
-- order. The kind is the owner of a method, "tensor" for functions of the module, too; params are
-- the names of the parameters, in order, then of those that go by name.
local declare = require "locus.call.declare"
local locus = require "locus"
local public = require "spec.support.calls.public"

-- Open MPI ends the process where it begins without enough memory: it begins now, or not at all.
local modes = require "fuzz.callers.modes"
local with_mpi = not modes.limited and pcall(function() return locus.mpi.size() end)

local list = {}

-- Functions that would end the calls, or wait for another process; from_ptr and those that take
-- addresses trust them, and get none but their own (sense.lua).
local NOT = {["mpi.finalize"] = true, ["mpi.recv"] = true, ["mpi.send"] = true,
             fail_allocation = true}

-- Whether calls are hardly worth the time of the others: one in this many is made.
local RARE = {help = 20}

local function names_of(params)
  local ordered, named = {}, {}
  for _, param in ipairs(params or {}) do
    table.insert(param.named and named or ordered, param.name)
  end
  return {ordered = ordered, named = named}
end

local function add(name, kind, f, params, operator)
  list[#list + 1] = {name = name, kind = kind, f = f, params = names_of(params),
                     rare = RARE[name] or name:find "^mpi%." and 40,
                     operator = operator}
end

-- In the place of those of that kind and name. The list of public functions has what lies below the
-- method of search indexes, which trusts its first argument; and what to_dlpack gives, somebody has
-- to take.
local INSTEAD = {
  ["index searchsorted"] = locus.search_index({1}).searchsorted,
  ["tensor to_dlpack"] = function(x)
    local pointer = locus.methods.to_dlpack(x)
    local old = type(x) == "table" and rawget(x, "versioned") == false
    local taken, answer = pcall(locus.from_dlpack, pointer, {versioned = not old})
    if taken then return answer end
    locus.fail_allocation(0)
    locus.memory.set_limit(math.huge)
    locus.from_dlpack(pointer, {versioned = not old})
    error(answer, 0)
  end,
}
local seen = {}
for _, entry in ipairs(public) do
  local wanted = with_mpi or not entry.name:find "^mpi%."
  if wanted and not NOT[entry.name] and not seen[entry.f] then
    seen[entry.f] = true
    local f = INSTEAD[entry.kind .. " " .. entry.name] or entry.f
    add(entry.name, entry.kind, f, declare.parameters(entry.f))
  end
end

-- -- What is written with operators and brackets --------------------------------------------------

-- An operation on x, with operands that these words name.
local function operate(name, kind, f, words)
  local params = {}
  for word in words:gmatch "%w+" do params[#params + 1] = {name = word} end
  add(name, kind, f, params, true)
end

local SIGNS = {
  ["+"] = function(a, b) return a + b end, ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end, ["/"] = function(a, b) return a / b end,
  ["%"] = function(a, b) return a % b end, ["^"] = function(a, b) return a ^ b end,
  ["<"] = function(a, b) return a < b end, ["<="] = function(a, b) return a <= b end,
  ["=="] = function(a, b) return a == b end, [".."] = function(a, b) return a .. b end,
}

for _, kind in ipairs {"tensor", "frame", "strings", "group", "builder", "index", "picture"} do
  operate("x[k]", kind, function(x, k) return x[k] end, "self key")
  operate("x[k] = v", kind, function(x, k, v) x[k] = v end, "self key value")
  operate("#x", kind, function(x) return #x end, "self")
  operate("tostring(x)", kind, function(x) return tostring(x) end, "self")
  operate("x(y)", kind, function(x, ...) return x(...) end, "self other")
end
for _, sign in ipairs {"+", "-", "*", "/", "%", "^", "<", "<=", "==", ".."} do
  operate("x " .. sign .. " y", "tensor", SIGNS[sign], "self other")
  operate("y " .. sign .. " x", "tensor", function(x, y) return SIGNS[sign](y, x) end, "self other")
end
operate("-x", "tensor", function(x) return -x end, "self")

return list
