// Two convolutions with bias; behind the first stands exp(-y * y), behind the second a
// relu. The first is 3 -> 5 channels, 3x2, on an image that is padded at one side.
func.func @main(%x: tensor<1x3x8x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>,
                %u: tensor<4x5x1x3xf32>, %a: tensor<4xf32>) -> tensor<1x4x7x8xf32> {
  %zero = arith.constant 0.0 : f32
  %pad = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x11xf32> to tensor<1x3x9x11xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %bias = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%pad, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>)
                                outs(%bias : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %s = linalg.square ins(%c : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n = linalg.negf ins(%s : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %y = linalg.exp ins(%n : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %f = tensor.empty() : tensor<1x4x7x8xf32>
  %more = linalg.broadcast ins(%a : tensor<4xf32>) outs(%f : tensor<1x4x7x8xf32>) dimensions = [0, 2, 3]
  %d = linalg.conv_2d_nchw_fchw ins(%y, %u : tensor<1x5x7x10xf32>, tensor<4x5x1x3xf32>)
                                outs(%more : tensor<1x4x7x8xf32>) -> tensor<1x4x7x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<1x4x7x8xf32>) -> tensor<1x4x7x8xf32>
  %r = linalg.max ins(%d, %z : tensor<1x4x7x8xf32>, tensor<1x4x7x8xf32>) outs(%f : tensor<1x4x7x8xf32>) -> tensor<1x4x7x8xf32>
  return %r : tensor<1x4x7x8xf32>
}
