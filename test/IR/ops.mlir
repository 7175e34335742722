// RUN: fusion-opt %s | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | fusion-opt | FileCheck %s

// The forms of `fusion.fused_conv_bias_act`: what is printed parses to the same.

// CHECK-LABEL: func @conv_1d
// CHECK-SAME:    (%[[X:.*]]: tensor<2x3x11xf32>, %[[W:.*]]: tensor<4x3x3xf32>, %[[E:.*]]: tensor<2x4x6xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2] dilations [2] pad_high [4] ins(%[[X]], %[[W]] : tensor<2x3x11xf32>, tensor<4x3x3xf32>) outs(%[[E]] : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
// CHECK:         return %[[R]]
func.func @conv_1d(%x: tensor<2x3x11xf32>, %w: tensor<4x3x3xf32>, %e: tensor<2x4x6xf32>) -> tensor<2x4x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 2>, dilations = array<i64: 2>,
         pad_low = array<i64: 0>, pad_high = array<i64: 4>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x, %w : tensor<2x3x11xf32>, tensor<4x3x3xf32>)
       outs(%e : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %r : tensor<2x4x6xf32>
}

// CHECK-LABEL: func @conv_2d_all
// CHECK-SAME:    (%[[X:.*]]: tensor<1x4x10x12xf32>, %[[W:.*]]: tensor<6x2x3x3xf32>, %[[B:.*]]: tensor<6xf32>, %[[S:.*]]: tensor<1x6x5x11xf32>, %[[E:.*]]: tensor<1x6x5x11xf32>)
// CHECK:         fusion.fused_conv_bias_act relu strides [2, 1] pad_low [0, 1] pad_high [1, 0] groups 2 {nan_mode = #fusion.nan<propagate>} ins(
// CHECK-SAME:      %[[X]], %[[W]] : tensor<1x4x10x12xf32>, tensor<6x2x3x3xf32>)
// CHECK-SAME:      bias(%[[B]] : tensor<6xf32>)
// CHECK-SAME:      residual(%[[S]] : tensor<1x6x5x11xf32>)
// CHECK-SAME:      outs(%[[E]] : tensor<1x6x5x11xf32>) -> tensor<1x6x5x11xf32>
func.func @conv_2d_all(%x: tensor<1x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %b: tensor<6xf32>,
                       %s: tensor<1x6x5x11xf32>, %e: tensor<1x6x5x11xf32>) -> tensor<1x6x5x11xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 2, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw",
         activation = #fusion.activation<relu>, nan_mode = #fusion.nan<propagate>}
       ins(%x, %w : tensor<1x4x10x12xf32>, tensor<6x2x3x3xf32>)
       bias(%b : tensor<6xf32>) residual(%s : tensor<1x6x5x11xf32>)
       outs(%e : tensor<1x6x5x11xf32>) -> tensor<1x6x5x11xf32>
  return %r : tensor<1x6x5x11xf32>
}

// The default values may be spelt out; they are not printed.
// CHECK-LABEL: func @conv_2d_defaults
// CHECK-NOT:     groups
// CHECK-NOT:     nan_mode
// CHECK:         return
func.func @conv_2d_defaults(%x: tensor<1x3x10x12xf32>, %w: tensor<6x3x3x3xf32>, %e: tensor<1x6x8x10xf32>) -> tensor<1x6x8x10xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 1,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw",
         nan_mode = #fusion.nan<fast>}
       ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x3xf32>)
       outs(%e : tensor<1x6x8x10xf32>) -> tensor<1x6x8x10xf32>
  return %r : tensor<1x6x8x10xf32>
}

// CHECK-LABEL: func @conv_3d
// CHECK:         fusion.fused_conv_bias_act
// CHECK-SAME:      strides [3, 1, 3] pad_low [0, 0, 1] pad_high [1, 0, 0] ins(
// CHECK-SAME:      residual(%{{.*}} : tensor<1x4x2x4x3xf32>)
func.func @conv_3d(%x: tensor<1x2x5x6x7xf32>, %w: tensor<4x2x2x3x1xf32>,
                   %s: tensor<1x4x2x4x3xf32>, %e: tensor<1x4x2x4x3xf32>) -> tensor<1x4x2x4x3xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 3, 1, 3>, dilations = array<i64: 1, 1, 1>,
         pad_low = array<i64: 0, 0, 1>, pad_high = array<i64: 1, 0, 0>,
         input_layout = "ncdhw", filter_layout = "fcdhw", output_layout = "ncdhw"}
       ins(%x, %w : tensor<1x2x5x6x7xf32>, tensor<4x2x2x3x1xf32>)
       residual(%s : tensor<1x4x2x4x3xf32>)
       outs(%e : tensor<1x4x2x4x3xf32>) -> tensor<1x4x2x4x3xf32>
  return %r : tensor<1x4x2x4x3xf32>
}

// CHECK-LABEL: func @depthwise
// CHECK:         fusion.fused_conv_bias_act groups 6 layouts(nhwc, hwcf, nhwc) ins(
func.func @depthwise(%x: tensor<1x10x12x6xf32>, %w: tensor<3x3x1x12xf32>, %b: tensor<12xf32>,
                     %e: tensor<1x8x10x12xf32>) -> tensor<1x8x10x12xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 6,
         input_layout = "nhwc", filter_layout = "hwcf", output_layout = "nhwc"}
       ins(%x, %w : tensor<1x10x12x6xf32>, tensor<3x3x1x12xf32>) bias(%b : tensor<12xf32>)
       outs(%e : tensor<1x8x10x12xf32>) -> tensor<1x8x10x12xf32>
  return %r : tensor<1x8x10x12xf32>
}

// CHECK-LABEL: func @dynamic
// CHECK:         ins(%{{.*}}, %{{.*}} : tensor<?x3x?x12xf32>, tensor<?x3x3x3xf32>)
// CHECK-SAME:      bias(%{{.*}} : tensor<?xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<?x6x?x?xf32>) -> tensor<?x6x?x?xf32>
func.func @dynamic(%x: tensor<?x3x?x12xf32>, %w: tensor<?x3x3x3xf32>, %b: tensor<?xf32>,
                   %e: tensor<?x6x?x?xf32>) -> tensor<?x6x?x?xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<?x3x?x12xf32>, tensor<?x3x3x3xf32>) bias(%b : tensor<?xf32>)
       outs(%e : tensor<?x6x?x?xf32>) -> tensor<?x6x?x?xf32>
  return %r : tensor<?x6x?x?xf32>
}

// Narrow types: the bias stays f32, the residual may be f32 or the result's type.
// CHECK-LABEL: func @narrow_types
// CHECK:         ins(%{{.*}}, %{{.*}} : tensor<1x3x10x12xbf16>, tensor<6x3x3x3xbf16>) bias(%{{.*}} : tensor<6xf32>) residual(%{{.*}} : tensor<1x6x8x10xf32>) outs(%{{.*}} : tensor<1x6x8x10xbf16>)
// CHECK:         ins(%{{.*}}, %{{.*}} : tensor<1x3x10x12xbf16>, tensor<6x3x3x3xbf16>) residual(%{{.*}} : tensor<1x6x8x10xbf16>) outs(%{{.*}} : tensor<1x6x8x10xbf16>)
// CHECK:         ins(%{{.*}}, %{{.*}} : tensor<1x6x8x10xbf16>, tensor<2x6x1x1xbf16>) outs(%{{.*}} : tensor<1x2x8x10xf16>)
// CHECK:         ins(%{{.*}}, %{{.*}} : tensor<1x2x8x10xf16>, tensor<2x2x1x1xf16>) outs(%{{.*}} : tensor<1x2x8x10xf32>)
func.func @narrow_types(%x: tensor<1x3x10x12xbf16>, %w: tensor<6x3x3x3xbf16>, %b: tensor<6xf32>,
                        %s: tensor<1x6x8x10xf32>, %e: tensor<1x6x8x10xbf16>,
                        %w1: tensor<2x6x1x1xbf16>, %e1: tensor<1x2x8x10xf16>,
                        %w2: tensor<2x2x1x1xf16>, %e2: tensor<1x2x8x10xf32>) -> tensor<1x2x8x10xf32> {
  %0 = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<1x3x10x12xbf16>, tensor<6x3x3x3xbf16>) bias(%b : tensor<6xf32>)
       residual(%s : tensor<1x6x8x10xf32>)
       outs(%e : tensor<1x6x8x10xbf16>) -> tensor<1x6x8x10xbf16>
  %1 = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<1x3x10x12xbf16>, tensor<6x3x3x3xbf16>)
       residual(%0 : tensor<1x6x8x10xbf16>)
       outs(%e : tensor<1x6x8x10xbf16>) -> tensor<1x6x8x10xbf16>
  %2 = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%1, %w1 : tensor<1x6x8x10xbf16>, tensor<2x6x1x1xbf16>)
       outs(%e1 : tensor<1x2x8x10xf16>) -> tensor<1x2x8x10xf16>
  %3 = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%2, %w2 : tensor<1x2x8x10xf16>, tensor<2x2x1x1xf16>)
       outs(%e2 : tensor<1x2x8x10xf32>) -> tensor<1x2x8x10xf32>
  return %3 : tensor<1x2x8x10xf32>
}

// A filter may stay f32 where the input is narrower.
// CHECK-LABEL: func @wide_filter
// CHECK:         ins(%{{.*}}, %{{.*}} : tensor<1x3x9xbf16>, tensor<4x3x2xf32>)
func.func @wide_filter(%x: tensor<1x3x9xbf16>, %w: tensor<4x3x2xf32>, %e: tensor<1x4x8xbf16>) -> tensor<1x4x8xbf16> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x, %w : tensor<1x3x9xbf16>, tensor<4x3x2xf32>)
       outs(%e : tensor<1x4x8xbf16>) -> tensor<1x4x8xbf16>
  return %r : tensor<1x4x8xbf16>
}

// Zero sizes are valid: no batch, no output channel, no output, no input
// channel, and a kernel that does not fit.
// CHECK-LABEL: func @zero_sizes
// CHECK-COUNT-4: fusion.fused_conv_bias_act
func.func @zero_sizes(%x0: tensor<0x3x9xf32>, %w: tensor<4x3x3xf32>, %e0: tensor<0x4x7xf32>,
                      %x: tensor<1x3x9xf32>, %w1: tensor<0x3x3xf32>, %e1: tensor<1x0x7xf32>,
                      %w2: tensor<4x3x11xf32>, %e2: tensor<1x4x0xf32>,
                      %x3: tensor<1x0x9xf32>, %w3: tensor<4x0x3xf32>, %e3: tensor<1x4x7xf32>)
    -> (tensor<0x4x7xf32>, tensor<1x0x7xf32>, tensor<1x4x0xf32>, tensor<1x4x7xf32>) {
  %0 = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x0, %w : tensor<0x3x9xf32>, tensor<4x3x3xf32>)
       outs(%e0 : tensor<0x4x7xf32>) -> tensor<0x4x7xf32>
  %1 = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x, %w1 : tensor<1x3x9xf32>, tensor<0x3x3xf32>)
       outs(%e1 : tensor<1x0x7xf32>) -> tensor<1x0x7xf32>
  %2 = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x, %w2 : tensor<1x3x9xf32>, tensor<4x3x11xf32>)
       outs(%e2 : tensor<1x4x0xf32>) -> tensor<1x4x0xf32>
  %3 = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x3, %w3 : tensor<1x0x9xf32>, tensor<4x0x3xf32>)
       outs(%e3 : tensor<1x4x7xf32>) -> tensor<1x4x7xf32>
  return %0, %1, %2, %3 : tensor<0x4x7xf32>, tensor<1x0x7xf32>, tensor<1x4x0xf32>, tensor<1x4x7xf32>
}

// On memrefs there is no result. The residual may be the destination itself.
// CHECK-LABEL: func @memrefs
// CHECK-SAME:    %[[Y:[a-z0-9]*]]: memref<1x6x8x10xf32>)
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %{{.*}} : memref<1x3x10x12xf32, strided<[720, 240, 24, 2], offset: ?>>, memref<6x3x3x3xf32>) bias(%{{.*}} : memref<6xf32>) residual(%[[Y]] : memref<1x6x8x10xf32>) outs(%[[Y]] : memref<1x6x8x10xf32>){{$}}
func.func @memrefs(%x: memref<1x3x10x12xf32, strided<[720, 240, 24, 2], offset: ?>>, %w: memref<6x3x3x3xf32>,
                   %b: memref<6xf32>, %y: memref<1x6x8x10xf32>) {
  fusion.fused_conv_bias_act {
    strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
    pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : memref<1x3x10x12xf32, strided<[720, 240, 24, 2], offset: ?>>, memref<6x3x3x3xf32>)
    bias(%b : memref<6xf32>) residual(%y : memref<1x6x8x10xf32>)
    outs(%y : memref<1x6x8x10xf32>)
  return
}

// CHECK-LABEL: func @memrefs_1d_3d
// CHECK:         outs(%{{.*}} : memref<2x4x9xf16>)
// CHECK:         outs(%{{.*}} : memref<?x4x4x4x7xbf16>)
func.func @memrefs_1d_3d(%x: memref<2x3x11xf16>, %w: memref<4x3x3xf16>, %y: memref<2x4x9xf16>,
                         %x3: memref<?x2x5x6x7xbf16>, %w3: memref<4x2x2x3x1xbf16>, %y3: memref<?x4x4x4x7xbf16>) {
  fusion.fused_conv_bias_act {
    strides = array<i64: 1>, dilations = array<i64: 1>,
    pad_low = array<i64: 0>, pad_high = array<i64: 0>,
    input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
    ins(%x, %w : memref<2x3x11xf16>, memref<4x3x3xf16>) outs(%y : memref<2x4x9xf16>)
  fusion.fused_conv_bias_act {
    strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>,
    pad_low = array<i64: 0, 0, 0>, pad_high = array<i64: 0, 0, 0>,
    input_layout = "ncdhw", filter_layout = "fcdhw", output_layout = "ncdhw"}
    ins(%x3, %w3 : memref<?x2x5x6x7xbf16>, memref<4x2x2x3x1xbf16>) outs(%y3 : memref<?x4x4x4x7xbf16>)
  return
}
