// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: fusion-opt %s --fusion-fuse-quantized=quant-rounding=exact --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXACT

// Each reason why an op on dequantised tensors stays in f32, or its result is not
// quantised, and those for a pass that has not run. Each stands below the op that it is
// about.

#n = affine_map<(i, j) -> (i, j)>
#n0 = affine_map<(i, j) -> (i)>
#n1 = affine_map<(i, j) -> (j)>

func.func @operands(%x: tensor<5x7xi8>, %y: tensor<5x7xi8>, %w: tensor<7x6xi8>, %w3: tensor<7x2x3xi8>, %halves: tensor<2xf32>, %wt: tensor<6x7xi8>, %xf: tensor<5x7xf32>, %wf: tensor<7x6xf32>, %factors: tensor<6xf32>) -> (tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<3x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xbf16>, tensor<5x6xf32>) {
  %s = arith.constant 0.125 : f32
  %tiny = arith.constant 1.0e-30 : f32
  %columns = arith.constant dense<[0.5, 3.0, 0.25, 1.0, 0.125, 2.0]> : tensor<6xf32>
  %rows = arith.constant dense<[0.5, 3.0, 0.25, 1.0, 0.125, 2.0, 7.0]> : tensor<7xf32>
  %zeros = arith.constant dense<0.0> : tensor<6xf32>
  %ew3 = tensor.empty() : tensor<7x2x3xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %et = tensor.empty() : tensor<6x7xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %eb = tensor.empty() : tensor<5x6xbf16>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %columns : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %f: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %f : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>

  %a = fusion.fused_matmul_bias_act ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: dequantize{{$}}
  // BEFORE: :[[#@LINE-2]]:8: partly fused: matrix multiplication alone; dequantised operands can be read as integers; 'fusion-fuse-quantized' has not run{{$}}

  %b = fusion.fused_matmul_bias_act ins(%xf, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; unsupported: 'filter' is dequantised, and 'input' is not{{$}}

  %c = fusion.fused_matmul_bias_act ins(%xd, %wf : tensor<5x7xf32>, tensor<7x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; unsupported: 'input' is dequantised, and 'filter' is not{{$}}

  %e3 = tensor.empty() : tensor<3x6xf32>
  %xc = tensor.extract_slice %xd[0, 0] [3, 7] [1, 1] : tensor<5x7xf32> to tensor<3x7xf32>
  %d = fusion.fused_matmul_bias_act ins(%xc, %wd : tensor<3x7xf32>, tensor<7x6xf32>) outs(%e3 : tensor<3x6xf32>) -> tensor<3x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: fused: dequantize{{$}}
  // BEFORE: :[[#@LINE-2]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE-3]]:9 comes between 'input' and its dequantisation{{$}}

  %wu = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%wt : tensor<6x7xi8>) outs(%et : tensor<6x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<6x7xf32>
  %wv = linalg.transpose ins(%wu : tensor<6x7xf32>) outs(%ew : tensor<7x6xf32>) permutation = [1, 0]
  %f = fusion.fused_matmul_bias_act ins(%xd, %wv : tensor<5x7xf32>, tensor<7x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: fused: dequantize{{$}}
  // BEFORE: :[[#@LINE-2]]:8: partly fused: matrix multiplication alone; dequantised operands can be read as integers; 'fusion-fuse-quantized' has not run{{$}}

  %wz = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %zeros : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %z: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %z : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %g = fusion.fused_matmul_bias_act ins(%xd, %wz : tensor<5x7xf32>, tensor<7x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: fused: dequantize{{$}}

  %wk = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w3 : tensor<7x2x3xi8>) outs(%ew3 : tensor<7x2x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<7x2x3xf32>
  %wm = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%wk, %halves : tensor<7x2x3xf32>, tensor<2xf32>) outs(%ew3 : tensor<7x2x3xf32>) {
  ^bb0(%in: f32, %z: f32, %out: f32):
    %0 = arith.mulf %in, %z : f32
    linalg.yield %0 : f32
  } -> tensor<7x2x3xf32>
  %wn = tensor.collapse_shape %wm [[0], [1, 2]] : tensor<7x2x3xf32> into tensor<7x6xf32>
  %n = fusion.fused_matmul_bias_act ins(%xd, %wn : tensor<5x7xf32>, tensor<7x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; filter is not dequantised: unsupported: 'tensor.collapse_shape' at {{.*}}:[[#@LINE-2]]:9 changes dimension 1, along which scales vary{{$}}

  // Behind a factor that a law has folded into the filter.
  %ws = linalg.generic {indexing_maps = [#n, #n0, #n], iterator_types = ["parallel", "parallel"]} ins(%wd, %rows : tensor<7x6xf32>, tensor<7xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: f32, %r: f32, %out: f32):
    %0 = arith.mulf %in, %r : f32
    linalg.yield %0 : f32
  } -> tensor<7x6xf32>
  %h = fusion.fused_matmul_bias_act ins(%xd, %ws : tensor<5x7xf32>, tensor<7x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; filter is not dequantised: scales vary along dimensions 1 and 0{{$}}
  // A factor that is an argument, and is divided.
  %wo = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%wd, %factors : tensor<7x6xf32>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: f32, %r: f32, %out: f32):
    %0 = arith.divf %r, %in : f32
    linalg.yield %0 : f32
  } -> tensor<7x6xf32>
  %o = fusion.fused_matmul_bias_act ins(%xd, %wo : tensor<5x7xf32>, tensor<7x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; unsupported: 'linalg.generic' at {{.*}}:[[#@LINE-6]]:9 comes between 'filter' and its dequantisation{{$}}
  %i = fusion.fused_matmul_bias_act ins(%xf, %ws : tensor<5x7xf32>, tensor<7x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; unsupported: 'filter' is dequantised, and 'input' is not{{$}}

  %xt = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %tiny : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wy = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %tiny : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %j = fusion.fused_matmul_bias_act ins(%xt, %wy : tensor<5x7xf32>, tensor<7x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; unsupported: product of the scales is no f32{{$}}

  %xx = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<5x7xi8>, tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %p: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.sitofp %p : i8 to f32
    %2 = arith.addf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<5x7xf32>
  %m = fusion.fused_matmul_bias_act ins(%xx, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; input is not dequantised: the value is computed from 2 tensors, expected 1{{$}}

  %k = fusion.fused_matmul_bias_act ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%eb : tensor<5x6xbf16>) -> tensor<5x6xbf16>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; unsupported: result is bf16, expected f32{{$}}

  %l = fusion.fused_matmul_bias_act relu {nan_mode = #fusion.nan<propagate>} ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: relu; unsupported: nan-mode=propagate of an activation on integers{{$}}
  return %a, %b, %c, %d, %f, %g, %n, %o, %h, %i, %j, %m, %k, %l : tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<3x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xbf16>, tensor<5x6xf32>
}

// Dequantised to bf16, with a sum in bf16 and in f32. Of the filter alone that is no reason.
func.func @narrow(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %z: tensor<5x7xbf16>) -> (tensor<5x6xbf16>, tensor<5x6xf32>, tensor<5x6xbf16>) {
  %s = arith.constant 3.125e-02 : bf16
  %ex = tensor.empty() : tensor<5x7xbf16>
  %ew = tensor.empty() : tensor<7x6xbf16>
  %eb = tensor.empty() : tensor<5x6xbf16>
  %e = tensor.empty() : tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xbf16>) {
  ^bb0(%in: i8, %out: bf16):
    %0 = arith.sitofp %in : i8 to bf16
    %1 = arith.mulf %0, %s : bf16
    linalg.yield %1 : bf16
  } -> tensor<5x7xbf16>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xbf16>) {
  ^bb0(%in: i8, %out: bf16):
    %0 = arith.sitofp %in : i8 to bf16
    %1 = arith.mulf %0, %s : bf16
    linalg.yield %1 : bf16
  } -> tensor<7x6xbf16>
  %a = fusion.fused_matmul_bias_act ins(%xd, %wd : tensor<5x7xbf16>, tensor<7x6xbf16>) outs(%eb : tensor<5x6xbf16>) -> tensor<5x6xbf16>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; unsupported: operands are dequantised to bf16, expected f32{{$}}
  %b = fusion.fused_matmul_bias_act ins(%xd, %wd : tensor<5x7xbf16>, tensor<7x6xbf16>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; unsupported: operands are dequantised to bf16, expected f32{{$}}
  %c = fusion.fused_matmul_bias_act ins(%z, %wd : tensor<5x7xbf16>, tensor<7x6xbf16>) outs(%eb : tensor<5x6xbf16>) -> tensor<5x6xbf16>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; unsupported: 'filter' is dequantised, and 'input' is not{{$}}
  return %a, %b, %c : tensor<5x6xbf16>, tensor<5x6xf32>, tensor<5x6xbf16>
}

func.func @deconvolution(%x: tensor<1x3x5xi8>, %w: tensor<4x3x2xf32>) -> tensor<1x4x6xf32> {
  %s = arith.constant 0.125 : f32
  %ex = tensor.empty() : tensor<1x3x5xf32>
  %e = tensor.empty() : tensor<1x4x6xf32>
  %xd = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x5xi8>) outs(%ex : tensor<1x3x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<1x3x5xf32>
  %r = fusion.fused_deconv_bias_act ins(%xd, %w : tensor<1x3x5xf32>, tensor<4x3x2xf32>) outs(%e : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: transposed convolution alone; unsupported: 'input' is dequantised, and 'filter' is not{{$}}
  return %r : tensor<1x4x6xf32>
}

func.func @unknown_sum(%x: tensor<5x?xi8>, %w: tensor<?x6xi8>, %ex: tensor<5x?xf32>, %ew: tensor<?x6xf32>) -> tensor<5x6xf32> {
  %s = arith.constant 0.125 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x?xi8>) outs(%ex : tensor<5x?xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x?xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<?x6xi8>) outs(%ew : tensor<?x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<?x6xf32>
  %r = fusion.fused_matmul_bias_act ins(%xd, %wd : tensor<5x?xf32>, tensor<?x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: matrix multiplication alone; sum may leave i32: size of dimension 0 of the filter is not known{{$}}
  return %r : tensor<5x6xf32>
}

func.func @results(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> (tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>) {
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  %three = arith.constant 3.0 : f32
  %five = arith.constant 5.0 : f32
  %tiny = arith.constant 1.0e-40 : f32
  %below = arith.constant -10.0 : f32
  %s = arith.constant dense<0.5> : tensor<1xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>

  // The scale is a power of two, and there is no zero point: the same bits.
  %a = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: fused: dequantize, quantize{{$}}
  // BEFORE: :[[#@LINE-2]]:8: partly fused: dequantize; next op 'linalg.generic' at {{.*}}:[[#@LINE+2]]:9 can be folded; 'fusion-fuse-quantized' has not run{{$}}
  // EXACT: :[[#@LINE-3]]:8: fused: dequantize, quantize{{$}}
  %aq = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %quarter : f32
    %1 = math.roundeven %0 : f32
    %3 = arith.maximumf %1, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>

  %b = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: fused: dequantize, quantize{{$}}
  // EXACT-NEXT: :[[#@LINE-2]]:8: partly fused: dequantize; quant-rounding is exact, and the scale 3.000000e+00 is no power of two{{$}}
  %bq = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %three : f32
    %1 = math.roundeven %0 : f32
    %3 = arith.maximumf %1, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>

  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: fused: dequantize, zero point, quantize{{$}}
  // EXACT-NEXT: :[[#@LINE-2]]:8: partly fused: dequantize; quant-rounding is exact, and the zero point 5 may be added to a rounded number{{$}}
  %cq = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %quarter : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %five : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>

  %d = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: fused: dequantize, quantize{{$}}
  // EXACT-NEXT: :[[#@LINE-2]]:8: partly fused: dequantize; quant-rounding is exact, and quantisation does not round half to even{{$}}
  %dq = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %quarter : f32
    %h = arith.addf %0, %half : f32
    %1 = math.floor %h : f32
    %3 = arith.maximumf %1, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>

  %f = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: dequantize; unsupported: the scale {{9.99.*e-41}} is no f32{{$}}
  %fq = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %tiny : f32
    %1 = math.roundeven %0 : f32
    %3 = arith.maximumf %1, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>

  %g = fusion.quantized_matmul_bias_act relu ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: partly fused: dequantize, relu; unsupported: bounds leave one value{{$}}
  %gq = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %quarter : f32
    %1 = math.roundeven %0 : f32
    %3 = arith.maximumf %1, %min : f32
    %4 = arith.minimumf %3, %below : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>

  %i = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: fused: dequantize, square, quantize{{$}}
  %ir = linalg.mul ins(%i, %i : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %iq = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%ir : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %quarter : f32
    %1 = math.roundeven %0 : f32
    %3 = arith.maximumf %1, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>

  %j = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: fused: dequantize, residual, quantize{{$}}
  // BEFORE: :[[#@LINE-2]]:8: partly fused: dequantize; result is not quantised: the result is computed from 2 tensors, expected 1{{$}}
  %jq = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%j, %y : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %p: f32, %out: i8):
    %0 = arith.addf %in, %p : f32
    %1 = math.roundeven %0 : f32
    %3 = arith.maximumf %1, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>

  return %jq, %aq, %bq, %cq, %dq, %fq, %gq, %iq : tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>
}

func.func @pad(%x: tensor<1x3x5xi8>, %w: tensor<4x3x2xi8>) -> tensor<1x4x6xi32> {
  %zero = arith.constant 0 : i8
  %e = tensor.empty() : tensor<1x4x6xi32>
  %p = tensor.pad %x low[0, 0, 2] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : i8
  } : tensor<1x3x5xi8> to tensor<1x3x7xi8>
  %r = fusion.quantized_conv_bias_act ins(%p, %w : tensor<1x3x7xi8>, tensor<4x3x2xi8>) outs(%e : tensor<1x4x6xi32>) -> tensor<1x4x6xi32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: fused: pad{{$}}
  // BEFORE: :[[#@LINE-2]]:8: partly fused: convolution alone; 'tensor.pad' of the input can be folded; 'fusion-fuse-quantized' has not run{{$}}
  return %r : tensor<1x4x6xi32>
}

func.func @product(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %z = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: fused: matrix multiplication alone{{$}}
  // BEFORE: :[[#@LINE-2]]:8: not fused: it can be raised; 'fusion-fuse-quantized' has not run{{$}}
  return %r : tensor<5x6xi32>
}

// Dynamic quantisation: the zero point of the input is known at run time only.
func.func @extended_inputs(%x: tensor<5x7xi8>, %z: tensor<i8>, %w: tensor<7x6xi8>) -> (tensor<5x6xi32>, tensor<5x6xi32>) {
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  %c3 = arith.constant 3 : i32
  %ex = tensor.empty() : tensor<5x7xi32>
  %ew = tensor.empty() : tensor<7x6xi32>
  %xi = linalg.generic {indexing_maps = [#n, affine_map<(i, j) -> ()>, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %z : tensor<5x7xi8>, tensor<i8>) outs(%ex : tensor<5x7xi32>) {
  ^bb0(%in: i8, %p: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.extui %p : i8 to i32
    %2 = arith.subi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<5x7xi32>
  %xj = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %c3 : i32
    linalg.yield %1 : i32
  } -> tensor<5x7xi32>
  %wi = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<7x6xi32>
  %a = linalg.matmul ins(%xi, %wi : tensor<5x7xi32>, tensor<7x6xi32>) outs(%zero : tensor<5x6xi32>) -> tensor<5x6xi32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: not fused: unsupported: zero point of operand 0 is not a constant, and neither is the filter: value is not known at compile time{{$}}
  %b = linalg.matmul ins(%xj, %wi : tensor<5x7xi32>, tensor<7x6xi32>) outs(%zero : tensor<5x6xi32>) -> tensor<5x6xi32>
  // CHECK-NEXT: :[[#@LINE-1]]:8: fused: zero point{{$}}
  return %a, %b : tensor<5x6xi32>, tensor<5x6xi32>
}
