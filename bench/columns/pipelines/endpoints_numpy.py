# SPDX-License-Identifier: MIT
"""What examples/endpoints.lua does, in NumPy."""
import argparse
import re
import time

import numpy as np

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("log")
given = parser.parse_args()

LINE = re.compile(r'\S+ - \S+ \[(\S+) \S+\] "\S+ ([^ ?"]*)[^"]*" (\d+) \d+ "[^"]*" "[^"]*" (\S+)')
with open(given.log, encoding="utf-8") as file:
    clock, path, status, seconds = zip(*(LINE.match(line).groups() for line in file))
error = np.array(status).astype(int) >= 500
seconds = np.array(seconds, dtype=float)
minute, ids = np.unique([text[:17] for text in clock], return_inverse=True)
count, errors = np.bincount(ids), np.bincount(ids, error).astype(int)
lines = [f"{time.strftime('%Y-%m-%dT%H:%M:00Z', time.strptime(m, '%d/%b/%Y:%H:%M'))},{n},{e}"
         for m, n, e in zip(minute.tolist(), count, errors)]
print("minute,requests,errors", *sorted(lines), sep="\n", end="\n\n")
path, ids = np.unique(path, return_inverse=True)
count, errors = np.bincount(ids), np.bincount(ids, error).astype(int)
ordered = seconds[np.lexsort((seconds, ids))]
place = .95 * (count - 1)
first = np.cumsum(count) - count + np.floor(place).astype(int)
last = np.cumsum(count) - count + np.ceil(place).astype(int)
p95 = ordered[first] + (ordered[last] - ordered[first]) * (place % 1)
print("path,requests,errors,p95")
for i in np.lexsort((path, -count)):
    print(f"{path[i]},{count[i]},{errors[i]},{p95[i]:.4f}")
