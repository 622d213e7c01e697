-- SPDX-License-Identifier: MIT
-- nginx with Lua for specs: the one that is installed, or Debian's packages, whose LuaJIT conflicts
-- with the one that is installed here.
local ffi = require "ffi"
local debian = require "spec.support.programs.debian"
local files = require "spec.support.text"
local http = require "spec.support.programs.http"
local support = require "spec.support"

ffi.cdef "int usleep(unsigned microseconds);"

local exists, said, quote = debian.exists, debian.said, support.quote

local WORKERS = 2

local nginx = {}

local PACKAGES = "nginx libnginx-mod-http-ndk libnginx-mod-http-lua libluajit2-5.1-2 "
  .. "lua-resty-core lua-resty-lrucache libpcre3"

local function loads(modules)
  return ("load_module %s/ndk_http_module.so;\nload_module %s/ngx_http_lua_module.so;\n")
    :format(modules, modules)
end

local function unpacked()
  local root, environment = debian.unpack("nginx", PACKAGES)
  if not root then return nil end
  local command, modules = root .. "/usr/sbin/nginx", root .. "/usr/lib/nginx/modules"
  local whole = debian.complete(command, environment)
    and debian.complete(modules .. "/ngx_http_lua_module.so", environment)
  return whole and {
    command = command, modules = loads(modules), environment = environment,
    path = root .. "/usr/share/lua/5.1/?.lua;",
  } or nil
end

local function installed()
  for _, name in ipairs {"openresty", "nginx"} do
    local command = said("command -v " .. name):match "^/%S+"
    local modules = "/usr/lib/nginx/modules"
    local dynamic = exists(modules .. "/ngx_http_lua_module.so")
    if command and (dynamic or said(command .. " -V"):find "ngx_lua") then
      return {command = command, modules = dynamic and loads(modules) or "", path = ""}
    end
  end
end

--- An nginx with Lua, or nil where there is none. A sanitizer's library would be loaded into it.
function nginx.find()
  return not os.getenv "LD_PRELOAD" and (installed() or unpacked()) or nil
end

--- Waits until f answers with something, and gives that; raises after twenty seconds.
function nginx.wait(what, f)
  for _ = 1, 2000 do
    local answer = f()
    if answer then return answer end
    ffi.C.usleep(10000)
  end
  error("waited in vain until " .. what, 2)
end

local Server = {}
Server.__index = Server

--- nginx's exit status; nil while it runs.
function Server:status()
  return tonumber(debian.read(self.folder .. "/status"))
end

function Server:master() return tonumber(files.read(self.folder .. "/nginx.pid")) end

--- The ids of its workers, those that are about to end among them, in order.
function Server:workers()
  local list, master = {}, self:master()
  for id in files.read(("/proc/%d/task/%d/children"):format(master, master)):gmatch "%d+" do
    list[#list + 1] = tonumber(id)
  end
  table.sort(list)
  return list
end

-- Whether a worker has begun to end, and takes no requests.
local function is_leaving(id)
  local file = io.open(("/proc/%d/cmdline"):format(id))
  local title = file and file:read "*a"
  if file then file:close() end
  return (title or ""):find "shutting down" ~= nil
end

--- How many of these processes are workers now, and how many of those take no requests any more.
function Server:still(ids)
  local count, leaving = 0, 0
  for _, worker in ipairs(self:workers()) do
    for _, id in ipairs(ids) do
      if id == worker then
        count = count + 1
        leaving = leaving + (is_leaving(id) and 1 or 0)
      end
    end
  end
  return count, leaving
end

function Server:signal(name) os.execute(("kill -%s %d"):format(name, self:master())) end

--- Has nginx read everything anew, and waits until there are new workers, and of the old ones no
--- more than those that are kept by a request.
function Server:reload(kept)
  local old = self:workers()
  self:signal "HUP"
  nginx.wait("new workers replace the old ones", function()
    local count, leaving = self:still(old)
    return count == (kept or 0) and leaving == count
      and #self:workers() == (kept or 0) + WORKERS
  end)
  return old
end

--- The anonymous memory of all workers, in bytes: not the files that they map.
function Server:memory()
  local bytes = 0
  for _, id in ipairs(self:workers()) do
    bytes = bytes + 1024 * files.read(("/proc/%d/status"):format(id)):match "RssAnon:%s*(%d+) kB"
  end
  return bytes
end

--- How many files whose path has this word in it a process of nginx maps.
function Server.maps(id, word)
  local count = 0
  for line in files.read(("/proc/%d/maps"):format(id)):gmatch "[^\n]+" do
    count = count + (line:find(word, 1, true) and 1 or 0)
  end
  return count
end

--- The errors that nginx has written.
function Server:errors()
  return debian.read(self.folder .. "/stderr") .. debian.read(self.folder .. "/error.log")
end

--- Asks nginx to end when all requests are answered, and waits for that; gives its exit status.
function Server:stop()
  local master = tonumber(debian.read(self.folder .. "/nginx.pid")) -- nil where it ends already
  if master then os.execute(("kill -QUIT %d 2>&1"):format(master)) end
  nginx.wait("nginx ends", function() return self:status() end)
  return self:status()
end

-- Writes what the configuration in a folder lacks on this machine: modules, and a free port.
local function adapt(found, folder, port)
  local conf = files.read(folder .. "/nginx.conf"):gsub("127%.0%.0%.1:%d+", "127.0.0.1:" .. port)
    :gsub("worker_processes auto", "worker_processes " .. WORKERS)
  files.write(folder .. "/nginx.conf", conf)
  files.write(folder .. "/modules.conf", found.modules)
end

--- A command of the shell that runs nginx in a folder with more words, in an environment with more.
function nginx.command(found, folder, words, environment)
  return ("env %s %s LUA_PATH=%s LUA_CPATH=%s %s -p %s -c nginx.conf %s"):format(
    environment or "", found.environment, quote(found.path .. package.path),
    quote(package.cpath), found.command, folder, words)
end

-- Starts nginx, and waits until it answers or has ended.
local function start(found, folder, environment)
  local port = http.free_port()
  adapt(found, folder, port)
  os.remove(folder .. "/status")
  os.execute(("(%s >%s/stderr 2>&1; echo $? >%s/status) &"):format(
    nginx.command(found, folder, "-g 'daemon off;'", environment), folder, folder))
  local server = setmetatable({folder = folder, port = port}, Server)
  nginx.wait("nginx answers", function()
    return server:status() or http.ask(port, "/") and #server:workers() == WORKERS
  end)
  return server
end

--- Starts nginx with the nginx.conf of a folder, at another port where somebody has taken that one.
function nginx.start(found, folder, environment)
  for _ = 1, 5 do
    local server = start(found, folder, environment)
    local taken = server:status() and server:errors():find "Address already in use"
    if not taken then return server end
  end
  error "no port is free"
end

return nginx
