// RUN: fusion-run %s --entry=pixels --verify | FileCheck %s
// RUN: fusion-run %s --entry=pixels_of_any_size --shape=0:2x9x7x5 --verify | FileCheck %s
// RUN: fusion-run %s --entry=largest --verify | FileCheck %s
// RUN: fusion-run %s --entry=largest_of_few --verify | FileCheck %s
// RUN: fusion-run %s --entry=kept --shape=0:1x21x16x4 --verify | FileCheck %s
// RUN: fusion-run %s --entry=product --verify | FileCheck %s
// RUN: fusion-run %s --entry=large_window --verify --lsb=0 | FileCheck %s
// RUN: fusion-run %s --entry=small_window --verify --lsb=0 | FileCheck %s
// RUN: fusion-run %s --entry=weighted --verify | FileCheck %s
// RUN: fusion-run %s --entry=long_vectors --verify | FileCheck %s
// RUN: fusion-run %s --entry=window_of_vectors --verify --lsb=0 | FileCheck %s
// RUN: fusion-opt %s --fusion-compile | FileCheck %s --check-prefix=IR

// The executed twin of Loops/fusion-lower-to-loops-reductions.mlir and -vectors.mlir.

// CHECK: verify: agrees

#image = affine_map<(n, c, h, w) -> (n, h, w, c)>
#channel = affine_map<(n, c, h, w) -> (n, c)>

func.func @pixels(%x: tensor<2x9x7x5xf32>) -> tensor<2x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5xf32>
  %r = linalg.generic {indexing_maps = [#image, #channel], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%x : tensor<2x9x7x5xf32>) outs(%z : tensor<2x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

func.func @pixels_of_any_size(%x: tensor<2x?x?x5xf32>) -> tensor<2x5xf32> {
  %z = arith.constant dense<0.5> : tensor<2x5xf32>
  %r = linalg.generic {indexing_maps = [#image, #channel], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%x : tensor<2x?x?x5xf32>) outs(%z : tensor<2x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

func.func @largest(%x: tensor<2x9x7x5xf32>) -> tensor<2x5xf32> {
  %z = arith.constant dense<0xFF800000> : tensor<2x5xf32>
  %r = linalg.generic {indexing_maps = [#image, #channel], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%x : tensor<2x9x7x5xf32>) outs(%z : tensor<2x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.maximumf %u, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

// As the places of boxes in YOLOv8.
func.func @largest_of_few(%x: tensor<21x16x4xf32>) -> tensor<21x4xf32> {
  %z = arith.constant dense<0xFF800000> : tensor<21x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(p, c, i) -> (p, i, c)>, affine_map<(p, c, i) -> (p, c)>], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x : tensor<21x16x4xf32>) outs(%z : tensor<21x4xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.maximumf %u, %o : f32
    linalg.yield %s : f32
  } -> tensor<21x4xf32>
  return %r : tensor<21x4xf32>
}

// The same with the dimension kept, which is read again.
func.func @kept(%x: tensor<1x?x16x4xf32>) -> tensor<1x?x16x4xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<1x?x16x4xf32>
  %z = arith.constant 0xFF800000 : f32
  %e = tensor.empty(%n) : tensor<1x?x1x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x?x1x4xf32>) -> tensor<1x?x1x4xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(a, p, i, c) -> (a, p, i, c)>, affine_map<(a, p, i, c) -> (a, p, 0, c)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
         ins(%x : tensor<1x?x16x4xf32>) outs(%f : tensor<1x?x1x4xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.maximumf %u, %o : f32
    linalg.yield %s : f32
  } -> tensor<1x?x1x4xf32>
  %g = tensor.empty(%n) : tensor<1x?x16x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, p, i, c) -> (0, p, i, c)>, affine_map<(a, p, i, c) -> (0, p, 0, c)>, affine_map<(a, p, i, c) -> (a, p, i, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%x, %m : tensor<1x?x16x4xf32>, tensor<1x?x1x4xf32>) outs(%g : tensor<1x?x16x4xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.subf %u, %v : f32
    linalg.yield %s : f32
  } -> tensor<1x?x16x4xf32>
  return %r : tensor<1x?x16x4xf32>
}

// A product that is no fusion op, since its accumulator is of i64.
func.func @product(%x: tensor<5x63xi32>, %w: tensor<63x7xi32>) -> tensor<5x7xi64> {
  %z = arith.constant dense<0> : tensor<5x7xi64>
  %r = linalg.matmul ins(%x, %w : tensor<5x63xi32>, tensor<63x7xi32>) outs(%z : tensor<5x7xi64>) -> tensor<5x7xi64>
  return %r : tensor<5x7xi64>
}

func.func @large_window(%x: tensor<1x30x25x5xi8>) -> tensor<1x9x21x5xi32> {
  %w = tensor.empty() : tensor<13x5xi32>
  %z = arith.constant dense<0> : tensor<1x9x21x5xi32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x30x25x5xi8>, tensor<13x5xi32>) outs(%z : tensor<1x9x21x5xi32>) -> tensor<1x9x21x5xi32>
  return %r : tensor<1x9x21x5xi32>
}

func.func @small_window(%x: tensor<1x30x25x5xi8>) -> tensor<1x12x18x5xi32> {
  %w = tensor.empty() : tensor<8x8xi32>
  %z = arith.constant dense<7> : tensor<1x12x18x5xi32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x30x25x5xi8>, tensor<8x8xi32>) outs(%z : tensor<1x12x18x5xi32>) -> tensor<1x12x18x5xi32>
  return %r : tensor<1x12x18x5xi32>
}

// Vectors of channels in registers.
// IR-LABEL: llvm.func @weighted(
// IR:         llvm.load {{.*}} -> vector<9xf32>
// IR:         llvm.store {{.*}} vector<9xf32>
func.func @weighted(%x: tensor<3x63x9xf32>, %f: tensor<3x63xf32>) -> tensor<3x9xf32> {
  %z = arith.constant dense<0.25> : tensor<3x9xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, p) -> (n, p, c)>, affine_map<(n, c, p) -> (n, p)>, affine_map<(n, c, p) -> (n, c)>], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %f : tensor<3x63x9xf32>, tensor<3x63xf32>) outs(%z : tensor<3x9xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %m = arith.mulf %u, %v : f32
    %s = arith.maximumf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<3x9xf32>
  return %r : tensor<3x9xf32>
}

// IR-LABEL: llvm.func @long_vectors(
// IR:         llvm.load {{.*}} -> vector<31xf64>
func.func @long_vectors(%x: tensor<5x37x31xf32>) -> tensor<5x31xf64> {
  %z = arith.constant dense<1.5> : tensor<5x31xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, p) -> (n, p, c)>, affine_map<(n, c, p) -> (n, c)>], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x : tensor<5x37x31xf32>) outs(%z : tensor<5x31xf64>) {
  ^bb0(%u: f32, %o: f64):
    %e = arith.extf %u : f32 to f64
    %s = arith.addf %e, %o : f64
    linalg.yield %s : f64
  } -> tensor<5x31xf64>
  return %r : tensor<5x31xf64>
}

// IR-LABEL: llvm.func @window_of_vectors(
// IR:         llvm.sext {{.*}} : vector<17xi8> to vector<17xi32>
func.func @window_of_vectors(%x: tensor<1x30x25x17xi8>) -> tensor<1x9x21x17xi32> {
  %w = tensor.empty() : tensor<13x5xi32>
  %z = arith.constant dense<3> : tensor<1x9x21x17xi32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x30x25x17xi8>, tensor<13x5xi32>) outs(%z : tensor<1x9x21x17xi32>) -> tensor<1x9x21x17xi32>
  return %r : tensor<1x9x21x17xi32>
}
