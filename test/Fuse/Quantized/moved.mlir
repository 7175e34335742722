// RUN: fusion-opt %s --fusion-raise-pools --fusion-fuse-quantized --canonicalize --cse | FileCheck %s --implicit-check-not=roundeven --implicit-check-not=sitofp

// Integers are moved in place of the floats that they stand for.

#n2 = affine_map<(d0, d1) -> (d0, d1)>
#n = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#n1 = affine_map<(d0, d1) -> (d1)>
#none = affine_map<(d0, d1) -> ()>
#t2 = affine_map<(d0, d1) -> (d1, d0)>

// Maxima are found of integers.
// CHECK-LABEL: func @max_pool(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xi8>)
// CHECK:         %[[P:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x11x9x5xi8>)
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<2x6x9x5xi8>)
// CHECK:           arith.sitofp
// CHECK:         return %[[R]]
func.func @max_pool(%x: tensor<2x11x9x5xi8>) -> tensor<2x6x9x5xf32> {
  %d_e = tensor.empty() : tensor<2x11x9x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.05 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x11x9x5xi8>) outs(%d_e : tensor<2x11x9x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x11x9x5xf32>
  %r_n = arith.constant 0xFF800000 : f32
  %r_p = tensor.pad %d low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %r_n : f32
  } : tensor<2x11x9x5xf32> to tensor<2x14x11x5xf32>
  %r_w = tensor.empty() : tensor<4x3xf32>
  %r_i = arith.constant dense<0xFF800000> : tensor<2x6x9x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%r_p, %r_w : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%r_i : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  return %r : tensor<2x6x9x5xf32>
}

// Quantisation undoes what moved to it.
// CHECK-LABEL: func @unsigned_max_pool(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xi8>)
// CHECK:         %[[P:.*]] = fusion.pool {input_unsigned, kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>{{.*}} ins(%[[X]] : tensor<2x11x9x5xi8>)
// CHECK-NEXT:    return %[[P]]
func.func @unsigned_max_pool(%x: tensor<2x11x9x5xi8>) -> tensor<2x6x9x5xi8> {
  %d_e = tensor.empty() : tensor<2x11x9x5xf32>
  %d_z = arith.constant 200 : i32
  %d_s = arith.constant 0.05 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x11x9x5xi8>) outs(%d_e : tensor<2x11x9x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x11x9x5xf32>
  %p_n = arith.constant 0xFF800000 : f32
  %p_p = tensor.pad %d low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %p_n : f32
  } : tensor<2x11x9x5xf32> to tensor<2x14x11x5xf32>
  %p_w = tensor.empty() : tensor<4x3xf32>
  %p_i = arith.constant dense<0xFF800000> : tensor<2x6x9x5xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%p_p, %p_w : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%p_i : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  %r_e = tensor.empty() : tensor<2x6x9x5xi8>
  %r_s = arith.constant 0.05 : f32
  %r_z = arith.constant 200.0 : f32
  %r_l = arith.constant 0.0 : f32
  %r_h = arith.constant 255.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x6x9x5xf32>) outs(%r_e : tensor<2x6x9x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x6x9x5xi8>
  return %r : tensor<2x6x9x5xi8>
}

// The other readers keep their floats. The scale is a factor here.
// CHECK-LABEL: func @read_twice(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xi8>)
// CHECK:         %[[D:.*]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK:           arith.sitofp
// CHECK:         %[[P:.*]] = fusion.pool {{.*}} ins(%[[X]] : tensor<2x11x9x5xi8>)
// CHECK-NEXT:    return %[[P]], %[[D]]
func.func @read_twice(%x: tensor<2x11x9x5xi8>) -> (tensor<2x6x9x5xi8>, tensor<2x11x9x5xf32>) {
  %d_e = tensor.empty() : tensor<2x11x9x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.05 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x11x9x5xi8>) outs(%d_e : tensor<2x11x9x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x11x9x5xf32>
  %p_n = arith.constant 0xFF800000 : f32
  %p_p = tensor.pad %d low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %p_n : f32
  } : tensor<2x11x9x5xf32> to tensor<2x14x11x5xf32>
  %p_w = tensor.empty() : tensor<4x3xf32>
  %p_i = arith.constant dense<0xFF800000> : tensor<2x6x9x5xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%p_p, %p_w : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%p_i : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  %r_e = tensor.empty() : tensor<2x6x9x5xi8>
  %r_s = arith.constant 20.0 : f32
  %r_z = arith.constant -3.0 : f32
  %r_l = arith.constant -128.0 : f32
  %r_h = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x6x9x5xf32>) outs(%r_e : tensor<2x6x9x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x6x9x5xi8>
  return %r, %d : tensor<2x6x9x5xi8>, tensor<2x11x9x5xf32>
}

// 0 is the zero point among integers.
// CHECK-LABEL: func @moves(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4x5xi8>)
// CHECK-DAG:     %[[Z:.*]] = arith.constant -3 : i8
// CHECK:         %[[P:.*]] = tensor.pad %[[X]] low[0, 0, 1, 2] high[0, 0, 0, 1]
// CHECK:           tensor.yield %[[Z]] : i8
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[P]] : tensor<2x3x5x8xi8>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[T]][0, 1, 0, 0] [2, 4, 4, 3] [1, 1, 2, 1]
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[S]] {{\[}}[0], [1, 2, 3]] : tensor<2x4x4x3xi8>
// CHECK-NEXT:    return %[[C]]
func.func @moves(%x: tensor<2x3x4x5xi8>) -> tensor<2x48xi8> {
  %d_e = tensor.empty() : tensor<2x3x4x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.25 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x4x5xi8>) outs(%d_e : tensor<2x3x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x4x5xf32>
  %p_n = arith.constant 0.0 : f32
  %p = tensor.pad %d low[0, 0, 1, 2] high[0, 0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %p_n : f32
  } : tensor<2x3x4x5xf32> to tensor<2x3x5x8xf32>
  %te = tensor.empty() : tensor<2x5x8x3xf32>
  %t = linalg.transpose ins(%p : tensor<2x3x5x8xf32>) outs(%te : tensor<2x5x8x3xf32>) permutation = [0, 2, 3, 1]
  %s = tensor.extract_slice %t[0, 1, 0, 0] [2, 4, 4, 3] [1, 1, 2, 1] : tensor<2x5x8x3xf32> to tensor<2x4x4x3xf32>
  %c = tensor.collapse_shape %s [[0], [1, 2, 3]] : tensor<2x4x4x3xf32> into tensor<2x48xf32>
  %r_e = tensor.empty() : tensor<2x48xi8>
  %r_s = arith.constant 0.25 : f32
  %r_z = arith.constant -3.0 : f32
  %r_l = arith.constant -128.0 : f32
  %r_h = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<2x48xf32>) outs(%r_e : tensor<2x48xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x48xi8>
  return %r : tensor<2x48xi8>
}

// A constant has a sign: 200 is -56.
// CHECK-LABEL: func @unsigned_moves(
// CHECK-SAME:    %[[X:.*]]: tensor<2x15xi8>)
// CHECK-DAG:     %[[Z:.*]] = arith.constant -56 : i8
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[X]]
// CHECK:         %[[P:.*]] = tensor.pad %[[E]] low[0, 1, 0, 0] high[0, 0, 2, 0]
// CHECK:           tensor.yield %[[Z]] : i8
// CHECK:         return %[[P]]
func.func @unsigned_moves(%x: tensor<2x15xi8>) -> tensor<2x4x7x1xi8> {
  %d_e = tensor.empty() : tensor<2x15xf32>
  %d_z = arith.constant 200 : i32
  %d_s = arith.constant 0.25 : f32
  %d = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x15xi8>) outs(%d_e : tensor<2x15xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x15xf32>
  %x0 = tensor.expand_shape %d [[0], [1, 2, 3]] output_shape [2, 3, 5, 1] : tensor<2x15xf32> into tensor<2x3x5x1xf32>
  %p_n = arith.constant -0.0 : f32
  %p = tensor.pad %x0 low[0, 1, 0, 0] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %p_n : f32
  } : tensor<2x3x5x1xf32> to tensor<2x4x7x1xf32>
  %r_e = tensor.empty() : tensor<2x4x7x1xi8>
  %r_s = arith.constant 0.25 : f32
  %r_z = arith.constant 200.0 : f32
  %r_l = arith.constant 0.0 : f32
  %r_h = arith.constant 255.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x7x1xf32>) outs(%r_e : tensor<2x4x7x1xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x4x7x1xi8>
  return %r : tensor<2x4x7x1xi8>
}

// A size that is not known, and a transpose in other words.
// CHECK-LABEL: func @dynamic_transpose(
// CHECK-SAME:    %[[X:.*]]: tensor<?x5xi8>, %{{.*}}: index)
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<?x5xi8>) {{.*}} permutation = [1, 0]
// CHECK-NEXT:    return %[[T]]
func.func @dynamic_transpose(%x: tensor<?x5xi8>, %k: index) -> tensor<5x?xi8> {
  %d_e = tensor.empty(%k) : tensor<?x5xf32>
  %d_z = arith.constant 3 : i32
  %d_s = arith.constant 0.25 : f32
  %d = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x5xi8>) outs(%d_e : tensor<?x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<?x5xf32>
  %te = tensor.empty(%k) : tensor<5x?xf32>
  %t = linalg.generic {indexing_maps = [#t2, #n2], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<?x5xf32>) outs(%te : tensor<5x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x?xf32>
  %r_e = tensor.empty(%k) : tensor<5x?xi8>
  %r_s = arith.constant 0.25 : f32
  %r_z = arith.constant 3.0 : f32
  %r_l = arith.constant -128.0 : f32
  %r_h = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<5x?xf32>) outs(%r_e : tensor<5x?xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x?xi8>
  return %r : tensor<5x?xi8>
}

// Scale and zero point are tensors, with one number each.
// CHECK-LABEL: func @constant_operands(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5xi8>)
// CHECK-DAG:     %[[Z:.*]] = arith.constant 7
// CHECK-DAG:     %[[S:.*]] = arith.constant 1.250000e-01 : f32
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[X]]
// CHECK:         linalg.generic {{.*}} ins(%[[C]] : tensor<10xi8>) outs
// CHECK:           arith.sitofp
// CHECK:           arith.mulf %{{.*}}, %[[S]]
func.func @constant_operands(%x: tensor<2x5xi8>) -> tensor<10xf32> {
  %e = tensor.empty() : tensor<2x5xf32>
  %s = arith.constant dense<0.125> : tensor<f32>
  %z = arith.constant dense<7> : tensor<5xi8>
  %d = linalg.generic {indexing_maps = [#n2, #n1, #none, #n2], iterator_types = ["parallel", "parallel"]} ins(%x, %z, %s : tensor<2x5xi8>, tensor<5xi8>, tensor<f32>) outs(%e : tensor<2x5xf32>) {
  ^bb0(%in: i8, %zp: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.sitofp %zp : i8 to f32
    %2 = arith.subf %0, %1 : f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<2x5xf32>
  %r = tensor.collapse_shape %d [[0, 1]] : tensor<2x5xf32> into tensor<10xf32>
  return %r : tensor<10xf32>
}

// One part has the parameters of the result, the other becomes integers again.
// CHECK-LABEL: func @concat(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4x5xi8>, %[[Y:.*]]: tensor<2x6x4x5xi8>)
// CHECK:         %[[Q:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<2x6x4x5xi8>) outs(%{{.*}} : tensor<2x6x4x5xi8>)
// CHECK:           arith.sitofp
// CHECK:           math.roundeven
// CHECK:           linalg.yield %{{.*}} : i8
// CHECK:         %[[C:.*]] = tensor.concat dim(1) %[[X]], %[[Q]] : (tensor<2x3x4x5xi8>, tensor<2x6x4x5xi8>) -> tensor<2x9x4x5xi8>
// CHECK-NEXT:    return %[[C]]
func.func @concat(%x: tensor<2x3x4x5xi8>, %y: tensor<2x6x4x5xi8>) -> tensor<2x9x4x5xi8> {
  %a_e = tensor.empty() : tensor<2x3x4x5xf32>
  %a_z = arith.constant -3 : i32
  %a_s = arith.constant 0.25 : f32
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x4x5xi8>) outs(%a_e : tensor<2x3x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %a_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %a_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x4x5xf32>
  %b_e = tensor.empty() : tensor<2x6x4x5xf32>
  %b_z = arith.constant 7 : i32
  %b_s = arith.constant 0.125 : f32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<2x6x4x5xi8>) outs(%b_e : tensor<2x6x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %b_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %b_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x6x4x5xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<2x3x4x5xf32>, tensor<2x6x4x5xf32>) -> tensor<2x9x4x5xf32>
  %r_e = tensor.empty() : tensor<2x9x4x5xi8>
  %r_s = arith.constant 0.25 : f32
  %r_z = arith.constant -3.0 : f32
  %r_l = arith.constant -128.0 : f32
  %r_h = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x9x4x5xf32>) outs(%r_e : tensor<2x9x4x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x9x4x5xi8>
  return %r : tensor<2x9x4x5xi8>
}

// Other parameters: one op from integers to integers.
// CHECK-LABEL: func @requantise(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4x5xi8>)
// CHECK:         %[[D:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<2x3x4x5xi8>) outs(%{{.*}} : tensor<2x3x4x5xf32>)
// CHECK:           arith.sitofp
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<2x3x4x5xi8>) outs(%{{.*}} : tensor<2x3x4x5xi8>)
// CHECK:           arith.sitofp
// CHECK:           math.roundeven
// CHECK:         return %[[R]], %[[D]]
func.func @requantise(%x: tensor<2x3x4x5xi8>) -> (tensor<2x3x4x5xi8>, tensor<2x3x4x5xf32>) {
  %d_e = tensor.empty() : tensor<2x3x4x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.25 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x4x5xi8>) outs(%d_e : tensor<2x3x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x4x5xf32>
  %r_e = tensor.empty() : tensor<2x3x4x5xi8>
  %r_s = arith.constant 0.3 : f32
  %r_z = arith.constant 11.0 : f32
  %r_l = arith.constant -128.0 : f32
  %r_h = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%d : tensor<2x3x4x5xf32>) outs(%r_e : tensor<2x3x4x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x3x4x5xi8>
  return %r, %d : tensor<2x3x4x5xi8>, tensor<2x3x4x5xf32>
}

// A quantisation moves up to an op that takes it.
// CHECK-LABEL: func @behind_a_convolution(
// CHECK:         %[[C:.*]] = fusion.quantized_conv_bias_act relu {{.*}}output_unsigned, output_zero_point = 9 : i32{{.*}} -> tensor<2x4x6x5xi8>
// CHECK:         %[[P:.*]] = fusion.pool {input_unsigned, kernel = array<i64: 2, 2>, {{.*}} ins(%[[C]] : tensor<2x4x6x5xi8>)
// CHECK:         %[[F:.*]] = tensor.collapse_shape %[[P]]
// CHECK-NEXT:    return %[[F]]
func.func @behind_a_convolution(%x: tensor<2x6x7x3xi8>, %w: tensor<5x3x2x3xi8>) -> tensor<2x50xi8> {
  %s = arith.constant dense<0.0625> : tensor<1xf32>
  %e = tensor.empty() : tensor<2x4x6x5xf32>
  %c = fusion.quantized_conv_bias_act relu layouts(nhwc, fhwc, nhwc) {input_zero_point = 3 : i32} ins(%x, %w : tensor<2x6x7x3xi8>, tensor<5x3x2x3xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  %p_w = tensor.empty() : tensor<2x2xf32>
  %p_i = arith.constant dense<0xFF800000> : tensor<2x2x5x5xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%c, %p_w : tensor<2x4x6x5xf32>, tensor<2x2xf32>) outs(%p_i : tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
  %f = tensor.collapse_shape %p [[0], [1, 2, 3]] : tensor<2x2x5x5xf32> into tensor<2x50xf32>
  %r_e = tensor.empty() : tensor<2x50xi8>
  %r_s = arith.constant 4.0 : f32
  %r_z = arith.constant 9.0 : f32
  %r_l = arith.constant 0.0 : f32
  %r_h = arith.constant 255.0 : f32
  %r = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<2x50xf32>) outs(%r_e : tensor<2x50xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %r_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %r_z : f32
    %3 = arith.maximumf %2, %r_l : f32
    %4 = arith.minimumf %3, %r_h : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x50xi8>
  return %r : tensor<2x50xi8>
}

// A reshape of integers that a convolution computes stays in front of a dequantisation.
// CHECK-LABEL: func @reshaped_result(
// CHECK:         %[[C:.*]] = fusion.quantized_conv_bias_act {{.*}} -> tensor<2x4x6x5xi8>
// CHECK:         %[[R:.*]] = tensor.collapse_shape %[[C]]
// CHECK:         linalg.generic {{.*}} ins(%[[R]] : tensor<2x120xi8>)
// CHECK:           arith.sitofp
func.func @reshaped_result(%x: tensor<2x6x7x3xi8>, %w: tensor<5x3x2x3xi8>) -> tensor<2x120xf32> {
  %s = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<2x4x6x5xi8>
  %c = fusion.quantized_conv_bias_act layouts(nhwc, fhwc, nhwc) ins(%x, %w : tensor<2x6x7x3xi8>, tensor<5x3x2x3xi8>) outs(%e : tensor<2x4x6x5xi8>) -> tensor<2x4x6x5xi8>
  %r = tensor.collapse_shape %c [[0], [1, 2, 3]] : tensor<2x4x6x5xi8> into tensor<2x120xi8>
  %o = tensor.empty() : tensor<2x120xf32>
  %d = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<2x120xi8>) outs(%o : tensor<2x120xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<2x120xf32>
  return %d : tensor<2x120xf32>
}

// The quantisation moves in front of the reshape, where the op takes it.
// CHECK-LABEL: func @quantised_behind_reshape(
// CHECK:         %[[C:.*]] = fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xi8>
// CHECK:         %[[R:.*]] = tensor.expand_shape %[[C]] {{.*}} : tensor<5x6xi8> into tensor<5x2x3xi8>
// CHECK:         return %[[R]]
func.func @quantised_behind_reshape(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x2x3xi8> {
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %quarter = arith.constant 0.25 : f32
  %s = arith.constant dense<0.5> : tensor<1xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %h = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %hx = tensor.expand_shape %h [[0], [1, 2]] output_shape [5, 2, 3] : tensor<5x6xf32> into tensor<5x2x3xf32>
  %eh = tensor.empty() : tensor<5x2x3xi8>
  %hq = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%hx : tensor<5x2x3xf32>) outs(%eh : tensor<5x2x3xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %quarter : f32
    %1 = math.roundeven %0 : f32
    %3 = arith.maximumf %1, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x2x3xi8>
  return %hq : tensor<5x2x3xi8>
}
