// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain -o /dev/null 2>&1 | FileCheck %s

// Products of integers without rows and columns.

func.func @dot(%x: tensor<7xi8>, %w: tensor<7xi8>) -> tensor<i32> {
  %zero = arith.constant dense<0> : tensor<i32>
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: product of two vectors, without rows and columns{{$}}
  %r = linalg.dot ins(%x, %w : tensor<7xi8>, tensor<7xi8>) outs(%zero : tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

#v = affine_map<(b, k) -> (b, k)>
#s = affine_map<(b, k) -> (b)>

// One for each element of a batch.
func.func @dots(%x: tensor<5x7xi8>, %w: tensor<5x7xi8>) -> tensor<5xi32> {
  %zero = arith.constant dense<0> : tensor<5xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: not fused: unsupported: product of two vectors, without rows and columns{{$}}
  %r = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<5x7xi8>) outs(%zero : tensor<5xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5xi32>
  return %r : tensor<5xi32>
}

// One of floats has no line.
// CHECK-NOT: fused
func.func @dot_of_floats(%x: tensor<7xf32>, %w: tensor<7xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %r = linalg.dot ins(%x, %w : tensor<7xf32>, tensor<7xf32>) outs(%zero : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
