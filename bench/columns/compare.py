# SPDX-License-Identifier: MIT
"""Text to columns and back, locus beside polars, pyarrow, pandas and duckdb: makes the files,
checks every answer, measures in processes of their own, judges the goals. bench/README.md says
more."""
import argparse
import datetime
import importlib.metadata
import json
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.append("bench")

import cases
import check
import data
import goals
import peers
import pipeline
import table
from text import commit

HERE = os.path.dirname(os.path.abspath(__file__))
LONG = 1.    # seconds of a call that is not called again in the same process
CLOSE = 1.5  # times the fastest form's first calls that another one of its library may take


def arguments():
    parser = argparse.ArgumentParser(prog="bench/columns/run", description=__doc__)
    parser.add_argument("cases", nargs="*", help="the first words of cases' names (default: all)")
    parser.add_argument("--list", action="store_true", help="name the cases and stop")
    parser.add_argument("--quick", action="store_true", help="1e5 rows and one round, for trying")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=3, help="in each process of a round")
    parser.add_argument("--save", action="store_true",
                        help="keep the results in bench/results/<date>-columns-<commit>")
    parser.add_argument("--into", help="the same into that folder")
    parser.add_argument("--threads", default="1,2" if os.cpu_count() > 1 else "1",
                        help="numbers of threads of all contenders (default: %(default)s)")
    options = parser.parse_args()
    options.threads = sorted({1, *map(int, options.threads.split(","))})
    options.rows = 100_000 if options.quick else 1_000_000
    options.rounds = 1 if options.quick else options.rounds
    return options


class Bench:
    """The contenders of all cases over the files of one number of rows."""

    def __init__(self, options):
        self.options, self.notes, self.wrong = options, [], False
        self.folder = f"build-bench/columns-{options.rows}"
        data.make(self.folder, options.rows)

    def process(self, case, contender, calls, answer=None, threads=1):
        """The figures of one process, or what it said instead."""
        library, form = contender
        path, out = f"{self.folder}/{case.file or 'arrays'}", f"{self.folder}/written.csv"
        words = [self.folder, path, out, case.name]
        words = (["luajit", f"{HERE}/contender.lua", *words] if library == "locus"
                 else [sys.executable, f"{HERE}/contender.py", *words, library, str(form)])
        done = subprocess.run([*words, str(calls), *([answer] if answer else [])],
                              capture_output=True, text=True,
                              env={**os.environ, **peers.threads(threads)})
        if done.returncode:
            said = [line for line in done.stderr.splitlines() if line.strip()] or ["no word"]
            return {"failed": (said[0] if library == "locus" else said[-1])[:200]}
        return json.loads(done.stdout.splitlines()[-1])

    def checked(self, case, contender):
        """The first figures of a contender whose answer is right, else None and a note."""
        answer = tempfile.mkdtemp(dir=self.folder)
        try:
            figures = self.process(case, contender, 2, answer)
            wrong = (figures.get("missing") and f"there is no {figures['missing']}"
                     or figures.get("failed")
                     or check.difference(case, self.folder, answer, f"{self.folder}/written.csv"))
        finally:
            shutil.rmtree(answer)
        if not wrong:
            return figures
        library, form = contender
        said = "" if library == "locus" else f" `{peers.CALLS[case.name][library][form]}`"
        self.notes.append(f"{case.name}: {library}{said} is left out: {wrong}")
        if library == "locus" and "missing" not in figures:
            self.wrong = True
            print(f"WRONG  {case.name}: {wrong}", file=sys.stderr)
        return None

    def right(self, case):
        """The contenders that answer rightly, with the seconds of a call: all forms of a library
        that may turn out to be its fastest."""
        forms = [(library, k) for library, alternatives in peers.CALLS[case.name].items()
                 for k in range(len(alternatives))]
        found, least = {}, {}
        for contender in [("locus", 0), *forms]:
            figures = self.checked(case, contender)
            if figures:
                found[contender] = cost = min(figures["seconds"])
                least[contender[0]] = min(cost, least.get(contender[0], cost))
        return {contender: cost for contender, cost in found.items()
                if cost <= CLOSE * least[contender[0]]}

    def row(self, case):
        """A case measured: its contenders in turn, round by round; of a library's forms the fastest
        one counts, of one thread by processor time, of each number of threads by the clock."""
        figures = self.figures(case, self.right(case))
        chosen, wall = {}, {}
        for (contender, count), found in figures.items():
            one, library = self.summary(case, contender, found), contender[0]
            times = wall.setdefault(library, {})
            times[count] = min(one.pop("wall"), times.get(count, math.inf))
            if count == 1 and (library not in chosen
                               or one["seconds"] < chosen[library]["seconds"]):
                chosen[library] = one
        for library, one in chosen.items():
            one["wall"] = wall[library]
        path = f"{self.folder}/{case.file if case.reads else 'written.csv'}"
        names = f"{self.folder}/truth/{case.name}"
        reads = case.reads and case.file
        held = sum(os.path.getsize(f"{names}/{name}.names") for name, dtype in case.answer.items()
                   if dtype == "string")
        return {
            "case": case.name, "scale": self.options.rows / 1e6,
            "mb": os.path.getsize(path) / 1e6 if case.file else None,
            "columns": case.bytes_of_columns(self.options.rows) + held if reads else 0,
            "contenders": chosen,
        }

    def figures(self, case, contenders):
        """What the processes of each contender said, by contender and number of threads."""
        found = {(contender, count): [] for contender in contenders
                 for count in self.options.threads}
        for _ in range(self.options.rounds):
            for (contender, count), said in found.items():
                calls = 1 if contenders[contender] > LONG else self.options.calls
                said.append(self.process(case, contender, calls, threads=count))
                if "seconds" not in said[-1]:
                    sys.exit(f"{case.name}: {contender[0]} failed: {said[-1]['failed']}")
        return found

    @staticmethod
    def summary(case, contender, found):
        library, form = contender
        return {
            "seconds": statistics.median(s for run in found for s in run["seconds"]),
            "least": min(s for run in found for s in run["seconds"]),
            "first": statistics.median(run["seconds"][0] for run in found),
            "wall": statistics.median(s for run in found for s in run["wall"]),
            "rise": statistics.median(run["rise"] for run in found),
            "form": None if library == "locus" else peers.CALLS[case.name][library][form],
        }


def about(options):
    libraries = ("polars", "pyarrow", "pandas", "duckdb", "numpy")
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return {
        "date": datetime.date.today().isoformat(), "commit": commit(),
        "cpu": names[0] if names else platform.machine(), "cores": os.cpu_count(),
        "versions": {name: importlib.metadata.version(name) for name in libraries},
        "python": platform.python_version(), "rows": options.rows, "rounds": options.rounds,
        "calls": options.calls, "threads": options.threads,
        "load at the start": round(os.getloadavg()[0], 2),
    }


def main():
    options = arguments()
    wanted = [case for case in cases.CASES
              if not options.cases or case.name.startswith(tuple(options.cases))]
    with_pipeline = not options.cases or pipeline.NAME.startswith(tuple(options.cases))
    if not wanted and not with_pipeline:
        sys.exit("bench/columns/run: no such case; see --list")
    if options.list:
        names = [case.name for case in wanted] + [pipeline.NAME] * with_pipeline
        print(*names, sep="\n")
        return
    bench, facts = Bench(options), about(options)
    table.head(facts)
    rows = []
    for case in wanted:
        rows.append(bench.row(case))
        table.lines(rows[-1], len(rows) == 1)
    found = {"about": facts, "rows": rows, "judged": goals.judge(rows), "notes": bench.notes}
    if with_pipeline:
        found["pipelines"] = pipeline.measured(bench.folder, options)
    facts["load at the end"] = round(os.getloadavg()[0], 2)
    table.finish(found)
    folder = options.into or (options.save and
                              f"bench/results/{facts['date']}-columns-{facts['commit']}")
    if folder:
        table.write(folder, found)
    sys.exit(bench.wrong or not all(one["same"] for one in found.get("pipelines", [])))


if __name__ == "__main__":
    main()
