// RUN: fusion-opt %s --fusion-raise-pools --fusion-fuse-quantized --canonicalize --cse | FileCheck %s --implicit-check-not=fusion.pool
// RUN: fusion-opt %s --fusion-raise-pools --fusion-fuse-quantized --fusion-merge-elementwise --canonicalize | FileCheck %s --check-prefix=MERGED

// A loop adds up dequantised images, so that it reads the integers.

#n2 = affine_map<(d0, d1) -> (d0, d1)>
#n3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#n = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func @mean(
// CHECK-SAME:    %[[X:.*]]: tensor<2x9x7x5xi8>)
// CHECK:         %[[D:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<2x9x7x5xi8>)
// CHECK:         %[[Z:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<2x5xf32>)
// CHECK:         %[[S:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator_types = ["parallel", "reduction", "reduction", "parallel"]} ins(%[[D]] : tensor<2x9x7x5xf32>) outs(%[[Z]] : tensor<2x5xf32>)
// CHECK:           arith.addf
// CHECK:         tensor.expand_shape %[[S]] {{\[\[}}0, 1, 2], [3]] output_shape [2, 1, 1, 5]
// MERGED-LABEL: func @mean(
// MERGED-SAME:    %[[X:.*]]: tensor<2x9x7x5xi8>)
// MERGED:         linalg.generic {{.*}} "reduction", {{.*}} ins(%[[X]] : tensor<2x9x7x5xi8>)
// MERGED:           arith.sitofp
// MERGED:           arith.addf
// MERGED:         linalg.generic {{.*}} ins(%{{.*}} : tensor<2x5xf32>) outs(%{{.*}} : tensor<2x5xi8>)
// MERGED:           arith.divf
// MERGED:           math.roundeven
// MERGED-NOT:     linalg.generic
// MERGED:         return
func.func @mean(%x: tensor<2x9x7x5xi8>) -> tensor<2x5xi8> {
  %d_e = tensor.empty() : tensor<2x9x7x5xf32>
  %d_z = arith.constant 120 : i32
  %d_s = arith.constant 0.05 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x9x7x5xi8>) outs(%d_e : tensor<2x9x7x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x9x7x5xf32>
  %p_w = tensor.empty() : tensor<9x7xf32>
  %p_i = arith.constant dense<0.0> : tensor<2x1x1x5xf32>
  %p = linalg.pooling_nhwc_sum {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%d, %p_w : tensor<2x9x7x5xf32>, tensor<9x7xf32>) outs(%p_i : tensor<2x1x1x5xf32>) -> tensor<2x1x1x5xf32>
  %n = arith.constant 63.0 : f32
  %me = tensor.empty() : tensor<2x1x1x5xf32>
  %m = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x1x1x5xf32>) outs(%me : tensor<2x1x1x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %n : f32
    linalg.yield %0 : f32
  } -> tensor<2x1x1x5xf32>
  %c = tensor.collapse_shape %m [[0], [1, 2, 3]] : tensor<2x1x1x5xf32> into tensor<2x5xf32>
  %r_e = tensor.empty() : tensor<2x5xi8>
  %r_s = arith.constant 0.01 : f32
  %r_z = arith.constant 128.0 : f32
  %r_l = arith.constant 0.0 : f32
  %r_h = arith.constant 255.0 : f32
  %r = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<2x5xf32>) outs(%r_e : tensor<2x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x5xi8>
  return %r : tensor<2x5xi8>
}

// A line, and any number of them.
// CHECK-LABEL: func @channels_first(
// CHECK:         %[[S:.*]] = linalg.generic {{{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}} : tensor<?x5x9xf32>) outs(%{{.*}} : tensor<?x5xf32>)
// CHECK:         tensor.expand_shape %[[S]] {{\[}}[0], [1, 2]]
func.func @channels_first(%x: tensor<?x5x9xi8>, %k: index) -> tensor<?x5x1xf32> {
  %d_e = tensor.empty(%k) : tensor<?x5x9xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.05 : f32
  %d = linalg.generic {indexing_maps = [#n3, #n3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<?x5x9xi8>) outs(%d_e : tensor<?x5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<?x5x9xf32>
  %w = tensor.empty() : tensor<9xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%k) : tensor<?x5x1xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x5x1xf32>) -> tensor<?x5x1xf32>
  %r = linalg.pooling_ncw_sum ins(%d, %w : tensor<?x5x9xf32>, tensor<9xf32>) outs(%f : tensor<?x5x1xf32>) -> tensor<?x5x1xf32>
  return %r : tensor<?x5x1xf32>
}
