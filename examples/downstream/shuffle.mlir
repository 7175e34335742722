// A shuffle of Acme's between convolutions with channels first.
func.func @between(%x: tensor<1x3x10x11xf32>, %w: tensor<6x3x3x3xf32>,
                   %u: tensor<5x6x2x1xf32>) -> tensor<1x5x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x8x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x8x9xf32>) -> tensor<1x6x8x9xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x10x11xf32>, tensor<6x3x3x3xf32>)
                                outs(%f : tensor<1x6x8x9xf32>) -> tensor<1x6x8x9xf32>
  %s = acme.shuffle %c dim 1 groups 2 : tensor<1x6x8x9xf32>
  %g = tensor.empty() : tensor<1x5x7x9xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<1x5x7x9xf32>) -> tensor<1x5x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%s, %u : tensor<1x6x8x9xf32>, tensor<5x6x2x1xf32>)
                                outs(%h : tensor<1x5x7x9xf32>) -> tensor<1x5x7x9xf32>
  return %r : tensor<1x5x7x9xf32>
}
