-- SPDX-License-Identifier: MIT
-- Frames as text: f:write_csv. The core makes the text of a few thousand rows at a time, and a sink
-- takes it in pieces.
local core = require "locus.core"
local column = require "locus.frame.column"
local declare = require "locus.call.declare"
local file = require "locus.files.file"
local frame = require "locus.frame.frame"
local progress = require "locus.progress"
local promised = require "locus.files.promised"
local strings = require "locus.frame.strings"

local internal, raise = core.internal, declare.raise
local describe = internal.describe

local CHUNK = 16384 -- rows that are fetched from a device, or passed to functions, at a time

-- -- Options --------------------------------------------------------------------------------------

local function one_byte(name, value)
  if #value ~= 1 or value == "\r" or value == "\n" then
    raise("'%s' must be one byte that ends no line, got %s%s", name, describe(value),
      value == "\\t" and ("; write %s = \"\\t\" for a tab"):format(name) or "")
  end
end

local function one_of(name, value, a, b, shown)
  if value ~= a and value ~= b then
    raise("'%s' must be %s, got %s", name, shown, describe(value))
  end
end

-- The comment prefix must not begin with a quote, because a quote is put in front of a line.
local function check_comment(comment, quote)
  if comment == nil then return end
  if comment == "" or comment:find("[\r\n]") or comment:sub(1, 1) == quote then
    raise("'comment' must be the text that begins a comment, and not begin with the quote, "
      .. "got %s", describe(comment))
  end
end

local function check_options(options)
  one_byte("separator", options.separator)
  one_byte("quote", options.quote)
  one_byte("escape", options.escape)
  one_of("decimal", options.decimal, ".", ",", [["." or ","]])
  one_of("newline", options.newline, "\n", "\r\n", [["\n" or "\r\n"]])
  check_comment(options.comment, options.quote)
  local quote_is_blank = options.blanks and options.quote:find("[ \t]")
  if options.separator == options.quote or quote_is_blank then
    raise("'separator' and 'quote' must differ, got '%s' for both", options.quote)
  elseif options.separator == options.decimal then
    raise("'separator' must differ from the decimal point, got '%s' for both", options.decimal)
  elseif options.separator == options.escape then
    raise("'separator' and 'escape' must differ, got '%s' for both", options.escape)
  end
end

-- The formats by column; each must belong to one.
local function check_formats(state, formats)
  if type(formats) ~= "table" then
    raise("'formats' must be a table of formats by column, got %s", describe(formats))
  end
  for name in pairs(formats) do
    if type(name) ~= "string" then
      raise("'formats' must have columns' names as keys, got %s", describe(name))
    end
    frame.column(state, name)
  end
end

-- The zone in which times are written, for the core.
local function zone_of(state, zone)
  if zone == nil then return nil end
  local found = internal.zone(zone)
  for _, kind in pairs(state.kinds) do
    if kind.type == "time" then return found end
  end
  raise("'zone' goes with columns of times, and the frame has none")
end

-- -- Columns --------------------------------------------------------------------------------------

-- A function's texts become a string column.
local function is_text(values, format)
  return type(format) == "function" or strings.is(values)
end

local function is_word(value) return type(value) == "string" and not value:find("\0", 1, true) end

-- The description of a column for the core.
local function described(name, values, kind, format, zone)
  local told = {name = name, dtype = "int32", meaning = "string"}
  if not is_text(values, format) then
    told.dtype, told.meaning = values.dtype, nil
    if kind and kind.type ~= "duration" then told.meaning, told.unit = kind.type, kind.unit end
    if told.meaning == "time" then told.zone = zone end
  end
  if type(format) == "table" and is_word(format[1]) and is_word(format[2]) and #format == 2 then
    told.yes, told.no = format[1], format[2]
  elseif is_word(format) then
    told.format = format
  elseif format ~= nil and type(format) ~= "function" then
    raise("'formats.%s' must be a string, two words or a function, got %s", name, describe(format))
  end
  return told
end

-- The function's texts of these rows, as a string column.
local function worded(name, values, first, count, format)
  local list = column.reader(values)(first, first + count - 1)
  for i = 1, count do
    local text = declare.call(format, list[i])
    if type(text) ~= "string" then
      raise("the function 'formats.%s' must return a string, got %s for row %d", name,
        describe(text), first + i - 1)
    end
    list[i] = text
  end
  return strings.of(list, "cpu")
end

-- The source from which the core writes these rows: a tensor on the CPU, and the dictionary of
-- strings.
local function fetch(name, values, first, count, format)
  if type(format) == "function" then
    values, first = worded(name, values, first, count, format), 1
  end
  local tensor, dictionary = column.parts(values)
  return {core.narrow(tensor, 1, first, count):cpu(), dictionary}
end

-- How many rows are fetched at once: all, where they need not be made or moved.
local function rows_at_once(job)
  for _, name in ipairs(job.state.names) do
    local on_cpu = column.device(job.state.columns[name]) == "cpu"
    if not on_cpu or type(job.formats[name]) == "function" then return CHUNK end
  end
  return math.max(job.state.rows, 1)
end

-- -- Sinks ----------------------------------------------------------------------------------------

-- A job is {writer, state, formats, header, target, take, tell, told, file, cut}. It is handed on,
-- and no function keeps it: compiled code keeps the functions that it calls, and a writer has
-- memory. take(job) is called for each piece of the text that is long enough, and at the end;
-- several threads write to `file` by themselves; `cut`: only whole pieces are taken, one by one.

-- Reports the number of rows done, in the same steps for any number of threads.
local function tell(job, done)
  for rows = job.told + CHUNK, done, CHUNK do
    job.told = rows
    job.tell(rows)
  end
  if done == job.state.rows and job.told < done then job.tell(done) end
end

local function check_written(job, ok, reason)
  if ok then return end
  local name = job.path and "'" .. job.path .. "'" or job.target == io.stdout and "stdout"
  raise("cannot write to %s: %s", name or "the file", reason)
end

-- Writes these rows from the sources `parts`.
local function write_rows(job, parts, before, count)
  local done = 0
  while done < count do
    local more, pieces, reason = internal.write_rows(job.writer, parts, done, count - done,
      job.file, job.cut)
    check_written(job, not reason, reason)
    done = done + more
    for _ = 1, pieces do job.take(job) end
    tell(job, before + done)
  end
end

-- Writes all rows, and what is left of the text at the end.
local function write_all(job)
  local state, step = job.state, rows_at_once(job)
  if job.header then internal.write_names(job.writer) end
  for first = 1, state.rows, step do
    local count, parts = math.min(step, state.rows - first + 1), {}
    for i, name in ipairs(state.names) do
      parts[i] = fetch(name, state.columns[name], first, count, job.formats[name])
    end
    write_rows(job, parts, first - 1, count)
  end
  job.take(job)
end

local function pour(job)
  local reason = internal.pour_text(job.writer, job.target)
  check_written(job, not reason, reason)
end

local function hand_over(job)
  local text = internal.take_text(job.writer)
  if text ~= "" then job.target(text) end
end

local function keep() end

local function to_file(job)
  job.take, job.file = pour, job.target
  write_all(job)
  local reason = internal.flush_file(job.target)
  check_written(job, not reason, reason)
end

-- A whole file: the old one stays until the new one is complete.
local function to_path(job)
  local handle, new = file.begin(job.target)
  if not handle then raise("cannot open '%s': %s", job.target, new) end
  job.path, job.target = job.target, handle
  local written, message = pcall(to_file, job)
  local reason = file.finish(handle, new, written)
  if not written then error(message, 0) end
  check_written(job, not reason, reason)
end

local function to_function(job)
  job.take, job.cut = hand_over, true
  write_all(job)
end

local function to_text(job)
  job.take = keep
  write_all(job)
  return internal.take_text(job.writer)
end

local sinks = {["nil"] = to_text, string = to_path, ["function"] = to_function, userdata = to_file}

local compressors = {gz = "gzip", bz2 = "bzip2", xz = "xz", zst = "zstd", lz4 = "lz4", zip = "zip"}

-- A name that promises compressed bytes would mislead the program that reads it.
local function check_name(path)
  local command = compressors[(path:match("%.(%w+)$") or ""):lower()]
  if not command then
    return promised.check(path, "CSV", "csv tsv txt", 'f:write_csv("%s.csv")')
  end
  local _, there = internal.is_folder(path)
  if there == "no folder" then return end -- a pipe or a device
  raise("'%s' would be plain text, since nothing here compresses; write %s", path, command == "zip"
    and "it to another name, and have zip take that"
    or ("p = io.popen(\"%s > file\", \"w\"), f:write_csv(p), p:close()"):format(command))
end

local function check_target(target)
  local kind = type(target)
  if kind == "string" and not target:find("\0", 1, true) then return check_name(target) end
  if kind == "nil" or kind == "function" or io.type(target) == "file" then return end
  raise("'target' must be a path, an open file or a function, got %s",
    io.type(target) and "a closed file" or describe(target))
end

-- Reports the rows written; off by default if the text goes to the terminal.
local function teller(option, target, rows)
  progress.check(option)
  local is_shown = io.type(target) == "file" and internal.is_terminal(target)
  if option == nil and is_shown then option = false end
  local place = type(target) == "string" and target or target == nil and "text" or "file"
  return progress.begin(option, place, rows, progress.ROWS)
end

-- Writes the frame as lines of separated fields, which read_csv reads back with types = f:types().
-- int64 is exact, floats are the shortest decimals that read back, bools true and false, times
-- 2026-11-22T08:30:59Z, strings their bytes. Fields are quoted only if needed.
--
-- target: a path; "-" for stdout; a file of io.open; a function, which gets strings of 256 KB or
-- more, and less at the end. Without one the text is the answer.
-- formats, by column: for floats "%.2f", up to 20 places (rounded from the exact value, halves to
-- even); for integers "%d", "%6d", "%06d", "%x"; for times and dates a pattern of strftime; for
-- bools two words, {"yes", "no"}; for any column a function that turns an element into text.
-- separator ",", or "blanks" for a space where readers take runs of blanks; quote '"'; escape: put
-- before a quote within quotes, and before itself (default the quote); decimal "." or ",", newline
-- "\n" or "\r\n"; header = false leaves the names out; missing is what stands for NaN; comment:
-- another beginning of lines that readers pass over, besides the usual marks. progress: as in
-- read_csv, of rows. zone: times are written as its clocks show them, with their offset from UTC:
-- 2026-11-22T09:30:59+01:00. Errors: a format that does not fit its column; a complex column
-- without a function; a file that cannot be written: the one that was at the path stays as it was.
-- All options are checked before a file is opened.
frame.method('write_csv(frame:any, target:any_or_options=nil, {formats:any=nil, '
  .. 'separator:string=nil, header:boolean=true, missing:string="", quote:string=nil, '
  .. 'newline:string=nil, decimal:string=nil, progress:any=nil, comment:string=nil, '
  .. 'escape:string=nil, zone:any=nil})',
  function(state, target, formats, separator, header, missing, quote, newline, decimal, option,
           comment, escape, zone)
    local blanks = separator == "blanks"
    local options = {separator = blanks and " " or separator or ",", quote = quote or '"',
                     decimal = decimal or ".", newline = newline or "\n", missing = missing,
                     comment = comment, blanks = blanks and "blanks" or nil}
    options.escape = escape or options.quote
    formats = formats or {}
    if target == "-" then target = io.stdout end
    check_target(target)
    check_options(options)
    check_formats(state, formats)
    zone = zone_of(state, zone)
    if #state.names == 0 then raise("the frame has no columns") end

    options.columns = {}
    for i, name in ipairs(state.names) do
      options.columns[i] = described(name, state.columns[name], state.kinds[name], formats[name],
        zone)
    end
    local job = {writer = internal.writer(options), state = state, formats = formats,
                 header = header, target = target, told = 0,
                 tell = teller(option, target, state.rows)}
    local ok, text = pcall(sinks[type(target)], job)
    internal.end_writer(job.writer)
    job.tell()
    if not ok then error(text, 0) end
    return text
  end)
