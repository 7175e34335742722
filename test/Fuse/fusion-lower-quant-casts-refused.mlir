// RUN: fusion-opt %s --fusion-lower-quant-casts -o %t.mlir --remarks-filter='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: fusion-opt %s -o %t.before.mlir
// RUN: diff %t.mlir %t.before.mlir

// Casts that stay, each with a reason.

!blocks = !quant.uniform<i8:f32:{0:2, 1:2}, {{0.1, 0.2}, {0.3, 0.4}}>

// CHECK: Reason="unsupported: scale of '!quant.uniform<i8:f32:{0:2, 1:2}, {{[{][{]}}{{.*}}>' is neither one nor one for each channel"
func.func @blocks(%x: tensor<4x4xi8>) -> tensor<4x4xf32> {
  %q = quant.scast %x : tensor<4x4xi8> to tensor<4x4x!blocks>
  %d = quant.dcast %q : tensor<4x4x!blocks> to tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}

// CHECK: Reason="unsupported: 'tensor<*x!quant.uniform<i8:f32, 5.000000e-01>>' is no ranked tensor"
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xi8> {
  %q = quant.qcast %x : tensor<*xf32> to tensor<*x!quant.uniform<i8:f32, 0.5>>
  %r = quant.scast %q : tensor<*x!quant.uniform<i8:f32, 0.5>> to tensor<*xi8>
  return %r : tensor<*xi8>
}

// CHECK: Reason="unsupported: '!quant.uniform<i8:f32, 5.000000e-01>' is no ranked tensor"
func.func @scalar(%x: i8) -> f32 {
  %q = quant.scast %x : i8 to !quant.uniform<i8:f32, 0.5>
  %d = quant.dcast %q : !quant.uniform<i8:f32, 0.5> to f32
  return %d : f32
}
