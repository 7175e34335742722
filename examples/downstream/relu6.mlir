// A convolution of linalg with a bias, and an activation of Acme's behind it; and one
// whose result is used twice.

func.func @folded(%x: tensor<1x9x11x3xf32>, %w: tensor<3x2x3x5xf32>,
                  %b: tensor<5xf32>) -> tensor<1x7x10x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x10x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x10x5xf32>) -> tensor<1x7x10x5xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x11x3xf32>, tensor<3x2x3x5xf32>)
                                outs(%f : tensor<1x7x10x5xf32>) -> tensor<1x7x10x5xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x7x10x5xf32>) dimensions = [0, 1, 2]
  %s = linalg.add ins(%c, %v : tensor<1x7x10x5xf32>, tensor<1x7x10x5xf32>)
                  outs(%e : tensor<1x7x10x5xf32>) -> tensor<1x7x10x5xf32>
  %r = acme.relu6 %s : tensor<1x7x10x5xf32>
  return %r : tensor<1x7x10x5xf32>
}

func.func @refused(%x: tensor<1x9x11x3xf32>, %w: tensor<3x2x3x5xf32>)
    -> (tensor<1x7x10x5xf32>, tensor<1x7x10x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x10x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x10x5xf32>) -> tensor<1x7x10x5xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x11x3xf32>, tensor<3x2x3x5xf32>)
                                outs(%f : tensor<1x7x10x5xf32>) -> tensor<1x7x10x5xf32>
  %r = acme.relu6 %c : tensor<1x7x10x5xf32>
  return %c, %r : tensor<1x7x10x5xf32>, tensor<1x7x10x5xf32>
}
