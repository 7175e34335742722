// RUN: fusion-opt %s --fusion-split-at-integers | FileCheck %s
// Results stay equal: split-at-integers.mlir in test/Integration runs them.

#n = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>

// A quantisation and a dequantisation: between them is a tensor of i8.
// CHECK-LABEL: func.func @between(
// CHECK:         %[[Q:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<5x6xf32>) outs(%{{.*}} : tensor<5x6xi8>)
// CHECK:           %[[I:.*]] = arith.fptosi
// CHECK-NEXT:      linalg.yield %[[I]] : i8
// CHECK:         linalg.generic {{.*}} ins(%[[Q]] : tensor<5x6xi8>) outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: i8, %{{.*}}: f32):
// CHECK-NEXT:      %[[F:.*]] = arith.sitofp %[[IN]]
// CHECK-NEXT:      %[[R:.*]] = arith.mulf %[[F]]
// CHECK-NEXT:      linalg.yield %[[R]] : f32
func.func @between(%x: tensor<5x6xf32>, %s: f32, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.roundeven %in : f32
    %1 = arith.fptosi %0 : f32 to i8
    %2 = arith.sitofp %1 : i8 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// A window op: its input is computed once for each element, by a vector too, and not for each window.
// CHECK-LABEL: func.func @window(
// CHECK:         %[[Q:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<7x6xi32>, tensor<6xi32>) outs(%{{.*}} : tensor<7x6xi8>)
// CHECK:         linalg.generic {{.*}}"reduction"{{.*}} ins(%[[Q]], %{{.*}} : tensor<7x6xi8>, tensor<3xi8>) outs(%{{.*}} : tensor<5x6xi8>)
// CHECK:           arith.maxsi
func.func @window(%x: tensor<7x6xi32>, %v: tensor<6xi32>, %k: tensor<3xi8>, %e: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %r = linalg.generic {indexing_maps = [affine_map<(h, c, k) -> (h + k, c)>, affine_map<(h, c, k) -> (c)>, affine_map<(h, c, k) -> (k)>, affine_map<(h, c, k) -> (h, c)>], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %v, %k : tensor<7x6xi32>, tensor<6xi32>, tensor<3xi8>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %f: i32, %unread: i8, %out: i8):
    %0 = arith.muli %in, %f : i32
    %1 = arith.trunci %0 : i32 to i8
    %2 = arith.maxsi %out, %1 : i8
    linalg.yield %2 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// A residual that is dequantised where it is added to a product.
// CHECK-LABEL: func.func @residual(
// CHECK:         %[[P:.*]] = linalg.matmul
// CHECK:         %[[D:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<5x6xi8>) outs(%{{.*}} : tensor<5x6xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %[[D]] : tensor<5x6xf32>, tensor<5x6xf32>)
func.func @residual(%a: tensor<5x4xf32>, %b: tensor<4x6xf32>, %y: tensor<5x6xi8>, %s: f32, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<5x4xf32>, tensor<4x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
         ins(%p, %y : tensor<5x6xf32>, tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %z: i8, %out: f32):
    %0 = arith.sitofp %z : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.addf %in, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Nothing passes: a quantisation, a clamp of i8 behind it included.
// CHECK-LABEL: func.func @at_the_end(
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @at_the_end(%x: tensor<5x6xf32>, %m: i8, %e: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<5x6xf32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.fptosi %in : f32 to i8
    %1 = arith.minsi %0, %m : i8
    linalg.yield %1 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// A filter that is dequantised to bf16 in the body of a convolution is cut off in front of the product's extension.
// CHECK-LABEL: func.func @narrow_filter(
// CHECK:         %[[D:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3x4x6xi8>, tensor<6xf32>) outs(%{{.*}} : tensor<3x4x6xbf16>)
// CHECK:           arith.truncf
// CHECK-NEXT:      linalg.yield
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[D]] : tensor<2x9x4xbf16>, tensor<3x4x6xbf16>)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.extf
// CHECK-NEXT:      arith.extf
// CHECK-NEXT:      arith.mulf
func.func @narrow_filter(%x: tensor<2x9x4xbf16>, %w: tensor<3x4x6xi8>, %s: tensor<6xf32>, %init: tensor<2x7x6xf32>) -> tensor<2x7x6xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, w, f, k, c) -> (n, w + k, c)>, affine_map<(n, w, f, k, c) -> (k, c, f)>, affine_map<(n, w, f, k, c) -> (f)>, affine_map<(n, w, f, k, c) -> (n, w, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w, %s : tensor<2x9x4xbf16>, tensor<3x4x6xi8>, tensor<6xf32>) outs(%init : tensor<2x7x6xf32>) {
  ^bb0(%a: bf16, %b: i8, %sc: f32, %acc: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %0, %sc : f32
    %2 = arith.truncf %1 : f32 to bf16
    %3 = arith.extf %a : bf16 to f32
    %4 = arith.extf %2 : bf16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %acc, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<2x7x6xf32>
  return %r : tensor<2x7x6xf32>
}

// A pool of numbers in bf16 reads the integers: no op on integers would.
// CHECK-LABEL: func.func @narrow_pool(
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @narrow_pool(%x: tensor<9x6xi8>, %k: tensor<3xbf16>, %s: f32, %init: tensor<7x6xbf16>) -> tensor<7x6xbf16> {
  %r = linalg.generic {indexing_maps = [affine_map<(h, c, k) -> (h + k, c)>, affine_map<(h, c, k) -> (k)>, affine_map<(h, c, k) -> (h, c)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %k : tensor<9x6xi8>, tensor<3xbf16>) outs(%init : tensor<7x6xbf16>) {
  ^bb0(%a: i8, %b: bf16, %acc: bf16):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.truncf %1 : f32 to bf16
    %3 = arith.maximumf %acc, %2 : bf16
    linalg.yield %3 : bf16
  } -> tensor<7x6xbf16>
  return %r : tensor<7x6xbf16>
}

// An element-wise op rounds where it did.
// CHECK-LABEL: func.func @narrow_residual(
// CHECK:         %[[P:.*]] = linalg.matmul
// CHECK:         %[[D:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<5x6xi8>) outs(%{{.*}} : tensor<5x6xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %[[D]] : tensor<5x6xf32>, tensor<5x6xf32>)
// CHECK:           arith.truncf
func.func @narrow_residual(%a: tensor<5x4xf32>, %b: tensor<4x6xf32>, %y: tensor<5x6xi8>, %s: f32, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<5x4xf32>, tensor<4x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
         ins(%p, %y : tensor<5x6xf32>, tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %z: i8, %out: f32):
    %0 = arith.sitofp %z : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.truncf %1 : f32 to bf16
    %3 = arith.extf %2 : bf16 to f32
    %4 = arith.addf %in, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// A number of vectors that a product starts from is computed before it is repeated.
// CHECK-LABEL: func.func @start(
// CHECK:         %[[B:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%{{.*}}, %{{.*}} : tensor<6xi32>, tensor<6xf32>) outs(%{{.*}} : tensor<6xf32>)
// CHECK:           arith.sitofp
// CHECK-NEXT:      arith.mulf
// CHECK:         %[[S:.*]] = linalg.generic {{.*}}["parallel", "parallel"]} ins(%[[B]] : tensor<6xf32>) outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      linalg.yield %[[IN]]
// CHECK:         linalg.matmul {{.*}} outs(%[[S]]
func.func @start(%a: tensor<5x4xf32>, %b: tensor<4x6xf32>, %v: tensor<6xi32>, %s: tensor<6xf32>) -> tensor<5x6xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#c, #c, #n], iterator_types = ["parallel", "parallel"]}
         ins(%v, %s : tensor<6xi32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %f: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %f : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %p = linalg.matmul ins(%a, %b : tensor<5x4xf32>, tensor<4x6xf32>) outs(%r : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %p : tensor<5x6xf32>
}

// The same behind a product. The op that is left may read the vector, too.
// CHECK-LABEL: func.func @behind(
// CHECK:         %[[P:.*]] = linalg.matmul
// CHECK:         %[[B:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%{{.*}}, %[[V:.*]] : tensor<6xi32>, tensor<6xf32>) outs(%{{.*}} : tensor<6xf32>)
// CHECK:         linalg.generic {{.*}}["parallel", "parallel"]} ins(%[[P]], %[[B]], %[[V]] : tensor<5x6xf32>, tensor<6xf32>, tensor<6xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %[[ADDED:.*]]: f32, %[[BY:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[SUM:.*]] = arith.addf %[[IN]], %[[ADDED]]
// CHECK-NEXT:      arith.divf %[[SUM]], %[[BY]]
func.func @behind(%a: tensor<5x4xf32>, %b: tensor<4x6xf32>, %v: tensor<6xi32>, %s: tensor<6xf32>, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<5x4xf32>, tensor<4x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #c, #c, #n], iterator_types = ["parallel", "parallel"]}
         ins(%p, %v, %s : tensor<5x6xf32>, tensor<6xi32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %i: i32, %f: f32, %out: f32):
    %0 = arith.sitofp %i : i32 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.addf %in, %1 : f32
    %3 = arith.divf %2, %f : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}
