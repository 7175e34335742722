// An op on integers that stays in f32, or its residual, and why.

// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: fusion-opt %s --fusion-fuse-quantized=quant-rounding=exact -o /dev/null --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: fusion-opt %s --fusion-fuse-quantized=quant-rounding=exact --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAINED
// RUN: fusion-opt %s --fusion-fuse-quantized=nan-mode=propagate -o /dev/null --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NAN

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>

func.func @sine(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; next op 'linalg.generic' at {{.*}}:[[#@LINE+3]]:8 neither scales nor adds to the result nor is an activation that is known{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %er = tensor.empty() : tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%er : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.sin %in : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// A transpose of floats, to which something is added in that order.
func.func @added_transposed(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<6x5xf32>) -> tensor<6x5xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; unsupported: next op 'linalg.transpose' at {{.*}}:[[#@LINE+3]]:8 transposes the result of an op on integers{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %et = tensor.empty() : tensor<6x5xf32>
  %t = linalg.transpose ins(%c : tensor<5x6xf32>) outs(%et : tensor<6x5xf32>) permutation = [1, 0]
  %r = linalg.add ins(%t, %y : tensor<6x5xf32>, tensor<6x5xf32>) outs(%et : tensor<6x5xf32>) -> tensor<6x5xf32>
  return %r : tensor<6x5xf32>
}

// Nothing computes with what is transposed.
func.func @only_transposed(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<6x5xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %et = tensor.empty() : tensor<6x5xf32>
  %t = linalg.transpose ins(%c : tensor<5x6xf32>) outs(%et : tensor<6x5xf32>) permutation = [1, 0]
  return %t : tensor<6x5xf32>
}

// x * sin(x) in two ops.
func.func @two_ops(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; ops that read the result several times, up to 'linalg.mul' at {{.*}}:[[#@LINE+3]]:8, are no activation that is known{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = math.sin %c : tensor<5x6xf32>
  %r = linalg.mul ins(%c, %s : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// The same, and something else reads the result, which is needed anyway.
func.func @two_ops_and_a_user(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> (tensor<5x6xf32>, tensor<5x6xf32>) {
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %es = tensor.empty() : tensor<5x6xf32>
  %s = math.sin %c : tensor<5x6xf32>
  %r = linalg.mul ins(%c, %s : tensor<5x6xf32>, tensor<5x6xf32>) outs(%es : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %c, %r : tensor<5x6xf32>, tensor<5x6xf32>
}

func.func @scaled(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<6xf32>) -> tensor<5x6xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; unsupported: next op 'linalg.generic' at {{.*}}:[[#@LINE+3]]:8 scales the result of an op on integers{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %er = tensor.empty() : tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<5x6xf32>, tensor<6xf32>) outs(%er : tensor<5x6xf32>) {
  ^bb0(%in: f32, %f: f32, %out: f32):
    %0 = arith.mulf %in, %f : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @two_results(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> (tensor<5x6xf32>, tensor<5x6xf32>) {
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; unsupported: next op 'linalg.generic' at {{.*}}:[[#@LINE+2]]:10 has 2 results{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r:2 = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e, %e : tensor<5x6xf32>, tensor<5x6xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32):
    %0 = math.absf %in : f32
    %1 = math.exp %in : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<5x6xf32>, tensor<5x6xf32>)
  return %r#0, %r#1 : tensor<5x6xf32>, tensor<5x6xf32>
}

// Nothing but an order of elements.
func.func @transposed(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<6x5xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %er = tensor.empty() : tensor<6x5xf32>
  %r = linalg.transpose ins(%c : tensor<5x6xf32>) outs(%er : tensor<6x5xf32>) permutation = [1, 0]
  return %r : tensor<6x5xf32>
}

func.func @two_tensors(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>, %z: tensor<5x6xi8>) -> tensor<5x6xf32> {
  %ed = tensor.empty() : tensor<5x6xf32>
  %d = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%y, %z : tensor<5x6xi8>, tensor<5x6xi8>) outs(%ed : tensor<5x6xf32>) {
  ^bb0(%a: i8, %b: i8, %out: f32):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.sitofp %b : i8 to f32
    %2 = arith.addf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, residual; residual is not dequantised: the value is computed from 2 tensors, expected 1{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) residual(%d : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %c : tensor<5x6xf32>
}

func.func @channels(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant dense<[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]> : tensor<6xf32>
  %ed = tensor.empty() : tensor<5x6xf32>
  %d = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%y, %s : tensor<5x6xi8>, tensor<6xf32>) outs(%ed : tensor<5x6xf32>) {
  ^bb0(%in: i8, %f: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %f : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, residual; scale of the residual varies along dimension 1, expected one number{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) residual(%d : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %c : tensor<5x6xf32>
}

func.func @tiny_scale(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 1.0e-40 : f32
  %ed = tensor.empty() : tensor<5x6xf32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%ed : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, residual; unsupported: the scale {{.*}} of the residual is no f32{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) residual(%d : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %c : tensor<5x6xf32>
}

func.func @between(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 0.3 : f32
  %ed = tensor.empty() : tensor<5x6xf32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%ed : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %a = linalg.abs ins(%d : tensor<5x6xf32>) outs(%ed : tensor<5x6xf32>) -> tensor<5x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, residual; unsupported: 'linalg.abs' at {{.*}}:[[#@LINE-2]]:8 comes between 'residual' and its dequantisation{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) residual(%a : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %c : tensor<5x6xf32>
}

// A scale of each channel that fusion-fuse has folded into the residual, too.
func.func @factors(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 0.3 : f32
  %ed = tensor.empty() : tensor<5x6xf32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%ed : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %f = arith.constant dense<[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]> : tensor<6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%d, %f : tensor<5x6xf32>, tensor<6xf32>) outs(%ed : tensor<5x6xf32>) {
  ^bb0(%in: f32, %g: f32, %out: f32):
    %0 = arith.mulf %in, %g : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, residual; unsupported: 'linalg.generic' at {{.*}}:[[#@LINE-6]]:8 comes between 'residual' and its dequantisation{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) residual(%a : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %c : tensor<5x6xf32>
}

// Whether it is folded depends on the option.
func.func @residual(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 0.3 : f32
  %ed = tensor.empty() : tensor<5x6xf32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%ed : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+2]]:8: fused: dequantize, dequantized residual{{$}}
  // EXACT: :[[#@LINE+1]]:8: remark: {{.*}}quant-rounding is exact, and the scale of the residual is no power of two
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) residual(%d : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %c : tensor<5x6xf32>
}

// A factor of the residual rounds, too.
func.func @factor(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 0.5 : f32
  %t = arith.constant 0.3 : f32
  %ed = tensor.empty() : tensor<5x6xf32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%ed : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %f = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<5x6xf32>) outs(%ed : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %t : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+2]]:8: fused: dequantize, dequantized residual{{$}}
  // EXACT: :[[#@LINE+1]]:8: remark: {{.*}}quant-rounding is exact, and the scale of the residual is no power of two
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) residual(%f : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %c : tensor<5x6xf32>
}

func.func @power_of_two(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 0.5 : f32
  %ed = tensor.empty() : tensor<5x6xf32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%ed : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+2]]:8: fused: dequantize, dequantized residual{{$}}
  // BEFORE: :[[#@LINE+1]]:8: partly fused: dequantize, residual; dequantised residual can be read as integers; 'fusion-fuse-quantized' has not run{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) residual(%d : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %c : tensor<5x6xf32>
}

func.func @bias(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<6xf32>) -> tensor<5x6xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+3]]:8: fused: dequantize, bias{{$}}
  // EXACT: :[[#@LINE+2]]:8: remark: {{.*}}quant-rounding is exact, and next op 'linalg.generic' at {{.*}}:[[#@LINE+4]]:8 may round otherwise as part of the op"
  // EXPLAINED: :[[#@LINE+1]]:8: partly fused: dequantize; quant-rounding is exact, and next op 'linalg.generic' at {{.*}}:[[#@LINE+3]]:8 may round otherwise as part of the op{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %er = tensor.empty() : tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %b : tensor<5x6xf32>, tensor<6xf32>) outs(%er : tensor<5x6xf32>) {
  ^bb0(%in: f32, %f: f32, %out: f32):
    %0 = arith.addf %in, %f : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Options of the pass that leave a relu: `fusion-explain` does not know which one it was.
func.func @relu(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+4]]:8: fused: dequantize, relu{{$}}
  // EXACT: :[[#@LINE+3]]:8: remark: {{.*}}quant-rounding is exact, and next op 'linalg.generic' at {{.*}}:[[#@LINE+4]]:8 may round otherwise as part of the op"
  // EXPLAINED: :[[#@LINE+2]]:8: partly fused: dequantize; quant-rounding is exact, and next op 'linalg.generic' at {{.*}}:[[#@LINE+3]]:8 may round otherwise as part of the op; or nan-mode is propagate, and it may lose a NaN{{$}}
  // NAN: :[[#@LINE+1]]:8: remark: {{.*}}nan-mode=propagate: kernels of 'relu' may lose a NaN
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Several ops that are one activation are one step.
func.func @swish(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  // CHECK: :[[#@LINE+2]]:8: fused: dequantize, swish{{$}}
  // EXPLAINED: :[[#@LINE+1]]:8: partly fused: dequantize; quant-rounding is exact, and next op 'linalg.mul' at {{.*}}:[[#@LINE+10]]:8 may round otherwise as part of the op{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  %m = linalg.mul ins(%c, %r : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %m : tensor<5x6xf32>
}
