// Dynamic quantisation with a scale for each row of the input: the op on integers has the other
// scales, and a loop multiplies its rows. Bias, activation and residual stay behind that.
// ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized | FileCheck %s --implicit-check-not=fusion.fused
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --canonicalize --fusion-optimize | grep -c 'fusion.quantized.* scale(' | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}4{{$}}

#n = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
#r1 = affine_map<(d0, d1) -> (d0, 0)>
#c = affine_map<(d0, d1) -> (d1)>
#b = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#b1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#bc = affine_map<(d0, d1, d2) -> (d2)>

// CHECK-LABEL: func @rows(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<5x7xi8>, %[[W:[a-z0-9]*]]: tensor<7x6xi8>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK-DAG:     %[[C:.*]] = arith.constant dense<1.500000e-02> : tensor<1xf32>
// CHECK:         %[[P:.*]] = fusion.quantized_matmul_bias_act {input_zero_point = 3 : i32} ins(%[[X]], %[[W]] : {{.*}}) scale(%[[C]] : tensor<1xf32>)
// CHECK:         %[[V:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<5xf32>)
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[P]], %[[V]] : tensor<5x6xf32>, tensor<5xf32>)
// CHECK:           arith.mulf
// CHECK:         return %[[R]]
func.func @rows(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<5xf32>) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %z = arith.constant 3 : i32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #r, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<5x7xi8>, tensor<5xf32>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %scale, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Bias, relu and a tensor behind it; a zero point and a factor that all rows share.
// CHECK-LABEL: func @behind(
// CHECK-NOT:     linalg.add
// CHECK:         %[[P:.*]] = fusion.quantized_matmul_bias_act {input_unsigned} ins({{.*}}) bias(%{{.*}} : tensor<6xf32>) scale(%{{.*}} : tensor<6xf32>)
// CHECK-NOT:     fusion.
// CHECK:           arith.divf
// CHECK:           arith.addf
// CHECK:           arith.maximumf
// CHECK:           arith.addf
func.func @behind(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<5x1xf32>, %t: f32, %z: f32, %bias: tensor<6xf32>, %y: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %sw = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #r1, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<5x7xi8>, tensor<5x1xf32>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %t : f32
    %3 = arith.divf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %sw : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zeros : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #c, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %bias, %y : tensor<5x6xf32>, tensor<6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %add: f32, %res: f32, %out: f32):
    %0 = arith.addf %in, %add : f32
    %1 = arith.maximumf %0, %zero : f32
    %2 = arith.addf %1, %res : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Tokens of a batch, as torch-mlir writes a linear layer.
// CHECK-LABEL: func @tokens(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x5x7xi8>
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]]
// CHECK:         fusion.quantized_matmul_bias_act ins(%[[FLAT]], %{{[^)]*}}) scale(
// CHECK:         tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<2x5xf32> into tensor<10xf32>
func.func @tokens(%x: tensor<2x5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<2x5x1xf32>, %bias: tensor<6xf32>) -> tensor<2x5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zeros = arith.constant dense<0.0> : tensor<10x6xf32>
  %ex = tensor.empty() : tensor<2x5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<2x5x6xf32>
  %xd = linalg.generic {indexing_maps = [#b, #b1, #b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %s : tensor<2x5x7xi8>, tensor<2x5x1xf32>) outs(%ex : tensor<2x5x7xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %flat = tensor.collapse_shape %xd [[0, 1], [2]] : tensor<2x5x7xf32> into tensor<10x7xf32>
  %c = linalg.matmul ins(%flat, %wd : tensor<10x7xf32>, tensor<7x6xf32>) outs(%zeros : tensor<10x6xf32>) -> tensor<10x6xf32>
  %t = tensor.expand_shape %c [[0, 1], [2]] output_shape [2, 5, 6] : tensor<10x6xf32> into tensor<2x5x6xf32>
  %r = linalg.generic {indexing_maps = [#b, #bc, #b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %bias : tensor<2x5x6xf32>, tensor<6xf32>) outs(%e : tensor<2x5x6xf32>) {
  ^bb0(%in: f32, %add: f32, %out: f32):
    %0 = arith.addf %in, %add : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x6xf32>
  return %r : tensor<2x5x6xf32>
}

// How many rows there are, a call decides. The scale is computed, by an op of its own step.
// CHECK-LABEL: func @any_rows(
// CHECK:         fusion.quantized_matmul_bias_act
func.func @any_rows(%x: tensor<?x7xi8>, %w: tensor<7x6xi8>, %s: tensor<?xf32>) -> tensor<?x6xf32> {
  %sw = arith.constant 0.015 : f32
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x7xi8>
  %ex = tensor.empty(%d) : tensor<?x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty(%d) : tensor<?x6xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %xf = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x7xi8>) outs(%ex : tensor<?x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<?x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #r, #n], iterator_types = ["parallel", "parallel"]} ins(%xf, %s : tensor<?x7xf32>, tensor<?xf32>) outs(%ex : tensor<?x7xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %0 = arith.mulf %scale, %two : f32
    %1 = arith.mulf %in, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %r = linalg.matmul ins(%xd, %wd : tensor<?x7xf32>, tensor<7x6xf32>) outs(%zeros : tensor<?x6xf32>) -> tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}
