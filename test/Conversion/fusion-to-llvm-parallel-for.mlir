// RUN: fusion-opt %s --convert-to-llvm --canonicalize --cse | FileCheck %s
// RUN: fusion-opt %s --fusion-convert-to-llvm --canonicalize --cse | FileCheck %s

// `fusion.rt.parallel_for` becomes one call of the runtime: captured values are in a
// struct on the stack, and a function that the runtime calls takes them out again.

// CHECK-DAG: llvm.func @fusion_rt_parallel_for_checked(i64, i64, !llvm.ptr, !llvm.ptr)

// CHECK-LABEL: llvm.func internal @body(
func.func private @body(%begin: index, %end: index, %x: memref<?xf32>, %f: f32, %n: index) attributes {llvm.linkage = #llvm.linkage<internal>} {
  return
}

// The struct is made at the entry of the function, once, however often the loop runs.
// CHECK-LABEL: llvm.func @caller(
// CHECK-SAME:    %[[P:[a-z0-9]*]]: !llvm.ptr, %[[A:[a-z0-9]*]]: !llvm.ptr, %[[O:[a-z0-9]*]]: i64, %[[S:[a-z0-9]*]]: i64, %[[T:[a-z0-9]*]]: i64, %[[F:[a-z0-9]*]]: f32, %[[N:[a-z0-9]*]]: i64, %[[G:[a-z0-9]*]]: i64
// CHECK-DAG:     %[[RANGE:.*]] = llvm.mlir.addressof @body_range
// CHECK-DAG:     %[[CONTEXT:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, ptr, i64, i64, i64, f32, i64)>
// CHECK:         llvm.br
// CHECK-NOT:     llvm.alloca
// CHECK-DAG:     %[[FIELD0:.*]] = llvm.getelementptr %[[CONTEXT]][0, 0]
// CHECK-DAG:     llvm.store %[[P]], %[[FIELD0]]
// CHECK-DAG:     %[[FIELD1:.*]] = llvm.getelementptr %[[CONTEXT]][0, 1]
// CHECK-DAG:     llvm.store %[[A]], %[[FIELD1]]
// CHECK-DAG:     %[[FIELD5:.*]] = llvm.getelementptr %[[CONTEXT]][0, 5]
// CHECK-DAG:     llvm.store %[[F]], %[[FIELD5]]
// CHECK-DAG:     %[[FIELD6:.*]] = llvm.getelementptr %[[CONTEXT]][0, 6]
// CHECK-DAG:     llvm.store %[[N]], %[[FIELD6]]
// CHECK:         llvm.call @fusion_rt_parallel_for_checked(%[[N]], %[[G]], %[[RANGE]], %[[CONTEXT]])
func.func @caller(%x: memref<?xf32>, %f: f32, %n: index, %g: index) {
  cf.br ^loop
^loop:
  fusion.rt.parallel_for @body for %n grain %g(%x, %f, %n) : memref<?xf32>, f32, index
  %more = arith.cmpi eq, %n, %g : index
  cf.cond_br %more, ^loop, ^end
^end:
  return
}

// A second loop over the same function shares the function that the runtime calls; a
// loop that captures nothing has an empty struct.
func.func private @nothing(%begin: index, %end: index) attributes {llvm.linkage = #llvm.linkage<internal>} {
  return
}
// CHECK-LABEL: llvm.func @twice(
// CHECK-COUNT-2: llvm.call @fusion_rt_parallel_for_checked(
func.func @twice(%n: index) {
  fusion.rt.parallel_for @nothing for %n grain %n()
  fusion.rt.parallel_for @nothing for %n grain %n()
  return
}

// CHECK-LABEL: llvm.func internal @body_range(
// CHECK-SAME:    %[[BEGIN:[a-z0-9]*]]: i64, %[[END:[a-z0-9]*]]: i64, %[[CONTEXT:[a-z0-9]*]]: !llvm.ptr)
// CHECK-DAG:     %[[FIELD0:.*]] = llvm.getelementptr %[[CONTEXT]][0, 0]
// CHECK-DAG:     %[[P:.*]] = llvm.load %[[FIELD0]] : !llvm.ptr -> !llvm.ptr
// CHECK-DAG:     %[[FIELD5:.*]] = llvm.getelementptr %[[CONTEXT]][0, 5]
// CHECK-DAG:     %[[F:.*]] = llvm.load %[[FIELD5]] : !llvm.ptr -> f32
// CHECK-DAG:     %[[FIELD6:.*]] = llvm.getelementptr %[[CONTEXT]][0, 6]
// CHECK-DAG:     %[[N:.*]] = llvm.load %[[FIELD6]] : !llvm.ptr -> i64
// CHECK:         llvm.call @body(%[[BEGIN]], %[[END]], %[[P]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[F]], %[[N]])
// CHECK-NEXT:    llvm.return
// CHECK:       llvm.func internal @nothing_range(
// CHECK-NOT:   llvm.func internal @nothing_range(
