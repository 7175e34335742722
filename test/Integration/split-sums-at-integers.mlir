// As split-at-integers.mlir, of sums in i32 that are rescaled: before and after upstream's fusion of element-wise ops,
// from named and from generic ops: each way the same ops on integers, and none on floats.

// RUN: %python %S/verify-functions.py %s --fused=rescaled_chain:2 -- --lsb=1 | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=fusion.fused --implicit-check-not='{{linalg.(conv|matmul)}}'

// RUN: fusion-opt %s --linalg-fuse-elementwise-ops -o %t.e.mlir
// RUN: %python %S/verify-functions.py %t.e.mlir --fused=rescaled_chain:2 -- --lsb=1 | FileCheck %s
// RUN: fusion-opt %t.e.mlir --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=fusion.fused --implicit-check-not='{{linalg.(conv|matmul)}}' --implicit-check-not=reduction

// RUN: fusion-opt %s --linalg-generalize-named-ops --canonicalize --linalg-fuse-elementwise-ops --canonicalize -o %t.g.mlir
// RUN: %python %S/verify-functions.py %t.g.mlir --fused=rescaled_chain:2 -- --lsb=1 | FileCheck %s
// RUN: fusion-opt %t.g.mlir --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=fusion.fused --implicit-check-not=reduction

// CHECK: {{^}}2 functions agree, 3 fused ops

#n4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// TFLite's sum: both summands and the sum are rescaled.
// IR-LABEL: func.func @rescaled_sum(
// IR:         fusion.quantized_conv_bias_act {{.*}}6x7x6xi8>
func.func @rescaled_sum(%x: tensor<1x8x9x4xi8>, %w: tensor<6x3x3x4xi8>, %r: tensor<1x6x7x6xi8>) -> tensor<1x6x7x6xi8> {
  %v1 = arith.constant -14 : i32
  %v2 = arith.constant 0 : i32
  %v3 = arith.constant 0 : i32
  %v4 = tensor.empty() : tensor<1x6x7x6xi32>
  %v5 = linalg.fill ins(%v3 : i32) outs(%v4 : tensor<1x6x7x6xi32>) -> tensor<1x6x7x6xi32>
  %v6 = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w, %v1, %v2 : tensor<1x8x9x4xi8>, tensor<6x3x3x4xi8>, i32, i32) outs(%v5 : tensor<1x6x7x6xi32>) -> tensor<1x6x7x6xi32>
  %v7 = tensor.empty() : tensor<1x6x7x6xi8>
  %v8 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v6 : tensor<1x6x7x6xi32>) outs(%v7 : tensor<1x6x7x6xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %m = arith.constant 1400780721 : i64
    %h = arith.constant 2199023255552 : i64
    %s = arith.constant 42 : i64
    %z = arith.constant -9 : i32
    %lo = arith.constant -128 : i32
    %hi = arith.constant 127 : i32
    %0 = arith.extsi %a0 : i32 to i64
    %1 = arith.muli %0, %m : i64
    %2 = arith.addi %1, %h : i64
    %3 = arith.shrsi %2, %s : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.addi %4, %z : i32
    %6 = arith.maxsi %5, %lo : i32
    %7 = arith.minsi %6, %hi : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x6x7x6xi8>
  %v9 = tensor.empty() : tensor<1x6x7x6xi32>
  %v10 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8 : tensor<1x6x7x6xi8>) outs(%v9 : tensor<1x6x7x6xi32>) {
  ^bb0(%a0: i8, %o: i32):
    %m = arith.constant 1073741824 : i64
    %h = arith.constant 1024 : i64
    %s = arith.constant 11 : i64
    %z = arith.constant -9 : i32
    %0 = arith.extsi %a0 : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.extsi %1 : i32 to i64
    %3 = arith.muli %2, %m : i64
    %4 = arith.addi %3, %h : i64
    %5 = arith.shrsi %4, %s : i64
    %6 = arith.trunci %5 : i64 to i32
    linalg.yield %6 : i32
  } -> tensor<1x6x7x6xi32>
  %v11 = tensor.empty() : tensor<1x6x7x6xi32>
  %v12 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<1x6x7x6xi8>) outs(%v11 : tensor<1x6x7x6xi32>) {
  ^bb0(%a0: i8, %o: i32):
    %m = arith.constant 1879048192 : i64
    %h = arith.constant 2048 : i64
    %s = arith.constant 12 : i64
    %z = arith.constant 5 : i32
    %0 = arith.extsi %a0 : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.extsi %1 : i32 to i64
    %3 = arith.muli %2, %m : i64
    %4 = arith.addi %3, %h : i64
    %5 = arith.shrsi %4, %s : i64
    %6 = arith.trunci %5 : i64 to i32
    linalg.yield %6 : i32
  } -> tensor<1x6x7x6xi32>
  %v13 = tensor.empty() : tensor<1x6x7x6xi32>
  %v14 = linalg.generic {indexing_maps = [#n4, #n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10, %v12 : tensor<1x6x7x6xi32>, tensor<1x6x7x6xi32>) outs(%v13 : tensor<1x6x7x6xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %0 = arith.addi %a0, %a1 : i32
    linalg.yield %0 : i32
  } -> tensor<1x6x7x6xi32>
  %v15 = tensor.empty() : tensor<1x6x7x6xi8>
  %v16 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v14 : tensor<1x6x7x6xi32>) outs(%v15 : tensor<1x6x7x6xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %m = arith.constant 1400780721 : i64
    %h = arith.constant 562949953421312 : i64
    %s = arith.constant 50 : i64
    %z = arith.constant 11 : i32
    %lo = arith.constant -128 : i32
    %hi = arith.constant 127 : i32
    %0 = arith.extsi %a0 : i32 to i64
    %1 = arith.muli %0, %m : i64
    %2 = arith.addi %1, %h : i64
    %3 = arith.shrsi %2, %s : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.addi %4, %z : i32
    %6 = arith.maxsi %5, %lo : i32
    %7 = arith.minsi %6, %hi : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x6x7x6xi8>
  return %v16 : tensor<1x6x7x6xi8>
}

// Two convolutions of integers, the sum of the first one rescaled.
// IR-LABEL: func.func @rescaled_chain(
// IR:         fusion.quantized_conv_bias_act {{.*}}6x7x6xi8>
// IR:         fusion.quantized_conv_bias_act {{.*}}5x5x5xi8>
func.func @rescaled_chain(%x: tensor<1x8x9x4xi8>, %w: tensor<6x3x3x4xi8>, %v: tensor<5x2x3x6xi8>) -> tensor<1x5x5x5xi8> {
  %v1 = arith.constant -14 : i32
  %v2 = arith.constant 0 : i32
  %v3 = arith.constant 0 : i32
  %v4 = tensor.empty() : tensor<1x6x7x6xi32>
  %v5 = linalg.fill ins(%v3 : i32) outs(%v4 : tensor<1x6x7x6xi32>) -> tensor<1x6x7x6xi32>
  %v6 = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w, %v1, %v2 : tensor<1x8x9x4xi8>, tensor<6x3x3x4xi8>, i32, i32) outs(%v5 : tensor<1x6x7x6xi32>) -> tensor<1x6x7x6xi32>
  %v7 = tensor.empty() : tensor<1x6x7x6xi8>
  %v8 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v6 : tensor<1x6x7x6xi32>) outs(%v7 : tensor<1x6x7x6xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %m = arith.constant 1400780721 : i64
    %h = arith.constant 2199023255552 : i64
    %s = arith.constant 42 : i64
    %z = arith.constant -9 : i32
    %lo = arith.constant -128 : i32
    %hi = arith.constant 127 : i32
    %0 = arith.extsi %a0 : i32 to i64
    %1 = arith.muli %0, %m : i64
    %2 = arith.addi %1, %h : i64
    %3 = arith.shrsi %2, %s : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.addi %4, %z : i32
    %6 = arith.maxsi %5, %lo : i32
    %7 = arith.minsi %6, %hi : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x6x7x6xi8>
  %v9 = arith.constant -9 : i32
  %v10 = arith.constant 0 : i32
  %v11 = arith.constant 0 : i32
  %v12 = tensor.empty() : tensor<1x5x5x5xi32>
  %v13 = linalg.fill ins(%v11 : i32) outs(%v12 : tensor<1x5x5x5xi32>) -> tensor<1x5x5x5xi32>
  %v14 = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v8, %v, %v9, %v10 : tensor<1x6x7x6xi8>, tensor<5x2x3x6xi8>, i32, i32) outs(%v13 : tensor<1x5x5x5xi32>) -> tensor<1x5x5x5xi32>
  %v15 = tensor.empty() : tensor<1x5x5x5xi8>
  %v16 = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v14 : tensor<1x5x5x5xi32>) outs(%v15 : tensor<1x5x5x5xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %m = arith.constant 1400780721 : i64
    %h = arith.constant 4398046511104 : i64
    %s = arith.constant 43 : i64
    %z = arith.constant 3 : i32
    %lo = arith.constant -128 : i32
    %hi = arith.constant 127 : i32
    %0 = arith.extsi %a0 : i32 to i64
    %1 = arith.muli %0, %m : i64
    %2 = arith.addi %1, %h : i64
    %3 = arith.shrsi %2, %s : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.addi %4, %z : i32
    %6 = arith.maxsi %5, %lo : i32
    %7 = arith.minsi %6, %hi : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x5x5x5xi8>
  return %v16 : tensor<1x5x5x5xi8>
}
