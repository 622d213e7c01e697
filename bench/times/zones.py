# SPDX-License-Identifier: MIT
"""Time zones beside Python's zoneinfo: every zone of the system, every transition from 1900 to 2100.

    python3 bench/times/zones.py [--build build] [ZONE...]

For each zone: the seconds around every transition and random ones in between go from UTC to local
time, and the local times around them back, where they exist, come twice, or are missing. Prints the
number of answers compared, and fails at the first zone that differs.
"""
import argparse
import datetime
import os
import random
import struct
import subprocess
import tempfile
import zoneinfo

EPOCH = datetime.datetime(1970, 1, 1)
BEGIN, END = (int((datetime.datetime(y, 1, 1) - EPOCH).total_seconds()) for y in (1900, 2101))
DAY = 86400

COMPARE = r"""
local internal = require "locus.core".internal
local locus = require "locus"
local folder = arg[1]
local compared = 0
for name in io.lines(folder .. "/names") do
  local base = folder .. "/" .. name:gsub("/", "@")
  local function column(of) return locus.from_file(base .. of, "int64") end
  local zone = internal.zone(name)
  local function same(what, got, expected)
    local differ = got:ne(expected)
    if differ:any() then
      local at = differ:nonzero()[1][1]
      error(("%s: %s at [%d]: got %s, expected %s"):format(name, what, at, tostring(got[at]),
        tostring(expected[at])), 0)
    end
    compared = compared + #expected
  end
  local utc = column ".utc"
  same("local", internal.clocks(utc, 1, zone), column ".local")
  local clock = column ".clock"
  same("first", internal.unclocks(clock, 1, zone, "first", "forward"), column ".first")
  same("second", internal.unclocks(clock, 1, zone, "second", "forward"), column ".second")
  local kind = column ".kind" -- 0: once, 1: twice, 2: missing
  local once = clock[kind:eq(0)]
  same("once", internal.unclocks(once, 1, zone), column ".first"[kind:eq(0)])
  for k, word in ipairs {"comes twice", "does not exist"} do
    local some = clock[kind:eq(k)]
    for i = 1, #some do
      local ok, message = pcall(internal.unclocks, some[{{i, i}}], 1, zone)
      if ok or not message:find(word, 1, true) then
        error(name .. ": no error that " .. tostring(some[i]) .. " " .. word, 0)
      end
      compared = compared + 1
    end
  end
end
print(compared .. " answers are those of zoneinfo")
"""


def offset(zone, second):
    time = (EPOCH + datetime.timedelta(seconds=second)).replace(tzinfo=datetime.timezone.utc)
    return int(time.astimezone(zone).utcoffset().total_seconds())


def transitions(zone):
    """Seconds at which the offset changes: days are compared, then halved. Two changes that cancel
    each other within a day would be missed; the random times do not miss their neighbours."""
    found, low, before = [], BEGIN, offset(zone, BEGIN)
    while low < END:
        high = low + DAY // 2
        after = offset(zone, high)
        if after != before:
            a, b = low, high
            while b - a > 1:
                middle = (a + b) // 2
                if offset(zone, middle) == before:
                    a = middle
                else:
                    b = middle
            found.append(b)
            before, low = offset(zone, b), b
        else:
            low = high
    return found


def of_clock(zone, clock):
    """The first and the second moment that show it, and whether it comes once, twice or never. For
    one that never comes both are the moment of the jump."""
    naive = EPOCH + datetime.timedelta(seconds=clock)
    moments = [clock - int(naive.replace(tzinfo=zone, fold=fold).utcoffset().total_seconds())
               for fold in (0, 1)]
    good = [m for m in moments if m + offset(zone, m) == clock]
    if not good:
        low, high = min(moments) - 1, max(moments) + 1
        before = offset(zone, low)
        while high - low > 1:
            middle = (low + high) // 2
            if offset(zone, middle) == before:
                low = middle
            else:
                high = middle
        return high, high, 2
    return min(good), max(good), int(len(set(good)) > 1)


def write(path, values):
    with open(path, "wb") as file:
        file.write(struct.pack(f"<{len(values)}q", *values))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("names", nargs="*", metavar="ZONE")
    options = parser.parse_args()
    names = options.names or sorted(zoneinfo.available_timezones())
    draw = random.Random(42)
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            zone = zoneinfo.ZoneInfo(name)
            changes = transitions(zone)
            utc = [t + d for t in changes for d in (-3600, -1, 0, 1, 3600)]
            utc += [draw.randrange(BEGIN, END) for _ in range(200)]
            local = [t + offset(zone, t) for t in utc]
            clock = [t + o + d for t in changes for o in (offset(zone, t - 1), offset(zone, t))
                     for d in (-1, 0, 1)]
            clock += [t + (offset(zone, t - 1) + offset(zone, t)) // 2 for t in changes] + local
            answers = [of_clock(zone, c) for c in clock]
            base = os.path.join(folder, name.replace("/", "@"))
            write(base + ".utc", utc)
            write(base + ".local", local)
            write(base + ".clock", clock)
            for i, kind in enumerate(("first", "second", "kind")):
                write(f"{base}.{kind}", [a[i] for a in answers])
        with open(os.path.join(folder, "names"), "w") as file:
            file.write("\n".join(names) + "\n")
        with open(os.path.join(folder, "compare.lua"), "w") as file:
            file.write(COMPARE)
        top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        env = dict(os.environ, LUA_PATH=f"{top}/lua/?.lua;{top}/lua/?/init.lua;;",
                   LUA_CPATH=f"{top}/{options.build}/?.so;;")
        subprocess.run(["luajit", os.path.join(folder, "compare.lua"), folder], check=True, env=env)


if __name__ == "__main__":
    main()
