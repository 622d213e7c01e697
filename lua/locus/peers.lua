-- SPDX-License-Identifier: MIT
-- Public names of the libraries that users of locus come from: functions, methods, fields of arrays
-- and modules of PyTorch 2.13, NumPy 2.4 and Torch7, but for those of single backends, quantization
-- and autocasting; of pandas 3.1 and polars 2.1 the functions that read, make and join frames. x_
-- is not listed where x is. names.lua says whose an unknown name is from this, which is loaded for
-- the first such error.
return {
  {"PyTorch", [[
  abs absolute acos acosh adaptive_avg_pool1d adaptive_max_pool1d add addbmm addcdiv addcmul addmm
  addmv addr adjoint all allclose amax amin aminmax angle any apply_ arange arccos arccosh arcsin
  arcsinh arctan arctan2 arctanh argmax argmin argsort argwhere as_strided as_strided_scatter
  as_subclass as_tensor asarray asin asinh atan atan2 atanh atleast_1d atleast_2d atleast_3d
  autograd avg_pool1d backward baddbmm bartlett_window batch_norm bernoulli bfloat16 bilinear
  bincount binomial bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift
  bitwise_xor blackman_window block_diag bmm bool broadcast_shapes broadcast_tensors broadcast_to
  bucketize byte can_cast cartesian_prod cat cauchy_ cdist cdouble ceil celu cfloat chain_matmul
  chalf char cholesky cholesky_inverse cholesky_solve chunk clamp clamp_max clamp_min clip clone
  coalesce column_stack combinations compile complex concat concatenate cond conj const_data_ptr
  contiguous conv1d conv2d conv3d convolution copy_ copysign corrcoef cos cosh cosine_similarity
  count_nonzero cov cpu cross cuda cummax cummin cumprod cumsum cumulative_trapezoid data data_ptr
  deg2rad dense_dim det detach device diag diag_embed diagflat diagonal diagonal_scatter diff
  digamma dim dim_order dist distributions div divide dot double dropout dsplit dstack dtype e eig
  einsum element_size embedding empty empty_like empty_permuted empty_strided eq equal erf erfc
  erfinv exp exp2 expand expand_as expm1 exponential_ eye fft fill fill_diagonal_ finfo fix flatten
  flip fliplr flipud float float_power floor floor_divide fmax fmin fmod frac frexp frobenius_norm
  from_dlpack from_numpy frombuffer full full_like gather gcd ge Generator geometric_ geqrf ger
  get_default_device get_default_dtype get_device get_num_interop_threads get_num_threads grad
  gradient greater greater_equal grid_sampler group_norm gt half hamming_window hann_window
  hardshrink hash_tensor heaviside histc histogram histogramdd hsplit hstack hypot i0 igamma igammac
  iinfo imag index index_add index_fill index_put index_reduce index_select indices inf initial_seed
  inner instance_norm int inverse ipu is_coalesced is_complex is_contiguous is_cpu is_cuda
  is_floating_point is_grad_enabled is_leaf is_nonzero is_pinned is_same_size is_set_to is_signed
  is_sparse is_tensor isclose isfinite isin isinf isnan isneginf isposinf isreal istft item itemsize
  jit kaiser_window kron kthvalue layer_norm lcm ldexp le lerp less less_equal lgamma linalg
  linspace load lobpcg log log10 log1p log2 log_normal_ log_softmax logaddexp logaddexp2
  logcumsumexp logdet logical_and logical_not logical_or logical_xor logit logspace logsumexp long
  lstsq lt lu lu_solve manual_seed map2_ map_ masked_fill masked_scatter masked_select matmul
  matrix_exp matrix_power matrix_rank max max_pool1d max_pool2d max_pool3d maximum mean median
  meshgrid min minimum mm mode moveaxis movedim msort mtia mul multinomial multiply mv mvlgamma nan
  nan_to_num nanmean nanmedian nanquantile nansum narrow nbytes ndim ndimension ne neg negative
  nelement new new_empty new_empty_strided new_full new_ones new_tensor new_zeros newaxis nextafter
  nn nonzero nonzero_static norm normal not_equal nuclear_norm numel numpy ones ones_like onnx optim
  orgqr ormqr outer pairwise_distance pca_lowrank pdist permute pi pin_memory pinverse poisson polar
  polygamma positive pow prelu prod promote_types put qr qscheme quantile rad2deg rand rand_like
  randint randint_like randn randn_like random randperm range ravel real reciprocal register_hook
  relu remainder renorm repeat repeat_interleave requires_grad reshape reshape_as resize resize_as
  result_type retain_grad rms_norm roll rot90 round row_stack rsqrt rsub save scalar_tensor scatter
  scatter_add scatter_reduce searchsorted seed select select_scatter selu set_ set_default_device
  set_default_dtype set_default_tensor_type set_num_interop_threads set_num_threads set_printoptions
  sgn shape share_memory short sigmoid sign signbit sin sinc sinh Size size slice_inverse
  slice_scatter slogdet softmax solve sort sparse special split split_with_sizes sqrt square squeeze
  stack std std_mean stft Storage storage storage_offset stride strided sub subtract sum sum_to_size
  svd svd_lowrank swapaxes swapdims T t take take_along_dim tan tanh tensor tensor_split tensordot
  threshold tile to to_dense to_dlpack tolist topk trace transpose trapezoid trapz triangular_solve
  tril tril_indices triu triu_indices true_divide trunc type type_as typename unbind unflatten
  unfold uniform_ unique unique_consecutive unravel_index unsafe_chunk unsafe_split
  unsafe_split_with_sizes unsqueeze utils values vander var var_mean vdot view view_as
  view_as_complex view_as_real vmap vsplit vstack where xlogy xpu zero_ zeros zeros_like
  ]]},
  {"NumPy", [[
  abs absolute acos acosh add all allclose alltrue amax amin angle any append apply_along_axis
  apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin
  argpartition argsort argwhere around array array2string array_equal array_equiv array_repr
  array_split array_str asanyarray asarray ascontiguousarray asfarray asfortranarray asin asinh
  asmatrix astype atan atan2 atanh atleast_1d atleast_2d atleast_3d average bartlett base base_repr
  binary_repr bincount bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not
  bitwise_or bitwise_right_shift bitwise_xor blackman block bmat broadcast broadcast_arrays
  broadcast_shapes broadcast_to busday_count busday_offset byteswap c_ can_cast cbrt ceil char
  choose clip column_stack common_type compress concat concatenate conj conjugate convolve copy
  copysign copyto corrcoef correlate cos cosh count_nonzero cov cross ctypes cumprod cumproduct
  cumsum cumulative_prod cumulative_sum data datetime64 datetime_as_string datetime_data deg2rad
  degrees delete device diag diag_indices diag_indices_from diagflat diagonal diff digitize divide
  divmod dot dsplit dstack dtype dump dumps e ediff1d einsum einsum_path emath empty empty_like
  equal euler_gamma exp exp2 expand_dims expm1 extract eye fabs fft fill fill_diagonal
  find_common_type finfo fix flags flat flatiter flatnonzero flatten flip fliplr flipud float_power
  floor floor_divide fmax fmin fmod format_float_positional format_float_scientific frexp
  from_dlpack frombuffer fromfile fromfunction fromiter frompyfunc fromregex fromstring full
  full_like gcd generic genfromtxt geomspace get_printoptions geterr geterrcall getfield gradient
  greater greater_equal hamming hanning heaviside histogram histogram2d histogram_bin_edges
  histogramdd hsplit hstack hypot i0 identity iinfo imag in1d index_exp indices info inner insert
  interp intersect1d invert is_busday isclose iscomplex iscomplexobj isdtype isfinite isfortran isin
  isinf isnan isnat isneginf isposinf isreal isrealobj isscalar issubdtype item itemset itemsize
  iterable ix_ kaiser kron lcm ldexp left_shift less less_equal lexsort linalg linspace load loadtxt
  log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logspace
  ma mask_indices matmul matrix matrix_transpose matvec max maximum may_share_memory mean median
  memmap meshgrid mgrid min min_scalar_type minimum mintypecode mod modf moveaxis msort multiply
  nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile
  nanprod nanquantile nanstd nansum nanvar nbytes ndarray ndenumerate ndim ndindex nditer negative
  newaxis newbyteorder nextafter nonzero not_equal ogrid ones ones_like outer packbits pad partition
  percentile permute_dims pi piecewise place poly poly1d polyadd polyder polydiv polyfit polyint
  polymul polynomial polysub polyval positive pow power printoptions prod product promote_types ptp
  put putmask quantile r_ rad2deg radians random ravel ravel_multi_index real real_if_close rec
  reciprocal remainder repeat require reshape resize result_type right_shift rint roll rollaxis
  roots rot90 round row_stack s_ save savetxt savez savez_compressed searchsorted select
  set_printoptions setdiff1d seterr seterrcall setfield setflags setxor1d shape shares_memory sign
  signbit sin sinc sinh size sometrue sort sort_complex spacing split sqrt square squeeze stack std
  strides strings subtract sum swapaxes T take take_along_axis tan tanh tensordot test testing tile
  timedelta64 to_device tobytes tofile tolist tostring trace transpose trapezoid trapz tri tril
  tril_indices tril_indices_from trim_zeros triu triu_indices triu_indices_from true_divide trunc
  typename ufunc union1d unique unique_all unique_counts unique_inverse unique_values unpackbits
  unravel_index unstack unwrap vander var vdot vecdot vecmat vectorize view vsplit vstack where
  zeros zeros_like
  ]]},
  {"Torch7", [[
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
  {"pandas", [[
  concat crosstab DataFrame date_range ExcelFile from_dummies get_dummies HDFStore Index
  json_normalize lreshape melt merge merge_ordered MultiIndex pivot pivot_table qcut read_clipboard
  read_excel read_feather read_fwf read_hdf read_html read_json read_orc read_parquet read_pickle
  read_sas read_spss read_sql read_sql_query read_sql_table read_stata read_xml Series
  timedelta_range Timestamp to_numeric to_pickle to_timedelta wide_to_long
  ]]},
  {"polars", [[
  align_frames arg_sort_by coalesce col collect_all concat DataFrame date_range datetime_range Expr
  from_arrow from_dicts from_epoch from_pandas from_records json_normalize LazyFrame lit
  merge_sorted read_avro read_clipboard read_database read_delta read_excel read_ipc read_json
  read_lines read_ndjson read_ods read_parquet scan_delta scan_iceberg scan_ipc scan_lines
  scan_ndjson scan_parquet Series SQLContext sql when
  ]]},
}
