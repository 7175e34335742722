// RUN: fusion-opt %s --fusion-merge-quantization | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY

// An op for each step between a sum in i32 and what is made of it.
// Integration/merge-quantization.test executes these functions.

#n = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>

// The zero point is added in front of the rounding, as StableHLO does, and there is a bias in i32.
// CHECK-LABEL: func @zero_point_in_front(
// CHECK:         linalg.matmul
// CHECK:         linalg.add
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<5x6xi8>)
// CHECK:           arith.sitofp
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      arith.maximumf
// CHECK-NEXT:      arith.minimumf
// CHECK-NEXT:      math.roundeven
// CHECK-NEXT:      arith.fptosi
func.func @zero_point_in_front(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0 : i32
  %b = arith.constant dense<[100, -200, 300, -400, 500, -600]> : tensor<6xi32>
  %s = arith.constant dense<[0.0005, 0.00025, 0.000125, 0.00075, 0.000375, 0.000625]> : tensor<6xf32>
  %z = arith.constant dense<-7.0> : tensor<f32>
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  // WHY: :[[#@LINE+1]]:8: fused: zero point, bias, requantize{{$}}
  %r = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %bt = linalg.broadcast ins(%b : tensor<6xi32>) outs(%e32 : tensor<5x6xi32>) dimensions = [0]
  %0 = linalg.add ins(%r, %bt : tensor<5x6xi32>, tensor<5x6xi32>) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  %1 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %a = arith.sitofp %in : i32 to f32
    linalg.yield %a : f32
  } -> tensor<5x6xf32>
  %st = linalg.broadcast ins(%s : tensor<6xf32>) outs(%e : tensor<5x6xf32>) dimensions = [0]
  %2 = linalg.mul ins(%1, %st : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %zt = linalg.broadcast ins(%z : tensor<f32>) outs(%e : tensor<5x6xf32>) dimensions = [0, 1]
  %3 = linalg.add ins(%2, %zt : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %lt = linalg.fill ins(%least : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %4 = linalg.max ins(%3, %lt : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %mt = linalg.fill ins(%most : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %5 = linalg.min ins(%4, %mt : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %6 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = math.roundeven %in : f32
    linalg.yield %a : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %a = arith.fptosi %in : f32 to i8
    linalg.yield %a : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// A relu of the sum itself.
// CHECK-LABEL: func @bounded(
// CHECK:         linalg.matmul
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK:           arith.maxsi
// CHECK-NEXT:      arith.sitofp
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      linalg.yield
func.func @bounded(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf32> {
  %zero = arith.constant 0 : i32
  %s = arith.constant 0.001 : f32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  // WHY: :[[#@LINE+1]]:8: fused: dequantize, relu{{$}}
  %r = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %0 = linalg.max ins(%r, %f : tensor<5x6xi32>, tensor<5x6xi32>) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  %1 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %a = arith.sitofp %in : i32 to f32
    linalg.yield %a : f32
  } -> tensor<5x6xf32>
  %2 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.mulf %in, %s : f32
    linalg.yield %a : f32
  } -> tensor<5x6xf32>
  return %2 : tensor<5x6xf32>
}

// Scale and zero point are known to a call alone, as in dynamic quantisation.
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<5x7xi8>, %[[S:[a-z0-9]*]]: tensor<f32>
// CHECK:         %[[XI:.*]] = linalg.generic {{.*}} ins(%[[X]], %{{.*}} : tensor<5x7xi8>, tensor<i32>)
// CHECK:           arith.extsi
// CHECK-NEXT:      arith.subi
// CHECK-NEXT:      linalg.yield
// CHECK:         %[[R:.*]] = linalg.matmul ins(%[[XI]], {{.*}}
// CHECK:         linalg.generic {{.*}} ins(%[[R]], %[[S]], %{{.*}} : tensor<5x6xi32>, tensor<f32>, tensor<6xf32>)
// CHECK:           arith.sitofp
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      linalg.yield
func.func @dynamic(%x: tensor<5x7xi8>, %s: tensor<f32>, %z: tensor<i8>) -> tensor<5x6xf32> {
  %zero = arith.constant 0 : i32
  %w = arith.constant dense<[[1, -2, 3, -4, 5, -6], [7, -8, 9, -10, 11, -12], [13, -14, 15, -16, 17, -18], [19, -20, 21, -22, 23, -24], [25, -26, 27, -28, 29, -30], [31, -32, 33, -34, 35, -36], [37, -38, 39, -40, 41, -127]]> : tensor<7x6xi8>
  %ws = arith.constant dense<[0.5, 0.25, 0.125, 0.75, 0.375, 0.625]> : tensor<6xf32>
  %exi = tensor.empty() : tensor<5x7xi32>
  %ewi = tensor.empty() : tensor<7x6xi32>
  %ez = tensor.empty() : tensor<i32>
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %xi = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%exi : tensor<5x7xi32>) {
  ^bb0(%in: i8, %out: i32):
    %a = arith.extsi %in : i8 to i32
    linalg.yield %a : i32
  } -> tensor<5x7xi32>
  %zi = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%z : tensor<i8>) outs(%ez : tensor<i32>) {
  ^bb0(%in: i8, %out: i32):
    %a = arith.extsi %in : i8 to i32
    linalg.yield %a : i32
  } -> tensor<i32>
  %zt = linalg.broadcast ins(%zi : tensor<i32>) outs(%exi : tensor<5x7xi32>) dimensions = [0, 1]
  %xz = linalg.sub ins(%xi, %zt : tensor<5x7xi32>, tensor<5x7xi32>) outs(%exi : tensor<5x7xi32>) -> tensor<5x7xi32>
  %wi = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ewi : tensor<7x6xi32>) {
  ^bb0(%in: i8, %out: i32):
    %a = arith.extsi %in : i8 to i32
    linalg.yield %a : i32
  } -> tensor<7x6xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  // WHY: :[[#@LINE+1]]:8: fused: dequantize, bias{{$}}
  %r = linalg.matmul ins(%xz, %wi : tensor<5x7xi32>, tensor<7x6xi32>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %0 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %a = arith.sitofp %in : i32 to f32
    linalg.yield %a : f32
  } -> tensor<5x6xf32>
  %st = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<5x6xf32>) dimensions = [0, 1]
  %1 = linalg.mul ins(%0, %st : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %wt = linalg.broadcast ins(%ws : tensor<6xf32>) outs(%e : tensor<5x6xf32>) dimensions = [0]
  %2 = linalg.mul ins(%1, %wt : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %2 : tensor<5x6xf32>
}

// A factor of numbers that are no sum may belong to a batch norm: it stays an op of its own.
// CHECK-LABEL: func @factor_of_filter(
// CHECK:           arith.sitofp
// CHECK-NEXT:      linalg.yield
// CHECK:         linalg.generic
// CHECK:           arith.mulf
func.func @factor_of_filter(%x: tensor<5x6xi8>, %s: tensor<6xf32>) -> tensor<5x6xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  %0 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %a = arith.sitofp %in : i8 to f32
    linalg.yield %a : f32
  } -> tensor<5x6xf32>
  %1 = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%0, %s : tensor<5x6xf32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %a = arith.mulf %in, %b : f32
    linalg.yield %a : f32
  } -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

// With two products the op on integers has one scale, and its result another.
// CHECK-LABEL: func @two_products(
// CHECK:           arith.sitofp
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      arith.divf
// CHECK-NEXT:      linalg.yield
// CHECK:         linalg.generic
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      math.roundeven
func.func @two_products(%x: tensor<5x6xi32>) -> tensor<5x6xi8> {
  %s = arith.constant 0.125 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %0 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %a = arith.sitofp %in : i32 to f32
    %b = arith.mulf %a, %s : f32
    %c = arith.divf %b, %s : f32
    linalg.yield %c : f32
  } -> tensor<5x6xf32>
  %1 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %a = math.roundeven %in : f32
    %b = arith.fptosi %a : f32 to i8
    linalg.yield %b : i8
  } -> tensor<5x6xi8>
  return %1 : tensor<5x6xi8>
}
