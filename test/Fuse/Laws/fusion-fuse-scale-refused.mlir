// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefix=NONE --implicit-check-not='fusion.folded = "' --implicit-check-not=' bias('

// TVM 110: factors that look like a scale but are none: one reason each, below the
// convolution. The image has four channels, four rows and four columns, as many as the
// input has channels: sizes alone tell nothing.

// NONE-COUNT-20: fusion.fused_conv_bias_act

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#batch = affine_map<(d0, d1, d2, d3) -> (d0)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#row = affine_map<(d0, d1, d2, d3) -> (d2)>
#column = affine_map<(d0, d1, d2, d3) -> (d3)>
#plane = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
#row2 = affine_map<(d0, d1, d2, d3) -> (d2, 0)>
#channel4 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#second3 = affine_map<(d0, d1, d2) -> (d1)>

func.func @along_rows(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; scale varies along dimension 2 (size 4), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #row, #all]
         ins(%c, %s : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @along_columns(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; scale varies along dimension 3 (size 4), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<div> indexing_maps = [#all, #column, #all]
         ins(%c, %s : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @along_batch(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; scale varies along dimension 0 (size 4), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #batch, #all]
         ins(%c, %s : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @along_channel_and_row(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4x4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; scale varies along dimension 2 (size 4), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #plane, #all]
         ins(%c, %s : tensor<4x4x4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @product_of_tensors(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; scale varies along dimension 0 (size 4), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #all, #all]
         ins(%c, %s : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @reshaped_to_rows(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; scale varies along dimension 2 (size 4), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %u = tensor.expand_shape %s [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #row2, #all]
         ins(%c, %u : tensor<4x4x4x4xf32>, tensor<4x1xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @reshaped_at_run_time(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>, %shape: tensor<4xindex>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; scale comes through 'tensor.reshape' to a shape known only at run time: dimension 0 of tensor<?x?x?x?xf32> may be other than 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %u = tensor.reshape %s(%shape) : (tensor<4xf32>, tensor<4xindex>) -> tensor<?x?x?x?xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel4, #all]
         ins(%c, %u : tensor<4x4x4x4xf32>, tensor<?x?x?x?xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// s / x is no scale of x.
func.func @value_is_divisor(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; next op 'linalg.generic' at {{.*}} neither scales nor adds to the result nor is an activation that is known{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.divf %p1, %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// The factor depends on the result: x * (x + s).
func.func @by_itself(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; next op 'linalg.generic' at {{.*}} neither scales nor adds to the result nor is an activation that is known{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    %1 = arith.mulf %p0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// A vector along the channel, but made of the result itself.
func.func @by_its_own_sum(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: 'linalg.reduce' at {{.*}}, 'linalg.elementwise' at {{.*}}{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %half = arith.constant 0.5 : f32
  %i = linalg.fill ins(%half : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %s0 = linalg.reduce { arith.maximumf } ins(%c : tensor<4x4x4x4xf32>) outs(%i : tensor<4xf32>) dimensions = [0, 2, 3]
  %r = linalg.elementwise kind=#linalg.elementwise_kind<div> indexing_maps = [#all, #channel, #all]
         ins(%c, %s0 : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @computed_by_other_op(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: scale is computed by 'math.sin' in the same op{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = math.sin %p1 : f32
    %1 = arith.mulf %p0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// s to the power of a number that is no float.
func.func @integer_exponent(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>, %n: i32) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: scale is computed from a value of type i32{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = math.fpowi %p1, %n : f32, i32
    %1 = arith.mulf %p0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @mixed_with_rows(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<16xf32>) -> tensor<4x16x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; a reshape of the result mixes the output channel with other dimensions before the scale{{$}}
  %v = tensor.collapse_shape %c [[0], [1, 2], [3]] : tensor<4x4x4x4xf32> into tensor<4x16x4xf32>
  %e = tensor.empty() : tensor<4x16x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all3, #second3, #all3]
         ins(%v, %s : tensor<4x16x4xf32>, tensor<16xf32>) outs(%e : tensor<4x16x4xf32>) -> tensor<4x16x4xf32>
  return %r : tensor<4x16x4xf32>
}

// TVM 111: scaling the filter would change what the other user reads.
func.func @two_users(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: 'linalg.elementwise' at {{.*}}, 'linalg.negf' at {{.*}}{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%c, %s : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  %q = linalg.negf ins(%c : tensor<4x4x4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r, %q : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>
}

func.func @returned_too(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: 'linalg.elementwise' at {{.*}}, 'func.return' at {{.*}}{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%c, %s : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %c, %r : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>
}

// The convolution would be computed again in each round.
func.func @in_a_loop(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>, %n: index) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; next op 'linalg.elementwise' at {{.*}} is in another block{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %z) -> (tensor<4x4x4x4xf32>) {
    %t = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
           ins(%c, %s : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%o : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    scf.yield %t : tensor<4x4x4x4xf32>
  }
  return %r : tensor<4x4x4x4xf32>
}

// max(x, 0) * s is max(x * s, 0) only if s is not negative, which nobody knows.
func.func @behind_relu(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: relu; 'relu' comes before the scale{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %d = linalg.max ins(%c, %z : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%d, %s : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @negated_behind_relu(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: relu; 'relu' comes before the scale{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %d = linalg.max ins(%c, %z : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  %r = linalg.negf ins(%d : tensor<4x4x4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// s - tanh(x).
func.func @behind_tanh(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %s: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: tanh; 'tanh' comes before the scale{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %d = linalg.tanh ins(%c : tensor<4x4x4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  %u = linalg.broadcast ins(%s : tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) dimensions = [0, 2, 3]
  %r = linalg.sub ins(%u, %d : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @abs_in_the_same_op(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: abs; 'abs' comes before the scale{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %one = arith.constant 2.0 : f32
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<4x4x4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = math.absf %p0 : f32
    %1 = arith.mulf %0, %one : f32
    linalg.yield %1 : f32
  } -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}
