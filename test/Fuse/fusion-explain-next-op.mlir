// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

// Ops behind the result that stay loops, and some that are no loss.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d0, 0)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>

// A causal mask.
func.func @mask(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %min = arith.constant -1.0e30 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: next op 'linalg.generic' at {{.*}}:[[#@LINE+2]]:8 computes with 'linalg.index'{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.cmpi sle, %j, %i : index
    %s = arith.select %k, %in, %min : f32
    linalg.yield %s : f32
  } -> tensor<5x6xf32>
  return %m : tensor<5x6xf32>
}

// A reduction is no candidate for folding, with or without an index.
func.func @reduction(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<5x6xf32>) outs(%z1 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    %p = arith.mulf %in, %f : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  return %m : tensor<5xf32>
}

func.func @subtracted(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %y: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: result is subtracted from a tensor{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.sub ins(%y, %c : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Subtracted from a vector that is no bias.
func.func @subtracted_from_rows(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %y: tensor<5xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; bias varies along dimension 0 (size 5), expected the output channel dimension 1{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %c : tensor<5xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// A residual that is read transposed is no bias.
func.func @transposed_residual(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %y: tensor<6x5xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; what is added has type tensor<6x5xf32>, expected the shape of the result (tensor<5x6xf32>) read element for element{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#id, #swapped, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xf32>, tensor<6x5xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Nothing can be folded: the transpose is where channels last end.
func.func @returned(%x: tensor<1x3x9x8xf32>, %w: tensor<4x3x3x2xf32>, %v: tensor<5x4x2x3xf32>) -> (tensor<1x4x7x7xf32>, tensor<1x5x6x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x7x7xf32>
  %f = tensor.empty() : tensor<1x5x6x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<1x5x6x5xf32>) -> tensor<1x5x6x5xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x8xf32>, tensor<4x3x3x2xf32>) outs(%z : tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %d = linalg.conv_2d_nchw_fchw ins(%c, %v : tensor<1x4x7x7xf32>, tensor<5x4x2x3xf32>) outs(%y : tensor<1x5x6x5xf32>) -> tensor<1x5x6x5xf32>
  return %c, %d : tensor<1x4x7x7xf32>, tensor<1x5x6x5xf32>
}

// A residual that the op which adds it computes.
func.func @computed(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %y: tensor<5x6xf32>, %s: tensor<6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: what is added is computed from a tensor by the op that adds it{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, affine_map<(d0, d1) -> (d1)>, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %y, %s : tensor<5x6xf32>, tensor<5x6xf32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %v: f32, %o: f32):
    %0 = arith.mulf %b, %v : f32
    %1 = arith.addf %a, %0 : f32
    %2 = arith.maximumf %1, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// A gate: each element multiplies a row of another tensor. The number of rows is dynamic.
func.func @gate(%x: tensor<?x7xf32>, %w: tensor<7x1xf32>, %n: tensor<?x1xf32>, %y: tensor<?x6xf32>) -> tensor<?x6xf32> {
  // CHECK: :[[#@LINE+1]]:8: partly fused: residual, tanh; unsupported: next op 'linalg.generic' at {{.*}}:[[#@LINE+3]]:8 repeats the result{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<?x7xf32>, tensor<7x1xf32>) outs(%n : tensor<?x1xf32>) -> tensor<?x1xf32>
  %t = linalg.tanh ins(%c : tensor<?x1xf32>) outs(%n : tensor<?x1xf32>) -> tensor<?x1xf32>
  %r = linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<?x1xf32>) outs(%y : tensor<?x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.mulf %a, %out : f32
    linalg.yield %m : f32
  } -> tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}

// One without an activation, which could be repeated first.
func.func @no_activation(%x: tensor<5x7xf32>, %w: tensor<7x1xf32>, %n: tensor<5x1xf32>, %y: tensor<5x6xf32>) -> tensor<5x6xf32> {
  // CHECK: :[[#@LINE+1]]:8: partly fused: residual; 'linalg.generic' reads the result by the map (d0, d1) -> (d0, 0), expected each element at its own place{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x1xf32>) outs(%n : tensor<5x1xf32>) -> tensor<5x1xf32>
  %r = linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x1xf32>) outs(%y : tensor<5x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.mulf %a, %out : f32
    linalg.yield %m : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Each element is read twice, at its place and at another, but none is repeated.
func.func @twice(%x: tensor<5x7xf32>, %w: tensor<7x5xf32>, %n: tensor<5x5xf32>, %y: tensor<5x5xf32>) -> tensor<5x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: partly fused: residual, tanh; 'linalg.generic' reads other elements of the result too{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x5xf32>) outs(%n : tensor<5x5xf32>) -> tensor<5x5xf32>
  %t = linalg.tanh ins(%c : tensor<5x5xf32>) outs(%n : tensor<5x5xf32>) -> tensor<5x5xf32>
  %r = linalg.generic {indexing_maps = [#swapped, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%t, %t : tensor<5x5xf32>, tensor<5x5xf32>) outs(%y : tensor<5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<5x5xf32>
  return %r : tensor<5x5xf32>
}
