// Ops that stay in f32, and ops whose quantisation stays outside, with the reasons.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed] fusion-fuse-quantized'

#n = affine_map<(d0, d1) -> (d0, d1)>
#n0 = affine_map<(d0, d1) -> (d0)>
#n1 = affine_map<(d0, d1) -> (d1)>

// CHECK:         remark: [Missed] fusion-fuse-quantized | {{.*}}result has 2 users: 'linalg.generic' at {{.*}}, 'func.return' at
// CHECK:         remark: [Missed] fusion-fuse-quantized | {{.*}}result is not quantised: unsupported: quantisation truncates, expected rounding to the nearest integer
// CHECK:         remark: [Missed] fusion-fuse-quantized | {{.*}}unsupported: filter has zero point 2, expected 0
// CHECK:         remark: [Missed] fusion-fuse-quantized | {{.*}}unsupported: filter is unsigned, expected signed
// CHECK:         remark: [Missed] fusion-fuse-quantized | {{.*}}scale of the filter varies along dimension 0, expected the output channel dimension 1
// CHECK:         remark: [Missed] fusion-fuse-quantized | {{.*}}scale of the input varies along dimension 0, expected one number
// CHECK:         remark: [Missed] fusion-fuse-quantized | {{.*}}sum may leave i32: 131072 products of up to 16384
// CHECK:         remark: [Missed] fusion-fuse-quantized | {{.*}}unsupported: quantisation bounds -100 and 127 behind an activation
// CHECK:         remark: [Missed] fusion-fuse-quantized | {{.*}}input is not dequantised: unsupported: a zero point is 2.000000e+02, expected an integer of the quantised type
// CHECK:         remark: [Missed] fusion-fuse-quantized | {{.*}}result is quantised in another block

// CHECK-LABEL: func @read_twice(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xf32>
func.func @read_twice(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> (tensor<5x6xi8>, tensor<5x6xf32>) {
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %sx = arith.constant 0.125 : f32
  %so = arith.constant 8.0 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q, %c : tensor<5x6xi8>, tensor<5x6xf32>
}

// CHECK-LABEL: func @truncates(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xf32>
func.func @truncates(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %sx = arith.constant 0.125 : f32
  %so = arith.constant 8.0 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = arith.addf %0, %zo : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @filter_zero_point(
// CHECK:         fusion.fused_matmul_bias_act
func.func @filter_zero_point(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %sx = arith.constant 0.125 : f32
  %so = arith.constant 8.0 : f32
  %zo = arith.constant 3.0 : f32
  %two = arith.constant 2 : i32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %two : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @unsigned_filter(
// CHECK:         fusion.fused_matmul_bias_act
func.func @unsigned_filter(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %sx = arith.constant 0.125 : f32
  %so = arith.constant 8.0 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @scale_of_rows(
// CHECK:         fusion.fused_matmul_bias_act
func.func @scale_of_rows(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07]> : tensor<7xf32>
  %sx = arith.constant 0.125 : f32
  %so = arith.constant 8.0 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n0, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<7xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @scale_of_input(
// CHECK:         fusion.fused_matmul_bias_act
func.func @scale_of_input(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %xs = arith.constant dense<[0.1, 0.2, 0.3, 0.4, 0.5]> : tensor<5xf32>
  %so = arith.constant 8.0 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n0, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %xs : tensor<5x7xi8>, tensor<5xf32>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @long_sum(
// CHECK:         fusion.fused_matmul_bias_act
func.func @long_sum(%x: tensor<5x131072xi8>, %w: tensor<131072x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %sx = arith.constant 0.125 : f32
  %so = arith.constant 8.0 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x131072xf32>
  %ew = tensor.empty() : tensor<131072x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x131072xi8>) outs(%ex : tensor<5x131072xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x131072xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<131072x6xi8>, tensor<6xf32>) outs(%ew : tensor<131072x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<131072x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x131072xf32>, tensor<131072x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @bounds_behind_activation(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xf32>
func.func @bounds_behind_activation(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %sx = arith.constant 0.125 : f32
  %so = arith.constant 8.0 : f32
  %zo = arith.constant 3.0 : f32
  %max = arith.constant 127.0 : f32
  %low = arith.constant -100.0 : f32
  %quarter = arith.constant 0.25 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %quarter : f32
    %1 = arith.cmpf ogt, %in, %zero : f32
    %2 = arith.select %1, %in, %0 : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @zero_point_out_of_range(
// CHECK:         fusion.fused_matmul_bias_act
func.func @zero_point_out_of_range(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 0.125 : f32
  %zx = arith.constant 200.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %c : tensor<5x6xf32>
}

// The matrix multiplication would run once for each iteration.
// CHECK-LABEL: func @loop(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xf32>
func.func @loop(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<5x6xf32>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%e8 = %y) -> tensor<5x6xi8> {
    %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
    ^bb0(%in: f32, %out: i8):
      %0 = math.roundeven %in : f32
      %1 = arith.fptosi %0 : f32 to i8
      linalg.yield %1 : i8
    } -> tensor<5x6xi8>
    scf.yield %q : tensor<5x6xi8>
  }
  return %r : tensor<5x6xi8>
}
