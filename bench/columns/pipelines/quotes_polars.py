# SPDX-License-Identifier: MIT
"""What examples/quotes.lua does, in polars."""
import argparse
import sys

import polars as pl

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("trades")
parser.add_argument("quotes")
given = parser.parse_args()

trades, quotes = (pl.read_csv(path).set_sorted("time") for path in (given.trades, given.quotes))
joined = trades.join_asof(quotes, on="time", by="sym")
joined.write_csv(sys.stdout.buffer, null_value="nan")
