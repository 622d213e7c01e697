# SPDX-License-Identifier: MIT
"""One process of a peer: calls a form of a case some times, and prints as JSON the CPU seconds of
each call, those by the clock, and by how many bytes the first one raised the memory of the process
at most. Given a folder, it writes there what the last call answered, as data.py writes the truth.

  contender.py FOLDER FILE OUT CASE LIBRARY FORM CALLS [ANSWER]
"""
import gc
import json
import os
import re
import sys
import time


def resident(field):
    """VmHWM is the peak of this process alone; ru_maxrss would begin with that of its parent."""
    with open("/proc/self/status", encoding="ascii") as file:
        return 1024 * int(re.search(field + r":\s*(\d+) kB", file.read())[1])


def forget_peak():
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def measured(call, calls):
    seconds, wall, rise, result = [], [], 0, None
    for k in range(calls):
        result = None
        gc.collect()
        forget_peak()
        before, clock, start = resident("VmRSS"), time.perf_counter(), time.process_time()
        result = call()
        seconds.append(time.process_time() - start)
        wall.append(time.perf_counter() - clock)
        if k == 0:
            rise = resident("VmHWM") - before
    return result, {"seconds": seconds, "wall": wall, "rise": rise}


def path_of(requests):
    """What stands between method and protocol, without the query."""
    return [request.split(" ")[1].split("?")[0] for request in requests]


def as_table(result):
    """A frame of any of the libraries as one of pandas."""
    import pandas
    if isinstance(result, dict):
        return pandas.DataFrame(result)
    if isinstance(result, pandas.DataFrame):
        return result
    if hasattr(result, "to_arrow_table"):  # of duckdb
        result = result.to_arrow_table()
    if hasattr(result, "to_arrow"):        # of polars
        result = result.to_arrow()
    return result.to_pandas(date_as_object=False)


def write_strings(path, words):
    import numpy
    import pandas
    ids, names = pandas.factorize(numpy.array(words, dtype=object))
    (ids + 1).astype("int32").tofile(path + ".ids")
    with open(path + ".names", "w", encoding="utf-8") as file:
        file.writelines(name + "\n" for name in names)


def write_frame(folder, frame, columns):
    import pandas
    if "path" in columns and "path" not in frame:
        frame["path"] = path_of(frame["request"])
    for name, dtype in columns.items():
        column = frame[name]
        if dtype == "string":
            write_strings(f"{folder}/{name}", column.tolist())
            continue
        if name == "time" and not pandas.api.types.is_integer_dtype(column):
            clock = {} if column.dtype.kind == "M" else {"format": "[%d/%b/%Y:%H:%M:%S"}
            column = pandas.to_datetime(column, utc=True, **clock).astype("M8[us, UTC]")
        dtype = "int64" if dtype.startswith("int") else dtype
        column.astype(dtype).to_numpy().tofile(f"{folder}/{name}.{dtype}")


def write_answer(folder, result, columns):
    import numpy
    if "rows" in columns:
        for name, value in zip(columns, result):
            numpy.array([value]).tofile(f"{folder}/{name}.int64")
    elif columns and columns.get("key") != "string":
        write_frame(folder, as_table(result), columns)
    elif isinstance(result, tuple):  # of pandas.factorize
        write_strings(f"{folder}/key", result[1][result[0]].tolist())
    elif columns:
        write_strings(f"{folder}/key", (result.to_pylist if hasattr(result, "to_pylist")
                                        else result.to_list)())


def main():
    folder, path, out, case, library, form, calls, *answer = sys.argv[1:]
    import peers
    result, figures = measured(peers.opened(library, case, int(form), folder, path, out),
                               int(calls))
    if answer:
        import cases
        finish = peers.FINISH.get(case, lambda found: found)
        write_answer(answer[0], finish(result), cases.BY_NAME[case].answer)
    print(json.dumps(figures), flush=True)
    os._exit(0)  # the threads and arenas of the libraries take long to go


if __name__ == "__main__":
    main()
