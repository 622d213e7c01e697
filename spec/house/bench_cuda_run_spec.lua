-- SPDX-License-Identifier: MIT
-- bench/cuda/run: without what a GPU machine may lack, cut off, in parts, and what it packs. It
-- runs on the emulator, and once without a device.

local build = os.getenv "LOCUS_BUILD" or "build"

local function said(command)
  local pipe = io.popen(command .. " 2>&1; echo $?")
  local output = pipe:read "*a"
  pipe:close()
  return output:match "^(.-)\n?(%d+)\n$"
end

local function exists(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

local python = said("python3 -c 'import sys; print(sys.executable)'"):match "^/%S+$"
local emulated = exists(build .. "/locus/cuda_emu.so")

local function content(path)
  local file = assert(io.open(path))
  local whole = file:read "*a"
  file:close()
  return whole
end

-- Calls f with a folder for results, which is removed again.
local function with_folder(f)
  local folder = said "mktemp -d"
  local ok, message = pcall(f, folder)
  os.execute("rm -rf " .. folder)
  assert(ok, message)
end

local function rehearse(words)
  return ("%s bench/cuda/run rehearse --built %s %s"):format(python, build, words)
end

-- A spec that is pending where there is no Python, or no emulator.
local function it_runs(name, needs_emulator, f)
  if not python then return pending(name .. " (no python3)") end
  if needs_emulator and not emulated then return pending(name .. " (no emulator)") end
  it(name, f)
end

describe("bench/cuda/run #host #once", function()
  -- The copy has no build-gpu, nor is there anything in PATH.
  it_runs("says what is missing, in a tree of its own, without git", false, function()
    with_folder(function(folder)
      said(("mkdir %s/tree; cp -r bench CMakeLists.txt %s/tree"):format(folder, folder))
      local output, status = said(("cd %s/tree && env -i PATH=/nowhere %s bench/cuda/run "
        .. "--into %s --seconds 30"):format(folder, python, folder))
      assert.falsy(output:find("Traceback", 1, true), output)
      assert.equal("1", status)
      local seen = content(folder .. "/table.md")
      for _, line in ipairs{ "left out: no build-gpu/ here", "| specs | 0 | left out: no device |",
                             "- commit: unknown" } do
        assert.truthy(seen:find(line, 1, true), line .. "\n" .. seen)
      end
      assert.truthy(output:find("next: ", 1, true), output)
    end)
  end)

  -- The packed files, with the emulator in the place of cuda.so; and a device that adds wrongly.
  it_runs("finds a device in what was packed, and one that fails", true, function()
    with_folder(function(folder)
      local tree = folder .. "/tree"
      local function in_tree(command, ...)
        return said(("cd %s && %s"):format(tree, command:format(...)))
      end
      said(("mkdir -p %s/build-gpu/locus"):format(tree))
      said(("cp -r bench src cuda lua CMakeLists.txt %s"):format(tree))
      local all = ("%s/locus/core.so %s/locus/cuda_emu.so"):format(build, build)
      said(("cp %s %s/build-gpu/locus"):format(all, tree))
      in_tree("mv build-gpu/locus/cuda_emu.so build-gpu/locus/cuda.so")
      in_tree([[%s -c 'import json, sys; sys.path[:0] = ["bench/cuda", "bench"]; import pack
json.dump({"fingerprint": pack.fingerprint(), "architecture": "90"},
          open("build-gpu/about.json", "w"))']], python)
      local run = python .. " bench/cuda/run --steps sanitizers --into " .. folder
      local output = in_tree(run)
      assert.truthy(output:find("\n==> load: passed", 1, true), output)
      assert.matches("\n==> sanitizers: ", output)
      in_tree("sed -i 's/:sum() == 20/:sum() == 21/' bench/cuda/steps.py")
      local status
      output, status = in_tree(run)
      assert.equal("1", status)
      assert.truthy(output:find("load: FAILED: the device: ", 1, true), output)
      assert.matches("it adds wrongly\n", output)
      assert.truthy(output:find("sanitizers: left out: no device", 1, true), output)
    end)
  end)

  it_runs("keeps what it knows when it is cut off", true, function()
    with_folder(function(folder)
      local command = rehearse(("--steps runners,specs --into %s >%s/out"):format(folder, folder))
      said(([[sh -c '%s & n=0
        while [ $n -lt 400 ] && ! grep -q " files, " %s/out; do sleep .1; n=$((n + 1)); done
        kill -9 $!']]):format(command, folder))
      local results = content(folder .. "/bench.json")
      assert.truthy(results:find('"not ended"', 1, true), results)
      assert.truthy(results:find('"spec/cuda/cuda_spec.lua"', 1, true), results)
      local seen = content(folder .. "/table.md")
      assert.matches("| runners | %d+ | passed |\n| specs | 0 | not ended |", seen)
    end)
  end)

  it_runs("takes what failed or was left out before", true, function()
    with_folder(function(folder)
      local steps = {}
      for _, name in ipairs{ "runners", "vectors", "suite", "sanitizers", "compare", "cores" } do
        steps[#steps + 1] = ('{"step": "%s", "seconds": 1, "result": "passed"}'):format(name)
      end
      steps[#steps + 1] = '{"step": "large", "seconds": 1, "result": "FAILED (1)"}'
      steps[#steps + 1] = '{"step": "specs", "seconds": 1, "result": "1 of 2 passed", '
        .. '"undone": ["spec/cuda/cuda_waits_spec.lua"]}'
      local file = assert(io.open(folder .. "/bench.json", "w"))
      file:write(('{"rows": [], "notes": [], "left_out": [], "steps": [%s]}'):format(
        table.concat(steps, ", ")))
      file:close()
      local output, status = said(rehearse(("--only-failed %s --into %s/again"):format(folder,
        folder)))
      assert.equal("0", status, output)
      local ran = {}
      for name in output:gmatch "\n==> (%w+): passed" do ran[#ran + 1] = name end
      assert.same({ "specs", "large" }, ran)
      assert.truthy(output:find("specs: 1 files", 1, true), output)
    end)
  end)

  it_runs("refuses steps that there are not, and folders without results", false, function()
    local output, status = said(rehearse "--steps cores,speed")
    assert.equal("2", status)
    assert.truthy(output:find("no step speed; there are runners,vectors", 1, true), output)
    output, status = said(rehearse "--only-failed /nowhere")
    assert.equal("1", status)
    assert.truthy(output:find("--only-failed: no results in /nowhere", 1, true), output)
  end)

  it_runs("packs no more than it may", false, function()
    with_folder(function(folder)
      local function reported(limit)
        return said(([[%s -c 'import sys; sys.path[:0] = ["bench/cuda", "bench"]; import pack
pack.FOLDER = "%s"
sys.exit(pack.report(%s))']]):format(python, folder, limit))
      end
      said(("mkdir %s/locus; cp %s/locus/core.so %s/locus"):format(folder, build, folder))
      local output, status = reported(1000)
      assert.equal("0", status, output)
      assert.matches("MB  %S+/locus/core.so\n", output)
      assert.matches("needs glibc 2%.%d+ or later\n", output)
      output, status = reported(.01)
      assert.equal("1", status)
      assert.truthy(output:find("FAILED: that is more than --limit 0.01 MB", 1, true), output)
    end)
  end)
end)
