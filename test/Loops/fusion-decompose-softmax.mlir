// RUN: fusion-opt %s --fusion-decompose-softmax | FileCheck %s

// The maximum begins with minus infinity and keeps NaN; the rest is upstream's.

// CHECK:       #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[X:.*]]: tensor<3x5xf32>
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant 0xFF800000 : f32
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[F:.*]] = linalg.fill ins(%[[LEAST]] : f32)
// CHECK:         %[[M:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[$ROW]]], iterator_types = ["parallel", "reduction"]} ins(%[[X]] : tensor<3x5xf32>) outs(%[[F]] : tensor<3xf32>)
// CHECK:           arith.maximumf
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[M]] :
// CHECK:           arith.subf
// CHECK-NEXT:      math.exp
// CHECK:         linalg.fill ins(%[[ZERO]] : f32)
// CHECK:           arith.addf
// CHECK:           arith.divf
// CHECK-NOT:     linalg.softmax
// CHECK-NOT:     maxnumf
func.func @rows(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @columns_bf16(
// CHECK:         arith.constant 0xFF80 : bf16
// CHECK:           arith.maximumf %{{.*}} : bf16
func.func @columns_bf16(%x: tensor<?x5xbf16>, %e: tensor<?x5xbf16>) -> tensor<?x5xbf16> {
  %r = linalg.softmax dimension(0) ins(%x : tensor<?x5xbf16>) outs(%e : tensor<?x5xbf16>) -> tensor<?x5xbf16>
  return %r : tensor<?x5xbf16>
}

// A maximum of somebody else's in front stays as it was.
// CHECK-LABEL: func.func @other_maximum(
// CHECK:         arith.maxnumf
// CHECK:         arith.maximumf
// CHECK-NOT:     {{maxnumf|maximumf}}
func.func @other_maximum(%x: tensor<3x5xf32>, %y: tensor<3xf32>) -> (tensor<3x5xf32>, tensor<3xf32>) {
  %m = linalg.reduce { arith.maxnumf } ins(%x : tensor<3x5xf32>) outs(%y : tensor<3xf32>) dimensions = [1]
  %e = tensor.empty() : tensor<3x5xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r, %m : tensor<3x5xf32>, tensor<3xf32>
}

// Input and output may know different sizes.
// CHECK-LABEL: func.func @sizes_of_both(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<3x5xf32>)
// CHECK-NOT:     linalg.softmax
// CHECK:         %[[R:.*]] = tensor.cast %{{.*}} : tensor<3x5xf32> to tensor<3x?xf32>
// CHECK-NEXT:    return %[[R]]
func.func @sizes_of_both(%x: tensor<?x5xf32>, %e: tensor<3x?xf32>) -> tensor<3x?xf32> {
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x5xf32>) outs(%e : tensor<3x?xf32>) -> tensor<3x?xf32>
  return %r : tensor<3x?xf32>
}
