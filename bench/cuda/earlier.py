# SPDX-License-Identifier: MIT
"""What a run before has left to do, by its results folder."""
import json
import os


class Run:
    def __init__(self, folder):
        path = os.path.join(folder, "bench.json")
        try:
            with open(path, encoding="utf-8") as file:
                self.found = json.load(file)
        except (OSError, ValueError) as failure:
            raise SystemExit(f"--only-failed: no results in {folder}: {failure}")
        self.steps = {row["step"]: row for row in self.found["steps"]}

    def left(self, step):
        """Whether a step failed, did not end, was left out or never began; or the comparison did
        not come to all of its cases."""
        row = self.steps.get(step)
        return not row or row["result"] != "passed" or (step == "compare" and bool(self.cases()))

    def undone(self, step):
        """The files of specs that have not passed; nothing where all of them are to run."""
        return self.steps.get(step, {}).get("undone")

    def cases(self):
        """The cases that the comparison did not come to, that failed or were wrong; nothing where
        all of them are to run."""
        wrong = [row["name"] for row in self.found["rows"] if row["wrong"]]
        failed = [note.split(": FAILED")[0] for note in self.found["notes"] if ": FAILED" in note]
        return list(dict.fromkeys([*wrong, *failed, *self.found["left_out"]]))
