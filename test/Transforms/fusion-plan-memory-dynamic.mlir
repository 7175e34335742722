// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-plan-memory | FileCheck %s
// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-plan-memory --remarks-filter='fusion.*' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Buffers of which one size is dynamic.

// A chain of three, as in fusion-plan-memory.mlir: places are multiples of the batch.
// CHECK-LABEL: func @batch(
// CHECK-SAME:    %[[N:.*]]: index)
// CHECK:         %[[UNIT:.*]] = arith.constant 1536 : index
// CHECK-NEXT:    %[[SIZE:.*]] = arith.muli %[[N]], %[[UNIT]] : index
// CHECK-NEXT:    %[[ARENA:.*]] = fusion.rt.arena_begin(%[[SIZE]]) : memref<?xi8>
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[A:.*]] = memref.view %[[ARENA]][%[[ZERO]]][%[[N]]] : memref<?xi8> to memref<4x?x64xf32>
// CHECK-NEXT:    "test.write"(%[[A]])
// CHECK-NEXT:    %[[PLACE:.*]] = arith.constant 1024 : index
// CHECK-NEXT:    %[[AT:.*]] = arith.muli %[[N]], %[[PLACE]] : index
// CHECK-NEXT:    %[[B:.*]] = memref.view %[[ARENA]][%[[AT]]][%[[N]]] : memref<?xi8> to memref<?x120xf32>
// CHECK-NEXT:    "test.use"(%[[A]], %[[B]])
// CHECK-NEXT:    %[[AGAIN:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[C:.*]] = memref.view %[[ARENA]][%[[AGAIN]]][%[[N]]] : memref<?xi8> to memref<?x64xf32>
// CHECK-NEXT:    "test.use"(%[[B]], %[[C]])
// CHECK-NEXT:    "test.read"(%[[C]])
// CHECK-NEXT:    fusion.rt.arena_end %[[ARENA]] : memref<?xi8>
// CHECK-NOT:     memref.dealloc
// REMARK: fusion-plan-memory-dynamic.mlir:{{.*}}: remark: {{.*}}an arena of 1536 bytes for each unit of a dynamic size for 3 buffers of 1792 bytes
func.func @batch(%n: index) {
  %a = memref.alloc(%n) {alignment = 64 : i64} : memref<4x?x64xf32>
  "test.write"(%a) : (memref<4x?x64xf32>) -> ()
  %b = memref.alloc(%n) {alignment = 64 : i64} : memref<?x120xf32>
  "test.use"(%a, %b) : (memref<4x?x64xf32>, memref<?x120xf32>) -> ()
  memref.dealloc %a : memref<4x?x64xf32>
  %c = memref.alloc(%n) {alignment = 64 : i64} : memref<?x64xf32>
  "test.use"(%b, %c) : (memref<?x120xf32>, memref<?x64xf32>) -> ()
  memref.dealloc %b : memref<?x120xf32>
  "test.read"(%c) : (memref<?x64xf32>) -> ()
  memref.dealloc %c : memref<?x64xf32>
  return
}

// The buffers of each dynamic size have a part of the arena for themselves, and those
// of static size have the first part.
// CHECK-LABEL: func @three_parts(
// CHECK-SAME:    %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK:         %[[OF_N:.*]] = arith.muli %[[N]], %{{.*}} : index
// CHECK-NEXT:    %[[STATIC:.*]] = arith.constant 256 : index
// CHECK-NEXT:    %[[AND_N:.*]] = arith.addi %[[STATIC]], %[[OF_N]] : index
// CHECK-NEXT:    %[[C1280:.*]] = arith.constant 1280 : index
// CHECK-NEXT:    %[[OF_M:.*]] = arith.muli %[[M]], %[[C1280]] : index
// CHECK-NEXT:    %[[ALL:.*]] = arith.addi %[[AND_N]], %[[OF_M]] : index
// CHECK-NEXT:    %[[ARENA:.*]] = fusion.rt.arena_begin(%[[ALL]])
// CHECK-NEXT:    %[[AT_N:.*]] = arith.constant 256 : index
// CHECK-NEXT:    memref.view %[[ARENA]][%[[AT_N]]][%[[N]]] : memref<?xi8> to memref<?x128xf32>
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:    memref.view %[[ARENA]][%[[ZERO]]][] : memref<?xi8> to memref<64xf32>
// CHECK-NEXT:    %[[C1024:.*]] = arith.constant 1024 : index
// CHECK-NEXT:    %[[IN_M:.*]] = arith.muli %[[M]], %[[C1024]] : index
// CHECK-NEXT:    %[[AT_M:.*]] = arith.addi %[[AND_N]], %[[IN_M]] : index
// CHECK-NEXT:    memref.view %[[ARENA]][%[[AT_M]]][%[[M]]] : memref<?xi8> to memref<?x64xf32>
// CHECK-NEXT:    memref.view %[[ARENA]][%[[AND_N]]][%[[M]]] : memref<?xi8> to memref<?x256xf32>
// REMARK: {{.*}}an arena of 256 bytes for 1 buffers of 256 bytes
// REMARK: {{.*}}an arena of 512 bytes for each unit of a dynamic size for 1 buffers of 512 bytes
// REMARK: {{.*}}an arena of 1280 bytes for each unit of a dynamic size for 2 buffers of 1280 bytes
func.func @three_parts(%n: index, %m: index) {
  %a = memref.alloc(%n) : memref<?x128xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc(%m) : memref<?x64xf32>
  %d = memref.alloc(%m) : memref<?x256xf32>
  "test.use"(%a, %b, %c, %d) : (memref<?x128xf32>, memref<64xf32>, memref<?x64xf32>, memref<?x256xf32>) -> ()
  memref.dealloc %a : memref<?x128xf32>
  memref.dealloc %b : memref<64xf32>
  memref.dealloc %c : memref<?x64xf32>
  memref.dealloc %d : memref<?x256xf32>
  return
}

// Several dynamic sizes; a size that is not known yet when the arena begins; and 4
// bytes of 64 that would be needed for each unit: these stay.
// CHECK-LABEL: func @others(
// CHECK:         memref.alloc({{.*}}) : memref<?x?x64xf32>
// CHECK:         fusion.rt.arena_begin : memref<256xi8>
// CHECK:         %[[LATE:.*]] = "test.size"
// CHECK:         memref.alloc(%[[LATE]]) : memref<?x64xf32>
// CHECK:         memref.alloc({{.*}}) : memref<?xf32>
// CHECK-COUNT-3: memref.dealloc
// CHECK-NOT:     memref.dealloc
func.func @others(%n: index) {
  %several = memref.alloc(%n, %n) : memref<?x?x64xf32>
  %static = memref.alloc() : memref<64xf32>
  %late = "test.size"() : () -> index
  %unknown = memref.alloc(%late) : memref<?x64xf32>
  %small = memref.alloc(%n) : memref<?xf32>
  "test.use"(%several, %static, %unknown, %small) : (memref<?x?x64xf32>, memref<64xf32>, memref<?x64xf32>, memref<?xf32>) -> ()
  memref.dealloc %several : memref<?x?x64xf32>
  memref.dealloc %static : memref<64xf32>
  memref.dealloc %unknown : memref<?x64xf32>
  memref.dealloc %small : memref<?xf32>
  return
}
