// RUN: fusion-opt %s --fusion-compile | FileCheck %s
// RUN: fusion-opt %s --fusion-compile=precision=bf16 | FileCheck %s

// A call allocates its result and nothing else: intermediate values are in the arena
// that the runtime keeps.

// CHECK-LABEL: llvm.func @main(
// CHECK:         llvm.call @fusion_rt_arena_begin_checked(
// CHECK-COUNT-1: llvm.call @malloc(
// CHECK-NOT:     llvm.call @malloc(
// CHECK-NOT:     llvm.call @free(
// CHECK:         llvm.call @fusion_rt_arena_end_checked(
// CHECK-NOT:     llvm.call @malloc(
// CHECK:         llvm.return
func.func @main(%x: tensor<1x3x9x11xf32>, %w: tensor<8x3x3x3xf32> {fusion.constant}, %v: tensor<8x8x1x1xf32> {fusion.constant}) -> tensor<1x8x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x8x7x9xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x7x9xf32>) -> tensor<1x8x7x9xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<8x3x3x3xf32>) outs(%z : tensor<1x8x7x9xf32>) -> tensor<1x8x7x9xf32>
  %r = linalg.max ins(%a, %z : tensor<1x8x7x9xf32>, tensor<1x8x7x9xf32>) outs(%e : tensor<1x8x7x9xf32>) -> tensor<1x8x7x9xf32>
  %b = linalg.conv_2d_nchw_fchw ins(%r, %v : tensor<1x8x7x9xf32>, tensor<8x8x1x1xf32>) outs(%z : tensor<1x8x7x9xf32>) -> tensor<1x8x7x9xf32>
  %s = linalg.add ins(%b, %r : tensor<1x8x7x9xf32>, tensor<1x8x7x9xf32>) outs(%e : tensor<1x8x7x9xf32>) -> tensor<1x8x7x9xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %o = tensor.empty() : tensor<1x8x3x4xf32>
  %f = linalg.fill ins(%lowest : f32) outs(%o : tensor<1x8x3x4xf32>) -> tensor<1x8x3x4xf32>
  %p = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%s, %window : tensor<1x8x7x9xf32>, tensor<3x3xf32>) outs(%f : tensor<1x8x3x4xf32>) -> tensor<1x8x3x4xf32>
  return %p : tensor<1x8x3x4xf32>
}

// The same for a dynamic batch.
// CHECK-LABEL: llvm.func @dynamic_batch(
// CHECK-NOT:     llvm.call @malloc(
// CHECK:         llvm.call @fusion_rt_arena_begin_checked(
// CHECK-COUNT-1: llvm.call @malloc(
// CHECK-NOT:     llvm.call @malloc(
// CHECK-NOT:     llvm.call @free(
// CHECK:         llvm.call @fusion_rt_arena_end_checked(
// CHECK-NOT:     llvm.call @malloc(
// CHECK:         llvm.return
func.func @dynamic_batch(%x: tensor<?x9x11x3xf32>, %w: tensor<8x3x3x3xf32> {fusion.constant}, %v: tensor<8x1x1x8xf32> {fusion.constant}) -> tensor<?x7x9x8xf32> {
  %zero = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %n = tensor.dim %x, %i : tensor<?x9x11x3xf32>
  %e = tensor.empty(%n) : tensor<?x7x9x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x7x9x8xf32>) -> tensor<?x7x9x8xf32>
  %a = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<?x9x11x3xf32>, tensor<8x3x3x3xf32>) outs(%z : tensor<?x7x9x8xf32>) -> tensor<?x7x9x8xf32>
  %m = tensor.dim %a, %i : tensor<?x7x9x8xf32>
  %f = tensor.empty(%m) : tensor<?x7x9x8xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<?x7x9x8xf32>) -> tensor<?x7x9x8xf32>
  %b = linalg.conv_2d_nhwc_fhwc ins(%a, %v : tensor<?x7x9x8xf32>, tensor<8x1x1x8xf32>) outs(%y : tensor<?x7x9x8xf32>) -> tensor<?x7x9x8xf32>
  return %b : tensor<?x7x9x8xf32>
}
