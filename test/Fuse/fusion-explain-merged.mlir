// Matrix multiplications into whose bodies `linalg-fuse-elementwise-ops` has merged the ops in front, and
// that stay as they are.

// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize -o /dev/null --remarks-filter='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#m = affine_map<(m, n, k) -> (m)>
#n = affine_map<(m, n, k) -> (n)>
#k = affine_map<(m, n, k) -> (k)>
#r = affine_map<(m, n, k) -> (m, n)>
#e = affine_map<(m, k) -> (m, k)>
#s = affine_map<(m, k) -> (m)>
#v = affine_map<(m, k) -> (k)>

// A zero point for each column of the filter.
func.func @zero_points(%x: tensor<4x6xi8>, %w: tensor<6x3xi8>, %z: tensor<3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  // CHECK: :[[#@LINE+2]]:8: not fused: unsupported: a factor of the product is computed from 2 tensors, expected one of i8 less one number{{$}}
  // REMARK-DAG: :[[#@LINE+1]]:8: remark: [Missed] fusion-fuse-quantized | {{.*}}Reason="unsupported: a factor of the product is computed from 2 tensors, expected one of i8 less one number"
  %r = linalg.generic {indexing_maps = [#x, #w, #n, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w, %z : tensor<4x6xi8>, tensor<6x3xi8>, tensor<3xi32>) outs(%init : tensor<4x3xi32>) {
  ^bb0(%0: i8, %1: i8, %2: i32, %acc: i32):
    %3 = arith.extsi %1 : i8 to i32
    %4 = arith.subi %3, %2 : i32
    %5 = arith.extsi %0 : i8 to i32
    %6 = arith.muli %5, %4 : i32
    %7 = arith.addi %acc, %6 : i32
    linalg.yield %7 : i32
  } -> tensor<4x3xi32>
  return %r : tensor<4x3xi32>
}

// The same in a product with a vector.
func.func @vector_of_integers(%x: tensor<4x6xi8>, %z: tensor<4xi32>, %w: tensor<6xi8>, %init: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: a factor of the product is computed from 2 tensors, expected one of i8 less one number{{$}}
  %r = linalg.generic {indexing_maps = [#e, #s, #v, #s], iterator_types = ["parallel", "reduction"]}
         ins(%x, %z, %w : tensor<4x6xi8>, tensor<4xi32>, tensor<6xi8>) outs(%init : tensor<4xi32>) {
  ^bb0(%0: i8, %1: i32, %2: i8, %acc: i32):
    %3 = arith.extsi %0 : i8 to i32
    %4 = arith.subi %3, %1 : i32
    %5 = arith.extsi %2 : i8 to i32
    %6 = arith.muli %4, %5 : i32
    %7 = arith.addi %acc, %6 : i32
    linalg.yield %7 : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// Each factor is one tensor, and a third one is not read.
func.func @unread(%x: tensor<4x6xi8>, %w: tensor<6x3xi8>, %t: tensor<3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: body is not one multiplication and one addition{{$}}
  %r = linalg.generic {indexing_maps = [#x, #w, #n, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w, %t : tensor<4x6xi8>, tensor<6x3xi8>, tensor<3xi32>) outs(%init : tensor<4x3xi32>) {
  ^bb0(%0: i8, %1: i8, %2: i32, %acc: i32):
    %3 = arith.extsi %1 : i8 to i16
    %4 = arith.extsi %0 : i8 to i16
    %5 = arith.muli %4, %3 : i16
    %6 = arith.extsi %5 : i16 to i32
    %7 = arith.addi %acc, %6 : i32
    linalg.yield %7 : i32
  } -> tensor<4x3xi32>
  return %r : tensor<4x3xi32>
}

// The elements of the filter are all equal, and become a constant of the body.
func.func @one_number(%x: tensor<4x6xi8>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %w = arith.constant 7 : i32
  // CHECK: :[[#@LINE+2]]:8: not fused: unsupported: a factor of the product is the same along loop 2, which is summed over{{$}}
  // REMARK-DAG: :[[#@LINE+1]]:8: remark: [Missed] fusion-fuse-quantized | {{.*}}Reason="unsupported: a factor of the product is the same along loop 2, which is summed over"
  %r = linalg.generic {indexing_maps = [#x, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x : tensor<4x6xi8>) outs(%init : tensor<4x3xi32>) {
  ^bb0(%0: i8, %acc: i32):
    %1 = arith.extsi %0 : i8 to i32
    %2 = arith.muli %1, %w : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<4x3xi32>
  return %r : tensor<4x3xi32>
}

// The same with scales of the columns.
func.func @one_number_scaled(%x: tensor<4x6xf32>, %s: tensor<3xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %w = arith.constant 7.0 : f32
  // CHECK: :[[#@LINE+2]]:8: not fused: unsupported: a factor of the product is the same along loop 2, which is summed over{{$}}
  // REMARK-DAG: :[[#@LINE+1]]:8: remark: [Missed] fusion-fuse | {{.*}}Reason="not fused: unsupported: a factor of the product is the same along loop 2, which is summed over"
  %r = linalg.generic {indexing_maps = [#x, #n, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %s : tensor<4x6xf32>, tensor<3xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: f32, %acc: f32):
    %2 = arith.mulf %1, %w : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// The columns of the filter are equal, and become one.
func.func @equal_columns(%x: tensor<4x6xf32>, %a: tensor<6xf32>, %b: tensor<6xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: loop 1 is none of batch, row, column or reduction{{$}}
  %r = linalg.generic {indexing_maps = [#x, #k, #k, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %a, %b : tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32, %acc: f32):
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.mulf %0, %3 : f32
    %5 = arith.addf %acc, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// A factor that depends on the place.
func.func @index(%x: tensor<4x6xf32>, %w: tensor<6x3xi8>, %s: tensor<3xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: factors of the product stay in its body: a factor of the product is computed by 'linalg.index'{{$}}
  %r = linalg.generic {indexing_maps = [#x, #w, #n, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w, %s : tensor<4x6xf32>, tensor<6x3xi8>, tensor<3xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: i8, %2: f32, %acc: f32):
    %3 = linalg.index 2 : index
    %4 = arith.index_cast %3 : index to i8
    %5 = arith.addi %1, %4 : i8
    %6 = arith.sitofp %5 : i8 to f32
    %7 = arith.mulf %6, %2 : f32
    %8 = arith.mulf %0, %7 : f32
    %9 = arith.addf %acc, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

func.func @memrefs(%x: memref<4x6xf32>, %s: memref<3xf32>, %r: memref<4x3xf32>) {
  // CHECK: :[[#@LINE+1]]:3: not fused: unsupported: matrix multiplication on memrefs; raise before bufferization{{$}}
  linalg.generic {indexing_maps = [#x, #n, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %s : memref<4x6xf32>, memref<3xf32>) outs(%r : memref<4x3xf32>) {
  ^bb0(%0: f32, %1: f32, %acc: f32):
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  }
  return
}

// Nothing is said of what is no matrix multiplication: a sum of squares,
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

// a mean,
func.func @mean(%x: tensor<4x6xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %part = arith.constant 0.125 : f32
  %r = linalg.generic {indexing_maps = [#e, #s], iterator_types = ["parallel", "reduction"]}
         ins(%x : tensor<4x6xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%0: f32, %acc: f32):
    %1 = arith.mulf %0, %part : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// a sum of floats with weights, as of a norm,
func.func @vector(%x: tensor<4x6xf32>, %mean: tensor<4xf32>, %v: tensor<6xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#e, #s, #v, #s], iterator_types = ["parallel", "reduction"]}
         ins(%x, %mean, %v : tensor<4x6xf32>, tensor<4xf32>, tensor<6xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32, %acc: f32):
    %3 = arith.subf %0, %1 : f32
    %4 = arith.mulf %3, %2 : f32
    %5 = arith.addf %acc, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// a product that reads the sum so far,
func.func @sum(%x: tensor<4x6xi8>, %z: tensor<3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %r = linalg.generic {indexing_maps = [#x, #n, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %z : tensor<4x6xi8>, tensor<3xi32>) outs(%init : tensor<4x3xi32>) {
  ^bb0(%0: i8, %1: i32, %acc: i32):
    %2 = arith.extsi %0 : i8 to i32
    %3 = arith.subi %1, %acc : i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<4x3xi32>
  return %r : tensor<4x3xi32>
}

// and a sum of other terms.
func.func @no_product(%x: tensor<4x6xf32>, %w: tensor<6x3xf32>, %s: tensor<3xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #n, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w, %s : tensor<4x6xf32>, tensor<6x3xf32>, tensor<3xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32, %acc: f32):
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.maximumf %0, %3 : f32
    %5 = arith.addf %acc, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
