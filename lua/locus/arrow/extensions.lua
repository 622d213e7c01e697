-- SPDX-License-Identifier: MIT
-- Types of Arrow for which there is no column, named in errors that say what to write; and
-- extension types, whose meaning is more than that of the format they are stored in.
local declare = require "locus.call.declare"
local structs = require "locus.arrow.structs"

local extensions = {}

-- Those that are read: as text, or as by_format.lua says. The storage of columns from BigQuery,
-- "google:...", has their meaning.
local known = {["arrow.uuid"] = true, ["arrow.bool8"] = true, ["arrow.json"] = true,
               ["geoarrow.wkb"] = true, ["geoarrow.wkt"] = true}

-- What to write for some others.
local casts = {
  ["pandas.period"] = "in pandas, cast it by .dt.to_timestamp()",
  ["pandas.interval"] = "in pandas, take .left and .right",
  ["arrow.fixed_shape_tensor"] = "take it by DLPack, or cast it to its values",
  ["arrow.opaque"] = "cast it in the query, as ::varchar, ::bigint or ::double",
}

local function words_of(part, extension)
  local inner = structs.metadata(part.schema)["ARROW:extension:metadata"] or ""
  local said = inner:match '"type_name"%s*:%s*"([^"]*)"'
  return ("'%s'"):format(extension:sub(1, 60)) .. (said and (" of '%s'"):format(said:sub(1, 60))
    or "")
end

-- The name of a part's extension type, if it has one. Raises if its storage does not say what it
-- means; that of any text does.
function extensions.of(part)
  local extension = structs.metadata(part.schema)["ARROW:extension:name"]
  if not extension or known[extension] or extension:find "^google:" then return extension end
  local format = structs.string(part.schema.format)
  if format == "u" or format == "U" or format == "vu" then return extension end
  declare.raise("%s is of Arrow's extension type %s, for which there is no column; %s", part.name,
    words_of(part, extension), casts[extension]
      or "cast it to its storage first, in pyarrow by x.cast(x.type.storage_type)")
end

-- By the beginning of a format: what it is, and what to write.
local ELEMENTS = "take its elements first, as unnest and explode do"
local refused = {
  {"^%+[lL]$", "a list", ELEMENTS}, {"^%+v[lL]$", "a list view", ELEMENTS},
  {"^%+w:", "a list of fixed size", ELEMENTS},
  {"^%+s$", "a struct within a struct", "make columns of its fields first, as unnest does"},
  {"^%+m$", "a map", "take its keys and values first, as map_keys and map_values do"},
  {"^%+u[ds]:", "a union", "cast it first, in SQL by ::varchar"},
  {"^%+r$", "run-end encoded", "decode it first, in pyarrow by pyarrow.compute.run_end_decode(x)"},
  {"^ti[MDn]$", "an interval", "cast it first: epoch(x) in SQL is its seconds"},
  {"^_pl", "a type that polars alone has", "cast it first, by .cast(pl.Int64) or .cast(pl.String)"},
  {"^d:", "a decimal of unknown size", "cast it first, in SQL by ::bigint or ::double"},
}

-- Raises, since there is no column for that format.
function extensions.refuse(part, format)
  local what, advice = "of a type", "cast it first"
  for _, row in ipairs(refused) do
    if format:find(row[1]) then
      what, advice = row[2], row[3]
      break
    end
  end
  if part.is_dictionary then what = "a dictionary, whose values are each " .. what end
  declare.raise("%s is %s (Arrow's format '%s'), for which there is no column; %s", part.name, what,
    format:sub(1, 40), advice)
end

return extensions
