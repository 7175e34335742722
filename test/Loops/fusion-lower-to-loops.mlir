// RUN: fusion-opt %s --fusion-lower-to-loops --canonicalize --split-input-file | FileCheck %s

// linalg and copies on memrefs become parallel loops, as few and as long as possible.

// Dimensions that continue each other in all operands are one.
// CHECK-LABEL: func @merged(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<3x5x7x11xf32>, %[[B:[a-z0-9]*]]: memref<11xf32>
// CHECK-DAG:     %[[ROWS:.*]] = arith.constant 105 : index
// CHECK-DAG:     %[[COLUMNS:.*]] = arith.constant 11 : index
// CHECK:         %[[X2:.*]] = memref.collapse_shape %[[X]] {{\[\[}}0, 1, 2], [3]]
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) = {{.*}} to (%[[ROWS]], %[[COLUMNS]])
// CHECK-DAG:       memref.load %[[X2]][%[[I]], %[[J]]] : memref<105x11xf32>
// CHECK-DAG:       memref.load %[[B]][%[[J]]] : memref<11xf32>
func.func @merged(%x: memref<3x5x7x11xf32>, %b: memref<11xf32>, %y: memref<3x5x7x11xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %b : memref<3x5x7x11xf32>, memref<11xf32>) outs(%y : memref<3x5x7x11xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.addf %u, %v : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Dimensions of size 1 that front ends keep are not in the way, whatever element is read.
// CHECK-LABEL: func @kept(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<1x3x5x7xf32>, %[[B:[a-z0-9]*]]: memref<2x1x7xf32>
// CHECK-DAG:     %[[ROWS:.*]] = arith.constant 15 : index
// CHECK-DAG:     %[[COLUMNS:.*]] = arith.constant 7 : index
// CHECK-DAG:     %[[VECTOR:.*]] = memref.subview %[[B]][1, 0, 0] [1, 1, 7] [1, 1, 1] : memref<2x1x7xf32> to memref<7xf32, strided<[1], offset: 7>>
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) = {{.*}} to (%[[ROWS]], %[[COLUMNS]])
// CHECK:           memref.load %[[VECTOR]][%[[J]]]
func.func @kept(%x: memref<1x3x5x7xf32>, %b: memref<2x1x7xf32>, %y: memref<1x3x5x7xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(a, b, c, d) -> (0, b, c, d)>, affine_map<(a, b, c, d) -> (1, 0, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %b : memref<1x3x5x7xf32>, memref<2x1x7xf32>) outs(%y : memref<1x3x5x7xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.addf %u, %v : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// They stay in a buffer of which no part is a strided one.
// CHECK-LABEL: func @kept_in_tiles(
// CHECK-NOT:     memref.subview
// CHECK:         scf.parallel
// CHECK:           memref.load %{{.*}}[%{{.*}}, %{{.*}}]
#tiles = affine_map<(a, b) -> (a floordiv 2, b, a mod 2)>
func.func @kept_in_tiles(%x: memref<4x1xf32, #tiles>, %y: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, 0)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x1xf32, #tiles>) outs(%y : memref<4x8xf32>) {
  ^bb0(%u: f32, %o: f32):
    %r = arith.negf %u : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// A named op too, and sizes known at run time.
// CHECK-LABEL: func @named(
// CHECK:         memref.collapse_shape %{{.*}} {{\[\[}}0, 1, 2]] : memref<?x5x?xf32> into memref<?xf32>
// CHECK:         scf.parallel (%{{.*}}) =
func.func @named(%x: memref<?x5x?xf32>, %y: memref<?x5x?xf32>) {
  linalg.exp ins(%x : memref<?x5x?xf32>) outs(%y : memref<?x5x?xf32>)
  return
}

// -----

// A transpose has no two dimensions that continue each other; of 5x7 in one place there are.
// CHECK-LABEL: func @transposed(
// CHECK-DAG:     %[[C35:.*]] = arith.constant 35 : index
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) = {{.*}} to (%[[C35]], %[[C3]])
func.func @transposed(%x: memref<3x5x7xf32>, %y: memref<5x7x3xf32>) {
  linalg.transpose ins(%x : memref<3x5x7xf32>) outs(%y : memref<5x7x3xf32>) permutation = [1, 2, 0]
  return
}

// -----

// A part of a tensor, as in a concatenation: its rows are apart.
// CHECK-LABEL: func @copy(
// CHECK-DAG:     %[[ROWS:.*]] = arith.constant 15 : index
// CHECK-DAG:     %[[COLUMNS:.*]] = arith.constant 7 : index
// CHECK-NOT:     memref.copy
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) = {{.*}} to (%[[ROWS]], %[[COLUMNS]])
func.func @copy(%x: memref<3x5x7xf32>, %y: memref<3x5x11xf32>) {
  %s = memref.subview %y[0, 0, 2] [3, 5, 7] [1, 1, 1] : memref<3x5x11xf32> to memref<3x5x7xf32, strided<[55, 11, 1], offset: 2>>
  memref.copy %x, %s : memref<3x5x7xf32> to memref<3x5x7xf32, strided<[55, 11, 1], offset: 2>>
  return
}

// -----

// CHECK-LABEL: func @copy_without_rank(
// CHECK:         memref.copy
func.func @copy_without_rank(%x: memref<*xf32>, %y: memref<*xf32>) {
  memref.copy %x, %y : memref<*xf32> to memref<*xf32>
  return
}

// -----

// The accumulator of a reduction stays in a register, for all of its loops; a sum may
// be added up in any order.
// CHECK-LABEL: func @sum(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<3x5x7xf32>, %[[Y:[a-z0-9]*]]: memref<5xf32>
// CHECK:         scf.parallel (%[[J:.*]]) =
// CHECK-NEXT:      %[[START:.*]] = memref.load %[[Y]][%[[J]]]
// CHECK-NEXT:      %[[OUTER:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[A:.*]] = %[[START]]) -> (f32) {
// CHECK-NEXT:        %[[INNER:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[S:.*]] = %[[A]]) -> (f32) {
// CHECK-NEXT:          %[[V:.*]] = memref.load %[[X]][%[[I]], %[[J]], %[[K]]]
// CHECK-NEXT:          %[[N:.*]] = arith.addf %[[S]], %[[V]] fastmath<reassoc> : f32
// CHECK-NEXT:          scf.yield %[[N]]
// CHECK:             scf.yield %[[INNER]]
// CHECK:           memref.store %[[OUTER]], %[[Y]][%[[J]]]
func.func @sum(%x: memref<3x5x7xf32>, %y: memref<5xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(j, i, k) -> (i, j, k)>, affine_map<(j, i, k) -> (j)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : memref<3x5x7xf32>) outs(%y : memref<5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %o, %u : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// An addition that is no reduction keeps its order, and so does another operand's.
// CHECK-LABEL: func @other_additions(
// CHECK:         arith.addf %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : f32
// CHECK:         arith.addf %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : f32
// CHECK:         arith.maximumf
func.func @other_additions(%x: memref<3x7xf32>, %y: memref<3x7xf32>, %m: memref<3xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<3x7xf32>) outs(%y : memref<3x7xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    linalg.yield %s : f32
  }
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<3x7xf32>) outs(%m : memref<3xf32>) {
  ^bb0(%u: f32, %o: f32):
    %d = arith.addf %u, %u : f32
    %s = arith.maximumf %d, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Two results, each in a register.
// CHECK-LABEL: func @two_results(
// CHECK:         scf.parallel
// CHECK:           %[[R:.*]]:2 = scf.for {{.*}} iter_args({{.*}}, {{.*}}) -> (f32, f32)
// CHECK-NOT:         memref.store
// CHECK:             scf.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK-DAG:       memref.store %[[R]]#0, %[[A:.*]][
// CHECK-DAG:       memref.store %[[R]]#1, %[[B:.*]][
func.func @two_results(%x: memref<3x7xf32>, %a: memref<3xf32>, %b: memref<3xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<3x7xf32>) outs(%a, %b : memref<3xf32>, memref<3xf32>) {
  ^bb0(%u: f32, %o: f32, %p: f32):
    %s = arith.addf %u, %o : f32
    %m = arith.maximumf %u, %p : f32
    linalg.yield %s, %m : f32, f32
  }
  return
}

// -----

// A result that all iterations of a dimension write: the last one holds, so that they run
// one after the other.
// CHECK-LABEL: func @written_again(
// CHECK-NOT:     scf.parallel
// CHECK:         scf.for
func.func @written_again(%x: memref<3x7xf32>, %y: memref<3xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<3x7xf32>) outs(%y : memref<3xf32>) {
  ^bb0(%u: f32, %o: f32):
    linalg.yield %u : f32
  }
  return
}

// -----

// A reduction in the outer loop goes through memory for each element, but for a few.
// CHECK-LABEL: func @outer_reduction(
// CHECK:         scf.for
// CHECK:           scf.parallel
// CHECK:             memref.load
// CHECK:             memref.load
// CHECK:             memref.store
func.func @outer_reduction(%x: memref<3x?xf32>, %y: memref<?xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<3x?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Dimensions of one iteration are no loops.
// CHECK-LABEL: func @unit(
// CHECK:         scf.parallel (%{{.*}}) =
func.func @unit(%x: memref<1x7x1xf32>, %y: memref<7x1x1xf32>) {
  linalg.transpose ins(%x : memref<1x7x1xf32>) outs(%y : memref<7x1x1xf32>) permutation = [1, 2, 0]
  return
}

// -----

// A reduction does not continue a parallel dimension.
// CHECK-LABEL: func @kinds(
// CHECK-NOT:     memref.collapse_shape
// CHECK:         scf.for
// CHECK:           scf.for
func.func @kinds(%x: memref<3x7xf32>, %y: memref<f32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<3x7xf32>) outs(%y : memref<f32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.maximumf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A dimension whose index the body reads is not merged with its neighbours: the index
// would be a remainder or a quotient. Others are.
// CHECK-LABEL: func @index(
// CHECK:         memref.collapse_shape %{{.*}} {{\[\[}}0, 1], [2], [3]]
// CHECK:         scf.parallel (%{{.*}}, %[[J:.*]], %{{.*}}) =
// CHECK-NEXT:      arith.index_cast %[[J]] : index to i32
// CHECK-NOT:       arith.remsi
func.func @index(%y: memref<3x5x7x11xi32>) {
  linalg.generic {
      indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%y : memref<3x5x7x11xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 2 : index
    %v = arith.index_cast %i : index to i32
    linalg.yield %v : i32
  }
  return
}
