#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: A key that is NaN makes one group, or one for each row.
# Seen: chDB 4.4.0 (ClickHouse 26.9) groups by bits: nan and 0 / 0 are two groups, and so are 0.0
# and -0.0. max() skips NaN, and order by puts it last, descending too.
# Where: Not on the page of group by; the order of NaN is on that of order by.
# For users: 0 / 0 has the sign bit set on x86, so that computed and written NaN are apart. locus
# has one of each.
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
def ask(sql): print(sql, "=", str(chdb.query(sql, "TSV")).split())
ask("select uniqExact(x) from (select arrayJoin([nan, 0 / 0]) x)")
ask("select count() from (select x from (select arrayJoin([nan, 0 / 0]) x) group by x)")
ask("select count() from (select x from (select arrayJoin([0.0, -0.0]) x) group by x)")
ask("select max(x) from (select arrayJoin([1.0, nan]) x)")
ask("select x from (select arrayJoin([nan, 1.0, 2.0]) x) order by x desc")
END
cat >expected <<'END'
chdb 4.4.0 chdb-core 26.9.0
select uniqExact(x) from (select arrayJoin([nan, 0 / 0]) x) = ['2']
select count() from (select x from (select arrayJoin([nan, 0 / 0]) x) group by x) = ['2']
select count() from (select x from (select arrayJoin([0.0, -0.0]) x) group by x) = ['2']
select max(x) from (select arrayJoin([1.0, nan]) x) = ['1']
select x from (select arrayJoin([nan, 1.0, 2.0]) x) order by x desc = ['2', '1', 'nan']
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
