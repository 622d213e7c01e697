# SPDX-License-Identifier: MIT
"""The cases of cases.py in polars, pyarrow, pandas and duckdb, as many threads each as the
environment says.

Several forms of a case are alternatives: the fastest whose answer is right is the one that counts.
`path` is the file that is read, `out` the one that is written; what PREPARE makes is there before
the time is taken. In "log" pyarrow may leave the time as text and all leave the request whole,
which is less than what locus does; "log, whole requests" is the same work for all."""
import importlib
import math
import os


def threads(count):
    """The environment in which all contenders have so many threads."""
    return {name: str(count) for name in (
        "LOCUS_NUM_THREADS", "POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS", "ARROW_NUM_THREADS")}


COUNT = int(os.environ.get("POLARS_MAX_THREADS", "1"))  # of this process

IMPORTS = {
    "polars": {"pl": "polars"},
    "pyarrow": {"pa": "pyarrow", "pc": "pyarrow.csv", "compute": "pyarrow.compute"},
    "pandas": {"pd": "pandas"},
    "duckdb": {"duckdb": "duckdb"},
    "numpy": {},
}

FIELDS = ["ip", "dash", "user", "time", "zone", "request", "status", "bytes", "referer", "agent",
          "latency"]
USED = ["time", "request", "status", "bytes", "latency"]
CLOCK = "[%d/%b/%Y:%H:%M:%S"
KEYS = (20, 10000, 500000)
NINTHS = [k / 10 for k in range(1, 10)]

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
               "pc.ReadOptions(use_threads=many, column_names=FIELDS), "
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
GROUP = {
    "polars": ["frame.group_by('key').agg(sum=value.sum(), min=value.min(), max=value.max())",
               "frame.lazy().group_by('key').agg(sum=value.sum(), min=value.min(), "
               "max=value.max()).collect(engine='streaming')"],
    "pyarrow": ["frame.group_by('key', use_threads=many).aggregate([('value', 'sum'), ('value', "
                "'min'), ('value', 'max')]).rename_columns(['key', 'sum', 'min', 'max'])"],
    "pandas": ["frame.groupby('key', sort=False)['value'].agg(['sum', 'min', 'max']).reset_index()",
               "frame.groupby('key')['value'].agg(['sum', 'min', 'max']).reset_index()"],
    "duckdb": ["make('select key, sum(value) as sum, min(value) as min, max(value) as max from t "
               "group by key')"],
}
P95 = {
    "polars": ["frame.group_by('key').agg(p95=value.quantile(.95, 'linear'))"],
    "pandas": ["frame.groupby('key', sort=False)['value'].quantile(.95).rename('p95')"
               ".reset_index()"],
    "duckdb": ["make('select key, quantile_cont(value, .95) as p95 from t group by key')"],
}


def asof(by):
    """The last row of the right side at or before each of the left one's; 0 where there is none."""
    on = ", by='by'" if by else ""
    and_by = " and l.by = r.by" if by else ""
    forms = {
        "polars": [f"left.join_asof(right, on='time'{on})"],
        "pandas": [f"pd.merge_asof(left, right, on='time'{on})"],
        "duckdb": ["make('select row, r.at from l asof left join r on l.time >= r.time"
                   f"{and_by}')"],
    }
    if not by:
        forms["numpy"] = ["{'row': rows, 'at': np.searchsorted(sequence, values, 'right')}"]
    return forms


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
    "group, 20": GROUP,
    "group, 10000": GROUP,
    "group, 500000": GROUP,
    "group p95, 20": P95,
    "group p95, 10000": P95,
    "group p95, 500000": P95,
    "asof": asof(False),
    "asof by 20": asof(True),
    "asof by 10000": asof(True),
    "quantiles": {
        "numpy": ["np.quantile(x, NINTHS)", "partitioned(x)"],
        "polars": ["[x.quantile(q, 'linear') for q in NINTHS]"],
        "pandas": ["x.quantile(NINTHS)"],
        "duckdb": ["make('select unnest(quantile_cont(x, %s)) as q from t' % NINTHS)"],
    },
    "unique": {
        "numpy": ["np.unique(x)"],
        "polars": ["x.unique()"],
        "pyarrow": ["compute.unique(x)"],
        "pandas": ["pd.unique(x)"],
        "duckdb": ["make('select distinct x as value from t')"],
    },
    "join": {
        "polars": ["left.join(right, on='id')"],
        "pandas": ["left.merge(right, on='id')"],
        "duckdb": ["make('select * from l join r using (id)')"],
    },
}

READ = {"polars": "frame = pl.read_csv(path)", "pyarrow": "frame = pc.read_csv(path)",
        "pandas": "frame = pd.read_csv(path)", "duckdb": "make(\"from read_csv('%s')\" % path)"}
LINES = "words = open(path).read().split('\\n')[:-1]; words = "
WORDS = {"polars": LINES + "pl.Series(words)", "pyarrow": LINES + "pa.array(words)",
         "pandas": LINES + "pd.array(words, dtype='str')"}


def tables(library, **each):
    """The statements that make tables of a library, by name, from columns that are arrays."""
    forms = {"polars": "{} = pl.DataFrame(dict({}))", "pyarrow": "{} = pa.table(dict({}))",
             "pandas": "{} = pd.DataFrame(dict({}))",
             "duckdb": "{0}_ = pa.table(dict({1})); "
                       "connection.execute('create table {0} as from {0}_')"}
    return "; ".join(forms[library].format(name, columns) for name, columns in each.items())


def grouped(array):
    """The arrays of that name, as a table of each library."""
    columns = f"key=array('{array}/key', 'int64'), value=array('{array}/value', 'float64')"
    return {"polars": tables("polars", frame=columns) + "; value = pl.col('value')",
            "pyarrow": tables("pyarrow", frame=columns),
            "pandas": tables("pandas", frame=columns), "duckdb": tables("duckdb", t=columns)}


def timed(case):
    """Both sides of an as-of join, with their rows by number."""
    def side(times, by, row, first):
        return (f"time=array('{case}/{times}', 'int64'), by=array('{case}/{by}', 'int64'), "
                f"{row}=numbered('{case}/{times}', {first})")
    left, right = side("values", "of_values", "row", 0), side("sequence", "of_sequence", "at", 1)
    forms = {library: tables(library, left=left, right=right) for library in ("polars", "pandas")}
    forms["duckdb"] = tables("duckdb", l=left, r=right)
    forms["numpy"] = (f"sequence = array('{case}/sequence', 'int64'); values = "
                      f"array('{case}/values', 'int64'); rows = numbered('{case}/values', 0)")
    return forms


def one_column(case, dtype):
    array = f"array('{case}/x', '{dtype}')"
    return {"numpy": f"x = {array}", "polars": f"x = pl.Series({array})",
            "pyarrow": f"x = pa.array({array})", "pandas": f"x = pd.Series({array})",
            "duckdb": tables("duckdb", t=f"x={array}")}


def both_sides():
    left = "id=array('join/left', 'int64'), a=array('join/a', 'int64')"
    right = "id=array('join/right', 'int64'), b=array('join/b', 'int64')"
    forms = {library: tables(library, left=left, right=right) for library in ("polars", "pandas")}
    return {**forms, "duckdb": tables("duckdb", l=left, r=right)}


PREPARE = {
    **{f"ids, {count}": WORDS for count in KEYS},
    **{f"{case}, {count}": grouped(f"group-{count}") for case in ("group", "group p95")
       for count in KEYS},
    **{case: timed(case) for case in ("asof", "asof by 20", "asof by 10000")},
    "quantiles": one_column("quantiles", "float64"),
    "unique": one_column("unique", "int64"),
    "join": both_sides(),
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


def partitioned(x):
    """The same by the ranks that are asked for, without the others in order."""
    import numpy as np
    places = [q * (len(x) - 1) for q in NINTHS]
    ranks = sorted({rank for place in places for rank in (int(place), math.ceil(place))})
    ordered = np.partition(x, ranks)
    return [ordered[int(p)] + (ordered[math.ceil(p)] - ordered[int(p)]) * (p % 1) for p in places]


def joined(table):
    """How many rows there are, and the sums of what each side gave."""
    import contender
    frame = contender.as_table(table)
    return {"count": [len(frame)], "a": [frame["a"].sum()], "b": [frame["b"].sum()]}


def without_none(table):
    """Positions, 0 where nothing was found."""
    import contender
    frame = contender.as_table(table)
    frame["at"] = frame["at"].fillna(0)
    return frame


FINISH = {
    "join": joined, "quantiles": lambda found: {"q": column(found)},
    "unique": lambda found: {"value": column(found)},
    **{case: without_none for case in ("asof", "asof by 20", "asof by 10000")},
}


def column(found):
    """The only column of an answer, of whatever library."""
    import contender
    if hasattr(found, "to_arrow_table"):  # of duckdb
        found = contender.as_table(found).iloc[:, 0]
    if "pyarrow" in type(found).__module__:
        return found.to_numpy(zero_copy_only=False)
    return list(found)


def scope(library, folder, path, out):
    """The names that the forms of a library stand on."""
    names = {name: importlib.import_module(module) for name, module in IMPORTS[library].items()}
    names.update(many=COUNT > 1)
    names.update(path=path, out=out, FIELDS=FIELDS, USED=USED, CLOCK=CLOCK, NINTHS=NINTHS,
                 added=added, partitioned=partitioned)

    import numpy as np

    def floats():
        return np.fromfile(f"{folder}/truth/floats/x.float64")

    def array(name, dtype):
        return np.fromfile(f"{folder}/arrays/{name}.{dtype}", dtype)

    def numbered(name, first):
        return np.arange(first, first + len(array(name, "int64")))

    names.update(floats=floats, array=array, numbered=numbered, np=np)
    if library == "duckdb":
        names["pa"] = importlib.import_module("pyarrow")
    if library == "pyarrow":
        names["pa"].set_cpu_count(COUNT)
        names["pa"].set_io_thread_count(COUNT)
        names["one"] = names["pc"].ReadOptions(use_threads=COUNT > 1)
    elif library == "duckdb":
        connection = names["connection"] = names["duckdb"].connect(config={"threads": COUNT})

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
