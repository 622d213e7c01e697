-- SPDX-License-Identifier: MIT
-- The types of parameters and results of Lua functions, for .ci/meta.lua, if their declarations do
-- not say them. `locus.Table` is written Table.
local types = {}

-- By the kinds of lua/locus/call/declare.lua.
types.kinds = {
  any_or_options = "Dims", base = "0|1", boolean = "boolean", counts = "Data", device = "string",
  dim = "integer", dims = "Dims", dtype = "Dtype", ["function"] = "function", integer = "integer",
  integers = "Dims", names = "string|string[]", number = "number", out = "Tensor", sizes = "Dims",
  string = "string", tensor = "Table", tensors = "Data[]", value = "Data",
}

-- For a parameter that takes several values: the type of those after the first.
types.several = {names = "string", tensors = "Tensor"}

-- By the name of a parameter, or by its name and kind.
types.names = {
  high = "any", sorter = "any", ["value:any"] = "any",
  alpha = "Data", arguments = "any", array = "ffi.cdata*", bad = '"raise"|integer',
  ["bins:any"] = "integer", boundaries = "Sharded|Table", ["by:any"] = "table",
  ["column:any"] = "string|Column", ["columns:any"] = "string[]", ["columns:columns"] = "table",
  comment = "string", compress = '"gzip"|"zstd"', condition = "Sharded", counts = "Table",
  decimal = '"."|","',
  ["dim:any"] = "integer", direction = '"backward"|"forward"|"nearest"', escape = "string",
  ["f:f"] = "function", format = "string", formats = "table<string, Format>", frame = "Frame",
  from = "integer", generator = "Generator", ["header:any"] = "boolean|string[]",
  how = '"inner"|"left"|"semi"|"anti"', ["index:any"] = "Table", indexing = '"ij"|"xy"',
  ["indices:any"] = "Data", ["input:any"] = "Sharded", interpolation = "Interpolation",
  keys = "Column|Column[]", kind = "Kind", level = "integer", limit = "integer",
  list = "string[]", low = "integer",
  mask = "Sharded|Table", method = '"average"|"min"|"max"|"dense"|"ordinal"',
  ["missing:any"] = "string|string[]", mmap = '"r"|"r+"', ["name:any"] = "string",
  ["names:any"] = "string|NewNames", new = "string", newline = '"\\n"|"\\r\\n"', op = "Joining",
  ["other:any"] = "string|Strings", ["out:any"] = "Tensor|Tensor[]", output_size = "integer",
  ["p:any"] = 'number|"fro"', ["path:any"] = "string", pointer = "ffi.cdata*", positions = "Table",
  ["progress:any"] = "boolean|fun(bytes: integer, length: integer?)", q = "number|number[]",
  ["quote:any"] = "string|false", quotes = '"apache"', range = "number[]",
  ["reduce:string"] = '"add"|"multiply"', repeats = "Data", rows = "integer",
  schema = "ffi.cdata*", separator = "string", side = '"left"|"right"|"both"', size = "Dims",
  rest = "boolean", sizes = "integer[]", skip = "integer", skip_blanks = "boolean",
  ["sorted_sequence:any"] = "Sharded", ["source:any"] = "Data", src = "Data",
  stream = "ffi.cdata*", target = "Target", ["tensors:any"] = "ByName", text = "string",
  to = "integer", tolerance = "number|ffi.cdata*", ambiguous = '"first"|"second"',
  closed = '"both"|"left"|"right"|"none"', origin = "any", span = "string", ["on:any"] = "any",
  ["fill:any"] = "any", windows = "Windows", start = "any",
  step = "string", stop = "any", unit = '"s"|"ms"|"us"|"ns"|"day"', zone = "string",
  ["types:any"] = "table<string|integer, TextType>", ["types:types"] = "ColumnType|table",
  ["value:value"] = "Scalar|string", ["values:any"] = "string[]|Strings",
  ["values:values"] = "Table|Strings", ["weight:any"] = "Sharded", ["weights:any"] = "Sharded",
  ["x:any"] = "Table|Frame", y = "Sharded|Data",
}

-- For a parameter of one function.
types.own = {
  ["sketch/bytes"] = "string", ["sketch:merge/other"] = "Sketch|string",
  ["sketch:push/values"] = "Data", ["sketch:quantile/q"] = "number|number[]",
  ["rolling/span"] = "any", ["frame:rolling/span"] = "any", ["group:rolling/span"] = "any",
  ["rolling/closed"] = "string", ["frame:rolling/closed"] = "string",
  ["group:rolling/closed"] = "string",
  ["ewm_mean/alpha"] = "number", ["ewm_mean/span"] = "number",
  ["group:ewm_mean/alpha"] = "number", ["group:ewm_mean/span"] = "number",
  ["sessions/by"] = "any", ["sessions/gap"] = "any", ["sessions/time"] = "Table",
  ["windows:quantile/q"] = "number", ["windows:nanquantile/q"] = "number",
  ["builder:push/values"] = "any", ["chunks/source"] = "Divided", ["frame/columns"] = "Columns",
  ["frame:asof/missing"] = "table<string, any>", ["frame:asof/other"] = "Frame",
  ["frame:join/missing"] = "table<string, any>", ["frame:join/other"] = "Frame",
  ["frame:save/progress"] = "boolean|fun(bytes: integer, length: integer)",
  ["frame:pivot/columns"] = "string|string[]", ["frame:pivot/how"] = "string|table",
  ["frame:pivot/missing"] = "any", ["frame:pivot/rows"] = "string|string[]",
  ["frame:pivot/values"] = "string|string[]", ["frame:take/missing"] = "any",
  ["frame:with/column"] = "Column",
  ["date/input"] = "string|number|ffi.cdata*|Tensor",
  ["duration/value"] = "string|number|ffi.cdata*",
  ["time/value"] = "string|number|ffi.cdata*", ["dates/list"] = "any[]|Strings|Tensor",
  ["durations/list"] = "any[]|Strings|Tensor", ["times/list"] = "any[]|Strings|Tensor",
  ["frame:write_csv/progress"] = "boolean|fun(rows: integer, count: integer)",
  ["frame:write_json/array"] = "boolean", ["frame:write_json/invalid"] = '"replace"|"keep"',
  ["frame:write_json/infinite"] = '"null"|"number"|"string"|"error"',
  ["frame:write_json/progress"] = "boolean|fun(rows: integer, count: integer)",
  ["read_sql/database"] = "string|Connection", ["sql_chunks/database"] = "string|Connection",
  ["frame:write_sql/database"] = "string|Connection",
  ["connect/options"] = "table<string, string|number|boolean>",
  ["read_sql/params"] = "any[]|Frame", ["sql_chunks/params"] = "any[]|Frame",
  ["connection:execute/params"] = "any[]|Frame",
  ["read_sql/missing"] = "number|boolean|string|ByName",
  ["sql_chunks/missing"] = "number|boolean|string|ByName",
  ["frame:write_sql/missing"] = "ByName",
  ["frame:write_sql/schema"] = "string",
  ["read_sql/decimal"] = '"float64"', ["sql_chunks/decimal"] = '"float64"',
  ["from_arrow/missing"] = "number|boolean|string|ByName",
  ["from_arrow/decimal"] = '"float64"', ["from_arrow_stream/decimal"] = '"float64"',
  ["load/only"] = "string|string[]",
  ["from_arrow_stream/missing"] = "number|boolean|string|ByName", ["group:each/f"] = "Part",
  ["offset/missing"] = '"forward"', ["time_range/missing"] = '"forward"',
  ["time/missing"] = '"forward"', ["times/missing"] = '"forward"',
  ["utc_time/missing"] = '"forward"',
  ["help/name"] = "string|function", ["load/path"] = "string|string[]",
  ["meshgrid/tensors"] = "Table", ["mpi.all/dim"] = "Dims",
  ["mpi.any/dim"] = "Dims", ["mpi.bucketize/input"] = "Sharded|Data",
  ["mpi.map/other"] = "Sharded", ["mpi.searchsorted/values"] = "Sharded|Data",
  ["mpi.where/x"] = "Sharded|Data",
  ["format_time/t"] = "number|ffi.cdata*|Tensor", ["norm/dim"] = "integer",
  ["plot/input"] = "Table",
  ["put/index"] = "Data", ["put_/index"] = "Data", ["read_csv/source"] = "TextSource",
  ["read_json/source"] = "TextSource",
  ["read_log/source"] = "TextSource", ["repeat_interleave/input"] = "Table",
  ["save/progress"] = "boolean|fun(bytes: integer, length: integer)",
  ["savez/progress"] = "boolean|fun(bytes: integer, length: integer)",
  ["scatter_reduce/reduce"] = "string", ["scatter_reduce_/reduce"] = "string",
  ["segment/how"] = "How", ["segment_reduce/reduce"] = "Reduced",
  ["strings:lookup/values"] = "string|string[]|Strings",
  ["shift/fill"] = "Scalar", ["strings:shift/fill"] = "string",
  ["strings:fill_missing/value"] = "string|Strings",
  ["group:ffill/missing"] = "integer", ["group:bfill/missing"] = "integer",
  ["fill_missing/missing"] = "integer", ["fill_missing_/missing"] = "integer",
  ["frame:fill_missing/values"] = "ByName",
  ["strings:take/missing"] = "string", ["strings:to/target"] = "Device|ColumnType",
  ["strings:to/device"] = "Device",
  ["strings:to/pattern"] = "string", ["strings:to/missing"] = "any",
  ["strings:to/unit"] = "string", ["strings:as_duration/unit"] = "string",
  ["strings:as_duration/missing"] = "any", ["strings:as_date/pattern"] = "string",
  ["strings:as_date/missing"] = "any", ["strings:as_time/pattern"] = "string",
  ["strings:as_time/missing"] = "any",
  ["tofile/progress"] = "boolean|fun(bytes: integer, length: integer)",
  ["writer:write/values"] = "Data",
}

-- The results of functions, if they have any and its type is not `any`.
types.results = {
  Tensor = [[
    strings:as_date strings:as_duration strings:as_time
    as_unit asof bernoulli bernoulli_ builder:tensor dates day durations exponential exponential_
    from_dlpack from_file
    generator:get_state get_rng_state group:all group:any group:count group:mean group:nunique
    group:prod group:quantile group:rows ewm_mean group:cumcount group:cumsum group:diff
    group:ewm_mean group:rank
    sessions windows:count windows:first windows:last windows:max windows:mean windows:median
    windows:min windows:nancount windows:nanmax windows:nanmean windows:nanmedian windows:nanmin
    windows:nanquantile windows:nanstd windows:nansum windows:nanvar windows:quantile windows:std
    windows:sum windows:var group:std group:sum group:var
    fill_missing fill_missing_ group:bfill group:ffill group:nancount group:nanmax
    group:nanmean group:nanmedian group:nanmin group:nanquantile group:nanstd group:nansum
    group:nanvar histc hstack index_add
    index_add_ hour interval_lookup isoweek isoyear local_time minute month mpi.allgather
    mpi.alltoall mpi.bcast mpi.bincount mpi.recv mpi.scatter mpi.scatterv multinomial normal_
    offset put put_ quarter rand rand_like randint randn
    randn_like random_ randperm rank repeat_interleave scatter scatter_add scatter_add_
    second segment segment_reduce setdiff setxor shift shuffle shuffle_ strings:argsort strings:diff
    strings:eq strings:ge strings:gt strings:isin strings:le strings:lt strings:match strings:ne
    take_along_dim time_range times uniform_ union utc_time vstack weekday year yearday]],
  Frame = [[
    builder:frame frame frame:asof frame:describe frame:drop frame:head frame:join frame:rename
    frame:drop_missing frame:fill_missing
    frame:pivot frame:select frame:sort frame:tail frame:take frame:to frame:unique frame:unpivot
    frame:value_counts frame:with group:agg
    read_csv read_json read_log read_sql]],
  ["any, any"] = "kthvalue median mpi.max mpi.min mpi.searchsorted nanmedian topk",
  ["Tensor|Strings"] = "builder:column frame:column group:first group:last group:max "
    .. "group:min group:shift strings:to",
  integer = "generator:initial_seed generator:seed initial_seed mpi.rank mpi.size seed "
    .. "frame:write_sql sketch:count",
  Sharded = "mpi.argsort mpi.argwhere mpi.load mpi.map mpi.masked_select mpi.rebalance",
  Sketch = "sketch sketch:clear sketch:merge sketch:push",
  ["Tensor|Strings|string"] = "format_time",
  Windows = "frame:rolling group:rolling rolling",
  Picture = "frame:plot hist image plot spark",
  Generator = "generator generator:manual_seed generator:set_state manual_seed",
  Strings = [[
    strings strings:bfill strings:compact strings:ffill strings:fill_missing strings:shift
    strings:take]],
  ["Tensor, Tensor"] = "histogram mpi.allgatherv mpi.alltoallv mpi.histogram",
  ["ffi.cdata*, ffi.cdata*"] = "frame:to_arrow strings:to_arrow to_arrow",
  Parts = "chunk split unbind",
  ["string[]"] = "frame:columns strings:totable",
  Group = "frame:group group_by",
  ["string|nil"] = "frame:write_csv frame:write_json mpi.why",
  string = "picture:svg sketch:tobytes tobytes",
  ["Strings, any, any, any"] = "strings:unique strings:unique_consecutive",
  Imported = "from_arrow from_arrow_stream",
  ["Sharded, any"] = "mpi.nonzero mpi.where",
  ["Tensor, any, any, any"] = "unique unique_consecutive",
  Rows = "frame:iter",
  ["table<string, any[]>"] = "frame:totable",
  ["table<string, any>"] = "frame:types",
  ["fun(): integer, string"] = "strings:iter",
  ["Strings, Tensor"] = "strings:sort",
  ["Builder|FrameBuilder"] = "builder",
  ["fun(): any, integer?"] = "chunks",
  Print = "get_printoptions",
  ["Tensor, Tensor?, Tensor?"] = "intersect",
  ["fun(): integer, any"] = "iter",
  Loaded = "load",
  ["...: Tensor"] = "meshgrid",
  ["Tensor|nil"] = "mpi.gather",
  ["Tensor|nil, Tensor"] = "mpi.gatherv",
  boolean = "mpi.is_sharded",
  ["Sharded|ShardedFrame"] = "mpi.shard",
  ["Sharded, Sharded"] = "mpi.sort",
  ["Sharded, any, any, any"] = "mpi.unique",
  Writer = "npy_writer", Connection = "connect", ["integer|nil"] = "connection:execute",
  ["fun(): Frame"] = "sql_chunks",
  ["Tensor, Tensor, Tensor"] = "rle",
  ["ffi.cdata*"] = "to_dlpack",
  ["nil"] = [[
    builder:clear builder:extend builder:push frame:save group:each help mpi.barrier
    mpi.finalize mpi.send picture:save save savez set_printoptions set_rng_state tofile
    writer:close writer:write]],
}

return types
