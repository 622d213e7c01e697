#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: date_diff counts the starts of a unit that lie between two dates, as its page says: a
# Saturday and the Monday after it are one week apart.
# Seen: DuckDB 2.0.1 counts starts of months and of years, but whole weeks of seven days: Saturday
# to Monday is 0 weeks, January 31 to February 1 is one month.
# Where: DuckDB's page on date functions describes date_diff by boundaries and date_sub by whole
# units; for weeks both answer alike.
# For users: Weeks over weeks by date_diff disagree with date_trunc('week'), which begins on
# Mondays.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check duckdb==2.0.1
cd "$folder"
venv/bin/python - >seen <<'END'
import duckdb
print("duckdb", duckdb.__version__)
def ask(expression): print(expression, "=", duckdb.sql("select " + expression).fetchall()[0][0])
ask("date_diff('week', date '2026-11-28', date '2026-11-30')")
ask("date_sub('week', date '2026-11-28', date '2026-11-30')")
ask("date_trunc('week', date '2026-11-28')::date")
ask("date_trunc('week', date '2026-11-30')::date")
ask("date_diff('month', date '2026-01-31', date '2026-02-01')")
ask("date_sub('month', date '2026-01-31', date '2026-02-01')")
END
cat >expected <<'END'
duckdb 2.0.1
date_diff('week', date '2026-11-28', date '2026-11-30') = 0
date_sub('week', date '2026-11-28', date '2026-11-30') = 0
date_trunc('week', date '2026-11-28')::date = 2026-11-23
date_trunc('week', date '2026-11-30')::date = 2026-11-30
date_diff('month', date '2026-01-31', date '2026-02-01') = 1
date_sub('month', date '2026-01-31', date '2026-02-01') = 0
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
