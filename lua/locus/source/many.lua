-- SPDX-License-Identifier: MIT
-- A job (frame/job.lua) whose source is several files: it goes on from one to the next, whose rows
-- follow. The first file decides the columns; the others have the same names, in any order.
local core = require "locus.core"
local declare = require "locus.call.declare"
local strings = require "locus.frame.strings"
local internal = core.internal

local many = {}

-- Notes that rows from here on are of the file that is open. job.files is a list of {name =, from =
-- (rows of the columns before it)}.
local function note(job)
  local _, _, rows = internal.reader_position(job.reader)
  local files = job.files
  if #files > 0 and files[#files].from == rows then files[#files] = nil end
  files[#files + 1] = {name = job.source.place, from = rows}
end

-- Begins at the first file, whose columns have no rows.
function many.begin(job)
  job.files = {}
  note(job)
end

-- The source is at its beginning again: the reader, too.
function many.begin_again(job)
  if job.source.count then internal.reader_go_on(job.reader, job.source.file) end
  job.files, job.places = {}, nil
end

-- The number of each field of this file in the first one, by the names of both.
local function places_of(job, names)
  local known, places, first = {}, {}, job.first_place
  for i, name in ipairs(job.names) do known[name] = i end
  for i, name in ipairs(names) do
    places[i] = known[name]
    if not known[name] then
      job.raise("%s has a column '%s', which %s does not have; the files' columns must have the "
        .. "same names, in any order", job.source.place, declare.shown(name), first)
    end
    known[name] = nil
  end
  for _, name in ipairs(job.names) do
    if known[name] then
      job.raise("%s has no column '%s', which %s has; the files' columns must have the same names, "
        .. "in any order", job.source.place, declare.shown(name), first)
    end
  end
  return places
end

-- Passes over what is in front of the rows. The places of the fields, by the header if there is
-- one; nil: as in the first file.
local function read_header(job)
  local header, trailing = job.options.header, job.trailing
  local record, names = job:begin(), {}
  if job.log or header == false then return nil end
  if header == true then
    if not record then job.raise("%s is empty: there is no header", job.source.place) end
    names = job:check_names(job:drop_last_field(record))
  elseif job.options.bad == 0 then
    for i, name in ipairs(job.names) do names[i] = name end
    job:drop_last_field(names)
    names = job.names
  else
    return nil
  end
  local places = places_of(job, names)
  if job.trailing then places[#places + 1] = 0 end
  job.trailing = trailing -- that of the first file
  return places
end

-- Whether these places are those that hold.
local function are_same(job, places)
  local now = job.places or {}
  local count = #job.names + (not job.places and job.trailing and 1 or 0)
  if #places ~= (job.places and #now or count) then return false end
  for i, place in ipairs(places) do
    if place ~= (now[i] or not job.places and i <= #job.names and i or 0) then return false end
  end
  return true
end

-- Goes on with the next file; false if there is none. All rows of the one before have been read.
function many.go_on(job)
  job.first_place = job.first_place or job.source.place
  if not (job.source.next and job.source.next()) then return false end
  internal.reader_go_on(job.reader, job.source.file)
  note(job)
  local places = read_header(job)
  if places and not are_same(job, places) then
    internal.reader_places(job.reader, places)
    job.places = places
  end
  return true
end

-- The field of the first file that a field of the open one is.
function many.field(job, field)
  return job.places and job.places[field] or field
end

-- The column of the files' names, for the next `rows` rows; later ones are of the open file.
function many.column(job, rows)
  local names, counts, files = {}, {}, job.files
  for i, file in ipairs(files) do
    names[i] = file.name
    counts[i] = (files[i + 1] and files[i + 1].from or rows) - file.from
  end
  job.files = {{name = names[#names], from = 0}}
  local column = strings.of(names, "cpu")
  counts = core.tensor(counts, {dtype = "int64", device = "cpu"})
  return strings.like(column, core.repeat_interleave(strings.parts(column), counts))
end

return many
