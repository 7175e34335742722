// Sums that fusion-raise leaves as they are: their factors cannot be computed by ops of their own, or
// nothing would be gained.

// RUN: fusion-opt %s --fusion-raise -o %t.mlir
// RUN: fusion-opt %s -o %t.before.mlir
// RUN: diff %t.mlir %t.before.mlir

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#m = affine_map<(m, n, k) -> (m)>
#n = affine_map<(m, n, k) -> (n)>
#r = affine_map<(m, n, k) -> (m, n)>
#e = affine_map<(m, k) -> (m, k)>
#s = affine_map<(m, k) -> (m)>

// A factor with a scale for each row and a scale for each column: together they have all loops.
func.func @no_whole_input(%x: tensor<4x6xf32>, %a: tensor<4xf32>, %b: tensor<3xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {indexing_maps = [#x, #m, #n, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %a, %b : tensor<4x6xf32>, tensor<4xf32>, tensor<3xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32, %acc: f32):
    %3 = arith.addf %1, %2 : f32
    %4 = arith.mulf %0, %3 : f32
    %5 = arith.addf %acc, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// A variance: a sum of squares, which is no product of two matrices.
func.func @squares(%x: tensor<4x6xf32>, %mean: tensor<4xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#e, #s, #s], iterator_types = ["parallel", "reduction"]}
         ins(%x, %mean : tensor<4x6xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%0: f32, %1: f32, %acc: f32):
    %2 = arith.subf %0, %1 : f32
    %3 = arith.mulf %2, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A factor that depends on the place,
func.func @index(%x: tensor<4x6xf32>, %w: tensor<6x3xi8>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x6xf32>, tensor<6x3xi8>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: i8, %acc: f32):
    %2 = linalg.index 2 : index
    %3 = arith.index_cast %2 : index to i8
    %4 = arith.addi %1, %3 : i8
    %5 = arith.sitofp %4 : i8 to f32
    %6 = arith.mulf %0, %5 : f32
    %7 = arith.addf %acc, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// on the sum so far,
func.func @sum(%x: tensor<4x6xf32>, %w: tensor<6x3xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x6xf32>, tensor<6x3xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: f32, %acc: f32):
    %2 = arith.addf %1, %acc : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// on no input,
func.func @number(%x: tensor<4x6xf32>, %s: f32, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {indexing_maps = [#x, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x : tensor<4x6xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %acc: f32):
    %1 = math.exp %s : f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// or on memory.
func.func @memory(%x: tensor<4x6xf32>, %w: tensor<6x3xf32>, %m: memref<f32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x6xf32>, tensor<6x3xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: f32, %acc: f32):
    %2 = memref.load %m[] : memref<f32>
    %3 = arith.addf %1, %2 : f32
    %4 = arith.mulf %0, %3 : f32
    %5 = arith.addf %acc, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// The largest product, no sum.
func.func @maximum(%x: tensor<4x6xf32>, %w: tensor<6x3xi8>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x6xf32>, tensor<6x3xi8>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: i8, %acc: f32):
    %2 = arith.sitofp %1 : i8 to f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.maximumf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// The body has an effect beside the factor.
func.func @effect(%x: tensor<4x6xf32>, %w: tensor<6x3xi8>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x6xf32>, tensor<6x3xi8>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: i8, %acc: f32):
    %c100 = arith.constant 100 : i8
    %2 = arith.cmpi slt, %1, %c100 : i8
    cf.assert %2, "weights must be less than 100"
    %3 = arith.sitofp %1 : i8 to f32
    %4 = arith.mulf %0, %3 : f32
    %5 = arith.addf %acc, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// A division by zero must not happen where the sum has no rows.
func.func @division(%x: tensor<?x6xf32>, %w: tensor<6x3xi8>, %s: tensor<3xi8>, %init: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #n, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w, %s : tensor<?x6xf32>, tensor<6x3xi8>, tensor<3xi8>) outs(%init : tensor<?x3xf32>) {
  ^bb0(%0: f32, %1: i8, %2: i8, %acc: f32):
    %3 = arith.divsi %1, %2 : i8
    %4 = arith.sitofp %3 : i8 to f32
    %5 = arith.mulf %0, %4 : f32
    %6 = arith.addf %acc, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// An input that nothing reads gives a loop its size.
func.func @unread(%x: tensor<4x6xf32>, %w: tensor<6x3xi8>, %t: tensor<5xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k, j) -> (m, k)>, affine_map<(m, n, k, j) -> (k, n)>, affine_map<(m, n, k, j) -> (j)>, affine_map<(m, n, k, j) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w, %t : tensor<4x6xf32>, tensor<6x3xi8>, tensor<5xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: i8, %2: f32, %acc: f32):
    %3 = arith.sitofp %1 : i8 to f32
    %4 = arith.mulf %0, %3 : f32
    %5 = arith.addf %acc, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// A loop has two sizes. linalg allows it beside dynamic ones.
func.func @two_sizes(%x: tensor<?x6xf32>, %w: tensor<6x3xi8>, %s: tensor<4xf32>, %init: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #n, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w, %s : tensor<?x6xf32>, tensor<6x3xi8>, tensor<4xf32>) outs(%init : tensor<?x3xf32>) {
  ^bb0(%0: f32, %1: i8, %2: f32, %acc: f32):
    %3 = arith.sitofp %1 : i8 to f32
    %4 = arith.mulf %3, %2 : f32
    %5 = arith.mulf %0, %4 : f32
    %6 = arith.addf %acc, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// No fusion op is of f64,
func.func @f64(%x: tensor<4x6xf64>, %w: tensor<6x3xi8>, %init: tensor<4x3xf64>) -> tensor<4x3xf64> {
  %r = linalg.generic {indexing_maps = [#x, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x6xf64>, tensor<6x3xi8>) outs(%init : tensor<4x3xf64>) {
  ^bb0(%0: f64, %1: i8, %acc: f64):
    %2 = arith.sitofp %1 : i8 to f64
    %3 = arith.mulf %0, %2 : f64
    %4 = arith.addf %acc, %3 : f64
    linalg.yield %4 : f64
  } -> tensor<4x3xf64>
  return %r : tensor<4x3xf64>
}

// and none sums over dimensions in two orders.
func.func @apart(%x: tensor<4x6x5xf32>, %w: tensor<5x6x3xi8>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k, j) -> (m, k, j)>, affine_map<(m, n, k, j) -> (j, k, n)>, affine_map<(m, n, k, j) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<4x6x5xf32>, tensor<5x6x3xi8>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: i8, %acc: f32):
    %2 = arith.sitofp %1 : i8 to f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// A product with a vector reads each factor once, so that an op of its own would only add to the memory that moves.
func.func @vector(%x: tensor<4x6xf32>, %mean: tensor<4xf32>, %v: tensor<6xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#e, #s, affine_map<(m, k) -> (k)>, #s], iterator_types = ["parallel", "reduction"]}
         ins(%x, %mean, %v : tensor<4x6xf32>, tensor<4xf32>, tensor<6xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32, %acc: f32):
    %3 = arith.subf %0, %1 : f32
    %4 = arith.mulf %3, %2 : f32
    %5 = arith.addf %acc, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
