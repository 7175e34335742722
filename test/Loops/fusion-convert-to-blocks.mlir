// RUN: fusion-opt %s --fusion-convert-to-blocks | FileCheck %s
// RUN: fusion-opt %s --convert-scf-to-cf -o %t.upstream.mlir
// RUN: fusion-opt %s --fusion-convert-to-blocks -o %t.ours.mlir
// RUN: fusion-opt %t.upstream.mlir --cse --canonicalize -o %t.upstream.same.mlir
// RUN: fusion-opt %t.ours.mlir --cse --canonicalize -o %t.ours.same.mlir
// RUN: diff %t.upstream.same.mlir %t.ours.same.mlir

// Two loops behind each other, one of them around a condition: the same blocks as upstream's.

// CHECK-LABEL: func @loops(
// CHECK-SAME:    %[[M:.+]]: memref<8xf32>, %[[N:.+]]: index)
func.func @loops(%m: memref<8xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  // CHECK:      cf.br ^[[HEAD:bb[0-9]+]](%{{.+}} : index)
  // CHECK-NEXT: ^[[HEAD]](%[[I:.+]]: index):
  // CHECK-NEXT:   %[[MORE:.+]] = arith.cmpi slt, %[[I]], %[[N]] : index
  // CHECK-NEXT:   cf.cond_br %[[MORE]], ^[[BODY:bb[0-9]+]], ^[[END:bb[0-9]+]]
  // CHECK-NEXT: ^[[BODY]]:
  // CHECK-NEXT:   memref.store %{{.+}}, %[[M]][%[[I]]] : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %m[%i] : memref<8xf32>
  }
  // CHECK:      ^[[END]]:
  // CHECK-NEXT:   cf.br ^[[SECOND:bb[0-9]+]](%{{.+}}, %{{.+}} : index, f32)
  // CHECK-NEXT: ^[[SECOND]](%[[J:.+]]: index, %[[SUM:.+]]: f32):
  // CHECK-NOT:  scf.
  // CHECK:        return %[[SUM]] : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f32 {
    %v = memref.load %m[%i] : memref<8xf32>
    %p = arith.cmpf ogt, %v, %zero : f32
    %s = scf.if %p -> f32 {
      %t = arith.addf %sum, %v : f32
      scf.yield %t : f32
    } else {
      scf.yield %sum : f32
    }
    scf.yield %s : f32
  }
  return %r : f32
}

// A loop inside a parallel loop, which becomes a sequential one first.

// CHECK-LABEL: func @parallel(
// CHECK-NOT:     scf.
func.func @parallel(%m: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %zero, %m[%i, %j] : memref<8x4xf32>
    }
    scf.reduce
  }
  return
}
