-- SPDX-License-Identifier: MIT
-- .ci/resources, which judges what ptxas reports of kernels, and .ci/ptxas, which keeps its reports
-- while CMake builds.
local support = require "spec.support"

local ADD_UP = "_ZN5locus6add_upEPll"
local MASK = "_ZN5locus9mask_bitsIhLb1EEEvNS_10mask_inputEPjPl"
local LEVEL = "_ZN5locus10fill_levelINS_7elementIL11locus_dtype8EEEEEvPfPKfl"
local BOUNDS = [[return { architecture = "sm_90", { "add_up", 30 }, { "mask_bits<*, true>", 40 } }]]

-- The report of ptxas about a kernel that calls a function with a frame of its own.
local function report(kernel, architecture, registers, stack, spilled)
  return ([[
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '%s' for '%s'
ptxas info    : Function properties for __internal_accurate_pow
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for %s
    %d bytes stack frame, %d bytes spill stores, %d bytes spill loads
ptxas info    : Used %d registers, used 1 barriers, 64 bytes smem
]]):format(kernel, architecture, kernel, stack or 0, spilled or 0, spilled or 0, registers)
end

-- The output of a command, and whether it succeeds; in it %s is the folder of these files.
local function run(command, files)
  return unpack(support.in_folder(files, function(root)
    local pipe = io.popen("env -u LD_PRELOAD sh -c '" .. command:gsub("%%s", root)
      .. "' 2>&1; echo \"status $?\"")
    local output, status = pipe:read("*a"):match("^(.*)status (%d+)\n$")
    pipe:close()
    return {output, status == "0"}
  end))
end

local function check(bounds, ...)
  return run("luajit .ci/resources check %s/bounds %s/report",
             {["/bounds"] = bounds, ["/report"] = table.concat({...})})
end

describe("kernels' resources #native #host #once", function()
  it("are listed by names in the source", function()
    local output = run("luajit .ci/resources list %s/report",
      {["/report"] = report(MASK, "sm_80", 40, 16) .. report(LEVEL, "sm_90", 30, 0, 4)})
    assert.equal(MASK .. "\tmask_bits<unsigned char, true>\tsm_80\t40\t16\t0\t64\n"
      .. LEVEL .. "\tfill_level<f32>\tsm_90\t30\t0\t8\t64\n", output)
  end)

  it("pass within their bounds", function()
    local output, good = check(BOUNDS, report(ADD_UP, "sm_90", 30), report(MASK, "sm_90", 40),
                               report(LEVEL, "sm_90", 255, 8))
    assert.is_true(good, output)
    assert.equal("resources: 2 kernels of 3, nothing found\n", output)
  end)

  it("fail by name beyond them", function()
    local output, good = check(BOUNDS, report(ADD_UP, "sm_90", 31),
                               report(MASK, "sm_90", 40, 16, 4))
    assert.is_false(good)
    assert.equal("add_up on sm_90: 31 registers, at most 30 are wanted\n"
      .. "mask_bits<unsigned char, true> on sm_90: a stack frame of 16 bytes\n"
      .. "mask_bits<unsigned char, true> on sm_90: 8 bytes spilled\n", output)
  end)

  it("have one architecture's bounds for registers, and no frame on any", function()
    local output, good = check(BOUNDS, report(ADD_UP, "sm_75", 60), report(MASK, "sm_120", 40, 16))
    assert.is_false(good)
    assert.equal("mask_bits<unsigned char, true> on sm_120: a stack frame of 16 bytes\n", output)
  end)

  it("fail where a bound is of no kernel", function()
    local output, good = check(BOUNDS, report(MASK, "sm_90", 40))
    assert.is_false(good)
    assert.equal("no kernel is called add_up\n", output)
  end)

  it("are kept beside the object, and all else that nvcc says is shown", function()
    local nvcc = "#!/bin/sh\ncat \"$(dirname \"$0\")/said\" >&2\nexit 3\n"
    local output, good = run("chmod +x %s/nvcc; .ci/ptxas %s/nvcc -c x.cu -o %s/x.o; s=$?; "
      .. "cat %s/x.o.ptxas; exit $s",
      {["/nvcc"] = nvcc, ["/said"] = "a warning\n" .. report(ADD_UP, "sm_90", 30)})
    assert.is_false(good)
    assert.equal("a warning\n" .. report(ADD_UP, "sm_90", 30), output)
  end)
end)
