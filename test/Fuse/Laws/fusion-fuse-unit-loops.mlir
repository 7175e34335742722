// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=fused:
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: fusion-opt %s --fusion-raise --fusion-fuse=disable=reshape --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF

// Element-wise ops that a reshape is merged with, which adds dimensions of size 1: they have a
// loop of one iteration that does not read the result. ../../Integration/fuse-bias.test runs
// all of it.

#c = affine_map<(n, f, h, w, u) -> (n, f, h, w)>
#b = affine_map<(n, f, h, w, u) -> (f)>
#all = affine_map<(n, f, h, w, u) -> (n, f, h, w, u)>
#cu = affine_map<(n, u, f, h, w) -> (n, f, h, w)>
#su = affine_map<(n, u, f, h, w) -> (n, u, f, h, w)>
#m = affine_map<(n, u, v, c) -> (n, c)>
#v = affine_map<(n, u, v, c) -> (c)>
#pixel = affine_map<(n, u, v, c) -> (n, u, v, c)>
#rows = affine_map<(n, f, u, w, h) -> (n, f, h, w)>
#sums = affine_map<(n, f, u, w, h) -> (n, f, u, w)>

// A bias and relu;
// CHECK-LABEL: func @bias_and_relu(
// CHECK:         fusion.fused_conv_bias_act relu ins({{.*}} bias(%{{.*}} -> tensor<2x5x7x10xf32>
// CHECK-NOT:     linalg.generic
func.func @bias_and_relu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10x1xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10x1xf32>
  // WHY: :[[#@LINE+2]]:8: fused: bias, relu{{$}}
  // OFF: :[[#@LINE+1]]:8: partly fused: convolution alone; 'linalg.generic' reads the result by the map (d0, d1, d2, d3, d4) -> (d0, d1, d2, d3), expected each element at its own place{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#c, #b, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10x1xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.addf %p, %q : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x5x7x10x1xf32>
  return %r : tensor<2x5x7x10x1xf32>
}

// a residual that has the dimension;
// CHECK-LABEL: func @residual(
// CHECK:         fusion.fused_conv_bias_act relu ins({{.*}} residual(%{{.*}} -> tensor<2x5x7x10xf32>
// CHECK-NOT:     linalg.generic
func.func @residual(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %t: tensor<2x1x5x7x10xf32>) -> tensor<2x1x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x1x5x7x10xf32>
  // WHY: :[[#@LINE+1]]:8: fused: residual, relu{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#su, #cu, #su], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%t, %c : tensor<2x1x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x1x5x7x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.addf %p, %q : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x1x5x7x10xf32>
  return %r : tensor<2x1x5x7x10xf32>
}

// numbers of channels that become images of one pixel, at a batch that is dynamic;
// CHECK-LABEL: func @gate(
// CHECK:         fusion.fused_matmul_bias_act sigmoid ins({{.*}} bias(%{{.*}} -> tensor<?x6xf32>
// CHECK-NOT:     linalg.generic
func.func @gate(%x: tensor<?x7xf32>, %w: tensor<7x6xf32>, %b: tensor<6xf32>) -> tensor<?x1x1x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x7xf32>
  %y = tensor.empty(%n) : tensor<?x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%y : tensor<?x6xf32>) -> tensor<?x6xf32>
  %e = tensor.empty(%n) : tensor<?x1x1x6xf32>
  // WHY: :[[#@LINE+1]]:8: fused: bias, sigmoid{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<?x7xf32>, tensor<7x6xf32>) outs(%z : tensor<?x6xf32>) -> tensor<?x6xf32>
  %r = linalg.generic {indexing_maps = [#m, #v, #pixel], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<?x6xf32>, tensor<6xf32>) outs(%e : tensor<?x1x1x6xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.addf %p, %q : f32
    %t = arith.negf %s : f32
    %u = math.exp %t : f32
    %v = arith.addf %u, %one : f32
    %g = arith.divf %one, %v : f32
    linalg.yield %g : f32
  } -> tensor<?x1x1x6xf32>
  return %r : tensor<?x1x1x6xf32>
}

// a broadcast that repeats nothing, which is a reshape;
// CHECK-LABEL: func @broadcast(
// CHECK:         %[[C:.*]] = fusion.fused_matmul_bias_act relu ins
// CHECK-NEXT:    %[[R:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0, 1, 2], [3]] output_shape [3, 1, 1, 6]
// CHECK-NEXT:    return %[[R]]
func.func @broadcast(%x: tensor<3x7xf32>, %w: tensor<7x6xf32>) -> tensor<3x1x1x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<3x6xf32>
  %y = tensor.empty() : tensor<3x6xf32>
  %e = tensor.empty() : tensor<3x1x1x6xf32>
  // WHY: :[[#@LINE+1]]:8: fused: relu{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<3x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<3x6xf32>) -> tensor<3x6xf32>
  %m = linalg.max ins(%c, %zero : tensor<3x6xf32>, tensor<3x6xf32>) outs(%y : tensor<3x6xf32>) -> tensor<3x6xf32>
  %r = linalg.broadcast ins(%m : tensor<3x6xf32>) outs(%e : tensor<3x1x1x6xf32>) dimensions = [1, 2]
  return %r : tensor<3x1x1x6xf32>
}

// but no loop of three iterations,
// CHECK-LABEL: func @repeated(
// CHECK:         fusion.fused_conv_bias_act ins({{.*}} -> tensor<2x5x7x10xf32>
// CHECK:         linalg.generic
func.func @repeated(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10x3xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10x3xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; 'linalg.generic' reads the result by the map (d0, d1, d2, d3, d4) -> (d0, d1, d2, d3), expected each element at its own place{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#c, #b, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10x3xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.addf %p, %q : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x5x7x10x3xf32>
  return %r : tensor<2x5x7x10x3xf32>
}

// nor one of a sum over rows, which is not element-wise.
// CHECK-LABEL: func @sums(
// CHECK:         fusion.fused_conv_bias_act ins({{.*}} -> tensor<2x5x7x10xf32>
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
func.func @sums(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x1x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = arith.constant dense<0.0> : tensor<2x5x1x10xf32>
  // WHY: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#rows, #sums], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x1x10xf32>) {
  ^bb0(%p: f32, %out: f32):
    %s = arith.addf %p, %out : f32
    linalg.yield %s : f32
  } -> tensor<2x5x1x10xf32>
  return %r : tensor<2x5x1x10xf32>
}

// A broadcast that repeats keeps its name,
// CHECK-LABEL: func @repeated_by_name(
// CHECK:         linalg.broadcast
func.func @repeated_by_name(%x: tensor<3x7xf32>, %w: tensor<7x6xf32>) -> tensor<3x2x1x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<3x6xf32>
  %e = tensor.empty() : tensor<3x2x1x6xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; 'linalg.broadcast' reads the result by the map (d0, d1, d2, d3) -> (d0, d3), expected each element at its own place{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<3x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<3x6xf32>) -> tensor<3x6xf32>
  %r = linalg.broadcast ins(%c : tensor<3x6xf32>) outs(%e : tensor<3x2x1x6xf32>) dimensions = [1, 2]
  return %r : tensor<3x2x1x6xf32>
}

// and one of another tensor than the result of a fusion op stays, too.
// CHECK-LABEL: func @argument(
// CHECK:         linalg.broadcast
func.func @argument(%x: tensor<3x6xf32>) -> tensor<3x1x1x6xf32> {
  %e = tensor.empty() : tensor<3x1x1x6xf32>
  %r = linalg.broadcast ins(%x : tensor<3x6xf32>) outs(%e : tensor<3x1x1x6xf32>) dimensions = [1, 2]
  return %r : tensor<3x1x1x6xf32>
}
