// RUN: fusion-opt %s --fusion-plan-memory --split-input-file --verify-diagnostics

// Allocations that would wrap around to small ones: 2^62 times 4 bytes, and one whose number
// of elements is 0 modulo 2^64.

func.func @bytes() {
  // expected-error @below {{a buffer must have at most 2^47 bytes, got 'memref<4611686018427387904xf32>'}}
  %a = memref.alloc() : memref<4611686018427387904xf32>
  memref.dealloc %a : memref<4611686018427387904xf32>
  return
}

// -----

func.func @elements() -> memref<4294967296x8x536870912xi8> {
  // expected-error @below {{a buffer must have at most 2^47 bytes, got 'memref<4294967296x8x536870912xi8>'}}
  %a = memref.alloc() : memref<4294967296x8x536870912xi8>
  return %a : memref<4294967296x8x536870912xi8>
}

// -----

// Nothing, however many there are of it.
func.func @empty() {
  %a = memref.alloc() : memref<4611686018427387904x0xf32>
  memref.dealloc %a : memref<4611686018427387904x0xf32>
  return
}
