-- SPDX-License-Identifier: MIT
-- A PostgreSQL server of one's own, in a temporary folder, that only this machine reaches. root may
-- not run it, so that it runs as nobody then.
local postgres = {}

local function output_of(command)
  local pipe = io.popen(command .. " 2>/dev/null")
  local text = pipe:read "*a"
  pipe:close()
  return (text:gsub("%s+$", ""))
end

local function run(command) return os.execute(command .. " > /dev/null 2>&1") == 0 end

--- Starts a server: its uri, and a function that stops it; or nil and why there is none.
function postgres.start()
  local programs = output_of("ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1")
  if programs == "" then programs = output_of "dirname $(command -v initdb)" end
  if programs == "" or not run(("test -x %s/pg_ctl"):format(programs)) then
    return nil, "there is no initdb; apt install postgresql"
  end
  local folder = output_of "mktemp -d"
  local as = output_of "id -u" == "0" and "runuser -u nobody -- " or ""
  if as ~= "" then run("chown nobody " .. folder) end
  local function call(text) return run(as .. programs .. "/" .. text:gsub("FOLDER", folder)) end
  local function stop()
    call "pg_ctl -D FOLDER/data -m immediate stop"
    run("rm -rf " .. folder)
  end
  local good = call "initdb -D FOLDER/data -A trust -U locus -N"
    and call("pg_ctl -D FOLDER/data -w -l FOLDER/log "
      .. "-o \"-k FOLDER -c listen_addresses='' -c fsync=off\" start")
  if good then return ("postgresql:///postgres?host=%s&user=locus"):format(folder), stop end
  stop()
  return nil, "initdb or pg_ctl failed"
end

return postgres
