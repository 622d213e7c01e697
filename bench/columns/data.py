# SPDX-License-Identifier: MIT
"""Makes the files that bench/columns reads, the arrays that it asks under arrays/, and what must be
found in them: raw columns under truth/CASE/, int64 and float64 as they lie in memory, of strings
the ids from 1 on in order of first appearance (.ids, int32) and the names (.names, a line each).
The seed is fixed."""
import os
import shutil
import sys

import numpy as np

SEED = 13
START = 1795305600  # 2026-11-22 00:00 UTC, when the log and the trades begin
HOURS = 8
NAMES = [f"sym{i:02d}" for i in range(17)] + ["a, b", 'say "hi"', "x y z"]
MISSING = .05  # of the floats in quotes.csv
KEYS = (20, 10_000, 500_000)
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()

PATHS = ["/", "/favicon.ico", "/robots.txt", "/login", "/logout", "/search", "/cart", "/checkout",
         "/api/v1/items", "/api/v1/orders", "/api/v1/users", "/static/app.js", "/static/app.css",
         "/img/logo.svg", "/feed.xml"] + [f"/articles/{i}" for i in range(1, 26)]
METHODS = ["GET"] * 17 + ["POST"] * 2 + ["HEAD"]
STATUSES = [200] * 88 + [304] * 4 + [301] * 2 + [404] * 3 + [500, 502, 503]
REFERERS = ["-"] * 4 + ["https://www.example.org/", "https://www.example.org/search?q=tensor",
                        "https://news.example.net/item?id=4711"]
AGENTS = ["Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0", "curl/8.5.0", "-",
          "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Mobile/15E148", "Go-http-client/2.0"]


class Folder:
    """The folder of one number of rows, and the truth in it."""

    def __init__(self, path):
        self.path = path

    def lines(self, name, lines, header=None):
        with open(f"{self.path}/{name}", "w", encoding="utf-8", newline="") as file:
            if header:
                file.write(header + "\n")
            file.writelines(lines)

    def truth(self, case, **columns):
        """Int64, float64, or (ids from 0 on, names)."""
        self.raw(f"truth/{case}", columns)

    def arrays(self, name, **columns):
        self.raw(f"arrays/{name}", columns)

    def raw(self, place, columns):
        folder = f"{self.path}/{place}"
        os.makedirs(folder, exist_ok=True)
        for name, column in columns.items():
            if isinstance(column, tuple):
                write_strings(f"{folder}/{name}", *column)
            else:
                column.tofile(f"{folder}/{name}.{column.dtype}")


def write_strings(path, ids, names):
    """Ids into names, renumbered in order of first appearance."""
    used, first, inverse = np.unique(ids, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(1, len(order) + 1)
    place[inverse].tofile(path + ".ids")
    with open(path + ".names", "w", encoding="utf-8") as file:
        file.writelines(names[i] + "\n" for i in used[order])


def trades(folder, rng, n):
    """time,price,size: nanoseconds, two decimals, a small integer; trades4.csv is four of it."""
    time = np.sort(rng.integers(START * 10**9, (START + HOURS * 3600) * 10**9, n))
    price = np.round(100 + rng.normal(0, 2, n), 2)
    size = rng.integers(1, 10_000, n)
    rows = ["%d,%.2f,%d\n" % row for row in zip(time.tolist(), price.tolist(), size.tolist())]
    folder.lines("trades.csv", rows, "time,price,size")
    folder.lines("trades4.csv", rows * 4, "time,price,size")
    folder.truth("numbers", time=time, price=price, size=size)
    for case, times in (("chunks", 1), ("chunks of four", 4)):
        folder.truth(case, rows=np.array([n * times]), size=np.array([size.sum() * times]))


def quotes(folder, rng, n):
    """name,x,y,count: quoted names with commas and quotes in them, floats of 15 to 17 digits, some
    of them missing."""
    name = rng.integers(0, len(NAMES), n)
    x, y = rng.lognormal(0, 3, n), rng.normal(0, 1, n)
    count = rng.integers(1, 10_000, n)
    folder.truth("floats", x=x.copy())
    for column in (x, y):
        column[rng.random(n) < MISSING] = np.nan
    quoted = ['"' + text.replace('"', '""') + '"' for text in NAMES]
    folder.lines("quotes.csv", (
        "%s,%s,%s,%d\n" % (quoted[i], "" if a != a else repr(a), "" if b != b else repr(b), c)
        for i, a, b, c in zip(name.tolist(), x.tolist(), y.tolist(), count.tolist())
    ), "name,x,y,count")
    folder.truth("quoted", name=(name, NAMES), x=x, y=y, count=count)


def skewed(rng, n, count):
    """Choices among count things, the first ones most often."""
    return np.minimum((count * rng.random(n) ** 3).astype(np.int64), count - 1)


def log(folder, rng, n, name="access.log"):
    """Lines as nginx writes them in the combined format with $request_time behind it."""
    second = np.sort(rng.integers(START, START + HOURS * 3600, n))
    clock = {s: f"22/Nov/2026:{s // 3600 % 24:02d}:{s // 60 % 60:02d}:{s % 60:02d}"
             for s in np.unique(second).tolist()}
    visitors = rng.integers(0, 256, (50_000, 3)).tolist()
    visitors = [f"{a % 223 + 1}.{b}.{c}.{(a * b) % 254 + 1}" for a, b, c in visitors]
    path = skewed(rng, n, len(PATHS))
    query = np.where(rng.random(n) < .2, rng.integers(0, 100_000, n), -1)
    method = rng.integers(0, len(METHODS), n)
    status = np.array(STATUSES)[rng.integers(0, len(STATUSES), n)]
    size = np.where(status == 304, 0, rng.lognormal(8, 2, n).astype(np.int64))
    latency = np.round(rng.lognormal(-4, 1.2, n) + (status >= 500) * rng.random(n), 3)
    user = np.where(rng.random(n) < .01, "alice", "-").tolist()
    visitor, referer, agent = (skewed(rng, n, len(choices)).tolist()
                               for choices in (visitors, REFERERS, AGENTS))
    request = [f"{METHODS[m]} {PATHS[p]}{'' if q < 0 else f'?id={q}'} HTTP/1.1"
               for m, p, q in zip(method.tolist(), path.tolist(), query.tolist())]
    folder.lines(name, (
        f'{visitors[v]} - {u} [{clock[s]} +0000] "{r}" {code} {b} "{REFERERS[f]}" "{AGENTS[a]}" '
        f'{t:.3f}\n' for v, u, s, r, code, b, f, a, t in zip(
            visitor, user, second.tolist(), request, status.tolist(), size.tolist(), referer,
            agent, latency.tolist())))
    asked, ids = np.unique(request, return_inverse=True)
    common = {"time": second * 10**6, "status": status, "bytes": size, "latency": latency}
    folder.truth("log", path=(path, PATHS), **common)
    folder.truth("log, whole requests", request=(ids, asked.tolist()), **common)


def moments(folder, rng, n):
    """time,count: ISO 8601 to the second."""
    second = np.sort(rng.integers(START, START + HOURS * 3600, n))
    count = rng.integers(1, 10_000, n)
    words = np.datetime_as_string(second.astype("M8[s]")).tolist()
    folder.lines("times.csv", ("%sZ,%d\n" % row for row in zip(words, count.tolist())),
                 "time,count")
    folder.truth("times", time=second * 10**6, count=count)


def keys(folder, rng, n):
    """Files of one word a line, with so many distinct ones."""
    for distinct in KEYS:
        ids = rng.integers(0, distinct, n)
        names = [f"key-{i:07d}" for i in range(distinct)]
        folder.lines(f"keys-{distinct}.txt", (names[i] + "\n" for i in ids.tolist()))
        folder.truth(f"ids, {distinct}", key=(ids, names))


def groups(folder, rng, n):
    """Keys with gaps between them, and values whose sums are exact."""
    for distinct in KEYS:
        key = rng.integers(0, distinct, n) * 7919 + 13
        value = rng.integers(0, 10_000, n).astype(np.float64)
        folder.arrays(f"group-{distinct}", key=key, value=value)
        names, ids, count = np.unique(key, return_inverse=True, return_counts=True)
        ordered = value[np.lexsort((value, ids))]
        start = np.cumsum(count) - count
        place = .95 * (count - 1)
        low = ordered[start + np.floor(place).astype(np.int64)]
        high = ordered[start + np.ceil(place).astype(np.int64)]
        folder.truth(f"group, {distinct}", key=names, sum=np.bincount(ids, value),
                     min=ordered[start], max=ordered[start + count - 1])
        folder.truth(f"group p95, {distinct}", key=names, p95=low + (high - low) * (place % 1))


def moments_and_trades(folder, rng, n):
    """The last of n // 10 moments at or before each of n, of all or of those with the same key."""
    for case, distinct in (("asof", 1), ("asof by 20", 20), ("asof by 10000", 10_000)):
        sequence, values = (np.sort(rng.integers(0, HOURS * 3600 * 10**6, k)) for k in (n // 10, n))
        of_sequence, of_values = (rng.integers(0, distinct, k) for k in (n // 10, n))
        folder.arrays(case, sequence=sequence, values=values, of_sequence=of_sequence,
                      of_values=of_values)
        order = np.lexsort((sequence, of_sequence))
        place = np.searchsorted((of_sequence << 40 | sequence)[order], of_values << 40 | values,
                                "right") - 1
        found = order[np.maximum(place, 0)]
        none = (place < 0) | (of_sequence[found] != of_values)
        folder.truth(case, row=np.arange(n), at=np.where(none, 0, found + 1))


def many(folder, rng, n):
    """Ten values for each row: floats, integers with repetitions, and two sides of a join, on which
    half of the left ones find something."""
    x = rng.normal(0, 1, 10 * n)
    folder.arrays("quantiles", x=x)
    folder.truth("quantiles", q=np.quantile(x, np.arange(1, 10) / 10))
    value = rng.integers(0, n, 10 * n)
    folder.arrays("unique", x=value)
    folder.truth("unique", value=np.unique(value))
    left, a = rng.integers(0, 2 * n, 10 * n), rng.integers(0, 1000, 10 * n)
    right, b = rng.permutation(2 * n)[:n], rng.integers(0, 1000, n)
    folder.arrays("join", left=left, a=a, right=right, b=b)
    value = np.full(2 * n, -1)
    value[right] = b
    found = value[left] >= 0
    folder.truth("join", count=np.array([found.sum()]), a=np.array([a[found].sum()]),
                 b=np.array([value[left][found].sum()]))


def made(path, makers, seed):
    """Makes the folder whole or not at all, unless it is there: makers write to its path, each by
    random numbers of its own."""
    if os.path.isdir(path):
        return
    print(f"==> making {path}", file=sys.stderr)
    half = path + ".unfinished"
    shutil.rmtree(half, ignore_errors=True)
    os.makedirs(half)
    for k, maker in enumerate(makers):
        maker(half, np.random.default_rng([seed, k]))
    os.rename(half, path)


def make(path, n):
    made(path, [lambda half, rng, what=what: what(Folder(half), rng, n) for what in (
        trades, quotes, log, moments, keys, groups, moments_and_trades, many)], SEED)
