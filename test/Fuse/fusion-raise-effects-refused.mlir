// An assertion is not lost with a pool or a gather in whose body it is: these ops stay.

// RUN: fusion-opt %s --fusion-raise-pools --fusion-raise-gathers | FileCheck %s --implicit-check-not=fusion.pool --implicit-check-not=linalg.broadcast
// RUN: fusion-opt %s --fusion-raise-pools --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

#x = affine_map<(n, h, w, c, i, j) -> (n, h * 2 + i, w * 2 + j, c)>
#w = affine_map<(n, h, w, c, i, j) -> (i, j)>
#o = affine_map<(n, h, w, c, i, j) -> (n, h, w, c)>
#n = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @pool(
// CHECK:         cf.assert
func.func @pool(%x: tensor<2x11x9x5xf32>) -> tensor<2x4x4x5xf32> {
  %w = tensor.empty() : tensor<4x3xf32>
  %k = arith.constant 100.0 : f32
  %i = arith.constant dense<0xFF800000> : tensor<2x4x4x5xf32>
  // WHY: :[[#@LINE+1]]:8: not fused: unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %r = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<2x11x9x5xf32>, tensor<4x3xf32>) outs(%i : tensor<2x4x4x5xf32>) {
  ^bb0(%in: f32, %window: f32, %out: f32):
    %ok = arith.cmpf olt, %in, %k : f32
    cf.assert %ok, "too large"
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// CHECK-LABEL: func @pool_of_integers(
// CHECK:         cf.assert
func.func @pool_of_integers(%x: tensor<2x11x9x5xi8>) -> tensor<2x4x4x5xi8> {
  %w = tensor.empty() : tensor<4x3xi8>
  %k = arith.constant 100 : i8
  %i = arith.constant dense<-128> : tensor<2x4x4x5xi8>
  // WHY: :[[#@LINE+1]]:8: not fused: unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %r = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<2x11x9x5xi8>, tensor<4x3xi8>) outs(%i : tensor<2x4x4x5xi8>) {
  ^bb0(%in: i8, %window: i8, %out: i8):
    %ok = arith.cmpi slt, %in, %k : i8
    cf.assert %ok, "too large"
    %0 = arith.maxsi %out, %in : i8
    linalg.yield %0 : i8
  } -> tensor<2x4x4x5xi8>
  return %r : tensor<2x4x4x5xi8>
}

// CHECK-LABEL: func @gather(
// CHECK:         cf.assert
func.func @gather(%x: tensor<3x5xf32>) -> tensor<6x10xf32> {
  %e = tensor.empty() : tensor<6x10xf32>
  %c2 = arith.constant 2 : index
  %k = arith.constant 100.0 : f32
  %r = linalg.generic {indexing_maps = [#n], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<6x10xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %i2 = arith.floordivsi %i, %c2 : index
    %j2 = arith.floordivsi %j, %c2 : index
    %element = tensor.extract %x[%i2, %j2] : tensor<3x5xf32>
    %ok = arith.cmpf olt, %element, %k : f32
    cf.assert %ok, "too large"
    linalg.yield %element : f32
  } -> tensor<6x10xf32>
  return %r : tensor<6x10xf32>
}
