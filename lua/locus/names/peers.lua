-- SPDX-License-Identifier: MIT
-- Public names of the libraries that users of locus come from: functions, methods, fields of arrays
-- and modules of PyTorch 2.13, NumPy 2.4 and Torch7, except those of single backends, quantization
-- and autocasting. For pandas 3.1 and polars 2.1 they are the functions that read, make and join
-- frames. x_ is not listed where x is. names.lua says whose an unknown name is from this, which is
-- loaded for the first such error. Those under `features` search, select, order, group or count,
-- and docs/features.md has each of them; the rest does not.
return {
  {"PyTorch", features = [[
  all allclose amax amin aminmax any apply_ arange argmax argmin argsort argwhere bernoulli bincount
  binomial bitwise_and bitwise_not bitwise_or bitwise_xor bucketize cartesian_prod cat cauchy_ chunk
  clamp clamp_max clamp_min clip column_stack combinations concat concatenate count_nonzero cummax
  cummin cumprod cumsum diag diag_embed diagflat diagonal diagonal_scatter diff dsplit dstack
  embedding eq equal exponential_ fill_diagonal_ flip fliplr flipud fmax fmin gather ge Generator
  geometric_ greater greater_equal gt histc histogram histogramdd hsplit hstack index_add index_fill
  index_put index_reduce index_select initial_seed isclose isfinite isin isinf isnan isneginf
  isposinf isreal kthvalue le less less_equal log_normal_ logcumsumexp logical_and logical_not
  logical_or logical_xor logsumexp lt manual_seed map2_ map_ masked_fill masked_scatter
  masked_select max maximum mean median meshgrid min minimum mode msort multinomial nan_to_num
  nanmean nanmedian nanquantile nansum narrow ne nelement nonzero nonzero_static norm normal
  not_equal numel poisson prod put quantile rand rand_like randint randint_like randn randn_like
  randperm range repeat repeat_interleave roll rot90 row_stack scatter scatter_add scatter_reduce
  searchsorted seed select select_scatter signbit slice_scatter sort split split_with_sizes stack
  std std_mean sum sum_to_size take take_along_dim tensor_split tile topk trace tril tril_indices
  triu triu_indices unbind unfold uniform_ unique unique_consecutive unravel_index unsafe_chunk
  unsafe_split unsafe_split_with_sizes var var_mean vsplit vstack where
  ]], rest = [[
  abs absolute acos acosh adaptive_avg_pool1d adaptive_max_pool1d add addbmm addcdiv addcmul addmm
  addmv addr adjoint angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh as_strided
  as_strided_scatter as_subclass as_tensor asarray asin asinh atan atan2 atanh atleast_1d atleast_2d
  atleast_3d autograd avg_pool1d backward baddbmm bartlett_window batch_norm bfloat16 bilinear
  bitwise_left_shift bitwise_right_shift blackman_window block_diag bmm bool broadcast_shapes
  broadcast_tensors broadcast_to byte can_cast cdist cdouble ceil celu cfloat chain_matmul chalf
  char cholesky cholesky_inverse cholesky_solve clone coalesce compile complex cond conj
  const_data_ptr contiguous conv1d conv2d conv3d convolution copy_ copysign corrcoef cos cosh
  cosine_similarity cov cpu cross cuda cumulative_trapezoid data data_ptr deg2rad dense_dim det
  detach device digamma dim dim_order dist distributions div divide dot double dropout dtype e eig
  einsum element_size empty empty_like empty_permuted empty_strided erf erfc erfinv exp exp2 expand
  expand_as expm1 eye fft fill finfo fix flatten float float_power floor floor_divide fmod frac
  frexp frobenius_norm from_dlpack from_numpy frombuffer full full_like gcd geqrf ger
  get_default_device get_default_dtype get_device get_num_interop_threads get_num_threads grad
  gradient grid_sampler group_norm half hamming_window hann_window hardshrink hash_tensor heaviside
  hypot i0 igamma igammac iinfo imag index indices inf inner instance_norm int inverse ipu
  is_coalesced is_complex is_contiguous is_cpu is_cuda is_floating_point is_grad_enabled is_leaf
  is_nonzero is_pinned is_same_size is_set_to is_signed is_sparse is_tensor istft item itemsize jit
  kaiser_window kron layer_norm lcm ldexp lerp lgamma linalg linspace load lobpcg log log10 log1p
  log2 log_softmax logaddexp logaddexp2 logdet logit logspace long lstsq lu lu_solve matmul
  matrix_exp matrix_power matrix_rank max_pool1d max_pool2d max_pool3d mm moveaxis movedim mtia mul
  multiply mv mvlgamma nan nbytes ndim ndimension neg negative new new_empty new_empty_strided
  new_full new_ones new_tensor new_zeros newaxis nextafter nn nuclear_norm numpy ones ones_like onnx
  optim orgqr ormqr outer pairwise_distance pca_lowrank pdist permute pi pin_memory pinverse polar
  polygamma positive pow prelu promote_types qr qscheme rad2deg random ravel real reciprocal
  register_hook relu remainder renorm requires_grad reshape reshape_as resize resize_as result_type
  retain_grad rms_norm round rsqrt rsub save scalar_tensor selu set_ set_default_device
  set_default_dtype set_default_tensor_type set_num_interop_threads set_num_threads set_printoptions
  sgn shape share_memory short sigmoid sign sin sinc sinh Size size slice_inverse slogdet softmax
  solve sparse special sqrt square squeeze stft Storage storage storage_offset stride strided sub
  subtract svd svd_lowrank swapaxes swapdims T t tan tanh tensor tensordot threshold to to_dense
  to_dlpack tolist transpose trapezoid trapz triangular_solve true_divide trunc type type_as
  typename unflatten unsqueeze utils values vander vdot view view_as view_as_complex view_as_real
  vmap xlogy xpu zero_ zeros zeros_like
  ]]},
  {"NumPy", features = [[
  all allclose amax amin any append apply_along_axis apply_over_axes arange argmax argmin
  argpartition argsort argwhere array_equal array_equiv array_split average bincount bitwise_and
  bitwise_count bitwise_invert bitwise_not bitwise_or bitwise_xor block busday_count choose clip
  column_stack compress concat concatenate copyto count_nonzero cumprod cumsum cumulative_prod
  cumulative_sum delete diag diag_indices diag_indices_from diagflat diagonal diff digitize dsplit
  dstack ediff1d equal extract fill_diagonal flatnonzero flip fliplr flipud fmax fmin greater
  greater_equal histogram histogram2d histogram_bin_edges histogramdd hsplit hstack indices insert
  interp intersect1d invert isclose iscomplex isfinite isin isinf isnan isnat isneginf isposinf
  isreal ix_ less less_equal lexsort logical_and logical_not logical_or logical_xor mask_indices max
  maximum mean median meshgrid min minimum nan_to_num nanargmax nanargmin nancumprod nancumsum
  nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar nonzero
  not_equal partition percentile piecewise place prod ptp put putmask quantile ravel_multi_index
  repeat roll rot90 row_stack searchsorted select setdiff1d setxor1d signbit size sort sort_complex
  split stack std sum take take_along_axis tile trace tri tril tril_indices tril_indices_from
  trim_zeros triu triu_indices triu_indices_from union1d unique unique_all unique_counts
  unique_inverse unique_values unravel_index unstack var vsplit vstack where
  ]], rest = [[
  abs absolute acos acosh add alltrue angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh
  around array array2string array_repr array_str asanyarray asarray ascontiguousarray asfarray
  asfortranarray asin asinh asmatrix astype atan atan2 atanh atleast_1d atleast_2d atleast_3d
  bartlett base base_repr binary_repr bitwise_left_shift bitwise_right_shift blackman bmat broadcast
  broadcast_arrays broadcast_shapes broadcast_to busday_offset byteswap c_ can_cast cbrt ceil char
  common_type conj conjugate convolve copy copysign corrcoef correlate cos cosh cov cross ctypes
  cumproduct data datetime_data deg2rad degrees device divide divmod
  dot dtype dump dumps e einsum einsum_path emath empty empty_like euler_gamma exp exp2 expand_dims
  expm1 eye fabs fft fill find_common_type finfo fix flags flat flatiter flatten float_power floor
  floor_divide fmod format_float_positional format_float_scientific frexp from_dlpack frombuffer
  fromfile fromfunction fromiter frompyfunc fromregex fromstring full full_like gcd generic
  genfromtxt geomspace get_printoptions geterr geterrcall getfield gradient hamming hanning
  heaviside hypot i0 identity iinfo imag in1d index_exp info inner is_busday iscomplexobj isdtype
  isfortran isrealobj isscalar issubdtype item itemset itemsize iterable kaiser kron lcm ldexp
  left_shift linalg linspace load loadtxt log log10 log1p log2 logaddexp logaddexp2 logspace ma
  matmul matrix matrix_transpose matvec may_share_memory memmap mgrid min_scalar_type mintypecode
  mod modf moveaxis msort multiply nbytes ndarray ndenumerate ndim ndindex nditer negative newaxis
  newbyteorder nextafter ogrid ones ones_like outer packbits pad permute_dims pi poly poly1d polyadd
  polyder polydiv polyfit polyint polymul polynomial polysub polyval positive pow power printoptions
  product promote_types r_ rad2deg radians random ravel real real_if_close rec reciprocal remainder
  require reshape resize result_type right_shift rint rollaxis roots round s_ save savetxt savez
  savez_compressed set_printoptions seterr seterrcall setfield setflags shape shares_memory sign sin
  sinc sinh sometrue spacing sqrt square squeeze strides strings subtract swapaxes T tan tanh
  tensordot test testing to_device tobytes tofile tolist tostring transpose trapezoid
  trapz true_divide trunc typename ufunc unpackbits unwrap vander vdot vecdot vecmat vectorize view
  zeros zeros_like
  ]]},
  {"Torch7", rest = [[
  abs acos add addbmm addcdiv addcmul addmm addmv addr all Allocator any apply asin atan atan2
  baddbmm bernoulli bhistc bmm ByteStorage cadd cat cauchy cbitand cbitor cbitxor cdiv ceil cfmod
  CharStorage chunk cinv clamp class clone clshift cmax CmdLine cmin cmod cmul contiguous conv2
  conv3 copy cos cosh cpow cremainder cross crshift csub cumprod cumsum data deserialize diag dim
  DiskFile dist div dot DoubleStorage eig elementSize eq equal exp expand expandAs exponential eye
  factory fill FloatStorage floor fmod frac free gather ge gels Generator geometric geqrf ger gesv
  getdefaulttensortype getmetatable getnumthreads getRNGState gt HalfStorage histc index indexAdd
  indexCopy indexFill indexSelect initialSeed IntStorage inverse isatty isContiguous isSameSizeAs
  isSetTo isSize isStorage isTensor isTransposed kthvalue le lerp linspace load log log1p logNormal
  logspace LongStorage lshift lt manualSeed map map2 maskedCopy maskedFill maskedSelect max mean
  median MemoryFile min mm mod mode mul multinomial mv narrow nDimension ndimension ne neg nElement
  newmetatable nonzero norm normal numel ones orgqr ormqr permute PipeFile pointer potrf potri potrs
  pow prod pstrf qr rand randn random randperm range read remainder renorm repeatTensor reshape
  resize resizeAs retain round rshift rsqrt save scatter scatterAdd seed select serialize set
  setdefaulttensortype setnumthreads setRNGState ShortStorage sigmoid sign sin sinh size sort split
  sqrt squeeze std Storage storage storageOffset stride sub sum svd symeig t tan tanh tensor test
  Tester TestSuite tic Timer toc topk totable trace transpose tril triu trtrs trunc type typeAs
  typename unfold uniform var view viewAs write xcorr2 xcorr3 zero zeros
  ]]},
  {"pandas", rest = [[
  concat crosstab DataFrame date_range ExcelFile from_dummies get_dummies HDFStore Index
  json_normalize lreshape melt merge merge_ordered MultiIndex pivot pivot_table qcut read_clipboard
  read_excel read_feather read_fwf read_hdf read_html read_orc read_parquet read_pickle
  read_sas read_spss read_sql_query read_sql_table read_stata read_xml Series
  timedelta_range Timestamp to_numeric to_pickle to_timedelta wide_to_long
  ]]},
  {"polars", rest = [[
  align_frames arg_sort_by coalesce col collect_all concat DataFrame date_range datetime_range Expr
  from_arrow from_dicts from_epoch from_pandas from_records json_normalize LazyFrame lit
  merge_sorted read_avro read_clipboard read_database read_delta read_excel read_ipc
  read_lines read_ndjson read_ods read_parquet scan_delta scan_iceberg scan_ipc scan_lines
  scan_ndjson scan_parquet Series sql SQLContext when
  ]]},
}
