// RUN: fusion-opt %s --fusion-parallelize-loops="min-work=1000" --canonicalize --split-input-file | FileCheck %s
// RUN: fusion-opt %s --fusion-parallelize-loops --split-input-file | FileCheck %s --check-prefix=DEFAULT
// RUN: not fusion-opt %s --fusion-parallelize-loops=min-work=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not fusion-opt %s --fusion-parallelize-loops=min-work=0 2>&1 | FileCheck %s --check-prefix=NO-WORK

// NEGATIVE: error: 'min-work' must be at least 1, got -1
// NO-WORK: error: 'min-work' must be at least 1, got 0

// Iterations of parallel loops are shared between threads, if they are worth it. A load
// or store counts as 16, a division or root as 50, a function of the math library and a
// division of integers as 1000, anything else as 1.

// No loop here is worth it by default.
// DEFAULT-NOT: fusion.rt.parallel_for

// 34 for each of 64 iterations: 30 of them are 1000.
// CHECK-LABEL: func @copy(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<64xf32>, %[[Y:[a-z0-9]*]]: memref<64xf32>
// CHECK-DAG:     %[[SIZE:.*]] = arith.constant 64 : index
// CHECK-DAG:     %[[GRAIN:.*]] = arith.constant 31 : index
// CHECK:         fusion.rt.parallel_for @copy_loop_0 for %[[SIZE]] grain %[[GRAIN]](%[[X]], %[[Y]]) : memref<64xf32>, memref<64xf32>
// CHECK-NOT:     scf.
// CHECK:         return
// CHECK-LABEL: func private @copy_loop_0(
// CHECK-SAME:    %[[BEGIN:[a-z0-9]*]]: index, %[[END:[a-z0-9]*]]: index, %[[X:[a-z0-9]*]]: memref<64xf32>, %[[Y:[a-z0-9]*]]: memref<64xf32>)
// CHECK-SAME:    llvm.linkage = #llvm.linkage<internal>
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]] step %[[ONE]] {
// CHECK-NEXT:      %[[V:.*]] = memref.load %[[X]][%[[I]]]
// CHECK-NEXT:      memref.store %[[V]], %[[Y]][%[[I]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @copy(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %v = memref.load %x[%i] : memref<64xf32>
    memref.store %v, %y[%i] : memref<64xf32>
  }
  return
}

// -----

// One iteration less than two threads need.
// CHECK-LABEL: func @too_small(
// CHECK:         scf.parallel
// CHECK-NOT:     fusion.rt.parallel_for
func.func @too_small(%x: memref<61xf32>, %y: memref<61xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c61 = arith.constant 61 : index
  scf.parallel (%i) = (%c0) to (%c61) step (%c1) {
    %v = memref.load %x[%i] : memref<61xf32>
    memref.store %v, %y[%i] : memref<61xf32>
  }
  return
}

// -----

// A function of the library makes it worth it: 1032 for each iteration, so that one is
// enough for a thread.
// CHECK-LABEL: func @library(
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         fusion.rt.parallel_for @library_loop_0 for %{{.*}} grain %[[ONE]](
func.func @library(%x: memref<61xf32>, %y: memref<61xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c61 = arith.constant 61 : index
  scf.parallel (%i) = (%c0) to (%c61) step (%c1) {
    %v = memref.load %x[%i] : memref<61xf32>
    %s = math.sin %v : f32
    memref.store %s, %y[%i] : memref<61xf32>
  }
  return
}

// -----

// Some functions are instructions.
// CHECK-LABEL: func @instruction(
// CHECK-NOT:     fusion.rt.parallel_for
func.func @instruction(%x: memref<57xf32>, %y: memref<57xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c57 = arith.constant 57 : index
  scf.parallel (%i) = (%c0) to (%c57) step (%c1) {
    %v = memref.load %x[%i] : memref<57xf32>
    %s = math.floor %v : f32
    memref.store %s, %y[%i] : memref<57xf32>
  }
  return
}

// -----

// Outer dimensions are shared until there are 64 iterations; 5 * 13 are. Others, of
// which one starts at 2 with a step of 3, are loops inside. 33 * 4 * 7 for each.
// CHECK-LABEL: func @dimensions(
// CHECK-DAG:     %[[SIZE:.*]] = arith.constant 65 : index
// CHECK-DAG:     %[[GRAIN:.*]] = arith.constant 2 : index
// CHECK:         fusion.rt.parallel_for @dimensions_loop_0 for %[[SIZE]] grain %[[GRAIN]](
// CHECK-LABEL: func private @dimensions_loop_0(
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[THREE:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[FOUR:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[SEVEN:.*]] = arith.constant 7 : index
// CHECK-DAG:     %[[THIRTEEN:.*]] = arith.constant 13 : index
// CHECK:         scf.for %[[N:.*]] = %{{.*}} to %{{.*}} step %[[ONE]] {
// CHECK-DAG:       %[[J:.*]] = arith.remsi %[[N]], %[[THIRTEEN]]
// CHECK-DAG:       %[[I:.*]] = arith.divsi %[[N]], %[[THIRTEEN]]
// CHECK:           scf.for %[[P:.*]] = %{{.*}} to %[[FOUR]] step %[[ONE]] {
// CHECK:             scf.for %[[L:.*]] = %{{.*}} to %[[SEVEN]] step %[[ONE]] {
// CHECK-DAG:           %[[STEPS:.*]] = arith.muli %[[P]], %[[THREE]]
// CHECK-DAG:           %[[K:.*]] = arith.addi %[[STEPS]], %[[TWO]]
// CHECK:               memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]], %[[K]], %[[L]]]
func.func @dimensions(%y: memref<5x13x13x7xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c13 = arith.constant 13 : index
  scf.parallel (%i, %j, %k, %l) = (%c0, %c0, %c2, %c0) to (%c5, %c13, %c13, %c7) step (%c1, %c1, %c3, %c1) {
    %s = arith.addf %v, %v : f32
    memref.store %s, %y[%i, %j, %k, %l] : memref<5x13x13x7xf32>
  }
  return
}

// -----

// The innermost dimension is not shared, however few others there are.
// CHECK-LABEL: func @innermost(
// CHECK-DAG:     %[[SIZE:.*]] = arith.constant 3 : index
// CHECK:         fusion.rt.parallel_for @innermost_loop_0 for %[[SIZE]] grain
// CHECK-LABEL: func private @innermost_loop_0(
// CHECK-NOT:     arith.remsi
// CHECK:         scf.for
// CHECK:           scf.for
func.func @innermost(%y: memref<3x1000xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c1000 = arith.constant 1000 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %c1000) step (%c1, %c1) {
    memref.store %v, %y[%i, %j] : memref<3x1000xf32>
  }
  return
}

// -----

// The work of inner loops is counted; of one whose bounds are known inside only, one
// iteration. 300 * 17 + 17 + 1 + 1 for each of 10.
// CHECK-LABEL: func @inner_loops(
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         fusion.rt.parallel_for @inner_loops_loop_0 for %{{.*}} grain %[[ONE]](
// CHECK-LABEL: func @triangle(
// CHECK:         scf.parallel
func.func @inner_loops(%y: memref<10x300xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c300 = arith.constant 300 : index
  scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
    scf.for %j = %c0 to %c300 step %c1 {
      memref.store %v, %y[%i, %j] : memref<10x300xf32>
    }
  }
  return
}
func.func @triangle(%y: memref<10x300xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
    scf.for %j = %c0 to %i step %c1 {
      memref.store %v, %y[%i, %j] : memref<10x300xf32>
    }
  }
  return
}

// -----

// With sizes that are known at run time only the grain is computed there. No iteration
// if a size is negative; both outer dimensions are shared, whatever the first may be.
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %[[N:[a-z0-9]*]]: index, %[[M:[a-z0-9]*]]: index
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[TRIPS:.*]] = arith.maxsi %[[N]], %[[ZERO]]
// CHECK-DAG:     %[[INNER:.*]] = arith.maxsi %[[M]], %[[ZERO]]
// CHECK-DAG:     %[[SIZE:.*]] = arith.muli %[[TRIPS]], %{{.*}}
// CHECK-DAG:     %[[WORK:.*]] = arith.muli %[[INNER]], %{{.*}}
// CHECK:         %[[POSITIVE:.*]] = arith.maxsi %[[WORK]], %{{.*}}
// CHECK:         %[[GRAIN:.*]] = arith.ceildivsi %{{.*}}, %[[POSITIVE]]
// CHECK:         fusion.rt.parallel_for @dynamic_loop_0 for %[[SIZE]] grain %[[GRAIN]](
// DEFAULT-LABEL: func @dynamic(
// DEFAULT:         fusion.rt.parallel_for
func.func @dynamic(%n: index, %m: index, %y: memref<?x40x?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%n, %c40, %m) step (%c1, %c1, %c1) {
    memref.store %v, %y[%i, %j, %k] : memref<?x40x?xf32>
  }
  return
}

// -----

// A sum over iterations would be added up in another order.
// CHECK-LABEL: func @reduction(
// CHECK-NOT:     fusion.rt.parallel_for
// DEFAULT-LABEL: func @reduction(
// DEFAULT-NOT:     fusion.rt.parallel_for
func.func @reduction(%x: memref<1000xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%c1000) step (%c1) init (%zero) -> f32 {
    %v = memref.load %x[%i] : memref<1000xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}

// -----

// A function may call kernels, which use all threads.
// CHECK-LABEL: func @call(
// CHECK-NOT:     fusion.rt.parallel_for
func.func private @layer(index)
func.func @call() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  scf.parallel (%i) = (%c0) to (%c1000) step (%c1) {
    func.call @layer(%i) : (index) -> ()
  }
  return
}

// -----

// Of nested loops the outer one is shared; each in another function, with names that
// nothing else has.
// CHECK-LABEL: func @nested(
// CHECK:         fusion.rt.parallel_for @nested_loop_1 for
// CHECK:         fusion.rt.parallel_for @nested_loop_3 for
// CHECK-NOT:     fusion.rt.parallel_for
// CHECK-LABEL: func private @nested_loop_1(
// CHECK:         scf.for
// CHECK:           scf.parallel
// CHECK-LABEL: func private @nested_loop_3(
func.func private @nested_loop_0()
func.func private @nested_loop_2_range()
func.func @nested(%y: memref<64x64xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c64) step (%c1) {
      memref.store %v, %y[%i, %j] : memref<64x64xf32>
    }
  }
  scf.for %k = %c0 to %c64 step %c1 {
    scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
      memref.store %v, %y[%i, %k] : memref<64x64xf32>
      memref.store %v, %y[%k, %i] : memref<64x64xf32>
    }
  }
  return
}

// -----

// All dimensions of a loop around another one can be shared: 5 * 13 of this one, since the
// loop over consecutive elements is the one inside.
// CHECK-LABEL: func @loop_inside(
// CHECK-DAG:     %[[SIZE:.*]] = arith.constant 65 : index
// CHECK:         fusion.rt.parallel_for @loop_inside_loop_0 for %[[SIZE]] grain
// CHECK-LABEL: func private @loop_inside_loop_0(
// CHECK:         scf.for
// CHECK-NOT:     scf.for
// CHECK:         memref.load
// CHECK:         scf.parallel
func.func @loop_inside(%x: memref<5x13xf32>, %y: memref<5x13x7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c13 = arith.constant 13 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c5, %c13) step (%c1, %c1) {
    %v = memref.load %x[%i, %j] : memref<5x13xf32>
    scf.parallel (%k) = (%c0) to (%c7) step (%c1) {
      memref.store %v, %y[%i, %j, %k] : memref<5x13x7xf32>
    }
  }
  return
}

// -----

// 82 for each of 26 iterations, or of 25. A root costs as much.
// CHECK-LABEL: func @division(
// CHECK-DAG:     %[[GRAIN:.*]] = arith.constant 13 : index
// CHECK:         fusion.rt.parallel_for @division_loop_0 for %{{.*}} grain %[[GRAIN]](
// CHECK-LABEL: func @few_divisions(
// CHECK-NOT:     fusion.rt.parallel_for
// CHECK-LABEL: func @root(
// CHECK-DAG:     %[[GRAIN:.*]] = arith.constant 13 : index
// CHECK:         fusion.rt.parallel_for @root_loop_0 for %{{.*}} grain %[[GRAIN]](
func.func @division(%x: memref<26xf32>, %y: memref<26xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c26 = arith.constant 26 : index
  scf.parallel (%i) = (%c0) to (%c26) step (%c1) {
    %v = memref.load %x[%i] : memref<26xf32>
    %q = arith.divf %v, %s : f32
    memref.store %q, %y[%i] : memref<26xf32>
  }
  return
}
func.func @few_divisions(%x: memref<25xf32>, %y: memref<25xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c25 = arith.constant 25 : index
  scf.parallel (%i) = (%c0) to (%c25) step (%c1) {
    %v = memref.load %x[%i] : memref<25xf32>
    %q = arith.divf %v, %s : f32
    memref.store %q, %y[%i] : memref<25xf32>
  }
  return
}
func.func @root(%x: memref<26xf32>, %y: memref<26xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c26 = arith.constant 26 : index
  scf.parallel (%i) = (%c0) to (%c26) step (%c1) {
    %v = memref.load %x[%i] : memref<26xf32>
    %r = math.rsqrt %v : f32
    memref.store %r, %y[%i] : memref<26xf32>
  }
  return
}

// -----

// CPUs divide integers one by one, and a remainder of floats is a call of the library. A
// division by a constant is a multiplication.
// CHECK-LABEL: func @integers(
// CHECK:         fusion.rt.parallel_for @integers_loop_0
// CHECK-LABEL: func @by_a_constant(
// CHECK-NOT:     fusion.rt.parallel_for
// CHECK-LABEL: func @remainder(
// CHECK:         fusion.rt.parallel_for @remainder_loop_0
func.func @integers(%x: memref<25xi32>, %y: memref<25xi32>, %s: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c25 = arith.constant 25 : index
  scf.parallel (%i) = (%c0) to (%c25) step (%c1) {
    %v = memref.load %x[%i] : memref<25xi32>
    %q = arith.floordivsi %v, %s : i32
    memref.store %q, %y[%i] : memref<25xi32>
  }
  return
}
func.func @by_a_constant(%x: memref<25xi32>, %y: memref<25xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c25 = arith.constant 25 : index
  %s = arith.constant 7 : i32
  scf.parallel (%i) = (%c0) to (%c25) step (%c1) {
    %v = memref.load %x[%i] : memref<25xi32>
    %q = arith.floordivsi %v, %s : i32
    memref.store %q, %y[%i] : memref<25xi32>
  }
  return
}
func.func @remainder(%x: memref<25xf32>, %y: memref<25xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c25 = arith.constant 25 : index
  scf.parallel (%i) = (%c0) to (%c25) step (%c1) {
    %v = memref.load %x[%i] : memref<25xf32>
    %q = arith.remf %v, %s : f32
    memref.store %q, %y[%i] : memref<25xf32>
  }
  return
}

// -----

// A vector counts as its elements: 512 for each of 8 iterations, or 1312 with a division.
// CHECK-LABEL: func @vectors(
// CHECK-DAG:     %[[SIZE:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[GRAIN:.*]] = arith.constant 2 : index
// CHECK:         fusion.rt.parallel_for @vectors_loop_0 for %[[SIZE]] grain %[[GRAIN]]
func.func @vectors(%x: memref<8x16xf32>, %y: memref<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = vector.load %x[%i, %c0] : memref<8x16xf32>, vector<16xf32>
    vector.store %v, %y[%i, %c0] : memref<8x16xf32>, vector<16xf32>
  }
  return
}
// CHECK-LABEL: func @quotients(
// CHECK-DAG:     %[[GRAIN:.*]] = arith.constant 1 : index
// CHECK:         fusion.rt.parallel_for @quotients_loop_0 for %{{.*}} grain %[[GRAIN]]
func.func @quotients(%x: memref<8x16xf32>, %y: memref<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = vector.load %x[%i, %c0] : memref<8x16xf32>, vector<16xf32>
    %q = arith.divf %v, %v : vector<16xf32>
    vector.store %q, %y[%i, %c0] : memref<8x16xf32>, vector<16xf32>
  }
  return
}
