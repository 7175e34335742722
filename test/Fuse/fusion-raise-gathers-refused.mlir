// RUN: fusion-opt %s --fusion-raise-gathers --canonicalize | FileCheck %s --implicit-check-not=linalg.broadcast --implicit-check-not=tensor.collapse_shape

// Gathers of other elements, each for one reason.

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// Half a pixel is missing: elements 0, 1, 1, 2, 2 and so on.
// CHECK-LABEL: func @half_up(
// CHECK:         tensor.extract
func.func @half_up(%x: tensor<1x4x7x5xf32>) -> tensor<1x8x7x5xf32> {
  %e = tensor.empty() : tensor<1x8x7x5xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x8x7x5xf32>) {
  ^bb0(%out: f32):
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
    %low = arith.floordivsi %twice, %c4_i32 : i32
    %rest = arith.remsi %twice, %c4_i32 : i32
    %restf = arith.sitofp %rest : i32 to f32
    %part = arith.divf %restf, %whole : f32
    %isUp = arith.cmpf oge, %part, %half : f32
    %up = arith.select %isUp, %c1_i32, %c0_i32 : i32
    %near = arith.addi %low, %up : i32
    %notLess = arith.maxsi %c0_i32, %near : i32
    %inside = arith.minsi %c3_i32, %notLess : i32
    %y = arith.index_cast %inside : i32 to index
    %element = tensor.extract %x[%i0, %y, %i2, %i3] : tensor<1x4x7x5xf32>
    linalg.yield %element : f32
  } -> tensor<1x8x7x5xf32>
  return %r : tensor<1x8x7x5xf32>
}

// Every second element.
// CHECK-LABEL: func @smaller(
// CHECK:         tensor.extract
func.func @smaller(%x: tensor<2x5x8x7xf32>) -> tensor<2x5x4x7xf32> {
  %e = tensor.empty() : tensor<2x5x4x7xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x4x7xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %c2 = arith.constant 2 : index
    %y = arith.muli %i2, %c2 : index
    %element = tensor.extract %x[%i0, %i1, %y, %i3] : tensor<2x5x8x7xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x4x7xf32>
  return %r : tensor<2x5x4x7xf32>
}

// The first rows alone.
// CHECK-LABEL: func @first_rows(
// CHECK:         tensor.extract
func.func @first_rows(%x: tensor<2x5x8x7xf32>) -> tensor<2x5x4x7xf32> {
  %e = tensor.empty() : tensor<2x5x4x7xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x4x7xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %element = tensor.extract %x[%i0, %i1, %i2, %i3] : tensor<2x5x8x7xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x4x7xf32>
  return %r : tensor<2x5x4x7xf32>
}

// Two rows three times, and one more twice.
// CHECK-LABEL: func @not_a_multiple(
// CHECK:         tensor.extract
func.func @not_a_multiple(%x: tensor<2x5x3x7xf32>) -> tensor<2x5x8x7xf32> {
  %e = tensor.empty() : tensor<2x5x8x7xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x8x7xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %y = arith.floordivsi %i2, %c3 : index
    %element = tensor.extract %x[%i0, %i1, %y, %i3] : tensor<2x5x3x7xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x8x7xf32>
  return %r : tensor<2x5x8x7xf32>
}

// Rows from the last one on.
// CHECK-LABEL: func @backwards(
// CHECK:         tensor.extract
func.func @backwards(%x: tensor<2x5x4x7xf32>) -> tensor<2x5x4x7xf32> {
  %e = tensor.empty() : tensor<2x5x4x7xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x4x7xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %c3 = arith.constant 3 : index
    %y = arith.subi %c3, %i2 : index
    %element = tensor.extract %x[%i0, %i1, %y, %i3] : tensor<2x5x4x7xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x4x7xf32>
  return %r : tensor<2x5x4x7xf32>
}

// A row for each column.
// CHECK-LABEL: func @transposed(
// CHECK:         tensor.extract
func.func @transposed(%x: tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32> {
  %e = tensor.empty() : tensor<2x5x7x7xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %element = tensor.extract %x[%i0, %i1, %i3, %i2] : tensor<2x5x7x7xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x7x7xf32>
  return %r : tensor<2x5x7x7xf32>
}

// The image may have more rows.
// CHECK-LABEL: func @dynamic_rows(
// CHECK:         tensor.extract
func.func @dynamic_rows(%x: tensor<2x5x?x7xf32>) -> tensor<2x5x12x7xf32> {
  %e = tensor.empty() : tensor<2x5x12x7xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x12x7xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %y = arith.floordivsi %i2, %c3 : index
    %element = tensor.extract %x[%i0, %i1, %y, %i3] : tensor<2x5x?x7xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x12x7xf32>
  return %r : tensor<2x5x12x7xf32>
}

// How often is known at run time.
// CHECK-LABEL: func @number_of_an_argument(
// CHECK:         tensor.extract
func.func @number_of_an_argument(%x: tensor<2x5x4x7xf32>, %n: index) -> tensor<2x5x12x7xf32> {
  %e = tensor.empty() : tensor<2x5x12x7xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x12x7xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %y = arith.floordivsi %i2, %n : index
    %element = tensor.extract %x[%i0, %i1, %y, %i3] : tensor<2x5x4x7xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x12x7xf32>
  return %r : tensor<2x5x12x7xf32>
}

// No folder divides by 0.
// CHECK-LABEL: func @divided_by_zero(
// CHECK:         tensor.extract
func.func @divided_by_zero(%x: tensor<2x5x4x7xf32>) -> tensor<2x5x12x7xf32> {
  %e = tensor.empty() : tensor<2x5x12x7xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x12x7xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %c0 = arith.constant 0 : index
    %y = arith.floordivsi %i2, %c0 : index
    %element = tensor.extract %x[%i0, %i1, %y, %i3] : tensor<2x5x4x7xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x12x7xf32>
  return %r : tensor<2x5x12x7xf32>
}

// An index that branches.
// CHECK-LABEL: func @with_a_region(
// CHECK:         tensor.extract
func.func @with_a_region(%x: tensor<2x5x4x7xf32>) -> tensor<2x5x4x7xf32> {
  %e = tensor.empty() : tensor<2x5x4x7xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x4x7xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %c2 = arith.constant 2 : index
    %isLow = arith.cmpi ult, %i2, %c2 : index
    %y = scf.if %isLow -> index {
      scf.yield %i2 : index
    } else {
      scf.yield %i2 : index
    }
    %element = tensor.extract %x[%i0, %i1, %y, %i3] : tensor<2x5x4x7xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x4x7xf32>
  return %r : tensor<2x5x4x7xf32>
}

// The element is squared on the way.
// CHECK-LABEL: func @computes_more(
// CHECK:         tensor.extract
func.func @computes_more(%x: tensor<2x5x4x7xf32>) -> tensor<2x5x12x14xf32> {
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
    %square = arith.mulf %element, %element : f32
    linalg.yield %square : f32
  } -> tensor<2x5x12x14xf32>
  return %r : tensor<2x5x12x14xf32>
}
