// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-raise --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=RAISED --implicit-check-not=fused:

// Reasons of docs/Reasons.md that no test of a law gives, each below the op that it
// is about.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#swapped = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#first = affine_map<(d0, d1, d2, d3) -> (0, 0)>
#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#line3 = affine_map<(d0, d1, d2) -> (0, d1)>

// The image is square, so that it can be added to its transpose.
func.func @reads_other_elements(%x: tensor<2x3x9x8xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x7xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x7xf32>
  %e = tensor.empty() : tensor<2x5x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; 'linalg.elementwise' reads other elements of the result too{{$}}
  // RAISED: :[[#@LINE-2]]:8: partly fused: convolution alone; 'linalg.elementwise' reads other elements of the result too{{$}}
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#swapped, #all, #all]
         ins(%c, %c : tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32>
  return %r : tensor<2x5x7x7xf32>
}

func.func @overwritten(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>, %t: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; 'linalg.add' overwrites the result and does not read it{{$}}
  // RAISED: :[[#@LINE-2]]:8: partly fused: convolution alone; 'linalg.add' overwrites the result and does not read it{{$}}
  %r = linalg.add ins(%s, %t : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%c : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The sum of two results, of which one has been reshaped.
func.func @sum_of_results(%x: tensor<1x3xf32>, %y: tensor<1x3xf32>, %w: tensor<3x4xf32>) -> tensor<1x4x1xf32> {
  %z = arith.constant dense<0.0> : tensor<1x4xf32>
  %e = tensor.empty() : tensor<1x4x1xf32>
  %d = linalg.matmul ins(%y, %w : tensor<1x3xf32>, tensor<3x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; 'linalg.elementwise' reads the result by the map (d0, d1, d2) -> (0, d1), expected each element at its own place{{$}}
  // RAISED: :[[#@LINE-2]]:8: partly fused: matrix multiplication alone; 'linalg.elementwise' reads the result by the map (d0, d1, d2) -> (0, d1), expected each element at its own place{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<1x3xf32>, tensor<3x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; what is added is computed from the result of a fusion op and has the shape of the result: a residual{{$}}
  // RAISED: :[[#@LINE-2]]:8: partly fused: matrix multiplication alone; what is added is computed from the result of a fusion op and has the shape of the result: a residual{{$}}
  %v = tensor.expand_shape %c [[0], [1, 2]] output_shape [1, 4, 1] : tensor<1x4xf32> into tensor<1x4x1xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all3, #line3, #all3]
         ins(%v, %d : tensor<1x4x1xf32>, tensor<1x4xf32>) outs(%e : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
  return %r : tensor<1x4x1xf32>
}

func.func @unranked(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<*xf32>) -> tensor<2x5x7x10xf32> {
  %shape = arith.constant dense<[5]> : tensor<1xi64>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: bias comes through 'tensor.reshape' of an unranked tensor{{$}}
  // RAISED: :[[#@LINE-2]]:8: partly fused: convolution alone; unsupported: bias comes through 'tensor.reshape' of an unranked tensor{{$}}
  %v = tensor.reshape %b(%shape) : (tensor<*xf32>, tensor<1xi64>) -> tensor<5xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// One element for all channels, but of a column of five.
func.func @one_element_of_a_column(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %shape = arith.constant dense<[5, 1]> : tensor<2xi64>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias is reshaped to vary along dimension 0 (size 5), which is not the output channel{{$}}
  // RAISED: :[[#@LINE-2]]:8: partly fused: convolution alone; bias is reshaped to vary along dimension 0 (size 5), which is not the output channel{{$}}
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<2xi64>) -> tensor<5x1xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #first, #all]
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Ops that are fused if all laws run.

func.func @transposed(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x7x10x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x7x10x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  // RAISED: :[[#@LINE-2]]:8: partly fused: convolution alone; next op 'linalg.transpose' at {{.*}}:[[#@LINE+1]]:8 can be folded; law 'transpose' has not run{{$}}
  %t = linalg.transpose ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x7x10x5xf32>) permutation = [0, 2, 3, 1]
  return %t : tensor<2x7x10x5xf32>
}

func.func @transposing_read(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x10x7xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x10x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: abs{{$}}
  // RAISED: :[[#@LINE-2]]:8: partly fused: convolution alone; next op 'linalg.elementwise' at {{.*}}:[[#@LINE+1]]:8 can be folded; law 'transpose' has not run{{$}}
  %r = linalg.elementwise kind=#linalg.elementwise_kind<abs> indexing_maps = [#swapped, #all]
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x10x7xf32>) -> tensor<2x5x10x7xf32>
  return %r : tensor<2x5x10x7xf32>
}

func.func @relu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: relu{{$}}
  // RAISED: :[[#@LINE-2]]:8: partly fused: convolution alone; next op 'linalg.max' at {{.*}}:[[#@LINE+1]]:8 can be folded; its law has not run or is switched off{{$}}
  %r = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

func.func @sigmoid(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %one = arith.constant dense<1.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: sigmoid{{$}}
  // RAISED: :[[#@LINE-2]]:8: partly fused: convolution alone; next op 'linalg.negf' is part of an activation that ends at {{.*}}:[[#@LINE+4]]:8{{$}}
  %n = linalg.negf ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %p = linalg.exp ins(%n : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %q = linalg.add ins(%p, %one : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.div ins(%one, %q : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
