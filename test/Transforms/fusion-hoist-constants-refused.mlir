// RUN: fusion-opt %s --fusion-hoist-constants | FileCheck %s
// RUN: fusion-opt %s --fusion-hoist-constants > %t.out
// RUN: sed 's/bufferization.writable = false, //g' %t.out > %t.hoisted
// RUN: fusion-opt %s > %t.same
// RUN: cmp %t.hoisted %t.same

// `fusion-hoist-constants` leaves this file unchanged, but for the attribute that lets
// nothing write to constants.

// CHECK-NOT: fusion.rt.once

// No argument is marked.
// CHECK-LABEL: func @no_constants(
// CHECK-NOT: fusion.rt.once
func.func @no_constants(%x: tensor<5x3xf32>, %w: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %e = math.exp %w : tensor<5x3xf32>
  %r = arith.addf %x, %e : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// CHECK-LABEL: func @dynamic_argument(
// CHECK-NOT: fusion.rt.once
func.func @dynamic_argument(%x: tensor<?x3xf32>, %w: tensor<?x3xf32> {fusion.constant}) -> tensor<?x3xf32> {
  %e = math.exp %w : tensor<?x3xf32>
  %r = arith.addf %x, %e : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// CHECK-LABEL: func @dynamic_result(
// CHECK-NOT: fusion.rt.once
func.func @dynamic_result(%x: tensor<?x3xf32>, %w: tensor<5x3xf32> {fusion.constant}, %n: tensor<index> {fusion.constant}) -> tensor<?x3xf32> {
  %i = tensor.extract %n[] : tensor<index>
  %s = tensor.extract_slice %w[0, 0] [%i, 3] [1, 1] : tensor<5x3xf32> to tensor<?x3xf32>
  %r = arith.addf %x, %s : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// An argument that is not constant is read too, directly or inside a region.
// CHECK-LABEL: func @reads_another(
// CHECK-NOT: fusion.rt.once
func.func @reads_another(%x: tensor<5x3xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<5x3xf32> {
  %r = arith.addf %x, %w : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// CHECK-LABEL: func @reads_another_in_its_body(
// CHECK-NOT: fusion.rt.once
func.func @reads_another_in_its_body(%s: f32, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<5x3xf32> {
  %e = tensor.empty() : tensor<5x3xf32>
  %r = linalg.map ins(%w : tensor<5x3xf32>) outs(%e : tensor<5x3xf32>)
    (%a: f32, %b: f32) {
      %m = arith.mulf %a, %s : f32
      linalg.yield %m : f32
    }
  return %r : tensor<5x3xf32>
}

// CHECK-LABEL: func @reshape_of_an_argument(
// CHECK-NOT: fusion.rt.once
func.func @reshape_of_an_argument(%x: tensor<15x1xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<15x1xf32> {
  %c = tensor.collapse_shape %w [[0, 1]] : tensor<5x3xf32> into tensor<15xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [15, 1] : tensor<15xf32> into tensor<15x1xf32>
  %r = arith.addf %x, %e : tensor<15x1xf32>
  return %r : tensor<15x1xf32>
}

// Constants alone: no argument flows into it.
// CHECK-LABEL: func @zero_fill(
// CHECK-NOT: fusion.rt.once
func.func @zero_fill(%x: tensor<5x3xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x3xf32>) -> tensor<5x3xf32>
  %r = arith.addf %x, %f : tensor<5x3xf32>
  return %r, %w : tensor<5x3xf32>, tensor<5x3xf32>
}

// CHECK-LABEL: func @side_effect(
// CHECK-NOT: fusion.rt.once
func.func @side_effect(%x: tensor<5x3xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x3xf32>
  %c = linalg.map ins(%w : tensor<5x3xf32>) outs(%e : tensor<5x3xf32>)
    (%a: f32, %b: f32) {
      %positive = arith.cmpf ogt, %a, %zero : f32
      cf.assert %positive, "not positive"
      linalg.yield %a : f32
    }
  %r = arith.addf %x, %c : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// CHECK-LABEL: func @scalar(
// CHECK-NOT: fusion.rt.once
func.func @scalar(%w: tensor<5xf32> {fusion.constant}, %s: f32 {fusion.constant}) -> (f32, f32) {
  %i = arith.constant 2 : index
  %a = tensor.extract %w[%i] : tensor<5xf32>
  %b = math.exp %a : f32
  %c = math.exp %s : f32
  return %b, %c : f32, f32
}

// Nobody needs it.
// CHECK-LABEL: func @unused(
// CHECK-NOT: fusion.rt.once
func.func @unused(%x: tensor<5x3xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<5x3xf32> {
  %e = math.exp %w : tensor<5x3xf32>
  return %x : tensor<5x3xf32>
}

// CHECK-LABEL: func private @declared(
// CHECK-NOT: fusion.rt.once
func.func private @declared(%w: tensor<5x3xf32> {fusion.constant}) -> tensor<5x3xf32>

// Computed from constants, and no filter: it would take memory for as long as the process lives.
// CHECK-LABEL: func @no_filter(
// CHECK-NOT: fusion.rt.once
func.func @no_filter(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %c = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %0 = tensor.empty() : tensor<5x3xf32>
  %broadcasted = linalg.broadcast ins(%c : tensor<3xf32>) outs(%0 : tensor<5x3xf32>) dimensions = [0]
  %r = arith.addf %x, %broadcasted : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// A division may fail, and the assertion in front of it says when.
// CHECK-LABEL: func @division(
// CHECK-NOT: fusion.rt.once
func.func @division(%x: tensor<5xi32>, %d: tensor<5xi32> {fusion.constant}, %ok: i1) -> tensor<5xi32> {
  cf.assert %ok, "no division"
  %c = arith.constant dense<[5, 4, 3, 2, 1]> : tensor<5xi32>
  %q = arith.divsi %c, %d : tensor<5xi32>
  %r = arith.addi %x, %q : tensor<5xi32>
  return %r : tensor<5xi32>
}
