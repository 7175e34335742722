// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain 2>&1 | FileCheck %s

// Near misses of deconvolution.mlir. The explanations come first: they go to the other stream.

#n4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#d0 = affine_map<(d0, d1, d2, d3) -> (d0)>
#d1 = affine_map<(d0, d1, d2, d3) -> (d1)>
#d2 = affine_map<(d0, d1, d2, d3) -> (d2)>

// Groups are not split.
func.func @groups(%x: tensor<2x4x5x7xi8>, %w: tensor<4x2x4x6xi8>) -> tensor<2x4x10x21xf32> {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<2x4x5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x4x5x7xi8>) outs(%xd_e : tensor<2x4x5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x4x5x7xf32>
  %wd_s = arith.constant dense<[0.01, 0.02, 0.005, 0.04]> : tensor<4xf32>
  %wd_e = tensor.empty() : tensor<4x2x4x6xf32>
  %wd = linalg.generic {indexing_maps = [#n4, #d0, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %wd_s : tensor<4x2x4x6xi8>, tensor<4xf32>) outs(%wd_e : tensor<4x2x4x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x2x4x6xf32>
  %e = tensor.empty() : tensor<2x4x10x21xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: transposed convolution alone; runs as a transposed convolution: it has 2 groups{{$}}
  %r = fusion.fused_deconv_bias_act strides [2, 3] pad_low [1, 2] pad_high [1, 1] groups 2 ins(%xd, %wd : tensor<2x4x5x7xf32>, tensor<4x2x4x6xf32>) outs(%e : tensor<2x4x10x21xf32>) -> tensor<2x4x10x21xf32>
  return %r : tensor<2x4x10x21xf32>
}

// Nor are dilations.
func.func @dilated(%x: tensor<2x3x5x7xi8>, %w: tensor<4x3x4x6xi8>) -> tensor<2x4x13x26xf32> {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<2x3x5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x5x7xi8>) outs(%xd_e : tensor<2x3x5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x5x7xf32>
  %wd_s = arith.constant dense<[0.01, 0.02, 0.005, 0.04]> : tensor<4xf32>
  %wd_e = tensor.empty() : tensor<4x3x4x6xf32>
  %wd = linalg.generic {indexing_maps = [#n4, #d0, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %wd_s : tensor<4x3x4x6xi8>, tensor<4xf32>) outs(%wd_e : tensor<4x3x4x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x4x6xf32>
  %e = tensor.empty() : tensor<2x4x13x26xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: transposed convolution alone; runs as a transposed convolution: it has a dilation of 2{{$}}
  %r = fusion.fused_deconv_bias_act strides [2, 3] dilations [2, 2] pad_low [1, 2] pad_high [1, 1] ins(%xd, %wd : tensor<2x3x5x7xf32>, tensor<4x3x4x6xf32>) outs(%e : tensor<2x4x13x26xf32>) -> tensor<2x4x13x26xf32>
  return %r : tensor<2x4x13x26xf32>
}

// An activation may have to propagate NaN.
func.func @propagates_nan(%x: tensor<2x3x5x7xi8>, %w: tensor<4x3x4x6xi8>) -> tensor<2x4x10x21xf32> {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<2x3x5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x5x7xi8>) outs(%xd_e : tensor<2x3x5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x5x7xf32>
  %wd_s = arith.constant dense<[0.01, 0.02, 0.005, 0.04]> : tensor<4xf32>
  %wd_e = tensor.empty() : tensor<4x3x4x6xf32>
  %wd = linalg.generic {indexing_maps = [#n4, #d0, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %wd_s : tensor<4x3x4x6xi8>, tensor<4xf32>) outs(%wd_e : tensor<4x3x4x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x4x6xf32>
  %e = tensor.empty() : tensor<2x4x10x21xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: relu; unsupported: nan-mode=propagate of an activation on integers{{$}}
  %r = fusion.fused_deconv_bias_act relu strides [2, 3] pad_low [1, 2] pad_high [1, 1] {nan_mode = #fusion.nan<propagate>} ins(%xd, %wd : tensor<2x3x5x7xf32>, tensor<4x3x4x6xf32>) outs(%e : tensor<2x4x10x21xf32>) -> tensor<2x4x10x21xf32>
  return %r : tensor<2x4x10x21xf32>
}

// The scales vary along the dimension that is read backwards.
func.func @flipped_channels(%x: tensor<2x3x5x7xi8>, %w: tensor<4x3x4x6xi8>) -> tensor<2x4x2x2xf32> {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<2x3x5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x5x7xi8>) outs(%xd_e : tensor<2x3x5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x5x7xf32>
  %wq_s = arith.constant dense<[0.01, 0.02, 0.005, 0.04]> : tensor<4xf32>
  %wq_e = tensor.empty() : tensor<4x3x4x6xf32>
  %wq = linalg.generic {indexing_maps = [#n4, #d0, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %wq_s : tensor<4x3x4x6xi8>, tensor<4xf32>) outs(%wq_e : tensor<4x3x4x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x4x6xf32>
  %wd_c0 = arith.constant 3 : index
  %wd_e = tensor.empty() : tensor<4x3x4x6xf32>
  %wd = linalg.generic {indexing_maps = [#n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wd_e : tensor<4x3x4x6xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %f0 = arith.subi %wd_c0, %i0 : index
    %0 = tensor.extract %wq[%f0, %i1, %i2, %i3] : tensor<4x3x4x6xf32>
    linalg.yield %0 : f32
  } -> tensor<4x3x4x6xf32>
  %e = tensor.empty() : tensor<2x4x2x2xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: pad; filter is not dequantised: unsupported: 'linalg.generic' at {{.*}} changes dimension 0, along which scales vary{{$}}
  %r = fusion.fused_conv_bias_act strides [2, 3] pad_low [1, 2] pad_high [1, 1] ins(%xd, %wd : tensor<2x3x5x7xf32>, tensor<4x3x4x6xf32>) outs(%e : tensor<2x4x2x2xf32>) -> tensor<2x4x2x2xf32>
  return %r : tensor<2x4x2x2xf32>
}

// The scales vary along the dimension that is padded.
func.func @padded_channels(%x: tensor<2x3x5x7xi8>, %w: tensor<3x3x4x6xi8>) -> tensor<2x4x2x2xf32> {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<2x3x5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x5x7xi8>) outs(%xd_e : tensor<2x3x5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x5x7xf32>
  %wq_s = arith.constant dense<[0.01, 0.02, 0.005]> : tensor<3xf32>
  %wq_e = tensor.empty() : tensor<3x3x4x6xf32>
  %wq = linalg.generic {indexing_maps = [#n4, #d0, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %wq_s : tensor<3x3x4x6xi8>, tensor<3xf32>) outs(%wq_e : tensor<3x3x4x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x3x4x6xf32>
  %zero = arith.constant 0.0 : f32
  %wd = tensor.pad %wq low[0, 0, 0, 0] high[1, 0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<3x3x4x6xf32> to tensor<4x3x4x6xf32>
  %e = tensor.empty() : tensor<2x4x2x2xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: pad; filter is not dequantised: unsupported: 'tensor.pad' at {{.*}} changes dimension 0, along which scales vary{{$}}
  %r = fusion.fused_conv_bias_act strides [2, 3] pad_low [1, 2] pad_high [1, 1] ins(%xd, %wd : tensor<2x3x5x7xf32>, tensor<4x3x4x6xf32>) outs(%e : tensor<2x4x2x2xf32>) -> tensor<2x4x2x2xf32>
  return %r : tensor<2x4x2x2xf32>
}

// The filter is padded by another number than 0.
func.func @padded_with_ones(%x: tensor<2x3x5x7xi8>, %w: tensor<4x3x3x6xi8>) -> tensor<2x4x2x2xf32> {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<2x3x5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x5x7xi8>) outs(%xd_e : tensor<2x3x5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x5x7xf32>
  %wq_s = arith.constant dense<[0.01, 0.02, 0.005, 0.04]> : tensor<4xf32>
  %wq_e = tensor.empty() : tensor<4x3x3x6xf32>
  %wq = linalg.generic {indexing_maps = [#n4, #d0, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %wq_s : tensor<4x3x3x6xi8>, tensor<4xf32>) outs(%wq_e : tensor<4x3x3x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x6xf32>
  %one = arith.constant 1.0 : f32
  %wd = tensor.pad %wq low[0, 0, 0, 0] high[0, 0, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %one : f32
  } : tensor<4x3x3x6xf32> to tensor<4x3x4x6xf32>
  %e = tensor.empty() : tensor<2x4x2x2xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: pad; unsupported: 'tensor.pad' at {{.*}} comes between 'filter' and its dequantisation{{$}}
  %r = fusion.fused_conv_bias_act strides [2, 3] pad_low [1, 2] pad_high [1, 1] ins(%xd, %wd : tensor<2x3x5x7xf32>, tensor<4x3x4x6xf32>) outs(%e : tensor<2x4x2x2xf32>) -> tensor<2x4x2x2xf32>
  return %r : tensor<2x4x2x2xf32>
}

// The scales vary along the dimension that is sliced.
func.func @sliced_channels(%x: tensor<2x3x5x7xi8>, %w: tensor<5x3x4x6xi8>) -> tensor<2x4x2x2xf32> {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<2x3x5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x5x7xi8>) outs(%xd_e : tensor<2x3x5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x5x7xf32>
  %wq_s = arith.constant dense<[0.01, 0.02, 0.005, 0.04, 0.03]> : tensor<5xf32>
  %wq_e = tensor.empty() : tensor<5x3x4x6xf32>
  %wq = linalg.generic {indexing_maps = [#n4, #d0, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %wq_s : tensor<5x3x4x6xi8>, tensor<5xf32>) outs(%wq_e : tensor<5x3x4x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x3x4x6xf32>
  %wd = tensor.extract_slice %wq[1, 0, 0, 0] [4, 3, 4, 6] [1, 1, 1, 1] : tensor<5x3x4x6xf32> to tensor<4x3x4x6xf32>
  %e = tensor.empty() : tensor<2x4x2x2xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: pad; filter is not dequantised: unsupported: 'tensor.extract_slice' at {{.*}} changes dimension 0, along which scales vary{{$}}
  %r = fusion.fused_conv_bias_act strides [2, 3] pad_low [1, 2] pad_high [1, 1] ins(%xd, %wd : tensor<2x3x5x7xf32>, tensor<4x3x4x6xf32>) outs(%e : tensor<2x4x2x2xf32>) -> tensor<2x4x2x2xf32>
  return %r : tensor<2x4x2x2xf32>
}
