// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// Filters that are read backwards: constants are flipped at compile time, and two flips
// cancel. There are as many input as output channels, so that types do not tell them
// apart.

#id = affine_map<(f, c, w) -> (f, c, w)>
#back = affine_map<(f, c, w) -> (f, c, 2 - w)>
#back_channel = affine_map<(f, c, w) -> (f, 1 - c, w)>
#off = affine_map<(f, c, w) -> (f, c, 2)>

// A transposed convolution needs its filter flipped.
// CHECK-LABEL: func @constant(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[\[}}3.000000e+00, 2.000000e+00, 1.000000e+00], [6.000000e+00, 5.000000e+00, 4.000000e+00]], {{\[\[}}9.000000e+00, 8.000000e+00, 7.000000e+00], [1.200000e+01, 1.100000e+01, 1.000000e+01]]]> : tensor<2x2x3xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_deconv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @constant(%x: tensor<1x2x5xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %w = arith.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]]> : tensor<2x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 2, 5] [1, 1, 2] : tensor<1x2x5xf32> into tensor<1x2x9xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %w : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}

// Which it may be already,
// CHECK-LABEL: func @constant_flipped(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]], {{\[\[}}7.000000e+00, 8.000000e+00, 9.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01]]]> : tensor<2x2x3xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_deconv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @constant_flipped(%x: tensor<1x2x5xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %w = arith.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]]> : tensor<2x2x3xf32>
  %feg = tensor.empty() : tensor<2x2x3xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%feg : tensor<2x2x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %b = arith.subi %i2, %k : index
    %v = tensor.extract %w[%i, %j, %b] : tensor<2x2x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 2, 5] [1, 1, 2] : tensor<1x2x5xf32> into tensor<1x2x9xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %g : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}

// also with one channel, of which the index is folded to 0.
// CHECK-LABEL: func @one_channel(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00]]]> : tensor<1x1x3xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_deconv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @one_channel(%x: tensor<1x1x5xf32>) -> tensor<1x1x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i2 = arith.constant 2 : index
  %w = arith.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %feg = tensor.empty() : tensor<1x1x3xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%feg : tensor<1x1x3xf32>) {
  ^bb0(%o: f32):
    %k = linalg.index 2 : index
    %b = arith.subi %i2, %k : index
    %v = tensor.extract %w[%i0, %i0, %b] : tensor<1x1x3xf32>
    linalg.yield %v : f32
  } -> tensor<1x1x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x1x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 1, 5] [1, 1, 2] : tensor<1x1x5xf32> into tensor<1x1x9xf32>
  %e = tensor.empty() : tensor<1x1x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x7xf32>) -> tensor<1x1x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %g : tensor<1x1x9xf32>, tensor<1x1x3xf32>) outs(%f : tensor<1x1x7xf32>) -> tensor<1x1x7xf32>
  return %c : tensor<1x1x7xf32>
}

// The first element for all is no flip, nor all of them.
// CHECK-LABEL: func @first_for_all(
// CHECK:         linalg.generic
// CHECK:         fusion.fused_deconv_bias_act{{.*}} ins(%{{.*}}, %{{.*}} :
func.func @first_for_all(%x: tensor<1x2x5xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %w = arith.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]]> : tensor<2x2x3xf32>
  %feg = tensor.empty() : tensor<2x2x3xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%feg : tensor<2x2x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = tensor.extract %w[%i, %j, %i0] : tensor<2x2x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 2, 5] [1, 1, 2] : tensor<1x2x5xf32> into tensor<1x2x9xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %g : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}

// by an indexing map too.
// CHECK-LABEL: func @constant_flipped_by_map(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]], {{\[\[}}7.000000e+00, 8.000000e+00, 9.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01]]]> : tensor<2x2x3xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_deconv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @constant_flipped_by_map(%x: tensor<1x2x5xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %w = arith.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]]> : tensor<2x2x3xf32>
  %feg = tensor.empty() : tensor<2x2x3xf32>
  %g = linalg.generic {indexing_maps = [#back, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x2x3xf32>) outs(%feg : tensor<2x2x3xf32>) {
  ^bb0(%p0: f32, %o: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 2, 5] [1, 1, 2] : tensor<1x2x5xf32> into tensor<1x2x9xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %g : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}

// Twice is not at all.
// CHECK-LABEL: func @constant_flipped_twice(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[\[}}3.000000e+00, 2.000000e+00, 1.000000e+00], [6.000000e+00, 5.000000e+00, 4.000000e+00]], {{\[\[}}9.000000e+00, 8.000000e+00, 7.000000e+00], [1.200000e+01, 1.100000e+01, 1.000000e+01]]]> : tensor<2x2x3xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_deconv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @constant_flipped_twice(%x: tensor<1x2x5xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %w = arith.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]]> : tensor<2x2x3xf32>
  %feg = tensor.empty() : tensor<2x2x3xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%feg : tensor<2x2x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %b = arith.subi %i2, %k : index
    %v = tensor.extract %w[%i, %j, %b] : tensor<2x2x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x2x3xf32>
  %feh = tensor.empty() : tensor<2x2x3xf32>
  %h = linalg.generic {indexing_maps = [#back, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g : tensor<2x2x3xf32>) outs(%feh : tensor<2x2x3xf32>) {
  ^bb0(%p0: f32, %o: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 2, 5] [1, 1, 2] : tensor<1x2x5xf32> into tensor<1x2x9xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %h : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}

// A convolution of a flipped constant.
// CHECK-LABEL: func @flipped_convolution(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[\[}}3.000000e+00, 2.000000e+00, 1.000000e+00], [6.000000e+00, 5.000000e+00, 4.000000e+00]], {{\[\[}}9.000000e+00, 8.000000e+00, 7.000000e+00], [1.200000e+01, 1.100000e+01, 1.000000e+01]]]> : tensor<2x2x3xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @flipped_convolution(%x: tensor<1x2x9xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %w = arith.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]]> : tensor<2x2x3xf32>
  %feg = tensor.empty() : tensor<2x2x3xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%feg : tensor<2x2x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %b = arith.subi %i2, %k : index
    %v = tensor.extract %w[%i, %j, %b] : tensor<2x2x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x2x3xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %g : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}

// A flip merged into the op that follows.
// CHECK-LABEL: func @scaled_flip(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[\[}}6.000000e+00, 4.000000e+00, 2.000000e+00], [1.200000e+01, 1.000000e+01, 8.000000e+00]], {{\[\[}}1.800000e+01, 1.600000e+01, 1.400000e+01], [2.400000e+01, 2.200000e+01, 2.000000e+01]]]> : tensor<2x2x3xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @scaled_flip(%x: tensor<1x2x9xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %w = arith.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]]> : tensor<2x2x3xf32>
  %ge = tensor.empty() : tensor<2x2x3xf32>
  %g = linalg.generic {indexing_maps = [#back, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x2x3xf32>) outs(%ge : tensor<2x2x3xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %t = arith.addf %p0, %p0 : f32
    linalg.yield %t : f32
  } -> tensor<2x2x3xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %g : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}

// At most one flip of an argument is left.
// CHECK-LABEL: func @argument_flipped(
// CHECK-SAME:    %{{.*}}: tensor<1x2x5xf32>, %[[W:[a-z0-9]*]]: tensor<2x2x3xf32>)
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_deconv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @argument_flipped(%x: tensor<1x2x5xf32>, %w: tensor<2x2x3xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %feg = tensor.empty() : tensor<2x2x3xf32>
  %g = linalg.generic {indexing_maps = [#back, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x2x3xf32>) outs(%feg : tensor<2x2x3xf32>) {
  ^bb0(%p0: f32, %o: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 2, 5] [1, 1, 2] : tensor<1x2x5xf32> into tensor<1x2x9xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %g : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}

// CHECK-LABEL: func @argument_flipped_twice(
// CHECK-SAME:    %{{.*}}: tensor<1x2x5xf32>, %[[W:[a-z0-9]*]]: tensor<2x2x3xf32>)
// CHECK:         %[[F:.*]] = linalg.generic
// CHECK:           tensor.extract %[[W]]
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_deconv_bias_act{{.*}} ins(%{{.*}}, %[[F]] :
func.func @argument_flipped_twice(%x: tensor<1x2x5xf32>, %w: tensor<2x2x3xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %feg = tensor.empty() : tensor<2x2x3xf32>
  %g = linalg.generic {indexing_maps = [#back, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x2x3xf32>) outs(%feg : tensor<2x2x3xf32>) {
  ^bb0(%p0: f32, %o: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x2x3xf32>
  %feh = tensor.empty() : tensor<2x2x3xf32>
  %h = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%feh : tensor<2x2x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %b = arith.subi %i2, %k : index
    %v = tensor.extract %g[%i, %j, %b] : tensor<2x2x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 2, 5] [1, 1, 2] : tensor<1x2x5xf32> into tensor<1x2x9xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %h : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}

// One more is made of a flip of the channels and that of the window.
// CHECK-LABEL: func @argument_flipped_by_channel(
// CHECK-SAME:    %{{.*}}: tensor<1x2x5xf32>, %[[W:[a-z0-9]*]]: tensor<2x2x3xf32>)
// CHECK:         %[[F:.*]] = linalg.generic
// CHECK-COUNT-2:  arith.subi
// CHECK:           tensor.extract %[[W]]
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_deconv_bias_act{{.*}} ins(%{{.*}}, %[[F]] :
func.func @argument_flipped_by_channel(%x: tensor<1x2x5xf32>, %w: tensor<2x2x3xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %feg = tensor.empty() : tensor<2x2x3xf32>
  %g = linalg.generic {indexing_maps = [#back_channel, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x2x3xf32>) outs(%feg : tensor<2x2x3xf32>) {
  ^bb0(%p0: f32, %o: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 2, 5] [1, 1, 2] : tensor<1x2x5xf32> into tensor<1x2x9xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %g : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}

// Near misses: input and output channels change places,
// CHECK-LABEL: func @channels_swapped(
// CHECK:         %[[G:.*]] = linalg.generic
// CHECK:         %[[F:.*]] = linalg.generic
// CHECK:           tensor.extract %[[G]]
// CHECK:         fusion.fused_deconv_bias_act{{.*}} ins(%{{.*}}, %[[F]] :
func.func @channels_swapped(%x: tensor<1x2x5xf32>, %w: tensor<2x2x3xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %feg = tensor.empty() : tensor<2x2x3xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%feg : tensor<2x2x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %b = arith.subi %i2, %k : index
    %v = tensor.extract %w[%j, %i, %b] : tensor<2x2x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 2, 5] [1, 1, 2] : tensor<1x2x5xf32> into tensor<1x2x9xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %g : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}

// the window is read from another end,
// CHECK-LABEL: func @other_last_index(
// CHECK:         %[[G:.*]] = linalg.generic
// CHECK:         %[[F:.*]] = linalg.generic
// CHECK:           tensor.extract %[[G]]
// CHECK:         fusion.fused_deconv_bias_act{{.*}} ins(%{{.*}}, %[[F]] :
func.func @other_last_index(%x: tensor<1x2x5xf32>, %w: tensor<2x2x3xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %feg = tensor.empty() : tensor<2x2x3xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%feg : tensor<2x2x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %b = arith.subi %i3, %k : index
    %n = arith.minsi %b, %i2 : index
    %v = tensor.extract %w[%i, %j, %n] : tensor<2x2x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 2, 5] [1, 1, 2] : tensor<1x2x5xf32> into tensor<1x2x9xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %g : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}

// one element only is read,
// CHECK-LABEL: func @one_element(
// CHECK:         %[[G:.*]] = linalg.generic
// CHECK:         %[[F:.*]] = linalg.generic
// CHECK:           tensor.extract %[[G]]
func.func @one_element(%x: tensor<1x2x5xf32>, %w: tensor<2x2x3xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %feg = tensor.empty() : tensor<2x2x3xf32>
  %g = linalg.generic {indexing_maps = [#off, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x2x3xf32>) outs(%feg : tensor<2x2x3xf32>) {
  ^bb0(%p0: f32, %o: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 2, 5] [1, 1, 2] : tensor<1x2x5xf32> into tensor<1x2x9xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %g : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}

// or with a difference that is no index.
// CHECK-LABEL: func @out_of_bounds(
// CHECK:         %[[G:.*]] = linalg.generic
// CHECK:         %[[F:.*]] = linalg.generic
// CHECK:           tensor.extract %[[G]]
// CHECK:         fusion.fused_deconv_bias_act{{.*}} ins(%{{.*}}, %[[F]] :
func.func @out_of_bounds(%x: tensor<1x2x5xf32>, %w: tensor<2x2x3xf32>) -> tensor<1x2x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %feg = tensor.empty() : tensor<2x2x3xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%feg : tensor<2x2x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %b = arith.subi %i3, %k : index
    %v = tensor.extract %w[%i, %j, %b] : tensor<2x2x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x9xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 2, 5] [1, 1, 2] : tensor<1x2x5xf32> into tensor<1x2x9xf32>
  %e = tensor.empty() : tensor<1x2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%s, %g : tensor<1x2x9xf32>, tensor<2x2x3xf32>) outs(%f : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %c : tensor<1x2x7xf32>
}
