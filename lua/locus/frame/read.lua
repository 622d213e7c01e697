-- SPDX-License-Identifier: MIT
-- read_csv, read_log and chunks: text to frames.
local core = require "locus.core"
local declare = require "locus.call.declare"
local format = require "locus.frame.format"
local frame = require "locus.frame.frame"
local job = require "locus.frame.job"
local json = require "locus.json.job"
local parts = require "locus.frame.parts"
local paths = require "locus.source.paths"
local progress = require "locus.progress"
local sources = require "locus.source.sources"
local internal = core.internal

local LIMIT = 2 ^ 20

local TAB = '; write %s = "\\t" for a tab'

-- -- Options --------------------------------------------------------------------------------------

local function byte(raise, options, name, absent)
  local value = options[name]
  if value == nil then return absent end
  if type(value) == "string" and #value == 1 and not value:find("[\r\n%z]") then return value end
  raise("'%s' must be one byte, other than a line's end, got %s%s", name,
    internal.describe(value), value == "\\t" and (TAB):format(name) or "")
end

-- The strings of a list, or of a single string, in a list that nobody else changes.
local function list_of_strings(raise, options, name)
  local value, list = options[name], {}
  if value == nil then return nil end
  if type(value) == "string" then value = {value} end
  if type(value) ~= "table" then
    raise("'%s' must be a list of strings, got %s", name, internal.describe(value))
  end
  local surplus = declare.surplus(value, #value)
  if surplus then raise("'%s' must be a list of strings, and has %s", name, surplus) end
  for i, text in ipairs(value) do
    if type(text) ~= "string" then
      raise("'%s[%d]' must be a string, got %s", name, i, internal.describe(text))
    end
    list[i] = text
  end
  return list
end

-- The same for names, one for each column.
local function list_of_names(raise, options, name)
  local names, seen = list_of_strings(raise, options, name), {}
  if names and #names == 0 then raise("'%s' names no column", name) end
  for _, given in ipairs(names or {}) do
    local what = given == "" and "an empty name" or seen[given] and ("'%s' twice"):format(given)
    if what then raise("'%s' has %s", name, what) end
    seen[given] = true
  end
  return names
end

local function whole(raise, options, name, absent, least)
  local given = options[name]
  local value = type(given) == "cdata" and tonumber(given) or given
  if value == nil then return absent end
  local is_count = type(value) == "number" and value >= least
  if is_count and (value % 1 == 0 or value == math.huge and name ~= "skip") then return value end
  local advice = name == "bad" and type(given) ~= "number" and "; write bad = 100, the most lines "
    .. "to leave out" or ""
  raise("'%s' must be a whole number of at least %d, got %s%s", name, least,
    internal.describe_number(given), advice)
end

local function flag(raise, given, name)
  local value = given[name]
  if value == nil or type(value) == "boolean" then return value or false end
  raise("'%s' must be true or false, got %s", name, internal.describe(value))
end

-- The types by column, and whether the others are kept: `rest = true` stands beside `types` or in
-- it, where `true` is no type.
local function read_types(raise, given)
  local types, rest = given.types, flag(raise, given, "rest")
  if type(types) ~= "table" then
    if types == nil then return nil, rest end
    raise("'types' must be a table of types by column, got %s", internal.describe(types))
  end
  local own = {}
  for key, spec in pairs(types) do own[key] = spec end
  if own.rest == true then own.rest, rest = nil, true end
  if next(own) == nil and not rest then
    raise("'types' must be a table of types by column, got an empty one")
  end
  return own, rest
end

local function is_blank(c) return c == " " or c == "\t" end

local function check_escape(raise, options)
  local escape, quote = options.escape, options.quote
  if not escape then return end
  if not quote then raise("'escape' is for quotes, and 'quote' is false") end
  if escape == options.separator or options.blanks and is_blank(escape) then
    raise("'escape' and 'separator' are both %q", escape)
  end
  if escape == quote then options.escape = nil end -- which quotes are by themselves
end

local function check_distinct(raise, options)
  local separator, quote = options.separator, options.quote
  if separator == quote then raise("'separator' and 'quote' are both %q", quote) end
  if (options.blanks or options.skip_blanks) and is_blank(quote) then
    raise("'quote' must not be a blank if blanks do not count, got %s", internal.describe(quote))
  end
  check_escape(raise, options)
  if options.decimal == separator then
    raise("'decimal' and 'separator' are both %q; write separator = \";\"", separator)
  end
end

-- The separator, and whether it is any run of blanks.
local function read_separator(raise, given)
  if given.separator == "blanks" then return " ", true end
  if type(given.separator) == "string" and #given.separator > 1 and given.separator ~= "\\t" then
    raise("'separator' must be one byte, other than a line's end, got %s; \"blanks\" are runs of "
      .. "spaces and tabs", internal.describe(given.separator))
  end
  return byte(raise, given, "separator", ","), false
end

local function read_header(raise, given)
  if given == nil then return true end
  if type(given) == "boolean" then return given end
  return list_of_names(raise, {header = given}, "header")
end

-- The name of the column of files' names.
local function check_path(raise, name)
  if name == nil or type(name) == "string" and name ~= "" then return name end
  raise("'path' must be the name of a column for the files' names, got %s", internal.describe(name))
end

-- The settings of the arguments, checked.
local function read_options(raise, given)
  local bad, quote, comment = given.bad, given.quote, given.comment
  if bad == nil or bad == "raise" then bad = 0 end
  if comment ~= nil and (type(comment) ~= "string" or comment == "" or comment:find("[\r\n]")) then
    raise("'comment' must be the text that begins a comment, got %s", internal.describe(comment))
  end
  local decimal = given.decimal or "."
  if decimal ~= "." and decimal ~= "," then
    raise("'decimal' must be \".\" or \",\", got %s", internal.describe(decimal))
  end
  local separator, blanks = read_separator(raise, given)
  local types, rest = read_types(raise, given)
  local options = {
    types = types, rest = rest, columns = list_of_names(raise, given, "columns"),
    separator = separator, chosen = given.separator ~= nil, blanks = blanks, comment = comment,
    decimal = decimal,
    skip_blanks = flag(raise, given, "skip_blanks"), escape = byte(raise, given, "escape", nil),
    quote = quote ~= false and byte(raise, given, "quote", '"') or nil,
    missing = list_of_strings(raise, given, "missing") or {},
    header = read_header(raise, given.header), skip = whole(raise, given, "skip", 0, 0),
    bad = whole(raise, {bad = bad}, "bad", 0, 0), limit = whole(raise, given, "limit", LIMIT, 1),
    progress = progress.check(given.progress), path = check_path(raise, given.path),
  }
  check_distinct(raise, options)
  return options
end

-- -- Jobs -----------------------------------------------------------------------------------------

-- Errors name the function, also between the chunks of a loop.
local function raiser(name)
  return function(text, ...) internal.raise(name .. ": " .. internal.format(text, ...)) end
end

-- Whether the text decides the type of a column.
local function may_guess(options)
  for _, name in ipairs(options.columns or {}) do
    if options.types and options.types[name] == nil then return true end
  end
  return options.rest or not options.types
end

-- A job for that source.
local function begin(name, given, options, log)
  local raise = raiser(name)
  local self = setmetatable({raise = raise, options = options, log = log, bad = {}, before = 0},
    options.json and json or job)
  self.source = sources.open(raise, given, options.separator)
  if may_guess(options) and name ~= "chunks" then sources.keep(raise, self.source) end
  local several = self.source.count
  self.progress = progress.begin(options.progress,
    several and ("%d files"):format(several) or self.source.place, self.source.length)
  return self
end

local function finish(self, ok, ...)
  if ok then return ... end
  self.failed = ...
  self:close()
  error(self.failed, 0)
end

-- The results of f(self), when it ends. When it fails, nothing stays open, and every later call
-- fails.
local function protected(self, f, ...)
  if self.failed then error(self.failed, 0) end
  return finish(self, pcall(f, self, ...))
end

local function read_whole(self, rows)
  self:plan(rows)
  local made = self:read_all(rows)
  self:close()
  return made
end

-- Chunks that nobody keeps go before the next one is read.
local function drop_chunks(self)
  local SLACK = 8e6
  if core.live_bytes() - self.rest < self.size / 2 + SLACK then return end
  collectgarbage()
  self.rest = core.live_bytes()
end

-- The chunk whose first row has been read.
local function rest_of_chunk(self)
  local before, made -- which clears the results of an earlier call in their places
  drop_chunks(self)
  before = core.live_bytes()
  self.waiting, self.ended = nil, true -- for the functions that it calls
  self.ended = not self:read_rows(self.rows)
  if self.guesses and self:resolve_guesses() then self:fail_changed() end
  made = self:frame(self:take_columns({}))
  self.size = core.live_bytes() - before
  if self.ended then self:close() end
  return made
end

-- A chunk at a time, until there are no more rows. The rows after its first are read at the first
-- use of the chunk. A loop holds its chunk until it has the next one; by the first use it has
-- released the one before.
local function next_chunk(self)
  if self.waiting then self.waiting() end
  if self.ended then return nil end
  self.ended = true
  if self:read_rows(1) then
    self.ended = false
    local chunk = frame.later(function() return protected(self, rest_of_chunk) end)
    self.waiting = function() return #chunk end
    return chunk
  end
  local made = self:frame(self:take_columns({}))
  self:close()
  return made.bad and #made.bad > 0 and made or nil
end

local function begin_chunks(self)
  self:plan(math.huge)
  if self.guesses then
    if not self.source.rewind then
      self.raise("'types' must give the type of each column: %s cannot be read twice",
        self.source.place)
    end
    self:guess()
  end
  self:set_program()
end

-- -- Functions ------------------------------------------------------------------------------------

-- Declares a function whose body gets all arguments in a table.
local function declare_reader(line, body, needs)
  local names = {}
  for name in line:gmatch("([%w_]+):any") do names[#names + 1] = name end
  declare.func(line, function(...)
    local given = {}
    for i, name in ipairs(names) do given[name] = (select(i, ...)) end
    return body(given)
  end, paths.gather("source", needs))
end

-- The source, or the text given as `text`.
local function source_of(raise, given)
  if given.source ~= nil then
    if given.text ~= nil then raise("'text' takes the place of 'source', and both are given") end
    return given.source
  end
  if given.text == nil then raise("'source' is missing") end
  return {text = given.text}
end

-- Options that are not for JSON.
local function json_format(raise, given)
  for _, name in ipairs{"comment", "decimal", "quotes"} do
    if given[name] ~= nil then raise("'%s' is not for JSON", name) end
  end
  return "json"
end

local function format_of(raise, given)
  if given.format == nil then
    if given.quotes ~= nil then raise("'quotes' is for logs, and there is no 'format'") end
    return nil
  end
  for _, name in ipairs{"separator", "quote", "header", "escape", "skip_blanks"} do
    if given[name] ~= nil then raise("'%s' is not for logs, which have a 'format'", name) end
  end
  if type(given.format) ~= "string" then
    raise("'format' must be a string, got %s", internal.describe(given.format))
  end
  if given.quotes ~= nil and given.quotes ~= "apache" then
    raise("'quotes' must be \"apache\", got %s", internal.describe(given.quotes))
  end
  if given.format == "json" then return json_format(raise, given) end
  return format.parse(raise, given.format, given.quotes)
end

-- The options of all readers, and those of text between separators.
local COMMON = "types:any=nil, rest:any=nil, columns:any=nil, decimal:any=nil, "
  .. "comment:any=nil, missing:any=nil, bad:any=nil, limit:any=nil, progress:any=nil, "
  .. "text:any=nil, path:any=nil"
local CSV = "header:any=nil, separator:any=nil, quote:any=nil, escape:any=nil, skip_blanks:any=nil"

-- read_csv(source, {...}): text as a frame. source: a path, "-" for stdin, an open file, a function
-- that gives strings until nil, or {text = s}; a pattern, "logs/*.csv", or a list of sources, whose
-- rows follow each other; gzip is recognised. path: the column of the files' names. types: what
-- each column is; columns that it does not name are left out; without it the text decides. Errors:
-- a line that does not fit the types, with place, line, column and text. docs/columns.md has all.
declare_reader("read_csv(source:any=nil, {skip:any=nil, rows:any=nil, " .. COMMON .. ", " .. CSV
  .. "})", function(given)
  local raise = raiser("read_csv")
  local options = read_options(raise, given)
  local rows = whole(raise, given, "rows", math.huge, 0)
  return protected(begin("read_csv", source_of(raise, given), options), read_whole, rows)
end)

-- read_log(source, format, {...}): lines of a log as a frame; format: the server's own line, with
-- $name for each field. quotes = "apache": a backslash within quotes takes the next byte along.
declare_reader("read_log(source:any=nil, format:any=nil, {skip:any=nil, rows:any=nil, " .. COMMON
  .. ", quotes:any=nil})", function(given)
  local raise = raiser("read_log")
  if given.format == nil then raise("'format' is missing") end
  if given.format == "json" then
    raise("'format' is \"json\"; write locus.read_json(source, {types = ...})")
  end
  local log, options = format_of(raise, given), read_options(raise, given)
  local rows = whole(raise, given, "rows", math.huge, 0)
  options.header = false
  return protected(begin("read_log", source_of(raise, given), options, log), read_whole, rows)
end, "format")

-- read_json(source, {...}): JSON objects, one on each line or in one array, as a frame. types: for
-- each column its type, and where its key has another name, path = "user.name" or "tags[0]".
declare_reader("read_json(source:any=nil, {types:any=nil, rest:any=nil, columns:any=nil, "
  .. "skip:any=nil, missing:any=nil, rows:any=nil, bad:any=nil, limit:any=nil, progress:any=nil, "
  .. "text:any=nil, path:any=nil})", function(given)
  local raise = raiser("read_json")
  local options = read_options(raise, given)
  local rows = whole(raise, given, "rows", math.huge, 0)
  options.json, options.header = true, false
  return protected(begin("read_json", source_of(raise, given), options), read_whole, rows)
end)

-- chunks(source, {rows=1000000, format=, ...}): for part in locus.chunks(...) do ... end gives a
-- frame of at most `rows` rows at a time, as read_csv reads them, or read_log with a format. From a
-- tensor, a string column or a frame it gives views, each with the position of its first row.
declare_reader("chunks(source:any=nil, {rows:any=nil, skip:any=nil, format:any=nil, "
  .. "quotes:any=nil, " .. COMMON .. ", " .. CSV .. "})", function(given)
  local raise = raiser("chunks")
  if parts.has(given.source) then
    return parts.of(raise, given, whole(raise, given, "rows", 1e6, 1))
  end
  local log, options = format_of(raise, given), read_options(raise, given)
  if log then options.header = false end
  if log == "json" then log, options.json = nil, true end
  local rows = whole(raise, given, "rows", 1e6, 1)
  local self = begin("chunks", source_of(raise, given), options, log)
  self.rows, self.size, self.rest = rows, 0, core.live_bytes()
  protected(self, begin_chunks)
  return function()
    if not self.failed then return protected(self, next_chunk) end
  end
end)
