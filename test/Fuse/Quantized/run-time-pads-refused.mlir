// Zero points that only a call knows, with pads, that stay, each with its reason. The executed twin
// is in ../../Integration/fuse-rescaled.test.

// RUN: fusion-opt %s --fusion-optimize --fusion-explain 2>&1 | FileCheck %s --implicit-check-not=fusion.quantized

#m3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#n3 = affine_map<(d0, d1, d2) -> ()>
#n4 = affine_map<(d0, d1, d2, d3) -> ()>

// A byte that is extended without a sign.
func.func @other_sign(%x: tensor<2x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: f32, %q: tensor<i8>) -> tensor<2x4x8x9xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<2x4x8x9xf32>
  %e_xd = tensor.empty() : tensor<2x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#m4, #n4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %q : tensor<2x3x9x8xi8>, tensor<i8>) outs(%e_xd : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %zp: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %point = arith.extui %zp : i8 to i32
    %d = arith.subi %0, %point : i32
    %f = arith.sitofp %d : i32 to f32
    %r = arith.mulf %f, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x3x9x8xf32>
  %p = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x8xf32> to tensor<2x3x10x10xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: partly fused: pad; unsupported: zero point of the input is not a constant and not known to be -128 to 127, and the op has pads{{$}}
  %r = linalg.conv_2d_nchw_fchw ins(%p, %wd : tensor<2x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%zeros : tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  return %r : tensor<2x4x8x9xf32>
}

// A byte that is extended with a sign, where the input is not.
func.func @signed_point(%x: tensor<2x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: f32, %q: tensor<i8>) -> tensor<2x4x8x9xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<2x4x8x9xf32>
  %e_xd = tensor.empty() : tensor<2x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#m4, #n4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %q : tensor<2x3x9x8xi8>, tensor<i8>) outs(%e_xd : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %zp: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %point = arith.sitofp %zp : i8 to f32
    %d = arith.subf %0, %point : f32
    %r = arith.mulf %d, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x3x9x8xf32>
  %p = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x8xf32> to tensor<2x3x10x10xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: partly fused: pad; unsupported: zero point of the input is not a constant and not known to be 0 to 255, and the op has pads{{$}}
  %r = linalg.conv_2d_nchw_fchw ins(%p, %wd : tensor<2x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%zeros : tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  return %r : tensor<2x4x8x9xf32>
}

// Bounded, but not rounded.
func.func @fraction(%x: tensor<2x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: f32, %q: tensor<f32>) -> tensor<2x4x8x9xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<2x4x8x9xf32>
  %e_xd = tensor.empty() : tensor<2x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#m4, #n4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %q : tensor<2x3x9x8xi8>, tensor<f32>) outs(%e_xd : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %zp: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %z1 = arith.maximumf %zp, %least : f32
    %point = arith.minimumf %z1, %most : f32
    %d = arith.subf %0, %point : f32
    %r = arith.mulf %d, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x3x9x8xf32>
  %p = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x8xf32> to tensor<2x3x10x10xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: partly fused: pad; unsupported: zero point of the input is not a constant and not known to be -128 to 127, and the op has pads{{$}}
  %r = linalg.conv_2d_nchw_fchw ins(%p, %wd : tensor<2x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%zeros : tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  return %r : tensor<2x4x8x9xf32>
}

// The upper bound is no byte.
func.func @bound(%x: tensor<2x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: f32, %q: tensor<i32>) -> tensor<2x4x8x9xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128 : i32
  %most = arith.constant 128 : i32
  %zeros = arith.constant dense<0.0> : tensor<2x4x8x9xf32>
  %e_xd = tensor.empty() : tensor<2x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#m4, #n4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %q : tensor<2x3x9x8xi8>, tensor<i32>) outs(%e_xd : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %zp: i32, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %z1 = arith.maxsi %zp, %least : i32
    %point = arith.minsi %z1, %most : i32
    %d = arith.subi %0, %point : i32
    %f = arith.sitofp %d : i32 to f32
    %r = arith.mulf %f, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x3x9x8xf32>
  %p = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x8xf32> to tensor<2x3x10x10xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: partly fused: pad; unsupported: zero point of the input is not a constant and not known to be -128 to 127, and the op has pads{{$}}
  %r = linalg.conv_2d_nchw_fchw ins(%p, %wd : tensor<2x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%zeros : tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  return %r : tensor<2x4x8x9xf32>
}

// Nothing bounds it below.
func.func @no_lower_bound(%x: tensor<2x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: f32, %q: tensor<f32>) -> tensor<2x4x8x9xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 127.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<2x4x8x9xf32>
  %e_xd = tensor.empty() : tensor<2x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#m4, #n4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %q : tensor<2x3x9x8xi8>, tensor<f32>) outs(%e_xd : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %zp: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %z0 = math.roundeven %zp : f32
    %point = arith.minimumf %z0, %most : f32
    %d = arith.subf %0, %point : f32
    %r = arith.mulf %d, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x3x9x8xf32>
  %p = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x8xf32> to tensor<2x3x10x10xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: partly fused: pad; unsupported: zero point of the input is not a constant and not known to be -128 to 127, and the op has pads{{$}}
  %r = linalg.conv_2d_nchw_fchw ins(%p, %wd : tensor<2x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%zeros : tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  return %r : tensor<2x4x8x9xf32>
}

// Any number.
func.func @product(%x: tensor<1x3x4xi8>, %q: tensor<i32>) -> tensor<1x2x6xi32> {
  %w = arith.constant dense<[[[1, 2], [3, 4], [5, -6]], [[7, 8], [-9, 1], [2, 3]]]> : tensor<2x3x2xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0> : tensor<1x2x6xi32>
  %e_xi = tensor.empty() : tensor<1x3x4xi32>
  %xi = linalg.generic {indexing_maps = [#m3, #n3, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %q : tensor<1x3x4xi8>, tensor<i32>) outs(%e_xi : tensor<1x3x4xi32>) {
  ^bb0(%in: i8, %point: i32, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %d = arith.subi %0, %point : i32
    linalg.yield %d : i32
  } -> tensor<1x3x4xi32>
  %p = tensor.pad %xi low[0, 0, 2] high[0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %zero : i32
  } : tensor<1x3x4xi32> to tensor<1x3x7xi32>
  // CHECK-DAG: :[[#@LINE+1]]:8: not fused: unsupported: 'tensor.pad' comes between operand 0 and its zero point, which is not a constant: the zero point is not known to be -128 to 127{{$}}
  %r = linalg.conv_1d_ncw_fcw ins(%p, %w : tensor<1x3x7xi32>, tensor<2x3x2xi32>) outs(%zeros : tensor<1x2x6xi32>) -> tensor<1x2x6xi32>
  return %r : tensor<1x2x6xi32>
}

// A byte of the other sign.
func.func @product_other_sign(%x: tensor<1x3x4xi8>, %q: tensor<i8>) -> tensor<1x2x6xi32> {
  %w = arith.constant dense<[[[1, 2], [3, 4], [5, -6]], [[7, 8], [-9, 1], [2, 3]]]> : tensor<2x3x2xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0> : tensor<1x2x6xi32>
  %e_xi = tensor.empty() : tensor<1x3x4xi32>
  %xi = linalg.generic {indexing_maps = [#m3, #n3, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %q : tensor<1x3x4xi8>, tensor<i8>) outs(%e_xi : tensor<1x3x4xi32>) {
  ^bb0(%in: i8, %zp: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %point = arith.extsi %zp : i8 to i32
    %d = arith.subi %0, %point : i32
    linalg.yield %d : i32
  } -> tensor<1x3x4xi32>
  %p = tensor.pad %xi low[0, 0, 2] high[0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %zero : i32
  } : tensor<1x3x4xi32> to tensor<1x3x7xi32>
  // CHECK-DAG: :[[#@LINE+1]]:8: not fused: unsupported: 'tensor.pad' comes between operand 0 and its zero point, which is not a constant: the zero point is not known to be 0 to 255{{$}}
  %r = linalg.conv_1d_ncw_fcw ins(%p, %w : tensor<1x3x7xi32>, tensor<2x3x2xi32>) outs(%zeros : tensor<1x2x6xi32>) -> tensor<1x2x6xi32>
  return %r : tensor<1x2x6xi32>
}

// One stands around the difference, which may be no byte.
func.func @product_around(%x: tensor<1x3x4xi8>, %q: tensor<i8>) -> tensor<1x2x6xi32> {
  %w = arith.constant dense<[[[1, 2], [3, 4], [5, -6]], [[7, 8], [-9, 1], [2, 3]]]> : tensor<2x3x2xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0> : tensor<1x2x6xi32>
  %e_xi = tensor.empty() : tensor<1x3x4xi32>
  %xi = linalg.generic {indexing_maps = [#m3, #n3, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %q : tensor<1x3x4xi8>, tensor<i8>) outs(%e_xi : tensor<1x3x4xi32>) {
  ^bb0(%in: i8, %zp: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %point = arith.extsi %zp : i8 to i32
    %d = arith.subi %0, %point : i32
    linalg.yield %d : i32
  } -> tensor<1x3x4xi32>
  %p = tensor.pad %xi low[0, 0, 2] high[0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %one : i32
  } : tensor<1x3x4xi32> to tensor<1x3x7xi32>
  // CHECK-DAG: :[[#@LINE+1]]:8: not fused: unsupported: 'tensor.pad' comes between operand 0 and its zero point, which is not a constant: it is padded with another number than 0{{$}}
  %r = linalg.conv_1d_ncw_fcw ins(%p, %w : tensor<1x3x7xi32>, tensor<2x3x2xi32>) outs(%zeros : tensor<1x2x6xi32>) -> tensor<1x2x6xi32>
  return %r : tensor<1x2x6xi32>
}

// The padded difference is read as it is, too.
func.func @product_read(%x: tensor<1x3x4xi8>, %q: tensor<i8>) -> (tensor<1x2x6xi32>, tensor<1x3x7xi32>) {
  %w = arith.constant dense<[[[1, 2], [3, 4], [5, -6]], [[7, 8], [-9, 1], [2, 3]]]> : tensor<2x3x2xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0> : tensor<1x2x6xi32>
  %e_xi = tensor.empty() : tensor<1x3x4xi32>
  %xi = linalg.generic {indexing_maps = [#m3, #n3, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %q : tensor<1x3x4xi8>, tensor<i8>) outs(%e_xi : tensor<1x3x4xi32>) {
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
  // CHECK-DAG: :[[#@LINE+1]]:8: not fused: unsupported: 'tensor.pad' comes between operand 0 and its zero point, which is not a constant: no op extends what products alone read{{$}}
  %r = linalg.conv_1d_ncw_fcw ins(%p, %w : tensor<1x3x7xi32>, tensor<2x3x2xi32>) outs(%zeros : tensor<1x2x6xi32>) -> tensor<1x2x6xi32>
  return %r, %p : tensor<1x2x6xi32>, tensor<1x3x7xi32>
}
