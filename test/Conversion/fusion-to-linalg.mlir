// RUN: fusion-opt %s --convert-fusion-to-linalg | FileCheck %s
// RUN: fusion-opt %s --convert-fusion-to-linalg --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=BACK

// The op as padding, a convolution in f32 and one element-wise op; and back again.

// BACK-COUNT-6: : {{(partly )?}}fused:
// BACK-NOT:     fused:

// CHECK-DAG: #[[$IN:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 + d6 * 3)>
// CHECK-DAG: #[[$FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$CHANNEL:.*]] = affine_map<(d0, d1, d2, d3) -> (d1)>

// CHECK-LABEL: func @everything(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<1x5x5x8xf32>, %[[E:[a-z0-9]*]]: tensor<1x5x5x8xf32>)
// CHECK:         %[[P:.*]] = tensor.pad %[[X]] low[0, 0, 1, 0] high[0, 0, 2, 0]
// CHECK:         %[[F:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<1x5x5x8xf32>)
// CHECK:         %[[C:.*]] = linalg.generic {indexing_maps = [#[[$IN]], #[[$FILTER]], #[[$OUT]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%[[P]], %[[W]] : tensor<1x3x12x11xf32>, tensor<5x3x3x2xf32>) outs(%[[F]] : tensor<1x5x5x8xf32>)
// CHECK-NEXT:      ^bb0(%[[A0:.*]]: f32, %[[A1:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[A0]], %[[A1]] : f32
// CHECK-NEXT:      %[[T:.*]] = arith.addf %[[ACC]], %[[M]] : f32
// CHECK-NEXT:      linalg.yield %[[T]] : f32
// CHECK:         %[[R:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]], #[[$ALL]]], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[C]], %[[B]], %[[S]] : {{.*}}) outs(%[[E]] : tensor<1x5x5x8xf32>)
// CHECK-NEXT:      ^bb0(%[[V:.*]]: f32, %[[D:.*]]: f32, %[[G:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[U:.*]] = arith.addf %[[V]], %[[D]] : f32
// CHECK-NEXT:      %[[H:.*]] = arith.addf %[[U]], %[[G]] : f32
// CHECK:           arith.maximumf %[[H]], %{{.*}} : f32
// CHECK:         return %[[R]]
// CHECK-NOT:     fusion.
func.func @everything(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<1x5x5x8xf32>, %e: tensor<1x5x5x8xf32>) -> tensor<1x5x5x8xf32> {
  %r = fusion.fused_conv_bias_act {strides = array<i64: 2, 1>, dilations = array<i64: 1, 3>, pad_low = array<i64: 1, 0>, pad_high = array<i64: 2, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw", activation = #fusion.activation<relu>}
         ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) bias(%b : tensor<5xf32>) residual(%s : tensor<1x5x5x8xf32>)
         outs(%e : tensor<1x5x5x8xf32>) -> tensor<1x5x5x8xf32>
  return %r : tensor<1x5x5x8xf32>
}

// Groups are split off the channels, and joined again.
// CHECK-LABEL: func @grouped(
// CHECK-NOT:     tensor.pad
// CHECK-DAG:     tensor.expand_shape {{.*}} : tensor<1x7x10x6xf32> into tensor<1x7x10x2x3xf32>
// CHECK-DAG:     tensor.expand_shape {{.*}} : tensor<3x2x3x8xf32> into tensor<3x2x3x2x4xf32>
// CHECK-DAG:     tensor.expand_shape {{.*}} : tensor<1x5x9x8xf32> into tensor<1x5x9x2x4xf32>
// CHECK:         %[[C:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x5x9x2x4xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[C]] {{.*}} : tensor<1x5x9x2x4xf32> into tensor<1x5x9x8xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[V]] :
func.func @grouped(%x: tensor<1x7x10x6xf32>, %w: tensor<3x2x3x8xf32>, %e: tensor<1x5x9x8xf32>) -> tensor<1x5x9x8xf32> {
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nhwc", filter_layout = "hwcf", output_layout = "nhwc"}
         ins(%x, %w : tensor<1x7x10x6xf32>, tensor<3x2x3x8xf32>) outs(%e : tensor<1x5x9x8xf32>) -> tensor<1x5x9x8xf32>
  return %r : tensor<1x5x9x8xf32>
}

// The product is taken in f32, and rounded once, at the end.
// CHECK-LABEL: func @bf16(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x5x8xf32>)
// CHECK:           arith.extf %{{.*}} : bf16 to f32
// CHECK:           arith.extf %{{.*}} : bf16 to f32
// CHECK:           arith.mulf {{.*}} : f32
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x5x8xbf16>)
// CHECK:           arith.extf %{{.*}} : bf16 to f32
// CHECK:           arith.addf {{.*}} : f32
// CHECK:           arith.truncf %{{.*}} : f32 to bf16
// CHECK-NOT:       arith.truncf
// CHECK:         return
func.func @bf16(%x: tensor<1x3x9xbf16>, %w: tensor<5x3x2xbf16>, %s: tensor<1x5x8xbf16>, %e: tensor<1x5x8xbf16>) -> tensor<1x5x8xbf16> {
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
         ins(%x, %w : tensor<1x3x9xbf16>, tensor<5x3x2xbf16>) residual(%s : tensor<1x5x8xbf16>) outs(%e : tensor<1x5x8xbf16>) -> tensor<1x5x8xbf16>
  return %r : tensor<1x5x8xbf16>
}

// Layouts of any order; sizes known at run time.
// CHECK-LABEL: func @dynamic_3d(
// CHECK:         tensor.pad %{{.*}} low[0, 2, 0, 1, 0] high[0, 0, 3, 0, 0] {
// CHECK:         tensor.dim
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<?x5x?x?x?xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<?x5x?x?x?xf32>)
func.func @dynamic_3d(%x: tensor<?x?x?x?x3xf32>, %w: tensor<5x2x3x2x3xf32>, %e: tensor<?x5x?x?x?xf32>) -> tensor<?x5x?x?x?xf32> {
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1, 2, 1>, dilations = array<i64: 1, 1, 1>, pad_low = array<i64: 2, 0, 1>, pad_high = array<i64: 0, 3, 0>,
         input_layout = "ndhwc", filter_layout = "fdhwc", output_layout = "ncdhw"}
         ins(%x, %w : tensor<?x?x?x?x3xf32>, tensor<5x2x3x2x3xf32>) outs(%e : tensor<?x5x?x?x?xf32>) -> tensor<?x5x?x?x?xf32>
  return %r : tensor<?x5x?x?x?xf32>
}

// The destination is not read: a convolution never starts from what it holds.
// CHECK-LABEL: func @destination_not_read(
// CHECK-SAME:    %[[E:[a-z0-9]*]]: tensor<1x5x8xf32>)
// CHECK-NOT:     %[[E]]
// CHECK:         linalg.generic
// CHECK-NOT:     %[[E]]
// CHECK:         linalg.generic {{.*}} outs(%[[E]] :
// CHECK-NEXT:      ^bb0(%[[V:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      linalg.yield %[[V]] : f32
func.func @destination_not_read(%x: tensor<1x3x9xf32>, %w: tensor<5x3x2xf32>, %e: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
         ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%e : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  return %r : tensor<1x5x8xf32>
}

// CHECK-LABEL: func @nested(
// CHECK:         scf.for
// CHECK:           linalg.generic
// CHECK-NOT:     fusion.
func.func @nested(%x: tensor<1x3x9xf32>, %w: tensor<5x3x2xf32>, %s: tensor<1x5x8xf32>, %n: index) -> tensor<1x5x8xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %l = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %s) -> tensor<1x5x8xf32> {
    %e = tensor.empty() : tensor<1x5x8xf32>
    %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
           input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
           ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) residual(%acc : tensor<1x5x8xf32>) outs(%e : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    scf.yield %r : tensor<1x5x8xf32>
  }
  return %l : tensor<1x5x8xf32>
}
