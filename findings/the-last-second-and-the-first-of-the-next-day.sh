#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: 23:59:60 and 24:00:00 are errors in libraries without leap seconds, or both are accepted.
# Seen: polars 2.1.0 turns 23:59:60 into midnight of the next day and refuses 24:00. DuckDB 2.0.1
# and ciso8601 2.4.1 do the reverse. pandas 3.1.1 refuses both.
# Where: ISO 8601 of 2004 allows both texts.
# For users: A file of GPS or exchange times passes one reader and fails the next. locus reads :60
# as the second that follows and takes 24:00 as an error with its line.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check polars==2.1.0 duckdb==2.0.1 ciso8601==2.4.1 pandas==3.1.1
cd "$folder"
venv/bin/python - >seen <<'END'
import ciso8601, duckdb, pandas as pd, polars as pl
print("polars", pl.__version__, "duckdb", duckdb.__version__, "ciso8601", ciso8601.__version__,
    "pandas", pd.__version__)
readers = {
    "polars": lambda text: pl.Series([text]).str.to_datetime("%Y-%m-%d %H:%M:%S")[0],
    "duckdb": lambda text: duckdb.sql("select timestamp '%s'" % text).fetchall()[0][0],
    "ciso8601": ciso8601.parse_datetime, "pandas": pd.Timestamp,
}
for text in ("2016-12-31 23:59:60", "2016-12-31 24:00:00"):
    for name, read in readers.items():
        try: print(text, name, read(text))
        except Exception as error: print(text, name, "refuses")
END
cat >expected <<'END'
polars 2.1.0 duckdb 2.0.1 ciso8601 2.4.1 pandas 3.1.1
2016-12-31 23:59:60 polars 2017-01-01 00:00:00
2016-12-31 23:59:60 duckdb refuses
2016-12-31 23:59:60 ciso8601 refuses
2016-12-31 23:59:60 pandas refuses
2016-12-31 24:00:00 polars refuses
2016-12-31 24:00:00 duckdb 2017-01-01 00:00:00
2016-12-31 24:00:00 ciso8601 2017-01-01 00:00:00
2016-12-31 24:00:00 pandas refuses
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
