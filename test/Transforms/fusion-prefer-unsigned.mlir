// RUN: fusion-opt %s --fusion-prefer-unsigned | FileCheck %s

// fusion-prefer-unsigned-refused.mlir has near misses. Integration/prefer-unsigned.test executes both.

// CHECK-LABEL: func @chain(
// CHECK:         fusion.quantized_conv_bias_act relu {{.*}} {input_zero_point = 5 : i32, output_unsigned} ins(%arg0,
// CHECK:         fusion.quantized_conv_bias_act {{.*}} {input_unsigned, output_zero_point = 3 : i32} ins(
func.func @chain(%x: tensor<1x8x9x3xi8>) -> tensor<1x4x10x4xi8> {
  %wa = arith.constant dense<[[[[-45, 115, -89, -26, 39, -115], [-109, 83, 10, -103, -34, 22], [-113, 105, 2, -73, -118, -105]], [[-16, -20, -110, -66, -104, 14], [-19, -112, 84, 17, -96, 115], [-70, 34, 33, 22, 115, -112]]], [[[20, 22, -26, -115, 122, -71], [-116, 15, 92, -93, -53, -20], [-91, 11, -97, 19, -49, 16]], [[81, 47, -81, -101, 21, 19], [36, -79, -32, -103, 13, 55], [-111, 17, -112, 31, -75, 0]]], [[[47, 9, -18, 71, -47, -8], [22, 109, -11, -35, -51, -64], [76, -81, 51, 72, -65, -107]], [[20, -51, 7, -1, 97, -40], [59, -13, -54, 28, 123, -109], [-97, 4, -20, -85, 66, -40]]]]> : tensor<3x2x3x6xi8>
  %ba = arith.constant dense<[-589, 101, -37, -820, 468, -742]> : tensor<6xi32>
  %sa = arith.constant dense<[0.00363, 0.00318, 0.00390, 0.00255, 0.00347, 0.00323]> : tensor<6xf32>
  %ea = tensor.empty() : tensor<1x4x9x6xi8>
  %wb = arith.constant dense<[[[[21, 77, -11, -110], [88, -104, 114, -58], [-6, 51, 43, -111], [-112, 60, 52, -48], [38, 20, 127, 47], [83, -13, -55, 56]], [[-29, 100, 44, -39], [-122, 113, -9, -37], [-84, 29, -98, -1], [-112, -72, 69, -54], [-94, 62, -64, -26], [-27, 107, 96, 0]], [[-107, -85, -13, -25], [13, -56, 99, -92], [82, -17, 94, 13], [-56, 53, -21, 125], [-36, 47, 99, -30], [118, -68, -89, -106]]], [[[-82, -89, -68, 41], [-68, -124, -3, 85], [23, -81, -60, -55], [-126, -90, -20, 9], [-33, 29, 17, -46], [116, -95, 49, 92]], [[4, 116, 31, 40], [46, 62, -114, -11], [103, 95, 72, 116], [96, 47, 77, 16], [-27, -26, -25, -27], [-101, -4, 35, -25]], [[-112, -79, -110, 125], [-74, -15, -86, -99], [-40, 26, -114, -101], [-127, 18, -89, 10], [-102, 115, -34, 30], [-121, -109, 96, -74]]]]> : tensor<2x3x6x4xi8>
  %sb = arith.constant dense<[0.00273, 0.00180, 0.00200, 0.00219]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<1x4x10x4xi8>
  %a = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 5 : i32, output_zero_point = -128 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  %b = fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [0, 2] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_zero_point = 3 : i32}
    ins(%a, %wb : tensor<1x4x9x6xi8>, tensor<2x3x6x4xi8>) scale(%sb : tensor<4xf32>)
    outs(%eb : tensor<1x4x10x4xi8>) -> tensor<1x4x10x4xi8>
  return %b : tensor<1x4x10x4xi8>
}

// The residual of the second convolution becomes unsigned with it, and so does a branch with another zero point,
// which is the residual of the third. The last result is read by nothing but the fifth, with another zero point.
// CHECK-LABEL: func @block(
// CHECK:         fusion.quantized_conv_bias_act relu {{.*}} {input_zero_point = 5 : i32, output_unsigned} ins(%arg0,
// CHECK:         fusion.quantized_conv_bias_act {{.*}} {input_unsigned, output_unsigned, output_zero_point = 133 : i32}
// CHECK:         fusion.quantized_conv_bias_act clip{{.*}} {input_unsigned, output_scale = 0.568181813 : f32, output_unsigned, residual_scale = 1.2800293 : f32, residual_unsigned, residual_zero_point = 133 : i32, round_activation}
// CHECK:         fusion.quantized_conv_bias_act relu {{.*}} {input_unsigned, output_unsigned, residual_scale = 5.000000e-01 : f32, residual_unsigned}
// CHECK:         fusion.quantized_conv_bias_act {{.*}} {input_unsigned, input_zero_point = 1 : i32, output_zero_point = 3 : i32}
func.func @block(%x: tensor<1x8x9x3xi8>) -> tensor<1x4x10x4xi8> {
  %wa = arith.constant dense<[[[[-34, -6, -96, -98, 90, -3], [127, 123, -8, -5, -4, -48], [-106, -91, -101, 64, -40, 62]], [[-60, -5, 85, 50, -86, 5], [-122, -75, 116, 116, 8, -35], [-90, 49, 12, 107, -121, 67]]], [[[8, -51, 123, 37, 94, -104], [51, 89, -61, 5, -34, 105], [-85, -36, 70, -70, 9, 11]], [[72, 1, -43, 35, -70, 29], [80, 74, 125, 67, 91, -78], [79, -66, 82, -25, 62, 78]]], [[[-69, -76, 5, -1, -36, 60], [-120, 126, -120, 75, -56, -7], [-61, -78, 50, 27, 117, -39]], [[-13, 79, 112, 58, 125, -38], [117, 122, -34, -107, -71, -101], [-69, -7, -77, -41, -75, -4]]]]> : tensor<3x2x3x6xi8>
  %ba = arith.constant dense<[378, 349, 821, -897, 81, 437]> : tensor<6xi32>
  %sa = arith.constant dense<[0.00263, 0.00334, 0.00380, 0.00209, 0.00273, 0.00351]> : tensor<6xf32>
  %ea = tensor.empty() : tensor<1x4x9x6xi8>
  %wb = arith.constant dense<[[[[-76, -5, 100, -82], [-16, 75, 35, -42], [-105, 78, 115, 121], [57, -26, -9, -25], [63, 115, -106, 58], [-87, -84, 127, -95]], [[-120, -89, 24, 104], [-8, 79, 40, -90], [29, 84, 25, 123], [-6, 41, 112, -38], [-88, 13, 13, -94], [-122, -124, 77, 121]], [[58, 39, -101, 7], [64, 112, -92, -16], [125, 96, -78, 84], [96, -73, -120, -63], [-73, -53, 1, -66], [68, 23, -44, -61]]], [[[12, -20, 86, -94], [-112, 105, 62, -37], [102, -10, 42, 22], [81, 104, 5, -20], [84, 107, 97, 1], [-94, 9, -89, 7]], [[3, -123, 96, -15], [71, -81, 28, -126], [71, 77, -89, -83], [-91, -6, 31, 58], [-97, 15, -112, -44], [47, 5, 8, 15]], [[-4, 73, 71, -100], [99, 16, -113, -64], [-79, -57, -117, 70], [-102, 2, -12, 16], [-120, 67, 101, 106], [-111, -14, -44, 29]]]]> : tensor<2x3x6x4xi8>
  %sb = arith.constant dense<[0.00345, 0.00271, 0.00190, 0.00205]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<1x4x10x4xi8>
  %wc = arith.constant dense<[[[[3, 9, 79, -5, 2, 114], [-64, 51, 6, 97, 97, 114], [110, -61, 109, 16, 101, 114], [-76, 88, -13, -92, -21, -96], [-27, -14, -47, -109, 44, -66], [-18, -109, -73, 44, -50, 73]], [[-96, 102, 71, -88, 113, 56], [37, 42, -34, -91, -63, 99], [-92, 120, -8, -71, 64, 116], [-103, -26, 99, -3, -86, 126], [43, 86, -70, -86, 53, -17], [127, 4, -24, -41, -20, -77]], [[-36, -46, -104, 57, -34, -123], [-41, 14, -10, -15, 53, -123], [-29, -43, 5, 32, -52, 4], [118, -111, -99, 125, 108, 74], [-69, 121, 97, -101, -106, -60], [-58, -117, 104, 72, -81, -58]]], [[[66, -94, 82, -19, 90, 106], [46, 82, 115, -61, -24, -89], [10, 108, 4, 19, -1, 52], [-44, -105, -56, -113, 77, 49], [-81, -19, 102, -109, -59, 113], [-123, 35, -105, 78, -61, -106]], [[28, 92, -71, -110, -60, 93], [-96, -11, -125, -41, 127, 14], [-21, 110, 107, -59, 32, -94], [-116, 7, 54, -66, 113, -99], [121, -86, -60, -115, -81, -76], [111, -48, 33, -49, 8, 67]], [[-75, -53, -13, 1, 45, -82], [-58, -39, 78, -123, 127, -63], [-118, -124, -123, 60, 2, 14], [123, -79, 4, -6, -65, 112], [-13, -100, 41, 82, 39, -17], [41, -1, 12, 86, 100, -27]]], [[[121, 2, -49, 49, -72, 124], [-69, -40, -77, 86, 98, 53], [59, 35, -92, -24, 126, -39], [124, -114, 87, -94, -124, -109], [33, 62, 98, -62, -17, -86], [-113, -106, 43, 88, -30, 95]], [[2, 44, 121, -55, 26, -65], [50, -52, -116, -10, -80, -87], [-59, -13, -127, -60, -34, 119], [-43, 121, 125, 13, -45, -65], [-119, 120, 98, -48, -72, -36], [-81, -127, -42, -30, -106, -6]], [[-56, 1, 40, -76, -64, 2], [71, -126, -104, -60, 82, -105], [-91, -25, 23, -117, -27, -122], [-51, -50, 34, -68, -106, 22], [118, 8, 91, 65, -88, 41], [101, 56, 73, 98, 25, -28]]]]> : tensor<3x3x6x6xi8>
  %sc = arith.constant dense<[0.00145, 0.00141, 0.00119, 0.00099, 0.00131, 0.00086]> : tensor<6xf32>
  %a = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 5 : i32, output_zero_point = -128 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  %s = fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [1, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_zero_point = 5 : i32}
    ins(%a, %wc : tensor<1x4x9x6xi8>, tensor<3x3x6x6xi8>) scale(%sc : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  %t = fusion.quantized_conv_bias_act clip(-1.210000e+02, 1.340000e+02) pad_low [1, 1] pad_high [1, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_scale = 0.568181813 : f32, output_zero_point = -128 : i32, residual_scale = 1.2800293 : f32, residual_zero_point = 5 : i32, round_activation}
    ins(%a, %wc : tensor<1x4x9x6xi8>, tensor<3x3x6x6xi8>) scale(%sc : tensor<6xf32>) residual_after_activation(%s : tensor<1x4x9x6xi8>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  %u = fusion.quantized_conv_bias_act relu pad_low [1, 1] pad_high [1, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_zero_point = -128 : i32, residual_scale = 5.000000e-01 : f32, residual_zero_point = -128 : i32}
    ins(%t, %wc : tensor<1x4x9x6xi8>, tensor<3x3x6x6xi8>) scale(%sc : tensor<6xf32>) residual(%a : tensor<1x4x9x6xi8>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  %b = fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [0, 2] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -127 : i32, output_zero_point = 3 : i32}
    ins(%u, %wb : tensor<1x4x9x6xi8>, tensor<2x3x6x4xi8>) scale(%sb : tensor<4xf32>)
    outs(%eb : tensor<1x4x10x4xi8>) -> tensor<1x4x10x4xi8>
  return %b : tensor<1x4x10x4xi8>
}

// CHECK-LABEL: func @pool(
// CHECK:         fusion.quantized_conv_bias_act relu {{.*}}output_unsigned}
// CHECK:         fusion.pool {input_unsigned, kernel
// CHECK:         fusion.quantized_matmul_bias_act {input_unsigned} ins(
func.func @pool(%x: tensor<1x8x9x3xi8>) -> tensor<1x5xf32> {
  %wa = arith.constant dense<[[[[84, 86, 56, 101, 4, 33], [-18, 60, 52, 80, 2, -92], [105, 7, 65, 2, 18, 86]], [[81, 78, -123, 84, 48, 22], [77, 101, 55, 47, 117, 50], [37, -69, -106, -120, -117, -93]]], [[[36, -35, 118, -101, -31, 86], [-12, 15, -115, 33, -123, 33], [9, 47, -65, -2, -60, -127]], [[-11, 77, -110, 64, 111, 1], [102, 10, -104, 41, 7, -111], [63, 61, -6, -63, 80, -108]]], [[[89, -60, -67, 59, 66, -75], [-68, 62, 39, 122, -10, -1], [89, -30, -108, -5, 106, 48]], [[-54, 69, -116, 30, 34, 37], [-77, -108, 26, -90, -43, -62], [39, 63, 50, -50, 32, 18]]]]> : tensor<3x2x3x6xi8>
  %ba = arith.constant dense<[-627, -875, 87, -776, 94, -350]> : tensor<6xi32>
  %sa = arith.constant dense<[0.00413, 0.00204, 0.00232, 0.00298, 0.00350, 0.00249]> : tensor<6xf32>
  %ea = tensor.empty() : tensor<1x4x9x6xi8>
  %wd = arith.constant dense<[[-8, -8, 69, -97, 127], [101, 13, -76, -48, 123], [-106, 112, -6, -123, -53], [-10, -108, 82, 2, 120], [127, -12, 127, -59, -28], [-74, 107, 115, 111, -74], [-108, 21, -104, -91, 64], [7, -60, 116, -35, -94], [27, 82, 34, 3, -56], [100, -99, 53, -34, -68], [0, 102, 97, -3, -27], [-121, -87, -127, 116, -2], [47, -12, -24, -50, 59], [-91, -21, -39, -31, -47], [-97, 88, -43, -127, -44], [65, -41, 87, -26, -97], [113, 110, -77, 55, -124], [103, 62, -53, -63, -32], [-111, -27, -28, 95, 23], [-108, -35, 109, -18, 66], [-57, 91, -115, -56, -101], [-114, 86, 42, -54, 35], [112, -89, -64, 121, -59], [-16, 3, -47, -79, 70], [-32, 73, 117, -18, 99], [-120, 80, 67, 34, -25], [106, 97, 113, 14, 13], [-75, 57, -107, -115, 111], [60, -22, -12, 30, 65], [-92, 37, 95, -54, -3]]> : tensor<30x5xi8>
  %sd = arith.constant dense<0.25> : tensor<1xf32>
  %ep = tensor.empty() : tensor<1x5x1x6xi8>
  %ed = tensor.empty() : tensor<1x5xf32>
  %a = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 5 : i32, output_zero_point = -128 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  %p = fusion.pool {pooling = #fusion.pooling<max>, layout = #fusion.layout<nhwc>, kernel = array<i64: 2, 8>,
    strides = array<i64: 1, 3>, pad_low = array<i64: 1, 0>, pad_high = array<i64: 1, 1>}
    ins(%a : tensor<1x4x9x6xi8>) outs(%ep : tensor<1x5x1x6xi8>) -> tensor<1x5x1x6xi8>
  %v = tensor.collapse_shape %p [[0], [1, 2, 3]] : tensor<1x5x1x6xi8> into tensor<1x30xi8>
  %d = fusion.quantized_matmul_bias_act layouts(mk, kn, mn) {input_zero_point = -128 : i32}
    ins(%v, %wd : tensor<1x30xi8>, tensor<30x5xi8>) scale(%sd : tensor<1xf32>)
    outs(%ed : tensor<1x5xf32>) -> tensor<1x5xf32>
  return %d : tensor<1x5xf32>
}

// Ops that move elements. Nothing is in a new tensor: it takes either sign.
// CHECK-LABEL: func @moved(
// CHECK-COUNT-3: fusion.quantized_conv_bias_act {{.*}}output_unsigned
// CHECK:         fusion.quantized_conv_bias_act {{.*}}input_unsigned, output_zero_point = 3 : i32}
func.func @moved(%x: tensor<1x8x9x3xi8>) -> tensor<1x3x5x4xi8> {
  %wa = arith.constant dense<[[[[-115, 106, 110, 13, -95, -84], [-7, -21, -40, -55, -51, -62], [62, 62, 122, 40, -61, -24]], [[40, -66, -50, -4, 15, 44], [-27, -97, -85, 37, -86, -108], [-74, 1, 104, 80, 0, 13]]], [[[-71, -12, 105, -42, 67, -12], [-18, -92, 13, -78, -65, -104], [-83, -40, 15, -104, -46, -66]], [[-33, -61, 80, 18, -76, 100], [-122, 64, 95, -22, -29, -22], [63, 7, -74, -31, -58, -41]]], [[[65, -112, 0, -56, 20, 120], [-35, -95, 48, 1, 8, 34], [75, 93, 90, -72, -104, -58]], [[102, -64, -29, -25, 38, -13], [-17, 117, -48, 90, 81, 96], [120, -122, -95, -119, -19, 54]]]]> : tensor<3x2x3x6xi8>
  %ba = arith.constant dense<[664, 747, 69, 302, 103, -900]> : tensor<6xi32>
  %sa = arith.constant dense<[0.00198, 0.00403, 0.00403, 0.00307, 0.00292, 0.00288]> : tensor<6xf32>
  %ea = tensor.empty() : tensor<1x4x9x6xi8>
  %wd = arith.constant dense<[[[[73, -100, -70, -88], [-89, 6, 121, 47], [-100, 114, 84, 57], [52, 38, 89, 68], [102, -10, -106, 14], [71, -117, -127, 73]]]]> : tensor<1x1x6x4xi8>
  %sb = arith.constant dense<[0.00350, 0.00528, 0.00315, 0.00586]> : tensor<4xf32>
  %ed = tensor.empty() : tensor<1x3x5x4xi8>
  %es = tensor.empty() : tensor<1x4x18x6xi8>
  %a = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 5 : i32, output_zero_point = -128 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  %b = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 4 : i32, output_zero_point = -128 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  %c = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -7 : i32, output_zero_point = -128 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  %i0 = tensor.insert_slice %a into %es[0, 0, 0, 0] [1, 4, 9, 6] [1, 1, 1, 1] : tensor<1x4x9x6xi8> into tensor<1x4x18x6xi8>
  %i1 = tensor.insert_slice %b into %i0[0, 0, 9, 0] [1, 4, 9, 6] [1, 1, 1, 1] : tensor<1x4x9x6xi8> into tensor<1x4x18x6xi8>
  %j = tensor.concat dim(2) %i1, %c : (tensor<1x4x18x6xi8>, tensor<1x4x9x6xi8>) -> tensor<1x4x27x6xi8>
  %m = tensor.extract_slice %j[0, 1, 2, 0] [1, 3, 5, 6] [1, 1, 5, 1] : tensor<1x4x27x6xi8> to tensor<1x3x5x6xi8>
  %et = tensor.empty() : tensor<1x5x3x6xi8>
  %n = linalg.transpose ins(%m : tensor<1x3x5x6xi8>) outs(%et : tensor<1x5x3x6xi8>) permutation = [0, 2, 1, 3]
  %k = tensor.expand_shape %n [[0, 1], [2], [3], [4]] output_shape [1, 1, 5, 3, 6] : tensor<1x5x3x6xi8> into tensor<1x1x5x3x6xi8>
  %l = tensor.collapse_shape %k [[0, 1], [2], [3], [4]] : tensor<1x1x5x3x6xi8> into tensor<1x5x3x6xi8>
  %o = tensor.cast %l : tensor<1x5x3x6xi8> to tensor<1x?x3x6xi8>
  %q = tensor.cast %o : tensor<1x?x3x6xi8> to tensor<1x5x3x6xi8>
  %d = fusion.quantized_conv_bias_act layouts(nwhc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_zero_point = 3 : i32}
    ins(%q, %wd : tensor<1x5x3x6xi8>, tensor<1x1x6x4xi8>) scale(%sb : tensor<4xf32>)
    outs(%ed : tensor<1x3x5x4xi8>) -> tensor<1x3x5x4xi8>
  return %d : tensor<1x3x5x4xi8>
}

// The destination is not read. It may be of any sign.
// CHECK-LABEL: func @destination(
// CHECK:         fusion.quantized_conv_bias_act relu {{.*}}output_unsigned}
// CHECK:         fusion.quantized_conv_bias_act {{.*}}input_unsigned, output_zero_point = 3 : i32}
func.func @destination(%x: tensor<1x8x9x3xi8>, %eb: tensor<1x4x10x4xi8>) -> tensor<1x4x10x4xi8> {
  %wa = arith.constant dense<[[[[119, -95, 33, -63, 8, 35], [-16, 51, 68, -99, -102, -109], [-51, 7, 114, 22, -78, -28]], [[-61, -70, 75, 26, -127, -125], [10, -50, -10, -56, 118, -47], [38, 87, 99, -65, -6, 7]]], [[[-67, 13, -64, -120, 118, -22], [53, 39, -49, -113, -122, -78], [0, 99, 45, 38, -20, -107]], [[-62, -69, 43, -19, 109, -33], [-69, -1, -119, 51, -41, 56], [-20, -35, 47, -26, -77, -126]]], [[[77, -53, 62, 89, 2, -110], [-75, -1, 121, -76, -48, 69], [82, -78, -68, -8, -71, -60]], [[67, 100, -52, -100, 116, 32], [-1, 29, -80, 102, -70, -3], [-21, 106, 43, -113, 115, 25]]]]> : tensor<3x2x3x6xi8>
  %ba = arith.constant dense<[-601, -95, -789, -464, -852, 320]> : tensor<6xi32>
  %sa = arith.constant dense<[0.00214, 0.00192, 0.00194, 0.00274, 0.00396, 0.00392]> : tensor<6xf32>
  %ea = tensor.empty() : tensor<1x4x9x6xi8>
  %wb = arith.constant dense<[[[[60, -99, -107, 111], [-85, -43, -79, -80], [40, 112, 7, 64], [-8, -119, -48, 43], [58, -31, 87, -32], [125, -43, -14, -84]], [[-100, -127, -107, -56], [-107, -38, -20, 117], [99, -96, 16, 119], [67, -74, -30, -36], [69, 83, -48, 83], [78, -17, -105, -115]], [[53, -6, -77, -32], [11, 108, -13, -78], [-45, -34, 61, 102], [-6, -120, 34, -22], [-64, 80, 33, 69], [-24, -117, -31, -119]]], [[[-9, -111, 78, 108], [-112, -62, -78, 64], [-111, 103, 28, -41], [-35, -58, -42, 118], [117, 30, -116, -60], [64, 56, 49, -46]], [[109, -57, -51, -127], [57, 66, 25, 107], [79, 35, 115, 114], [-111, -121, 84, -68], [-100, -6, 56, 117], [-8, 117, 71, -29]], [[75, -63, 106, -17], [81, -1, -94, 110], [0, -81, -125, 78], [111, 62, -50, 83], [50, 70, -89, 28], [-67, -44, 93, -46]]]]> : tensor<2x3x6x4xi8>
  %sb = arith.constant dense<[0.00242, 0.00307, 0.00269, 0.00252]> : tensor<4xf32>
  %a = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 5 : i32, output_zero_point = -128 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  %b = fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [0, 2] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_zero_point = 3 : i32}
    ins(%a, %wb : tensor<1x4x9x6xi8>, tensor<2x3x6x4xi8>) scale(%sb : tensor<4xf32>)
    outs(%eb : tensor<1x4x10x4xi8>) -> tensor<1x4x10x4xi8>
  return %b : tensor<1x4x10x4xi8>
}
