// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s

// Sums that become integers of other sizes, which no op makes.

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>

func.func @compared(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<6xi32>) -> tensor<5x6xi1> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi1>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: next op 'linalg.generic' at {{.*}}:[[#@LINE+2]]:8 makes i1 of the sum, expected i8 or f32{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %b : tensor<5x6xi32>, tensor<6xi32>) outs(%e : tensor<5x6xi1>) {
  ^bb0(%in: i32, %t: i32, %out: i1):
    %0 = arith.cmpi sgt, %in, %t : i32
    linalg.yield %0 : i1
  } -> tensor<5x6xi1>
  return %r : tensor<5x6xi1>
}

// TFLite has such layers, of 16 bits.
func.func @tosa_16_bits(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi16> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi16>
  %m = arith.constant 1073741824 : i32
  %sh = arith.constant 38 : i8
  %min = arith.constant -32768 : i32
  %max = arith.constant 32767 : i32
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: next op 'linalg.generic' at {{.*}}:[[#@LINE+2]]:8 makes i16 of the sum, expected i8 or f32{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi16>) {
  ^bb0(%in: i32, %out: i16):
    %0 = tosa.apply_scale %in, %m, %sh {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %1 = arith.maxsi %0, %min : i32
    %2 = arith.minsi %1, %max : i32
    %3 = arith.trunci %2 : i32 to i16
    linalg.yield %3 : i16
  } -> tensor<5x6xi16>
  return %q : tensor<5x6xi16>
}
