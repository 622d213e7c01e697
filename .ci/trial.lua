-- SPDX-License-Identifier: MIT
-- A copy of the tree, in build-recipes/, that is changed place by place, built and asked; each
-- check says in one line what it has found. A change whose place no longer exists ends the script.
local shell = require "shell"

local TREE = "build-recipes/tree"
local trial = {}
local passed, failed, began = 0, 0, os.time()

local function fail(...)
  print("FAILED: " .. string.format(...))
  os.exit(1)
end

local function quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- The pattern, and the replacement, that stand for a text as it is.
local function plain(text) return (text:gsub("%p", "%%%0")) end
local function literal(text) return (text:gsub("%%", "%%%%")) end

--- Runs a command in the copy: whether it succeeded, and what it printed.
function trial.run(command)
  local status, output = shell.run(([[cd %s && {
    unset LOCUS_TEST_DEVICE LOCUS_BUILD LOCUS_ISA; export LC_ALL=C
    %s
    }]]):format(TREE, command))
  return status == 0, output
end

--- Copies the tracked files, and configures the plainest build of the copy.
function trial.copy()
  os.execute(("rm -rf build-recipes && mkdir -p %s"):format(TREE))
  os.execute("git ls-files -z | xargs -0 cp --parents -t " .. TREE)
  local ok, output = trial.run("cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug -DLOCUS_WERROR=ON "
    .. "-DCMAKE_C_FLAGS_DEBUG=-O0 -DCMAKE_CXX_FLAGS_DEBUG=-O0 " -- no line numbers: faster
    .. "-DLOCUS_CUDA=OFF -DLOCUS_INSTRUCTION_SETS=scalar -DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
  if not ok then fail("cmake:\n%s", output) end
end

-- -- Changes --------------------------------------------------------------------------------------

function trial.read(path)
  return shell.read(TREE .. "/" .. path) or fail("there is no %s", path)
end

function trial.write(path, text)
  shell.write(TREE .. "/" .. path, text)
end

--- A file as it is outside of the copy.
function trial.restore(path) trial.write(path, shell.read(path)) end

--- Replaces the only match of a pattern; it is an error if there are several.
function trial.edit(path, pattern, text)
  local changed, places = trial.read(path):gsub(pattern, text)
  if places ~= 1 then fail("%s has %d places like this, not one: %s", path, places, pattern) end
  trial.write(path, changed)
end

--- Writes a text behind a mark, before it, in its place, or at the end of a file.
function trial.after(path, mark, text) trial.edit(path, plain(mark), "%0" .. literal(text)) end
function trial.before(path, mark, text) trial.edit(path, plain(mark), literal(text) .. "%0") end
function trial.replace(path, mark, text) trial.edit(path, plain(mark), literal(text)) end
function trial.append(path, text) trial.write(path, trial.read(path) .. text) end

--- Adds an oracle for a reduction, which is another's.
function trial.oracle(name, other)
  trial.before("spec/support/models/reductions.lua", "--- The elements of an array in groups",
               ("reductions.ops.%s = reductions.ops.%s\n\n"):format(name, other))
end

-- -- Checks ---------------------------------------------------------------------------------------

local function verdict(good, said, output)
  print((good and "ok: " or "FAILED: ") .. said)
  if good then passed = passed + 1 else failed = failed + 1 end
  if not good then print((output:sub(-4000):gsub("[^\n]+", "  %0"))) end
  io.flush()
end

local commands

--- Reads how each source of the build, and each test of CUDA's kernels, is compiled.
function trial.configure()
  commands = {}
  trial.run("cmake build")
  local text = trial.read("build/compile_commands.json")
  for command, file in text:gmatch('"command": "(.-)",\n%s*"file": "(.-)"') do
    local path = file:match(plain(TREE) .. "/(.*)$")
    commands[path] = command:gsub('\\"', '"'):gsub(" %-o %S+", "")
  end
end

local function command_of(source)
  if not commands then trial.configure() end
  local test = source:find("^cuda/test/")
    and "c++ -std=c++17 -Wall -Wextra -Werror -I. -Isrc -c " .. source
  return commands[source] or test or fail("nothing compiles %s", source)
end

--- A forgotten part keeps a source from compiling, and the compiler says so; `word` is how.
function trial.refused(source, forgotten, word)
  local ok, output = trial.run(command_of(source) .. " -fsyntax-only")
  verdict(not ok and output:find(word or forgotten, 1, true),
          ("forgotten %s is named by the compiler, in %s"):format(forgotten, source), output)
end

--- .ci/layers names the forgotten part.
function trial.layers(forgotten, word)
  local ok, output = trial.run("sh .ci/layers")
  verdict(not ok and output:find(word, 1, true),
          ("%s is named by .ci/layers"):format(forgotten), output)
end

local build = 'cmake --build build --parallel "$(getconf _NPROCESSORS_ONLN)"'

--- Whether the copy's kernels of CUDA are built, too, for their emulator: minutes.
trial.thorough = os.getenv "LOCUS_THOROUGH" ~= nil

--- A source is one to the compiler, which makes nothing of it.
function trial.compiles(source)
  local ok, output = trial.run(command_of(source) .. " -fsyntax-only")
  verdict(ok, source .. " compiles", output)
end

--- A forgotten part keeps the copy's target, or all, from being linked.
function trial.not_linked(target, ...)
  local _, output = trial.run(build .. (target and " --target " .. target or "") .. " -- -k")
  for _, word in ipairs { ... } do
    verdict(output:find("undefined reference to `" .. word, 1, true),
            ("forgotten %s is named by the linker"):format(word), output)
  end
end

function trial.build(target)
  local ok, output = trial.run(build .. (target and " --target " .. target or ""))
  if not ok then fail("the copy does not build:\n%s", output) end
end

-- Runs the specs of those files whose names have one of the texts.
local function busted(files, ...)
  local words = { "busted --exclude-tags=cuda" }
  for _, text in ipairs { ... } do words[#words + 1] = "--filter=" .. text:gsub("%W", ".") end
  for name in files:gmatch("%S+") do words[#words + 1] = "spec/*/" .. name .. "_spec.lua" end
  return trial.run(table.concat(words, " "))
end

--- Specs of a file whose names have that text fail, and name the forgotten part.
function trial.named(file, text, ...)
  local ok, output = busted(file, text)
  for _, word in ipairs { ... } do
    verdict(not ok and output:find(word, 1, true),
            ("forgotten %s is named by %s_spec, '%s'"):format(word, file, text), output)
  end
end

--- Specs of those files whose names have one of the texts pass.
function trial.pass(what, ...)
  local ok, output = busted(...)
  local count = tonumber(output:match("(%d+) success")) or 0
  verdict(ok and count > 0, ("%s: %d specs pass"):format(what, count), output)
end

--- An expression gives that, with the CPU or another device as the default one.
function trial.answers(expression, wanted, device)
  local chunk = ("local locus = require 'locus' locus.set_default_device('%s') print(%s)")
    :format(device or "cpu", expression)
  local ok, output = trial.run("LOCUS_CUDA=emu LUA_PATH='lua/?.lua;lua/?/init.lua' "
    .. "LUA_CPATH='build/?.so' luajit -e " .. quote(chunk))
  verdict(ok and output == wanted .. "\n", ("%s is %s%s"):format(expression,
    wanted:gsub("\t", ", "), device and " on " .. device or ""), output)
end

--- The copy's module does not load, and says that.
function trial.not_loaded(sentence)
  local ok, output = trial.run("LUA_PATH='lua/?.lua;lua/?/init.lua' LUA_CPATH='build/?.so' "
    .. "luajit -e 'require \"locus\"'")
  verdict(not ok and output:find(sentence, 1, true), ("at load: %s"):format(sentence), output)
end

--- The counts, as busted gives them, and the end.
function trial.finish()
  print(("%d successes / %d failures / 0 errors / 0 pending : %d seconds"):format(passed, failed,
    os.time() - began))
  os.exit(failed == 0 and 0 or 1)
end

return trial
