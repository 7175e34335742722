// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize="disable=dilation propagate-layout=false" --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF

// A filter with zeros inserted between its elements is a smaller one with dilations.

#x = affine_map<(n, f, h, w, c, kh, kw) -> (n, c, h * 2 + kh, w + kw)>
#w = affine_map<(n, f, h, w, c, kh, kw) -> (f, c, kh, kw)>
#y = affine_map<(n, f, h, w, c, kh, kw) -> (n, f, h, w)>
#gx = affine_map<(n, g, f, h, w, c, kh, kw) -> (n, g, c, h + kh, w + kw)>
#gw = affine_map<(n, g, f, h, w, c, kh, kw) -> (g, f, c, kh, kw)>
#gy = affine_map<(n, g, f, h, w, c, kh, kw) -> (n, g, f, h, w)>
#dx = affine_map<(n, h, w, c, kh, kw) -> (n, h + kh, w + kw, c)>
#dw = affine_map<(n, h, w, c, kh, kw) -> (kh, kw, c)>
#dy = affine_map<(n, h, w, c, kh, kw) -> (n, h, w, c)>
#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>

// As StableHLO's general conversion writes it. The steps of the window stay.
// CHECK-LABEL: func @steps(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x13x12xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK-NOT:     tensor.insert_slice
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] dilations [2, 3] ins(%[[X]], %[[W]] : tensor<2x3x13x12xf32>, tensor<5x3x3x2xf32>)
func.func @steps(%x: tensor<2x3x13x12xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x5x9xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<5x3x5x4xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<5x3x5x4xf32>) -> tensor<5x3x5x4xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0, 0] [5, 3, 3, 2] [1, 1, 2, 3] : tensor<5x3x3x2xf32> into tensor<5x3x5x4xf32>
  %i = tensor.empty() : tensor<2x5x5x9xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x5x5x9xf32>) -> tensor<2x5x5x9xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %d : tensor<2x3x13x12xf32>, tensor<5x3x5x4xf32>) outs(%g : tensor<2x5x5x9xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x5x5x9xf32>
  // WHY: :[[#@LINE-6]]:8: fused: convolution alone{{$}}
  // OFF: :[[#@LINE-7]]:8: partly fused: convolution alone; 'tensor.insert_slice' of the filter can be folded; law 'dilation' has not run{{$}}
  return %r : tensor<2x5x5x9xf32>
}

// A window that has dilations gets their product.
// CHECK-LABEL: func @dilated_already(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x10x14x3xf32>, %[[W:[a-z0-9]*]]: tensor<2x3x3x5xf32>)
// CHECK:         fusion.fused_conv_bias_act dilations [6, 2] layouts(nhwc, hwcf, nhwc) ins(%[[X]], %[[W]] : tensor<2x10x14x3xf32>, tensor<2x3x3x5xf32>)
func.func @dilated_already(%x: tensor<2x10x14x3xf32>, %w: tensor<2x3x3x5xf32>) -> tensor<2x4x10x5xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<4x5x3x5xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x5x3x5xf32>) -> tensor<4x5x3x5xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0, 0] [2, 3, 3, 5] [3, 2, 1, 1] : tensor<2x3x3x5xf32> into tensor<4x5x3x5xf32>
  %i = tensor.empty() : tensor<2x4x10x5xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x10x5xf32>) -> tensor<2x4x10x5xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %d : tensor<2x10x14x3xf32>, tensor<4x5x3x5xf32>) outs(%g : tensor<2x4x10x5xf32>) -> tensor<2x4x10x5xf32>
  // WHY: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  // OFF: :[[#@LINE-2]]:8: partly fused: convolution alone; 'tensor.insert_slice' of the filter can be folded; law 'dilation' has not run{{$}}
  return %r : tensor<2x4x10x5xf32>
}

// The zeros may be a constant.
// CHECK-LABEL: func @one_dimension(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x11xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3xf32>)
// CHECK:         fusion.fused_conv_bias_act dilations [4] ins(%[[X]], %[[W]] : tensor<2x3x11xf32>, tensor<4x3x3xf32>)
func.func @one_dimension(%x: tensor<2x3x11xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x3xf32> {
  %z = arith.constant 0.0 : f32
  %df = arith.constant dense<0.0> : tensor<4x3x9xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0] [4, 3, 3] [1, 1, 4] : tensor<4x3x3xf32> into tensor<4x3x9xf32>
  %i = tensor.empty() : tensor<2x4x3xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %d : tensor<2x3x11xf32>, tensor<4x3x9xf32>) outs(%g : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  // WHY: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  return %r : tensor<2x4x3xf32>
}

// CHECK-LABEL: func @three_dimensions(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x7x6x9x3xf32>, %[[W:[a-z0-9]*]]: tensor<2x3x2x3x4xf32>)
// CHECK:         fusion.fused_conv_bias_act dilations [3, 1, 4] layouts(ndhwc, dhwcf, ndhwc) ins(%[[X]], %[[W]] :
func.func @three_dimensions(%x: tensor<1x7x6x9x3xf32>, %w: tensor<2x3x2x3x4xf32>) -> tensor<1x4x4x5x4xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<4x3x5x3x4xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x3x5x3x4xf32>) -> tensor<4x3x5x3x4xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0, 0, 0] [2, 3, 2, 3, 4] [3, 1, 4, 1, 1] : tensor<2x3x2x3x4xf32> into tensor<4x3x5x3x4xf32>
  %i = tensor.empty() : tensor<1x4x4x5x4xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<1x4x4x5x4xf32>) -> tensor<1x4x4x5x4xf32>
  %r = linalg.conv_3d_ndhwc_dhwcf ins(%x, %d : tensor<1x7x6x9x3xf32>, tensor<4x3x5x3x4xf32>) outs(%g : tensor<1x4x4x5x4xf32>) -> tensor<1x4x4x5x4xf32>
  // WHY: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  return %r : tensor<1x4x4x5x4xf32>
}

// The filter is split into groups behind the insertion.
// CHECK-LABEL: func @groups(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x4x10x12xf32>, %[[W:[a-z0-9]*]]: tensor<6x2x3x2xf32>)
// CHECK:         fusion.fused_conv_bias_act dilations [2, 3] groups 2 ins(%[[X]], %[[W]] :
func.func @groups(%x: tensor<1x4x10x12xf32>, %w: tensor<6x2x3x2xf32>) -> tensor<1x6x6x9xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<6x2x5x4xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<6x2x5x4xf32>) -> tensor<6x2x5x4xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0, 0] [6, 2, 3, 2] [1, 1, 2, 3] : tensor<6x2x3x2xf32> into tensor<6x2x5x4xf32>
  %xg = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 10, 12] : tensor<1x4x10x12xf32> into tensor<1x2x2x10x12xf32>
  %wg = tensor.expand_shape %d [[0, 1], [2], [3], [4]] output_shape [2, 3, 2, 5, 4] : tensor<6x2x5x4xf32> into tensor<2x3x2x5x4xf32>
  %i = tensor.empty() : tensor<1x2x3x6x9xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<1x2x3x6x9xf32>) -> tensor<1x2x3x6x9xf32>
  %c = linalg.generic {indexing_maps = [#gx, #gw, #gy], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%xg, %wg : tensor<1x2x2x10x12xf32>, tensor<2x3x2x5x4xf32>) outs(%g : tensor<1x2x3x6x9xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x2x3x6x9xf32>
  // WHY: :[[#@LINE-6]]:8: fused: convolution alone{{$}}
  %r = tensor.collapse_shape %c [[0], [1, 2], [3], [4]] : tensor<1x2x3x6x9xf32> into tensor<1x6x6x9xf32>
  return %r : tensor<1x6x6x9xf32>
}

// CHECK-LABEL: func @depthwise(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x10x12x4xf32>, %[[W:[a-z0-9]*]]: tensor<3x2x1x4xf32>)
// CHECK:         fusion.fused_conv_bias_act dilations [2, 3] groups 4 layouts(nhwc, hwcf, nhwc) ins(%[[X]], %[[W]] :
func.func @depthwise(%x: tensor<1x10x12x4xf32>, %w: tensor<3x2x1x4xf32>) -> tensor<1x6x9x4xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<5x4x1x4xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<5x4x1x4xf32>) -> tensor<5x4x1x4xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0, 0] [3, 2, 1, 4] [2, 3, 1, 1] : tensor<3x2x1x4xf32> into tensor<5x4x1x4xf32>
  %wg = tensor.collapse_shape %d [[0], [1], [2, 3]] : tensor<5x4x1x4xf32> into tensor<5x4x4xf32>
  %i = tensor.empty() : tensor<1x6x9x4xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<1x6x9x4xf32>) -> tensor<1x6x9x4xf32>
  %r = linalg.generic {indexing_maps = [#dx, #dw, #dy], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %wg : tensor<1x10x12x4xf32>, tensor<5x4x4xf32>) outs(%g : tensor<1x6x9x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x6x9x4xf32>
  // WHY: :[[#@LINE-6]]:8: fused: convolution alone{{$}}
  return %r : tensor<1x6x9x4xf32>
}

// Named convolutions have filters without a dimension of groups, or with one of their own.
// CHECK-LABEL: func @depthwise_named(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x10x12x4xf32>, %[[W:[a-z0-9]*]]: tensor<3x2x4xf32>)
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[W]] {{\[}}[0], [1], [2, 3]]
// CHECK:         fusion.fused_conv_bias_act dilations [2, 3] groups 4 layouts(nhwc, hwcf, nhwc) ins(%[[X]], %[[E]] : tensor<1x10x12x4xf32>, tensor<3x2x1x4xf32>)
func.func @depthwise_named(%x: tensor<1x10x12x4xf32>, %w: tensor<3x2x4xf32>) -> tensor<1x6x9x4xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<5x4x4xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<5x4x4xf32>) -> tensor<5x4x4xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0] [3, 2, 4] [2, 3, 1] : tensor<3x2x4xf32> into tensor<5x4x4xf32>
  %i = tensor.empty() : tensor<1x6x9x4xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<1x6x9x4xf32>) -> tensor<1x6x9x4xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %d : tensor<1x10x12x4xf32>, tensor<5x4x4xf32>) outs(%g : tensor<1x6x9x4xf32>) -> tensor<1x6x9x4xf32>
  // WHY: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  return %r : tensor<1x6x9x4xf32>
}

// CHECK-LABEL: func @groups_named(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x2x2x10x12xf32>, %[[W:[a-z0-9]*]]: tensor<2x3x2x3x2xf32>)
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0, 1], [2], [3], [4]]
// CHECK:         fusion.fused_conv_bias_act dilations [2, 3] groups 2 ins(%{{.*}}, %[[C]] : tensor<1x4x10x12xf32>, tensor<6x2x3x2xf32>)
func.func @groups_named(%x: tensor<1x2x2x10x12xf32>, %w: tensor<2x3x2x3x2xf32>) -> tensor<1x2x3x6x9xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<2x3x2x5x4xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<2x3x2x5x4xf32>) -> tensor<2x3x2x5x4xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0, 0, 0] [2, 3, 2, 3, 2] [1, 1, 1, 2, 3] : tensor<2x3x2x3x2xf32> into tensor<2x3x2x5x4xf32>
  %i = tensor.empty() : tensor<1x2x3x6x9xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<1x2x3x6x9xf32>) -> tensor<1x2x3x6x9xf32>
  %r = linalg.conv_2d_ngchw_gfchw ins(%x, %d : tensor<1x2x2x10x12xf32>, tensor<2x3x2x5x4xf32>) outs(%g : tensor<1x2x3x6x9xf32>) -> tensor<1x2x3x6x9xf32>
  // WHY: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  return %r : tensor<1x2x3x6x9xf32>
}

// A constant filter stays small.
// CHECK-LABEL: func @constant(
// CHECK:         %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<2x1x3xf32>
// CHECK:         fusion.fused_conv_bias_act dilations [2] ins(%{{.*}}, %[[W]] : tensor<1x1x9xf32>, tensor<2x1x3xf32>)
func.func @constant(%x: tensor<1x1x9xf32>) -> tensor<1x2x5xf32> {
  %z = arith.constant 0.0 : f32
  %w = arith.constant dense<[[[0.5, -0.75, 0.25]], [[1.5, 0.125, -0.375]]]> : tensor<2x1x3xf32>
  %de = tensor.empty() : tensor<2x1x5xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<2x1x5xf32>) -> tensor<2x1x5xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0] [2, 1, 3] [1, 1, 2] : tensor<2x1x3xf32> into tensor<2x1x5xf32>
  %i = tensor.empty() : tensor<1x2x5xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %d : tensor<1x1x9xf32>, tensor<2x1x5xf32>) outs(%g : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
  // WHY: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  return %r : tensor<1x2x5xf32>
}

// One that has its zeros already stays as it is.
// CHECK-LABEL: func @zeros_in_a_constant(
// CHECK:         fusion.fused_conv_bias_act ins(%{{.*}}, %{{.*}} : tensor<1x1x9xf32>, tensor<2x1x5xf32>)
func.func @zeros_in_a_constant(%x: tensor<1x1x9xf32>) -> tensor<1x2x5xf32> {
  %z = arith.constant 0.0 : f32
  %d = arith.constant dense<[[[0.5, 0.0, -0.75, 0.0, 0.25]], [[1.5, 0.0, 0.125, 0.0, -0.375]]]> : tensor<2x1x5xf32>
  %i = tensor.empty() : tensor<1x2x5xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %d : tensor<1x1x9xf32>, tensor<2x1x5xf32>) outs(%g : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
  // WHY: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  return %r : tensor<1x2x5xf32>
}

// A transpose behind the insertion is folded first.
// CHECK-LABEL: func @transposed(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<3x2x3x5xf32>)
// CHECK:         fusion.fused_conv_bias_act dilations [2, 3] layouts(nchw, hwcf, nchw) ins(%[[X]], %[[W]] :
func.func @transposed(%x: tensor<2x3x9x11xf32>, %w: tensor<3x2x3x5xf32>) -> tensor<2x5x5x8xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<5x4x3x5xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<5x4x3x5xf32>) -> tensor<5x4x3x5xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0, 0] [3, 2, 3, 5] [2, 3, 1, 1] : tensor<3x2x3x5xf32> into tensor<5x4x3x5xf32>
  %te = tensor.empty() : tensor<5x3x5x4xf32>
  %t = linalg.transpose ins(%d : tensor<5x4x3x5xf32>) outs(%te : tensor<5x3x5x4xf32>) permutation = [3, 2, 0, 1]
  %i = tensor.empty() : tensor<2x5x5x8xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x5x5x8xf32>) -> tensor<2x5x5x8xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %t : tensor<2x3x9x11xf32>, tensor<5x3x5x4xf32>) outs(%g : tensor<2x5x5x8xf32>) -> tensor<2x5x5x8xf32>
  // WHY: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  return %r : tensor<2x5x5x8xf32>
}

// A filter that is read backwards is read so without the zeros.
// CHECK-LABEL: func @reversed(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3xf32>)
// CHECK:         %[[F:.*]] = linalg.generic
// CHECK:           tensor.extract %[[W]]
// CHECK:         fusion.fused_conv_bias_act dilations [2] ins(%[[X]], %[[F]] : tensor<2x3x9xf32>, tensor<4x3x3xf32>)
func.func @reversed(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x5xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<4x3x5xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0] [4, 3, 3] [1, 1, 2] : tensor<4x3x3xf32> into tensor<4x3x5xf32>
  %te = tensor.empty() : tensor<4x3x5xf32>
  %last = arith.constant 4 : index
  %t = linalg.generic {indexing_maps = [affine_map<(f, c, w) -> (f, c, w)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%te : tensor<4x3x5xf32>) {
  ^bb0(%o: f32):
    %j = linalg.index 0 : index
    %k = linalg.index 1 : index
    %l = linalg.index 2 : index
    %back = arith.subi %last, %l : index
    %v = tensor.extract %d[%j, %k, %back] : tensor<4x3x5xf32>
    linalg.yield %v : f32
  } -> tensor<4x3x5xf32>
  %i = tensor.empty() : tensor<2x4x5xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %t : tensor<2x3x9xf32>, tensor<4x3x5xf32>) outs(%g : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  // WHY: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  return %r : tensor<2x4x5xf32>
}

// Zeros at the ends of the filter take padding away, as much as they reach over.
// CHECK-LABEL: func @zeros_at_the_ends(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3xf32>)
// CHECK:         fusion.fused_conv_bias_act dilations [4] pad_low [1] pad_high [3] ins(%[[X]], %[[W]] :
func.func @zeros_at_the_ends(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x5xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 5] high[0, 0, 5] {
  ^bb0(%j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<2x3x9xf32> to tensor<2x3x19xf32>
  %de = tensor.empty() : tensor<4x3x8xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x3x8xf32>) -> tensor<4x3x8xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 2] [4, 3, 3] [1, 1, 2] : tensor<4x3x3xf32> into tensor<4x3x8xf32>
  %i = tensor.empty() : tensor<2x4x5xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p, %d : tensor<2x3x19xf32>, tensor<4x3x8xf32>) outs(%g : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  // WHY: :[[#@LINE-1]]:8: fused: pad{{$}}
  return %r : tensor<2x4x5xf32>
}

// One element has no distance to another.
// CHECK-LABEL: func @one_element(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x1xf32>)
// CHECK:         fusion.fused_conv_bias_act ins(%[[X]], %[[W]] :
func.func @one_element(%x: tensor<2x3x9xf32>, %w: tensor<4x3x1xf32>) -> tensor<2x4x9xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<2x3x9xf32> to tensor<2x3x11xf32>
  %de = tensor.empty() : tensor<4x3x3xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 1] [4, 3, 1] [1, 1, 4] : tensor<4x3x1xf32> into tensor<4x3x3xf32>
  %i = tensor.empty() : tensor<2x4x9xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x9xf32>) -> tensor<2x4x9xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%p, %d : tensor<2x3x11xf32>, tensor<4x3x3xf32>) outs(%g : tensor<2x4x9xf32>) -> tensor<2x4x9xf32>
  // WHY: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  return %r : tensor<2x4x9xf32>
}

// Read backwards, those in front are behind.
// CHECK-LABEL: func @ends_reversed(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3xf32>)
// CHECK:         fusion.fused_conv_bias_act dilations [2] pad_low [4] pad_high [2] ins(%[[X]], %{{.*}} :
func.func @ends_reversed(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x11xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 5] high[0, 0, 4] {
  ^bb0(%j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<2x3x9xf32> to tensor<2x3x18xf32>
  %de = tensor.empty() : tensor<4x3x8xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x3x8xf32>) -> tensor<4x3x8xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 2] [4, 3, 3] [1, 1, 2] : tensor<4x3x3xf32> into tensor<4x3x8xf32>
  %te = tensor.empty() : tensor<4x3x8xf32>
  %last = arith.constant 7 : index
  %t = linalg.generic {indexing_maps = [affine_map<(f, c, w) -> (f, c, w)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%te : tensor<4x3x8xf32>) {
  ^bb0(%o: f32):
    %j = linalg.index 0 : index
    %k = linalg.index 1 : index
    %l = linalg.index 2 : index
    %back = arith.subi %last, %l : index
    %v = tensor.extract %d[%j, %k, %back] : tensor<4x3x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x3x8xf32>
  %i = tensor.empty() : tensor<2x4x11xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x11xf32>) -> tensor<2x4x11xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%p, %t : tensor<2x3x18xf32>, tensor<4x3x8xf32>) outs(%g : tensor<2x4x11xf32>) -> tensor<2x4x11xf32>
  // WHY: :[[#@LINE-1]]:8: fused: pad{{$}}
  return %r : tensor<2x4x11xf32>
}

// linalg-fold-unit-extent-dims leaves dimensions of size 1 out in front of an insertion.
// CHECK-LABEL: func @adds_dimensions(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x1x9xf32>, %[[W:[a-z0-9]*]]: tensor<4x3xf32>)
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[W]] {{\[}}[0], [1, 2]]
// CHECK:         fusion.fused_conv_bias_act dilations [2] ins(%[[X]], %[[E]] : tensor<2x1x9xf32>, tensor<4x1x3xf32>)
func.func @adds_dimensions(%x: tensor<2x1x9xf32>, %w: tensor<4x3xf32>) -> tensor<2x4x5xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<4x1x5xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x1x5xf32>) -> tensor<4x1x5xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0] [4, 1, 3] [1, 1, 2] : tensor<4x3xf32> into tensor<4x1x5xf32>
  %i = tensor.empty() : tensor<2x4x5xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %d : tensor<2x1x9xf32>, tensor<4x1x5xf32>) outs(%g : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  // WHY: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  return %r : tensor<2x4x5xf32>
}

// With zeros in the input as well it is a transposed convolution with dilations.
// CHECK-LABEL: func @both(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3xf32>)
// CHECK:         fusion.fused_deconv_bias_act strides [3] dilations [2] pad_low [4] pad_high [4] ins(%[[X]], %{{.*}} : tensor<2x3x5xf32>, tensor<4x3x3xf32>)
func.func @both(%x: tensor<2x3x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x9xf32> {
  %z = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x3x13xf32>
  %sf = linalg.fill ins(%z : f32) outs(%se : tensor<2x3x13xf32>) -> tensor<2x3x13xf32>
  %s = tensor.insert_slice %x into %sf[0, 0, 0] [2, 3, 5] [1, 1, 3] : tensor<2x3x5xf32> into tensor<2x3x13xf32>
  %de = tensor.empty() : tensor<4x3x5xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0] [4, 3, 3] [1, 1, 2] : tensor<4x3x3xf32> into tensor<4x3x5xf32>
  %i = tensor.empty() : tensor<2x4x9xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x9xf32>) -> tensor<2x4x9xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%s, %d : tensor<2x3x13xf32>, tensor<4x3x5xf32>) outs(%g : tensor<2x4x9xf32>) -> tensor<2x4x9xf32>
  // WHY: :[[#@LINE-1]]:8: fused: transposed convolution alone{{$}}
  return %r : tensor<2x4x9xf32>
}

// CHECK-LABEL: func @transposed_convolution(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3xf32>)
// CHECK:         fusion.fused_deconv_bias_act strides [3] dilations [2] pad_low [1] ins(%[[X]], %[[W]] : tensor<2x3x5xf32>, tensor<4x3x3xf32>)
func.func @transposed_convolution(%x: tensor<2x3x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x16xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<4x3x7xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x3x7xf32>) -> tensor<4x3x7xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 2] [4, 3, 3] [1, 1, 2] : tensor<4x3x3xf32> into tensor<4x3x7xf32>
  %i = tensor.empty() : tensor<2x4x16xf32>
  %r = fusion.fused_deconv_bias_act strides [3] pad_low [3] ins(%x, %d : tensor<2x3x5xf32>, tensor<4x3x7xf32>) outs(%i : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  // WHY: :[[#@LINE-1]]:8: fused: transposed convolution alone{{$}}
  return %r : tensor<2x4x16xf32>
}

// Refused.

// CHECK-LABEL: func @not_zero(
// CHECK:         tensor.insert_slice
// CHECK:         fusion.fused_conv_bias_act ins(
func.func @not_zero(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x5xf32> {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %de = tensor.empty() : tensor<4x3x5xf32>
  %df = linalg.fill ins(%one : f32) outs(%de : tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0] [4, 3, 3] [1, 1, 2] : tensor<4x3x3xf32> into tensor<4x3x5xf32>
  %i = tensor.empty() : tensor<2x4x5xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %d : tensor<2x3x9xf32>, tensor<4x3x5xf32>) outs(%g : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; 'tensor.insert_slice' of the filter inserts into what is not known to be 0{{$}}
  return %r : tensor<2x4x5xf32>
}

// CHECK-LABEL: func @not_known(
// CHECK:         tensor.insert_slice
// CHECK:         fusion.fused_conv_bias_act ins(
func.func @not_known(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>, %to: tensor<4x3x5xf32>) -> tensor<2x4x5xf32> {
  %z = arith.constant 0.0 : f32
  %d = tensor.insert_slice %w into %to[0, 0, 0] [4, 3, 3] [1, 1, 2] : tensor<4x3x3xf32> into tensor<4x3x5xf32>
  %i = tensor.empty() : tensor<2x4x5xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %d : tensor<2x3x9xf32>, tensor<4x3x5xf32>) outs(%g : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; 'tensor.insert_slice' of the filter inserts into what is not known to be 0{{$}}
  return %r : tensor<2x4x5xf32>
}

// CHECK-LABEL: func @between_channels(
// CHECK:         tensor.insert_slice
// CHECK:         fusion.fused_conv_bias_act ins(
func.func @between_channels(%x: tensor<2x3x9xf32>, %w: tensor<4x2x3xf32>) -> tensor<2x4x5xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<4x3x5xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0] [4, 2, 3] [1, 2, 2] : tensor<4x2x3xf32> into tensor<4x3x5xf32>
  %i = tensor.empty() : tensor<2x4x5xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %d : tensor<2x3x9xf32>, tensor<4x3x5xf32>) outs(%g : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; zeros are inserted in dimension 1 of filter layout "fcw", which is not spatial{{$}}
  return %r : tensor<2x4x5xf32>
}

// The input would have to be cropped.
// CHECK-LABEL: func @zeros_in_front(
// CHECK:         tensor.insert_slice
// CHECK:         fusion.fused_conv_bias_act ins(
func.func @zeros_in_front(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x4xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<4x3x6xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x3x6xf32>) -> tensor<4x3x6xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 1] [4, 3, 3] [1, 1, 2] : tensor<4x3x3xf32> into tensor<4x3x6xf32>
  %i = tensor.empty() : tensor<2x4x4xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %d : tensor<2x3x9xf32>, tensor<4x3x6xf32>) outs(%g : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: 1 zeros before dimension 2 of the filter, which reach over 1 elements, where 0 are padding{{$}}
  return %r : tensor<2x4x4xf32>
}

// CHECK-LABEL: func @zeros_behind(
// CHECK:         tensor.insert_slice
// CHECK:         fusion.fused_conv_bias_act ins(
func.func @zeros_behind(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x3xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<4x3x7xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x3x7xf32>) -> tensor<4x3x7xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0] [4, 3, 3] [1, 1, 2] : tensor<4x3x3xf32> into tensor<4x3x7xf32>
  %i = tensor.empty() : tensor<2x4x3xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %d : tensor<2x3x9xf32>, tensor<4x3x7xf32>) outs(%g : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: 2 zeros behind dimension 2 of the filter, which reach over 2 elements, where 0 are padding{{$}}
  return %r : tensor<2x4x3xf32>
}

// CHECK-LABEL: func @at_run_time(
// CHECK:         tensor.insert_slice
// CHECK:         fusion.fused_conv_bias_act ins(
func.func @at_run_time(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>, %n: index) -> tensor<2x4x5xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<4x3x5xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0] [4, 3, 3] [1, 1, %n] : tensor<4x3x3xf32> into tensor<4x3x5xf32>
  %i = tensor.empty() : tensor<2x4x5xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %d : tensor<2x3x9xf32>, tensor<4x3x5xf32>) outs(%g : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: zeros are inserted into the filter by an amount known only at run time{{$}}
  return %r : tensor<2x4x5xf32>
}

// The rows and columns of a filter become its columns.
// CHECK-LABEL: func @merged(
// CHECK:         tensor.insert_slice
// CHECK:         fusion.fused_conv_bias_act ins(
func.func @merged(%x: tensor<2x3x14xf32>, %w: tensor<4x3x2x3xf32>) -> tensor<2x4x5xf32> {
  %z = arith.constant 0.0 : f32
  %me = tensor.empty() : tensor<4x3x2x5xf32>
  %mf = linalg.fill ins(%z : f32) outs(%me : tensor<4x3x2x5xf32>) -> tensor<4x3x2x5xf32>
  %m = tensor.insert_slice %w into %mf[0, 0, 0, 0] [4, 3, 2, 3] [1, 1, 1, 2] : tensor<4x3x2x3xf32> into tensor<4x3x2x5xf32>
  %d = tensor.collapse_shape %m [[0], [1], [2, 3]] : tensor<4x3x2x5xf32> into tensor<4x3x10xf32>
  %i = tensor.empty() : tensor<2x4x5xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %d : tensor<2x3x14xf32>, tensor<4x3x10xf32>) outs(%g : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: 'tensor.collapse_shape' at {{.*}}:[[#@LINE-4]]:8 merges or splits a dimension of the filter in which zeros are inserted{{$}}
  return %r : tensor<2x4x5xf32>
}

// Without steps no dilation is meant.
// CHECK-LABEL: func @no_steps(
// CHECK:         tensor.insert_slice
// CHECK:         fusion.fused_conv_bias_act ins(
func.func @no_steps(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x6xf32> {
  %z = arith.constant 0.0 : f32
  %de = tensor.empty() : tensor<4x3x4xf32>
  %df = linalg.fill ins(%z : f32) outs(%de : tensor<4x3x4xf32>) -> tensor<4x3x4xf32>
  %d = tensor.insert_slice %w into %df[0, 0, 0] [4, 3, 3] [1, 1, 1] : tensor<4x3x3xf32> into tensor<4x3x4xf32>
  %i = tensor.empty() : tensor<2x4x6xf32>
  %g = linalg.fill ins(%z : f32) outs(%i : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %d : tensor<2x3x9xf32>, tensor<4x3x4xf32>) outs(%g : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  // WHY: :[[#@LINE-1]]:8: fused: convolution alone{{$}}
  return %r : tensor<2x4x6xf32>
}
