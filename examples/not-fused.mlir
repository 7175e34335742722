// Three layers of which one is fused, for docs/tutorials/WhyNotFused.md. One word is
// wrong in the second, one number in the third.

#image = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>

func.func @main(%x: tensor<1x3x14x22xf32>,
                %w0: tensor<8x3x3x3xf32>, %b0: tensor<8xf32>,
                %w1: tensor<6x8x3x3xf32>,
                %w2: tensor<5x6x1x1xf32>, %b2: tensor<5xf32>) -> tensor<1x5x10x18xf32> {
  %zero = arith.constant 0.0 : f32
  %shape = arith.constant dense<[1, 8, 1, 1]> : tensor<4xi64>

  // A bias through a reshape, and a relu.
  %e0 = tensor.empty() : tensor<1x8x12x20xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x8x12x20xf32>) -> tensor<1x8x12x20xf32>
  %c0 = linalg.conv_2d_nchw_fchw
          ins(%x, %w0 : tensor<1x3x14x22xf32>, tensor<8x3x3x3xf32>)
          outs(%f0 : tensor<1x8x12x20xf32>) -> tensor<1x8x12x20xf32>
  %v0 = tensor.reshape %b0(%shape) : (tensor<8xf32>, tensor<4xi64>) -> tensor<1x8x1x1xf32>
  %s0 = linalg.generic {
          indexing_maps = [#image, #channel, #image],
          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%c0, %v0 : tensor<1x8x12x20xf32>, tensor<1x8x1x1xf32>)
          outs(%e0 : tensor<1x8x12x20xf32>) {
  ^bb0(%c: f32, %b: f32, %out: f32):
    %s = arith.addf %c, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x8x12x20xf32>
  %r0 = linalg.max ins(%s0, %f0 : tensor<1x8x12x20xf32>, tensor<1x8x12x20xf32>)
                   outs(%e0 : tensor<1x8x12x20xf32>) -> tensor<1x8x12x20xf32>

  // Sums up in a tensor that was never filled.
  %e1 = tensor.empty() : tensor<1x6x10x18xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x6x10x18xf32>) -> tensor<1x6x10x18xf32>
  %c1 = linalg.conv_2d_nchw_fchw
          ins(%r0, %w1 : tensor<1x8x12x20xf32>, tensor<6x8x3x3xf32>)
          outs(%e1 : tensor<1x6x10x18xf32>) -> tensor<1x6x10x18xf32>
  %r1 = linalg.max ins(%c1, %f1 : tensor<1x6x10x18xf32>, tensor<1x6x10x18xf32>)
                   outs(%e1 : tensor<1x6x10x18xf32>) -> tensor<1x6x10x18xf32>

  // A hard swish, x * min(max(x + 3, 0), 6) / 6, with a slip in the 6.
  %e2 = tensor.empty() : tensor<1x5x10x18xf32>
  %v2 = linalg.broadcast ins(%b2 : tensor<5xf32>) outs(%e2 : tensor<1x5x10x18xf32>) dimensions = [0, 2, 3]
  %c2 = linalg.conv_2d_nchw_fchw
          ins(%r1, %w2 : tensor<1x6x10x18xf32>, tensor<5x6x1x1xf32>)
          outs(%v2 : tensor<1x5x10x18xf32>) -> tensor<1x5x10x18xf32>
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.5 : f32
  %r2 = linalg.generic {
          indexing_maps = [#image, #image],
          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%c2 : tensor<1x5x10x18xf32>) outs(%e2 : tensor<1x5x10x18xf32>) {
  ^bb0(%c: f32, %out: f32):
    %p = arith.addf %c, %three : f32
    %m = arith.maximumf %p, %zero : f32
    %n = arith.minimumf %m, %six : f32
    %q = arith.divf %n, %six : f32
    %y = arith.mulf %c, %q : f32
    linalg.yield %y : f32
  } -> tensor<1x5x10x18xf32>
  return %r2 : tensor<1x5x10x18xf32>
}
