# SPDX-License-Identifier: MIT
"""What examples/buckets.lua does, in NumPy."""
import argparse

import numpy as np

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("file")
parser.add_argument("--dtype", default="float64")
parser.add_argument("--buckets", type=int, default=10)
given = parser.parse_args()

x = np.fromfile(given.file, given.dtype)
x = x[~np.isnan(x)]
limits = np.quantile(x, np.arange(given.buckets + 1) / given.buckets)
bucket = np.searchsorted(limits[1:-1], x, "right")
count = np.bincount(bucket, minlength=given.buckets)
mean = np.bincount(bucket, x, given.buckets) / count
print("from,to,count,mean")
for row in zip(limits[:-1].tolist(), limits[1:].tolist(), count, mean):
    print("%.9f,%.9f,%d,%.6f" % row)
