// RUN: fusion-opt %s --fusion-compile | FileCheck %s

// LLVM turns arithmetic on bf16 into calls of helpers where the CPU has no bf16
// instructions; nothing of it may be left.

// CHECK-LABEL: llvm.func @sum
// CHECK-NOT: llvm.fadd {{.*}} : bf16
// CHECK-NOT: llvm.fptrunc {{.*}} to bf16
// CHECK: llvm.fadd {{.*}} : f32
// CHECK-NOT: llvm.fptrunc {{.*}} to bf16
// CHECK: llvm.return
func.func @sum(%a: tensor<3x5xbf16>, %b: tensor<3x5xbf16>) -> tensor<3x5xbf16> {
  %0 = arith.addf %a, %b : tensor<3x5xbf16>
  return %0 : tensor<3x5xbf16>
}

// CHECK-LABEL: llvm.func @sine
// CHECK-NOT: llvm.intr.sin{{.*}}bf16
// CHECK: llvm.intr.sin{{.*}} : (f32) -> f32
// CHECK-NOT: llvm.fptrunc {{.*}} to bf16
// CHECK: llvm.return
func.func @sine(%a: tensor<3x5xbf16>) -> tensor<3x5xbf16> {
  %0 = math.sin %a : tensor<3x5xbf16>
  return %0 : tensor<3x5xbf16>
}
