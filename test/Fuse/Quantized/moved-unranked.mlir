// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s
// RUN: fusion-opt %s --fusion-convert-precision -o /dev/null

// A cast moves elements as other ops do, where both of its types have a rank.

#n = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @ranked(
// CHECK-SAME:    %[[X:.*]]: tensor<5x7xi8>)
// CHECK:         %[[C:.*]] = tensor.cast %[[X]] : tensor<5x7xi8> to tensor<5x?xi8>
// CHECK:         linalg.generic {{.*}} ins(%[[C]] : tensor<5x?xi8>)
func.func @ranked(%x: tensor<5x7xi8>) -> tensor<5x?xf32> {
  %s = arith.constant 0.02 : f32
  %e = tensor.empty() : tensor<5x7xf32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %c = tensor.cast %d : tensor<5x7xf32> to tensor<5x?xf32>
  return %c : tensor<5x?xf32>
}

// CHECK-LABEL: func @unranked_result(
// CHECK:         tensor.cast %{{.*}} : tensor<5x7xf32> to tensor<*xf32>
func.func @unranked_result(%x: tensor<5x7xi8>) -> tensor<*xf32> {
  %s = arith.constant 0.02 : f32
  %e = tensor.empty() : tensor<5x7xf32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %u = tensor.cast %d : tensor<5x7xf32> to tensor<*xf32>
  return %u : tensor<*xf32>
}

// CHECK-LABEL: func @unranked_operand(
// CHECK:         tensor.cast %{{.*}} : tensor<*xf32> to tensor<5x7xf32>
func.func @unranked_operand(%x: tensor<*xf32>) -> tensor<5x7xi8> {
  %s = arith.constant 50.0 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x7xi8>
  %d = tensor.cast %x : tensor<*xf32> to tensor<5x7xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<5x7xf32>) outs(%e : tensor<5x7xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %s : f32
    %1 = math.roundeven %0 : f32
    %l = arith.maximumf %1, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<5x7xi8>
  return %q : tensor<5x7xi8>
}
