-- SPDX-License-Identifier: MIT
-- A source of text: a value of `source` in read_csv, read_log and chunks, or of a list of them.
local declare = require "locus.call.declare"
local internal = require "locus.core".internal

local source = {}

-- The number of this MPI rank: from MPI, or before MPI starts from the environment that mpirun of
-- Open MPI or MPICH sets; nil if there is none.
local function rank_of_process()
  local raw = package.loaded["locus.mpi.raw"]
  return raw and raw.rank or tonumber(os.getenv("OMPI_COMM_WORLD_RANK") or os.getenv("PMI_RANK"))
end

-- mpirun passes stdin to rank 0; other ranks would find nothing there, or wait for ever.
local function check_stdin(raise)
  local rank = rank_of_process() or 0
  if rank == 0 then return end
  raise("standard input belongs to rank 0, and this is rank %d; read it there and send the "
    .. "result, or name a file", rank)
end

local function open_file(raise, path)
  if path == "-" then
    check_stdin(raise)
    return {place = "stdin", file = io.stdin}
  end
  if path:find("\0", 1, true) then
    raise("'source' is a path with a zero byte; write {text = s} for text")
  end
  local file, problem = io.open(path, "rb")
  if not file then
    raise("cannot open %s%s", problem, path:find("\n") and "; write {text = s} for text" or "")
  end
  local length = file:seek("end") -- nil of a pipe
  file:seek("set", 0)
  local function close() file:close() end
  return {place = path, file = file, length = length, close = close}
end

-- Text that comes in pieces: `pull` gives the next one, nil at the end.
local function pieces(place, pull) return {place = place, pull = pull} end

-- Whether it is an iterator of LuaJIT's io.lines(path) or file:lines(), which drop line ends.
local function takes_line_ends(f)
  if not (debug and debug.getupvalue) then return false end
  local _, file = debug.getupvalue(f, 1)
  local _, format = debug.getupvalue(f, 2)
  return io.type(file) ~= nil and debug.getinfo(f, "S").what == "C"
    and (format == nil or format == "*l" or format == "l")
end

-- A function that checks each piece, nil at the end, for lines whose ends were cut off. Those are
-- three or more pieces without a line end that neither begin nor end with a separator and have
-- equally many of them.
local function watch_ends(raise, separator)
  local count, each = 0, nil -- separators in each piece; false: no such lines
  local one = separator:gsub("%W", "%%%0")
  local edge = "^" .. one
  local function of_line(piece)
    if piece:find("\n", 1, true) or piece:find(edge) or piece:sub(-1) == separator then
      return nil
    end
    return select(2, piece:gsub(one, ""))
  end
  return function(piece)
    if piece == nil and each and each > 0 and count > 2 then
      raise("'source' gave %d strings without a line end, each with %d of %q, and strings are "
        .. "joined as they are; write line .. \"\\n\"", count, each, separator)
    elseif each == false or piece == nil or piece == "" then
      return
    end
    local found = of_line(piece)
    count, each = count + 1, (each == nil or found == each) and found or false
  end
end

-- Pieces from a function of the caller. It is not called again once it has given nil.
local function of_function(raise, given, separator)
  if takes_line_ends(given) then
    raise("'source' gives lines without their ends, as io.lines(path) does; write the path, an "
      .. "open file, or io.lines(path, \"*L\")")
  end
  local ended, watch = false, watch_ends(raise, separator)
  return pieces("source", function()
    if ended then return nil end
    local piece = declare.call(given)
    if piece ~= nil and type(piece) ~= "string" then
      raise("'source' must give strings until nil, gave %s", internal.describe(piece))
    end
    ended = piece == nil
    watch(piece)
    return piece
  end)
end

local function one_piece(text)
  local left = text
  local s = pieces("text", function()
    local piece = left
    left = nil
    return piece
  end)
  s.length = #text
  function s.rewind() left = text end
  return s
end

local function is_text(given)
  return type(given) == "table" and type(rawget(given, "text")) == "string"
end

-- Whether a value other than a path can be a source.
function source.takes(given)
  return io.type(given) == "file" or type(given) == "function" or is_text(given)
end

-- The source made of `given`, as {place= (its name in messages), file= or pull=, length= (bytes, if
-- known), rewind= (puts it at its beginning, if it can), close= (if it was opened here)}.
function source.open(raise, given, separator)
  local s
  if type(given) == "string" then
    s = open_file(raise, given)
  elseif io.type(given) == "file" then
    if given == io.stdin then check_stdin(raise) end
    s = {place = "file", file = given}
  elseif type(given) == "function" then
    s = of_function(raise, given, separator)
  elseif is_text(given) then
    local surplus = declare.surplus(given, 0, {text = true})
    if surplus then raise("'source' must be {text = s}, and has %s", surplus) end
    s = one_piece(given.text)
  else
    raise("'source' must be a path, an open file, a function, {text = s} or a list of these, "
      .. "got %s", io.type(given) == "closed file" and "a closed file" or internal.describe(given))
  end
  local start = s.file and s.file:seek("cur")
  if start then
    function s.rewind() s.file:seek("set", start) end
  end
  return s
end

-- A source that can be read twice: one that cannot be rewound is kept in memory.
function source.keep(raise, s)
  if s.rewind then return end
  local pull, file, kept, at, ended = s.pull, s.file, {}, 0, false
  local function read()
    local piece, problem = file:read(2 ^ 18)
    if problem then raise("%s cannot be read: %s", s.place, problem) end
    return piece
  end
  if file then pull, s.file = read, nil end
  function s.pull()
    at = at + 1
    if kept[at] == nil and not ended then
      kept[at] = pull()
      ended = kept[at] == nil
    end
    return kept[at]
  end
  function s.rewind() at = 0 end
end

return source
