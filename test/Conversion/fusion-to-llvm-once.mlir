// RUN: fusion-opt %s --fusion-compile | FileCheck %s

// `fusion.rt.once` becomes one call of the runtime with the addresses of the constants;
// beside it stand a slot, a descriptor, and the function that the runtime calls.

module @net {

// CHECK-DAG: llvm.func @fusion_rt_once_checked(!llvm.ptr, !llvm.ptr) -> !llvm.ptr
// CHECK-DAG: llvm.func @fusion_rt_once_release(!llvm.ptr)

// CHECK-LABEL: llvm.func @one_result(
// CHECK-SAME:    %{{[a-z0-9]*}}: !llvm.ptr, %[[X:[a-z0-9]*]]: !llvm.ptr, {{(%[a-z0-9]*: i64, )+}}%{{[a-z0-9]*}}: !llvm.ptr, %[[W:[a-z0-9]*]]: !llvm.ptr,
// CHECK-DAG:     %[[SLOT:.*]] = llvm.mlir.addressof @one_result_constants_slot
// CHECK-DAG:     %[[KEYS:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
// CHECK:         llvm.store %[[W]], %[[KEYS]] : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:    %[[RESULTS:.*]] = llvm.call @fusion_rt_once_checked(%[[SLOT]], %[[KEYS]])
// CHECK-NEXT:    %[[DATA_AT:.*]] = llvm.getelementptr %[[RESULTS]][1]
// CHECK-NEXT:    %[[DATA:.*]] = llvm.load %[[DATA_AT]] : !llvm.ptr -> !llvm.ptr
// CHECK-NOT:     llvm.call @free
// CHECK:         llvm.getelementptr {{.*}}%[[DATA]][
// CHECK-NOT:     llvm.call @free
// CHECK:         llvm.return
func.func @one_result(%x: tensor<3x5xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x3xf32>) outs(%e : tensor<3x5xf32>) permutation = [1, 0]
  %r = arith.addf %x, %t : tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// Two results of two constants: the data pointers are every other pointer returned.
// CHECK-LABEL: llvm.func @two_results(
// CHECK-DAG:     %[[SLOT:.*]] = llvm.mlir.addressof @two_results_constants_slot
// CHECK-DAG:     %[[TWO:.*]] = llvm.mlir.constant(2 : i64)
// CHECK:         %[[KEYS:.*]] = llvm.alloca %[[TWO]] x !llvm.ptr
// CHECK:         llvm.store %{{.*}}, %[[KEYS]] : !llvm.ptr, !llvm.ptr
// CHECK:         %[[SECOND:.*]] = llvm.getelementptr %[[KEYS]][1]
// CHECK-NEXT:    llvm.store %{{.*}}, %[[SECOND]] : !llvm.ptr, !llvm.ptr
// CHECK:         %[[RESULTS:.*]] = llvm.call @fusion_rt_once_checked(%[[SLOT]], %[[KEYS]])
// CHECK-NEXT:    %[[AT0:.*]] = llvm.getelementptr %[[RESULTS]][1]
// CHECK-NEXT:    llvm.load %[[AT0]]
// CHECK-NEXT:    %[[AT1:.*]] = llvm.getelementptr %[[RESULTS]][3]
// CHECK-NEXT:    llvm.load %[[AT1]]
// CHECK-NOT:     llvm.call @fusion_rt_once_checked
// CHECK-NOT:     llvm.call @free
// CHECK:         llvm.return
func.func @two_results(%x: tensor<3x5xf32>, %y: tensor<7xf64>, %w: tensor<5x3xf32> {fusion.constant}, %v: tensor<7xf64> {fusion.constant})
    -> (tensor<3x5xf32>, tensor<7xf64>) {
  %e = tensor.empty() : tensor<3x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x3xf32>) outs(%e : tensor<3x5xf32>) permutation = [1, 0]
  %n = arith.negf %v : tensor<7xf64>
  %r = arith.addf %x, %t : tensor<3x5xf32>
  %q = arith.addf %y, %n : tensor<7xf64>
  return %r, %q : tensor<3x5xf32>, tensor<7xf64>
}

// CHECK-LABEL: llvm.func @_fusion_release_net()
// CHECK-DAG:     %[[FIRST:.*]] = llvm.mlir.addressof @one_result_constants_slot
// CHECK-DAG:     %[[SECOND:.*]] = llvm.mlir.addressof @two_results_constants_slot
// CHECK-DAG:     llvm.call @fusion_rt_once_release(%[[FIRST]])
// CHECK-DAG:     llvm.call @fusion_rt_once_release(%[[SECOND]])
// CHECK-NEXT:    llvm.return

// One load of an address for each constant; the block and the data of each result.
// CHECK-LABEL: llvm.func internal @one_result_constants_compute(
// CHECK-SAME:    %[[RESULTS:[a-z0-9]*]]: !llvm.ptr, %[[KEYS:[a-z0-9]*]]: !llvm.ptr)
// CHECK:         %[[W:.*]] = llvm.load %[[KEYS]] : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:    %[[R:.*]] = llvm.call @one_result_constants(%[[W]], %[[W]],
// CHECK-NEXT:    %[[BLOCK:.*]] = llvm.extractvalue %[[R]][0]
// CHECK-NEXT:    %[[DATA:.*]] = llvm.extractvalue %[[R]][1]
// CHECK-NEXT:    llvm.store %[[BLOCK]], %[[RESULTS]] : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:    %[[AT:.*]] = llvm.getelementptr %[[RESULTS]][1]
// CHECK-NEXT:    llvm.store %[[DATA]], %[[AT]] : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:    llvm.return

// The version, the size of the struct, constants, results.
// CHECK-LABEL: llvm.mlir.global internal constant @one_result_constants_desc()
// CHECK-SAME:    !llvm.struct<(i32, i32, i32, i32, ptr, ptr)>
// CHECK-DAG:     %[[SIZE:.*]] = llvm.mlir.constant(32 : i32)
// CHECK-DAG:     %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-DAG:     %[[COMPUTE:.*]] = llvm.mlir.addressof @one_result_constants_compute
// CHECK-DAG:     %[[FREE:.*]] = llvm.mlir.addressof @free
// CHECK-DAG:     llvm.insertvalue %[[SIZE]], %{{.*}}[1]
// CHECK-DAG:     llvm.insertvalue %[[ONE]], %{{.*}}[2]
// CHECK-DAG:     llvm.insertvalue %[[ONE]], %{{.*}}[3]
// CHECK-DAG:     llvm.insertvalue %[[COMPUTE]], %{{.*}}[4]
// CHECK-DAG:     llvm.insertvalue %[[FREE]], %{{.*}}[5]
// CHECK:         llvm.return
// CHECK:       llvm.mlir.global internal constant @one_result_constants_loc("{{.*}}fusion-to-llvm-once.mlir:
// CHECK:       llvm.mlir.global internal @one_result_constants_slot()
// CHECK-DAG:     %[[DESC:.*]] = llvm.mlir.addressof @one_result_constants_desc
// CHECK-DAG:     llvm.insertvalue %[[DESC]], %{{.*}}[0]
// CHECK:         llvm.return

// CHECK-LABEL: llvm.func internal @two_results_constants_compute(
// CHECK-SAME:    %[[RESULTS:[a-z0-9]*]]: !llvm.ptr, %[[KEYS:[a-z0-9]*]]: !llvm.ptr)
// CHECK:         %[[R:.*]] = llvm.call @two_results_constants(
// CHECK-DAG:     %[[BLOCK0:.*]] = llvm.extractvalue %[[R]][0, 0]
// CHECK-DAG:     %[[DATA0:.*]] = llvm.extractvalue %[[R]][0, 1]
// CHECK:         llvm.store %[[BLOCK0]], %[[RESULTS]] : !llvm.ptr, !llvm.ptr
// CHECK:         %[[AT1:.*]] = llvm.getelementptr %[[RESULTS]][1]
// CHECK-NEXT:    llvm.store %[[DATA0]], %[[AT1]]
// CHECK-DAG:     %[[BLOCK1:.*]] = llvm.extractvalue %[[R]][1, 0]
// CHECK-DAG:     %[[DATA1:.*]] = llvm.extractvalue %[[R]][1, 1]
// CHECK:         %[[AT2:.*]] = llvm.getelementptr %[[RESULTS]][2]
// CHECK-NEXT:    llvm.store %[[BLOCK1]], %[[AT2]]
// CHECK:         %[[AT3:.*]] = llvm.getelementptr %[[RESULTS]][3]
// CHECK-NEXT:    llvm.store %[[DATA1]], %[[AT3]]
// CHECK-NEXT:    llvm.return
// CHECK-LABEL: llvm.mlir.global internal constant @two_results_constants_desc()
// CHECK:         %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK-DAG:     llvm.insertvalue %[[TWO]], %{{.*}}[2]
// CHECK-DAG:     llvm.insertvalue %[[TWO]], %{{.*}}[3]
}
