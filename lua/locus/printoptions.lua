-- SPDX-License-Identifier: MIT
-- set_printoptions and get_printoptions: how lua/locus/print.lua prints.
local declare = require "locus.call.declare"
local printing = require "locus.print"
local internal = require("locus.core").internal

local options = printing.options

-- The settings of profiles; those that are nil are print.lua's defaults.
local profiles = {
  default = {precision = 4, threshold = 1000},
  short = {precision = 2, threshold = 1000, edgeitems = 2},
  full = {precision = 4, threshold = math.huge},
}

local limits = {threshold = {0, math.huge}, edgeitems = {1, 1000}, precision = {0, 17},
                linewidth = {1, math.huge}}

local function check(name, value)
  local least, most = unpack(limits[name])
  if value >= least and value <= most and (value == math.huge or value % 1 == 0) then return end
  declare.raise("'%s' must be a whole number in %s..%s, got %s", name, least, most,
    internal.describe_number(value))
end

local function check_profile(profile)
  if profile == nil or profiles[profile] then return end
  declare.raise("'profile' must be \"default\", \"short\" or \"full\", got \"%s\"", profile)
end

-- How tensors and frames are printed: decimals of a float; of more than `threshold` elements
-- `edgeitems` at each edge; columns of a line, by default the environment's COLUMNS, else the
-- terminal's width, else 80. A profile sets all of these, before those that are given, too.
-- `sci_mode` says whether floats have exponents; without it the numbers decide.
-- Source: https://pytorch.org/docs/stable/generated/torch.set_printoptions.html
declare.func("set_printoptions(precision:number=nil, threshold:number=nil, edgeitems:number=nil, "
  .. "linewidth:number=nil, profile:string=nil, sci_mode:boolean=nil)",
  function(precision, threshold, edgeitems, linewidth, profile, sci_mode)
    local given = {precision = precision, threshold = threshold, edgeitems = edgeitems,
                   linewidth = linewidth}
    for name, value in pairs(given) do check(name, value) end
    check_profile(profile)
    if profile then
      for name in pairs(limits) do options[name] = profiles[profile][name] end
    end
    for name, value in pairs(given) do options[name] = value end
    options.sci_mode = sci_mode
  end)

-- The current settings: the arguments of set_printoptions by name, except the profile.
-- Source: NumPy, https://numpy.org/doc/stable/reference/generated/numpy.get_printoptions.html
declare.func("get_printoptions()", function()
  return {precision = options.precision, threshold = options.threshold,
          edgeitems = options.edgeitems or printing.EDGEITEMS,
          linewidth = printing.columns_of_line(), sci_mode = options.sci_mode}
end)
