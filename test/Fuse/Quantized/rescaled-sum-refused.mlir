// Sums in i32 whose rescaling stays outside, with the reasons.

// RUN: fusion-opt %s --fusion-fuse-quantized \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed]' --implicit-check-not='scale('

#n = affine_map<(d0, d1) -> (d0, d1)>
#n0 = affine_map<(d0, d1) -> (d0)>
#n1 = affine_map<(d0, d1) -> (d1)>

// CHECK: remark: [Missed] {{.*}}result has 2 users: 'linalg.generic' at
func.func @read_twice(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> (tensor<5x6xi8>, tensor<5x6xi32>) {
  %s = arith.constant 0.01 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x6xi8>
  return %q, %c : tensor<5x6xi8>, tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: requantisation truncates, expected rounding to the nearest integer
func.func @truncates(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}scale of the sum varies along dimension 0, expected the output channel dimension 1
func.func @scale_of_rows(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05]> : tensor<5xf32>
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n0, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<5x6xi32>, tensor<5xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %sc: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// The matrix multiplication would run once for each iteration.
// CHECK: remark: [Missed] {{.*}}sum is rescaled in another block
func.func @loop(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = arith.constant 0.01 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%e8 = %y) -> tensor<5x6xi8> {
    %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
    ^bb0(%in: i32, %out: i8):
      %0 = arith.sitofp %in : i32 to f32
      %1 = arith.mulf %0, %s : f32
      %2 = math.roundeven %1 : f32
      %3 = arith.fptosi %2 : f32 to i8
      linalg.yield %3 : i8
    } -> tensor<5x6xi8>
    scf.yield %q : tensor<5x6xi8>
  }
  return %r : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}sum is not rescaled: may wrap: i8 for -2147483648 to 2147483647
func.func @no_bounds(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.trunci %in : i32 to i8
    linalg.yield %0 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}unsupported: what is added to the scaled sum is no zero point, and there is a bias in i32
func.func @two_biases(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %b = arith.constant dense<[0.5, 0.6, 0.7, 0.8, 0.9, 1.0]> : tensor<6xf32>
  %f = arith.constant dense<1234> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %b : tensor<5x6xi32>, tensor<6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %bi: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.addf %1, %bi : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}unsupported: next op 'linalg.generic' at {{.*}} makes f64 of the sum, expected i8 or f32
func.func @double(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf64> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf64>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xf64>) {
  ^bb0(%in: i32, %out: f64):
    %0 = arith.sitofp %in : i32 to f64
    linalg.yield %0 : f64
  } -> tensor<5x6xf64>
  return %d : tensor<5x6xf64>
}

// CHECK: remark: [Missed] {{.*}}sum is not rescaled: rounds to f16
func.func @half(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf16> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf16>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xf16>) {
  ^bb0(%in: i32, %out: f16):
    %0 = arith.sitofp %in : i32 to f16
    linalg.yield %0 : f16
  } -> tensor<5x6xf16>
  return %d : tensor<5x6xf16>
}

// CHECK: remark: [Missed] {{.*}}unsupported: the scaled sum is rounded to a float
func.func @rounded_float(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 0.01 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  return %d : tensor<5x6xf32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: floats have one bound, 6.000000e+00
func.func @one_bound(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 0.01 : f32
  %six = arith.constant 6.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.minimumf %1, %six : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  return %d : tensor<5x6xf32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: requantisation rounds down, expected rounding to the nearest integer
func.func @shifts(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %eight = arith.constant 8 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.shrsi %in, %eight : i32
    %1 = arith.maxsi %0, %min : i32
    %2 = arith.minsi %1, %max : i32
    %3 = arith.trunci %2 : i32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Less than half a step,
// CHECK: remark: [Missed] {{.*}}unsupported: requantisation rounds down, expected half a step to be added to the sum apart from the bias
func.func @less_than_half(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %half = arith.constant 255 : i32
  %shift = arith.constant 9 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.addi %in, %half : i32
    %1 = arith.shrsi %0, %shift : i32
    %2 = arith.maxsi %1, %min : i32
    %3 = arith.minsi %2, %max : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// or added behind the shift.
// CHECK: remark: [Missed] {{.*}}unsupported: requantisation rounds down, expected rounding to the nearest integer
func.func @half_behind(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %half = arith.constant 256 : i32
  %shift = arith.constant 9 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.shrsi %in, %shift : i32
    %1 = arith.addi %0, %half : i32
    %2 = arith.maxsi %1, %min : i32
    %3 = arith.minsi %2, %max : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Half a step of a sum that may wrap.
// CHECK: remark: [Missed] {{.*}}sum may leave i32: the bias is not known
func.func @half_of_unknown(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<6xi32>) -> tensor<5x6xi8> {
  %half = arith.constant 256 : i32
  %shift = arith.constant 9 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %ei = tensor.empty() : tensor<5x6xi32>
  %f = linalg.broadcast ins(%b : tensor<6xi32>) outs(%ei : tensor<5x6xi32>) dimensions = [0]
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.addi %in, %half : i32
    %1 = arith.shrsi %0, %shift : i32
    %2 = arith.maxsi %1, %min : i32
    %3 = arith.minsi %2, %max : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}sum may leave i32: half a step is added to the bias 2147483392
func.func @half_of_large(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %half = arith.constant 256 : i32
  %shift = arith.constant 9 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<2147483392> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.addi %in, %half : i32
    %1 = arith.shrsi %0, %shift : i32
    %2 = arith.maxsi %1, %min : i32
    %3 = arith.minsi %2, %max : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}sum may leave i32: 131072 products of up to
func.func @half_of_many(%x: tensor<5x131072xi8>, %w: tensor<131072x6xi8>) -> tensor<5x6xi8> {
  %half = arith.constant 256 : i32
  %shift = arith.constant 9 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x131072xi8>, tensor<131072x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.addi %in, %half : i32
    %1 = arith.shrsi %0, %shift : i32
    %2 = arith.maxsi %1, %min : i32
    %3 = arith.minsi %2, %max : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}unsupported: requantisation rounds down, expected rounding to the nearest integer
func.func @floors(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %zo = arith.constant 7.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.floor %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}unsupported: a tensor of f32 is added to the sum with factor 2.000000e+00, expected 1 in front of a result in f32
func.func @scaled_residual(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %s = arith.constant 0.01 : f32
  %two = arith.constant 2.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %r: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.mulf %r, %two : f32
    %3 = arith.addf %1, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  return %q : tensor<5x6xf32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: a tensor of i8 is added to the sum with factor -2.000000e+00, expected a positive f32
func.func @negative_residual(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 0.01 : f32
  %two = arith.constant 2.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %r: i8, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %r : i8 to f32
    %3 = arith.mulf %2, %two : f32
    %4 = arith.subf %1, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<5x6xf32>
  return %q : tensor<5x6xf32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: the activation of a sum with a tensor of f32, which may be NaN
func.func @relu_of_residual(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %s = arith.constant 0.01 : f32
  %zero = arith.constant 0.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %r: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.addf %1, %r : f32
    %3 = arith.maximumf %2, %zero : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  return %q : tensor<5x6xf32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: result is computed from 3 tensors, expected the sum and a residual
func.func @two_residuals(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>, %z: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %s = arith.constant 0.01 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y, %z : tensor<5x6xi32>, tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %r: f32, %t: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.addf %1, %r : f32
    %3 = arith.addf %2, %t : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  return %q : tensor<5x6xf32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: a scale of the sum is no f32
func.func @tiny_factor(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 1.0e-40 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  return %q : tensor<5x6xf32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: what is added to the scaled sum is no f32
func.func @tiny_bias(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 0.01 : f32
  %b = arith.constant 1.0e-40 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  return %q : tensor<5x6xf32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: number of output channels is not known
func.func @dynamic_channels(%x: tensor<5x7xi8>, %w: tensor<7x?xi8>, %e: tensor<5x?xf32>, %e32: tensor<5x?xi32>) -> tensor<5x?xf32> {
  %s = arith.constant 0.01 : f32
  %b = arith.constant 0.5 : f32
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x?xi32>) -> tensor<5x?xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x?xi8>) outs(%f : tensor<5x?xi32>) -> tensor<5x?xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x?xi32>) outs(%e : tensor<5x?xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<5x?xf32>
  return %q : tensor<5x?xf32>
}

// Half a step in the bias cannot be told from the bias.
// CHECK: remark: [Missed] {{.*}}unsupported: requantisation rounds down, expected half a step to be added to the sum apart from the bias
func.func @half_in_bias(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %halves = arith.constant dense<[249, 1490, 256, 257, 258, -544]> : tensor<6xi32>
  %shift = arith.constant 9 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %halves : tensor<5x6xi32>, tensor<6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %half: i32, %out: i8):
    %0 = arith.addi %in, %half : i32
    %1 = arith.shrsi %0, %shift : i32
    %2 = arith.maxsi %1, %min : i32
    %3 = arith.minsi %2, %max : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// One of the bits that the shift fills in is kept.
// CHECK: remark: [Missed] {{.*}}sum is not rescaled: a number is read with another sign than it has
func.func @shift_of_33(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %multiplier = arith.constant 1400779000 : i64
  %half = arith.constant 4294967296 : i64
  %shift = arith.constant 33 : i64
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.extsi %in : i32 to i64
    %1 = arith.muli %0, %multiplier : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.shrui %2, %shift : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.maxsi %4, %min : i32
    %6 = arith.minsi %5, %max : i32
    %7 = arith.trunci %6 : i32 to i8
    linalg.yield %7 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
