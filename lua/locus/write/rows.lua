-- SPDX-License-Identifier: MIT
-- Frames as text: what f:write_csv and f:write_json share. The core makes the text of a few
-- thousand rows at a time, and a sink takes it in pieces.
local core = require "locus.core"
local column = require "locus.frame.column"
local declare = require "locus.call.declare"
local file = require "locus.files.file"
local frame = require "locus.frame.frame"
local progress = require "locus.progress"
local strings = require "locus.frame.strings"

local internal, raise = core.internal, declare.raise
local describe = internal.describe

local write = {}

local CHUNK = 16384 -- rows that are fetched from a device, or passed to functions, at a time

-- -- Columns --------------------------------------------------------------------------------------

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

-- A job is {writer, state, formats, begin, close, target, take, tell, told, file, cut, packer,
-- put}. It is handed on, and no function keeps it: compiled code keeps the functions that it calls,
-- and a writer has memory. begin(writer) and close(writer) add what stands round the rows.
-- take(job) is called for each piece of the text that is long enough, and at the end; several
-- threads write to `file` by themselves; `cut`: only whole pieces are taken, one by one. With a
-- packer the text is compressed, and put(job, bytes) takes the bytes.

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
  job.begin(job.writer)
  for first = 1, state.rows, step do
    local count, parts = math.min(step, state.rows - first + 1), {}
    for i, name in ipairs(state.names) do
      parts[i] = fetch(name, state.columns[name], first, count, job.formats[name])
    end
    write_rows(job, parts, first - 1, count)
  end
  job.close(job.writer)
  job.take(job)
  if job.packer then job.put(job, internal.pack(job.packer, "", true)) end
end

-- The text so far, compressed.
local function pack(job)
  local bytes = internal.pack(job.packer, internal.take_text(job.writer))
  if bytes ~= "" then job.put(job, bytes) end
end

local function put_into_file(job, bytes)
  local ok, reason = job.target:write(bytes)
  check_written(job, ok, reason)
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
  if job.packer then
    job.take, job.put, job.cut = pack, put_into_file, true
  else
    job.take, job.file = pour, job.target
  end
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

local function put_into_function(job, bytes) job.target(bytes) end

local function to_function(job)
  job.take, job.cut = job.packer and pack or hand_over, true
  job.put = put_into_function
  write_all(job)
end

local function put_into_list(job, bytes) table.insert(job.list, bytes) end

local function to_packed_text(job)
  job.take, job.cut, job.put, job.list = pack, true, put_into_list, {}
  write_all(job)
  return table.concat(job.list)
end

local function to_text(job)
  if job.packer then return to_packed_text(job) end
  job.take = keep
  write_all(job)
  return internal.take_text(job.writer)
end

local sinks = {["nil"] = to_text, string = to_path, ["function"] = to_function, userdata = to_file}

-- Reports the rows written; off by default if the text goes to the terminal.
local function teller(option, target, rows)
  progress.check(option)
  local is_shown = io.type(target) == "file" and internal.is_terminal(target)
  if option == nil and is_shown then option = false end
  local place = type(target) == "string" and target or target == nil and "text" or "file"
  return progress.begin(option, place, rows, progress.ROWS)
end

-- The frame, with its columns in that order, goes to the target. `request`: target, formats, zone,
-- progress; plan, for the core's writer, without columns; keys, what their descriptions have
-- besides, or nil; begin and close, as of a job; packing, as target.check gives it. Returns the
-- text where there is no target.
function write.rows(state, names, request)
  local formats = request.formats or {}
  check_formats(state, formats)
  local zone = zone_of(state, request.zone)
  if #names == 0 then raise("the frame has no columns") end

  local plan, keys = request.plan, request.keys
  plan.columns = {}
  for i, name in ipairs(names) do
    local told = described(name, state.columns[name], state.kinds[name], formats[name], zone)
    for key, value in pairs(keys and keys[i] or {}) do told[key] = value end
    plan.columns[i] = told
  end
  local target = request.target
  local job = {writer = internal.writer(plan), formats = formats, target = target, told = 0,
               state = {names = names, columns = state.columns, rows = state.rows},
               begin = request.begin, close = request.close,
               tell = teller(request.progress, target, state.rows)}
  local packing = request.packing
  job.packer = packing and internal.packer(packing.form, packing.level)
  local ok, text = pcall(sinks[type(target)], job)
  internal.end_writer(job.writer)
  if job.packer then internal.end_packer(job.packer) end
  job.tell()
  if not ok then error(text, 0) end
  return text
end

return write
