// Which way do the stripes of each picture run? Two 3x3 filters that answer to edges, a
// relu, and the sum of each channel, for a batch of any size.
func.func @forward(%pictures: tensor<?x1x8x10xf32>) -> tensor<?x2xf32> {
  %filter = arith.constant dense<[
    [[[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]]],
    [[[-1.0, -2.0, -1.0], [0.0, 0.0, 0.0], [1.0, 2.0, 1.0]]]]> : tensor<2x1x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %0 = arith.constant 0 : index
  %batch = tensor.dim %pictures, %0 : tensor<?x1x8x10xf32>

  // A pixel that is no number makes their sum none.
  %scalar = tensor.empty() : tensor<f32>
  %nothing = linalg.fill ins(%zero : f32) outs(%scalar : tensor<f32>) -> tensor<f32>
  %total = linalg.reduce ins(%pictures : tensor<?x1x8x10xf32>) outs(%nothing : tensor<f32>)
    dimensions = [0, 1, 2, 3] (%x: f32, %sum: f32) {
      %next = arith.addf %x, %sum : f32
      linalg.yield %next : f32
    }
  %pixels = tensor.extract %total[] : tensor<f32>
  %are_numbers = arith.cmpf ord, %pixels, %pixels : f32
  cf.assert %are_numbers, "pixels must be numbers"

  %empty = tensor.empty(%batch) : tensor<?x2x6x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x2x6x8xf32>)
    -> tensor<?x2x6x8xf32>
  %conv = linalg.conv_2d_nchw_fchw
    ins(%pictures, %filter : tensor<?x1x8x10xf32>, tensor<2x1x3x3xf32>)
    outs(%fill : tensor<?x2x6x8xf32>) -> tensor<?x2x6x8xf32>
  %relu = linalg.map ins(%conv : tensor<?x2x6x8xf32>) outs(%empty : tensor<?x2x6x8xf32>)
    (%x: f32, %out: f32) {
      %max = arith.maximumf %x, %zero : f32
      linalg.yield %max : f32
    }
  %none = tensor.empty(%batch) : tensor<?x2xf32>
  %start = linalg.fill ins(%zero : f32) outs(%none : tensor<?x2xf32>) -> tensor<?x2xf32>
  %scores = linalg.reduce ins(%relu : tensor<?x2x6x8xf32>) outs(%start : tensor<?x2xf32>)
    dimensions = [2, 3] (%x: f32, %sum: f32) {
      %next = arith.addf %x, %sum : f32
      linalg.yield %next : f32
    }
  return %scores : tensor<?x2xf32>
}
