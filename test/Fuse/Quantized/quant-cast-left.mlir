// fusion-lower-quant-casts leaves a cast of a filter that has a scale for each block.

// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize --lower-quant-ops --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOWERED --implicit-check-not=fused:

// LOWERED: partly fused: scale; filter is not dequantised: unsupported: a constant is indexed by d1 floordiv 3{{$}}

#n = affine_map<(d0, d1) -> (d0, d1)>

!blocks = !quant.uniform<i8:f32:{1:3}, {{0.01, 0.02}}>

// A cast that stays.
func.func @cast(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
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
  %wq = quant.scast %w : tensor<7x6xi8> to tensor<7x6x!blocks>
  %wd = quant.dcast %wq : tensor<7x6x!blocks> to tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: scale; unsupported: 'filter' is dequantised by 'quant.dcast', expected an op of linalg{{$}}
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
