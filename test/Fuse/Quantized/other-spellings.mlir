// Other spellings of a rounding and of a sum: half away from zero, and math.fma.
// ../../Integration/fuse-dequantized.test runs all of it.

// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir --implicit-check-not=linalg.generic
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=GENERIC
// RUN: fusion-opt %s --fusion-optimize=quant-rounding=exact --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXACT

// IR-COUNT-4: output_zero_point = 3
// GENERIC-COUNT-4: fused: dequantize, zero point{{(, scale)?}}, quantize
// GENERIC-NOT:     fused:
// EXACT:      partly fused: {{.*}}; quant-rounding is exact, and quantisation does not round half to even
// EXACT-NEXT: partly fused: {{.*}}; quant-rounding is exact, and the zero point 3 may be added to a rounded number
// EXACT-NEXT: partly fused: {{.*}}; quant-rounding is exact, and the zero point 3 may be added to a rounded number
// EXACT-NEXT: partly fused: {{.*}}; quant-rounding is exact, and quantisation does not round half to even
// EXACT-NOT:  fused:

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>

// JAX rounds so if it is not asked for something else.
func.func @away(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.0101, 0.0203, 0.0299, 0.0107, 0.0211, 0.0509]> : tensor<6xf32>
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0213 : f32
  %zx = arith.constant -14.0 : f32
  %addend = arith.constant 0.2982 : f32
  %so = arith.constant 0.031 : f32
  %factor = arith.constant 32.25 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %in1: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, zero point, scale, quantize{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.round %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// A scale and the zero point times it.
func.func @input_by_fma(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.0101, 0.0203, 0.0299, 0.0107, 0.0211, 0.0509]> : tensor<6xf32>
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0213 : f32
  %zx = arith.constant -14.0 : f32
  %addend = arith.constant 0.2982 : f32
  %so = arith.constant 0.031 : f32
  %factor = arith.constant 32.25 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = math.fma %0, %sx, %addend : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %in1: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, zero point, scale, quantize{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// The zero point in front of the rounding, as StableHLO has it.
func.func @result_by_fma(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.0101, 0.0203, 0.0299, 0.0107, 0.0211, 0.0509]> : tensor<6xf32>
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0213 : f32
  %zx = arith.constant -14.0 : f32
  %addend = arith.constant 0.2982 : f32
  %so = arith.constant 0.031 : f32
  %factor = arith.constant 32.25 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %in1: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, zero point, quantize{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = math.fma %in, %factor, %zo : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zero : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// In an op for each step.
func.func @steps(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.0101, 0.0203, 0.0299, 0.0107, 0.0211, 0.0509]> : tensor<6xf32>
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0213 : f32
  %zx = arith.constant -14.0 : f32
  %addend = arith.constant 0.2982 : f32
  %so = arith.constant 0.031 : f32
  %factor = arith.constant 32.25 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %in1: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, zero point, scale, quantize{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c0 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %so : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %c1 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c0 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.round %in : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c1 : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %2 = arith.addf %in, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}
