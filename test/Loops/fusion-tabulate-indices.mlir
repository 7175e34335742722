// RUN: fusion-opt %s --fusion-tabulate-indices | FileCheck %s

// Upsampling computes places and weights from the index of one loop each: tables.

// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1, d2, d3) -> (d2)>
// CHECK-DAG: #[[$COLUMNS:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// PyTorch's formula: max((i + 0.5) / scale - 0.5, 0), between the elements on both sides.
// CHECK-LABEL: func @bilinear(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x3x4xf32>)
// CHECK-DAG:     %[[Y_LOW:.*]] = arith.constant dense<[0, 0, 0, 1, 1, 2]> : tensor<6xindex>
// CHECK-DAG:     %[[Y_HIGH:.*]] = arith.constant dense<[1, 1, 1, 2, 2, 2]> : tensor<6xindex>
// CHECK-DAG:     %[[Y_AFTER:.*]] = arith.constant dense<[0.000000e+00, 2.500000e-01, 7.500000e-01, 2.500000e-01, 7.500000e-01, 0.000000e+00]> : tensor<6xf32>
// CHECK-DAG:     %[[Y_BEFORE:.*]] = arith.constant dense<[1.000000e+00, 7.500000e-01, 2.500000e-01, 7.500000e-01, 2.500000e-01, 1.000000e+00]> : tensor<6xf32>
// CHECK-DAG:     %[[X_LOW:.*]] = arith.constant dense<[0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3]> : tensor<16xindex>
// CHECK-DAG:     %[[X_HIGH:.*]] = arith.constant dense<[1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3]> : tensor<16xindex>
// CHECK-DAG:     %[[X_AFTER:.*]] = arith.constant dense<[0.000000e+00, 0.000000e+00, 1.250000e-01, 3.750000e-01, 6.250000e-01, 8.750000e-01, 1.250000e-01, 3.750000e-01, 6.250000e-01, 8.750000e-01, 1.250000e-01, 3.750000e-01, 6.250000e-01, 8.750000e-01, 0.000000e+00, 0.000000e+00]> : tensor<16xf32>
// CHECK-DAG:     %[[X_BEFORE:.*]] = arith.constant dense<[1.000000e+00, 1.000000e+00, 8.750000e-01, 6.250000e-01, 3.750000e-01, 1.250000e-01, 8.750000e-01, 6.250000e-01, 3.750000e-01, 1.250000e-01, 8.750000e-01, 6.250000e-01, 3.750000e-01, 1.250000e-01, 1.000000e+00, 1.000000e+00]> : tensor<16xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[$ROWS]], #[[$ROWS]], #[[$ROWS]], #[[$ROWS]], #[[$COLUMNS]], #[[$COLUMNS]], #[[$COLUMNS]], #[[$COLUMNS]], #[[$ALL]]]
// CHECK-SAME:      ins(%[[Y_LOW]], %[[Y_HIGH]], %[[Y_AFTER]], %[[Y_BEFORE]], %[[X_LOW]], %[[X_HIGH]], %[[X_AFTER]], %[[X_BEFORE]] :
// CHECK-NEXT:    ^bb0(%[[YL:.*]]: index, %[[YH:.*]]: index, %[[YA:.*]]: f32, %[[YB:.*]]: f32, %[[XL:.*]]: index, %[[XH:.*]]: index, %[[XA:.*]]: f32, %[[XB:.*]]: f32, %{{.*}}: f32):
// CHECK-NOT:     arith.divf
// CHECK:         tensor.extract %[[X]][%{{.*}}, %{{.*}}, %[[YL]], %[[XL]]]
// CHECK-NEXT:    tensor.extract %[[X]][%{{.*}}, %{{.*}}, %[[YL]], %[[XH]]]
// CHECK-NEXT:    tensor.extract %[[X]][%{{.*}}, %{{.*}}, %[[YH]], %[[XL]]]
// CHECK-NEXT:    tensor.extract %[[X]][%{{.*}}, %{{.*}}, %[[YH]], %[[XH]]]
func.func @bilinear(%x: tensor<2x5x3x4xf32>) -> tensor<2x5x6x16xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %scale2 = arith.constant 2.0 : f32
  %last2 = arith.constant 2.0 : f32
  %scale3 = arith.constant 4.0 : f32
  %last3 = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<2x5x6x16xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x6x16xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %n2 = arith.index_cast %i2 : index to i64
    %f2 = arith.sitofp %n2 : i64 to f32
    %plus2 = arith.addf %f2, %half : f32
    %scaled2 = arith.divf %plus2, %scale2 : f32
    %raw2 = arith.subf %scaled2, %half : f32
    %positive2 = arith.maximumf %raw2, %zero : f32
    %at2 = arith.minimumf %positive2, %last2 : f32
    %floor2 = math.floor %at2 : f32
    %low_int2 = arith.fptosi %floor2 : f32 to i64
    %low2 = arith.index_cast %low_int2 : i64 to index
    %next2 = arith.addf %floor2, %one : f32
    %inside2 = arith.minimumf %next2, %last2 : f32
    %high_int2 = arith.fptosi %inside2 : f32 to i64
    %high2 = arith.index_cast %high_int2 : i64 to index
    %after2 = arith.subf %at2, %floor2 : f32
    %before2 = arith.subf %one, %after2 : f32
    %n3 = arith.index_cast %i3 : index to i64
    %f3 = arith.sitofp %n3 : i64 to f32
    %plus3 = arith.addf %f3, %half : f32
    %scaled3 = arith.divf %plus3, %scale3 : f32
    %raw3 = arith.subf %scaled3, %half : f32
    %positive3 = arith.maximumf %raw3, %zero : f32
    %at3 = arith.minimumf %positive3, %last3 : f32
    %floor3 = math.floor %at3 : f32
    %low_int3 = arith.fptosi %floor3 : f32 to i64
    %low3 = arith.index_cast %low_int3 : i64 to index
    %next3 = arith.addf %floor3, %one : f32
    %inside3 = arith.minimumf %next3, %last3 : f32
    %high_int3 = arith.fptosi %inside3 : f32 to i64
    %high3 = arith.index_cast %high_int3 : i64 to index
    %after3 = arith.subf %at3, %floor3 : f32
    %before3 = arith.subf %one, %after3 : f32
    %low_low = tensor.extract %x[%i0, %i1, %low2, %low3] : tensor<2x5x3x4xf32>
    %low_high = tensor.extract %x[%i0, %i1, %low2, %high3] : tensor<2x5x3x4xf32>
    %high_low = tensor.extract %x[%i0, %i1, %high2, %low3] : tensor<2x5x3x4xf32>
    %high_high = tensor.extract %x[%i0, %i1, %high2, %high3] : tensor<2x5x3x4xf32>
    %a0 = arith.mulf %low_low, %before3 : f32
    %a1 = arith.mulf %low_high, %after3 : f32
    %a = arith.addf %a0, %a1 : f32
    %b0 = arith.mulf %high_low, %before3 : f32
    %b1 = arith.mulf %high_high, %after3 : f32
    %b = arith.addf %b0, %b1 : f32
    %upper = arith.mulf %a, %before2 : f32
    %lower = arith.mulf %b, %after2 : f32
    %element = arith.addf %upper, %lower : f32
    linalg.yield %element : f32
  } -> tensor<2x5x6x16xf32>
  return %r : tensor<2x5x6x16xf32>
}

// An op with an input has the tables behind it. Every second row grows evenly, and stays computed.
// CHECK-LABEL: func @with_an_input(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x12x4xf32>, %[[Y:.*]]: tensor<2x5x6x16xf32>)
// CHECK:         %[[C:.*]] = arith.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]> : tensor<16xindex>
// CHECK:         linalg.generic {indexing_maps = [#[[$ALL]], #[[$COLUMNS]], #[[$ALL]]]{{.*}} ins(%[[Y]], %[[C]] :
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %[[P:.*]]: index, %{{.*}}: f32):
// CHECK:         %[[ROW:.*]] = arith.muli
// CHECK:         tensor.extract %[[X]][%{{.*}}, %{{.*}}, %[[ROW]], %[[P]]]
func.func @with_an_input(%x: tensor<2x5x12x4xf32>, %y: tensor<2x5x6x16xf32>) -> tensor<2x5x6x16xf32> {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<2x5x6x16xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<2x5x6x16xf32>) outs(%e : tensor<2x5x6x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %row = arith.muli %i2, %c2 : index
    %column = arith.floordivsi %i3, %c4 : index
    %there = tensor.extract %x[%i0, %i1, %row, %column] : tensor<2x5x12x4xf32>
    %element = arith.addf %there, %in : f32
    linalg.yield %element : f32
  } -> tensor<2x5x6x16xf32>
  return %r : tensor<2x5x6x16xf32>
}
