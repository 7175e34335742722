// RUN: fusion-opt %s --fusion-merge-quantization | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY

// An op for each step of a dequantisation or quantisation. Integration/merge-quantization.test
// executes these functions.

#n = affine_map<(d0, d1) -> (d0, d1)>

// A layer with all steps, some named, with tensors of constants.
// CHECK-LABEL: func @layer(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<5x7xi8>
// CHECK:         %[[XD:.*]] = linalg.generic {{.*}} ins(%[[X]], %{{.*}} : tensor<5x7xi8>, f32)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: i8, %[[S:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[E:.*]] = arith.extsi %[[A]] : i8 to i32
// CHECK-NEXT:      %[[D:.*]] = arith.subi %[[E]], %{{.*}} : i32
// CHECK-NEXT:      %[[F:.*]] = arith.sitofp %[[D]] : i32 to f32
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[F]], %[[S]] : f32
// CHECK-NEXT:      linalg.yield %[[M]] : f32
// CHECK:         %[[WD:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[COLUMN:.*]], #{{.*}}]{{.*}} ins(%{{.*}}, %{{.*}} : tensor<7x6xi8>, tensor<6xf32>)
// CHECK:         %[[R:.*]] = linalg.matmul ins(%[[XD]], %[[WD]] :
// CHECK:         %[[Q:.*]] = linalg.generic {{.*}} ins(%[[R]], {{.*}}) outs(%{{.*}} : tensor<5x6xi8>)
// CHECK:           arith.divf
// CHECK:           math.roundeven
// CHECK:           arith.addf
// CHECK:           arith.maximumf
// CHECK:           arith.minimumf
// CHECK:           arith.fptosi
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[Q]]
func.func @layer(%x: tensor<5x7xi8>) -> tensor<5x6xi8> {
  %w = arith.constant dense<[[1, -2, 3, -4, 5, -6], [7, -8, 9, -10, 11, -12], [13, -14, 15, -16, 17, -18], [19, -20, 21, -22, 23, -24], [25, -26, 27, -28, 29, -30], [31, -32, 33, -34, 35, -36], [37, -38, 39, -40, 41, -127]]> : tensor<7x6xi8>
  %ws = arith.constant dense<[0.5, 0.25, 0.125, 0.75, 0.375, 0.625]> : tensor<6xf32>
  %zx = arith.constant 3 : i32
  %sx = arith.constant 0.0625 : f32
  %zero = arith.constant 0.0 : f32
  %sy = arith.constant 2.5 : f32
  %zy = arith.constant -5.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %exi = tensor.empty() : tensor<5x7xi32>
  %exf = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %x0 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%exi : tensor<5x7xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<5x7xi32>
  %x1 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x0 : tensor<5x7xi32>) outs(%exi : tensor<5x7xi32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.subi %in, %zx : i32
    linalg.yield %0 : i32
  } -> tensor<5x7xi32>
  %x2 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x1 : tensor<5x7xi32>) outs(%exf : tensor<5x7xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<5x7xf32>
  %sxt = linalg.fill ins(%sx : f32) outs(%exf : tensor<5x7xf32>) -> tensor<5x7xf32>
  %x3 = linalg.mul ins(%x2, %sxt : tensor<5x7xf32>, tensor<5x7xf32>) outs(%exf : tensor<5x7xf32>) -> tensor<5x7xf32>
  %w0 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<7x6xf32>
  %wst = linalg.broadcast ins(%ws : tensor<6xf32>) outs(%ew : tensor<7x6xf32>) dimensions = [0]
  %w1 = linalg.mul ins(%w0, %wst : tensor<7x6xf32>, tensor<7x6xf32>) outs(%ew : tensor<7x6xf32>) -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // WHY: :[[#@LINE+1]]:8: fused: dequantize, zero point, scale, quantize{{$}}
  %r = linalg.matmul ins(%x3, %w1 : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %syt = linalg.fill ins(%sy : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q0 = linalg.div ins(%r, %syt : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q1 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%q0 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.roundeven %in : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %zyt = linalg.fill ins(%zy : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q2 = linalg.add ins(%q1, %zyt : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q3 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%q2 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %least : f32
    %1 = arith.minimumf %0, %most : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%q3 : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.fptosi %in : f32 to i8
    linalg.yield %0 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// A sum becomes floats, in front of a relu, which stays behind the scale.
// CHECK-LABEL: func @sum(
// CHECK:         linalg.matmul
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK:           arith.sitofp
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      linalg.yield
// CHECK:         linalg.max
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<5x6xi8>)
// CHECK:           arith.mulf
// CHECK-NEXT:      math.roundeven
func.func @sum(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0 : i32
  %nothing = arith.constant 0.0 : f32
  %s = arith.constant 0.001 : f32
  %sy = arith.constant 10.0 : f32
  %most = arith.constant 127.0 : f32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  // WHY: :[[#@LINE+1]]:8: fused: dequantize, relu, quantize{{$}}
  %r = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %0 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %a = arith.sitofp %in : i32 to f32
    linalg.yield %a : f32
  } -> tensor<5x6xf32>
  %st = linalg.fill ins(%s : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %1 = linalg.mul ins(%0, %st : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %zt = linalg.fill ins(%nothing : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %2 = linalg.max ins(%1, %zt : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %syt = linalg.fill ins(%sy : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %3 = linalg.mul ins(%2, %syt : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %a = math.roundeven %in : f32
    %b = arith.minimumf %a, %most : f32
    %c = arith.fptosi %b : f32 to i8
    linalg.yield %c : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Something else reads the number between two steps.
// CHECK-LABEL: func @read_twice(
// CHECK:         arith.sitofp
// CHECK-NEXT:    linalg.yield
// CHECK:         linalg.mul
func.func @read_twice(%x: tensor<5x7xi8>) -> (tensor<5x7xf32>, tensor<5x7xf32>) {
  %s = arith.constant 0.125 : f32
  %e = tensor.empty() : tensor<5x7xf32>
  %0 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %a = arith.sitofp %in : i8 to f32
    linalg.yield %a : f32
  } -> tensor<5x7xf32>
  %st = linalg.fill ins(%s : f32) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %1 = linalg.mul ins(%0, %st : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %0, %1 : tensor<5x7xf32>, tensor<5x7xf32>
}

// A sum of two tensors is no step, and neither is the exponential function.
// CHECK-LABEL: func @other_ops(
// CHECK:         arith.sitofp
// CHECK-NEXT:    linalg.yield
// CHECK:         linalg.add
// CHECK:         linalg.exp
// CHECK:         linalg.generic
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.fptosi
func.func @other_ops(%x: tensor<5x7xi8>, %y: tensor<5x7xf32>) -> tensor<5x7xi8> {
  %e = tensor.empty() : tensor<5x7xf32>
  %e8 = tensor.empty() : tensor<5x7xi8>
  %0 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %a = arith.sitofp %in : i8 to f32
    linalg.yield %a : f32
  } -> tensor<5x7xf32>
  %1 = linalg.add ins(%0, %y : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %2 = linalg.exp ins(%1 : tensor<5x7xf32>) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %3 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<5x7xf32>) outs(%e8 : tensor<5x7xi8>) {
  ^bb0(%in: f32, %out: i8):
    %a = arith.fptosi %in : f32 to i8
    linalg.yield %a : i8
  } -> tensor<5x7xi8>
  return %3 : tensor<5x7xi8>
}

// Scales of columns are no scale of a quantisation.
// CHECK-LABEL: func @columns(
// CHECK:         arith.mulf
// CHECK-NEXT:    linalg.yield
// CHECK:         linalg.generic
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      math.roundeven
func.func @columns(%x: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %s = arith.constant dense<[0.5, 0.25, 0.125, 0.75, 0.375, 0.625]> : tensor<6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %0 = linalg.generic {indexing_maps = [#n, affine_map<(d0, d1) -> (d1)>, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<5x6xf32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %a = arith.mulf %in, %b : f32
    linalg.yield %a : f32
  } -> tensor<5x6xf32>
  %1 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %a = math.roundeven %in : f32
    %b = arith.fptosi %a : f32 to i8
    linalg.yield %b : i8
  } -> tensor<5x6xi8>
  return %1 : tensor<5x6xi8>
}

// A transpose in between stays.
// CHECK-LABEL: func @transposed(
// CHECK:         arith.sitofp
// CHECK-NEXT:    linalg.yield
// CHECK:         arith.mulf
func.func @transposed(%x: tensor<5x7xi8>) -> tensor<7x5xf32> {
  %s = arith.constant 0.125 : f32
  %e = tensor.empty() : tensor<5x7xf32>
  %et = tensor.empty() : tensor<7x5xf32>
  %0 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %a = arith.sitofp %in : i8 to f32
    linalg.yield %a : f32
  } -> tensor<5x7xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #n], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<5x7xf32>) outs(%et : tensor<7x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.mulf %in, %s : f32
    linalg.yield %a : f32
  } -> tensor<7x5xf32>
  return %1 : tensor<7x5xf32>
}
