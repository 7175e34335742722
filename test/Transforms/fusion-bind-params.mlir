// RUN: rm -rf %t && mkdir %t
// RUN: %npy write %t/f32.npy '<f4' 2x3 'i + 0.5'
// RUN: %npy write %t/large.npy '<f4' 32x33 'i'
// RUN: %npy write %t/f16.npy '<f2' 2 'i + 0.25'
// RUN: %npy write %t/f64.npy '<f8' 2 'i + 1e-300'
// RUN: %npy write %t/bits.npy '<u2' 2 '[0x3f80, 0xc020][i]'
// RUN: %npy write %t/rounds.npy '<f4' 2 '[1.00390625, 3.0][i]'
// RUN: %npy write %t/i1.npy '|b1' 3 'i != 1'
// RUN: %npy write %t/i8.npy '|i1' 2 '-i'
// RUN: %npy write %t/i32.npy '<i4' 2 '-i'
// RUN: %npy write %t/i64.npy '<i8' 2 'i - 9223372036854775807'
// RUN: %npy write %t/shape.npy '<i8' 4 '[1, 6, 1, 1][i]'
// RUN: %npy write %t/six.npy '<i8' '' '6'
// RUN: %npy write %t/half.npy '<f4' '' '0.5'
// RUN: %npy write %t/true.npy '|b1' '' 'True'
// RUN: %npy write %t/empty.npy '<f4' 0x3 'i'

// By name, by index, both: the same (TVM 48).
// RUN: fusion-opt %s --fusion-bind-params="bind=w=%t/f32.npy" | FileCheck %s
// RUN: fusion-opt %s --fusion-bind-params="bind=1=%t/f32.npy" | FileCheck %s
// RUN: fusion-opt %s --fusion-bind-params="function=main bind=1=%t/f32.npy" | FileCheck %s
// Nothing to bind: nothing changes.
// RUN: fusion-opt %s --fusion-bind-params="function=main" | FileCheck %s --check-prefix=UNCHANGED
// RUN: fusion-opt %s --fusion-bind-params="function=several bind=a=%t/f32.npy,2=%t/half.npy,c.weight=%t/i32.npy" | FileCheck %s --check-prefix=SEVERAL
// RUN: fusion-opt %s --fusion-bind-params="function=large bind=conv1.weight=%t/large.npy,1=%t/large.npy" | FileCheck %s --check-prefix=LARGE
// RUN: fusion-opt %s --fusion-bind-params="function=types bind=0=%t/f16.npy,1=%t/f64.npy,2=%t/bits.npy,3=%t/rounds.npy,4=%t/i1.npy,5=%t/i8.npy,6=%t/i32.npy,7=%t/i64.npy,8=%t/empty.npy,9=%t/i64.npy" | FileCheck %s --check-prefix=TYPES
// RUN: fusion-opt %s --fusion-bind-params="function=shape bind=s=%t/shape.npy" | FileCheck %s --check-prefix=SHAPE
// RUN: fusion-opt %s --fusion-bind-params="function=scalars bind=0=%t/six.npy,1=%t/six.npy,2=%t/half.npy,3=%t/true.npy" | FileCheck %s --check-prefix=SCALARS
// RUN: fusion-opt %s --fusion-bind-params="function=unused bind=0=%t/f32.npy" | FileCheck %s --check-prefix=UNUSED
// RUN: fusion-opt %s --fusion-bind-params="function=llvm bind=n=%t/six.npy" | FileCheck %s --check-prefix=LLVM
// The text of a bound module reads back.
// RUN: fusion-opt %s --fusion-bind-params="function=large bind=conv1.weight=%t/large.npy,1=%t/large.npy" | fusion-opt | FileCheck %s --check-prefix=LARGE

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3xf32> {fusion.name = "x"}) -> tensor<2x3xf32>
// CHECK-NEXT:    %[[W:.*]] = arith.constant dense<{{\[}}[5.000000e-01, 1.500000e+00, 2.500000e+00], [3.500000e+00, 4.500000e+00, 5.500000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT:    %[[R:.*]] = arith.subf %[[X]], %[[W]]
// CHECK-NEXT:    return %[[R]]

// UNCHANGED-LABEL: func.func @main(
// UNCHANGED-SAME:    tensor<2x3xf32> {fusion.name = "x"}, %{{.*}}: tensor<2x3xf32> {fusion.constant, fusion.name = "w"})
func.func @main(%x: tensor<2x3xf32> {fusion.name = "x"},
                %w: tensor<2x3xf32> {fusion.constant, fusion.name = "w"}) -> tensor<2x3xf32> {
  %r = arith.subf %x, %w : tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// Arguments that are not bound keep their attributes.
// SEVERAL-LABEL: func.func @several(
// SEVERAL-SAME:    %[[B:.*]]: tensor<2x3xf32> {fusion.name = "b"}, %[[D:.*]]: tensor<2xi32> {fusion.constant})
// SEVERAL-DAG:     %[[A:.*]] = arith.constant dense<{{\[}}[5.0{{.*}}]]> : tensor<2x3xf32>
// SEVERAL-DAG:     %[[S:.*]] = arith.constant 5.000000e-01 : f32
// SEVERAL-DAG:     %[[C:.*]] = arith.constant dense<[0, -1]> : tensor<2xi32>
// SEVERAL:         return %[[A]], %[[B]], %[[S]], %[[C]], %[[D]]
func.func @several(%a: tensor<2x3xf32> {fusion.name = "a"}, %b: tensor<2x3xf32> {fusion.name = "b"}, %s: f32,
                   %c: tensor<2xi32> {fusion.name = "c.weight"}, %d: tensor<2xi32> {fusion.constant})
    -> (tensor<2x3xf32>, tensor<2x3xf32>, f32, tensor<2xi32>, tensor<2xi32>) {
  return %a, %b, %s, %c, %d : tensor<2x3xf32>, tensor<2x3xf32>, f32, tensor<2xi32>, tensor<2xi32>
}

// Large constants are resources, named for what they are.
// LARGE-LABEL: func.func @large() -> (tensor<32x33xf32>, tensor<32x33xf32>)
// LARGE-DAG:     %[[W:.*]] = arith.constant dense_resource<conv1.weight> : tensor<32x33xf32>
// LARGE-DAG:     %[[V:.*]] = arith.constant dense_resource<arg1> : tensor<32x33xf32>
// LARGE:         return %[[W]], %[[V]]
func.func @large(%w: tensor<32x33xf32> {fusion.name = "conv1.weight"}, %v: tensor<32x33xf32>) -> (tensor<32x33xf32>, tensor<32x33xf32>) {
  return %w, %v : tensor<32x33xf32>, tensor<32x33xf32>
}

// Each element type; bf16 as 16-bit words, and rounded from f32, ties to even.
// TYPES-LABEL: func.func @types() ->
// TYPES-DAG:     arith.constant dense<[2.500000e-01, 1.250000e+00]> : tensor<2xf16>
// TYPES-DAG:     arith.constant dense<[1.000000e-300, 1.000000e+00]> : tensor<2xf64>
// TYPES-DAG:     arith.constant dense<[1.000000e+00, -2.500000e+00]> : tensor<2xbf16>
// TYPES-DAG:     arith.constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xbf16>
// TYPES-DAG:     arith.constant dense<[true, false, true]> : tensor<3xi1>
// TYPES-DAG:     arith.constant dense<[0, -1]> : tensor<2xi8>
// TYPES-DAG:     arith.constant dense<[0, -1]> : tensor<2xi32>
// TYPES-DAG:     arith.constant dense<[-9223372036854775807, -9223372036854775806]> : tensor<2xi64>
// TYPES-DAG:     arith.constant dense<> : tensor<0x3xf32>
// TYPES-DAG:     arith.constant dense<[-9223372036854775807, -9223372036854775806]> : tensor<2xindex>
func.func @types(%0: tensor<2xf16>, %1: tensor<2xf64>, %2: tensor<2xbf16>, %3: tensor<2xbf16>, %4: tensor<3xi1>,
                 %5: tensor<2xi8>, %6: tensor<2xi32>, %7: tensor<2xi64>, %8: tensor<0x3xf32>, %9: tensor<2xindex>)
    -> (tensor<2xf16>, tensor<2xf64>, tensor<2xbf16>, tensor<2xbf16>, tensor<3xi1>, tensor<2xi8>, tensor<2xi32>,
        tensor<2xi64>, tensor<0x3xf32>, tensor<2xindex>) {
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
      : tensor<2xf16>, tensor<2xf64>, tensor<2xbf16>, tensor<2xbf16>, tensor<3xi1>, tensor<2xi8>, tensor<2xi32>,
        tensor<2xi64>, tensor<0x3xf32>, tensor<2xindex>
}

// TVM 49: the shape of a reshape.
// SHAPE-LABEL: func.func @shape(
// SHAPE-SAME:    %[[B:.*]]: tensor<6xf32>)
// SHAPE-NEXT:    %[[S:.*]] = arith.constant dense<[1, 6, 1, 1]> : tensor<4xi64>
// SHAPE-NEXT:    tensor.reshape %[[B]](%[[S]])
func.func @shape(%b: tensor<6xf32>, %s: tensor<4xi64> {fusion.name = "s"}) -> tensor<1x6x1x1xf32> {
  %r = tensor.reshape %b(%s) : (tensor<6xf32>, tensor<4xi64>) -> tensor<1x6x1x1xf32>
  return %r : tensor<1x6x1x1xf32>
}

// TVM 50: scalars.
// SCALARS-LABEL: func.func @scalars() -> (index, i64, f32, i1)
// SCALARS-DAG:     %[[A:.*]] = arith.constant 6 : index
// SCALARS-DAG:     %[[B:.*]] = arith.constant 6 : i64
// SCALARS-DAG:     %[[C:.*]] = arith.constant 5.000000e-01 : f32
// SCALARS-DAG:     %[[D:.*]] = arith.constant true
// SCALARS:         return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @scalars(%a: index, %b: i64, %c: f32, %d: i1) -> (index, i64, f32, i1) {
  return %a, %b, %c, %d : index, i64, f32, i1
}

// UNUSED-LABEL: func.func @unused() {
func.func @unused(%a: tensor<2x3xf32>) {
  return
}

// Any function op.
// LLVM-LABEL: llvm.func @llvm() -> i64 {
// LLVM-NEXT:    %[[N:.*]] = arith.constant 6 : i64
// LLVM-NEXT:    llvm.return %[[N]]
llvm.func @llvm(%n: i64 {fusion.name = "n"}) -> i64 {
  llvm.return %n : i64
}
