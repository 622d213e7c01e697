#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: A date out of range raises, or wraps around.
# Seen: chDB 4.4.0 (ClickHouse 26.9) answers the end of the range without a word: 2150 becomes
# 2149-06-06, 1969 becomes 1970-01-01, and a DateTime ends in 2106. Date32 and DateTime64 hold
# them.
# Where: ClickHouse's page on Date names the range; what happens beyond it is the setting
# date_time_overflow_behavior, ignore by default.
# For users: Birthdays before 1970 and far maturities are one day in a group of their own.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check chdb==4.4.0 chdb-core==26.9.0
cd "$folder"
venv/bin/python - >seen <<'END'
import chdb
from importlib.metadata import version
print("chdb", version("chdb"), "chdb-core", version("chdb-core"))
def ask(expression): print(expression, str(chdb.query("select " + expression, "TSV")).strip())
ask("toDate('2150-01-01')")
ask("toDate('1969-07-20')")
ask("toDateTime('2107-01-01 00:00:00', 'UTC')")
ask("toDate32('2150-01-01')")
END
cat >expected <<'END'
chdb 4.4.0 chdb-core 26.9.0
toDate('2150-01-01') 2149-06-06
toDate('1969-07-20') 1970-01-01
toDateTime('2107-01-01 00:00:00', 'UTC') 2106-02-07 06:28:15
toDate32('2150-01-01') 2150-01-01
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
