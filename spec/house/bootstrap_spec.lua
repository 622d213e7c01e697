-- SPDX-License-Identifier: MIT
-- bootstrap.sh on machines that lack something, and its account of the specs: a copy of it in a
-- folder of its own, where the programs that it starts are stand-ins.
local support = require "spec.support"
local read = require("spec.support.text").read

local TOOLS = "awk cat dirname env getconf grep head printf rm sed sh sort tee tr xargs"

-- The output of bootstrap.sh and its exit status, if PATH has these programs (name = shell script)
-- and basic tools alone. A program given as false is missing.
local function bootstrap(command, programs, environment)
  local files = {["/bootstrap.sh"] = read("bootstrap.sh"), ["/.ci/specs"] = read(".ci/specs"),
                 ["/.ci/layers"] = "", ["/build/x"] = "", ["/build-coverage/x"] = ""}
  local all = {id = "echo 0", find = "", cmake = "", make = "", cc = "", ["c++"] = "", busted = "",
               ["lua5.1"] = "", git = "", luarocks = "", objdump = "", luajit = "echo scalar",
               ["dpkg-query"] = "exit 1", ["apt-get"] = 'echo "apt-get $*"'}
  for name, script in pairs(programs) do all[name] = script end
  for name, script in pairs(all) do
    if script then files["/bin/" .. name] = "#!/bin/sh\n" .. script .. "\n" end
  end
  return unpack(support.in_folder(files, function(root)
    local words = {"cd " .. root, "chmod -R +x .",
      "for tool in " .. TOOLS .. "; do ln -s \"$(command -v $tool)\" bin/; done",
      ("env -i PATH=%s/bin %s ./bootstrap.sh %s 2>&1"):format(root, environment or "", command)}
    local pipe = io.popen("env -u LD_PRELOAD sh -c '" .. table.concat(words, "; ")
      .. "'; echo \"status $?\"")
    local output, status = pipe:read("*a"):match("^(.*)status (%d+)\n$")
    pipe:close()
    return {output, tonumber(status)}
  end))
end

local function holds(text, part) assert.is_truthy(text:find(part, 1, true), text) end
local function lacks(text, part) assert.is_nil(text:find(part, 1, true), text) end

describe("bootstrap.sh #native #host #once #program", function()
  -- An apt-get that would remove nginx's module for luajit.
  local removing = [[
    echo "apt-get $*"
    case $* in *-s*luajit*)
      echo "Remv libnginx-mod-http-lua [1:0.10.23-1]"
      echo "Remv libluajit2-5.1-2 [2.1-20230119-1]"
      echo "Inst luajit (2.1.0 Debian [amd64])" ;;
    esac]]

  it("installs what is missing, and removes nothing for it", function()
    local output = bootstrap("demo", {luajit = false})
    holds(output, "\napt-get update -q\napt-get install -q -y --no-remove "
      .. "--no-install-recommends luajit libluajit-5.1-dev")
  end)

  it("asks no network where nothing is missing", function()
    local output, status = bootstrap("demo", {find = "echo /i", ["apt-get"] = false})
    assert.equal(0, status, output)
    lacks(output, "apt-get")
  end)

  it("installs for fuzzing what clang does not bring", function()
    local without = bootstrap("fuzz", {clang = 'echo "${1#*=}"', uname = "echo x86_64"})
    holds(without, " libclang-rt-dev")
    local with = bootstrap("fuzz", {clang = "echo /", uname = "echo x86_64"})
    lacks(with, " libclang-rt-dev")
  end)

  it("builds with other compilers, and without what is Linux's own", function()
    local programs = {clang = "", find = "echo /i", cmake = 'echo "cmake $*"', busted = "exit 1"}
    local output, status = bootstrap("compilers", programs)
    holds(output, " musl-tools\n==> building in build-clang/\n")
    local built = {}
    for line in output:gmatch("\ncmake (%-S [^\n]*)") do
      holds(line, " -DLOCUS_WERROR=ON")
      built[#built + 1] = line:match("%-B (%S+ %S+)")
    end
    assert.same({"build-clang -DCMAKE_C_COMPILER=clang", "build-musl -DCMAKE_C_COMPILER=musl-gcc",
                 "build-plain -DCMAKE_C_FLAGS=-U__linux__"}, built)
    assert.equal(1, status)
    holds(output, "FAILED: specs in build-clang/\n")
  end)

  it("counts what specs reach, and fails where .ci/coverage does", function()
    local ran = "echo '7 successes / 0 failures / 0 errors / 0 pending : 1.0 seconds'"
    local luajit = "case $1 in .ci/coverage) echo \"counted $2\"; exit %d ;; *) echo scalar ;; esac"
    for code, verdict in pairs {[0] = "passed. ", [1] = "FAILED: coverage. "} do
      local output, status = bootstrap("coverage", {find = "echo /i", cmake = 'echo "cmake $*"',
        mpicc = "", busted = ran, luajit = luajit:format(code)})
      assert.equal(code, status, output)
      assert.matches("cmake %-S . %-B build%-coverage [^\n]*%-DCMAKE_C_FLAGS=%-%-coverage "
        .. "%-fprofile%-update=atomic ", output)
      holds(output, "\ncounted build-coverage\n")
      holds(output, "\n==> verdict: " .. verdict .. "runs of specs: 4; 28 passed")
    end
  end)

  it("stops where a package would be removed, and names it", function()
    local output, status = bootstrap("demo", {luajit = false, ["apt-get"] = removing})
    assert.equal(1, status)
    lacks(output, "apt-get install")
    holds(output, "bootstrap.sh: nothing was installed: for luajit libluajit-5.1-dev")
    holds(output, "\nbootstrap.sh: apt would remove what conflicts: libnginx-mod-http-lua "
      .. "libluajit2-5.1-2\n")
  end)

  it("installs luacheck, and fails where that finds something", function()
    local without = bootstrap("lint", {luacheck = false})
    holds(without, " lua-check clang-format-14\n")
    local output, status = bootstrap("lint", {luacheck = 'echo "luacheck $*"; exit 1',
                                              ["../.ci/lint"] = read(".ci/lint"),
                                              ["../.ci/format"] = "exit 0"})
    lacks(output, "lua-check")
    holds(output, "luacheck --quiet --no-color .")
    holds(output, "==> FAILED: .ci/lint\n")
    assert.equal(1, status)
  end)

  it("stops where apt finds no way", function()
    local output, status = bootstrap("demo", {luajit = false,
      ["apt-get"] = 'echo "apt-get $*"; case $* in *-s*) echo "E: Unmet"; exit 100 ;; esac'})
    assert.equal(1, status)
    lacks(output, "apt-get install")
    holds(output, "E: Unmet\n")
  end)

  it("installs the LuaJIT that goes with the one whose library is there", function()
    local output = bootstrap("demo", {luajit = false,
      ["apt-get"] = removing:gsub("%*luajit%*", '*" luajit "*'),
      ["dpkg-query"] = "[ \"$4\" = libluajit2-5.1-2 ] && echo installed"})
    holds(output, "--no-remove --no-install-recommends luajit2 libluajit2-5.1-dev")
  end)

  -- find stands for one that knows that OpenResty's headers are where they are.
  local include = '[ "$3" != "$OPENRESTY_PREFIX/luajit/include" ] || echo "$3/luajit-2.1"'

  it("uses OpenResty's LuaJIT where there is no other", function()
    local output = bootstrap("demo", {luajit = false, ["../o/luajit/bin/luajit"] =
      'cat >/dev/null; echo "OpenResty: $1"', find = include}, 'OPENRESTY_PREFIX="$PWD/o"')
    lacks(output, "apt-get install")
    holds(output, "OpenResty: examples/filetimes.lua\n")
  end)
end)

describe("bootstrap.sh test #native #host #once #program", function()
  -- A busted whose run on the instruction set avx2 fails.
  local busted = [[
    echo "... $LOCUS_RUN: 7 specs, file 1 of 2"
    if [ "$LOCUS_ISA" = avx2 ]; then
      printf "6 successes / 1 failure / 0 errors / 2 pending : 1.0 seconds\n\nFailure -> here\n"
      exit 1
    fi
    echo "7 successes / 0 failures / 0 errors / 0 pending : 1.0 seconds"]]

  it("shows progress, and ends with a verdict", function()
    local output, status = bootstrap("test", {busted = busted, find = "echo /i"})
    assert.equal(0, status, output)
    holds(output, "\n... build, instruction set scalar, threads: 5-1of3: 7 specs, file 1 of 2\n")
    holds(output, "\n==> specs: build, instruction set scalar, threads: 5-3of3\n"
      .. "7 successes / 0 failures / 0 errors / 0 pending : 1.0 seconds\n")
    assert.matches("\n==> verdict: passed. runs of specs: 4; 28 passed, 0 failed, 0 pending\n$",
      output)
  end)

  it("shows what failed before its verdict, and each count once", function()
    local output, status = bootstrap("test", {busted = busted, luajit = "echo scalar avx2",
                                              find = "echo /i"})
    assert.equal(1, status)
    local name = "build, instruction set avx2, threads: 5-1of3\n"
    holds(output, "\n==> specs: " .. name .. "6 successes / 1 failure / 0 errors / 2 pending : 1.0 "
      .. "seconds\n==> FAILED: specs: " .. name)
    assert.equal(5, select(2, output:gsub("\n%d+ successes", "")), output)
    assert.equal(3, select(2, output:gsub("\n==> FAILED", "")), output)
    assert.matches("  Failure %-> here\n==> verdict: FAILED: specs in build/. "
      .. "runs of specs: 5; 32 passed, 3 failed, 6 pending\n$", output)
  end)

  it("has a verdict where a run crashes, and where nothing ran", function()
    local output, status = bootstrap("test", {busted = "echo Segmentation fault; exit 139",
                                              find = "echo /i"})
    assert.equal(1, status)
    holds(output, "\nended without counts\n==> FAILED: specs: build, plain Lua 5.1\n")
    assert.matches("\n  Segmentation fault\n==> verdict: FAILED: specs in build/. "
      .. "runs of specs: 0; 0 passed, 0 failed, 0 pending\n$", output)
    output, status = bootstrap("test", {cmake = "exit 3", find = "echo /i"})
    assert.equal(3, status)
    assert.matches("\n==> verdict: FAILED: it did not come to its end[^\n]*\n$", output)
  end)

  it("fails where multiplications were fused with additions", function()
    local output, status = bootstrap("test", {busted = busted, objdump = "echo vfmadd213pd",
                                              find = "echo /i"})
    assert.equal(1, status)
    holds(output, "verdict: FAILED: fused multiply-adds in build/locus/core.so. runs of specs: 4")
  end)
end)

describe("the output of a run #native #host #once #program", function()
  it("is lines of progress, then busted's own", function()
    local spec = [[
      describe("x", function()
        it("passes", function() end)
        it("fails", function() io.write("noise") error("on purpose") end)
      end)]]
    local output = support.in_folder({["/a_spec.lua"] = spec, ["/b_spec.lua"] = spec},
      function(root)
        local pipe = io.popen("env -u LD_PRELOAD LOCUS_RUN='a run' busted "
          .. "--output=spec/support/progress.lua " .. root .. " 2>&1")
        local text = pipe:read("*a")
        pipe:close()
        return text
      end)
    assert.matches("^\n... a run: 0 specs, file 0 of 2\n", output)
    holds(output, "\n... a run: 4 specs, file 2 of 2, 2 failed\n\n2 successes / 0 failures / 2 ")
    holds(output, "on purpose")
  end)
end)
