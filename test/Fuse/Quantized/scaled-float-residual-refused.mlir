// Tensors that are added to a sum in i32, in one op with its rescale, and that no op adds.

// RUN: fusion-opt %s --fusion-fuse-quantized -o /dev/null \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed]'

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>

// CHECK: remark: [Missed] {{.*}}unsupported: a tensor of f32 is added to the sum with factor -3.000000e+00, expected a positive f32
func.func @negative(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %t = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xf32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %r: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.mulf %r, %t : f32
    %v9 = arith.subf %1, %2 : f32
    %r0 = math.roundeven %v9 : f32
    %r1 = arith.maximumf %r0, %min : f32
    %r2 = arith.minimumf %r1, %max : f32
    %r3 = arith.fptosi %r2 : f32 to i8
    linalg.yield %r3 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}unsupported: a tensor of f32 is added to the sum with factors that vary along dimension 1, expected one number
func.func @channels(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %v = arith.constant dense<[3.0, 2.0, 1.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y, %v : tensor<5x6xi32>, tensor<5x6xf32>, tensor<6xf32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %r: f32, %u: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.mulf %r, %u : f32
    %v9 = arith.addf %1, %2 : f32
    %r0 = math.roundeven %v9 : f32
    %r1 = arith.maximumf %r0, %min : f32
    %r2 = arith.minimumf %r1, %max : f32
    %r3 = arith.fptosi %r2 : f32 to i8
    linalg.yield %r3 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}unsupported: a tensor of i16 is added to the sum, expected i8 or f32
func.func @wide(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi16>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xi16>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %r: i16, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %r : i16 to f32
    %v9 = arith.addf %1, %2 : f32
    %r0 = math.roundeven %v9 : f32
    %r1 = arith.maximumf %r0, %min : f32
    %r2 = arith.minimumf %r1, %max : f32
    %r3 = arith.fptosi %r2 : f32 to i8
    linalg.yield %r3 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// The sum over this factor would be no f32.
// CHECK: remark: [Missed] {{.*}}unsupported: a scale of the sum is no f32
func.func @tiny(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %t = arith.constant 1.0e-32 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xf32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %r: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.mulf %r, %t : f32
    %v9 = arith.addf %1, %2 : f32
    %r0 = math.roundeven %v9 : f32
    %r1 = arith.maximumf %r0, %min : f32
    %r2 = arith.minimumf %r1, %max : f32
    %r3 = arith.fptosi %r2 : f32 to i8
    linalg.yield %r3 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
