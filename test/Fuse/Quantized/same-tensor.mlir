// An op that reads a tensor by two maps: what moves is the element that each iteration has of its
// own, and the other one stays where it is. ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s

#n = affine_map<(d0, d1) -> (d0, d1)>
#z = affine_map<(d0, d1) -> (0, 0)>

// CHECK-DAG: #[[$N:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$Z:.*]] = affine_map<(d0, d1) -> (0, 0)>

// The first element of the tensor is the zero point of a slice.
// CHECK-LABEL: func @slice(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<9x7xi8>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][2, 0] [5, 7] [1, 1]
// CHECK:         linalg.generic {indexing_maps = [#[[$N]], #[[$Z]], #[[$N]]], {{.*}} ins(%[[S]], %[[X]] : tensor<5x7xi8>, tensor<9x7xi8>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: i8, %[[B:.*]]: i8,
// CHECK-DAG:       %[[EA:.*]] = arith.extsi %[[A]]
// CHECK-DAG:       %[[EB:.*]] = arith.extsi %[[B]]
// CHECK:           arith.subi %[[EA]], %[[EB]]
func.func @slice(%x: tensor<9x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ex = tensor.empty() : tensor<9x7xi32>
  %ew = tensor.empty() : tensor<7x6xi32>
  %xd = linalg.generic {indexing_maps = [#n, #z, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %x : tensor<9x7xi8>, tensor<9x7xi8>) outs(%ex : tensor<9x7xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.subi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<9x7xi32>
  %s = tensor.extract_slice %xd[2, 0] [5, 7] [1, 1] : tensor<9x7xi32> to tensor<5x7xi32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xi32>) {
  ^bb0(%a: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<7x6xi32>
  %c = linalg.matmul ins(%s, %wd : tensor<5x7xi32>, tensor<7x6xi32>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %c : tensor<5x6xi32>
}

// The same with a constant filter becomes one op on the integers of the slice.
// CHECK-LABEL: func @slice_and_filter(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<9x4xi8>
// CHECK-DAG:     %[[S:.*]] = tensor.extract_slice %[[X]][2, 0] [5, 4] [1, 1]
// CHECK-DAG:     linalg.generic {{.*}} ins({{.*}}, %[[X]] : tensor<3xi32>, tensor<9x4xi8>)
// CHECK:         fusion.quantized_matmul_bias_act ins(%[[S]], %{{.*}} : tensor<5x4xi8>, tensor<4x3xi8>) bias(
func.func @slice_and_filter(%x: tensor<9x4xi8>) -> tensor<5x3xi32> {
  %w = arith.constant dense<[[1, 127, -3], [-128, 5, 11], [90, -7, 64], [-7, 3, -99]]> : tensor<4x3xi8>
  %f = arith.constant dense<0> : tensor<5x3xi32>
  %ex = tensor.empty() : tensor<9x4xi32>
  %ew = tensor.empty() : tensor<4x3xi32>
  %xd = linalg.generic {indexing_maps = [#n, #z, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %x : tensor<9x4xi8>, tensor<9x4xi8>) outs(%ex : tensor<9x4xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.subi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<9x4xi32>
  %s = tensor.extract_slice %xd[2, 0] [5, 4] [1, 1] : tensor<9x4xi32> to tensor<5x4xi32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<4x3xi8>) outs(%ew : tensor<4x3xi32>) {
  ^bb0(%a: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<4x3xi32>
  %c = linalg.matmul ins(%s, %wd : tensor<5x4xi32>, tensor<4x3xi32>) outs(%f : tensor<5x3xi32>) -> tensor<5x3xi32>
  return %c : tensor<5x3xi32>
}
