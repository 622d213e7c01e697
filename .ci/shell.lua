-- SPDX-License-Identifier: MIT
-- Files and commands, for the scripts beside this one.
local shell = {}

--- The text of a file; nil where there is none.
function shell.read(path)
  local file = io.open(path)
  if not file then return nil end
  local text = file:read("*a")
  file:close()
  return text
end

function shell.write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

--- Runs a command: its exit status, and what it printed on both streams. A sanitizer that watches
--- this process leaves the command alone: it would fail sort, which ends without freeing its lines.
function shell.run(command)
  local pipe = assert(io.popen(
    ("unset LD_PRELOAD; { %s\n} 2>&1; echo \"status $?\""):format(command)))
  local output, status = pipe:read("*a"):match("^(.*)status (%d+)\n$")
  pipe:close()
  return tonumber(status), output
end

--- The output of a command; one that fails ends the script.
function shell.must(command)
  local status, output = shell.run(command)
  if status ~= 0 then
    io.stderr:write(command, "\n", output:sub(-4000), "\n")
    os.exit(2)
  end
  return output
end

return shell
