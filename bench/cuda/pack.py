# SPDX-License-Identifier: MIT
"""build-gpu/: all that a GPU machine lacks, made on a Debian machine with nvcc: LuaJIT, busted, and
locus/core.so, locus/cuda.so and baseline.so built beforehand."""
import glob
import hashlib
import json
import os
import shutil
import subprocess

from text import commit

FOLDER = "build-gpu"
MADE = "build-gpu-made"  # cmake's folder; stays behind
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
         "-DLOCUS_WERROR=OFF", f"-DCMAKE_CUDA_ARCHITECTURES={architecture}-real",
         "-DCMAKE_CUDA_FLAGS=-lineinfo", f"-DLUA_INCDIR={os.path.abspath(include)}"],
        ["cmake", "--build", MADE, "--parallel", str(jobs)],
        ["cmake", "-E", "copy_directory", f"{MADE}/locus", f"{folder}/locus"],
        [nvcc(), "-std=c++17", "-O3", "-Werror", "all-warnings", "-gencode",
         f"arch=compute_{architecture},code=sm_{architecture}", "-Xcompiler", "-fPIC", "-shared",
         "-cudart", "static", "-o", f"{folder}/baseline.so", "bench/cuda/baseline.cu"],
    ]


def nvcc():
    places = [os.environ.get("CUDACXX"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"]
    return next((place for place in places if place and os.path.exists(place)), "nvcc")


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


def pack(architecture):
    """Makes the folder anew."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    carry_lua()
    for command in builds(FOLDER, architecture, len(os.sched_getaffinity(0))):
        print("+", " ".join(command), flush=True)
        subprocess.run(command, check=True)
    with open(f"{FOLDER}/about.json", "w", encoding="utf-8") as file:
        json.dump({"commit": commit(), "fingerprint": fingerprint(),
                   "architecture": architecture}, file)
    size = sum(os.path.getsize(os.path.join(at, name))
               for at, _, names in os.walk(FOLDER) for name in names)
    print(f"{FOLDER}/: {size / 1e6:.1f} MB to carry along")
