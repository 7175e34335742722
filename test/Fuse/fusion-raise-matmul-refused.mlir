// RUN: fusion-opt %s --fusion-raise --fusion-explain -o /dev/null 2>&1 | FileCheck %s
// RUN: fusion-opt %s --fusion-raise | FileCheck %s --check-prefix=IR

// Contractions that are no matrix multiplication of the fusion op, each with the
// reason.

// IR-NOT: fusion.fused

// Only f32, bf16, f16 and i8.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+5]]:8: not fused: unsupported: element type f64, expected f32, bf16 or f16
func.func @f64(%x: tensor<4x7xf64>, %w: tensor<7x5xf64>) -> tensor<4x5xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4x5xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<4x5xf64>) -> tensor<4x5xf64>
  %r = linalg.matmul ins(%x, %w : tensor<4x7xf64>, tensor<7x5xf64>) outs(%f : tensor<4x5xf64>) -> tensor<4x5xf64>
  return %r : tensor<4x5xf64>
}

// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+2]]:8: not fused: operand 0 is not extended from i8{{$}}
func.func @i32(%x: tensor<4x7xi32>, %w: tensor<7x5xi32>, %s: tensor<4x5xi32>) -> tensor<4x5xi32> {
  %r = linalg.matmul ins(%x, %w : tensor<4x7xi32>, tensor<7x5xi32>) outs(%s : tensor<4x5xi32>) -> tensor<4x5xi32>
  return %r : tensor<4x5xi32>
}

// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+2]]:8: not fused: unsupported: zero point of operand 1 is not a constant
func.func @quantised(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %z: i32, %s: tensor<4x5xi32>) -> tensor<4x5xi32> {
  %r = linalg.quantized_matmul ins(%x, %w, %z, %z : tensor<4x7xi8>, tensor<7x5xi8>, i32, i32) outs(%s : tensor<4x5xi32>) -> tensor<4x5xi32>
  return %r : tensor<4x5xi32>
}

// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+2]]:8: not fused: unsupported: 'filter' has element type bf16, expected that of 'input' (f32)
func.func @mixed_types(%x: tensor<4x7xf32>, %w: tensor<7x5xbf16>, %s: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xbf16>) outs(%s : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// The contents of the accumulator are not defined.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+3]]:8: not fused: accumulates into 'tensor.empty', whose contents are undefined; fill it with zero first
func.func @undefined_accumulator(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %r = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// A sum over one operand alone.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+5]]:8: not fused: unsupported: loop 3 is none of batch, row, column or reduction
func.func @sum_over_one_operand(%x: tensor<4x7x3xf32>, %w: tensor<7x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (k, n)>, affine_map<(m, n, k, l) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<4x7x3xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Operands that disagree: linalg's verifier lets it pass because of the `?`.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+4]]:8: not fused: loop 2 has 7 iterations for 'input' and 6 for 'filter'
func.func @two_sizes_of_a_loop(%x: tensor<?x7xf32>, %w: tensor<6x5xf32>, %e: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x5xf32>) -> tensor<?x5xf32>
  %r = linalg.matmul ins(%x, %w : tensor<?x7xf32>, tensor<6x5xf32>) outs(%f : tensor<?x5xf32>) -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}

// A row that neither operand has.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+5]]:8: not fused: unsupported: loop 0 is none of batch, row, column or reduction
func.func @row_of_the_result_alone(%x: tensor<7xf32>, %w: tensor<7x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// The batch is summed over, and does not lie beside k.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+5]]:8: not fused: unsupported: the 2 reduction dimensions of 'input' do not stand side by side in one order
func.func @batch_reduce(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.batch_reduce_matmul ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Two reductions in different orders.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+5]]:8: not fused: unsupported: the 2 reduction dimensions of 'filter' do not stand side by side in one order
func.func @order_of_reductions(%x: tensor<4x7x3xf32>, %w: tensor<3x7x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (l, k, n)>, affine_map<(m, n, k, l) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<4x7x3xf32>, tensor<3x7x5xf32>) outs(%f : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Tiles are not matrices.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+5]]:8: not fused: unsupported: the 2 column dimensions of 'filter' do not stand side by side in one order
func.func @tiles(%x: tensor<2x3x4x7xf32>, %w: tensor<6x3x5x7xf32>) -> tensor<2x6x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x4x5xf32>) -> tensor<2x6x4x5xf32>
  %r = linalg.mmt4d ins(%x, %w : tensor<2x3x4x7xf32>, tensor<6x3x5x7xf32>) outs(%f : tensor<2x6x4x5xf32>) -> tensor<2x6x4x5xf32>
  return %r : tensor<2x6x4x5xf32>
}

// An element of 'input' is used 5 times, which is no reason to transpose it.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+5]]:8: not fused: unsupported: the 2 batch dimensions of 'input' do not stand side by side in one order
func.func @heads_apart(%x: tensor<2x4x3x7xf32>, %w: tensor<2x3x5x7xf32>) -> tensor<2x3x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(b, h, m, n, k) -> (b, m, h, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<2x4x3x7xf32>, tensor<2x3x5x7xf32>) outs(%f : tensor<2x3x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}

// Nobody knows how often an element is used.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+4]]:8: not fused: unsupported: the 2 batch dimensions of 'input' do not stand side by side in one order
func.func @heads_apart_of_any_size(%x: tensor<2x?x3x7xf32>, %w: tensor<2x3x?x7xf32>, %e: tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(b, h, m, n, k) -> (b, m, h, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<2x?x3x7xf32>, tensor<2x3x?x7xf32>) outs(%f : tensor<2x3x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x?x?xf32>
  return %r : tensor<2x3x?x?xf32>
}

// The body does more.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+5]]:8: not fused: unsupported: body is not one multiplication and one addition
func.func @more_in_the_body(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %n = arith.negf %p : f32
    %s = arith.addf %acc, %n : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// The body checks what it reads.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+5]]:8: not fused: unsupported: body is not one multiplication and one addition
func.func @check_in_the_body(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %c = arith.constant 1000.0 : f32
    %isSmall = arith.cmpf olt, %a, %c : f32
    cf.assert %isSmall, "must be less than 1000"
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// A factor from outside, which has the number of the input among arguments.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+4]]:8: not fused: unsupported: body is not one multiplication and one addition
func.func @captured_factor(%c: f32, %x: tensor<4x7xf32>, %w: tensor<7x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %f = tensor.splat %zero : tensor<4x5xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %c, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// A sum that starts with a number from outside each time.
// CHECK: fusion-raise-matmul-refused.mlir:[[#@LINE+4]]:8: not fused: unsupported: body is not one multiplication and one addition
func.func @captured_sum(%i: f32, %j: f32, %c: f32, %x: tensor<4x7xf32>, %w: tensor<7x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %f = tensor.splat %zero : tensor<4x5xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Neither a dot product nor an outer product nor a product of elements is one.
// CHECK-NOT: fused
func.func @others(%x: tensor<7xf32>, %y: tensor<7xf32>, %s: tensor<f32>, %m: tensor<7x7xf32>) -> (tensor<f32>, tensor<7x7xf32>) {
  %d = linalg.dot ins(%x, %y : tensor<7xf32>, tensor<7xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  %o = linalg.generic {
         indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
         iterator_types = ["parallel", "parallel"]}
         ins(%x, %y : tensor<7xf32>, tensor<7xf32>) outs(%m : tensor<7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<7x7xf32>
  return %d, %o : tensor<f32>, tensor<7x7xf32>
}
