// Which way do the stripes of a picture run? Two 3x3 filters that answer to edges, a
// relu, and the sum of each channel.
func.func @stripes(%picture: tensor<1x1x8x10xf32>) -> tensor<1x2xf32> {
  %filter = arith.constant dense<[
    [[[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]]],
    [[[-1.0, -2.0, -1.0], [0.0, 0.0, 0.0], [1.0, 2.0, 1.0]]]]> : tensor<2x1x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x2x6x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x6x8xf32>)
    -> tensor<1x2x6x8xf32>
  %conv = linalg.conv_2d_nchw_fchw
    ins(%picture, %filter : tensor<1x1x8x10xf32>, tensor<2x1x3x3xf32>)
    outs(%fill : tensor<1x2x6x8xf32>) -> tensor<1x2x6x8xf32>
  %relu = linalg.map ins(%conv : tensor<1x2x6x8xf32>) outs(%empty : tensor<1x2x6x8xf32>)
    (%x: f32, %out: f32) {
      %max = arith.maximumf %x, %zero : f32
      linalg.yield %max : f32
    }
  %none = tensor.empty() : tensor<1x2xf32>
  %start = linalg.fill ins(%zero : f32) outs(%none : tensor<1x2xf32>) -> tensor<1x2xf32>
  %scores = linalg.reduce ins(%relu : tensor<1x2x6x8xf32>) outs(%start : tensor<1x2xf32>)
    dimensions = [2, 3] (%x: f32, %sum: f32) {
      %next = arith.addf %x, %sum : f32
      linalg.yield %next : f32
    }
  return %scores : tensor<1x2xf32>
}
