// A convolution with bias and relu as a PyTorch front end writes it: the bias is
// reshaped to [1, 6, 1, 1] and added with broadcasting. The weights are arguments
// marked `fusion.constant`, so that the runtime packs them once.

#image = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>

func.func @main(%x: tensor<1x3x10x10xf32>, %w: tensor<6x3x3x3xf32> {fusion.constant},
                %b: tensor<6xf32> {fusion.constant}) -> tensor<1x6x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %shape = arith.constant dense<[1, 6, 1, 1]> : tensor<4xi64>
  %empty = tensor.empty() : tensor<1x6x8x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %conv = linalg.conv_2d_nchw_fchw
            ins(%x, %w : tensor<1x3x10x10xf32>, tensor<6x3x3x3xf32>)
            outs(%fill : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %bias = tensor.reshape %b(%shape) : (tensor<6xf32>, tensor<4xi64>) -> tensor<1x6x1x1xf32>
  %sum = linalg.generic {
           indexing_maps = [#image, #channel, #image],
           iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
           ins(%conv, %bias : tensor<1x6x8x8xf32>, tensor<1x6x1x1xf32>)
           outs(%empty : tensor<1x6x8x8xf32>) {
  ^bb0(%c: f32, %d: f32, %out: f32):
    %s = arith.addf %c, %d : f32
    linalg.yield %s : f32
  } -> tensor<1x6x8x8xf32>
  %relu = linalg.generic {
            indexing_maps = [#image, #image],
            iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
            ins(%sum : tensor<1x6x8x8xf32>) outs(%empty : tensor<1x6x8x8xf32>) {
  ^bb0(%s: f32, %out: f32):
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1x6x8x8xf32>
  return %relu : tensor<1x6x8x8xf32>
}
