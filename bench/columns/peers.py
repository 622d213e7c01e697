# SPDX-License-Identifier: MIT
"""The cases of cases.py in polars, pyarrow, pandas and duckdb, one thread each.

Several forms of a case are alternatives: the fastest whose answer is right is the one that counts.
`path` is the file that is read, `out` the one that is written; what PREPARE makes is there before
the time is taken. In "log" pyarrow may leave the time as text and all leave the request whole,
which is less than what locus does; "log, whole requests" is the same work for all."""
import importlib
import os

THREADS = {name: "1" for name in (
    "POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
    "ARROW_NUM_THREADS")}

IMPORTS = {
    "polars": {"pl": "polars"},
    "pyarrow": {"pa": "pyarrow", "pc": "pyarrow.csv", "compute": "pyarrow.compute"},
    "pandas": {"pd": "pandas"},
    "duckdb": {"duckdb": "duckdb"},
}

FIELDS = ["ip", "dash", "user", "time", "zone", "request", "status", "bytes", "referer", "agent",
          "latency"]
USED = ["time", "request", "status", "bytes", "latency"]
CLOCK = "[%d/%b/%Y:%H:%M:%S"

NUMBERS = {
    "polars": ["pl.read_csv(path, schema=dict(time=pl.Int64, price=pl.Float64, size=pl.Int64))",
               "pl.read_csv(path)"],
    "pyarrow": ["pc.read_csv(path, read_options=one)",
                "pc.read_csv(path, read_options=one, convert_options=pc.ConvertOptions("
                "column_types=dict(time='int64', price='float64', size='int64')))"],
    "pandas": ["pd.read_csv(path, dtype=dict(time='int64', price='float64', size='int64'))",
               "pd.read_csv(path, float_precision='round_trip')"],
    "duckdb": ["make(\"from read_csv('%s', auto_detect=false, header=true, columns={'time': "
               "'bigint', 'price': 'double', 'size': 'bigint'})\" % path)"],
}
QUOTED = {
    "polars": ["pl.read_csv(path, schema_overrides=dict(name=pl.Categorical))",
               "pl.read_csv(path)"],
    "pyarrow": ["pc.read_csv(path, read_options=one)",
                "pc.read_csv(path, read_options=one, convert_options=pc.ConvertOptions("
                "auto_dict_encode=True))"],
    "pandas": ["pd.read_csv(path, float_precision='round_trip')",
               "pd.read_csv(path, float_precision='round_trip', dtype=dict(name='category'))",
               "pd.read_csv(path)"],
    "duckdb": ["make(\"from read_csv('%s')\" % path)"],
}
PYARROW_LOG = ("pc.read_csv(path, parse_options=pc.ParseOptions(delimiter=' '), read_options="
               "pc.ReadOptions(use_threads=False, column_names=FIELDS), "
               "convert_options=pc.ConvertOptions(include_columns=USED%s))")
WHOLE = {
    "polars": [
        "pl.read_csv(path, separator=' ', has_header=False, new_columns=FIELDS).select("
        "pl.col('time').str.to_datetime(CLOCK), *USED[1:])",
        "pl.scan_csv(path, separator=' ', has_header=False, new_columns=FIELDS).select("
        "pl.col('time').str.to_datetime(CLOCK), *USED[1:]).collect()",
        "pl.scan_csv(path, separator=' ', has_header=False, new_columns=FIELDS).select("
        "pl.col('time').str.to_datetime(CLOCK), *USED[1:]).collect(engine='streaming')",
    ],
    "pyarrow": [PYARROW_LOG % ", column_types=dict(time=pa.timestamp('s')), "
                "timestamp_parsers=[CLOCK]",
                PYARROW_LOG % ", column_types=dict(time=pa.timestamp('s'), request=pa.dictionary("
                "pa.int32(), pa.string())), timestamp_parsers=[CLOCK]"],
    "pandas": ["pd.read_csv(path, sep=' ', names=FIELDS, usecols=USED, parse_dates=['time'], "
               "date_format=CLOCK, float_precision='round_trip')"],
    "duckdb": ["make(\"select strptime(time, '%s') as time, request, status, bytes, latency from "
               "read_csv('%s', delim=' ', header=false, names=%s)\" % (CLOCK, path, FIELDS))"],
}
TIMES = {
    "polars": ["pl.read_csv(path, schema_overrides=dict(time=pl.Datetime('us')))",
               "pl.read_csv(path, try_parse_dates=True)",
               "pl.read_csv(path).with_columns(pl.col('time').str.to_datetime("
               "'%Y-%m-%dT%H:%M:%SZ'))"],
    "pyarrow": ["pc.read_csv(path, read_options=one)",
                "pc.read_csv(path, read_options=one, convert_options=pc.ConvertOptions("
                "column_types=dict(time=pa.timestamp('us', 'UTC'))))"],
    "pandas": ["pd.read_csv(path, parse_dates=['time'])",
               "pd.read_csv(path, parse_dates=['time'], date_format='%Y-%m-%dT%H:%M:%SZ')"],
    "duckdb": ["make(\"from read_csv('%s')\" % path)"],
}
CHUNKS = {
    "polars": ["added((part.height, part['size'].sum()) for part in pl.scan_csv(path)"
               ".collect_batches(chunk_size=100_000))"],
    "pyarrow": ["added((part.num_rows, compute.sum(part['size']).as_py()) for part in "
                "pc.open_csv(path, read_options=one))"],
    "pandas": ["added((len(part), int(part['size'].sum())) for part in "
               "pd.read_csv(path, chunksize=100_000))"],
}
IDS = {
    "polars": ["words.cast(pl.Categorical)"],
    "pyarrow": ["words.dictionary_encode()"],
    "pandas": ["pd.factorize(words)"],
}
CALLS = {
    "numbers": NUMBERS,
    "quoted": QUOTED,
    "log": {**WHOLE, "pyarrow": [*WHOLE["pyarrow"], PYARROW_LOG % ""]},
    "log, whole requests": WHOLE,
    "times": TIMES,
    "chunks": CHUNKS,
    "chunks of four": CHUNKS,
    "ids, 20": IDS,
    "ids, 10000": IDS,
    "ids, 500000": IDS,
    "write": {
        "polars": ["frame.write_csv(out)"],
        "pyarrow": ["pc.write_csv(frame, out)"],
        "pandas": ["frame.to_csv(out, index=False)"],
        "duckdb": ["connection.execute(\"copy answer to '%s'\" % out)"],
    },
    "write, two decimals": {
        "polars": ["frame.write_csv(out, float_precision=2)"],
        "pandas": ["frame.to_csv(out, index=False, float_format='%.2f')"],
    },
    "floats": {
        "polars": ["frame.write_csv(out)"],
        "pyarrow": ["pc.write_csv(frame, out)"],
        "pandas": ["frame.to_csv(out, index=False)"],
        "duckdb": ["connection.execute(\"copy answer to '%s'\" % out)"],
    },
}

READ = {"polars": "frame = pl.read_csv(path)", "pyarrow": "frame = pc.read_csv(path)",
        "pandas": "frame = pd.read_csv(path)", "duckdb": "make(\"from read_csv('%s')\" % path)"}
LINES = "words = open(path).read().split('\\n')[:-1]; words = "
WORDS = {"polars": LINES + "pl.Series(words)", "pyarrow": LINES + "pa.array(words)",
         "pandas": LINES + "pd.array(words, dtype='str')"}
PREPARE = {
    **{f"ids, {count}": WORDS for count in (20, 10000, 500000)},
    "write": READ,
    "write, two decimals": READ,
    "floats": {"polars": "frame = pl.DataFrame({'x': floats()})",
               "pyarrow": "frame = pa.table({'x': floats()})",
               "pandas": "frame = pd.DataFrame({'x': floats()})",
               "duckdb": "x = floats(); connection.execute('create table answer as from "
                         "(select unnest($1) as x)', [x.tolist()])"},
}


def added(pairs):
    """Rows and sums of parts, added."""
    return tuple(map(sum, zip(*pairs)))


def scope(library, folder, path, out):
    """The names that the forms of a library stand on."""
    names = {name: importlib.import_module(module) for name, module in IMPORTS[library].items()}
    names.update(path=path, out=out, FIELDS=FIELDS, USED=USED, CLOCK=CLOCK, added=added)

    def floats():
        import numpy as np
        return np.fromfile(f"{folder}/truth/floats/x.float64")

    names["floats"] = floats
    if library == "pyarrow":
        names["pa"].set_cpu_count(1)
        names["pa"].set_io_thread_count(1)
        names["one"] = names["pc"].ReadOptions(use_threads=False)
    elif library == "duckdb":
        connection = names["connection"] = names["duckdb"].connect(config={"threads": 1})

        def make(query):
            connection.execute("create or replace table answer as " + query)
            return connection.table("answer")

        names["make"] = make
    return names


def opened(library, case, form, folder, path, out):
    """The form of a case, ready to be called."""
    names = scope(library, folder, path, out)
    exec(PREPARE.get(case, {}).get(library, ""), names)
    return eval("lambda: " + CALLS[case][library][form], names)


os.environ.update(THREADS)
