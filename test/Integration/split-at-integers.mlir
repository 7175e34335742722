// Quantised layers as a front end writes them, and after upstream's fusion of element-wise ops,
// from named and from generic ops: each way the same ops on integers, and none on floats.

// RUN: %python %S/verify-functions.py %s --fused=chain:2,shortcut:2 -- --lsb=1 | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=fusion.fused --implicit-check-not='{{linalg.(conv|matmul)}}'

// RUN: fusion-opt %s --linalg-fuse-elementwise-ops -o %t.e.mlir
// RUN: %python %S/verify-functions.py %t.e.mlir --fused=chain:2,shortcut:2 -- --lsb=1 | FileCheck %s
// RUN: fusion-opt %t.e.mlir --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=fusion.fused --implicit-check-not='{{linalg.(conv|matmul)}}' --implicit-check-not=reduction

// RUN: fusion-opt %s --linalg-generalize-named-ops --canonicalize --linalg-fuse-elementwise-ops --canonicalize -o %t.g.mlir
// RUN: %python %S/verify-functions.py %t.g.mlir --fused=chain:2,shortcut:2 -- --lsb=1 | FileCheck %s
// RUN: fusion-opt %t.g.mlir --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=fusion.fused --implicit-check-not=reduction

// CHECK: {{^}}3 functions agree, 5 fused ops

#n4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#d43 = affine_map<(d0, d1, d2, d3) -> (d3)>

// Between two convolutions a quantisation and a dequantisation.
// IR-LABEL: func.func @chain(
// IR:         fusion.quantized_conv_bias_act {{.*}}6x7x6xi8>
// IR:         fusion.quantized_conv_bias_act {{.*}}6x7x5xi8>
func.func @chain(%x: tensor<1x8x9x4xi8>, %w: tensor<3x3x4x6xi8>, %v: tensor<1x1x6x5xi8>) -> tensor<1x6x7x5xi8> {
  %v1 = tensor.empty() : tensor<1x8x9x4xf32>
  %v2 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x8x9x4xi8>) outs(%v1 : tensor<1x8x9x4xf32>) {
  ^bb0(%a0: i8, %o: f32):
    %z = arith.constant -14 : i32
    %s = arith.constant 0.02 : f32
    %0 = arith.extsi %a0 : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<1x8x9x4xf32>
  %v3 = arith.constant dense<[0.0189, 0.0099, 0.0066, 0.0075, 0.0081, 0.0162]> : tensor<6xf32>
  %v4 = tensor.empty() : tensor<3x3x4x6xf32>
  %v5 = linalg.generic {indexing_maps = [#n4, #d43, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %v3 : tensor<3x3x4x6xi8>, tensor<6xf32>) outs(%v4 : tensor<3x3x4x6xf32>) {
  ^bb0(%a0: i8, %a1: f32, %o: f32):
    %0 = arith.sitofp %a0 : i8 to f32
    %1 = arith.mulf %0, %a1 : f32
    linalg.yield %1 : f32
  } -> tensor<3x3x4x6xf32>
  %v6 = arith.constant 0.0 : f32
  %v7 = tensor.empty() : tensor<1x6x7x6xf32>
  %v8 = linalg.fill ins(%v6 : f32) outs(%v7 : tensor<1x6x7x6xf32>) -> tensor<1x6x7x6xf32>
  %v9 = linalg.conv_2d_nhwc_hwcf ins(%v2, %v5 : tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) outs(%v8 : tensor<1x6x7x6xf32>) -> tensor<1x6x7x6xf32>
  %v10 = arith.constant dense<[0.9749, -0.3702, -0.247, 0.1784, -0.7335, 0.2671]> : tensor<6xf32>
  %v11 = tensor.empty() : tensor<1x6x7x6xf32>
  %v12 = linalg.generic {indexing_maps = [#n4, #d43, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v9, %v10 : tensor<1x6x7x6xf32>, tensor<6xf32>) outs(%v11 : tensor<1x6x7x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.addf %a0, %a1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x7x6xf32>
  %v13 = tensor.empty() : tensor<1x6x7x6xf32>
  %v14 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v12 : tensor<1x6x7x6xf32>) outs(%v13 : tensor<1x6x7x6xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %0 = arith.maximumf %a0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x7x6xf32>
  %v15 = tensor.empty() : tensor<1x6x7x6xi8>
  %v16 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v14 : tensor<1x6x7x6xf32>) outs(%v15 : tensor<1x6x7x6xi8>) {
  ^bb0(%a0: f32, %o: i8):
    %s = arith.constant 0.3 : f32
    %z = arith.constant -128.0 : f32
    %lo = arith.constant -128.0 : f32
    %hi = arith.constant 127.0 : f32
    %0 = arith.divf %a0, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %z : f32
    %3 = arith.maximumf %2, %lo : f32
    %4 = arith.minimumf %3, %hi : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x6x7x6xi8>
  %v17 = tensor.empty() : tensor<1x6x7x6xf32>
  %v18 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v16 : tensor<1x6x7x6xi8>) outs(%v17 : tensor<1x6x7x6xf32>) {
  ^bb0(%a0: i8, %o: f32):
    %z = arith.constant -128 : i32
    %s = arith.constant 0.3 : f32
    %0 = arith.extsi %a0 : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<1x6x7x6xf32>
  %v19 = arith.constant dense<[0.0128, 0.0052, 0.0053, 0.0156, 0.0077]> : tensor<5xf32>
  %v20 = tensor.empty() : tensor<1x1x6x5xf32>
  %v21 = linalg.generic {indexing_maps = [#n4, #d43, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v, %v19 : tensor<1x1x6x5xi8>, tensor<5xf32>) outs(%v20 : tensor<1x1x6x5xf32>) {
  ^bb0(%a0: i8, %a1: f32, %o: f32):
    %0 = arith.sitofp %a0 : i8 to f32
    %1 = arith.mulf %0, %a1 : f32
    linalg.yield %1 : f32
  } -> tensor<1x1x6x5xf32>
  %v22 = arith.constant 0.0 : f32
  %v23 = tensor.empty() : tensor<1x6x7x5xf32>
  %v24 = linalg.fill ins(%v22 : f32) outs(%v23 : tensor<1x6x7x5xf32>) -> tensor<1x6x7x5xf32>
  %v25 = linalg.conv_2d_nhwc_hwcf ins(%v18, %v21 : tensor<1x6x7x6xf32>, tensor<1x1x6x5xf32>) outs(%v24 : tensor<1x6x7x5xf32>) -> tensor<1x6x7x5xf32>
  %v26 = tensor.empty() : tensor<1x6x7x5xi8>
  %v27 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v25 : tensor<1x6x7x5xf32>) outs(%v26 : tensor<1x6x7x5xi8>) {
  ^bb0(%a0: f32, %o: i8):
    %s = arith.constant 0.8 : f32
    %z = arith.constant 3.0 : f32
    %lo = arith.constant -128.0 : f32
    %hi = arith.constant 127.0 : f32
    %0 = arith.divf %a0, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %z : f32
    %3 = arith.maximumf %2, %lo : f32
    %4 = arith.minimumf %3, %hi : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x6x7x5xi8>
  return %v27 : tensor<1x6x7x5xi8>
}

// A dequantised residual, a relu, and a quantisation.
// IR-LABEL: func.func @residual(
// IR:         fusion.quantized_conv_bias_act {{.*}} residual(%{{.*}} : tensor<1x6x7x6xi8>)
func.func @residual(%x: tensor<1x8x9x4xi8>, %w: tensor<3x3x4x6xi8>, %r: tensor<1x6x7x6xi8>) -> tensor<1x6x7x6xi8> {
  %v1 = tensor.empty() : tensor<1x8x9x4xf32>
  %v2 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x8x9x4xi8>) outs(%v1 : tensor<1x8x9x4xf32>) {
  ^bb0(%a0: i8, %o: f32):
    %z = arith.constant -14 : i32
    %s = arith.constant 0.02 : f32
    %0 = arith.extsi %a0 : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<1x8x9x4xf32>
  %v3 = arith.constant dense<[0.0189, 0.0099, 0.0066, 0.0075, 0.0081, 0.0162]> : tensor<6xf32>
  %v4 = tensor.empty() : tensor<3x3x4x6xf32>
  %v5 = linalg.generic {indexing_maps = [#n4, #d43, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %v3 : tensor<3x3x4x6xi8>, tensor<6xf32>) outs(%v4 : tensor<3x3x4x6xf32>) {
  ^bb0(%a0: i8, %a1: f32, %o: f32):
    %0 = arith.sitofp %a0 : i8 to f32
    %1 = arith.mulf %0, %a1 : f32
    linalg.yield %1 : f32
  } -> tensor<3x3x4x6xf32>
  %v6 = arith.constant 0.0 : f32
  %v7 = tensor.empty() : tensor<1x6x7x6xf32>
  %v8 = linalg.fill ins(%v6 : f32) outs(%v7 : tensor<1x6x7x6xf32>) -> tensor<1x6x7x6xf32>
  %v9 = linalg.conv_2d_nhwc_hwcf ins(%v2, %v5 : tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) outs(%v8 : tensor<1x6x7x6xf32>) -> tensor<1x6x7x6xf32>
  %v10 = arith.constant dense<[0.9749, -0.3702, -0.247, 0.1784, -0.7335, 0.2671]> : tensor<6xf32>
  %v11 = tensor.empty() : tensor<1x6x7x6xf32>
  %v12 = linalg.generic {indexing_maps = [#n4, #d43, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v9, %v10 : tensor<1x6x7x6xf32>, tensor<6xf32>) outs(%v11 : tensor<1x6x7x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.addf %a0, %a1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x7x6xf32>
  %v13 = tensor.empty() : tensor<1x6x7x6xf32>
  %v14 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<1x6x7x6xi8>) outs(%v13 : tensor<1x6x7x6xf32>) {
  ^bb0(%a0: i8, %o: f32):
    %z = arith.constant 7 : i32
    %s = arith.constant 0.2 : f32
    %0 = arith.extsi %a0 : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<1x6x7x6xf32>
  %v15 = tensor.empty() : tensor<1x6x7x6xf32>
  %v16 = linalg.generic {indexing_maps = [#n4, #n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v12, %v14 : tensor<1x6x7x6xf32>, tensor<1x6x7x6xf32>) outs(%v15 : tensor<1x6x7x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.addf %a0, %a1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x7x6xf32>
  %v17 = tensor.empty() : tensor<1x6x7x6xf32>
  %v18 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v16 : tensor<1x6x7x6xf32>) outs(%v17 : tensor<1x6x7x6xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %0 = arith.maximumf %a0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x7x6xf32>
  %v19 = tensor.empty() : tensor<1x6x7x6xi8>
  %v20 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v18 : tensor<1x6x7x6xf32>) outs(%v19 : tensor<1x6x7x6xi8>) {
  ^bb0(%a0: f32, %o: i8):
    %s = arith.constant 0.4 : f32
    %z = arith.constant -100.0 : f32
    %lo = arith.constant -128.0 : f32
    %hi = arith.constant 127.0 : f32
    %0 = arith.divf %a0, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %z : f32
    %3 = arith.maximumf %2, %lo : f32
    %4 = arith.minimumf %3, %hi : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x6x7x6xi8>
  return %v20 : tensor<1x6x7x6xi8>
}

// Two convolutions that are quantised, dequantised and added: the sum is a loop.
// IR-LABEL: func.func @shortcut(
// IR:         fusion.quantized_conv_bias_act {{.*}}6x7x6xi8>
// IR:         fusion.quantized_conv_bias_act {{.*}}6x7x6xi8>
func.func @shortcut(%x: tensor<1x8x9x4xi8>, %w: tensor<3x3x4x6xi8>, %v: tensor<3x3x4x6xi8>) -> tensor<1x6x7x6xi8> {
  %v1 = tensor.empty() : tensor<1x8x9x4xf32>
  %v2 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x8x9x4xi8>) outs(%v1 : tensor<1x8x9x4xf32>) {
  ^bb0(%a0: i8, %o: f32):
    %z = arith.constant -14 : i32
    %s = arith.constant 0.02 : f32
    %0 = arith.extsi %a0 : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<1x8x9x4xf32>
  %v3 = arith.constant dense<[0.0189, 0.0099, 0.0066, 0.0075, 0.0081, 0.0162]> : tensor<6xf32>
  %v4 = tensor.empty() : tensor<3x3x4x6xf32>
  %v5 = linalg.generic {indexing_maps = [#n4, #d43, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %v3 : tensor<3x3x4x6xi8>, tensor<6xf32>) outs(%v4 : tensor<3x3x4x6xf32>) {
  ^bb0(%a0: i8, %a1: f32, %o: f32):
    %0 = arith.sitofp %a0 : i8 to f32
    %1 = arith.mulf %0, %a1 : f32
    linalg.yield %1 : f32
  } -> tensor<3x3x4x6xf32>
  %v6 = arith.constant 0.0 : f32
  %v7 = tensor.empty() : tensor<1x6x7x6xf32>
  %v8 = linalg.fill ins(%v6 : f32) outs(%v7 : tensor<1x6x7x6xf32>) -> tensor<1x6x7x6xf32>
  %v9 = linalg.conv_2d_nhwc_hwcf ins(%v2, %v5 : tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) outs(%v8 : tensor<1x6x7x6xf32>) -> tensor<1x6x7x6xf32>
  %v10 = arith.constant dense<[0.9749, -0.3702, -0.247, 0.1784, -0.7335, 0.2671]> : tensor<6xf32>
  %v11 = tensor.empty() : tensor<1x6x7x6xf32>
  %v12 = linalg.generic {indexing_maps = [#n4, #d43, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v9, %v10 : tensor<1x6x7x6xf32>, tensor<6xf32>) outs(%v11 : tensor<1x6x7x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.addf %a0, %a1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x7x6xf32>
  %v13 = tensor.empty() : tensor<1x6x7x6xi8>
  %v14 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v12 : tensor<1x6x7x6xf32>) outs(%v13 : tensor<1x6x7x6xi8>) {
  ^bb0(%a0: f32, %o: i8):
    %s = arith.constant 0.3 : f32
    %z = arith.constant -5.0 : f32
    %lo = arith.constant -128.0 : f32
    %hi = arith.constant 127.0 : f32
    %0 = arith.divf %a0, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %z : f32
    %3 = arith.maximumf %2, %lo : f32
    %4 = arith.minimumf %3, %hi : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x6x7x6xi8>
  %v15 = tensor.empty() : tensor<1x6x7x6xf32>
  %v16 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v14 : tensor<1x6x7x6xi8>) outs(%v15 : tensor<1x6x7x6xf32>) {
  ^bb0(%a0: i8, %o: f32):
    %z = arith.constant -5 : i32
    %s = arith.constant 0.3 : f32
    %0 = arith.extsi %a0 : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<1x6x7x6xf32>
  %v17 = tensor.empty() : tensor<1x8x9x4xf32>
  %v18 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x8x9x4xi8>) outs(%v17 : tensor<1x8x9x4xf32>) {
  ^bb0(%a0: i8, %o: f32):
    %z = arith.constant -14 : i32
    %s = arith.constant 0.02 : f32
    %0 = arith.extsi %a0 : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<1x8x9x4xf32>
  %v19 = arith.constant dense<[0.0189, 0.0099, 0.0066, 0.0075, 0.0081, 0.0162]> : tensor<6xf32>
  %v20 = tensor.empty() : tensor<3x3x4x6xf32>
  %v21 = linalg.generic {indexing_maps = [#n4, #d43, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v, %v19 : tensor<3x3x4x6xi8>, tensor<6xf32>) outs(%v20 : tensor<3x3x4x6xf32>) {
  ^bb0(%a0: i8, %a1: f32, %o: f32):
    %0 = arith.sitofp %a0 : i8 to f32
    %1 = arith.mulf %0, %a1 : f32
    linalg.yield %1 : f32
  } -> tensor<3x3x4x6xf32>
  %v22 = arith.constant 0.0 : f32
  %v23 = tensor.empty() : tensor<1x6x7x6xf32>
  %v24 = linalg.fill ins(%v22 : f32) outs(%v23 : tensor<1x6x7x6xf32>) -> tensor<1x6x7x6xf32>
  %v25 = linalg.conv_2d_nhwc_hwcf ins(%v18, %v21 : tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) outs(%v24 : tensor<1x6x7x6xf32>) -> tensor<1x6x7x6xf32>
  %v26 = arith.constant dense<[0.9749, -0.3702, -0.247, 0.1784, -0.7335, 0.2671]> : tensor<6xf32>
  %v27 = tensor.empty() : tensor<1x6x7x6xf32>
  %v28 = linalg.generic {indexing_maps = [#n4, #d43, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v25, %v26 : tensor<1x6x7x6xf32>, tensor<6xf32>) outs(%v27 : tensor<1x6x7x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.addf %a0, %a1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x7x6xf32>
  %v29 = tensor.empty() : tensor<1x6x7x6xi8>
  %v30 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v28 : tensor<1x6x7x6xf32>) outs(%v29 : tensor<1x6x7x6xi8>) {
  ^bb0(%a0: f32, %o: i8):
    %s = arith.constant 0.25 : f32
    %z = arith.constant 9.0 : f32
    %lo = arith.constant -128.0 : f32
    %hi = arith.constant 127.0 : f32
    %0 = arith.divf %a0, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %z : f32
    %3 = arith.maximumf %2, %lo : f32
    %4 = arith.minimumf %3, %hi : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x6x7x6xi8>
  %v31 = tensor.empty() : tensor<1x6x7x6xf32>
  %v32 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v30 : tensor<1x6x7x6xi8>) outs(%v31 : tensor<1x6x7x6xf32>) {
  ^bb0(%a0: i8, %o: f32):
    %z = arith.constant 9 : i32
    %s = arith.constant 0.25 : f32
    %0 = arith.extsi %a0 : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<1x6x7x6xf32>
  %v33 = tensor.empty() : tensor<1x6x7x6xf32>
  %v34 = linalg.generic {indexing_maps = [#n4, #n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v16, %v32 : tensor<1x6x7x6xf32>, tensor<1x6x7x6xf32>) outs(%v33 : tensor<1x6x7x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.addf %a0, %a1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x7x6xf32>
  %v35 = tensor.empty() : tensor<1x6x7x6xf32>
  %v36 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v34 : tensor<1x6x7x6xf32>) outs(%v35 : tensor<1x6x7x6xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %0 = arith.maximumf %a0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x7x6xf32>
  %v37 = tensor.empty() : tensor<1x6x7x6xi8>
  %v38 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v36 : tensor<1x6x7x6xf32>) outs(%v37 : tensor<1x6x7x6xi8>) {
  ^bb0(%a0: f32, %o: i8):
    %s = arith.constant 0.35 : f32
    %z = arith.constant -128.0 : f32
    %lo = arith.constant -128.0 : f32
    %hi = arith.constant 127.0 : f32
    %0 = arith.divf %a0, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %z : f32
    %3 = arith.maximumf %2, %lo : f32
    %4 = arith.minimumf %3, %hi : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x6x7x6xi8>
  return %v38 : tensor<1x6x7x6xi8>
}
