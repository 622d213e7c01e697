-- SPDX-License-Identifier: MIT
-- nginx with Lua for specs: the one that is installed, or Debian's packages, unpacked into the
-- build folder and never installed: they need a LuaJIT that conflicts with Debian's other one.
local ffi = require "ffi"
local files = require "spec.support.text"
local http = require "spec.support.http"
local support = require "spec.support"

ffi.cdef "int usleep(unsigned microseconds);"

local quote = support.quote

local WORKERS = 2

local nginx = {}

-- What a command of the shell prints, on both streams.
local function said(command)
  local pipe = io.popen(command .. " 2>&1")
  local text = pipe:read "*a"
  pipe:close()
  return text
end

local function exists(path)
  local file = io.open(path)
  return file and file:close()
end

local PACKAGES = "nginx libnginx-mod-http-ndk libnginx-mod-http-lua libluajit2-5.1-2 "
  .. "lua-resty-core lua-resty-lrucache libpcre3"

-- Unpacks the packages into a folder, which is there with all of them or not at all: specs run side
-- by side.
local UNPACK = [[
set -e
mkdir -p %s
work=$(mktemp -d -p %s)
trap 'rm -rf "$work"' EXIT
(cd "$work" && apt-get -q download %s)
for package in "$work"/*.deb; do dpkg -x "$package" "$work/root"; done
mv -T "$work/root" %s || test -d %s
]]

local function loads(modules)
  return ("load_module %s/ndk_http_module.so;\nload_module %s/ngx_http_lua_module.so;\n")
    :format(modules, modules)
end

local function unpacked()
  local build = os.getenv "LOCUS_BUILD" or "build"
  local root = said("readlink -f " .. build):gsub("\n", "") .. "/nginx"
  if not exists(root .. "/usr/sbin/nginx") then
    said(("sh -c %s"):format(quote(UNPACK:format(build, build, PACKAGES, root, root))))
  end
  local command, modules = root .. "/usr/sbin/nginx", root .. "/usr/lib/nginx/modules"
  local libraries = said("ls -d " .. root .. "/usr/lib/*-linux-gnu " .. root .. "/lib/*-linux-gnu")
    :gsub("\n", ":")
  local environment = "LD_LIBRARY_PATH=" .. libraries
  local needed = said(("env %s ldd %s %s/*.so"):format(environment, command, modules))
  if not exists(command) or needed:find "not found" then return nil end
  return {
    command = command, modules = loads(modules), environment = environment,
    path = root .. "/usr/share/lua/5.1/?.lua;",
  }
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
  return exists(self.folder .. "/status") and tonumber(files.read(self.folder .. "/status"))
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

--- How many of these processes are workers now.
function Server:still(ids)
  local count = 0
  for _, worker in ipairs(self:workers()) do
    for _, id in ipairs(ids) do count = count + (id == worker and 1 or 0) end
  end
  return count
end

function Server:signal(name) os.execute(("kill -%s %d"):format(name, self:master())) end

--- Has nginx read everything anew, and waits until there are new workers, and of the old ones no
--- more than those that are kept by a request.
function Server:reload(kept)
  local old = self:workers()
  self:signal "HUP"
  nginx.wait("new workers replace the old ones", function()
    return self:still(old) == (kept or 0) and #self:workers() == (kept or 0) + WORKERS
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

--- What nginx has written about errors.
function Server:errors()
  return files.read(self.folder .. "/stderr")
    .. (exists(self.folder .. "/error.log") and files.read(self.folder .. "/error.log") or "")
end

--- Asks nginx to end when all requests are answered, and waits for that; gives its exit status.
function Server:stop()
  if not self:status() then self:signal "QUIT" end
  nginx.wait("nginx ends", function() return self:status() end)
  return self:status()
end

-- Packages that are unpacked do not have the folders in which nginx keeps bodies.
local FOLDERS = {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}

-- Writes what the configuration in a folder lacks on this machine: modules, a free port, folders.
local function adapt(found, folder, port)
  local temporary = {"http {\n"}
  for _, name in ipairs(FOLDERS) do
    temporary[#temporary + 1] = ("  %s_temp_path temp/%s;\n"):format(name, name)
  end
  local conf = files.read(folder .. "/nginx.conf"):gsub("127%.0%.0%.1:%d+", "127.0.0.1:" .. port)
    :gsub("worker_processes auto", "worker_processes " .. WORKERS)
    :gsub("http {\n", table.concat(temporary), 1)
  files.write(folder .. "/nginx.conf", conf)
  files.write(folder .. "/modules.conf", found.modules)
  os.execute("mkdir -p " .. folder .. "/temp")
end

-- Starts nginx, and waits until it answers or has ended.
local function start(found, folder)
  local port = http.free_port()
  adapt(found, folder, port)
  os.remove(folder .. "/status")
  local command = ("(env %s LUA_PATH=%s LUA_CPATH=%s %s -p %s -c nginx.conf -g 'daemon off;' "
    .. ">%s/stderr 2>&1; echo $? >%s/status) &"):format(found.environment,
    quote(found.path .. package.path), quote(package.cpath), found.command, folder, folder, folder)
  os.execute(command)
  local server = setmetatable({folder = folder, port = port}, Server)
  nginx.wait("nginx answers", function()
    return server:status() or http.ask(port, "/") and #server:workers() == WORKERS
  end)
  return server
end

--- Starts nginx with the nginx.conf of a folder, at another port where somebody has taken that one.
function nginx.start(found, folder)
  for _ = 1, 5 do
    local server = start(found, folder)
    local taken = server:status() and server:errors():find "Address already in use"
    if not taken then return server end
  end
  error "no port is free"
end

return nginx
