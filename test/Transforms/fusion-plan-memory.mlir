// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-plan-memory | FileCheck %s
// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-plan-memory --remarks-filter='fusion.*' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Buffers of one call share an arena, and memory where their lives do not overlap.

// Each buffer of a chain overlaps the next only: the third takes the place of the
// first, and the arena has the size of the two largest neighbours.
// CHECK-LABEL: func @chain(
// CHECK:         %[[ARENA:.*]] = fusion.rt.arena_begin : memref<1536xi8>
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[A:.*]] = memref.view %[[ARENA]][%[[ZERO]]][] : memref<1536xi8> to memref<4x64xf32>
// CHECK-NEXT:    "test.write"(%[[A]])
// CHECK:         %[[AT:.*]] = arith.constant 1024 : index
// CHECK-NEXT:    %[[B:.*]] = memref.view %[[ARENA]][%[[AT]]][] : memref<1536xi8> to memref<128xf32>
// CHECK-NEXT:    "test.use"(%[[A]], %[[B]])
// CHECK:         %[[AGAIN:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[C:.*]] = memref.view %[[ARENA]][%[[AGAIN]]][] : memref<1536xi8> to memref<64xf32>
// CHECK-NEXT:    "test.use"(%[[B]], %[[C]])
// CHECK-NEXT:    "test.read"(%[[C]])
// CHECK-NEXT:    fusion.rt.arena_end %[[ARENA]] : memref<1536xi8>
// CHECK-NOT:     memref.dealloc
// REMARK: fusion-plan-memory.mlir:{{.*}}: remark: {{.*}}an arena of 1536 bytes for 3 buffers of 1792 bytes
func.func @chain() {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4x64xf32>
  "test.write"(%a) : (memref<4x64xf32>) -> ()
  %b = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
  "test.use"(%a, %b) : (memref<4x64xf32>, memref<128xf32>) -> ()
  memref.dealloc %a : memref<4x64xf32>
  %c = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  "test.use"(%b, %c) : (memref<128xf32>, memref<64xf32>) -> ()
  memref.dealloc %b : memref<128xf32>
  "test.read"(%c) : (memref<64xf32>) -> ()
  memref.dealloc %c : memref<64xf32>
  return
}

// The largest comes first, whatever the order in the program; a small one goes into
// the gap that is free for as long as it lives. Sizes are rounded up to 64 bytes.
// CHECK-LABEL: func @gap(
// CHECK:         fusion.rt.arena_begin : memref<576xi8>
// CHECK:         arith.constant 512 : index
// CHECK-NEXT:    memref.view {{.*}} to memref<3xf32>
// CHECK:         arith.constant 0 : index
// CHECK-NEXT:    memref.view {{.*}} to memref<512xi8>
// CHECK:         arith.constant 0 : index
// CHECK-NEXT:    memref.view {{.*}} to memref<5xbf16>
// CHECK:         arith.constant 64 : index
// CHECK-NEXT:    memref.view {{.*}} to memref<16xi1>
func.func @gap() {
  %small = memref.alloc() : memref<3xf32>
  %large = memref.alloc() : memref<512xi8>
  "test.use"(%small, %large) : (memref<3xf32>, memref<512xi8>) -> ()
  memref.dealloc %large : memref<512xi8>
  %narrow = memref.alloc() : memref<5xbf16>
  %bits = memref.alloc() : memref<16xi1>
  "test.use"(%narrow, %bits) : (memref<5xbf16>, memref<16xi1>) -> ()
  memref.dealloc %bits : memref<16xi1>
  memref.dealloc %narrow : memref<5xbf16>
  memref.dealloc %small : memref<3xf32>
  return
}

// Each iteration has an arena of its own.
// CHECK-LABEL: func @loop(
// CHECK:         scf.for
// CHECK:           %[[ARENA:.*]] = fusion.rt.arena_begin : memref<1024xi8>
// CHECK:           "test.use"
// CHECK:           fusion.rt.arena_end %[[ARENA]]
// CHECK-NEXT:    }
// REMARK: an arena of 1024 bytes for 2 buffers of 1024 bytes
func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
    "test.write"(%a) : (memref<128xf32>) -> ()
    %b = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
    "test.use"(%a, %b) : (memref<128xf32>, memref<128xf32>) -> ()
    memref.dealloc %a : memref<128xf32>
    memref.dealloc %b : memref<128xf32>
  }
  return
}

// A buffer stays if it is returned, of dynamic size, freed elsewhere, in another memory
// space, laid out by a map, or asks for more alignment.
// CHECK-LABEL: func @others(
// CHECK-NOT:     fusion.rt
func.func @others(%n: index, %condition: i1) -> memref<8xf32> {
  %returned = memref.alloc() : memref<8xf32>
  %dynamic = memref.alloc(%n) : memref<?xf32>
  "test.write"(%dynamic) : (memref<?xf32>) -> ()
  memref.dealloc %dynamic : memref<?xf32>
  %elsewhere = memref.alloc() : memref<4xf32>
  scf.if %condition {
    memref.dealloc %elsewhere : memref<4xf32>
  }
  %space = memref.alloc() : memref<4xf32, 1>
  memref.dealloc %space : memref<4xf32, 1>
  %mapped = memref.alloc() : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>
  memref.dealloc %mapped : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>
  %aligned = memref.alloc() {alignment = 4096 : i64} : memref<4xf32>
  memref.dealloc %aligned : memref<4xf32>
  return %returned : memref<8xf32>
}

// CHECK-LABEL: func private @declared
func.func private @declared()

// LLVM aligns integers as those of the next power of two.
// CHECK-LABEL: func @odd_widths(
// CHECK:         fusion.rt.arena_begin : memref<1280xi8>
// CHECK:         arith.constant 1024 : index
// CHECK-NEXT:    memref.view {{.*}} to memref<64xi24>
// CHECK:         arith.constant 0 : index
// CHECK-NEXT:    memref.view {{.*}} to memref<64xi40>
// CHECK:         arith.constant 512 : index
// CHECK-NEXT:    memref.view {{.*}} to memref<64xi48>
func.func @odd_widths() {
  %a = memref.alloc() : memref<64xi24>
  %b = memref.alloc() : memref<64xi40>
  %c = memref.alloc() : memref<64xi48>
  "test.use"(%a, %b, %c) : (memref<64xi24>, memref<64xi40>, memref<64xi48>) -> ()
  memref.dealloc %c : memref<64xi48>
  memref.dealloc %b : memref<64xi40>
  memref.dealloc %a : memref<64xi24>
  return
}
