// Bodies that dequantise a filter and compute more, each with its reason. The executed twin is in
// ../../Integration/fuse-filters.test.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized -o %t.mlir --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.mlir --implicit-check-not=fusion.quantized

#n = affine_map<(d0, d1) -> (d0, d1)>
#v = affine_map<(d0) -> (d0)>
#s = affine_map<(d0, d1) -> ()>
#rows = affine_map<(d0, d1) -> (d0)>
#columns = affine_map<(d0, d1) -> (d1)>

func.func @rows(%x: tensor<3x4xi8>, %g: tensor<4xf32>) -> tensor<3x2xf32> {
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
  %ws = linalg.generic {indexing_maps = [#n, #rows, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %g : tensor<4x2xi8>, tensor<4xf32>) outs(%ew : tensor<4x2xf32>) {
  ^bb0(%in: i8, %r: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    %2 = arith.mulf %1, %r : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}scale of the filter varies along dimension 0, expected the output channel dimension 1
  %c = linalg.matmul ins(%xd, %ws : tensor<3x4xf32>, tensor<4x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %c : tensor<3x2xf32>
}

// A dividend is no factor.
func.func @inverse(%x: tensor<3x4xi8>, %g: tensor<2xf32>) -> tensor<3x2xf32> {
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
    %2 = arith.divf %r, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}filter is not dequantised: operand 1 is neither constant nor read element for element
  %c = linalg.matmul ins(%xd, %ws : tensor<3x4xf32>, tensor<4x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %c : tensor<3x2xf32>
}

func.func @sum(%x: tensor<3x4xi8>, %g: tensor<2xf32>) -> tensor<3x2xf32> {
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
    %2 = arith.addf %1, %r : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}filter is not dequantised: operand 1 is neither constant nor read element for element
  %c = linalg.matmul ins(%xd, %ws : tensor<3x4xf32>, tensor<4x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %c : tensor<3x2xf32>
}

// A factor for each element.
func.func @matrix(%x: tensor<3x4xi8>, %g: tensor<4x2xf32>) -> tensor<3x2xf32> {
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
  %ws = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %g : tensor<4x2xi8>, tensor<4x2xf32>) outs(%ew : tensor<4x2xf32>) {
  ^bb0(%in: i8, %r: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    %2 = arith.mulf %1, %r : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}filter is not dequantised: what is multiplied is not constant
  %c = linalg.matmul ins(%xd, %ws : tensor<3x4xf32>, tensor<4x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %c : tensor<3x2xf32>
}

// Floats stay as they are, and so does what makes their filter.
// CHECK-LABEL: func @weights(
// CHECK:         linalg.generic {{.*}} ins({{.*}} : tensor<4x2xi8>, tensor<2xf32>)
func.func @weights(%x: tensor<3x4xf32>, %g: tensor<2xf32>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %sw = arith.constant 0.25 : f32
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<4x2xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %ws = linalg.generic {indexing_maps = [#n, #columns, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %g : tensor<4x2xi8>, tensor<2xf32>) outs(%ew : tensor<4x2xf32>) {
  ^bb0(%in: i8, %r: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    %2 = arith.mulf %1, %r : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}unsupported: 'filter' is dequantised, and 'input' is not
  %c = linalg.matmul ins(%x, %ws : tensor<3x4xf32>, tensor<4x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %c : tensor<3x2xf32>
}
