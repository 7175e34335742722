// RUN: fusion-opt %s --fusion-raise-gathers --canonicalize | FileCheck %s

// Each element of an image comes out several times in a row: a broadcast.

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// Rows three times, columns twice, as torch-mlir writes it.
// CHECK-LABEL: func @by_integers(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x4x7xf32>)
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5x4x3x7x2xf32>
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%[[X]] : tensor<2x5x4x7xf32>) outs(%[[E]] : tensor<2x5x4x3x7x2xf32>) dimensions = [3, 5]
// CHECK:         %[[R:.*]] = tensor.collapse_shape %[[B]] {{\[\[}}0], [1], [2, 3], [4, 5]] : tensor<2x5x4x3x7x2xf32> into tensor<2x5x12x14xf32>
// CHECK-NEXT:    return %[[R]]
func.func @by_integers(%x: tensor<2x5x4x7xf32>) -> tensor<2x5x12x14xf32> {
  %e = tensor.empty() : tensor<2x5x12x14xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x12x14xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %y = arith.floordivsi %i2, %c3 : index
    %z = arith.floordivsi %i3, %c2 : index
    %element = tensor.extract %x[%i0, %i1, %y, %z] : tensor<2x5x4x7xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x12x14xf32>
  return %r : tensor<2x5x12x14xf32>
}

// The same of rows alone, by the middle of each element in floats.
// CHECK-LABEL: func @by_floats(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x4x7xf32>)
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5x4x3x7xf32>
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%[[X]] : tensor<2x5x4x7xf32>) outs(%[[E]] : tensor<2x5x4x3x7xf32>) dimensions = [3]
// CHECK:         %[[R:.*]] = tensor.collapse_shape %[[B]] {{\[\[}}0], [1], [2, 3], [4]] : tensor<2x5x4x3x7xf32> into tensor<2x5x12x7xf32>
// CHECK-NEXT:    return %[[R]]
func.func @by_floats(%x: tensor<2x5x4x7xf32>) -> tensor<2x5x12x7xf32> {
  %e = tensor.empty() : tensor<2x5x12x7xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x12x7xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %half = arith.constant 5.000000e-01 : f32
    %scale = arith.constant 3.000000e+00 : f32
    %n = arith.index_cast %i2 : index to i64
    %f = arith.sitofp %n : i64 to f32
    %plus = arith.addf %f, %half : f32
    %at = arith.divf %plus, %scale : f32
    %low = math.floor %at : f32
    %m = arith.fptosi %low : f32 to i64
    %y = arith.index_cast %m : i64 to index
    %element = tensor.extract %x[%i0, %i1, %y, %i3] : tensor<2x5x4x7xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x12x7xf32>
  return %r : tensor<2x5x12x7xf32>
}

// tosa.resize, whose index of the batch is 0: rows by half a pixel, of integers.
// CHECK-LABEL: func @of_tosa(
// CHECK-SAME:    %[[X:.*]]: tensor<1x4x7x5xi8>)
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<1x4x2x7x5xi8>
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%[[X]] : tensor<1x4x7x5xi8>) outs(%[[E]] : tensor<1x4x2x7x5xi8>) dimensions = [2]
// CHECK:         %[[R:.*]] = tensor.collapse_shape %[[B]] {{\[\[}}0], [1, 2], [3], [4]] : tensor<1x4x2x7x5xi8> into tensor<1x8x7x5xi8>
// CHECK-NEXT:    return %[[R]]
func.func @of_tosa(%x: tensor<1x4x7x5xi8>) -> tensor<1x8x7x5xi8> {
  %e = tensor.empty() : tensor<1x8x7x5xi8>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x8x7x5xi8>) {
  ^bb0(%out: i8):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %c3_i32 = arith.constant 3 : i32
    %half = arith.constant 5.000000e-01 : f32
    %whole = arith.constant 4.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %n = arith.index_cast %i1 : index to i32
    %twice = arith.muli %n, %c2_i32 : i32
    %shifted = arith.subi %twice, %c1_i32 : i32
    %low = arith.floordivsi %shifted, %c4_i32 : i32
    %rest = arith.remsi %shifted, %c4_i32 : i32
    %restf = arith.sitofp %rest : i32 to f32
    %part = arith.divf %restf, %whole : f32
    %isUp = arith.cmpf oge, %part, %half : f32
    %up = arith.select %isUp, %c1_i32, %c0_i32 : i32
    %near = arith.addi %low, %up : i32
    %notLess = arith.maxsi %c0_i32, %near : i32
    %inside = arith.minsi %c3_i32, %notLess : i32
    %y = arith.index_cast %inside : i32 to index
    %element = tensor.extract %x[%c0, %y, %i2, %i3] : tensor<1x4x7x5xi8>
    linalg.yield %element : i8
  } -> tensor<1x8x7x5xi8>
  return %r : tensor<1x8x7x5xi8>
}

// One element for all of a dimension.
// CHECK-LABEL: func @one_row(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x1x7xf32>)
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5x1x3x7xf32>
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%[[X]] : tensor<2x5x1x7xf32>) outs(%[[E]] : tensor<2x5x1x3x7xf32>) dimensions = [3]
// CHECK:         %[[R:.*]] = tensor.collapse_shape %[[B]] {{\[\[}}0], [1], [2, 3], [4]] : tensor<2x5x1x3x7xf32> into tensor<2x5x3x7xf32>
// CHECK-NEXT:    return %[[R]]
func.func @one_row(%x: tensor<2x5x1x7xf32>) -> tensor<2x5x3x7xf32> {
  %e = tensor.empty() : tensor<2x5x3x7xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x3x7xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %c0 = arith.constant 0 : index
    %element = tensor.extract %x[%i0, %i1, %c0, %i3] : tensor<2x5x1x7xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x3x7xf32>
  return %r : tensor<2x5x3x7xf32>
}

// A copy is the image itself.
// CHECK-LABEL: func @of_each_once(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x4x7xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @of_each_once(%x: tensor<2x5x4x7xf32>) -> tensor<2x5x4x7xf32> {
  %e = tensor.empty() : tensor<2x5x4x7xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x4x7xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %element = tensor.extract %x[%i0, %i1, %i2, %i3] : tensor<2x5x4x7xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x4x7xf32>
  return %r : tensor<2x5x4x7xf32>
}
