// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --remarks-filter='fusion.*' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --remarks-filter='fusion.*' --remark-format=emitRemark -o /dev/null 2>&1 | grep 'remark:' | count 4
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --remarks-filter-missed='fusion.*' --remark-format=emitRemark -o /dev/null 2>&1 | grep 'remark:' | count 3
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --remarks-filter-passed='fusion.*' --remark-format=emitRemark -o /dev/null 2>&1 | grep 'remark:' | count 1
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --remarks-filter='other.*' --remark-format=emitRemark -o /dev/null 2>&1 | count 0
// RUN: fusion-opt %s --fusion-optimize="allow-reshape=false nan-mode=propagate propagate-layout=false" --remarks-filter='fusion.*' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT --implicit-check-not=remark:

// Exactly one remark for each convolution, in the order of the program, at its
// location, with the reason; however often patterns were tried.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d2)>
#padded = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>

func.func @fused(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %shape = arith.constant dense<[1, 5, 1, 1]> : tensor<4xi64>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: remark: [Passed] fusion-fuse | Category:fusion{{.*}}fused: bias, relu
  // STRICT: :[[#@LINE-2]]:8: remark: [Missed] fusion-fuse | Category:fusion{{.*}}partly fused: convolution alone; bias comes through 'tensor.reshape', and allow-reshape is off
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xi64>) -> tensor<1x5x1x1xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #padded, #all]
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%s, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

func.func @partly(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<7xf32>) -> (tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: remark: [Missed] fusion-fuse | Category:fusion{{.*}}partly fused: convolution alone; bias varies along dimension 2 (size 7), expected the output channel dimension 1
  // STRICT: :[[#@LINE-2]]:8: remark: [Missed] fusion-fuse | Category:fusion{{.*}}partly fused: convolution alone; bias varies along dimension 2 (size 7), expected the output channel dimension 1
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #row, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<7xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%s, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%s : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: remark: [Missed] fusion-fuse | Category:fusion{{.*}}partly fused: residual; scale varies along dimension 0 (size 2), expected the output channel dimension 1
  // STRICT: :[[#@LINE-2]]:8: remark: [Missed] fusion-fuse | Category:fusion{{.*}}partly fused: residual; scale varies along dimension 0 (size 2), expected the output channel dimension 1
  %t = linalg.mul ins(%d, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r, %t : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>
}

func.func @refused(%a: tensor<1x3x9xf64>, %b: tensor<5x3x2xf64>, %s: tensor<1x5x8xf64>) -> tensor<1x5x8xf64> {
  %d = linalg.conv_1d_ncw_fcw ins(%a, %b : tensor<1x3x9xf64>, tensor<5x3x2xf64>) outs(%s : tensor<1x5x8xf64>) -> tensor<1x5x8xf64>
  // CHECK: :[[#@LINE-1]]:8: remark: [Missed] fusion-fuse | Category:fusion{{.*}}not fused: unsupported: element type f64, expected f32, bf16 or f16
  // STRICT: :[[#@LINE-2]]:8: remark: [Missed] fusion-fuse | Category:fusion{{.*}}not fused: unsupported: element type f64, expected f32, bf16 or f16
  return %d : tensor<1x5x8xf64>
}
