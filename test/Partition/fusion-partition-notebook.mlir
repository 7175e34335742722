// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_relu,conv2d" | FileCheck %s --check-prefix=LARGE
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d,conv2d_relu" | FileCheck %s --check-prefix=SMALL
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_relu,conv2d merge=true" | FileCheck %s --check-prefix=MERGED

// The networks of TVM's tutorial and of test_codegen_dnnl.py: paddings of 1 and of 0,
// taken into the composite. TVM 4, 5, 6, 33, 36.

// Conv2dReLUx2. The first convolution has a padding, the second one none.
// LARGE-LABEL: func.func @conv2d_relu_x2(
// LARGE-NEXT:    %[[A:.*]] = call @fused_conv2d_relu(%arg0, %arg1)
// LARGE-NEXT:    %[[B:.*]] = call @fused_conv2d_relu_1(%[[A]], %arg2)
// LARGE-NEXT:    return %[[B]]
// SMALL-LABEL: func.func @conv2d_relu_x2(
// SMALL:         %[[A:.*]] = call @fused_conv2d(%arg0, %arg1)
// SMALL-NEXT:    %[[B:.*]] = linalg.generic {{.*}} ins(%[[A]]
// SMALL:         %[[C:.*]] = call @fused_conv2d_1(%[[B]], %arg2)
// SMALL:         linalg.generic {{.*}} ins(%[[C]]
// MERGED-LABEL: func.func @conv2d_relu_x2(
// MERGED-NEXT:    %[[R:.*]] = call @dnnl_region(%arg0, %arg1, %arg2)
// MERGED-NEXT:    return %[[R]]
#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @conv2d_relu_x2(%x: tensor<1x64x56x56xf32>, %w1: tensor<64x64x3x3xf32>, %w2: tensor<64x64x3x3xf32>) -> tensor<1x64x54x54xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x64x56x56xf32> to tensor<1x64x58x58xf32>
  %e1 = tensor.empty() : tensor<1x64x56x56xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %c1 = linalg.conv_2d_nchw_fchw ins(%p, %w1 : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%f1 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %r1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c1 : tensor<1x64x56x56xf32>) outs(%e1 : tensor<1x64x56x56xf32>) {
  ^bb0(%a: f32, %o: f32):
    %g = arith.cmpf ugt, %a, %zero : f32
    %m = arith.select %g, %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x64x56x56xf32>
  %e2 = tensor.empty() : tensor<1x64x54x54xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %c2 = linalg.conv_2d_nchw_fchw ins(%r1, %w2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%f2 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %r2 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c2 : tensor<1x64x54x54xf32>) outs(%e2 : tensor<1x64x54x54xf32>) {
  ^bb0(%a: f32, %o: f32):
    %g = arith.cmpf ugt, %a, %zero : f32
    %m = arith.select %g, %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x64x54x54xf32>
  return %r2 : tensor<1x64x54x54xf32>
}

// Conv2dConv2dReLU.
// LARGE-LABEL: func.func @conv2d_conv2d_relu(
// LARGE-NEXT:    %[[A:.*]] = call @fused_conv2d(%arg0, %arg1)
// LARGE-NEXT:    %[[B:.*]] = call @fused_conv2d_relu_1(%[[A]], %arg2)
// LARGE-NEXT:    return %[[B]]
// SMALL-LABEL: func.func @conv2d_conv2d_relu(
// SMALL:         %[[A:.*]] = call @fused_conv2d(%arg0, %arg1)
// SMALL:         %[[C:.*]] = call @fused_conv2d_1(%[[A]], %arg2)
// SMALL-NEXT:    linalg.generic {{.*}} ins(%[[C]]
// MERGED-LABEL: func.func @conv2d_conv2d_relu(
// MERGED-NEXT:    %[[R:.*]] = call @dnnl_region_1(%arg0, %arg1, %arg2)
// MERGED-NEXT:    return %[[R]]
func.func @conv2d_conv2d_relu(%x: tensor<1x64x56x56xf32>, %w1: tensor<64x64x3x3xf32>, %w2: tensor<64x64x3x3xf32>) -> tensor<1x64x54x54xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x64x56x56xf32> to tensor<1x64x58x58xf32>
  %e1 = tensor.empty() : tensor<1x64x56x56xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %c1 = linalg.conv_2d_nchw_fchw ins(%p, %w1 : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%f1 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %e2 = tensor.empty() : tensor<1x64x54x54xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %c2 = linalg.conv_2d_nchw_fchw ins(%c1, %w2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%f2 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %r2 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c2 : tensor<1x64x54x54xf32>) outs(%e2 : tensor<1x64x54x54xf32>) {
  ^bb0(%a: f32, %o: f32):
    %g = arith.cmpf ugt, %a, %zero : f32
    %m = arith.select %g, %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x64x54x54xf32>
  return %r2 : tensor<1x64x54x54xf32>
}

// LARGE:      func.func private @fused_conv2d_relu({{.*}}fusion.composite = "dnnl.conv2d_relu"
// LARGE:        tensor.pad
// LARGE:        linalg.conv_2d_nchw_fchw
// LARGE:        linalg.generic
// LARGE:      func.func private @fused_conv2d_relu_1({{.*}}fusion.composite = "dnnl.conv2d_relu"
// LARGE-NOT:    tensor.pad
// LARGE:        linalg.conv_2d_nchw_fchw
// LARGE:        linalg.generic
// LARGE:      func.func private @fused_conv2d({{.*}}fusion.composite = "dnnl.conv2d"
// LARGE:        tensor.pad
// LARGE:        linalg.conv_2d_nchw_fchw
// LARGE-NOT:    linalg.generic
// LARGE-NOT:  func.func
// SMALL:      func.func private @fused_conv2d({{.*}}fusion.composite = "dnnl.conv2d"
// SMALL:        tensor.pad
// SMALL-NOT:    linalg.generic
// SMALL:      func.func private @fused_conv2d_1({{.*}}fusion.composite = "dnnl.conv2d"
// SMALL-NOT:    linalg.generic
// SMALL-NOT:  func.func
