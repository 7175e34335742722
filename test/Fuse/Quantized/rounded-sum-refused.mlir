// A sum in i32 that is rounded otherwise than to the nearest f32 stays outside, with the reason.

// RUN: fusion-opt %s --fusion-fuse-quantized \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed]' --implicit-check-not='scale('

#n = affine_map<(d0, d1) -> (d0, d1)>

// CHECK: remark: [Missed] {{.*}}sum is not rescaled: 'arith.truncf' rounds by 'downward', expected to_nearest_even
func.func @rounded_down(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 0.01 : f64
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f64
    %1 = arith.mulf %0, %s : f64
    %2 = arith.truncf %1 downward : f64 to f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  return %d : tensor<5x6xf32>
}
