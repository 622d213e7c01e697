# SPDX-License-Identifier: MIT
"""Numbers, tables and the commit, as every report of the bench writes them."""
import subprocess


def number(value):
    """Three digits, as few characters as they need."""
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}" if value >= 1 else f"{value:.3f}"


def markdown(header, rows):
    yield "| " + " | ".join(header) + " |"
    yield "| " + " | ".join("---" for _ in header) + " |"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def commit():
    """The checkout's commit; nothing where there is no git, or none of it."""
    def git(*words):
        try:
            return subprocess.run(["git", *words], capture_output=True, text=True).stdout.strip()
        except OSError:
            return ""
    changed = git("status", "--porcelain", "--untracked-files=no")
    return git("rev-parse", "--short", "HEAD") + ("-changed" if changed else "")
