// RUN: fusion-opt %s --fusion-separate-destinations | FileCheck %s

// Each op that adds to a fill has one of its own. Integration/separate-destinations.test
// runs all of it.

!t = tensor<3x4x5xf32>

// Two sums that begin with the same zeros. Something else may read these.
// CHECK-LABEL: func.func @shared_fill(
// CHECK:         %[[E:.*]] = tensor.empty()
// CHECK-NEXT:    %[[Z:.*]] = linalg.fill {{.*}} outs(%[[E]] :
// CHECK-NEXT:    %[[F:.*]] = tensor.empty()
// CHECK-NEXT:    %[[Y:.*]] = linalg.fill {{.*}} outs(%[[F]] :
// CHECK-NEXT:    linalg.reduce {{.*}} outs(%[[Y]] :
// CHECK:         %[[G:.*]] = tensor.empty()
// CHECK-NEXT:    %[[X:.*]] = linalg.fill {{.*}} outs(%[[G]] :
// CHECK-NEXT:    linalg.reduce {{.*}} outs(%[[X]] :
// CHECK:         linalg.add ins(%[[Z]],
// CHECK:         return
func.func @shared_fill(%x: !t, %y: !t) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %a = linalg.reduce { arith.addf } ins(%x : !t) outs(%z : tensor<3x4xf32>) dimensions = [2]
  %b = linalg.reduce { arith.addf } ins(%y : !t) outs(%z : tensor<3x4xf32>) dimensions = [2]
  %c = linalg.add ins(%z, %a : tensor<3x4xf32>, tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %a, %b, %c : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}

// A fill whose only user adds to it, and one that a loop adds to, stay.
// CHECK-LABEL: func.func @other_fills(
// CHECK-COUNT-2: linalg.fill
// CHECK:         scf.for
// CHECK-NOT:     linalg.fill
// CHECK:         return
func.func @other_fills(%x: !t, %s: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<3x4xf32>
  %y = linalg.fill ins(%one : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %a = linalg.reduce { arith.addf } ins(%x : !t) outs(%y : tensor<3x4xf32>) dimensions = [2]
  %r = scf.for %i = %i0 to %i3 step %i1 iter_args(%t = %s) -> tensor<3x4xf32> {
    %b = linalg.reduce { arith.addf } ins(%x : !t) outs(%z : tensor<3x4xf32>) dimensions = [2]
    %c = linalg.reduce { arith.mulf } ins(%x : !t) outs(%z : tensor<3x4xf32>) dimensions = [2]
    %d = linalg.add ins(%b, %c : tensor<3x4xf32>, tensor<3x4xf32>) outs(%t : tensor<3x4xf32>) -> tensor<3x4xf32>
    scf.yield %d : tensor<3x4xf32>
  }
  return %a, %r : tensor<3x4xf32>, tensor<3x4xf32>
}
