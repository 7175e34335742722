// The executed twin of Transforms/fusion-place-concats.mlir, by way of fusion-compile.

// RUN: %python %S/verify-functions.py %S/../Transforms/fusion-place-concats.mlir --fused=dense_block:0,returned:0,overwritten:0,two:0,behind:0,twice:0,two_users:0,accumulates:0,collapsed:0,collapsed_for_two:0,collapsed_and_read:0,expanded:0 --skip=dynamic,in_place,kernel,pool,outside,nested | FileCheck %s --check-prefix=TWIN
// TWIN: {{^}}12 functions agree, 0 fused ops
// RUN: fusion-run %S/../Transforms/fusion-place-concats.mlir --entry=dynamic --shape=0:1x7x3 --verify | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %S/../Transforms/fusion-place-concats.mlir --entry=outside --random=3:3:3 --verify | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %S/../Transforms/fusion-place-concats.mlir --entry=nested --random=3:3:3 --verify | FileCheck %s --check-prefix=AGREES
// AGREES: verify: agrees

// RUN: %python %S/verify-functions.py %s --fused=channels_last:3,channels_first:2,dense:2,rows:1,written_over:1,upsampled:1,depthwise:1,heads:1 --skip=pooled | FileCheck %s --check-prefix=HERE
// HERE: {{^}}8 functions agree, 12 fused ops
// RUN: %python %S/verify-functions.py %s --fused=pooled:1 --pools=1 --skip=channels_last,channels_first,dense,rows,written_over,upsampled,depthwise,heads | FileCheck %s --check-prefix=POOLED
// POOLED: {{^}}1 functions agree, 1 fused ops

// RUN: fusion-opt %s --fusion-optimize --fusion-split-deconvolutions --fusion-share-concats --fusion-separate-destinations --fusion-place-concats --eliminate-empty-tensors --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize | FileCheck %s

// Three kernels compute in the buffer that is returned.
// CHECK-LABEL: func.func @channels_last(
// CHECK:         %[[ALL:.*]] = memref.alloc() {{.*}} : memref<2x9x11x20xf32>
// CHECK-COUNT-3: fusion.fused_conv_bias_act {{.*}} outs(%{{.*}} : memref<2x9x11x{{[479]}}xf32, strided<[1980, 220, 20, 1]
// CHECK-NOT:     memref.copy
// CHECK:         return %[[ALL]]
func.func @channels_last(%x: tensor<2x9x11x5xf32>, %w0: tensor<1x1x5x7xf32>, %w1: tensor<3x5x5x4xf32>, %w2: tensor<1x1x5x9xf32>) -> tensor<2x9x11x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x9x11x7xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x9x11x7xf32>) -> tensor<2x9x11x7xf32>
  %c0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w0 : tensor<2x9x11x5xf32>, tensor<1x1x5x7xf32>) outs(%f0 : tensor<2x9x11x7xf32>) -> tensor<2x9x11x7xf32>
  %p = tensor.pad %x low[0, 1, 3, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x9x11x5xf32> to tensor<2x11x15x5xf32>
  %e1 = tensor.empty() : tensor<2x9x11x4xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x9x11x4xf32>) -> tensor<2x9x11x4xf32>
  %c1 = linalg.conv_2d_nhwc_hwcf ins(%p, %w1 : tensor<2x11x15x5xf32>, tensor<3x5x5x4xf32>) outs(%f1 : tensor<2x9x11x4xf32>) -> tensor<2x9x11x4xf32>
  %e2 = tensor.empty() : tensor<2x9x11x9xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x9x11x9xf32>) -> tensor<2x9x11x9xf32>
  %c2 = linalg.conv_2d_nhwc_hwcf ins(%x, %w2 : tensor<2x9x11x5xf32>, tensor<1x1x5x9xf32>) outs(%f2 : tensor<2x9x11x9xf32>) -> tensor<2x9x11x9xf32>
  %m = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x9x11x9xf32>) -> tensor<2x9x11x9xf32>
  %relu = linalg.max ins(%c2, %m : tensor<2x9x11x9xf32>, tensor<2x9x11x9xf32>) outs(%e2 : tensor<2x9x11x9xf32>) -> tensor<2x9x11x9xf32>
  %r = tensor.concat dim(3) %c0, %c1, %relu : (tensor<2x9x11x7xf32>, tensor<2x9x11x4xf32>, tensor<2x9x11x9xf32>) -> tensor<2x9x11x20xf32>
  return %r : tensor<2x9x11x20xf32>
}

// The transpose of the result moves behind the concatenation.
// CHECK-LABEL: func.func @channels_first(
// CHECK:         %[[ALL:.*]] = memref.alloc() {{.*}} : memref<2x4x10x11xf32>
// CHECK-COUNT-2: fusion.fused_conv_bias_act {{.*}} outs(%{{.*}} : memref<2x4x10x{{[47]}}xf32, strided<[440, 110, 11, 1]
// CHECK-NOT:     memref.copy
// CHECK:         linalg.transpose ins(%[[ALL]] :
// CHECK:         return
func.func @channels_first(%x: tensor<2x5x9x11xf32>, %w0: tensor<7x5x3x2xf32>, %w1: tensor<4x5x3x2xf32>) -> tensor<2x11x4x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x7x4x10xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x7x4x10xf32>) -> tensor<2x7x4x10xf32>
  %c0 = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w0 : tensor<2x5x9x11xf32>, tensor<7x5x3x2xf32>) outs(%f0 : tensor<2x7x4x10xf32>) -> tensor<2x7x4x10xf32>
  %e1 = tensor.empty() : tensor<2x4x4x10xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x4x4x10xf32>) -> tensor<2x4x4x10xf32>
  %c1 = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w1 : tensor<2x5x9x11xf32>, tensor<4x5x3x2xf32>) outs(%f1 : tensor<2x4x4x10xf32>) -> tensor<2x4x4x10xf32>
  %r = tensor.concat dim(1) %c0, %c1 : (tensor<2x7x4x10xf32>, tensor<2x4x4x10xf32>) -> tensor<2x11x4x10xf32>
  return %r : tensor<2x11x4x10xf32>
}

// The input is copied, the results of both layers are not, and a layer reads the beginning.
// CHECK-LABEL: func.func @dense(
// CHECK:         %[[ALL:.*]] = memref.alloc() {{.*}} : memref<1x7x9x15xf32>
// CHECK:         fusion.fused_conv_bias_act {{.*}} outs(%{{.*}} : memref<1x7x9x4xf32, strided<[945, 135, 15, 1]
// CHECK:         memref.copy
// CHECK:         linalg.abs ins(%{{.*}} : memref<1x7x9x9xf32, strided<[945, 135, 15, 1]>>)
// CHECK:         fusion.fused_conv_bias_act {{.*}} outs(%{{.*}} : memref<1x7x9x6xf32, strided<[945, 135, 15, 1]
// CHECK-NOT:     memref.copy
// CHECK:         return %[[ALL]]
func.func @dense(%x: tensor<1x7x9x5xf32>, %w0: tensor<3x3x5x4xf32>, %w1: tensor<1x1x9x6xf32>) -> tensor<1x7x9x15xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 2, 1, 0] high[0, 0, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x7x9x5xf32> to tensor<1x9x11x5xf32>
  %e0 = tensor.empty() : tensor<1x7x9x4xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x7x9x4xf32>) -> tensor<1x7x9x4xf32>
  %c0 = linalg.conv_2d_nhwc_hwcf ins(%p, %w0 : tensor<1x9x11x5xf32>, tensor<3x3x5x4xf32>) outs(%f0 : tensor<1x7x9x4xf32>) -> tensor<1x7x9x4xf32>
  %k0 = tensor.concat dim(3) %x, %c0 : (tensor<1x7x9x5xf32>, tensor<1x7x9x4xf32>) -> tensor<1x7x9x9xf32>
  %e = tensor.empty() : tensor<1x7x9x9xf32>
  %abs = linalg.abs ins(%k0 : tensor<1x7x9x9xf32>) outs(%e : tensor<1x7x9x9xf32>) -> tensor<1x7x9x9xf32>
  %e1 = tensor.empty() : tensor<1x7x9x6xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x7x9x6xf32>) -> tensor<1x7x9x6xf32>
  %c1 = linalg.conv_2d_nhwc_hwcf ins(%abs, %w1 : tensor<1x7x9x9xf32>, tensor<1x1x9x6xf32>) outs(%f1 : tensor<1x7x9x6xf32>) -> tensor<1x7x9x6xf32>
  %k1 = tensor.concat dim(3) %x, %c0, %c1 : (tensor<1x7x9x5xf32>, tensor<1x7x9x4xf32>, tensor<1x7x9x6xf32>) -> tensor<1x7x9x15xf32>
  return %k1 : tensor<1x7x9x15xf32>
}

// A pool is copied.
// CHECK-LABEL: func.func @pooled(
// CHECK:         fusion.pool {{.*}} outs(%{{.*}} : memref<1x6x4x5xf32>)
// CHECK:         memref.copy
func.func @pooled(%x: tensor<1x8x9x5xf32>, %w0: tensor<3x2x5x4xf32>) -> tensor<1x6x4x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x6x4x4xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %c0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %w0 : tensor<1x8x9x5xf32>, tensor<3x2x5x4xf32>) outs(%f0 : tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x2xf32>
  %e = tensor.empty() : tensor<1x6x4x5xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x6x4x5xf32>) -> tensor<1x6x4x5xf32>
  %pool = linalg.pooling_nhwc_max {strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %window : tensor<1x8x9x5xf32>, tensor<3x2xf32>) outs(%f : tensor<1x6x4x5xf32>) -> tensor<1x6x4x5xf32>
  %r = tensor.concat dim(3) %c0, %pool : (tensor<1x6x4x4xf32>, tensor<1x6x4x5xf32>) -> tensor<1x6x4x9xf32>
  return %r : tensor<1x6x4x9xf32>
}

// Rows of images, below those of an argument.
// CHECK-LABEL: func.func @rows(
// CHECK:         %[[ALL:.*]] = memref.alloc() {{.*}} : memref<2x9x7x4xf32>
// CHECK:         fusion.fused_conv_bias_act {{.*}} outs(%{{.*}} : memref<2x6x7x4xf32, strided<[252, 28, 4, 1], offset: 84>>)
// CHECK:         return %[[ALL]]
func.func @rows(%x: tensor<2x6x7x5xf32>, %y: tensor<2x3x7x4xf32>, %w0: tensor<1x1x5x4xf32>) -> tensor<2x9x7x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x6x7x4xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x6x7x4xf32>) -> tensor<2x6x7x4xf32>
  %c0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w0 : tensor<2x6x7x5xf32>, tensor<1x1x5x4xf32>) outs(%f0 : tensor<2x6x7x4xf32>) -> tensor<2x6x7x4xf32>
  %r = tensor.concat dim(1) %y, %c0 : (tensor<2x3x7x4xf32>, tensor<2x6x7x4xf32>) -> tensor<2x9x7x4xf32>
  return %r : tensor<2x9x7x4xf32>
}

// A loop writes over the concatenation, without a copy.
// CHECK-LABEL: func.func @written_over(
// CHECK:         %[[ALL:.*]] = memref.alloc() {{.*}} : memref<2x9x7x4xf32>
// CHECK-NOT:     memref.alloc()
// CHECK:         linalg.generic {{.*}} outs(%[[ALL]] :
// CHECK:         return %[[ALL]]
func.func @written_over(%x: tensor<2x6x7x5xf32>, %y: tensor<2x3x7x4xf32>, %z: tensor<2x9x7x4xf32>, %w0: tensor<1x1x5x4xf32>) -> tensor<2x9x7x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x6x7x4xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x6x7x4xf32>) -> tensor<2x6x7x4xf32>
  %c0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w0 : tensor<2x6x7x5xf32>, tensor<1x1x5x4xf32>) outs(%f0 : tensor<2x6x7x4xf32>) -> tensor<2x6x7x4xf32>
  %all = tensor.concat dim(1) %y, %c0 : (tensor<2x3x7x4xf32>, tensor<2x6x7x4xf32>) -> tensor<2x9x7x4xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>,
                       affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%z : tensor<2x9x7x4xf32>) outs(%all : tensor<2x9x7x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %floor = math.floor %in : f32
    %product = arith.mulf %floor, %out : f32
    linalg.yield %product : f32
  } -> tensor<2x9x7x4xf32>
  return %r : tensor<2x9x7x4xf32>
}

// A transposed convolution whose step is its window becomes a product of matrices. Its places are
// moved to the buffer, so that the argument alone is copied.
// CHECK-LABEL: func.func @upsampled(
// CHECK:         fusion.fused_conv_bias_act {{.*}} outs(%{{.*}} : memref<2x4x5x36xf32>)
// CHECK:         %[[ALL:.*]] = memref.alloc() {{.*}} : memref<2x8x15x11xf32>
// CHECK:         linalg.transpose {{.*}} outs(%{{.*}} : memref<2x4x2x5x3x6xf32, strided<[1320, 330, 165, 33, 11, 1], offset: 5>>)
// CHECK:         memref.copy
// CHECK-NOT:     memref.copy
// CHECK:         return %[[ALL]]
func.func @upsampled(%x: tensor<2x4x5x4xf32>, %w: tensor<2x3x4x6xf32>, %y: tensor<2x8x15x5xf32>) -> tensor<2x8x15x11xf32> {
  %zero = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<2x9x17x4xf32>
  %zi = linalg.fill ins(%zero : f32) outs(%ei : tensor<2x9x17x4xf32>) -> tensor<2x9x17x4xf32>
  %xi = tensor.insert_slice %x into %zi[0, 1, 2, 0] [2, 4, 5, 4] [1, 2, 3, 1] : tensor<2x4x5x4xf32> into tensor<2x9x17x4xf32>
  %e = tensor.empty() : tensor<2x8x15x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x15x6xf32>) -> tensor<2x8x15x6xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%xi, %w : tensor<2x9x17x4xf32>, tensor<2x3x4x6xf32>) outs(%f : tensor<2x8x15x6xf32>) -> tensor<2x8x15x6xf32>
  %r = tensor.concat dim(3) %y, %c : (tensor<2x8x15x5xf32>, tensor<2x8x15x6xf32>) -> tensor<2x8x15x11xf32>
  return %r : tensor<2x8x15x11xf32>
}

// One that stays computes in the buffer itself.
// CHECK-LABEL: func.func @depthwise(
// CHECK:         %[[ALL:.*]] = memref.alloc() {{.*}} : memref<2x11x16x9xf32>
// CHECK:         fusion.fused_deconv_bias_act {{.*}} outs(%{{.*}} : memref<2x11x16x4xf32, strided<[1584, 144, 9, 1], offset: 5>>)
// CHECK:         memref.copy
// CHECK-NOT:     memref.copy
// CHECK:         return %[[ALL]]
func.func @depthwise(%x: tensor<2x5x8x4xf32>, %w: tensor<3x2x4xf32>, %y: tensor<2x11x16x5xf32>) -> tensor<2x11x16x9xf32> {
  %zero = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<2x13x17x4xf32>
  %zi = linalg.fill ins(%zero : f32) outs(%ei : tensor<2x13x17x4xf32>) -> tensor<2x13x17x4xf32>
  %xi = tensor.insert_slice %x into %zi[0, 2, 1, 0] [2, 5, 8, 4] [1, 2, 2, 1] : tensor<2x5x8x4xf32> into tensor<2x13x17x4xf32>
  %e = tensor.empty() : tensor<2x11x16x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x11x16x4xf32>) -> tensor<2x11x16x4xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwc ins(%xi, %w : tensor<2x13x17x4xf32>, tensor<3x2x4xf32>) outs(%f : tensor<2x11x16x4xf32>) -> tensor<2x11x16x4xf32>
  %r = tensor.concat dim(3) %y, %c : (tensor<2x11x16x5xf32>, tensor<2x11x16x4xf32>) -> tensor<2x11x16x9xf32>
  return %r : tensor<2x11x16x9xf32>
}

// The kernel of a head whose pixels become rows leaves gaps between images.
// CHECK-LABEL: func.func @heads(
// CHECK:         %[[ALL:.*]] = memref.alloc() {{.*}} : memref<2x83x7xf32>
// CHECK:         fusion.fused_conv_bias_act {{.*}} outs(%{{.*}} : memref<2x7x10x7xf32, strided<[581, 70, 7, 1], offset: 91>>)
// CHECK:         memref.copy
// CHECK-NOT:     memref.copy
// CHECK:         return %[[ALL]]
func.func @heads(%x: tensor<2x9x11x5xf32>, %w: tensor<3x2x5x7xf32>, %y: tensor<2x13x7xf32>) -> tensor<2x83x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x7x10x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x7x10x7xf32>) -> tensor<2x7x10x7xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x9x11x5xf32>, tensor<3x2x5x7xf32>) outs(%f : tensor<2x7x10x7xf32>) -> tensor<2x7x10x7xf32>
  %rows = tensor.collapse_shape %c [[0], [1, 2], [3]] : tensor<2x7x10x7xf32> into tensor<2x70x7xf32>
  %r = tensor.concat dim(1) %y, %rows : (tensor<2x13x7xf32>, tensor<2x70x7xf32>) -> tensor<2x83x7xf32>
  return %r : tensor<2x83x7xf32>
}
