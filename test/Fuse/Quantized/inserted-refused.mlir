// RUN: fusion-opt %s --fusion-fuse-quantized --canonicalize --cse | FileCheck %s

// Near misses of inserted.mlir.

#n2 = affine_map<(d0, d1) -> (d0, d1)>

// Elements between the parts may matter.
// CHECK-LABEL: func @into_numbers(
// CHECK-COUNT-2: fusion.quantized_matmul_bias_act {{.*}}xf32>{{$}}
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<5x6xf32>) outs(%{{.*}} : tensor<5x6xi8>)
func.func @into_numbers(%x: tensor<5x7xi8>, %v: tensor<7x4xi8>, %w: tensor<7x2xi8>) -> tensor<5x6xi8> {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%xd_e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %vd_s = arith.constant 0.125 : f32
  %vd_z = arith.constant 0 : i32
  %vd_e = tensor.empty() : tensor<7x4xf32>
  %vd = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<7x4xi8>) outs(%vd_e : tensor<7x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %vd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %vd_s : f32
    linalg.yield %3 : f32
  } -> tensor<7x4xf32>
  %wd_s = arith.constant 0.25 : f32
  %wd_z = arith.constant 0 : i32
  %wd_e = tensor.empty() : tensor<7x2xf32>
  %wd = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x2xi8>) outs(%wd_e : tensor<7x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %wd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %wd_s : f32
    linalg.yield %3 : f32
  } -> tensor<7x2xf32>
  %ev = tensor.empty() : tensor<5x4xf32>
  %ew = tensor.empty() : tensor<5x2xf32>
  %a = fusion.fused_matmul_bias_act ins(%xd, %vd : tensor<5x7xf32>, tensor<7x4xf32>) outs(%ev : tensor<5x4xf32>) -> tensor<5x4xf32>
  %b = fusion.fused_matmul_bias_act ins(%xd, %wd : tensor<5x7xf32>, tensor<7x2xf32>) outs(%ew : tensor<5x2xf32>) -> tensor<5x2xf32>
  %e = arith.constant dense<1.0> : tensor<5x6xf32>
  %p = tensor.insert_slice %a into %e[0, 0] [5, 4] [1, 1] : tensor<5x4xf32> into tensor<5x6xf32>
  %r = tensor.insert_slice %b into %p[0, 4] [5, 2] [1, 1] : tensor<5x2xf32> into tensor<5x6xf32>
  %q_s = arith.constant 0.5 : f32
  %q_z = arith.constant 3.0 : f32
  %q_l = arith.constant -128.0 : f32
  %q_h = arith.constant 127.0 : f32
  %q_e = tensor.empty() : tensor<5x6xi8>
  %q = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<5x6xf32>) outs(%q_e : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %q_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %q_z : f32
    %3 = arith.maximumf %2, %q_l : f32
    %4 = arith.minimumf %3, %q_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// The whole is read in f32, too.
// CHECK-LABEL: func @read_twice(
// CHECK-COUNT-2: fusion.quantized_matmul_bias_act {{.*}}xf32>{{$}}
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<5x6xf32>) outs(%{{.*}} : tensor<5x6xi8>)
func.func @read_twice(%x: tensor<5x7xi8>, %v: tensor<7x4xi8>, %w: tensor<7x2xi8>) -> (tensor<5x6xi8>, tensor<5x6xf32>) {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%xd_e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %vd_s = arith.constant 0.125 : f32
  %vd_z = arith.constant 0 : i32
  %vd_e = tensor.empty() : tensor<7x4xf32>
  %vd = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<7x4xi8>) outs(%vd_e : tensor<7x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %vd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %vd_s : f32
    linalg.yield %3 : f32
  } -> tensor<7x4xf32>
  %wd_s = arith.constant 0.25 : f32
  %wd_z = arith.constant 0 : i32
  %wd_e = tensor.empty() : tensor<7x2xf32>
  %wd = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x2xi8>) outs(%wd_e : tensor<7x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %wd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %wd_s : f32
    linalg.yield %3 : f32
  } -> tensor<7x2xf32>
  %ev = tensor.empty() : tensor<5x4xf32>
  %ew = tensor.empty() : tensor<5x2xf32>
  %a = fusion.fused_matmul_bias_act ins(%xd, %vd : tensor<5x7xf32>, tensor<7x4xf32>) outs(%ev : tensor<5x4xf32>) -> tensor<5x4xf32>
  %b = fusion.fused_matmul_bias_act ins(%xd, %wd : tensor<5x7xf32>, tensor<7x2xf32>) outs(%ew : tensor<5x2xf32>) -> tensor<5x2xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %p = tensor.insert_slice %a into %e[0, 0] [5, 4] [1, 1] : tensor<5x4xf32> into tensor<5x6xf32>
  %r = tensor.insert_slice %b into %p[0, 4] [5, 2] [1, 1] : tensor<5x2xf32> into tensor<5x6xf32>
  %q_s = arith.constant 0.5 : f32
  %q_z = arith.constant 3.0 : f32
  %q_l = arith.constant -128.0 : f32
  %q_h = arith.constant 127.0 : f32
  %q_e = tensor.empty() : tensor<5x6xi8>
  %q = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<5x6xf32>) outs(%q_e : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %q_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %q_z : f32
    %3 = arith.maximumf %2, %q_l : f32
    %4 = arith.minimumf %3, %q_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q, %r : tensor<5x6xi8>, tensor<5x6xf32>
}

// The same in front of a transpose.
// CHECK-LABEL: func @transposed_read_twice(
// CHECK-COUNT-2: fusion.quantized_matmul_bias_act {{.*}}xf32>{{$}}
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<6x5xf32>) outs(%{{.*}} : tensor<6x5xi8>)
func.func @transposed_read_twice(%x: tensor<5x7xi8>, %v: tensor<7x4xi8>, %w: tensor<7x2xi8>) -> (tensor<6x5xi8>, tensor<5x6xf32>) {
  %xd_s = arith.constant 0.05 : f32
  %xd_z = arith.constant -3 : i32
  %xd_e = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%xd_e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %xd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xd_s : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %vd_s = arith.constant 0.125 : f32
  %vd_z = arith.constant 0 : i32
  %vd_e = tensor.empty() : tensor<7x4xf32>
  %vd = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<7x4xi8>) outs(%vd_e : tensor<7x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %vd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %vd_s : f32
    linalg.yield %3 : f32
  } -> tensor<7x4xf32>
  %wd_s = arith.constant 0.25 : f32
  %wd_z = arith.constant 0 : i32
  %wd_e = tensor.empty() : tensor<7x2xf32>
  %wd = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x2xi8>) outs(%wd_e : tensor<7x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %wd_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %wd_s : f32
    linalg.yield %3 : f32
  } -> tensor<7x2xf32>
  %ev = tensor.empty() : tensor<5x4xf32>
  %ew = tensor.empty() : tensor<5x2xf32>
  %a = fusion.fused_matmul_bias_act ins(%xd, %vd : tensor<5x7xf32>, tensor<7x4xf32>) outs(%ev : tensor<5x4xf32>) -> tensor<5x4xf32>
  %b = fusion.fused_matmul_bias_act ins(%xd, %wd : tensor<5x7xf32>, tensor<7x2xf32>) outs(%ew : tensor<5x2xf32>) -> tensor<5x2xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %p = tensor.insert_slice %a into %e[0, 0] [5, 4] [1, 1] : tensor<5x4xf32> into tensor<5x6xf32>
  %r = tensor.insert_slice %b into %p[0, 4] [5, 2] [1, 1] : tensor<5x2xf32> into tensor<5x6xf32>
  %t_e = tensor.empty() : tensor<6x5xf32>
  %t = linalg.transpose ins(%r : tensor<5x6xf32>) outs(%t_e : tensor<6x5xf32>) permutation = [1, 0]
  %q_s = arith.constant 0.5 : f32
  %q_z = arith.constant 3.0 : f32
  %q_l = arith.constant -128.0 : f32
  %q_h = arith.constant 127.0 : f32
  %q_e = tensor.empty() : tensor<6x5xi8>
  %q = linalg.generic {indexing_maps = [#n2, #n2], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<6x5xf32>) outs(%q_e : tensor<6x5xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %q_s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %q_z : f32
    %3 = arith.maximumf %2, %q_l : f32
    %4 = arith.minimumf %3, %q_h : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<6x5xi8>
  return %q, %r : tensor<6x5xi8>, tensor<5x6xf32>
}
