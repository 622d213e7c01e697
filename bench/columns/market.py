# SPDX-License-Identifier: MIT
"""Makes what the pipelines read besides data.py's log: trades and quotes, ranges of addresses, and
numbers in binary. The seed is fixed."""
import numpy as np

import data

SEED = 14
START = 1795305600 * 10**6  # 2026-11-22 00:00 UTC
DAY = 86400 * 10**6
SYMBOLS = [f"SYM{i:03d}" for i in range(300)]
RANGES = 150_000  # about as many as Debian's tor-geoipdb has
COUNTRIES = [f"{a}{b}" for a in "ABCDEFGHIJ" for b in "KLMNOPQRST"]


def write(path, lines, header):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(header + "\n")
        file.writelines(lines)


def sides(rng, n):
    """Ascending times, symbols and prices, as lists."""
    time = np.sort(rng.integers(START, START + DAY, n))
    sym = rng.integers(0, len(SYMBOLS), n)
    price = np.round(50 + sym / 4 + rng.normal(0, 1, n), 2)
    return time.tolist(), [SYMBOLS[i] for i in sym.tolist()], price


def market(folder, rng, n):
    """time,sym,price,size and, twice as many, time,sym,bid,ask."""
    time, sym, price = sides(rng, n)
    size = rng.integers(1, 1000, n).tolist()
    write(f"{folder}/trades.csv", ("%d,%s,%s,%d\n" % row for row in
                                   zip(time, sym, price.tolist(), size)), "time,sym,price,size")
    time, sym, bid = sides(rng, 2 * n)
    ask = np.round(bid + rng.integers(1, 9, 2 * n) / 100, 2)
    write(f"{folder}/quotes.csv", ("%d,%s,%s,%s\n" % row for row in
                                   zip(time, sym, bid.tolist(), ask.tolist())), "time,sym,bid,ask")


def addresses(folder, rng):
    """first,last,country: ranges of IPv4 addresses with gaps, one behind the other."""
    limits = np.sort(rng.choice(2**32, 2 * RANGES, replace=False))
    country = rng.integers(0, len(COUNTRIES), RANGES)
    write(f"{folder}/ranges.csv", (f"{first},{last},{COUNTRIES[c]}\n" for first, last, c in zip(
        limits[::2].tolist(), limits[1::2].tolist(), country.tolist())), "# first,last,country")


def make(path, n):
    data.made(path, [
        lambda half, rng: market(half, rng, n // 2),
        addresses,
        lambda half, rng: rng.lognormal(0, 2, 10 * n).tofile(f"{half}/numbers.float64"),
    ], SEED)
