-- SPDX-License-Identifier: MIT
-- cuda/test/run, which counts how the tests of kernels end, with a make that writes stand-ins.
local support = require "spec.support"
local read = require("spec.support.text").read

-- The last line of cuda/test/run, and its status, with tests that are these lines of shell.
local function run(tests)
  local files = {["/cuda/test/run"] = read("cuda/test/run"), ["/bin/make"] = "#!/bin/sh\n"}
  for name, script in pairs(tests) do
    files["/cuda/test/" .. name .. "_test.cpp"] = ""
    files["/b/" .. name .. "_test"] = "#!/bin/sh\n" .. script .. "\n"
  end
  return unpack(support.in_folder(files, function(root)
    local pipe = io.popen(("cd %s && chmod -R +x bin b && env -u LD_PRELOAD KERNEL_ORDERS=7 "
      .. "PATH=\"$PWD/bin:$PATH\" sh cuda/test/run b 2>&1; echo \"status $?\""):format(root))
    local counts, status = pipe:read("*a"):match("([^\n]*) : %d+ seconds\nstatus (%d+)\n$")
    pipe:close()
    return {counts, tonumber(status)}
  end))
end

describe("cuda/test/run #native #host #once #program", function()
  local good = "echo x: 3 checks, 0 failed"

  it("counts what passed and what failed", function()
    assert.same({"2 successes / 0 failures / 0 errors / 0 pending", 0}, {run {a = good, b = good}})
    assert.same({"1 successes / 1 failures / 0 errors / 0 pending", 1},
      {run {a = good, b = "echo x: 3 checks, 1 failed; exit 1"}})
  end)

  it("counts as an error what a sanitizer stopped, what leaked, and what did not count", function()
    for _, script in ipairs {"echo ERROR: AddressSanitizer: ILL; exit 1", good .. "; exit 1",
      "exit 0", "kill -SEGV $$"} do
      assert.same({"1 successes / 0 failures / 1 errors / 0 pending", 1},
        {run {a = good, b = script}}, script)
    end
  end)
end)
