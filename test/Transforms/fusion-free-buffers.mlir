// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-free-buffers | FileCheck %s

// A buffer that does not leave its block is freed behind its last use, which may be that
// of a view.
// CHECK-LABEL: func.func @local(
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() {bufferization.manual_deallocation} : memref<4x5xf32>
// CHECK-NEXT:    memref.subview
// CHECK-NEXT:    "test.use"
// CHECK-NEXT:    memref.dealloc %[[A]] {bufferization.manual_deallocation}
// CHECK-NEXT:    "test.other"
func.func @local() {
  %a = memref.alloc() : memref<4x5xf32>
  %v = memref.subview %a[1, 0] [2, 5] [1, 1] : memref<4x5xf32> to memref<2x5xf32, strided<[5, 1], offset: 5>>
  "test.use"(%v) : (memref<2x5xf32, strided<[5, 1], offset: 5>>) -> ()
  "test.other"() : () -> ()
  return
}

// Behind the loop that uses it.
// CHECK-LABEL: func.func @in_loop(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      "test.use"
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %[[A]]
func.func @in_loop(%n: index) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %i0 to %n step %i1 {
    "test.use"(%a) : (memref<4xf32>) -> ()
  }
  "test.other"() : () -> ()
  return
}

// Also in a function that gets it and returns nothing of it.
// CHECK-LABEL: func.func @passed(
// CHECK:         call @callee
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func private @callee(memref<4xf32>)
func.func @passed() {
  %a = memref.alloc() : memref<4xf32>
  call @callee(%a) : (memref<4xf32>) -> ()
  return
}

// An op that frees it already moves up; it needs no mark.
// CHECK-LABEL: func.func @freed(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    "test.use"
// CHECK-NEXT:    memref.dealloc %[[A]] : memref<4xf32>
// CHECK-NEXT:    "test.other"
// CHECK-NEXT:    return
func.func @freed() {
  %a = memref.alloc() : memref<4xf32>
  "test.use"(%a) : (memref<4xf32>) -> ()
  "test.other"() : () -> ()
  memref.dealloc %a : memref<4xf32>
  return
}

// Near misses.

// CHECK-LABEL: func.func @returned(
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @returned() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  "test.use"(%a) : (memref<4xf32>) -> ()
  return %a : memref<4xf32>
}

// CHECK-LABEL: func.func @view_returned(
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @view_returned() -> memref<2x2xf32> {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  return %v : memref<2x2xf32>
}

// The callee may return its argument.
// CHECK-LABEL: func.func @through_call(
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func private @same(memref<4xf32>) -> memref<4xf32>
func.func @through_call() {
  %a = memref.alloc() : memref<4xf32>
  %b = call @same(%a) : (memref<4xf32>) -> memref<4xf32>
  "test.use"(%b) : (memref<4xf32>) -> ()
  return
}

// One of two buffers: upstream's pass knows when which is freed.
// CHECK-LABEL: func.func @selected(
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @selected(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  "test.use"(%s) : (memref<4xf32>) -> ()
  return
}

// Yielded, to the next iteration or out of the loop.
// CHECK-LABEL: func.func @yielded(
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @yielded(%n: index) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%s = %a) -> memref<4xf32> {
    "test.use"(%s) : (memref<4xf32>) -> ()
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  "test.use"(%r) : (memref<4xf32>) -> ()
  return
}

// Freed in a branch only.
// CHECK-LABEL: func.func @freed_in_branch(
// CHECK:         scf.if
// CHECK-NEXT:      memref.dealloc
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @freed_in_branch(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  "test.use"(%a) : (memref<4xf32>) -> ()
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Freed in one branch or the other.
// CHECK-LABEL: func.func @freed_twice(
// CHECK:         scf.if
// CHECK-NEXT:      memref.dealloc
// CHECK-NEXT:    } else {
// CHECK-NEXT:      memref.dealloc
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @freed_twice(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  "test.use"(%a) : (memref<4xf32>) -> ()
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Another block uses it.
// CHECK-LABEL: func.func @used_in_another_block(
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @used_in_another_block(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  "test.use"(%a) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^one, ^two
^one:
  "test.use"(%a) : (memref<4xf32>) -> ()
  return
^two:
  return
}
