-- SPDX-License-Identifier: MIT
-- Round numbers: the ticks of an axis, the edges of bins, and how they are written.
local internal = require("locus.core").internal

local ticks = {}

local FACTORS = {1, 2, 5, 10}
local MOST = 1.7976931348623157e308
local LONGEST = 9 -- characters of a number before one with an exponent is written, if shorter

local function exponent_of(value) return tonumber(internal.format("%e", value):match("e(.*)$")) end

-- -- Steps of numbers -----------------------------------------------------------------------------

-- The least of 1, 2 and 5 times a power of ten that is not less than a number above zero; if all is
-- `whole`, not below 1. {factor, exponent, size}
local function step_of(least, whole)
  local exponent = exponent_of(least)
  if whole and exponent < 0 then least, exponent = 1, 0 end
  local power = 10 ^ exponent
  for _, factor in ipairs(FACTORS) do
    if factor * power >= least * (1 - 1e-9) then
      return {factor = factor, exponent = factor == 10 and exponent + 1 or exponent,
              power = exponent, size = factor * power}
    end
  end
end

-- The multiple of a step that is nearest to the decimals that it is written with.
local function multiple(step, i)
  if step.power < 0 and step.power > -300 then return i * step.factor / 10 ^ -step.power end
  return math.max(-MOST, math.min(i * step.size, MOST))
end

-- Whole numbers after an origin: exact, but where no int64 holds one.
local function far_text(value, origin)
  local sum = origin + value
  if (sum >= origin) ~= (value >= 0) then
    return internal.format("%.0f", tonumber(origin) + value)
  end
  return internal.spell(sum)
end

-- A number with decimals down to that power of ten; after an origin all are whole.
local function text_of(value, exponent, origin)
  if origin ~= 0 then return far_text(value, origin) end
  if value == 0 then value = 0 end -- not -0
  if exponent < -300 then return internal.format("%.3g", value) end
  local plain = internal.format("%.*f", math.max(0, math.min(-exponent, 99)), value)
  if #plain <= LONGEST then return plain end
  if value == 0 then return "0" end
  local digits = math.max(0, math.min(17, exponent_of(value) - exponent))
  local short = internal.format("%.*e", digits, value):gsub("e%+?(%-?)0*(%d)", "e%1%2")
  return #short < #plain and short or plain
end

-- -- Times ----------------------------------------------------------------------------------------

local SECONDS = {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200}
local DAY = 86400

-- A step in seconds that people count in.
local function seconds_of(least)
  if least <= 0.5 then return math.max(step_of(least).size, 1e-6) end
  for _, seconds in ipairs(SECONDS) do
    if seconds >= least * (1 - 1e-9) then return seconds end
  end
  return step_of(least / DAY, true).size * DAY
end

-- How a time in microseconds is written on an axis of such steps: as a date, or as hours, minutes
-- and decimals of a minute, after month and day if the axis has several days.
local function clock(low, high, seconds)
  local decimals = seconds < 1 and math.min(6, -exponent_of(seconds)) or 0
  local several = math.floor(low / (DAY * 1e6)) ~= math.floor(high / (DAY * 1e6))
  return function(value)
    local whole = value - value % 1e6
    local date, minute, second = internal.format_time(whole):match("^(.*)T(%d+:%d+)(:%d+)")
    if seconds >= DAY then return date end
    if seconds < 60 then minute = minute .. second end
    if seconds < 1 then
      minute = minute .. internal.format("%.*f", decimals, (value - whole) / 1e6):sub(2)
    end
    return several and date:match("%d+-%d+$") .. " " .. minute or minute
  end
end

local function time_ticks(first, last, size, written)
  local list = {}
  for k = 0, last - first do
    local at = math.floor((first + k) * size + 0.5)
    list[#list + 1] = {at = at, text = written(at)}
  end
  return list
end

-- The ticks of times between low and high, or around them.
local function times(low, high, most, is_around)
  local seconds = seconds_of((high - low) / most / 1e6)
  local size, written = seconds * 1e6, clock(low, high, seconds)
  if is_around then
    return time_ticks(math.floor(low / size), math.ceil(high / size), size, written)
  end
  return time_ticks(math.ceil(low / size), math.floor(high / size), size, written)
end

-- -- Axes -----------------------------------------------------------------------------------------

-- The multiples of a step from one to another as ticks. Numbers so large that 1 more is the same
-- do not keep it going.
local function multiples(step, from, to, axis)
  local list = {}
  for k = 0, to - from do
    local at = multiple(step, from + k)
    local text = axis.kind == "date" and internal.format_date(at)
      or text_of(at, step.exponent, axis.origin)
    list[#list + 1] = {at = at, text = text}
  end
  return list
end

local function step_between(low, high, most, whole)
  return step_of((high / 2 - low / 2) / (most / 2), whole)
end

-- At most about `most` ticks from low to high, {at, text} each. axis: {origin, whole, kind}; kind
-- "time" counts microseconds, "date" days.
function ticks.between(low, high, most, axis)
  if axis.kind == "time" then return times(low, high, most, false) end
  local step = step_between(low, high, most, axis.whole)
  return multiples(step, math.ceil(low / step.size - 1e-9), math.floor(high / step.size + 1e-9),
    axis)
end

-- An axis, {low, high, ticks}, from the last tick that is not above low to the first one that is
-- not below high.
function ticks.around(low, high, most, axis)
  local step = step_between(low, high, most, axis.whole)
  local list = axis.kind == "time" and times(low, high, most, true)
    or multiples(step, math.floor(low / step.size + 1e-9),
      math.ceil(high / step.size - 1e-9), axis)
  return {low = list[1].at, high = list[#list].at, ticks = list}
end

-- The edges of about `most` bins of a round width, or fewer, that hold all numbers from low to
-- high. A whole number that is an edge begins a bin; another may end the last one.
function ticks.edges(low, high, most, whole)
  local step, list = step_between(low, high, most, whole), {}
  local from, to = math.floor(low / step.size), math.ceil(high / step.size)
  if whole then to = math.floor(high / step.size) + 1 end
  for k = 0, math.max(to - from, 1) do list[k + 1] = multiple(step, from + k) end
  if list[1] > low then table.insert(list, 1, multiple(step, from - 1)) end
  if list[#list] < high then list[#list + 1] = multiple(step, from + #list) end
  return list
end

-- The difference of two numbers, for `texts`; for one number its size.
function ticks.span(low, high)
  local half = high / 2 - low / 2
  return half > 0 and half * 2 < math.huge and half * 2 or half > 0 and half or math.abs(low) + 1
end

-- Different values have different texts. A value that is nearer to its neighbours than decimals
-- reach gets the digits that tell it apart, and so does a small number that decimals would make 0.
local function tell_apart(list, texts)
  for i, value in ipairs(list) do
    if value ~= 0 and tonumber(texts[i]) == 0 then texts[i] = internal.format("%.3g", value) end
  end
  local same = {}
  for i = 2, #list do
    local alike = texts[i] == texts[i - 1] and list[i] ~= list[i - 1]
    same[i - 1], same[i] = alike or same[i - 1], alike or nil
  end
  for i in pairs(same) do texts[i] = internal.spell(list[i]) end
end

-- Numbers as text, with enough decimals to tell apart a hundredth of `width`; all that differ have
-- other texts.
function ticks.texts(list, width, origin)
  local exponent, texts = math.huge, {}
  for digits = 0, 2 do -- as few as hold all of them
    exponent = exponent_of(width) - digits
    local exact = true
    for _, value in ipairs(list) do
      local near = math.floor(value / 10 ^ exponent + 0.5) * 10 ^ exponent
      exact = exact and math.abs(near - value) < width * 1e-6
    end
    if exact then break end
  end
  for i, value in ipairs(list) do texts[i] = text_of(value, exponent, origin) end
  if origin == 0 then tell_apart(list, texts) end
  return texts
end

return ticks
