// The layer of conv-reshape-add-relu.mlir at the size of a network's, as an exported
// model may have it: padded, with any batch, and with weights that are arguments and
// have names. `fusion-bind-params` makes constants of them.

#image = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>

func.func @main(%x: tensor<?x64x56x56xf32>,
                %w: tensor<?x64x3x3xf32> {fusion.name = "conv.weight"},
                %b: tensor<?xf32> {fusion.name = "conv.bias"}) -> tensor<?x?x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x64x56x56xf32>
  %oc = tensor.dim %w, %c0 : tensor<?x64x3x3xf32>
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<?x64x56x56xf32> to tensor<?x64x58x58xf32>
  %empty = tensor.empty(%n, %oc) : tensor<?x?x56x56xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x56x56xf32>) -> tensor<?x?x56x56xf32>
  %conv = linalg.conv_2d_nchw_fchw
            ins(%padded, %w : tensor<?x64x58x58xf32>, tensor<?x64x3x3xf32>)
            outs(%fill : tensor<?x?x56x56xf32>) -> tensor<?x?x56x56xf32>
  %shape = tensor.from_elements %one, %oc, %one, %one : tensor<4xindex>
  %bias = tensor.reshape %b(%shape) : (tensor<?xf32>, tensor<4xindex>) -> tensor<1x?x1x1xf32>
  %sum = linalg.generic {
           indexing_maps = [#image, #channel, #image],
           iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
           ins(%conv, %bias : tensor<?x?x56x56xf32>, tensor<1x?x1x1xf32>)
           outs(%empty : tensor<?x?x56x56xf32>) {
  ^bb0(%c: f32, %d: f32, %out: f32):
    %s = arith.addf %c, %d : f32
    linalg.yield %s : f32
  } -> tensor<?x?x56x56xf32>
  %relu = linalg.generic {
            indexing_maps = [#image, #image],
            iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
            ins(%sum : tensor<?x?x56x56xf32>) outs(%empty : tensor<?x?x56x56xf32>) {
  ^bb0(%s: f32, %out: f32):
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x?x56x56xf32>
  return %relu : tensor<?x?x56x56xf32>
}
