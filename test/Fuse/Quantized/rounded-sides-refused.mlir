// RUN: fusion-opt %s --fusion-fuse-quantized -o /dev/null \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed]'

#n = affine_map<(d0, d1) -> (d0, d1)>

// Both sides are rounded before they are added, as StableHLO does.
// CHECK: remark: [Missed] {{.*}}result is not quantised: a sum is rounded in parts
func.func @rounded_sides(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %t = arith.constant 0.7 : f32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %zero = arith.constant 0 : i32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xi8>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%a: i32, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.fptosi %2 : f32 to i32
    %4 = arith.sitofp %b : i8 to f32
    %5 = arith.mulf %4, %t : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.fptosi %6 : f32 to i32
    %8 = arith.addi %3, %7 : i32
    %9 = arith.maxsi %8, %min : i32
    %10 = arith.minsi %9, %max : i32
    %11 = arith.trunci %10 : i32 to i8
    linalg.yield %11 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
