-- SPDX-License-Identifier: MIT
-- lua-language-server finds nothing in the examples and in the Lua blocks of the docs, with the
-- files of lua/locus/meta as all that it knows of locus. Pending where it is not installed.
local support = require "spec.support"

local SERVER = "lua-language-server"

local CONFIG = [[{
  "runtime.version": "LuaJIT",
  "workspace.library": ["ROOT/meta"],
  "workspace.checkThirdParty": false,
  "diagnostics.disable": ["lowercase-global", "redefined-local", "unused-local"]
}]]

local function read(path)
  local file = io.open(path)
  local text = file and file:read("*a")
  if file then file:close() end
  return text
end

local function installed()
  return os.execute("command -v " .. SERVER .. " >/dev/null") == 0
end

-- The Lua blocks of a page by the file that each becomes; those that show errors are left out.
local function add_blocks(files, path)
  local number, first, lines = 0, nil, nil
  for line in io.lines(path) do
    number = number + 1
    if line == "```lua" then
      first, lines = number, {'local locus = require "locus"'}
    elseif lines and line == "```" then
      local text = table.concat(lines, "\n")
      if not text:find("pcall", 1, true) then
        files[("/code/%s_%d.lua"):format(path:match("([%w_]+)%.md$"), first)] = text
      end
      lines = nil
    elseif lines then
      lines[#lines + 1] = line
    end
  end
end

-- The workspace: what is looked at in code/, what is known of locus in meta/.
local function workspace()
  local files = {["/code/planted.lua"] = 'require("locus").zeros(1):no_such_method()\n'}
  for i, path in ipairs(require "spec.support.docs.meta_files") do
    files[("/meta/meta%d.lua"):format(i)] = read(path)
  end
  local pipe = io.popen("ls README.md docs/*.md examples/*.lua")
  for path in pipe:lines() do
    if path:find("%.md$") then add_blocks(files, path) else files["/code/" .. path] = read(path) end
  end
  pipe:close()
  return files
end

-- The server's report about the workspace; it writes nothing if it has nothing to say.
local function report(root)
  local config = assert(io.open(root .. "/config.json", "w"))
  config:write((CONFIG:gsub("ROOT", root)))
  config:close()
  os.execute((([[SERVER --check=ROOT/code --checklevel=Warning --check_format=json
    --check_out_path=ROOT/check.json --configpath=ROOT/config.json --logpath=ROOT/log
    >ROOT/output 2>&1]]):gsub("%s+", " "):gsub("SERVER", SERVER):gsub("ROOT", root)))
  return read(root .. "/check.json") or ""
end

describe(SERVER .. " #host #once", function()
  it("finds what is planted, and nothing else #host", function()
    if not installed() then return pending(SERVER .. " is not in PATH") end
    local found, files = support.in_folder(workspace(), report), {}
    for file in found:gmatch("code/([%w_/.]+%.lua)\"") do files[#files + 1] = file end
    assert.same({"planted.lua"}, files, found)
  end)

  it("is given every file of types, and code of every page with code", function()
    local files, pages = workspace(), {}
    for path in pairs(files) do
      pages[path:match("^/code/(.-)_?%d*%.lua$") or path] = true
    end
    for _, page in ipairs {"api", "tensor", "ops", "groups", "columns", "chance",
                              "examples/buckets"} do
      assert.is_true(pages[page], page)
    end
    assert.truthy(files["/meta/meta1.lua"]:find("---@meta", 1, true))
    for path, text in pairs(files) do assert(loadstring(text, "=" .. path)) end
  end)
end)
