-- SPDX-License-Identifier: MIT
-- Frames in folders that several programs read and write at once, that are swapped, that are being
-- written when a program ends, and where the disk is full: nothing is torn, nothing is lost.
local locus = require "locus"
local support = require "spec.support"
local files = require "spec.support.text"

local message, quote = support.message, support.quote
local THOROUGH = os.getenv "LOCUS_THOROUGH" ~= nil
local SECONDS, KILLS = THOROUGH and 60 or 1, THOROUGH and 100 or 4

local function with_folder(f)
  local root = files.new_folder()
  local ok, result = pcall(f, root .. "/frame", root)
  os.execute("rm -rf " .. quote(root))
  if not ok then error(result, 0) end
  return result
end

local function listed(folder)
  local pipe = io.popen("ls -A " .. quote(folder))
  local text = pipe:read("*a")
  pipe:close()
  return text
end

-- Runs chunks of Lua in processes of their own, all at once; gives what each printed.
local function together(root, chunks)
  local script = {}
  for i, chunk in ipairs(chunks) do
    files.write(("%s/%d.lua"):format(root, i), chunk)
    script[i] = ("luajit %s/%d.lua > %s/%d.out 2>&1 &"):format(root, i, root, i)
  end
  os.execute(("export LUA_PATH=%s LUA_CPATH=%s; %s wait"):format(quote(package.path),
    quote(package.cpath), table.concat(script, " ")))
  local outputs = {}
  for i = 1, #chunks do outputs[i] = files.read(("%s/%d.out"):format(root, i)) end
  return outputs
end

-- The beginning of the programs below: stop(), whether the time is up; rows(writer, first, count),
-- the rows of a writer, told apart by their numbers; check(f), which raises unless all columns of f
-- are of the same rows, and gives by writer how many there are.
local PRELUDE = [[
  local locus = require "locus"
  local path, seconds = %q, %d
  local begun = os.time()
  local function stop() return os.time() - begun >= seconds end
  local function rows(writer, first, count)
    local n, names = locus.arange(first, first + count):long(), {}
    for i = 1, count do names[i] = writer .. (first + i - 1) %% 1000 end
    local writers = {}
    for i = 1, count do writers[i] = writer end
    return locus.frame{{"n", n}, {"writer", writers}, {"name", names}, {"v", n:double() * 7},
      {"b", (n %% 2):eq(0)}}
  end
  local function check(f)
    assert(f.v:equal(f.n:double() * 7), "v of other rows than n")
    assert(f.b:equal((f.n %% 2):eq(0)), "b of other rows than n")
    local counts = {}
    for _, row in f:iter() do
      assert(row.name == row.writer .. tonumber(row.n) %% 1000, "names of other rows")
      assert(tonumber(row.n) == (counts[row.writer] or 0), "rows are missing or out of order")
      counts[row.writer] = tonumber(row.n) + 1
    end
    return counts
  end
]]

local READER = [[
  local loads = 0
  repeat
    local f = locus.load(path, {mmap = loads % 2 == 0 and "r" or nil})
    check(f)
    collectgarbage()
    loads = loads + 1
  until stop()
  print(loads)]]

describe("a frame in a folder that many programs use #host #once", function()
  local function begin(path)
    return PRELUDE:format(path, SECONDS)
  end

  it("is whole for ten readers beside two that append, and keeps all rows", function()
    with_folder(function(path, root)
      local chunks = {}
      for i = 1, 2 do
        chunks[i] = begin(path) .. ([[
          local writer, n = %q, 0
          while n == 0 or not stop() do
            local count = n %% 3 + 1
            rows(writer, n, count):save(path, {append = true})
            n = n + count
            if n > 3000 then os.execute "sleep .05" end -- readers look at each row
          end
          print(n)]]):format("w" .. i)
      end
      for i = 3, 12 do
        chunks[i] = begin(path) .. [[
          while not pcall(locus.load, path) do end
        ]] .. READER
      end
      local outputs = together(root, chunks)
      for i, output in ipairs(outputs) do
        assert.is_true((tonumber(output) or 0) > 0, i .. ": " .. output)
      end
      local chunk = PRELUDE:format(path, 0) .. [[
        local counts = check(locus.load(path))
        print(counts.w1, counts.w2)]]
      local output = support.run(chunk)
      assert.equal(("%d\t%d\n"):format(tonumber(outputs[1]), tonumber(outputs[2])), output)
    end)
  end)

  it("is whole for ten readers beside one that replaces and one that appends", function()
    with_folder(function(path, root)
      local chunks = {begin(path) .. [[
        local times = 0
        while times == 0 or not stop() do
          rows("r" .. times % 50, 0, 100 + times % 2):save(path)
          times = times + 1
        end
        print(times)]], begin(path) .. [[
        local times = 0
        while times == 0 or not stop() do
          if pcall(locus.load, path) then
            rows("a" .. times, 0, 2):save(path, {append = true})
            times = times + 1
          end
        end
        print(times)]]}
      for i = 3, 12 do
        chunks[i] = begin(path) .. [[
          while not pcall(locus.load, path) do end
        ]] .. READER
      end
      for i, output in ipairs(together(root, chunks)) do
        assert.is_true((tonumber(output) or 0) > 0, i .. ": " .. output)
      end
      locus.frame{{"x", {1}}}:save(path)
      local names = listed(path)
      assert.matches("^frame\nframe.lock\nx%.%d+%.npy\n$", names) -- nothing else is left
    end)
  end)

  it("may be a link that is swapped for another meanwhile", function()
    with_folder(function(path, root)
      for i = 1, 2 do
        support.run(PRELUDE:format(path .. i, 0) .. ([[rows("w%d", 0, 50):save(path)]]):format(i))
      end
      os.execute(("ln -s frame1 %s"):format(path))
      local chunks = {PRELUDE:format(path, SECONDS) .. ([[
        local times = 0
        while times == 0 or not stop() do
          os.execute(("ln -s frame%%d %s/new && mv -T %s/new %s"):format(times %% 2 + 1))
          times = times + 1
        end
        print(times)]]):format(root, root, path)}
      for i = 2, 5 do
        chunks[i] = PRELUDE:format(path, SECONDS) .. [[
          local loads = 0
          while loads == 0 or not stop() do
            local counts = check(locus.load(path, {mmap = "r"}))
            assert((counts.w1 or 0) + (counts.w2 or 0) == 50)
            loads = loads + 1
          end
          print(loads)]]
      end
      for i, output in ipairs(together(root, chunks)) do
        assert.is_true((tonumber(output) or 0) > 0, i .. ": " .. output)
      end
    end)
  end)

  it("says who writes to it, and for how long one has waited", function()
    with_folder(function(path, root)
      local f = locus.frame{{"x", locus.arange(0, 3e6)}}
      local function held(progress)
        return f:save(path, {progress = progress})
      end
      local other, same
      held(function()
        -- A program that is started meanwhile, and lives longer, holds no lock.
        if not other then os.execute("sleep 5 > /dev/null 2>&1 &") end
        other = other or support.run(([[
          local f = require("locus").frame{{"x", {1}}}
          print(pcall(f.save, f, %q, {append = true, wait = .1}))
          print(pcall(f.save, f, %q, {wait = 0}))]]):format(path, path))
        same = same or message(f.save, f, path, {append = true})
      end)
      local says = "save: '" .. path:gsub("%p", "%%%0") .. "' is being written to by process %d+ "
        .. "on %S+, since %d+%-%d+%-%d+ %d+:%d+:%d+; waited %S+ s\n"
      assert.matches("^false\t.-" .. says .. "false\t.-" .. says .. "$", other)
      assert.matches("waited 0.1 s", other)
      assert.equal(("save: '%s' is being written to by a call that has not ended"):format(path),
        same)
      f:save(path, {wait = 0})
      assert.equal(3e6, #locus.load(path))
      for _, wait in ipairs {-1, -0.5, 0 / 0} do
        assert.matches("^save: 'wait' must be 0 seconds or more, got the number ",
          message(f.save, f, path, {wait = wait}))
      end
      assert.equal("frame\n", listed(root))
    end)
  end)

  it("waits for one who writes", function()
    with_folder(function(path, root)
      local chunks = {}
      for i = 1, 4 do
        chunks[i] = PRELUDE:format(path, 0) .. ([[rows("w%d", 0, 3):save(path, {append = true})
          print "saved"]]):format(i)
      end
      assert.same({"saved\n", "saved\n", "saved\n", "saved\n"}, together(root, chunks))
      assert.equal(12, #locus.load(path))
    end)
  end)
end)

describe("a program that ends while it writes a frame #host #once", function()
  it("leaves the frame before or the one after, whenever it is killed", function()
    with_folder(function(path)
      local chunk = PRELUDE:format(path, 1e9) .. [[
        for i = 0, 1e9 do
          rows("g" .. i, 0, 2000):save(path)
          if i == 0 then print "now" end
        end]]
      local check = PRELUDE:format(path, 0) .. [[
        local f = locus.load(path)
        check(f)
        assert(#f == 2000 and #f:unique("writer") == 1)
        print "whole"]]
      for _ = 1, KILLS do
        files.killed(chunk, math.random() * .1)
        assert.equal("whole\n", (support.run(check)))
      end
      locus.frame{{"x", {1}}}:save(path)
      assert.matches("^frame\nframe.lock\nx%.%d+%.npy\n$", listed(path))
    end)
  end)

  it("loses no row that was appended before, whenever it is killed", function()
    with_folder(function(path)
      local count = 0
      for _ = 1, KILLS do
        files.killed(PRELUDE:format(path, 1e9) .. ([[
          local n = %d
          for i = 1, 1e9 do
            rows("w", n, 3):save(path, {append = true})
            n = n + 3
            if i == 3 then print "now" end
          end]]):format(count), math.random() * .05)
        local output = support.run(PRELUDE:format(path, 0) .. "print(check(locus.load(path)).w)")
        assert.is_true((tonumber(output) or 0) >= count + 9, output)
        count = tonumber(output)
      end
    end)
  end)

  it("by Ctrl-C at the moment when the new frame has its place leaves that", function()
    local internal = require("locus.core").internal
    local rename = internal.rename_in
    with_folder(function(path)
      for rows = 1, 3 do
        internal.rename_in = function(...)
          assert(rename(...))
          error("interrupted!", 0)
        end
        local f = locus.frame{{"x", locus.arange(rows)}, {"s", locus.strings{"a"}:take(
          locus.ones(rows):long())}}
        local told = message(f.save, f, path)
        internal.rename_in = rename
        assert.equal("interrupted!", told)
        assert.equal(rows, #locus.load(path).s)
      end
      locus.frame{{"x", {1}}}:save(path)
      assert.same({"x"}, locus.load(path):columns())
    end)
  end)

  it("by Ctrl-C or an error leaves the frame before, and no other files", function()
    with_folder(function(path, root)
      local f = locus.frame{{"x", locus.arange(0, 3e6)}, {"s", locus.strings{"a"}:take(
        locus.ones(3e6):long())}}
      local function stop() error("stop", 0) end
      assert.equal("stop", message(f.save, f, path, {progress = stop}))
      assert.equal("", listed(root))
      local small = f[{{1, 2}}]
      small:save(path)
      local before = listed(path)
      assert.equal("stop", message(f.save, f, path, {progress = stop}))
      assert.equal(before, listed(path))
      assert.equal(2, #locus.load(path))
      for _ = 1, 3 do
        files.killed(PRELUDE:format(path, 1e9) .. [[
          local big = rows("g", 0, 30000)
          print "now"
          while true do big:save(path) end]], math.random() * .1, 2)
        local rows = #locus.load(path)
        assert.is_true(rows == 2 or rows == 30000, rows)
      end
    end)
  end)
end)

describe("the path of a frame #once", function()
  it("is a file, or nothing that a folder can take the place of", function()
    with_folder(function(path)
      local f, there = locus.frame {{"a", {1, 2}}}, support.quote(path)
      local function told(what, advice)
        for _, append in ipairs {false, true} do
          assert.equal(("save: '%s' is %s, and a frame is saved in a folder of its own; name one%s")
            :format(path, what, advice), message(f.save, f, path, {append = append}))
        end
      end
      files.write(path, "a,b\n1,2\n")
      told("a file", ", or write f:write_csv(path)")
      assert.equal("a,b\n1,2\n", files.read(path))
      os.execute("mv " .. there .. " " .. there .. ".csv && ln -s frame.csv " .. there)
      told("a file", ", or write f:write_csv(path)")
      os.execute("ln -sf /no/such " .. there)
      told("a symbolic link to nothing", "")
      os.execute("rm " .. there .. " && mkfifo " .. there)
      told("no folder", "")
      os.execute("rm " .. there)
      assert.equal(("load: 'recover' is for frames in folders, and '%s.csv' is none"):format(path),
        message(locus.load, path .. ".csv", {recover = true}))
      assert.equal(("load: '%s' cannot be opened: No such file or directory"):format(path),
        message(locus.load, path, {recover = true}))
    end)
  end)
end)

describe("a file system that is full #host #once", function()
  -- Saves a frame that there is no room for over one, and appends to it, until nothing more fits.
  local CHUNK = [[
    local locus = require "locus"
    local path = %q
    local function frame(first, count)
      local n, names = locus.arange(first, first + count):long(), {}
      for i = 1, count do names[i] = ("name-%%d"):format(first + i) end
      return locus.frame{{"n", n}, {"s", names}}
    end
    local function spell(f) local ok, text = pcall(f) print(ok, (text:gsub("^.*: ", ""))) end
    local big = frame(0, 200000)
    frame(0, 10):save(path)
    spell(function() big:save(path) end)
    spell(function() big:save(path, {append = true}) end)
    local n, ok, text = 10
    repeat
      local more = frame(n, 500)
      ok, text = pcall(more.save, more, path, {append = true})
      if ok then n = n + 500 end
    until not ok
    print(n > 500, (text:gsub("^.*: ", "")))
    local f = locus.load(path)
    assert(#f == n and f.n:equal(locus.arange(n):long()) and f.s[n] == "name-" .. n)
    print(io.popen("ls -A " .. path):read("*a"))]]

  local function expected(reason)
    return ("false\t%s\nfalse\t%s\ntrue\t%s\n"):format(reason, reason, reason)
      .. "frame\nframe.lock\nn.npy\ns.ends.npy\ns.index.npy\ns.names.npy\ns.npy\n\n"
  end

  it("keeps what was there: a limit of a file's size", function()
    with_folder(function(path)
      local output = support.run(CHUNK:format(path), {},
        "sh -c 'trap \"\" XFSZ; ulimit -f 400; exec luajit \"$@\"' sh")
      assert.equal(expected "File too large", output)
    end)
  end)

  it("keeps what was there: a small file system", function()
    with_folder(function(path, root)
      local mount = ("unshare -Urm sh -c 'mount -t tmpfs -o size=1m none %s "
        .. "&& exec luajit \"$@\"' sh"):format(root)
      local pipe = io.popen(mount:gsub("luajit \"$@\"", "echo mounted") .. " 2>&1")
      local can = pipe:read("*l") == "mounted"
      pipe:close()
      if not can then return pending "no file system can be mounted here" end
      assert.equal(expected "No space left on device", (support.run(CHUNK:format(path), {}, mount)))
    end)
  end)
end)
