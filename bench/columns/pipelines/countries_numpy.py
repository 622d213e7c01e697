# SPDX-License-Identifier: MIT
"""What examples/countries.lua does, in NumPy."""
import argparse
import re

import numpy as np

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("log")
parser.add_argument("ranges")
given = parser.parse_args()

LINE = re.compile(r'(\d+)\.(\d+)\.(\d+)\.(\d+) [^"]*"[^"]*" \d+ (\d+) ')
with open(given.log, encoding="utf-8") as file:
    fields = np.array([match.groups() for match in map(LINE.match, file) if match]).astype(int)
ip = fields[:, :4] @ np.array([2**24, 2**16, 2**8, 1])
ranges = np.loadtxt(given.ranges, delimiter=",", comments="#",
                    dtype=[("first", "i8"), ("last", "i8"), ("country", "U2")])
place = np.searchsorted(ranges["first"], ip, "right") - 1
inside = (place >= 0) & (ip <= ranges["last"][place])
country, ids = np.unique(np.where(inside, ranges["country"][place], "??"), return_inverse=True)
requests, total = np.bincount(ids), np.bincount(ids, fields[:, 4]).astype(int)
print("country,requests,bytes")
for i in np.lexsort((country, -requests)):
    print(f"{country[i]},{requests[i]},{total[i]}")
