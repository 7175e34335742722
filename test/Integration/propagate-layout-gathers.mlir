// RUN: %python %S/verify-functions.py %s --fused=resized:2,two_sources:2,other_rank:2 | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR

// Ops that gather from the result of a convolution, as those that resize an image,
// gather from channels last.

// CHECK: {{^}}3 functions agree, 6 fused ops

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// The second place in each row and in the channels counts backwards.
// IR-LABEL: func.func @resized(
// IR:         linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>)
// IR:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc)
// IR-NOT:     linalg.transpose
// IR:         %[[M:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x13x20x5xf32>)
// IR-DAG:       %[[N:.*]] = linalg.index 0
// IR-DAG:       %[[H:.*]] = linalg.index 1
// IR-DAG:       %[[W:.*]] = linalg.index 2
// IR-DAG:       %[[CH:.*]] = linalg.index 3
// IR-DAG:       %[[HALF:.*]] = arith.divui %[[H]],
// IR-DAG:       %[[LEFT:.*]] = arith.divui %[[W]],
// IR:           tensor.extract %[[C]][%[[N]], %[[HALF]], %[[LEFT]], %[[CH]]] : tensor<2x7x10x5xf32>
// IR:           tensor.extract %[[C]][%[[N]], %{{.*}}, %{{.*}}, %{{.*}}] : tensor<2x7x10x5xf32>
// IR-NOT:     linalg.transpose
// IR:         fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]],
// IR:         linalg.transpose
func.func @resized(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x13x19xf32> {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x13x20xf32>
  %m = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x13x20xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %h = arith.divui %i2, %c2 : index
    %l = arith.divui %i3, %c2 : index
    %p = tensor.extract %c[%i0, %i1, %h, %l] : tensor<2x5x7x10xf32>
    %b1 = arith.subi %c4, %i1 : index
    %b2 = arith.subi %c6, %h : index
    %q = tensor.extract %c[%i0, %b1, %b2, %l] : tensor<2x5x7x10xf32>
    %two = arith.addf %q, %q : f32
    %r = arith.subf %p, %two : f32
    linalg.yield %r : f32
  } -> tensor<2x5x13x20xf32>
  %er = tensor.empty() : tensor<2x4x13x19xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x13x19xf32>) -> tensor<2x4x13x19xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%m, %u : tensor<2x5x13x20xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x13x19xf32>) -> tensor<2x4x13x19xf32>
  return %r : tensor<2x4x13x19xf32>
}

// Another tensor, of another rank, is gathered from as it is.
// IR-LABEL: func.func @two_sources(
// IR-SAME:      %[[T:[a-z0-9]+]]: tensor<5x10xf32>
// IR:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc)
// IR:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x7x10x5xf32>)
// IR:           tensor.extract %[[T]]
// IR:           tensor.extract %[[C]]{{.*}} : tensor<2x7x10x5xf32>
func.func @two_sources(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %t: tensor<5x10xf32>) -> tensor<2x4x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %c6 = arith.constant 6 : index
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %p = tensor.extract %t[%i1, %i3] : tensor<5x10xf32>
    %b2 = arith.subi %c6, %i2 : index
    %q = tensor.extract %c[%i0, %i1, %b2, %i3] : tensor<2x5x7x10xf32>
    %r = arith.subf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// A result of another rank has no order of dimensions to follow.
// IR-LABEL: func.func @other_rank(
// IR:         tensor.extract %{{.*}} : tensor<2x5x7x10xf32>
func.func @other_rank(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<6x5x2x2xf32>) -> (tensor<5x7xf32>, tensor<2x6x6x9xf32>) {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<5x7xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x7xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %p = tensor.extract %c[%c1, %i0, %i1, %i0] : tensor<2x5x7x10xf32>
    linalg.yield %p : f32
  } -> tensor<5x7xf32>
  %er = tensor.empty() : tensor<2x6x6x9xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x6x6x9xf32>) -> tensor<2x6x6x9xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%c, %v : tensor<2x5x7x10xf32>, tensor<6x5x2x2xf32>) outs(%fr : tensor<2x6x6x9xf32>) -> tensor<2x6x6x9xf32>
  return %m, %r : tensor<5x7xf32>, tensor<2x6x6x9xf32>
}
