// RUN: fusion-opt %s --fusion-raise --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefix=NONE

// Convolutions that the fusion op cannot express stay as they are, each with its
// reason. Each reason stands below the op that it is about.

// NONE-NOT: fusion.

#in = affine_map<(n, f, w, c, k) -> (n, c, w + k)>
#filter = affine_map<(n, f, w, c, k) -> (f, c, k)>
#out = affine_map<(n, f, w, c, k) -> (n, f, w)>

func.func @f64(%x: tensor<1x3x9x11xf64>, %w: tensor<4x3x3x2xf64>, %s: tensor<1x4x7x10xf64>) -> tensor<1x4x7x10xf64> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf64>, tensor<4x3x3x2xf64>) outs(%s : tensor<1x4x7x10xf64>) -> tensor<1x4x7x10xf64>
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: element type f64, expected f32, bf16 or f16{{$}}
  return %r : tensor<1x4x7x10xf64>
}

func.func @quantised(%x: tensor<1x9x11x3xi8>, %w: tensor<4x3x2x3xi8>, %zx: i32, %zw: i32, %s: tensor<1x7x10x4xi32>) -> tensor<1x7x10x4xi32> {
  %r = linalg.conv_2d_nhwc_fhwc_q ins(%x, %w, %zx, %zw : tensor<1x9x11x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%s : tensor<1x7x10x4xi32>) -> tensor<1x7x10x4xi32>
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: zero point of operand 1 is not a constant{{$}}
  return %r : tensor<1x7x10x4xi32>
}

func.func @quantised_depthwise(%x: tensor<1x9x11x3xi8>, %w: tensor<3x2x3x2xi8>, %zx: i32, %zw: i32, %s: tensor<1x7x10x3x2xi32>) -> tensor<1x7x10x3x2xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm_q ins(%x, %w, %zx, %zw : tensor<1x9x11x3xi8>, tensor<3x2x3x2xi8>, i32, i32) outs(%s : tensor<1x7x10x3x2xi32>) -> tensor<1x7x10x3x2xi32>
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: zero point of operand 1 is not a constant{{$}}
  return %r : tensor<1x7x10x3x2xi32>
}

func.func @undefined_accumulator(%x: tensor<1x3x9x11xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x7x10xf32> {
  %e = tensor.empty() : tensor<1x4x7x10xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<4x3x3x2xf32>) outs(%e : tensor<1x4x7x10xf32>) -> tensor<1x4x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: not fused: accumulates into 'tensor.empty', whose contents are undefined; fill it with zero first{{$}}
  return %r : tensor<1x4x7x10xf32>
}

func.func @undefined_behind_reshape(%x: tensor<1x2x3x9x11xf32>, %w: tensor<2x4x3x3x2xf32>) -> tensor<1x2x4x7x10xf32> {
  %e = tensor.empty() : tensor<1x8x7x10xf32>
  %g = tensor.expand_shape %e [[0], [1, 2], [3], [4]] output_shape [1, 2, 4, 7, 10] : tensor<1x8x7x10xf32> into tensor<1x2x4x7x10xf32>
  %r = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x2x3x9x11xf32>, tensor<2x4x3x3x2xf32>) outs(%g : tensor<1x2x4x7x10xf32>) -> tensor<1x2x4x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: not fused: accumulates into 'tensor.empty', whose contents are undefined; fill it with zero first{{$}}
  return %r : tensor<1x2x4x7x10xf32>
}

func.func @undefined_buffer(%x: tensor<1x3x9x11xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x7x10xf32> {
  %e = bufferization.alloc_tensor() : tensor<1x4x7x10xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<4x3x3x2xf32>) outs(%e : tensor<1x4x7x10xf32>) -> tensor<1x4x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: not fused: accumulates into '{{.*}}', whose contents are undefined; fill it with zero first{{$}}
  return %r : tensor<1x4x7x10xf32>
}

// Five rows would do for the output of three.
func.func @input_too_large(%x: tensor<1x3x9x11xf32>, %w: tensor<4x3x3x2xf32>, %s: tensor<1x4x3x10xf32>) -> tensor<1x4x3x10xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<4x3x3x2xf32>) outs(%s : tensor<1x4x3x10xf32>) -> tensor<1x4x3x10xf32>
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: 'input' has size 9 in dimension 'h', of which the output reads only 5{{$}}
  return %r : tensor<1x4x3x10xf32>
}

// A stride of 2 leaves one row over, two rows are one too many.
func.func @slack_of_stride(%x: tensor<1x3x9x11xf32>, %w: tensor<4x3x3x2xf32>, %s: tensor<1x4x3x10xf32>) -> tensor<1x4x3x10xf32> {
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x3x9x11xf32>, tensor<4x3x3x2xf32>) outs(%s : tensor<1x4x3x10xf32>) -> tensor<1x4x3x10xf32>
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: 'input' has size 9 in dimension 'h', of which the output reads only 7{{$}}
  return %r : tensor<1x4x3x10xf32>
}

#in_b = affine_map<(n, m, f, w, c, k) -> (n, m, c, w + k)>
#filter_b = affine_map<(n, m, f, w, c, k) -> (f, c, k)>
#out_b = affine_map<(n, m, f, w, c, k) -> (n, m, f, w)>
func.func @two_batch_dimensions(%x: tensor<2x5x3x9xf32>, %w: tensor<4x3x2xf32>, %s: tensor<2x5x4x8xf32>) -> tensor<2x5x4x8xf32> {
  %r = linalg.generic {indexing_maps = [#in_b, #filter_b, #out_b], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<2x5x3x9xf32>, tensor<4x3x2xf32>) outs(%s : tensor<2x5x4x8xf32>) {
  // CHECK: :[[#@LINE-2]]:8: not fused: unsupported: 2 batch dimensions, expected at most 1{{$}}
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x5x4x8xf32>
  return %r : tensor<2x5x4x8xf32>
}

// A filter in bf16 under an f32 input.
func.func @mixed_types(%x: tensor<1x3x9xf32>, %w: tensor<4x3x2xbf16>, %s: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  %r = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x9xf32>, tensor<4x3x2xbf16>) outs(%s : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: 'filter' has element type bf16, expected that of 'input' (f32){{$}}
  return %r : tensor<1x4x8xf32>
}

// The accumulator is narrower than the operands: each product is rounded.
func.func @f32_into_bf16(%x: tensor<1x3x9xf32>, %w: tensor<4x3x2xf32>, %s: tensor<1x4x8xbf16>) -> tensor<1x4x8xbf16> {
  %r = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x9xf32>, tensor<4x3x2xf32>) outs(%s : tensor<1x4x8xbf16>) -> tensor<1x4x8xbf16>
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: accumulator has element type bf16, expected f32 or that of 'input' (f32){{$}}
  return %r : tensor<1x4x8xbf16>
}

func.func @extra_op_in_body(%x: tensor<1x3x9xf32>, %w: tensor<4x3x2xf32>, %s: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  %r = linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x3x9xf32>, tensor<4x3x2xf32>) outs(%s : tensor<1x4x8xf32>) {
  // CHECK: :[[#@LINE-2]]:8: not fused: unsupported: body is not one multiplication and one addition{{$}}
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.maximumf %a, %b : f32
    %p = arith.mulf %a, %m : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x4x8xf32>
  return %r : tensor<1x4x8xf32>
}

func.func @square_of_input(%x: tensor<1x3x9xf32>, %w: tensor<4x3x2xf32>, %s: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  %r = linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x3x9xf32>, tensor<4x3x2xf32>) outs(%s : tensor<1x4x8xf32>) {
  // CHECK: :[[#@LINE-2]]:8: not fused: unsupported: body is not one multiplication and one addition{{$}}
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %a : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x4x8xf32>
  return %r : tensor<1x4x8xf32>
}

func.func @on_memrefs(%x: memref<1x3x9xf32>, %w: memref<4x3x2xf32>, %s: memref<1x4x8xf32>) {
  linalg.conv_1d_ncw_fcw ins(%x, %w : memref<1x3x9xf32>, memref<4x3x2xf32>) outs(%s : memref<1x4x8xf32>)
  // CHECK: :[[#@LINE-1]]:3: not fused: unsupported: convolution on memrefs; raise before bufferization{{$}}
  return
}

#in_4d = affine_map<(n, f, d, h, w, t, c, kd, kh, kw, kt) -> (n, c, d + kd, h + kh, w + kw, t + kt)>
#filter_4d = affine_map<(n, f, d, h, w, t, c, kd, kh, kw, kt) -> (f, c, kd, kh, kw, kt)>
#out_4d = affine_map<(n, f, d, h, w, t, c, kd, kh, kw, kt) -> (n, f, d, h, w, t)>
func.func @four_spatial_dimensions(%x: tensor<1x3x4x5x6x7xf32>, %w: tensor<4x3x2x2x2x2xf32>, %s: tensor<1x4x3x4x5x6xf32>) -> tensor<1x4x3x4x5x6xf32> {
  %r = linalg.generic {indexing_maps = [#in_4d, #filter_4d, #out_4d], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel",
         "reduction", "reduction", "reduction", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x3x4x5x6x7xf32>, tensor<4x3x2x2x2x2xf32>) outs(%s : tensor<1x4x3x4x5x6xf32>) {
  // CHECK: :[[#@LINE-3]]:8: not fused: unsupported: 4 spatial dimensions, of which 4 are windows; expected 1 to 3 windows{{$}}
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x4x3x4x5x6xf32>
  return %r : tensor<1x4x3x4x5x6xf32>
}

#in_g = affine_map<(n, g, f, w, c, k) -> (n, c, g, w + k)>
#filter_g = affine_map<(n, g, f, w, c, k) -> (g, f, c, k)>
#out_g = affine_map<(n, g, f, w, c, k) -> (n, g, f, w)>
func.func @group_behind_channel(%x: tensor<1x3x2x9xf32>, %w: tensor<2x4x3x2xf32>, %s: tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32> {
  %r = linalg.generic {indexing_maps = [#in_g, #filter_g, #out_g], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x3x2x9xf32>, tensor<2x4x3x2xf32>) outs(%s : tensor<1x2x4x8xf32>) {
  // CHECK: :[[#@LINE-2]]:8: not fused: unsupported: group and channel dimension of 'input' are not adjacent{{$}}
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x2x4x8xf32>
  return %r : tensor<1x2x4x8xf32>
}

func.func @dynamic_groups(%x: tensor<1x?x3x9x11xf32>, %w: tensor<?x4x3x3x2xf32>, %s: tensor<1x?x4x7x10xf32>) -> tensor<1x?x4x7x10xf32> {
  %r = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x?x3x9x11xf32>, tensor<?x4x3x3x2xf32>) outs(%s : tensor<1x?x4x7x10xf32>) -> tensor<1x?x4x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: number of groups is dynamic{{$}}
  return %r : tensor<1x?x4x7x10xf32>
}
