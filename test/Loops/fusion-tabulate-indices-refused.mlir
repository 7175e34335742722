// RUN: fusion-opt %s --fusion-tabulate-indices | FileCheck %s --implicit-check-not=dense

// No tables, each for one reason.

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// Nothing is extracted: LLVM finds vectors.
// CHECK-LABEL: func @no_gather(
// CHECK:         linalg.generic {{.*}} outs(
func.func @no_gather(%x: tensor<2x5x6x16xf32>) -> tensor<2x5x6x16xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<2x5x6x16xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x5x6x16xf32>) outs(%e : tensor<2x5x6x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %column = arith.floordivsi %i3, %c4 : index
    %n = arith.index_cast %column : index to i32
    %weight = arith.sitofp %n : i32 to f32
    %element = arith.mulf %in, %weight : f32
    linalg.yield %element : f32
  } -> tensor<2x5x6x16xf32>
  return %r : tensor<2x5x6x16xf32>
}

// Places in a row.
// CHECK-LABEL: func @even(
// CHECK:         linalg.generic {{.*}} outs(
func.func @even(%x: tensor<2x5x6x20xf32>) -> tensor<2x5x6x16xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<2x5x6x16xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x6x16xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %column = arith.addi %i3, %c4 : index
    %element = tensor.extract %x[%i0, %i1, %i2, %column] : tensor<2x5x6x20xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x6x16xf32>
  return %r : tensor<2x5x6x16xf32>
}

// Of two loops.
// CHECK-LABEL: func @of_two_loops(
// CHECK:         linalg.generic {{.*}} outs(
func.func @of_two_loops(%x: tensor<2x5x6x6xf32>) -> tensor<2x5x6x16xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<2x5x6x16xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x6x16xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %sum = arith.addi %i2, %i3 : index
    %column = arith.floordivsi %sum, %c4 : index
    %element = tensor.extract %x[%i0, %i1, %i2, %column] : tensor<2x5x6x6xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x6x16xf32>
  return %r : tensor<2x5x6x16xf32>
}

// Of an element of another tensor.
// CHECK-LABEL: func @of_an_element(
// CHECK:         linalg.generic {{.*}} outs(
func.func @of_an_element(%x: tensor<2x5x6x4xf32>, %y: tensor<2x5x6x16xf32>) -> tensor<2x5x6x16xf32> {
  %c4_i32 = arith.constant 4 : i32
  %e = tensor.empty() : tensor<2x5x6x16xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<2x5x6x16xf32>) outs(%e : tensor<2x5x6x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %n = arith.fptosi %in : f32 to i32
    %m = arith.remui %n, %c4_i32 : i32
    %column = arith.index_cast %m : i32 to index
    %element = tensor.extract %x[%i0, %i1, %i2, %column] : tensor<2x5x6x4xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x6x16xf32>
  return %r : tensor<2x5x6x16xf32>
}

// Of a number that is known at run time.
// CHECK-LABEL: func @of_an_argument(
// CHECK:         linalg.generic {{.*}} outs(
func.func @of_an_argument(%x: tensor<2x5x6x16xf32>, %n: index) -> tensor<2x5x6x16xf32> {
  %e = tensor.empty() : tensor<2x5x6x16xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x6x16xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %column = arith.divui %i3, %n : index
    %element = tensor.extract %x[%i0, %i1, %i2, %column] : tensor<2x5x6x16xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x6x16xf32>
  return %r : tensor<2x5x6x16xf32>
}

// Of a loop without a static size.
// CHECK-LABEL: func @dynamic(
// CHECK:         linalg.generic {{.*}} outs(
func.func @dynamic(%x: tensor<2x5x6x4xf32>, %size: index) -> tensor<2x5x6x?xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty(%size) : tensor<2x5x6x?xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x6x?xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %column = arith.floordivsi %i3, %c4 : index
    %element = tensor.extract %x[%i0, %i1, %i2, %column] : tensor<2x5x6x4xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x6x?xf32>
  return %r : tensor<2x5x6x?xf32>
}

// Nothing divides by 0.
// CHECK-LABEL: func @without_a_folder(
// CHECK:         linalg.generic {{.*}} outs(
func.func @without_a_folder(%x: tensor<2x5x6x4xf32>) -> tensor<2x5x6x16xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<2x5x6x16xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x6x16xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %column = arith.floordivsi %i3, %c0 : index
    %element = tensor.extract %x[%i0, %i1, %i2, %column] : tensor<2x5x6x4xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x6x16xf32>
  return %r : tensor<2x5x6x16xf32>
}

// Of a loop too long for a table.
// CHECK-LABEL: func @long(
// CHECK:         linalg.generic {{.*}} outs(
func.func @long(%x: tensor<1x1x1x16385xf32>) -> tensor<1x1x1x65540xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<1x1x1x65540xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x1x1x65540xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %column = arith.floordivsi %i3, %c4 : index
    %element = tensor.extract %x[%i0, %i1, %i2, %column] : tensor<1x1x1x16385xf32>
    linalg.yield %element : f32
  } -> tensor<1x1x1x65540xf32>
  return %r : tensor<1x1x1x65540xf32>
}
