// Products of factors that are read at one place of a dimension, and stay as
// they are. ../Integration/raise-paths.test runs them.

// RUN: fusion-opt %s --fusion-raise | FileCheck %s --check-prefix=IR --implicit-check-not=extract_slice --implicit-check-not=fusion.
// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

// Nothing is summed up.
// IR-LABEL: @no_sum(
// IR: linalg.generic
func.func @no_sum(%x: tensor<4x3x5xf32>, %w: tensor<4x5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, f) -> (n, 1, f)>, affine_map<(n, f) -> (n, f)>, affine_map<(n, f) -> (n, f)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w : tensor<4x3x5xf32>, tensor<4x5xf32>) outs(%o : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Differences are summed up, no products.
// IR-LABEL: @difference(
// IR: linalg.generic
func.func @difference(%x: tensor<4x3x7xf32>, %w: tensor<5x7xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, c) -> (n, 1, c)>, affine_map<(n, f, c) -> (f, c)>, affine_map<(n, f, c) -> (n, f)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x3x7xf32>, tensor<5x7xf32>) outs(%o : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.subf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// A factor is one number.
// IR-LABEL: @number(
// IR: linalg.generic
func.func @number(%x: tensor<3xf32>, %w: tensor<5x7xf32>, %o: tensor<5xf32>) -> tensor<5xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(f, c) -> (1)>, affine_map<(f, c) -> (f, c)>, affine_map<(f, c) -> (f)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<3xf32>, tensor<5x7xf32>) outs(%o : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// The index is behind the end, which the verifier does not see.
// IR-LABEL: @outside(
// IR: linalg.generic
func.func @outside(%x: tensor<?x3x7xf32>, %w: tensor<5x7xf32>, %o: tensor<?x5xf32>) -> tensor<?x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: 'input' is indexed by 3{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, c) -> (n, 3, c)>, affine_map<(n, f, c) -> (f, c)>, affine_map<(n, f, c) -> (n, f)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x3x7xf32>, tensor<5x7xf32>) outs(%o : tensor<?x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}

// It is in front of the first element.
// IR-LABEL: @in_front(
// IR: linalg.generic
func.func @in_front(%x: tensor<?x?x7xf32>, %w: tensor<5x7xf32>, %o: tensor<?x5xf32>) -> tensor<?x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: 'input' is indexed by -1{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, c) -> (n, -1, c)>, affine_map<(n, f, c) -> (f, c)>, affine_map<(n, f, c) -> (n, f)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x?x7xf32>, tensor<5x7xf32>) outs(%o : tensor<?x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}

// The input has an encoding.
// IR-LABEL: @encoded(
// IR: linalg.generic
func.func @encoded(%x: tensor<?x3x7xf32, "blocked">, %w: tensor<5x7xf32>, %o: tensor<?x5xf32>) -> tensor<?x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: 'input' is indexed by 1{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, c) -> (n, 1, c)>, affine_map<(n, f, c) -> (f, c)>, affine_map<(n, f, c) -> (n, f)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x3x7xf32, "blocked">, tensor<5x7xf32>) outs(%o : tensor<?x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}
