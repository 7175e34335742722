// RUN: fusion-opt %s --fusion-raise --canonicalize | FileCheck %s

// Convolutions that no named op of linalg spells.

// NCHW with an HWCF filter, the kernel loops in front, the multiplication turned round:
// only the computed values count.
#ix = affine_map<(kh, kw, n, h, w, f, c) -> (n, c, h * 2 + kh, w + kw * 3)>
#iw = affine_map<(kh, kw, n, h, w, f, c) -> (kh, kw, c, f)>
#io = affine_map<(kh, kw, n, h, w, f, c) -> (n, f, h, w)>
// CHECK-LABEL: func @mixed_layouts(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<3x2x3x4xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] dilations [1, 3] layouts(nchw, hwcf, nchw) ins(
// CHECK-SAME:      %[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK:         return %[[R]]
func.func @mixed_layouts(%x: tensor<2x3x9x11xf32>, %w: tensor<3x2x3x4xf32>) -> tensor<2x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  %r = linalg.generic {indexing_maps = [#ix, #iw, #io],
         iterator_types = ["reduction", "reduction", "parallel", "parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<2x3x9x11xf32>, tensor<3x2x3x4xf32>) outs(%f : tensor<2x4x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %b, %a : f32
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  } -> tensor<2x4x4x8xf32>
  return %r : tensor<2x4x4x8xf32>
}

// One layout in, another out.
#fx = affine_map<(n, f, w, c, kw) -> (f, c, kw)>
#fi = affine_map<(n, f, w, c, kw) -> (n, c, w + kw)>
#fo = affine_map<(n, f, w, c, kw) -> (n, w, f)>
// CHECK-LABEL: func @channels_first_to_last(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x2xf32>)
// CHECK:         fusion.fused_conv_bias_act layouts(ncw, fcw, nwc) ins(
// CHECK-SAME:      %[[X]], %[[W]] :
func.func @channels_first_to_last(%x: tensor<2x3x9xf32>, %w: tensor<4x3x2xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %r = linalg.generic {indexing_maps = [#fi, #fx, #fo],
         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<4x3x2xf32>) outs(%f : tensor<2x8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x8x4xf32>
  return %r : tensor<2x8x4xf32>
}

// Width before height in the image: the layouts say so.
#tx = affine_map<(n, f, w, h, c, kh, kw) -> (n, w + kw, h * 2 + kh, c)>
#tw = affine_map<(n, f, w, h, c, kh, kw) -> (kw, kh, c, f)>
#to = affine_map<(n, f, w, h, c, kh, kw) -> (n, w, h, f)>
// CHECK-LABEL: func @rows_of_columns(
// CHECK:         fusion.fused_conv_bias_act strides [1, 2] layouts(nhwc, hwcf, nhwc) ins(
func.func @rows_of_columns(%x: tensor<1x6x9x3xf32>, %w: tensor<2x3x3x4xf32>) -> tensor<1x5x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x5x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5x4x4xf32>) -> tensor<1x5x4x4xf32>
  %r = linalg.generic {indexing_maps = [#tx, #tw, #to],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x6x9x3xf32>, tensor<2x3x3x4xf32>) outs(%f : tensor<1x5x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x5x4x4xf32>
  return %r : tensor<1x5x4x4xf32>
}

// The image transposed: input (h, w), output (w, h).
#px = affine_map<(n, f, w, h, c, kh, kw) -> (n, h * 2 + kh, w + kw, c)>
#pw = affine_map<(n, f, w, h, c, kh, kw) -> (kh, kw, c, f)>
#po = affine_map<(n, f, w, h, c, kh, kw) -> (n, w, h, f)>
// CHECK-LABEL: func @image_transposed(
// CHECK:         fusion.fused_conv_bias_act strides [1, 2] layouts(nwhc, whcf, nhwc) ins(
func.func @image_transposed(%x: tensor<1x9x6x3xf32>, %w: tensor<3x2x3x4xf32>) -> tensor<1x5x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x5x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5x4x4xf32>) -> tensor<1x5x4x4xf32>
  %r = linalg.generic {indexing_maps = [#px, #pw, #po],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x9x6x3xf32>, tensor<3x2x3x4xf32>) outs(%f : tensor<1x5x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x5x4x4xf32>
  return %r : tensor<1x5x4x4xf32>
}

// torch-mlir's 3-D groups: ten loops.
#gx = affine_map<(n, g, f, d, h, w, c, kd, kh, kw) -> (n, g, c, d + kd, h * 2 + kh, w + kw * 2)>
#gw = affine_map<(n, g, f, d, h, w, c, kd, kh, kw) -> (g, f, c, kd, kh, kw)>
#go = affine_map<(n, g, f, d, h, w, c, kd, kh, kw) -> (n, g, f, d, h, w)>
// CHECK-LABEL: func @grouped_3d(
// CHECK:         tensor.collapse_shape {{.*}} : tensor<1x2x3x5x9x8xf32> into tensor<1x6x5x9x8xf32>
// CHECK:         tensor.collapse_shape {{.*}} : tensor<2x4x3x2x3x3xf32> into tensor<8x3x2x3x3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [1, 2, 1] dilations [1, 1, 2] groups 2 ins(
// CHECK:         tensor.expand_shape %[[R]] {{.*}} : tensor<1x8x4x4x4xf32> into tensor<1x2x4x4x4x4xf32>
func.func @grouped_3d(%x: tensor<1x2x3x5x9x8xf32>, %w: tensor<2x4x3x2x3x3xf32>) -> tensor<1x2x4x4x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x4x4x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x4x4x4x4xf32>) -> tensor<1x2x4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#gx, #gw, #go],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel",
                           "reduction", "reduction", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x2x3x5x9x8xf32>, tensor<2x4x3x2x3x3xf32>) outs(%f : tensor<1x2x4x4x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x2x4x4x4x4xf32>
  return %r : tensor<1x2x4x4x4x4xf32>
}

// The groups need not come first in the filter.
#qx = affine_map<(n, g, f, w, c, kw) -> (n, g, c, w + kw)>
#qw = affine_map<(n, g, f, w, c, kw) -> (c, kw, g, f)>
#qo = affine_map<(n, g, f, w, c, kw) -> (n, g, f, w)>
// CHECK-LABEL: func @group_last_in_filter(
// CHECK:         %[[W:.*]] = tensor.collapse_shape {{.*}} : tensor<3x2x2x4xf32> into tensor<3x2x8xf32>
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ncw, cwf, ncw) ins(
// CHECK-SAME:      %{{.*}}, %[[W]] :
func.func @group_last_in_filter(%x: tensor<1x2x3x9xf32>, %w: tensor<3x2x2x4xf32>) -> tensor<1x2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  %r = linalg.generic {indexing_maps = [#qx, #qw, #qo],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x2x3x9xf32>, tensor<3x2x2x4xf32>) outs(%f : tensor<1x2x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x2x4x8xf32>
  return %r : tensor<1x2x4x8xf32>
}

// The filter may come first: the input is the operand that is read by windows.
#hw = affine_map<(n, f, h, w, c, kh, kw) -> (kh, kw, c, f)>
#hx = affine_map<(n, f, h, w, c, kh, kw) -> (n, c, h * 2 + kh, w + kw * 3)>
#ho = affine_map<(n, f, h, w, c, kh, kw) -> (n, f, h, w)>
// CHECK-LABEL: func @filter_first(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<3x2x3x4xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] dilations [1, 3] layouts(nchw, hwcf, nchw) ins(
// CHECK-SAME:      %[[X]], %[[W]] : tensor<2x3x9x11xf32>, tensor<3x2x3x4xf32>) outs(
// CHECK:         return %[[R]]
func.func @filter_first(%x: tensor<2x3x9x11xf32>, %w: tensor<3x2x3x4xf32>) -> tensor<2x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  %r = linalg.generic {indexing_maps = [#hw, #hx, #ho],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%w, %x : tensor<3x2x3x4xf32>, tensor<2x3x9x11xf32>) outs(%f : tensor<2x4x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x4x8xf32>
  return %r : tensor<2x4x4x8xf32>
}

// The same with windows of one element, so that the sizes do not tell.
// CHECK-LABEL: func @filter_first_1x1(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<4x4x4x4xf32>, %[[W:[a-z0-9]*]]: tensor<1x1x4x4xf32>)
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] dilations [1, 3] layouts(nchw, hwcf, nchw) ins(
// CHECK-SAME:      %[[X]], %[[W]] : tensor<4x4x4x4xf32>, tensor<1x1x4x4xf32>) outs(
func.func @filter_first_1x1(%x: tensor<4x4x4x4xf32>, %w: tensor<1x1x4x4xf32>) -> tensor<4x4x2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4x2x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4x2x4xf32>) -> tensor<4x4x2x4xf32>
  %r = linalg.generic {indexing_maps = [#hw, #hx, #ho],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%w, %x : tensor<1x1x4x4xf32>, tensor<4x4x4x4xf32>) outs(%f : tensor<4x4x2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %b, %a : f32
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4x4x2x4xf32>
  return %r : tensor<4x4x2x4xf32>
}

// Depthwise with two output channels a channel,
#dw = affine_map<(n, h, w, g, f, kh, kw) -> (g, kh, kw, f)>
#dx = affine_map<(n, h, w, g, f, kh, kw) -> (n, h * 2 + kh, w + kw, g)>
#do = affine_map<(n, h, w, g, f, kh, kw) -> (n, h, w, g, f)>
// CHECK-LABEL: func @filter_first_depthwise(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x9x8x3xf32>, %[[W:[a-z0-9]*]]: tensor<3x3x5x2xf32>)
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[W]] : {{.*}} permutation = [1, 2, 0, 3]
// CHECK:         %[[F:.*]] = tensor.{{collapse|expand}}_shape
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] groups 3 layouts(nhwc, hwcf, nhwc) ins(
// CHECK-SAME:      %[[X]],
func.func @filter_first_depthwise(%x: tensor<1x9x8x3xf32>, %w: tensor<3x3x5x2xf32>) -> tensor<1x4x4x3x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x3x2xf32>) -> tensor<1x4x4x3x2xf32>
  %r = linalg.generic {indexing_maps = [#dw, #dx, #do],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%w, %x : tensor<3x3x5x2xf32>, tensor<1x9x8x3xf32>) outs(%f : tensor<1x4x4x3x2xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4x3x2xf32>
  return %r : tensor<1x4x4x3x2xf32>
}

// and groups of channels.
// CHECK-LABEL: func @filter_first_grouped(
// CHECK:         %[[W:.*]] = tensor.collapse_shape {{.*}} : tensor<3x2x2x4xf32> into tensor<3x2x8xf32>
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ncw, cwf, ncw) ins(
// CHECK-SAME:      %{{.*}}, %[[W]] :
func.func @filter_first_grouped(%x: tensor<1x2x3x9xf32>, %w: tensor<3x2x2x4xf32>) -> tensor<1x2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  %r = linalg.generic {indexing_maps = [#qw, #qx, #qo],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%w, %x : tensor<3x2x2x4xf32>, tensor<1x2x3x9xf32>) outs(%f : tensor<1x2x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x2x4x8xf32>
  return %r : tensor<1x2x4x8xf32>
}

// bf16 operands widened in the body, f32 accumulation.
#wx = affine_map<(n, f, w, c, kw) -> (n, c, w + kw)>
#ww = affine_map<(n, f, w, c, kw) -> (f, c, kw)>
#wo = affine_map<(n, f, w, c, kw) -> (n, f, w)>
// CHECK-LABEL: func @widened_operands(
// CHECK:         fusion.fused_conv_bias_act{{.*}} : tensor<1x3x9xbf16>, tensor<4x3x2xbf16>) outs({{.*}}) -> tensor<1x4x8xf32>
func.func @widened_operands(%x: tensor<1x3x9xbf16>, %w: tensor<4x3x2xbf16>) -> tensor<1x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %r = linalg.generic {indexing_maps = [#wx, #ww, #wo],
         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x3x9xbf16>, tensor<4x3x2xbf16>) outs(%f : tensor<1x4x8xf32>) {
  ^bb0(%a: bf16, %b: bf16, %acc: f32):
    %wa = arith.extf %a : bf16 to f32
    %wb = arith.extf %b : bf16 to f32
    %p = arith.mulf %wa, %wb : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x4x8xf32>
  return %r : tensor<1x4x8xf32>
}

// A contraction is no convolution, and pooling neither.
// CHECK-LABEL: func @others(
// CHECK:         fusion.fused_matmul_bias_act
// CHECK-NOT:     fusion.
// CHECK:         linalg.pooling_nchw_sum
// CHECK-NOT:     fusion.
// CHECK:         return
func.func @others(%a: tensor<4x3xf32>, %b: tensor<3x5xf32>, %m: tensor<4x5xf32>,
                  %x: tensor<1x3x9x11xf32>, %k: tensor<3x2xf32>, %s: tensor<1x3x7x10xf32>) -> (tensor<4x5xf32>, tensor<1x3x7x10xf32>) {
  %r = linalg.matmul ins(%a, %b : tensor<4x3xf32>, tensor<3x5xf32>) outs(%m : tensor<4x5xf32>) -> tensor<4x5xf32>
  %p = linalg.pooling_nchw_sum ins(%x, %k : tensor<1x3x9x11xf32>, tensor<3x2xf32>) outs(%s : tensor<1x3x7x10xf32>) -> tensor<1x3x7x10xf32>
  return %r, %p : tensor<4x5xf32>, tensor<1x3x7x10xf32>
}

// Upstream writes 0 in place of a loop of one iteration: the batch,
#zx = affine_map<(n, f, h, w, c, kh, kw) -> (0, c, h + kh, w + kw)>
#zw = affine_map<(n, f, h, w, c, kh, kw) -> (f, c, kh, kw)>
#zo = affine_map<(n, f, h, w, c, kh, kw) -> (n, f, h, w)>
// CHECK-LABEL: func @batch_is_zero(
// CHECK:         fusion.fused_conv_bias_act ins(%{{.*}}, %{{.*}} : tensor<1x3x7x8xf32>, tensor<4x3x2x3xf32>)
// CHECK-NOT:     linalg.generic
func.func @batch_is_zero(%x: tensor<1x3x7x8xf32>, %w: tensor<4x3x2x3xf32>, %i: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %r = linalg.generic {indexing_maps = [#zx, #zw, #zo],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x3x7x8xf32>, tensor<4x3x2x3xf32>) outs(%i : tensor<1x4x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x4x6x6xf32>
  return %r : tensor<1x4x6x6xf32>
}

// the windows of an image of one pixel,
#zp = affine_map<(n, f, h, w, c, kh, kw) -> (n, c, 0, 0)>
// CHECK-LABEL: func @windows_are_zero(
// CHECK:         fusion.fused_conv_bias_act ins(%{{.*}}, %{{.*}} : tensor<2x3x1x1xf32>, tensor<4x3x1x1xf32>)
// CHECK-NOT:     linalg.generic
func.func @windows_are_zero(%x: tensor<2x3x1x1xf32>, %w: tensor<4x3x1x1xf32>, %i: tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32> {
  %r = linalg.generic {indexing_maps = [#zp, #zw, #zo],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%x, %w : tensor<2x3x1x1xf32>, tensor<4x3x1x1xf32>) outs(%i : tensor<2x4x1x1xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x1x1xf32>
  return %r : tensor<2x4x1x1xf32>
}

// both, with the channel last and the filter first,
#zc = affine_map<(n, h, w, f, kh, kw, c) -> (0, 0, 0, c)>
#cw = affine_map<(n, h, w, f, kh, kw, c) -> (f, kh, kw, c)>
#co = affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, f)>
// CHECK-LABEL: func @all_but_the_channel_is_zero(
// CHECK:         fusion.fused_conv_bias_act layouts(nhwc, fhwc, nhwc) ins(%arg0, %arg1 : tensor<1x1x1x3xf32>, tensor<4x1x1x3xf32>)
// CHECK-NOT:     linalg.generic
func.func @all_but_the_channel_is_zero(%x: tensor<1x1x1x3xf32>, %w: tensor<4x1x1x3xf32>, %i: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
  %r = linalg.generic {indexing_maps = [#cw, #zc, #co],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%w, %x : tensor<4x1x1x3xf32>, tensor<1x1x1x3xf32>) outs(%i : tensor<1x1x1x4xf32>) {
  ^bb0(%b: f32, %a: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x1x1x4xf32>
  return %r : tensor<1x1x1x4xf32>
}

// the row of a linear layer, and the pixels that it adds up,
#zr = affine_map<(m, n, k, kh, kw) -> (0, k, 0, 0)>
#zf = affine_map<(m, n, k, kh, kw) -> (n, k, kh, kw)>
#zm = affine_map<(m, n, k, kh, kw) -> (m, n)>
// CHECK-LABEL: func @row_is_zero(
// CHECK:         fusion.fused_matmul_bias_act layouts(mk, nk, mn) ins(%{{.*}}, %{{.*}} : tensor<1x3xf32>, tensor<4x3xf32>)
// CHECK-NOT:     linalg.generic
func.func @row_is_zero(%x: tensor<1x3x1x1xf32>, %w: tensor<4x3x1x1xf32>, %i: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [#zr, #zf, #zm],
         iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x3x1x1xf32>, tensor<4x3x1x1xf32>) outs(%i : tensor<1x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

// a batch that both have, of one factor,
#bl = affine_map<(b, m, n, k) -> (0, m, k)>
#br = affine_map<(b, m, n, k) -> (b, k, n)>
#bo = affine_map<(b, m, n, k) -> (b, m, n)>
// CHECK-LABEL: func @batch_of_both_is_zero(
// CHECK:         fusion.fused_matmul_bias_act
// CHECK-NOT:     linalg.generic
func.func @batch_of_both_is_zero(%x: tensor<1x5x3xf32>, %w: tensor<1x3x4xf32>, %i: tensor<1x5x4xf32>) -> tensor<1x5x4xf32> {
  %r = linalg.generic {indexing_maps = [#bl, #br, #bo],
         iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<1x5x3xf32>, tensor<1x3x4xf32>) outs(%i : tensor<1x5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x5x4xf32>
  return %r : tensor<1x5x4xf32>
}

// or of each, and the row.
#brz = affine_map<(b, m, n, k) -> (0, 0, k)>
#bfz = affine_map<(b, m, n, k) -> (0, k, n)>
// CHECK-LABEL: func @batch_and_row_are_zero(
// CHECK:         fusion.fused_matmul_bias_act
// CHECK-NOT:     linalg.generic
func.func @batch_and_row_are_zero(%x: tensor<1x1x3xf32>, %w: tensor<1x3x4xf32>, %i: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %r = linalg.generic {indexing_maps = [#brz, #bfz, #bo],
         iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<1x1x3xf32>, tensor<1x3x4xf32>) outs(%i : tensor<1x1x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}
