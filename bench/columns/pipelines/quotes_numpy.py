# SPDX-License-Identifier: MIT
"""What examples/quotes.lua does, in NumPy."""
import argparse
import sys

import numpy as np

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("trades")
parser.add_argument("quotes")
given = parser.parse_args()

TRADES = [("time", "i8"), ("sym", "U8"), ("price", "f8"), ("size", "i8")]
QUOTES = [("time", "i8"), ("sym", "U8"), ("bid", "f8"), ("ask", "f8")]
trades, quotes = (np.loadtxt(path, dtype=dtype, delimiter=",", skiprows=1)
                  for path, dtype in zip((given.trades, given.quotes), (TRADES, QUOTES)))
sym, ids = np.unique(np.concatenate((quotes["sym"], trades["sym"])), return_inverse=True)
ours, theirs = ids[len(quotes):], ids[:len(quotes)]
span = 1 + max(trades["time"].max(), quotes["time"].max())
order = np.argsort(theirs * span + quotes["time"], kind="stable")
key = (theirs * span + quotes["time"])[order]
place = np.searchsorted(key, ours * span + trades["time"], "right") - 1
row = order[np.maximum(place, 0)]
found = (place >= 0) & (theirs[row] == ours)
bid, ask = (np.where(found, quotes[name][row], np.nan) for name in ("bid", "ask"))
print("time,sym,price,size,bid,ask")
columns = (trades[name].tolist() for name in ("time", "sym", "price", "size"))
sys.stdout.writelines(f"{t},{s},{p},{n},{b},{a}\n"
                      for t, s, p, n, b, a in zip(*columns, bid.tolist(), ask.tolist()))
