#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Functions of one engine agree about the day on which a week begins.
# Seen: chDB 4.4.0 (ClickHouse 26.9): toStartOfWeek begins on Sunday, toStartOfInterval(... week),
# toMonday and date_trunc('week') on Monday.
# Where: ClickHouse's page on date functions, in the list of modes of toWeek: mode 0 is the
# default and begins on Sunday.
# For users: Two charts of one table have bars that do not add up.
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
day = "toDate('2026-11-28')"
for expression in ("toStartOfWeek(%s)", "toStartOfInterval(%s, interval 1 week)", "toMonday(%s)",
    "date_trunc('week', %s)"):
    print(expression % day, str(chdb.query("select " + expression % day, "TSV")).strip())
END
cat >expected <<'END'
chdb 4.4.0 chdb-core 26.9.0
toStartOfWeek(toDate('2026-11-28')) 2026-11-22
toStartOfInterval(toDate('2026-11-28'), interval 1 week) 2026-11-23
toMonday(toDate('2026-11-28')) 2026-11-23
date_trunc('week', toDate('2026-11-28')) 2026-11-23
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
