-- SPDX-License-Identifier: MIT
-- The copies of the tree in build-mutants/ and their builds for the plainest instruction set.
-- `tree` is unchanged, with a build to mutate (build) and one with sanitizers (build-asan). `hits`
-- records the blocks that are reached. They are made again when the sources change; their specs are
-- always the newest.
local blocks = require "blocks"
local shell = require "shell"
local copies = {}

copies.FOLDER = "build-mutants"

--- Runs a command in a folder: its exit status, what it printed, and the seconds of processors that
--- it took.
function copies.run(folder, command)
  local pipe = assert(io.popen(([[exec bash -c '
    cd %s || exit; export LC_ALL=C TIMEFORMAT="seconds %%U %%S"
    time { %s
    } 2>&1; echo "status $?"' 2>&1]]):format(folder, command:gsub("'", "'\\''"))))
  local output = pipe:read("*a")
  pipe:close()
  local user, system = output:match("seconds ([%d.]+) ([%d.]+)")
  local said = output:gsub("seconds [%d.]+ [%d.]+\nstatus %d+\n$", "")
  return tonumber(output:match("status (%d+)\n$")), said, (user or 0) + (system or 0)
end

function copies.must(folder, command)
  local status, output = copies.run(folder, command)
  if status ~= 0 then
    io.stderr:write("mutants: ", command, "\n", output:sub(-4000), "\n")
    os.exit(2)
  end
  return output
end

local FILES = "git ls-files -z -co --exclude-standard"

-- The hash of the state of these files.
local function state_of(files)
  return copies.must(".", ("%s %s | xargs -0 git hash-object | git hash-object --stdin"):format(
    FILES, files))
end

--- Copies the files, all or some, into a folder of build-mutants/.
function copies.fill(name, files)
  local folder = copies.FOLDER .. "/" .. name
  copies.must(".", ("mkdir -p %s && %s %s | xargs -0 cp -d --parents -t %s"):format(folder, FILES,
    files or "", folder))
end

local BUILD = "cmake -S . -B %s -G 'Unix Makefiles' -DCMAKE_BUILD_TYPE=Debug "
  .. "-DCMAKE_C_FLAGS_DEBUG=-O1 -DLOCUS_CUDA=OFF -DLOCUS_CUDA_EMULATOR=OFF "
  .. "-DLOCUS_INSTRUCTION_SETS=scalar -DCMAKE_EXPORT_COMPILE_COMMANDS=ON %s && "
  .. 'cmake --build %s --parallel "$(getconf _NPROCESSORS_ONLN)"'

local function build(tree, folder, options)
  copies.must(copies.FOLDER .. "/" .. tree, BUILD:format(folder, options or "", folder))
end

function copies.build_hits()
  local folder = copies.FOLDER .. "/hits"
  copies.fill("hits")
  copies.must(folder, "cc -O1 -fPIC -c .ci/mutation/hits.c -o hits.o")
  build("hits", "build", "-DLOCUS_MPI=OFF -DCMAKE_C_FLAGS='-g1 -fsanitize-coverage=trace-pc' "
    .. '-DCMAKE_MODULE_LINKER_FLAGS="$PWD/hits.o" -DCMAKE_EXE_LINKER_FLAGS="$PWD/hits.o"')
  copies.must(folder, "cp ../tree/build/locus/mpi.so build/locus 2>/dev/null || :")
  blocks.mark(folder)
end

--- Builds what has changed.
function copies.make()
  local state, path = state_of("src lua mpi CMakeLists.txt"), copies.FOLDER .. "/state"
  if shell.read(path) ~= state then
    io.write("building in ", copies.FOLDER, "/\n")
    copies.must(".", "rm -rf " .. copies.FOLDER)
    copies.fill("tree")
    build("tree", "build")
    build("tree", "build-asan", "-DLOCUS_SANITIZE=address,undefined")
    copies.build_hits()
    shell.write(path, state)
  end
  copies.fill("tree", "spec")
  copies.fill("hits", "spec")
end

return copies
