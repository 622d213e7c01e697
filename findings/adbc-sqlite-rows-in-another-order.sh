#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: The type of a column that SQLite leaves open follows from its values, in whatever order.
# Seen: The driver takes the first 1024 rows. Whole numbers and then 1.5 raise; 1.5 and then whole
# numbers are doubles, and 9007199254740993 loses its last digit without a word. Text in front of
# numbers makes them text.
# Where: adbc-driver-sqlite 1.13.0, whose page speaks of the first batch.
# For users: `order by` decides whether a query can be read, and with which digits. Write the type
# into the query: cast(x as real), cast(x as text). What read_sql of locus gets is the driver's.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  adbc-driver-sqlite==1.13.0 adbc-driver-manager==1.13.0 pyarrow==26.0.1
cd "$folder"
venv/bin/python - >seen <<'END'
import adbc_driver_sqlite.dbapi

with adbc_driver_sqlite.dbapi.connect(":memory:") as base, base.cursor() as cursor:
    cursor.execute("create table t(x)")

    def show(name, rows):
        cursor.execute("delete from t")
        for row in rows:
            cursor.execute("insert into t values (?)", [row])
        try:
            cursor.execute("select x from t order by rowid")
            column = cursor.fetch_arrow_table().column(0)
            print(name, column.type, repr(column[-1].as_py()))
        except Exception as error:
            print(name, "raises", type(error).__name__)

    show("a whole number, then 1.5:", [1, 1.5])
    show("1023 whole numbers, then 1.5:", [1] * 1023 + [1.5])
    show("1024 whole numbers, then 1.5:", [1] * 1024 + [1.5])
    show("1.5, then 2^53 + 1:", [1.5, 2**53 + 1])
    show("1024 times 1.5, then 2^53 + 1:", [1.5] * 1024 + [2**53 + 1])
    show("1024 texts, then a number:", ["a"] * 1024 + [1])
END
cat >expected <<'END'
a whole number, then 1.5: double 1.5
1023 whole numbers, then 1.5: double 1.5
1024 whole numbers, then 1.5: raises OSError
1.5, then 2^53 + 1: double 9007199254740992.0
1024 times 1.5, then 2^53 + 1: double 9007199254740992.0
1024 texts, then a number: string '1'
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
