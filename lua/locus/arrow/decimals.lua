-- SPDX-License-Identifier: MIT
-- Decimals of Arrow: whole numbers of 4 to 32 bytes that count units of 10^-scale. Whole ones are
-- int64; others become float64 if the caller says so.
local declare = require "locus.call.declare"
local part_of = require "locus.arrow.part"
local structs = require "locus.arrow.structs"
local internal = require "locus.core".internal

local decimals = {}

local ADVICE = 'write decimal = "float64", or cast it first, in SQL by ::bigint or ::double'

-- The scale that a format says, and how many bytes a decimal takes; nil for other formats.
function decimals.parse(format)
  local scale, bits = format:match "^d:%d+,(%-?%d%d?%d?)$", "128"
  if not scale then scale, bits = format:match "^d:%d+,(%-?%d%d?%d?),(%d+)$" end
  if not scale or bits ~= "32" and bits ~= "64" and bits ~= "128" and bits ~= "256" then
    return nil
  end
  return tonumber(scale), tonumber(bits) / 8
end

-- Raises unless 'decimal' is a dtype that decimals may become.
function decimals.check(decimal)
  if decimal == nil or decimal == "float64" then return end
  declare.raise("'decimal' must be \"float64\", got %s", internal.describe(decimal))
end

function decimals.read(part, scale, bytes)
  local held = part_of.elements(part, 1, "uint8", 1, part.first * bytes, part.count * bytes)
  if scale == 0 then
    local whole, past = internal.arrow_decimals(held, bytes, 0, part.there, "int64")
    if whole then return part_of.filled(part, whole) end
    if not part.decimal then
      declare.raise("%s is a decimal and has a number past int64 in row %d; %s", part.name, past,
        ADVICE)
    end
  elseif not part.decimal then
    declare.raise("%s is a decimal with scale %d (Arrow's format '%s'); %s", part.name, scale,
      structs.string(part.schema.format), ADVICE)
  end
  return part_of.filled(part, internal.arrow_decimals(held, bytes, scale, part.there, "float64"))
end

return decimals
