// RUN: fusion-opt %s --fusion-raise-pools --fusion-fuse-quantized --canonicalize --cse \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed] fusion-fuse-quantized'

// Near misses of moved.mlir. The reasons come first: remarks go to the other stream.

#n2 = affine_map<(d0, d1) -> (d0, d1)>
#n = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#n1 = affine_map<(d0, d1) -> (d1)>
#c = affine_map<(d0, d1, d2, d3) -> (d3)>

// CHECK: remark: [Missed] fusion-fuse-quantized | {{.*}}unsupported: a scale is -5.000000e-02, expected a positive number
// CHECK: remark: [Missed] fusion-fuse-quantized | {{.*}}a scale that varies along dimension 3 is not moved
// CHECK: remark: [Missed] fusion-fuse-quantized | {{.*}}operand 1 of 'linalg.generic' is not one number
// CHECK: remark: [Missed] fusion-fuse-quantized | {{.*}}'tensor.pad' pads with another value than 0
// CHECK: remark: [Missed] fusion-fuse-quantized | {{.*}}result has 2 users: 'fusion.pool' at {{.*}}, 'func.return' at
// CHECK: remark: [Missed] fusion-fuse-quantized | {{.*}}unsupported: 'fusion.pool' at {{.*}} comes between the result and its quantisation

// The largest integer is the smallest float.
// CHECK-LABEL: func @negative_scale(
// CHECK:         fusion.pool {{.*}} ins(%{{.*}} : tensor<2x11x9x5xf32>)
func.func @negative_scale(%x: tensor<2x11x9x5xi8>) -> tensor<2x6x9x5xf32> {
  %d_e = tensor.empty() : tensor<2x11x9x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant -0.05 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x11x9x5xi8>) outs(%d_e : tensor<2x11x9x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x11x9x5xf32>
  %r_n = arith.constant 0xFF800000 : f32
  %r_p = tensor.pad %d low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %r_n : f32
  } : tensor<2x11x9x5xf32> to tensor<2x14x11x5xf32>
  %r_w = tensor.empty() : tensor<4x3xf32>
  %r_i = arith.constant dense<0xFF800000> : tensor<2x6x9x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%r_p, %r_w : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%r_i : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  return %r : tensor<2x6x9x5xf32>
}

// Channels have scales of their own.
// CHECK-LABEL: func @scale_of_a_channel(
// CHECK:         fusion.pool {{.*}} ins(%{{.*}} : tensor<2x11x9x5xf32>)
func.func @scale_of_a_channel(%x: tensor<2x11x9x5xi8>) -> tensor<2x6x9x5xf32> {
  %e = tensor.empty() : tensor<2x11x9x5xf32>
  %s = arith.constant dense<[0.1, 0.2, 0.3, 0.4, 0.5]> : tensor<5xf32>
  %d = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %s : tensor<2x11x9x5xi8>, tensor<5xf32>) outs(%e : tensor<2x11x9x5xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<2x11x9x5xf32>
  %r_n = arith.constant 0xFF800000 : f32
  %r_p = tensor.pad %d low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %r_n : f32
  } : tensor<2x11x9x5xf32> to tensor<2x14x11x5xf32>
  %r_w = tensor.empty() : tensor<4x3xf32>
  %r_i = arith.constant dense<0xFF800000> : tensor<2x6x9x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%r_p, %r_w : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%r_i : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  return %r : tensor<2x6x9x5xf32>
}

// Zero points differ by less than matters to an op.
// CHECK-LABEL: func @zero_points_almost_equal(
// CHECK:         tensor.collapse_shape %{{.*}} : tensor<2x5xf32>
func.func @zero_points_almost_equal(%x: tensor<2x5xi8>) -> tensor<10xf32> {
  %e = tensor.empty() : tensor<2x5xf32>
  %z = arith.constant dense<[3.0, 3.00001, 3.0, 3.0, 3.0]> : tensor<5xf32>
  %s = arith.constant 0.5 : f32
  %d = linalg.generic {indexing_maps = [#n2, #n1, #n2], iterator_types = ["parallel", "parallel"]} ins(%x, %z : tensor<2x5xi8>, tensor<5xf32>) outs(%e : tensor<2x5xf32>) {
  ^bb0(%in: i8, %zp: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zp : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<2x5xf32>
  %r = tensor.collapse_shape %d [[0, 1]] : tensor<2x5xf32> into tensor<10xf32>
  return %r : tensor<10xf32>
}

// 1 is no multiple of 0.3.
// CHECK-LABEL: func @padding_by_one(
// CHECK:         tensor.pad %{{.*}}
// CHECK:         : tensor<2x3x4x5xf32>
func.func @padding_by_one(%x: tensor<2x3x4x5xi8>) -> tensor<2x3x5x8xf32> {
  %d_e = tensor.empty() : tensor<2x3x4x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.3 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x4x5xi8>) outs(%d_e : tensor<2x3x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x4x5xf32>
  %r_n = arith.constant 1.0 : f32
  %r = tensor.pad %d low[0, 0, 1, 2] high[0, 0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %r_n : f32
  } : tensor<2x3x4x5xf32> to tensor<2x3x5x8xf32>
  return %r : tensor<2x3x5x8xf32>
}

// A sum moves no elements.
// CHECK-LABEL: func @sum(
// CHECK:         fusion.pool {{.*}}<sum>{{.*}} ins(%{{.*}} : tensor<2x11x9x5xf32>)
func.func @sum(%x: tensor<2x11x9x5xi8>) -> tensor<2x4x7x5xf32> {
  %d_e = tensor.empty() : tensor<2x11x9x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.05 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x11x9x5xi8>) outs(%d_e : tensor<2x11x9x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x11x9x5xf32>
  %r_w = tensor.empty() : tensor<4x3xf32>
  %r_i = arith.constant dense<0.0> : tensor<2x4x7x5xf32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%d, %r_w : tensor<2x11x9x5xf32>, tensor<4x3xf32>) outs(%r_i : tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32>
  return %r : tensor<2x4x7x5xf32>
}

// The runtime has no such pool.
// CHECK-LABEL: func @dilated(
// CHECK:         linalg.pooling_nhwc_max {{.*}} tensor<2x11x9x5xf32>
func.func @dilated(%x: tensor<2x11x9x5xi8>) -> tensor<2x4x5x5xf32> {
  %d_e = tensor.empty() : tensor<2x11x9x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.05 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x11x9x5xi8>) outs(%d_e : tensor<2x11x9x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x11x9x5xf32>
  %r_w = tensor.empty() : tensor<4x3xf32>
  %r_i = arith.constant dense<0xFF800000> : tensor<2x4x5x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%d, %r_w : tensor<2x11x9x5xf32>, tensor<4x3xf32>) outs(%r_i : tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
  return %r : tensor<2x4x5x5xf32>
}

// The floats are needed anyway.
// CHECK-LABEL: func @concat_read_twice(
// CHECK-NOT:     tensor.concat {{.*}}xi8>
// CHECK:         tensor.concat {{.*}} -> tensor<2x9x4x5xf32>
// CHECK-NOT:     tensor.concat
func.func @concat_read_twice(%x: tensor<2x3x4x5xi8>, %y: tensor<2x6x4x5xi8>) -> (tensor<2x9x4x5xi8>, tensor<2x9x4x5xf32>) {
  %a_e = tensor.empty() : tensor<2x3x4x5xf32>
  %a_z = arith.constant -3 : i32
  %a_s = arith.constant 0.25 : f32
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x4x5xi8>) outs(%a_e : tensor<2x3x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %a_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %a_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x4x5xf32>
  %b_e = tensor.empty() : tensor<2x6x4x5xf32>
  %b_z = arith.constant 7 : i32
  %b_s = arith.constant 0.125 : f32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<2x6x4x5xi8>) outs(%b_e : tensor<2x6x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %b_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %b_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x6x4x5xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<2x3x4x5xf32>, tensor<2x6x4x5xf32>) -> tensor<2x9x4x5xf32>
  %r_e = tensor.empty() : tensor<2x9x4x5xi8>
  %r_s = arith.constant 0.25 : f32
  %r_z = arith.constant -3.0 : f32
  %r_l = arith.constant -128.0 : f32
  %r_h = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x9x4x5xf32>) outs(%r_e : tensor<2x9x4x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x9x4x5xi8>
  return %r, %c : tensor<2x9x4x5xi8>, tensor<2x9x4x5xf32>
}

// Not a quantisation.
// CHECK-LABEL: func @truncated_concat(
// CHECK-NOT:     tensor.concat {{.*}}xi8>
// CHECK:         tensor.concat {{.*}} -> tensor<2x9x4x5xf32>
// CHECK-NOT:     tensor.concat
func.func @truncated_concat(%x: tensor<2x3x4x5xi8>, %y: tensor<2x6x4x5xi8>) -> tensor<2x9x4x5xi8> {
  %a_e = tensor.empty() : tensor<2x3x4x5xf32>
  %a_z = arith.constant -3 : i32
  %a_s = arith.constant 0.25 : f32
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x4x5xi8>) outs(%a_e : tensor<2x3x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %a_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %a_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x4x5xf32>
  %b_e = tensor.empty() : tensor<2x6x4x5xf32>
  %b_z = arith.constant 7 : i32
  %b_s = arith.constant 0.125 : f32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<2x6x4x5xi8>) outs(%b_e : tensor<2x6x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %b_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %b_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x6x4x5xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<2x3x4x5xf32>, tensor<2x6x4x5xf32>) -> tensor<2x9x4x5xf32>
  %r_e = tensor.empty() : tensor<2x9x4x5xi8>
  %r_s = arith.constant 0.25 : f32
  %r_z = arith.constant -3.0 : f32
  %r_l = arith.constant -128.0 : f32
  %r_h = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x9x4x5xf32>) outs(%r_e : tensor<2x9x4x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.trunc %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x9x4x5xi8>
  return %r : tensor<2x9x4x5xi8>
}

// The result in f32 is needed.
// CHECK-LABEL: func @convolution_read_twice(
// CHECK:         fusion.pool {{.*}} ins(%{{.*}} : tensor<2x4x6x5xf32>)
func.func @convolution_read_twice(%x: tensor<2x6x7x3xi8>, %w: tensor<5x3x2x3xi8>) -> (tensor<2x2x5x5xi8>, tensor<2x4x6x5xf32>) {
  %s = arith.constant dense<0.0625> : tensor<1xf32>
  %e = tensor.empty() : tensor<2x4x6x5xf32>
  %c = fusion.quantized_conv_bias_act layouts(nhwc, fhwc, nhwc) ins(%x, %w : tensor<2x6x7x3xi8>, tensor<5x3x2x3xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  %p_w = tensor.empty() : tensor<2x2xf32>
  %p_i = arith.constant dense<0xFF800000> : tensor<2x2x5x5xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%c, %p_w : tensor<2x4x6x5xf32>, tensor<2x2xf32>) outs(%p_i : tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
  %r_e = tensor.empty() : tensor<2x2x5x5xi8>
  %r_s = arith.constant 4.0 : f32
  %r_z = arith.constant 9.0 : f32
  %r_l = arith.constant 0.0 : f32
  %r_h = arith.constant 255.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x2x5x5xf32>) outs(%r_e : tensor<2x2x5x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x2x5x5xi8>
  return %r, %c : tensor<2x2x5x5xi8>, tensor<2x4x6x5xf32>
}

// That of the pool is.
// CHECK-LABEL: func @pool_read_twice(
// CHECK:         fusion.pool {{.*}} ins(%{{.*}} : tensor<2x4x6x5xf32>)
func.func @pool_read_twice(%x: tensor<2x6x7x3xi8>, %w: tensor<5x3x2x3xi8>) -> (tensor<2x2x5x5xi8>, tensor<2x2x5x5xf32>) {
  %s = arith.constant dense<0.0625> : tensor<1xf32>
  %e = tensor.empty() : tensor<2x4x6x5xf32>
  %c = fusion.quantized_conv_bias_act layouts(nhwc, fhwc, nhwc) ins(%x, %w : tensor<2x6x7x3xi8>, tensor<5x3x2x3xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  %p_w = tensor.empty() : tensor<2x2xf32>
  %p_i = arith.constant dense<0xFF800000> : tensor<2x2x5x5xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%c, %p_w : tensor<2x4x6x5xf32>, tensor<2x2xf32>) outs(%p_i : tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
  %r_e = tensor.empty() : tensor<2x2x5x5xi8>
  %r_s = arith.constant 4.0 : f32
  %r_z = arith.constant 9.0 : f32
  %r_l = arith.constant 0.0 : f32
  %r_h = arith.constant 255.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x2x5x5xf32>) outs(%r_e : tensor<2x2x5x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x2x5x5xi8>
  return %r, %p : tensor<2x2x5x5xi8>, tensor<2x2x5x5xf32>
}

// Nothing takes the quantisation: behind the pool there is less of it.
// CHECK-LABEL: func @pool_of_floats(
// CHECK:         fusion.pool {{.*}} ins(%{{.*}} : tensor<2x11x9x5xf32>)
func.func @pool_of_floats(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xi8> {
  %p_n = arith.constant 0xFF800000 : f32
  %p_p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %p_n : f32
  } : tensor<2x11x9x5xf32> to tensor<2x14x11x5xf32>
  %p_w = tensor.empty() : tensor<4x3xf32>
  %p_i = arith.constant dense<0xFF800000> : tensor<2x6x9x5xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%p_p, %p_w : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%p_i : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  %r_e = tensor.empty() : tensor<2x6x9x5xi8>
  %r_s = arith.constant 0.004 : f32
  %r_z = arith.constant 9.0 : f32
  %r_l = arith.constant 0.0 : f32
  %r_h = arith.constant 255.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x6x9x5xf32>) outs(%r_e : tensor<2x6x9x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x6x9x5xi8>
  return %r : tensor<2x6x9x5xi8>
}

// A relu is among the bounds.
// CHECK-LABEL: func @narrow_bounds(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<2x3x4x5xi8>) outs(%{{.*}} : tensor<2x3x4x5xi8>)
// CHECK:           arith.sitofp
// CHECK:           math.roundeven
// CHECK-NOT:     linalg.generic
func.func @narrow_bounds(%x: tensor<2x3x4x5xi8>) -> tensor<2x3x4x5xi8> {
  %d_e = tensor.empty() : tensor<2x3x4x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.25 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x4x5xi8>) outs(%d_e : tensor<2x3x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x4x5xf32>
  %r_e = tensor.empty() : tensor<2x3x4x5xi8>
  %r_s = arith.constant 0.25 : f32
  %r_z = arith.constant -3.0 : f32
  %r_l = arith.constant -3.0 : f32
  %r_h = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%d : tensor<2x3x4x5xf32>) outs(%r_e : tensor<2x3x4x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x3x4x5xi8>
  return %r : tensor<2x3x4x5xi8>
}

// The zero point is another.
// CHECK-LABEL: func @other_zero_point(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<2x3x4x5xi8>) outs(%{{.*}} : tensor<2x3x4x5xi8>)
// CHECK:           arith.sitofp
// CHECK:           math.roundeven
// CHECK-NOT:     linalg.generic
func.func @other_zero_point(%x: tensor<2x3x4x5xi8>) -> tensor<2x3x4x5xi8> {
  %d_e = tensor.empty() : tensor<2x3x4x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.25 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x4x5xi8>) outs(%d_e : tensor<2x3x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x4x5xf32>
  %r_e = tensor.empty() : tensor<2x3x4x5xi8>
  %r_s = arith.constant 0.25 : f32
  %r_z = arith.constant -2.0 : f32
  %r_l = arith.constant -128.0 : f32
  %r_h = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%d : tensor<2x3x4x5xf32>) outs(%r_e : tensor<2x3x4x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x3x4x5xi8>
  return %r : tensor<2x3x4x5xi8>
}

// Bits mean something else.
// CHECK-LABEL: func @other_sign(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<2x3x4x5xi8>) outs(%{{.*}} : tensor<2x3x4x5xi8>)
// CHECK:           arith.sitofp
// CHECK:           math.roundeven
// CHECK-NOT:     linalg.generic
func.func @other_sign(%x: tensor<2x3x4x5xi8>) -> tensor<2x3x4x5xi8> {
  %d_e = tensor.empty() : tensor<2x3x4x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.25 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x4x5xi8>) outs(%d_e : tensor<2x3x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x4x5xf32>
  %r_e = tensor.empty() : tensor<2x3x4x5xi8>
  %r_s = arith.constant 0.25 : f32
  %r_z = arith.constant 125.0 : f32
  %r_l = arith.constant 0.0 : f32
  %r_h = arith.constant 255.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%d : tensor<2x3x4x5xf32>) outs(%r_e : tensor<2x3x4x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x3x4x5xi8>
  return %r : tensor<2x3x4x5xi8>
}

// The scale is off by 1 in 256.
// CHECK-LABEL: func @other_scale(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<2x3x4x5xi8>) outs(%{{.*}} : tensor<2x3x4x5xi8>)
// CHECK:           arith.sitofp
// CHECK:           math.roundeven
// CHECK-NOT:     linalg.generic
func.func @other_scale(%x: tensor<2x3x4x5xi8>) -> tensor<2x3x4x5xi8> {
  %d_e = tensor.empty() : tensor<2x3x4x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.25 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x4x5xi8>) outs(%d_e : tensor<2x3x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x4x5xf32>
  %r_e = tensor.empty() : tensor<2x3x4x5xi8>
  %r_s = arith.constant 0.251 : f32
  %r_z = arith.constant -3.0 : f32
  %r_l = arith.constant -128.0 : f32
  %r_h = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%d : tensor<2x3x4x5xf32>) outs(%r_e : tensor<2x3x4x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x3x4x5xi8>
  return %r : tensor<2x3x4x5xi8>
}
