-- SPDX-License-Identifier: MIT
-- Counts what the operands of each op hold. An oracle shows nothing about values that it never
-- draws: each operand must hold every special value of its dtype, and many distinct values. An op
-- that leaves some out claims so, and then never draws them.
local arrays = require "fuzz.callers.known.arrays"
local plan = require "fuzz.callers.plan"
local support = require "spec.support"

jit.off(true, true) -- see plan.compile

local drawn = {}

-- A cell is an operand of one dtype. It is judged once ENOUGH arrays of some length were drawn; a
-- value that one array in six holds is then missing once in 10^7 cells. The count ends after MOST.
local ENOUGH, MOST, SHORTEST, LONGEST, DISTINCT = 100, 300, 20, 1000, 64

local inf = math.huge
local NORMAL = {float16 = 2 ^ -14, bfloat16 = 2 ^ -126, float32 = 2 ^ -126, float64 = 2 ^ -1022,
                complex64 = 2 ^ -126, complex128 = 2 ^ -1022}

-- Special values by kind of dtype: whether a number is one. `range` holds the limits of an integer
-- dtype, `normal` the least normal number of a float one.
local SPECIAL = {
  bool = {
    ["false"] = function(x) return x == 0 end,
    ["true"] = function(x) return x == 1 end,
  },
  integer = {
    zero = function(x) return x == 0 end,
    negative = function(x) return x < 0 end,
    least = function(x, range) return x == range[1] end,
    greatest = function(x, range) return x == range[2] end,
    ["past 2^53"] = function(x) return x > 9007199254740992LL end,
  },
  float = {
    NaN = function(x) return x ~= x end,
    infinite = function(x) return x == inf end,
    ["-infinite"] = function(x) return x == -inf end,
    zero = function(x) return x == 0 and 1 / x > 0 end,
    ["-0"] = function(x) return x == 0 and 1 / x < 0 end,
    negative = function(x) return x < 0 and x > -inf end,
    denormal = function(x, _, normal) return x ~= 0 and x < normal and x > -normal end,
  },
}
SPECIAL.complex = SPECIAL.float
for _, tests in pairs(SPECIAL) do plan.compile(tests) end

local function kind_of(dtype) return arrays.types[dtype].kind:lower() end

local function specials_of(dtype)
  local tests = {}
  for name, test in pairs(SPECIAL[kind_of(dtype)]) do tests[name] = test end
  local unsigned = tests.least and support.range[dtype][1] == 0
  if unsigned then tests.negative, tests.least = nil, nil end
  if dtype ~= "int64" then tests["past 2^53"] = nil end
  return tests
end

local claims, op, place, cells = {}, nil, 0, {}

--- Declares that operand `at` of an op never holds those values, a list by kind of dtype, and holds
--- at least that many distinct ones if these are fewer than other operands hold.
function drawn.claim(name, at, never, distinct)
  claims[name .. at] = {never = never, distinct = distinct or {}}
end

--- Begins the count of an op.
function drawn.reset(name) op, cells = name, {} end

--- Begins a call of it: the next array is its first operand.
function drawn.begin() place = 0 end

local function cell_of(dtype)
  local key = ("operand %d, %s"):format(place, dtype)
  cells[key] = cells[key] or {dtype = dtype, at = place, looks = 0, seen = {}, distinct = 0,
                              values = {}, specials = specials_of(dtype)}
  return cells[key]
end

-- Notes the special elements at `first` and behind; `missing` are the tests that none has passed.
local function look(cell, v, count)
  local range, normal = support.range[cell.dtype], NORMAL[cell.dtype]
  for name, test in pairs(cell.specials) do
    for i = 0, cell.seen[name] and -1 or count - 1 do
      if test(v[i], range, normal) then
        cell.seen[name] = true
        break
      end
    end
  end
  for i = 0, cell.distinct < DISTINCT and count - 1 or -1 do
    local text = tostring(v[i])
    if not cell.values[text] then
      cell.values[text], cell.distinct = true, cell.distinct + 1
    end
  end
end

-- Looks at the array of a tensor.
function arrays.watch(a)
  if not op then return end
  place = place + 1
  local cell = cell_of(a.dtype)
  if not a.any or a.n < SHORTEST or cell.looks == MOST then return end
  cell.looks = cell.looks + 1
  look(cell, a.v, math.min(a.n, LONGEST) * (a.class == "z" and 2 or 1))
end

-- The mistakes of a cell, each in a sentence.
local function mistakes(key, cell)
  local kind, claim = kind_of(cell.dtype), claims[op .. cell.at]
  local never = {}
  for _, name in ipairs(claim and claim.never[kind] or {}) do never[name] = true end
  local said = {}
  for name in pairs(cell.specials) do
    if never[name] and cell.seen[name] then
      said[#said + 1] = ("%s: %s is drawn, and the op claims that it is not"):format(key, name)
    elseif not never[name] and not cell.seen[name] then
      said[#said + 1] = ("%s: %s is never drawn"):format(key, name)
    end
  end
  local distinct = kind == "bool" and 0 or claim and claim.distinct[kind] or DISTINCT
  if cell.distinct < distinct then
    said[#said + 1] = ("%s: only %d distinct values are drawn"):format(key, cell.distinct)
  end
  table.sort(said)
  return said
end

--- How many cells of the op were judged, and the mistakes of all.
function drawn.verdict()
  local judged, said = 0, {}
  for key, cell in pairs(cells) do
    if cell.looks >= ENOUGH then
      judged = judged + 1
      for _, sentence in ipairs(mistakes(key, cell)) do said[#said + 1] = sentence end
    end
  end
  table.sort(said)
  return judged, said
end

return drawn
