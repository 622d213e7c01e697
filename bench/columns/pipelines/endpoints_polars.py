# SPDX-License-Identifier: MIT
"""What examples/endpoints.lua does, in polars."""
import argparse

import polars as pl

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("log")
given = parser.parse_args()

FIELDS = ["ip", "dash", "user", "time", "zone", "request", "status", "bytes", "referer", "agent",
          "seconds"]
log = pl.scan_csv(given.log, separator=" ", has_header=False, new_columns=FIELDS).select(
    pl.col("time").str.to_datetime("[%d/%b/%Y:%H:%M:%S").dt.truncate("1m").alias("minute"),
    pl.col("request").str.split(" ").list.get(1).str.split("?").list.first().alias("path"),
    pl.col("status") >= 500,
    "seconds",
).collect()
requests, errors = pl.len().alias("requests"), pl.col("status").sum().alias("errors")
by_minute = log.group_by("minute").agg(requests, errors).sort("minute")
by_endpoint = log.group_by("path").agg(
    requests, errors, pl.col("seconds").quantile(.95, "linear").alias("p95"),
).sort("requests", "path", descending=[True, False])
print(by_minute.write_csv(datetime_format="%Y-%m-%dT%H:%M:%SZ"))
print(by_endpoint.write_csv(float_precision=4), end="")
