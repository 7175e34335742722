// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-reuse-residuals | FileCheck %s

// An op writes over a buffer that is freed behind it.

// CHECK-LABEL: func.func @freed(
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() {bufferization.manual_deallocation}
// CHECK-NEXT:    "test.write"(%[[A]])
// CHECK-NEXT:    fusion.fused_matmul_bias_act {{.*}} residual(%[[A]] : memref<6x5xf32>) outs(%[[A]] :
// CHECK-NEXT:    "test.read"(%[[A]])
// CHECK-NEXT:    memref.dealloc %[[A]] {bufferization.manual_deallocation}
// CHECK-NEXT:    return
func.func @freed(%x: memref<6x5xf32>, %w: memref<5x5xf32>) {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  "test.write"(%a) : (memref<6x5xf32>) -> ()
  %b = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  fusion.fused_matmul_bias_act ins(%x, %w : memref<6x5xf32>, memref<5x5xf32>) residual(%a : memref<6x5xf32>) outs(%b : memref<6x5xf32>)
  memref.dealloc %a {bufferization.manual_deallocation} : memref<6x5xf32>
  "test.read"(%b) : (memref<6x5xf32>) -> ()
  memref.dealloc %b {bufferization.manual_deallocation} : memref<6x5xf32>
  return
}

// A result that the function returns is for upstream's passes.
// CHECK-LABEL: func.func @returned(
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() : memref
// CHECK-NEXT:    "test.write"
// CHECK-NEXT:    fusion.fused_matmul_bias_act
// CHECK-NEXT:    return %[[A]]
func.func @returned(%x: memref<6x5xf32>, %w: memref<5x5xf32>) -> memref<6x5xf32> {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  "test.write"(%a) : (memref<6x5xf32>) -> ()
  %b = memref.alloc() : memref<6x5xf32>
  fusion.fused_matmul_bias_act ins(%x, %w : memref<6x5xf32>, memref<5x5xf32>) residual(%a : memref<6x5xf32>) outs(%b : memref<6x5xf32>)
  memref.dealloc %a {bufferization.manual_deallocation} : memref<6x5xf32>
  return %b : memref<6x5xf32>
}

// The whole buffer is freed behind the last use of its view. Another buffer may be freed
// in between.
// CHECK-LABEL: func.func @view(
// CHECK-NEXT:    %[[C:.*]] = memref.alloc()
// CHECK-NEXT:    %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    "test.write"
// CHECK-NEXT:    %[[V:.*]] = memref.collapse_shape %[[A]]
// CHECK-NEXT:    fusion.fused_matmul_bias_act ins(%[[C]], {{.*}} residual(%[[V]] : memref<6x5xf32>) outs(%[[V]] :
// CHECK-NEXT:    memref.dealloc %[[C]]
// CHECK-NEXT:    "test.read"(%[[V]])
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @view(%x: memref<6x5xf32>, %w: memref<5x5xf32>) {
  %c = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<2x3x5xf32>
  "test.write"(%a) : (memref<2x3x5xf32>) -> ()
  %v = memref.collapse_shape %a [[0, 1], [2]] : memref<2x3x5xf32> into memref<6x5xf32>
  %b = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  fusion.fused_matmul_bias_act ins(%c, %w : memref<6x5xf32>, memref<5x5xf32>) residual(%v : memref<6x5xf32>) outs(%b : memref<6x5xf32>)
  memref.dealloc %c {bufferization.manual_deallocation} : memref<6x5xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<2x3x5xf32>
  "test.read"(%b) : (memref<6x5xf32>) -> ()
  memref.dealloc %b {bufferization.manual_deallocation} : memref<6x5xf32>
  return
}

// All others stay. This residual is read later.
// CHECK-LABEL: func.func @read_later(
// CHECK:         residual(%[[A:.*]] : memref<6x5xf32>) outs(%[[B:.*]] :
// CHECK-NEXT:    "test.read"(%[[B]])
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    "test.read"(%[[A]])
// CHECK-NEXT:    memref.dealloc %[[A]]
func.func @read_later(%x: memref<6x5xf32>, %w: memref<5x5xf32>) {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  "test.write"(%a) : (memref<6x5xf32>) -> ()
  %b = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  fusion.fused_matmul_bias_act ins(%x, %w : memref<6x5xf32>, memref<5x5xf32>) residual(%a : memref<6x5xf32>) outs(%b : memref<6x5xf32>)
  "test.read"(%b) : (memref<6x5xf32>) -> ()
  memref.dealloc %b {bufferization.manual_deallocation} : memref<6x5xf32>
  "test.read"(%a) : (memref<6x5xf32>) -> ()
  memref.dealloc %a {bufferization.manual_deallocation} : memref<6x5xf32>
  return
}

// The input is a part of the buffer, too.
// CHECK-LABEL: func.func @input_too(
// CHECK:         memref.alloc()
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK:         residual({{.*}} outs(%[[B]] :
func.func @input_too(%x: memref<6x5xf32>, %w: memref<5x5xf32>) {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  "test.write"(%a) : (memref<6x5xf32>) -> ()
  %b = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  %v = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 3, 5] : memref<6x5xf32> into memref<2x3x5xf32>
  %u = memref.collapse_shape %v [[0, 1], [2]] : memref<2x3x5xf32> into memref<6x5xf32>
  fusion.fused_matmul_bias_act ins(%u, %w : memref<6x5xf32>, memref<5x5xf32>) residual(%a : memref<6x5xf32>) outs(%b : memref<6x5xf32>)
  memref.dealloc %a {bufferization.manual_deallocation} : memref<6x5xf32>
  "test.read"(%b) : (memref<6x5xf32>) -> ()
  memref.dealloc %b {bufferization.manual_deallocation} : memref<6x5xf32>
  return
}

// The destination is in use before.
// CHECK-LABEL: func.func @used_before(
// CHECK:         memref.alloc()
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK-NEXT:    "test.read"(%[[B]])
// CHECK-NEXT:    fusion.fused_matmul_bias_act {{.*}} outs(%[[B]] :
func.func @used_before(%x: memref<6x5xf32>, %w: memref<5x5xf32>) {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  "test.write"(%a) : (memref<6x5xf32>) -> ()
  %b = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  "test.read"(%b) : (memref<6x5xf32>) -> ()
  fusion.fused_matmul_bias_act ins(%x, %w : memref<6x5xf32>, memref<5x5xf32>) residual(%a : memref<6x5xf32>) outs(%b : memref<6x5xf32>)
  memref.dealloc %a {bufferization.manual_deallocation} : memref<6x5xf32>
  "test.read"(%b) : (memref<6x5xf32>) -> ()
  memref.dealloc %b {bufferization.manual_deallocation} : memref<6x5xf32>
  return
}

// There may be other names for a buffer that somebody else frees.
// CHECK-LABEL: func.func @not_marked(
// CHECK:         memref.alloc()
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK-NEXT:    fusion.fused_matmul_bias_act {{.*}} outs(%[[B]] :
func.func @not_marked(%x: memref<6x5xf32>, %w: memref<5x5xf32>) {
  %a = memref.alloc() : memref<6x5xf32>
  "test.write"(%a) : (memref<6x5xf32>) -> ()
  %b = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  fusion.fused_matmul_bias_act ins(%x, %w : memref<6x5xf32>, memref<5x5xf32>) residual(%a : memref<6x5xf32>) outs(%b : memref<6x5xf32>)
  memref.dealloc %a : memref<6x5xf32>
  "test.read"(%b) : (memref<6x5xf32>) -> ()
  memref.dealloc %b {bufferization.manual_deallocation} : memref<6x5xf32>
  return
}

// The residual is a part of a larger buffer.
// CHECK-LABEL: func.func @larger(
// CHECK:         memref.alloc()
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK-NEXT:    fusion.fused_matmul_bias_act {{.*}} outs(%[[B]] :
func.func @larger(%x: memref<6x5xf32>, %w: memref<5x5xf32>) {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<240xi8>
  %i0 = arith.constant 0 : index
  %v = memref.view %a[%i0][] : memref<240xi8> to memref<6x5xf32>
  "test.write"(%v) : (memref<6x5xf32>) -> ()
  %b = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  fusion.fused_matmul_bias_act ins(%x, %w : memref<6x5xf32>, memref<5x5xf32>) residual(%v : memref<6x5xf32>) outs(%b : memref<6x5xf32>)
  memref.dealloc %a {bufferization.manual_deallocation} : memref<240xi8>
  "test.read"(%b) : (memref<6x5xf32>) -> ()
  memref.dealloc %b {bufferization.manual_deallocation} : memref<6x5xf32>
  return
}

// Another alignment.
// CHECK-LABEL: func.func @alignment(
// CHECK:         memref.alloc()
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK-NEXT:    fusion.fused_matmul_bias_act {{.*}} outs(%[[B]] :
func.func @alignment(%x: memref<6x5xf32>, %w: memref<5x5xf32>) {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<6x5xf32>
  "test.write"(%a) : (memref<6x5xf32>) -> ()
  %b = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation} : memref<6x5xf32>
  fusion.fused_matmul_bias_act ins(%x, %w : memref<6x5xf32>, memref<5x5xf32>) residual(%a : memref<6x5xf32>) outs(%b : memref<6x5xf32>)
  memref.dealloc %a {bufferization.manual_deallocation} : memref<6x5xf32>
  "test.read"(%b) : (memref<6x5xf32>) -> ()
  memref.dealloc %b {bufferization.manual_deallocation} : memref<6x5xf32>
  return
}
