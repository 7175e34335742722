// Near misses of other-spellings.mlir, and operands of other widths, each with its reason.

// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>
#blocks = affine_map<(d0, d1) -> (d0 floordiv 3, d1 floordiv 3)>
#b = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#b2 = affine_map<(d0, d1, d2) -> (d0, d2)>

// Rounds up.
func.func @up(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
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
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, zero point, scale; result is not quantised: 'math.ceil' is not part of a quantisation{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.ceil %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// A factor that varies from element to element.
func.func @factor_of_tensor(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x7xf32>) -> tensor<5x6xi8> {
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
  %xd = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<5x7xi8>, tensor<5x7xf32>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %in1: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = math.fma %0, %in1, %addend : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %in1: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: scale; input is not dequantised: what is multiplied is not constant{{$}}
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

// A filter of 4 bits.
func.func @narrow_filter(%x: tensor<5x7xi8>, %w4: tensor<7x6xi4>) -> tensor<5x6xi8> {
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
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w4, %ws : tensor<7x6xi4>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i4, %in1: f32, %out: f32):
    %0 = arith.sitofp %in : i4 to f32
    %1 = arith.mulf %0, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: scale; unsupported: 'filter' is dequantised from i4, expected i8{{$}}
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

// An input of 16 bits.
func.func @wide_input(%x: tensor<5x7xi16>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
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
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi16>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i16, %out: f32):
    %0 = arith.sitofp %in : i16 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %in1: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: scale; unsupported: 'input' is dequantised from i16, expected i8{{$}}
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

// A scale for each block of three rows of the filter.
func.func @blocks(%x: tensor<5x6xi8>) -> tensor<5x6xi8> {
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
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  %w = arith.constant dense<[[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [-1, -2, -3, -4, -5, -6]], [[9, 8, 7, 6, 5, 4], [3, 2, 1, 0, -1, -2], [5, 5, 4, 4, 3, 3]]]> : tensor<2x3x6xi8>
  %bs = arith.constant dense<[[0.01, 0.02, 0.03, 0.04, 0.05, 0.06], [0.02, 0.01, 0.04, 0.03, 0.06, 0.05]]> : tensor<2x6xf32>
  %eb = tensor.empty() : tensor<2x3x6xf32>
  %bd = linalg.generic {indexing_maps = [#b, #b2, #b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %bs : tensor<2x3x6xi8>, tensor<2x6xf32>) outs(%eb : tensor<2x3x6xf32>) {
  ^bb0(%in: i8, %in1: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x6xf32>
  %wd = tensor.collapse_shape %bd [[0, 1], [2]] : tensor<2x3x6xf32> into tensor<6x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: scale; filter is not dequantised: a constant varies along dimensions 0 and 2, expected one{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x6xf32>, tensor<6x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
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

// The same as upstream lowers a type with a scale for each block.
func.func @blocks_by_index(%x: tensor<5x6xi8>) -> tensor<5x6xi8> {
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
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  %bs = arith.constant dense<[[0.01, 0.02], [0.02, 0.01]]> : tensor<2x2xf32>
  %w = arith.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [-1, -2, -3, -4, -5, -6], [9, 8, 7, 6, 5, 4], [3, 2, 1, 0, -1, -2], [5, 5, 4, 4, 3, 3]]> : tensor<6x6xi8>
  %e6 = tensor.empty() : tensor<6x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #blocks, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %bs : tensor<6x6xi8>, tensor<2x2xf32>) outs(%e6 : tensor<6x6xf32>) {
  ^bb0(%in: i8, %in1: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<6x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: scale; filter is not dequantised: unsupported: a constant is indexed by d0 floordiv 3{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x6xf32>, tensor<6x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
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

// An op on tensors.
func.func @op_on_tensors(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
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
  %splat = arith.constant dense<0.03> : tensor<7x6xf32>
  %wf = arith.sitofp %w : tensor<7x6xi8> to tensor<7x6xf32>
  %wd = arith.mulf %wf, %splat : tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: scale; unsupported: 'filter' is dequantised by 'arith.sitofp', expected an op of linalg{{$}}
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
