# SPDX-License-Identifier: MIT
"""The steps of a run, in an order that tells early whether the kernels are right. What is known is
in the results folder after every one of them."""
import glob
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import time

import earlier
import pack
import table
import together
from together import Command

# By step: the seconds that it may take, and what --help says of it.
STEPS = {
    "runners": (30, "every kernel's runner against the CPU's answers"),
    "vectors": (30, "the vectors taken from PyTorch"),
    "specs": (40, "the specs of CUDA"),
    "suite": (75, "all specs with the device as the default one"),
    "large": (60, "2^31 elements"),
    "sanitizers": (75, "compute-sanitizer over every runner"),
    "compare": (None, "the comparison with PyTorch, CuPy and CUB"),
    "cores": (90, "1 to 16 threads of this machine's processor, beside PyTorch and NumPy"),
}
ON_THE_CPU = ["cores"]
OF_A_FILE = 45        # seconds for one file of specs
NO_DEVICE, BROKEN = 3, 4  # what LOADING ends with where there is none, or one that fails
WORTH = 45            # seconds with which the comparison and the cores are worth beginning
VECTORS = "spec/conformance/conformance_spec.lua"
FIRST = ["searchsorted", "nonzero", "where"]
LIVE = ["-o", "gtest", "-Xoutput", "--plain"]  # names each spec before it runs
GOOD = ("[       OK ]", "[ RUN ", "[----", "[====", "[  PASSED")
# Building anew helps neither of the two, but where a file or its kernels do not load.
LOADING = """
local locus = require 'locus'
local why = locus.cuda.why()
if why then
  print(why)
  os.exit((why:find 'no driver' or why:find 'no device') and %d or 1)
end
local ok, said = pcall(function()
  assert((locus.ones(10, {device = 'cuda'}) + 1):sum() == 20, 'it adds wrongly')
  return locus.cuda.device_info().name
end)
print(said)
if not ok then os.exit(said:find 'image' and 1 or %d) end
print('baseline.so', pcall(require('ffi').load, '%s/baseline.so'))
"""


def spec_files(word=None):
    """Files of specs, those that have the word; the three operations first, then the longest."""
    found = []
    for path in glob.glob("spec/**/*_spec.lua", recursive=True):
        with open(path, encoding="utf-8") as file:
            if not word or word in file.read():
                found.append(path)
    return sorted(found, key=lambda path: (os.path.basename(path)[:-len("_spec.lua")] not in FIRST,
                                           -os.path.getsize(path), path))


def last_line(text):
    return (text.strip().splitlines() or [""])[-1].strip()


class Run:
    """One run: what was chosen of the steps, within the time that all of them have."""

    def __init__(self, options, folder, about):
        self.folder, self.about, self.built = folder, about, options.built
        self.rehearsal = options.command == "rehearse"
        self.before = earlier.Run(options.only_failed) if options.only_failed else None
        self.chosen = options.steps.split(",") if options.steps else list(STEPS)
        # So many times a step's own limit; a second run must leave time for what came last.
        self.patience = 20 if self.rehearsal else 4 if options.steps else 2 if self.before else 1
        if self.before:
            self.chosen = [name for name in self.chosen if self.before.left(name)]
        self.cores_wanted = "cores" in self.chosen and self.patience > 1
        self.deadline = time.monotonic() + options.seconds
        self.rows, self.failures, self.written = [], [], 0
        self.log = together.Log(f"{folder}/log.txt")
        self.environment = dict(os.environ, PYTHONUNBUFFERED="1", PYTHONDONTWRITEBYTECODE="1")
        if not os.access(self.environment.get("HOME", ""), os.W_OK):
            self.environment["HOME"] = tempfile.gettempdir()
        # With a device for one process alone nothing goes side by side.
        alone = about.get("compute mode", "Default") not in ("Default", "", "[N/A]")
        self.width = 1 if alone else max(2, min(12, len(os.sched_getaffinity(0)) - 2))

    def left(self):
        return self.deadline - time.monotonic()

    # -- What runs where -----------------------------------------------------------------------

    def use(self, built, cuda):
        """Lets what runs from now on find LuaJIT, the specs' modules and locus there."""
        carried, own = os.path.abspath(pack.FOLDER), self.environment
        paths = {"PATH": self.programs(carried), "LD_LIBRARY_PATH": f"{carried}/lib"}
        for name, path in paths.items():
            own[name] = os.pathsep.join(filter(None, [path, os.environ.get(name)]))
        own["PATH"] += os.pathsep + os.pathsep.join(pack.tools())
        rest = "" if os.path.isdir(carried) else ";;"  # a rehearsal needs no packing
        own["LUA_PATH"] = (f"./?.lua;./?/init.lua;lua/?.lua;lua/?/init.lua;{carried}/share/?.lua;"
                           f"{carried}/share/?/init.lua{rest}")
        own["LUA_CPATH"] = f"{built}/?.so;{carried}/lib/lua/?.so{rest}"
        own["LOCUS_BUILD"], own["LOCUS_CUDA"] = built, cuda
        self.built = built

    @staticmethod
    def programs(carried):
        """The folder with luajit, made one where it can be run: files may have lost their modes."""
        luajit = f"{carried}/bin/luajit"
        if not os.path.exists(luajit) or os.access(luajit, os.X_OK):
            return f"{carried}/bin"
        folder = tempfile.mkdtemp()
        for name in os.listdir(f"{carried}/bin"):
            shutil.copy(f"{carried}/bin/{name}", folder)
            os.chmod(f"{folder}/{name}", 0o755)
        return folder

    def python(self, script, *words):
        return [sys.executable, f"bench/cuda/{script}", *words]

    def specs_of(self, path, tags, **environment):
        busted = shutil.which("busted", path=self.environment["PATH"])
        words = ["luajit", busted or "busted", "--ignore-lua", *LIVE, *tags, path]
        return Command(path, words, OF_A_FILE * self.patience, environment)

    # -- What came of it -----------------------------------------------------------------------

    def row(self, name, **more):
        """A line of the table of steps, which is there from its beginning."""
        self.rows.append({"step": name, "seconds": 0, "result": "not ended", **more})
        self.write()
        return self.rows[-1]

    def settle(self, row, said, seconds):
        row.update(result=said, seconds=round(seconds, 1))
        print(f"==> {row['step']}: {said}, {seconds:.0f} s", flush=True)
        self.write()

    def leave_out(self, name, why):
        self.settle(self.row(name), f"left out: {why}", 0)

    def failed(self, ended):
        """Keeps the end of what was said, without what went well, but for what came last."""
        if ended.said == "passed" or not ended.text:
            return
        *lines, last = ended.text.rstrip().splitlines() or [""]
        lines = [line for line in lines if line and not line.startswith(GOOD)][-24:] + [last]
        self.failures.append({"step": ended.command.name, "result": ended.said, "text": lines})
        print(f"--- {ended.command.name}: {ended.said}", *lines[-12:], sep="\n", flush=True)

    def step(self, name, limit, words, **environment):
        """One command, and nothing beside it; what came of it."""
        row = self.row(name)
        command = Command(name, words, limit, environment)
        print(f"==> {name} (at most {min(limit, max(0, self.left())):.0f} s)", flush=True)
        ended, = together.run([command], 1, self.environment, self.log, self.left, self.look)
        self.failed(ended)
        self.settle(row, ended.said, ended.seconds)
        return ended

    def pool(self, name, commands):
        """A step of many commands, several at a time. Its line says which have not passed yet."""
        row = self.row(name, undone=[command.name for command in commands])
        start = time.monotonic()
        limit = self.limit(name)
        print(f"==> {name}: {len(commands)} files, {self.width} at a time (at most "
              f"{min(limit, max(0, self.left())):.0f} s)", flush=True)
        said, end = {}, start + limit
        for ended in together.run(commands, self.width, self.environment, self.log,
                                  lambda: min(self.left(), end - time.monotonic()), self.look):
            said.setdefault(ended.said.split(" (")[0], []).append(ended.command.name)
            if ended.said == "passed":
                row["undone"].remove(ended.command.name)
            self.failed(ended)
            self.write()
        passed = len(said.pop("passed", []))
        parts = [f"{what}: {', '.join(names) if len(names) < 20 else len(names)}"
                 for what, names in said.items()]
        self.settle(row, "passed" if not parts else "; ".join(
            [f"{passed} of {len(commands)} passed", *parts]), time.monotonic() - start)

    def limit(self, name):
        return STEPS[name][0] * self.patience

    def look(self):
        """Writes the table again when a step that goes on has left something new."""
        changed = max((os.path.getmtime(path) for path in map(self.path, table.PARTS)
                       if os.path.exists(path)), default=0)
        if changed > self.written:
            self.write()
            self.written = changed

    def path(self, name):
        return f"{self.folder}/{name}"

    def write(self):
        table.write(self.folder, self.about, self.rows, self.failures)

    # -- The steps -----------------------------------------------------------------------------

    def load(self, architecture):
        """Whether there is a device: with what was built beforehand, from these sources and for
        this GPU, where it loads; else with what is built here."""
        folder, facts = os.path.abspath(pack.FOLDER), pack.facts()
        if not facts:
            self.leave_out("load", f"no {pack.FOLDER}/ here; ./bench/cuda/run pack makes it")
            return False
        self.use(folder, f"{folder}/locus/cuda.so")
        stale = (facts.get("fingerprint") != pack.fingerprint()
                 or facts.get("architecture") != architecture)
        if stale:
            print(f"{pack.FOLDER}/ is of other sources or another GPU", flush=True)
        else:
            ended = self.loading()
            if ended.said == "passed" or ended.status in (NO_DEVICE, BROKEN):
                return ended.said == "passed"
        return self.build_here(architecture) and self.loading().said == "passed"

    def loading(self):
        ended = self.step("load", 60, ["luajit", "-e", LOADING % (NO_DEVICE, BROKEN, self.built)])
        if ended.status in (NO_DEVICE, BROKEN):
            self.rows[-1]["result"] = {NO_DEVICE: "no device: ", BROKEN: "FAILED: the device: "}[
                ended.status] + last_line(ended.text)
        elif ended.said == "passed" and not self.about.get("gpu"):
            self.about["gpu"] = ended.text.splitlines()[0]
        return ended

    def build_here(self, architecture):
        folder = os.path.abspath(pack.BUILT_HERE)
        missing = [name for name in ("cmake", pack.nvcc()) if not shutil.which(name)]
        if missing:
            self.leave_out("build", f"no {' and no '.join(missing)} here")
            return False
        os.makedirs(folder, exist_ok=True)
        for command in pack.builds(folder, architecture, os.cpu_count()):
            name = "build: " + os.path.basename(command[0])
            if self.step(name, 240, command).said != "passed":
                return False
        self.use(folder, f"{folder}/locus/cuda.so")
        return True

    def runners(self):
        self.step("runners", self.limit("runners"), self.every_runner())

    def every_runner(self):
        return ["luajit", "bench/cuda/runners.lua", *(["5000"] if self.rehearsal else [])]

    def vectors(self):
        command = self.specs_of(VECTORS, [])
        self.step("vectors", self.limit("vectors"), command.words, LOCUS_TEST_DEVICE="cuda")

    def specs(self):
        tags = ["--tags=cuda", *([] if self.rehearsal else ["--exclude-tags=emulator"])]
        self.pool("specs", self.undone("specs", [
            self.specs_of(path, tags) for path in spec_files("#cuda")]))

    def suite(self):
        """All specs with the device as the default one, but those that are about the host."""
        self.pool("suite", self.undone("suite", [
            self.specs_of(path, ["--exclude-tags=host,large,emulator,cuda"],
                          LOCUS_TEST_DEVICE="cuda")
            for path in spec_files() if path != VECTORS]))

    def undone(self, step, commands):
        names = self.before and self.before.undone(step)
        return [command for command in commands if not names or command.name in names]

    def large(self):
        self.step("large", self.limit("large"), ["luajit", "bench/cuda/large.lua",
                                                 *(["12"] if self.rehearsal else [])])

    def sanitizers(self):
        """Both at once, as long as the device lets them."""
        tool = shutil.which("compute-sanitizer", path=self.environment["PATH"])
        if not tool:
            return self.leave_out("sanitizers", "no compute-sanitizer in PATH or beside nvcc")
        self.pool("sanitizers", self.undone("sanitizers", [
            Command(name, [tool, "--tool", name, "--error-exitcode", "9", "--print-limit", "20",
                           *self.every_runner()], self.limit("sanitizers"))
            for name in ("memcheck", "racecheck")]))

    def compare(self):
        limit = self.left() - 10 - (STEPS["cores"][0] if self.cores_wanted else 0)
        words = self.python("compare.py", "--into", self.path(table.COMPARISON), "--seconds",
                            f"{max(0, limit - 35):.0f}")
        if self.before and self.before.cases():
            words += ["--cases", json.dumps(self.before.cases())]
        if self.rehearsal:
            words += ["--rehearsal"]
        elif os.path.exists(f"{self.built}/baseline.so"):
            words += ["--baseline", f"{self.built}/baseline.so"]
        self.part("compare", limit, words, table.COMPARISON)

    def cores(self):
        limit = min(STEPS["cores"][0], self.left())
        words = self.python("cores.py", "--into", self.path(table.CORES), "--seconds",
                            f"{max(0, limit - 8):.0f}")
        self.part("cores", limit, words + (["--rehearsal"] if self.rehearsal else []), table.CORES)

    def part(self, name, limit, words, file):
        """A step of cases, which has not passed before all of them were measured."""
        if self.left() < WORTH:
            return self.leave_out(name, "no time")
        self.step(name, limit, words)
        left_out = table.part(self.folder, file)["left_out"]
        if left_out and self.rows[-1]["result"] == "passed":
            self.settle(self.rows[-1], f"left out: {len(left_out)} cases, no time",
                        self.rows[-1]["seconds"])

    def missing(self, name):
        """Which module of Python a step lacks."""
        wanted = {"compare": ["torch", "numpy"], "cores": ["torch", "numpy"]}.get(name, [])
        return [module for module in wanted if not importlib.util.find_spec(module)]

    def run(self, architecture):
        """What was chosen. A rehearsal takes the modules of build/ and the emulator."""
        if self.rehearsal:
            there = True
            self.use(os.path.abspath(self.built), "emu")
        else:
            there = self.load(architecture)
        for name in STEPS:
            if name not in self.chosen:
                continue
            missing = self.missing(name)
            if missing:
                self.leave_out(name, f"Python has no {' and no '.join(missing)} here")
            elif there or name in ON_THE_CPU:
                getattr(self, name)()
            else:
                self.leave_out(name, "no device")
        self.finish()

    def finish(self):
        """Leaves one file of what was measured."""
        self.write()
        for name in table.PARTS:
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
