// Filters of other integers than i8 beside an input in f32 get the reason that i8 gets.

// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>
#b = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#b1 = affine_map<(d0, d1, d2) -> (d0, d2)>

// CHECK: partly fused: matrix multiplication alone; unsupported: 'filter' is dequantised, and 'input' is not{{$}}
func.func @i4(%x: tensor<5x64xf32>, %w: tensor<64x6xi4>) -> tensor<5x6xf32> {
  %s = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %ew = tensor.empty() : tensor<64x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %s : tensor<64x6xi4>, tensor<6xf32>) outs(%ew : tensor<64x6xf32>) {
  ^bb0(%in: i4, %f: f32, %out: f32):
    %0 = arith.sitofp %in : i4 to f32
    %1 = arith.mulf %0, %f : f32
    linalg.yield %1 : f32
  } -> tensor<64x6xf32>
  %r = fusion.fused_matmul_bias_act ins(%x, %wd : tensor<5x64xf32>, tensor<64x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// CHECK: partly fused: matrix multiplication alone; unsupported: 'filter' is dequantised, and 'input' is not{{$}}
func.func @u4(%x: tensor<5x64xf32>, %w: tensor<64x6xi4>) -> tensor<5x6xf32> {
  %s = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %ew = tensor.empty() : tensor<64x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %s : tensor<64x6xi4>, tensor<6xf32>) outs(%ew : tensor<64x6xf32>) {
  ^bb0(%in: i4, %f: f32, %out: f32):
    %0 = arith.uitofp %in : i4 to f32
    %1 = arith.mulf %0, %f : f32
    linalg.yield %1 : f32
  } -> tensor<64x6xf32>
  %r = fusion.fused_matmul_bias_act ins(%x, %wd : tensor<5x64xf32>, tensor<64x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// CHECK: partly fused: matrix multiplication alone; unsupported: 'filter' is dequantised, and 'input' is not{{$}}
func.func @i16(%x: tensor<5x64xf32>, %w: tensor<64x6xi16>) -> tensor<5x6xf32> {
  %s = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %ew = tensor.empty() : tensor<64x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %s : tensor<64x6xi16>, tensor<6xf32>) outs(%ew : tensor<64x6xf32>) {
  ^bb0(%in: i16, %f: f32, %out: f32):
    %0 = arith.sitofp %in : i16 to f32
    %1 = arith.mulf %0, %f : f32
    linalg.yield %1 : f32
  } -> tensor<64x6xf32>
  %r = fusion.fused_matmul_bias_act ins(%x, %wd : tensor<5x64xf32>, tensor<64x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Scales and zero points of blocks.
// CHECK: partly fused: matrix multiplication alone; unsupported: 'filter' is dequantised, and 'input' is not{{$}}
func.func @blocks(%x: tensor<5x64xf32>, %w: tensor<2x32x6xi4>, %s: tensor<2x6xf32>, %z: tensor<2x6xi4>) -> tensor<5x6xf32> {
  %ew = tensor.empty() : tensor<2x32x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %wd = linalg.generic {indexing_maps = [#b, #b1, #b1, #b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %s, %z : tensor<2x32x6xi4>, tensor<2x6xf32>, tensor<2x6xi4>) outs(%ew : tensor<2x32x6xf32>) {
  ^bb0(%in: i4, %f: f32, %p: i4, %out: f32):
    %0 = arith.uitofp %in : i4 to f32
    %1 = arith.uitofp %p : i4 to f32
    %2 = arith.subf %0, %1 : f32
    %3 = arith.mulf %2, %f : f32
    linalg.yield %3 : f32
  } -> tensor<2x32x6xf32>
  %wc = tensor.collapse_shape %wd [[0, 1], [2]] : tensor<2x32x6xf32> into tensor<64x6xf32>
  %r = fusion.fused_matmul_bias_act ins(%x, %wc : tensor<5x64xf32>, tensor<64x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Numbers that may be indices are no quantised filter, and neither are bits.
// CHECK: {{[0-9]}}: fused: matrix multiplication alone{{$}}
func.func @i32(%x: tensor<5x64xf32>, %w: tensor<64x6xi32>) -> tensor<5x6xf32> {
  %s = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %ew = tensor.empty() : tensor<64x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %s : tensor<64x6xi32>, tensor<6xf32>) outs(%ew : tensor<64x6xf32>) {
  ^bb0(%in: i32, %f: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %f : f32
    linalg.yield %1 : f32
  } -> tensor<64x6xf32>
  %r = fusion.fused_matmul_bias_act ins(%x, %wd : tensor<5x64xf32>, tensor<64x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// CHECK: {{[0-9]}}: fused: matrix multiplication alone{{$}}
func.func @i1(%x: tensor<5x64xf32>, %w: tensor<64x6xi1>) -> tensor<5x6xf32> {
  %s = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %ew = tensor.empty() : tensor<64x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %s : tensor<64x6xi1>, tensor<6xf32>) outs(%ew : tensor<64x6xf32>) {
  ^bb0(%in: i1, %f: f32, %out: f32):
    %0 = arith.uitofp %in : i1 to f32
    %1 = arith.mulf %0, %f : f32
    linalg.yield %1 : f32
  } -> tensor<64x6xf32>
  %r = fusion.fused_matmul_bias_act ins(%x, %wd : tensor<5x64xf32>, tensor<64x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}
