// RUN: fusion-opt %s --fusion-convert-to-llvm --split-input-file --verify-diagnostics | FileCheck %s

// Upstream's conversion does not read a resource without dimensions.

// CHECK: llvm.mlir.global private constant @gain(-7.500000e-01 : f32)
memref.global "private" constant @gain : memref<f32> = dense_resource<gain>

// With dimensions it stays a resource.
// CHECK: llvm.mlir.global private constant @gains(dense_resource<gains> : tensor<1xf32>)
memref.global "private" constant @gains : memref<1xf32> = dense_resource<gains>

// One that is dense stays dense, and one without a value has none.
// CHECK: llvm.mlir.global private constant @dense(2.000000e+00 : f32)
memref.global "private" constant @dense : memref<f32> = dense<2.0>
// CHECK: llvm.mlir.global external @external()
memref.global @external : memref<f32>

{-#
  dialect_resources: { builtin: { gain: "0x04000000000040BF", gains: "0x04000000000040BF" } }
#-}

// -----

// expected-error@+1 {{constant 'dense_resource<__elided__>' does not have the bytes of one element}}
memref.global "private" constant @elided : memref<f32> = dense_resource<__elided__>
