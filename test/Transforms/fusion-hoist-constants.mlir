// RUN: fusion-opt %s --fusion-hoist-constants --split-input-file | FileCheck %s

// Ops that depend on arguments marked `fusion.constant` alone move to a function that
// runs once; `not` names those that stay where they are.

// The filter scaled by a batch norm's parameters, which are arguments.
// CHECK-LABEL: func @scaled_filter(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32> {bufferization.writable = false, fusion.constant}, %[[S:[a-z0-9]*]]: tensor<5xf32> {bufferization.writable = false, fusion.constant}
// CHECK-NEXT:    %[[ONCE:.*]] = fusion.rt.once @scaled_filter_constants(
// CHECK-SAME:      -> tensor<5x3x3x2xf32>
// CHECK-NOT:     linalg.generic
// CHECK-NOT:     tensor<5x3x3x2xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[ONCE]] :
// CHECK-NOT:     linalg.generic
// CHECK:         return
// The arguments may come in any order, those of the call in the same.
// CHECK-LABEL: func private @scaled_filter_constants(
// CHECK-SAME:    %{{[a-z0-9]*}}: tensor<5{{[x0-9]*}}xf32> {bufferization.writable = false}, %{{[a-z0-9]*}}: tensor<5{{[x0-9]*}}xf32> {bufferization.writable = false}) -> tensor<5x3x3x2xf32> {
// CHECK-NEXT:    %[[E:.*]] = tensor.empty() : tensor<5x3x3x2xf32>
// CHECK-NEXT:    %[[R:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<5x3x3x2xf32>, tensor<5xf32>) outs(%[[E]] :
// CHECK:           arith.mulf
// CHECK:         return %[[R]] : tensor<5x3x3x2xf32>
func.func @scaled_filter(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32> {fusion.constant}, %s: tensor<5xf32> {fusion.constant}) -> tensor<1x5x7x10xf32> {
  %e = tensor.empty() : tensor<5x3x3x2xf32>
  %scaled = linalg.generic {
      indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<5x3x3x2xf32>, tensor<5xf32>) outs(%e : tensor<5x3x3x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<5x3x3x2xf32>
  %o = tensor.empty() : tensor<1x5x7x10xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
         ins(%x, %scaled : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%o : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// -----

// Two results, of which one has two users; values in between are none of them.
// CHECK-LABEL: func @several_results(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x5xf32>, %[[W:[a-z0-9]*]]: tensor<5x3xf32> {bufferization.writable = false, fusion.constant}
// CHECK-NEXT:    %[[ONCE:.*]]:2 = fusion.rt.once @several_results_constants(%[[W]]) : (tensor<5x3xf32>) -> (tensor<3x5xf32>, tensor<3x5xi32>)
// CHECK-NOT:     linalg.transpose
// CHECK-NOT:     math.exp
// CHECK:         arith.addf %[[X]], %[[ONCE]]#0
// CHECK-NEXT:    arith.mulf %{{.*}}, %[[ONCE]]#0
// CHECK-NEXT:    arith.fptosi
// CHECK-NEXT:    arith.addi %{{.*}}, %[[ONCE]]#1
// CHECK-NEXT:    return
// CHECK-LABEL: func private @several_results_constants(
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK-NEXT:    %[[E:.*]] = math.exp %[[T]]
// CHECK-NEXT:    %[[I:.*]] = arith.fptosi %[[E]]
// CHECK-NEXT:    return %[[T]], %[[I]] : tensor<3x5xf32>, tensor<3x5xi32>
func.func @several_results(%x: tensor<3x5xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<3x5xi32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x3xf32>) outs(%e : tensor<3x5xf32>) permutation = [1, 0]
  %exp = math.exp %t : tensor<3x5xf32>
  %i = arith.fptosi %exp : tensor<3x5xf32> to tensor<3x5xi32>
  %a = arith.addf %x, %t : tensor<3x5xf32>
  %b = arith.mulf %a, %t : tensor<3x5xf32>
  %c = arith.fptosi %b : tensor<3x5xf32> to tensor<3x5xi32>
  %r = arith.addi %c, %i : tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}

// -----

// A reshape of a result stays beside its user: only the result behind it moves.
// CHECK-LABEL: func @reshape_of_a_result(
// CHECK-NEXT:    %[[ONCE:.*]] = fusion.rt.once @reshape_of_a_result_constants(%{{.*}}) : (tensor<5x3xf32>) -> tensor<5x3xf32>
// CHECK-NEXT:    %[[FLAT:.*]] = tensor.collapse_shape %[[ONCE]]
// CHECK-NEXT:    arith.addf %{{.*}}, %[[FLAT]]
// CHECK-LABEL: func private @reshape_of_a_result_constants(
// CHECK-NEXT:    %[[E:.*]] = math.exp
// CHECK-NEXT:    return %[[E]]
func.func @reshape_of_a_result(%x: tensor<15xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<15xf32> {
  %e = math.exp %w : tensor<5x3xf32>
  %f = tensor.collapse_shape %e [[0, 1]] : tensor<5x3xf32> into tensor<15xf32>
  %r = arith.addf %x, %f : tensor<15xf32>
  return %r : tensor<15xf32>
}

// -----

// Used inside a region, and the region itself is not constant.
// CHECK-LABEL: func @used_in_a_region(
// CHECK-NEXT:    %[[ONCE:.*]] = fusion.rt.once @used_in_a_region_constants(
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      arith.addf %{{.*}}, %[[ONCE]]
// CHECK-LABEL: func private @used_in_a_region_constants(
// CHECK-NEXT:    math.exp
func.func @used_in_a_region(%x: tensor<5x3xf32>, %c: i1, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<5x3xf32> {
  %e = math.exp %w : tensor<5x3xf32>
  %r = scf.if %c -> tensor<5x3xf32> {
    %a = arith.addf %x, %e : tensor<5x3xf32>
    scf.yield %a : tensor<5x3xf32>
  } else {
    scf.yield %x : tensor<5x3xf32>
  }
  return %r : tensor<5x3xf32>
}

// -----

// Used in another block.
// CHECK-LABEL: func @used_in_a_block(
// CHECK-NEXT:    %[[ONCE:.*]] = fusion.rt.once @used_in_a_block_constants(
// CHECK:       ^bb1:
// CHECK-NEXT:    arith.addf %{{.*}}, %[[ONCE]]
// CHECK-LABEL: func private @used_in_a_block_constants(
// CHECK-NEXT:    math.exp
func.func @used_in_a_block(%x: tensor<5x3xf32>, %c: i1, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<5x3xf32> {
  %e = math.exp %w : tensor<5x3xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = arith.addf %x, %e : tensor<5x3xf32>
  return %a : tensor<5x3xf32>
^bb2:
  return %x : tensor<5x3xf32>
}

// -----

// A region all of whose values are constant moves as a whole.
// CHECK-LABEL: func @constant_region(
// CHECK-NEXT:    %[[ONCE:.*]] = fusion.rt.once @constant_region_constants(
// CHECK-NOT:     scf.if
// CHECK:         arith.addf %{{.*}}, %[[ONCE]]
// CHECK-LABEL: func private @constant_region_constants(
// CHECK:         tensor.extract
// CHECK-NEXT:    %[[IF:.*]] = scf.if
// CHECK:         return %[[IF]]
func.func @constant_region(%x: tensor<5x3xf32>, %c: tensor<i1> {fusion.constant}, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<5x3xf32> {
  %b = tensor.extract %c[] : tensor<i1>
  %e = scf.if %b -> tensor<5x3xf32> {
    %a = math.exp %w : tensor<5x3xf32>
    scf.yield %a : tensor<5x3xf32>
  } else {
    scf.yield %w : tensor<5x3xf32>
  }
  %r = arith.addf %x, %e : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// -----

// One function of constants for each function; the name that is taken is not lost.
// CHECK-LABEL: func @main(
// CHECK-NEXT:    fusion.rt.once @[[$CONSTANTS:main_constants_[0-9]+]](
// CHECK-NEXT:    call @main_constants(
// CHECK-LABEL: func private @main_constants(
// CHECK-NEXT:    arith.negf
// CHECK-LABEL: func @other(
// CHECK-NEXT:    fusion.rt.once @other_constants(
// CHECK:       func private @[[$CONSTANTS]](
// CHECK-NEXT:    math.exp
// CHECK:       func private @other_constants(
// CHECK-NEXT:    math.absf
func.func @main(%x: tensor<5x3xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<5x3xf32> {
  %e = math.exp %w : tensor<5x3xf32>
  %n = call @main_constants(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %r = arith.addf %n, %e : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func private @main_constants(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = arith.negf %x : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func @other(%x: tensor<5x3xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<5x3xf32> {
  %e = math.absf %w : tensor<5x3xf32>
  %r = arith.addf %x, %e : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// -----

// An op that the slice and other ops need, and that is no result, is in both.
// CHECK-LABEL: func @shared_scalar(
// CHECK-NEXT:    %[[ONCE:.*]] = fusion.rt.once @shared_scalar_constants(
// CHECK:         %[[S:.*]] = tensor.extract
// CHECK:         linalg.fill ins(%[[S]] : f32)
// CHECK:         arith.addf %{{.*}}, %[[ONCE]]
// CHECK-LABEL: func private @shared_scalar_constants(
// CHECK:         %[[S2:.*]] = tensor.extract
// CHECK:         tensor.splat %[[S2]]
func.func @shared_scalar(%x: tensor<5x3xf32>, %d: index, %w: tensor<f32> {fusion.constant}) -> (tensor<5x3xf32>, tensor<?xf32>) {
  %s = tensor.extract %w[] : tensor<f32>
  %e = tensor.splat %s : tensor<5x3xf32>
  %o = tensor.empty(%d) : tensor<?xf32>
  %f = linalg.fill ins(%s : f32) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %r = arith.addf %x, %e : tensor<5x3xf32>
  return %r, %f : tensor<5x3xf32>, tensor<?xf32>
}

// -----

// Constants that are larger when computed, so that no pass folds them: dequantised weights. The
// zeros depend on no tensor and stay.
// CHECK-LABEL: func @dequantised(
// CHECK:         %[[ONCE:.*]] = fusion.rt.once @dequantised_constants() : () -> tensor<3x4xf32>
// CHECK-NOT:     arith.sitofp
// CHECK:         linalg.fill
// CHECK:         fusion.fused_matmul_bias_act ins(%{{.*}}, %[[ONCE]] :
// CHECK-LABEL: func private @dequantised_constants() -> tensor<3x4xf32>
// CHECK:         arith.constant dense<{{.*}}> : tensor<3x4xi8>
// CHECK:         arith.sitofp
func.func @dequantised(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
  %w = arith.constant dense<[[1, 2, 3, 4], [-5, 6, -7, 8], [9, 10, 11, -12]]> : tensor<3x4xi8>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.03 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<3x4xi8>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%a: i8, %b: f32):
    %f = arith.sitofp %a : i8 to f32
    %m = arith.mulf %f, %scale : f32
    linalg.yield %m : f32
  } -> tensor<3x4xf32>
  %o = tensor.empty() : tensor<2x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = fusion.fused_matmul_bias_act ins(%x, %d : tensor<2x3xf32>, tensor<3x4xf32>) outs(%z : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

// A transpose of a constant is as large as the constant. So is one in a generic, of
// integers, behind a reshape.
// CHECK-LABEL: func @permutations(
// CHECK:         %[[C:.*]]:2 = fusion.rt.once @permutations_constants() : () -> (tensor<3x2xf32>, tensor<3x1x2xi32>)
// CHECK:         arith.addf %{{.*}}, %[[C]]#0
// CHECK:         arith.addi %{{.*}}, %[[C]]#1
// CHECK-LABEL: func private @permutations_constants(
// CHECK:         linalg.transpose
// CHECK:         linalg.generic
func.func @permutations(%x: tensor<3x2xf32>, %i: tensor<3x1x2xi32>) -> (tensor<3x2xf32>, tensor<3x1x2xi32>) {
  %c = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%c : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  %r = arith.addf %x, %t : tensor<3x2xf32>
  %d = arith.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %d2 = tensor.expand_shape %d [[0, 1]] output_shape [2, 3] : tensor<6xi32> into tensor<2x3xi32>
  %f = tensor.empty() : tensor<3x1x2xi32>
  %g = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (c, a)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%d2 : tensor<2x3xi32>) outs(%f : tensor<3x1x2xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<3x1x2xi32>
  %s = arith.addi %i, %g : tensor<3x1x2xi32>
  return %r, %s : tensor<3x2xf32>, tensor<3x1x2xi32>
}

// -----

// An op that repeats elements of a transpose stays.
// CHECK-LABEL: func @repeated_permutation(
// CHECK:         %[[C:.*]] = fusion.rt.once @repeated_permutation_constants() : () -> tensor<3x2xf32>
// CHECK:         linalg.broadcast ins(%[[C]] :
// CHECK-LABEL: func private @repeated_permutation_constants(
// CHECK-NOT:     linalg.broadcast
// CHECK:         return %{{.*}} : tensor<3x2xf32>
func.func @repeated_permutation(%x: tensor<5x3x2xf32>) -> tensor<5x3x2xf32> {
  %c = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%c : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  %f = tensor.empty() : tensor<5x3x2xf32>
  %b = linalg.broadcast ins(%t : tensor<3x2xf32>) outs(%f : tensor<5x3x2xf32>) dimensions = [0]
  %r = arith.addf %x, %b : tensor<5x3x2xf32>
  return %r : tensor<5x3x2xf32>
}
