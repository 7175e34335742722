// RUN: %python %S/verify-functions.py %s --fused=channels_first:2,channels_last:2 | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=tensor.extract --implicit-check-not=linalg.transpose
// RUN: %python %S/verify-functions.py %S/../Fuse/fusion-raise-gathers.mlir --pools=0 --skip=of_tosa | FileCheck %s --check-prefix=FORMS
// RUN: fusion-run %S/../Fuse/fusion-raise-gathers.mlir --entry=of_tosa --verify --lsb=0 | FileCheck %s --check-prefix=TOSA
// RUN: %python %S/verify-functions.py %S/../Fuse/fusion-raise-gathers-refused.mlir --pools=0 --skip=dynamic_rows,number_of_an_argument,divided_by_zero | FileCheck %s --check-prefix=REFUSED

// The executed twins of Fuse/fusion-raise-gathers*.mlir, and upsampling between two
// convolutions: it runs in channels last.

// CHECK: {{^}}2 functions agree, 4 fused ops
// FORMS: {{^}}4 functions agree, 0 fused ops
// TOSA: verify: agrees
// REFUSED: {{^}}8 functions agree, 0 fused ops

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// IR-LABEL: func.func @channels_first(
// IR:         linalg.transpose
// IR:         fusion.fused_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [0, 2] layouts(nhwc, fchw, nhwc)
// IR:         linalg.broadcast {{.*}} outs(%{{.*}} : tensor<2x4x3x13x2x5xf32>) dimensions = [2, 4]
// IR:         fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc)
// IR:         linalg.transpose
func.func @channels_first(%x: tensor<2x3x8x12xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x12x25xf32> {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x8x12xf32> to tensor<2x3x9x14xf32>
  %ec = tensor.empty() : tensor<2x5x4x13xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x5x4x13xf32>) -> tensor<2x5x4x13xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<2x3x9x14xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x4x13xf32>) -> tensor<2x5x4x13xf32>
  %e = tensor.empty() : tensor<2x5x12x26xf32>
  %m = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x12x26xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %y = arith.floordivsi %i2, %c3 : index
    %z = arith.floordivsi %i3, %c2 : index
    %element = tensor.extract %c[%i0, %i1, %y, %z] : tensor<2x5x4x13xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x12x26xf32>
  %er = tensor.empty() : tensor<2x4x12x25xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x12x25xf32>) -> tensor<2x4x12x25xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%m, %u : tensor<2x5x12x26xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x12x25xf32>) -> tensor<2x4x12x25xf32>
  return %r : tensor<2x4x12x25xf32>
}

// IR-LABEL: func.func @channels_last(
// IR:         fusion.fused_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [0, 2] layouts(nhwc, hwcf, nhwc)
// IR:         linalg.broadcast {{.*}} outs(%{{.*}} : tensor<2x4x13x2x5xf32>) dimensions = [3]
// IR:         fusion.fused_conv_bias_act layouts(nhwc, hwcf, nhwc)
func.func @channels_last(%x: tensor<2x8x12x3xf32>, %w: tensor<3x2x3x5xf32>, %u: tensor<1x2x5x4xf32>) -> tensor<2x4x25x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x8x12x3xf32> to tensor<2x9x14x3xf32>
  %ec = tensor.empty() : tensor<2x4x13x5xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x4x13x5xf32>) -> tensor<2x4x13x5xf32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<2x9x14x3xf32>, tensor<3x2x3x5xf32>) outs(%fc : tensor<2x4x13x5xf32>) -> tensor<2x4x13x5xf32>
  %e = tensor.empty() : tensor<2x4x26x5xf32>
  %m = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x4x26x5xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %z = arith.floordivsi %i2, %c2 : index
    %element = tensor.extract %c[%i0, %i1, %z, %i3] : tensor<2x4x13x5xf32>
    linalg.yield %element : f32
  } -> tensor<2x4x26x5xf32>
  %er = tensor.empty() : tensor<2x4x25x4xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x25x4xf32>) -> tensor<2x4x25x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%m, %u : tensor<2x4x26x5xf32>, tensor<1x2x5x4xf32>) outs(%fr : tensor<2x4x25x4xf32>) -> tensor<2x4x25x4xf32>
  return %r : tensor<2x4x25x4xf32>
}
