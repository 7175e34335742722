// RUN: fusion-opt %s --split-input-file --verify-diagnostics | fusion-opt --split-input-file | FileCheck %s

// `fusion.rt.parallel_for`: round trip and what it refuses.

func.func private @body(index, index, memref<8xf32>, f32)
func.func private @alone(index, index)

// CHECK-LABEL: func @loops(
// CHECK-SAME:    %[[N:.*]]: index, %[[G:.*]]: index, %[[X:.*]]: memref<8xf32>, %[[F:.*]]: f32
// CHECK-NEXT:    fusion.rt.parallel_for @body for %[[N]] grain %[[G]](%[[X]], %[[F]]) : memref<8xf32>, f32
// CHECK-NEXT:    fusion.rt.parallel_for @alone for %[[N]] grain %[[G]](){{$}}
func.func @loops(%n: index, %g: index, %x: memref<8xf32>, %f: f32) {
  fusion.rt.parallel_for @body for %n grain %g(%x, %f) : memref<8xf32>, f32
  fusion.rt.parallel_for @alone for %n grain %g()
  return
}

// -----

func.func @no_function(%n: index) {
  // expected-error@below {{'callee' must name a function, got @nowhere}}
  fusion.rt.parallel_for @nowhere for %n grain %n()
  return
}

// -----

func.func private @body(index, index)
func.func @other_captures(%n: index) {
  // expected-error@below {{'callee' must take two indices and 'captures' and return nothing, got @body}}
  fusion.rt.parallel_for @body for %n grain %n(%n) : index
  return
}

// -----

func.func private @body(index, index) -> index
func.func @result(%n: index) {
  // expected-error@below {{'callee' must take two indices and 'captures' and return nothing, got @body}}
  fusion.rt.parallel_for @body for %n grain %n()
  return
}
