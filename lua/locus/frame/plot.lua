-- SPDX-License-Identifier: MIT
-- f:plot: columns over another one. lua/locus/plot draws.
local declare = require "locus.call.declare"
local printable = require "locus.frame.printable"
local strings = require "locus.frame.strings"
local lazy = require "locus.call.lazy"

-- A column for a plot: its measures, its name for people, and its kind, if its numbers are times or
-- dates.
local function drawn(frame, state, name)
  local measured = lazy("locus.plot.measured")
  local values = frame.column(state, name)
  if strings.is(values) then
    declare.raise("the column '%s' holds strings, which are not drawn", name:sub(1, 60))
  end
  local m, kind = measured.with_kind(values, name)
  return m, (printable(name)), kind
end

return function(frame)
  -- plot(x, names..., {points, width, height}): a picture of at most eight columns, by name, over
  -- the column x. Axes of times and dates are labelled as such. Options and picture are those of
  -- x:plot. Errors: a column that is not there, or holds strings or complex numbers.
  frame.method("plot(frame:any, x:string, names..., {points:boolean=false, width:integer=nil, "
    .. "height:integer=nil})",
    function(state, x, names, points, width, height)
      local plot = lazy("locus.plot.plot")
      local p, list = {series = {}, x = {}, y = {}, points = points}, {}
      if #names == 0 then declare.raise("'names' must hold the name of a column") end
      local said
      p.x.m, said, p.x.kind = drawn(frame, state, x)
      for i, name in ipairs(names) do
        local m, shown, kind = drawn(frame, state, name)
        local s = {m = m, name = shown}
        if i == 1 then p.y.kind = kind elseif p.y.kind ~= kind then p.y.kind = nil end
        p.series[i], list[i] = s, s.name
      end
      p.said = table.concat(list, ", ") .. " by " .. said
      return plot.picture(p, width, height)
    end)
end
