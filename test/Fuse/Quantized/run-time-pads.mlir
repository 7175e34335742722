// Zeros around a difference with a zero point that only a call knows are that zero point around the
// integers, if it always is one of them. ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized --canonicalize | FileCheck %s --implicit-check-not=fusion.fused
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --canonicalize --fusion-optimize | grep -c fusion.quantized | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}8{{$}}
// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=each

#m3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#n3 = affine_map<(d0, d1, d2) -> ()>
#n4 = affine_map<(d0, d1, d2, d3) -> ()>
#n5 = affine_map<(d0, d1, d2, d3, d4) -> (0)>

// The zero point has the type of the input. The bias is exact, and the copy is told of: 2 * 3 * 25 * 28 bytes.
// CHECK-LABEL: func @signed(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x3x23x24xi8>, %[[W:[a-z0-9]*]]: tensor<4x3x3x2xi8>, %[[S:[a-z0-9]*]]: f32, %[[Z:[a-z0-9]*]]: tensor<i8>)
// CHECK:         %[[ZS:.*]] = linalg.generic {{.*}} ins(%[[Z]] : tensor<i8>) outs({{.*}} : tensor<1xi8>)
// CHECK:         %[[BYTE:.*]] = tensor.extract %[[ZS]]
// CHECK:         %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 0, 2, 1] high[0, 0, 0, 3] {
// CHECK:           tensor.yield %[[BYTE]] : i8
// CHECK:         %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<4x3x3x2xi8>)
// CHECK:           arith.subi
// CHECK:         %[[ZV:.*]] = linalg.generic {{.*}} ins(%[[Z]] : tensor<i8>) outs({{.*}} : tensor<4xi32>)
// CHECK:           arith.extsi
// CHECK:         %[[BIAS:.*]] = linalg.mul ins(%[[ZV]], %[[SUMS]] : tensor<4xi32>, tensor<4xi32>)
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] ins(%[[PADDED]], %[[W]] : {{.*}}) bias(%[[BIAS]] : tensor<4xi32>) scale(%{{.*}} : tensor<1xf32>)
// WHY: :[[#@LINE+26]]:8: fused: dequantize, bias; 'input' is padded by 'tensor.pad' at {{.*}}; each call makes 4200 bytes of it
func.func @signed(%x: tensor<2x3x23x24xi8>, %w: tensor<4x3x3x2xi8>, %s: f32, %z: tensor<i8>) -> tensor<2x4x12x27xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<2x4x12x27xf32>
  %e_xd = tensor.empty() : tensor<2x3x23x24xf32>
  %xd = linalg.generic {indexing_maps = [#m4, #n4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %z : tensor<2x3x23x24xi8>, tensor<i8>) outs(%e_xd : tensor<2x3x23x24xf32>) {
  ^bb0(%in: i8, %zp: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %point = arith.extsi %zp : i8 to i32
    %d = arith.subi %0, %point : i32
    %f = arith.sitofp %d : i32 to f32
    %r = arith.mulf %f, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x3x23x24xf32>
  %p = tensor.pad %xd low[0, 0, 2, 1] high[0, 0, 0, 3] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x3x23x24xf32> to tensor<2x3x25x28xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%p, %wd : tensor<2x3x25x28xf32>, tensor<4x3x3x2xf32>) outs(%zeros : tensor<2x4x12x27xf32>) -> tensor<2x4x12x27xf32>
  return %r : tensor<2x4x12x27xf32>
}

// The op has one bias, and that is in f32.
// CHECK-LABEL: func @depthwise(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<1x6x5x3xi8>
// CHECK:         %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 1, 0, 0] high[0, 0, 2, 0]
// CHECK:         fusion.quantized_conv_bias_act {{.*}}groups 3{{.*}}{input_unsigned} ins(%[[PADDED]], {{.*}}) bias(%{{.*}} : tensor<3xf32>)
func.func @depthwise(%x: tensor<1x6x5x3xi8>, %w: tensor<2x3x3xi8>, %s: f32, %z: tensor<i8>, %b: tensor<3xf32>) -> tensor<1x6x5x3xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x5x3xf32>
  %zeros = arith.constant dense<0.0> : tensor<1x6x5x3xf32>
  %e_xd = tensor.empty() : tensor<1x6x5x3xf32>
  %xd = linalg.generic {indexing_maps = [#m4, #n4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %z : tensor<1x6x5x3xi8>, tensor<i8>) outs(%e_xd : tensor<1x6x5x3xf32>) {
  ^bb0(%in: i8, %zp: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %point = arith.uitofp %zp : i8 to f32
    %d = arith.subf %0, %point : f32
    %r = arith.mulf %d, %s : f32
    linalg.yield %r : f32
  } -> tensor<1x6x5x3xf32>
  %p = tensor.pad %xd low[0, 1, 0, 0] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x6x5x3xf32> to tensor<1x7x7x3xf32>
  %ew = tensor.empty() : tensor<2x3x3xf32>
  %wd = linalg.generic {indexing_maps = [#m3, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x3x3xi8>) outs(%ew : tensor<2x3x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x3xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwc ins(%p, %wd : tensor<1x7x7x3xf32>, tensor<2x3x3xf32>) outs(%zeros : tensor<1x6x5x3xf32>) -> tensor<1x6x5x3xf32>
  %r = linalg.generic {indexing_maps = [#m4, affine_map<(d0, d1, d2, d3) -> (d3)>, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %b : tensor<1x6x5x3xf32>, tensor<3xf32>) outs(%e : tensor<1x6x5x3xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x5x3xf32>
  return %r : tensor<1x6x5x3xf32>
}

// A number in f32 that is rounded and bounded. It may be a NaN, of which no integer is made for the bias.
// CHECK-LABEL: func @bounded(
// CHECK:         tensor.pad %{{.*}} low[0, 0, 2, 1] high[0, 0, 1, 0]
// CHECK:         fusion.quantized_conv_bias_act groups 2 ins({{.*}}) bias(%{{.*}} : tensor<8xf32>)
func.func @bounded(%x: tensor<1x6x5x7xi8>, %w: tensor<2x4x3x2x3xi8>, %s: f32, %q: tensor<f32>) -> tensor<1x2x4x7x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<1x2x4x7x6xf32>
  %e_xd = tensor.empty() : tensor<1x6x5x7xf32>
  %xd = linalg.generic {indexing_maps = [#m4, #n4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %q : tensor<1x6x5x7xi8>, tensor<f32>) outs(%e_xd : tensor<1x6x5x7xf32>) {
  ^bb0(%in: i8, %zp: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %z0 = math.roundeven %zp : f32
    %z1 = arith.maximumf %z0, %least : f32
    %point = arith.minimumf %z1, %most : f32
    %d = arith.subf %0, %point : f32
    %r = arith.mulf %d, %s : f32
    linalg.yield %r : f32
  } -> tensor<1x6x5x7xf32>
  %p = tensor.pad %xd low[0, 0, 2, 1] high[0, 0, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x6x5x7xf32> to tensor<1x6x8x8xf32>
  %g = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [1, 2, 3, 8, 8] : tensor<1x6x8x8xf32> into tensor<1x2x3x8x8xf32>
  %ew = tensor.empty() : tensor<2x4x3x2x3xf32>
  %wd = linalg.generic {indexing_maps = [#m5, #m5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<2x4x3x2x3xi8>) outs(%ew : tensor<2x4x3x2x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x3x2x3xf32>
  %r = linalg.conv_2d_ngchw_gfchw ins(%g, %wd : tensor<1x2x3x8x8xf32>, tensor<2x4x3x2x3xf32>) outs(%zeros : tensor<1x2x4x7x6xf32>) -> tensor<1x2x4x7x6xf32>
  return %r : tensor<1x2x4x7x6xf32>
}

// Zeros into which it is inserted; bounds of an integer outside of the op.
// CHECK-LABEL: func @inserted(
// CHECK:         tensor.pad %{{.*}} low[0, 0, 1, 0] high[0, 0, 0, 2]
// CHECK:         fusion.quantized_conv_bias_act {input_unsigned} ins({{.*}}) bias(%{{.*}} : tensor<4xi32>)
func.func @inserted(%x: tensor<2x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: f32, %n: i32) -> tensor<2x4x8x9xf32> {
  %sw = arith.constant 0.015 : f32
  %c0 = arith.constant 0 : i32
  %c255 = arith.constant 255 : i32
  %n0 = arith.maxsi %n, %c0 : i32
  %n1 = arith.minsi %n0, %c255 : i32
  %zt = tensor.from_elements %n1 : tensor<i32>
  %zeros = arith.constant dense<0.0> : tensor<2x4x8x9xf32>
  %around = arith.constant dense<0.0> : tensor<2x3x10x10xf32>
  %e_xd = tensor.empty() : tensor<2x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#m4, #n4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %zt : tensor<2x3x9x8xi8>, tensor<i32>) outs(%e_xd : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %zp: i32, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %point = arith.sitofp %zp : i32 to f32
    %d = arith.subf %0, %point : f32
    %r = arith.mulf %d, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x3x9x8xf32>
  %p = tensor.insert_slice %xd into %around[0, 0, 1, 0] [2, 3, 9, 8] [1, 1, 1, 1] : tensor<2x3x9x8xf32> into tensor<2x3x10x10xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %wd : tensor<2x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%zeros : tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  return %r : tensor<2x4x8x9xf32>
}

// The same of products of integers.
// CHECK-LABEL: func @product(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<1x3x4xi8>, %[[Z:[a-z0-9]*]]: tensor<i8>)
// CHECK:         %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 0, 2] high[0, 0, 1]
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[Z]] : tensor<2xi32>, tensor<i8>)
// CHECK:           arith.muli
// CHECK:         fusion.quantized_conv_bias_act ins(%[[PADDED]], {{.*}}) bias(%{{.*}} : tensor<2xi32>)
func.func @product(%x: tensor<1x3x4xi8>, %z: tensor<i8>) -> tensor<1x2x6xi32> {
  %w = arith.constant dense<[[[1, 2], [3, 4], [5, -6]], [[7, 8], [-9, 1], [2, 3]]]> : tensor<2x3x2xi32>
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : tensor<1x2x6xi32>
  %e_xi = tensor.empty() : tensor<1x3x4xi32>
  %xi = linalg.generic {indexing_maps = [#m3, #n3, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %z : tensor<1x3x4xi8>, tensor<i8>) outs(%e_xi : tensor<1x3x4xi32>) {
  ^bb0(%in: i8, %zp: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %point = arith.extsi %zp : i8 to i32
    %d = arith.subi %0, %point : i32
    linalg.yield %d : i32
  } -> tensor<1x3x4xi32>
  %p = tensor.pad %xi low[0, 0, 2] high[0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %zero : i32
  } : tensor<1x3x4xi32> to tensor<1x3x7xi32>
  %r = linalg.conv_1d_ncw_fcw ins(%p, %w : tensor<1x3x7xi32>, tensor<2x3x2xi32>) outs(%zeros : tensor<1x2x6xi32>) -> tensor<1x2x6xi32>
  return %r : tensor<1x2x6xi32>
}

// CHECK-LABEL: func @product_of_groups(
// CHECK:         fusion.quantized_conv_bias_act groups 2 {input_unsigned} ins({{.*}}) bias(%{{.*}} : tensor<8xi32>)
func.func @product_of_groups(%x: tensor<1x6x5x7xi8>, %z: tensor<i8>) -> tensor<1x2x4x7x6xi32> {
  %w = arith.constant dense<"0x4420823CFDE6F1C26B30F90EC7DD01E4887534A20F0B0D04C36ED80E71E0FD77B07670EB940BD5335F973DAAD8619B91FFC911F57CCED458BBBF2CE03753C9BDFA0FF0169DC9575674066676CFB0B4EB8902C44269DA1CF6BA66D3F8B6D4B100A9EA0E755A5C2E8210242A08E7078F7F89385EB09423555182568B96E8A4FEF23A0C9FC5AFD7608437816BDD0A7309CB"> : tensor<2x4x3x2x3xi8>
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : tensor<1x2x4x7x6xi32>
  %e_xi = tensor.empty() : tensor<1x6x5x7xi32>
  %xi = linalg.generic {indexing_maps = [#m4, #n4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %z : tensor<1x6x5x7xi8>, tensor<i8>) outs(%e_xi : tensor<1x6x5x7xi32>) {
  ^bb0(%in: i8, %zp: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %point = arith.extui %zp : i8 to i32
    %d = arith.subi %0, %point : i32
    linalg.yield %d : i32
  } -> tensor<1x6x5x7xi32>
  %p = tensor.pad %xi low[0, 0, 2, 1] high[0, 0, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : i32
  } : tensor<1x6x5x7xi32> to tensor<1x6x8x8xi32>
  %g = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [1, 2, 3, 8, 8] : tensor<1x6x8x8xi32> into tensor<1x2x3x8x8xi32>
  %wi = arith.extsi %w : tensor<2x4x3x2x3xi8> to tensor<2x4x3x2x3xi32>
  %r = linalg.conv_2d_ngchw_gfchw ins(%g, %wi : tensor<1x2x3x8x8xi32>, tensor<2x4x3x2x3xi32>) outs(%zeros : tensor<1x2x4x7x6xi32>) -> tensor<1x2x4x7x6xi32>
  return %r : tensor<1x2x4x7x6xi32>
}

// CHECK-LABEL: func @product_inserted(
// CHECK:         fusion.quantized_conv_bias_act groups 2 ins({{.*}}) bias(%{{.*}} : tensor<8xi32>)
func.func @product_inserted(%x: tensor<1x2x3x5x7xi8>, %n: i32) -> tensor<1x2x4x7x6xi32> {
  %w = arith.constant dense<"0x1C2E2BB8569D806C1251DCC9BEE389120EBAEEA3C2D8545A78760C5AA65845B85DE4D4BAB5B9E452CCEC7FFA8EFFB5E8ECB3E9F971A65589F59E9BD09F6AFABB26AE0461361E198B743645887D6B1ED8101DB9B8587F0C2A3A220C140ABF8241505E00C5167E4D1202B03992ACFA0F9DE51787CD4EF2732FA1340CE541C9F9A749AE8486D609471D811143525731E876"> : tensor<2x4x3x2x3xi8>
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  %n0 = arith.maxsi %n, %least : i32
  %n1 = arith.minsi %n0, %most : i32
  %zt = tensor.from_elements %n1 : tensor<1xi32>
  %zeros = arith.constant dense<0> : tensor<1x2x4x7x6xi32>
  %around = arith.constant dense<0> : tensor<1x2x3x8x8xi32>
  %e_xi = tensor.empty() : tensor<1x2x3x5x7xi32>
  %xi = linalg.generic {indexing_maps = [#m5, #n5, #m5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x, %zt : tensor<1x2x3x5x7xi8>, tensor<1xi32>) outs(%e_xi : tensor<1x2x3x5x7xi32>) {
  ^bb0(%in: i8, %point: i32, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %d = arith.subi %0, %point : i32
    linalg.yield %d : i32
  } -> tensor<1x2x3x5x7xi32>
  %p = tensor.insert_slice %xi into %around[0, 0, 0, 2, 1] [1, 2, 3, 5, 7] [1, 1, 1, 1, 1] : tensor<1x2x3x5x7xi32> into tensor<1x2x3x8x8xi32>
  %wi = arith.extsi %w : tensor<2x4x3x2x3xi8> to tensor<2x4x3x2x3xi32>
  %r = linalg.conv_2d_ngchw_gfchw ins(%p, %wi : tensor<1x2x3x8x8xi32>, tensor<2x4x3x2x3xi32>) outs(%zeros : tensor<1x2x4x7x6xi32>) -> tensor<1x2x4x7x6xi32>
  return %r : tensor<1x2x4x7x6xi32>
}

// CHECK-LABEL: func @product_of_channels(
// CHECK:         fusion.quantized_conv_bias_act {{.*}}groups 3{{.*}}{input_unsigned} ins({{.*}}) bias(%{{.*}} : tensor<3xi32>)
func.func @product_of_channels(%x: tensor<1x6x5x3xi8>, %z: tensor<i8>) -> tensor<1x6x5x3xi32> {
  %w = arith.constant dense<"0x7942BDF22106F0847762F0F3CB4D764DC707"> : tensor<2x3x3xi8>
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : tensor<1x6x5x3xi32>
  %e_xi = tensor.empty() : tensor<1x6x5x3xi32>
  %xi = linalg.generic {indexing_maps = [#m4, #n4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %z : tensor<1x6x5x3xi8>, tensor<i8>) outs(%e_xi : tensor<1x6x5x3xi32>) {
  ^bb0(%in: i8, %zp: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %point = arith.extui %zp : i8 to i32
    %d = arith.subi %0, %point : i32
    linalg.yield %d : i32
  } -> tensor<1x6x5x3xi32>
  %p = tensor.pad %xi low[0, 1, 0, 0] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : i32
  } : tensor<1x6x5x3xi32> to tensor<1x7x7x3xi32>
  %wi = arith.extsi %w : tensor<2x3x3xi8> to tensor<2x3x3xi32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%p, %wi : tensor<1x7x7x3xi32>, tensor<2x3x3xi32>) outs(%zeros : tensor<1x6x5x3xi32>) -> tensor<1x6x5x3xi32>
  return %r : tensor<1x6x5x3xi32>
}
