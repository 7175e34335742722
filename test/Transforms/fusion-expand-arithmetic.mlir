// RUN: fusion-opt %s --fusion-expand-arithmetic | FileCheck %s

// CHECK-LABEL: func.func @divisions(
// CHECK-NOT:     {{ceildivsi|floordivsi|ceildivui}}
// CHECK:         arith.divsi
// CHECK:         return
func.func @divisions(%a: index, %b: index) -> (index, index, index) {
  %c = arith.ceildivsi %a, %b : index
  %f = arith.floordivsi %a, %b : index
  %u = arith.ceildivui %a, %b : index
  return %c, %f, %u : index, index, index
}

// A conversion keeps the upper half of the bits, rounded to the even one.
// CHECK-LABEL: func.func @conversions(
// CHECK-NOT:     {{extf|truncf}}
// CHECK:         arith.shrui %{{.*}} : i32
// CHECK:         return
func.func @conversions(%a: bf16, %b: f32) -> (f32, bf16) {
  %w = arith.extf %a : bf16 to f32
  %n = arith.truncf %b : f32 to bf16
  return %w, %n : f32, bf16
}

// What LLVM finds a reduction in stays.
// CHECK-LABEL: func.func @maxima(
// CHECK-NEXT:    arith.maximumf
// CHECK-NEXT:    arith.minnumf
// CHECK-NEXT:    return
func.func @maxima(%a: f32, %b: f32) -> f32 {
  %m = arith.maximumf %a, %b : f32
  %n = arith.minnumf %m, %b : f32
  return %n : f32
}
