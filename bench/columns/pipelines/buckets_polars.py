# SPDX-License-Identifier: MIT
"""What examples/buckets.lua does, in polars."""
import argparse

import numpy as np
import polars as pl

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("file")
parser.add_argument("--dtype", default="float64")
parser.add_argument("--buckets", type=int, default=10)
given = parser.parse_args()

x = pl.DataFrame({"x": np.fromfile(given.file, given.dtype)}).filter(pl.col("x").is_not_nan())
limits = [x["x"].quantile(k / given.buckets, "linear") for k in range(given.buckets + 1)]
bucket = pl.col("x").bin_intervals(limits[1:-1], labels=False).alias("bucket")
found = x.group_by(bucket).agg(
    pl.len().alias("count"), pl.col("x").mean().alias("mean")).sort("bucket")
print("from,to,count,mean")
for k, count, mean in found.rows():
    print(f"{limits[k]:.9f},{limits[k + 1]:.9f},{count},{mean:.6f}")
