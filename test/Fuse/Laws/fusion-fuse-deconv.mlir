// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize="disable=deconv propagate-layout=false" --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF

// TVM 77: a convolution of stride 1 that reads an input with zeros inserted is a transposed
// convolution, with the filter flipped.

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>

// As torch-mlir writes it: the filter is transposed and flipped, the bias in `outs`.
// Padding 1 and 0 with a kernel of 3 and 2 leaves 1 zero in front in both.
// CHECK-LABEL: func @flipped(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x3x5x4xf32>, %[[W:[a-z0-9]*]]: tensor<3x6x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<6xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act relu strides [2, 3] pad_low [1, 0] pad_high [1, 0] layouts(nchw, cfhw, nchw) ins(%[[X]], %[[W]] : tensor<1x3x5x4xf32>, tensor<3x6x3x2xf32>) bias(%[[B]] : tensor<6xf32>) outs(%{{.*}} : tensor<1x6x9x11xf32>)
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
func.func @flipped(%x: tensor<1x3x5x4xf32>, %w: tensor<3x6x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x9x11xf32> {
  %zero = arith.constant 0.0 : f32
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %te = tensor.empty() : tensor<6x3x3x2xf32>
  %t = linalg.transpose ins(%w : tensor<3x6x3x2xf32>) outs(%te : tensor<6x3x3x2xf32>) permutation = [1, 0, 2, 3]
  %flip = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%te : tensor<6x3x3x2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %bk = arith.subi %i2, %k : index
    %bl = arith.subi %i1, %l : index
    %v = tensor.extract %t[%i, %j, %bk, %bl] : tensor<6x3x3x2xf32>
    linalg.yield %v : f32
  } -> tensor<6x3x3x2xf32>
  %ze = tensor.empty() : tensor<1x3x11x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%ze : tensor<1x3x11x12xf32>) -> tensor<1x3x11x12xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 1, 1] [1, 3, 5, 4] [1, 1, 2, 3] : tensor<1x3x5x4xf32> into tensor<1x3x11x12xf32>
  %e = tensor.empty() : tensor<1x6x9x11xf32>
  %f = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x9x11xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%s, %flip : tensor<1x3x11x12xf32>, tensor<6x3x3x2xf32>) outs(%f : tensor<1x6x9x11xf32>) -> tensor<1x6x9x11xf32>
  // WHY: :[[#@LINE-2]]:8: fused: bias, relu{{$}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x6x9x11xf32>) outs(%e : tensor<1x6x9x11xf32>) {
  ^bb0(%v: f32, %o: f32):
    %m = arith.maximumf %v, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x6x9x11xf32>
  return %r : tensor<1x6x9x11xf32>
}

// A filter that is not flipped is flipped, which stays in the IR.
// CHECK-LABEL: func @not_flipped(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x5x3xf32>, %[[W:[a-z0-9]*]]: tensor<3x3x4xf32>)
// CHECK:         %[[F:.*]] = linalg.generic
// CHECK:           tensor.extract %[[W]]
// CHECK:         fusion.fused_deconv_bias_act strides [2] dilations [2] layouts(nwc, wcf, nwc) ins(%[[X]], %[[F]] : tensor<2x5x3xf32>, tensor<3x3x4xf32>)
func.func @not_flipped(%x: tensor<2x5x3xf32>, %w: tensor<3x3x4xf32>) -> tensor<2x14x4xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x18x3xf32>
  %s = tensor.insert_slice %x into %z[0, 4, 0] [2, 5, 3] [1, 2, 1] : tensor<2x5x3xf32> into tensor<2x18x3xf32>
  %e = tensor.empty() : tensor<2x14x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x14x4xf32>) -> tensor<2x14x4xf32>
  %c = linalg.conv_1d_nwc_wcf {strides = dense<1> : tensor<1xi64>, dilations = dense<2> : tensor<1xi64>}
         ins(%s, %w : tensor<2x18x3xf32>, tensor<3x3x4xf32>) outs(%f : tensor<2x14x4xf32>) -> tensor<2x14x4xf32>
  // WHY: :[[#@LINE-2]]:8: fused: transposed convolution alone{{$}}
  return %c : tensor<2x14x4xf32>
}

// The zeros at the ends may come from a pad.
// CHECK-LABEL: func @padded(
// CHECK-NOT:     tensor.pad
// CHECK-NOT:     tensor.insert_slice
// CHECK:         fusion.fused_deconv_bias_act strides [3] pad_high [1] ins(%{{.*}}, %{{.*}} : tensor<2x3x5xf32>,
func.func @padded(%x: tensor<2x3x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x14xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x3x13xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [2, 3, 5] [1, 1, 3] : tensor<2x3x5xf32> into tensor<2x3x13xf32>
  %p = tensor.pad %s low[0, 0, 2] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x3x13xf32> to tensor<2x3x16xf32>
  %e = tensor.empty() : tensor<2x4x14xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x14xf32>) -> tensor<2x4x14xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%p, %w : tensor<2x3x16xf32>, tensor<4x3x3xf32>) outs(%f : tensor<2x4x14xf32>) -> tensor<2x4x14xf32>
  // WHY: :[[#@LINE-1]]:8: fused: transposed convolution alone{{$}}
  // OFF: :[[#@LINE-2]]:8: partly fused: pad; 'tensor.insert_slice' of the input can be folded; law 'deconv' has not run{{$}}
  return %c : tensor<2x4x14xf32>
}

// A padding of the transposed convolution beyond its window is a crop.
// CHECK-LABEL: func @cropped(
// CHECK-NOT:     tensor.extract_slice
// CHECK:         fusion.fused_deconv_bias_act strides [2] pad_low [3] pad_high [4] ins(%{{.*}}, %{{.*}} : tensor<2x3x7xf32>,
func.func @cropped(%x: tensor<2x3x7xf32>, %w: tensor<4x3x2xf32>) -> tensor<2x4x7xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x3x13xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [2, 3, 7] [1, 1, 2] : tensor<2x3x7xf32> into tensor<2x3x13xf32>
  %p = tensor.extract_slice %s[0, 0, 2] [2, 3, 8] [1, 1, 1] : tensor<2x3x13xf32> to tensor<2x3x8xf32>
  %e = tensor.empty() : tensor<2x4x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x7xf32>) -> tensor<2x4x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%p, %w : tensor<2x3x8xf32>, tensor<4x3x2xf32>) outs(%f : tensor<2x4x7xf32>) -> tensor<2x4x7xf32>
  // WHY: :[[#@LINE-1]]:8: fused: transposed convolution alone{{$}}
  return %c : tensor<2x4x7xf32>
}

// A pad in the place of cropped elements does not bring them back.
// CHECK-LABEL: func @cropped_and_padded(
// CHECK:         fusion.fused_conv_bias_act
func.func @cropped_and_padded(%x: tensor<2x3x7xf32>, %w: tensor<4x3x2xf32>) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x3x13xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [2, 3, 7] [1, 1, 2] : tensor<2x3x7xf32> into tensor<2x3x13xf32>
  %t = tensor.extract_slice %s[0, 0, 2] [2, 3, 8] [1, 1, 1] : tensor<2x3x13xf32> to tensor<2x3x8xf32>
  %p = tensor.pad %t low[0, 0, 1] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x3x8xf32> to tensor<2x3x9xf32>
  %e = tensor.empty() : tensor<2x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%p, %w : tensor<2x3x9xf32>, tensor<4x3x2xf32>) outs(%f : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: pad; unsupported: dimension 2 is cropped and padded in front{{$}}
  return %c : tensor<2x4x8xf32>
}

// CHECK-LABEL: func @cropped_and_padded_behind(
// CHECK:         fusion.fused_conv_bias_act
func.func @cropped_and_padded_behind(%x: tensor<2x3x7xf32>, %w: tensor<4x3x2xf32>) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x3x13xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [2, 3, 7] [1, 1, 2] : tensor<2x3x7xf32> into tensor<2x3x13xf32>
  %t = tensor.extract_slice %s[0, 0, 0] [2, 3, 8] [1, 1, 1] : tensor<2x3x13xf32> to tensor<2x3x8xf32>
  %p = tensor.pad %t low[0, 0, 0] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x3x8xf32> to tensor<2x3x9xf32>
  %e = tensor.empty() : tensor<2x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%p, %w : tensor<2x3x9xf32>, tensor<4x3x2xf32>) outs(%f : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: pad; unsupported: dimension 2 is cropped and padded behind{{$}}
  return %c : tensor<2x4x8xf32>
}

// Near misses: the tensor that receives the input is not zero, a stride skips the
// zeros, more zeros than the filter reaches over, or zeros between channels.

// CHECK-LABEL: func @into_ones(
// CHECK:         fusion.fused_conv_bias_act
func.func @into_ones(%x: tensor<2x3x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<1.0> : tensor<2x3x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [2, 3, 5] [1, 1, 2] : tensor<2x3x5xf32> into tensor<2x3x9xf32>
  %e = tensor.empty() : tensor<2x4x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x7xf32>) -> tensor<2x4x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %w : tensor<2x3x9xf32>, tensor<4x3x3xf32>) outs(%f : tensor<2x4x7xf32>) -> tensor<2x4x7xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; 'tensor.insert_slice' of the input inserts into what is not known to be 0{{$}}
  return %c : tensor<2x4x7xf32>
}

// CHECK-LABEL: func @strided(
// CHECK:         fusion.fused_conv_bias_act
func.func @strided(%x: tensor<2x3x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x3x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [2, 3, 5] [1, 1, 2] : tensor<2x3x5xf32> into tensor<2x3x9xf32>
  %e = tensor.empty() : tensor<2x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %c = linalg.conv_1d_ncw_fcw {strides = dense<2> : tensor<1xi64>} ins(%s, %w : tensor<2x3x9xf32>, tensor<4x3x3xf32>) outs(%f : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; a convolution with strides reads the zeros{{$}}
  return %c : tensor<2x4x4xf32>
}

// CHECK-LABEL: func @too_many_in_front(
// CHECK:         fusion.fused_conv_bias_act
func.func @too_many_in_front(%x: tensor<2x3x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x3x12xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 3] [2, 3, 5] [1, 1, 2] : tensor<2x3x5xf32> into tensor<2x3x12xf32>
  %e = tensor.empty() : tensor<2x4x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %w : tensor<2x3x12xf32>, tensor<4x3x3xf32>) outs(%f : tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: 3 zeros before dimension 2, of which the filter reaches over 2{{$}}
  return %c : tensor<2x4x10xf32>
}

// CHECK-LABEL: func @too_many_behind(
// CHECK:         fusion.fused_conv_bias_act
func.func @too_many_behind(%x: tensor<2x3x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x11xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x3x13xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [2, 3, 5] [1, 1, 2] : tensor<2x3x5xf32> into tensor<2x3x13xf32>
  %e = tensor.empty() : tensor<2x4x11xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x11xf32>) -> tensor<2x4x11xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %w : tensor<2x3x13xf32>, tensor<4x3x3xf32>) outs(%f : tensor<2x4x11xf32>) -> tensor<2x4x11xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: 4 zeros behind dimension 2, of which the filter reaches over 2{{$}}
  return %c : tensor<2x4x11xf32>
}

// CHECK-LABEL: func @between_channels(
// CHECK:         fusion.fused_conv_bias_act
func.func @between_channels(%x: tensor<2x2x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x3x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [2, 2, 5] [1, 2, 2] : tensor<2x2x5xf32> into tensor<2x3x9xf32>
  %e = tensor.empty() : tensor<2x4x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x7xf32>) -> tensor<2x4x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %w : tensor<2x3x9xf32>, tensor<4x3x3xf32>) outs(%f : tensor<2x4x7xf32>) -> tensor<2x4x7xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; zeros are inserted in dimension 1 of layout "ncw", which is not spatial{{$}}
  return %c : tensor<2x4x7xf32>
}

// CHECK-LABEL: func @cropped_channels(
// CHECK:         fusion.fused_conv_bias_act
func.func @cropped_channels(%x: tensor<2x3x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x4x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [2, 3, 5] [1, 1, 2] : tensor<2x3x5xf32> into tensor<2x4x9xf32>
  %p = tensor.extract_slice %s[0, 1, 0] [2, 3, 9] [1, 1, 1] : tensor<2x4x9xf32> to tensor<2x3x9xf32>
  %e = tensor.empty() : tensor<2x4x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x7xf32>) -> tensor<2x4x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%p, %w : tensor<2x3x9xf32>, tensor<4x3x3xf32>) outs(%f : tensor<2x4x7xf32>) -> tensor<2x4x7xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; zeros are inserted in dimension 1 of layout "ncw", which is not spatial{{$}}
  return %c : tensor<2x4x7xf32>
}

// The number of zeros is not known if sizes are dynamic.
// CHECK-LABEL: func @dynamic(
// CHECK:         fusion.fused_conv_bias_act
func.func @dynamic(%x: tensor<2x3x?xf32>, %w: tensor<4x3x3xf32>, %y: tensor<2x3x?xf32>, %o: tensor<2x4x?xf32>) -> tensor<2x4x?xf32> {
  %zero = arith.constant 0.0 : f32
  %i2 = arith.constant 2 : index
  %n = tensor.dim %x, %i2 : tensor<2x3x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%y : tensor<2x3x?xf32>) -> tensor<2x3x?xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [2, 3, %n] [1, 1, 2] : tensor<2x3x?xf32> into tensor<2x3x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %w : tensor<2x3x?xf32>, tensor<4x3x3xf32>) outs(%f : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: zeros are inserted in dimension 2 by an amount known only at run time{{$}}
  return %c : tensor<2x4x?xf32>
}

// CHECK-LABEL: func @without_channels(
// CHECK:         fusion.fused_conv_bias_act
func.func @without_channels(%x: tensor<2x5xf32>, %w: tensor<4x1x3xf32>) -> tensor<2x4x7xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x1x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [2, 1, 5] [1, 1, 2] : tensor<2x5xf32> into tensor<2x1x9xf32>
  %e = tensor.empty() : tensor<2x4x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x7xf32>) -> tensor<2x4x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %w : tensor<2x1x9xf32>, tensor<4x1x3xf32>) outs(%f : tensor<2x4x7xf32>) -> tensor<2x4x7xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: 'tensor.insert_slice' of the input adds dimensions{{$}}
  return %c : tensor<2x4x7xf32>
}
