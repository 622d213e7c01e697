-- SPDX-License-Identifier: MIT
-- Builds that give up IEEE floats: a source that is compiled so is refused, and the flags of the
-- build take back what CFLAGS say. Without a device, no compiler of CUDA is asked.
local support = require "spec.support"

local function output_of(command)
  local pipe = io.popen("env -u LD_PRELOAD " .. command .. " 2>&1")
  local text = pipe:read("*a")
  pipe:close()
  return text
end

local function compilers()
  local list = {}
  for _, name in ipairs {"gcc", "clang"} do
    if output_of("sh -c 'command -v " .. name .. "'") ~= "" then list[#list + 1] = name end
  end
  return list
end

local SOURCES = {"src/cpu/run/where.c", "src/op/where.c", "src/text/number/parse.c",
                 "src/core/storage.c"}
local HOW = "-std=gnu11 -Isrc -DLOCUS_ISA_ID=scalar -DLOCUS_ISA_HEADER='\"cpu/isa/scalar.h\"' "
  .. "-fsyntax-only "

-- The state that macros tell. clang tells less of single options.
local TOLD = {
  gcc = {"-mfpmath=387", "-ffast-math", "-Ofast", "-O2 -ffinite-math-only",
         "-funsafe-math-optimizations",
         "-fassociative-math -fno-signed-zeros -fno-trapping-math", "-freciprocal-math",
         "-fno-signed-zeros"},
  clang = {"-ffast-math", "-Ofast", "-ffinite-math-only"},
}

describe("a build without IEEE floats #native #host #once #program", function()
  -- All files meet one header, as the next spec shows: each option meets one of them, another one
  -- the next time.
  it("is refused in each file, whatever the option", function()
    local turn = os.time()
    for _, compiler in ipairs(compilers()) do
      for _, source in ipairs(SOURCES) do
        assert.equal("", output_of(compiler .. " " .. HOW .. source))
      end
      for i, option in ipairs(TOLD[compiler]) do
        local source = SOURCES[(turn + i) % #SOURCES + 1]
        assert.matches('#error "locus needs IEEE floats',
          output_of(("%s %s %s %s"):format(compiler, HOW, option, source)), option .. source)
      end
    end
  end)

  it("is refused by every file of C, which all meet one header", function()
    local listed = 0
    local rules = output_of("sh -c 'cc -MM " .. HOW:gsub("'", "'\\''")
      .. "$(find src -name \\*.c | grep -v ^src/bind/)'")
    for target, needed in rules:gsub("\\\n", " "):gmatch("(%S+%.o):([^\n]*)") do
      listed = listed + 1
      assert.matches("core/ieee%.h", needed, target)
    end
    assert.is_true(listed > 100)
  end)

  it("is not what flags of the compiler and the linker make of it", function()
    local cflags = {
      gcc = "-Ofast -funsafe-math-optimizations -fsingle-precision-constant",
      clang = "-Ofast -ffp-model=fast -fapprox-func -fdenormal-fp-math=positive-zero",
    }
    for _, compiler in ipairs(compilers()) do
      for _, flags in ipairs {"", cflags[compiler]} do
        local folder = os.tmpname()
        os.remove(folder)
        local configured = output_of(("env CC=%s CFLAGS='%s' LDFLAGS='%s' cmake -S . -B %s "
          .. "-DCMAKE_BUILD_TYPE=Debug -DLOCUS_CUDA=OFF -DLOCUS_CUDA_EMULATOR=OFF -DLOCUS_MPI=OFF "
          .. "-DLOCUS_INSTRUCTION_SETS=scalar"):format(compiler, flags, flags, folder))
        assert.matches("Build files have been written", configured)
        local made = output_of(("cmake --build %s --target src/text/number/parse.o"):format(folder))
        assert.matches("parse%.c%.o", made)
        assert.is_nil(made:find("error", 1, true), made)
        if flags == "" then assert.is_nil(made:find("warning", 1, true), made) end

        local file = io.open(folder .. "/CMakeFiles/core.dir/link.txt")
        local link = file:read("*a"):gsub("%S+%.o%s", "") -- of no objects
        file:close()
        os.execute("mkdir -p " .. folder .. "/locus")
        output_of(("sh -c 'cd %s && %s'"):format(folder, link:gsub("[\"\n]", " ")))
        local symbols = output_of(("nm %s/locus/core.so"):format(folder))
        assert.matches("_init", symbols)
        assert.is_nil(symbols:find("set_fast_math", 1, true), compiler .. " " .. flags)
        os.execute("rm -r " .. folder)
      end
    end
  end)

  it("gives the right library where CFLAGS ask for it", function()
    local cflags = "-Ofast -ffast-math -ffinite-math-only -funsafe-math-optimizations "
      .. "-fassociative-math -freciprocal-math -fno-signed-zeros"
    local folder = os.tmpname()
    os.remove(folder)
    local configured = output_of(("env CFLAGS='%s' cmake -S . -B %s -DCMAKE_BUILD_TYPE=Debug "
      .. "-DLOCUS_CUDA=OFF -DLOCUS_CUDA_EMULATOR=OFF -DLOCUS_MPI=OFF "
      .. "-DLOCUS_INSTRUCTION_SETS=scalar"):format(cflags, folder))
    assert.matches("Build files have been written", configured)
    if not os.getenv "LOCUS_THOROUGH" then -- one file, which is refused where an option is left
      local made = output_of(("cmake --build %s --target src/text/number/parse.o"):format(folder))
      os.execute("rm -r " .. folder)
      assert.matches("parse%.c%.o", made)
      return assert.is_nil(made:find("[Ee]rror"), made)
    end
    local built = output_of(("cmake --build %s --parallel 2 --target core"):format(folder))
    assert.matches("Built target core", built)
    assert.equal("0\n", output_of(("sh -c 'nm %s/locus/core.so | grep -c set_fast_math'"):format(
      folder)))
    local output, status = support.run([[
      local locus = require "locus"
      local nan, tiny = locus.nan, 2 ^ -1074
      local x = locus.tensor{1, nan, -0.0, math.huge, tiny}
      print(x:ne(x):sum(), 1 / x[3], x:max(), (x * 1)[5] == tiny, (x:sort())[5])
      print(x:searchsorted(nan), locus.isnan(x):sum(), locus.isinf(x):sum())]],
      {LUA_CPATH = folder .. "/?.so"})
    assert.equal("1\t-inf\tnan\ttrue\tnan\n", output:match("^[^\n]*\n"))
    assert.equal(0, status, output)
    os.execute("rm -r " .. folder)
  end)

  it("of CUDA is refused by CMake", function()
    if output_of("sh -c 'command -v nvcc'") == "" then return pending("no nvcc") end
    local folder = os.tmpname()
    os.remove(folder)
    local nvcc = output_of("sh -c 'command -v nvcc'"):match "%S+"
    local told = {"CUDAFLAGS=--use_fast_math", "NVCC_APPEND_FLAGS=-use_fast_math",
                  "CUDAFLAGS=--ftz=true"}
    local one = os.time() % #told + 1 -- another one the next time
    for i = support.thorough and 1 or one, support.thorough and #told or one do
      local flags = told[i]
      local output = output_of(("env %s cmake -S . -B %s -DLOCUS_CUDA=ON -DLOCUS_MPI=OFF "
        .. "-DCMAKE_CUDA_COMPILER=%s -DLOCUS_CUDA_EMULATOR=OFF"):format(flags, folder, nvcc))
      assert.matches("nvcc is told %-%-?[%w_=]+, but locus needs IEEE floats", output, flags)
      os.execute("rm -r " .. folder)
    end
  end)
end)
