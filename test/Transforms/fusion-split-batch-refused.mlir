// RUN: fusion-opt %s --fusion-split-batch="cache-bytes=4096 start-bytes=0" --canonicalize --split-input-file | FileCheck %s
// RUN: fusion-opt %s --split-input-file --fusion-compile -o /dev/null

// Ops that cannot be computed part by part, on tensors that are large enough.

// Ops of other blocks use the result.
// CHECK-LABEL: func @blocks(
// CHECK:         %[[A:.*]] = scf.for
// CHECK:         cf.cond_br
func.func @blocks(%x: tensor<8x8x8x4xf32>, %y: i1) -> tensor<8x8x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %a = linalg.exp ins(%x : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  cf.cond_br %y, ^bb1, ^bb2
^bb1:
  %b = linalg.abs ins(%a : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  return %b : tensor<8x8x8x4xf32>
^bb2:
  return %a : tensor<8x8x8x4xf32>
}

// -----

// A reversed dimension: upstream's tiling takes a slice from its last element on.
// CHECK-LABEL: func @reversed(
// CHECK-NOT:     scf.for
// CHECK:         return
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#reversed = affine_map<(d0, d1, d2, d3) -> (d0, 7 - d1, d2, d3)>
func.func @reversed(%x: tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %a = linalg.generic {indexing_maps = [#reversed, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<8x8x8x4xf32>
  return %a : tensor<8x8x8x4xf32>
}

// -----

// The first loop sums up.
// CHECK-LABEL: func @reduced(
// CHECK-NOT:     scf.for
// CHECK:         return
#in = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2, d3)>
#out = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
func.func @reduced(%x: tensor<8x8x8x4xf32>, %y: tensor<8x8x4xf32>) -> tensor<8x8x4xf32> {
  %a = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction", "parallel", "parallel", "parallel"]} ins(%x : tensor<8x8x8x4xf32>) outs(%y : tensor<8x8x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %o : f32
    linalg.yield %s : f32
  } -> tensor<8x8x4xf32>
  return %a : tensor<8x8x4xf32>
}

// -----

// Over all images.
// CHECK-LABEL: func @softmax(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @softmax(%x: tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %a = linalg.softmax dimension(0) ins(%x : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  return %a : tensor<8x8x8x4xf32>
}

// -----

// The memory that it reads is written behind it.
// CHECK-LABEL: func @memory(
// CHECK:         linalg.generic
// CHECK:         memref.store
// CHECK:         scf.for
#identity = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @memory(%x: tensor<8x8x8x4xf32>, %m: memref<f32>, %n: f32) -> tensor<8x8x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %a = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %f = memref.load %m[] : memref<f32>
    %s = arith.addf %i, %f : f32
    linalg.yield %s : f32
  } -> tensor<8x8x8x4xf32>
  memref.store %n, %m[] : memref<f32>
  %b = linalg.abs ins(%a : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  return %b : tensor<8x8x8x4xf32>
}

// -----

// The images of the result are no images of the operand; those of a concatenation
// with a dynamic size are not known.
// CHECK-LABEL: func @reshaped(
// CHECK:         scf.for
// CHECK:           linalg.exp
// CHECK:         }
// CHECK:         tensor.collapse_shape {{.*}} into tensor<8x8x8x4xf32>
// CHECK:         scf.for
func.func @reshaped(%x: tensor<4x2x8x8x4xf32>) -> tensor<8x8x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %f = tensor.empty() : tensor<4x2x8x8x4xf32>
  %a = linalg.exp ins(%x : tensor<4x2x8x8x4xf32>) outs(%f : tensor<4x2x8x8x4xf32>) -> tensor<4x2x8x8x4xf32>
  %s = tensor.collapse_shape %a [[0, 1], [2], [3], [4]] : tensor<4x2x8x8x4xf32> into tensor<8x8x8x4xf32>
  %b = linalg.abs ins(%s : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  return %b : tensor<8x8x8x4xf32>
}

// -----

// CHECK-LABEL: func @concat(
// CHECK:         tensor.concat
// CHECK:         scf.for
func.func @concat(%x: tensor<8x4x8x4xf32>, %y: tensor<8x?x8x4xf32>) -> tensor<8x8x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %a = tensor.concat dim(1) %x, %y : (tensor<8x4x8x4xf32>, tensor<8x?x8x4xf32>) -> tensor<8x8x8x4xf32>
  %b = linalg.abs ins(%a : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  return %b : tensor<8x8x8x4xf32>
}

// -----

// An op reads two images at once.
// CHECK-LABEL: func @pairs(
// CHECK:         scf.for
// CHECK:           linalg.exp
// CHECK:         }
// CHECK:         tensor.extract_slice {{.*}}[0, 0, 0, 0] [7, 8, 8, 4]
// CHECK:         tensor.extract_slice {{.*}}[1, 0, 0, 0] [7, 8, 8, 4]
// CHECK:         scf.for
func.func @pairs(%x: tensor<8x8x8x4xf32>) -> tensor<7x8x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %f = tensor.empty() : tensor<7x8x8x4xf32>
  %a = linalg.exp ins(%x : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  %p = tensor.extract_slice %a[0, 0, 0, 0] [7, 8, 8, 4] [1, 1, 1, 1] : tensor<8x8x8x4xf32> to tensor<7x8x8x4xf32>
  %q = tensor.extract_slice %a[1, 0, 0, 0] [7, 8, 8, 4] [1, 1, 1, 1] : tensor<8x8x8x4xf32> to tensor<7x8x8x4xf32>
  %b = linalg.add ins(%p, %q : tensor<7x8x8x4xf32>, tensor<7x8x8x4xf32>) outs(%f : tensor<7x8x8x4xf32>) -> tensor<7x8x8x4xf32>
  return %b : tensor<7x8x8x4xf32>
}

// -----

// The first images of more are computed by themselves.
// CHECK-LABEL: func @first_images(
// CHECK:         %[[A:.*]] = scf.for
// CHECK:         scf.for {{.*}} -> (tensor<6x8x8x4xf32>)
// CHECK-NEXT:      tensor.extract_slice %[[A]][%{{.*}}, 0, 0, 0] [2, 8, 8, 4]
// CHECK:           linalg.abs
func.func @first_images(%x: tensor<8x8x8x4xf32>) -> tensor<6x8x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %f = tensor.empty() : tensor<6x8x8x4xf32>
  %a = linalg.exp ins(%x : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  %p = tensor.extract_slice %a[0, 0, 0, 0] [6, 8, 8, 4] [1, 1, 1, 1] : tensor<8x8x8x4xf32> to tensor<6x8x8x4xf32>
  %b = linalg.abs ins(%p : tensor<6x8x8x4xf32>) outs(%f : tensor<6x8x8x4xf32>) -> tensor<6x8x8x4xf32>
  return %b : tensor<6x8x8x4xf32>
}

// -----

// A tensor without a batch costs the loop nothing, and a part of the channels is a part
// of an image. A fill that others read, too, is made again.
// CHECK-LABEL: func @besides(
// CHECK:         scf.for
// CHECK:           linalg.exp
// CHECK:           tensor.extract_slice %{{.*}}[0, 0, 0, 2] [2, 8, 8, 2]
// CHECK:           linalg.fill {{.*}} -> tensor<2x8x8x2xf32>
// CHECK:           linalg.add
func.func @besides(%x: tensor<8x8x8x4xf32>, %w: tensor<64x64xf32>, %n: f32) -> (tensor<8x8x8x2xf32>, tensor<64x64xf32>, tensor<8x8x8x2xf32>) {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %f = tensor.empty() : tensor<8x8x8x2xf32>
  %g = tensor.empty() : tensor<64x64xf32>
  %a = linalg.exp ins(%x : tensor<8x8x8x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  %t = linalg.transpose ins(%w : tensor<64x64xf32>) outs(%g : tensor<64x64xf32>) permutation = [1, 0]
  %p = tensor.extract_slice %a[0, 0, 0, 2] [8, 8, 8, 2] [1, 1, 1, 1] : tensor<8x8x8x4xf32> to tensor<8x8x8x2xf32>
  %z = linalg.fill ins(%n : f32) outs(%f : tensor<8x8x8x2xf32>) -> tensor<8x8x8x2xf32>
  %b = linalg.add ins(%p, %z : tensor<8x8x8x2xf32>, tensor<8x8x8x2xf32>) outs(%f : tensor<8x8x8x2xf32>) -> tensor<8x8x8x2xf32>
  return %b, %t, %z : tensor<8x8x8x2xf32>, tensor<64x64xf32>, tensor<8x8x8x2xf32>
}
