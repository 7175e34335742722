// RUN: fusion-opt %s --fusion-split-at-integers -o %t.mlir --remarks-filter='fusion.*' --remark-format=emitRemark 2> %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: fusion-opt %s -o %t.before.mlir
// RUN: diff %t.mlir %t.before.mlir

#n = affine_map<(d0, d1) -> (d0, d1)>

// CHECK: Reason="an integer of 8 bits is computed by 'linalg.index'"
func.func @index(%x: tensor<5x6xi32>, %e: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%in: i32, %out: i32):
    %i = linalg.index 0 : index
    %0 = arith.index_cast %i : index to i32
    %1 = arith.addi %in, %0 : i32
    %2 = arith.trunci %1 : i32 to i8
    %3 = arith.extsi %2 : i8 to i32
    linalg.yield %3 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: Reason="operand 0, of which an integer of 8 bits is made, is also read otherwise"
func.func @read_twice(%x: tensor<5x6xi32>, %e: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.trunci %in : i32 to i8
    %1 = arith.extsi %0 : i8 to i32
    %2 = arith.subi %in, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: Reason="an integer of 8 bits reads the destination"
func.func @destination(%x: tensor<5x6xi32>, %e: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.addi %in, %out : i32
    %1 = arith.trunci %0 : i32 to i8
    %2 = arith.extsi %1 : i8 to i32
    linalg.yield %2 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: Reason="no input of an integer of 8 bits has all of its dimensions"
func.func @two_vectors(%x: tensor<5xi32>, %y: tensor<6xi32>, %k: tensor<5x6xi32>, %e: tensor<5xi32>) -> tensor<5xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m)>, affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"]}
         ins(%x, %y : tensor<5xi32>, tensor<6xi32>) outs(%e : tensor<5xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %0 = arith.addi %a, %b : i32
    %1 = arith.trunci %0 : i32 to i8
    %2 = arith.extsi %1 : i8 to i32
    %3 = arith.addi %out, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5xi32>
  return %r : tensor<5xi32>
}

// CHECK: Reason="windows of inputs of an integer of 8 bits may be those of different sizes"
func.func @windows(%x: tensor<7xi32>, %y: tensor<8xi32>, %k: tensor<3xi32>, %e: tensor<5xi32>) -> tensor<5xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(h, k) -> (h + k)>, affine_map<(h, k) -> (h + k)>, affine_map<(h, k) -> (k)>, affine_map<(h, k) -> (h)>], iterator_types = ["parallel", "reduction"]}
         ins(%x, %y, %k : tensor<7xi32>, tensor<8xi32>, tensor<3xi32>) outs(%e : tensor<5xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %out: i32):
    %0 = arith.addi %a, %b : i32
    %1 = arith.trunci %0 : i32 to i8
    %2 = arith.extsi %1 : i8 to i32
    %3 = arith.addi %out, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5xi32>
  return %r : tensor<5xi32>
}

// CHECK: Reason="operand 0, of which a sum with vectors is made, is also read otherwise"
func.func @sum_read_twice(%a: tensor<5x4xi8>, %b: tensor<4x6xi8>, %v: tensor<6xi32>, %z: tensor<5x6xi32>, %e: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<5x4xi8>, tensor<4x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, affine_map<(d0, d1) -> (d1)>, #n], iterator_types = ["parallel", "parallel"]}
         ins(%p, %v : tensor<5x6xi32>, tensor<6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %i: i32, %out: f32):
    %0 = arith.addi %in, %i : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.sitofp %in : i32 to f32
    %3 = arith.mulf %1, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

#filter = affine_map<(d0, d1) -> (d0, d1, 0)>
#sum = affine_map<(d0, d1) -> (d0)>
#vector = affine_map<(d0, d1) -> (d1)>

// A vector of integers is the other factor of the product, and no zero point of the filter.
func.func @factor(%x: tensor<6xi8>, %w: tensor<5x6x2xi8>, %e: tensor<5xf32>) -> tensor<5xf32> {
  %r = linalg.generic {indexing_maps = [#vector, #filter, #sum], iterator_types = ["parallel", "reduction"]}
         ins(%x, %w : tensor<6xi8>, tensor<5x6x2xi8>) outs(%e : tensor<5xf32>) {
  ^bb0(%in: i8, %filter: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %filter : i8 to i32
    %2 = arith.subi %1, %0 : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}
