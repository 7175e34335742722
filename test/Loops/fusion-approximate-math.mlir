// RUN: fusion-opt %s --fusion-approximate-math | FileCheck %s

// Functions whose polynomials are accurate become arithmetic that vectors can do.

// CHECK-LABEL: func @accurate(
// CHECK-NOT:     math.e
// CHECK-NOT:     math.log1p
// CHECK-NOT:     math.tanh
// CHECK-NOT:     math.fma
// CHECK:         arith.mulf {{.*}} fastmath<contract>
// CHECK:         arith.addf {{.*}} fastmath<contract>
// CHECK:         return
func.func @accurate(%x: f32) -> (f32, f32, f32, f32, f32) {
  %0 = math.exp %x : f32
  %1 = math.expm1 %x : f32
  %2 = math.erf %x : f32
  %3 = math.log1p %x : f32
  %4 = math.tanh %x : f32
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
}

// The polynomial of log is wrong for subnormal numbers; in f64 there is none. A
// multiplication and addition of the program rounds once.
// CHECK-LABEL: func @kept(
// CHECK:         math.log %
// CHECK:         math.sin
// CHECK:         math.cos
// CHECK:         math.exp {{.*}} : f64
// CHECK:         math.fma
func.func @kept(%x: f32, %d: f64) -> (f32, f32, f32, f64, f32) {
  %0 = math.log %x : f32
  %1 = math.sin %x : f32
  %2 = math.cos %x : f32
  %3 = math.exp %d : f64
  %4 = math.fma %x, %x, %x : f32
  return %0, %1, %2, %3, %4 : f32, f32, f32, f64, f32
}

// On tensors they stay: the pass is for what has become loops.
// CHECK-LABEL: func @tensors(
// CHECK:         math.exp %{{.*}} : tensor<3x5xf32>
// CHECK-NEXT:    math.tanh %{{.*}} : tensor<*xf32>
// CHECK-NEXT:    return
func.func @tensors(%x: tensor<3x5xf32>, %y: tensor<*xf32>) -> (tensor<3x5xf32>, tensor<*xf32>) {
  %0 = math.exp %x : tensor<3x5xf32>
  %1 = math.tanh %y : tensor<*xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<*xf32>
}

// CHECK-LABEL: func @vectors(
// CHECK-NOT:     math.exp
// CHECK:         return
func.func @vectors(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.exp %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// Small powers are products.
// CHECK-LABEL: func @powers(
// CHECK-SAME:    %[[X:.*]]: f32)
// CHECK-NOT:     math.powf
// CHECK-DAG:     %[[S:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK-DAG:     arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-DAG:     arith.divf %{{.*}}, %[[X]] : f32
// CHECK:         return
func.func @powers(%x: f32) -> (f32, f32, f32) {
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %minus_one = arith.constant -1.0 : f32
  %0 = math.powf %x, %two : f32
  %1 = math.powf %x, %three : f32
  %2 = math.powf %x, %minus_one : f32
  return %0, %1, %2 : f32, f32, f32
}

// Large ones stay, and so do roots, which differ for minus infinity, and exponents that
// are not known.
// CHECK-LABEL: func @other_powers(
// CHECK-COUNT-3: math.powf
func.func @other_powers(%x: f32, %y: f32) -> (f32, f32, f32) {
  %seven = arith.constant 7.0 : f32
  %half = arith.constant 0.5 : f32
  %0 = math.powf %x, %seven : f32
  %1 = math.powf %x, %half : f32
  %2 = math.powf %x, %y : f32
  return %0, %1, %2 : f32, f32, f32
}
