// Numbers of vectors that stay in the body that computes them.

// RUN: fusion-opt %s --fusion-split-at-integers -o %t.mlir
// RUN: fusion-opt %s -o %t.before.mlir
// RUN: diff %t.mlir %t.before.mlir

#n = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>

// No product starts from it.
func.func @no_start(%v: tensor<6xi32>, %s: tensor<6xf32>, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %r = linalg.generic {indexing_maps = [#c, #c, #n], iterator_types = ["parallel", "parallel"]}
         ins(%v, %s : tensor<6xi32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %f: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %f : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// A product reads it as a factor.
func.func @factor(%a: tensor<6x4xf32>, %v: tensor<6xi32>, %s: tensor<6xf32>, %e: tensor<5x6xf32>, %z: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %r = linalg.generic {indexing_maps = [#c, #c, #n], iterator_types = ["parallel", "parallel"]}
         ins(%v, %s : tensor<6xi32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %f: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %f : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %p = linalg.matmul ins(%r, %a : tensor<5x6xf32>, tensor<6x4xf32>) outs(%z : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %p : tensor<5x4xf32>
}

// It is another number for each element.
func.func @elements(%a: tensor<5x4xf32>, %b: tensor<4x6xf32>, %v: tensor<5x6xi32>, %s: tensor<6xf32>, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]}
         ins(%v, %s : tensor<5x6xi32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %f: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %f : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %p = linalg.matmul ins(%a, %b : tensor<5x4xf32>, tensor<4x6xf32>) outs(%r : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %p : tensor<5x6xf32>
}

// Two vectors along two loops make another number for each element, too.
func.func @two_loops(%a: tensor<5x4xf32>, %b: tensor<4x6xf32>, %v: tensor<5xi32>, %s: tensor<6xf32>, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, #c, #n], iterator_types = ["parallel", "parallel"]}
         ins(%v, %s : tensor<5xi32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %f: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %f : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %p = linalg.matmul ins(%a, %b : tensor<5x4xf32>, tensor<4x6xf32>) outs(%r : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %p : tensor<5x6xf32>
}

// Nothing is computed.
func.func @broadcast(%a: tensor<5x4xf32>, %b: tensor<4x6xf32>, %s: tensor<6xf32>, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %r = linalg.generic {indexing_maps = [#c, #n], iterator_types = ["parallel", "parallel"]}
         ins(%s : tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x6xf32>
  %p = linalg.matmul ins(%a, %b : tensor<5x4xf32>, tensor<4x6xf32>) outs(%r : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %p : tensor<5x6xf32>
}

// Behind a product the laws read an expression of floats as it is.
func.func @floats(%a: tensor<5x4xf32>, %b: tensor<4x6xf32>, %v: tensor<6xf32>, %s: tensor<6xf32>, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<5x4xf32>, tensor<4x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #c, #c, #n], iterator_types = ["parallel", "parallel"]}
         ins(%p, %v, %s : tensor<5x6xf32>, tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %i: f32, %f: f32, %out: f32):
    %0 = arith.mulf %i, %f : f32
    %1 = arith.addf %in, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// No product is in front of the sum.
func.func @no_product(%p: tensor<5x6xf32>, %v: tensor<6xi32>, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]}
         ins(%p, %v : tensor<5x6xf32>, tensor<6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %i: i32, %out: f32):
    %0 = arith.sitofp %i : i32 to f32
    %1 = arith.addf %in, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Constants that are added to a sum of integers are read where it is rescaled.
func.func @constants(%a: tensor<5x4xi8>, %b: tensor<4x6xi8>, %z: tensor<5x6xi32>, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %v = arith.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %p = linalg.matmul ins(%a, %b : tensor<5x4xi8>, tensor<4x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]}
         ins(%p, %v : tensor<5x6xi32>, tensor<6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %i: i32, %out: f32):
    %0 = arith.addi %i, %i : i32
    %1 = arith.addi %in, %0 : i32
    %2 = arith.sitofp %1 : i32 to f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// A tensor is added, and no vector.
func.func @tensor(%a: tensor<5x4xi8>, %b: tensor<4x6xi8>, %v: tensor<5x6xi32>, %z: tensor<5x6xi32>, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<5x4xi8>, tensor<4x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
         ins(%p, %v : tensor<5x6xi32>, tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %i: i32, %out: f32):
    %0 = arith.addi %in, %i : i32
    %1 = arith.sitofp %0 : i32 to f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Two products are added up.
func.func @two_products(%a: tensor<5x4xi8>, %b: tensor<4x6xi8>, %v: tensor<6xi32>, %z: tensor<5x6xi32>, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<5x4xi8>, tensor<4x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.matmul ins(%a, %b : tensor<5x4xi8>, tensor<4x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n, #c, #n], iterator_types = ["parallel", "parallel"]}
         ins(%p, %q, %v : tensor<5x6xi32>, tensor<5x6xi32>, tensor<6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %other: i32, %i: i32, %out: f32):
    %0 = arith.addi %in, %other : i32
    %1 = arith.addi %0, %i : i32
    %2 = arith.sitofp %1 : i32 to f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// The product and the vector are multiplied.
func.func @multiplied(%a: tensor<5x4xi8>, %b: tensor<4x6xi8>, %v: tensor<6xi32>, %z: tensor<5x6xi32>, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<5x4xi8>, tensor<4x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]}
         ins(%p, %v : tensor<5x6xi32>, tensor<6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %i: i32, %out: f32):
    %0 = arith.muli %in, %i : i32
    %1 = arith.sitofp %0 : i32 to f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}
