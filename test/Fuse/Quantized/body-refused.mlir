// Bodies that are no quantisation or rescaling, and what in them is not.

// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

#n = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#n0 = affine_map<(d0, d1) -> (d0)>
#n1 = affine_map<(d0, d1) -> (d1)>

// A bound that only a call knows.
func.func @captured(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: f32) -> tensor<5x6xi8> {
  %s = arith.constant 0.1 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: a scalar is not known at compile time{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %b : f32
    %l = arith.maximumf %2, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// A bound that is no number.
func.func @nan(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.1 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: a constant is not a number{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %nan : f32
    %l = arith.maximumf %2, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// Scales that were left out of the file.
func.func @elided(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.1 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %v = arith.constant dense_resource<left_out> : tensor<6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: the elements of a constant are not known{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %v : tensor<5x6xf32>, tensor<6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %in1: f32, %out: i8):
    %0 = arith.divf %in, %in1 : f32
    %1 = math.roundeven %0 : f32
    %l = arith.maximumf %1, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// Scales of rows and columns.
func.func @two_dims(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.1 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %v = arith.constant dense<[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]> : tensor<6xf32>
  %u = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: constants vary along dimensions 1 and 0{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n0, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %v, %u : tensor<5x6xf32>, tensor<6xf32>, tensor<5xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %in1: f32, %in2: f32, %out: i8):
    %0 = arith.divf %in, %in1 : f32
    %1 = arith.mulf %0, %in2 : f32
    %2 = math.roundeven %1 : f32
    %l = arith.maximumf %2, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// Adds to its destination.
func.func @destination(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.1 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: it reads what is in its destination{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %s : f32
    %1 = math.roundeven %0 : f32
    %l = arith.maximumf %1, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    %a = arith.maxsi %i, %out : i8
    linalg.yield %a : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// The greatest element of a row.
func.func @reduction(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5xi8> {
  %s = arith.constant 0.1 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: 'linalg.generic' is not element-wise{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n0], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %s : f32
    %1 = math.roundeven %0 : f32
    %l = arith.maximumf %1, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    %a = arith.maxsi %i, %out : i8
    linalg.yield %a : i8
  } -> tensor<5xi8>
  return %r : tensor<5xi8>
}

// Writes columns for rows.
func.func @permuted(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<6x5xi8> {
  %s = arith.constant 0.1 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<6x5xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: unsupported: result of 'linalg.generic' is permuted{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #t], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<6x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %s : f32
    %1 = math.roundeven %0 : f32
    %l = arith.maximumf %1, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<6x5xi8>
  return %r : tensor<6x5xi8>
}

// A fraction behind the rounding.
func.func @fraction(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.1 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: one integer is expected to be added behind the rounding, the same for all elements{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %s : f32
    %l = arith.maximumf %2, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// Steps of two.
func.func @scaled_behind(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.1 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: a rounded number is scaled{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.mulf %1, %two : f32
    %l = arith.maximumf %2, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// Divides by the result.
func.func @divisor(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.1 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: the divisor is zero or not constant{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %s, %in : f32
    %1 = math.roundeven %0 : f32
    %l = arith.maximumf %1, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// A bound for each channel.
func.func @bounds(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.1 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: a bound is not one constant{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %v : tensor<5x6xf32>, tensor<6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %in1: f32, %out: i8):
    %0 = arith.divf %in, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %in1 : f32
    %l = arith.maximumf %2, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// Adds a zero point to an i32 that may be at its end.
func.func @wraps(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.1 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %z = arith.constant 3 : i32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: may wrap: i32 for -2147483645 to 2147483650{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.fptosi %1 : f32 to i32
    %3 = arith.addi %2, %z : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// Shifts by a tensor.
func.func @shift_by_tensor(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi32>) -> tensor<5x6xi8> {
  %m = arith.constant 5 : i32
  %n = arith.constant 4 : i32
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; sum is not rescaled: how far is shifted is not constant{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %in1: i32, %out: i8):
    %0 = arith.shrsi %in, %in1 : i32
    %l = arith.maxsi %0, %lo : i32
    %h = arith.minsi %l, %hi : i32
    %i = arith.trunci %h : i32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// Shifts twice.
func.func @shift_twice(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %m = arith.constant 5 : i32
  %n = arith.constant 4 : i32
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; sum is not rescaled: rounds twice{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.shrsi %in, %n : i32
    %1 = arith.shrsi %0, %n : i32
    %l = arith.maxsi %1, %lo : i32
    %h = arith.minsi %l, %hi : i32
    %i = arith.trunci %h : i32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// A multiplier that only a call knows.
func.func @multiplier(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi32>) -> tensor<5x6xi8> {
  %m = arith.constant 5 : i32
  %n = arith.constant 4 : i32
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %zero = arith.constant 0 : i32
  %sh = arith.constant 35 : i8
  %e = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; sum is not rescaled: multiplier or shift is not constant{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %in1: i32, %out: i8):
    %0 = tosa.apply_scale %in, %in1, %sh {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %l = arith.maxsi %0, %lo : i32
    %h = arith.minsi %l, %hi : i32
    %i = arith.trunci %h : i32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// A rounding that TOSA leaves open.
func.func @inexact(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %m = arith.constant 5 : i32
  %n = arith.constant 4 : i32
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %zero = arith.constant 0 : i32
  %sh = arith.constant 35 : i8
  %e = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; sum is not rescaled: unsupported: rounding mode #tosa.rounding_mode<INEXACT_ROUND>{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = tosa.apply_scale %in, %m, %sh {rounding_mode = INEXACT_ROUND} : (i32, i32, i8) -> i32
    %l = arith.maxsi %0, %lo : i32
    %h = arith.minsi %l, %hi : i32
    %i = arith.trunci %h : i32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// Half a step away from zero, of minus the sum.
func.func @sign(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %m = arith.constant 5 : i32
  %n = arith.constant 4 : i32
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %zero = arith.constant 0 : i32
  %k = arith.constant -1000 : i64
  %up = arith.constant 100 : i64
  %down = arith.constant -100 : i64
  %q = arith.constant 16 : i64
  %e = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; sum is not rescaled: what is added has the sign of something else{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.extsi %in : i32 to i64
    %1 = arith.muli %0, %k : i64
    %2 = arith.cmpi sge, %in, %zero : i32
    %3 = arith.select %2, %up, %down : i64
    %4 = arith.addi %1, %3 : i64
    %5 = arith.shrsi %4, %q : i64
    %6 = arith.trunci %5 : i64 to i32
    %l = arith.maxsi %6, %lo : i32
    %h = arith.minsi %l, %hi : i32
    %i = arith.trunci %h : i32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// A factor for some of the channels.
func.func @some_channels(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %m = arith.constant 5 : i32
  %n = arith.constant 4 : i32
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %zero = arith.constant 0 : i32
  %v = arith.constant dense<[1, -1, 2, -2, 3, -3]> : tensor<6xi32>
  %e = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; sum is not rescaled: channels are computed differently{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %v : tensor<5x6xi32>, tensor<6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %in1: i32, %out: i8):
    %n0 = arith.shrsi %in, %n : i32
    %1 = arith.cmpi sgt, %in1, %zero : i32
    %2 = arith.select %1, %n0, %in : i32
    %l = arith.maxsi %2, %lo : i32
    %h = arith.minsi %l, %hi : i32
    %i = arith.trunci %h : i32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}
