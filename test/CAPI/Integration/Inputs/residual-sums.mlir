// Residual blocks that round the result of a layer to 8 bits before they add the other tensor:
// what the ops of quantized-calls.c compute, in ops of upstream's.

#image = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>
#n = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>

func.func @conv(%x: tensor<1x10x13x3xi8>, %w: tensor<3x2x3x6xi8>, %b: tensor<6xi32>, %s: tensor<6xf32>, %y: tensor<1x5x14x6xi8>) -> tensor<1x5x14x6xi8> {
  %seven = arith.constant 7 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x5x14x6xi8>
  %e32 = tensor.empty() : tensor<1x5x14x6xi32>
  // The input is 0 to 255, which the named op cannot say.
  %wide = arith.extui %x : tensor<1x10x13x3xi8> to tensor<1x10x13x3xi32>
  %padded = tensor.pad %wide low[0, 1, 0, 0] high[0, 0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %seven : i32
  } : tensor<1x10x13x3xi32> to tensor<1x11x15x3xi32>
  %filter = arith.extsi %w : tensor<3x2x3x6xi8> to tensor<3x2x3x6xi32>
  %bias = linalg.broadcast ins(%b : tensor<6xi32>) outs(%e32 : tensor<1x5x14x6xi32>) dimensions = [0, 1, 2]
  %sum = linalg.conv_2d_nhwc_hwcf_q {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%padded, %filter, %seven, %zero : tensor<1x11x15x3xi32>, tensor<3x2x3x6xi32>, i32, i32)
    outs(%bias : tensor<1x5x14x6xi32>) -> tensor<1x5x14x6xi32>
  %q = linalg.generic {indexing_maps = [#image, #channel, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sum, %s : tensor<1x5x14x6xi32>, tensor<6xf32>) outs(%e : tensor<1x5x14x6xi8>) {
  ^bb0(%acc: i32, %scale: f32, %out: i8):
    %zo = arith.constant 121.0 : f32
    %lo = arith.constant 0.0 : f32
    %hi = arith.constant 255.0 : f32
    %0 = arith.sitofp %acc : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %lo : f32
    %5 = arith.minimumf %4, %hi : f32
    %6 = arith.fptoui %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x5x14x6xi8>
  // (q - 121) * 0.0625 + (y - 3) * 0.0813, in steps of 0.1137, which make no ties.
  %r = linalg.generic {indexing_maps = [#image, #image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q, %y : tensor<1x5x14x6xi8>, tensor<1x5x14x6xi8>) outs(%e : tensor<1x5x14x6xi8>) {
  ^bb0(%a: i8, %other: i8, %out: i8):
    %zp = arith.constant 121 : i32
    %zy = arith.constant 3 : i32
    %sp = arith.constant 0.0625 : f32
    %sy = arith.constant 0.0813 : f32
    %sr = arith.constant 0.1137 : f32
    %zo = arith.constant 9.0 : f32
    %lo = arith.constant 0.0 : f32
    %hi = arith.constant 255.0 : f32
    %0 = arith.extui %a : i8 to i32
    %1 = arith.subi %0, %zp : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sp : f32
    %4 = arith.extui %other : i8 to i32
    %5 = arith.subi %4, %zy : i32
    %6 = arith.sitofp %5 : i32 to f32
    %7 = arith.mulf %6, %sy : f32
    %8 = arith.addf %3, %7 : f32
    %9 = arith.divf %8, %sr : f32
    %10 = math.roundeven %9 : f32
    %11 = arith.addf %10, %zo : f32
    %12 = arith.maximumf %11, %lo : f32
    %13 = arith.minimumf %12, %hi : f32
    %14 = arith.fptoui %13 : f32 to i8
    linalg.yield %14 : i8
  } -> tensor<1x5x14x6xi8>
  return %r : tensor<1x5x14x6xi8>
}

func.func @matmul(%x: tensor<5x11xi8>, %w: tensor<11x9xi8>, %b: tensor<9xi32>, %s: tensor<9xf32>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %zx = arith.constant -14 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x9xi8>
  %e32 = tensor.empty() : tensor<5x9xi32>
  %bias = linalg.broadcast ins(%b : tensor<9xi32>) outs(%e32 : tensor<5x9xi32>) dimensions = [0]
  %sum = linalg.quantized_matmul ins(%x, %w, %zx, %zero : tensor<5x11xi8>, tensor<11x9xi8>, i32, i32)
    outs(%bias : tensor<5x9xi32>) -> tensor<5x9xi32>
  %q = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %s : tensor<5x9xi32>, tensor<9xf32>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%acc: i32, %scale: f32, %out: i8):
    %zo = arith.constant -5.0 : f32
    %lo = arith.constant -5.0 : f32
    %hi = arith.constant 127.0 : f32
    %0 = arith.sitofp %acc : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %lo : f32
    %5 = arith.minimumf %4, %hi : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x9xi8>
  // (q + 5) * 0.52 + y * 0.37.
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%q, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %other: i8, %out: i8):
    %zp = arith.constant -5 : i32
    %sp = arith.constant 0.52 : f32
    %sy = arith.constant 0.37 : f32
    %lo = arith.constant -128.0 : f32
    %hi = arith.constant 127.0 : f32
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zp : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sp : f32
    %4 = arith.sitofp %other : i8 to f32
    %5 = arith.mulf %4, %sy : f32
    %6 = arith.addf %3, %5 : f32
    %7 = math.roundeven %6 : f32
    %8 = arith.maximumf %7, %lo : f32
    %9 = arith.minimumf %8, %hi : f32
    %10 = arith.fptosi %9 : f32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}
