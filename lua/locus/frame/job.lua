-- SPDX-License-Identifier: MIT
-- One source being read into columns. The core's reader (src/text/read) works by a program, a list
-- of the types of a record's fields. This file makes the program and drives the reader.
local core = require "locus.core"
local declare = require "locus.call.declare"
local frame = require "locus.frame.frame"
local many = require "locus.source.many"
local rejected = require "locus.frame.rejected"
local strings = require "locus.frame.strings"
local types = require "locus.frame.types"
local internal = core.internal

-- Its fields: raise (with the function's name), source, options, log (a format, else CSV), reader
-- and progress; names, those of the fields; entries, the column of each field (of types.lua; false:
-- none); order, the names of the columns; trailing: whether a separator ends each line; bad, the
-- lines left out since the last frame, and before, their number until then; taken, the rows of the
-- columns that were taken last. many.lua has those of several files.
local job = {}
job.__index = job

-- The most columns.
local MOST = 4096

-- The records that are examined to decide whether a separator ends each line.
local DECIDE = 100

-- -- Reading --------------------------------------------------------------------------------------

-- Makes the reader, which is at the source's first byte.
function job:open()
  local options, log = self.options, self.log
  self.reader = internal.new_reader({
    log = log ~= nil, json = options.json, before = log and log.before,
    separator = options.separator,
    blanks = options.blanks, skip_blanks = options.skip_blanks, quote = options.quote,
    escape = options.escape, comment = options.comment, missing = options.missing,
    limit = options.limit,
  }, self.source.file)
  many.begin(self)
end

-- The next piece of the source. If that fails, the text that waits for it is read first: the error
-- is then `late`, and raised where no line of that text is wrong.
function job:pull()
  if self.late then error(self.late.reason, 0) end
  local ok, piece = pcall(self.source.pull)
  if ok then return piece end
  self.late = {reason = piece}
end

-- Reads on; returns whether there was anything.
function job:fill()
  local s = self.source
  local state = internal.reader_fill(self.reader, s.place)
  while state == "wants" do
    local piece = self:pull()
    if self.late then return true end
    state = internal.reader_fill(self.reader, s.place, piece, piece == nil)
  end
  self.progress(self.source.before + internal.reader_position(self.reader))
  return state == "read"
end

-- Suggests a separator if the text seems to have another one than the default.
function job:separator_advice(text)
  local options = self.options
  if self.log or options.chosen then return "" end
  return rejected.separator(self.names, options.separator, text)
end

-- Leaves out a line that cannot be read; raises if that is one too many.
function job:reject(line, field, text, wrong)
  if field > #self.names then field = 0 end -- of the line: it is behind the last one
  local known, most = many.field(self, field), self.options.bad
  local entry = self.entries[known]
  local bad = {line = line, field = field, column = field > 0 and self.names[known] or "",
               path = entry and entry.path,
               text = text, reason = entry and types.wrong(entry, wrong) or wrong,
               file = self.source.count and self.source.place}
  if most == 0 then
    local row = field == 0 and text or nil
    self.raise("%s%s", rejected.sentence(self.source.place, bad), self:separator_advice(row))
  end
  if self.before + #self.bad == most then
    self.raise("%s (and %d bad lines before)", rejected.sentence(self.source.place, bad), most)
  end
  self.bad[#self.bad + 1] = bad
end

-- Reads rows until there are `most`; false if the source ends before.
function job:read_rows(most)
  internal.reader_rows(self.reader, most)
  while true do
    local state, line, field, text, wrong = internal.reader_run(self.reader, self.late ~= nil)
    if state == "full" then return true end
    if state == "again" then
      self.bad = {}
    elseif state == "bad" then
      self:reject(line, field, text, wrong)
    elseif state == "broken" then
      local bad = {line = line, field = 0, text = text, reason = wrong}
      self.raise("%s", rejected.sentence(self.source.place, bad))
    elseif not self:fill() and not many.go_on(self) then
      return false
    end
  end
end

-- The fields of the next record, nil at the end. With `stay` it is not passed over.
function job:next_record(stay)
  while true do
    local state, found, _, text, wrong = internal.reader_header(self.reader, stay)
    if state == "full" then return found end
    if state == "bad" then
      self.raise("%s:%d: the %s %s: %s", self.source.place, found,
        stay and "first line" or "header", wrong, rejected.quoted(text))
    end
    if not self:fill() then return nil end
  end
end

-- Passes over the lines in front of the records; the fields of the header, if there is one.
function job:begin()
  for _ = 1, self.options.skip do
    while internal.reader_skip(self.reader) ~= "full" do
      if not self:fill() then return nil end
    end
  end
  if self.options.header == true then return self:next_record() end
end

-- Begins again at the source's first byte.
function job:begin_again()
  self.source.rewind()
  many.begin_again(self)
  internal.reader_rewind(self.reader)
  internal.reader_program(self.reader, {})
  many.begin(self)
  self.bad = {}
  self:begin()
end

-- -- Names ----------------------------------------------------------------------------------------

function job:check_names(names)
  local seen = {}
  for i, name in ipairs(names) do
    local what = name == "" and ("column %d has no name"):format(i)
      or seen[name] and ("two columns are named '%s'"):format(rejected.escaped(name))
    if what then
      local _, line = internal.reader_position(self.reader)
      self.raise("%s:%d: %s; write header = {names} and skip = %d", self.source.place, line - 1,
        what, line - 1)
    end
    seen[name] = true
  end
  return names
end

-- Three counts over the next records: with `expected` fields and an empty last one, with `expected`
-- fields and another last one, and with other numbers of fields.
function job:peek(expected)
  while true do
    local state, empty, full, others = internal.reader_peek(self.reader, expected, DECIDE)
    if state == "full" or not self:fill() then return empty, full, others end
  end
end

-- A separator may end each line: then most of the first records have an empty field behind the
-- named ones; the header counts, too. An empty field in the header is no name, unless the rows have
-- that field filled. Between blanks no field is empty.
function job:drop_last_field(names)
  if self.options.blanks then return names end
  local named = #names > 1 and not names[#names]:find("[^ \t]")
  local empty, full, others = self:peek(#names + (named and 0 or 1))
  self.trailing = empty > 0 and empty + (named and 1 or 0) > full + others
  if named and (self.trailing or full == 0) then names[#names] = nil end
  return names
end

-- The names of the fields: from the format, the caller, the header, or else by number.
function job:name_fields()
  local header, place, skip = self.options.header, self.source.place, self.options.skip
  local behind = skip > 0 and ("behind the lines that 'skip' = %d leaves out"):format(skip)
  local record = self:begin()
  if self.log then return self.log.names end
  if type(header) == "table" then -- the caller has counted, and rows of another number may be bad
    return self.options.bad == 0 and self:drop_last_field(header) or header
  end
  if header == true then
    if not record then
      self.raise(behind and "%s has no header %s" or "%s is empty: there is no header",
        place, behind)
    end
    return self:check_names(self:drop_last_field(record))
  end
  record = self:next_record(true)
  if not record then
    self.raise("%s: the number of its columns is unknown",
      place .. (behind and " has nothing " .. behind or " is empty"))
  end
  for i = 1, #record do record[i] = "column" .. i end
  return record
end

function job:check_known(argument, name, known)
  if known[name] then return end
  self.raise("'%s' names a column '%s', which %s does not have%s%s", argument, declare.shown(name),
    self.source.place, frame.advice(declare.shown(name), known, self.names),
    self:separator_advice())
end

-- -- The program ----------------------------------------------------------------------------------

local function positions(names)
  local of = {}
  for i, name in ipairs(names) do of[name] = i end
  return of
end

-- The types in `types`, by number of the field; it may name fields by number, too.
function job:given_types(known)
  local given = {}
  for key, spec in pairs(self.options.types) do
    local at = self.names[key] and key or known[key]
    if not at then self:check_known("types", key, known) end
    if given[at] then self.raise("'types' gives two types for column '%s'", self.names[at]) end
    given[at] = spec
  end
  return given
end

-- The column of a field that is wanted.
function job:entry(name, spec)
  if spec == nil then
    self.guesses = true
    return types.guess(self.options.decimal)
  end
  return types.read(spec, self.options.decimal, function(format, ...)
    self.raise("'types': column '%s' " .. format, name, ...)
  end) or false
end

-- Decides the column of each field, and the order of the columns: the given one, or the fields'.
function job:plan()
  self:open()
  self.names = self:name_fields()
  local known, chosen = positions(self.names), self.options.columns
  local given = self.options.types and self:given_types(known)
  for _, name in ipairs(chosen or {}) do self:check_known("columns", name, known) end
  local wanted = chosen and positions(chosen)
  if known[self.options.path] then
    self.raise("'path' is '%s', and %s has a column of that name", self.options.path,
      self.source.place)
  end
  self.entries, self.order = {}, chosen or {}
  for i, name in ipairs(self.names) do
    local take = wanted and wanted[name]
      or not wanted and (not given or given[i] or self.options.rest)
    if self.log and name == "_" then take = false end
    self.entries[i] = take and self:entry(name, given and given[i]) or false
    if self.entries[i] and not chosen then table.insert(self.order, name) end
  end
  if #self.order > MOST then
    self.raise("%s has %d columns, and at most %d can be read; name those that you want by "
      .. "'types' or 'columns'", self.source.place, #self.order, MOST)
  end
end

-- Whether the field is read: `only` leaves out all others.
local function taken(entry, i, only) return entry and (not only or only[i]) end

function job:fail_changed()
  self.raise("%s has changed since it was read for its columns' types", self.source.place)
end

-- Tells the reader.
function job:set_program(only)
  local fields = {}
  for i, entry in ipairs(self.entries) do
    local literal = self.log and self.log.ends[i] or {}
    fields[i] = {column = taken(entry, i, only) and entry.column or nil, ends = literal.text,
                 escapes = literal.escapes}
  end
  if self.trailing then fields[#fields + 1] = {nothing = true} end
  internal.reader_program(self.reader, fields)
end

-- The results of the guesses, and the set of fields whose guess did not hold; nil if all held.
function job:resolve_guesses(only)
  local now, failed = internal.reader_types(self.reader)
  local wrong, at = {}, 0
  for i, entry in ipairs(self.entries) do
    if taken(entry, i, only) then
      at = at + 1
      if entry.guessed then types.resolve(entry, now[at]) end
      if failed[at] then wrong[i] = true end
    end
  end
  return next(wrong) and wrong
end

-- -- Frames ---------------------------------------------------------------------------------------

-- Puts the columns that have been read into a table, by number of their field.
function job:take_columns(into, only)
  self.taken = select(3, internal.reader_position(self.reader))
  local values, dictionaries = internal.reader_columns(self.reader)
  local at = 0
  for i, entry in ipairs(self.entries) do
    if taken(entry, i, only) then
      at = at + 1
      into[i] = dictionaries[at] and strings.make(values[at], dictionaries[at]) or values[at]
    end
  end
  return into
end

function job:frame(columns)
  local by_name, kinds, order = {}, {}, {}
  for i, entry in ipairs(self.entries) do
    by_name[self.names[i]] = columns[i]
    kinds[self.names[i]] = entry and entry.kind or nil
  end
  for _, name in ipairs(self.order) do
    if by_name[name] then order[#order + 1] = name end
  end
  local path = self.options.path
  if path then
    by_name[path] = many.column(self, self.taken)
    order[#order + 1] = path
  end
  local made = frame.make(order, by_name, kinds)
  local device = core.get_default_device()
  if device ~= "cpu" then made = made:to(device) end
  if self.options.bad > 0 then
    frame.state(made).bad = rejected.frame(self.bad, self.source.count ~= nil)
  end
  self.before, self.bad = self.before + #self.bad, {}
  return made
end

-- Columns that will be read again, which nobody else holds.
local function drop(columns, only)
  for i in pairs(only or columns) do
    if core.is_tensor(columns[i]) then core.methods.free(columns[i]) end
  end
end

-- All rows, or at most that many. A column whose guess did not hold is read again. If lines may be
-- left out, all columns are read again, so that the same lines are.
function job:read_all(most)
  local columns, only = {}, nil
  self:set_program()
  while true do
    self:read_rows(most)
    local wrong = self:resolve_guesses(only)
    self:take_columns(columns, only)
    if only and #columns[next(only)] < most then self:fail_changed() end
    if not wrong then return self:frame(columns) end
    only = self.options.bad == 0 and wrong or nil
    if only then most = #columns[next(only)] end -- a file may have grown
    drop(columns, only)
    self:begin_again()
    self:set_program(only)
  end
end

-- Reads the text for the guesses alone, until all hold, and keeps few rows: as many as a chunk has,
-- or those of a few megabytes.
function job:guess()
  local CELLS, MOST_ROWS = 2 ^ 19, 1e5
  local rows = math.min(MOST_ROWS, math.max(self.rows, math.ceil(CELLS / #self.order)))
  repeat
    self:set_program()
    while self:read_rows(rows) do internal.reader_forget(self.reader) end
    local wrong = self:resolve_guesses()
    self:begin_again()
  until not wrong
end

function job:close()
  local close = self.source.close
  self.progress()
  if self.reader then internal.reader_close(self.reader) end
  self.source.close = nil
  if close then close() end
end

return job
