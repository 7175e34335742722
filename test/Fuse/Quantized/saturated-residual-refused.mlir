// A bound behind a residual that stays a loop.

// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain 2>&1 | FileCheck %s
// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --check-prefix=ANOTHER

#n = affine_map<(d0, d1) -> (d0, d1)>

// CHECK: partly fused: {{.*}}; a residual comes after the activation
// -127 is more than the least number.
func.func @other_zero_point(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0085 : f32
  %sw = arith.constant 0.0093 : f32
  %so = arith.constant 0.0625 : f32
  %zo = arith.constant -127.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd_e = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%xd_e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd_e = tensor.empty() : tensor<7x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%wd_e : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %yd_e = tensor.empty() : tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%yd_e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %s = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%r, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %more: f32, %out: f32):
    %0 = arith.addf %in, %more : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: partly fused: {{.*}}; a residual comes after the activation
func.func @upper(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0085 : f32
  %sw = arith.constant 0.0093 : f32
  %so = arith.constant 0.0625 : f32
  %zo = arith.constant -128.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %six = arith.constant 6.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd_e = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%xd_e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd_e = tensor.empty() : tensor<7x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%wd_e : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %yd_e = tensor.empty() : tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%yd_e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %s = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%r, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %more: f32, %out: f32):
    %0 = arith.addf %in, %more : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    %1 = arith.minimumf %0, %six : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: partly fused: {{.*}}; a residual comes after the activation
func.func @read_twice(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> (tensor<5x6xi8>, tensor<5x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0085 : f32
  %sw = arith.constant 0.0093 : f32
  %so = arith.constant 0.0625 : f32
  %zo = arith.constant -128.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd_e = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%xd_e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd_e = tensor.empty() : tensor<7x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%wd_e : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %yd_e = tensor.empty() : tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%yd_e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %s = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%r, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %more: f32, %out: f32):
    %0 = arith.addf %in, %more : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q, %a : tensor<5x6xi8>, tensor<5x6xf32>
}

// CHECK: partly fused: {{.*}}; a residual comes after the activation
func.func @scaled(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0085 : f32
  %sw = arith.constant 0.0093 : f32
  %so = arith.constant 0.0625 : f32
  %zo = arith.constant -128.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd_e = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%xd_e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd_e = tensor.empty() : tensor<7x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%wd_e : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %yd_e = tensor.empty() : tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%yd_e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %s = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%r, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %more: f32, %out: f32):
    %0 = arith.addf %in, %more : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %two : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: partly fused: {{.*}}; a residual comes after the activation
func.func @shifted(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0085 : f32
  %sw = arith.constant 0.0093 : f32
  %so = arith.constant 0.0625 : f32
  %zo = arith.constant -128.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd_e = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%xd_e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd_e = tensor.empty() : tensor<7x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%wd_e : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %yd_e = tensor.empty() : tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%yd_e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %s = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%r, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %more: f32, %out: f32):
    %0 = arith.addf %in, %more : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %two : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: partly fused: {{.*}}; a residual comes after the activation
func.func @rounded(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0085 : f32
  %sw = arith.constant 0.0093 : f32
  %so = arith.constant 0.0625 : f32
  %zo = arith.constant -128.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd_e = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%xd_e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd_e = tensor.empty() : tensor<7x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%wd_e : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %yd_e = tensor.empty() : tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%yd_e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %s = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%r, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %more: f32, %out: f32):
    %0 = arith.addf %in, %more : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.roundeven %in : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// ANOTHER-LABEL: func @another_tensor(
// ANOTHER:         fusion.quantized_{{.*}} -> tensor<5x6xf32>
// ANOTHER:         arith.maximumf
func.func @another_tensor(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>, %z: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %so = arith.constant 0.0625 : f32
  %zo = arith.constant -128.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %s = fusion.quantized_matmul_bias_act relu ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>)
         residual_after_activation(%y : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<5x6xf32>) outs(%s : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
