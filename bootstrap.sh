#!/bin/sh
# SPDX-License-Identifier: MIT
# From a fresh Debian or Ubuntu machine to a running demo or test: installs what is missing, builds,
# runs. Elsewhere it names what is missing. Writes nothing outside the git-ignored build folders.
set -eu
cd "$(dirname "$0")"

usage() {
  cat <<'END'
usage: ./bootstrap.sh demo   build, then report on the files below /usr (examples/filetimes.lua)
       ./bootstrap.sh test   build with warnings as errors, check the layers, run the specs on
                             LuaJIT for every instruction set of this CPU with 1 thread, for the
                             best one with 5, on the emulated CUDA device, and on plain
                             Lua 5.1
       ./bootstrap.sh full   as test, with 1, 2 and 5 threads for every instruction set
       ./bootstrap.sh asan   build with AddressSanitizer and UBSan, run the specs on LuaJIT for
                             the best instruction set, and those about CUDA
       ./bootstrap.sh asan-full
                             as asan, for every instruction set and on the emulated CUDA device
       ./bootstrap.sh tsan   build with ThreadSanitizer, run the specs that start no process with
                             5 threads, then several Lua states at the same time
       ./bootstrap.sh neon   build for 64-bit Arm, run the specs on its instruction sets in an
                             emulator (Debian only; a quarter of an hour)
       ./bootstrap.sh compilers
                             build with clang, with gcc against musl, and without what is Linux's
                             own; no warning may come, and the answers must be the same
       ./bootstrap.sh coverage
                             build with gcc's --coverage, run the specs on the plainest instruction
                             set and the best one, and list the lines and branches of C that they
                             do not reach
       ./bootstrap.sh kernels
                             test the kernels of CUDA one by one in the emulator
       ./bootstrap.sh kernels-asan
                             the same with sanitizers, in three orders of threads and blocks
       ./bootstrap.sh recipes
                             follow CONTRIBUTING's recipes on a copy of the tree: what is forgotten
                             must be named, what is complete must answer
       ./bootstrap.sh recipes-full
                             the same, and the copy's emulated CUDA device must answer, too
       ./bootstrap.sh lint   luacheck on all Lua, and clang-format 14 on C, C++ and CUDA: neither may
                             find anything
       ./bootstrap.sh mutants
                             plant 300 small mistakes in the sources, one by one in a copy of the
                             tree: the specs must find each (an hour or more)
       ./bootstrap.sh callers
                             call everything at random on every instruction set and under
                             sanitizers, with nonsense and with answers that are known (hours)
       ./bootstrap.sh fuzz   fuzz the readers of text and files, an hour each
       ./bootstrap.sh analyze
                             read the sources with gcc's -fanalyzer and clang-tidy
       ./bootstrap.sh valgrind
                             run specs of answers and files under valgrind
       ./bootstrap.sh sizes  run ops on 2^31 elements and more, and loops for an hour under which
                             memory must not grow; wants 24 GB
       ./bootstrap.sh cuda   build locus/cuda.so with warnings as errors, where nvcc is found, with
                             kernels that are parsed alone, and load it. CUDA_ARCHITECTURES, such
                             as "75;90", asks for their code, and checks registers and stack frames
       ./bootstrap.sh cuda-all
                             the latter for all architectures from 7.5 to 12.0
       ./bootstrap.sh peers  install pinned versions of the libraries of Python that pages tell of
                             into build-peers/, and run the specs that ask these libraries
       ./bootstrap.sh release
                             all that takes longer than CI has: full, asan-full, cuda-all, neon,
                             tsan, coverage, callers, fuzz, mutants, sizes, analyze, valgrind,
                             compilers, recipes-full, kernels-asan; a report at its end (hours)
       ./bootstrap.sh drivers
                             install drivers of SQLite, PostgreSQL and DuckDB in build-drivers/,
                             build, and run the specs of databases with them
       ./bootstrap.sh bench  build, and install what ./bench/run needs beside its peers
       ./bootstrap.sh --help

On Debian and Ubuntu, as root or with sudo, missing packages are installed with apt-get first; none
is ever removed for them. A LuaJIT that is there serves: in PATH, or OpenResty's below
/usr/local/openresty or $OPENRESTY_PREFIX.
END
}

say() { printf '==> %s\n' "$*"; }

# Notes a failure and goes on, so that one run shows all of them.
note() {
  failures="${failures:+$failures; }$*"
  status=1
}

failed() {
  say "FAILED: $*"
  note "$@"
}

has() { command -v "$1" >/dev/null 2>&1; }

openresty=${OPENRESTY_PREFIX:-/usr/local/openresty}/luajit
has luajit || PATH=$PATH:$openresty/bin

# The folder of luajit.h; nothing where there is none.
luajit_include() {
  find /usr/include /usr/local/include "$openresty/include" -name luajit.h -exec dirname {} \; \
    2>/dev/null | head -n 1
}

# LuaJIT's package, or with the argument dev that of its headers. Debian has two LuaJITs that exclude
# each other; the other one, OpenResty's, is there where nginx's Lua module is.
luajit_package() {
  two=
  ! dpkg-query -W -f '${db:Status-Status}' libluajit2-5.1-2 2>/dev/null | grep -qx installed || two=2
  case ${1:-} in
    dev) echo "libluajit$two-5.1-dev" ;;
    *) echo "luajit$two" ;;
  esac
}

# Drivers of databases, each of a fixed version, and the specs that need them.
drivers() {
  [ -e build-drivers/bin/pip ] || python3 -m venv build-drivers
  build-drivers/bin/pip install -q adbc-driver-sqlite==1.13.0 adbc-driver-postgresql==1.13.0 \
    duckdb==2.0.1
  build build -DLOCUS_CUDA=OFF -DLOCUS_CUDA_EMULATOR=OFF
  PATH="$PWD/build-drivers/bin:$PATH" busted --exclude-tags=cuda \
    spec/files/sql_databases_spec.lua || failed "the specs of databases"
}

# Prints the Debian packages that stand for what this machine lacks, for the given command.
missing_packages() {
  has luajit || luajit_package
  has cc || echo gcc
  has c++ || echo g++
  has make || echo make
  has cmake || echo cmake
  [ -e /usr/include/stdio.h ] || echo libc6-dev
  [ -n "$(luajit_include)" ] || luajit_package dev
  [ -e /usr/share/zoneinfo/Europe/Berlin ] || echo tzdata
  case $1 in
    demo) ;;
    lint)
      has luacheck || echo lua-check
      has clang-format-14 || echo clang-format-14
      has git || echo git
      ;;
    bench)
      has gnuplot || echo gnuplot-nox
      has python3 || echo python3
      python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
      ;;
    *)
      has busted || echo lua-busted
      has lua5.1 || echo lua5.1
      has valgrind || echo valgrind
      has git || echo git
      has luarocks || echo luarocks
      has tmux || echo tmux
      has zstd || echo zstd # these make compressed text, and bring the libraries that read it
      has xz || echo xz-utils
      has bzip2 || echo bzip2
      has lz4 || echo lz4
      ;;
  esac
  if [ "$1" = drivers ]; then # DuckDB's module needs Python's own library
    has python3 || echo python3
    python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
    [ -n "$(find /usr/lib -name 'libpython3*.so.1.0' 2>/dev/null)" ] || echo libpython3-dev
    [ -d /usr/lib/postgresql ] || has initdb || echo postgresql
  fi
  case $1 in
    test | full | asan | asan-full | coverage) has mpicc || echo openmpi-bin libopenmpi-dev ;;
  esac
  case $1 in compilers | fuzz) has clang || echo clang ;; esac
  if [ "$1" = fuzz ]; then # libFuzzer and sanitizers, which clang only recommends
    [ -e "$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a" 2>/dev/null)" ] ||
      echo libclang-rt-dev
  fi
  case $1 in compilers) has musl-gcc || echo musl-tools ;; esac
  case $1 in analyze) has clang-tidy || echo clang-tidy ;; esac
  if [ "$1" = neon ]; then
    has aarch64-linux-gnu-gcc || echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross
    has qemu-aarch64 || echo qemu-user
  fi
}

# Stops where apt would remove a package to install those in $packages.
remove_nothing() {
  # shellcheck disable=SC2086 # one word per package
  plan=$(apt-get -s install --no-install-recommends $packages) || {
    printf '%s\n' "$plan" >&2
    exit 1
  }
  removed=$(printf '%s\n' "$plan" | awk '$1 == "Remv" { printf " %s", $2 }')
  [ -n "$removed" ] || return 0
  cat >&2 <<END
bootstrap.sh: nothing was installed: for ${packages% }
bootstrap.sh: apt would remove what conflicts:$removed
bootstrap.sh: remove these yourself if nothing needs them; or provide what is missing without apt
bootstrap.sh: (a LuaJIT built from source: luajit in PATH, luajit.h below /usr/local/include)
END
  exit 1
}

# Installs what is missing, or names it and stops. Nothing is ever removed.
install_missing() {
  packages=$(missing_packages "$1" | tr '\n' ' ')
  [ -n "$packages" ] || return 0
  as_root=
  [ "$(id -u)" -eq 0 ] || as_root=sudo
  if ! has apt-get || { [ -n "$as_root" ] && ! has sudo; }; then
    echo "bootstrap.sh: missing (names of Debian packages): $packages" >&2
    has apt-get && echo "bootstrap.sh: run as root: apt-get install --no-remove $packages" >&2
    exit 1
  fi
  say "installing $packages"
  export DEBIAN_FRONTEND=noninteractive
  $as_root apt-get update -q
  remove_nothing
  # shellcheck disable=SC2086 # one word per package
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-remove --no-install-recommends $packages
}

# OpenResty's LuaJIT does not look where Debian keeps busted's modules.
find_modules() {
  case $(command -v luajit) in "$openresty"/*) ;; *) return 0 ;; esac
  export LUA_PATH="${LUA_PATH:-;;};/usr/share/lua/5.1/?.lua;/usr/share/lua/5.1/?/init.lua"
  export LUA_CPATH="${LUA_CPATH:-;;};/usr/lib/$(cc -print-multiarch)/lua/5.1/?.so"
}

# Makes ready for the given command.
prepare() {
  install_missing "$1"
  find_modules
}

# ccache, if it is installed, saves compiling unchanged sources again.
! has ccache || export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache

# Builds in the folder $1; the rest are options for cmake. The loops of the sets in $hasty_sets are
# less optimized.
build() {
  folder=$1
  shift
  say "building in $folder/"
  cmake -S . -B "$folder" "$@" -DLOCUS_HASTY_SETS="$hasty_sets"
  cmake --build "$folder" --parallel "$(getconf _NPROCESSORS_ONLN)"
}

# Runs specs against the build in the folder $1; the rest are pairs for .ci/specs.
run_specs() {
  folders="$folders $1"
  export specs_prefix busted_options specs_but others_but cuda_but
  sh .ci/specs "$@" || note "specs in $1/" # which has said so
}

# Prints the pairs for .ci/specs of the build in the folder $1: the CPU's best instruction set with
# each number of threads in $2, the others with those in $3, and the emulated device with the shares
# in $4.
runs_of() {
  # shellcheck disable=SC2086 # one word per word of the command, and per share
  sets=$(LUA_PATH="lua/?.lua;lua/?/init.lua;;" LUA_CPATH="$1/?.so;;" $specs_prefix luajit -e \
    'print(table.concat(require("locus").instruction_sets(), " "))')
  best=${sets##* } # the last one
  # what takes longest comes first
  [ ! -e "$1/locus/cuda_emu.so" ] || printf 'cuda %s\n' $4
  # shellcheck disable=SC2086 # one word per run
  [ -z "$best" ] || printf "$best %s\n" $2
  for isa in $sets; do
    [ "$isa" != "$best" ] || continue
    for count in $3; do echo "$isa $count"; done
  done
}

# The last line: how many specs ran, and what failed; $1 is the exit status so far.
verdict() {
  logs=
  for folder in $folders; do logs="$logs $(echo "$folder"/specs-*.log)"; done
  # shellcheck disable=SC2086 # one word per file
  counts=$(cat $logs /dev/null 2>/dev/null | awk '
    /^[0-9]+ success(es)? \/ / { runs++; passed += $1; bad += $4 + $7; pending += $10 }
    END { printf "runs of specs: %d; %d passed, %d failed, %d pending", runs, passed, bad, pending }
  ')
  if [ "$1" -eq 0 ]; then
    say "verdict: passed. $counts"
  else
    say "verdict: FAILED: ${failures:-it did not come to its end}. $counts"
  fi
}

# Every instruction set must give the same bits, so no multiplication may be fused with an addition.
# gcc 12 does so for some complex expressions although -ffp-contract=off forbids it.
check_fusion() {
  code=$(objdump -d "$1") || failed "objdump cannot read $1"
  if printf '%s\n' "$code" | grep -E 'vfn?m(add|sub)'; then
    failed "fused multiply-adds in $1"
  else
    say "no fused multiply-adds in $1"
  fi
}

demo() {
  build build -DLOCUS_CUDA=OFF -DLOCUS_CUDA_EMULATOR=OFF
  say "files below /usr by local time in Berlin"
  find /usr -xdev -type f -printf '%T@ %s\n' |
    LUA_PATH="lua/?.lua;lua/?/init.lua;;" LUA_CPATH="build/?.so;;" \
      luajit examples/filetimes.lua --zone Europe/Berlin
}

# The specs run with the numbers of threads in $1 for the best instruction set, in $2 for the others.
test_all() {
  say "layers"
  sh .ci/layers || failed "layers"
  build build -DLOCUS_WERROR=ON -DLOCUS_CUDA=OFF
  check_fusion build/locus/core.so
  runs=$(runs_of build "$1" "$2" "1of2 2of2")
  # shellcheck disable=SC2086 # two words per run
  run_specs build $runs lua5.1 1
}

# The instruction sets that this CPU has a better one than, as cmake's list: the compiler knows it.
worse_sets() {
  known=$(cc -march=native -dM -E -x c /dev/null 2>/dev/null) || return 0
  case $known in
    *__AVX512VBMI2__*) echo "scalar;avx2" ;;
    *__AVX2__* | *__ARM_NEON*) echo scalar ;;
  esac
}

# The plainest instruction set and the best one, as cmake's list; nothing where build/ is not built.
plainest_and_best() {
  LUA_PATH="lua/?.lua;lua/?/init.lua;;" LUA_CPATH="build/?.so;;" luajit -e \
    'local s = require("locus").instruction_sets(); print(s[1] .. ";" .. s[#s])' 2>/dev/null || :
}

# For the instruction sets in $1, or for all; the emulator if $2 is ON.
build_asan() {
  build build-asan -DLOCUS_WERROR=ON -DLOCUS_CUDA=OFF -DLOCUS_SANITIZE=address,undefined \
    -DLOCUS_INSTRUCTION_SETS="$1" -DLOCUS_CUDA_EMULATOR="$2"
}

# Instruction sets other than the best one run with the numbers of threads in $1. Without $1 only
# the plainest and the best set are built, without the emulated device, and specs of 2^31 elements
# and of programs are left out. Leaks are reported. The options make a huge allocation fail as it
# does without a sanitizer, limit the freed memory that is held back, and show where UBSan traps.
# The emulated device meets every layout only without a sanitizer, which would take minutes.
asan() {
  sets=
  best=2
  emulator=ON
  if [ -z "$1" ]; then
    sets=$(plainest_and_best)
    best="2-1of3 2-2of3 2-3of3" # there is hardly another run
    emulator=OFF
    busted_options=--exclude-tags=large,program
    # pages, programs and what is written in Lua: no memory of C's that others do not meet
    specs_but='^spec/(docs/|house/([^c]|coverage)|mpi/sharded_)'
  fi
  build_asan "$sets" "$emulator"
  ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:quarantine_size_mb=16:handle_sigill=1
  export ASAN_OPTIONS
  export UBSAN_OPTIONS=print_stacktrace=1
  specs_prefix="env LD_PRELOAD=$(cc -print-file-name=libasan.so)"
  export cuda_without=,layouts
  runs=$(runs_of build-asan "$best" "$1" "1of2 2of2")
  # shellcheck disable=SC2086 # two words per run
  run_specs build-asan $runs
}

# For the plainest instruction set alone: threads share the same data in all sets.
tsan() {
  build build-tsan -DLOCUS_WERROR=ON -DLOCUS_CUDA=OFF -DLOCUS_CUDA_EMULATOR=OFF -DLOCUS_MPI=OFF \
    -DLOCUS_SANITIZE=thread -DLOCUS_INSTRUCTION_SETS=scalar
  run_specs build-tsan tsan 5
  say "four Lua states at the same time, build-tsan"
  cc -std=gnu11 -g -fsanitize=thread -I"$(luajit_include)" spec/support/trials/states.c \
    -o build-tsan/states -Wl,-E,-rpath,"$openresty/lib" -L"$openresty/lib" -lluajit-5.1 -lpthread ||
    failed "spec/support/trials/states.c"
  LUA_PATH="lua/?.lua;lua/?/init.lua;;" LUA_CPATH="build-tsan/?.so;;" \
    LOCUS_NUM_THREADS=5 LOCUS_SMALL_PIECES=1 TSAN_OPTIONS=allocator_may_return_null=1 \
    build-tsan/states 4 spec/support/trials/states.lua || failed "states, build-tsan"
}

# Without optimisation, so that lines stay lines. Counters are atomic, or threads would lose counts,
# from which gcov computes those of other branches. The emulated device runs its own specs, which
# exercise the host's code for devices.
coverage() {
  [ -e build/locus/core.so ] || build build -DLOCUS_CUDA=OFF # knows the best instruction set
  build build-coverage -DLOCUS_WERROR=ON -DLOCUS_CUDA=OFF -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS="--coverage -fprofile-update=atomic" -DCMAKE_C_FLAGS_DEBUG=-O0 \
    -DCMAKE_MODULE_LINKER_FLAGS=--coverage -DLOCUS_INSTRUCTION_SETS="$(plainest_and_best)"
  find build-coverage -name '*.gcda' -delete
  busted_options=--exclude-tags=lean # counters take memory and instructions
  runs=$(runs_of build-coverage "5-1of3 5-2of3 5-3of3" "1-1of2 1-2of2" own)
  # shellcheck disable=SC2086 # two words per run
  run_specs build-coverage $runs lua5.1 1
  say "what the specs reach, build-coverage"
  luajit .ci/coverage build-coverage || failed "coverage"
}

# Takes the kernels' objects from the build in the folder $1, where another command may have built
# them already. $2 is the folder of the tests, $3 their flags if they are not those of the Makefile,
# and the rest are options for cmake.
kernels() {
  folder=$1 tests=$2 flags=$3
  shift 3
  say "building the kernels in $folder/"
  cmake -S . -B "$folder" -DLOCUS_WERROR=ON -DLOCUS_CUDA=OFF -DLOCUS_CUDA_EMULATOR=ON "$@"
  cmake --build "$folder" --target cuda_emu --parallel "$(getconf _NPROCESSORS_ONLN)"
  KERNEL_OBJECTS=$folder/cuda/emu/CMakeFiles/cuda_emu.dir/__ KERNEL_FLAGS=$flags \
    sh cuda/test/run "$tests" || failed "cuda/test/run"
}

callers() {
  build build -DLOCUS_WERROR=ON -DLOCUS_CUDA=OFF
  build_asan "" ON
  sh .ci/callers || failed ".ci/callers"
}

# Builds without optimisation in the folder $1, and runs specs of most answers if the interpreter
# here can load the module. The rest are options for cmake.
compile() {
  folder=$1
  build "$@" -DCMAKE_BUILD_TYPE=Debug -DLOCUS_WERROR=ON -DLOCUS_CUDA=OFF \
    -DLOCUS_CUDA_EMULATOR=OFF
  [ "$folder" != build-musl ] || return 0
  say "specs of answers, $folder"
  LOCUS_BUILD=$folder LOCUS_SMALL_PIECES=1 LOCUS_NUM_THREADS=5 \
    busted spec/conformance/conformance_spec.lua spec/process/shared_spec.lua ||
    failed "specs in $folder/"
}

# The last one leaves out the parts that __linux__ guards, as on macOS and BSD.
compilers() {
  compile build-clang -DCMAKE_C_COMPILER=clang -DLOCUS_INSTRUCTION_SETS="$(plainest_and_best)"
  compile build-musl -DCMAKE_C_COMPILER=musl-gcc -DLOCUS_INSTRUCTION_SETS=scalar -DLOCUS_MPI=OFF
  compile build-plain -DCMAKE_C_FLAGS=-U__linux__ -DLOCUS_INSTRUCTION_SETS=scalar
}

# Unpacks LuaJIT for arm64, and what busted loads into it, in build-neon/sysroot, and writes a
# luajit that runs it. apt gets folders of its own for that, so the machine stays as it is. LuaJIT's
# compiler for Arm is off: in Debian's version it answers otherwise than the interpreter.
arm64_luajit() {
  apt=$PWD/build-neon/apt
  sysroot=$PWD/build-neon/sysroot
  say "unpacking LuaJIT for arm64 in build-neon/"
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$sysroot" build-neon/bin
  : >"$apt/status"
  cat >"$apt/apt.conf" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
END
  APT_CONFIG=$apt/apt.conf apt-get update -q
  APT_CONFIG=$apt/apt.conf apt-get install -q -y --no-install-recommends --download-only \
    luajit libluajit-5.1-dev lua-filesystem lua-system lua-term zlib1g
  for package in "$apt"/cache/archives/*.deb; do dpkg -x "$package" "$sysroot"; done
  cat >build-neon/bin/luajit <<END
#!/bin/sh
LUA_CPATH="\${LUA_CPATH-;;};$sysroot/usr/lib/aarch64-linux-gnu/lua/5.1/?.so" \\
  exec qemu-aarch64 -L "$sysroot" "$sysroot/usr/bin/luajit" -joff "\$@"
END
  chmod +x build-neon/bin/luajit
}

# Specs tagged #native are left out: processes, page faults and speed are the emulator's own, LuaJIT
# compiles nothing, and on Arm, where it has integers beside doubles, it takes -0 for 0.
neon() {
  [ -x build-neon/bin/luajit ] || arm64_luajit
  build build-neon -DLOCUS_WERROR=ON -DLOCUS_CUDA=OFF -DLOCUS_CUDA_EMULATOR=OFF -DLOCUS_MPI=OFF \
    -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc \
    -DLUA_INCDIR="$PWD/build-neon/sysroot/usr/include/luajit-2.1"
  PATH=$PWD/build-neon/bin:$PATH
  busted_options=--exclude-tags=native
  runs=$(runs_of build-neon 2 2 "")
  # shellcheck disable=SC2086 # two words per run
  run_specs build-neon $runs
}

# Blocks take up to a quarter more address space than memory. With this limit a call that wants too
# much fails and says so; without it the whole process would be killed.
# Python's libraries in folders of their own: those of today, and an old NumPy.
PEERS="numpy==2.4.6 torch==2.14.1 pyarrow==26.0.1 polars==2.1.0 pandas==3.1.1 duckdb==2.0.1 \
nanoarrow==0.9.0 ml_dtypes==0.6.0 jax==0.10.2"

peers() {
  for folder in new numpy1; do
    [ -x "build-peers/$folder/bin/python" ] || python3 -m venv "build-peers/$folder"
  done
  # shellcheck disable=SC2086
  build-peers/new/bin/pip install -q $PEERS || failed "pip install"
  build-peers/numpy1/bin/pip install -q numpy==1.26.4 || failed "pip install numpy==1.26.4"
  build build -DLOCUS_CUDA=OFF -DLOCUS_CUDA_EMULATOR=OFF
  LOCUS_TEST_PYTHON=$PWD/build-peers/new/bin/python busted --exclude-tags=cuda spec/peers \
    spec/files/exchange_spec.lua spec/files/npy_types_spec.lua || failed "spec/peers"
}

sizes() {
  build build -DLOCUS_CUDA=OFF
  (ulimit -v $((27 << 20)) && luajit .ci/sizes) || failed ".ci/sizes"
}

# Without nvcc there is nothing to do; without a driver the module says so. Where no architecture is
# asked for, nvcc parses the kernels, and the module has their host's code alone.
cuda() {
  if ! has nvcc && ! [ -x /usr/local/cuda/bin/nvcc ]; then
    say "no nvcc: locus/cuda.so is not built"
    return
  fi
  say "building in build-cuda/"
  parsed=OFF
  [ -n "${CUDA_ARCHITECTURES-}" ] || parsed=ON
  cmake -S . -B build-cuda -DLOCUS_WERROR=ON -DLOCUS_CUDA=ON -DLOCUS_CUDA_EMULATOR=OFF \
    -DCMAKE_CUDA_ARCHITECTURES="${CUDA_ARCHITECTURES:-90}" -DLOCUS_CUDA_PARSED="$parsed"
  cmake --build build-cuda --target cuda --parallel "$(getconf _NPROCESSORS_ONLN)"
  # shellcheck disable=SC2046 # one word per file
  [ "$parsed" = ON ] || luajit .ci/resources check .ci/registers.lua \
    $(printf 'build-cuda/CMakeFiles/cuda.dir/%s.o.ptxas ' cuda/*.cu) || failed "kernels' resources"
  [ -e build/locus/core.so ] || build build -DLOCUS_CUDA=OFF
  said=$(LUA_PATH="lua/?.lua;lua/?/init.lua;;" LUA_CPATH="build/?.so;;" \
    LOCUS_CUDA=build-cuda/locus/cuda.so luajit -e \
    'local cuda = require("locus").cuda; print(cuda.why() or cuda.device_info().name)')
  say "locus/cuda.so: $said"
  case $said in
    "there is no CUDA here: no driver"* | "there is no CUDA here: the driver"*) ;;
    *" is no CUDA "* | *" of another version "*) failed "locus/cuda.so does not load" ;;
  esac
}

status=0
failures=
folders=
hasty_sets=
specs_prefix=${specs_prefix-}
busted_options=${busted_options-}
specs_but=
others_but=
cuda_but=
case "${1:-}" in
  test | full | asan | asan-full | tsan | neon | coverage) trap 'verdict $?' EXIT ;;
esac
case "${1:-}" in
  demo) prepare demo; demo ;;
  test) # all cores have work to the end; of a set between others the loops are met
    prepare test
    hasty_sets=$(worse_sets)
    others_but='^spec/((docs|examples|files|frames|house|mpi|pictures|prompt|text)/|process/[^cfs])'
    cuda_but='^spec/(calls/[^acil]|docs/|examples/|house/|mpi/|pictures/|prompt/)'
    test_all "5-1of3 5-2of3 5-3of3" 1
    ;;
  full) export LOCUS_THOROUGH=1; prepare test; test_all "1 2 5" "1 2 5" ;;
  asan) prepare asan; asan "" ;;
  asan-full) export LOCUS_THOROUGH=1; prepare asan; asan 2 ;;
  tsan) prepare tsan; tsan ;;
  neon) prepare neon; neon ;;
  compilers) prepare compilers; compilers ;;
  coverage) prepare coverage; coverage ;;
  kernels)
    prepare kernels
    kernels build build-kernels "-O0 -g1 -Wall -Wextra -Werror"
    ;;
  kernels-asan)
    prepare kernels
    kernels build-asan build-simt "" -DLOCUS_SANITIZE=address,undefined
    ;;
  recipes) prepare recipes; luajit .ci/recipes || failed ".ci/recipes" ;;
  recipes-full)
    export LOCUS_THOROUGH=1
    prepare recipes
    luajit .ci/recipes || failed ".ci/recipes"
    ;;
  lint)
    prepare lint
    sh .ci/lint || failed ".ci/lint"
    sh .ci/format || failed ".ci/format"
    ;;
  callers) prepare asan; callers ;;
  fuzz) prepare fuzz; fuzz/run 3600 || failed "fuzz/run" ;;
  analyze) prepare analyze; luajit .ci/analyze || failed ".ci/analyze" ;;
  valgrind) prepare test; build build -DLOCUS_CUDA=OFF; sh .ci/valgrind build || failed valgrind ;;
  peers) prepare test; peers ;;
  sizes) prepare demo; sizes ;;
  mutants) prepare test; luajit .ci/mutants || failed ".ci/mutants" ;;
  cuda) prepare cuda; cuda ;;
  cuda-all) prepare cuda; CUDA_ARCHITECTURES="75;80;90;100;103;120"; cuda ;;
  release) bash .ci/run full asan-full coverage callers fuzz mutants sizes cuda-all neon tsan \
    valgrind recipes-full kernels-asan compilers analyze || status=1 ;;
  drivers) prepare drivers; drivers ;;
  bench) prepare bench; build build -DLOCUS_CUDA=OFF -DLOCUS_CUDA_EMULATOR=OFF ;;
  -h | --help) usage ;;
  *) usage >&2; exit 2 ;;
esac
exit "$status"
