// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize=nan-mode=propagate --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAN

// An activation behind an op that only moves what a fusion op computes is a
// loop, with a reason.

#id = affine_map<(d0, d1) -> (d0, d1)>

func.func @slice(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+2]]:8 comes between the result and next op 'linalg.tanh' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %c[1, 0] [4, 6] [1, 1] : tensor<5x6xf32> to tensor<4x6xf32>
  %or = tensor.empty() : tensor<4x6xf32>
  %r = linalg.tanh ins(%s : tensor<4x6xf32>) outs(%or : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// The op has a bias already, and the activation is a part of what follows.
func.func @slice_then_sum(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %b: tensor<6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %i = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<5x6xf32>) dimensions = [0]
  // CHECK: :[[#@LINE+2]]:8: partly fused: bias; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+3]]:8 comes between the result and next op 'linalg.generic' at {{.*}}:[[#@LINE+5]]:8{{$}}
  // NAN: :[[#@LINE+1]]:8: partly fused: bias; nan-mode=propagate: kernels of 'relu' may lose a NaN{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%i : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %c[1, 0] [4, 6] [1, 1] : tensor<5x6xf32> to tensor<4x6xf32>
  %o = tensor.empty() : tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %y : tensor<4x6xf32>, tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.maximumf %p, %zero : f32
    %a = arith.addf %m, %q : f32
    linalg.yield %a : f32
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// The number of the pad is not one that the activation keeps.
func.func @pad(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>) -> tensor<5x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %one = arith.constant 1.0 : f32
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.pad' at {{.*}}:[[#@LINE+2]]:8 comes between the result and next op 'linalg.tanh' at {{.*}}:[[#@LINE+7]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.pad %c low[0, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<5x6xf32> to tensor<5x9xf32>
  %or = tensor.empty() : tensor<5x9xf32>
  %r = linalg.tanh ins(%s : tensor<5x9xf32>) outs(%or : tensor<5x9xf32>) -> tensor<5x9xf32>
  return %r : tensor<5x9xf32>
}

// All parts of the concatenation are results, so that each gets the reason.
func.func @concat(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %y: tensor<5x7xf32>) -> tensor<10x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.concat' at {{.*}}:[[#@LINE+4]]:8 comes between the result and next op 'linalg.tanh' at {{.*}}:[[#@LINE+6]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.concat' at {{.*}}:[[#@LINE+2]]:8 comes between the result and next op 'linalg.tanh' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %d = linalg.matmul ins(%y, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.concat dim(0) %c, %d : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<10x6xf32>
  %or = tensor.empty() : tensor<10x6xf32>
  %r = linalg.tanh ins(%s : tensor<10x6xf32>) outs(%or : tensor<10x6xf32>) -> tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}

// A concatenation as insertions, and one that leaves rows of 0 between.
func.func @insertions(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %y: tensor<5x7xf32>) -> tensor<12x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %e1 = tensor.empty() : tensor<12x6xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<12x6xf32>) -> tensor<12x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.insert_slice' at {{.*}}:[[#@LINE+4]]:8 comes between the result and next op 'linalg.tanh' at {{.*}}:[[#@LINE+7]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.insert_slice' at {{.*}}:[[#@LINE+3]]:8 comes between the result and next op 'linalg.tanh' at {{.*}}:[[#@LINE+5]]:8{{$}}
  %d = linalg.matmul ins(%y, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.insert_slice %c into %z1[0, 0] [5, 6] [1, 1] : tensor<5x6xf32> into tensor<12x6xf32>
  %t = tensor.insert_slice %d into %s[7, 0] [5, 6] [1, 1] : tensor<5x6xf32> into tensor<12x6xf32>
  %or = tensor.empty() : tensor<12x6xf32>
  %r = linalg.tanh ins(%t : tensor<12x6xf32>) outs(%or : tensor<12x6xf32>) -> tensor<12x6xf32>
  return %r : tensor<12x6xf32>
}

// Several ops that move; the first has its name in the reason.
func.func @several_moves(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>) -> tensor<2x2x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+2]]:8 comes between the result and next op 'linalg.tanh' at {{.*}}:[[#@LINE+9]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %c[1, 0] [4, 6] [1, 1] : tensor<5x6xf32> to tensor<4x6xf32>
  %p = tensor.pad %s low[0, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x6xf32> to tensor<4x9xf32>
  %v = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 2, 9] : tensor<4x9xf32> into tensor<2x2x9xf32>
  %or = tensor.empty() : tensor<2x2x9xf32>
  %r = linalg.tanh ins(%v : tensor<2x2x9xf32>) outs(%or : tensor<2x2x9xf32>) -> tensor<2x2x9xf32>
  return %r : tensor<2x2x9xf32>
}

// An activation in several ops, which the slice keeps out as a whole.
func.func @several_ops(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ones = arith.constant dense<1.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+2]]:8 comes between the result and next op 'arith.negf' at {{.*}}:[[#@LINE+3]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %c[1, 0] [4, 6] [1, 1] : tensor<5x6xf32> to tensor<4x6xf32>
  %n = arith.negf %s : tensor<4x6xf32>
  %u = math.exp %n : tensor<4x6xf32>
  %a = arith.addf %u, %ones : tensor<4x6xf32>
  %d = arith.divf %s, %a : tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// Each slice has an activation; the first slice has its name in the reason.
func.func @two_slices(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>) -> (tensor<5x2xf32>, tensor<5x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+2]]:8 comes between the result and next op 'math.tanh' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %c[0, 0] [5, 2] [1, 1] : tensor<5x6xf32> to tensor<5x2xf32>
  %t = tensor.extract_slice %c[0, 2] [5, 4] [1, 1] : tensor<5x6xf32> to tensor<5x4xf32>
  %r = math.tanh %s : tensor<5x2xf32>
  %q = math.absf %t : tensor<5x4xf32>
  return %r, %q : tensor<5x2xf32>, tensor<5x4xf32>
}

// A bias behind a slice of rows, which leaves the channel whole,
func.func @bias(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %b: tensor<6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+2]]:8 comes between the result and next op 'linalg.generic' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %c[1, 0] [4, 6] [1, 1] : tensor<5x6xf32> to tensor<4x6xf32>
  %o = tensor.empty() : tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %b : tensor<4x6xf32>, tensor<6xf32>) outs(%o : tensor<4x6xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %a = arith.addf %p, %q : f32
    linalg.yield %a : f32
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// and a factor behind one that drops a dimension, and a transpose.
func.func @scale(%x: tensor<3x5x7xf32>, %w: tensor<3x7x6xf32>, %b: tensor<6xf32>) -> tensor<6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+2]]:8 comes between the result and next op 'linalg.generic' at {{.*}}:[[#@LINE+5]]:8{{$}}
  %c = linalg.batch_matmul ins(%x, %w : tensor<3x5x7xf32>, tensor<3x7x6xf32>) outs(%z : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %s = tensor.extract_slice %c[1, 0, 0] [1, 5, 6] [1, 1, 1] : tensor<3x5x6xf32> to tensor<5x6xf32>
  %o = tensor.empty() : tensor<6x5xf32>
  %t = linalg.transpose ins(%s : tensor<5x6xf32>) outs(%o : tensor<6x5xf32>) permutation = [1, 0]
  %r = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>, #id], iterator_types = ["parallel", "parallel"]} ins(%t, %b : tensor<6x5xf32>, tensor<6xf32>) outs(%o : tensor<6x5xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %a = arith.mulf %p, %q : f32
    linalg.yield %a : f32
  } -> tensor<6x5xf32>
  return %r : tensor<6x5xf32>
}

// No reason is given for the rest.

// No activation.
func.func @sine(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %c[1, 0] [4, 6] [1, 1] : tensor<5x6xf32> to tensor<4x6xf32>
  %r = math.sin %s : tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// A sum.
func.func @sum(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %c[1, 0] [4, 6] [1, 1] : tensor<5x6xf32> to tensor<4x6xf32>
  %o = tensor.empty() : tensor<4x6xf32>
  %r = linalg.add ins(%s, %y : tensor<4x6xf32>, tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// The op has another activation.
func.func @second_activation(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: tanh{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %ot = tensor.empty() : tensor<5x6xf32>
  %t = linalg.tanh ins(%c : tensor<5x6xf32>) outs(%ot : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %t[1, 0] [4, 6] [1, 1] : tensor<5x6xf32> to tensor<4x6xf32>
  %o = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.max ins(%s, %f : tensor<4x6xf32>, tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// A part of the concatenation is no result.
func.func @concat_with_argument(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %y: tensor<5x6xf32>) -> tensor<10x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.concat dim(0) %c, %y : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<10x6xf32>
  %or = tensor.empty() : tensor<10x6xf32>
  %r = linalg.tanh ins(%s : tensor<10x6xf32>) outs(%or : tensor<10x6xf32>) -> tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}

// Another op reads a part of the concatenation.
func.func @concat_of_used(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %y: tensor<5x7xf32>) -> (tensor<10x6xf32>, tensor<5x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %d = linalg.matmul ins(%y, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.concat dim(0) %c, %d : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<10x6xf32>
  %or = tensor.empty() : tensor<10x6xf32>
  %r = linalg.tanh ins(%s : tensor<10x6xf32>) outs(%or : tensor<10x6xf32>) -> tensor<10x6xf32>
  return %r, %d : tensor<10x6xf32>, tensor<5x6xf32>
}

// Another op reads the slice.
func.func @used_slice(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %c[1, 0] [4, 6] [1, 1] : tensor<5x6xf32> to tensor<4x6xf32>
  %or = tensor.empty() : tensor<4x6xf32>
  %r = linalg.tanh ins(%s : tensor<4x6xf32>) outs(%or : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r, %s : tensor<4x6xf32>, tensor<4x6xf32>
}

// The rows around the result are those of an argument.
func.func @insertion_into_argument(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %y: tensor<9x6xf32>) -> tensor<9x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.insert_slice %c into %y[2, 0] [5, 6] [1, 1] : tensor<5x6xf32> into tensor<9x6xf32>
  %or = tensor.empty() : tensor<9x6xf32>
  %r = linalg.tanh ins(%s : tensor<9x6xf32>) outs(%or : tensor<9x6xf32>) -> tensor<9x6xf32>
  return %r : tensor<9x6xf32>
}

// The activation runs several times.
func.func @loop(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %n: index) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = tensor.empty() : tensor<4x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %c[1, 0] [4, 6] [1, 1] : tensor<5x6xf32> to tensor<4x6xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %o) -> (tensor<4x6xf32>) {
    %f = linalg.tanh ins(%s : tensor<4x6xf32>) outs(%a : tensor<4x6xf32>) -> tensor<4x6xf32>
    scf.yield %f : tensor<4x6xf32>
  }
  return %r : tensor<4x6xf32>
}

// A factor of each row is no scale.
func.func @factor_of_rows(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %b: tensor<4xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %c[1, 0] [4, 6] [1, 1] : tensor<5x6xf32> to tensor<4x6xf32>
  %o = tensor.empty() : tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %b : tensor<4x6xf32>, tensor<4xf32>) outs(%o : tensor<4x6xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %a = arith.mulf %p, %q : f32
    linalg.yield %a : f32
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// A bias behind a pad would be added to the padding, too.
func.func @bias_behind_pad(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %k = arith.constant dense<0.5> : tensor<8x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.pad %c low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<5x6xf32> to tensor<8x6xf32>
  %r = arith.addf %s, %k : tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}

// One of the slices has no activation.
func.func @one_of_two_slices(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>) -> (tensor<5x2xf32>, tensor<5x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %c[0, 0] [5, 2] [1, 1] : tensor<5x6xf32> to tensor<5x2xf32>
  %t = tensor.extract_slice %c[0, 2] [5, 4] [1, 1] : tensor<5x6xf32> to tensor<5x4xf32>
  %r = math.tanh %s : tensor<5x2xf32>
  return %r, %t : tensor<5x2xf32>, tensor<5x4xf32>
}
