// RUN: fusion-opt %s --fusion-split-batch="cache-bytes=8192 start-bytes=0" --canonicalize --remarks-filter='fusion.*' --remark-format=emitRemark -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK --implicit-check-not=remark:
// RUN: fusion-opt %s --fusion-split-batch=cache-bytes=0 | FileCheck %s --check-prefix=NEVER
// RUN: not fusion-opt %s --fusion-split-batch=cache-bytes=-1 2>&1 | FileCheck %s --check-prefix=CACHE
// RUN: not fusion-opt %s --fusion-split-batch=start-bytes=-2 2>&1 | FileCheck %s --check-prefix=START

// CACHE: error: 'cache-bytes' must not be negative, got -1
// START: error: 'start-bytes' must not be negative, got -2

// If an op touches more than 8192 bytes of a batch, as many images are computed at a
// time as touch at most this much.

// NEVER-NOT: scf.for

// The pool touches 512 floats for an image, the convolution 768: two images fit. The
// convolution, which would write over its residual, gets a destination that
// iterations share.
// CHECK-LABEL: func @chain(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<6x8x8x4xf32>, %[[W:[a-z0-9]+]]: tensor<4x4x1x1xf32>)
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[C6:.*]] = arith.constant 6 : index
// CHECK-DAG:     %[[E:.*]] = tensor.empty() : tensor<6x8x8x4xf32>
// CHECK:         %[[LOOP:.*]] = scf.for %[[I:.*]] = %[[C0]] to %[[C6]] step %[[C2]] iter_args(%[[ALL:.*]] = %[[E]]) -> (tensor<6x8x8x4xf32>)
// CHECK-NEXT:      %[[XI:.*]] = tensor.extract_slice %[[X]][%[[I]], 0, 0, 0] [2, 8, 8, 4] [1, 1, 1, 1]
// CHECK-NEXT:      %[[EI:.*]] = tensor.empty() : tensor<2x8x8x4xf32>
// CHECK-NEXT:      %[[A:.*]] = fusion.pool {{.*}} ins(%[[XI]] : {{.*}}) outs(%[[EI]] :
// CHECK-NEXT:      %[[OUT:.*]] = tensor.extract_slice %[[ALL]][%[[I]], 0, 0, 0] [2, 8, 8, 4] [1, 1, 1, 1]
// CHECK-NEXT:      %[[B:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[A]], %[[W]] : {{.*}}) residual(%[[A]] : {{.*}}) outs(%[[OUT]] :
// CHECK-NEXT:      %[[R:.*]] = tensor.insert_slice %[[B]] into %[[ALL]][%[[I]], 0, 0, 0] [2, 8, 8, 4] [1, 1, 1, 1]
// CHECK-NEXT:      scf.yield %[[R]]
// CHECK:         return %[[LOOP]]
// REMARK: [[#@LINE+6]]:{{.*}} remark: [Passed] fusion-split-batch {{.*}}="up to here 2 of a batch are computed at a time"
func.func @chain(%x: tensor<6x8x8x4xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<6x8x8x4xf32> {
  %e = tensor.empty() : tensor<6x8x8x4xf32>
  %a = fusion.pool {kernel = array<i64: 1, 1>, layout = "nhwc", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 1, 1>}
    ins(%x : tensor<6x8x8x4xf32>) outs(%e : tensor<6x8x8x4xf32>) -> tensor<6x8x8x4xf32>
  // Over its residual, as fusion-compile has it.
  %b = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, strides = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_layout = "nhwc", filter_layout = "fchw", output_layout = "nhwc"}
    ins(%a, %w : tensor<6x8x8x4xf32>, tensor<4x4x1x1xf32>) residual(%a : tensor<6x8x8x4xf32>) outs(%a : tensor<6x8x8x4xf32>) -> tensor<6x8x8x4xf32>
  return %b : tensor<6x8x8x4xf32>
}

// Three images of five fit, but all iterations compute equally many.
// CHECK-LABEL: func @odd(
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1 {{.*}}
// CHECK:           fusion.pool {{.*}} -> tensor<1x8x8x4xf32>
// REMARK: remark: [Passed] {{.*}}="up to here 1 of a batch are computed at a time"
func.func @odd(%x: tensor<5x8x8x4xf32>) -> tensor<5x8x8x4xf32> {
  %e = tensor.empty() : tensor<5x8x8x4xf32>
  %a = fusion.pool {kernel = array<i64: 1, 1>, layout = "nhwc", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 1, 1>}
    ins(%x : tensor<5x8x8x4xf32>) outs(%e : tensor<5x8x8x4xf32>) -> tensor<5x8x8x4xf32>
  return %a : tensor<5x8x8x4xf32>
}

// One image alone touches more than fits.
// CHECK-LABEL: func @large_image(
// CHECK:         scf.for {{.*}} step %c1 {{.*}}
// CHECK:           fusion.pool {{.*}} -> tensor<1x32x32x4xf32>
// REMARK: remark: [Passed] {{.*}}="up to here 1 of a batch are computed at a time"
func.func @large_image(%x: tensor<2x32x32x4xf32>) -> tensor<2x32x32x4xf32> {
  %e = tensor.empty() : tensor<2x32x32x4xf32>
  %a = fusion.pool {kernel = array<i64: 1, 1>, layout = "nhwc", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 1, 1>}
    ins(%x : tensor<2x32x32x4xf32>) outs(%e : tensor<2x32x32x4xf32>) -> tensor<2x32x32x4xf32>
  return %a : tensor<2x32x32x4xf32>
}

// A value that two ops of the loop read is computed once. Upstream's tiling moves ops
// into the loop, and the pass itself moves reshapes and concatenations.
// CHECK-LABEL: func @branches(
// CHECK:         scf.for
// CHECK:           %[[X:.*]] = tensor.extract_slice %{{.*}} to tensor<2x8x8x4xf32>
// CHECK:           %[[A:.*]] = linalg.exp ins(%[[X]] :
// CHECK:           %[[B:.*]] = linalg.abs ins(%[[A]] :
// CHECK-NEXT:      %[[C:.*]] = tensor.concat dim(3) %[[A]], %[[B]] : (tensor<2x8x8x4xf32>, tensor<2x8x8x4xf32>) -> tensor<2x8x8x8xf32>
// CHECK-NEXT:      %[[D:.*]] = tensor.collapse_shape %[[C]] {{\[}}[0], [1, 2], [3]] : tensor<2x8x8x8xf32> into tensor<2x64x8xf32>
// CHECK-NEXT:      %[[E:.*]] = tensor.expand_shape %[[D]] {{\[}}[0], [1], [2, 3]] output_shape [2, 64, 8, 1] : tensor<2x64x8xf32> into tensor<2x64x8x1xf32>
// CHECK:           fusion.pool {{.*}} ins(%[[E]] :
// CHECK-NOT:       linalg
// CHECK:           scf.yield
// REMARK: remark: [Passed] {{.*}}="up to here 2 of a batch are computed at a time"
func.func @branches(%x: tensor<4x8x8x4xf32>) -> tensor<4x64x8x1xf32> {
  %e = tensor.empty() : tensor<4x8x8x4xf32>
  %f = tensor.empty() : tensor<4x64x8x1xf32>
  %a = linalg.exp ins(%x : tensor<4x8x8x4xf32>) outs(%e : tensor<4x8x8x4xf32>) -> tensor<4x8x8x4xf32>
  %b = linalg.abs ins(%a : tensor<4x8x8x4xf32>) outs(%e : tensor<4x8x8x4xf32>) -> tensor<4x8x8x4xf32>
  %c = tensor.concat dim(3) %a, %b : (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>) -> tensor<4x8x8x8xf32>
  %d = tensor.collapse_shape %c [[0], [1, 2], [3]] : tensor<4x8x8x8xf32> into tensor<4x64x8xf32>
  %g = tensor.expand_shape %d [[0], [1], [2, 3]] output_shape [4, 64, 8, 1] : tensor<4x64x8xf32> into tensor<4x64x8x1xf32>
  %h = fusion.pool {kernel = array<i64: 1, 1>, layout = "nhwc", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 1, 1>}
    ins(%g : tensor<4x64x8x1xf32>) outs(%f : tensor<4x64x8x1xf32>) -> tensor<4x64x8x1xf32>
  return %h : tensor<4x64x8x1xf32>
}

// A batch of dynamic size goes image by image.
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %[[X:.*]]: tensor<?x8x8x8xf32>
// CHECK:         scf.for %[[I:.*]] = %c0 to %{{dim.*}} step %c1 iter_args(%{{.*}} = %{{.*}}) -> (tensor<?x8x8x8xf32>)
// CHECK:           tensor.extract_slice %[[X]][%[[I]], 0, 0, 0] [1, 8, 8, 8] [1, 1, 1, 1]
// CHECK:           %[[E:.*]] = tensor.empty() : tensor<1x8x8x8xf32>
// CHECK:           %[[A:.*]] = linalg.exp {{.*}} outs(%[[E]] :
// CHECK:           %[[B:.*]] = linalg.abs ins(%[[A]] : tensor<1x8x8x8xf32>)
// REMARK: remark: [Passed] {{.*}}="up to here 1 of a batch are computed at a time"
func.func @dynamic(%x: tensor<?x8x8x8xf32>) -> tensor<?x8x8x8xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?x8x8x8xf32>
  %e = tensor.empty(%n) : tensor<?x8x8x8xf32>
  %a = linalg.exp ins(%x : tensor<?x8x8x8xf32>) outs(%e : tensor<?x8x8x8xf32>) -> tensor<?x8x8x8xf32>
  %b = linalg.abs ins(%a : tensor<?x8x8x8xf32>) outs(%e : tensor<?x8x8x8xf32>) -> tensor<?x8x8x8xf32>
  return %b : tensor<?x8x8x8xf32>
}

// Where ops mix images, a loop ends, and another one begins.
// CHECK-LABEL: func @two_loops(
// CHECK:         %[[FIRST:.*]] = scf.for
// CHECK:           linalg.exp
// CHECK:         }
// CHECK:         %[[ALL:.*]] = tensor.concat dim(0) %[[FIRST]], %{{.*}}
// CHECK:         scf.for
// CHECK-NEXT:      tensor.extract_slice %[[ALL]]
// CHECK:           linalg.abs
// REMARK: remark: [Passed] {{.*}}="up to here 4 of a batch are computed at a time"
// REMARK: remark: [Passed] {{.*}}="up to here 2 of a batch are computed at a time"
func.func @two_loops(%x: tensor<8x8x8x4xf32>, %y: tensor<2x8x8x4xf32>) -> tensor<10x8x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %f = tensor.empty() : tensor<10x8x8x4xf32>
  %a = linalg.exp ins(%x : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  %b = tensor.concat dim(0) %a, %y : (tensor<8x8x8x4xf32>, tensor<2x8x8x4xf32>) -> tensor<10x8x8x4xf32>
  %c = linalg.abs ins(%b : tensor<10x8x8x4xf32>) outs(%f : tensor<10x8x8x4xf32>) -> tensor<10x8x8x4xf32>
  return %c : tensor<10x8x8x4xf32>
}

// The filter of the second convolution has 16384 bytes, its image 80: it is read
// once for all images, not once an iteration.
// CHECK-LABEL: func @weights(
// CHECK:         %[[FIRST:.*]] = scf.for {{.*}} -> (tensor<8x1x1x4xf32>)
// CHECK:           fusion.pool
// CHECK:           fusion.pool
// CHECK:         }
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%[[FIRST]], %{{.*}} : tensor<8x1x1x4xf32>
// CHECK-NOT:     scf.for
// CHECK:         return
// REMARK: remark: [Passed] {{.*}}="up to here 4 of a batch are computed at a time"
func.func @weights(%x: tensor<8x8x8x4xf32>, %w: tensor<1024x4x1x1xf32>) -> tensor<8x1x1x1024xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %f = tensor.empty() : tensor<8x1x1x4xf32>
  %g = tensor.empty() : tensor<8x1x1x1024xf32>
  %a = fusion.pool {kernel = array<i64: 1, 1>, layout = "nhwc", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 1, 1>}
    ins(%x : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  %b = fusion.pool {kernel = array<i64: 8, 8>, layout = "nhwc", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 1, 1>}
    ins(%a : tensor<8x8x8x4xf32>) outs(%f : tensor<8x1x1x4xf32>) -> tensor<8x1x1x4xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, strides = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_layout = "nhwc", filter_layout = "fchw", output_layout = "nhwc"}
    ins(%b, %w : tensor<8x1x1x4xf32>, tensor<1024x4x1x1xf32>) outs(%g : tensor<8x1x1x1024xf32>) -> tensor<8x1x1x1024xf32>
  return %c : tensor<8x1x1x1024xf32>
}

// Near misses. All images together fit.
// CHECK-LABEL: func @fits(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @fits(%x: tensor<4x8x8x4xf32>) -> tensor<4x8x8x4xf32> {
  %e = tensor.empty() : tensor<4x8x8x4xf32>
  %a = fusion.pool {kernel = array<i64: 1, 1>, layout = "nhwc", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 1, 1>}
    ins(%x : tensor<4x8x8x4xf32>) outs(%e : tensor<4x8x8x4xf32>) -> tensor<4x8x8x4xf32>
  return %a : tensor<4x8x8x4xf32>
}

// There is one image.
// CHECK-LABEL: func @one_image(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @one_image(%x: tensor<1x32x32x4xf32>) -> tensor<1x32x32x4xf32> {
  %e = tensor.empty() : tensor<1x32x32x4xf32>
  %a = fusion.pool {kernel = array<i64: 1, 1>, layout = "nhwc", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 1, 1>}
    ins(%x : tensor<1x32x32x4xf32>) outs(%e : tensor<1x32x32x4xf32>) -> tensor<1x32x32x4xf32>
  return %a : tensor<1x32x32x4xf32>
}

// There is none.
// CHECK-LABEL: func @no_image(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @no_image(%x: tensor<0x32x32x4xf32>) -> tensor<0x32x32x4xf32> {
  %e = tensor.empty() : tensor<0x32x32x4xf32>
  %a = linalg.exp ins(%x : tensor<0x32x32x4xf32>) outs(%e : tensor<0x32x32x4xf32>) -> tensor<0x32x32x4xf32>
  return %a : tensor<0x32x32x4xf32>
}

// The first dimension is the height.
// CHECK-LABEL: func @not_first(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @not_first(%x: tensor<32x8x8x4xf32>) -> tensor<32x8x8x4xf32> {
  %e = tensor.empty() : tensor<32x8x8x4xf32>
  %a = fusion.pool {kernel = array<i64: 1, 1>, layout = "hwnc", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 1, 1>}
    ins(%x : tensor<32x8x8x4xf32>) outs(%e : tensor<32x8x8x4xf32>) -> tensor<32x8x8x4xf32>
  return %a : tensor<32x8x8x4xf32>
}

// Rows of numbers are no images.
// CHECK-LABEL: func @rows(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @rows(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %e = tensor.empty() : tensor<64x128xf32>
  %a = linalg.exp ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %a : tensor<64x128xf32>
}

// A size beside the batch is known at run time only.
// CHECK-LABEL: func @dynamic_width(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @dynamic_width(%x: tensor<64x8x?x4xf32>, %e: tensor<64x8x?x4xf32>) -> tensor<64x8x?x4xf32> {
  %a = linalg.exp ins(%x : tensor<64x8x?x4xf32>) outs(%e : tensor<64x8x?x4xf32>) -> tensor<64x8x?x4xf32>
  return %a : tensor<64x8x?x4xf32>
}

// A loop with the second op in it would have to yield two tensors.
// CHECK-LABEL: func @two_results(
// CHECK:         scf.for
// CHECK:           linalg.exp
// CHECK:         linalg.abs {{.*}} -> tensor<8x8x8x4xf32>
// CHECK-NOT:     scf.for
// CHECK:         return
// REMARK: [[#@LINE+5]]:{{.*}} remark: [Missed] fusion-split-batch {{.*}}Reason="computed for all of a batch: several tensors of the batch are used behind it, and a loop yields one"
// REMARK: remark: [Passed] {{.*}}="up to here 4 of a batch are computed at a time"
func.func @two_results(%x: tensor<8x8x8x4xf32>) -> (tensor<8x8x8x4xf32>, tensor<8x8x8x4xf32>) {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %a = linalg.exp ins(%x : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  %b = linalg.abs ins(%a : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  return %a, %b : tensor<8x8x8x4xf32>, tensor<8x8x8x4xf32>
}

// A loop over rows of all images needs these first.
// CHECK-LABEL: func @transposed(
// CHECK:         %[[A:.*]] = linalg.exp {{.*}} -> tensor<8x8x8x4xf32>
// CHECK:         scf.for
// CHECK-NEXT:      tensor.extract_slice %[[A]][0, %{{.*}}, 0, 0] [8, 4, 8, 4]
// CHECK:           linalg.transpose
// REMARK: [[#@LINE+4]]:{{.*}} remark: [Missed] {{.*}}Reason="computed for all of a batch: 'tensor.extract_slice' reads other parts of it than single images"
// REMARK: remark: [Passed] {{.*}}="up to here 4 of a batch are computed at a time"
func.func @transposed(%x: tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %a = linalg.exp ins(%x : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  %b = linalg.transpose ins(%a : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) permutation = [1, 0, 2, 3]
  return %b : tensor<8x8x8x4xf32>
}

// Rows and images change places: a loop ends in front of that, and another one begins
// behind it.
// CHECK-LABEL: func @mixed(
// CHECK:         %[[A:.*]] = scf.for
// CHECK:           linalg.exp
// CHECK:         }
// CHECK:         %[[B:.*]] = linalg.generic {{.*}} ins(%[[A]] :
// CHECK:         scf.for
// CHECK-NEXT:      tensor.extract_slice %[[B]]
// CHECK:           linalg.abs
// REMARK: remark: [Passed] {{.*}}="up to here 4 of a batch are computed at a time"
// REMARK: remark: [Passed] {{.*}}="up to here 4 of a batch are computed at a time"
func.func @mixed(%x: tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %a = linalg.exp ins(%x : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d0, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<8x8x8x4xf32>
  %c = linalg.abs ins(%b : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  return %c : tensor<8x8x8x4xf32>
}

// Padding that differs from row to row, which upstream does not tile: the ops in front
// of it and behind it are loops. With one value for all padding it would be in one of
// them.
// CHECK-LABEL: func @computed_padding(
// CHECK:         %[[A:.*]] = scf.for
// CHECK:           linalg.exp
// CHECK:         %[[P:.*]] = tensor.pad %[[A]]
// CHECK:         scf.for
// CHECK-NEXT:      tensor.extract_slice %[[P]]
// CHECK:           linalg.abs
// REMARK: [[#@LINE+6]]:{{.*}} remark: [Missed] {{.*}}Reason="computed for all of a batch: the elements of the padding are computed one by one"
// REMARK: remark: [Passed] {{.*}}="up to here 4 of a batch are computed at a time"
// REMARK: remark: [Passed] {{.*}}="up to here 2 of a batch are computed at a time"
func.func @computed_padding(%x: tensor<8x8x8x4xf32>) -> tensor<8x11x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %a = linalg.exp ins(%x : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  %p = tensor.pad %a low[0, 1, 0, 0] high[0, 2, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    %n = arith.index_cast %j : index to i32
    %v = arith.sitofp %n : i32 to f32
    tensor.yield %v : f32
  } : tensor<8x8x8x4xf32> to tensor<8x11x8x4xf32>
  %f = tensor.empty() : tensor<8x11x8x4xf32>
  %b = linalg.abs ins(%p : tensor<8x11x8x4xf32>) outs(%f : tensor<8x11x8x4xf32>) -> tensor<8x11x8x4xf32>
  return %b : tensor<8x11x8x4xf32>
}

// Rows that may all be padding are made of the constant alone, from wherever it is.
// CHECK-LABEL: func @constant_in_padding(
// CHECK:         %[[V:.*]] = arith.constant 1.5
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             tensor.generate
// CHECK:               tensor.yield %[[V]]
// CHECK:             tensor.pad
// CHECK:               tensor.yield %[[V]]
// REMARK: remark: [Passed] {{.*}}="up to here 8 of a batch are computed at a time"
func.func @constant_in_padding(%x: tensor<16x?x8x1xf32>, %high: index) -> tensor<16x8x8x1xf32> {
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, %high, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    %v = arith.constant 1.5 : f32
    tensor.yield %v : f32
  } : tensor<16x?x8x1xf32> to tensor<16x8x8x1xf32>
  %e = tensor.empty() : tensor<16x8x8x1xf32>
  %a = linalg.abs ins(%p : tensor<16x8x8x1xf32>) outs(%e : tensor<16x8x8x1xf32>) -> tensor<16x8x8x1xf32>
  %b = linalg.mul ins(%a, %a : tensor<16x8x8x1xf32>, tensor<16x8x8x1xf32>) outs(%e : tensor<16x8x8x1xf32>) -> tensor<16x8x8x1xf32>
  %c = linalg.add ins(%b, %b : tensor<16x8x8x1xf32>, tensor<16x8x8x1xf32>) outs(%e : tensor<16x8x8x1xf32>) -> tensor<16x8x8x1xf32>
  return %c : tensor<16x8x8x1xf32>
}
