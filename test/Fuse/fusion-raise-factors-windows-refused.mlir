// Convolutions that fusion-raise leaves as they are, with what their bodies compute.
// Executed in Integration/raise.test.

// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

#in = affine_map<(n, f, h, w, c, i, j) -> (n, c, h * 2 + i, w + j)>
#of = affine_map<(n, f, h, w, c, i, j) -> (f)>
#filter = affine_map<(n, f, h, w, c, i, j) -> (f, c, i, j)>
#out = affine_map<(n, f, h, w, c, i, j) -> (n, f, h, w)>

// The factor depends on the place.
func.func @index(%x: tensor<2x3x9x7xf32>, %w: tensor<5x3x3x2xf32>, %o: tensor<2x5x4x6xf32>) -> tensor<2x5x4x6xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: body is not one multiplication and one addition{{$}}
  %r = linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x9x7xf32>, tensor<5x3x3x2xf32>) outs(%o : tensor<2x5x4x6xf32>) {
  ^bb0(%a: f32, %e: f32, %acc: f32):
    %i = linalg.index 4 : index
    %j = arith.index_cast %i : index to i32
    %s = arith.sitofp %j : i32 to f32
    %t = arith.mulf %a, %s : f32
    %1 = arith.mulf %t, %e : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x4x6xf32>
  return %r : tensor<2x5x4x6xf32>
}

// The factor is another one for each output channel and window.
func.func @two_images(%x: tensor<2x3x9x7xf32>, %y: tensor<5xf32>, %w: tensor<5x3x3x2xf32>, %o: tensor<2x5x4x6xf32>) -> tensor<2x5x4x6xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: body is not one multiplication and one addition{{$}}
  %r = linalg.generic {indexing_maps = [#in, #of, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %y, %w : tensor<2x3x9x7xf32>, tensor<5xf32>, tensor<5x3x3x2xf32>) outs(%o : tensor<2x5x4x6xf32>) {
  ^bb0(%a: f32, %c: f32, %e: f32, %acc: f32):
    %t = arith.maximumf %a, %c : f32
    %1 = arith.mulf %t, %e : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x4x6xf32>
  return %r : tensor<2x5x4x6xf32>
}

// The input is larger than what is read.
func.func @larger(%x: tensor<2x3x12x7xf32>, %w: tensor<5x3x3x2xf32>, %o: tensor<2x5x4x6xf32>) -> tensor<2x5x4x6xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: body is not one multiplication and one addition{{$}}
  %r = linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x12x7xf32>, tensor<5x3x3x2xf32>) outs(%o : tensor<2x5x4x6xf32>) {
  ^bb0(%a: f32, %e: f32, %acc: f32):
    %t = math.tanh %a : f32
    %1 = arith.mulf %t, %e : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x4x6xf32>
  return %r : tensor<2x5x4x6xf32>
}

// Each step of the sum is bounded.
func.func @bounded_sum(%x: tensor<2x3x9x7xf32>, %w: tensor<5x3x3x2xf32>, %o: tensor<2x5x4x6xf32>) -> tensor<2x5x4x6xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: body is not one multiplication and one addition{{$}}
  %r = linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x9x7xf32>, tensor<5x3x3x2xf32>) outs(%o : tensor<2x5x4x6xf32>) {
  ^bb0(%a: f32, %e: f32, %acc: f32):
    %t = math.tanh %a : f32
    %1 = arith.mulf %t, %e : f32
    %2 = arith.addf %1, %acc : f32
    %3 = math.tanh %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x4x6xf32>
  return %r : tensor<2x5x4x6xf32>
}
