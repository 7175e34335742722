// RUN: fusion-opt %s --fusion-hoist-loads --split-input-file | FileCheck %s

// Loads that are the same in all iterations of an innermost loop are in front of the loop, with the
// ops that compute from them.
// CHECK-LABEL: func @row(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<12x128xf32>, %[[M:[a-z0-9]*]]: memref<24xf32>, %[[Y:[a-z0-9]*]]: memref<12x128xf32>
// CHECK:         scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%c12) step (%{{.*}}) {
// CHECK-NEXT:      %[[AT:.*]] = arith.addi %[[I]], %[[I]]
// CHECK-NEXT:      %[[B:.*]] = memref.load %[[M]][%[[AT]]]
// CHECK-NEXT:      %[[N:.*]] = arith.negf %[[B]]
// CHECK-NEXT:      scf.parallel (%[[J:.*]]) = (%{{.*}}) to (%c128) step (%{{.*}}) {
// CHECK-NEXT:        %[[A:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK-NEXT:        %[[S:.*]] = arith.addf %[[A]], %[[N]]
// CHECK-NEXT:        memref.store %[[S]], %[[Y]][%[[I]], %[[J]]]
// CHECK-NEXT:        scf.reduce
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.reduce
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @row(%x: memref<12x128xf32>, %m: memref<24xf32>, %y: memref<12x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c128 = arith.constant 128 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c12, %c128) step (%c1, %c1) {
    %a = memref.load %x[%i, %j] : memref<12x128xf32>
    %at = arith.addi %i, %i : index
    %b = memref.load %m[%at] : memref<24xf32>
    %n = arith.negf %b : f32
    %s = arith.addf %a, %n : f32
    memref.store %s, %y[%i, %j] : memref<12x128xf32>
  }
  return
}

// -----

// Places in tables, which other loads depend on.
// CHECK-LABEL: func @gather(
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK-NEXT:      %[[P:.*]] = memref.load %{{.*}}[%[[I]]] : memref<8xindex>
// CHECK-NEXT:      %[[Q:.*]] = memref.load %{{.*}}[%[[J]]] : memref<8xindex>
// CHECK-NEXT:      scf.parallel (%[[K:.*]]) =
// CHECK-NEXT:        memref.load %{{.*}}[%[[P]], %[[Q]], %[[K]]]
// CHECK-NEXT:        memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]], %[[K]]]
func.func @gather(%x: memref<5x7x16xf32>, %t: memref<8xindex>, %y: memref<8x8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%c8, %c8, %c16) step (%c1, %c1, %c1) {
    %p = memref.load %t[%i] : memref<8xindex>
    %q = memref.load %t[%j] : memref<8xindex>
    %a = memref.load %x[%p, %q, %k] : memref<5x7x16xf32>
    memref.store %a, %y[%i, %j, %k] : memref<8x8x16xf32>
  }
  return
}

// -----

// A loop of one dimension stays one loop.
// CHECK-LABEL: func @one_dimension(
// CHECK:         %[[B:.*]] = memref.load %{{.*}}[] : memref<f32>
// CHECK-NEXT:    scf.parallel (%[[I:.*]]) =
// CHECK-NEXT:      memref.store %[[B]], %{{.*}}[%[[I]]]
// CHECK-NEXT:      scf.reduce
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @one_dimension(%m: memref<f32>, %y: memref<128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  scf.parallel (%i) = (%c0) to (%c128) step (%c1) {
    %b = memref.load %m[] : memref<f32>
    memref.store %b, %y[%i] : memref<128xf32>
  }
  return
}

// -----

// Nothing is loaded if there may be no iteration.
// CHECK-LABEL: func @any_size(
// CHECK-SAME:    %[[SIZE:[a-z0-9]*]]: index)
// CHECK:         scf.parallel (%[[I:.*]]) =
// CHECK-NEXT:      %[[RUNS:.*]] = arith.cmpi slt, %c0, %[[SIZE]]
// CHECK-NEXT:      scf.if %[[RUNS]] {
// CHECK-NEXT:        memref.load %{{.*}}[%[[I]]]
// CHECK-NEXT:        scf.parallel (%{{.*}}) = (%c0) to (%[[SIZE]])
func.func @any_size(%m: memref<?xf32>, %y: memref<12x?xf32>, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c12, %size) step (%c1, %c1) {
    %b = memref.load %m[%i] : memref<?xf32>
    memref.store %b, %y[%i, %j] : memref<12x?xf32>
  }
  return
}

// -----

// A loop that is known to have no iteration.
// CHECK-LABEL: func @no_iteration(
// CHECK:         scf.if
// CHECK-NEXT:      memref.load
func.func @no_iteration(%m: memref<0xf32>, %y: memref<12xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c0) step (%c1) {
    %b = memref.load %m[%c0] : memref<0xf32>
    memref.store %b, %y[%i] : memref<12xf32>
  }
  return
}

// -----

// Not in front of the loop: an element of a buffer that the loop writes.
// CHECK-LABEL: func @in_place(
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      memref.load
func.func @in_place(%x: memref<12x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c128 = arith.constant 128 : index
  scf.parallel (%i, %j) = (%c0, %c1) to (%c12, %c128) step (%c1, %c1) {
    %a = memref.load %x[%i, %j] : memref<12x128xf32>
    %b = memref.load %x[%i, %c0] : memref<12x128xf32>
    %s = arith.subf %a, %b : f32
    memref.store %s, %x[%i, %j] : memref<12x128xf32>
  }
  return
}

// -----

// Nor one behind a write, which may be to the same memory under another name.
// CHECK-LABEL: func @behind_a_write(
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK-NEXT:      memref.store
// CHECK-NEXT:      memref.load
func.func @behind_a_write(%x: memref<12xf32>, %y: memref<12x1xf32>, %z: memref<12x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c12, %c1) step (%c1, %c1) {
    memref.store %zero, %y[%i, %j] : memref<12x1xf32>
    %b = memref.load %x[%i] : memref<12xf32>
    memref.store %b, %z[%i, %j] : memref<12x1xf32>
  }
  return
}

// -----

// Nor behind a call, which may write anything.
// CHECK-LABEL: func @behind_a_call(
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK-NEXT:      call
// CHECK-NEXT:      memref.load
func.func private @f()
func.func @behind_a_call(%x: memref<12xf32>, %z: memref<12x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c128 = arith.constant 128 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c12, %c128) step (%c1, %c1) {
    func.call @f() : () -> ()
    %b = memref.load %x[%i] : memref<12xf32>
    memref.store %b, %z[%i, %j] : memref<12x128xf32>
  }
  return
}

// -----

// Nor one that not all iterations reach.
// CHECK-LABEL: func @some_iterations(
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK-NEXT:      arith.cmpi
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        memref.load
func.func @some_iterations(%x: memref<12xf32>, %z: memref<12x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c128 = arith.constant 128 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c12, %c128) step (%c1, %c1) {
    %is = arith.cmpi slt, %i, %j : index
    scf.if %is {
      %b = memref.load %x[%i] : memref<12xf32>
      memref.store %b, %z[%i, %j] : memref<12x128xf32>
    }
  }
  return
}

// -----

// A loop around a reduction is left alone.
// CHECK-LABEL: func @reduction(
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      scf.for
func.func @reduction(%m: memref<12xf32>, %x: memref<128x64xf32>, %y: memref<12x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c12, %c128) step (%c1, %c1) {
    %b = memref.load %m[%i] : memref<12xf32>
    %r = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %b) -> f32 {
      %a = memref.load %x[%j, %k] : memref<128x64xf32>
      %t = arith.addf %s, %a : f32
      scf.yield %t : f32
    }
    memref.store %r, %y[%i, %j] : memref<12x128xf32>
  }
  return
}

// -----

// And so is a loop with a result.
// CHECK-LABEL: func @result(
// CHECK:         scf.parallel
// CHECK-NEXT:      memref.load
func.func @result(%m: memref<f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%c12) step (%c1) init (%zero) -> f32 {
    %b = memref.load %m[] : memref<f32>
    scf.reduce(%b : f32) {
    ^bb0(%u: f32, %v: f32):
      %s = arith.addf %u, %v : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
