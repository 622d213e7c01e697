# SPDX-License-Identifier: MIT
"""What a GPU machine may lack, shown here: a bare Debian with Python alone, without LuaJIT, busted,
Lua, git, compilers, time zones, a home, or the right to write into the checkout. A copy of what
would be carried along runs there as far as it goes without a device; then the specs of CUDA and all
others run on the emulator, with LuaJIT and busted from build-gpu/. Root and debootstrap only."""
import json
import os
import shutil
import subprocess
import tempfile

import pack

ABSENT = ["git", "luajit", "lua", "lua5.1", "busted", "cc", "gcc", "cmake", "nvcc", "mpirun",
          "tmux", "valgrind", "curl", "gnuplot"]
AWAY = ["usr/share/zoneinfo", "usr/share/locale", "usr/share/terminfo"]  # besides
ALLOWED = ("passed", "no device", "left out: no device", "left out: Python has no")
EMULATED = "vectors,specs,suite"
SECONDS = 1500  # for those


def made(room):
    """The bare system, as debootstrap leaves it, with less still."""
    if not os.path.isdir(f"{room}/usr"):
        mirror = os.environ.get("DEBIAN_MIRROR")  # else debootstrap's own
        subprocess.run(["debootstrap", "--variant=minbase", "--include=python3", "bookworm", room,
                        *([mirror] if mirror else [])], check=True, stdout=subprocess.DEVNULL)
    for name in AWAY:
        shutil.rmtree(f"{room}/{name}", ignore_errors=True)
    for name in ("proc", "checkout"):
        os.makedirs(f"{room}/{name}", exist_ok=True)


def carried(room, built):
    """What would be carried, as it lies here, and the emulator."""
    shutil.rmtree(f"{room}/checkout")
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            check=True, capture_output=True, text=True).stdout.split("\0")
    names = [name for name in listed if name and os.path.isfile(name)]
    for name in [*names, *pack.files(), f"{built}/locus/core.so", f"{built}/locus/cuda_emu.so"]:
        into = f"{room}/checkout/{name}"
        os.makedirs(os.path.dirname(into), exist_ok=True)
        shutil.copyfile(name, into)  # without its modes
    for name in names:
        shutil.copymode(name, f"{room}/checkout/{name}")


def within(room, *words):
    """Runs the command in that system, where only /tmp can be written; its status."""
    inner = " && ".join(["mount --bind checkout checkout",
                         "mount -o remount,bind,ro checkout", "mount -t proc proc proc",
                         "exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "
                         'chroot . sh -c \'cd /checkout && exec "$@"\' sh "$@"'])
    return subprocess.call(["unshare", "--mount", "sh", "-c", inner, "sh", *words], cwd=room)


def judged(folder):
    """What was missing besides the device, by the results of a run in there."""
    with open(f"{folder}/bench.json", encoding="utf-8") as file:
        found = json.load(file)
    return [f"{row['step']}: {row['result']}" for row in found["steps"]
            if not row["result"].startswith(ALLOWED)]


def run(room, built):
    """Whether something was missing."""
    if not pack.facts():
        raise SystemExit(f"cleanroom: no {pack.FOLDER}/ here; ./bench/cuda/run pack makes it")
    folder = room or tempfile.mkdtemp(prefix="locus-room-")
    made(folder)
    bare = (f"for name in {' '.join(ABSENT)}; do if command -v $name; then exit 1; fi; done; "
            "command -v python3")
    if within(folder, "sh", "-c", bare) != 0:
        raise SystemExit(f"cleanroom: {folder} is no bare system with Python")
    carried(folder, built)
    wrong = []
    for into, words in (("/tmp/alone", []),
                        ("/tmp/emulated", ["rehearse", "--steps", EMULATED, "--built", built])):
        shutil.rmtree(folder + into, ignore_errors=True)
        seconds = str(SECONDS if words else 60)
        within(folder, "./bench/cuda/run", *words, "--into", into, "--seconds", seconds)
        wrong += judged(folder + into)
    if not room:
        shutil.rmtree(folder)
    print(*(f"MISSING or wrong: {one}" for one in wrong), sep="\n")
    print("cleanroom:", "FAILED" if wrong else "nothing is missing but the device",
          "" if not room else f"; its results are in {room}/tmp")
    return bool(wrong)
