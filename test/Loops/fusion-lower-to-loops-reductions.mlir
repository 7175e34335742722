// RUN: fusion-opt %s --fusion-lower-to-loops --canonicalize --split-input-file | FileCheck %s

// A reduction adds up vectors where the elements of a parallel loop lie side by side.

// CHECK-LABEL: func @pixels(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<2x9x7x5xf32>, %[[Y:[a-z0-9]*]]: memref<2x5xf32>)
// CHECK-DAG:     %[[PIXELS:.*]] = arith.constant 63 : index
// CHECK-DAG:     %[[CHANNELS:.*]] = arith.constant 5 : index
// CHECK:         %[[X3:.*]] = memref.collapse_shape %[[X]] {{\[\[}}0], [1, 2], [3]]
// CHECK:         scf.parallel (%[[N:.*]]) =
// CHECK:           scf.for %[[P:.*]] = {{.*}} to %[[PIXELS]]
// CHECK:             scf.parallel (%[[C:.*]]) = {{.*}} to (%[[CHANNELS]])
// CHECK-DAG:           memref.load %[[X3]][%[[N]], %[[P]], %[[C]]]
// CHECK-DAG:           memref.load %[[Y]][%[[N]], %[[C]]]
// CHECK:               memref.store %{{.*}}, %[[Y]][%[[N]], %[[C]]]
func.func @pixels(%x: memref<2x9x7x5xf32>, %y: memref<2x5xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, h, w, c)>, affine_map<(n, c, h, w) -> (n, c)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x : memref<2x9x7x5xf32>) outs(%y : memref<2x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A size that is not known may be a large one. The factor does not depend on the channel.
// CHECK-LABEL: func @dynamic(
// CHECK:         scf.parallel (%[[N:.*]]) =
// CHECK:           scf.for %[[P:.*]] =
// CHECK:             scf.parallel (%[[C:.*]]) =
// CHECK:               memref.load %{{.*}}[%[[N]], %[[P]], %[[C]]]
// CHECK:               memref.load %{{.*}}[%[[N]], %[[P]]]
func.func @dynamic(%x: memref<2x?x5xf32>, %f: memref<2x?xf32>, %y: memref<2x5xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(n, c, p) -> (n, p, c)>, affine_map<(n, c, p) -> (n, p)>, affine_map<(n, c, p) -> (n, c)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %f : memref<2x?x5xf32>, memref<2x?xf32>) outs(%y : memref<2x5xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// The compiler unrolls a short reduction, and keeps the sums in registers.
// CHECK-LABEL: func @short(
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK-NEXT:      memref.load
// CHECK:           scf.for
// CHECK-NOT:       scf.parallel
func.func @short(%x: memref<2x24x5xf32>, %y: memref<2x5xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(n, c, p) -> (n, p, c)>, affine_map<(n, c, p) -> (n, c)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x24x5xf32>) outs(%y : memref<2x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Of maxima, 12 are short, and 13 are not.
// CHECK-LABEL: func @twelve_maxima(
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK:           scf.for
// CHECK-NOT:       scf.parallel
// CHECK-LABEL: func @thirteen_maxima(
// CHECK:         scf.parallel (%{{.*}}) =
// CHECK:           scf.for
// CHECK:               arith.maximumf {{.*}} : vector<5xf32>
// CHECK-LABEL: func @thirteen_minima(
// CHECK:           scf.for
// CHECK:             arith.minimumf {{.*}} : vector<5xf32>
#rows = affine_map<(n, c, p) -> (n, p, c)>
#columns = affine_map<(n, c, p) -> (n, c)>
func.func @twelve_maxima(%x: memref<2x12x5xf32>, %y: memref<2x5xf32>) {
  linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x12x5xf32>) outs(%y : memref<2x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.maximumf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}
func.func @thirteen_maxima(%x: memref<2x13x5xf32>, %y: memref<2x5xf32>) {
  linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x13x5xf32>) outs(%y : memref<2x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.maximumf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}
func.func @thirteen_minima(%x: memref<2x13x5xf32>, %y: memref<2x5xf32>) {
  linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x13x5xf32>) outs(%y : memref<2x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.minimumf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// The pixels lie side by side.
// CHECK-LABEL: func @channels_first(
// CHECK:         scf.parallel
// CHECK:           scf.for
// CHECK-NOT:       scf.parallel
func.func @channels_first(%x: memref<2x5x63xf32>, %y: memref<2x5xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(n, c, p) -> (n, c, p)>, affine_map<(n, c, p) -> (n, c)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x5x63xf32>) outs(%y : memref<2x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Every second element is no vector.
// CHECK-LABEL: func @apart(
// CHECK:         scf.parallel
// CHECK:           scf.for
// CHECK-NOT:       scf.parallel
func.func @apart(%x: memref<2x63x5xf32, strided<[630, 10, 2]>>, %y: memref<2x5xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(n, c, p) -> (n, p, c)>, affine_map<(n, c, p) -> (n, c)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x63x5xf32, strided<[630, 10, 2]>>) outs(%y : memref<2x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// The sums would lie apart.
// CHECK-LABEL: func @transposed_result(
// CHECK:         scf.parallel
// CHECK:           scf.for
// CHECK-NOT:       scf.parallel
func.func @transposed_result(%x: memref<2x63x5xf32>, %y: memref<5x2xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(n, c, p) -> (n, p, c)>, affine_map<(n, c, p) -> (c, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x63x5xf32>) outs(%y : memref<5x2xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// LLVM does not unroll a large window of channels last. The vectors are those of a pixel.
// CHECK-LABEL: func @large_window(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<1x30x25x5xi8>, %{{.*}}: memref<13x5xi32>, %[[Y:[a-z0-9]*]]: memref<1x9x21x5xi32>)
// CHECK:         scf.parallel (%[[H:.*]], %[[W:.*]]) =
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               scf.parallel (%[[C:.*]]) =
// CHECK-DAG:             memref.load %[[X]][%{{.*}}, %{{.*}}, %{{.*}}, %[[C]]]
// CHECK-DAG:             memref.load %[[Y]][%{{.*}}, %[[H]], %[[W]], %[[C]]]
// CHECK:                 arith.addi
func.func @large_window(%x: memref<1x30x25x5xi8>, %w: memref<13x5xi32>, %y: memref<1x9x21x5xi32>) {
  linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : memref<1x30x25x5xi8>, memref<13x5xi32>) outs(%y : memref<1x9x21x5xi32>)
  return
}

// -----

// One of 64 elements it unrolls.
// CHECK-LABEL: func @small_window(
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}, %{{.*}}) =
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK-NOT:           scf.parallel
func.func @small_window(%x: memref<1x30x25x5xi8>, %w: memref<8x8xi32>, %y: memref<1x12x18x5xi32>) {
  linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : memref<1x30x25x5xi8>, memref<8x8xi32>) outs(%y : memref<1x12x18x5xi32>)
  return
}

// -----

// Rows of windows lie side by side.
// CHECK-LABEL: func @window_of_channels_first(
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}, %{{.*}}) =
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK-NOT:           scf.parallel
func.func @window_of_channels_first(%x: memref<1x5x30x25xi8>, %w: memref<13x5xi32>, %y: memref<1x5x9x21xi32>) {
  linalg.pooling_nchw_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : memref<1x5x30x25xi8>, memref<13x5xi32>) outs(%y : memref<1x5x9x21xi32>)
  return
}

// -----

// A convolution keeps its order.
// CHECK-LABEL: func @convolution(
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}, %{{.*}}) =
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               scf.for
// CHECK-NOT:             scf.parallel
func.func @convolution(%x: memref<1x30x25x3xi8>, %w: memref<13x5x3x5xi8>, %y: memref<1x9x21x5xi32>) {
  linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : memref<1x30x25x3xi8>, memref<13x5x3x5xi8>) outs(%y : memref<1x9x21x5xi32>)
  return
}
