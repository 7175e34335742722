// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized -o %t.mlir --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not='remark: [Missed] fusion-fuse-quantized'
// RUN: FileCheck %s < %t.mlir

// A dequantised filter times a vector of the output channel that only a call knows, as a batch
// norm whose numbers are arguments: the vector becomes a factor of the scale.
// Integration/fuse-filters.test executes these functions.

#n = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#columns = affine_map<(d0, d1) -> (d1)>

// The constants are 0.125 * 0.015 * 1.25.
// CHECK-LABEL: func @factors(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<5x7xi8>, %[[G:[^:]*]]: tensor<6xf32>, %[[D:[^:]*]]: tensor<6xf32>)
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<0.0023437{{[0-9]*}}> : tensor<6xf32>
// CHECK-DAG:     %[[Q:.*]] = linalg.div ins(%[[S]], %[[D]] : tensor<6xf32>, tensor<6xf32>)
// CHECK:         %[[P:.*]] = linalg.mul ins(%[[Q]], %[[G]] : tensor<6xf32>, tensor<6xf32>)
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act {fusion.folded = "scale"} ins(%[[X]], %{{.*}} : tensor<5x7xi8>, tensor<7x6xi8>) scale(%[[P]] : tensor<6xf32>)
// CHECK-NEXT:    return %[[R]] : tensor<5x6xi8>
func.func @factors(%x: tensor<5x7xi8>, %g: tensor<6xf32>, %d: tensor<6xf32>) -> tensor<5x6xi8> {
  %w = arith.constant dense<[[35, -17, 78, 79, 66, 107], [-76, 98, -73, -29, -71, 22], [108, -46, -74, -93, -93, 0], [-38, 87, 102, 90, -117, 55], [-111, 116, 123, -57, 83, -84], [-99, -12, -7, -57, 109, -73], [85, -22, -30, 33, 6, -1]]> : tensor<7x6xi8>
  %sx = arith.constant 0.125 : f32
  %sw = arith.constant 0.015 : f32
  %so = arith.constant 1.25 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %wn = linalg.generic {indexing_maps = [#n, #columns, #n], iterator_types = ["parallel", "parallel"]} ins(%wd, %d : tensor<7x6xf32>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.divf %in, %s : f32
    linalg.yield %0 : f32
  } -> tensor<7x6xf32>
  %ws = linalg.generic {indexing_maps = [#n, #columns, #n], iterator_types = ["parallel", "parallel"]} ins(%wn, %g : tensor<7x6xf32>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.mulf %s, %in : f32
    linalg.yield %0 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %ws : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// The factor varies along the rows, over which the product sums up.
// CHECK-LABEL: func @rows(
// CHECK:         fusion.fused_matmul_bias_act
func.func @rows(%x: tensor<5x7xi8>, %g: tensor<7xf32>) -> tensor<5x6xi8> {
  %w = arith.constant dense<[[35, -17, 78, 79, 66, 107], [-76, 98, -73, -29, -71, 22], [108, -46, -74, -93, -93, 0], [-38, 87, 102, 90, -117, 55], [-111, 116, 123, -57, 83, -84], [-99, -12, -7, -57, 109, -73], [85, -22, -30, 33, 6, -1]]> : tensor<7x6xi8>
  %sx = arith.constant 0.125 : f32
  %sw = arith.constant 0.015 : f32
  %so = arith.constant 1.25 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %ws = linalg.generic {indexing_maps = [#n, #rows, #n], iterator_types = ["parallel", "parallel"]} ins(%wd, %g : tensor<7x6xf32>, tensor<7xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.mulf %in, %s : f32
    linalg.yield %0 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}scale of the filter varies along dimension 0, expected the output channel dimension 1
  %c = linalg.matmul ins(%xd, %ws : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// A dividend is no factor.
// CHECK-LABEL: func @inverse(
// CHECK:         fusion.fused_matmul_bias_act
func.func @inverse(%x: tensor<5x7xi8>, %g: tensor<6xf32>) -> tensor<5x6xi8> {
  %w = arith.constant dense<[[35, -17, 78, 79, 66, 107], [-76, 98, -73, -29, -71, 22], [108, -46, -74, -93, -93, 0], [-38, 87, 102, 90, -117, 55], [-111, 116, 123, -57, 83, -84], [-99, -12, -7, -57, 109, -73], [85, -22, -30, 33, 6, -1]]> : tensor<7x6xi8>
  %sx = arith.constant 0.125 : f32
  %sw = arith.constant 0.015 : f32
  %so = arith.constant 1.25 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %ws = linalg.generic {indexing_maps = [#n, #columns, #n], iterator_types = ["parallel", "parallel"]} ins(%wd, %g : tensor<7x6xf32>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.divf %s, %in : f32
    linalg.yield %0 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}unsupported: 'linalg.generic' at {{.*}} comes between 'filter' and its dequantisation
  %c = linalg.matmul ins(%xd, %ws : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
