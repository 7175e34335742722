// A program that prints: 3x3 sums over a padded image, twice. The first channel subtracts
// 7 and ends at 0 from below, the second adds 1. It needs no tool of ours to run.

func.func private @printMemrefF32(tensor<*xf32>)

func.func @main() {
  %x = arith.constant dense<1.0> : tensor<1x1x3x5xf32>
  %w = arith.constant dense<1.0> : tensor<2x1x3x3xf32>
  %b = arith.constant dense<[-7.0, 1.0]> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %pad = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x1x3x5xf32> to tensor<1x1x5x7xf32>
  %e = tensor.empty() : tensor<1x2x3x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
  %v = linalg.broadcast ins(%b : tensor<2xf32>) outs(%e : tensor<1x2x3x5xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw
         ins(%pad, %w : tensor<1x1x5x7xf32>, tensor<2x1x3x3xf32>)
         outs(%v : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
  %r = linalg.max ins(%c, %z : tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>)
                  outs(%e : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
  %u = tensor.cast %r : tensor<1x2x3x5xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
