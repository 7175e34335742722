// The scale of a channel of a filter may be 0, as that of a channel of zeros, or negative.
// ../../Integration/fuse-dequantized.test runs all of it.

// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s

#n = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (d3)>

// CHECK:      fused: dequantize, zero point, scale, bias, quantize{{$}}
// CHECK-NEXT: fused: dequantize, zero point, bias, relu, quantize{{$}}
// CHECK-NEXT: fused: dequantize, zero point, scale, bias, quantize{{$}}
// CHECK-NEXT: partly fused: scale, bias; input is not dequantised: unsupported: a scale is -2.000000e-02, expected a positive number{{$}}
// CHECK-NEXT: partly fused: scale, bias; filter is not dequantised: unsupported: a scale is INF, expected a finite number{{$}}

func.func @zero(%x: tensor<2x5x9x3xi8>, %w: tensor<3x2x3x4xi8>) -> tensor<2x2x8x4xi8> {
  %sx = arith.constant 0.02 : f32
  %sw = arith.constant dense<[0.011, 0.0, 0.023, 0.017]> : tensor<4xf32>
  %b = arith.constant dense<[0.3, -1.7, 0.9, -0.4]> : tensor<4xf32>
  %zx = arith.constant 3.0 : f32
  %so = arith.constant 0.13 : f32
  %zo = arith.constant 5.0 : f32
  %zero = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %ex = tensor.empty() : tensor<2x5x9x3xf32>
  %ew = tensor.empty() : tensor<3x2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x8x4xf32>
  %e8 = tensor.empty() : tensor<2x2x8x4xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x5x9x3xi8>) outs(%ex : tensor<2x5x9x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x9x3xf32>
  %wd = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %sw : tensor<3x2x3x4xi8>, tensor<4xf32>) outs(%ew : tensor<3x2x3x4xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%xd, %wd : tensor<2x5x9x3xf32>, tensor<3x2x3x4xf32>) outs(%f : tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  %q = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r, %b : tensor<2x2x8x4xf32>, tensor<4xf32>) outs(%e8 : tensor<2x2x8x4xi8>) {
  ^bb0(%in: f32, %bi: f32, %out: i8):
    %b0 = arith.addf %in, %bi : f32
    %0 = arith.divf %b0, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x2x8x4xi8>
  return %q : tensor<2x2x8x4xi8>
}

func.func @negative(%x: tensor<2x5x9x3xi8>, %w: tensor<3x2x3x4xi8>) -> tensor<2x2x8x4xi8> {
  %sx = arith.constant 0.02 : f32
  %sw = arith.constant dense<[0.011, -0.013, 0.0, -0.017]> : tensor<4xf32>
  %b = arith.constant dense<[0.3, -1.7, 0.9, -0.4]> : tensor<4xf32>
  %zx = arith.constant 3.0 : f32
  %so = arith.constant 0.13 : f32
  %zo = arith.constant 5.0 : f32
  %zero = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %ex = tensor.empty() : tensor<2x5x9x3xf32>
  %ew = tensor.empty() : tensor<3x2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x8x4xf32>
  %e8 = tensor.empty() : tensor<2x2x8x4xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x5x9x3xi8>) outs(%ex : tensor<2x5x9x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x9x3xf32>
  %wd = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %sw : tensor<3x2x3x4xi8>, tensor<4xf32>) outs(%ew : tensor<3x2x3x4xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%xd, %wd : tensor<2x5x9x3xf32>, tensor<3x2x3x4xf32>) outs(%f : tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  %q = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r, %b : tensor<2x2x8x4xf32>, tensor<4xf32>) outs(%e8 : tensor<2x2x8x4xi8>) {
  ^bb0(%in: f32, %bi: f32, %out: i8):
    %b0 = arith.addf %in, %bi : f32
    %r0 = arith.maximumf %b0, %zero : f32
    %0 = arith.divf %r0, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x2x8x4xi8>
  return %q : tensor<2x2x8x4xi8>
}

func.func @all_zero(%x: tensor<2x5x9x3xi8>, %w: tensor<3x2x3x4xi8>) -> tensor<2x2x8x4xi8> {
  %sx = arith.constant 0.02 : f32
  %sw = arith.constant dense<[0.0, 0.0, 0.0, 0.0]> : tensor<4xf32>
  %b = arith.constant dense<[0.3, -1.7, 0.9, -0.4]> : tensor<4xf32>
  %zx = arith.constant 3.0 : f32
  %so = arith.constant 0.13 : f32
  %zo = arith.constant 5.0 : f32
  %zero = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %ex = tensor.empty() : tensor<2x5x9x3xf32>
  %ew = tensor.empty() : tensor<3x2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x8x4xf32>
  %e8 = tensor.empty() : tensor<2x2x8x4xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x5x9x3xi8>) outs(%ex : tensor<2x5x9x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x9x3xf32>
  %wd = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %sw : tensor<3x2x3x4xi8>, tensor<4xf32>) outs(%ew : tensor<3x2x3x4xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%xd, %wd : tensor<2x5x9x3xf32>, tensor<3x2x3x4xf32>) outs(%f : tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  %q = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r, %b : tensor<2x2x8x4xf32>, tensor<4xf32>) outs(%e8 : tensor<2x2x8x4xi8>) {
  ^bb0(%in: f32, %bi: f32, %out: i8):
    %b0 = arith.addf %in, %bi : f32
    %0 = arith.divf %b0, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x2x8x4xi8>
  return %q : tensor<2x2x8x4xi8>
}

// The input may be one of maxima, which a negative scale would make minima.
func.func @input(%x: tensor<2x5x9x3xi8>, %w: tensor<3x2x3x4xi8>) -> tensor<2x2x8x4xi8> {
  %sx = arith.constant -0.02 : f32
  %sw = arith.constant dense<[0.011, 0.0, 0.023, 0.017]> : tensor<4xf32>
  %b = arith.constant dense<[0.3, -1.7, 0.9, -0.4]> : tensor<4xf32>
  %zx = arith.constant 3.0 : f32
  %so = arith.constant 0.13 : f32
  %zo = arith.constant 5.0 : f32
  %zero = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %ex = tensor.empty() : tensor<2x5x9x3xf32>
  %ew = tensor.empty() : tensor<3x2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x8x4xf32>
  %e8 = tensor.empty() : tensor<2x2x8x4xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x5x9x3xi8>) outs(%ex : tensor<2x5x9x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x9x3xf32>
  %wd = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %sw : tensor<3x2x3x4xi8>, tensor<4xf32>) outs(%ew : tensor<3x2x3x4xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%xd, %wd : tensor<2x5x9x3xf32>, tensor<3x2x3x4xf32>) outs(%f : tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  %q = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r, %b : tensor<2x2x8x4xf32>, tensor<4xf32>) outs(%e8 : tensor<2x2x8x4xi8>) {
  ^bb0(%in: f32, %bi: f32, %out: i8):
    %b0 = arith.addf %in, %bi : f32
    %0 = arith.divf %b0, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x2x8x4xi8>
  return %q : tensor<2x2x8x4xi8>
}

func.func @infinite(%x: tensor<2x5x9x3xi8>, %w: tensor<3x2x3x4xi8>) -> tensor<2x2x8x4xi8> {
  %sx = arith.constant 0.02 : f32
  %sw = arith.constant dense<[0.011, 0x7F800000, 0.023, 0.017]> : tensor<4xf32>
  %b = arith.constant dense<[0.3, -1.7, 0.9, -0.4]> : tensor<4xf32>
  %zx = arith.constant 3.0 : f32
  %so = arith.constant 0.13 : f32
  %zo = arith.constant 5.0 : f32
  %zero = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %ex = tensor.empty() : tensor<2x5x9x3xf32>
  %ew = tensor.empty() : tensor<3x2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x8x4xf32>
  %e8 = tensor.empty() : tensor<2x2x8x4xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x5x9x3xi8>) outs(%ex : tensor<2x5x9x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x9x3xf32>
  %wd = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %sw : tensor<3x2x3x4xi8>, tensor<4xf32>) outs(%ew : tensor<3x2x3x4xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%xd, %wd : tensor<2x5x9x3xf32>, tensor<3x2x3x4xf32>) outs(%f : tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  %q = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r, %b : tensor<2x2x8x4xf32>, tensor<4xf32>) outs(%e8 : tensor<2x2x8x4xi8>) {
  ^bb0(%in: f32, %bi: f32, %out: i8):
    %b0 = arith.addf %in, %bi : f32
    %0 = arith.divf %b0, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x2x8x4xi8>
  return %q : tensor<2x2x8x4xi8>
}
