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

// Ops in which LLVM finds a reduction stay.
// CHECK-LABEL: func.func @maxima(
// CHECK-NEXT:    arith.maximumf
// CHECK-NEXT:    arith.minnumf
// CHECK-NEXT:    return
func.func @maxima(%a: f32, %b: f32) -> f32 {
  %m = arith.maximumf %a, %b : f32
  %n = arith.minnumf %m, %b : f32
  return %n : f32
}

// Tensors stay as they are: upstream's patterns need constants of their types.
// CHECK-LABEL: func.func @tensors(
// CHECK-NEXT:    arith.ceildivsi %{{.*}} : tensor<?xi32>
// CHECK-NEXT:    arith.truncf %{{.*}} : tensor<?xf32> to tensor<?xbf16>
// CHECK-NEXT:    return
func.func @tensors(%a: tensor<?xi32>, %b: tensor<?xi32>, %c: tensor<?xf32>) -> (tensor<?xi32>, tensor<?xbf16>) {
  %q = arith.ceildivsi %a, %b : tensor<?xi32>
  %n = arith.truncf %c : tensor<?xf32> to tensor<?xbf16>
  return %q, %n : tensor<?xi32>, tensor<?xbf16>
}

// A dequantisation needs no 64 bits.
// CHECK-LABEL: func.func @dequantize(
// CHECK-SAME:    %[[A:.*]]: i8, %[[B:.*]]: i16
// CHECK-NOT:     i64
// CHECK:         %[[WA:.*]] = arith.extui %[[A]] : i8 to i32
// CHECK:         %[[ZERO:.*]] = arith.constant -121 : i32
// CHECK:         %[[S:.*]] = arith.addi %[[WA]], %[[ZERO]] : i32
// CHECK:         arith.sitofp %[[S]] : i32 to f32
// CHECK:         %[[WB:.*]] = arith.extsi %[[B]] : i16 to i32
// CHECK:         %[[D:.*]] = arith.subi %{{.*}}, %[[WB]] : i32
// CHECK:         arith.sitofp %[[D]] : i32 to f32
func.func @dequantize(%a: i8, %b: i16) -> (f32, f32) {
  %zero = arith.constant -121 : i64
  %wa = arith.extui %a : i8 to i64
  %wb = arith.extsi %b : i16 to i64
  %s = arith.addi %wa, %zero : i64
  %f = arith.sitofp %s : i64 to f32
  %d = arith.subi %wa, %wb : i64
  %g = arith.sitofp %d : i64 to f32
  return %f, %g : f32, f32
}

// The sum may not fit 32 bits.
// CHECK-LABEL: func.func @may_not_fit(
// CHECK:         arith.addi %{{.*}} : i64
// CHECK:         arith.addi %{{.*}} : i64
// CHECK-NOT:     i32 to f32
// CHECK:         return
func.func @may_not_fit(%a: i8, %b: i32) -> (f32, f32) {
  %large = arith.constant 1073741824 : i64
  %wa = arith.extui %a : i8 to i64
  %wb = arith.extsi %b : i32 to i64
  %s = arith.addi %wa, %large : i64
  %f = arith.sitofp %s : i64 to f32
  %d = arith.addi %wa, %wb : i64
  %g = arith.sitofp %d : i64 to f32
  return %f, %g : f32, f32
}
