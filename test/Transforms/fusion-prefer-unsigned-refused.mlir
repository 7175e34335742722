// RUN: fusion-opt %s --fusion-prefer-unsigned -o %t.mlir --remarks-filter='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:
// RUN: FileCheck %s < %t.mlir --implicit-check-not=unsigned

// Near misses of fusion-prefer-unsigned.mlir: all stay signed, each for one reason.

#image = affine_map<(n, h, w, c) -> (n, h, w, c)>

// Its caller reads a result.
// CHECK-LABEL: func @returned(
func.func @returned(%x: tensor<1x8x9x3xi8>) -> (tensor<1x4x10x4xi8>, tensor<1x4x9x6xi8>) {
  %wa = arith.constant dense<[[[[-27, 65, -87, -64, -23, -111], [39, -119, -4, 14, 12, -44], [-86, 123, -18, 99, -101, 125]], [[-109, -60, 32, -106, -74, -103], [-20, 0, 126, 54, 121, -13], [-83, -68, -93, -21, -10, 31]]], [[[101, 45, -67, 64, 10, 89], [71, 43, 67, -96, 72, 88], [-52, -52, -56, 18, -59, -32]], [[-62, 61, -61, -77, -15, -64], [-80, -65, -67, -88, -55, 99], [105, 21, -79, -44, -111, -26]]], [[[-63, 127, -65, 2, 7, -68], [39, 79, -102, 40, -9, 126], [-118, -101, -126, -6, 99, 82]], [[-68, 88, -13, 107, -32, -117], [97, -52, -68, -97, -115, -79], [26, 122, 84, 22, -78, 111]]]]> : tensor<3x2x3x6xi8>
  %ba = arith.constant dense<[-747, -138, 149, 873, -536, 19]> : tensor<6xi32>
  %sa = arith.constant dense<[0.00325, 0.00366, 0.00340, 0.00182, 0.00333, 0.00350]> : tensor<6xf32>
  %ea = tensor.empty() : tensor<1x4x9x6xi8>
  %wb = arith.constant dense<[[[[-38, -72, -118, -33], [-40, -91, -116, -75], [-62, -118, 26, 60], [39, 106, -75, 81], [-125, 82, -44, -23], [46, -32, -80, 31]], [[-48, -108, -75, -119], [76, -1, 13, -4], [-111, -23, -102, 76], [-26, 42, 13, -88], [36, 9, -104, 40], [-86, -26, 51, -58]], [[-23, 125, -55, 43], [-49, -21, 117, -114], [-48, 63, 18, 99], [-36, -21, -21, -123], [94, 69, 78, -34], [37, -77, -27, 59]]], [[[-24, -75, 114, -126], [-16, 103, -87, -19], [-98, 83, -104, -24], [20, 99, -34, -10], [70, -86, -94, -124], [-114, 14, -91, 37]], [[79, 105, -26, -105], [19, 32, 110, -33], [61, 2, -84, -90], [-38, -55, -86, 6], [-84, 109, -110, -100], [-29, -2, 65, 79]], [[75, 120, 79, -77], [-50, -95, 87, 114], [-116, 122, 106, -4], [-47, -114, 28, 110], [35, -28, -105, 104], [55, 31, 49, 84]]]]> : tensor<2x3x6x4xi8>
  %sb = arith.constant dense<[0.00328, 0.00278, 0.00321, 0.00274]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<1x4x10x4xi8>
  %a = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 5 : i32, output_zero_point = -128 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the input stays signed: 'func.return' at {{.*}}:[[#@LINE+5]]:{{[0-9]+}} determines its sign
  %b = fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [0, 2] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_zero_point = 3 : i32}
    ins(%a, %wb : tensor<1x4x9x6xi8>, tensor<2x3x6x4xi8>) scale(%sb : tensor<4xf32>)
    outs(%eb : tensor<1x4x10x4xi8>) -> tensor<1x4x10x4xi8>
  return %b, %a : tensor<1x4x10x4xi8>, tensor<1x4x9x6xi8>
}

// The caller gives the input.
// CHECK-LABEL: func @argument(
func.func @argument(%a: tensor<1x4x9x6xi8>) -> tensor<1x4x10x4xi8> {
  %wb = arith.constant dense<[[[[30, 89, -77, 85], [-6, -81, 17, -72], [-117, -25, 113, 5], [-87, -29, -36, -96], [-89, -64, 121, 58], [81, 102, -78, -117]], [[99, 16, 88, 66], [45, -118, 43, 87], [-45, -97, -28, 26], [-11, 13, 90, 33], [72, -49, 39, -20], [-49, 22, -64, -19]], [[-28, 41, -33, -13], [1, -15, -82, -122], [-127, 31, 125, -2], [-8, -67, -13, 68], [31, 72, 82, -10], [87, -82, 80, -6]]], [[[-25, -100, -110, -95], [-36, -17, -34, -104], [78, -14, 2, 3], [41, -117, -117, 35], [-94, -106, 109, 60], [-47, 72, 57, 3]], [[-107, -114, 65, 2], [102, -31, 40, 116], [73, -93, -121, 92], [-111, 30, 60, 50], [81, -99, -78, -94], [124, 99, -2, -54]], [[117, 80, 107, 76], [-85, 48, 74, 57], [111, -71, -111, 86], [-38, 29, 66, -63], [-87, -45, 102, 30], [-57, 104, 81, -11]]]]> : tensor<2x3x6x4xi8>
  %sb = arith.constant dense<[0.00179, 0.00250, 0.00334, 0.00192]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<1x4x10x4xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the input stays signed: 'func.func' at {{.*}}:[[#@LINE-4]]:{{[0-9]+}} determines its sign
  %b = fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [0, 2] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_zero_point = 3 : i32}
    ins(%a, %wb : tensor<1x4x9x6xi8>, tensor<2x3x6x4xi8>) scale(%sb : tensor<4xf32>)
    outs(%eb : tensor<1x4x10x4xi8>) -> tensor<1x4x10x4xi8>
  return %b : tensor<1x4x10x4xi8>
}

// An op of linalg reads integers.
// CHECK-LABEL: func @other_op(
func.func @other_op(%x: tensor<1x8x9x3xi8>) -> (tensor<1x4x10x4xi8>, tensor<1x4x9x6xi32>) {
  %wa = arith.constant dense<[[[[-60, 30, 2, -67, -46, -32], [-118, -77, -81, -24, -86, 35], [112, -56, 46, -44, 102, -31]], [[-84, 75, 73, -60, -98, 69], [8, -115, 35, 92, -35, 120], [96, -12, 15, 6, 21, 49]]], [[[98, 102, -101, -63, 127, 10], [34, 92, -27, 61, 77, -32], [-60, -31, 126, -33, 20, -90]], [[-35, -43, 68, -107, -14, -69], [-82, 30, 63, 118, -115, -52], [82, 5, -63, -48, 36, 120]]], [[[124, 95, 22, 110, 42, 102], [-47, 60, -127, 64, -119, -71], [-89, -53, 30, 33, -17, -21]], [[4, -34, 102, -115, -94, -2], [-69, 29, 40, -116, -122, -114], [-127, 18, -37, -50, -100, 6]]]]> : tensor<3x2x3x6xi8>
  %ba = arith.constant dense<[-169, 193, -441, -54, 295, -284]> : tensor<6xi32>
  %sa = arith.constant dense<[0.00321, 0.00229, 0.00330, 0.00294, 0.00212, 0.00405]> : tensor<6xf32>
  %ea = tensor.empty() : tensor<1x4x9x6xi8>
  %wb = arith.constant dense<[[[[-65, 54, -89, -12], [-103, -111, 36, -90], [96, 43, 73, -58], [-25, 80, -60, 120], [-125, -113, 38, 83], [16, 101, -38, 25]], [[38, 21, -14, 27], [112, 5, 60, -1], [-64, -85, 104, -127], [-116, -112, 9, -121], [-24, -80, -67, -87], [-113, 106, 72, -101]], [[-124, 29, 14, 41], [113, -77, -91, -22], [-76, 5, 28, 37], [2, 38, 37, -21], [81, 29, -83, 3], [-48, -111, -51, 33]]], [[[-115, 127, 100, 58], [73, -5, 56, 10], [-126, -31, 89, -16], [63, 106, -8, -107], [62, 40, -12, -83], [-70, -101, -61, -68]], [[37, -118, -96, -42], [101, 64, 109, 50], [114, 89, -60, 55], [-114, -59, 35, 14], [46, -16, 48, 74], [107, 6, 121, -60]], [[-52, 37, 110, 120], [101, -72, -106, 98], [2, -124, -84, -61], [104, -67, 88, 63], [-76, 114, -87, 64], [107, -44, -78, 98]]]]> : tensor<2x3x6x4xi8>
  %sb = arith.constant dense<[0.00228, 0.00270, 0.00226, 0.00320]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<1x4x10x4xi8>
  %ei = tensor.empty() : tensor<1x4x9x6xi32>
  %a = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 5 : i32, output_zero_point = -128 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the input stays signed: 'linalg.generic' at {{.*}}:[[#@LINE+5]]:{{[0-9]+}} determines its sign
  %b = fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [0, 2] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_zero_point = 3 : i32}
    ins(%a, %wb : tensor<1x4x9x6xi8>, tensor<2x3x6x4xi8>) scale(%sb : tensor<4xf32>)
    outs(%eb : tensor<1x4x10x4xi8>) -> tensor<1x4x10x4xi8>
  %r = linalg.generic {indexing_maps = [#image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<1x4x9x6xi8>) outs(%ei : tensor<1x4x9x6xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<1x4x9x6xi32>
  return %b, %r : tensor<1x4x10x4xi8>, tensor<1x4x9x6xi32>
}

// No product reads the zero point -128.
// CHECK-LABEL: func @zero_point(
func.func @zero_point(%x: tensor<1x8x9x3xi8>) -> tensor<1x4x10x4xi8> {
  %wa = arith.constant dense<[[[[108, 50, 124, 43, 88, 123], [10, -7, -7, 87, 8, 51], [-126, 92, -121, -16, 117, 58]], [[-68, 19, 99, -49, 75, -73], [-27, 32, 22, -108, 17, 106], [-84, -90, -119, -121, -99, -100]]], [[[32, 110, -86, -39, 123, -91], [52, -120, -120, -117, -92, 50], [37, 35, -117, 51, -110, 61]], [[-116, -111, 92, 24, 68, -34], [-76, 82, 117, 82, 9, 101], [43, -111, 98, 95, 66, 107]]], [[[55, 114, -29, -100, -64, -75], [-75, -99, -119, -119, 116, 90], [106, 80, 65, 35, -105, 84]], [[65, 34, 34, -54, -5, -102], [-94, -102, 75, 66, 38, -75], [-52, -46, -41, -19, -61, -122]]]]> : tensor<3x2x3x6xi8>
  %ba = arith.constant dense<[-182, -375, -322, -801, 565, 656]> : tensor<6xi32>
  %sa = arith.constant dense<[0.00268, 0.00257, 0.00411, 0.00301, 0.00384, 0.00328]> : tensor<6xf32>
  %ea = tensor.empty() : tensor<1x4x9x6xi8>
  %wb = arith.constant dense<[[[[-120, 74, -22, -120], [-16, 5, 70, -102], [-39, -7, 53, -115], [10, 17, -72, 55], [93, 84, -104, 20], [82, -54, -84, -16]], [[-127, 7, -76, -54], [68, 65, 123, -114], [-126, -38, -2, -103], [-2, 50, 76, 84], [-80, 120, -1, 24], [-39, 118, 85, 4]], [[-61, 20, 114, -87], [-55, 81, -73, 113], [52, -68, 0, -85], [-99, 113, 35, 69], [-107, -2, 74, 126], [51, 16, 74, -101]]], [[[33, -44, -36, -103], [-25, 110, -26, 101], [100, 63, -105, -19], [100, 38, -121, -32], [-75, -50, -60, -18], [103, 12, 1, -84]], [[-30, 124, 99, 34], [-68, 114, -10, -95], [9, 25, 66, 49], [65, 27, 38, -119], [-38, 21, -44, 6], [-88, 95, 88, -12]], [[42, 14, 62, -45], [-84, -9, -15, 49], [70, -62, 21, -68], [-95, -42, -9, 37], [99, 51, -67, 2], [-78, -59, -50, 66]]]]> : tensor<2x3x6x4xi8>
  %sb = arith.constant dense<[0.00291, 0.00319, 0.00181, 0.00181]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<1x4x10x4xi8>
  %a = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -127 : i32, output_zero_point = -127 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  %b = fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [0, 2] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -127 : i32, output_zero_point = -128 : i32}
    ins(%a, %wb : tensor<1x4x9x6xi8>, tensor<2x3x6x4xi8>) scale(%sb : tensor<4xf32>)
    outs(%eb : tensor<1x4x10x4xi8>) -> tensor<1x4x10x4xi8>
  return %b : tensor<1x4x10x4xi8>
}

// A residual that the caller gives has the sign of the result.
// CHECK-LABEL: func @residual(
func.func @residual(%x: tensor<1x8x9x3xi8>, %y: tensor<1x4x9x6xi8>) -> tensor<1x4x10x4xi8> {
  %wa = arith.constant dense<[[[[-64, 58, -44, 27, 6, -38], [-86, -67, -44, 117, -79, -61], [122, 117, 59, 127, -101, -85]], [[119, 41, -101, -77, -29, -89], [124, -90, 76, -50, 60, -51], [-16, -57, -77, -100, 36, 106]]], [[[-100, -56, -75, 99, -28, -9], [-119, -124, -25, 91, 75, -16], [50, -71, 1, 124, 34, -52]], [[-9, -122, -91, -62, 27, 61], [-24, -126, 62, -65, 105, 91], [-17, 52, 19, 23, 64, 38]]], [[[-20, 89, -69, 43, 57, 40], [98, 97, 71, 37, 52, 22], [91, -69, 46, -81, 37, -96]], [[-11, -17, -47, -61, 33, 52], [-102, 102, -20, -65, 73, -25], [55, 55, 34, -87, -63, 90]]]]> : tensor<3x2x3x6xi8>
  %ba = arith.constant dense<[-33, 88, 32, -860, 372, 858]> : tensor<6xi32>
  %sa = arith.constant dense<[0.00278, 0.00342, 0.00403, 0.00224, 0.00337, 0.00367]> : tensor<6xf32>
  %ea = tensor.empty() : tensor<1x4x9x6xi8>
  %wb = arith.constant dense<[[[[-28, 85, -2, 105], [122, -100, -118, -63], [12, -72, -86, 56], [73, 116, 113, -76], [5, -38, -102, 89], [20, -11, 11, -75]], [[56, -6, 4, -123], [36, 75, 85, -33], [6, -40, -22, 62], [115, -11, -74, 126], [48, -80, -27, 4], [68, 111, -96, 59]], [[125, 30, -36, 36], [-113, -63, -57, -30], [-25, -112, -124, -108], [-20, 107, -20, 33], [51, 45, -37, 21], [-60, -100, -70, -50]]], [[[62, -25, 113, 117], [7, 121, -71, 127], [78, 118, -27, -9], [-73, -85, -94, 110], [71, -110, 80, 77], [35, -78, -7, 37]], [[16, 57, -70, 81], [119, -90, -37, 43], [36, 85, 82, 76], [81, -22, -8, -52], [67, 13, 39, -95], [72, 86, -7, -37]], [[73, 90, -69, -59], [53, -31, 48, -63], [124, -18, 46, -80], [-4, -127, 79, 57], [77, -56, -36, -65], [40, -50, -45, -5]]]]> : tensor<2x3x6x4xi8>
  %sb = arith.constant dense<[0.00247, 0.00275, 0.00167, 0.00329]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<1x4x10x4xi8>
  %a = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 5 : i32, output_zero_point = -128 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>) residual(%y : tensor<1x4x9x6xi8>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the input stays signed: 'func.func' at {{.*}}:[[#@LINE-12]]:{{[0-9]+}} determines its sign
  %b = fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [0, 2] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_zero_point = 3 : i32}
    ins(%a, %wb : tensor<1x4x9x6xi8>, tensor<2x3x6x4xi8>) scale(%sb : tensor<4xf32>)
    outs(%eb : tensor<1x4x10x4xi8>) -> tensor<1x4x10x4xi8>
  return %b : tensor<1x4x10x4xi8>
}

// A pad in front of the product has a number of its own.
// CHECK-LABEL: func @padded(
func.func @padded(%x: tensor<1x8x9x3xi8>) -> tensor<1x5x10x4xi8> {
  %wa = arith.constant dense<[[[[-88, 110, -50, 91, -29, -113], [-106, 84, 17, 104, -44, 73], [114, -92, 8, 85, -39, 35]], [[22, -124, 41, -125, -74, 116], [-109, 40, -52, -63, 28, -102], [21, -91, 91, -68, -80, 71]]], [[[-12, -39, 73, -88, -74, 104], [-24, 75, 9, -85, 29, 101], [49, 28, 123, 73, -104, 44]], [[103, 101, 13, 74, 35, 87], [-51, -77, -1, 50, -73, 8], [-107, 62, 87, -15, 44, 98]]], [[[-98, 15, -97, -60, -20, -68], [84, -92, -6, -1, 15, -113], [-4, -8, 104, -91, 52, -2]], [[-64, 0, -85, 11, 26, 93], [61, -126, -86, 88, -45, -8], [51, 17, 0, 43, -52, 88]]]]> : tensor<3x2x3x6xi8>
  %ba = arith.constant dense<[53, -133, -28, -43, 484, -746]> : tensor<6xi32>
  %sa = arith.constant dense<[0.00223, 0.00266, 0.00335, 0.00185, 0.00191, 0.00357]> : tensor<6xf32>
  %ea = tensor.empty() : tensor<1x4x9x6xi8>
  %wb = arith.constant dense<[[[[-43, 80, 124, -103], [3, -4, -3, 66], [102, -91, -119, -73], [56, -21, 33, -95], [-41, -103, 93, 41], [-34, -40, -6, 72]], [[7, 14, 70, 106], [-74, -55, -16, -40], [-19, -63, 14, -114], [84, -53, -53, -37], [84, -1, -24, -42], [1, 124, -58, 96]], [[2, -39, 122, -75], [40, -1, 75, -97], [-43, -78, -46, 55], [-51, -95, 23, 122], [35, -105, 73, -117], [-25, 58, 14, 99]]], [[[-24, 12, 19, -115], [-25, -51, -100, -126], [-116, -79, 83, 108], [-6, 28, 69, 41], [-112, 74, 1, 105], [12, 29, -31, 30]], [[-90, 33, 45, 51], [49, 25, 97, 47], [-106, -73, -117, 43], [35, -10, 33, 68], [-83, -102, 42, -81], [95, -118, -20, 71]], [[-102, 107, 111, 40], [-124, -33, 96, 83], [-92, 74, -48, 16], [54, -61, 93, -50], [-80, -20, -119, -46], [-122, -17, 17, 37]]]]> : tensor<2x3x6x4xi8>
  %sb = arith.constant dense<[0.00266, 0.00333, 0.00250, 0.00254]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<1x5x10x4xi8>
  %z = arith.constant -128 : i8
  %a = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 5 : i32, output_zero_point = -128 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  %p = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : i8
  } : tensor<1x4x9x6xi8> to tensor<1x6x12x6xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the input stays signed: 'tensor.pad' at {{.*}}:[[#@LINE-4]]:{{[0-9]+}} determines its sign
  %b = fusion.quantized_conv_bias_act layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_zero_point = 3 : i32}
    ins(%p, %wb : tensor<1x6x12x6xi8>, tensor<2x3x6x4xi8>) scale(%sb : tensor<4xf32>)
    outs(%eb : tensor<1x5x10x4xi8>) -> tensor<1x5x10x4xi8>
  return %b : tensor<1x5x10x4xi8>
}

// A filter is signed.
// CHECK-LABEL: func @filter(
func.func @filter(%x: tensor<5x7xi8>, %w: tensor<7x4xi8>) -> (tensor<4x5xi8>, tensor<6x4xi8>) {
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %e = tensor.empty() : tensor<5x4xi8>
  %f = tensor.empty() : tensor<6x4xi8>
  %v = arith.constant dense<[[84, -97, 71, 80], [-20, 20, 51, 108], [-24, -13, -110, -124], [47, -28, 25, 24]]> : tensor<4x4xi8>
  %u = arith.constant dense<[[127, 113, 41, 124, -88], [-6, 70, -22, 13, -101], [-106, 37, -7, -73, 102], [-89, 33, -124, -18, -126], [-125, 48, 44, -96, 125], [120, 92, -105, -72, 95]]> : tensor<6x5xi8>
  %h = tensor.empty() : tensor<4x5xi8>
  %a = fusion.quantized_matmul_bias_act relu layouts(mk, kn, mn) {output_zero_point = -128 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<7x4xi8>) scale(%s : tensor<1xf32>)
    outs(%e : tensor<5x4xi8>) -> tensor<5x4xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the input stays signed: 'fusion.quantized_matmul_bias_act' at {{.*}}:[[#@LINE+4]]:{{[0-9]+}} determines its sign
  %b = fusion.quantized_matmul_bias_act layouts(mk, kn, nm) {input_zero_point = -128 : i32}
    ins(%a, %v : tensor<5x4xi8>, tensor<4x4xi8>) scale(%s : tensor<1xf32>)
    outs(%h : tensor<4x5xi8>) -> tensor<4x5xi8>
  %c = fusion.quantized_matmul_bias_act layouts(mk, kn, mn)
    ins(%u, %a : tensor<6x5xi8>, tensor<5x4xi8>) scale(%s : tensor<1xf32>)
    outs(%f : tensor<6x4xi8>) -> tensor<6x4xi8>
  return %b, %c : tensor<4x5xi8>, tensor<6x4xi8>
}


// The bits of a result are read with another sign than the op has written them with.
// CHECK-LABEL: func @unsigned_result(
func.func @unsigned_result(%x: tensor<1x8x9x3xi8>) -> tensor<1x4x10x4xi8> {
  // CHECK: output_unsigned
  %wa = arith.constant dense<[[[[-96, -94, -7, -123, -57, 57], [18, -65, -12, 60, 63, -80], [109, -115, -34, 71, 64, 55]], [[50, 92, -90, 59, 67, -106], [-52, 33, 15, 54, 0, -10], [44, 111, 100, -62, 106, 119]]], [[[-114, 56, -119, -125, -112, -124], [99, 39, 48, 82, 31, -107], [-28, -48, -48, 59, 26, -85]], [[118, 93, 86, -3, 28, -112], [-47, -33, 115, 20, 59, -15], [-7, 46, -85, -90, 120, 77]]], [[[-98, -35, 117, 38, -86, 34], [78, -21, -5, -29, 72, 74], [-12, 114, -58, 73, 66, 18]], [[-42, -53, -56, -112, 32, 122], [39, 53, 78, 84, 26, -42], [95, 28, 58, 123, -124, 85]]]]> : tensor<3x2x3x6xi8>
  %ba = arith.constant dense<[-591, 331, 805, -268, 297, -23]> : tensor<6xi32>
  %sa = arith.constant dense<[0.00414, 0.00239, 0.00273, 0.00270, 0.00365, 0.00236]> : tensor<6xf32>
  %ea = tensor.empty() : tensor<1x4x9x6xi8>
  %wb = arith.constant dense<[[[[-12, -55, 49, -127], [-45, -60, -59, -19], [-87, 23, 108, 81], [68, 100, 73, -117], [-54, 86, -91, 80], [100, 95, 127, 19]], [[-90, -57, 122, 90], [77, 79, 13, 48], [71, 106, 0, -39], [9, -106, 11, 14], [-3, 77, -30, -76], [74, 65, 57, 111]], [[124, -68, -48, 28], [-113, 46, -26, -8], [54, -75, 110, -62], [23, 65, -125, 75], [-29, -10, 11, -105], [10, 79, -37, 70]]], [[[-111, -68, -26, 21], [6, 102, -61, 99], [86, 6, -45, -5], [2, 23, -76, -79], [-73, -78, -104, -81], [79, 52, -53, -35]], [[20, 17, -36, -24], [72, 5, 92, -89], [-64, -116, 109, -1], [-32, 94, -100, -32], [34, -9, 74, -107], [-88, -47, 25, -120]], [[-39, -56, 5, 28], [-122, -103, -119, -75], [126, 95, 94, 17], [-3, 23, 18, -73], [-61, 109, 72, -56], [-18, -103, 115, -13]]]]> : tensor<2x3x6x4xi8>
  %sb = arith.constant dense<[0.00303, 0.00314, 0.00343, 0.00201]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<1x4x10x4xi8>
  %a = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 5 : i32, output_unsigned}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the input stays signed: 'fusion.quantized_conv_bias_act' at {{.*}}:[[#@LINE-4]]:{{[0-9]+}} determines its sign
  %b = fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [0, 2] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_zero_point = 3 : i32}
    ins(%a, %wb : tensor<1x4x9x6xi8>, tensor<2x3x6x4xi8>) scale(%sb : tensor<4xf32>)
    outs(%eb : tensor<1x4x10x4xi8>) -> tensor<1x4x10x4xi8>
  return %b : tensor<1x4x10x4xi8>
}

// A residual is read with the other sign.
// CHECK-LABEL: func @unsigned_residual(
func.func @unsigned_residual(%x: tensor<1x8x9x3xi8>) -> tensor<1x4x10x4xi8> {
  // CHECK: residual_unsigned
  %wa = arith.constant dense<[[[[-118, -41, -76, 127, -81, -31], [-106, -120, -114, -119, 15, -33], [95, 53, -10, -3, 115, 89]], [[105, 102, -111, 93, 26, 36], [-26, 109, -97, 53, 118, -104], [-62, -46, 17, -68, 37, -105]]], [[[117, 108, 44, 2, -27, -81], [-13, 90, -87, -33, 120, -67], [126, 57, -71, -83, -118, 114]], [[-62, 113, -37, -112, 104, 14], [104, -120, 87, 108, -115, -61], [74, 4, 54, 62, 38, 67]]], [[[125, -4, -113, -102, -90, -46], [66, -126, 113, -77, 46, 64], [-51, 23, 24, -15, 67, 40]], [[-101, -7, -45, -32, -62, -28], [-96, -32, -4, -30, -84, -15], [-66, 79, -91, 107, 46, 101]]]]> : tensor<3x2x3x6xi8>
  %ba = arith.constant dense<[-875, 58, 568, -501, 736, -827]> : tensor<6xi32>
  %sa = arith.constant dense<[0.00218, 0.00380, 0.00199, 0.00328, 0.00270, 0.00360]> : tensor<6xf32>
  %ea = tensor.empty() : tensor<1x4x9x6xi8>
  %wb = arith.constant dense<[[[[72, -13, 118, -103], [110, 110, -29, 88], [-122, 33, -108, -12], [121, -41, -45, 83], [-68, -5, -98, 33], [-34, -91, -43, -71]], [[61, -113, -81, 55], [-12, 14, 100, -90], [-15, 95, -89, -59], [-20, -22, -64, -88], [-121, -58, 19, 87], [-52, -42, 78, -85]], [[-61, -2, -100, -46], [-11, 104, -4, -98], [-88, 123, 4, -113], [34, 102, 74, 44], [109, -73, 16, -5], [86, -54, -97, -62]]], [[[66, -76, 121, -34], [-17, 126, -61, -66], [109, -67, -103, -28], [-53, -21, 102, -86], [-113, 86, 58, 123], [-52, -91, 123, 36]], [[-123, -14, 79, 2], [-40, 3, -92, -14], [-127, 75, 86, 114], [7, -54, -80, -35], [-16, -117, 106, -23], [-72, -57, 19, -81]], [[-92, 88, -81, 6], [70, -69, 55, -83], [-77, 26, -107, 85], [-105, 100, 28, 60], [-1, 67, -57, -83], [-75, -92, 29, 44]]]]> : tensor<2x3x6x4xi8>
  %sb = arith.constant dense<[0.00292, 0.00312, 0.00267, 0.00190]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<1x4x10x4xi8>
  %wc = arith.constant dense<[[[[-111, 50, 60, 6, -23, 88], [57, 107, -113, 5, 80, -39], [-42, -55, 88, 36, 94, 115], [-1, -104, -124, -23, 106, 68], [-5, -93, 96, 43, -59, -64], [-80, 17, 85, 125, -34, -118]], [[-86, 52, -32, 20, 25, 92], [-126, -36, 6, 111, -13, 120], [5, -109, -97, -36, 55, -65], [82, 85, 94, 106, -45, 72], [55, 95, -30, 20, 65, 102], [-112, -53, 96, -100, 117, 60]], [[-1, -13, 4, -121, 8, 78], [10, -93, -122, -65, 120, -105], [-70, 31, -81, -85, -101, -48], [-63, 15, 82, 117, -120, -123], [-103, 110, 51, 62, -78, -61], [-123, 87, 26, 36, 20, -9]]], [[[6, -66, 52, -14, -101, -38], [95, -103, 56, -82, -116, -58], [-96, -8, -1, 22, 1, 67], [-56, -99, -96, -96, -24, 99], [-92, 11, 24, -69, 93, -69], [-90, 44, 19, -9, 64, -26]], [[-85, 115, 84, -123, 113, 35], [-28, 50, -20, 25, 87, 27], [7, -118, -26, 121, 113, -114], [71, -35, -41, -25, -66, 87], [-42, 56, -16, 88, 124, 17], [78, 125, 106, -45, 81, -25]], [[89, 16, -114, -44, 5, -90], [118, 47, 112, -37, -64, 95], [-19, 42, 34, -125, -34, -100], [8, -80, -110, -44, -17, -76], [2, 44, -122, -70, -92, -20], [121, -26, 71, 112, -11, 35]]], [[[-116, 80, 123, 99, 122, 99], [-117, -119, 94, 37, 31, -59], [107, 46, 32, -58, 33, 11], [79, 109, -118, 32, -102, -63], [-96, 6, -124, -16, -67, 116], [-117, -54, -99, -49, -39, 38]], [[-85, -97, -112, 25, 118, 117], [108, 4, 103, -59, -106, -8], [24, 9, 111, -90, -15, -96], [3, -94, 99, -52, 107, -23], [20, -54, -57, -65, 61, -105], [62, 12, -54, 87, -11, 29]], [[50, 18, -71, 39, -29, -76], [13, 54, -34, -10, 101, 13], [-50, 29, -5, -7, 82, -48], [-120, -65, -42, -71, -79, 4], [12, -29, 121, 22, -26, -124], [109, -37, -86, 93, 116, -66]]]]> : tensor<3x3x6x6xi8>
  %sc = arith.constant dense<[0.00103, 0.00103, 0.00098, 0.00156, 0.00093, 0.00077]> : tensor<6xf32>
  %a = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 5 : i32, output_zero_point = -128 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the input stays signed: 'fusion.quantized_conv_bias_act' at {{.*}}:[[#@LINE+1]]:{{[0-9]+}} determines its sign
  %s = fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [1, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_zero_point = 5 : i32, residual_unsigned}
    ins(%a, %wc : tensor<1x4x9x6xi8>, tensor<3x3x6x6xi8>) scale(%sc : tensor<6xf32>) residual(%a : tensor<1x4x9x6xi8>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  %b = fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [0, 2] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 4 : i32, output_zero_point = 3 : i32}
    ins(%s, %wb : tensor<1x4x9x6xi8>, tensor<2x3x6x4xi8>) scale(%sb : tensor<4xf32>)
    outs(%eb : tensor<1x4x10x4xi8>) -> tensor<1x4x10x4xi8>
  return %b : tensor<1x4x10x4xi8>
}

// A maximum over numbers of the other sign.
// CHECK-LABEL: func @unsigned_pool(
func.func @unsigned_pool(%x: tensor<1x8x9x3xi8>) -> (tensor<1x4x10x4xi8>, tensor<1x3x9x6xi8>) {
  // CHECK: fusion.pool {input_unsigned
  %wa = arith.constant dense<[[[[-122, -87, 14, -110, 28, 96], [-38, -15, 41, -112, 5, -28], [86, -15, -37, 61, 68, -100]], [[6, -70, 126, 118, 46, 62], [112, -88, -21, -41, 44, -37], [-92, 45, -76, 30, 29, 90]]], [[[-57, 83, 87, 5, -103, 62], [92, 63, 109, 67, 127, -6], [-59, 73, 34, 54, 34, 107]], [[53, -95, -22, 95, -101, -126], [-22, 69, 13, 22, -97, 0], [-26, 119, 127, 19, -89, -21]]], [[[90, 73, -56, 96, 32, 28], [-99, -30, 91, -12, 50, -10], [-54, 58, -37, -53, -37, -27]], [[7, 15, 25, -29, 38, -45], [-126, 74, 63, 90, 126, 0], [-30, -14, -51, -80, 10, -50]]]]> : tensor<3x2x3x6xi8>
  %ba = arith.constant dense<[744, -604, -8, 278, -128, 291]> : tensor<6xi32>
  %sa = arith.constant dense<[0.00236, 0.00377, 0.00259, 0.00413, 0.00326, 0.00238]> : tensor<6xf32>
  %ea = tensor.empty() : tensor<1x4x9x6xi8>
  %wb = arith.constant dense<[[[[-44, -75, 121, -18], [101, 106, 117, -125], [-121, -115, -62, 17], [102, 0, -51, 108], [10, 71, -48, 10], [31, -16, 5, 84]], [[5, 59, 48, -17], [-28, -9, -36, -117], [25, 46, -38, -12], [115, -125, 46, -110], [7, -69, -102, -23], [-32, 1, -25, 39]], [[16, 110, 19, -88], [98, -79, 119, -20], [-3, -25, -15, 69], [32, 103, 23, -40], [50, 8, 64, 81], [-104, -84, -35, -46]]], [[[-34, 123, -108, 84], [-48, 4, -83, -99], [40, 101, -52, 49], [-40, 83, 112, 126], [3, 100, 121, -20], [34, -87, 7, -53]], [[81, 3, -74, 2], [101, -79, -22, -81], [-112, 34, 17, 27], [-100, -37, 18, 127], [34, 35, 58, -117], [50, -22, -125, 74]], [[-127, -49, 54, 49], [14, -126, 107, -50], [-26, 88, -102, 23], [-124, 44, -120, -77], [-83, 0, 69, 14], [18, -59, 96, 38]]]]> : tensor<2x3x6x4xi8>
  %sb = arith.constant dense<[0.00329, 0.00253, 0.00179, 0.00190]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<1x4x10x4xi8>
  %ep = tensor.empty() : tensor<1x3x9x6xi8>
  %a = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = 5 : i32, output_zero_point = -128 : i32}
    ins(%x, %wa : tensor<1x8x9x3xi8>, tensor<3x2x3x6xi8>) bias(%ba : tensor<6xi32>) scale(%sa : tensor<6xf32>)
    outs(%ea : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the input stays signed: 'fusion.pool' at {{.*}}:[[#@LINE+5]]:{{[0-9]+}} determines its sign
  %b = fusion.quantized_conv_bias_act pad_low [1, 1] pad_high [0, 2] layouts(nhwc, hwcf, nhwc)
    {input_zero_point = -128 : i32, output_zero_point = 3 : i32}
    ins(%a, %wb : tensor<1x4x9x6xi8>, tensor<2x3x6x4xi8>) scale(%sb : tensor<4xf32>)
    outs(%eb : tensor<1x4x10x4xi8>) -> tensor<1x4x10x4xi8>
  %p = fusion.pool {pooling = #fusion.pooling<max>, layout = #fusion.layout<nhwc>, kernel = array<i64: 2, 1>, input_unsigned,
    strides = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>}
    ins(%a : tensor<1x4x9x6xi8>) outs(%ep : tensor<1x3x9x6xi8>) -> tensor<1x3x9x6xi8>
  return %b, %p : tensor<1x4x10x4xi8>, tensor<1x3x9x6xi8>
}
