-- SPDX-License-Identifier: MIT
-- locus.npy_writer: files in format .npy that grow. A write puts the elements behind those that are
-- there, and then their number into the header, which is as long as before: the file is right at
-- any moment, and elements that no header counts are overwritten by the next write.
local core = require "locus.core"
local declare = require "locus.declare"
local file = require "locus.files.file"
local npy = require "locus.files.npy"
local internal, methods = core.internal, core.methods

local _, types = internal.dtypes()

-- Of each writer its state: path, handle (nil once it is closed), dtype; sizes, of the file, and so
-- rows in sizes[1]; start, where the elements begin, and bytes, how many a row has; sync;
-- overwrites, whether the file had elements behind its rows, which a caller may have mapped.
local writer = {}
local metatable = {__metatable = "writer", __index = writer}

local function state_of(w)
  local state = internal.state(w, metatable)
  if not state then
    declare.raise("'writer' must be what locus.npy_writer makes, got %s", internal.describe(w))
  end
  if not state.handle then declare.raise("the writer of '%s' is closed", state.path) end
  return state
end

-- Puts a text or a tensor at a place in the file.
local function put(state, place, piece)
  local ok, reason = state.handle:seek("set", place)
  if not ok then file.fail(state.path, "cannot be written: %s", reason) end
  file.put(state.path, state.handle, piece)
  file.flush(state.path, state.handle, state.sync)
end

local function put_header(state, sizes)
  put(state, 0, npy.header(state.dtype, sizes, state.start))
end

-- What is written, as rows of the file on the CPU, and how many.
local function rows_of(state, values)
  local x = values
  if not core.is_tensor(x) then x = core.tensor(x, {dtype = state.dtype, device = "cpu"}) end
  if internal.dtype_of(x) ~= state.dtype then
    declare.raise("'values' must be %s, got %s", state.dtype, internal.dtype_of(x))
  end
  local given, sizes = methods.size(x), state.sizes
  local same = #given == #sizes or #given == #sizes - 1
  for d = 1, #sizes - 1 do same = same and given[#given + 1 - d] == sizes[#sizes + 1 - d] end
  if not same then
    local row = #sizes == 1 and "numbers" or "rows of size " .. table.concat(sizes, "x", 2)
    declare.raise("'values' must be %s, got a tensor of size %s", row, tostring(given))
  end
  return methods.contiguous(methods.cpu(x)), #given == #sizes and given[1] or 1
end

-- Writes rows behind those that are there, or one row: a tensor of the file's dtype, or a table
-- that is read as one. The file counts them when this returns.
writer.write = declare.define("write(writer:any, values:any)", function(w, values)
  local state = state_of(w)
  local x, more = rows_of(state, values)
  if state.overwrites then x = methods.clone(x) end
  local sizes = {unpack(state.sizes)}
  sizes[1] = sizes[1] + more
  put(state, state.start + state.sizes[1] * state.bytes, x)
  put_header(state, sizes)
  state.sizes = sizes
end)

-- Closes the file. The collector does so, too, and nothing is lost.
writer.close = declare.define("close(writer:any)", function(w)
  local state = state_of(w)
  local handle = state.handle
  state.handle = nil
  handle:close()
end)

function metatable.__len(w) return internal.state(w, metatable).sizes[1] end
function metatable.__newindex() internal.raise("a writer has no fields; write w:write(...)") end
function metatable.__describe(w) return "a writer of " .. internal.state(w, metatable).dtype end
function metatable.__tostring(w)
  local state = internal.state(w, metatable)
  return ("[writer of %s, size %s]"):format(state.dtype, table.concat(state.sizes, "x"))
end
setmetatable(writer, {__index = function(_, key)
  internal.raise(("a writer has no '%s'; it has write and close"):format(declare.shown(key)))
end})

-- The state of a new file, which takes the place of one that is there.
local function begin(path, dtype, sizes)
  local handle, new = file.begin(path)
  if not handle then file.fail(path, "cannot be opened: %s", new) end
  local state = {path = path, handle = handle, dtype = dtype, sizes = sizes,
                 start = #npy.header(dtype, sizes)}
  local ok, message = pcall(put_header, state, sizes)
  local reason = file.publish(handle, new, ok)
  if ok and not reason then return state end
  handle:close()
  if not ok then error(message, 0) end
  file.fail(path, "cannot be written: %s", reason)
end

-- The state of a file that is there already.
local function continue(path, dtype, sizes, handle, rows)
  local source = file.source(path, handle)
  local layout = npy.layout(source)
  local there = layout.sizes
  local same = layout.dtype == dtype and #there == #sizes
  for d = 2, #sizes do same = same and there[d] == sizes[d] end
  if not same then
    file.fail(path, "holds %s of size %s", layout.dtype, table.concat(there, "x"))
  end
  if layout.swapped or layout.fortran and #there > 1 then
    file.fail(path, "has another order of bytes or elements than a writer's")
  end
  local start = handle:seek("cur")
  if not npy.header(dtype, sizes, start) then
    file.fail(path, "has a header without room for more rows")
  end
  if rows and rows > there[1] then
    file.fail(path, "has %d rows, and 'rows' is %d", there[1], rows)
  end
  local cut = rows and rows < there[1]
  there[1] = rows or there[1]
  return {path = path, handle = handle, dtype = dtype, sizes = there, start = start,
          overwrites = cut}
end

-- A file in format .npy to which rows are added: of one element each, or of these sizes. It takes
-- the place of one that is there, unless that is to be appended to: then it must have such rows, of
-- which the first `rows` stay, or all. It is right after every write, also when the program ends
-- before the next one; with `sync` also when the machine does, since each write waits for the disk.
-- Errors: bfloat16; a file of other rows; what the system says.
declare.func("npy_writer(path:string, dtype:dtype, {sizes:sizes=nil, append:boolean=false, "
    .. "rows:integer=nil, sync:boolean=false})", function(path, dtype, row, append, rows, sync)
  if not npy.has(dtype) then declare.raise("files of tensors have no %s", dtype) end
  local sizes, bytes = {0}, types[dtype].size
  for _, size in ipairs(row or {}) do
    sizes[#sizes + 1] = size
    bytes = bytes * size
  end
  local state = append and file.exists(path)
    and continue(path, dtype, sizes, file.open(path, "r+b"), rows) or begin(path, dtype, sizes)
  state.bytes, state.sync = bytes, sync
  return internal.object(metatable, state)
end)

return writer
