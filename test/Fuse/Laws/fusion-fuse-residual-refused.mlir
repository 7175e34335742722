// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

// Sums that are no residual, or whose convolution must stay: one reason each.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#first = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#squeezed = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>

// One image added to each of a batch.
func.func @broadcast_along_batch(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<1x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias varies along dimension 2 (size 7), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #first, #all]
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Of shape [N, C, 1, 1]: neither a bias (two images) nor a residual.
func.func @one_vector_per_image(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x1x1xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias varies along dimension 0 (size 2), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #squeezed, #all]
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<2x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

func.func @second_residual(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>, %t: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: residual; there is a residual already{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.add ins(%c, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%u, %t : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// RepVGG while it trains: relu((conv3x3(x) + conv1x1(x)) + bn(x)). Sums of tensors are not
// reordered, so that the third one stays, in one loop with the norm and relu.
func.func @three_branches(%x: tensor<2x5x7x10xf32>, %v: tensor<5x5x3x3xf32>, %w: tensor<5x5x1x1xf32>, %b: tensor<5xf32>, %d: tensor<5xf32>, %s: tensor<5xf32>, %h: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x5x7x10xf32> to tensor<2x5x9x12xf32>
  %f = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %g = linalg.broadcast ins(%d : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  // CHECK: :[[#@LINE+1]]:8: fused: pad, bias{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%p, %v : tensor<2x5x9x12xf32>, tensor<5x5x3x3xf32>) outs(%f : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: bias, residual; there is a residual already{{$}}
  %o = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%g : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %n = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%x, %s, %h : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32, %out: f32):
    %3 = arith.mulf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    linalg.yield %4 : f32
  } -> tensor<2x5x7x10xf32>
  %t = linalg.add ins(%c, %o : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %u = linalg.add ins(%t, %n : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %y = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %r = linalg.max ins(%u, %y : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

func.func @subtracted_tensor(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: a tensor is subtracted{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.sub ins(%c, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

func.func @result_twice(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; result is read 2 times by the next op{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.add ins(%c, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The shape that the tensor would be given back is no constant.
func.func @behind_reshape(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x70xf32>) -> tensor<2x5x70xf32> {
  %shape = arith.constant dense<[2, 5, 70]> : tensor<3xi64>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: result is reshaped before a tensor is added{{$}}
  %v = tensor.reshape %c(%shape) : (tensor<2x5x7x10xf32>, tensor<3xi64>) -> tensor<2x5x70xf32>
  %e = tensor.empty() : tensor<2x5x70xf32>
  %r = linalg.add ins(%v, %s : tensor<2x5x70xf32>, tensor<2x5x70xf32>) outs(%e : tensor<2x5x70xf32>) -> tensor<2x5x70xf32>
  return %r : tensor<2x5x70xf32>
}

// Nor are the sizes that were collapsed.
func.func @behind_dynamic_collapse(%x: tensor<2x3x?x11xf32>, %w: tensor<5x3x3x2xf32>, %o: tensor<2x5x?x10xf32>, %s: tensor<2x5x?xf32>) -> tensor<2x5x?xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<2x5x?x10xf32>) -> tensor<2x5x?x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x?x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x?x10xf32>) -> tensor<2x5x?x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: result is reshaped before a tensor is added{{$}}
  %v = tensor.collapse_shape %c [[0], [1], [2, 3]] : tensor<2x5x?x10xf32> into tensor<2x5x?xf32>
  %r = arith.addf %v, %s : tensor<2x5x?xf32>
  return %r : tensor<2x5x?xf32>
}

// The sum runs in each round of a loop, the convolution once.
func.func @in_a_loop(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>, %n: index) -> tensor<2x5x7x10xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; next op 'linalg.add' at {{.*}} is in another block{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %l = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %s) -> tensor<2x5x7x10xf32> {
    %r = linalg.add ins(%c, %acc : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
    scf.yield %r : tensor<2x5x7x10xf32>
  }
  return %l : tensor<2x5x7x10xf32>
}
