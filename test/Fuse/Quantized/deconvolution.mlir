// Transposed convolutions of dequantised operands, as torch-mlir writes them. The twins are in
// Integration/fuse-dequantized.test.

// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain 2> %t.explanations | FileCheck %s --implicit-check-not=roundeven --implicit-check-not=sitofp
// RUN: FileCheck %s --check-prefix=EXPLAIN --input-file=%t.explanations
// EXPLAIN-COUNT-2: fused: dequantize, pad, zero point, bias, relu, quantize{{$}}
// EXPLAIN-COUNT-5: fused: dequantize, pad, zero point, relu, quantize{{$}}
// EXPLAIN-NEXT:    fused: dequantize, pad, zero point{{$}}

#n2 = affine_map<(d0, d1) -> (d0, d1)>
#n4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#d1 = affine_map<(d0, d1, d2, d3) -> (d1)>

// Strides of 2 and 3: one convolution of six places. The scales of the filter stand for each place.
// CHECK-LABEL: func @together(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<2x3x5x7xi8>, %[[W:[^:]*]]: tensor<3x4x4x6xi8>
// CHECK:         %[[S:.*]] = arith.constant dense<{{\[}}[[A:[^,]*]], [[B:[^,]*]], [[C:[^,]*]], [[D:[^,]*]], [[A]], [[B]], [[C]], [[D]], [[A]], {{.*}}> : tensor<24xf32>
// CHECK:         tensor.expand_shape %[[W]] {{.*}} into tensor<3x4x2x2x2x3xi8>
// CHECK:         %[[C:.*]] = fusion.quantized_conv_bias_act relu pad_low [1, 1] pad_high [1, 1] {{.*}}ins(%[[X]], %{{.*}} : tensor<2x3x5x7xi8>, tensor<24x2x2x3xi8>) bias(%{{.*}} : tensor<24xi32>) scale(%[[S]] : {{.*}} -> tensor<2x6x8x24xi8>
// CHECK:         tensor.expand_shape %[[C]] {{.*}} into tensor<2x6x8x2x3x4xi8>
// CHECK:         return %{{.*}} : tensor<2x4x10x20xi8>
func.func @together(%x: tensor<2x3x5x7xi8>, %w: tensor<3x4x4x6xi8>) -> tensor<2x4x10x20xi8> {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<2x3x5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x5x7xi8>) outs(%xd_e : tensor<2x3x5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x5x7xf32>
  %wd_s = arith.constant dense<[0.01, 0.02, 0.005, 0.04]> : tensor<4xf32>
  %wd_e = tensor.empty() : tensor<3x4x4x6xf32>
  %wd = linalg.generic {indexing_maps = [#n4, #d1, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %wd_s : tensor<3x4x4x6xi8>, tensor<4xf32>) outs(%wd_e : tensor<3x4x4x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x4x4x6xf32>
  %zero = arith.constant 0.0 : f32
  %ze = tensor.empty() : tensor<2x3x13x25xf32>
  %zf = linalg.fill ins(%zero : f32) outs(%ze : tensor<2x3x13x25xf32>) -> tensor<2x3x13x25xf32>
  %xi = tensor.insert_slice %xd into %zf[0, 0, 2, 3] [2, 3, 5, 7] [1, 1, 2, 3] : tensor<2x3x5x7xf32> into tensor<2x3x13x25xf32>
  %wt_e = tensor.empty() : tensor<4x3x4x6xf32>
  %wt = linalg.transpose ins(%wd : tensor<3x4x4x6xf32>) outs(%wt_e : tensor<4x3x4x6xf32>) permutation = [1, 0, 2, 3]
  %wf_c2 = arith.constant 3 : index
  %wf_c3 = arith.constant 5 : index
  %wf_e = tensor.empty() : tensor<4x3x4x6xf32>
  %wf = linalg.generic {indexing_maps = [#n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wf_e : tensor<4x3x4x6xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %f2 = arith.subi %wf_c2, %i2 : index
    %f3 = arith.subi %wf_c3, %i3 : index
    %0 = tensor.extract %wt[%i0, %i1, %f2, %f3] : tensor<4x3x4x6xf32>
    linalg.yield %0 : f32
  } -> tensor<4x3x4x6xf32>
  %i_b = arith.constant dense<[0.5, -0.25, 1.0, 0.125]> : tensor<4xf32>
  %i_e = tensor.empty() : tensor<2x4x10x20xf32>
  %i = linalg.broadcast ins(%i_b : tensor<4xf32>) outs(%i_e : tensor<2x4x10x20xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw ins(%xi, %wf : tensor<2x3x13x25xf32>, tensor<4x3x4x6xf32>) outs(%i : tensor<2x4x10x20xf32>) -> tensor<2x4x10x20xf32>
  %a_z = arith.constant dense<0.0> : tensor<2x4x10x20xf32>
  %a_e = tensor.empty() : tensor<2x4x10x20xf32>
  %a = linalg.max ins(%r, %a_z : tensor<2x4x10x20xf32>, tensor<2x4x10x20xf32>) outs(%a_e : tensor<2x4x10x20xf32>) -> tensor<2x4x10x20xf32>
  %q_s = arith.constant 0.3 : f32
  %q_z = arith.constant -100.0 : f32
  %q_l = arith.constant -128.0 : f32
  %q_h = arith.constant 127.0 : f32
  %q_e = tensor.empty() : tensor<2x4x10x20xi8>
  %q = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a : tensor<2x4x10x20xf32>) outs(%q_e : tensor<2x4x10x20xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %q_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %q_z : f32
    %3 = arith.maximumf %2, %q_l : f32
    %4 = arith.minimumf %3, %q_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x4x10x20xi8>
  return %q : tensor<2x4x10x20xi8>
}

// Kernels of 3 and 4 with strides of 2 and 3, and an output padding: zeros stand behind the filter.
// CHECK-LABEL: func @filled(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<2x3x5x7xi8>, %[[W:[^:]*]]: tensor<3x4x3x4xi8>
// CHECK:         tensor.pad %[[W]] low[0, 0, 0, 0] high[0, 0, 1, 2] {
// CHECK:           tensor.yield %c0_i8
// CHECK:         fusion.quantized_conv_bias_act relu {{.*}}ins(%[[X]], %{{.*}} : tensor<2x3x5x7xi8>, tensor<24x2x2x3xi8>)
// CHECK:         return %{{.*}} : tensor<2x4x10x24xi8>
func.func @filled(%x: tensor<2x3x5x7xi8>, %w: tensor<3x4x3x4xi8>) -> tensor<2x4x10x24xi8> {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<2x3x5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x5x7xi8>) outs(%xd_e : tensor<2x3x5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x5x7xf32>
  %wd_s = arith.constant dense<[0.01, 0.02, 0.005, 0.04]> : tensor<4xf32>
  %wd_e = tensor.empty() : tensor<3x4x3x4xf32>
  %wd = linalg.generic {indexing_maps = [#n4, #d1, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %wd_s : tensor<3x4x3x4xi8>, tensor<4xf32>) outs(%wd_e : tensor<3x4x3x4xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x4x3x4xf32>
  %zero = arith.constant 0.0 : f32
  %ze = tensor.empty() : tensor<2x3x12x27xf32>
  %zf = linalg.fill ins(%zero : f32) outs(%ze : tensor<2x3x12x27xf32>) -> tensor<2x3x12x27xf32>
  %xi = tensor.insert_slice %xd into %zf[0, 0, 1, 3] [2, 3, 5, 7] [1, 1, 2, 3] : tensor<2x3x5x7xf32> into tensor<2x3x12x27xf32>
  %wt_e = tensor.empty() : tensor<4x3x3x4xf32>
  %wt = linalg.transpose ins(%wd : tensor<3x4x3x4xf32>) outs(%wt_e : tensor<4x3x3x4xf32>) permutation = [1, 0, 2, 3]
  %wf_c2 = arith.constant 2 : index
  %wf_c3 = arith.constant 3 : index
  %wf_e = tensor.empty() : tensor<4x3x3x4xf32>
  %wf = linalg.generic {indexing_maps = [#n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wf_e : tensor<4x3x3x4xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %f2 = arith.subi %wf_c2, %i2 : index
    %f3 = arith.subi %wf_c3, %i3 : index
    %0 = tensor.extract %wt[%i0, %i1, %f2, %f3] : tensor<4x3x3x4xf32>
    linalg.yield %0 : f32
  } -> tensor<4x3x3x4xf32>
  %i_b = arith.constant dense<[0.5, -0.25, 1.0, 0.125]> : tensor<4xf32>
  %i_e = tensor.empty() : tensor<2x4x10x24xf32>
  %i = linalg.broadcast ins(%i_b : tensor<4xf32>) outs(%i_e : tensor<2x4x10x24xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw ins(%xi, %wf : tensor<2x3x12x27xf32>, tensor<4x3x3x4xf32>) outs(%i : tensor<2x4x10x24xf32>) -> tensor<2x4x10x24xf32>
  %a_z = arith.constant dense<0.0> : tensor<2x4x10x24xf32>
  %a_e = tensor.empty() : tensor<2x4x10x24xf32>
  %a = linalg.max ins(%r, %a_z : tensor<2x4x10x24xf32>, tensor<2x4x10x24xf32>) outs(%a_e : tensor<2x4x10x24xf32>) -> tensor<2x4x10x24xf32>
  %q_s = arith.constant 0.3 : f32
  %q_z = arith.constant -100.0 : f32
  %q_l = arith.constant -128.0 : f32
  %q_h = arith.constant 127.0 : f32
  %q_e = tensor.empty() : tensor<2x4x10x24xi8>
  %q = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a : tensor<2x4x10x24xf32>) outs(%q_e : tensor<2x4x10x24xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %q_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %q_z : f32
    %3 = arith.maximumf %2, %q_l : f32
    %4 = arith.minimumf %3, %q_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x4x10x24xi8>
  return %q : tensor<2x4x10x24xi8>
}

// A stride of 1 leaves the filter flipped.
// CHECK-LABEL: func @flipped(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<2x3x5x7xi8>, %[[W:[^:]*]]: tensor<3x4x3x2xi8>
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[W]] : {{.*}}) outs(%{{.*}} : tensor<4x3x3x2xi8>)
// CHECK:         %[[F:.*]] = linalg.generic
// CHECK:           tensor.extract %[[T]]
// CHECK:         fusion.quantized_conv_bias_act relu pad_low [1, 1] pad_high [1, 1] {{.*}}ins(%[[X]], %[[F]] : tensor<2x3x5x7xi8>, tensor<4x3x3x2xi8>)
func.func @flipped(%x: tensor<2x3x5x7xi8>, %w: tensor<3x4x3x2xi8>) -> tensor<2x4x5x8xi8> {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<2x3x5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x5x7xi8>) outs(%xd_e : tensor<2x3x5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x5x7xf32>
  %wd_s = arith.constant dense<[0.01, 0.02, 0.005, 0.04]> : tensor<4xf32>
  %wd_e = tensor.empty() : tensor<3x4x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#n4, #d1, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %wd_s : tensor<3x4x3x2xi8>, tensor<4xf32>) outs(%wd_e : tensor<3x4x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x4x3x2xf32>
  %zero = arith.constant 0.0 : f32
  %ze = tensor.empty() : tensor<2x3x7x9xf32>
  %zf = linalg.fill ins(%zero : f32) outs(%ze : tensor<2x3x7x9xf32>) -> tensor<2x3x7x9xf32>
  %xi = tensor.insert_slice %xd into %zf[0, 0, 1, 1] [2, 3, 5, 7] [1, 1, 1, 1] : tensor<2x3x5x7xf32> into tensor<2x3x7x9xf32>
  %wt_e = tensor.empty() : tensor<4x3x3x2xf32>
  %wt = linalg.transpose ins(%wd : tensor<3x4x3x2xf32>) outs(%wt_e : tensor<4x3x3x2xf32>) permutation = [1, 0, 2, 3]
  %wf_c2 = arith.constant 2 : index
  %wf_c3 = arith.constant 1 : index
  %wf_e = tensor.empty() : tensor<4x3x3x2xf32>
  %wf = linalg.generic {indexing_maps = [#n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wf_e : tensor<4x3x3x2xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %f2 = arith.subi %wf_c2, %i2 : index
    %f3 = arith.subi %wf_c3, %i3 : index
    %0 = tensor.extract %wt[%i0, %i1, %f2, %f3] : tensor<4x3x3x2xf32>
    linalg.yield %0 : f32
  } -> tensor<4x3x3x2xf32>
  %ie = tensor.empty() : tensor<2x4x5x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%ie : tensor<2x4x5x8xf32>) -> tensor<2x4x5x8xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%xi, %wf : tensor<2x3x7x9xf32>, tensor<4x3x3x2xf32>) outs(%i : tensor<2x4x5x8xf32>) -> tensor<2x4x5x8xf32>
  %a_z = arith.constant dense<0.0> : tensor<2x4x5x8xf32>
  %a_e = tensor.empty() : tensor<2x4x5x8xf32>
  %a = linalg.max ins(%r, %a_z : tensor<2x4x5x8xf32>, tensor<2x4x5x8xf32>) outs(%a_e : tensor<2x4x5x8xf32>) -> tensor<2x4x5x8xf32>
  %q_s = arith.constant 0.3 : f32
  %q_z = arith.constant -100.0 : f32
  %q_l = arith.constant -128.0 : f32
  %q_h = arith.constant 127.0 : f32
  %q_e = tensor.empty() : tensor<2x4x5x8xi8>
  %q = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a : tensor<2x4x5x8xf32>) outs(%q_e : tensor<2x4x5x8xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %q_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %q_z : f32
    %3 = arith.maximumf %2, %q_l : f32
    %4 = arith.minimumf %3, %q_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x4x5x8xi8>
  return %q : tensor<2x4x5x8xi8>
}

// Each place has a convolution of its own, which takes the quantisation.
// CHECK-LABEL: func @apart(
// CHECK-COUNT-4: fusion.quantized_conv_bias_act relu {{.*}} -> tensor<1x4x5x32xi8>
// CHECK:         %[[P:.*]] = tensor.insert_slice %{{.*}} : tensor<1x4x5x32xi8> into tensor<2x2x1x4x5x32xi8>
// CHECK:         linalg.transpose ins(%[[P]] : tensor<2x2x1x4x5x32xi8>)
func.func @apart(%x: tensor<1x128x4x5xi8>, %w: tensor<128x32x4x4xi8>) -> tensor<1x32x8x10xi8> {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<1x128x4x5xf32>
  %xd = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x128x4x5xi8>) outs(%xd_e : tensor<1x128x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<1x128x4x5xf32>
  %wd_s = arith.constant dense<[0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.001, 0.002, 0.003, 0.004]> : tensor<32xf32>
  %wd_e = tensor.empty() : tensor<128x32x4x4xf32>
  %wd = linalg.generic {indexing_maps = [#n4, #d1, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %wd_s : tensor<128x32x4x4xi8>, tensor<32xf32>) outs(%wd_e : tensor<128x32x4x4xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<128x32x4x4xf32>
  %zero = arith.constant 0.0 : f32
  %ze = tensor.empty() : tensor<1x128x11x13xf32>
  %zf = linalg.fill ins(%zero : f32) outs(%ze : tensor<1x128x11x13xf32>) -> tensor<1x128x11x13xf32>
  %xi = tensor.insert_slice %xd into %zf[0, 0, 2, 2] [1, 128, 4, 5] [1, 1, 2, 2] : tensor<1x128x4x5xf32> into tensor<1x128x11x13xf32>
  %wt_e = tensor.empty() : tensor<32x128x4x4xf32>
  %wt = linalg.transpose ins(%wd : tensor<128x32x4x4xf32>) outs(%wt_e : tensor<32x128x4x4xf32>) permutation = [1, 0, 2, 3]
  %wf_c2 = arith.constant 3 : index
  %wf_c3 = arith.constant 3 : index
  %wf_e = tensor.empty() : tensor<32x128x4x4xf32>
  %wf = linalg.generic {indexing_maps = [#n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wf_e : tensor<32x128x4x4xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %f2 = arith.subi %wf_c2, %i2 : index
    %f3 = arith.subi %wf_c3, %i3 : index
    %0 = tensor.extract %wt[%i0, %i1, %f2, %f3] : tensor<32x128x4x4xf32>
    linalg.yield %0 : f32
  } -> tensor<32x128x4x4xf32>
  %ie = tensor.empty() : tensor<1x32x8x10xf32>
  %i = linalg.fill ins(%zero : f32) outs(%ie : tensor<1x32x8x10xf32>) -> tensor<1x32x8x10xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%xi, %wf : tensor<1x128x11x13xf32>, tensor<32x128x4x4xf32>) outs(%i : tensor<1x32x8x10xf32>) -> tensor<1x32x8x10xf32>
  %a_z = arith.constant dense<0.0> : tensor<1x32x8x10xf32>
  %a_e = tensor.empty() : tensor<1x32x8x10xf32>
  %a = linalg.max ins(%r, %a_z : tensor<1x32x8x10xf32>, tensor<1x32x8x10xf32>) outs(%a_e : tensor<1x32x8x10xf32>) -> tensor<1x32x8x10xf32>
  %q_s = arith.constant 0.3 : f32
  %q_z = arith.constant -100.0 : f32
  %q_l = arith.constant -128.0 : f32
  %q_h = arith.constant 127.0 : f32
  %q_e = tensor.empty() : tensor<1x32x8x10xi8>
  %q = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a : tensor<1x32x8x10xf32>) outs(%q_e : tensor<1x32x8x10xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %q_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %q_z : f32
    %3 = arith.maximumf %2, %q_l : f32
    %4 = arith.minimumf %3, %q_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x32x8x10xi8>
  return %q : tensor<1x32x8x10xi8>
}

// The result stays in f32.
// CHECK-LABEL: func @floats(
// CHECK:         fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [1, 1] {{.*}} -> tensor<2x6x8x24xf32>
// CHECK:         return %{{.*}} : tensor<2x4x10x20xf32>
func.func @floats(%x: tensor<2x3x5x7xi8>, %w: tensor<3x4x4x6xi8>) -> tensor<2x4x10x20xf32> {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<2x3x5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n4, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x5x7xi8>) outs(%xd_e : tensor<2x3x5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x5x7xf32>
  %wd_s = arith.constant dense<[0.01, 0.02, 0.005, 0.04]> : tensor<4xf32>
  %wd_e = tensor.empty() : tensor<3x4x4x6xf32>
  %wd = linalg.generic {indexing_maps = [#n4, #d1, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %wd_s : tensor<3x4x4x6xi8>, tensor<4xf32>) outs(%wd_e : tensor<3x4x4x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x4x4x6xf32>
  %zero = arith.constant 0.0 : f32
  %ze = tensor.empty() : tensor<2x3x13x25xf32>
  %zf = linalg.fill ins(%zero : f32) outs(%ze : tensor<2x3x13x25xf32>) -> tensor<2x3x13x25xf32>
  %xi = tensor.insert_slice %xd into %zf[0, 0, 2, 3] [2, 3, 5, 7] [1, 1, 2, 3] : tensor<2x3x5x7xf32> into tensor<2x3x13x25xf32>
  %wt_e = tensor.empty() : tensor<4x3x4x6xf32>
  %wt = linalg.transpose ins(%wd : tensor<3x4x4x6xf32>) outs(%wt_e : tensor<4x3x4x6xf32>) permutation = [1, 0, 2, 3]
  %wf_c2 = arith.constant 3 : index
  %wf_c3 = arith.constant 5 : index
  %wf_e = tensor.empty() : tensor<4x3x4x6xf32>
  %wf = linalg.generic {indexing_maps = [#n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wf_e : tensor<4x3x4x6xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %f2 = arith.subi %wf_c2, %i2 : index
    %f3 = arith.subi %wf_c3, %i3 : index
    %0 = tensor.extract %wt[%i0, %i1, %f2, %f3] : tensor<4x3x4x6xf32>
    linalg.yield %0 : f32
  } -> tensor<4x3x4x6xf32>
  %ie = tensor.empty() : tensor<2x4x10x20xf32>
  %i = linalg.fill ins(%zero : f32) outs(%ie : tensor<2x4x10x20xf32>) -> tensor<2x4x10x20xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%xi, %wf : tensor<2x3x13x25xf32>, tensor<4x3x4x6xf32>) outs(%i : tensor<2x4x10x20xf32>) -> tensor<2x4x10x20xf32>
  return %r : tensor<2x4x10x20xf32>
}
