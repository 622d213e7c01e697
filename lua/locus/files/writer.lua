-- SPDX-License-Identifier: MIT
-- locus.npy_writer: files in format .npy that grow.
local core = require "locus.core"
local declare = require "locus.call.declare"
local registry = require "locus.call.registry"
local file = require "locus.files.file"
local growing = require "locus.files.growing"
local npy = require "locus.files.npy"
local promised = require "locus.files.promised"
local internal, methods = core.internal, core.methods

-- The state of each writer (growing.lua); its handle is nil once it is closed.
local writer = {}
local metatable = {__metatable = "writer", __index = writer}
local events = registry.once(metatable)

-- Sizes as messages have them, all digits of each.
local function size_text(sizes)
  local texts = {}
  for d, size in ipairs(sizes) do texts[d] = internal.format("%d", size) end
  return table.concat(texts, "x")
end

local function state_of(w)
  local state = internal.state(w, metatable)
  if not state then
    declare.raise("'writer' must be made by locus.npy_writer, got %s", internal.describe(w))
  end
  if not state.handle then declare.raise("the writer of '%s' is closed", state.path) end
  return state
end

-- The rows to write, on the CPU, and their number.
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
    local row = #sizes == 1 and "numbers" or "rows of size " .. size_text({unpack(sizes, 2)})
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
  local ok, message = pcall(growing.add, state, x, more)
  if ok then return end
  pcall(growing.cut, state)
  error(message, 0)
end)

-- Closes the file. The collector does so, too, and nothing is lost.
writer.close = declare.define("close(writer:any)", function(w)
  local state = state_of(w)
  local handle = state.handle
  state.handle = nil
  handle:close()
end)

function events.__len(w) return internal.state(w, metatable).sizes[1] end
function events.__newindex() internal.raise("a writer has no fields; write w:write(...)") end
function events.__describe(w) return "a writer of " .. internal.state(w, metatable).dtype end
function events.__tostring(w)
  local state = internal.state(w, metatable)
  return ("[writer of %s, size %s]"):format(state.dtype, size_text(state.sizes))
end
setmetatable(writer, {__index = function(_, key)
  internal.raise(("a writer has no '%s'; it has write and close"):format(declare.shown(key)))
end})

-- The sizes of a file of such rows, which has none yet.
local function sizes_of(dtype, row)
  if #row >= npy.MOST_DIMS then
    declare.raise("'sizes' must be at most %d sizes, got %d", npy.MOST_DIMS - 1, #row)
  end
  local bytes = growing.bytes_of(dtype, {0, unpack(row)})
  if bytes >= 2 ^ 53 or bytes ~= bytes then
    declare.raise("'sizes' must make a row of fewer than 2^53 bytes, got %s", size_text(row))
  end
  return {0, unpack(row)}
end

-- The accepted forms of `rows`: how many of the rows stay that are there.
local function check_rows(path, append, rows, found)
  if not rows then return end
  if rows < 0 then declare.raise("'rows' must not be negative, got %d", rows) end
  if not append then declare.raise("'rows' is for append = true") end
  if rows > 0 and not found then file.fail(path, "is not there, and 'rows' is %d", rows) end
end

-- A file in format .npy to which rows are added: of one element each, or of these sizes. It
-- replaces an existing file, unless it appends to that. Then the file must have such rows; the
-- first `rows` of them stay, or all. It is right after every write, also when the program ends
-- before the next one; with `sync` also when the machine does, since each write waits for the disk.
-- Errors: bfloat16; a file of other rows; what the system says.
declare.func("npy_writer(path:string, dtype:dtype, {sizes:sizes=nil, append:boolean=false, "
    .. "rows:integer=nil, sync:boolean=false})", function(path, dtype, row, append, rows, sync)
  if not npy.has(dtype) then declare.raise("files of tensors have no %s", dtype) end
  promised.check(path, "NumPy's format .npy", "npy", 'npy_writer("%s.npy", dtype)')
  local sizes, found = sizes_of(dtype, row or {}), append and file.exists(path)
  check_rows(path, append, rows, found)
  local state = found
    and growing.continue(path, dtype, sizes, file.open(path, "r+b"), rows)
    or growing.begin(path, dtype, sizes)
  state.sync = sync
  return internal.object(metatable, state)
end)

return writer
