// RUN: fusion-opt %s --fusion-merge-elementwise | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#first = affine_map<(d0, d1) -> (0, d1)>
#vector = affine_map<(d0) -> (d0)>

// One loop nest in place of two.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x5xf32>, %[[Y:[a-z0-9]*]]: tensor<3x5xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[Y]] :
// CHECK:           math.exp
// CHECK-NEXT:      arith.addf
// CHECK-NOT:     linalg.generic
func.func @chain(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = math.exp %i : f32
    linalg.yield %m : f32
  } -> tensor<3x5xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a, %y : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %b : tensor<3x5xf32>
}

// Not where the first has two readers: it would be computed twice.
// CHECK-LABEL: func.func @two_readers(
// CHECK:         linalg.generic
// CHECK:           math.exp
// CHECK-NOT:       math.exp
// CHECK:         linalg.generic
// CHECK-NOT:       math.exp
// CHECK:           math.absf
func.func @two_readers(%x: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %e = tensor.empty() : tensor<3x5xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = math.exp %i : f32
    linalg.yield %m : f32
  } -> tensor<3x5xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = math.absf %i : f32
    linalg.yield %m : f32
  } -> tensor<3x5xf32>
  return %a, %b : tensor<3x5xf32>, tensor<3x5xf32>
}

// Ops are not merged if the first adds to its destination and the second broadcasts it:
// the sum would be added again for each column.
// CHECK-LABEL: func.func @accumulates(
// CHECK-COUNT-2: linalg.generic
func.func @accumulates(%x: tensor<3xf32>, %sum: tensor<3xf32>) -> tensor<3x5xf32> {
  %a = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
         ins(%x : tensor<3xf32>) outs(%sum : tensor<3xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %o : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %b = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<3xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<3x5xf32>
  return %b : tensor<3x5xf32>
}

// Nor across a reshape.
// CHECK-LABEL: func.func @reshaped(
// CHECK:         linalg.generic
// CHECK:         tensor.collapse_shape
// CHECK:         linalg.generic
func.func @reshaped(%x: tensor<3x5xf32>) -> tensor<15xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = math.exp %i : f32
    linalg.yield %m : f32
  } -> tensor<3x5xf32>
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<3x5xf32> into tensor<15xf32>
  %f = tensor.empty() : tensor<15xf32>
  %b = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
         ins(%c : tensor<15xf32>) outs(%f : tensor<15xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = math.absf %i : f32
    linalg.yield %m : f32
  } -> tensor<15xf32>
  return %b : tensor<15xf32>
}

// Nor into a loop, which would compute it again in each iteration.
// CHECK-LABEL: func.func @read_in_a_loop(
// CHECK:         linalg.generic
// CHECK:           math.exp
// CHECK:         scf.for
// CHECK-NOT:       math.exp
// CHECK:         return
func.func @read_in_a_loop(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>, %n: index) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = math.exp %i : f32
    linalg.yield %m : f32
  } -> tensor<3x5xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %y) -> (tensor<3x5xf32>) {
    %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
           ins(%a, %s : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
    ^bb0(%i: f32, %j: f32, %o: f32):
      %t = arith.addf %i, %j : f32
      linalg.yield %t : f32
    } -> tensor<3x5xf32>
    scf.yield %b : tensor<3x5xf32>
  }
  return %r : tensor<3x5xf32>
}

// Ops with effects are not merged: they would run for each column, and once more.
// CHECK-LABEL: func.func @effects(
// CHECK-COUNT-1: call @count(
// CHECK-NOT:     call @count(
// CHECK:         return
func.func private @count(f32) -> f32
func.func @effects(%x: tensor<3xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %a = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
         ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = func.call @count(%i) : (f32) -> f32
    linalg.yield %m : f32
  } -> tensor<3xf32>
  %f = tensor.empty() : tensor<3x5xf32>
  %b = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<3xf32>) outs(%f : tensor<3x5xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<3x5xf32>
  return %b : tensor<3x5xf32>
}

// A root is not merged if a broadcast would have it computed for each column,
// CHECK-LABEL: func.func @expensive_broadcast(
// CHECK:         linalg.generic
// CHECK:           math.rsqrt
// CHECK:         linalg.generic
// CHECK-NOT:       math.rsqrt
// CHECK:           arith.mulf
func.func @expensive_broadcast(%x: tensor<3xf32>, %y: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %a = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
         ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = math.rsqrt %i : f32
    linalg.yield %m : f32
  } -> tensor<3xf32>
  %f = tensor.empty() : tensor<3x5xf32>
  %b = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a, %y : tensor<3xf32>, tensor<3x5xf32>) outs(%f : tensor<3x5xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    linalg.yield %m : f32
  } -> tensor<3x5xf32>
  return %b : tensor<3x5xf32>
}

// nor if it might be, for each image of a batch that only the call knows,
// CHECK-LABEL: func.func @batch(
// CHECK:         linalg.generic
// CHECK:           math.rsqrt
// CHECK:         linalg.generic
// CHECK-NOT:       math.rsqrt
// CHECK:           arith.mulf
func.func @batch(%x: tensor<1x5xf32>, %y: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %e = tensor.empty() : tensor<1x5xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<1x5xf32>) outs(%e : tensor<1x5xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = math.rsqrt %i : f32
    linalg.yield %m : f32
  } -> tensor<1x5xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?x5xf32>
  %f = tensor.empty(%n) : tensor<?x5xf32>
  %b = linalg.generic {indexing_maps = [#first, #id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a, %y : tensor<1x5xf32>, tensor<?x5xf32>) outs(%f : tensor<?x5xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    linalg.yield %m : f32
  } -> tensor<?x5xf32>
  return %b : tensor<?x5xf32>
}

// but for the only image of a batch it is. As torch-mlir spells swish.
// CHECK-LABEL: func.func @batch_of_one(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x5xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]] :
// CHECK:           math.exp
// CHECK-NOT:     linalg.generic
// CHECK:           arith.mulf
// CHECK:         return
func.func @batch_of_one(%x: tensor<1x5xf32>) -> tensor<1x5xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<1x5xf32>
  %a = linalg.generic {indexing_maps = [#first, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<1x5xf32>) outs(%e : tensor<1x5xf32>) {
  ^bb0(%i: f32, %o: f32):
    %n = arith.negf %i : f32
    %m = math.exp %n : f32
    %s = arith.addf %m, %one : f32
    %r = arith.divf %one, %s : f32
    linalg.yield %r : f32
  } -> tensor<1x5xf32>
  %b = linalg.generic {indexing_maps = [#first, #first, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x, %a : tensor<1x5xf32>, tensor<1x5xf32>) outs(%e : tensor<1x5xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    linalg.yield %m : f32
  } -> tensor<1x5xf32>
  return %b : tensor<1x5xf32>
}

// A broadcast may repeat an op that is cheaper than a store and a load.
// CHECK-LABEL: func.func @cheap_broadcast(
// CHECK:         linalg.generic
// CHECK:           arith.negf
// CHECK-NEXT:      arith.mulf
func.func @cheap_broadcast(%x: tensor<3xf32>, %y: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %a = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
         ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = arith.negf %i : f32
    linalg.yield %m : f32
  } -> tensor<3xf32>
  %f = tensor.empty() : tensor<3x5xf32>
  %b = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%a, %y : tensor<3xf32>, tensor<3x5xf32>) outs(%f : tensor<3x5xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    linalg.yield %m : f32
  } -> tensor<3x5xf32>
  return %b : tensor<3x5xf32>
}

// An op that makes integers of 8 bits stays in front of a reduction,
// CHECK-LABEL: func.func @reduced_bytes(
// CHECK-COUNT-2: linalg.generic
func.func @reduced_bytes(%x: tensor<3x5xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3x5xi8>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xi8>) {
  ^bb0(%i: f32, %o: i8):
    %m = arith.fptosi %i : f32 to i8
    linalg.yield %m : i8
  } -> tensor<3x5xi8>
  %f = tensor.empty() : tensor<3xf32>
  %b = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<3x5xi8>) outs(%f : tensor<3xf32>) {
  ^bb0(%i: i8, %o: f32):
    %n = arith.sitofp %i : i8 to f32
    %m = arith.addf %n, %o : f32
    linalg.yield %m : f32
  } -> tensor<3xf32>
  return %b : tensor<3xf32>
}

// and one that makes floats does not.
// CHECK-LABEL: func.func @reduced_floats(
// CHECK:         linalg.generic
// CHECK:           arith.sitofp
// CHECK-NEXT:      arith.addf
func.func @reduced_floats(%x: tensor<3x5xi8>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3x5xi8>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%i: i8, %o: f32):
    %m = arith.sitofp %i : i8 to f32
    linalg.yield %m : f32
  } -> tensor<3x5xf32>
  %f = tensor.empty() : tensor<3xf32>
  %b = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<3x5xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = arith.addf %i, %o : f32
    linalg.yield %m : f32
  } -> tensor<3xf32>
  return %b : tensor<3xf32>
}

// Named ops, and one that only moves elements, which stays as it is.
// CHECK-LABEL: func.func @named(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x5xf32>, %[[Y:[a-z0-9]*]]: tensor<5x3xf32>
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[Y]] :
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[X]], %[[T]] :
// CHECK:           math.exp
// CHECK-NEXT:      arith.addf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @named(%x: tensor<3x5xf32>, %y: tensor<5x3xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %t = linalg.transpose ins(%y : tensor<5x3xf32>) outs(%e : tensor<3x5xf32>) permutation = [1, 0]
  %a = linalg.exp ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %b = linalg.add ins(%a, %t : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %b : tensor<3x5xf32>
}

// A named op without another next to it.
// CHECK-LABEL: func.func @named_alone(
// CHECK:         linalg.add
func.func @named_alone(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %a = linalg.add ins(%x, %y : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %a : tensor<3x5xf32>
}
