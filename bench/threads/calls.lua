-- SPDX-License-Identifier: MIT
-- The calls of bench/threads.lua: those of spec/ops on operands of a million elements, where they
-- take such, and in bench/threads/rows.lua those that must be written for such sizes.
local kinds = require "locus.tensor.kind"
local locus = require "locus"
local ops = require "spec.ops"
local rows = require "bench.threads.rows"

local calls = {}

local SIDE = 1000
local N = SIDE * SIDE

-- Operands as those of spec/ops/operands.lua, of a thousand rows.
local function pair()
  local generator = locus.generator(7)
  local x = locus.rand(SIDE, SIDE, {generator = generator}):mul_(1e6):floor()
  return setmetatable({
    x = x, y = locus.randint(1, 4, {SIDE}, {generator = generator}):to("int32"), mask = x:gt(5e5),
    index = locus.randperm(SIDE, {generator = generator}), seq = locus.arange(N),
    out = locus.zeros(0, {dtype = "int64"}), left = locus.zeros(0, {dtype = "int64"}),
    full = locus.zeros(SIDE, SIDE),
  }, {__index = {fresh = function(self, name) return self[name]:clone() end}})
end

local function integers()
  local e = pair()
  e.x = e.x:to("int32")
  e.y = e.x + 1
  return e
end

local function many()
  local x = locus.arange(N)
  return {x = x, mask = x:lt(N / 2), y = locus.zeros(N / 2)}
end

-- Noons, in no order: clocks show each once.
local function times()
  local days = locus.randperm(N, {generator = locus.generator(7)}) - N / 2
  return {t = kinds.tagged(days * 86400 + 43200, kinds.named("time", "s"))}
end

local MAKE = {pair = pair, integers = integers, many = many, times = times}
local made = {}

local function operands(on)
  made[on] = made[on] or (MAKE[on] or error("no operands of a million elements"))()
  return made[on]
end

--- Whether a function is about devices, processes or the allocator, and not for the table.
function calls.elsewhere(name)
  return name:find("^cuda%.") or name:find("^mpi%.") or name:find("^memory%.")
end

--- The calls of a function: a list of {call, form}.
function calls.of(name)
  local list = {}
  made = {} -- calls in place may have changed the last ones
  if rows[name] then
    local f, e = ops.public(name), rows.operands()
    return {{call = function() return rows[name](f, e) end}}
  end
  for _, entry in ipairs(ops.rows) do
    local row = entry.row
    if entry.name == name and row[2] then
      list[#list + 1] = {form = row.form, call = function()
        return row[2](ops.public(name), operands(row.on or "pair"))
      end}
    end
  end
  return list
end

return calls
