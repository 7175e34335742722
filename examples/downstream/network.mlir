// One layer of Acme's own, and one that a front end wrote in linalg.
func.func @main(%image: tensor<1x12x20x3xf32>, %w0: tensor<8x3x3x3xf32>,
                %b0: tensor<8xf32>, %w1: tensor<1x1x8x5xf32>) -> tensor<1x6x10x5xf32> {
  %0 = acme.block %image, %w0, %b0 {stride = 2 : i64}
    : tensor<1x12x20x3xf32>, tensor<8x3x3x3xf32>, tensor<8xf32> -> tensor<1x6x10x8xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x6x10x5xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x6x10x5xf32>)
    -> tensor<1x6x10x5xf32>
  %1 = linalg.conv_2d_nhwc_hwcf
    ins(%0, %w1 : tensor<1x6x10x8xf32>, tensor<1x1x8x5xf32>)
    outs(%fill : tensor<1x6x10x5xf32>) -> tensor<1x6x10x5xf32>
  %2 = linalg.tanh ins(%1 : tensor<1x6x10x5xf32>) outs(%empty : tensor<1x6x10x5xf32>)
    -> tensor<1x6x10x5xf32>
  return %2 : tensor<1x6x10x5xf32>
}
