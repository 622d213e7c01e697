-- SPDX-License-Identifier: MIT
-- The instructions that a process takes, counted by callgrind: no noise of the machine changes it.
local instructions = {}

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function output_of(command)
  local pipe = io.popen("env -u LD_PRELOAD " .. command .. " 2>&1")
  local text = pipe:read("*a")
  pipe:close()
  return text
end

-- Whether there is valgrind here.
function instructions.are_counted() return output_of("sh -c 'command -v valgrind'") ~= "" end

-- Of luajit that runs the chunk, with the options, in the environment (text: NAME=VALUE ...).
function instructions.of(chunk, options, environment)
  local text = output_of(("%s LUA_PATH=%s LUA_CPATH=%s valgrind --tool=callgrind "
    .. "--callgrind-out-file=/dev/null luajit %s -e %s"):format(environment or "",
    quoted(package.path), quoted(package.cpath), options or "", quoted(chunk)))
  return assert(tonumber(text:match("Collected : (%d+)")), text)
end

return instructions
