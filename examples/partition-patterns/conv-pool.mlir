// A layer with a maximum pool behind it, and one without.
func.func @main(%x: tensor<1x3x10x12xf32>, %w: tensor<5x3x3x3xf32>, %b: tensor<5xf32>,
                %u: tensor<4x5x1x2xf32>, %a: tensor<4xf32>) -> tensor<1x4x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x5x8x10xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5x8x10xf32>) -> tensor<1x5x8x10xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x5x8x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x10x12xf32>, tensor<5x3x3x3xf32>)
                                outs(%v : tensor<1x5x8x10xf32>) -> tensor<1x5x8x10xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x8x10xf32>, tensor<1x5x8x10xf32>)
                  outs(%e : tensor<1x5x8x10xf32>) -> tensor<1x5x8x10xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %f = tensor.empty() : tensor<1x5x4x5xf32>
  %l = linalg.fill ins(%lowest : f32) outs(%f : tensor<1x5x4x5xf32>) -> tensor<1x5x4x5xf32>
  %p = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>}
         ins(%r, %window : tensor<1x5x8x10xf32>, tensor<2x2xf32>) outs(%l : tensor<1x5x4x5xf32>) -> tensor<1x5x4x5xf32>
  %g = tensor.empty() : tensor<1x4x4x4xf32>
  %y = linalg.fill ins(%zero : f32) outs(%g : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %t = linalg.broadcast ins(%a : tensor<4xf32>) outs(%g : tensor<1x4x4x4xf32>) dimensions = [0, 2, 3]
  %d = linalg.conv_2d_nchw_fchw ins(%p, %u : tensor<1x5x4x5xf32>, tensor<4x5x1x2xf32>)
                                outs(%t : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %s = linalg.max ins(%d, %y : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>)
                  outs(%g : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %s : tensor<1x4x4x4xf32>
}
