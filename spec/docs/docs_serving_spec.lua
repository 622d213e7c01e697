-- SPDX-License-Identifier: MIT
-- The statements of docs/serving.md, in a real nginx and a real Neovim. serving_spec.lua has those
-- about reloads, memory and the end.
local debian = require "spec.support.programs.debian"
local files = require "spec.support.text"
local http = require "spec.support.programs.http"
local nginx = require "spec.support.programs.nginx"
local pages = require "spec.support.docs.pages"
local support = require "spec.support"

local PAGE = "docs/serving.md"
local CONF = [[
include modules*.conf;
worker_processes auto;
pid nginx.pid;
error_log error.log;
%s
events {
  worker_connections 64;
}
http {
  access_log off;
%s
  lua_shared_dict kept 1m;
  init_by_lua_block { %s }
  init_worker_by_lua_block { %s }
  server {
    listen 127.0.0.1:8080;
    location = /lua {
      content_by_lua_block {
        local answer = assert(loadstring(ngx.unescape_uri(ngx.var.arg_code)))()
        ngx.header["Content-Length"] = #tostring(answer) + 1
        ngx.say(answer)
      }
    }
  }
}
]]

local found, folder, server

setup(function() found = nginx.find() end)

local function in_folder(f)
  if not found then return pending "needs nginx with Lua, or apt to download it" end
  folder = files.new_folder()
  local good, problem = pcall(f)
  if server then server:stop() end
  server = nil
  os.execute("rm -r " .. folder)
  if not good then error(problem, 0) end
end

-- Starts nginx with that code in its phases and more lines at the top.
local function start(init, init_worker, top, environment)
  local folders = {} -- where nginx may write on every machine, as the example has it
  for line in files.read("examples/lookup/nginx.conf"):gmatch "[^\n]+_temp_path[^\n]+" do
    folders[#folders + 1] = line
  end
  files.write(folder .. "/nginx.conf", CONF:format(top or "", table.concat(folders, "\n"),
    init or "", init_worker or ""))
  server = nginx.start(found, folder, environment or "-u LOCUS_NUM_THREADS")
end

local function restart(...)
  server:stop()
  start(...)
end

-- The answer of a handler of those lines.
local function handler(code)
  local words = code:gsub("[^%w]", function(c) return ("%%%02X"):format(c:byte()) end)
  local _, answer = http.ask(server.port, "/lua?code=" .. words)
  return answer
end

describe("in nginx, as docs/serving.md says, #host #native #once", function()
  it("an error of init_by_lua ends the start, that of init_worker_by_lua does not", function()
    in_folder(function()
      start [[require("locus").load("no/such.npy")]]
      assert.equal(1, server:status())
      assert.truthy(server:errors():find "load: 'no/such.npy' cannot be opened")
      start(nil, [[require("locus").load("no/such.npy")]])
      assert.is_nil(server:status())
      assert.equal("7\n", handler "return 7")
      assert.truthy(server:errors():find "load: 'no/such.npy' cannot be opened")
    end)
  end)

  it("nginx -t does not run init_by_lua", function()
    in_folder(function()
      start()
      local conf = files.read(folder .. "/nginx.conf")
        :gsub("init_by_lua_block {", "%0 error 'not run'")
      files.write(folder .. "/nginx.conf", conf)
      local said = debian.said(nginx.command(found, folder, "-t"))
      assert.truthy(said:find "test is successful", said)
    end)
  end)

  it("there is one thread, or as many as the environment says where locus is loaded", function()
    local threads = [[return require("locus").get_num_threads()]]
    in_folder(function()
      start()
      assert.equal("1\n", handler(threads))
      assert.equal("3\n", handler [[
        local locus = require "locus"
        locus.set_num_threads(3)
        return locus.get_num_threads()]])
      restart([[require "locus"]], nil, nil, "LOCUS_NUM_THREADS=3")
      assert.equal("3\n", handler(threads))
      server:reload()
      assert.equal("3\n", handler(threads))
      restart(nil, nil, nil, "LOCUS_NUM_THREADS=3")
      assert.equal("1\n", handler(threads))
      restart(nil, nil, "env LOCUS_NUM_THREADS;", "LOCUS_NUM_THREADS=3")
      assert.equal("3\n", handler(threads))
    end)
  end)

  it("tidy may wait, say takes no tensor, dictionaries take bytes", function()
    in_folder(function()
      start [[locus = require "locus"]]
      assert.equal("6\n", handler [[return locus.tidy(function()
        local x = locus.tensor({1, 2, 3})
        ngx.sleep(0.001)
        return x:sum() end)]])
      assert.truthy(handler("return locus.ones(2)"):find "500 Internal")
      assert.truthy(server:errors():find "bad argument #1 to 'say'")
      assert.equal("1,2\n", handler [[return table.concat(locus.range(1, 2):totable(), ",")]])
      handler [[ngx.shared.kept:set("x", locus.tensor({1, 2.5}):tobytes())]]
      assert.equal("3.5\n", handler [[
        return locus.from_string(ngx.shared.kept:get("x"), "float64"):sum()]])
    end)
  end)

  it("a file that becomes shorter ends its workers, and nginx starts others", function()
    in_folder(function()
      start([[locus = require "locus"
        locus.zeros(4096):save("]] .. folder .. [[/x.npy")
        x = locus.load("]] .. folder .. [[/x.npy", {mmap = "r"})]])
      assert.equal("0\n", handler "return x:sum()")
      files.write(folder .. "/x.npy", "short")
      assert.is_nil(handler "return x:sum()")
      nginx.wait("nginx says so", function() return server:errors():find "exited on signal 7" end)
      assert.equal("8\n", nginx.wait("a worker answers", function() return handler "return 8" end))
    end)
  end)

  it("idle connections are closed by a reload", function()
    in_folder(function()
      start()
      local fd, got = http.connect(server.port), ""
      http.send(fd, "HEAD /lua?code=return%205 HTTP/1.1\r\nHost: localhost\r\n\r\n")
      repeat got = got .. http.some(fd) until got:find "\r\n\r\n"
      server:reload()
      assert.equal("", http.some(fd))
    end)
  end)
end)

-- The lines that begin with "$ ", and what is shown below each.
local function commands(lines)
  local list = {}
  for _, line in ipairs(lines) do
    local command = line:match "^%$ (.*)$"
    if command then list[#list + 1] = {command = command, shown = ""}
    else list[#list].shown = list[#list].shown .. line .. "\n" end
  end
  return list
end

describe(PAGE .. " #host #native #once", function()
  it("shows what the example answers", function()
    if not debian.said("command -v curl"):find "/" then return pending "needs curl" end
    in_folder(function()
      os.execute("cp examples/lookup/nginx.conf examples/lookup/lookup.lua " .. folder)
      require("locus").arange(0, 1e6, 5, {device = "cpu"}):save(folder .. "/sequence.npy")
      server = nginx.start(found, folder)
      local count = 0
      for _, block in ipairs(pages.blocks(pages.read(PAGE))) do
        for _, one in ipairs(block.lines[1]:find "^%$ " and commands(block.lines) or {}) do
          local command = one.command:gsub("127.0.0.1:%d+", "127.0.0.1:" .. server.port)
          assert.equal(one.shown, debian.said(command))
          count = count + 1
        end
      end
      assert.is_true(count >= 4)
    end)
  end)

  it("quotes the example's configuration", function()
    local conf = pages.read "examples/lookup/nginx.conf"
    for _, block in ipairs(pages.blocks(pages.read(PAGE))) do
      if block.tag == "nginx" and not block.lines[1]:find "^load_module" then
        for _, line in ipairs(block.lines) do assert.truthy(conf:find(line, 1, true), line) end
      end
    end
  end)
end)

local NVIM = "neovim neovim-runtime libmsgpackc2 libtermkey1 libtree-sitter0 libunibilium4 libuv1 "
  .. "libvterm0 lua-luv"

-- A command of the shell that starts Neovim without a terminal; nil where there is none.
local function find_nvim()
  if os.getenv "LD_PRELOAD" then return nil end
  local installed = debian.said "command -v nvim":match "^/%S+"
  if installed then return installed .. " --headless -u NONE" end
  local root, libraries = debian.unpack("nvim", NVIM)
  if not root or not debian.complete(root .. "/usr/bin/nvim", libraries) then return nil end
  return ("env %s VIMRUNTIME=%s/usr/share/nvim/runtime %s/usr/bin/nvim --headless -u NONE")
    :format(libraries, root, root)
end

-- The output of Neovim, by print, for the lines of a script: a line for each.
local function run_in_nvim(nvim, script, environment, words)
  return support.in_folder({["/script.lua"] = script, ["/run.lua"] = [[
    local here = ...
    local out = io.open(here .. "/out", "w")
    function print(...)
      local words = {}
      for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
      out:write(table.concat(words, " "), "\n")
    end
    local good, problem = pcall(dofile, here .. "/script.lua")
    if not good then print(problem) end
    out:close()]]}, function(root)
    local load = ("lua loadfile('%s/run.lua')('%s')"):format(root, root)
    debian.said(("env %s %s %s -c %s -c 'qa!'"):format(environment, nvim, words or "",
      support.quote(load)))
    return debian.read(root .. "/out")
  end)
end

describe("in Neovim, as docs/serving.md says, #host #native #once", function()
  local nvim, paths

  setup(function()
    nvim = find_nvim()
    paths = ("LUA_PATH=%s LUA_CPATH=%s"):format(support.quote(package.path),
      support.quote(package.cpath))
  end)

  local function with_nvim(name, f)
    it(name, function()
      if not nvim then return pending "needs Neovim, or apt to download it" end
      f()
    end)
  end

  with_nvim("the page's script prints what it says", function()
    local count = 0
    for _, block in ipairs(pages.blocks(pages.read(PAGE))) do
      if block.tag == "nvim" then
        local expected = {}
        for _, line in ipairs(block.lines) do expected[#expected + 1] = line:match "%-%-> (.*)$" end
        assert.equal(table.concat(expected, "\n") .. "\n",
          run_in_nvim(nvim, table.concat(block.lines, "\n"), paths))
        count = count + 1
      end
    end
    assert.equal(1, count)
  end)

  with_nvim("tensors are no values of Vim, and belong to one state", function()
    assert.equal("<userdata 1>\nfalse\n2\n2\n", run_in_nvim(nvim, [[
      local x = require("locus").tensor{3, 2}
      print(vim.inspect(x))
      print((pcall(function() vim.g.x = x end)))
      vim.g.x = x:totable()
      print(#vim.g.x)
      local found
      vim.loop.new_work(function(bytes)
        return require("locus").from_string(bytes, "float64"):searchsorted(2.5)
      end, function(position) found = position end):queue(x:sort():tobytes())
      vim.wait(20000, function() return found end)
      print(found)]], paths))
  end)

  with_nvim("modules are found in runtimepath", function()
    local core = package.searchpath("locus.core", package.cpath)
    support.in_folder({}, function(root)
      os.execute(("mkdir %s/lua && cp -r lua/locus %s/lua && cp %s %s/lua/locus/core.so")
        :format(root, root, core, root))
      assert.equal("3\n", run_in_nvim(nvim, "print(require('locus').ones(3):sum())",
        "-u LUA_PATH -u LUA_CPATH", ("--cmd 'set rtp+=%s'"):format(root)))
    end)
  end)
end)
