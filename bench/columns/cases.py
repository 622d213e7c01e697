# SPDX-License-Identifier: MIT
"""What bench/columns measures, as data, and what it is to reach. How each case is called stands in
peers.py for the peers and in contender.lua for locus, under the same names."""
from dataclasses import dataclass, field

SPARE = 16  # MB that a read may take besides its columns


@dataclass
class Case:
    """file is read, or is what is written; columns have dtypes, of strings "string". page is the
    best peer in the research behind the goals, with its seconds there; goal is in MB/s where the
    case reads a file, else in seconds; ratio is how many times longer the peer of that page should
    take, and follows from page and goal where no other was set; best the same of the fastest peer
    of the run, where that is what is wanted instead. chunk is the rows that are held at
    once: all, where it is None. Without a file the case works on what data.py left in arrays/NAME;
    its rows may come in any order, and are compared in that of the first column; floats may differ
    by a rounding."""
    name: str
    file: str  # None: arrays
    columns: dict
    page: tuple = None
    page_mb: float = None
    goal: float = None
    unit: str = "MB/s"
    ratio: float = None
    best: float = None
    chunk: int = None
    reads: bool = field(default=True)

    @property
    def answer(self):
        """The columns to be compared: none of what is written, which is compared as text."""
        return ANSWER if self.chunk else self.columns if self.reads else {}

    def there(self, row):
        """The seconds that the page's peer would have taken for the rows of this run."""
        return self.page[1] * (row["mb"] / self.page_mb if self.page_mb else row["scale"])

    def ratio_wanted(self):
        goal = self.page_mb / self.goal if self.page_mb else self.goal
        return self.ratio or self.page[1] / goal

    def bytes_of_columns(self, rows):
        """What the columns take that are held at once, but for the names of strings."""
        width = {"string": 4, "int32": 4, "int16": 2}
        return (self.chunk or rows) * sum(width.get(dtype, 8) for dtype in self.columns.values())


NUMBERS = {"time": "int64", "price": "float64", "size": "int64"}
LOG = {"time": "int64", "path": "string", "status": "int16", "bytes": "int64",
       "latency": "float64"}
WHOLE = {"request" if name == "path" else name: dtype for name, dtype in LOG.items()}
ANSWER = {"rows": "int64", "size": "int64"}
KEY = {"key": "string"}
GROUP = {"key": "int64", "sum": "float64", "min": "float64", "max": "float64"}
P95 = {"key": "int64", "p95": "float64"}
POSITIONS = {"row": "int64", "at": "int64"}

CASES = [
    Case("numbers", "trades.csv", NUMBERS, ("polars", .099), 31.4, 400, ratio=1.2),
    Case("quoted", "quotes.csv",
         {"name": "string", "x": "float64", "y": "float64", "count": "int64"},
         ("polars", .148), 50, 340),
    Case("log", "access.log", LOG, ("pyarrow", .283), 129.4, 600, ratio=1.3),
    Case("log, whole requests", "access.log", WHOLE),
    Case("times", "times.csv", {"time": "int64", "count": "int64"}, ("pyarrow", .081), 23.9, 500),
    Case("chunks", "trades.csv", NUMBERS, chunk=100_000),
    Case("chunks of four", "trades4.csv", NUMBERS, chunk=100_000),
    Case("ids, 20", "keys-20.txt", KEY, ("polars", .014), None, .015, "s"),
    Case("ids, 10000", "keys-10000.txt", KEY, ("pandas", .019), None, .02, "s"),
    Case("ids, 500000", "keys-500000.txt", KEY, ("pandas", .144), None, .12, "s"),
    Case("write", "trades.csv", NUMBERS, ("polars", .047), None, .08, "s", reads=False),
    Case("write, two decimals", "trades.csv", NUMBERS, ("polars", .096), None, .08, "s",
         reads=False),
    Case("floats", "floats.csv", {"x": "float64"}, ("polars", .041), None, .15, "s", reads=False),
    Case("group, 20", None, GROUP, ("duckdb", .014), None, .01, "s", best=1.4),
    Case("group, 10000", None, GROUP, ("pandas", .031), None, .015, "s", best=1.4),
    Case("group, 500000", None, GROUP, ("pandas", .113), None, .05, "s", best=1.4),
    Case("group p95, 20", None, P95, ("polars", .015), None, .02, "s"),
    Case("group p95, 10000", None, P95, ("polars", .039), None, .025, "s"),
    Case("group p95, 500000", None, P95, ("pandas", .119), None, .06, "s"),
    Case("asof", None, POSITIONS, ("polars", .007), None, .01, "s", best=2),
    Case("asof by 20", None, POSITIONS, ("pandas", .025), None, .01, "s", best=2),
    Case("asof by 10000", None, POSITIONS, ("pandas", .033), None, .01, "s", best=2),
    Case("quantiles", None, {"q": "float64"}, ("numpy", .294), None, .09, "s", ratio=3),
    Case("unique", None, {"value": "int64"}, ("numpy", None), None, None, "s", ratio=5),
    Case("join", None, {"count": "int64", "a": "int64", "b": "int64"}, ("polars", None), None,
         None, "s", ratio=1.2),
]
BY_NAME = {case.name: case for case in CASES}
