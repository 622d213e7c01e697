-- SPDX-License-Identifier: MIT
-- Files in format .npy that grow. New elements are written behind the old ones, then their number
-- into the header, whose length does not change. So the file is right at any moment. Elements that
-- the header does not count are overwritten by the next ones.
local core = require "locus.core"
local file = require "locus.files.file"
local npy = require "locus.files.npy"
local internal = core.internal

local _, types = internal.dtypes()

-- The state of each such file. path, handle, dtype and sync; sizes, of the file, with the rows in
-- sizes[1]; start, the place of the first element; bytes, those of a row. overwrites: whether there
-- were elements behind its rows, which a caller may have mapped.
local growing = {}

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

-- Puts rows on the CPU, in C order, behind those that are there; the file counts them then.
function growing.add(state, x, more)
  local sizes = {unpack(state.sizes)}
  sizes[1] = sizes[1] + more
  put(state, state.start + state.sizes[1] * state.bytes, x)
  put_header(state, sizes)
  state.sizes = sizes
end

-- Cuts off the bytes behind the rows; nobody has been told of them.
function growing.cut(state)
  put_header(state, state.sizes)
  internal.cut_file(state.handle, state.start + state.sizes[1] * state.bytes)
end

-- How many bytes a row has.
function growing.bytes_of(dtype, sizes)
  local bytes = types[dtype].size
  for d = 2, #sizes do bytes = bytes * tonumber(sizes[d]) end
  return bytes
end
local bytes_of = growing.bytes_of

-- The state of a new file, which takes the place of one that is there.
function growing.begin(path, dtype, sizes)
  local handle, new = file.begin(path)
  if not handle then file.fail(path, "cannot be opened: %s", new) end
  local state = {path = path, handle = handle, dtype = dtype, sizes = sizes,
                 start = #npy.header(dtype, sizes), bytes = bytes_of(dtype, sizes)}
  local ok, message = pcall(put_header, state, sizes)
  local reason = file.publish(handle, new, ok)
  if ok and not reason then return state end
  handle:close()
  if not ok then error(message, 0) end
  file.fail(path, "cannot be written: %s", reason)
end

-- The state of a file that is there already; of a frame's column where there is `advice`, which
-- says what to write if the machine has lost some of its rows.
function growing.continue(path, dtype, sizes, handle, rows, advice)
  local source = file.source(path, handle)
  local layout = npy.layout(source)
  local there = layout.sizes
  local same = layout.dtype == dtype and #there == #sizes
  for d = 2, #sizes do same = same and there[d] == sizes[d] end
  if not same then
    file.fail(path, "holds %s of size %s", layout.dtype, table.concat(there, "x"))
  end
  if layout.swapped or layout.fortran and #there > 1 then
    file.fail(path, "is not in the machine's byte order and C order")
  end
  local start = handle:seek("cur")
  if not npy.header(dtype, sizes, start) then
    file.fail(path, "has a header without room for more rows")
  end
  if rows and rows > there[1] then
    file.advise(path, advice, advice and "has %d rows where the frame has %d"
      or "has %d rows, and 'rows' is %d", there[1], rows)
  end
  local cut, bytes = rows and rows < there[1], bytes_of(dtype, sizes)
  there[1] = rows or there[1]
  local left = file.left(handle)
  if left and left < there[1] * bytes then
    file.fail_cut(path, left, there[1] * bytes, advice)
  end
  return {path = path, handle = handle, dtype = dtype, sizes = there, start = start, bytes = bytes,
          overwrites = cut}
end

return growing
