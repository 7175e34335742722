// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t.txt --implicit-check-not=fused:

// torch-mlir's batch norm asserts that no standard deviation is zero. Of constants
// that can be seen; the op that holds the assertion is folded then.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// CHECK-LABEL: func @holds(
// CHECK-NOT:     cf.assert
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act
// CHECK-NEXT:    return %[[R]]
func.func @holds(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %v = arith.constant dense<[0.5, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  // WHY: :[[#@LINE+1]]:8: fused: bn{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%in: f32, %d: f32, %out: f32):
    %s = math.sqrt %d : f32
    %ok = arith.cmpf one, %s, %zero : f32
    cf.assert %ok, "zero"
    %q = arith.divf %in, %s : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @fails(
// CHECK:         fusion.fused_conv_bias_act
// CHECK:         cf.assert
func.func @fails(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %v = arith.constant dense<[0.5, 1.0, 0.0, 3.0, 4.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%in: f32, %d: f32, %out: f32):
    %s = math.sqrt %d : f32
    %ok = arith.cmpf one, %s, %zero : f32
    cf.assert %ok, "zero"
    %q = arith.divf %in, %s : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @not_known(
// CHECK:         fusion.fused_conv_bias_act
// CHECK:         cf.assert
func.func @not_known(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%in: f32, %d: f32, %out: f32):
    %s = math.sqrt %d : f32
    %ok = arith.cmpf one, %s, %zero : f32
    cf.assert %ok, "zero"
    %q = arith.divf %in, %s : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The form that `linalg-fuse-elementwise-ops` makes: one op more, which reads only the
// shape of the convolution's result. Explanations do not count it as a second user.
// CHECK-LABEL: func @apart(
// CHECK:         fusion.fused_conv_bias_act
// CHECK-COUNT-2: cf.assert
func.func @apart(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  linalg.generic {indexing_maps = [#all, #channel], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) {
  ^bb0(%in: f32, %d: f32):
    %ok = arith.cmpf one, %d, %zero : f32
    cf.assert %ok, "zero"
    linalg.yield
  }
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%in: f32, %d: f32, %out: f32):
    %ok = arith.cmpf one, %d, %zero : f32
    cf.assert %ok, "zero"
    %q = arith.divf %in, %d : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
