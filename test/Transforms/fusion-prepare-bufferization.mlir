// RUN: fusion-opt %s --fusion-prepare-bufferization | FileCheck %s

// A tensor is copied where bufferization would take it as separate from others, or as
// contiguous, and it may not be. Integration/prepare-bufferization.test runs all of it.

!x = tensor<1x3x8x9xf32>
!w = tensor<5x3x2x4xf32>
!y = tensor<1x5x4x6xf32>
!v = tensor<5x24xf32>

func.func private @conv(%x: !x, %w: !w) -> !y {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : !y
  %f = linalg.fill ins(%z : f32) outs(%e : !y) -> !y
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : !x, !w) outs(%f : !y) -> !y
  return %c : !y
}

// The later result is copied, in the function that returns it.
// CHECK-LABEL: func.func private @same_twice(
// CHECK:         %[[A:.*]] = linalg.tanh
// CHECK:         %[[B:.*]] = bufferization.alloc_tensor() copy(%[[A]])
// CHECK:         return %[[A]], %[[B]]
func.func private @same_twice(%y: !y) -> (!y, !y) {
  %e = tensor.empty() : !y
  %a = linalg.tanh ins(%y : !y) outs(%e : !y) -> !y
  return %a, %a : !y, !y
}

// The residual is written over, the other result is read later.
// CHECK-LABEL: func.func @call_returns_twice(
// CHECK-NOT:     alloc_tensor
// CHECK:         return
func.func @call_returns_twice(%x: !x, %w: !w, %y: !y) -> !y {
  %r:2 = call @same_twice(%y) : (!y) -> (!y, !y)
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : !y
  %f = linalg.fill ins(%z : f32) outs(%e : !y) -> !y
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : !x, !w) outs(%f : !y) -> !y
  %s = linalg.add ins(%c, %r#0 : !y, !y) outs(%e : !y) -> !y
  %m = linalg.mul ins(%s, %r#1 : !y, !y) outs(%e : !y) -> !y
  return %m : !y
}

// CHECK-LABEL: func.func private @with_view(
// CHECK:         %[[K:.*]] = tensor.collapse_shape
// CHECK:         %[[B:.*]] = bufferization.alloc_tensor() copy(%[[K]])
// CHECK:         return %{{.*}}, %[[B]]
func.func private @with_view(%y: !y) -> (!y, !v) {
  %e = tensor.empty() : !y
  %a = linalg.tanh ins(%y : !y) outs(%e : !y) -> !y
  %k = tensor.collapse_shape %a [[0, 1], [2, 3]] : !y into !v
  return %a, %k : !y, !v
}

// CHECK-LABEL: func.func @call_returns_view(
func.func @call_returns_view(%x: !x, %w: !w, %y: !y) -> (!y, !v) {
  %r:2 = call @with_view(%y) : (!y) -> (!y, !v)
  %c = call @conv(%x, %w) : (!x, !w) -> !y
  %s = linalg.add ins(%c, %r#0 : !y, !y) outs(%r#0 : !y) -> !y
  %a = math.absf %r#1 : !v
  return %s, %a : !y, !v
}

// CHECK-LABEL: func.func private @constant(
// CHECK:         %[[C:.*]] = arith.constant dense
// CHECK:         %[[B:.*]] = bufferization.alloc_tensor() copy(%[[C]])
// CHECK:         return %[[B]]
func.func private @constant() -> tensor<2x3xf32> {
  %c = arith.constant dense<[[0.5, -1.5, 2.0], [3.0, -0.25, 7.0]]> : tensor<2x3xf32>
  return %c : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @call_returns_constant(
func.func @call_returns_constant(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = call @constant() : () -> tensor<2x3xf32>
  %s = linalg.add ins(%c, %a : tensor<2x3xf32>, tensor<2x3xf32>) outs(%c : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}

// Two tensors that share nothing but an empty one, and an argument: nothing is copied.
// CHECK-LABEL: func.func private @separate(
// CHECK-NOT:     alloc_tensor
// CHECK:         return
func.func private @separate(%y: !y) -> (!y, !y, !y) {
  %e = tensor.empty() : !y
  %a = linalg.tanh ins(%y : !y) outs(%e : !y) -> !y
  %b = linalg.exp ins(%y : !y) outs(%e : !y) -> !y
  return %a, %b, %y : !y, !y, !y
}

// CHECK-LABEL: func.func @call_returns_separate(
// CHECK-NOT:     alloc_tensor
// CHECK:         return
func.func @call_returns_separate(%y: !y) -> !y {
  %r:3 = call @separate(%y) : (!y) -> (!y, !y, !y)
  %a = linalg.sub ins(%r#0, %r#1 : !y, !y) outs(%r#0 : !y) -> !y
  %b = linalg.sub ins(%a, %r#2 : !y, !y) outs(%a : !y) -> !y
  return %b : !y
}

// Results of one call may be its arguments, so that they may be one.
// CHECK-LABEL: func.func private @forwards(
// CHECK:         %[[R:.*]]:2 = call @id
// CHECK:         %[[B:.*]] = bufferization.alloc_tensor() copy(%[[R]]#1)
// CHECK:         return %[[R]]#0, %[[B]]
func.func private @forwards(%y: !y) -> (!y, !y) {
  %r:2 = call @id(%y, %y) : (!y, !y) -> (!y, !y)
  return %r#0, %r#1 : !y, !y
}
func.func private @id(%a: !y, %b: !y) -> (!y, !y) {
  return %a, %b : !y, !y
}

// CHECK-LABEL: func.func @call_forwards(
func.func @call_forwards(%y: !y) -> !y {
  %e = tensor.empty() : !y
  %t = linalg.tanh ins(%y : !y) outs(%e : !y) -> !y
  %r:2 = call @forwards(%t) : (!y) -> (!y, !y)
  %a = linalg.exp ins(%y : !y) outs(%r#0 : !y) -> !y
  %s = linalg.sub ins(%a, %r#1 : !y, !y) outs(%e : !y) -> !y
  return %s : !y
}

// CHECK-LABEL: func.func @loop_yields_twice(
// CHECK:         scf.for
// CHECK:           %[[T:.*]] = linalg.abs
// CHECK:           %[[B:.*]] = bufferization.alloc_tensor() copy(%[[T]])
// CHECK:           scf.yield %[[T]], %[[B]]
func.func @loop_yields_twice(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<2x3xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %x) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
    %f = tensor.empty() : tensor<2x3xf32>
    %t = linalg.abs ins(%b : tensor<2x3xf32>) outs(%f : tensor<2x3xf32>) -> tensor<2x3xf32>
    scf.yield %t, %t : tensor<2x3xf32>, tensor<2x3xf32>
  }
  %m = linalg.tanh ins(%x : tensor<2x3xf32>) outs(%r#1 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = linalg.add ins(%r#0, %m : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}

// A loop that fills its result slice by slice copies nothing.
// CHECK-LABEL: func.func @loop_inserts(
// CHECK-NOT:     alloc_tensor
// CHECK:         return
func.func @loop_inserts(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4x3xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %e) -> (tensor<4x3xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<1x3xf32>
    %d = tensor.extract_slice %a[%i, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<1x3xf32>
    %t = linalg.exp ins(%s : tensor<1x3xf32>) outs(%d : tensor<1x3xf32>) -> tensor<1x3xf32>
    %n = tensor.insert_slice %t into %a[%i, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<4x3xf32>
    scf.yield %n : tensor<4x3xf32>
  }
  return %r : tensor<4x3xf32>
}

// The analysis knows what an `scf.if` yields.
// CHECK-LABEL: func.func @branch_yields_twice(
// CHECK-NOT:     alloc_tensor
// CHECK:         return
func.func @branch_yields_twice(%x: tensor<2x3xf32>, %p: i1) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %r:2 = scf.if %p -> (tensor<2x3xf32>, tensor<2x3xf32>) {
    %t = linalg.tanh ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
    scf.yield %t, %t : tensor<2x3xf32>, tensor<2x3xf32>
  } else {
    scf.yield %x, %x : tensor<2x3xf32>, tensor<2x3xf32>
  }
  %m = linalg.exp ins(%x : tensor<2x3xf32>) outs(%r#1 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = linalg.sub ins(%r#0, %m : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}

// A switch between tensors becomes a chain of `scf.if`, whose results the analysis
// understands.
// CHECK-LABEL: func.func @switch(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3xf32>, %[[K:[a-z0-9]*]]: index
// CHECK:         %[[C1:.*]] = arith.constant 1 : index
// CHECK:         %[[IS1:.*]] = arith.cmpi eq, %[[K]], %[[C1]]
// CHECK:         scf.if %[[IS1]]
// CHECK:           scf.yield %[[X]]
// CHECK:         } else {
// CHECK:           %[[C2:.*]] = arith.constant -2 : index
// CHECK:           %[[IS2:.*]] = arith.cmpi eq, %[[K]], %[[C2]]
// CHECK:           %[[R:.*]] = scf.if %[[IS2]]
// CHECK:             arith.constant dense
// CHECK:           } else {
// CHECK:             linalg.tanh
// CHECK:           }
// CHECK:           scf.yield %[[R]]
// CHECK-NOT:     alloc_tensor
// CHECK:         return
func.func @switch(%x: tensor<2x3xf32>, %k: index) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %r = scf.index_switch %k -> tensor<2x3xf32>
  case 1 {
    scf.yield %x : tensor<2x3xf32>
  }
  case -2 {
    %c = arith.constant dense<[[0.5, -1.5, 2.0], [3.0, -0.25, 7.0]]> : tensor<2x3xf32>
    scf.yield %c : tensor<2x3xf32>
  }
  default {
    %t = linalg.tanh ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
    scf.yield %t : tensor<2x3xf32>
  }
  %u = linalg.exp ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = linalg.sub ins(%r, %u : tensor<2x3xf32>, tensor<2x3xf32>) outs(%r : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}

// Without tensors a switch stays; one without cases is replaced by its contents.
// CHECK-LABEL: func.func @other_switches(
// CHECK:         scf.index_switch
// CHECK:         %[[T:.*]] = linalg.tanh
// CHECK-NOT:     scf.
// CHECK:         return %[[T]]
func.func @other_switches(%x: tensor<2x3xf32>, %k: index) -> tensor<2x3xf32> {
  %n = scf.index_switch %k -> index
  case 1 {
    scf.yield %k : index
  }
  default {
    %c7 = arith.constant 7 : index
    scf.yield %c7 : index
  }
  %r = scf.index_switch %n -> tensor<2x3xf32>
  default {
    %e = tensor.empty() : tensor<2x3xf32>
    %t = linalg.tanh ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
    scf.yield %t : tensor<2x3xf32>
  }
  return %r : tensor<2x3xf32>
}

// A tensor that goes into a slice of another, and both: the first may be that slice.
// CHECK-LABEL: func.func @loop_inserts_and_yields(
// CHECK:         scf.for
// CHECK:           %[[T:.*]] = linalg.abs
// CHECK:           %[[N:.*]] = tensor.insert_slice %[[T]]
// CHECK:           %[[B:.*]] = bufferization.alloc_tensor() copy(%[[T]])
// CHECK:           scf.yield %[[N]], %[[B]]
func.func @loop_inserts_and_yields(%x: tensor<1x3xf32>, %y: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<1x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %y, %b = %x) -> (tensor<4x3xf32>, tensor<1x3xf32>) {
    %e = tensor.empty() : tensor<4x3xf32>
    %f = linalg.tanh ins(%a : tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
    %d = tensor.extract_slice %f[%i, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<1x3xf32>
    %t = linalg.abs ins(%b : tensor<1x3xf32>) outs(%d : tensor<1x3xf32>) -> tensor<1x3xf32>
    %n = tensor.insert_slice %t into %f[%i, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<4x3xf32>
    scf.yield %n, %t : tensor<4x3xf32>, tensor<1x3xf32>
  }
  %s = linalg.sub ins(%x, %r#1 : tensor<1x3xf32>, tensor<1x3xf32>) outs(%r#1 : tensor<1x3xf32>) -> tensor<1x3xf32>
  return %r#0, %s : tensor<4x3xf32>, tensor<1x3xf32>
}

// The body of an `scf.while` yields an argument, a tensor that is written to a
// buffer from outside, and one of its own.
// CHECK-LABEL: func.func @while(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3xf32>
// CHECK:         } do {
// CHECK:           %[[O:.*]] = linalg.exp {{.*}} outs(%{{.*}} :
// CHECK:           %[[T:.*]] = linalg.tanh
// CHECK-DAG:       %[[A:.*]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK-DAG:       %[[B:.*]] = bufferization.alloc_tensor() copy(%[[O]])
// CHECK:           scf.yield %{{.*}}, %[[A]], %[[B]], %[[T]]
func.func @while(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %n: index) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<2x3xf32>
  %r:4 = scf.while (%i = %c0, %a = %y, %b = %y, %c = %y) : (index, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> (index, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
    %p = arith.cmpi slt, %i, %n : index
    %m = linalg.mul ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%a : tensor<2x3xf32>) -> tensor<2x3xf32>
    scf.condition(%p) %i, %m, %b, %c : index, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  } do {
  ^bb0(%i: index, %a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %c: tensor<2x3xf32>):
    %j = arith.addi %i, %c1 : index
    %o = linalg.exp ins(%c : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
    %f = tensor.empty() : tensor<2x3xf32>
    %t = linalg.tanh ins(%a : tensor<2x3xf32>) outs(%f : tensor<2x3xf32>) -> tensor<2x3xf32>
    scf.yield %j, %x, %o, %t : index, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  }
  %s = linalg.add ins(%r#1, %r#2 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%r#2 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %u = linalg.add ins(%r#3, %x : tensor<2x3xf32>, tensor<2x3xf32>) outs(%r#3 : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %s, %u : tensor<2x3xf32>, tensor<2x3xf32>
}

// The type of a result says that rows follow each other.
// CHECK-LABEL: func.func @slices_at_calls(
// CHECK:         %[[S:.*]] = tensor.extract_slice
// CHECK:         %[[A:.*]] = bufferization.alloc_tensor() copy(%[[S]])
// CHECK:         call @shrink(%[[A]])
func.func @slices_at_calls(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %q = tensor.dim %x, %c1 : tensor<?x?xf32>
  %v = arith.subi %q, %c1 : index
  %s = tensor.extract_slice %x[0, 1] [%n, %v] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %r = call @shrink(%s) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %t = math.exp %r : tensor<?x?xf32>
  return %t : tensor<?x?xf32>
}

// CHECK-LABEL: func.func private @shrink(
// CHECK:         %[[S:.*]] = tensor.extract_slice
// CHECK:         %[[A:.*]] = bufferization.alloc_tensor() copy(%[[S]])
// CHECK:         return %[[A]]
func.func private @shrink(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %q = tensor.dim %x, %c1 : tensor<?x?xf32>
  %v = arith.subi %q, %c1 : index
  %y = math.tanh %x : tensor<?x?xf32>
  %s = tensor.extract_slice %y[0, 0] [%n, %v] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// Steps between elements of which there is one.
// CHECK-LABEL: func.func @idle_steps(
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 0, 4] [1, 1, 3, 1] [1, 1, 2, 1]
// CHECK:         tensor.insert_slice %{{.*}}[0, 0, 0] [1, 3, 1] [1, 2, 1]
func.func @idle_steps(%x: tensor<1x1x5x5xf32>, %y: tensor<1x6x1xf32>, %k: index) -> tensor<1x6x1xf32> {
  %s = tensor.extract_slice %x[0, 0, 0, 4] [1, 1, 3, 1] [2, %k, 2, 3] : tensor<1x1x5x5xf32> to tensor<1x3x1xf32>
  %n = arith.negf %s : tensor<1x3x1xf32>
  %i = tensor.insert_slice %n into %y[0, 0, 0] [1, 3, 1] [7, 2, 1] : tensor<1x3x1xf32> into tensor<1x6x1xf32>
  return %i : tensor<1x6x1xf32>
}

// A slice at the beginning of a tensor, of whole rows, is as the types promise.
// CHECK-LABEL: func.func @contiguous_slice(
// CHECK:         tensor.extract_slice
// CHECK-NOT:     alloc_tensor
// CHECK:         return
func.func @contiguous_slice(%x: tensor<5x3xf32>) -> tensor<2x3xf32> {
  %s = tensor.extract_slice %x[0, 0] [2, 3] [1, 1] : tensor<5x3xf32> to tensor<2x3xf32>
  %r = call @halve(%s) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
func.func private @halve(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %h = linalg.exp ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %h : tensor<2x3xf32>
}
