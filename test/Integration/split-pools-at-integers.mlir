// A maximum pool of a dequantised image, whose result is quantised, and after upstream's fusion of
// element-wise ops, which dequantises in the body of the pool: each way one kernel that finds maxima
// of the integers, and the same integers.

// RUN: %python %S/verify-functions.py %s --pools=1 -- --lsb=0 | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=linalg.generic

// RUN: fusion-opt %s --linalg-fuse-elementwise-ops -o %t.e.mlir
// RUN: %python %S/verify-functions.py %t.e.mlir --pools=1 -- --lsb=0 | FileCheck %s
// RUN: fusion-opt %t.e.mlir --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=linalg.generic

// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --canonicalize -o %t.g.mlir
// RUN: FileCheck %s --check-prefix=MERGED --input-file=%t.g.mlir
// RUN: %python %S/verify-functions.py %t.g.mlir --pools=1 -- --lsb=0 | FileCheck %s
// RUN: fusion-opt %t.g.mlir --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=linalg.generic

// CHECK: {{^}}1 functions agree, 0 fused ops

#n = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// MERGED-LABEL: func.func @pool(
// MERGED:         linalg.generic {{.*}}"reduction"
// MERGED:           arith.sitofp
// MERGED:           arith.maximumf
// IR-LABEL: func.func @pool(
// IR:         fusion.pool {{.*}} ins(%{{.*}} : tensor<1x9x8x3xi8>)
// IR:         return
func.func @pool(%x: tensor<1x9x8x3xi8>) -> tensor<1x4x3x3xi8> {
  %z = arith.constant -14 : i32
  %s = arith.constant 0.0625 : f32
  %r = arith.constant 16.0 : f32
  %zo = arith.constant -14.0 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %ex = tensor.empty() : tensor<1x9x8x3xf32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x8x3xi8>) outs(%ex : tensor<1x9x8x3xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<1x9x8x3xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %ep = tensor.empty() : tensor<1x4x3x3xf32>
  %f = linalg.fill ins(%least : f32) outs(%ep : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%d, %window : tensor<1x9x8x3xf32>, tensor<3x3xf32>) outs(%f : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  %eq = tensor.empty() : tensor<1x4x3x3xi8>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<1x4x3x3xf32>) outs(%eq : tensor<1x4x3x3xi8>) {
  ^bb0(%a: f32, %o: i8):
    %0 = arith.mulf %a, %r : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %lo : f32
    %4 = arith.minimumf %3, %hi : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x3x3xi8>
  return %q : tensor<1x4x3x3xi8>
}
