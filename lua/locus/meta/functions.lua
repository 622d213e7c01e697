---@meta locus.functions
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of the public functions; nothing loads this file. `.ci/meta`
-- writes it from their declarations, and from the types in .ci/types.lua.

---@class locus.named.out
---@field out? locus.Tensor

---@class locus.named.base_out
---@field base? 0|1 what positions count from (1)
---@field out? locus.Tensor

---@class locus.named.base_stable
---@field base? 0|1 what positions count from (1)
---@field stable? boolean (true)

---@class locus.named.base
---@field base? 0|1 what positions count from (1)

---@class locus.named.generator_out
---@field generator? locus.Generator
---@field out? locus.Tensor

---@class locus.named.inclusive_out
---@field inclusive? locus.Inclusive ("both")
---@field out? locus.Tensor

---@class locus.named.limit_missing_out
---@field limit? integer
---@field missing? integer
---@field out? locus.Tensor

---@class locus.named.limit_missing
---@field limit? integer
---@field missing? integer

---@class locus.named.bucketize
---@field base? 0|1 what positions count from (1)
---@field out? locus.Tensor
---@field out_int32? boolean (false)
---@field right? boolean (false)

---@class locus.named.choice
---@field base? 0|1 what positions count from (1)
---@field dim? integer (1)
---@field generator? locus.Generator
---@field out? locus.Tensor
---@field p? locus.Table
---@field replace? boolean (true)

---@class locus.named.cummax
---@field base? 0|1 what positions count from (1)
---@field out? locus.Tensor|locus.Tensor[] a table of two for two results

---@class locus.named.dtype_out
---@field dtype? locus.Dtype
---@field out? locus.Tensor

---@class locus.named.pattern_zone
---@field pattern? string
---@field zone? string

---@class locus.named.base_out_out_int32
---@field base? 0|1 what positions count from (1)
---@field out? locus.Tensor
---@field out_int32? boolean (false)

---@class locus.named.device_dtype_out
---@field device? string
---@field dtype? locus.Dtype
---@field out? locus.Tensor

---@class locus.named.ewm_mean
---@field adjust? boolean (true)
---@field alpha? number
---@field com? number
---@field dim? integer
---@field halflife? number
---@field ignore_na? boolean (false)
---@field min? integer (1)
---@field span? number

---@class locus.named.missing_out
---@field missing? integer
---@field out? locus.Tensor

---@class locus.named.missing
---@field missing? integer

---@class locus.named.range_width
---@field range? number[]
---@field width? integer

---@class locus.named.histogram
---@field density? boolean (false)
---@field range? number[]
---@field weight? locus.Table
---@field weights? locus.Table

---@class locus.named.color_height_width
---@field color? boolean (false)
---@field height? integer
---@field width? integer

---@class locus.named.alpha_base_out
---@field alpha? locus.Data (1)
---@field base? 0|1 what positions count from (1)
---@field out? locus.Tensor

---@class locus.named.alpha_base
---@field alpha? locus.Data (1)
---@field base? 0|1 what positions count from (1)

---@class locus.named.base_return_indices_sorted
---@field base? 0|1 what positions count from (1)
---@field return_indices? boolean (false)
---@field sorted? boolean (true)

---@class locus.named.descending_out_strict
---@field descending? boolean (false)
---@field out? locus.Tensor
---@field strict? boolean (false)

---@class locus.named.base_generator_out
---@field base? 0|1 what positions count from (1)
---@field generator? locus.Generator
---@field out? locus.Tensor

---@class locus.named.interpolation_out
---@field interpolation? locus.Interpolation ("linear")
---@field out? locus.Tensor

---@class locus.named.correction_keepdim_out
---@field correction? number (1)
---@field keepdim? boolean (false)
---@field out? locus.Tensor

---@class locus.named.as_tuple_base_out
---@field as_tuple? boolean (false)
---@field base? 0|1 what positions count from (1)
---@field out? locus.Tensor

---@class locus.named.nonzero_static
---@field base? 0|1 what positions count from (1)
---@field fill_value? integer (base-1)
---@field out? locus.Tensor
---@field size integer

---@class locus.named.plot
---@field height? integer
---@field names? string|string[]
---@field points? boolean (false)
---@field width? integer
---@field x? locus.Table

---@class locus.named.rank
---@field base? 0|1 what positions count from (1)
---@field descending? boolean (false)
---@field method? "average"|"min"|"max"|"dense"|"ordinal" ("average")
---@field out? locus.Tensor

---@class locus.named.base_out_output_size
---@field base? 0|1 what positions count from (1)
---@field out? locus.Tensor
---@field output_size? integer

---@class locus.named.rolling
---@field center? boolean (false)
---@field closed? string ("right")
---@field dim? integer
---@field fill? any
---@field min? integer
---@field on? any
---@field span? any

---@class locus.named.decimals_out
---@field decimals? integer (0)
---@field out? locus.Tensor

---@class locus.named.decimals
---@field decimals? integer (0)

---@class locus.named.base_out_reduce
---@field base? 0|1 what positions count from (1)
---@field out? locus.Tensor
---@field reduce? "add"|"multiply"

---@class locus.named.base_reduce
---@field base? 0|1 what positions count from (1)
---@field reduce? "add"|"multiply"

---@class locus.named.base_include_self_out
---@field base? 0|1 what positions count from (1)
---@field include_self? boolean (true)
---@field out? locus.Tensor

---@class locus.named.base_include_self
---@field base? 0|1 what positions count from (1)
---@field include_self? boolean (true)

---@class locus.named.search_index
---@field base? 0|1 what positions count from (1)
---@field check? boolean (false)
---@field descending? boolean (false)
---@field paged? boolean (false)
---@field sorter? locus.Tensor|integer[]

---@class locus.named.searchsorted
---@field base? 0|1 what positions count from (1)
---@field check? boolean (false)
---@field descending? boolean (false)
---@field out? locus.Tensor|locus.Tensor[] a table of two for two results
---@field out_int32? boolean (false)
---@field right? boolean (false)
---@field side? "left"|"right"|"both"
---@field sorter? locus.Tensor|integer[]

---@class locus.named.base_groups_out
---@field base? 0|1 what positions count from (1)
---@field groups? integer
---@field out? locus.Tensor

---@class locus.named.segment_reduce
---@field axis? integer (1)
---@field base? 0|1 what positions count from (1)
---@field initial? locus.Data
---@field lengths? locus.Data
---@field offsets? locus.Data
---@field out? locus.Tensor
---@field unsafe? boolean (false)

---@class locus.named.sorted
---@field sorted? boolean (true)

---@class locus.named.dim_fill_out
---@field dim? integer
---@field fill? locus.Scalar
---@field out? locus.Tensor

---@class locus.named.sort
---@field base? 0|1 what positions count from (1)
---@field indices? boolean (true)
---@field out? locus.Tensor|locus.Tensor[] a table of two for two results
---@field stable? boolean (true)

---@class locus.named.width
---@field width? integer

---@class locus.named.unique
---@field base? 0|1 what positions count from (1)
---@field dim? integer
---@field return_counts? boolean (false)
---@field return_index? boolean (false)
---@field return_inverse? boolean (false)
---@field sorted? boolean (true)

---@class locus.named.unique_consecutive
---@field base? 0|1 what positions count from (1)
---@field dim? integer
---@field return_counts? boolean (false)
---@field return_index? boolean (false)
---@field return_inverse? boolean (false)

---@class locus.named.generator
---@field generator? locus.Generator

---@class locus.named.zone
---@field zone? string

---@class locus.named.ambiguous_missing_zone
---@field ambiguous? "first"|"second"
---@field missing? "forward"
---@field zone? string

---@class locus.named.progress
---@field progress? boolean|fun(bytes: integer, length: integer)

---@class locus.named.device_non_blocking
---@field device? string
---@field non_blocking? boolean (false)

---@class locus.named.versioned
---@field versioned? boolean (true)

---@class locus.named.ambiguous_missing
---@field ambiguous? "first"|"second"
---@field missing? "forward"

---@class locus.named.asof
---@field base? 0|1 what positions count from (1)
---@field by? table
---@field direction? "backward"|"forward"|"nearest" ("backward")
---@field inclusive? boolean (true)
---@field tolerance? number|ffi.cdata*

---@class locus.named.chunks
---@field bad? "raise"|integer
---@field columns? string[]
---@field comment? string
---@field decimal? "."|","
---@field escape? string
---@field format? string
---@field header? boolean|string[]
---@field limit? integer
---@field missing? string|string[]
---@field path? string
---@field progress? boolean|fun(bytes: integer, length: integer?)
---@field quote? string|false
---@field quotes? "apache"
---@field rest? boolean
---@field rows? integer
---@field separator? string
---@field skip? integer
---@field skip_blanks? boolean
---@field text? string
---@field types? table<string|integer, locus.TextType>

---@class locus.named.driver_options
---@field driver? string
---@field options? table<string, string|number|boolean>

---@class locus.named.pattern
---@field pattern? string

---@class locus.named.unit
---@field unit? "s"|"ms"|"us"|"ns"|"day" ("us")

---@class locus.named.exponential
---@field device? string
---@field dtype? locus.Dtype
---@field generator? locus.Generator
---@field out? locus.Tensor
---@field rate? number (1)

---@class locus.named.unit_zone
---@field unit? "s"|"ms"|"us"|"ns"|"day" ("us")
---@field zone? string

---@class locus.named.decimal_missing
---@field decimal? "float64"
---@field missing? number|boolean|string|locus.ByName

---@class locus.named.from_file
---@field count? integer
---@field mmap? "r"|"r+"
---@field offset? integer (0)
---@field progress? boolean|fun(bytes: integer, length: integer?)

---@class locus.named.device_dtype_keep
---@field device? string ("cpu")
---@field dtype? locus.Dtype
---@field keep? any the owner of the memory

---@class locus.named.load
---@field mmap? "r"|"r+"
---@field only? string|string[]
---@field progress? boolean|fun(bytes: integer, length: integer?)
---@field recover? boolean (false)

---@class locus.named.indexing
---@field indexing? "ij"|"xy" ("ij")

---@class locus.named.npy_writer
---@field append? boolean (false)
---@field rows? integer
---@field sizes? integer[]
---@field sync? boolean (false)

---@class locus.named.rand
---@field device? string
---@field dtype? locus.Dtype
---@field generator? locus.Generator
---@field out? locus.Tensor

---@class locus.named.randperm
---@field base? 0|1 what positions count from (1)
---@field device? string
---@field dtype? locus.Dtype
---@field generator? locus.Generator
---@field out? locus.Tensor

---@class locus.named.read_csv
---@field bad? "raise"|integer
---@field columns? string[]
---@field comment? string
---@field decimal? "."|","
---@field escape? string
---@field header? boolean|string[]
---@field limit? integer
---@field missing? string|string[]
---@field path? string
---@field progress? boolean|fun(bytes: integer, length: integer?)
---@field quote? string|false
---@field rest? boolean
---@field rows? integer
---@field separator? string
---@field skip? integer
---@field skip_blanks? boolean
---@field text? string
---@field types? table<string|integer, locus.TextType>

---@class locus.named.read_json
---@field bad? "raise"|integer
---@field columns? string[]
---@field limit? integer
---@field missing? string|string[]
---@field path? string
---@field progress? boolean|fun(bytes: integer, length: integer?)
---@field rest? boolean
---@field rows? integer
---@field skip? integer
---@field text? string
---@field types? table<string|integer, locus.TextType>

---@class locus.named.read_log
---@field bad? "raise"|integer
---@field columns? string[]
---@field comment? string
---@field decimal? "."|","
---@field limit? integer
---@field missing? string|string[]
---@field path? string
---@field progress? boolean|fun(bytes: integer, length: integer?)
---@field quotes? "apache"
---@field rest? boolean
---@field rows? integer
---@field skip? integer
---@field text? string
---@field types? table<string|integer, locus.TextType>

---@class locus.named.read_sql
---@field decimal? "float64"
---@field driver? string
---@field missing? number|boolean|string|locus.ByName
---@field params? any[]|locus.Frame
---@field rows? integer

---@class locus.named.by_gap
---@field by? any
---@field gap? any

---@class locus.named.accuracy_bytes
---@field accuracy? number
---@field bytes? string

---@class locus.named.sql_chunks
---@field decimal? "float64"
---@field driver? string
---@field missing? number|boolean|string|locus.ByName
---@field params? any[]|locus.Frame
---@field rows? integer (1000000)

---@class locus.named.device
---@field device? string

---@class locus.named.device_dtype
---@field device? string
---@field dtype? locus.Dtype

---@class locus.named.time
---@field ambiguous? "first"|"second"
---@field missing? "forward"
---@field pattern? string
---@field unit? "s"|"ms"|"us"|"ns"|"day" ("us")
---@field zone? string

---@class locus.named.time_range
---@field ambiguous? "first"|"second"
---@field closed? "both"|"left"|"right"|"none" ("both")
---@field missing? "forward"
---@field unit? "s"|"ms"|"us"|"ns"|"day"
---@field zone? string

---@class locus.named.out_root
---@field out? locus.Tensor
---@field root? integer (0)

---@class locus.named.base_out_int32_right
---@field base? 0|1 what positions count from (1)
---@field out_int32? boolean (false)
---@field right? boolean (false)

---@class locus.named.mpi_mpi_histogram
---@field density? boolean (false)
---@field range? number[]
---@field weight? locus.Sharded
---@field weights? locus.Sharded

---@class locus.named.dtype
---@field dtype? locus.Dtype

---@class locus.named.as_tuple_base
---@field as_tuple? boolean (false)
---@field base? 0|1 what positions count from (1)

---@class locus.named.out_tag
---@field out? locus.Tensor
---@field tag? integer (0)

---@class locus.named.mpi_mpi_searchsorted
---@field base? 0|1 what positions count from (1)
---@field check? boolean (false)
---@field descending? boolean (false)
---@field out_int32? boolean (false)
---@field right? boolean (false)
---@field side? "left"|"right"|"both"
---@field sorter? any

---@class locus.named.tag
---@field tag? integer (0)

---@class locus.named.root
---@field root? integer

---@class locus.named.base_indices_stable
---@field base? 0|1 what positions count from (1)
---@field indices? boolean (true)
---@field stable? boolean (true)

---@class locus.named.mpi_mpi_unique
---@field base? 0|1 what positions count from (1)
---@field return_counts? boolean (false)
---@field return_index? boolean (false)
---@field return_inverse? boolean (false)
---@field sorted? boolean (true)

---@class locus.named.index_searchsorted
---@field base? 0|1 what positions count from (1)
---@field out? locus.Tensor|locus.Tensor[] a table of two for two results
---@field out_int32? boolean (false)
---@field right? boolean (false)
---@field side? "left"|"right"|"both"

---@class locus.named.frame_asof
---@field by? string|string[]
---@field direction? "backward"|"forward"|"nearest" ("backward")
---@field inclusive? boolean (true)
---@field missing? table<string, any>
---@field on string
---@field suffix? string
---@field tolerance? number|ffi.cdata*

---@class locus.named.frame_join
---@field how? "inner"|"left"|"semi"|"anti" ("inner")
---@field left_on? string|string[]
---@field missing? table<string, any>
---@field on? string|string[]
---@field right_on? string|string[]
---@field suffix? string
---@field validate? string

---@class locus.named.frame_pivot
---@field columns string|string[]
---@field how? string|table
---@field missing? any
---@field rows string|string[]
---@field values? string|string[]

---@class locus.named.height_points_width
---@field height? integer
---@field points? boolean (false)
---@field width? integer

---@class locus.named.frame_rolling
---@field center? boolean (false)
---@field closed? string ("right")
---@field fill? any
---@field min? integer
---@field on? any
---@field span? any

---@class locus.named.frame_save
---@field append? boolean (false)
---@field progress? boolean|fun(bytes: integer, length: integer)
---@field sync? boolean (false)
---@field wait? number (60)

---@class locus.named.frame_unpivot
---@field index? string|string[]
---@field name? string ("name")
---@field on? string|string[]
---@field value? string ("value")

---@class locus.named.name
---@field name? string ("count")

---@class locus.named.kind
---@field kind? locus.Kind

---@class locus.named.frame_write_csv
---@field comment? string
---@field compress? "gzip"|"zstd"
---@field decimal? "."|","
---@field escape? string
---@field formats? table<string, locus.Format>
---@field header? boolean (true)
---@field level? integer
---@field missing? string ("")
---@field newline? "\n"|"\r\n"
---@field progress? boolean|fun(rows: integer, count: integer)
---@field quote? string
---@field separator? string
---@field zone? string

---@class locus.named.frame_write_json
---@field array? boolean (false)
---@field compress? "gzip"|"zstd"
---@field formats? table<string, locus.Format>
---@field infinite? "null"|"number"|"string"|"error" ("null")
---@field invalid? "replace"|"keep"
---@field level? integer
---@field missing? string ("null")
---@field nest? boolean (false)
---@field progress? boolean|fun(rows: integer, count: integer)
---@field zone? string

---@class locus.named.frame_write_sql
---@field driver? string
---@field missing? locus.ByName
---@field mode? string ("create")
---@field schema? string

---@class locus.named.strings_as_date
---@field missing? any

---@class locus.named.missing_unit
---@field missing? any
---@field unit? string

---@class locus.named.strings_as_time
---@field ambiguous? "first"|"second"
---@field missing? any
---@field unit? "s"|"ms"|"us"|"ns"|"day"
---@field zone? string

---@class locus.named.limit
---@field limit? integer

---@class locus.named.fill
---@field fill? string ("")

---@class locus.named.strings_to
---@field ambiguous? "first"|"second"
---@field decimal? "."|","
---@field device? locus.Device
---@field missing? any
---@field unit? string
---@field zone? string

---@class locus.named.strings_unique
---@field base? 0|1 what positions count from (1)
---@field return_counts? boolean (false)
---@field return_index? boolean (false)
---@field return_inverse? boolean (false)
---@field sorted? boolean (false)

---@class locus.named.strings_unique_consecutive
---@field base? 0|1 what positions count from (1)
---@field return_counts? boolean (false)
---@field return_index? boolean (false)
---@field return_inverse? boolean (false)

---@class locus.named.group_diff
---@field fill? any

---@class locus.named.group_ewm_mean
---@field adjust? boolean (true)
---@field alpha? number
---@field com? number
---@field halflife? number
---@field ignore_na? boolean (false)
---@field min? integer (1)
---@field span? number

---@class locus.named.interpolation
---@field interpolation? locus.Interpolation ("linear")

---@class locus.named.correction
---@field correction? number (1)

---@class locus.named.base_descending_method
---@field base? 0|1 what positions count from (1)
---@field descending? boolean (false)
---@field method? "average"|"min"|"max"|"dense"|"ordinal" ("average")

---@class locus.named.params
---@field params? any[]|locus.Frame

---@alias locus.functions.diff
---| fun(input: locus.Table, n?: integer, dim?: integer, prepend?: locus.Data, append?: locus.Data, named?: locus.named.out): locus.Tensor
---@alias locus.functions.index_add
---| fun(input: locus.Table, dim: integer, index: locus.Table, source: locus.Data, named?: locus.named.alpha_base_out): locus.Tensor
---@alias locus.functions.index_add_
---| fun(input: locus.Tensor, dim: integer, index: locus.Table, source: locus.Data, named?: locus.named.alpha_base): locus.Tensor
---@alias locus.functions.index_put_
---| fun(input: locus.Tensor, indices: table, values: locus.Data, accumulate?: boolean, named?: locus.named.base): locus.Tensor
---@alias locus.functions.interp
---| fun(x: locus.Data, xp: locus.Table, fp: locus.Table, left?: number, right?: number, period?: number, named?: locus.named.out): any
---@alias locus.functions.intersect
---| fun(input: locus.Table, other: locus.Table, named?: locus.named.base_return_indices_sorted): locus.Tensor, locus.Tensor?, locus.Tensor?
---@alias locus.functions.multinomial
---| fun(input: locus.Table, num_samples: integer, replacement?: boolean, named?: locus.named.base_generator_out): locus.Tensor
---@alias locus.functions.nanquantile
---| fun(input: locus.Table, q: number|number[], dim?: integer, keepdim?: boolean, named?: locus.named.interpolation_out): any
---@alias locus.functions.put
---| fun(input: locus.Table, index: locus.Data, source: locus.Data, accumulate?: boolean, named?: locus.named.base_out): locus.Tensor
---@alias locus.functions.repeat_interleave
---| fun(input: locus.Table, repeats?: locus.Data, dim?: integer, named?: locus.named.base_out_output_size): locus.Tensor
---@alias locus.functions.scatter
---| fun(input: locus.Table, dim: integer, index: locus.Table, src: locus.Data, named?: locus.named.base_out_reduce): locus.Tensor
---@alias locus.functions.scatter_reduce
---| fun(input: locus.Table, dim: integer, index: locus.Table, src: locus.Data, reduce: string, named?: locus.named.base_include_self_out): any
---@alias locus.functions.scatter_reduce_
---| fun(input: locus.Tensor, dim: integer, index: locus.Table, src: locus.Data, reduce: string, named?: locus.named.base_include_self): any
---@alias locus.functions.format_time
---| fun(t: number|ffi.cdata*|locus.Tensor, pattern?: string, named?: locus.named.unit_zone): locus.Tensor|locus.Strings|string
---@alias locus.functions.result_type
---| fun(a: locus.Data, b: locus.Data, c?: locus.Data, d?: locus.Data, e?: locus.Data, f?: locus.Data, g?: locus.Data, h?: locus.Data): any
---@alias locus.functions.set_printoptions
---| fun(precision?: number, threshold?: number, edgeitems?: number, linewidth?: number, profile?: string, sci_mode?: boolean)
---@alias locus.functions.mpi_bucketize
---| fun(input: locus.Sharded|locus.Data, boundaries: locus.Sharded|locus.Table, named?: locus.named.base_out_int32_right): any
---@alias locus.functions.mpi_searchsorted
---| fun(sorted_sequence: locus.Sharded, values: locus.Sharded|locus.Data, named?: locus.named.mpi_mpi_searchsorted): any, any
---@alias locus.functions.mpi_sort
---| fun(input: locus.Sharded, dim?: integer, descending?: boolean, named?: locus.named.base_indices_stable): locus.Sharded, locus.Sharded
---@alias locus.functions.mpi_where
---| fun(condition: locus.Sharded, x?: locus.Sharded|locus.Data, y?: locus.Sharded|locus.Data, named?: locus.named.base): locus.Sharded, any
---@alias locus.functions.sharded_searchsorted
---| fun(sorted_sequence: locus.Sharded, values: locus.Sharded|locus.Data, named?: locus.named.mpi_mpi_searchsorted): any, any
---@alias locus.functions.sharded_sort
---| fun(input: locus.Sharded, dim?: integer, descending?: boolean, named?: locus.named.base_indices_stable): locus.Sharded, locus.Sharded
---@alias locus.functions.sharded_where
---| fun(condition: locus.Sharded, x?: locus.Sharded|locus.Data, y?: locus.Sharded|locus.Data, named?: locus.named.base): locus.Sharded, any
---@alias locus.functions.strings_to
---| fun(input: locus.Strings, target?: locus.Device|locus.ColumnType, pattern?: string, named?: locus.named.strings_to): locus.Tensor|locus.Strings
---@alias locus.functions.group_nanquantile
---| fun(group: locus.Group, column: string|locus.Column, q: number|number[], named?: locus.named.interpolation): locus.Tensor
---@alias locus.functions.group_shift
---| fun(group: locus.Group, column: string|locus.Column, k?: integer, named?: locus.named.group_diff): locus.Tensor|locus.Strings

---@class locus.Shared
---@field abs fun(input: locus.Data, named?: locus.named.out): any
---@field abs_ fun(input: locus.Tensor): locus.Tensor
---@field acos fun(input: locus.Data, named?: locus.named.out): any
---@field acos_ fun(input: locus.Tensor): locus.Tensor
---@field add fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field add_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field all fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.out): any
---@field allclose fun(input: locus.Data, other: locus.Data, rtol?: number, atol?: number, equal_nan?: boolean): boolean
---@field amax fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.out): any
---@field amin fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.out): any
---@field any fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.out): any
---@field argmax fun(input: locus.Data, dim?: integer, keepdim?: boolean, named?: locus.named.base_out): any
---@field argmin fun(input: locus.Data, dim?: integer, keepdim?: boolean, named?: locus.named.base_out): any
---@field argsort fun(input: locus.Data, dim?: integer, descending?: boolean, named?: locus.named.base_stable): any
---@field argwhere fun(input: locus.Table, named?: locus.named.base): locus.Tensor
---@field asin fun(input: locus.Data, named?: locus.named.out): any
---@field asin_ fun(input: locus.Tensor): locus.Tensor
---@field atan fun(input: locus.Data, named?: locus.named.out): any
---@field atan2 fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field atan2_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field atan_ fun(input: locus.Tensor): locus.Tensor
---@field band fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field band_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field bernoulli fun(input: locus.Table, p?: number, named?: locus.named.generator_out): locus.Tensor
---@field between fun(input: locus.Data, low: locus.Data, high: locus.Data, named?: locus.named.inclusive_out): any
---@field bfill fun(input: locus.Table, dim?: integer, named?: locus.named.limit_missing_out): locus.Tensor
---@field bfill_ fun(input: locus.Tensor, dim?: integer, named?: locus.named.limit_missing): locus.Tensor
---@field bincount fun(input: locus.Table, weights?: locus.Table, minlength?: integer, named?: locus.named.base): any
---@field bnot fun(input: locus.Data, named?: locus.named.out): any
---@field bnot_ fun(input: locus.Tensor): locus.Tensor
---@field bor fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field bor_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field bucketize fun(input: locus.Data, boundaries: locus.Table, named?: locus.named.bucketize): any
---@field bxor fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field bxor_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field ceil fun(input: locus.Data, named?: locus.named.out): any
---@field ceil_ fun(input: locus.Tensor): locus.Tensor
---@field choice fun(input: locus.Data, size?: locus.Dims, named?: locus.named.choice): any
---@field chunk fun(input: locus.Table, chunks: integer, dim?: integer): locus.Parts
---@field clamp fun(input: locus.Data, min?: locus.Data, max?: locus.Data, named?: locus.named.out): any
---@field clamp_ fun(input: locus.Tensor, min?: locus.Data, max?: locus.Data): locus.Tensor
---@field clone fun(input: locus.Table): locus.Tensor
---@field cos fun(input: locus.Data, named?: locus.named.out): any
---@field cos_ fun(input: locus.Tensor): locus.Tensor
---@field cosh fun(input: locus.Data, named?: locus.named.out): any
---@field cosh_ fun(input: locus.Tensor): locus.Tensor
---@field count_nonzero fun(input: locus.Data, dim?: locus.Dims): any
---@field cummax fun(input: locus.Data, dim: integer, named?: locus.named.cummax): locus.Tensor, locus.Tensor
---@field cummin fun(input: locus.Data, dim: integer, named?: locus.named.cummax): locus.Tensor, locus.Tensor
---@field cumprod fun(input: locus.Data, dim: integer, named?: locus.named.dtype_out): any
---@field cumprod_ fun(input: locus.Tensor, dim: integer): locus.Tensor
---@field cumsum fun(input: locus.Data, dim: integer, named?: locus.named.dtype_out): any
---@field cumsum_ fun(input: locus.Tensor, dim: integer): locus.Tensor
---@field date fun(input: string|number|ffi.cdata*|locus.Tensor, named?: locus.named.pattern_zone): any
---@field diff locus.functions.diff
---@field digitize fun(x: locus.Data, bins: locus.Table, right?: boolean, named?: locus.named.base_out_out_int32): any
---@field div fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field div_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field empty_like fun(input: locus.Table, named?: locus.named.device_dtype_out): locus.Tensor
---@field eq fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field equal fun(input: locus.Data, other: locus.Data): boolean
---@field ewm_mean fun(input: locus.Table, named?: locus.named.ewm_mean): locus.Tensor
---@field exp fun(input: locus.Data, named?: locus.named.out): any
---@field exp2 fun(input: locus.Data, named?: locus.named.out): any
---@field exp2_ fun(input: locus.Tensor): locus.Tensor
---@field exp_ fun(input: locus.Tensor): locus.Tensor
---@field expm1 fun(input: locus.Data, named?: locus.named.out): any
---@field expm1_ fun(input: locus.Tensor): locus.Tensor
---@field ffill fun(input: locus.Table, dim?: integer, named?: locus.named.limit_missing_out): locus.Tensor
---@field ffill_ fun(input: locus.Tensor, dim?: integer, named?: locus.named.limit_missing): locus.Tensor
---@field fill_missing fun(input: locus.Table, value: locus.Scalar|string, named?: locus.named.missing_out): locus.Tensor
---@field fill_missing_ fun(input: locus.Tensor, value: locus.Scalar|string, named?: locus.named.missing): locus.Tensor
---@field flatten fun(input: locus.Table, start_dim?: integer, end_dim?: integer): locus.Tensor
---@field flip fun(input: locus.Table, dims?: locus.Dims, ...: integer|locus.named.out): locus.Tensor
---@field floor fun(input: locus.Data, named?: locus.named.out): any
---@field floor_ fun(input: locus.Tensor): locus.Tensor
---@field floor_divide fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field floor_divide_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field fmod fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field fmod_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field frac fun(input: locus.Data, named?: locus.named.out): any
---@field frac_ fun(input: locus.Tensor): locus.Tensor
---@field full_like fun(input: locus.Table, fill_value: locus.Scalar, named?: locus.named.device_dtype_out): locus.Tensor
---@field gather fun(input: locus.Table, dim: integer, index: locus.Table, named?: locus.named.base_out): locus.Tensor
---@field ge fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field gt fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field hist fun(input: locus.Table, bins?: locus.Data, named?: locus.named.range_width): locus.Picture
---@field histc fun(input: locus.Table, bins?: integer, min?: number, max?: number, named?: locus.named.out): locus.Tensor
---@field histogram fun(input: locus.Table, bins?: locus.Data, named?: locus.named.histogram): locus.Tensor, locus.Tensor
---@field hypot fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field hypot_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field image fun(input: locus.Table, named?: locus.named.color_height_width): locus.Picture
---@field index_add locus.functions.index_add
---@field index_add_ locus.functions.index_add_
---@field index_put_ locus.functions.index_put_
---@field index_select fun(input: locus.Table, dim: integer, index: locus.Table, named?: locus.named.base_out): locus.Tensor
---@field interp locus.functions.interp
---@field intersect locus.functions.intersect
---@field is_sorted fun(input: locus.Table, dim?: integer, named?: locus.named.descending_out_strict): any
---@field isfinite fun(input: locus.Data, named?: locus.named.out): any
---@field isin fun(input: locus.Data, values: locus.Data): any
---@field isinf fun(input: locus.Data, named?: locus.named.out): any
---@field isnan fun(input: locus.Data, named?: locus.named.out): any
---@field kthvalue fun(input: locus.Table, k: integer, dim?: integer, keepdim?: boolean, named?: locus.named.cummax): any, any
---@field le fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field log fun(input: locus.Data, named?: locus.named.out): any
---@field log10 fun(input: locus.Data, named?: locus.named.out): any
---@field log10_ fun(input: locus.Tensor): locus.Tensor
---@field log1p fun(input: locus.Data, named?: locus.named.out): any
---@field log1p_ fun(input: locus.Tensor): locus.Tensor
---@field log2 fun(input: locus.Data, named?: locus.named.out): any
---@field log2_ fun(input: locus.Tensor): locus.Tensor
---@field log_ fun(input: locus.Tensor): locus.Tensor
---@field logical_and fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field logical_and_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field logical_not fun(input: locus.Data, named?: locus.named.out): any
---@field logical_not_ fun(input: locus.Tensor): locus.Tensor
---@field logical_or fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field logical_or_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field logical_xor fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field logical_xor_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field logsumexp fun(input: locus.Table, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.out): any
---@field lookup fun(input: locus.Table, values: locus.Data, named?: locus.named.base): any
---@field lshift fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field lshift_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field lt fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field masked_fill fun(input: locus.Table, mask: locus.Table, value: locus.Data): locus.Tensor
---@field masked_select fun(input: locus.Table, mask: locus.Table, named?: locus.named.out): locus.Tensor
---@field max fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.cummax): any, any
---@field maximum fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field maximum_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field mean fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.dtype_out): any
---@field median fun(input: locus.Table, dim?: integer, keepdim?: boolean, named?: locus.named.cummax): any, any
---@field min fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.cummax): any, any
---@field minimum fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field minimum_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field mul fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field mul_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field multinomial locus.functions.multinomial
---@field nancount fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.out): any
---@field nanmax fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.out): any
---@field nanmean fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.dtype_out): any
---@field nanmedian fun(input: locus.Table, dim?: integer, keepdim?: boolean, named?: locus.named.cummax): any, any
---@field nanmin fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.out): any
---@field nanquantile locus.functions.nanquantile
---@field nanstd fun(input: locus.Table, dim?: locus.Dims, named?: locus.named.correction_keepdim_out): any
---@field nansum fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.dtype_out): any
---@field nanvar fun(input: locus.Table, dim?: locus.Dims, named?: locus.named.correction_keepdim_out): any
---@field narrow fun(input: locus.Table, dim: integer, start: integer, length: integer, named?: locus.named.base): locus.Tensor
---@field ne fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field neg fun(input: locus.Data, named?: locus.named.out): any
---@field neg_ fun(input: locus.Tensor): locus.Tensor
---@field nonzero fun(input: locus.Table, named?: locus.named.as_tuple_base_out): locus.Tensor, locus.Tensor
---@field nonzero_static fun(input: locus.Table, named: locus.named.nonzero_static): locus.Tensor
---@field norm fun(input: locus.Table, p?: number|"fro", dim?: integer, keepdim?: boolean, named?: locus.named.dtype_out): any
---@field numel fun(input: locus.Table): integer
---@field ones_like fun(input: locus.Table, named?: locus.named.device_dtype_out): locus.Tensor
---@field permute fun(input: locus.Table, dims: locus.Dims, ...: integer): locus.Tensor
---@field plot fun(input: locus.Table, named?: locus.named.plot): locus.Picture
---@field pow fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field pow_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field prod fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.dtype_out): any
---@field put locus.functions.put
---@field put_ fun(input: locus.Tensor, index: locus.Data, source: locus.Data, accumulate?: boolean, named?: locus.named.base): locus.Tensor
---@field quantile fun(input: locus.Table, q: number|number[], dim?: integer, keepdim?: boolean, named?: locus.named.interpolation_out): any
---@field rank fun(input: locus.Table, dim?: integer, named?: locus.named.rank): locus.Tensor
---@field reciprocal fun(input: locus.Data, named?: locus.named.out): any
---@field reciprocal_ fun(input: locus.Tensor): locus.Tensor
---@field remainder fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field remainder_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field repeat_interleave locus.functions.repeat_interleave
---@field reshape fun(input: locus.Table, shape: locus.Dims, ...: integer): locus.Tensor
---@field rle fun(input: locus.Table, named?: locus.named.base): locus.Tensor, locus.Tensor, locus.Tensor
---@field roll fun(input: locus.Table, shifts: locus.Dims, dims?: locus.Dims, named?: locus.named.out): locus.Tensor
---@field rolling fun(input: locus.Table, rows?: integer, named?: locus.named.rolling): locus.Windows
---@field round fun(input: locus.Data, named?: locus.named.decimals_out): any
---@field round_ fun(input: locus.Tensor, named?: locus.named.decimals): locus.Tensor
---@field rshift fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field rshift_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field scatter locus.functions.scatter
---@field scatter_ fun(input: locus.Tensor, dim: integer, index: locus.Table, src: locus.Data, named?: locus.named.base_reduce): any
---@field scatter_add fun(input: locus.Table, dim: integer, index: locus.Table, src: locus.Data, named?: locus.named.base_out): locus.Tensor
---@field scatter_add_ fun(input: locus.Tensor, dim: integer, index: locus.Table, src: locus.Data, named?: locus.named.base): locus.Tensor
---@field scatter_reduce locus.functions.scatter_reduce
---@field scatter_reduce_ locus.functions.scatter_reduce_
---@field search_index fun(sorted_sequence: locus.Table, named?: locus.named.search_index): locus.SearchIndex
---@field searchsorted fun(sorted_sequence: locus.Table, values: locus.Data, named?: locus.named.searchsorted): any, any
---@field segment fun(input: locus.Table, ids: locus.Data, how: locus.How, named?: locus.named.base_groups_out): locus.Tensor
---@field segment_reduce fun(data: locus.Table, reduce: locus.Reduced, named?: locus.named.segment_reduce): locus.Tensor
---@field select fun(input: locus.Table, dim: integer, index: integer, named?: locus.named.base): any
---@field setdiff fun(input: locus.Table, other: locus.Table, named?: locus.named.sorted): locus.Tensor
---@field setxor fun(input: locus.Table, other: locus.Table, named?: locus.named.sorted): locus.Tensor
---@field shift fun(input: locus.Table, k?: integer, named?: locus.named.dim_fill_out): locus.Tensor
---@field shuffle fun(input: locus.Table, dim?: integer, named?: locus.named.generator_out): locus.Tensor
---@field sign fun(input: locus.Data, named?: locus.named.out): any
---@field sign_ fun(input: locus.Tensor): locus.Tensor
---@field sin fun(input: locus.Data, named?: locus.named.out): any
---@field sin_ fun(input: locus.Tensor): locus.Tensor
---@field sinh fun(input: locus.Data, named?: locus.named.out): any
---@field sinh_ fun(input: locus.Tensor): locus.Tensor
---@field slice fun(input: locus.Table, dim: integer, first: integer, last: integer, step?: integer, named?: locus.named.base): locus.Tensor
---@field sort fun(input: locus.Data, dim?: integer, descending?: boolean, named?: locus.named.sort): any, any
---@field spark fun(input: locus.Table, named?: locus.named.width): locus.Picture
---@field split fun(input: locus.Table, split_size_or_sections: locus.Dims, dim?: integer): locus.Parts
---@field sqrt fun(input: locus.Data, named?: locus.named.out): any
---@field sqrt_ fun(input: locus.Tensor): locus.Tensor
---@field square fun(input: locus.Data, named?: locus.named.out): any
---@field square_ fun(input: locus.Tensor): locus.Tensor
---@field squeeze fun(input: locus.Table, dim?: locus.Dims): locus.Tensor
---@field std fun(input: locus.Table, dim?: locus.Dims, named?: locus.named.correction_keepdim_out): any
---@field sub fun(input: locus.Data, other: locus.Data, named?: locus.named.out): any
---@field sub_ fun(input: locus.Tensor, other: locus.Data): locus.Tensor
---@field sum fun(input: locus.Data, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.dtype_out): any
---@field t fun(input: locus.Table): locus.Tensor
---@field take fun(input: locus.Table, positions: locus.Table, missing?: locus.Data, named?: locus.named.base_out): locus.Tensor
---@field take_along_dim fun(input: locus.Table, indices: locus.Data, dim?: integer, named?: locus.named.base_out): locus.Tensor
---@field tan fun(input: locus.Data, named?: locus.named.out): any
---@field tan_ fun(input: locus.Tensor): locus.Tensor
---@field tanh fun(input: locus.Data, named?: locus.named.out): any
---@field tanh_ fun(input: locus.Tensor): locus.Tensor
---@field tile fun(input: locus.Table, dims: locus.Dims, ...: integer|locus.named.out): locus.Tensor
---@field topk fun(input: locus.Table, k: integer, dim?: integer, largest?: boolean, sorted?: boolean, named?: locus.named.cummax): any, any
---@field transpose fun(input: locus.Table, dim0: integer, dim1: integer): locus.Tensor
---@field trunc fun(input: locus.Data, named?: locus.named.out): any
---@field trunc_ fun(input: locus.Tensor): locus.Tensor
---@field unbind fun(input: locus.Table, dim?: integer): locus.Parts
---@field union fun(input: locus.Table, other: locus.Table, named?: locus.named.sorted): locus.Tensor
---@field unique fun(input: locus.Table, named?: locus.named.unique): locus.Tensor, any, any, any
---@field unique_consecutive fun(input: locus.Table, named?: locus.named.unique_consecutive): locus.Tensor, any, any, any
---@field unsqueeze fun(input: locus.Table, dim: integer): locus.Tensor
---@field var fun(input: locus.Table, dim?: locus.Dims, named?: locus.named.correction_keepdim_out): any
---@field where fun(condition: locus.Table, x?: locus.Data, y?: locus.Data, named?: locus.named.base_out): locus.Tensor
---@field zeros_like fun(input: locus.Table, named?: locus.named.device_dtype_out): locus.Tensor

---@class locus.Tensor
---@field as_unit fun(input: locus.Tensor, unit: "s"|"ms"|"us"|"ns"|"day"): locus.Tensor
---@field bernoulli_ fun(input: locus.Tensor, p?: locus.Data, named?: locus.named.generator): locus.Tensor
---@field bfloat16 fun(input: locus.Tensor): locus.Tensor
---@field bool fun(input: locus.Tensor): locus.Tensor
---@field byte fun(input: locus.Tensor): locus.Tensor
---@field char fun(input: locus.Tensor): locus.Tensor
---@field contiguous fun(input: locus.Tensor): locus.Tensor
---@field copy_ fun(input: locus.Tensor, source: locus.Data, non_blocking?: boolean): locus.Tensor
---@field cpu fun(input: locus.Tensor): locus.Tensor
---@field cuda fun(input: locus.Tensor, device?: locus.Device, non_blocking?: boolean): locus.Tensor
---@field data fun(input: locus.Tensor): ffi.cdata*
---@field day fun(input: locus.Tensor, named?: locus.named.zone): locus.Tensor
---@field dim fun(input: locus.Tensor): integer
---@field double fun(input: locus.Tensor): locus.Tensor
---@field element_size fun(input: locus.Tensor): integer
---@field expand fun(input: locus.Tensor, sizes: locus.Dims, ...: integer): locus.Tensor
---@field expand_as fun(input: locus.Tensor, other: locus.Table): locus.Tensor
---@field exponential_ fun(input: locus.Tensor, lambd?: number, named?: locus.named.generator): locus.Tensor
---@field fill_ fun(input: locus.Tensor, value: locus.Data): locus.Tensor
---@field float fun(input: locus.Tensor): locus.Tensor
---@field free fun(input: locus.Tensor)
---@field half fun(input: locus.Tensor): locus.Tensor
---@field hour fun(input: locus.Tensor, named?: locus.named.zone): locus.Tensor
---@field int fun(input: locus.Tensor): locus.Tensor
---@field isContiguous fun(input: locus.Tensor): boolean
---@field is_contiguous fun(input: locus.Tensor): boolean
---@field is_pinned fun(input: locus.Tensor): boolean
---@field isoweek fun(input: locus.Tensor, named?: locus.named.zone): locus.Tensor
---@field isoyear fun(input: locus.Tensor, named?: locus.named.zone): locus.Tensor
---@field item fun(input: locus.Tensor): any
---@field iter fun(input: locus.Tensor, named?: locus.named.base): fun(): integer, any
---@field local_time fun(input: locus.Tensor, zone: string): locus.Tensor
---@field long fun(input: locus.Tensor): locus.Tensor
---@field masked_fill_ fun(input: locus.Tensor, mask: locus.Table, value: locus.Data): locus.Tensor
---@field minute fun(input: locus.Tensor, named?: locus.named.zone): locus.Tensor
---@field month fun(input: locus.Tensor, named?: locus.named.zone): locus.Tensor
---@field nDimension fun(input: locus.Tensor): integer
---@field nElement fun(input: locus.Table): integer
---@field normal_ fun(input: locus.Tensor, mean?: number, std?: number, named?: locus.named.generator): locus.Tensor
---@field offset fun(input: locus.Tensor, span: string, named?: locus.named.ambiguous_missing_zone): locus.Tensor
---@field pin_memory fun(input: locus.Tensor): locus.Tensor
---@field quarter fun(input: locus.Tensor, named?: locus.named.zone): locus.Tensor
---@field random_ fun(input: locus.Tensor, from?: integer, to?: integer, named?: locus.named.generator): locus.Tensor
---@field save fun(input: locus.Tensor, path: string, named?: locus.named.progress)
---@field second fun(input: locus.Tensor, named?: locus.named.zone): locus.Tensor
---@field short fun(input: locus.Tensor): locus.Tensor
---@field shuffle_ fun(input: locus.Tensor, dim?: integer, named?: locus.named.generator): locus.Tensor
---@field size fun(input: locus.Tensor, dim?: integer): integer|integer[]
---@field storage_offset fun(input: locus.Tensor, named?: locus.named.base): integer
---@field stride fun(input: locus.Tensor, dim?: integer): integer|integer[]
---@field to fun(input: locus.Tensor, target?: locus.ToWhat, dtype?: locus.Dtype, named?: locus.named.device_non_blocking): locus.Tensor
---@field to_arrow fun(input: locus.Tensor): ffi.cdata*, ffi.cdata*
---@field to_dlpack fun(input: locus.Tensor, named?: locus.named.versioned): ffi.cdata*
---@field tobytes fun(input: locus.Tensor): string
---@field tofile fun(input: locus.Tensor, path: string, named?: locus.named.progress)
---@field totable fun(input: locus.Tensor): any
---@field unfold fun(input: locus.Tensor, dimension: integer, size: integer, step: integer): locus.Tensor
---@field uniform_ fun(input: locus.Tensor, from?: integer, to?: integer, named?: locus.named.generator): locus.Tensor
---@field utc_time fun(input: locus.Tensor, zone: string, named?: locus.named.ambiguous_missing): locus.Tensor
---@field view fun(input: locus.Tensor, shape: locus.Dims, ...: integer): locus.Tensor
---@field view_as fun(input: locus.Tensor, other: locus.Table): locus.Tensor
---@field weekday fun(input: locus.Tensor, named?: locus.named.zone): locus.Tensor
---@field year fun(input: locus.Tensor, named?: locus.named.zone): locus.Tensor
---@field yearday fun(input: locus.Tensor, named?: locus.named.zone): locus.Tensor
---@field zero_ fun(input: locus.Tensor): locus.Tensor

---@class locus
---@field arange fun(start?: number, last?: number, step?: number, named?: locus.named.device_dtype_out): locus.Tensor
---@field asof fun(sorted_sequence: locus.Table, values: locus.Data, named?: locus.named.asof): locus.Tensor
---@field builder fun(types: locus.ColumnType|table): locus.Builder|locus.FrameBuilder
---@field cat fun(tensors: locus.Data[], dim?: integer, named?: locus.named.out): locus.Tensor
---@field chunks fun(source?: locus.Divided, named?: locus.named.chunks): fun(): any, integer?
---@field connect fun(database: string, named?: locus.named.driver_options): locus.Connection
---@field dates fun(list: any[]|locus.Strings|locus.Tensor, named?: locus.named.pattern): locus.Tensor
---@field duration fun(value: string|number|ffi.cdata*, named?: locus.named.unit): any
---@field durations fun(list: any[]|locus.Strings|locus.Tensor, named?: locus.named.unit): locus.Tensor
---@field empty fun(size: locus.Dims, ...: integer|locus.named.device_dtype_out): locus.Tensor
---@field exponential fun(size: locus.Dims, ...: integer|locus.named.exponential): locus.Tensor
---@field format_time locus.functions.format_time
---@field frame fun(columns: locus.Columns): locus.Frame
---@field from_arrow fun(array: ffi.cdata*, schema: ffi.cdata*, named?: locus.named.decimal_missing): locus.Imported
---@field from_arrow_stream fun(stream: ffi.cdata*, named?: locus.named.decimal_missing): locus.Imported
---@field from_dlpack fun(pointer: ffi.cdata*, named?: locus.named.versioned): locus.Tensor
---@field from_file fun(path: string, dtype: locus.Dtype, named?: locus.named.from_file): locus.Tensor
---@field from_ptr fun(pointer: ffi.cdata*, sizes: locus.Dims, ...: integer|locus.named.device_dtype_keep): locus.Tensor
---@field from_string fun(bytes: string, dtype: locus.Dtype): locus.Tensor
---@field full fun(size: locus.Dims, fill_value: locus.Scalar, named?: locus.named.device_dtype_out): locus.Tensor
---@field generator fun(seed?: integer): locus.Generator
---@field get_default_device fun(): string
---@field get_printoptions fun(): locus.Print
---@field get_rng_state fun(): locus.Tensor
---@field group_by fun(keys: locus.Column|locus.Column[]): locus.Group
---@field help fun(name?: string|function)
---@field hstack fun(tensors: locus.Data[], named?: locus.named.out): locus.Tensor
---@field initial_seed fun(): integer
---@field interval_lookup fun(starts: locus.Table, ends: locus.Table, values: locus.Data, named?: locus.named.base): locus.Tensor
---@field linspace fun(start: number, last: number, steps: integer, named?: locus.named.device_dtype_out): locus.Tensor
---@field load fun(path: string|string[], named?: locus.named.load): locus.Loaded
---@field manual_seed fun(seed: integer): locus.Generator
---@field meshgrid fun(tensors: locus.Table, ...: locus.Tensor|locus.named.indexing): ...: locus.Tensor
---@field npy_writer fun(path: string, dtype: locus.Dtype, named?: locus.named.npy_writer): locus.Writer
---@field ones fun(size: locus.Dims, ...: integer|locus.named.device_dtype_out): locus.Tensor
---@field overlaps fun(starts: locus.Table, ends: locus.Table, values: locus.Data, value_ends?: locus.Table, named?: locus.named.base): any
---@field rand fun(size: locus.Dims, ...: integer|locus.named.rand): locus.Tensor
---@field rand_like fun(input: locus.Table, named?: locus.named.rand): locus.Tensor
---@field randint fun(low?: integer, high?: any, size?: locus.Dims, named?: locus.named.rand): locus.Tensor
---@field randn fun(size: locus.Dims, ...: integer|locus.named.rand): locus.Tensor
---@field randn_like fun(input: locus.Table, named?: locus.named.rand): locus.Tensor
---@field randperm fun(n: integer, named?: locus.named.randperm): locus.Tensor
---@field range fun(start: number, last: number, step?: number, named?: locus.named.device_dtype_out): locus.Tensor
---@field read_csv fun(source?: locus.TextSource, named?: locus.named.read_csv): locus.Frame
---@field read_json fun(source?: locus.TextSource, named?: locus.named.read_json): locus.Frame
---@field read_log fun(source?: locus.TextSource, format?: string, named?: locus.named.read_log): locus.Frame
---@field read_sql fun(database: string|locus.Connection, query: string, named?: locus.named.read_sql): locus.Frame
---@field result_type locus.functions.result_type
---@field savez fun(path: string, tensors: locus.ByName, named?: locus.named.progress)
---@field seed fun(): integer
---@field sessions fun(time: locus.Table, named?: locus.named.by_gap): locus.Tensor
---@field set_default_device fun(device: string)
---@field set_default_dtype fun(dtype: "float64"|"float32")
---@field set_num_threads fun(n: integer)
---@field set_printoptions locus.functions.set_printoptions
---@field set_rng_state fun(state: locus.Table)
---@field sketch fun(named?: locus.named.accuracy_bytes): locus.Sketch
---@field sql_chunks fun(database: string|locus.Connection, query: string, named?: locus.named.sql_chunks): fun(): locus.Frame
---@field stack fun(tensors: locus.Data[], dim?: integer, named?: locus.named.out): locus.Tensor
---@field strings fun(list: string[], named?: locus.named.device): locus.Strings
---@field tensor fun(data: locus.Data, named?: locus.named.device_dtype): locus.Tensor
---@field tidy fun(f: function, arguments: any, ...: integer): any
---@field time fun(value: string|number|ffi.cdata*, named?: locus.named.time): any
---@field time_range fun(start: any, stop: any, step: string, named?: locus.named.time_range): locus.Tensor
---@field times fun(list: any[]|locus.Strings|locus.Tensor, named?: locus.named.time): locus.Tensor
---@field vstack fun(tensors: locus.Data[], named?: locus.named.out): locus.Tensor
---@field zeros fun(size: locus.Dims, ...: integer|locus.named.device_dtype_out): locus.Tensor

---@class locus.Memory
---@field set_cache_limit fun(bytes: number)
---@field set_limit fun(bytes: number)
---@field stats fun(): table<string, number>
---@field trim fun(): integer

---@class locus.Cuda
---@field Event fun(enable_timing?: boolean): locus.Event
---@field Stream fun(device?: locus.Device): locus.Stream
---@field current_device fun(): integer
---@field current_stream fun(device?: locus.Device): locus.Stream
---@field default_stream fun(device?: locus.Device): locus.Stream
---@field device_count fun(): integer
---@field device_info fun(device?: locus.Device): table<string, any>
---@field empty_cache fun()
---@field is_available fun(): boolean
---@field memory_stats fun(device?: locus.Device): table<string, number>
---@field set_device fun(device: locus.Device)
---@field set_stream fun(stream: locus.Stream)
---@field synchronize fun(device?: locus.Device)
---@field why fun(): string|nil

---@class locus.Mpi
---@field all fun(input: locus.Sharded, dim?: locus.Dims, keepdim?: boolean): any
---@field allgather fun(x: locus.Table, named?: locus.named.out): locus.Tensor
---@field allgatherv fun(x: locus.Table, named?: locus.named.out): locus.Tensor, locus.Tensor
---@field allreduce fun(x: locus.Data, op?: locus.Joining, named?: locus.named.out): any
---@field alltoall fun(x: locus.Table, named?: locus.named.out): locus.Tensor
---@field alltoallv fun(x: locus.Table, counts: locus.Table, named?: locus.named.out): locus.Tensor, locus.Tensor
---@field any fun(input: locus.Sharded, dim?: locus.Dims, keepdim?: boolean): any
---@field argsort fun(input: locus.Sharded, dim?: integer, descending?: boolean, named?: locus.named.base_stable): locus.Sharded
---@field argwhere fun(input: locus.Sharded, named?: locus.named.base): locus.Sharded
---@field barrier fun()
---@field bcast fun(x?: locus.Table, named?: locus.named.out_root): locus.Tensor
---@field bincount fun(input: locus.Sharded, weights?: locus.Sharded, minlength?: integer, named?: locus.named.base): locus.Tensor
---@field bucketize locus.functions.mpi_bucketize
---@field count_nonzero fun(input: locus.Sharded, dim?: locus.Dims): any
---@field exscan fun(x: locus.Data, op?: locus.Joining, named?: locus.named.out): any
---@field finalize fun()
---@field gather fun(x: locus.Table, named?: locus.named.out_root): locus.Tensor|nil
---@field gatherv fun(x: locus.Table, named?: locus.named.out_root): locus.Tensor|nil, locus.Tensor
---@field histogram fun(input: locus.Sharded, bins?: locus.Data, named?: locus.named.mpi_mpi_histogram): locus.Tensor, locus.Tensor
---@field is_sharded fun(value?: any): boolean
---@field load fun(path: string): locus.Sharded
---@field map fun(input: locus.Sharded, f: function, other?: locus.Sharded): locus.Sharded
---@field masked_select fun(input: locus.Sharded, mask: locus.Sharded|locus.Table): locus.Sharded
---@field max fun(input: locus.Sharded, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.base): any, any
---@field mean fun(input: locus.Sharded, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.dtype): any
---@field min fun(input: locus.Sharded, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.base): any, any
---@field nonzero fun(input: locus.Sharded, named?: locus.named.as_tuple_base): locus.Sharded, any
---@field rank fun(): integer
---@field rebalance fun(input: locus.Sharded): locus.Sharded
---@field recv fun(rank: integer, named?: locus.named.out_tag): locus.Tensor
---@field reduce fun(x: locus.Data, op?: locus.Joining, named?: locus.named.out_root): any
---@field scatter fun(x?: locus.Table, named?: locus.named.out_root): locus.Tensor
---@field scatterv fun(x?: locus.Table, counts?: locus.Table, named?: locus.named.out_root): locus.Tensor
---@field searchsorted locus.functions.mpi_searchsorted
---@field send fun(x: locus.Table, rank: integer, named?: locus.named.tag)
---@field shard fun(x?: locus.Table|locus.Frame, named?: locus.named.root): locus.Sharded|locus.ShardedFrame
---@field size fun(): integer
---@field sort locus.functions.mpi_sort
---@field sum fun(input: locus.Sharded, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.dtype): any
---@field unique fun(input: locus.Sharded, named?: locus.named.mpi_mpi_unique): locus.Sharded, any, any, any
---@field where locus.functions.mpi_where
---@field why fun(): string|nil

---@class locus.Sharded
---@field all fun(input: locus.Sharded, dim?: locus.Dims, keepdim?: boolean): any
---@field allgather fun(input: locus.Sharded): locus.Tensor
---@field any fun(input: locus.Sharded, dim?: locus.Dims, keepdim?: boolean): any
---@field argsort fun(input: locus.Sharded, dim?: integer, descending?: boolean, named?: locus.named.base_stable): locus.Sharded
---@field argwhere fun(input: locus.Sharded, named?: locus.named.base): locus.Sharded
---@field bincount fun(input: locus.Sharded, weights?: locus.Sharded, minlength?: integer, named?: locus.named.base): locus.Tensor
---@field bucketize fun(input: locus.Sharded, boundaries: locus.Sharded|locus.Table, named?: locus.named.base_out_int32_right): any
---@field count_nonzero fun(input: locus.Sharded, dim?: locus.Dims): any
---@field dim fun(input: locus.Sharded): any
---@field gather fun(input: locus.Sharded, root?: integer): locus.Tensor|nil
---@field histogram fun(input: locus.Sharded, bins?: locus.Data, named?: locus.named.mpi_mpi_histogram): locus.Tensor, locus.Tensor
---@field map fun(input: locus.Sharded, f: function, other?: locus.Sharded): locus.Sharded
---@field masked_select fun(input: locus.Sharded, mask: locus.Sharded|locus.Table): locus.Sharded
---@field max fun(input: locus.Sharded, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.base): any, any
---@field mean fun(input: locus.Sharded, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.dtype): any
---@field min fun(input: locus.Sharded, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.base): any, any
---@field nonzero fun(input: locus.Sharded, named?: locus.named.as_tuple_base): locus.Sharded, any
---@field numel fun(input: locus.Sharded): any
---@field rebalance fun(input: locus.Sharded): locus.Sharded
---@field searchsorted locus.functions.sharded_searchsorted
---@field size fun(input: locus.Sharded, dim?: integer): integer
---@field sort locus.functions.sharded_sort
---@field sum fun(input: locus.Sharded, dim?: locus.Dims, keepdim?: boolean, named?: locus.named.dtype): any
---@field unique fun(input: locus.Sharded, named?: locus.named.mpi_mpi_unique): locus.Sharded, any, any, any
---@field where locus.functions.sharded_where

---@class locus.Stream
---@field query fun(self: locus.Stream): boolean
---@field record_event fun(self: locus.Stream, event?: locus.Event): locus.Event
---@field synchronize fun(self: locus.Stream)
---@field wait_event fun(self: locus.Stream, event: locus.Event)
---@field wait_stream fun(self: locus.Stream, stream: locus.Stream)

---@class locus.Event
---@field elapsed_time fun(self: locus.Event, end_event: locus.Event): number
---@field query fun(self: locus.Event): boolean
---@field record fun(self: locus.Event, stream?: locus.Stream): locus.Event
---@field synchronize fun(self: locus.Event)
---@field wait fun(self: locus.Event, stream?: locus.Stream)

---@class locus.SearchIndex
---@field searchsorted fun(index: locus.SearchIndex, values: locus.Data, named?: locus.named.index_searchsorted): any, any

---@class locus.Frame
---@field asof fun(frame: locus.Frame, other: locus.Frame, named: locus.named.frame_asof): locus.Frame
---@field column fun(frame: locus.Frame, name: string): locus.Tensor|locus.Strings
---@field columns fun(frame: locus.Frame): string[]
---@field describe fun(frame: locus.Frame): locus.Frame
---@field drop fun(frame: locus.Frame, names: string|string[], ...: string): locus.Frame
---@field drop_missing fun(frame: locus.Frame, names?: string|string[], ...: string): locus.Frame
---@field fill_missing fun(frame: locus.Frame, values: locus.ByName): locus.Frame
---@field group fun(frame: locus.Frame, names: string|string[], ...: string): locus.Group
---@field head fun(frame: locus.Frame, n?: integer): locus.Frame
---@field iter fun(frame: locus.Frame): locus.Rows
---@field join fun(frame: locus.Frame, other: locus.Frame, named?: locus.named.frame_join): locus.Frame
---@field pivot fun(frame: locus.Frame, named: locus.named.frame_pivot): locus.Frame
---@field plot fun(frame: locus.Frame, x: string, names: string|string[], ...: string|locus.named.height_points_width): locus.Picture
---@field rename fun(frame: locus.Frame, names: string|locus.NewNames, new?: string): locus.Frame
---@field rolling fun(frame: locus.Frame, rows?: integer, named?: locus.named.frame_rolling): locus.Windows
---@field save fun(frame: locus.Frame, path: string, named?: locus.named.frame_save)
---@field select fun(frame: locus.Frame, names: string|string[], ...: string): locus.Frame
---@field sort fun(frame: locus.Frame, names: string|string[], ...: string): locus.Frame
---@field tail fun(frame: locus.Frame, n?: integer): locus.Frame
---@field take fun(frame: locus.Frame, positions: locus.Table, missing?: any, named?: locus.named.base): locus.Frame
---@field to fun(frame: locus.Frame, device: string): locus.Frame
---@field to_arrow fun(frame: locus.Frame): ffi.cdata*, ffi.cdata*
---@field totable fun(frame: locus.Frame): table<string, any[]>
---@field types fun(frame: locus.Frame): table<string, any>
---@field unique fun(frame: locus.Frame, names: string|string[], ...: string): locus.Frame
---@field unpivot fun(frame: locus.Frame, named?: locus.named.frame_unpivot): locus.Frame
---@field value_counts fun(frame: locus.Frame, names: string|string[], ...: string|locus.named.name): locus.Frame
---@field with fun(frame: locus.Frame, name: string, column: locus.Column, named?: locus.named.kind): locus.Frame
---@field write_csv fun(frame: locus.Frame, target?: locus.Target, named?: locus.named.frame_write_csv): string|nil
---@field write_json fun(frame: locus.Frame, target?: locus.Target, named?: locus.named.frame_write_json): string|nil
---@field write_sql fun(frame: locus.Frame, database: string|locus.Connection, table: string, named?: locus.named.frame_write_sql): integer

---@class locus.Strings
---@field argsort fun(input: locus.Strings, descending?: boolean): locus.Tensor
---@field as_date fun(input: locus.Strings, pattern?: string, named?: locus.named.strings_as_date): locus.Tensor
---@field as_duration fun(input: locus.Strings, named?: locus.named.missing_unit): locus.Tensor
---@field as_time fun(input: locus.Strings, pattern?: string, named?: locus.named.strings_as_time): locus.Tensor
---@field bfill fun(input: locus.Strings, named?: locus.named.limit): locus.Strings
---@field compact fun(input: locus.Strings): locus.Strings
---@field diff fun(input: locus.Strings): locus.Tensor
---@field eq fun(input: locus.Strings, other: string|locus.Strings): locus.Tensor
---@field ffill fun(input: locus.Strings, named?: locus.named.limit): locus.Strings
---@field fill_missing fun(input: locus.Strings, value: string|locus.Strings): locus.Strings
---@field ge fun(input: locus.Strings, other: string|locus.Strings): locus.Tensor
---@field gt fun(input: locus.Strings, other: string|locus.Strings): locus.Tensor
---@field isin fun(input: locus.Strings, values: string[]|locus.Strings): locus.Tensor
---@field iter fun(input: locus.Strings, named?: locus.named.base): fun(): integer, string
---@field le fun(input: locus.Strings, other: string|locus.Strings): locus.Tensor
---@field lookup fun(input: locus.Strings, values: string|string[]|locus.Strings, named?: locus.named.base): any
---@field lt fun(input: locus.Strings, other: string|locus.Strings): locus.Tensor
---@field map fun(input: locus.Strings, f: function, named?: locus.named.dtype): any
---@field match fun(input: locus.Strings, pattern: string): locus.Tensor
---@field ne fun(input: locus.Strings, other: string|locus.Strings): locus.Tensor
---@field shift fun(input: locus.Strings, k?: integer, named?: locus.named.fill): locus.Strings
---@field sort fun(input: locus.Strings, descending?: boolean): locus.Strings, locus.Tensor
---@field take fun(input: locus.Strings, positions: locus.Table, missing?: string, named?: locus.named.base): locus.Strings
---@field to locus.functions.strings_to
---@field to_arrow fun(input: locus.Strings): ffi.cdata*, ffi.cdata*
---@field totable fun(input: locus.Strings): string[]
---@field unique fun(input: locus.Strings, named?: locus.named.strings_unique): locus.Strings, any, any, any
---@field unique_consecutive fun(input: locus.Strings, named?: locus.named.strings_unique_consecutive): locus.Strings, any, any, any

---@class locus.Group
---@field agg fun(group: locus.Group, columns: table): locus.Frame
---@field all fun(group: locus.Group, column: string|locus.Column): locus.Tensor
---@field any fun(group: locus.Group, column: string|locus.Column): locus.Tensor
---@field bfill fun(group: locus.Group, column: string|locus.Column, named?: locus.named.limit_missing): locus.Tensor
---@field count fun(group: locus.Group): locus.Tensor
---@field cumcount fun(group: locus.Group, named?: locus.named.base): locus.Tensor
---@field cumsum fun(group: locus.Group, column: string|locus.Column): locus.Tensor
---@field diff fun(group: locus.Group, column: string|locus.Column, k?: integer, named?: locus.named.group_diff): locus.Tensor
---@field each fun(group: locus.Group, f: locus.Part)
---@field ewm_mean fun(group: locus.Group, column: string|locus.Column, named?: locus.named.group_ewm_mean): locus.Tensor
---@field ffill fun(group: locus.Group, column: string|locus.Column, named?: locus.named.limit_missing): locus.Tensor
---@field first fun(group: locus.Group, column: string|locus.Column): locus.Tensor|locus.Strings
---@field last fun(group: locus.Group, column: string|locus.Column): locus.Tensor|locus.Strings
---@field max fun(group: locus.Group, column: string|locus.Column): locus.Tensor|locus.Strings
---@field mean fun(group: locus.Group, column: string|locus.Column, named?: locus.named.dtype): locus.Tensor
---@field min fun(group: locus.Group, column: string|locus.Column): locus.Tensor|locus.Strings
---@field nancount fun(group: locus.Group, column: string|locus.Column): locus.Tensor
---@field nanmax fun(group: locus.Group, column: string|locus.Column): locus.Tensor
---@field nanmean fun(group: locus.Group, column: string|locus.Column): locus.Tensor
---@field nanmedian fun(group: locus.Group, column: string|locus.Column): locus.Tensor
---@field nanmin fun(group: locus.Group, column: string|locus.Column): locus.Tensor
---@field nanquantile locus.functions.group_nanquantile
---@field nanstd fun(group: locus.Group, column: string|locus.Column, named?: locus.named.correction): locus.Tensor
---@field nansum fun(group: locus.Group, column: string|locus.Column): locus.Tensor
---@field nanvar fun(group: locus.Group, column: string|locus.Column, named?: locus.named.correction): locus.Tensor
---@field nunique fun(group: locus.Group, column: string|locus.Column): locus.Tensor
---@field prod fun(group: locus.Group, column: string|locus.Column, named?: locus.named.dtype): locus.Tensor
---@field quantile fun(group: locus.Group, column: string|locus.Column, q: number|number[], named?: locus.named.interpolation): locus.Tensor
---@field rank fun(group: locus.Group, column: string|locus.Column, named?: locus.named.base_descending_method): locus.Tensor
---@field rolling fun(group: locus.Group, rows?: integer, named?: locus.named.frame_rolling): locus.Windows
---@field rows fun(group: locus.Group, i: integer): locus.Tensor
---@field shift locus.functions.group_shift
---@field std fun(group: locus.Group, column: string|locus.Column, named?: locus.named.correction): locus.Tensor
---@field sum fun(group: locus.Group, column: string|locus.Column, named?: locus.named.dtype): locus.Tensor
---@field var fun(group: locus.Group, column: string|locus.Column, named?: locus.named.correction): locus.Tensor

---@class locus.Windows
---@field count fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field first fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field last fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field max fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field mean fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field median fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field min fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field nancount fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field nanmax fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field nanmean fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field nanmedian fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field nanmin fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field nanquantile fun(windows: locus.Windows, column?: string|locus.Column, q?: number, named?: locus.named.interpolation): locus.Tensor
---@field nanstd fun(windows: locus.Windows, column?: string|locus.Column, named?: locus.named.correction): locus.Tensor
---@field nansum fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field nanvar fun(windows: locus.Windows, column?: string|locus.Column, named?: locus.named.correction): locus.Tensor
---@field quantile fun(windows: locus.Windows, column?: string|locus.Column, q?: number, named?: locus.named.interpolation): locus.Tensor
---@field std fun(windows: locus.Windows, column?: string|locus.Column, named?: locus.named.correction): locus.Tensor
---@field sum fun(windows: locus.Windows, column?: string|locus.Column): locus.Tensor
---@field var fun(windows: locus.Windows, column?: string|locus.Column, named?: locus.named.correction): locus.Tensor

---@class locus.Builder
---@field clear fun(builder: locus.Builder)
---@field column fun(builder: locus.Builder): locus.Tensor|locus.Strings
---@field extend fun(builder: locus.Builder, values: locus.Table|locus.Strings)
---@field push fun(builder: locus.Builder, value: locus.Scalar|string)
---@field tensor fun(builder: locus.Builder): locus.Tensor

---@class locus.Writer
---@field close fun(writer: locus.Writer)
---@field write fun(writer: locus.Writer, values: locus.Data)

---@class locus.Connection
---@field close fun(connection: locus.Connection): any
---@field execute fun(connection: locus.Connection, query: string, named?: locus.named.params): integer|nil
---@field transaction fun(connection: locus.Connection, f: function): any

---@class locus.Generator
---@field get_state fun(generator: locus.Generator): locus.Tensor
---@field initial_seed fun(generator: locus.Generator): integer
---@field manual_seed fun(generator: locus.Generator, seed: integer): locus.Generator
---@field seed fun(generator: locus.Generator): integer
---@field set_state fun(generator: locus.Generator, state: locus.Table): locus.Generator

---@class locus.Sketch
---@field clear fun(sketch: locus.Sketch): locus.Sketch
---@field count fun(sketch: locus.Sketch): integer
---@field max fun(sketch: locus.Sketch): any
---@field mean fun(sketch: locus.Sketch): any
---@field merge fun(sketch: locus.Sketch, other: locus.Sketch|string): locus.Sketch
---@field min fun(sketch: locus.Sketch): any
---@field push fun(sketch: locus.Sketch, values: locus.Data): locus.Sketch
---@field quantile fun(sketch: locus.Sketch, q: number|number[]): any
---@field sum fun(sketch: locus.Sketch): any
---@field tobytes fun(sketch: locus.Sketch): string

---@class locus.Picture
---@field save fun(picture: locus.Picture, path: string)
---@field svg fun(picture: locus.Picture): string

---@class locus.FrameBuilder
---@field clear fun(builder: locus.FrameBuilder)
---@field extend fun(builder: locus.FrameBuilder, frame: locus.Frame)
---@field frame fun(builder: locus.FrameBuilder): locus.Frame
---@field push fun(builder: locus.FrameBuilder, values: any, ...: integer)
