// RUN: fusion-opt %s --fusion-separate-destinations | FileCheck %s

// Each op has a destination of its own, and long chains of insertions become stores in a
// buffer. Integration/separate-destinations.test runs all of it.

!t = tensor<3x4x5xf32>
!b = tensor<48x4x5xf32>

// CHECK-LABEL: func.func @shared_empty(
// CHECK-NEXT:    %[[E:.*]] = tensor.empty()
// CHECK-NEXT:    %[[A:.*]] = linalg.exp ins(%{{.*}}) outs(%[[E]] :
// CHECK-NEXT:    %[[F:.*]] = tensor.empty()
// CHECK-NEXT:    linalg.abs ins(%[[A]] : {{.*}}) outs(%[[F]] :
func.func @shared_empty(%x: !t) -> !t {
  %e = tensor.empty() : !t
  %a = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %b = linalg.abs ins(%a : !t) outs(%e : !t) -> !t
  return %b : !t
}

// Also the two destinations of one op.
// CHECK-LABEL: func.func @two_destinations(
// CHECK-NEXT:    %[[E:.*]] = tensor.empty()
// CHECK-NEXT:    %[[F:.*]] = tensor.empty()
// CHECK-NEXT:    linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} :
// CHECK-NOT:     tensor.empty
// CHECK:         return
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @two_destinations(%x: !t) -> (!t, !t) {
  %e = tensor.empty() : !t
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : !t) outs(%e, %e : !t, !t) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %n = arith.negf %a : f32
    %m = arith.mulf %a, %a : f32
    linalg.yield %n, %m : f32, f32
  } -> (!t, !t)
  return %r#0, %r#1 : !t, !t
}

// A destination stays outside of the loop.
// CHECK-LABEL: func.func @loop(
// CHECK:         tensor.empty()
// CHECK-NEXT:    scf.for
// CHECK-NOT:     tensor.empty
// CHECK:         return
func.func @loop(%x: !t) -> !t {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %e = tensor.empty() : !t
  %r = scf.for %i = %i0 to %i3 step %i1 iter_args(%s = %x) -> !t {
    %a = linalg.exp ins(%s : !t) outs(%e : !t) -> !t
    %b = linalg.negf ins(%a : !t) outs(%s : !t) -> !t
    scf.yield %b : !t
  }
  return %r : !t
}

// A window of a pool, which tells its shape only, stays shared.
// CHECK-LABEL: func.func @shapes(
// CHECK:         %[[WINDOW:.*]] = tensor.empty() : tensor<2x3xf32>
// CHECK:         linalg.pooling_nchw_max {{.*}}, %[[WINDOW]] :
// CHECK:         linalg.pooling_nchw_max {{.*}}, %[[WINDOW]] :
func.func @shapes(%x: tensor<1x3x6x7xf32>) -> (tensor<1x3x4x3xf32>) {
  %z = arith.constant -9.0 : f32
  %k = tensor.empty() : tensor<2x3xf32>
  %e = tensor.empty() : tensor<1x3x5x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x5x5xf32>) -> tensor<1x3x5x5xf32>
  %p = linalg.pooling_nchw_max ins(%x, %k : tensor<1x3x6x7xf32>, tensor<2x3xf32>) outs(%f : tensor<1x3x5x5xf32>) -> tensor<1x3x5x5xf32>
  %d = tensor.empty() : tensor<1x3x4x3xf32>
  %g = linalg.fill ins(%z : f32) outs(%d : tensor<1x3x4x3xf32>) -> tensor<1x3x4x3xf32>
  %q = linalg.pooling_nchw_max ins(%p, %k : tensor<1x3x5x5xf32>, tensor<2x3xf32>) outs(%g : tensor<1x3x4x3xf32>) -> tensor<1x3x4x3xf32>
  return %q : tensor<1x3x4x3xf32>
}

// The parts are computed in their places: the destinations of the ops are parts of one
// buffer.
// CHECK-LABEL: func.func @long_chain(
// CHECK:         %[[BUFFER:.*]] = memref.alloc() {alignment = 64 : i64} : memref<48x4x5xf32>
// CHECK-NEXT:    %[[PART:.*]] = memref.subview %[[BUFFER]][0, 0, 0] [3, 4, 5] [1, 1, 1]
// CHECK-NEXT:    %[[PLACE:.*]] = bufferization.to_tensor %[[PART]] restrict writable
// CHECK-NEXT:    %[[C:.*]] = linalg.exp ins(%{{.*}}) outs(%[[PLACE]] :
// CHECK-NEXT:    bufferization.materialize_in_destination %[[C]] in writable %[[PART]]
// CHECK-COUNT-15: bufferization.to_tensor %{{.*}} restrict writable : memref<3x4x5xf32, strided
// CHECK-NOT:     tensor.empty
// CHECK:         %[[WHOLE:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK-NEXT:    return %[[WHOLE]]
func.func @long_chain(%x: !t, %y: !b) -> (!b) {
  %o0 = tensor.empty() : !b
  %e = tensor.empty() : !t
  %c0 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o1 = tensor.insert_slice %c0 into %o0[0, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c1 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o2 = tensor.insert_slice %c1 into %o1[3, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c2 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o3 = tensor.insert_slice %c2 into %o2[6, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c3 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o4 = tensor.insert_slice %c3 into %o3[9, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c4 = linalg.floor ins(%x : !t) outs(%e : !t) -> !t
  %o5 = tensor.insert_slice %c4 into %o4[12, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c5 = linalg.ceil ins(%x : !t) outs(%e : !t) -> !t
  %o6 = tensor.insert_slice %c5 into %o5[15, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c6 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o7 = tensor.insert_slice %c6 into %o6[18, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c7 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o8 = tensor.insert_slice %c7 into %o7[21, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c8 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o9 = tensor.insert_slice %c8 into %o8[24, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c9 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o10 = tensor.insert_slice %c9 into %o9[27, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c10 = linalg.floor ins(%x : !t) outs(%e : !t) -> !t
  %o11 = tensor.insert_slice %c10 into %o10[30, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c11 = linalg.ceil ins(%x : !t) outs(%e : !t) -> !t
  %o12 = tensor.insert_slice %c11 into %o11[33, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c12 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o13 = tensor.insert_slice %c12 into %o12[36, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c13 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o14 = tensor.insert_slice %c13 into %o13[39, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c14 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o15 = tensor.insert_slice %c14 into %o14[42, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c15 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o16 = tensor.insert_slice %c15 into %o15[45, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  return %o16 : !b
}

// The rest of the buffer is that of the first tensor of the chain.
// CHECK-LABEL: func.func @long_chain_behind_fill(
// CHECK:         %[[BUFFER:.*]] = memref.alloc() {alignment = 64 : i64} : memref<48x4x5xf32>
// CHECK-NEXT:    %[[WHOLE:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK-NEXT:    %[[FILL:.*]] = linalg.fill ins(%{{.*}}) outs(%[[WHOLE]] :
// CHECK-NEXT:    bufferization.materialize_in_destination %[[FILL]] in writable %[[BUFFER]]
// CHECK-COUNT-15: linalg.
// CHECK:         return
func.func @long_chain_behind_fill(%x: !t, %y: !b) -> (!b) {
  %z = arith.constant 7.0 : f32
  %w = tensor.empty() : !b
  %o0 = linalg.fill ins(%z : f32) outs(%w : !b) -> !b
  %e = tensor.empty() : !t
  %c0 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o1 = tensor.insert_slice %c0 into %o0[0, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c1 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o2 = tensor.insert_slice %c1 into %o1[2, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c2 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o3 = tensor.insert_slice %c2 into %o2[4, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c3 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o4 = tensor.insert_slice %c3 into %o3[6, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c4 = linalg.floor ins(%x : !t) outs(%e : !t) -> !t
  %o5 = tensor.insert_slice %c4 into %o4[8, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c5 = linalg.ceil ins(%x : !t) outs(%e : !t) -> !t
  %o6 = tensor.insert_slice %c5 into %o5[10, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c6 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o7 = tensor.insert_slice %c6 into %o6[12, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c7 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o8 = tensor.insert_slice %c7 into %o7[14, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c8 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o9 = tensor.insert_slice %c8 into %o8[16, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c9 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o10 = tensor.insert_slice %c9 into %o9[18, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c10 = linalg.floor ins(%x : !t) outs(%e : !t) -> !t
  %o11 = tensor.insert_slice %c10 into %o10[20, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c11 = linalg.ceil ins(%x : !t) outs(%e : !t) -> !t
  %o12 = tensor.insert_slice %c11 into %o11[22, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c12 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o13 = tensor.insert_slice %c12 into %o12[24, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c13 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o14 = tensor.insert_slice %c13 into %o13[26, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c14 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o15 = tensor.insert_slice %c14 into %o14[28, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c15 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o16 = tensor.insert_slice %c15 into %o15[30, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  return %o16 : !b
}

// Parts with other users, here the next part, and a sum behind a write to the whole, are
// copied.
// CHECK-LABEL: func.func @parts_with_other_users(
// CHECK-NOT:     bufferization.to_tensor %{{.*}} restrict writable : memref<3x4x5xf32, strided
// CHECK-COUNT-16: bufferization.materialize_in_destination
// CHECK:         linalg.negf
// CHECK:         linalg.add
func.func @parts_with_other_users(%x: !t, %y: !b) -> (!b, !t) {
  %o0 = tensor.empty() : !b
  %e = tensor.empty() : !t
  %c0 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o1 = tensor.insert_slice %c0 into %o0[0, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c1 = linalg.tanh ins(%c0 : !t) outs(%e : !t) -> !t
  %o2 = tensor.insert_slice %c1 into %o1[3, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c2 = linalg.negf ins(%c1 : !t) outs(%e : !t) -> !t
  %o3 = tensor.insert_slice %c2 into %o2[6, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c3 = linalg.abs ins(%c2 : !t) outs(%e : !t) -> !t
  %o4 = tensor.insert_slice %c3 into %o3[9, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c4 = linalg.floor ins(%c3 : !t) outs(%e : !t) -> !t
  %o5 = tensor.insert_slice %c4 into %o4[12, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c5 = linalg.ceil ins(%c4 : !t) outs(%e : !t) -> !t
  %o6 = tensor.insert_slice %c5 into %o5[15, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c6 = linalg.exp ins(%c5 : !t) outs(%e : !t) -> !t
  %o7 = tensor.insert_slice %c6 into %o6[18, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c7 = linalg.tanh ins(%c6 : !t) outs(%e : !t) -> !t
  %o8 = tensor.insert_slice %c7 into %o7[21, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c8 = linalg.negf ins(%c7 : !t) outs(%e : !t) -> !t
  %o9 = tensor.insert_slice %c8 into %o8[24, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c9 = linalg.abs ins(%c8 : !t) outs(%e : !t) -> !t
  %o10 = tensor.insert_slice %c9 into %o9[27, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c10 = linalg.floor ins(%c9 : !t) outs(%e : !t) -> !t
  %o11 = tensor.insert_slice %c10 into %o10[30, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c11 = linalg.ceil ins(%c10 : !t) outs(%e : !t) -> !t
  %o12 = tensor.insert_slice %c11 into %o11[33, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c12 = linalg.exp ins(%c11 : !t) outs(%e : !t) -> !t
  %o13 = tensor.insert_slice %c12 into %o12[36, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c13 = linalg.tanh ins(%c12 : !t) outs(%e : !t) -> !t
  %o14 = tensor.insert_slice %c13 into %o13[39, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c14 = linalg.negf ins(%c13 : !t) outs(%e : !t) -> !t
  %o15 = tensor.insert_slice %c14 into %o14[42, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c15 = linalg.abs ins(%c14 : !t) outs(%e : !t) -> !t
  %o16 = tensor.insert_slice %c15 into %o15[45, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %r = linalg.negf ins(%o16 : !b) outs(%o16 : !b) -> !b
  %k = linalg.add ins(%c0, %c15 : !t, !t) outs(%e : !t) -> !t
  return %r, %k : !b, !t
}

// Where parts overlap, the later wins: all are computed outside, and copied in order.
// CHECK-LABEL: func.func @overlapping_parts(
// CHECK-NOT:     bufferization.to_tensor %{{.*}} restrict writable : memref<3x4x5xf32, strided
// CHECK-COUNT-16: bufferization.materialize_in_destination
// CHECK:         return
func.func @overlapping_parts(%x: !t, %y: !b) -> (!b) {
  %z = arith.constant 7.0 : f32
  %w = tensor.empty() : !b
  %o0 = linalg.fill ins(%z : f32) outs(%w : !b) -> !b
  %e = tensor.empty() : !t
  %c0 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o1 = tensor.insert_slice %c0 into %o0[0, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c1 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o2 = tensor.insert_slice %c1 into %o1[2, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c2 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o3 = tensor.insert_slice %c2 into %o2[4, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c3 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o4 = tensor.insert_slice %c3 into %o3[6, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c4 = linalg.floor ins(%x : !t) outs(%e : !t) -> !t
  %o5 = tensor.insert_slice %c4 into %o4[8, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c5 = linalg.ceil ins(%x : !t) outs(%e : !t) -> !t
  %o6 = tensor.insert_slice %c5 into %o5[10, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c6 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o7 = tensor.insert_slice %c6 into %o6[12, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c7 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o8 = tensor.insert_slice %c7 into %o7[14, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c8 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o9 = tensor.insert_slice %c8 into %o8[16, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c9 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o10 = tensor.insert_slice %c9 into %o9[18, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c10 = linalg.floor ins(%x : !t) outs(%e : !t) -> !t
  %o11 = tensor.insert_slice %c10 into %o10[20, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c11 = linalg.ceil ins(%x : !t) outs(%e : !t) -> !t
  %o12 = tensor.insert_slice %c11 into %o11[22, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c12 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o13 = tensor.insert_slice %c12 into %o12[24, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c13 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o14 = tensor.insert_slice %c13 into %o13[26, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c14 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o15 = tensor.insert_slice %c14 into %o14[28, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c15 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o16 = tensor.insert_slice %c15 into %o15[30, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  return %o16 : !b
}

// Parts that no op computes are copied.
// CHECK-LABEL: func.func @given_parts(
// CHECK:         memref.alloc()
// CHECK-COUNT-16: bufferization.materialize_in_destination %{{.*}} in writable
// CHECK:         return
func.func @given_parts(%x: !t, %y: !b) -> (!b) {
  %o0 = tensor.empty() : !b
  %o1 = tensor.insert_slice %x into %o0[0, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o2 = tensor.insert_slice %x into %o1[3, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o3 = tensor.insert_slice %x into %o2[6, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o4 = tensor.insert_slice %x into %o3[9, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o5 = tensor.insert_slice %x into %o4[12, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o6 = tensor.insert_slice %x into %o5[15, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o7 = tensor.insert_slice %x into %o6[18, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o8 = tensor.insert_slice %x into %o7[21, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o9 = tensor.insert_slice %x into %o8[24, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o10 = tensor.insert_slice %x into %o9[27, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o11 = tensor.insert_slice %x into %o10[30, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o12 = tensor.insert_slice %x into %o11[33, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o13 = tensor.insert_slice %x into %o12[36, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o14 = tensor.insert_slice %x into %o13[39, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o15 = tensor.insert_slice %x into %o14[42, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %o16 = tensor.insert_slice %x into %o15[45, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  return %o16 : !b
}

// Near misses.

// 15 insertions are left to the analysis.
// CHECK-LABEL: func.func @short_chain(
// CHECK-NOT:     memref.alloc
// CHECK-COUNT-15: tensor.insert_slice
// CHECK:         return
func.func @short_chain(%x: !t, %y: !b) -> (!b) {
  %z = arith.constant 7.0 : f32
  %w = tensor.empty() : !b
  %o0 = linalg.fill ins(%z : f32) outs(%w : !b) -> !b
  %e = tensor.empty() : !t
  %c0 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o1 = tensor.insert_slice %c0 into %o0[0, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c1 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o2 = tensor.insert_slice %c1 into %o1[3, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c2 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o3 = tensor.insert_slice %c2 into %o2[6, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c3 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o4 = tensor.insert_slice %c3 into %o3[9, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c4 = linalg.floor ins(%x : !t) outs(%e : !t) -> !t
  %o5 = tensor.insert_slice %c4 into %o4[12, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c5 = linalg.ceil ins(%x : !t) outs(%e : !t) -> !t
  %o6 = tensor.insert_slice %c5 into %o5[15, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c6 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o7 = tensor.insert_slice %c6 into %o6[18, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c7 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o8 = tensor.insert_slice %c7 into %o7[21, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c8 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o9 = tensor.insert_slice %c8 into %o8[24, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c9 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o10 = tensor.insert_slice %c9 into %o9[27, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c10 = linalg.floor ins(%x : !t) outs(%e : !t) -> !t
  %o11 = tensor.insert_slice %c10 into %o10[30, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c11 = linalg.ceil ins(%x : !t) outs(%e : !t) -> !t
  %o12 = tensor.insert_slice %c11 into %o11[33, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c12 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o13 = tensor.insert_slice %c12 into %o12[36, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c13 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o14 = tensor.insert_slice %c13 into %o13[39, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c14 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o15 = tensor.insert_slice %c14 into %o14[42, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  return %o15 : !b
}

// The chain does not begin with a new tensor.
// CHECK-LABEL: func.func @chain_into_argument(
// CHECK-NOT:     memref.alloc
// CHECK-COUNT-16: tensor.insert_slice
// CHECK:         return
func.func @chain_into_argument(%x: !t, %y: !b) -> (!b) {
  %o0 = linalg.exp ins(%y : !b) outs(%y : !b) -> !b
  %e = tensor.empty() : !t
  %c0 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o1 = tensor.insert_slice %c0 into %o0[0, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c1 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o2 = tensor.insert_slice %c1 into %o1[3, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c2 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o3 = tensor.insert_slice %c2 into %o2[6, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c3 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o4 = tensor.insert_slice %c3 into %o3[9, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c4 = linalg.floor ins(%x : !t) outs(%e : !t) -> !t
  %o5 = tensor.insert_slice %c4 into %o4[12, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c5 = linalg.ceil ins(%x : !t) outs(%e : !t) -> !t
  %o6 = tensor.insert_slice %c5 into %o5[15, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c6 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o7 = tensor.insert_slice %c6 into %o6[18, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c7 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o8 = tensor.insert_slice %c7 into %o7[21, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c8 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o9 = tensor.insert_slice %c8 into %o8[24, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c9 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o10 = tensor.insert_slice %c9 into %o9[27, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c10 = linalg.floor ins(%x : !t) outs(%e : !t) -> !t
  %o11 = tensor.insert_slice %c10 into %o10[30, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c11 = linalg.ceil ins(%x : !t) outs(%e : !t) -> !t
  %o12 = tensor.insert_slice %c11 into %o11[33, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c12 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %o13 = tensor.insert_slice %c12 into %o12[36, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c13 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
  %o14 = tensor.insert_slice %c13 into %o13[39, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c14 = linalg.negf ins(%x : !t) outs(%e : !t) -> !t
  %o15 = tensor.insert_slice %c14 into %o14[42, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  %c15 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
  %o16 = tensor.insert_slice %c15 into %o15[45, 0, 0] [3, 4, 5] [1, 1, 1] : !t into !b
  return %o16 : !b
}

// Two chains of another block that begin with one tensor.
// CHECK-LABEL: func.func @chains_of_another_block(
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     tensor.insert_slice
// CHECK:         return
func.func @chains_of_another_block(%p: tensor<2xf32>, %q: tensor<2xf32>) -> (tensor<32xf32>, tensor<32xf32>) {
  %e = tensor.empty() : tensor<32xf32>
  cf.br ^next
^next:
  %a0 = tensor.insert_slice %p into %e[0] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a1 = tensor.insert_slice %p into %a0[2] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a2 = tensor.insert_slice %p into %a1[4] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a3 = tensor.insert_slice %p into %a2[6] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a4 = tensor.insert_slice %p into %a3[8] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a5 = tensor.insert_slice %p into %a4[10] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a6 = tensor.insert_slice %p into %a5[12] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a7 = tensor.insert_slice %p into %a6[14] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a8 = tensor.insert_slice %p into %a7[16] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a9 = tensor.insert_slice %p into %a8[18] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a10 = tensor.insert_slice %p into %a9[20] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a11 = tensor.insert_slice %p into %a10[22] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a12 = tensor.insert_slice %p into %a11[24] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a13 = tensor.insert_slice %p into %a12[26] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a14 = tensor.insert_slice %p into %a13[28] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %a15 = tensor.insert_slice %p into %a14[30] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b0 = tensor.insert_slice %q into %e[0] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b1 = tensor.insert_slice %q into %b0[2] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b2 = tensor.insert_slice %q into %b1[4] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b3 = tensor.insert_slice %q into %b2[6] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b4 = tensor.insert_slice %q into %b3[8] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b5 = tensor.insert_slice %q into %b4[10] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b6 = tensor.insert_slice %q into %b5[12] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b7 = tensor.insert_slice %q into %b6[14] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b8 = tensor.insert_slice %q into %b7[16] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b9 = tensor.insert_slice %q into %b8[18] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b10 = tensor.insert_slice %q into %b9[20] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b11 = tensor.insert_slice %q into %b10[22] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b12 = tensor.insert_slice %q into %b11[24] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b13 = tensor.insert_slice %q into %b12[26] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b14 = tensor.insert_slice %q into %b13[28] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %b15 = tensor.insert_slice %q into %b14[30] [2] [1] : tensor<2xf32> into tensor<32xf32>
  return %a15, %b15 : tensor<32xf32>, tensor<32xf32>
}

// The chain begins with a tensor that is computed once, for all iterations.
// CHECK-LABEL: func.func @chain_in_loop(
// CHECK-NOT:     memref.alloc
// CHECK-COUNT-16: tensor.insert_slice
// CHECK:         return
func.func @chain_in_loop(%p: tensor<2xf32>, %y: tensor<34xf32>) -> tensor<34xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<34xf32>
  %s = linalg.exp ins(%y : tensor<34xf32>) outs(%e : tensor<34xf32>) -> tensor<34xf32>
  %r = scf.for %i = %i0 to %i3 step %i1 iter_args(%before = %y) -> tensor<34xf32> {
    %t = tensor.extract_slice %before[%i] [2] [1] : tensor<34xf32> to tensor<2xf32>
    %f = tensor.empty() : tensor<2xf32>
    %q = linalg.add ins(%t, %p : tensor<2xf32>, tensor<2xf32>) outs(%f : tensor<2xf32>) -> tensor<2xf32>
    %o0 = tensor.insert_slice %q into %s[0] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o1 = tensor.insert_slice %q into %o0[2] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o2 = tensor.insert_slice %q into %o1[4] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o3 = tensor.insert_slice %q into %o2[6] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o4 = tensor.insert_slice %q into %o3[8] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o5 = tensor.insert_slice %q into %o4[10] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o6 = tensor.insert_slice %q into %o5[12] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o7 = tensor.insert_slice %q into %o6[14] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o8 = tensor.insert_slice %q into %o7[16] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o9 = tensor.insert_slice %q into %o8[18] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o10 = tensor.insert_slice %q into %o9[20] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o11 = tensor.insert_slice %q into %o10[22] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o12 = tensor.insert_slice %q into %o11[24] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o13 = tensor.insert_slice %q into %o12[26] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o14 = tensor.insert_slice %q into %o13[28] [2] [1] : tensor<2xf32> into tensor<34xf32>
    %o15 = tensor.insert_slice %q into %o14[30] [2] [1] : tensor<2xf32> into tensor<34xf32>
    scf.yield %o15 : tensor<34xf32>
  }
  return %r : tensor<34xf32>
}
