# SPDX-License-Identifier: MIT
# What examples/requests.lua does, in polars.
import sys

import polars as pl

fields = ["ip", "dash", "user", "time", "zone", "request", "status", "bytes", "referer", "agent",
          "seconds"]
log = pl.scan_csv(sys.argv[1], separator=" ", has_header=False, new_columns=fields)
minute = pl.col("time").str.to_datetime("[%d/%b/%Y:%H:%M:%S").dt.truncate("1m")
report = log.group_by(minute.alias("minute")).agg(
    pl.len().alias("requests"),
    (pl.col("status") >= 500).sum().alias("errors"),
    (pl.col("seconds") > 0.5).sum().alias("slow"),
)
report.sort("minute").collect().write_csv(sys.stdout.buffer, datetime_format="%Y-%m-%dT%H:%M:%SZ")
