# SPDX-License-Identifier: MIT
"""Runs the cases of counted.lua over an interpreter of PTX and reads what it counted. The
interpreter's folder has a Makefile that builds OUT/cuda_ptx.so from cuda/*.cu for the architecture
ARCH, over its own objects ptx.o and cudart.o in OUT in place of the CUDA runtime. With PTX_STATS=1
it prints at exit a line of FIELDS for each kernel that ran, by name; the names are cut at 64
characters."""
import glob
import os
import re
import shutil
import subprocess

import pack
import roofline

ARCHITECTURE = "90"
INTERPRETER = ("ptx", "cudart")  # comes first: its tables must be there before kernels register
WRAPPED = ("cudaLaunchKernel", "__cudaLaunchKernel", "__cudaRegisterFunction")
OWN = ("plain", "launches")      # of bench/cuda
FIELDS = ["launches", "blocks", "instructions", "lanes", "loads", "load_sectors", "stores",
          "store_sectors", "shared_requests", "ways", "divergent"]


def newest(*patterns):
    return max((os.path.getmtime(path) for pattern in patterns for path in glob.glob(pattern)),
               default=0)


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


class Counting:
    """Builds in a folder of its own, and runs there."""

    def __init__(self, interpreter, folder, core, jobs):
        self.interpreter, self.folder, self.core, self.jobs = interpreter, folder, core, jobs
        self.module = os.path.abspath(f"{folder}/counted.so")

    def build(self):
        """The kernels and plain forms as PTX over the interpreter; ptxas' reports; the core."""
        os.makedirs(self.folder, exist_ok=True)
        self.drop_stale()
        run("make", f"-j{self.jobs}", "-f", f"{self.interpreter}/Makefile", f"OUT={self.folder}",
            f"ARCH={ARCHITECTURE}", f"NVCC={pack.nvcc()}")
        for name in OWN:
            self.compile(name)
        objects = sorted(glob.glob(f"{self.folder}/*.o"), key=lambda o: stem(o) not in INTERPRETER)
        run("c++", "-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs",
            *(f"-Wl,--wrap={name}" for name in WRAPPED), "-o", self.module, *objects)
        for path in objects:
            self.report(path)
        if not os.path.exists(f"{self.core}/CMakeCache.txt"):
            run("cmake", "-S", ".", "-B", self.core, "-DLOCUS_CUDA=OFF")
        run("cmake", "--build", self.core, "--target", "core", "--parallel", str(self.jobs))

    def drop_stale(self):
        """The Makefile knows no headers, and no sources that are gone."""
        headers = newest("cuda/include/*/*.h", "src/core/*.h", "src/core/*/*.h", "src/core/*.def")
        sources = {stem(path) for path in glob.glob("cuda/*.cu") + glob.glob("bench/cuda/*.cu")}
        sources |= {"core_" + stem(path) for path in glob.glob("src/core/*.c")}
        for path in glob.glob(f"{self.folder}/*.o"):
            known = stem(path) in sources and os.path.getmtime(path) > headers
            if not known and stem(path) not in INTERPRETER:
                os.remove(path)

    def compile(self, name):
        source, target = f"bench/cuda/{name}.cu", f"{self.folder}/{name}.o"
        if newest(target) < newest(source):
            code = f"compute_{ARCHITECTURE}"
            run(pack.nvcc(), "-std=c++17", "-O2", "--fmad=false", "-Xcompiler", "-fPIC", "-Xfatbin",
                "-compress=false", "-gencode", f"arch={code},code={code}", "-c", source, "-o",
                target)

    def report(self, path):
        """What ptxas says of the PTX in an object goes beside it."""
        target = path[:-2] + ".ptxas"
        with open(path, "rb") as file:
            found = re.search(rb"(\.version [\d.]+\n\.target sm_[^\0]*\.entry[^\0]*)\0",
                              file.read())
        if not found or newest(target) > newest(path):
            return
        code = f"{self.folder}/{stem(path)}.ptx"
        with open(code, "wb") as file:
            file.write(found[1])
        tools = os.path.dirname(os.path.realpath(pack.nvcc()))
        done = run(shutil.which("ptxas") or f"{tools}/ptxas", "-v", f"-arch=sm_{ARCHITECTURE}",
                   code, "-o", os.devnull, capture=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(done.stderr)

    def resources(self):
        """By kernel: its name in the source, registers, bytes of stack and of shared memory."""
        reports = sorted(glob.glob(f"{self.folder}/*.ptxas"))
        done = run("luajit", ".ci/resources", "list", *reports, capture=True)
        found = {}
        for line in done.stdout.splitlines():
            mangled, name, _, registers, stack, spilled, shared = line.split("\t")
            found[mangled] = dict(kernel=name, registers=int(registers), stack=int(stack),
                                  spilled=int(spilled), static=int(shared))
        return found

    def lua(self, *words):
        """Runs counted.lua; gives what it printed, and what the interpreter told."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PTX_")}
        done = run("luajit", "bench/cuda/counted.lua", *words, capture=True, env={
            **kept, "LUA_PATH": "./?.lua;lua/?.lua;lua/?/init.lua;;",
            "LUA_CPATH": f"{self.core}/?.so;;", "LOCUS_CUDA": self.module, "PTX_STATS": "1"})
        return done.stdout, done.stderr

    def cases(self):
        for line in self.lua("list")[0].splitlines():
            name, units, *moves = line.split("\t")
            yield dict(case=name, units=float(units), moves=[row.split(":") for row in moves])

    def prepared(self):
        """Inputs are made without kernels, so that all that ran for a case is its call."""
        if "launch" in (told := self.lua("prepare")[1]):
            raise SystemExit(f"kernels ran before the calls:\n{told}")

    def count(self, case, resources):
        """The kernels of a case, in the order of their names, with their counts by unit."""
        told = self.lua("run", case["case"])[1]
        if "0 complaints" not in told:
            raise SystemExit(f"{case['case']}: the interpreter complains:\n{told}")
        launched = sorted(line.split("\t")[1:] for line in told.splitlines()
                          if line.startswith("launch\t"))
        lines = [line.split() for line in told.splitlines()
                 if re.match(r"\S+( +[\d.]+){11}$", line)]
        assert [n[:64] for n, *_ in launched] == [line[0] for line in lines], told
        kernels = [kernel_of(case, resources[mangled], int(threads), int(shared), line[1:])
                   for (mangled, threads, shared), line in zip(launched, lines)]
        for row in case["moves"]:
            say_moves(row, kernels)
        return kernels


def kernel_of(case, resources, block, dynamic, numbers):
    """A row of the table, from what was counted and from what ptxas said."""
    raw = dict(zip(FIELDS, map(float, numbers)))
    units, own = case["units"], {**resources, "case": case["case"], "units": int(case["units"])}
    own["shared"] = own.pop("static") + dynamic
    own["block"], own["lanes"] = block, raw["lanes"]
    own["threads"] = roofline.threads(own["registers"], own["shared"], block)
    own["launches"] = int(raw["launches"])
    own["instructions"] = raw["instructions"] / units
    own["requests"] = (raw["loads"] + raw["stores"]) / units
    loaded, stored = (raw[f"{way}s"] * raw[f"{way}_sectors"] / units for way in ("load", "store"))
    own["load_sectors"], own["store_sectors"] = raw["load_sectors"], raw["store_sectors"]
    own["sectors"] = loaded + stored
    own["passes"] = raw["shared_requests"] * raw["ways"] / units
    own["memory_bytes"] = own["cache_bytes"] = own["sectors"] * roofline.SECTOR
    return own


def say_moves(row, kernels):
    """Sets what counted.lua says that a kernel moves."""
    name, memory, cache = row
    found = [kernel for kernel in kernels if kernel["kernel"].startswith(name)]
    if not found:
        raise SystemExit(f"{kernels[0]['case']}: no kernel is called {name}, of which counted.lua "
                         "says what it moves")
    for kernel in found:
        kernel["memory_bytes"] = float(memory)
        if cache != "counted":
            kernel["cache_bytes"] = float(cache)


def run(*command, capture=False, env=None):
    """Runs a command, which must succeed."""
    done = subprocess.run(command, capture_output=capture, text=True, env=env)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n"
                         + (done.stdout + done.stderr if capture else ""))
    return done
