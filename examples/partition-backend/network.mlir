// Two sums for another code generator between what Fusion compiles: a convolution in
// front, a product behind.
func.func @main(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %a: tensor<1x5x7x10xf32>, %b: tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%f : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %t = linalg.tanh ins(%c : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %s = linalg.add ins(%t, %a : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %u = linalg.add ins(%s, %b : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.mul ins(%u, %t : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}
