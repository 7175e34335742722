// A constant bias of an op whose result is quantised becomes a part of the sum, if that moves
// no value by more than 1/32 of a step.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --check-prefixes=CHECK,NEAREST
// RUN: fusion-opt %s --fusion-fuse-quantized=quant-rounding=exact | FileCheck %s --check-prefixes=CHECK,EXACT

#n = affine_map<(d0, d1) -> (d0, d1)>

// Multiples of the scale.
// CHECK-LABEL: func @multiples(
// CHECK:         %[[B:.*]] = arith.constant dense<[32, -192]> : tensor<2xi32>
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} bias(%[[B]] : tensor<2xi32>) {{.*}} -> tensor<5x2xi8>
func.func @multiples(%x: tensor<5x7xi8>, %w: tensor<7x2xi8>) -> tensor<5x2xi8> {
  %s = arith.constant dense<[0.0078125, 0.0078125]> : tensor<2xf32>
  %b = arith.constant dense<[0.25, -1.5]> : tensor<2xf32>
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x2xf32>
  %e8 = tensor.empty() : tensor<5x2xi8>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x2xi8>) bias(%b : tensor<2xf32>)
         scale(%s : tensor<2xf32>) outs(%e : tensor<5x2xf32>) -> tensor<5x2xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x2xf32>) outs(%e8 : tensor<5x2xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = math.roundeven %in : f32
    %1 = arith.maximumf %0, %min : f32
    %2 = arith.minimumf %1, %max : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x2xi8>
  return %q : tensor<5x2xi8>
}

// 38.4 units of the sum, 0.003 off; not exact.
// CHECK-LABEL: func @rounded(
// NEAREST:       %[[B:.*]] = arith.constant dense<[38, -192]> : tensor<2xi32>
// NEAREST:       fusion.quantized_matmul_bias_act {{.*}} bias(%[[B]] : tensor<2xi32>) {{.*}} -> tensor<5x2xi8>
// EXACT:         fusion.quantized_matmul_bias_act {{.*}} bias(%{{.*}} : tensor<2xf32>) {{.*}} -> tensor<5x2xi8>
func.func @rounded(%x: tensor<5x7xi8>, %w: tensor<7x2xi8>) -> tensor<5x2xi8> {
  %s = arith.constant dense<[0.0078125, 0.0078125]> : tensor<2xf32>
  %b = arith.constant dense<[0.3, -1.5]> : tensor<2xf32>
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x2xf32>
  %e8 = tensor.empty() : tensor<5x2xi8>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x2xi8>) bias(%b : tensor<2xf32>)
         scale(%s : tensor<2xf32>) outs(%e : tensor<5x2xf32>) -> tensor<5x2xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x2xf32>) outs(%e8 : tensor<5x2xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = math.roundeven %in : f32
    %1 = arith.maximumf %0, %min : f32
    %2 = arith.minimumf %1, %max : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x2xi8>
  return %q : tensor<5x2xi8>
}

// The largest bias. 8388607 * 2^-7
// CHECK-LABEL: func @limit(
// CHECK:         %[[B:.*]] = arith.constant dense<[8388607, 1]> : tensor<2xi32>
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} bias(%[[B]] : tensor<2xi32>) {{.*}} -> tensor<5x2xi8>
func.func @limit(%x: tensor<5x7xi8>, %w: tensor<7x2xi8>) -> tensor<5x2xi8> {
  %s = arith.constant dense<[0.0078125, 0.0078125]> : tensor<2xf32>
  %b = arith.constant dense<[65535.9921875, 0.0078125]> : tensor<2xf32>
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x2xf32>
  %e8 = tensor.empty() : tensor<5x2xi8>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x2xi8>) bias(%b : tensor<2xf32>)
         scale(%s : tensor<2xf32>) outs(%e : tensor<5x2xf32>) -> tensor<5x2xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x2xf32>) outs(%e8 : tensor<5x2xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = math.roundeven %in : f32
    %1 = arith.maximumf %0, %min : f32
    %2 = arith.minimumf %1, %max : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x2xi8>
  return %q : tensor<5x2xi8>
}

// 0.6 units of the sum, 0.2 of a step off.
// CHECK-LABEL: func @coarse(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} bias(%{{.*}} : tensor<2xf32>) {{.*}} -> tensor<5x2xi8>
func.func @coarse(%x: tensor<5x7xi8>, %w: tensor<7x2xi8>) -> tensor<5x2xi8> {
  %s = arith.constant dense<[0.0078125, 0.5]> : tensor<2xf32>
  %b = arith.constant dense<[0.25, 0.3]> : tensor<2xf32>
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x2xf32>
  %e8 = tensor.empty() : tensor<5x2xi8>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x2xi8>) bias(%b : tensor<2xf32>)
         scale(%s : tensor<2xf32>) outs(%e : tensor<5x2xf32>) -> tensor<5x2xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x2xf32>) outs(%e8 : tensor<5x2xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = math.roundeven %in : f32
    %1 = arith.maximumf %0, %min : f32
    %2 = arith.minimumf %1, %max : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x2xi8>
  return %q : tensor<5x2xi8>
}

// 2^23 units.
// CHECK-LABEL: func @large(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} bias(%{{.*}} : tensor<2xf32>) {{.*}} -> tensor<5x2xi8>
func.func @large(%x: tensor<5x7xi8>, %w: tensor<7x2xi8>) -> tensor<5x2xi8> {
  %s = arith.constant dense<[0.0078125, 0.0078125]> : tensor<2xf32>
  %b = arith.constant dense<[65536.0, 0.25]> : tensor<2xf32>
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x2xf32>
  %e8 = tensor.empty() : tensor<5x2xi8>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x2xi8>) bias(%b : tensor<2xf32>)
         scale(%s : tensor<2xf32>) outs(%e : tensor<5x2xf32>) -> tensor<5x2xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x2xf32>) outs(%e8 : tensor<5x2xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = math.roundeven %in : f32
    %1 = arith.maximumf %0, %min : f32
    %2 = arith.minimumf %1, %max : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x2xi8>
  return %q : tensor<5x2xi8>
}

// A scale of 0.
// CHECK-LABEL: func @no_scale(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} bias(%{{.*}} : tensor<2xf32>) {{.*}} -> tensor<5x2xi8>
func.func @no_scale(%x: tensor<5x7xi8>, %w: tensor<7x2xi8>) -> tensor<5x2xi8> {
  %s = arith.constant dense<[0.0078125, 0.0]> : tensor<2xf32>
  %b = arith.constant dense<[0.25, 0.25]> : tensor<2xf32>
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x2xf32>
  %e8 = tensor.empty() : tensor<5x2xi8>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x2xi8>) bias(%b : tensor<2xf32>)
         scale(%s : tensor<2xf32>) outs(%e : tensor<5x2xf32>) -> tensor<5x2xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x2xf32>) outs(%e8 : tensor<5x2xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = math.roundeven %in : f32
    %1 = arith.maximumf %0, %min : f32
    %2 = arith.minimumf %1, %max : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x2xi8>
  return %q : tensor<5x2xi8>
}

// The sum alone fits i32, and with 2^23 more it may not.
// CHECK-LABEL: func @long(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} bias(%{{.*}} : tensor<2xf32>) {{.*}} -> tensor<5x2xi8>
func.func @long(%x: tensor<5x130700xi8>, %w: tensor<130700x2xi8>) -> tensor<5x2xi8> {
  %s = arith.constant dense<[0.0078125, 0.0078125]> : tensor<2xf32>
  %b = arith.constant dense<[0.25, -1.5]> : tensor<2xf32>
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x2xf32>
  %e8 = tensor.empty() : tensor<5x2xi8>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x130700xi8>, tensor<130700x2xi8>) bias(%b : tensor<2xf32>)
         scale(%s : tensor<2xf32>) outs(%e : tensor<5x2xf32>) -> tensor<5x2xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x2xf32>) outs(%e8 : tensor<5x2xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = math.roundeven %in : f32
    %1 = arith.maximumf %0, %min : f32
    %2 = arith.minimumf %1, %max : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x2xi8>
  return %q : tensor<5x2xi8>
}
