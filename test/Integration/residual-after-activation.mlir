// A residual that is added to the activation, in kernels, against the same written out in
// linalg, which upstream lowers too. Each op is one kernel.

// RUN: mkdir -p %t/conv
// RUN: fusion-run %s --entry=conv --random=0:-1:1 --random=1:-1:1 --random=2:-1:1 --random=3:-1:1 --output=%t/conv | FileCheck %s --check-prefix=ONE
// RUN: fusion-run %s --entry=conv_in_linalg --random=0:-1:1 --random=1:-1:1 --random=2:-1:1 --random=3:-1:1 --verify --expect=%t/conv/result0.npy | FileCheck %s
// RUN: mkdir -p %t/conv_bf16
// RUN: fusion-run %s --entry=conv_bf16 --random=0:-1:1 --random=1:-1:1 --random=2:-1:1 --output=%t/conv_bf16 | FileCheck %s --check-prefix=ONE
// RUN: fusion-run %s --entry=conv_bf16_in_linalg --random=0:-1:1 --random=1:-1:1 --random=2:-1:1 --verify --expect=%t/conv_bf16/result0.npy | FileCheck %s
// RUN: mkdir -p %t/deconv
// RUN: fusion-run %s --entry=deconv --random=0:-1:1 --random=1:-1:1 --random=2:-1:1 --random=3:-1:1 --output=%t/deconv | FileCheck %s --check-prefix=ONE
// RUN: fusion-run %s --entry=deconv_in_linalg --random=0:-1:1 --random=1:-1:1 --random=2:-1:1 --random=3:-1:1 --verify --expect=%t/deconv/result0.npy | FileCheck %s
// RUN: mkdir -p %t/matmul
// RUN: fusion-run %s --entry=matmul --random=0:-1:1 --random=1:-1:1 --random=2:-1:1 --random=3:-1:1 --output=%t/matmul | FileCheck %s --check-prefix=ONE
// RUN: fusion-run %s --entry=matmul_in_linalg --random=0:-1:1 --random=1:-1:1 --random=2:-1:1 --random=3:-1:1 --verify --expect=%t/matmul/result0.npy | FileCheck %s
// RUN: mkdir -p %t/in_place
// RUN: fusion-run %s --entry=in_place --random=0:-1:1 --random=1:-1:1 --random=2:-1:1 --random=3:-1:1 --output=%t/in_place | FileCheck %s --check-prefix=TWO
// RUN: fusion-run %s --entry=in_place_in_linalg --random=0:-1:1 --random=1:-1:1 --random=2:-1:1 --random=3:-1:1 --verify --expect=%t/in_place/result0.npy | FileCheck %s
// RUN: mkdir -p %t/keeps_nan
// RUN: fusion-run %s --entry=keeps_nan --random=0:-1:1 --random=1:-1:1 --random=2:-1:1 --output=%t/keeps_nan | FileCheck %s --check-prefix=ONE
// RUN: fusion-run %s --entry=keeps_nan_in_linalg --random=0:-1:1 --random=1:-1:1 --random=2:-1:1 --verify --expect=%t/keeps_nan/result0.npy | FileCheck %s

// ONE: : 1 fused op
// TWO: : 2 fused ops
// CHECK: verify: agrees
// CHECK: expect: agrees

// Without oneDNN's post-ops, too.
// RUN: env FUSION_PLAN=epilogue fusion-run %s --entry=conv --random=0:-1:1 --random=1:-1:1 --random=2:-1:1 --random=3:-1:1 --expect=%t/conv/result0.npy | FileCheck %s --check-prefix=EPILOGUE
// EPILOGUE: expect: agrees


func.func @conv(%x: tensor<2x4x9x11xf32>, %w: tensor<6x2x3x2xf32>, %b: tensor<6xf32>, %s: tensor<2x6x5x10xf32>) -> tensor<2x6x5x10xf32> {
  %e = tensor.empty() : tensor<2x6x5x10xf32>
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 2, 1>, dilations = array<i64: 1, 2>, pad_low = array<i64: 2, 0>, pad_high = array<i64: 0, 1>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw", activation = #fusion.activation<swish, 1.0>}
       ins(%x, %w : tensor<2x4x9x11xf32>, tensor<6x2x3x2xf32>) bias(%b : tensor<6xf32>)
       residual_after_activation(%s : tensor<2x6x5x10xf32>) outs(%e : tensor<2x6x5x10xf32>) -> tensor<2x6x5x10xf32>
  return %r : tensor<2x6x5x10xf32>
}
func.func @conv_in_linalg(%x: tensor<2x4x9x11xf32>, %w: tensor<6x2x3x2xf32>, %b: tensor<6xf32>, %s: tensor<2x6x5x10xf32>) -> tensor<2x6x5x10xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[0, 0, 2, 0] high[0, 0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x4x9x11xf32> to tensor<2x4x11x12xf32>
  %pg = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [2, 2, 2, 11, 12] : tensor<2x4x11x12xf32> into tensor<2x2x2x11x12xf32>
  %wg = tensor.expand_shape %w [[0, 1], [2], [3], [4]] output_shape [2, 3, 2, 3, 2] : tensor<6x2x3x2xf32> into tensor<2x3x2x3x2xf32>
  %eg = tensor.empty() : tensor<2x2x3x5x10xf32>
  %fg = linalg.fill ins(%zero : f32) outs(%eg : tensor<2x2x3x5x10xf32>) -> tensor<2x2x3x5x10xf32>
  %cg = linalg.conv_2d_ngchw_gfchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
    ins(%pg, %wg : tensor<2x2x2x11x12xf32>, tensor<2x3x2x3x2xf32>) outs(%fg : tensor<2x2x3x5x10xf32>) -> tensor<2x2x3x5x10xf32>
  %c = tensor.collapse_shape %cg [[0], [1, 2], [3], [4]] : tensor<2x2x3x5x10xf32> into tensor<2x6x5x10xf32>
  %e = tensor.empty() : tensor<2x6x5x10xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>,
                     affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%c, %b, %s : tensor<2x6x5x10xf32>, tensor<6xf32>, tensor<2x6x5x10xf32>) outs(%e : tensor<2x6x5x10xf32>) {
  ^bb0(%v: f32, %d: f32, %t: f32, %o: f32):
    %y = arith.addf %v, %d : f32
    %m = arith.negf %y : f32
    %x0 = math.exp %m : f32
    %x1 = arith.addf %x0, %one : f32
    %a = arith.divf %y, %x1 : f32
    %z = arith.addf %a, %t : f32
    linalg.yield %z : f32
  } -> tensor<2x6x5x10xf32>
  return %r : tensor<2x6x5x10xf32>
}

func.func @conv_bf16(%x: tensor<2x7x9x8xbf16>, %w: tensor<3x2x8x16xbf16>, %s: tensor<2x5x8x16xbf16>) -> tensor<2x5x8x16xbf16> {
  %e = tensor.empty() : tensor<2x5x8x16xbf16>
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nhwc", filter_layout = "hwcf", output_layout = "nhwc", activation = #fusion.activation<relu>}
       ins(%x, %w : tensor<2x7x9x8xbf16>, tensor<3x2x8x16xbf16>)
       residual_after_activation(%s : tensor<2x5x8x16xbf16>) outs(%e : tensor<2x5x8x16xbf16>) -> tensor<2x5x8x16xbf16>
  return %r : tensor<2x5x8x16xbf16>
}
func.func @conv_bf16_in_linalg(%x: tensor<2x7x9x8xbf16>, %w: tensor<3x2x8x16xbf16>, %s: tensor<2x5x8x16xbf16>) -> tensor<2x5x8x16xbf16> {
  %zero = arith.constant 0.0 : f32
  %a = tensor.empty() : tensor<2x5x8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%a : tensor<2x5x8x16xf32>) -> tensor<2x5x8x16xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x7x9x8xbf16>, tensor<3x2x8x16xbf16>) outs(%f : tensor<2x5x8x16xf32>) -> tensor<2x5x8x16xf32>
  %e = tensor.empty() : tensor<2x5x8x16xbf16>
  %r = linalg.map ins(%c, %s : tensor<2x5x8x16xf32>, tensor<2x5x8x16xbf16>) outs(%e : tensor<2x5x8x16xbf16>)
    (%v: f32, %t: bf16, %o: bf16) {
      %y = arith.maximumf %v, %zero : f32
      %u = arith.extf %t : bf16 to f32
      %z = arith.addf %y, %u : f32
      %n = arith.truncf %z : f32 to bf16
      linalg.yield %n : bf16
    }
  return %r : tensor<2x5x8x16xbf16>
}

// A kernel of one element, whose results lie in steps.
func.func @deconv(%x: tensor<2x3x4x5xf32>, %w: tensor<6x3x1x1xf32>, %b: tensor<6xf32>, %s: tensor<2x6x7x13xf32>) -> tensor<2x6x7x13xf32> {
  %e = tensor.empty() : tensor<2x6x7x13xf32>
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 2, 3>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw", activation = #fusion.activation<tanh>}
       ins(%x, %w : tensor<2x3x4x5xf32>, tensor<6x3x1x1xf32>) bias(%b : tensor<6xf32>)
       residual_after_activation(%s : tensor<2x6x7x13xf32>) outs(%e : tensor<2x6x7x13xf32>) -> tensor<2x6x7x13xf32>
  return %r : tensor<2x6x7x13xf32>
}
func.func @deconv_in_linalg(%x: tensor<2x3x4x5xf32>, %w: tensor<6x3x1x1xf32>, %b: tensor<6xf32>, %s: tensor<2x6x7x13xf32>) -> tensor<2x6x7x13xf32> {
  %zero = arith.constant 0.0 : f32
  %a = tensor.empty() : tensor<2x6x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%a : tensor<2x6x4x5xf32>) -> tensor<2x6x4x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x4x5xf32>, tensor<6x3x1x1xf32>) outs(%f : tensor<2x6x4x5xf32>) -> tensor<2x6x4x5xf32>
  %e = tensor.empty() : tensor<2x6x7x13xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x7x13xf32>) -> tensor<2x6x7x13xf32>
  %i = tensor.insert_slice %c into %g[0, 0, 0, 0] [2, 6, 4, 5] [1, 1, 2, 3] : tensor<2x6x4x5xf32> into tensor<2x6x7x13xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>,
                     affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%i, %b, %s : tensor<2x6x7x13xf32>, tensor<6xf32>, tensor<2x6x7x13xf32>) outs(%e : tensor<2x6x7x13xf32>) {
  ^bb0(%v: f32, %d: f32, %t: f32, %o: f32):
    %y = arith.addf %v, %d : f32
    %h = math.tanh %y : f32
    %z = arith.addf %h, %t : f32
    linalg.yield %z : f32
  } -> tensor<2x6x7x13xf32>
  return %r : tensor<2x6x7x13xf32>
}

func.func @matmul(%x: tensor<9x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>, %s: tensor<9x5xf32>) -> tensor<9x5xf32> {
  %e = tensor.empty() : tensor<9x5xf32>
  %r = fusion.fused_matmul_bias_act {
         input_layout = "mk", filter_layout = "kn", output_layout = "mn", activation = #fusion.activation<clip, -0.25, 0.75>}
       ins(%x, %w : tensor<9x7xf32>, tensor<7x5xf32>) bias(%b : tensor<5xf32>)
       residual_after_activation(%s : tensor<9x5xf32>) outs(%e : tensor<9x5xf32>) -> tensor<9x5xf32>
  return %r : tensor<9x5xf32>
}
func.func @matmul_in_linalg(%x: tensor<9x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>, %s: tensor<9x5xf32>) -> tensor<9x5xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -0.25 : f32
  %high = arith.constant 0.75 : f32
  %e = tensor.empty() : tensor<9x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9x5xf32>) -> tensor<9x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<9x7xf32>, tensor<7x5xf32>) outs(%f : tensor<9x5xf32>) -> tensor<9x5xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%c, %b, %s : tensor<9x5xf32>, tensor<5xf32>, tensor<9x5xf32>) outs(%e : tensor<9x5xf32>) {
  ^bb0(%v: f32, %d: f32, %t: f32, %o: f32):
    %y = arith.addf %v, %d : f32
    %l = arith.maximumf %y, %low : f32
    %h = arith.minimumf %l, %high : f32
    %z = arith.addf %h, %t : f32
    linalg.yield %z : f32
  } -> tensor<9x5xf32>
  return %r : tensor<9x5xf32>
}

// A bottleneck: the first result is the residual of the second convolution, which writes
// over it.
func.func @in_place(%x: tensor<1x6x8x9xf32>, %w: tensor<4x6x1x1xf32>, %v: tensor<4x4x1x1xf32>, %b: tensor<4xf32>) -> tensor<1x4x8x9xf32> {
  %e = tensor.empty() : tensor<1x4x8x9xf32>
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<1x6x8x9xf32>, tensor<4x6x1x1xf32>) outs(%e : tensor<1x4x8x9xf32>) -> tensor<1x4x8x9xf32>
  %m = tensor.empty() : tensor<1x4x8x9xf32>
  %n = linalg.abs ins(%r : tensor<1x4x8x9xf32>) outs(%m : tensor<1x4x8x9xf32>) -> tensor<1x4x8x9xf32>
  %q = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw", activation = #fusion.activation<relu>}
       ins(%n, %v : tensor<1x4x8x9xf32>, tensor<4x4x1x1xf32>) bias(%b : tensor<4xf32>)
       residual_after_activation(%r : tensor<1x4x8x9xf32>) outs(%e : tensor<1x4x8x9xf32>) -> tensor<1x4x8x9xf32>
  return %q : tensor<1x4x8x9xf32>
}
func.func @in_place_in_linalg(%x: tensor<1x6x8x9xf32>, %w: tensor<4x6x1x1xf32>, %v: tensor<4x4x1x1xf32>, %b: tensor<4xf32>) -> tensor<1x4x8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x8x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8x9xf32>) -> tensor<1x4x8x9xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x6x8x9xf32>, tensor<4x6x1x1xf32>) outs(%f : tensor<1x4x8x9xf32>) -> tensor<1x4x8x9xf32>
  %n = linalg.abs ins(%r : tensor<1x4x8x9xf32>) outs(%e : tensor<1x4x8x9xf32>) -> tensor<1x4x8x9xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%n, %v : tensor<1x4x8x9xf32>, tensor<4x4x1x1xf32>) outs(%f : tensor<1x4x8x9xf32>) -> tensor<1x4x8x9xf32>
  %q = linalg.generic {
    indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>,
                     affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%c, %b, %r : tensor<1x4x8x9xf32>, tensor<4xf32>, tensor<1x4x8x9xf32>) outs(%e : tensor<1x4x8x9xf32>) {
  ^bb0(%y: f32, %d: f32, %t: f32, %o: f32):
    %a = arith.addf %y, %d : f32
    %h = arith.maximumf %a, %zero : f32
    %z = arith.addf %h, %t : f32
    linalg.yield %z : f32
  } -> tensor<1x4x8x9xf32>
  return %q : tensor<1x4x8x9xf32>
}

// The activation is computed outside of the kernel, and then the residual is added.
func.func @keeps_nan(%x: tensor<2x5x11xf32>, %w: tensor<3x5x2xf32>, %s: tensor<2x3x10xf32>) -> tensor<2x3x10xf32> {
  %e = tensor.empty() : tensor<2x3x10xf32>
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<relu>,
         nan_mode = #fusion.nan<propagate>}
       ins(%x, %w : tensor<2x5x11xf32>, tensor<3x5x2xf32>)
       residual_after_activation(%s : tensor<2x3x10xf32>) outs(%e : tensor<2x3x10xf32>) -> tensor<2x3x10xf32>
  return %r : tensor<2x3x10xf32>
}
func.func @keeps_nan_in_linalg(%x: tensor<2x5x11xf32>, %w: tensor<3x5x2xf32>, %s: tensor<2x3x10xf32>) -> tensor<2x3x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x10xf32>) -> tensor<2x3x10xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x5x11xf32>, tensor<3x5x2xf32>) outs(%f : tensor<2x3x10xf32>) -> tensor<2x3x10xf32>
  %r = linalg.map ins(%c, %s : tensor<2x3x10xf32>, tensor<2x3x10xf32>) outs(%e : tensor<2x3x10xf32>)
    (%v: f32, %t: f32, %o: f32) {
      %y = arith.maximumf %v, %zero : f32
      %z = arith.addf %y, %t : f32
      linalg.yield %z : f32
    }
  return %r : tensor<2x3x10xf32>
}
