# SPDX-License-Identifier: MIT
"""build-gpu/: all that a GPU machine lacks, made on a Debian machine with nvcc: LuaJIT, busted, and
locus/core.so, locus/cuda.so and baseline.so built beforehand."""
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess

from text import commit

FOLDER = "build-gpu"
MADE = "build-gpu-made"  # cmake's folder; stays behind
BUILT_HERE = "build-gpu-here"
LIMIT = 40               # MB: the checkout has 8, and 64 MiB of both can be carried along
PACKAGES = ["lua-busted", "lua-cliargs", "lua-filesystem", "lua-luassert", "lua-mediator",
            "lua-penlight", "lua-say", "lua-system", "lua-term"]
SOURCES = ["CMakeLists.txt", "bench/cuda/baseline.cu", "src/**/*", "cuda/**/*"]


def fingerprint():
    """Of the sources: what was built from others is stale."""
    whole = hashlib.sha256()
    for path in sorted(p for pattern in SOURCES for p in glob.glob(pattern, recursive=True)):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                whole.update(path.encode() + b"\0" + file.read())
    return whole.hexdigest()


def facts():
    """What pack wrote down; nothing where it did not run."""
    try:
        with open(f"{FOLDER}/about.json", encoding="utf-8") as file:
            return json.load(file)
    except OSError:
        return {}


def builds(folder, architecture, jobs):
    """The commands that build the three shared objects into that folder."""
    include = f"{FOLDER}/include"
    return [
        ["cmake", "-S", ".", "-B", MADE, "-DLOCUS_CUDA=ON", "-DLOCUS_CUDA_EMULATOR=OFF",
         "-DLOCUS_MPI=OFF", "-DLOCUS_WERROR=OFF",
         f"-DCMAKE_CUDA_ARCHITECTURES={architecture}-real", "-DCMAKE_CUDA_FLAGS=-lineinfo",
         "-DCMAKE_SHARED_LINKER_FLAGS=-s", "-DCMAKE_MODULE_LINKER_FLAGS=-s",
         f"-DLUA_INCDIR={os.path.abspath(include)}"],
        ["cmake", "--build", MADE, "--parallel", str(jobs)],
        ["cmake", "-E", "copy_directory", f"{MADE}/locus", f"{folder}/locus"],
        [nvcc(), "-std=c++17", "-O3", "-Werror", "all-warnings", "-gencode",
         f"arch=compute_{architecture},code=sm_{architecture}", "-Xcompiler", "-fPIC", "-shared",
         "-cudart", "static", "-Xlinker", "-s", *compressed(), "-o", f"{folder}/baseline.so",
         "bench/cuda/baseline.cu"],
    ]


def nvcc():
    places = [os.environ.get("CUDACXX"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"]
    return next((place for place in places if place and os.path.exists(place)), "nvcc")


def tools():
    """Folders where NVIDIA's tools may lie: beside nvcc, and in installations of their own."""
    beside = os.path.dirname(os.path.realpath(nvcc()))
    places = [beside, os.path.join(os.path.dirname(beside), "compute-sanitizer"),
              *glob.glob("/usr/local/cuda*/bin"), *glob.glob("/usr/local/cuda*/compute-sanitizer"),
              *glob.glob("/opt/nvidia/*/*/compute-sanitizer")]
    return [place for place in dict.fromkeys(places) if os.path.isdir(place)]


def compressed():
    """As CMakeLists.txt has it."""
    version = subprocess.run([nvcc(), "--version"], capture_output=True, text=True).stdout
    major = re.search(r"release (\d+)", version)
    return ["--compress-mode=size"] if major and int(major[1]) >= 13 else []


def listed(package):
    text = subprocess.run(["dpkg", "-L", package], check=True, capture_output=True, text=True)
    return text.stdout.split()


def copy(path, target):
    target = f"{FOLDER}/{target}"
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(os.path.realpath(path), target)


def carry_lua():
    copy(shutil.which("luajit"), "bin/luajit")
    copy(shutil.which("busted"), "bin/busted")
    for path in listed("libluajit-5.1-2"):
        if path.endswith(".so.2"):
            copy(path, "lib/" + os.path.basename(path))
    for path in listed("libluajit-5.1-dev"):
        if path.endswith(".h"):
            copy(path, "include/" + os.path.basename(path))
    for package in PACKAGES:
        for path in listed(package):
            for part, into in ("/share/lua/5.1/", "share/"), ("/lua/5.1/", "lib/lua/"):
                if part in path and os.path.splitext(path)[1] in (".lua", ".so"):
                    copy(path, into + path.split(part)[1])
                    break


def files():
    return sorted(os.path.join(at, name) for at, _, names in os.walk(FOLDER) for name in names)


def needs(path):
    """The newest version of the C library that a shared object names; nothing of other files."""
    with open(path, "rb") as file:
        content = file.read()
    if not content.startswith(b"\x7fELF"):
        return None
    named = re.findall(rb"\0GLIBC_(\d+)\.(\d+)", content)
    return max(((int(major), int(minor)) for major, minor in named), default=None)


def report(limit):
    """Prints what is large; whether all of it is within so many MB."""
    sizes = {path: os.path.getsize(path) for path in files()}
    small = {path: size for path, size in sizes.items() if size < 2e5}
    for path in sorted(sizes.keys() - small.keys(), key=sizes.get, reverse=True):
        print(f"{sizes[path] / 1e6:8.2f} MB  {path}")
    print(f"{sum(small.values()) / 1e6:8.2f} MB  {len(small)} others")
    whole = sum(sizes.values()) / 1e6
    newest = max(filter(None, map(needs, sizes)))
    print(f"{whole:8.2f} MB  {FOLDER}/, which needs glibc {newest[0]}.{newest[1]} or later")
    if whole > limit:
        print(f"FAILED: that is more than --limit {limit:g} MB")
    else:
        print(f"\nnext: ./bench/cuda/run cleanroom, then carry {FOLDER}/ along with the checkout "
              "and call, on the GPU machine:\n  ./bench/cuda/run --into FOLDER --seconds 330")
    return whole > limit


def pack(architecture, limit):
    """Makes the folder anew; whether it failed."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    carry_lua()
    for command in builds(FOLDER, architecture, len(os.sched_getaffinity(0))):
        print("+", " ".join(command), flush=True)
        subprocess.run(command, check=True)
    with open(f"{FOLDER}/about.json", "w", encoding="utf-8") as file:
        json.dump({"commit": commit(), "fingerprint": fingerprint(),
                   "architecture": architecture}, file)
    return report(limit)
