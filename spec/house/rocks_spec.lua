-- SPDX-License-Identifier: MIT
-- The version, and LuaRocks' packages of it: packed from a tagged copy of the tree, installed in
-- folders of their own, without a network.
local locus = require "locus"
local support = require "spec.support"
local read = require("spec.support.text").read

-- Runs a script outside of the sanitizers that the specs may run under; what it printed, and
-- whether it came to its end.
local function run(script)
  local pipe = io.popen(("env -u LD_PRELOAD sh -euc '%s' 2>&1; echo $?"):format(
    script:gsub("'", "'\\''")))
  local output, status = pipe:read("*a"):match("^(.*)(%d+)\n$")
  pipe:close()
  return output, status == "0"
end

local rockspec = run("ls *.rockspec"):match("^(%S+)\n$")
local version = read("CMakeLists.txt"):match("\nproject%(locus VERSION (%S+) ")

describe("the version #host #once", function()
  it("is CMake's, in the module and in the name and the text of the one rockspec", function()
    local rock = {}
    setfenv(assert(loadfile(rockspec)), rock)()
    assert.matches("^%d+%.%d+%.%d+$", version)
    assert.equal(version, locus.version)
    assert.equal(("locus-%s.rockspec"):format(rock.version), rockspec)
    assert.equal(version, rock.version:match("^(.*)%-%d+$"))
    assert.equal("v" .. version, rock.source.tag)
  end)

  it("has a chapter in the changelog, below what is not released", function()
    local first, second = read("CHANGELOG.md"):match("\n## ([^\n]+)\n.-\n## ([^\n]+)\n")
    assert.equal("Unreleased", first)
    assert.matches("^" .. version:gsub("%.", "%%.") .. " %(%d%d%d%d%-%d%d%-%d%d%)$", second)
  end)
end)

-- A copy of the tree, tagged, and its rockspec, whose source is that copy; and a cmake whose
-- compiler takes the objects that the build under test has, unless all is to be thorough.
local PREPARE = [[
mkdir "$root/tree" "$root/home" "$root/packed"
tar -c --exclude-vcs --exclude="./build*" . | tar -x -C "$root/tree"
cd "$root/tree"
git init -q
git add -A
git -c user.name=spec -c user.email=spec -c commit.gpgsign=false commit -q -m all
git tag "v$version"
sed "s|git+file://[.]|git+file://$PWD|" "$rockspec" >"$root/$rockspec"
sets=$(sed -n "s/^LOCUS_INSTRUCTION_SETS:[A-Z]*=//p" "$built/CMakeCache.txt")
cat >"$root/cmake" <<END
#!/bin/sh
case \$1 in -S) set -- "\$@" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \\
  "-DLOCUS_INSTRUCTION_SETS=$sets" -DCMAKE_C_COMPILER_LAUNCHER="$root/compile" ;; esac
exec cmake "\$@"
END
cat >"$root/compile" <<END
#!/bin/sh
before= object= needs=
for word; do
  case \$before in -o) object=\$word ;; -MF) needs=\$word ;; esac
  before=\$word
done
[ -z "$thorough" ] && [ -e "$built/\$object" ] || exec "\$@"
[ -z "\$needs" ] || : >"\$needs"
exec cp "$built/\$object" "\$object"
END
chmod +x "$root/cmake" "$root/compile"
]]

-- A source rock, installed from in the folder a; then a binary rock of that, installed in b.
local PACK = [[
cd "$root/packed"
export HOME="$root/home"
rocks="luarocks --lua-version=5.1 --only-server=$root/nowhere"
$rocks pack "../$rockspec"
$rocks --tree="$root/a" install ./*.src.rock LOCUS_CUDA=OFF CMAKE="$root/cmake"
rm ./*.src.rock
$rocks --tree="$root/a" pack locus
$rocks --tree="$root/b" install ./*.rock
]]

-- The version in the module of a tree.
local ASK = [[
LUA_PATH="$root/$tree/share/lua/5.1/?.lua;$root/$tree/share/lua/5.1/?/init.lua" \
  LUA_CPATH="$root/$tree/lib/lua/5.1/?.so" LOCUS_ISA= luajit -e '
  local locus = require "locus"
  print(locus.version, locus.searchsorted({1, 3, 5, 7, 9}, 4))'
]]

describe("LuaRocks #native #host #once", function()
  if os.getenv("LD_PRELOAD") then return end -- a sanitizer has nothing to say of it
  local _, there = run("for tool in luarocks git cmake; do command -v $tool; done")
  local it_packs = there and it or pending

  it_packs("packs and installs, sources and what they were built to", function()
    local said = support.in_folder({}, function(root)
      local given = ("root=%s\nversion=%s\nrockspec=%s\nbuilt=$PWD/%s\nthorough=%s\n"):format(
        root, version, rockspec, os.getenv "LOCUS_BUILD" or "build",
        support.thorough and "yes" or "")
      local output, whole = run(given .. PREPARE .. PACK)
      if not whole then return {output} end
      return {(run(given .. "tree=a\n" .. ASK)), (run(given .. "tree=b\n" .. ASK))}
    end)
    local answers = version .. "\t3\n"
    assert.same({answers, answers}, said)
  end)
end)
