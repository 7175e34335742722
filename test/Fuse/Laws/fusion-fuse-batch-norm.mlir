// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefix=COUNT
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN --implicit-check-not=partly

// TVM 59, 126: a batch norm as front ends write it: its mean and beta become part of the bias,
// gamma and the square root part of filter and bias. Other spellings are in
// fusion-fuse-batch-norm-spellings.mlir.

// COUNT-COUNT-7: fusion.fused_conv_bias_act
// COUNT-NOT:     fusion.fused_conv_bias_act
// EXPLAIN-COUNT-7: : fused: {{.*}}bn, bias

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#channel3 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#padded = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#last = affine_map<(d0, d1, d2, d3) -> (d3)>
#last4 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#first = affine_map<(d0, d1, d2, d3) -> (0)>
#id = affine_map<(d0) -> (d0)>

// torch-mlir before 2026: one op, which names the convolution as its destination too.
// CHECK-LABEL: func @torch_one_generic(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[G:[a-z0-9]*]]: tensor<5xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[M:[a-z0-9]*]]: tensor<5xf32>, %[[V:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[N:.*]] = linalg.negf ins(%[[M]] :
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[V]] :
// CHECK-NEXT:      ^bb0(%[[A:.*]]: f32,
// CHECK-NEXT:      %[[E:.*]] = arith.addf %[[A]],
// CHECK-NEXT:      math.rsqrt %[[E]]
// CHECK:         %[[W1:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[S]] :
// CHECK:         %[[B1:.*]] = linalg.generic {{.*}} ins(%[[N]], %[[S]] :
// CHECK:         %[[W2:.*]] = linalg.generic {{.*}} ins(%[[W1]], %[[G]] :
// CHECK:         %[[B2:.*]] = linalg.generic {{.*}} ins(%[[B1]], %[[G]] :
// CHECK:         %[[B3:.*]] = linalg.add ins(%[[B2]], %[[B]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %[[W2]] : {{[^)]*}}) bias(%[[B3]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @torch_one_generic(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f64
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.truncf %eps : f64 to f32
    %2 = arith.addf %p4, %1 : f32
    %3 = math.rsqrt %2 : f32
    %4 = arith.mulf %0, %3 : f32
    %5 = arith.mulf %4, %p1 : f32
    %6 = arith.addf %5, %p2 : f32
    linalg.yield %6 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// As linalg-fuse-elementwise-ops leaves it, with a relu.
// CHECK-LABEL: func @one_generic_relu(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @one_generic_relu(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %m, %v, %g, %b : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.addf %p2, %eps : f32
    %1 = math.rsqrt %0 : f32
    %2 = arith.subf %p0, %p1 : f32
    %3 = arith.mulf %2, %1 : f32
    %4 = arith.mulf %3, %p3 : f32
    %5 = arith.addf %4, %p4 : f32
    %6 = arith.cmpf ugt, %5, %zero : f32
    %7 = arith.select %6, %5, %zero : f32
    linalg.yield %7 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 74, torch-mlir since 2026: parameters expanded to 1x5x1x1, four ops; here with padding, a
// bias that the convolution has already and a relu behind.
// CHECK-LABEL: func @torch_four_generics(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x14x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] pad_low [1, 0] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @torch_four_generics(%x: tensor<2x3x14x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>, %bias: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x14x11xf32> to tensor<2x3x15x11xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %z = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%p, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m4 = tensor.expand_shape %m [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %v4 = tensor.expand_shape %v [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %g4 = tensor.expand_shape %g [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %b4 = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %e4 = tensor.empty() : tensor<1x5x1x1xf32>
  %ve = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%v4 : tensor<1x5x1x1xf32>) outs(%e4 : tensor<1x5x1x1xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.addf %p0, %eps : f32
    linalg.yield %0 : f32
  } -> tensor<1x5x1x1xf32>
  %rs = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%ve : tensor<1x5x1x1xf32>) outs(%e4 : tensor<1x5x1x1xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = math.rsqrt %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<1x5x1x1xf32>
  %t0 = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %m4 : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.subf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %t1 = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t0, %rs : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %t2 = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t1, %g4 : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %t3 = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t2, %b4 : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t3 : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.cmpf ugt, %p0, %zero : f32
    %1 = arith.select %0, %p0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @torch_dynamic_batch(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<?x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @torch_dynamic_batch(%x: tensor<?x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<?x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3x15x11xf32>
  %e = tensor.empty(%n) : tensor<?x5x7x10xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x5x7x10xf32>) -> tensor<?x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<?x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<?x5x7x10xf32>) -> tensor<?x5x7x10xf32>
  %m4 = tensor.expand_shape %m [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %v4 = tensor.expand_shape %v [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %g4 = tensor.expand_shape %g [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %b4 = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %e4 = tensor.empty() : tensor<1x5x1x1xf32>
  %ve = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%v4 : tensor<1x5x1x1xf32>) outs(%e4 : tensor<1x5x1x1xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.addf %p0, %eps : f32
    linalg.yield %0 : f32
  } -> tensor<1x5x1x1xf32>
  %rs = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%ve : tensor<1x5x1x1xf32>) outs(%e4 : tensor<1x5x1x1xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = math.rsqrt %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<1x5x1x1xf32>
  %t0 = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %m4 : tensor<?x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<?x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.subf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<?x5x7x10xf32>
  %t1 = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t0, %rs : tensor<?x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<?x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<?x5x7x10xf32>
  %t2 = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t1, %g4 : tensor<?x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<?x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<?x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t2, %b4 : tensor<?x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<?x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<?x5x7x10xf32>
  return %r : tensor<?x5x7x10xf32>
}

// The FX importer of torch-mlir: a reciprocal that asserts. The assertion stays.
// CHECK-LABEL: func @torch_fx_assert(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         cf.assert %{{.*}}, "unimplemented: tensor with zero element"
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @torch_fx_assert(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %a0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%v : tensor<5xf32>) outs(%e1 : tensor<5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.addf %p0, %eps : f32
    linalg.yield %0 : f32
  } -> tensor<5xf32>
  %a1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%a0 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = math.sqrt %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<5xf32>
  %a2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%a1 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.cmpf one, %p0, %zero : f32
    cf.assert %0, "unimplemented: tensor with zero element"
    %1 = arith.divf %one, %p0 : f32
    linalg.yield %1 : f32
  } -> tensor<5xf32>
  %a3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%a2 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.mulf %p0, %one : f32
    linalg.yield %0 : f32
  } -> tensor<5xf32>
  %m3 = tensor.expand_shape %m [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
  %r3 = tensor.expand_shape %a3 [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
  %g3 = tensor.expand_shape %g [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
  %b3 = tensor.expand_shape %b [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
  %t0 = linalg.generic {indexing_maps = [#all, #channel3, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %m3 : tensor<2x5x7x10xf32>, tensor<5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.subf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %t1 = linalg.generic {indexing_maps = [#all, #channel3, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t0, %r3 : tensor<2x5x7x10xf32>, tensor<5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %t2 = linalg.generic {indexing_maps = [#all, #channel3, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t1, %g3 : tensor<2x5x7x10xf32>, tensor<5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel3, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t2, %b3 : tensor<2x5x7x10xf32>, tensor<5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TOSA: parameters reshaped to 1x1x1x5; the bias of the convolution is a constant 0.
// CHECK-LABEL: func @tosa_nhwc(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x15x11x3xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) strides [2, 1] layouts(nhwc, fhwc, nhwc) {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @tosa_nhwc(%x: tensor<2x15x11x3xf32>, %w: tensor<5x3x2x3xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x7x10x5xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %eps = arith.constant dense<1.0e-5> : tensor<1x1x1x5xf32>
  %b0 = arith.constant dense<0.0> : tensor<1xf32>
  %e = tensor.empty() : tensor<2x7x10x5xf32>
  %e1 = tensor.empty() : tensor<1x1x1x5xf32>
  %z = linalg.generic {indexing_maps = [#first, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b0 : tensor<1xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x7x10x5xf32>
  %c = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x15x11x3xf32>, tensor<5x3x2x3xf32>) outs(%z : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  %m4 = tensor.expand_shape %m [[0, 1, 2, 3]] output_shape [1, 1, 1, 5] : tensor<5xf32> into tensor<1x1x1x5xf32>
  %v4 = tensor.expand_shape %v [[0, 1, 2, 3]] output_shape [1, 1, 1, 5] : tensor<5xf32> into tensor<1x1x1x5xf32>
  %g4 = tensor.expand_shape %g [[0, 1, 2, 3]] output_shape [1, 1, 1, 5] : tensor<5xf32> into tensor<1x1x1x5xf32>
  %b4 = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 1, 1, 5] : tensor<5xf32> into tensor<1x1x1x5xf32>
  %ve = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%v4, %eps : tensor<1x1x1x5xf32>, tensor<1x1x1x5xf32>) outs(%e1 : tensor<1x1x1x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x1x1x5xf32>
  %rs = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%ve : tensor<1x1x1x5xf32>) outs(%e1 : tensor<1x1x1x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = math.rsqrt %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<1x1x1x5xf32>
  %t0 = linalg.generic {indexing_maps = [#all, #last4, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %m4 : tensor<2x7x10x5xf32>, tensor<1x1x1x5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.subf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x7x10x5xf32>
  %t1 = linalg.generic {indexing_maps = [#all, #last4, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t0, %rs : tensor<2x7x10x5xf32>, tensor<1x1x1x5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x7x10x5xf32>
  %t2 = linalg.generic {indexing_maps = [#all, #last4, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t1, %g4 : tensor<2x7x10x5xf32>, tensor<1x1x1x5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x7x10x5xf32>
  %t3 = linalg.generic {indexing_maps = [#all, #last4, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t2, %b4 : tensor<2x7x10x5xf32>, tensor<1x1x1x5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x7x10x5xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t3 : tensor<2x7x10x5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.minimumf %p0, %six : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<2x7x10x5xf32>
  return %r : tensor<2x7x10x5xf32>
}

// StableHLO: parameters broadcast to the result's size; (x - mean) / sqrt(variance + eps).
// CHECK-LABEL: func @stablehlo_broadcasts(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x15x11x3xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] layouts(nhwc, hwcf, nhwc) {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @stablehlo_broadcasts(%x: tensor<2x15x11x3xf32>, %w: tensor<3x2x3x5xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x7x10x5xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant dense<1.0e-3> : tensor<5xf32>
  %e = tensor.empty() : tensor<2x7x10x5xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  %c = linalg.conv_2d_nhwc_hwcf {feature_group_count = 1 : i64, strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x15x11x3xf32>, tensor<3x2x3x5xf32>) outs(%z : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  %ve = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
         ins(%v, %eps : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<5xf32>
  %sd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%ve : tensor<5xf32>) outs(%e1 : tensor<5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = math.sqrt %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<5xf32>
  %u0 = linalg.generic {indexing_maps = [#last, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%m : tensor<5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x7x10x5xf32>
  %t0 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %u0 : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.subf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x7x10x5xf32>
  %u1 = linalg.generic {indexing_maps = [#last, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%sd : tensor<5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x7x10x5xf32>
  %t1 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t0, %u1 : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.divf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x7x10x5xf32>
  %u2 = linalg.generic {indexing_maps = [#last, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%g : tensor<5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x7x10x5xf32>
  %t2 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t1, %u2 : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x7x10x5xf32>
  %u3 = linalg.generic {indexing_maps = [#last, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b : tensor<5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x7x10x5xf32>
  %t3 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t2, %u3 : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x7x10x5xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t3 : tensor<2x7x10x5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.maximumf %p0, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<2x7x10x5xf32>
  return %r : tensor<2x7x10x5xf32>
}
