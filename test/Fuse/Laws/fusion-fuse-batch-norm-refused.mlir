// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefix=NONE --implicit-check-not='fusion.folded = "' --implicit-check-not=fusion.fused
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefix=ASSERT

// Ops that look like a batch norm but are none: one reason each, below the convolution.

// NONE-COUNT-10: fusion.fused_conv_bias_act
// ASSERT: cf.assert

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#row = affine_map<(d0, d1, d2, d3) -> (d2)>
#image = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#id = affine_map<(d0) -> (d0)>

// The mean is one of the channels, the variance one of the rows.
func.func @variance_of_rows(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: bias; scale varies along dimension 2 (size 4), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<4x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// conv, relu, batch norm is another function.
func.func @behind_relu(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: relu; 'relu' comes before the addition{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %d = linalg.max ins(%c, %z : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%d, %g, %b, %m, %v : tensor<4x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// Training: mean and variance are those of the result itself.
func.func @statistics_of_the_batch(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 3 users: 'linalg.reduce' at {{.*}}, 'linalg.generic' at {{.*}}, 'linalg.generic' at {{.*}}{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %s0 = linalg.reduce { arith.addf } ins(%c : tensor<4x4x4x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0, 2, 3]
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%s0 : tensor<4xf32>) outs(%e1 : tensor<4xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.divf %p0, %n : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %m : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.subf %p0, %p1 : f32
    %1 = arith.mulf %0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x4x4x4xf32>
  %s1 = linalg.reduce { arith.addf } ins(%d : tensor<4x4x4x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0, 2, 3]
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%s1 : tensor<4xf32>) outs(%e1 : tensor<4xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.divf %p0, %n : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<4x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// Statistics of each image.
func.func @instance_norm(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %m: tensor<4x4xf32>, %v: tensor<4x4xf32>) -> tensor<4x4x4x4xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias varies along dimension 0 (size 4), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #image, #image, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %m, %v : tensor<4x4x4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %0 = arith.subf %p0, %p1 : f32
    %1 = arith.addf %p2, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @two_users(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: 'linalg.generic' at {{.*}}, 'func.return' at {{.*}}{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<4x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<4x4x4x4xf32>
  return %c, %r : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>
}

// An assertion in the op that is folded must not be lost.
func.func @assert_in_the_same_op(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %v: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = math.sqrt %p1 : f32
    %1 = arith.cmpf one, %0, %zero : f32
    cf.assert %1, "tensor with zero element"
    %2 = arith.divf %one, %0 : f32
    %3 = arith.mulf %p0, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// The root is that of the result.
func.func @root_of_the_value(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %v: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: sqrt; 'sqrt' comes before the scale{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = math.sqrt %p0 : f32
    %1 = arith.divf %0, %p1 : f32
    linalg.yield %1 : f32
  } -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @root_behind_relu(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %v: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: relu; 'relu' comes before the scale{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %d = linalg.max ins(%c, %z : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%d, %v : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = math.rsqrt %p1 : f32
    %1 = arith.mulf %p0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @root_with_two_users(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %v: tensor<4xf32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: 'linalg.generic' at {{.*}}, 'func.return' at {{.*}}{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = math.rsqrt %p1 : f32
    %1 = arith.mulf %p0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x4x4x4xf32>
  return %c, %r : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>
}

// A batch norm in front of the convolution is none of its epilogue (with padding it
// could not be folded).
func.func @after_the_input(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %ex = tensor.empty() : tensor<4x4x6x6xf32>
  %n = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%x, %g, %b, %m, %v : tensor<4x4x6x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%ex : tensor<4x4x6x6xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<4x4x6x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%n, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  return %r : tensor<4x4x4x4xf32>
}
