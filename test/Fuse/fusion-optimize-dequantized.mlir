// The laws in f32 fold around dequantisation and quantisation and leave both as they
// are: each dequantised operand is read as it comes out of its generic. fusion-optimize then
// makes one op on integers of all.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse | FileCheck %s
// RUN: fusion-opt %s --linalg-fuse-elementwise-ops --canonicalize \
// RUN:   | fusion-opt --fusion-raise --fusion-fuse | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=INTEGERS
// RUN: fusion-opt %s --linalg-fuse-elementwise-ops --canonicalize \
// RUN:   | fusion-opt --fusion-optimize | FileCheck %s --check-prefix=INTEGERS

#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c0 = affine_map<(d0, d1, d2, d3) -> (d0)>
#c1 = affine_map<(d0, d1, d2, d3) -> (d1)>

// CHECK-LABEL: func @block
// CHECK-SAME:    %[[X:[^:]*]]: tensor<1x4x5x7xi8>, %[[W:[^:]*]]: tensor<4x4x1x1xi8>
// CHECK:         %[[XD:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<1x4x5x7xi8>)
// CHECK:         %[[WD:.*]] = linalg.generic {{.*}} ins(%[[W]], %{{.*}} : tensor<4x4x1x1xi8>, tensor<4xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(%[[XD]], %[[WD]] :
// CHECK-SAME:      bias(%{{.*}} : tensor<4xf32>) residual(%[[XD]] :
// CHECK:         %[[Q:.*]] = linalg.generic {{.*}} ins(%[[R]] : tensor<1x4x5x7xf32>)
// CHECK:           math.roundeven
// CHECK:         return %[[Q]] : tensor<1x4x5x7xi8>
// INTEGERS-LABEL: func @block
// INTEGERS-SAME:    %[[X:[^:]*]]: tensor<1x4x5x7xi8>, %[[W:[^:]*]]: tensor<4x4x1x1xi8>
// INTEGERS:         %[[S:.*]] = arith.constant dense<[0.0039{{.*}}, 0.0079{{.*}}, 0.0119{{.*}}, 0.0159{{.*}}]> : tensor<4xf32>
// INTEGERS:         %[[R:.*]] = fusion.quantized_conv_bias_act relu {{.*}} ins(%[[X]], %[[W]] :
// INTEGERS-SAME:      bias({{.*}}) scale(%[[S]] : tensor<4xf32>) residual(%[[X]] :
// INTEGERS-NEXT:    return %[[R]] : tensor<1x4x5x7xi8>
func.func @block(%x: tensor<1x4x5x7xi8>, %w: tensor<4x4x1x1xi8>) -> tensor<1x4x5x7xi8> {
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04]> : tensor<4xf32>
  %b = arith.constant dense<[0.1, -0.2, 0.3, -0.4]> : tensor<4xf32>
  %zx = arith.constant -14 : i32
  %sx = arith.constant 0.02 : f32
  %so = arith.constant 0.05 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x5x7xf32>
  %ew = tensor.empty() : tensor<4x4x1x1xf32>
  %e8 = tensor.empty() : tensor<1x4x5x7xi8>
  %xd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x4x5x7xi8>) outs(%e : tensor<1x4x5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<1x4x5x7xf32>
  %wd = linalg.generic {indexing_maps = [#m, #c0, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w, %ws : tensor<4x4x1x1xi8>, tensor<4xf32>) outs(%ew : tensor<4x4x1x1xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x4x1x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%xd, %wd : tensor<1x4x5x7xf32>, tensor<4x4x1x1xf32>)
      outs(%f : tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32>
  %biased = linalg.generic {indexing_maps = [#m, #c1, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<1x4x5x7xf32>, tensor<4xf32>) outs(%e : tensor<1x4x5x7xf32>) {
  ^bb0(%in: f32, %add: f32, %out: f32):
    %0 = arith.addf %in, %add : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x5x7xf32>
  %sum = linalg.add ins(%biased, %xd : tensor<1x4x5x7xf32>, tensor<1x4x5x7xf32>)
      outs(%e : tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sum : tensor<1x4x5x7xf32>) outs(%e : tensor<1x4x5x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x5x7xf32>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%r : tensor<1x4x5x7xf32>) outs(%e8 : tensor<1x4x5x7xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %min : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x5x7xi8>
  return %q : tensor<1x4x5x7xi8>
}
