// RUN: fusion-opt %s --fusion-split-sums | FileCheck %s

// The sums of a group norm with channels last: 3 groups of 4 channels. The mean
// of a group is repeated for each of its channels.

#group_norm_x = affine_map<(n, g, c, h, w) -> (n, h, w, g, c)>
#group_norm_y = affine_map<(n, g, c, h, w) -> (n, g)>
// CHECK-DAG:   #[[$ALL:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-DAG:   #[[$CHANNELS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
// CHECK-DAG:   #[[$THREE:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG:   #[[$TWO:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @group_norm(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x6x3x4xf32>, %[[M:.*]]: tensor<2x3xf32>, %[[I:.*]]: tensor<2x3xf32>)
// CHECK:         %[[MEANS:.*]] = linalg.generic {indexing_maps = [#[[$TWO]], #[[$THREE]]], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[M]] : {{.*}}) outs({{.*}} : tensor<2x3x4xf32>)
// CHECK:         %[[F:.*]] = linalg.fill
// CHECK:         %[[P:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNELS]], #[[$CHANNELS]]], iterator_types = ["parallel", "reduction", "reduction", "parallel", "parallel"]} ins(%[[X]], %[[MEANS]] : {{.*}}) outs(%[[F]] : tensor<2x3x4xf32>)
// CHECK:           arith.subf
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK:         %[[R:.*]] = linalg.generic {indexing_maps = [#[[$THREE]], #[[$TWO]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[P]] : {{.*}}) outs(%[[I]] : tensor<2x3xf32>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT:      arith.addf %[[A]], %[[B]]
// CHECK:         return %[[R]]
func.func @group_norm(%x: tensor<2x5x6x3x4xf32>, %m: tensor<2x3xf32>, %init: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = linalg.generic {indexing_maps = [#group_norm_x, #group_norm_y, #group_norm_y], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %m : tensor<2x5x6x3x4xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) {
  ^bb0(%a: f32, %mean: f32, %out: f32):
    %d = arith.subf %a, %mean : f32
    %s = arith.mulf %d, %d : f32
    %t = arith.addf %out, %s : f32
    linalg.yield %t : f32
  } -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}


// Two inner dimensions, and a result with dimensions of size 1.

#maxima_x = affine_map<(g, c, h, k) -> (h, g, c, k)>
#maxima_y = affine_map<(g, c, h, k) -> (0, g, 0)>
// CHECK-LABEL: func @maxima(
// CHECK:         arith.constant 0xFF800000 : f32
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel", "parallel"]} {{.*}} outs({{.*}} : tensor<3x4x2xf32>)
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "reduction"]} ins({{.*}} : tensor<3x4x2xf32>) outs({{.*}} : tensor<1x3x1xf32>)
func.func @maxima(%x: tensor<9x3x4x2xf32>, %init: tensor<1x3x1xf32>) -> tensor<1x3x1xf32> {
  %r = linalg.generic {indexing_maps = [#maxima_x, #maxima_y], iterator_types = ["parallel", "reduction", "reduction", "reduction"]}
      ins(%x : tensor<9x3x4x2xf32>) outs(%init : tensor<1x3x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %t = arith.maximumf %a, %out : f32
    linalg.yield %t : f32
  } -> tensor<1x3x1xf32>
  return %r : tensor<1x3x1xf32>
}


// Integers, of sizes that only the call knows.

#integers_x = affine_map<(g, c, h) -> (h, g, c)>
#integers_y = affine_map<(g, c, h) -> (g)>
// CHECK-LABEL: func @integers(
// CHECK:         tensor.empty(%{{.*}}, %{{.*}}) : tensor<?x?xi32>
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel"]}
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
func.func @integers(%x: tensor<?x?x?xi8>, %init: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.generic {indexing_maps = [#integers_x, #integers_y], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<?x?x?xi8>) outs(%init : tensor<?xi32>) {
  ^bb0(%a: i8, %out: i32):
    %e = arith.extsi %a : i8 to i32
    %t = arith.addi %out, %e : i32
    linalg.yield %t : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}


//===----------------------------------------------------------------------===//
// Near misses
//===----------------------------------------------------------------------===//

// Channels first: all that is summed up lies side by side.

#channels_first_x = affine_map<(g, c, h) -> (g, c, h)>
#channels_first_y = affine_map<(g, c, h) -> (g)>
// CHECK-LABEL: func @channels_first(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @channels_first(%x: tensor<3x4x5xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [#channels_first_x, #channels_first_y], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<3x4x5xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%a: f32, %out: f32):
    %t = arith.addf %out, %a : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}


// Channels are not reduced.

#channels_kept_x = affine_map<(h, g, c) -> (h, g, c)>
#channels_kept_y = affine_map<(h, g, c) -> (g, c)>
// CHECK-LABEL: func @channels_kept(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @channels_kept(%x: tensor<9x3x4xf32>, %init: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.generic {indexing_maps = [#channels_kept_x, #channels_kept_y], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%x : tensor<9x3x4xf32>) outs(%init : tensor<3x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %t = arith.addf %out, %a : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}


// The first op would write an element for five that it reads.

#few_x = affine_map<(g, c, h) -> (h, g, c)>
#few_y = affine_map<(g, c, h) -> (g)>
// CHECK-LABEL: func @few(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @few(%x: tensor<5x3x4xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [#few_x, #few_y], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<5x3x4xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%a: f32, %out: f32):
    %t = arith.addf %out, %a : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// A difference depends on the order.

#no_combiner_x = affine_map<(g, c, h) -> (h, g, c)>
#no_combiner_y = affine_map<(g, c, h) -> (g)>
// CHECK-LABEL: func @no_combiner(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @no_combiner(%x: tensor<9x3x4xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [#no_combiner_x, #no_combiner_y], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<9x3x4xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%a: f32, %out: f32):
    %t = arith.subf %a, %out : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}


// The sum is multiplied in each step.

#two_steps_x = affine_map<(g, c, h) -> (h, g, c)>
#two_steps_y = affine_map<(g, c, h) -> (g)>
// CHECK-LABEL: func @two_steps(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @two_steps(%x: tensor<9x3x4xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [#two_steps_x, #two_steps_y], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<9x3x4xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.mulf %out, %a : f32
    %t = arith.addf %m, %a : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}


// The addend depends on the place.

#reads_the_index_x = affine_map<(g, c, h) -> (h, g, c)>
#reads_the_index_y = affine_map<(g, c, h) -> (g)>
// CHECK-LABEL: func @reads_the_index(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @reads_the_index(%x: tensor<9x3x4xi32>, %init: tensor<3xi32>) -> tensor<3xi32> {
  %r = linalg.generic {indexing_maps = [#reads_the_index_x, #reads_the_index_y], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<9x3x4xi32>) outs(%init : tensor<3xi32>) {
  ^bb0(%a: i32, %out: i32):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i32
    %m = arith.addi %c, %a : i32
    %t = arith.addi %out, %m : i32
    linalg.yield %t : i32
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}


// Windows overlap.

#windows_x = affine_map<(g, c, h) -> (h, g, c)>
#windows_w = affine_map<(g, c, h) -> (h + g, g)>
#windows_y = affine_map<(g, c, h) -> (g)>
// CHECK-LABEL: func @windows(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @windows(%x: tensor<9x3x4xf32>, %w: tensor<11x3xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [#windows_x, #windows_w, #windows_y], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<9x3x4xf32>, tensor<11x3xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.maximumf %a, %b : f32
    %t = arith.addf %out, %s : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
