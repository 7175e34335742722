// A residual block with a downsampling branch, 64 to 128 channels at half the
// resolution, in the spelling of torch-mlir, its batch norms folded when the model
// was exported: explicit padding, the bias broadcast into the destination of each
// convolution, relu as compare and select.

#image = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#image1 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>

func.func @forward(
    %x: tensor<1x64x56x56xf32>,
    %conv1_w: tensor<128x64x3x3xf32> {fusion.constant}, %conv1_b: tensor<128xf32> {fusion.constant},
    %conv2_w: tensor<128x128x3x3xf32> {fusion.constant}, %conv2_b: tensor<128xf32> {fusion.constant},
    %down_w: tensor<128x64x1x1xf32> {fusion.constant}, %down_b: tensor<128xf32> {fusion.constant}) -> tensor<1x128x28x28xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x128x28x28xf32>

  %conv1_init = linalg.broadcast ins(%conv1_b : tensor<128xf32>)
         outs(%empty : tensor<1x128x28x28xf32>) dimensions = [0, 2, 3]
  %conv1_pad = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x64x56x56xf32> to tensor<1x64x58x58xf32>
  %conv1 = linalg.conv_2d_nchw_fchw
         {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
         ins(%conv1_pad, %conv1_w : tensor<1x64x58x58xf32>, tensor<128x64x3x3xf32>)
         outs(%conv1_init : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
  %relu1 = linalg.generic {
         indexing_maps = [#image1, #image],
         iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv1 : tensor<1x128x28x28xf32>) outs(%empty : tensor<1x128x28x28xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.cmpf ugt, %in, %zero : f32
    %s = arith.select %p, %in, %zero : f32
    linalg.yield %s : f32
  } -> tensor<1x128x28x28xf32>

  %conv2_init = linalg.broadcast ins(%conv2_b : tensor<128xf32>)
         outs(%empty : tensor<1x128x28x28xf32>) dimensions = [0, 2, 3]
  %conv2_pad = tensor.pad %relu1 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x128x28x28xf32> to tensor<1x128x30x30xf32>
  %conv2 = linalg.conv_2d_nchw_fchw
         {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
         ins(%conv2_pad, %conv2_w : tensor<1x128x30x30xf32>, tensor<128x128x3x3xf32>)
         outs(%conv2_init : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>

  %down_init = linalg.broadcast ins(%down_b : tensor<128xf32>)
         outs(%empty : tensor<1x128x28x28xf32>) dimensions = [0, 2, 3]
  %down = linalg.conv_2d_nchw_fchw
         {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
         ins(%x, %down_w : tensor<1x64x56x56xf32>, tensor<128x64x1x1xf32>)
         outs(%down_init : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>

  %sum = linalg.generic {
         indexing_maps = [#image1, #image1, #image],
         iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv2, %down : tensor<1x128x28x28xf32>, tensor<1x128x28x28xf32>)
         outs(%empty : tensor<1x128x28x28xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x128x28x28xf32>
  %relu2 = linalg.generic {
         indexing_maps = [#image1, #image],
         iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%sum : tensor<1x128x28x28xf32>) outs(%empty : tensor<1x128x28x28xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.cmpf ugt, %in, %zero : f32
    %s = arith.select %p, %in, %zero : f32
    linalg.yield %s : f32
  } -> tensor<1x128x28x28xf32>
  return %relu2 : tensor<1x128x28x28xf32>
}
