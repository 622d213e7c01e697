-- SPDX-License-Identifier: MIT
-- Text for specs of what reads and writes it: files and folders that are removed again, text in
-- pieces, the order of bytes, the memory that a read leaves behind.
local has_ffi, ffi = pcall(require, "ffi")
local locus = require "locus"
local quote = require("spec.support").quote

if has_ffi then
  ffi.cdef "long readlink(const char *path, char *target, size_t room); int kill(int id, int how);"
end

local text = {}

--- The bytes of a file.
function text.read(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read("*a")
  file:close()
  return bytes
end

--- Makes the bytes the whole of a file, or with the mode "ab" its end.
function text.write(path, bytes, mode)
  local file = assert(io.open(path, mode or "wb"))
  file:write(bytes)
  file:close()
end

--- The tensor's elements in a file that is mapped to be read alone, and removed.
function text.mapped(t)
  local path = os.tmpname()
  t:save(path)
  local m = locus.load(path, {mmap = "r"})
  os.remove(path)
  return m
end

--- The result of f for the path of a file of those bytes, which is then removed.
function text.with_file(bytes, f)
  local path = os.tmpname()
  text.write(path, bytes)
  local ok, result = pcall(f, path)
  os.remove(path)
  if not ok then error(result, 0) end
  return result
end

--- A folder of its own; whoever asked for it removes it.
function text.new_folder()
  local pipe = io.popen "mktemp -d"
  local folder = pipe:read "*l"
  pipe:close()
  return folder
end

--- Whether this machine has the time zones of tzdata, which bare systems lack.
function text.has_zones()
  local file = io.open "/usr/share/zoneinfo/Europe/Berlin"
  return file and file:close()
end

--- Runs a chunk in a process of its own, and kills that when it has printed something, or that many
--- seconds later; or sends it that signal.
function text.killed(chunk, seconds, signal)
  chunk = [[
    local ffi = require "ffi"
    ffi.cdef "int getpid(void);"
    io.stdout:setvbuf "line"
    print(ffi.C.getpid())
  ]] .. chunk
  local pipe = io.popen(("env LUA_PATH=%s LUA_CPATH=%s luajit -e %s 2> /dev/null"):format(
    quote(package.path), quote(package.cpath), quote(chunk)))
  local id = assert(tonumber(pipe:read "*l"))
  assert(pipe:read "*l")
  if seconds then os.execute(("sleep %.4f"):format(seconds)) end
  ffi.C.kill(id, signal or 9)
  pipe:read("*a")
  pipe:close()
end

--- A Python that can import those modules; nil where there is none.
function text.python(modules)
  for _, name in ipairs {os.getenv("LOCUS_TEST_PYTHON") or "", "python3"} do
    local command = ("%s -c 'import %s' 2> /dev/null"):format(name, modules)
    local found = name ~= "" and os.execute(command)
    if found == 0 or found == true then return name end
  end
end

--- The Pythons that `./bootstrap.sh peers` has installed, or LOCUS_TEST_PEERS names a folder of: by
--- folder, "new" and "numpy1".
function text.peers()
  local root, found = os.getenv "LOCUS_TEST_PEERS" or "build-peers", {}
  for _, name in ipairs {"new", "numpy1"} do
    local path = ("%s/%s/bin/python"):format(root, name)
    local handle = io.open(path)
    if handle then
      handle:close()
      found[name] = path
    end
  end
  return found
end

--- Runs examples/NAME.lua with those words of a shell, in a process that finds the same modules;
--- gives its exit status, what it printed, and its errors, which pass through files in the folder.
function text.example(name, words, folder, environment)
  local command = ("env %s LUA_PATH=%s LUA_CPATH=%s luajit examples/%s.lua >%s/out 2>%s/err %s")
    :format(environment or "", quote(package.path), quote(package.cpath), name, folder, folder,
      words)
  local shell = io.popen(command .. "; echo $?")
  local status = shell:read "*n"
  shell:close()
  return status, text.read(folder .. "/out"), text.read(folder .. "/err")
end

--- How many times this process has the file open; for LuaJIT alone.
function text.times_open(path)
  local count, room = 0, #path + 1
  local target = ffi.new("char[?]", room)
  for descriptor = 0, 1023 do
    local length = ffi.C.readlink("/proc/self/fd/" .. descriptor, target, room)
    if length == #path and ffi.string(target, length) == path then count = count + 1 end
  end
  return count
end

--- A source that gives the bytes in pieces of that size.
function text.pieces(bytes, size)
  local at = 1 - size
  return function()
    at = at + size
    if at <= #bytes then return bytes:sub(at, at + size - 1) end
  end
end

--- Whether a comes before b in the order of bytes, which Lua's < does not promise.
function text.before(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = a:byte(i), b:byte(i)
    if x ~= y then return x < y end
  end
  return #a < #b
end

-- The bytes of tensors and dictionaries, when nothing holds any that need not: compiled code keeps
-- values that it was compiled for.
local function settled()
  if jit then jit.flush() end
  for _ = 1, 3 do collectgarbage() end
  return locus.live_bytes()
end

--- The bytes that each of several calls of f leaves behind. Bytes that one of them leaves and
--- another does not, as a stack or compiled code may hold a last one, are no leak.
function text.left_by(f)
  local least = math.huge
  for _ = 1, 5 do
    local live = settled()
    coroutine.wrap(f)() -- on a stack of its own, where nothing stays
    least = math.min(least, settled() - live)
  end
  return least
end

return text
