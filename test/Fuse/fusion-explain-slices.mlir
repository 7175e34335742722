// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s

// An op that joins slices of one result is a loop behind the op, with a reason.

#id = affine_map<(d0, d1) -> (d0, d1)>

// A gated linear unit in one op.
func.func @gate(%x: tensor<6x8xf32>, %w: tensor<8x20xf32>) -> tensor<6x10xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<6x20xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x20xf32>) -> tensor<6x20xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: next op 'linalg.generic' at {{.*}}:[[#@LINE+5]]:8 joins slices of the result{{$}}
  %r = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x20xf32>) outs(%z : tensor<6x20xf32>) -> tensor<6x20xf32>
  %a = tensor.extract_slice %r[0, 0] [6, 10] [1, 1] : tensor<6x20xf32> to tensor<6x10xf32>
  %b = tensor.extract_slice %r[0, 10] [6, 10] [1, 1] : tensor<6x20xf32> to tensor<6x10xf32>
  %o = tensor.empty() : tensor<6x10xf32>
  %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<6x10xf32>, tensor<6x10xf32>) outs(%o : tensor<6x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %n = arith.negf %q : f32
    %y = math.exp %n : f32
    %d = arith.addf %y, %one : f32
    %v = arith.divf %p, %d : f32
    linalg.yield %v : f32
  } -> tensor<6x10xf32>
  return %g : tensor<6x10xf32>
}

// An op for each step, behind a bias that is folded.
func.func @steps(%x: tensor<6x8xf32>, %w: tensor<8x20xf32>, %c: tensor<20xf32>) -> tensor<6x10xf32> {
  %e = tensor.empty() : tensor<6x20xf32>
  %i = linalg.broadcast ins(%c : tensor<20xf32>) outs(%e : tensor<6x20xf32>) dimensions = [0]
  // CHECK: :[[#@LINE+1]]:8: partly fused: bias; unsupported: next op 'linalg.mul' at {{.*}}:[[#@LINE+6]]:8 joins slices of the result{{$}}
  %r = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x20xf32>) outs(%i : tensor<6x20xf32>) -> tensor<6x20xf32>
  %a = tensor.extract_slice %r[0, 0] [6, 10] [1, 1] : tensor<6x20xf32> to tensor<6x10xf32>
  %b = tensor.extract_slice %r[0, 10] [6, 10] [1, 1] : tensor<6x20xf32> to tensor<6x10xf32>
  %o = tensor.empty() : tensor<6x10xf32>
  %t = linalg.tanh ins(%b : tensor<6x10xf32>) outs(%o : tensor<6x10xf32>) -> tensor<6x10xf32>
  %g = linalg.mul ins(%a, %t : tensor<6x10xf32>, tensor<6x10xf32>) outs(%o : tensor<6x10xf32>) -> tensor<6x10xf32>
  return %g : tensor<6x10xf32>
}

// A product of the slices is no loop.
func.func @attention(%x: tensor<6x8xf32>, %w: tensor<8x12xf32>) -> tensor<6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x12xf32>) -> tensor<6x12xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %r = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x12xf32>) outs(%z : tensor<6x12xf32>) -> tensor<6x12xf32>
  %a = tensor.extract_slice %r[0, 0] [6, 6] [1, 1] : tensor<6x12xf32> to tensor<6x6xf32>
  %b = tensor.extract_slice %r[0, 6] [6, 6] [1, 1] : tensor<6x12xf32> to tensor<6x6xf32>
  %o = tensor.empty() : tensor<6x6xf32>
  %i = linalg.fill ins(%zero : f32) outs(%o : tensor<6x6xf32>) -> tensor<6x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %g = linalg.matmul ins(%a, %b : tensor<6x6xf32>, tensor<6x6xf32>) outs(%i : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %g : tensor<6x6xf32>
}

// Each op reads one slice: none is a gate, and each stays an activation behind a slice.
func.func @apart(%x: tensor<6x8xf32>, %w: tensor<8x12xf32>) -> (tensor<6x5xf32>, tensor<6x7xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x12xf32>) -> tensor<6x12xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+2]]:8 comes between the result and next op 'linalg.tanh' at {{.*}}:[[#@LINE+6]]:8{{$}}
  %r = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x12xf32>) outs(%z : tensor<6x12xf32>) -> tensor<6x12xf32>
  %a = tensor.extract_slice %r[0, 0] [6, 5] [1, 1] : tensor<6x12xf32> to tensor<6x5xf32>
  %b = tensor.extract_slice %r[0, 5] [6, 7] [1, 1] : tensor<6x12xf32> to tensor<6x7xf32>
  %o = tensor.empty() : tensor<6x5xf32>
  %p = tensor.empty() : tensor<6x7xf32>
  %t = linalg.tanh ins(%a : tensor<6x5xf32>) outs(%o : tensor<6x5xf32>) -> tensor<6x5xf32>
  %u = linalg.exp ins(%b : tensor<6x7xf32>) outs(%p : tensor<6x7xf32>) -> tensor<6x7xf32>
  return %t, %u : tensor<6x5xf32>, tensor<6x7xf32>
}
