# SPDX-License-Identifier: MIT
"""What examples/countries.lua does, in polars."""
import argparse
import sys

import polars as pl

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("log")
parser.add_argument("ranges")
given = parser.parse_args()

FIELDS = ["ip", "dash", "user", "time", "zone", "request", "status", "bytes", "referer", "agent",
          "seconds"]
log = pl.scan_csv(given.log, separator=" ", has_header=False, new_columns=FIELDS)
part = pl.col("ip").str.split_exact(".", 3).struct
ip = sum(part.field(f"field_{k}").cast(pl.Int64, strict=False) * 256**(3 - k) for k in range(4))
ranges = pl.scan_csv(given.ranges, has_header=False, comment_prefix="#",
                     new_columns=["first", "last", "country"]).set_sorted("first")
inside = pl.col("ip") <= pl.col("last")
counted = (
    log.select(ip.alias("ip"), "bytes").filter(pl.col("ip").is_not_null()).sort("ip")
    .join_asof(ranges, left_on="ip", right_on="first")
    .group_by(pl.when(inside).then("country").otherwise(pl.lit("??")).alias("country"))
    .agg(pl.len().alias("requests"), pl.col("bytes").sum())
    .sort("requests", "country", descending=[True, False])
)
counted.collect().write_csv(sys.stdout.buffer)
