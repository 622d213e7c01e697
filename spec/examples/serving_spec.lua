-- SPDX-License-Identifier: MIT
-- examples/lookup in a real nginx: answers, errors, reloads under load, memory, the end. It needs
-- nginx with Lua: one that is installed, or Debian's packages where apt can download them.
local locus = require "locus"
local files = require "spec.support.text"
local http = require "spec.support.programs.http"
local lookups = require "spec.support.programs.lookups"
local nginx = require "spec.support.programs.nginx"
local support = require "spec.support"

local found, folder, server

setup(function() found = nginx.find() end)

-- Puts the sequence of that step in the place of the one that is there, in one step.
local function write_sequence(step)
  local sequence = locus.range(step, step * lookups.ENDS, step, {device = "cpu"})
  sequence:save(folder .. "/sequence.new")
  assert(os.rename(folder .. "/sequence.new", folder .. "/sequence.npy"))
end

local function start()
  folder = files.new_folder()
  os.execute("cp examples/lookup/nginx.conf examples/lookup/lookup.lua " .. folder)
  write_sequence(1)
  server = nginx.start(found, folder)
end

-- A test against a server of its own, which must end well.
local function with_server(name, f)
  it(name, function()
    if not found then return pending "needs nginx with Lua, or apt to download it" end
    start()
    local good, problem = pcall(f)
    files.write(folder .. "/ended", "") -- to clients that are still there
    local status, errors = server:stop(), server:errors()
    os.execute("rm -r " .. folder)
    if not good then error(problem, 0) end
    assert.equal(0, status, errors)
    assert.is_nil(errors:match "%[alert%][^\n]*" or errors:match "%[crit%][^\n]*")
  end)
end

local function get(value) return http.ask(server.port, "/lookup?v=" .. value) end

local function post(body) return http.ask(server.port, "/lookup", body) end

local function says(status, body, ...) assert.same({status, body}, {...}) end

local Clients = {}
Clients.__index = Clients

-- Starts processes that ask, each until the clients are stopped.
local function load_by(count, steps)
  local clients = setmetatable({pipes = {}}, Clients)
  for i = 1, count do
    local chunk = ("math.randomseed(%d) "
      .. "require('spec.support.programs.lookups').load(%d, %d, %q, %q)"):format(
        i, server.port, steps, folder .. "/ended", folder .. "/log" .. i)
    clients.pipes[i] = io.popen(("env LUA_PATH=%s luajit -e %s 2>&1"):format(
      support.quote(package.path), support.quote(chunk)))
  end
  return clients
end

-- How many answers of each step a client has had.
function Clients.answers(i)
  local count = setmetatable({}, {__index = function() return 0 end})
  local log = io.open(folder .. "/log" .. i)
  for line in log and log:lines() or function() end do
    local step = tonumber(line)
    if step then count[step] = count[step] + 1 end
  end
  if log then log:close() end
  return count
end

-- Ends the clients; gives what each has written and said.
function Clients:stop()
  files.write(folder .. "/ended", "")
  local logs = {}
  for i, pipe in ipairs(self.pipes) do
    local said = pipe:read "*a"
    pipe:close()
    logs[i] = files.read(folder .. "/log" .. i) .. (said == "" and "" or "wrong: " .. said)
  end
  return logs
end

describe("examples/lookup #host #native #once", function()
  with_server("answers one value, lines of values and a JSON array", function()
    local last = lookups.ENDS
    says(200, "5\n", get "4.5")
    says(200, "4\n", get "4")
    says(200, "1\n", get "-1e300")
    says(200, last + 1 .. "\n", get "inf")
    says(200, "1\n3\n3\n" .. last .. "\n", post("0\n2.5\n3\n" .. last))
    says(200, "[1,3,3]\n", post " [0, 2.5,\n 3]\n")
    says(200, "[]\n", post "[ ]")
    says(200, "", post "")
    local values = {}
    for i = 1, 50000 do values[i] = (i * 7919 % 800000 - 1000) / 2 end
    says(200, lookups.answer(1, values), post(table.concat(values, "\n")))
  end)

  with_server("is exact where the sequence is of int64, and wants such values", function()
    locus.tensor({"9007199254740992", "9007199254740993"}, {dtype = "int64", device = "cpu"})
      :save(folder .. "/sequence.new")
    assert(os.rename(folder .. "/sequence.new", folder .. "/sequence.npy"))
    server:reload()
    says(200, "[1,2,3]\n", post "[9007199254740992, 9007199254740993, 9007199254740994]")
    says(400, "read_csv: text:1: column 'v' (1) is not an int64: \"4.5\"\n", get "4.5")
  end)

  with_server("says in one sentence what is wrong", function()
    says(400, "no value is given: /lookup?v=4.5\n", http.ask(server.port, "/lookup"))
    says(400, "read_csv: text:1: column 'v' (1) is not a float64: \"abc\"\n", get "abc")
    says(400, "read_csv: text:2: column 'v' (1) is not a float64: \"x\"\n", post "1\nx\n3")
    says(400, "read_csv: text:1: column 'v' (1) is not a float64: \"1 2\"\n", post "[1 2]")
    says(400, "value 2 is not a number\n", post "[1,,3]")
    says(400, "value 3 is not a number\n", post "1\n2\nnan\n")
    assert.equal(413, (post(("1\n"):rep(4 * 2 ^ 20 + 1))))
    says(200, "5\n", get "4.5")
  end)

  with_server("answers what had begun before a reload, and before the end", function()
    local early = http.begin(server.port, "/lookup", #"9\n10\n")
    write_sequence(2)
    local old = server:reload(1)
    says(200, "5\n5\n", post "9\n10\n")
    http.send(early, "9\n10\n")
    says(200, "9\n10\n", http.receive(early))
    nginx.wait("the old worker ends", function() return server:still(old) == 0 end)

    local late = http.begin(server.port, "/lookup", #"9\n10\n")
    server:signal "QUIT"
    nginx.wait("nobody listens", function() return not http.ask(server.port, "/") end)
    http.send(late, "9\n10\n")
    says(200, "5\n5\n", http.receive(late))
  end)

  with_server("keeps its workers where a new file is no sequence", function()
    local path, here = folder .. "/sequence.npy", {device = "cpu"}
    local wrong = {
      ["not a file in NumPy"] = function() files.write(path .. ".new", "garbage") end,
      ["not ascending"] = function() locus.tensor({3, 1, 2}, here):save(path .. ".new") end,
      ["must have one dimension"] = function() locus.zeros(2, 2, here):save(path .. ".new") end,
      ["cannot be opened"] = function() os.rename(path, path .. ".new") end,
    }
    local workers = server:workers()
    for sentence, make in pairs(wrong) do
      make()
      os.rename(path .. ".new", sentence == "cannot be opened" and path .. ".gone" or path)
      server:signal "HUP"
      nginx.wait("nginx says so", function() return server:errors():find(sentence, 1, true) end)
      assert.same(workers, server:workers())
      says(200, "10\n", get "9.5")
    end
    write_sequence(2)
    server:reload()
    says(200, "5\n", get "9.5")
  end)

  with_server("gives no wrong and no missing answer while it is reloaded under load", function()
    local STEPS, CLIENTS = 5, 3
    local clients = load_by(CLIENTS, STEPS)
    for step = 1, STEPS do
      if step > 1 then
        write_sequence(step)
        server:reload()
        says(200, lookups.position(step, 1234.5) .. "\n", get "1234.5")
      end
      for i = 1, CLIENTS do
        nginx.wait("each client has asked much", function()
          return clients.answers(i)[step] > 100
        end)
      end
    end
    for i, log in ipairs(clients:stop()) do
      assert.is_nil(log:match "wrong[^\n]*", "client " .. i)
    end
  end)

  with_server("maps the file, and stays at its memory level", function()
    local lines = {}
    for i = 1, 1000 do lines[i] = i * 199.5 end
    local body, answer = table.concat(lines, "\n"), lookups.answer(1, lines)
    local function ask(times)
      for _ = 1, times do says(200, answer, post(body)) end
    end
    ask(400)
    local before = server:memory()
    ask(1600)
    assert.is_true(server:memory() - before < 4e6, server:memory() - before)
    for _ = 1, 3 do
      write_sequence(2)
      server:reload()
    end
    local ids = server:workers()
    ids[#ids + 1] = server:master()
    for _, id in ipairs(ids) do assert.equal(1, server.maps(id, "/sequence.n")) end
  end)
end)
