// The executed twin of dequantisation in Loops/fusion-expand-arithmetic.mlir, to the last bit.

// RUN: fusion-run %s --entry=bytes --random=0:-128:127 --random=1:-32768:32767 --verify --rtol=0 --atol=0 | FileCheck %s
// RUN: fusion-run %s --entry=bounds --random=0:-32768:32767 --verify --rtol=0 --atol=0 | FileCheck %s
// CHECK: verify: agrees

// RUN: fusion-opt %s --fusion-compile | FileCheck %s --check-prefix=NARROW
// NARROW-LABEL:     llvm.func @bytes(
// NARROW-COUNT-2:   llvm.sitofp {{.*}} : i32 to f32
// NARROW-NOT:       i64 to f32
// NARROW-LABEL:     llvm.func @bounds(
// NARROW-COUNT-2:   llvm.sitofp {{.*}} : i32 to f32
// NARROW-COUNT-1:   llvm.sitofp {{.*}} : i64 to f32
// NARROW-NOT:       llvm.sitofp
// NARROW:           llvm.return

#map = affine_map<(d0, d1) -> (d0, d1)>

// A zero point that is subtracted from an unsigned byte, and one that is a tensor.
func.func @bytes(%x: tensor<7x37xi8>, %z: tensor<7x37xi16>) -> tensor<7x37xf32> {
  %zero = arith.constant 121 : i64
  %e = tensor.empty() : tensor<7x37xf32>
  %r = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %z : tensor<7x37xi8>, tensor<7x37xi16>) outs(%e : tensor<7x37xf32>) {
  ^bb0(%a: i8, %b: i16, %out: f32):
    %ua = arith.extui %a : i8 to i64
    %sa = arith.extsi %a : i8 to i64
    %sb = arith.extsi %b : i16 to i64
    %d0 = arith.subi %ua, %zero : i64
    %d1 = arith.subi %sa, %sb : i64
    %f0 = arith.sitofp %d0 : i64 to f32
    %f1 = arith.sitofp %d1 : i64 to f32
    %m = arith.mulf %f0, %f1 : f32
    linalg.yield %m : f32
  } -> tensor<7x37xf32>
  return %r : tensor<7x37xf32>
}

// Constants next to 2^30, and one that i32 holds, but not its sums.
func.func @bounds(%x: tensor<7x37xi16>) -> tensor<7x37xf32> {
  %small = arith.constant 1073741823 : i64
  %least = arith.constant -1073741823 : i64
  %large = arith.constant 2147483647 : i64
  %e = tensor.empty() : tensor<7x37xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x37xi16>) outs(%e : tensor<7x37xf32>) {
  ^bb0(%a: i16, %out: f32):
    %u = arith.extui %a : i16 to i64
    %s = arith.extsi %a : i16 to i64
    %d0 = arith.addi %u, %small : i64
    %d1 = arith.subi %s, %least : i64
    %d2 = arith.addi %u, %large : i64
    %f0 = arith.sitofp %d0 : i64 to f32
    %f1 = arith.sitofp %d1 : i64 to f32
    %f2 = arith.sitofp %d2 : i64 to f32
    %0 = arith.subf %f0, %f1 : f32
    %1 = arith.subf %f2, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<7x37xf32>
  return %r : tensor<7x37xf32>
}
