-- SPDX-License-Identifier: MIT
-- The contents of an installation, and how LuaRocks asks for it.
local support = require "spec.support"

local build = os.getenv("LOCUS_BUILD") or "build"

local function read(path)
  local file = io.open(path)
  local text = file and file:read("*a")
  if file then file:close() end
  return text
end

-- Runs a command outside of the sanitizers that the specs may run under; gives what it printed.
local function output_of(command)
  local pipe = io.popen("env -u LD_PRELOAD " .. command .. " 2>&1")
  local text = pipe:read("*a")
  pipe:close()
  return text
end

-- The files and folders that a page links to, relative to its own folder.
local function links(text)
  local found = {}
  for target in text:gmatch("%]%(([^)]+)%)") do
    local path = target:gsub("#.*", "")
    if not target:find("^%a+:") and path ~= "" then found[#found + 1] = path end
  end
  return found
end

describe("an installation #native #host #once", function()
  it("has the modules, and pages whose links lead to pages", function()
    local checked = support.in_folder({}, function(root)
      local said = output_of(("cmake --install %s --prefix %s"):format(build, root))
      assert.is_truthy(read(root .. "/lib/lua/5.1/locus/core.so"), said)
      assert.is_truthy(read(root .. "/share/lua/5.1/locus/init.lua"), said)
      local pages, seen, count = {"README.md"}, {}, 0
      for _, page in ipairs(pages) do
        local text = assert(read(root .. "/share/doc/locus/" .. page), page)
        for _, link in ipairs(page:find("%.md$") and links(text) or {}) do
          local target = ((page:match("^.*/") or "") .. link):gsub("[^/]+/%.%./", "")
          count = count + 1
          if not seen[target] then pages[#pages + 1] = target end
          seen[target] = true
        end
      end
      return count
    end)
    assert.is_true(checked > 30, checked)
  end)
end)

describe("the rockspec #host #once", function()
  local rock = {}
  setfenv(assert(loadfile(output_of("ls *.rockspec"):match("%S+"))), rock)()

  -- A command with LuaRocks' variables put in; without a name's value it is empty there.
  local function filled(command, variables)
    return (command:gsub("%$%(([%a%d_]+)%)", function(name) return variables[name] or "" end))
  end

  -- The command, word by word, `cmake` being a stand-in.
  local function commands(variables)
    local command = filled(rock.build.build_command, variables):gsub("cmake ", "printf '%%s\\n' ")
    return output_of("sh -c '" .. command:gsub("'", "'\\''") .. "'")
  end

  it("hands LOCUS_CUDA and LOCUS_MPI to CMake, whatever the environment says", function()
    local folders = {CMAKE = "cmake", LIBDIR = "/a rock/lib", LUADIR = "/l", PREFIX = "/p",
                     LUA_INCDIR = "/i"}
    local said = commands(folders)
    assert.is_truthy(said:find("\n-DLOCUS_CUDA=\n-DLOCUS_MPI=\n", 1, true), said)
    assert.is_truthy(said:find("\n-DLIBDIR=/a rock/lib\n", 1, true), said)
    folders.LOCUS_CUDA, folders.LOCUS_MPI = "OFF", "ON"
    said = commands(folders)
    assert.is_truthy(said:find("\n-DLOCUS_CUDA=OFF\n-DLOCUS_MPI=ON\n", 1, true), said)
  end)

  it("builds in parallel", function()
    local said = commands{CMAKE = "cmake"}
    local cores = output_of("getconf _NPROCESSORS_ONLN")
    assert.is_truthy(said:find("\n--parallel\n" .. cores, 1, true), said)
  end)
end)
