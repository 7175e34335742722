// RUN: %python %S/verify-functions.py %s --skip=no_images,no_output_channels,no_input_channels,no_output | FileCheck %s
// RUN: %python %S/verify-functions.py %s --skip=no_images,no_output_channels,no_input_channels,no_output -- --threads=1 | FileCheck %s

// Shapes of every kind, each with padding, bias, residual and relu around it: one
// kernel. No two sizes are equal that could be mistaken for each other.

// CHECK: {{^}}16 functions agree, 16 fused ops

// Sizes of zero: nothing to compute, or act(bias + residual).
// RUN: fusion-run %s --entry=no_images | FileCheck %s --check-prefix=EMPTY
// RUN: fusion-run %s --entry=no_output_channels | FileCheck %s --check-prefix=EMPTY
// RUN: fusion-run %s --entry=no_output | FileCheck %s --check-prefix=EMPTY
// RUN: fusion-run %s --entry=no_input_channels --verify | FileCheck %s --check-prefix=ZERO
// EMPTY: 1 fused op
// EMPTY: result 0: {{[0-9x]*}}f32
// ZERO: 1 fused op
// ZERO: verify: agrees

func.func @conv_2d_nchw(%x: tensor<2x3x13x10xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x11xf32>) -> tensor<2x5x7x11xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x11xf32>
  %e = tensor.empty() : tensor<2x5x7x11xf32>
  %p = tensor.pad %x low[0, 0, 2, 0] high[0, 0, 1, 4] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x3x13x10xf32> to tensor<2x3x16x14xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
         ins(%p, %w : tensor<2x3x16x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x11xf32>) -> tensor<2x5x7x11xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x5x7x11xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x11xf32>) -> tensor<2x5x7x11xf32>
  %u = linalg.add ins(%s, %t : tensor<2x5x7x11xf32>, tensor<2x5x7x11xf32>) outs(%e : tensor<2x5x7x11xf32>) -> tensor<2x5x7x11xf32>
  %r = linalg.max ins(%u, %z : tensor<2x5x7x11xf32>, tensor<2x5x7x11xf32>) outs(%e : tensor<2x5x7x11xf32>) -> tensor<2x5x7x11xf32>
  return %r : tensor<2x5x7x11xf32>
}

func.func @conv_2d_nhwc(%x: tensor<2x13x10x3xf32>, %w: tensor<3x2x3x5xf32>, %b: tensor<5xf32>, %s: tensor<2x7x11x5xf32>) -> tensor<2x7x11x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x7x11x5xf32>
  %e = tensor.empty() : tensor<2x7x11x5xf32>
  %p = tensor.pad %x low[0, 2, 0, 0] high[0, 1, 4, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x13x10x3xf32> to tensor<2x16x14x3xf32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
         ins(%p, %w : tensor<2x16x14x3xf32>, tensor<3x2x3x5xf32>) outs(%z : tensor<2x7x11x5xf32>) -> tensor<2x7x11x5xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x7x11x5xf32>, tensor<5xf32>) outs(%e : tensor<2x7x11x5xf32>) -> tensor<2x7x11x5xf32>
  %u = linalg.add ins(%s, %t : tensor<2x7x11x5xf32>, tensor<2x7x11x5xf32>) outs(%e : tensor<2x7x11x5xf32>) -> tensor<2x7x11x5xf32>
  %r = linalg.max ins(%u, %z : tensor<2x7x11x5xf32>, tensor<2x7x11x5xf32>) outs(%e : tensor<2x7x11x5xf32>) -> tensor<2x7x11x5xf32>
  return %r : tensor<2x7x11x5xf32>
}

func.func @conv_2d_nhwc_fhwc(%x: tensor<2x13x10x3xf32>, %w: tensor<5x3x2x3xf32>, %b: tensor<5xf32>, %s: tensor<2x9x3x5xf32>) -> tensor<2x9x3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x9x3x5xf32>
  %e = tensor.empty() : tensor<2x9x3x5xf32>
  %c = linalg.conv_2d_nhwc_fhwc {strides = dense<[1, 3]> : tensor<2xi64>, dilations = dense<[2, 1]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x13x10x3xf32>, tensor<5x3x2x3xf32>) outs(%z : tensor<2x9x3x5xf32>) -> tensor<2x9x3x5xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x9x3x5xf32>, tensor<5xf32>) outs(%e : tensor<2x9x3x5xf32>) -> tensor<2x9x3x5xf32>
  %u = linalg.add ins(%s, %t : tensor<2x9x3x5xf32>, tensor<2x9x3x5xf32>) outs(%e : tensor<2x9x3x5xf32>) -> tensor<2x9x3x5xf32>
  %r = linalg.max ins(%u, %z : tensor<2x9x3x5xf32>, tensor<2x9x3x5xf32>) outs(%e : tensor<2x9x3x5xf32>) -> tensor<2x9x3x5xf32>
  return %r : tensor<2x9x3x5xf32>
}

func.func @kernel_1x1(%x: tensor<2x3x13x10xf32>, %w: tensor<5x3x1x1xf32>, %b: tensor<5xf32>, %s: tensor<2x5x13x10xf32>) -> tensor<2x5x13x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x13x10xf32>
  %e = tensor.empty() : tensor<2x5x13x10xf32>
  %c = linalg.conv_2d_nchw_fchw
         ins(%x, %w : tensor<2x3x13x10xf32>, tensor<5x3x1x1xf32>) outs(%z : tensor<2x5x13x10xf32>) -> tensor<2x5x13x10xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x5x13x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x13x10xf32>) -> tensor<2x5x13x10xf32>
  %u = linalg.add ins(%s, %t : tensor<2x5x13x10xf32>, tensor<2x5x13x10xf32>) outs(%e : tensor<2x5x13x10xf32>) -> tensor<2x5x13x10xf32>
  %r = linalg.max ins(%u, %z : tensor<2x5x13x10xf32>, tensor<2x5x13x10xf32>) outs(%e : tensor<2x5x13x10xf32>) -> tensor<2x5x13x10xf32>
  return %r : tensor<2x5x13x10xf32>
}

func.func @kernel_1x1_strided(%x: tensor<2x3x13x10xf32>, %w: tensor<5x3x1x1xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x4xf32>
  %e = tensor.empty() : tensor<2x5x7x4xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 3]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x3x13x10xf32>, tensor<5x3x1x1xf32>) outs(%z : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x5x7x4xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  %u = linalg.add ins(%s, %t : tensor<2x5x7x4xf32>, tensor<2x5x7x4xf32>) outs(%e : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  %r = linalg.max ins(%u, %z : tensor<2x5x7x4xf32>, tensor<2x5x7x4xf32>) outs(%e : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  return %r : tensor<2x5x7x4xf32>
}

func.func @padding_wider_than_kernel(%x: tensor<2x3x4x5xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x13x11xf32>) -> tensor<2x5x13x11xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x13x11xf32>
  %e = tensor.empty() : tensor<2x5x13x11xf32>
  %p = tensor.pad %x low[0, 0, 5, 4] high[0, 0, 6, 3] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x3x4x5xf32> to tensor<2x3x15x12xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%p, %w : tensor<2x3x15x12xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x13x11xf32>) -> tensor<2x5x13x11xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x5x13x11xf32>, tensor<5xf32>) outs(%e : tensor<2x5x13x11xf32>) -> tensor<2x5x13x11xf32>
  %u = linalg.add ins(%s, %t : tensor<2x5x13x11xf32>, tensor<2x5x13x11xf32>) outs(%e : tensor<2x5x13x11xf32>) -> tensor<2x5x13x11xf32>
  %r = linalg.max ins(%u, %z : tensor<2x5x13x11xf32>, tensor<2x5x13x11xf32>) outs(%e : tensor<2x5x13x11xf32>) -> tensor<2x5x13x11xf32>
  return %r : tensor<2x5x13x11xf32>
}

// More than a vector of channels, and no multiple of one.
func.func @many_channels(%x: tensor<1x33x7x6xf32>, %w: tensor<65x33x3x2xf32>, %b: tensor<65xf32>, %s: tensor<1x65x5x5xf32>) -> tensor<1x65x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<1x65x5x5xf32>
  %e = tensor.empty() : tensor<1x65x5x5xf32>
  %c = linalg.conv_2d_nchw_fchw
         ins(%x, %w : tensor<1x33x7x6xf32>, tensor<65x33x3x2xf32>) outs(%z : tensor<1x65x5x5xf32>) -> tensor<1x65x5x5xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<1x65x5x5xf32>, tensor<65xf32>) outs(%e : tensor<1x65x5x5xf32>) -> tensor<1x65x5x5xf32>
  %u = linalg.add ins(%s, %t : tensor<1x65x5x5xf32>, tensor<1x65x5x5xf32>) outs(%e : tensor<1x65x5x5xf32>) -> tensor<1x65x5x5xf32>
  %r = linalg.max ins(%u, %z : tensor<1x65x5x5xf32>, tensor<1x65x5x5xf32>) outs(%e : tensor<1x65x5x5xf32>) -> tensor<1x65x5x5xf32>
  return %r : tensor<1x65x5x5xf32>
}

// Groups: the sum is of the grouped shape.
func.func @grouped(%x: tensor<2x2x3x13x10xf32>, %w: tensor<2x4x3x3x2xf32>) -> tensor<2x2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x2x4x6x8xf32>
  %e = tensor.empty() : tensor<2x2x4x6x8xf32>
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x2x3x13x10xf32>, tensor<2x4x3x3x2xf32>) outs(%z : tensor<2x2x4x6x8xf32>) -> tensor<2x2x4x6x8xf32>
  %r = linalg.max ins(%c, %z : tensor<2x2x4x6x8xf32>, tensor<2x2x4x6x8xf32>) outs(%e : tensor<2x2x4x6x8xf32>) -> tensor<2x2x4x6x8xf32>
  return %r : tensor<2x2x4x6x8xf32>
}

func.func @depthwise_nchw(%x: tensor<2x6x13x10xf32>, %w: tensor<6x3x2xf32>, %b: tensor<6xf32>, %s: tensor<2x6x6x8xf32>) -> tensor<2x6x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x6x6x8xf32>
  %e = tensor.empty() : tensor<2x6x6x8xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x6x13x10xf32>, tensor<6x3x2xf32>) outs(%z : tensor<2x6x6x8xf32>) -> tensor<2x6x6x8xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x6x6x8xf32>, tensor<6xf32>) outs(%e : tensor<2x6x6x8xf32>) -> tensor<2x6x6x8xf32>
  %u = linalg.add ins(%s, %t : tensor<2x6x6x8xf32>, tensor<2x6x6x8xf32>) outs(%e : tensor<2x6x6x8xf32>) -> tensor<2x6x6x8xf32>
  %r = linalg.max ins(%u, %z : tensor<2x6x6x8xf32>, tensor<2x6x6x8xf32>) outs(%e : tensor<2x6x6x8xf32>) -> tensor<2x6x6x8xf32>
  return %r : tensor<2x6x6x8xf32>
}

func.func @depthwise_nhwc(%x: tensor<2x13x10x6xf32>, %w: tensor<3x2x6xf32>, %b: tensor<6xf32>, %s: tensor<2x7x9x6xf32>) -> tensor<2x7x9x6xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x7x9x6xf32>
  %e = tensor.empty() : tensor<2x7x9x6xf32>
  %p = tensor.pad %x low[0, 2, 0, 0] high[0, 0, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x13x10x6xf32> to tensor<2x15x11x6xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%p, %w : tensor<2x15x11x6xf32>, tensor<3x2x6xf32>) outs(%z : tensor<2x7x9x6xf32>) -> tensor<2x7x9x6xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x7x9x6xf32>, tensor<6xf32>) outs(%e : tensor<2x7x9x6xf32>) -> tensor<2x7x9x6xf32>
  %u = linalg.add ins(%s, %t : tensor<2x7x9x6xf32>, tensor<2x7x9x6xf32>) outs(%e : tensor<2x7x9x6xf32>) -> tensor<2x7x9x6xf32>
  %r = linalg.max ins(%u, %z : tensor<2x7x9x6xf32>, tensor<2x7x9x6xf32>) outs(%e : tensor<2x7x9x6xf32>) -> tensor<2x7x9x6xf32>
  return %r : tensor<2x7x9x6xf32>
}

func.func @depthwise_1d(%x: tensor<2x13x6xf32>, %w: tensor<3x6xf32>, %b: tensor<6xf32>, %s: tensor<2x6x6xf32>) -> tensor<2x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x6x6xf32>
  %e = tensor.empty() : tensor<2x6x6xf32>
  %c = linalg.depthwise_conv_1d_nwc_wc {strides = dense<[2]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>}
         ins(%x, %w : tensor<2x13x6xf32>, tensor<3x6xf32>) outs(%z : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
         ins(%c, %b : tensor<2x6x6xf32>, tensor<6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %u = linalg.add ins(%s, %t : tensor<2x6x6xf32>, tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = linalg.max ins(%u, %z : tensor<2x6x6xf32>, tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  return %r : tensor<2x6x6xf32>
}

func.func @depthwise_3d(%x: tensor<2x5x13x10x6xf32>, %w: tensor<2x3x2x6xf32>, %b: tensor<6xf32>, %s: tensor<2x4x6x8x6xf32>) -> tensor<2x4x6x8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x4x6x8x6xf32>
  %e = tensor.empty() : tensor<2x4x6x8x6xf32>
  %c = linalg.depthwise_conv_3d_ndhwc_dhwc {strides = dense<[1, 2, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 2]> : tensor<3xi64>}
         ins(%x, %w : tensor<2x5x13x10x6xf32>, tensor<2x3x2x6xf32>) outs(%z : tensor<2x4x6x8x6xf32>) -> tensor<2x4x6x8x6xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>]
         ins(%c, %b : tensor<2x4x6x8x6xf32>, tensor<6xf32>) outs(%e : tensor<2x4x6x8x6xf32>) -> tensor<2x4x6x8x6xf32>
  %u = linalg.add ins(%s, %t : tensor<2x4x6x8x6xf32>, tensor<2x4x6x8x6xf32>) outs(%e : tensor<2x4x6x8x6xf32>) -> tensor<2x4x6x8x6xf32>
  %r = linalg.max ins(%u, %z : tensor<2x4x6x8x6xf32>, tensor<2x4x6x8x6xf32>) outs(%e : tensor<2x4x6x8x6xf32>) -> tensor<2x4x6x8x6xf32>
  return %r : tensor<2x4x6x8x6xf32>
}

func.func @conv_1d_ncw(%x: tensor<2x3x13xf32>, %w: tensor<5x3x3xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7xf32>) -> tensor<2x5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7xf32>
  %e = tensor.empty() : tensor<2x5x7xf32>
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 3] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %zero : f32
  } : tensor<2x3x13xf32> to tensor<2x3x17xf32>
  %c = linalg.conv_1d_ncw_fcw {strides = dense<[2]> : tensor<1xi64>, dilations = dense<[2]> : tensor<1xi64>}
         ins(%p, %w : tensor<2x3x17xf32>, tensor<5x3x3xf32>) outs(%z : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
         ins(%c, %b : tensor<2x5x7xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %u = linalg.add ins(%s, %t : tensor<2x5x7xf32>, tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r = linalg.max ins(%u, %z : tensor<2x5x7xf32>, tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  return %r : tensor<2x5x7xf32>
}

func.func @conv_1d_nwc(%x: tensor<2x13x3xf32>, %w: tensor<3x3x5xf32>, %b: tensor<5xf32>, %s: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x4x5xf32>
  %e = tensor.empty() : tensor<2x4x5xf32>
  %c = linalg.conv_1d_nwc_wcf {strides = dense<[3]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>}
         ins(%x, %w : tensor<2x13x3xf32>, tensor<3x3x5xf32>) outs(%z : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
         ins(%c, %b : tensor<2x4x5xf32>, tensor<5xf32>) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %u = linalg.add ins(%s, %t : tensor<2x4x5xf32>, tensor<2x4x5xf32>) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.max ins(%u, %z : tensor<2x4x5xf32>, tensor<2x4x5xf32>) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

func.func @conv_3d_ncdhw(%x: tensor<2x3x5x13x10xf32>, %w: tensor<5x3x2x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x4x7x4xf32>) -> tensor<2x5x4x7x4xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x4x7x4xf32>
  %e = tensor.empty() : tensor<2x5x4x7x4xf32>
  %p = tensor.pad %x low[0, 0, 1, 0, 3] high[0, 0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    tensor.yield %zero : f32
  } : tensor<2x3x5x13x10xf32> to tensor<2x3x6x15x13xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw {strides = dense<[1, 2, 3]> : tensor<3xi64>, dilations = dense<[2, 1, 1]> : tensor<3xi64>}
         ins(%p, %w : tensor<2x3x6x15x13xf32>, tensor<5x3x2x3x2xf32>) outs(%z : tensor<2x5x4x7x4xf32>) -> tensor<2x5x4x7x4xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>]
         ins(%c, %b : tensor<2x5x4x7x4xf32>, tensor<5xf32>) outs(%e : tensor<2x5x4x7x4xf32>) -> tensor<2x5x4x7x4xf32>
  %u = linalg.add ins(%s, %t : tensor<2x5x4x7x4xf32>, tensor<2x5x4x7x4xf32>) outs(%e : tensor<2x5x4x7x4xf32>) -> tensor<2x5x4x7x4xf32>
  %r = linalg.max ins(%u, %z : tensor<2x5x4x7x4xf32>, tensor<2x5x4x7x4xf32>) outs(%e : tensor<2x5x4x7x4xf32>) -> tensor<2x5x4x7x4xf32>
  return %r : tensor<2x5x4x7x4xf32>
}

func.func @conv_3d_ndhwc(%x: tensor<1x5x7x6x3xf32>, %w: tensor<2x3x2x3x5xf32>, %b: tensor<5xf32>, %s: tensor<1x4x5x5x5xf32>) -> tensor<1x4x5x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<1x4x5x5x5xf32>
  %e = tensor.empty() : tensor<1x4x5x5x5xf32>
  %c = linalg.conv_3d_ndhwc_dhwcf
         ins(%x, %w : tensor<1x5x7x6x3xf32>, tensor<2x3x2x3x5xf32>) outs(%z : tensor<1x4x5x5x5xf32>) -> tensor<1x4x5x5x5xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>]
         ins(%c, %b : tensor<1x4x5x5x5xf32>, tensor<5xf32>) outs(%e : tensor<1x4x5x5x5xf32>) -> tensor<1x4x5x5x5xf32>
  %u = linalg.add ins(%s, %t : tensor<1x4x5x5x5xf32>, tensor<1x4x5x5x5xf32>) outs(%e : tensor<1x4x5x5x5xf32>) -> tensor<1x4x5x5x5xf32>
  %r = linalg.max ins(%u, %z : tensor<1x4x5x5x5xf32>, tensor<1x4x5x5x5xf32>) outs(%e : tensor<1x4x5x5x5xf32>) -> tensor<1x4x5x5x5xf32>
  return %r : tensor<1x4x5x5x5xf32>
}

func.func @no_images(%x: tensor<0x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<0x5x7x10xf32>) -> tensor<0x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<0x5x7x10xf32>
  %e = tensor.empty() : tensor<0x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw
         ins(%x, %w : tensor<0x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<0x5x7x10xf32>) -> tensor<0x5x7x10xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<0x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<0x5x7x10xf32>) -> tensor<0x5x7x10xf32>
  %u = linalg.add ins(%s, %t : tensor<0x5x7x10xf32>, tensor<0x5x7x10xf32>) outs(%e : tensor<0x5x7x10xf32>) -> tensor<0x5x7x10xf32>
  %r = linalg.max ins(%u, %z : tensor<0x5x7x10xf32>, tensor<0x5x7x10xf32>) outs(%e : tensor<0x5x7x10xf32>) -> tensor<0x5x7x10xf32>
  return %r : tensor<0x5x7x10xf32>
}

func.func @no_output_channels(%x: tensor<2x3x9x11xf32>, %w: tensor<0x3x3x2xf32>, %b: tensor<0xf32>, %s: tensor<2x0x7x10xf32>) -> tensor<2x0x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x0x7x10xf32>
  %e = tensor.empty() : tensor<2x0x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw
         ins(%x, %w : tensor<2x3x9x11xf32>, tensor<0x3x3x2xf32>) outs(%z : tensor<2x0x7x10xf32>) -> tensor<2x0x7x10xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x0x7x10xf32>, tensor<0xf32>) outs(%e : tensor<2x0x7x10xf32>) -> tensor<2x0x7x10xf32>
  %u = linalg.add ins(%s, %t : tensor<2x0x7x10xf32>, tensor<2x0x7x10xf32>) outs(%e : tensor<2x0x7x10xf32>) -> tensor<2x0x7x10xf32>
  %r = linalg.max ins(%u, %z : tensor<2x0x7x10xf32>, tensor<2x0x7x10xf32>) outs(%e : tensor<2x0x7x10xf32>) -> tensor<2x0x7x10xf32>
  return %r : tensor<2x0x7x10xf32>
}

func.func @no_input_channels(%x: tensor<2x0x9x11xf32>, %w: tensor<5x0x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw
         ins(%x, %w : tensor<2x0x9x11xf32>, tensor<5x0x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %u = linalg.add ins(%s, %t : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%u, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The kernel does not fit.
func.func @no_output(%x: tensor<2x3x2x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x0x10xf32>) -> tensor<2x5x0x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x0x10xf32>
  %e = tensor.empty() : tensor<2x5x0x10xf32>
  %c = linalg.conv_2d_nchw_fchw
         ins(%x, %w : tensor<2x3x2x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x0x10xf32>) -> tensor<2x5x0x10xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x5x0x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x0x10xf32>) -> tensor<2x5x0x10xf32>
  %u = linalg.add ins(%s, %t : tensor<2x5x0x10xf32>, tensor<2x5x0x10xf32>) outs(%e : tensor<2x5x0x10xf32>) -> tensor<2x5x0x10xf32>
  %r = linalg.max ins(%u, %z : tensor<2x5x0x10xf32>, tensor<2x5x0x10xf32>) outs(%e : tensor<2x5x0x10xf32>) -> tensor<2x5x0x10xf32>
  return %r : tensor<2x5x0x10xf32>
}
