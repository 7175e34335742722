// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --implicit-check-not=tensor.insert_slice
// RUN: fusion-opt %s --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// Zeros between the elements of a filter of integers become dilations, as those of floats do.

#id = affine_map<(f, h, w, c) -> (f, h, w, c)>

// CHECK-LABEL: func @integers(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x11x12xi8>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xi8>)
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] dilations [2, 3] {input_zero_point = -7 : i32} ins(%[[X]], %[[W]] : tensor<2x3x11x12xi8>, tensor<5x3x3x2xi8>)
func.func @integers(%x: tensor<2x3x11x12xi8>, %w: tensor<5x3x3x2xi8>) -> tensor<2x5x4x9xi32> {
  %z = arith.constant 0 : i8
  %zx = arith.constant -7 : i32
  %zero = arith.constant 0 : i32
  %de = tensor.empty() : tensor<5x3x5x4xi8>
  %df = linalg.fill ins(%z : i8) outs(%de : tensor<5x3x5x4xi8>) -> tensor<5x3x5x4xi8>
  %d = tensor.insert_slice %w into %df[0, 0, 0, 0] [5, 3, 3, 2] [1, 1, 2, 3] : tensor<5x3x3x2xi8> into tensor<5x3x5x4xi8>
  %e = tensor.empty() : tensor<2x5x4x9xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x5x4x9xi32>) -> tensor<2x5x4x9xi32>
  %r = linalg.conv_2d_nchw_fchw_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %d, %zx, %zero : tensor<2x3x11x12xi8>, tensor<5x3x5x4xi8>, i32, i32)
      outs(%f : tensor<2x5x4x9xi32>) -> tensor<2x5x4x9xi32>
  return %r : tensor<2x5x4x9xi32>
}

// Of an op, which pads with its zero point.
// CHECK-LABEL: func @op(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x9x3xi8>, %[[W:[a-z0-9]*]]: tensor<3x3x4xi8>)
// CHECK:         fusion.quantized_conv_bias_act dilations [2] pad_low [1] layouts(nwc, wcf, nwc) {input_zero_point = 3 : i32} ins(%[[X]], %[[W]] :
func.func @op(%x: tensor<1x9x3xi8>, %w: tensor<3x3x4xi8>) -> tensor<1x6x4xi32> {
  %z = arith.constant dense<0> : tensor<6x3x4xi8>
  %d = tensor.insert_slice %w into %z[1, 0, 0] [3, 3, 4] [2, 1, 1] : tensor<3x3x4xi8> into tensor<6x3x4xi8>
  %e = tensor.empty() : tensor<1x6x4xi32>
  // WHY: :[[#@LINE+1]]:8: partly fused: pad, zero point; 'tensor.insert_slice' of the filter can be folded; 'fusion-fuse-quantized' has not run{{$}}
  %r = fusion.quantized_conv_bias_act pad_low [2] layouts(nwc, wcf, nwc) {input_zero_point = 3 : i32} ins(%x, %d : tensor<1x9x3xi8>, tensor<6x3x4xi8>) outs(%e : tensor<1x6x4xi32>) -> tensor<1x6x4xi32>
  return %r : tensor<1x6x4xi32>
}

// Zeros are inserted into integers that are dequantised behind the insertion.
// CHECK-LABEL: func @dequantized(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x9x8x3xi8>)
// CHECK:         %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<2x2x1x3xi8>
// CHECK:         fusion.quantized_conv_bias_act dilations [3, 1] layouts(nhwc, fhwc, nhwc) ins(%[[X]], %[[W]] : tensor<1x9x8x3xi8>, tensor<2x2x1x3xi8>)
func.func @dequantized(%x: tensor<1x9x8x3xi8>) -> tensor<1x6x8x2xf32> {
  %z = arith.constant dense<0> : tensor<2x4x1x3xi8>
  %w = arith.constant dense<[[[[5, -7, 2]], [[-3, 4, 11]]], [[[-6, 9, 1]], [[8, -2, 3]]]]> : tensor<2x2x1x3xi8>
  %d = tensor.insert_slice %w into %z[0, 0, 0, 0] [2, 2, 1, 3] [1, 3, 1, 1] : tensor<2x2x1x3xi8> into tensor<2x4x1x3xi8>
  %sx = arith.constant 0.25 : f32
  %sw = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %xe = tensor.empty() : tensor<1x9x8x3xf32>
  %xd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x8x3xi8>) outs(%xe : tensor<1x9x8x3xf32>) {
  ^bb0(%a: i8, %o: f32):
    %b = arith.sitofp %a : i8 to f32
    %c = arith.mulf %b, %sx : f32
    linalg.yield %c : f32
  } -> tensor<1x9x8x3xf32>
  %we = tensor.empty() : tensor<2x4x1x3xf32>
  %wd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%d : tensor<2x4x1x3xi8>) outs(%we : tensor<2x4x1x3xf32>) {
  ^bb0(%a: i8, %o: f32):
    %b = arith.sitofp %a : i8 to f32
    %c = arith.mulf %b, %sw : f32
    linalg.yield %c : f32
  } -> tensor<2x4x1x3xf32>
  %e = tensor.empty() : tensor<1x6x8x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x8x2xf32>) -> tensor<1x6x8x2xf32>
  %r = linalg.conv_2d_nhwc_fhwc ins(%xd, %wd : tensor<1x9x8x3xf32>, tensor<2x4x1x3xf32>) outs(%f : tensor<1x6x8x2xf32>) -> tensor<1x6x8x2xf32>
  return %r : tensor<1x6x8x2xf32>
}
