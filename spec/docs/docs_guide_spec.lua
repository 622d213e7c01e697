-- SPDX-License-Identifier: MIT
-- docs/guide.md from its first prompt to its last command, in a folder of its own: files are made
-- as it says, what is typed is one session, and what comes is what the page shows.
local ffi = require "ffi"
local files = require "spec.support.text"
local new_prompt = require "spec.support.programs.prompt"
local pages = require "spec.support.docs.pages"
local support = require "spec.support"

ffi.cdef "int chdir(const char *path); char *getcwd(char *room, size_t size);"

local function trim(line) return (line:gsub("%s+$", "")) end

-- One session at the prompt: run(typed) gives the lines that it shows.
local function new_session()
  local run = new_prompt()
  return function(typed)
    local shown = {}
    for line in run(typed):gmatch("(.-)\n") do shown[#shown + 1] = trim(line) end
    return shown
  end
end

-- The output of the shell for a command, in which LuaJIT finds the same modules.
local function run_command(command)
  local pipe, shown = io.popen(("env LUA_PATH=%s LUA_CPATH=%s sh -c %s 2>&1"):format(
    support.quote(package.path), support.quote(package.cpath), support.quote(command))), {}
  for line in pipe:lines() do shown[#shown + 1] = trim(line) end
  pipe:close()
  return shown
end

-- Runs the lines behind that mark, and compares what follows each.
local function follow(block, mark, run)
  local i, lines = 1, block.lines
  while i <= #lines do
    local typed = assert(lines[i]:match(mark), lines[i])
    local expected = {}
    i = i + 1
    while lines[i] and not lines[i]:find(mark) do
      expected[#expected + 1] = lines[i]
      i = i + 1
    end
    assert.same(expected, run(typed), typed)
  end
end

local PROMPT, SHELL = "^locus> (.*)$", "^%$ (.*)$"

local function follow_page()
  local run_typed, count = new_session(), 0
  for _, block in ipairs(pages.blocks(pages.read "guide.md")) do
    local first = block.lines[1]
    if first:find(PROMPT) then
      follow(block, PROMPT, run_typed)
      count = count + 1
    elseif first:find(SHELL) then
      follow(block, SHELL, run_command)
    elseif first:find "^cat >" then
      assert.same({}, run_command(table.concat(block.lines, "\n")))
    end
  end
  return count
end

-- Runs f in a folder, where modules are found as before.
local function inside(folder, f)
  local here = ffi.string(ffi.C.getcwd(ffi.new "char[4096]", 4096))
  local path, cpath = package.path, package.cpath
  package.path = (";" .. path):gsub(";%./", ";" .. here .. "/"):sub(2)
  package.cpath = (";" .. cpath):gsub(";%./", ";" .. here .. "/"):sub(2)
  ffi.C.chdir(folder)
  local good, result = pcall(f)
  ffi.C.chdir(here)
  package.path, package.cpath = path, cpath
  if not good then error(result, 0) end
  return result
end

describe("docs/guide.md #host #once", function()
  it("shows what comes, from the first line to the last", function()
    local folder = files.new_folder()
    files.write(folder .. "/guide.md", files.read "docs/guide.md")
    local good, result = pcall(inside, folder, follow_page)
    os.execute("rm -r " .. support.quote(folder))
    if not good then error(result, 0) end
    assert.is_true(result > 10)
  end)
end)
