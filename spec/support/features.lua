-- SPDX-License-Identifier: MIT
-- Public names of PyTorch 2.13 (of torch and torch.Tensor), NumPy 2.4 (of numpy, ndarray, ufunc and
-- the random Generator) and polars 2.1 (expressions, Series, frames, groups, functions), for
-- docs/features.md. `listed` are those that search, select, order, group or count; `others`, that
-- none be undecided, are arithmetic, matrix algebra, making, shapes, text, devices, networks.
-- x_ and x_copy are not among them where x is; names of older versions are among the others.
return {
  PyTorch = {
    listed = [[
      all allclose amax amin aminmax any apply_ arange argmax argmin argsort argwhere bernoulli
      bincount binomial bitwise_and bitwise_not bitwise_or bitwise_xor bucketize cartesian_prod
      cat cauchy_ chunk clamp clamp_max clamp_min clip column_stack combinations concat
      concatenate count_nonzero cummax cummin cumprod cumsum diag diag_embed diagflat diagonal
      diagonal_scatter diff dsplit dstack embedding embedding_bag eq equal exponential_
      fill_diagonal_ flip fliplr flipud fmax fmin gather ge Generator geometric_ get_rng_state
      greater greater_equal gt histc histogram histogramdd hsplit hstack index_add index_copy
      index_fill index_put index_reduce index_select initial_seed isclose isfinite isin isinf
      isnan isneginf isposinf isreal kthvalue le less less_equal log_normal_ logcumsumexp
      logical_and logical_not logical_or logical_xor logsumexp lt manual_seed map2_ map_
      masked_fill masked_scatter masked_select max maximum mean median meshgrid min minimum mode
      msort multinomial nan_to_num nanmean nanmedian nanquantile nansum narrow narrow_copy ne
      nelement nonzero nonzero_static norm normal not_equal numel poisson prod put quantile rand
      rand_like randint randint_like randn randn_like random_ randperm range repeat
      repeat_interleave roll rot90 row_stack scatter scatter_add scatter_reduce searchsorted seed
      segment_reduce select select_scatter set_rng_state signbit slice_scatter sort split
      split_with_sizes stack std std_mean sum sum_to_size take take_along_dim tensor_split tile
      topk trace tril tril_indices triu triu_indices unbind unfold uniform_ unique
      unique_consecutive unravel_index unsafe_chunk unsafe_split unsafe_split_with_sizes var
      var_mean vsplit vstack where
    ]],
    others = [[
      abs absolute acos acosh adaptive_avg_pool1d adaptive_max_pool1d add addbmm addcdiv addcmul
      addmm addmv addr adjoint affine_grid_generator alias_copy alpha_dropout angle arccos arccosh
      arcsin arcsinh arctan arctan2 arctanh are_deterministic_algorithms_enabled as_strided
      as_strided_copy as_strided_scatter as_subclass as_tensor asarray asin asinh atan atan2 atanh
      atleast_1d atleast_2d atleast_3d autocast_decrement_nesting autocast_increment_nesting
      autograd avg_pool1d backward baddbmm bartlett_window batch_norm batch_norm_backward_elemt
      batch_norm_backward_reduce batch_norm_elemt batch_norm_gather_stats
      batch_norm_gather_stats_with_counts batch_norm_stats batch_norm_update_stats bfloat16
      bilinear binary_cross_entropy_with_logits bitwise_left_shift bitwise_right_shift
      blackman_window block_diag bmm bool broadcast_shapes broadcast_tensors broadcast_to byte
      can_cast ccol_indices ccol_indices_copy cdist cdouble ceil celu cfloat chain_matmul chalf
      channel_shuffle char cholesky cholesky_inverse cholesky_solve choose_qparams_optimized
      classproperty clear_autocast_cache clone coalesce col_indices col_indices_copy compile
      compiled_with_cxx11_abi complex cond conj conj_physical const_data_ptr constant_pad_nd
      contiguous conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d
      convolution copy_ copysign corrcoef cos cosh cosine_embedding_loss cosine_similarity cov cpu
      cross crow_indices crow_indices_copy ctc_loss cuda cudnn_affine_grid_generator
      cudnn_batch_norm cudnn_convolution cudnn_convolution_add_relu cudnn_convolution_relu
      cudnn_convolution_transpose cudnn_grid_sampler cudnn_is_acceptable cumulative_trapezoid data
      data_ptr deg2rad dense_dim dequantize det detach detach_copy device digamma dim dim_order
      dist distributions div divide dot double dropout dsmm dtype e eig einsum element_size
      embedding_renorm_ empty empty_like empty_permuted empty_quantized empty_strided erf erfc
      erfinv exp exp2 expand expand_as expand_copy expm1 eye fake_quantize_per_channel_affine
      fake_quantize_per_tensor_affine fbgemm_linear_fp16_weight
      fbgemm_linear_fp16_weight_fp32_activation fbgemm_linear_int8_weight
      fbgemm_linear_int8_weight_fp32_activation fbgemm_linear_quantize_weight
      fbgemm_pack_gemm_matrix_fp16 fbgemm_pack_quantized_matrix feature_alpha_dropout
      feature_dropout fft fill finfo fix flatten float float_power floor floor_divide fmod fork
      frac frexp frobenius_norm from_dlpack from_file from_numpy frombuffer full full_like
      fused_moving_avg_obs_fake_quant gcd geqrf ger get_autocast_cpu_dtype get_autocast_dtype
      get_autocast_gpu_dtype get_autocast_ipu_dtype get_autocast_xla_dtype get_default_device
      get_default_dtype get_deterministic_debug_mode get_device get_device_module get_file_path
      get_float32_matmul_precision get_num_interop_threads get_num_threads grad grad_dtype grad_fn
      gradient grid_sampler grid_sampler_2d grid_sampler_3d group_norm gru gru_cell H half
      hamming_window hann_window hardshrink hash_tensor heaviside hinge_embedding_loss hsmm hspmm
      hypot i0 igamma igammac iinfo imag import_ir_module import_ir_module_from_buffer index
      indices indices_copy inf init_num_threads inner instance_norm int int_repr inverse ipu
      is_anomaly_check_nan_enabled is_anomaly_enabled is_autocast_cache_enabled
      is_autocast_cpu_enabled is_autocast_enabled is_autocast_ipu_enabled is_autocast_xla_enabled
      is_coalesced is_complex is_conj is_contiguous is_cpu is_cuda
      is_deterministic_algorithms_warn_only_enabled is_distributed is_floating_point
      is_grad_enabled is_inference is_inference_mode_enabled is_ipu is_leaf is_maia is_meta
      is_mkldnn is_mps is_mtia is_neg is_nested is_nonzero is_pinned is_quantized is_same_size
      is_set_to is_shared is_signed is_sparse is_sparse_csr is_storage is_tensor is_vulkan
      is_vulkan_available is_warn_always_enabled is_xla is_xpu istft item itemsize jit
      kaiser_window kl_div kron layer_norm layout lcm ldexp lerp lgamma linalg linspace load
      lobpcg log log10 log1p log2 log_softmax logaddexp logaddexp2 logdet logit logspace long lstm
      lstm_cell lstsq lu lu_solve lu_unpack margin_ranking_loss matmul matrix_exp matrix_power
      matrix_rank max_pool1d max_pool1d_with_indices max_pool2d max_pool3d
      merge_type_from_type_comment mH miopen_batch_norm miopen_convolution
      miopen_convolution_add_relu miopen_convolution_relu miopen_convolution_transpose
      miopen_ctc_loss miopen_depthwise_convolution miopen_rnn mkldnn_adaptive_avg_pool2d
      mkldnn_convolution mkldnn_linear_backward_weights mkldnn_max_pool2d mkldnn_max_pool3d
      mkldnn_rnn_layer mm module_load moveaxis movedim mT mtia mul multiply mv mvlgamma name nan
      native_batch_norm native_channel_shuffle native_dropout native_group_norm native_layer_norm
      native_norm nbytes ndim ndimension neg negative new new_empty new_empty_strided new_full
      new_ones new_tensor new_zeros newaxis nextafter nn norm_except_dim nuclear_norm numpy ones
      ones_like onnx optim orgqr ormqr outer output_nr pairwise_distance parse_ir parse_schema
      parse_type_comment pca_lowrank pdist permute permute_copy pi pin_memory pinverse
      pixel_shuffle pixel_unshuffle poisson_nll_loss polar polygamma positive pow prelu
      prepare_multiprocessing_environment profiler_allow_cudagraph_cupti_lazy_reinit_cuda12
      promote_types q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale
      q_zero_point qr qscheme quantize_per_channel quantize_per_tensor quantize_per_tensor_dynamic
      quantized_batch_norm quantized_gru quantized_gru_cell quantized_lstm quantized_lstm_cell
      quantized_max_pool1d quantized_max_pool2d quantized_max_pool3d quantized_rnn_relu_cell
      quantized_rnn_tanh_cell rad2deg random ravel real reciprocal record_stream register_hook
      register_post_accumulate_grad_hook reinforce relu remainder renorm requires_grad reshape
      reshape_as resize resize_as resize_as_sparse_ resolve_conj resolve_neg result_type
      retain_grad retains_grad rms_norm rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell round
      row_indices row_indices_copy rrelu rsqrt rsub saddmm save scalar_tensor selu set_
      set_anomaly_enabled set_autocast_cache_enabled set_autocast_cpu_dtype
      set_autocast_cpu_enabled set_autocast_dtype set_autocast_enabled set_autocast_gpu_dtype
      set_autocast_ipu_dtype set_autocast_ipu_enabled set_autocast_xla_dtype
      set_autocast_xla_enabled set_default_device set_default_dtype set_default_tensor_type
      set_deterministic_debug_mode set_float32_matmul_precision set_flush_denormal
      set_num_interop_threads set_num_threads set_printoptions set_warn_always sgn shape
      share_memory share_memory_ short sigmoid sign sin sinc sinh Size size slice_copy
      slice_inverse slogdet smm softmax solve sparse sparse_bsc_tensor sparse_bsr_tensor
      sparse_compressed_tensor sparse_coo_tensor sparse_csc_tensor sparse_csr_tensor sparse_dim
      sparse_mask sparse_resize_ sparse_resize_and_clear_ special spmm sqrt square squeeze
      squeeze_copy sspaddmm stft Storage storage storage_offset storage_type stride strided sub
      subtract svd svd_lowrank swapaxes swapdims sym_constrain_range sym_constrain_range_for_size
      sym_float sym_fresh_size sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum symeig T t
      t_copy tan tanh tensor tensordot thread_safe_generator threshold to to_dense to_dlpack
      to_mkldnn to_padded_tensor to_sparse to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc
      to_sparse_csr tolist transpose transpose_copy trapezoid trapz triangular_solve
      triplet_margin_loss true_divide trunc type type_as typename unflatten unify_type_list
      unsqueeze unsqueeze_copy untyped_storage use_deterministic_algorithms utils values
      values_copy vander vdot view view_as view_as_complex view_as_complex_copy view_as_real
      view_as_real_copy view_copy vmap volatile wait while_loop xlogy xpu zero_ zeros zeros_like
    ]],
  },
  NumPy = {
    listed = [[
      all allclose amax amin any append apply_along_axis apply_over_axes arange argmax argmin
      argpartition argsort argwhere array_equal array_equiv array_split average bincount
      bitwise_and bitwise_count bitwise_invert bitwise_not bitwise_or bitwise_xor block
      busday_count choose clip column_stack compress concat concatenate copyto count_nonzero
      cumprod cumsum cumulative_prod cumulative_sum delete diag diag_indices diag_indices_from
      diagflat diagonal diff digitize dsplit dstack ediff1d equal extract fill_diagonal
      flatnonzero flip fliplr flipud fmax fmin greater greater_equal histogram histogram2d
      histogram_bin_edges histogramdd hsplit hstack indices insert interp intersect1d invert
      isclose iscomplex isfinite isin isinf isnan isnat isneginf isposinf isreal ix_ less
      less_equal lexsort lib.stride_tricks.sliding_window_view logical_and logical_not logical_or
      logical_xor mask_indices max maximum mean median meshgrid min minimum nan_to_num nanargmax
      nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanprod
      nanquantile nanstd nansum nanvar nonzero not_equal partition percentile piecewise place prod
      ptp put put_along_axis putmask quantile random.beta random.binomial random.bit_generator
      random.chisquare random.choice random.dirichlet random.exponential random.f random.gamma
      random.geometric random.gumbel random.hypergeometric random.integers random.laplace
      random.logistic random.lognormal random.logseries random.multinomial
      random.multivariate_hypergeometric random.multivariate_normal random.negative_binomial
      random.noncentral_chisquare random.noncentral_f random.normal random.pareto
      random.permutation random.permuted random.poisson random.power random.random random.rayleigh
      random.shuffle random.spawn random.standard_cauchy random.standard_exponential
      random.standard_gamma random.standard_normal random.standard_t random.triangular
      random.uniform random.vonmises random.wald random.weibull random.zipf ravel_multi_index
      repeat roll rot90 row_stack searchsorted select setdiff1d setxor1d signbit size sort
      sort_complex split stack std sum take take_along_axis tile trace tri tril tril_indices
      tril_indices_from trim_zeros triu triu_indices triu_indices_from ufunc.accumulate ufunc.at
      ufunc.reduce ufunc.reduceat union1d unique unique_all unique_counts unique_inverse
      unique_values unravel_index unstack var vsplit vstack where
    ]],
    others = [[
      abs absolute acos acosh add alltrue angle arccos arccosh arcsin arcsinh arctan arctan2
      arctanh around array array2string array_repr array_str asanyarray asarray asarray_chkfinite
      ascontiguousarray asfarray asfortranarray asin asinh asmatrix astype atan atan2 atanh
      atleast_1d atleast_2d atleast_3d bartlett base base_repr binary_repr bitwise_left_shift
      bitwise_right_shift blackman bmat broadcast broadcast_arrays broadcast_shapes broadcast_to
      busday_offset byteswap c_ can_cast cbrt ceil char common_type conj conjugate convolve copy
      copysign corrcoef correlate cos cosh cov cross ctypes cumproduct data datetime64
      datetime_as_string datetime_data deg2rad degrees device divide divmod dot dtype dump dumps e
      einsum einsum_path emath empty empty_like euler_gamma exp exp2 expand_dims expm1 eye fabs
      fft fill find_common_type finfo fix flags flat flatiter flatten float_power floor
      floor_divide fmod format_float_positional format_float_scientific frexp from_dlpack
      frombuffer fromfile fromfunction fromiter frompyfunc fromregex fromstring full full_like gcd
      generic genfromtxt geomspace get_include get_printoptions getbufsize geterr geterrcall
      getfield gradient hamming hanning heaviside hypot i0 identity iinfo imag in1d index_exp info
      inner is_busday iscomplexobj isdtype isfortran isrealobj isscalar issubdtype item itemset
      itemsize iterable kaiser kron lcm ldexp left_shift lib.stride_tricks.as_strided linalg
      linspace load loadtxt log log10 log1p log2 logaddexp logaddexp2 logspace ma matmul matrix
      matrix_transpose matvec may_share_memory memmap mgrid min_scalar_type mintypecode mod modf
      moveaxis msort mT multiply nbytes ndarray ndenumerate ndim ndindex nditer negative
      nested_iters newaxis newbyteorder nextafter ogrid ones ones_like outer packbits pad
      permute_dims pi poly poly1d polyadd polyder polydiv polyfit polyint polymul polynomial
      polysub polyval positive pow power printoptions product promote_types r_ rad2deg radians
      random random.bytes ravel real real_if_close rec reciprocal remainder require reshape resize
      result_type right_shift rint rollaxis roots round s_ save savetxt savez savez_compressed
      set_printoptions setbufsize seterr seterrcall setfield setflags shape shares_memory
      show_config show_runtime sign sin sinc sinh sometrue spacing sqrt square squeeze strides
      strings subtract swapaxes T tan tanh tensordot test testing timedelta64 to_device tobytes
      tofile tolist tostring transpose trapezoid trapz true_divide trunc typename ufunc
      ufunc.outer ufunc.resolve_dtypes unpackbits unwrap vander vdot vecdot vecmat vectorize view
      zeros zeros_like
    ]],
  },
  polars = {
    listed = [[
      all and_ any append approx_n_unique approx_quantile arg_max arg_min arg_sort arg_true
      arg_unique backward_fill bin_intervals bin_quantiles bin_ranks bitwise_and
      bitwise_count_ones bitwise_count_zeros bitwise_leading_ones bitwise_leading_zeros bitwise_or
      bitwise_trailing_ones bitwise_trailing_zeros bitwise_xor bottom_k bottom_k_by clip count
      cum_count cum_max cum_min cum_prod cum_sum cumulative_eval cut df.bottom_k df.count
      df.describe df.drop df.drop_nans df.drop_nulls df.equals df.explode df.extend df.fill_nan
      df.fill_null df.filter df.fold df.gather df.gather_every df.get_column df.get_columns
      df.glimpse df.group_by df.group_by_dynamic df.head df.height df.hstack df.interpolate
      df.is_duplicated df.is_empty df.is_sorted df.is_unique df.item df.iter_columns df.iter_rows
      df.iter_slices df.join df.join_asof df.join_where df.limit df.max df.max_horizontal df.mean
      df.mean_horizontal df.median df.merge_sorted df.min df.min_horizontal df.n_unique
      df.null_count df.partition_by df.pivot df.product df.quantile df.remove df.reverse
      df.rolling df.row df.rows df.rows_by_key df.sample df.select df.set_sorted df.shift df.slice
      df.sort df.std df.sum df.sum_horizontal df.tail df.to_dummies df.to_series df.top_k
      df.unique df.unpivot df.unstack df.update df.upsample df.var df.vstack df.with_row_index
      diff drop_nans drop_nulls dt.truncate eq eq_missing ewm_mean ewm_mean_by ewm_std ewm_sum
      ewm_sum_by ewm_var exclude explode fill_nan fill_null filter first forward_fill gather
      gather_every ge get GroupBy.agg GroupBy.all GroupBy.first GroupBy.having GroupBy.head
      GroupBy.last GroupBy.len GroupBy.map_groups GroupBy.max GroupBy.mean GroupBy.median
      GroupBy.min GroupBy.n_unique GroupBy.quantile GroupBy.sum GroupBy.tail gt has_nulls head
      hist implode index_of interpolate interpolate_by is_between is_close is_duplicated is_empty
      is_finite is_first_distinct is_in is_infinite is_last_distinct is_nan is_not_nan is_not_null
      is_null is_sorted is_unique item last le len limit list.gather list.set_difference
      list.set_intersection list.set_symmetric_difference list.set_union lt max max_by mean median
      min min_by mode n_unique nan_max nan_min ne ne_missing not_ null_count or_ over pct_change
      peak_max peak_min pl.align_frames pl.all_horizontal pl.any_horizontal pl.arange
      pl.arg_sort_by pl.arg_where pl.business_day_count pl.coalesce pl.concat pl.cum_fold
      pl.cum_reduce pl.cum_sum_horizontal pl.fold pl.int_range pl.len pl.map_groups
      pl.max_horizontal pl.mean_horizontal pl.merge_sorted pl.min_horizontal pl.n_unique pl.reduce
      pl.repeat pl.rolling_corr pl.rolling_cov pl.row_index pl.set_random_seed pl.sum_horizontal
      pl.union pl.when product qcut quantile rank repeat_by replace replace_strict reverse rle
      rle_id rolling rolling_kurtosis rolling_map rolling_max rolling_max_by rolling_mean
      rolling_mean_by rolling_median rolling_median_by rolling_min rolling_min_by rolling_quantile
      rolling_quantile_by rolling_rank rolling_rank_by rolling_skew rolling_std rolling_std_by
      rolling_sum rolling_sum_by rolling_var rolling_var_by sample search_sorted Series.equals
      Series.extend Series.scatter Series.set Series.to_dummies Series.zip_with set_sorted shift
      shuffle slice sort sort_by std str.contains str.ends_with str.starts_with sum tail
      to_physical top_k top_k_by unique unique_counts value_counts var xor
    ]],
  },
}
