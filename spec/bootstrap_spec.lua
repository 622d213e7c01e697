-- SPDX-License-Identifier: MIT
-- bootstrap.sh on machines that lack something: a copy of it in a folder of its own, where the
-- programs that it starts are stand-ins.
local support = require "spec.support"

local TOOLS = "awk cat dirname env getconf grep head printf rm sed sh sort tee tr xargs"

local function read(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

-- What bootstrap.sh prints and its exit status, where PATH has these programs (name = shell script)
-- and basic tools alone. A program given as false is missing.
local function bootstrap(command, programs, environment)
  local files = {["/bootstrap.sh"] = read("bootstrap.sh"),
                 ["/build/x"] = "", ["/root/x"] = ""}
  local all = {id = "echo 0", find = "", cmake = "", make = "", cc = "", ["c++"] = "", busted = "",
               ["lua5.1"] = "", objdump = "", luajit = "echo scalar", ["dpkg-query"] = "exit 1",
               ["apt-get"] = 'echo "apt-get $*"'}
  for name, script in pairs(programs) do all[name] = script end
  for name, script in pairs(all) do
    if script then files["/bin/" .. name] = "#!/bin/sh\n" .. script .. "\n" end
  end
  return unpack(support.in_folder(files, function(root)
    local words = {"cd " .. root, "chmod -R +x .",
      "for tool in " .. TOOLS .. "; do ln -s \"$(command -v $tool)\" bin/; done",
      ("env -i PATH=%s/bin %s ./bootstrap.sh %s 2>&1"):format(root, environment or "", command)}
    local pipe = io.popen("env -u LD_PRELOAD sh -c '" .. table.concat(words, "; ")
      .. "'; echo \"status $?\"")
    local output, status = pipe:read("*a"):match("^(.*)status (%d+)\n$")
    pipe:close()
    return {output, tonumber(status)}
  end))
end

local function holds(text, part) assert.is_truthy(text:find(part, 1, true), text) end
local function lacks(text, part) assert.is_nil(text:find(part, 1, true), text) end

describe("bootstrap.sh #native #host", function()
  -- An apt-get that would remove nginx's module for luajit.
  local removing = [[
    echo "apt-get $*"
    case $* in *-s*luajit*)
      echo "Remv libnginx-mod-http-lua [1:0.10.23-1]"
      echo "Remv libluajit2-5.1-2 [2.1-20230119-1]"
      echo "Inst luajit (2.1.0 Debian [amd64])" ;;
    esac]]

  it("installs what is missing, and removes nothing for it", function()
    local output = bootstrap("demo", {luajit = false})
    holds(output, "\napt-get update -q\napt-get install -q -y --no-remove "
      .. "--no-install-recommends luajit libluajit-5.1-dev")
  end)

  it("stops where a package would be removed, and names it", function()
    local output, status = bootstrap("demo", {luajit = false, ["apt-get"] = removing})
    assert.equal(1, status)
    lacks(output, "apt-get install")
    holds(output, "bootstrap.sh: nothing was installed: for luajit libluajit-5.1-dev")
    holds(output, "\nbootstrap.sh: apt would remove what conflicts: libnginx-mod-http-lua "
      .. "libluajit2-5.1-2\n")
  end)

  it("stops where apt finds no way", function()
    local output, status = bootstrap("demo", {luajit = false,
      ["apt-get"] = 'echo "apt-get $*"; case $* in *-s*) echo "E: Unmet"; exit 100 ;; esac'})
    assert.equal(1, status)
    lacks(output, "apt-get install")
    holds(output, "E: Unmet\n")
  end)

  it("installs the LuaJIT that goes with the one whose library is there", function()
    local output = bootstrap("demo", {luajit = false,
      ["apt-get"] = removing:gsub("%*luajit%*", '*" luajit "*'),
      ["dpkg-query"] = "[ \"$4\" = libluajit2-5.1-2 ] && echo installed"})
    holds(output, "--no-remove --no-install-recommends luajit2 libluajit2-5.1-dev")
  end)

  -- find stands for one that knows that OpenResty's headers are where they are.
  local include = '[ "$3" != "$OPENRESTY_PREFIX/luajit/include" ] || echo "$3/luajit-2.1"'

  it("uses OpenResty's LuaJIT where there is no other", function()
    local output = bootstrap("demo", {luajit = false, ["../o/luajit/bin/luajit"] =
      'cat >/dev/null; echo "OpenResty: $1"', find = include}, 'OPENRESTY_PREFIX="$PWD/o"')
    lacks(output, "apt-get install")
    holds(output, "OpenResty: examples/filetimes.lua\n")
  end)
end)
