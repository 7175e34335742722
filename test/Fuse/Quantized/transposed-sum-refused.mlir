// Sums whose rescaling transposes them and stays outside, with the reasons.

// RUN: fusion-opt %s --fusion-fuse-quantized \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed]' --implicit-check-not='scale('

#n = affine_map<(d0, d1) -> (d0, d1)>

// The sum is read transposed, and as it is.
// CHECK: remark: [Missed] {{.*}}result has 2 users: 'linalg.generic' at
func.func @transposed_read_twice(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> (tensor<6x5xi8>, tensor<5x6xi32>) {
  %s = arith.constant 0.01 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<6x5xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<6x5xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<6x5xi8>
  return %q, %c : tensor<6x5xi8>, tensor<5x6xi32>
}
