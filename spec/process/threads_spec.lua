-- SPDX-License-Identifier: MIT
-- How many threads there are, and how they live.
local internal = require "locus.core".internal
local locus = require "locus"
local support = require "spec.support"

local number = "print(require('locus').get_num_threads())"

-- The answer of get_num_threads in a child process.
local function in_child(environment, command, chunk)
  return (support.run((chunk or "") .. number, environment, command):gsub("\n$", ""))
end

describe("set_num_threads", function()
  it("sets what get_num_threads gives", function()
    local before = locus.get_num_threads()
    finally(function() locus.set_num_threads(before) end)
    for _, n in ipairs {1, 2, 1024} do
      assert.is_nil(locus.set_num_threads(n))
      assert.equal(n, locus.get_num_threads())
    end
    for _, n in ipairs {0, -1, 1025, 2 ^ 40} do
      assert.equal(("set_num_threads: 'n' must be 1..1024, got the number %d"):format(n),
        support.message(locus.set_num_threads, n))
    end
    assert.equal(1024, locus.get_num_threads())
  end)
end)

describe("threads #host", function()
  -- Counts the threads of the child that runs it, and its right answers.
  local shared = [[
    local locus, ffi = require "locus", require "ffi"
    ffi.cdef "int getpid(void);"
    local function threads()
      return io.open("/proc/self/status"):read("*a"):match("Threads:%s*(%d+)")
    end
    locus.ones(64):neg():sum()
    local at_first = threads()
    local x = locus.arange(100000)
    local function right() return (-x):sum() == -4999950000 and "right" or "wrong" end
  ]]

  it("start with the first job that is large enough, and stay #native", function()
    assert.equal("1 right 5 right 5 right 6\n", support.run(shared .. [[
      local words = {at_first, right(), threads()}
      locus.set_num_threads(2)
      words[#words + 1] = right() .. " " .. threads()
      locus.set_num_threads(6)
      words[#words + 1] = right() .. " " .. threads()
      print(table.concat(words, " "))
    ]], {LOCUS_NUM_THREADS = "5"}))
  end)

  it("leave signals to the program's own #native", function()
    local output = support.run(shared .. [[
      right()
      local pipe = io.popen(("ls /proc/%d/task"):format(ffi.C.getpid()))
      local tasks = pipe:read("*a")
      for task in tasks:gmatch("%d+") do
        local status = io.open(("/proc/self/task/%s/status"):format(task)):read("*a")
        local interrupt = tonumber(status:match("SigBlk:%s*%x*(%x)\n"), 16) % 4 >= 2
        io.write(interrupt and "blocked " or "open ")
      end
    ]], {LOCUS_NUM_THREADS = "3"})
    assert.equal("open blocked blocked ", output)
  end)

  -- The limit on stacks at the start of a program is what threads get that ask for nothing.
  it("have stacks of their own size where the system's are small #native", function()
    if os.getenv("LD_PRELOAD") then return end
    assert.equal("300\n", support.run([[
      local ffi = require "ffi"
      ffi.cdef "int setrlimit(int, const unsigned long *);"
      local RLIMIT_STACK, most = 3, 2 ^ 23
      assert(ffi.C.setrlimit(RLIMIT_STACK, ffi.new("unsigned long[2]", most, most)) == 0)
      local locus = require "locus"
      print(locus.ones(3000, 300):mean(1):sum())
    ]], {LOCUS_NUM_THREADS = "5"}, "sh -c 'ulimit -S -s 128; exec luajit \"$@\"' sh"))
  end)

  it("are fewer where the system gives no more", function()
    if os.getenv("LD_PRELOAD") then return end -- a sanitizer needs its terabytes
    local output, status = support.run(shared .. [[
      locus.set_num_threads(1024)
      print(x:sum(), x:sum(), threads())
    ]], {LOCUS_NUM_THREADS = "1"}, "sh -c 'ulimit -v 1000000; exec luajit \"$@\"' sh")
    local count = tonumber(output:match("^4999950000\t4999950000\t(%d+)\n$"))
    assert.equal(0, status, output)
    assert.is_true(count > 1 and count < 1024, output)
  end)
end)

describe("the number of threads at first #host", function()
  local any = {LOCUS_NUM_THREADS = ""}

  it("is what LOCUS_NUM_THREADS says", function()
    assert.equal("3", in_child{LOCUS_NUM_THREADS = "3"})
    assert.equal("1024", in_child{LOCUS_NUM_THREADS = "1024"})
    assert.equal("3", in_child({LOCUS_NUM_THREADS = "3"}, nil, "package.loaded.ngx = {} "))
    for _, text in ipairs {"0", "-1", "1025", "two", "2.5", "2 4", "99999999999999999999"} do
      local output, status = support.run("require 'locus'", {LOCUS_NUM_THREADS = text})
      assert.equal(1, status)
      assert.matches(('LOCUS_NUM_THREADS is "%s", but must be a whole number from 1 to 1024')
        :format(text:gsub("%p", "%%%0")), output)
    end
  end)

  it("is that of the cores that the affinity mask leaves", function()
    assert.equal("1", in_child(any, "taskset -c 0 luajit"))
  end)

  it("is 1 inside nginx", function()
    assert.equal("1", in_child(any, nil, "package.loaded.ngx = {} "))
  end)

  it("is not set again by another Lua state", function()
    assert.equal("3", in_child({LOCUS_NUM_THREADS = "2"}, nil, [[
      require("locus").set_num_threads(3)
      package.loaded["locus.core"], package.loaded.locus = nil
    ]]))
  end)

  -- The cores that control groups leave, from files of these names and contents.
  local function cores_of(files) return support.in_folder(files, internal.cores) end

  it("is at most what the control groups leave", function()
    local free = cores_of{["/proc/self/cgroup"] = "0::/\n"}
    local function at_most(n) return math.min(n, free) end
    local two = "4:memory:/a\n3:cpu,cpuacct:/a/b\n0::/\n"
    assert.equal(free, internal.cores("/there is no such folder"))
    for quota, cores in pairs {["max 100000"] = free, ["100000 100000"] = 1, ["100001 100000"] = 2,
      ["1000 100000"] = 1, ["400000 100000"] = 4, [""] = free} do
      assert.equal(at_most(cores), cores_of{
        ["/proc/self/cgroup"] = "0::/a/b\n", ["/sys/fs/cgroup/a/b/cpu.max"] = quota .. "\n",
      })
      assert.equal(at_most(cores), cores_of{
        ["/proc/self/cgroup"] = "0::/a/b\n", ["/sys/fs/cgroup/cpu.max"] = quota .. "\n",
        ["/sys/fs/cgroup/a/cpu.max"] = "max 100000\n",
      })
    end
    for _, folder in ipairs {"/a/b", "/a", ""} do
      assert.equal(1, cores_of{
        ["/proc/self/cgroup"] = two, ["/sys/fs/cgroup/cpu" .. folder .. "/cpu.cfs_quota_us"] = "5",
        ["/sys/fs/cgroup/cpu" .. folder .. "/cpu.cfs_period_us"] = "10",
      })
    end
    assert.equal(free, cores_of{
      ["/proc/self/cgroup"] = two, ["/sys/fs/cgroup/cpu/cpu.cfs_quota_us"] = "-1\n",
      ["/sys/fs/cgroup/cpu/cpu.cfs_period_us"] = "100000\n",
    })
    assert.equal(free, cores_of{
      ["/proc/self/cgroup"] = "3:cpuset:/a\n2\n1:x\n\n",
      ["/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us"] = "5",
      ["/sys/fs/cgroup/cpu/a/cpu.cfs_period_us"] = "10", ["/sys/fs/cgroup/a/cpu.max"] = "1 2",
    })
  end)
end)
