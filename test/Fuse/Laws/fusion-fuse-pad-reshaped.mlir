// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o %t.out 2> %t.why
// RUN: FileCheck %s --input-file %t.out
// RUN: FileCheck %s --check-prefix=WHY --input-file %t.why

// Pads of images without a batch, which reshapes give one.

#x = affine_map<(g, f, h, w, c, k, l) -> (g, c, h * 2 + k, w + l)>
#w = affine_map<(g, f, h, w, c, k, l) -> (g, f, c, k, l)>
#y = affine_map<(g, f, h, w, c, k, l) -> (g, f, h, w)>

// CHECK-LABEL: func @groups(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] pad_low [1, 2] pad_high [0, 1] groups 3 ins({{.*}} -> tensor<1x12x5x10xf32>
func.func @groups(%x: tensor<3x2x11x8xf32>, %w: tensor<3x4x2x3x2xf32>) -> tensor<3x4x5x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<3x2x11x8xf32> to tensor<3x2x12x11xf32>
  %ce = tensor.empty() : tensor<3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<3x4x5x10xf32>) -> tensor<3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: fused: pad{{$}}
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%z, %w : tensor<3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %out, %m : f32
    linalg.yield %a : f32
  } -> tensor<3x4x5x10xf32>
  return %c : tensor<3x4x5x10xf32>
}

// CHECK-LABEL: func @expanded(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.fused_conv_bias_act strides [1, 2] pad_low [2, 0] pad_high [0, 3] ins({{.*}} -> tensor<1x5x7x6xf32>
func.func @expanded(%x: tensor<3x7x9xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x6xf32> {
  %zero = arith.constant 0.0 : f32
  %z = tensor.pad %x low[0, 2, 0] high[0, 0, 3] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %zero : f32
  } : tensor<3x7x9xf32> to tensor<3x9x12xf32>
  %e = tensor.expand_shape %z [[0, 1], [2], [3]] output_shape [1, 3, 9, 12] : tensor<3x9x12xf32> into tensor<1x3x9x12xf32>
  %ce = tensor.empty() : tensor<1x5x7x6xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<1x5x7x6xf32>) -> tensor<1x5x7x6xf32>
  // WHY: :[[#@LINE+1]]:8: fused: pad{{$}}
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 2]> : vector<2xi64>} ins(%e, %w : tensor<1x3x9x12xf32>, tensor<5x3x3x2xf32>) outs(%cf : tensor<1x5x7x6xf32>) -> tensor<1x5x7x6xf32>
  return %c : tensor<1x5x7x6xf32>
}

// A size of the reshape comes behind the pad.
// CHECK-LABEL: func @size_behind_the_pad(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.fused_conv_bias_act strides [1, 2] pad_low [2, 0] pad_high [3, 0] ins({{.*}} -> tensor<1x5x10x?xf32>
func.func @size_behind_the_pad(%x: tensor<3x7x?xf32>, %w: tensor<5x3x3x2xf32>, %y: tensor<1x5x10x?xf32>) -> tensor<1x5x10x?xf32> {
  %two = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %z = tensor.pad %x low[0, 2, 0] high[0, 3, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %zero : f32
  } : tensor<3x7x?xf32> to tensor<3x12x?xf32>
  %width = tensor.dim %x, %two : tensor<3x7x?xf32>
  %e = tensor.expand_shape %z [[0, 1], [2], [3]] output_shape [1, 3, 12, %width] : tensor<3x12x?xf32> into tensor<1x3x12x?xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%y : tensor<1x5x10x?xf32>) -> tensor<1x5x10x?xf32>
  // WHY: :[[#@LINE+1]]:8: fused: pad{{$}}
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 2]> : vector<2xi64>} ins(%e, %w : tensor<1x3x12x?xf32>, tensor<5x3x3x2xf32>) outs(%cf : tensor<1x5x10x?xf32>) -> tensor<1x5x10x?xf32>
  return %c : tensor<1x5x10x?xf32>
}

//===----------------------------------------------------------------------===//
// Near misses
//===----------------------------------------------------------------------===//

// Each group has a channel of zeros.
// CHECK-LABEL: func @channel_of_a_group(
// CHECK:         tensor.pad
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] groups 3 ins(
func.func @channel_of_a_group(%x: tensor<3x1x12x11xf32>, %w: tensor<3x4x2x3x2xf32>) -> tensor<3x4x5x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<3x1x12x11xf32> to tensor<3x2x12x11xf32>
  %ce = tensor.empty() : tensor<3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<3x4x5x10xf32>) -> tensor<3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; unsupported: 'tensor.collapse_shape' at {{.*}}:[[#@LINE+1]]:8 comes between the input and 'tensor.pad'{{$}}
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%z, %w : tensor<3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %out, %m : f32
    linalg.yield %a : f32
  } -> tensor<3x4x5x10xf32>
  return %c : tensor<3x4x5x10xf32>
}

// A channel of zeros, in a dimension that is expanded.
// CHECK-LABEL: func @expanded_channel(
// CHECK:         tensor.pad
// CHECK:         fusion.fused_conv_bias_act strides [1, 2] ins(
func.func @expanded_channel(%x: tensor<2x7x9xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %z = tensor.pad %x low[1, 0, 0] high[0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %zero : f32
  } : tensor<2x7x9xf32> to tensor<3x7x9xf32>
  %e = tensor.expand_shape %z [[0, 1], [2], [3]] output_shape [1, 3, 7, 9] : tensor<3x7x9xf32> into tensor<1x3x7x9xf32>
  %ce = tensor.empty() : tensor<1x5x5x4xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; unsupported: 'tensor.expand_shape' at {{.*}} comes between the input and 'tensor.pad'{{$}}
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 2]> : vector<2xi64>} ins(%e, %w : tensor<1x3x7x9xf32>, tensor<5x3x3x2xf32>) outs(%cf : tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  return %c : tensor<1x5x5x4xf32>
}

// The pads are numbers of rows.
// CHECK-LABEL: func @several_numbers(
// CHECK:         tensor.pad
// CHECK:         fusion.fused_conv_bias_act strides [1, 2] ins(
func.func @several_numbers(%x: tensor<3x7x9xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x6xf32> {
  %zero = arith.constant 0.0 : f32
  %z = tensor.pad %x low[0, 2, 0] high[0, 0, 3] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    %i = arith.index_cast %i1 : index to i32
    %row = arith.sitofp %i : i32 to f32
    tensor.yield %row : f32
  } : tensor<3x7x9xf32> to tensor<3x9x12xf32>
  %e = tensor.expand_shape %z [[0, 1], [2], [3]] output_shape [1, 3, 9, 12] : tensor<3x9x12xf32> into tensor<1x3x9x12xf32>
  %ce = tensor.empty() : tensor<1x5x7x6xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<1x5x7x6xf32>) -> tensor<1x5x7x6xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; unsupported: 'tensor.expand_shape' at {{.*}} comes between the input and 'tensor.pad'{{$}}
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 2]> : vector<2xi64>} ins(%e, %w : tensor<1x3x9x12xf32>, tensor<5x3x3x2xf32>) outs(%cf : tensor<1x5x7x6xf32>) -> tensor<1x5x7x6xf32>
  return %c : tensor<1x5x7x6xf32>
}

// CHECK-LABEL: func @pad_read_twice(
// CHECK:         tensor.pad
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] groups 3 ins(
func.func @pad_read_twice(%x: tensor<3x2x11x8xf32>, %w: tensor<3x4x2x3x2xf32>) -> (tensor<3x4x5x10xf32>, tensor<3x2x12x11xf32>) {
  %zero = arith.constant 0.0 : f32
  %z = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<3x2x11x8xf32> to tensor<3x2x12x11xf32>
  %ce = tensor.empty() : tensor<3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<3x4x5x10xf32>) -> tensor<3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; unsupported: 'tensor.collapse_shape' at {{.*}}:[[#@LINE+1]]:8 comes between the input and 'tensor.pad'{{$}}
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%z, %w : tensor<3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %out, %m : f32
    linalg.yield %a : f32
  } -> tensor<3x4x5x10xf32>
  return %c, %z : tensor<3x4x5x10xf32>, tensor<3x2x12x11xf32>
}

// CHECK-LABEL: func @ones(
// CHECK:         tensor.pad
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] groups 3 ins(
func.func @ones(%x: tensor<3x2x11x8xf32>, %w: tensor<3x4x2x3x2xf32>) -> tensor<3x4x5x10xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %z = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %one : f32
  } : tensor<3x2x11x8xf32> to tensor<3x2x12x11xf32>
  %ce = tensor.empty() : tensor<3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<3x4x5x10xf32>) -> tensor<3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; 'tensor.pad' pads with 1, expected 0{{$}}
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%z, %w : tensor<3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %out, %m : f32
    linalg.yield %a : f32
  } -> tensor<3x4x5x10xf32>
  return %c : tensor<3x4x5x10xf32>
}
