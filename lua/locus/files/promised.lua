-- SPDX-License-Identifier: MIT
-- What the ending of a file's name promises. Who writes something else under such a name is told
-- so, since whoever reads the file by its name would fail.
local core = require "locus.core"
local declare = require "locus.call.declare"
local internal = core.internal

local formats = {}

local function add(name, endings)
  for ending in endings:gmatch("%S+") do formats[ending] = name end
end

add("Parquet", "parquet pq")
add("Arrow", "arrow arrows ipc feather")
add("ORC", "orc")
add("Avro", "avro")
add("JSON", "json jsonl ndjson")
add("a spreadsheet", "xlsx xls xlsm ods")
add("PyTorch's format", "pt pth")
add("Torch7's format", "t7")
add("safetensors", "safetensors")
add("pickle", "pkl pickle")
add("HDF5", "h5 hdf5 hdf he5")
add("MATLAB's format", "mat")
add("NetCDF", "nc nc4")
add("Zarr", "zarr")
add("SQLite", "sqlite sqlite3")
add("compressed bytes", "gz bz2 xz zst lz4 zip tgz")
add("NumPy's format .npy", "npy")
add("NumPy's format .npz", "npz")
add("text", "csv tsv txt")
add("SVG", "svg")
local pictures = "png jpg jpeg gif bmp tif tiff webp ico ppm pgm avif pdf ps eps html htm"
for ending in pictures:gmatch("%S+") do add(ending:upper(), ending) end
add("compressed SVG", "svgz")

-- The path without that ending, and what stands before one of compressed bytes.
local function stem_of(path)
  local stem, ending = path:match("^(.*[^/])%.(%w+)$")
  if not stem then return path end
  if formats[ending:lower()] == "compressed bytes" then
    local before, inner = stem:match("^(.*[^/])%.(%w+)$")
    if before and formats[inner:lower()] then stem = before end
  end
  return stem, ending:lower()
end

local promised = {}

-- Raises where the path ends as files of another format than those of `own` do, a list of endings.
-- `holds`: what would be there. `advice`: what to write, a format in which the path without ending
-- may stand. Pipes, devices and folders that are there have no format.
function promised.check(path, holds, own, advice)
  local stem, ending = stem_of(path)
  local name = formats[ending]
  if not name or (" " .. own .. " "):find(" " .. ending .. " ", 1, true) then return end
  local is_folder, other = internal.is_folder(path)
  if is_folder or other == "no folder" then return end
  stem = stem:sub(1, 200)
  declare.raise("'%s' would hold %s and not %s; write " .. advice, path, holds, name, stem, stem)
end

return promised
