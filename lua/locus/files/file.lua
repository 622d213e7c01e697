-- SPDX-License-Identifier: MIT
-- Files of bytes that Lua has opened, and the tensors that are read from them and written to them.
local declare = require "locus.call.declare"
local core = require "locus.core"
local progress = require "locus.progress"
local internal, methods = core.internal, core.methods

local _, types = internal.dtypes()
local PIECE = 2 ^ 24 -- bytes that are read or written between two words of progress

local file = {PIECE = PIECE}

-- Raises a sentence about the file.
function file.fail(path, format, ...)
  declare.raise("'%s' " .. format, path, ...)
end

-- The same, and what to write, where there is advice.
function file.advise(path, advice, format, ...)
  file.fail(path, format .. (advice and "; " .. advice or ""), ...)
end

function file.exists(path)
  local handle = io.open(path, "rb")
  if handle then handle:close() end
  return handle ~= nil
end

-- The handle of io.open, or nil and why there is none.
local function open(path, mode)
  local handle, why = io.open(path, mode)
  if not handle then return nil, why:sub(#path + 3) end
  return handle
end

function file.open(path, mode)
  local handle, reason = open(path, mode)
  if not handle then file.fail(path, "cannot be opened: %s", reason) end
  return handle
end

-- The handle of a file in an open folder: its last name alone counts; "r", "r+" or "a". nil, the
-- reason and whether it is not there where it cannot be opened.
function file.open_in(folder, path, mode)
  local handle, why = io.open("/dev/null", mode == "r" and "rb" or "r+b")
  if not handle then return nil, why end
  local ok, reason, is_missing = internal.open_in(folder, path:match("[^/]*$"), handle, mode)
  if ok then return handle end
  handle:close()
  return nil, reason, is_missing
end

-- pcall, except that an interrupt ends the caller, too.
function file.try(f, ...)
  local ok, result = pcall(f, ...)
  if not ok and type(result) == "string" and result:find("interrupted!$") then error(result, 0) end
  return ok, result
end

local function used(path, handle, f)
  local ok, result = pcall(f, handle)
  local closed, why = handle:close()
  if not ok then error(result, 0) end
  if not closed then file.fail(path, "cannot be closed: %s", why) end
  return result
end

-- The results of f(handle), which reads or writes the file; it is closed in any case.
function file.with(path, mode, f) return used(path, file.open(path, mode), f) end

-- The same of a file in an open folder.
function file.with_in(folder, path, mode, f)
  local handle, reason = file.open_in(folder, path, mode)
  if not handle then file.fail(path, "cannot be opened: %s", reason) end
  return used(path, handle, f)
end

-- How many bytes there are behind the file's place; nil if the file does not say.
function file.left(handle)
  local here = handle:seek("cur")
  local last = here and handle:seek("end")
  if not last then return nil end
  handle:seek("set", here)
  return last - here
end

-- Whether the option `mmap` says that the file is written to.
function file.is_writable(mmap)
  if mmap == nil then return false end
  if mmap == "r" or mmap == "r+" then return mmap == "r+" end
  declare.raise("'mmap' must be \"r\" or \"r+\", got %s",
    type(mmap) == "string" and '"' .. mmap .. '"' or internal.describe(mmap))
end

-- -- Sources: what the bytes of a tensor are read from --------------------------------------------
-- A source has a path, for errors. read(count) gives a string of at most that many bytes. into(x)
-- fills a contiguous tensor on the CPU, and gives the number of bytes, and the error, if any.
-- left() gives the number of bytes left, nil if it is not known; place(), which not all have, the
-- number of bytes before, nil if it is not known. One with `is_whole` must end where
-- the tensor does.

function file.source(path, handle)
  local source = {path = path}
  function source.read(count)
    local bytes, reason = handle:read(count)
    if reason then file.fail(path, "cannot be read: %s", reason) end
    return bytes or ""
  end
  function source.into(x)
    local got, reason = internal.read_bytes(handle, x)
    return got, reason and "cannot be read: " .. reason
  end
  function source.left() return file.left(handle) end
  function source.place() return handle:seek("cur") end
  return source
end

function file.fail_cut(path, got, needed, advice)
  file.advise(path, advice, "is cut off: it has %d of %d bytes of elements", got, needed)
end

-- Raises where the source is known not to have that many bytes, before there is room for them.
function file.check_room(source, bytes, advice)
  local left = source.left()
  if left and left < bytes then file.fail_cut(source.path, left, bytes, advice) end
  if source.is_whole and left ~= bytes then
    file.fail(source.path, "has bytes behind its elements: it has %d bytes for %d", left, bytes)
  end
end

-- Fills tensors with the `bytes` that come next: piece(got) is the one for those behind the first
-- `got`; `done`, if given, is called with each when it is full. `advice` is that of fail_cut.
function file.pieces(source, bytes, piece, done, option, advice)
  local tell, got = progress.begin(option, source.path, bytes), 0
  while got < bytes do
    local part = piece(got)
    local more, wrong = source.into(part)
    got = got + more
    if wrong or more < part:numel() * part:element_size() then
      tell()
      if wrong then file.fail(source.path, "%s", wrong) end
      file.fail_cut(source.path, got, bytes, advice)
    end
    if done then done(part) end
    tell(got)
  end
  tell()
end

-- Fills a contiguous tensor on the CPU with the elements that come next.
function file.fill(source, x, option, advice)
  local flat, n, size = methods.flatten(x), methods.numel(x), x:element_size()
  file.check_room(source, n * size, advice)
  file.pieces(source, n * size, function(got)
    local first = got / size
    return methods.narrow(flat, 1, first + 1, math.min(PIECE / size, n - first))
  end, nil, option, advice)
end

-- A new tensor on the CPU of the elements that come next.
function file.elements(source, dtype, sizes, option, advice)
  local bytes = types[dtype].size
  for _, size in ipairs(sizes) do bytes = bytes * size end
  file.check_room(source, bytes, advice) -- before that much memory is taken
  local x = core.empty(sizes, {dtype = dtype, device = "cpu"})
  file.fill(source, x, option, advice)
  return x
end

-- A function for `pieces` that gives parts of one tensor of bytes: as many rows of `size` bytes as
-- a piece has room for, the last time those that are left.
function file.row_pieces(size, rows)
  local most = math.max(1, math.min(rows, math.floor(PIECE / size)))
  local room = core.empty(most * size, {dtype = "uint8", device = "cpu"})
  return function(got)
    return methods.narrow(room, 1, 1, math.min(most, rows - got / size) * size)
  end
end

-- -- Writing --------------------------------------------------------------------------------------

local function check_put(path, _, reason)
  if reason then file.fail(path, "cannot be written: %s", reason) end
end

-- Writes a text, or the elements of a tensor on the CPU in C order, at the file's place; for
-- elements tell(bytes) is called after every PIECE.
function file.put(path, handle, piece, tell)
  if type(piece) == "string" then return check_put(path, handle:write(piece)) end
  local flat, n, size = methods.flatten(piece), methods.numel(piece), methods.element_size(piece)
  for first = 1, n, PIECE / size do
    local count = math.min(PIECE / size, n - first + 1)
    check_put(path, internal.write_bytes(handle, methods.narrow(flat, 1, first, count)))
    if tell then tell(count * size) end
  end
end

-- Hands the written bytes to the system; with `sync` the disk has them when this returns.
function file.flush(path, handle, sync)
  local reason = internal.flush_file(handle, sync)
  if reason then file.fail(path, "cannot be written: %s", reason) end
end

-- How many bytes the elements of a tensor take in a file.
function file.size_of(x) return methods.numel(x) * methods.element_size(x) end

-- Begins a whole file, for a path, or for its last name in an open folder. Gives the handle to
-- write to, and the new file beside the old one. Without the latter the handle writes in place, to
-- a pipe or a device. nil and the reason where it cannot be opened.
function file.begin(path, folder)
  local handle, why = io.open("/dev/null", "w+b")
  if not handle then return nil, why end
  local name = folder and path:match("[^/]*$") or path
  local new, reason, is_there = internal.begin_file(handle, name, folder)
  if new then return handle, new end
  handle:close()
  if new == nil then
    return nil, is_there and "no file can be made beside it: " .. reason or reason
  elseif folder then
    return nil, "it is no regular file"
  end
  return open(path, "wb")
end

-- Has the new file take its place where all went well, else leaves none of it. Gives the reason
-- where that failed; the handle stays open. `sync` is what the disk must have then: its place, too,
-- "folder", or the file alone, "file"; false: nothing.
function file.publish(handle, new, ok, sync)
  if sync == nil then sync = "folder" end
  local reason = ok and internal.flush_file(handle) or nil
  if new and ok and not reason then reason = internal.publish_file(new, sync or nil) end
  if new then internal.drop_file(new) end
  return reason
end

-- The same, and closes the handle.
function file.finish(handle, new, ok, sync)
  local reason = file.publish(handle, new, ok, sync)
  local closed, why = handle:close()
  return reason or not closed and why or nil
end

-- Writes a whole file: fill(put, handle) is called, and put(piece) writes as file.put does. The old
-- file stays as it was until the new one is complete and the disk has it. `option` is that of
-- progress, which counts elements alone, `length` bytes of them. `within` may say in which open
-- folder the file lies, and how to `sync`: {folder =, sync =}.
function file.write(path, fill, option, length, within)
  local handle, new = file.begin(path, within and within.folder)
  if not handle then file.fail(path, "cannot be opened: %s", new) end
  local tell, done = progress.begin(option, path, length), 0
  local function add(bytes)
    done = done + bytes
    tell(done)
  end
  local ok, message = pcall(fill, function(piece) file.put(path, handle, piece, add) end, handle)
  tell()
  local reason = file.finish(handle, new, ok, within and within.sync)
  if not ok then error(message, 0) end
  if reason then file.fail(path, "cannot be written: %s", reason) end
end

return file
