// RUN: fusion-opt %s --fusion-merge-elementwise | FileCheck %s

// Wider floats with several readers.

#id = affine_map<(d0, d1) -> (d0, d1)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>

// An op that only widens is made again for each reader, as torch-mlir's variance has it: no
// tensor of f64 is left.
// CHECK-LABEL: func.func @widened(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x5xf32>
// CHECK-NOT:     tensor<3x5xf64>
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<3x5xf32>) outs(%{{.*}} : tensor<3xf64>)
// CHECK:           arith.extf
// CHECK-NEXT:      arith.addf
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %{{.*}} : tensor<3x5xf32>, tensor<3xf64>) outs(%{{.*}} : tensor<3xf64>)
// CHECK:           arith.extf
// CHECK-NEXT:      arith.subf
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      arith.addf
// CHECK-NOT:     linalg.generic
func.func @widened(%x: tensor<3x5xf32>) -> tensor<3xf64> {
  %e = tensor.empty() : tensor<3x5xf64>
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf64>) {
  ^bb0(%i: f32, %o: f64):
    %m = arith.extf %i : f32 to f64
    linalg.yield %m : f64
  } -> tensor<3x5xf64>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<3x5xf64>) outs(%zero : tensor<3xf64>) {
  ^bb0(%i: f64, %o: f64):
    %m = arith.addf %i, %o : f64
    linalg.yield %m : f64
  } -> tensor<3xf64>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a, %s : tensor<3x5xf64>, tensor<3xf64>) outs(%e : tensor<3x5xf64>) {
  ^bb0(%i: f64, %j: f64, %o: f64):
    %m = arith.subf %i, %j : f64
    linalg.yield %m : f64
  } -> tensor<3x5xf64>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%d, %d : tensor<3x5xf64>, tensor<3x5xf64>) outs(%e : tensor<3x5xf64>) {
  ^bb0(%i: f64, %j: f64, %o: f64):
    %m = arith.mulf %i, %j : f64
    linalg.yield %m : f64
  } -> tensor<3x5xf64>
  %v = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
         ins(%q : tensor<3x5xf64>) outs(%zero : tensor<3xf64>) {
  ^bb0(%i: f64, %o: f64):
    %m = arith.addf %i, %o : f64
    linalg.yield %m : f64
  } -> tensor<3xf64>
  return %v : tensor<3xf64>
}

// It stays for a caller that reads it.
// CHECK-LABEL: func.func @widened_and_returned(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x5xf32>
// CHECK:         %[[A:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<3x5xf32>) outs(%{{.*}} : tensor<3x5xf64>)
// CHECK:         %[[Q:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<3x5xf32>)
// CHECK-NEXT:    ^bb0(%[[I:.*]]: f32, %{{.*}}: f64):
// CHECK:           arith.extf %[[I]] : f32 to f64
// CHECK:           arith.mulf
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[A]], %[[Q]]
func.func @widened_and_returned(%x: tensor<3x5xf32>) -> (tensor<3x5xf64>, tensor<3x5xf64>) {
  %e = tensor.empty() : tensor<3x5xf64>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf64>) {
  ^bb0(%i: f32, %o: f64):
    %m = arith.extf %i : f32 to f64
    linalg.yield %m : f64
  } -> tensor<3x5xf64>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a, %a : tensor<3x5xf64>, tensor<3x5xf64>) outs(%e : tensor<3x5xf64>) {
  ^bb0(%i: f64, %j: f64, %o: f64):
    %m = arith.mulf %i, %j : f64
    linalg.yield %m : f64
  } -> tensor<3x5xf64>
  return %a, %q : tensor<3x5xf64>, tensor<3x5xf64>
}

// One reader reads it twice, along other loops.
// CHECK-LABEL: func.func @widened_and_transposed(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<4x4xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[X]] : tensor<4x4xf32>, tensor<4x4xf32>) outs(%{{.*}} : tensor<4x4xf64>)
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @widened_and_transposed(%x: tensor<4x4xf32>) -> tensor<4x4xf64> {
  %e = tensor.empty() : tensor<4x4xf64>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf64>) {
  ^bb0(%i: f32, %o: f64):
    %m = arith.extf %i : f32 to f64
    linalg.yield %m : f64
  } -> tensor<4x4xf64>
  %q = linalg.generic {indexing_maps = [#id, #swapped, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a, %a : tensor<4x4xf64>, tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) {
  ^bb0(%i: f64, %j: f64, %o: f64):
    %m = arith.subf %i, %j : f64
    linalg.yield %m : f64
  } -> tensor<4x4xf64>
  return %q : tensor<4x4xf64>
}

// The op does more.
// CHECK-LABEL: func.func @more_than_widened(
// CHECK:         %[[A:.*]] = linalg.generic
// CHECK:           arith.extf
// CHECK:         linalg.generic {{.*}} ins(%[[A]] :
// CHECK:         linalg.generic {{.*}} ins(%[[A]] :
func.func @more_than_widened(%x: tensor<3x5xf32>) -> (tensor<3x5xf64>, tensor<3x5xf64>) {
  %e = tensor.empty() : tensor<3x5xf64>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf64>) {
  ^bb0(%i: f32, %o: f64):
    %w = arith.extf %i : f32 to f64
    %m = math.absf %w : f64
    linalg.yield %m : f64
  } -> tensor<3x5xf64>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<3x5xf64>) outs(%e : tensor<3x5xf64>) {
  ^bb0(%i: f64, %o: f64):
    %m = arith.negf %i : f64
    linalg.yield %m : f64
  } -> tensor<3x5xf64>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<3x5xf64>) outs(%e : tensor<3x5xf64>) {
  ^bb0(%i: f64, %o: f64):
    %m = arith.addf %i, %i : f64
    linalg.yield %m : f64
  } -> tensor<3x5xf64>
  return %b, %c : tensor<3x5xf64>, tensor<3x5xf64>
}

// The result is narrower: to load it costs less.
// CHECK-LABEL: func.func @narrowed(
// CHECK:         %[[A:.*]] = linalg.generic
// CHECK:           arith.truncf
// CHECK:         linalg.generic {{.*}} ins(%[[A]] :
// CHECK:         linalg.generic {{.*}} ins(%[[A]] :
func.func @narrowed(%x: tensor<3x5xf64>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %e = tensor.empty() : tensor<3x5xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3x5xf64>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%i: f64, %o: f32):
    %m = arith.truncf %i : f64 to f32
    linalg.yield %m : f32
  } -> tensor<3x5xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = arith.negf %i : f32
    linalg.yield %m : f32
  } -> tensor<3x5xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = arith.addf %i, %i : f32
    linalg.yield %m : f32
  } -> tensor<3x5xf32>
  return %b, %c : tensor<3x5xf32>, tensor<3x5xf32>
}

// Integers become wider in a loop of their own.
// CHECK-LABEL: func.func @integers(
// CHECK:         %[[A:.*]] = linalg.generic
// CHECK:           arith.extsi
// CHECK:         linalg.generic {{.*}} ins(%[[A]] :
// CHECK:         linalg.generic {{.*}} ins(%[[A]] :
func.func @integers(%x: tensor<3x5xi8>) -> (tensor<3x5xi32>, tensor<3x5xi32>) {
  %e = tensor.empty() : tensor<3x5xi32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3x5xi8>) outs(%e : tensor<3x5xi32>) {
  ^bb0(%i: i8, %o: i32):
    %m = arith.extsi %i : i8 to i32
    linalg.yield %m : i32
  } -> tensor<3x5xi32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<3x5xi32>) outs(%e : tensor<3x5xi32>) {
  ^bb0(%i: i32, %o: i32):
    %m = math.absi %i : i32
    linalg.yield %m : i32
  } -> tensor<3x5xi32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<3x5xi32>) outs(%e : tensor<3x5xi32>) {
  ^bb0(%i: i32, %o: i32):
    %m = arith.addi %i, %i : i32
    linalg.yield %m : i32
  } -> tensor<3x5xi32>
  return %b, %c : tensor<3x5xi32>, tensor<3x5xi32>
}

// One reader is in a loop, which would widen in each iteration.
// CHECK-LABEL: func.func @widened_outside_a_loop(
// CHECK:         %[[A:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<3x5xf64>)
// CHECK:           arith.extf
// CHECK:         scf.for
// CHECK:           linalg.generic {{.*}} ins(%[[A]],
// CHECK:         return %{{.*}}, %[[A]]
func.func @widened_outside_a_loop(%x: tensor<3x5xf32>, %y: tensor<3x5xf64>, %n: index) -> (tensor<3x5xf64>, tensor<3x5xf64>) {
  %e = tensor.empty() : tensor<3x5xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf64>) {
  ^bb0(%i: f32, %o: f64):
    %m = arith.extf %i : f32 to f64
    linalg.yield %m : f64
  } -> tensor<3x5xf64>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %y) -> (tensor<3x5xf64>) {
    %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
           ins(%a, %s : tensor<3x5xf64>, tensor<3x5xf64>) outs(%e : tensor<3x5xf64>) {
    ^bb0(%i: f64, %j: f64, %o: f64):
      %t = arith.addf %i, %j : f64
      linalg.yield %t : f64
    } -> tensor<3x5xf64>
    scf.yield %b : tensor<3x5xf64>
  }
  return %r, %a : tensor<3x5xf64>, tensor<3x5xf64>
}

// A sum of repeated elements gets its number of loops from the wide tensor alone.
// CHECK-LABEL: func.func @repeated(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3xf32>
// CHECK:         %[[A:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<3xf32>) outs(%{{.*}} : tensor<3x5xf64>)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.extf
// CHECK-NEXT:      linalg.yield
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[A]] :
// CHECK:         return %[[S]], %[[A]]
func.func @repeated(%x: tensor<3xf32>) -> (tensor<3xf64>, tensor<3x5xf64>) {
  %e = tensor.empty() : tensor<3x5xf64>
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %a = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3xf32>) outs(%e : tensor<3x5xf64>) {
  ^bb0(%i: f32, %o: f64):
    %m = arith.extf %i : f32 to f64
    linalg.yield %m : f64
  } -> tensor<3x5xf64>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<3x5xf64>) outs(%zero : tensor<3xf64>) {
  ^bb0(%i: f64, %o: f64):
    %m = arith.addf %i, %o : f64
    linalg.yield %m : f64
  } -> tensor<3xf64>
  return %s, %a : tensor<3xf64>, tensor<3x5xf64>
}
