-- SPDX-License-Identifier: MIT
-- Names of PyTorch 2.13, NumPy 2.4 and polars 2.1 beside those of lua/locus/names/peers.lua, for
-- docs/features.md. `features` are those that search, select, order, group or count: of polars'
-- expressions, Series, frames, groups and functions all of them; `rest` are of single backends,
-- quantization and the like.
return {
  PyTorch = {
    features = [[
      embedding_bag get_rng_state index_copy narrow_copy random_ segment_reduce set_rng_state
    ]],
    rest = [[
      affine_grid_generator alias_copy alpha_dropout are_deterministic_algorithms_enabled
      as_strided_copy autocast_decrement_nesting autocast_increment_nesting
      batch_norm_backward_elemt batch_norm_backward_reduce batch_norm_elemt batch_norm_gather_stats
      batch_norm_gather_stats_with_counts batch_norm_stats batch_norm_update_stats
      binary_cross_entropy_with_logits ccol_indices ccol_indices_copy channel_shuffle
      choose_qparams_optimized classproperty clear_autocast_cache col_indices col_indices_copy
      compiled_with_cxx11_abi conj_physical constant_pad_nd conv_tbc conv_transpose1d
      conv_transpose2d conv_transpose3d cosine_embedding_loss crow_indices crow_indices_copy
      ctc_loss cudnn_affine_grid_generator cudnn_batch_norm cudnn_convolution
      cudnn_convolution_add_relu cudnn_convolution_relu cudnn_convolution_transpose
      cudnn_grid_sampler cudnn_is_acceptable dequantize detach_copy dsmm embedding_renorm_
      empty_quantized expand_copy fake_quantize_per_channel_affine fake_quantize_per_tensor_affine
      fbgemm_linear_fp16_weight fbgemm_linear_fp16_weight_fp32_activation fbgemm_linear_int8_weight
      fbgemm_linear_int8_weight_fp32_activation fbgemm_linear_quantize_weight
      fbgemm_pack_gemm_matrix_fp16 fbgemm_pack_quantized_matrix feature_alpha_dropout
      feature_dropout fork from_file fused_moving_avg_obs_fake_quant get_autocast_cpu_dtype
      get_autocast_dtype get_autocast_gpu_dtype get_autocast_ipu_dtype get_autocast_xla_dtype
      get_deterministic_debug_mode get_device_module get_file_path get_float32_matmul_precision
      grad_dtype grad_fn grid_sampler_2d grid_sampler_3d gru gru_cell H hinge_embedding_loss hsmm
      hspmm import_ir_module import_ir_module_from_buffer indices_copy init_num_threads int_repr
      is_anomaly_check_nan_enabled is_anomaly_enabled is_autocast_cache_enabled
      is_autocast_cpu_enabled is_autocast_enabled is_autocast_ipu_enabled is_autocast_xla_enabled
      is_conj is_deterministic_algorithms_warn_only_enabled is_distributed is_inference
      is_inference_mode_enabled is_ipu is_maia is_meta is_mkldnn is_mps is_mtia is_neg is_nested
      is_quantized is_shared is_sparse_csr is_storage is_vulkan is_vulkan_available
      is_warn_always_enabled is_xla is_xpu kl_div layout lstm lstm_cell lu_unpack
      margin_ranking_loss max_pool1d_with_indices merge_type_from_type_comment mH miopen_batch_norm
      miopen_convolution miopen_convolution_add_relu miopen_convolution_relu
      miopen_convolution_transpose miopen_ctc_loss miopen_depthwise_convolution miopen_rnn
      mkldnn_adaptive_avg_pool2d mkldnn_convolution mkldnn_linear_backward_weights mkldnn_max_pool2d
      mkldnn_max_pool3d mkldnn_rnn_layer module_load mT name native_batch_norm
      native_channel_shuffle native_dropout native_group_norm native_layer_norm native_norm
      norm_except_dim output_nr parse_ir parse_schema parse_type_comment permute_copy pixel_shuffle
      pixel_unshuffle poisson_nll_loss prepare_multiprocessing_environment
      profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 q_per_channel_axis q_per_channel_scales
      q_per_channel_zero_points q_scale q_zero_point quantize_per_channel quantize_per_tensor
      quantize_per_tensor_dynamic quantized_batch_norm quantized_gru quantized_gru_cell
      quantized_lstm quantized_lstm_cell quantized_max_pool1d quantized_max_pool2d
      quantized_max_pool3d quantized_rnn_relu_cell quantized_rnn_tanh_cell record_stream
      register_post_accumulate_grad_hook reinforce resize_as_sparse_ resolve_conj resolve_neg
      retains_grad rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell row_indices row_indices_copy rrelu
      saddmm set_anomaly_enabled set_autocast_cache_enabled set_autocast_cpu_dtype
      set_autocast_cpu_enabled set_autocast_dtype set_autocast_enabled set_autocast_gpu_dtype
      set_autocast_ipu_dtype set_autocast_ipu_enabled set_autocast_xla_dtype
      set_autocast_xla_enabled set_deterministic_debug_mode set_float32_matmul_precision
      set_flush_denormal set_warn_always share_memory_ slice_copy smm sparse_bsc_tensor
      sparse_bsr_tensor sparse_compressed_tensor sparse_coo_tensor sparse_csc_tensor
      sparse_csr_tensor sparse_dim sparse_mask sparse_resize_ sparse_resize_and_clear_ spmm
      squeeze_copy sspaddmm storage_type sym_constrain_range sym_constrain_range_for_size sym_float
      sym_fresh_size sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum symeig t_copy
      thread_safe_generator to_mkldnn to_padded_tensor to_sparse to_sparse_bsc to_sparse_bsr
      to_sparse_coo to_sparse_csc to_sparse_csr transpose_copy triplet_margin_loss unify_type_list
      unsqueeze_copy untyped_storage use_deterministic_algorithms values_copy view_as_complex_copy
      view_as_real_copy view_copy volatile wait while_loop
    ]],
  },
  NumPy = {
    features = [[
      datetime64 datetime_as_string timedelta64 lib.stride_tricks.sliding_window_view
      put_along_axis random.beta random.binomial
      random.bit_generator random.chisquare random.choice random.dirichlet random.exponential
      random.f random.gamma random.geometric random.gumbel random.hypergeometric random.integers
      random.laplace random.logistic random.lognormal random.logseries random.multinomial
      random.multivariate_hypergeometric random.multivariate_normal random.negative_binomial
      random.noncentral_chisquare random.noncentral_f random.normal random.pareto random.permutation
      random.permuted random.poisson random.power random.random random.rayleigh random.shuffle
      random.spawn random.standard_cauchy random.standard_exponential random.standard_gamma
      random.standard_normal random.standard_t random.triangular random.uniform random.vonmises
      random.wald random.weibull random.zipf ufunc.accumulate ufunc.at ufunc.reduce ufunc.reduceat
    ]],
    rest = [[
      asarray_chkfinite get_include getbufsize lib.stride_tricks.as_strided mT nested_iters
      random.bytes setbufsize show_config show_runtime ufunc.outer ufunc.resolve_dtypes
    ]],
  },
  polars = {
    features = [[
      all and_ any append approx_n_unique approx_quantile arg_max arg_min arg_sort arg_true
      arg_unique backward_fill bin_intervals bin_quantiles bin_ranks bitwise_and bitwise_count_ones
      bitwise_count_zeros bitwise_leading_ones bitwise_leading_zeros bitwise_or
      bitwise_trailing_ones bitwise_trailing_zeros bitwise_xor bottom_k bottom_k_by clip count
      cum_count cum_max cum_min cum_prod cum_sum cumulative_eval cut df.bottom_k df.count
      df.describe df.drop df.drop_nans df.drop_nulls df.equals df.explode df.extend df.fill_nan
      df.fill_null df.filter df.fold df.gather df.gather_every df.get_column df.get_columns
      df.glimpse df.group_by df.group_by_dynamic df.head df.height df.hstack df.interpolate
      df.is_duplicated df.is_empty df.is_sorted df.is_unique df.item df.iter_columns df.iter_rows
      df.iter_slices df.join df.join_asof df.join_where df.limit df.max df.max_horizontal df.mean
      df.mean_horizontal df.median df.merge_sorted df.min df.min_horizontal df.n_unique
      df.null_count df.partition_by df.pivot df.product df.quantile df.remove df.reverse df.rolling
      df.row df.rows df.rows_by_key df.sample df.select df.set_sorted df.shift df.slice df.sort
      df.std df.sum df.sum_horizontal df.tail df.to_dummies df.to_series df.top_k df.unique
      df.unpivot df.unstack df.update df.upsample df.var df.vstack df.with_row_index diff drop_nans
      drop_nulls dt.cast_time_unit dt.convert_time_zone dt.date dt.day dt.hour dt.iso_year
      dt.minute dt.month
      dt.offset_by dt.ordinal_day dt.quarter dt.replace_time_zone dt.second dt.truncate dt.week
      dt.strftime dt.to_string dt.weekday dt.year
      eq eq_missing ewm_mean ewm_mean_by ewm_std ewm_sum ewm_sum_by ewm_var
      exclude explode fill_nan fill_null filter first forward_fill gather gather_every ge get
      GroupBy.agg GroupBy.all GroupBy.first GroupBy.having GroupBy.head GroupBy.last GroupBy.len
      GroupBy.map_groups GroupBy.max GroupBy.mean GroupBy.median GroupBy.min GroupBy.n_unique
      GroupBy.quantile GroupBy.sum GroupBy.tail gt has_nulls head hist implode index_of interpolate
      interpolate_by is_between is_close is_duplicated is_empty is_finite is_first_distinct is_in
      is_infinite is_last_distinct is_nan is_not_nan is_not_null is_null is_sorted is_unique item
      last le len limit list.gather list.set_difference list.set_intersection
      list.set_symmetric_difference list.set_union lt max max_by mean median min min_by mode
      n_unique nan_max nan_min ne ne_missing not_ null_count or_ over pct_change peak_max peak_min
      pl.align_frames pl.all_horizontal pl.any_horizontal pl.arange pl.arg_sort_by pl.arg_where
      pl.business_day_count pl.coalesce pl.concat pl.cum_fold pl.cum_reduce pl.cum_sum_horizontal
      pl.duration
      pl.fold pl.int_range pl.len pl.map_groups pl.max_horizontal pl.mean_horizontal pl.merge_sorted
      pl.min_horizontal pl.n_unique pl.reduce pl.repeat pl.rolling_corr pl.rolling_cov pl.row_index
      pl.set_random_seed pl.sum_horizontal pl.union pl.when product qcut quantile rank repeat_by
      replace replace_strict reverse rle rle_id rolling rolling_kurtosis rolling_map rolling_max
      rolling_max_by rolling_mean rolling_mean_by rolling_median rolling_median_by rolling_min
      rolling_min_by rolling_quantile rolling_quantile_by rolling_rank rolling_rank_by rolling_skew
      rolling_std rolling_std_by rolling_sum rolling_sum_by rolling_var rolling_var_by sample
      search_sorted Series.equals Series.extend Series.scatter Series.set Series.to_dummies
      Series.zip_with set_sorted shift shuffle slice sort sort_by std str.contains str.ends_with
      str.starts_with str.strptime str.to_date str.to_datetime sum tail to_physical top_k top_k_by
      unique unique_counts value_counts var xor
    ]],
  },
}
