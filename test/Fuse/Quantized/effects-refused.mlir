// An assertion is not lost with the op in whose body it is: such an op stays.

// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=fused:
// RUN: FileCheck %s < %t.mlir

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>
#s = affine_map<(d0, d1) -> ()>
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d2, d1)>
#o = affine_map<(d0, d1, d2) -> (d0, d1)>

// In a product of integers.
// CHECK-LABEL: func @product(
// CHECK:         cf.assert
func.func @product(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %k = arith.constant 100 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  // WHY: :[[#@LINE+1]]:8: not fused: unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %r = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %ok = arith.cmpi slt, %0, %k : i32
    cf.assert %ok, "input too large"
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// In what makes integers of a sum.
// CHECK-LABEL: func @rescaled(
// CHECK:         cf.assert
func.func @rescaled(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %k = arith.constant 30000 : i32
  %s = arith.constant 0.01 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  // WHY: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; sum is not rescaled: unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %ok = arith.cmpi slt, %in, %k : i32
    cf.assert %ok, "sum too large"
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %l = arith.maximumf %2, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// In what quantises floats.
// CHECK-LABEL: func @quantised(
// CHECK:         cf.assert
func.func @quantised(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.1 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // WHY: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %ok = arith.cmpf olt, %in, %hi : f32
    cf.assert %ok, "result too large"
    %0 = arith.mulf %in, %s : f32
    %1 = math.roundeven %0 : f32
    %l = arith.maximumf %1, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// In what adds to integers of a result.
// CHECK-LABEL: func @shifted(
// CHECK:         cf.assert
func.func @shifted(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %k = arith.constant -128 : i8
  %e = tensor.empty() : tensor<5x6xi8>
  // WHY: :[[#@LINE+1]]:8: partly fused: dequantize, quantize; integers are not shifted: unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xi8>) -> tensor<5x6xi8>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi8>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i8, %out: i8):
    %ok = arith.cmpi ne, %in, %k : i8
    cf.assert %ok, "saturates"
    %0 = arith.xori %in, %k : i8
    linalg.yield %0 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// In what gives back the integers that floats were made of.
// CHECK-LABEL: func @inverse(
// CHECK:         cf.assert
func.func @inverse(%x: tensor<5x7xi8>) -> tensor<5x7xi8> {
  %s = arith.constant 0.5 : f32
  %t = arith.constant 2.0 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x7xf32>
  %e8 = tensor.empty() : tensor<5x7xi8>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<5x7xf32>) outs(%e8 : tensor<5x7xi8>) {
  ^bb0(%in: f32, %out: i8):
    %ok = arith.cmpf olt, %in, %t : f32
    cf.assert %ok, "number too large"
    %0 = arith.mulf %in, %t : f32
    %1 = math.roundeven %0 : f32
    %l = arith.maximumf %1, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<5x7xi8>
  return %r : tensor<5x7xi8>
}

// In what adds constants to a sum.
// CHECK-LABEL: func @constant_bias(
// CHECK:         cf.assert
func.func @constant_bias(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %k = arith.constant 30000 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %b = arith.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %e = tensor.empty() : tensor<5x6xi32>
  // WHY: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %b : tensor<5x6xi32>, tensor<6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%acc: i32, %in: i32, %out: i32):
    %ok = arith.cmpi slt, %acc, %k : i32
    cf.assert %ok, "sum too large"
    %0 = arith.addi %acc, %in : i32
    linalg.yield %0 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// In what adds numbers to a sum that only a call knows.
// CHECK-LABEL: func @bias(
// CHECK:         cf.assert
func.func @bias(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<6xi32>) -> tensor<5x6xi32> {
  %k = arith.constant 30000 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi32>
  // WHY: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %b : tensor<5x6xi32>, tensor<6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%acc: i32, %in: i32, %out: i32):
    %ok = arith.cmpi slt, %acc, %k : i32
    cf.assert %ok, "sum too large"
    %0 = arith.addi %acc, %in : i32
    linalg.yield %0 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// In what scales a sum by numbers that only a call knows.
// CHECK-LABEL: func @scale(
// CHECK:         cf.assert
func.func @scale(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<6xf32>) -> tensor<5x6xf32> {
  %k = arith.constant 0.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; sum is not rescaled: unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<5x6xi32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %sc: f32, %out: f32):
    %ok = arith.cmpf ogt, %sc, %k : f32
    cf.assert %ok, "scale is negative"
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// An op whose scale is taken keeps it with what is left.
// CHECK-LABEL: func @scale_and_more(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} scale(
// CHECK:         cf.assert
func.func @scale_and_more(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<6xf32>) -> tensor<5x6xf32> {
  %k = arith.constant 0.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: dequantize; unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<5x6xi32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %sc: f32, %out: f32):
    %ok = arith.cmpf ogt, %sc, %k : f32
    cf.assert %ok, "scale is negative"
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// In what multiplies a filter by a vector that only a call knows.
// CHECK-LABEL: func @filter_factor(
// CHECK:         cf.assert
func.func @filter_factor(%x: tensor<3x4xi8>, %g: tensor<2xf32>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %sx = arith.constant 0.125 : f32
  %sw = arith.constant 0.25 : f32
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<3x2xf32>
  %ex = tensor.empty() : tensor<3x4xf32>
  %ew = tensor.empty() : tensor<4x2xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xi8>) outs(%ex : tensor<3x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<3x4xf32>
  %ws = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %g : tensor<4x2xi8>, tensor<2xf32>) outs(%ew : tensor<4x2xf32>) {
  ^bb0(%in: i8, %r: f32, %out: f32):
    %ok = arith.cmpf ogt, %r, %zero : f32
    cf.assert %ok, "factor is negative"
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    %2 = arith.mulf %r, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; filter is not dequantised: unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %c = fusion.fused_matmul_bias_act ins(%xd, %ws : tensor<3x4xf32>, tensor<4x2xf32>) outs(%zeros : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %c : tensor<3x2xf32>
}

// In what subtracts a zero point that only a call knows: it would be asserted of padding too.
// CHECK-LABEL: func @padded(
// CHECK:         cf.assert
// CHECK:         tensor.pad
// CHECK:         : tensor<5x7xi32> to tensor<6x7xi32>
// CHECK-NOT:     cf.assert
func.func @padded(%x: tensor<5x7xi8>, %z: i8) -> tensor<6x6xi32> {
  %w = arith.constant dense<3> : tensor<7x6xi8>
  %e = tensor.empty() : tensor<5x7xi32>
  %f = arith.constant dense<0> : tensor<6x6xi32>
  %c0 = arith.constant 0 : i32
  %d = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %z : tensor<5x7xi8>, i8) outs(%e : tensor<5x7xi32>) {
  ^bb0(%in: i8, %zp: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %zp : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %ok = arith.cmpi ne, %2, %c0 : i32
    cf.assert %ok, "is zero"
    linalg.yield %2 : i32
  } -> tensor<5x7xi32>
  %p = tensor.pad %d low[1, 0] high[0, 0] {
  ^bb0(%i0: index, %i1: index):
    tensor.yield %c0 : i32
  } : tensor<5x7xi32> to tensor<6x7xi32>
  %ew = tensor.empty() : tensor<7x6xi32>
  %wi = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<7x6xi32>
  // WHY: :[[#@LINE+1]]:8: not fused: unsupported: operand 0 is padded behind its extension from i8{{$}}
  %c = linalg.matmul ins(%p, %wi : tensor<6x7xi32>, tensor<7x6xi32>) outs(%f : tensor<6x6xi32>) -> tensor<6x6xi32>
  return %c : tensor<6x6xi32>
}
