// Filters that are multiplied by a factor that only a call knows, in the body that dequantises them or behind it.
// ../../Integration/fuse-filters.test runs all of it.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized | FileCheck %s --implicit-check-not=fusion.fused
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --fusion-raise --fusion-fuse --fusion-fuse-quantized | FileCheck %s --implicit-check-not=fusion.fused

#n = affine_map<(d0, d1) -> (d0, d1)>
#v = affine_map<(d0) -> (d0)>
#s = affine_map<(d0, d1) -> ()>
#rows = affine_map<(d0, d1) -> (d0)>
#columns = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @vector(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<3x4xi8>, %[[G:[a-z0-9]*]]: tensor<2xf32>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<3.125000e-02> : tensor<2xf32>
// CHECK:         %[[P:.*]] = linalg.mul ins(%[[S]], %[[G]] : tensor<2xf32>, tensor<2xf32>)
// CHECK:         fusion.quantized_matmul_bias_act ins(%[[X]], {{.*}} : tensor<3x4xi8>, tensor<4x2xi8>) scale(%[[P]] : tensor<2xf32>)
func.func @vector(%x: tensor<3x4xi8>, %g: tensor<2xf32>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %sx = arith.constant 0.125 : f32
  %sw = arith.constant 0.25 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<3x4xf32>
  %ew = tensor.empty() : tensor<4x2xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xi8>) outs(%ex : tensor<3x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<3x4xf32>
  %ws = linalg.generic {indexing_maps = [#n, #columns, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %g : tensor<4x2xi8>, tensor<2xf32>) outs(%ew : tensor<4x2xf32>) {
  ^bb0(%in: i8, %r: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    %2 = arith.mulf %r, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  %c = linalg.matmul ins(%xd, %ws : tensor<3x4xf32>, tensor<4x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %c : tensor<3x2xf32>
}

// CHECK-LABEL: func @vecmat(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<4xi8>, %[[G:[a-z0-9]*]]: tensor<2xf32>
// CHECK:         %[[P:.*]] = linalg.div ins({{.*}}, %[[G]] : tensor<2xf32>, tensor<2xf32>)
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} scale(%[[P]] : tensor<2xf32>)
func.func @vecmat(%x: tensor<4xi8>, %g: tensor<2xf32>) -> tensor<2xf32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %sx = arith.constant 0.125 : f32
  %sw = arith.constant 0.25 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<4xf32>
  %ew = tensor.empty() : tensor<4x2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %xd = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : tensor<4xi8>) outs(%ex : tensor<4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %ws = linalg.generic {indexing_maps = [#n, #columns, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %g : tensor<4x2xi8>, tensor<2xf32>) outs(%ew : tensor<4x2xf32>) {
  ^bb0(%in: i8, %r: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    %2 = arith.divf %1, %r : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %c = linalg.vecmat ins(%xd, %ws : tensor<4xf32>, tensor<4x2xf32>) outs(%f : tensor<2xf32>) -> tensor<2xf32>
  return %c : tensor<2xf32>
}

// One number scales all channels.
// CHECK-LABEL: func @number(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<3x4xi8>, %[[G:[a-z0-9]*]]: tensor<f32>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<3.125000e-02> : tensor<1xf32>
// CHECK:         %[[N:.*]] = linalg.generic {{.*}} ins(%[[G]] : tensor<f32>)
// CHECK:         %[[P:.*]] = linalg.div ins(%[[S]], %[[N]] : tensor<1xf32>, tensor<1xf32>)
// CHECK:         fusion.quantized_matmul_bias_act ins(%[[X]], {{.*}}) scale(%[[P]] : tensor<1xf32>)
func.func @number(%x: tensor<3x4xi8>, %g: tensor<f32>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %sx = arith.constant 0.125 : f32
  %sw = arith.constant 0.25 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<3x4xf32>
  %ew = tensor.empty() : tensor<4x2xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xi8>) outs(%ex : tensor<3x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<3x4xf32>
  %ws = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %g : tensor<4x2xi8>, tensor<f32>) outs(%ew : tensor<4x2xf32>) {
  ^bb0(%in: i8, %r: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    %2 = arith.divf %1, %r : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  %c = linalg.matmul ins(%xd, %ws : tensor<3x4xf32>, tensor<4x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %c : tensor<3x2xf32>
}

// By an op of its own.
// CHECK-LABEL: func @step(
// CHECK:         %[[P:.*]] = linalg.mul ins({{.*}} : tensor<1xf32>, tensor<1xf32>)
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} scale(%[[P]] : tensor<1xf32>)
func.func @step(%x: tensor<3x4xi8>, %g: tensor<f32>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %sx = arith.constant 0.125 : f32
  %sw = arith.constant 0.25 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<3x4xf32>
  %ew = tensor.empty() : tensor<4x2xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xi8>) outs(%ex : tensor<3x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<3x4xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<4x2xi8>) outs(%ew : tensor<4x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x2xf32>
  %ws = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%wd, %g : tensor<4x2xf32>, tensor<f32>) outs(%ew : tensor<4x2xf32>) {
  ^bb0(%in: f32, %r: f32, %out: f32):
    %0 = arith.mulf %in, %r : f32
    linalg.yield %0 : f32
  } -> tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  %c = linalg.matmul ins(%xd, %ws : tensor<3x4xf32>, tensor<4x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %c : tensor<3x2xf32>
}
