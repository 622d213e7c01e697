-- SPDX-License-Identifier: MIT
-- Whole files that take the place of others: over one's own mapping, through links, with the
-- permissions of the old one; what is left by errors, kills, signals and full disks.
local locus = require "locus"
local support = require "spec.support"
local files = require "spec.support.text"

local message, quote = support.message, support.quote

-- The output of a command of the shell.
local function shell(command, ...)
  local pipe = io.popen(command:format(...) .. " 2>&1")
  local text = pipe:read("*a")
  pipe:close()
  return text
end

-- The result of f for a folder that is removed afterwards.
local function with_folder(f)
  local folder = files.new_folder()
  local ok, result = pcall(f, folder)
  os.execute("rm -rf " .. quote(folder))
  if not ok then error(result, 0) end
  return result
end

local function listed(folder) return shell("ls -A %s", quote(folder)) end

-- Every function that writes a whole file, from x, a float64 vector, to a path.
local writers = {
  save = function(x, path, options) x:save(path, options) end,
  tofile = function(x, path, options) x:tofile(path, options) end,
  savez = function(x, path, options) locus.savez(path, {x = x}, options) end,
  write_csv = function(x, path, options) locus.frame{{"x", x}}:write_csv(path, options) end,
  write_json = function(x, path, options) locus.frame{{"x", x}}:write_json(path, options) end,
  picture = function(x, path) locus.plot(x):save(path) end,
  npy_writer = function(x, path)
    local w = locus.npy_writer(path, "float64")
    w:write(x)
    w:close()
  end,
}

-- The contents of a file of each for x.
local function content(name, x)
  return files.with_file("", function(path)
    writers[name](x, path)
    return files.read(path)
  end)
end

describe("a whole file #host #once", function()
  it("may be written over one's own mapping, and the mapping keeps its bytes", function()
    -- As pytorch and NumPy end by SIGBUS there. In a process of its own, which that would end.
    for _, line in ipairs {
      "m:save(p)", "m[{{1, 5}}]:save(p)", "m[{{500001, 500005}}]:save(p)", "m:tofile(p)",
      "locus.savez(p, {x = m})", "f:write_csv(p)", "f:write_csv(p, {formats = {x = tostring}})",
      "locus.plot(m[{{1, 9}}]):save(p)", "write(m)", "m:flip(1):save(p)",
      "m:view(2, -1):t():save(p)", "append(m)",
    } do
      for _, mode in ipairs {"r", "r+"} do
        local output, status = support.run(([[
          local locus = require "locus"
          local p = os.tmpname()
          local x = locus.arange(0, 500010)
          x:save(p)
          local m = locus.load(p, {mmap = %q})
          local f = locus.frame{{"x", m}}
          local function write(values)
            local w = locus.npy_writer(p, "float64")
            w:write(values)
            w:close()
            assert(locus.load(p):equal(x))
          end
          local function append(values)
            local w = locus.npy_writer(p, "float64", {append = true, rows = 2})
            w:write(values)
            w:close()
            assert(locus.load(p):equal(locus.cat{x[{{1, 2}}], x}))
            m = x
          end
          %s
          assert(m:equal(x))
          os.remove(p)
          print "kept"]]):format(mode, line))
        assert.equal("kept\n", output, line)
        assert.equal(0, status, line)
      end
    end
  end)

  it("is what a link points to, and the link stays", function()
    for name, write in pairs(writers) do
      with_folder(function(folder)
        local x, at = locus.arange(7), folder .. "/"
        os.execute(("cd %s && mkdir deep && echo old > deep/real && ln -s deep/real middle && "
          .. "ln -s %s/middle link && ln -s nowhere dangling && ln -s loop loop"):format(
          quote(folder), quote(folder)))
        write(x, at .. "link")
        assert.equal("deep/real\n", shell("readlink %smiddle", at))
        assert.equal(content(name, x), files.read(at .. "deep/real"), name)
        write(x, at .. "dangling")
        assert.equal(content(name, x), files.read(at .. "nowhere"))
        assert.equal("nowhere\n", shell("readlink %sdangling", at))
        assert.matches("Too many levels of symbolic links", message(write, x, at .. "loop"))
        assert.equal("dangling\ndeep\nlink\nloop\nmiddle\nnowhere\n", listed(folder))
      end)
    end
  end)

  it("keeps permissions, and a new one has those that the umask leaves", function()
    for _, write in pairs(writers) do
      with_folder(function(folder)
        local path, x = folder .. "/a", locus.arange(3)
        for _, mode in ipairs {"640", "600", "666", "755"} do
          files.write(path, "old")
          os.execute(("chmod %s %s"):format(mode, path))
          write(x, path)
          assert.equal(mode .. "\n", shell("stat -c %%a %s", path))
        end
        local by_shell = shell("echo > %s/b && stat -c %%a %s/b", folder, folder)
        write(x, folder .. "/c")
        assert.equal(by_shell, shell("stat -c %%a %s/c", folder))
      end)
    end
  end)

  it("is replaced for its name alone: other names and open files keep the old one", function()
    with_folder(function(folder)
      local path = folder .. "/a"
      files.write(path, "old")
      os.execute(("ln %s %s/other"):format(path, folder))
      local open = assert(io.open(path, "rb"))
      locus.arange(3):save(path)
      assert.equal("old", files.read(folder .. "/other"))
      assert.equal("old", open:read("*a"))
      open:close()
      assert.is_true(locus.load(path):equal(locus.arange(3)))
    end)
  end)

  it("is written in place where it is no regular file, or is open in the shell", function()
    with_folder(function(folder)
      local x = locus.arange(5)
      for _, name in ipairs {"save", "tofile", "write_csv"} do
        local expected = content(name, x)
        os.execute(("mkfifo %s/pipe && cat %s/pipe > %s/out &"):format(folder, folder, folder))
        os.execute(("while ! test -p %s/pipe; do :; done"):format(folder))
        writers[name](x, folder .. "/pipe")
        os.execute(("while test $(wc -c < %s/out) -lt %d; do sleep .01; done"):format(folder,
          #expected))
        assert.equal(expected, files.read(folder .. "/out"))
        assert.equal("out\npipe\n", listed(folder))
        os.remove(folder .. "/pipe")
        writers[name](x, "/dev/null")
      end
      local call = ("luajit -e %s"):format(quote(
        "local locus = require 'locus' locus.arange(5):tofile('/dev/stdout')"))
      local before = ("env LUA_PATH=%s LUA_CPATH=%s "):format(quote(package.path),
        quote(package.cpath))
      local out = folder .. "/out"
      os.execute(("(printf before; %s%s; printf after) > %s"):format(before, call, out))
      assert.equal(40, #files.read(out)) -- in place, from the start of the file
      assert.equal("after", files.read(out):sub(7, 11))
      os.execute(("%s%s | cat > %s"):format(before, call, out))
      assert.equal(x:tobytes(), files.read(out))
    end)
  end)

  it("stays as it was where an error is raised, and none is left beside it", function()
    with_folder(function(folder)
      local path, x = folder .. "/a", locus.arange(0, 3e6)
      local calls = {
        function() x:save(path, {progress = function() error("stop", 0) end}) end,
        function() x:tofile(path, {progress = function() error("stop", 0) end}) end,
        function() locus.savez(path, {x = x}, {progress = function() error("stop", 0) end}) end,
        function()
          locus.frame{{"x", x}}:write_csv(path, {progress = function() error("stop", 0) end})
        end,
        function()
          locus.frame{{"x", x}}:write_csv(path, {formats = {x = function() error("stop", 0) end}})
        end,
      }
      for i, call in ipairs(calls) do
        files.write(path, "old")
        assert.equal("stop", message(call), i)
        assert.equal("old", files.read(path))
        assert.equal("a\n", listed(folder))
        os.remove(path)
        assert.equal("stop", message(call))
        assert.equal("", listed(folder))
      end
    end)
  end)

  it("may have a name as long as names can be, and no zero byte", function()
    with_folder(function(folder)
      local name = ("n"):rep(255)
      for _ = 1, 2 do locus.arange(3):save(folder .. "/" .. name) end
      assert.equal(name .. "\n", listed(folder))
      assert.matches("cannot be opened: File name too long$",
        message(locus.zeros(1).save, locus.zeros(1), folder .. "/n" .. name))
      for what, write in pairs(writers) do
        assert.matches(what:find "^write_" and "'target' must be a path" or "without zero bytes",
          message(write, locus.arange(3), folder .. "/a\0b"), what)
      end
      assert.equal(name .. "\n", listed(folder))
    end)
  end)

  it("that may not be written to, or has no room beside it, says so", function()
    local is_root = shell("id -u") == "0\n" -- who may write everywhere
    if is_root and not shell("setpriv --version"):find "^setpriv" then
      return pending "nobody without rights is here"
    end
    with_folder(function(folder)
      local path = folder .. "/a"
      files.write(path, "old")
      os.execute(("chmod 755 %s && chmod 666 %s"):format(folder, path))
      if is_root then os.execute(("chown 65534 %s %s"):format(folder, path)) end
      local output = support.run(([[
        local x, path, folder = require("locus").arange(3), %q, %q
        os.execute("chmod 444 " .. path)
        print(pcall(x.save, x, path))
        os.execute("chmod 644 " .. path .. " && chmod 555 " .. folder)
        print(pcall(x.save, x, path))
        os.execute("chmod 755 " .. folder)]]):format(path, folder), {},
        is_root and "setpriv --reuid=65534 --clear-groups luajit" or "luajit")
      local start = ("false\tsave: '%s' cannot be opened: "):format(path)
      assert.equal(start .. "Permission denied\n" .. start
        .. "no file can be made beside it: Permission denied\n", (output:gsub("%(command.-: ", "")))
      assert.equal("old", files.read(path))
    end)
  end)
end)

-- A program that writes 0, 1, 2, ... to one file by that function, 300,000 times each number.
local ENDLESS = [[
  local locus = require "locus"
  local path, write = %q, %s
  for i = 0, 1e9 do
    write(locus.full({300000}, i), path)
    if i == 0 then print "now" end
  end]]

local bodies = {
  save = "function(x, path) x:save(path) end",
  tofile = "function(x, path) x:tofile(path) end",
  savez = "function(x, path) locus.savez(path, {x = x}) end",
  write_csv = "function(x, path) locus.frame{{'x', x}}:write_csv(path) end",
}
local readers = {
  save = locus.load,
  tofile = function(path) return locus.from_file(path, "float64") end,
  savez = function(path) return locus.load(path).x end,
  write_csv = function(path) return locus.read_csv(path, {types = {x = "float64"}}).x end,
}

local function check_whole(x, name)
  assert.equal(300000, #x, name)
  assert.is_true((x:eq(x[1])):all(), name)
end

describe("a program that ends in the middle of a write #host #once", function()
  local KILLS = support.thorough and 40 or support.slow and 2 or 4

  -- A file may be caught between its two names: then it is whole, and another is whole under "a".
  it("by kill leaves the file before or the file after, and no part of one beside", function()
    for name in pairs(bodies) do
      with_folder(function(folder)
        local path = folder .. "/a"
        for _ = 1, KILLS do
          files.killed(ENDLESS:format(path, bodies[name]), math.random() * .1)
          check_whole(readers[name](path), name)
          for beside in listed(folder):gmatch("a%.%x+%.writing") do
            check_whole(readers[name](folder .. "/" .. beside), name)
            os.remove(folder .. "/" .. beside)
          end
          assert.equal("a\n", listed(folder))
        end
      end)
    end
  end)

  it("by Ctrl-C or SIGTERM leaves the same", function()
    for _, signal in ipairs {2, 15} do
      with_folder(function(folder)
        local path = folder .. "/a"
        for _ = 1, 3 do
          files.killed(ENDLESS:format(path, bodies.save), math.random() * .1, signal)
          check_whole(locus.load(path), "save")
        end
        assert.equal("a\n", (listed(folder):gsub("a%.%x+%.writing\n", "")))
      end)
    end
  end)
end)

describe("a file system that is full #host #once", function()
  -- Each function writes 2.4 MB over a small file, and raises; what it leaves is looked at.
  local CHUNK = [[
    local locus = require "locus"
    local folder = %q
    local path, x = folder .. "/a", locus.arange(0, 300000) / 7
    local function spell(f) local ok, text = pcall(f) print(ok, (text:gsub("^.*: ", ""))) end
    locus.arange(3):save(path)
    spell(function() x:save(path) end)
    spell(function() x:tofile(path) end)
    spell(function() locus.savez(path, {x = x, y = x}) end)
    spell(function() locus.frame{{"x", x}}:write_csv(path) end)
    print(locus.load(path):equal(locus.arange(3)), io.popen("ls -A " .. folder):read("*a"))]]

  local function expected(reason)
    return ("false\t" .. reason .. "\n"):rep(4) .. "true\ta\n\n"
  end

  it("raises, and leaves the old file alone: a limit of a file's size", function()
    with_folder(function(folder)
      local output, status = support.run(CHUNK:format(folder), {},
        "sh -c 'trap \"\" XFSZ; ulimit -f 1000; exec luajit \"$@\"' sh")
      assert.equal(expected "File too large", output)
      assert.equal(0, status)
    end)
  end)

  it("raises, and leaves the old file alone: a small file system", function()
    with_folder(function(folder)
      local mount = ("unshare -Urm sh -c 'mount -t tmpfs -o size=1m none %s "
        .. "&& exec luajit \"$@\"' sh"):format(folder)
      if not shell(mount:gsub("luajit \"$@\"", "echo mounted")):find "^mounted" then
        return pending "no file system can be mounted here"
      end
      local output, status = support.run(CHUNK:format(folder), {}, mount)
      assert.equal(expected "No space left on device", output)
      assert.equal(0, status)
    end)
  end)

  it("takes nothing of a write that a writer could not end", function()
    with_folder(function(folder)
      local output = support.run(([[
        local locus = require "locus"
        local path = %q .. "/a"
        local w = locus.npy_writer(path, "float64")
        w:write{1, 2}
        local before = #io.open(path, "rb"):read("*a")
        print((select(2, pcall(w.write, w, locus.zeros(300000))):gsub("^.*: ", "")))
        print(#io.open(path, "rb"):read("*a") - before)
        w:write{3}
        w:close()
        print(locus.load(path):equal(locus.tensor{1, 2, 3}))]]):format(folder), {},
        "sh -c 'trap \"\" XFSZ; ulimit -f 1000; exec luajit \"$@\"' sh")
      assert.equal("File too large\n0\ntrue\n", output)
    end)
  end)

  it("or has no files without names is written to all the same", function()
    with_folder(function(folder)
      local hidden = "unshare -Urm sh -c 'mount -t tmpfs none /proc && exec luajit \"$@\"' sh"
      if not shell(hidden:gsub("luajit \"$@\"", "echo mounted")):find "^mounted" then
        return pending "nothing can be mounted here"
      end
      local output, status = support.run(([[
        local locus = require "locus"
        local path = %q .. "/a"
        for i = 1, 3 do locus.arange(i):save(path) end
        print(pcall(locus.zeros(3e6).save, locus.zeros(3e6), path,
          {progress = function() error("stop", 0) end}))
        print(#locus.load(path), io.popen("ls -A " .. %q):read("*a"))]]):format(folder, folder), {},
        hidden)
      assert.equal("false\tstop\n3\ta\n\n", output)
      assert.equal(0, status)
    end)
  end)
end)

describe("the disk #host #once", function()
  it("has a file before it takes its place, and its folder then", function()
    if not shell("strace -V"):find "^strace" or shell("strace -o /dev/null true") ~= "" then
      return pending "strace is not here"
    end
    with_folder(function(folder)
      local trace = folder .. "/trace"
      local output, status = support.run(([[
        require("locus").arange(3):save(%q)]]):format(folder .. "/a"), {},
        ("strace -f -o %s -e trace=fsync,rename,renameat,renameat2 luajit"):format(trace))
      assert.equal("", output)
      assert.equal(0, status)
      local calls = {}
      for line in io.lines(trace) do calls[#calls + 1] = line:match "(%a+)%d*%(" end
      assert.equal("fsync renameat fsync", table.concat(calls, " "))
    end)
  end)
end)
