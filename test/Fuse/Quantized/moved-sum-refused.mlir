// Near misses of moved-sum.mlir.

// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

#n = affine_map<(n, h, w, c) -> (n, h, w, c)>
#last = affine_map<(n, h, w, c) -> (c)>
#first = affine_map<(n, c, h, w) -> (c)>
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// Another op reads what is transposed.
func.func @read_twice(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>, %b: tensor<4xi32>) -> (tensor<1x4x4x7xi32>, tensor<1x4x4x7xi32>) {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %z = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %e = tensor.empty() : tensor<1x4x4x7xi32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: zero point; unsupported: 'linalg.transpose' at {{.*}}:[[#@LINE+3]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  %t = linalg.transpose ins(%c : tensor<1x4x7x4xi32>) outs(%e : tensor<1x4x4x7xi32>) permutation = [0, 3, 1, 2]
  %r = linalg.generic {indexing_maps = [#n, #first, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t, %b : tensor<1x4x4x7xi32>, tensor<4xi32>) outs(%e : tensor<1x4x4x7xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<1x4x4x7xi32>
  return %r, %t : tensor<1x4x4x7xi32>, tensor<1x4x4x7xi32>
}

// The other tensor would be transposed.
func.func @tensor(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>, %b: tensor<1x4x4x7xi32>) -> tensor<1x4x4x7xi32> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %z = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %e = tensor.empty() : tensor<1x4x4x7xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: zero point; unsupported: 'linalg.transpose' at {{.*}}:[[#@LINE+3]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  %t = linalg.transpose ins(%c : tensor<1x4x7x4xi32>) outs(%e : tensor<1x4x4x7xi32>) permutation = [0, 3, 1, 2]
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t, %b : tensor<1x4x4x7xi32>, tensor<1x4x4x7xi32>) outs(%e : tensor<1x4x4x7xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<1x4x4x7xi32>
  return %r : tensor<1x4x4x7xi32>
}

// The op reads its destination.
func.func @destination(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>, %b: tensor<1x4x4x7xi32>) -> tensor<1x4x4x7xi32> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %z = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %e = tensor.empty() : tensor<1x4x4x7xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: zero point; unsupported: 'linalg.transpose' at {{.*}}:[[#@LINE+3]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  %t = linalg.transpose ins(%c : tensor<1x4x7x4xi32>) outs(%e : tensor<1x4x4x7xi32>) permutation = [0, 3, 1, 2]
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t : tensor<1x4x4x7xi32>) outs(%b : tensor<1x4x4x7xi32>) {
  ^bb0(%in: i32, %bias: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<1x4x4x7xi32>
  return %r : tensor<1x4x4x7xi32>
}

// The slice takes some of the channels, and the bias is theirs.
func.func @channels(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>, %b: tensor<2xi32>) -> tensor<1x4x7x2xi32> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %z = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %e = tensor.empty() : tensor<1x4x7x2xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: zero point; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+3]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  %t = tensor.extract_slice %c[0, 0, 0, 1] [1, 4, 7, 2] [1, 1, 1, 1] : tensor<1x4x7x4xi32> to tensor<1x4x7x2xi32>
  %r = linalg.generic {indexing_maps = [#n, #last, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t, %b : tensor<1x4x7x2xi32>, tensor<2xi32>) outs(%e : tensor<1x4x7x2xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<1x4x7x2xi32>
  return %r : tensor<1x4x7x2xi32>
}

// The slice takes every second row.
func.func @strides(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>, %b: tensor<4xi32>) -> tensor<1x2x7x4xi32> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %z = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %e = tensor.empty() : tensor<1x2x7x4xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: zero point; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+3]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  %t = tensor.extract_slice %c[0, 0, 0, 0] [1, 2, 7, 4] [1, 2, 1, 1] : tensor<1x4x7x4xi32> to tensor<1x2x7x4xi32>
  %r = linalg.generic {indexing_maps = [#n, #last, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t, %b : tensor<1x2x7x4xi32>, tensor<4xi32>) outs(%e : tensor<1x2x7x4xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<1x2x7x4xi32>
  return %r : tensor<1x2x7x4xi32>
}

// The slice has fewer dimensions.
func.func @row(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<4x7x4xi32> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %bias = arith.constant 70 : i32
  %z = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %e = tensor.empty() : tensor<4x7x4xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: zero point; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+3]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  %t = tensor.extract_slice %c[0, 0, 0, 0] [1, 4, 7, 4] [1, 1, 1, 1] : tensor<1x4x7x4xi32> to tensor<4x7x4xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (h, w, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<4x7x4xi32>) outs(%e : tensor<4x7x4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<4x7x4xi32>
  return %r : tensor<4x7x4xi32>
}

// Two sums, of which one is transposed: it would be transposed in place of the other, and again.
func.func @sums(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>, %y: tensor<1x9x8x3xi8>) -> tensor<1x4x7x4xi32> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %z = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %e = tensor.empty() : tensor<1x4x7x4xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: zero point; unsupported: 'linalg.transpose' at {{.*}}:[[#@LINE+6]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+7]]:8{{$}}
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: zero point; what is added to the sum is no bias of the output channel: bias varies along dimension 1 (size 4), expected the output channel dimension 3{{$}}
  %d = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%y, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  %t = linalg.transpose ins(%c : tensor<1x4x7x4xi32>) outs(%e : tensor<1x4x7x4xi32>) permutation = [0, 3, 2, 1]
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t, %d : tensor<1x4x7x4xi32>, tensor<1x4x7x4xi32>) outs(%e : tensor<1x4x7x4xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<1x4x7x4xi32>
  return %r : tensor<1x4x7x4xi32>
}

// A divisor may be 0 where it is cropped.
func.func @divisor(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<6xi32>) -> tensor<3x6xi32> {
  %z = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<3x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+2]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+3]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %t = tensor.extract_slice %c[1, 0] [3, 6] [1, 1] : tensor<5x6xi32> to tensor<3x6xi32>
  %r = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%t, %b : tensor<3x6xi32>, tensor<6xi32>) outs(%e : tensor<3x6xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.divsi %bias, %in : i32
    %1 = arith.addi %0, %in : i32
    linalg.yield %1 : i32
  } -> tensor<3x6xi32>
  return %r : tensor<3x6xi32>
}

// So may that of a remainder.
func.func @remainder(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<6xi32>) -> tensor<3x6xi32> {
  %z = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<3x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+2]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+3]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %t = tensor.extract_slice %c[1, 0] [3, 6] [1, 1] : tensor<5x6xi32> to tensor<3x6xi32>
  %r = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%t, %b : tensor<3x6xi32>, tensor<6xi32>) outs(%e : tensor<3x6xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.remsi %bias, %in : i32
    linalg.yield %0 : i32
  } -> tensor<3x6xi32>
  return %r : tensor<3x6xi32>
}

// An index may be outside of the table.
func.func @table(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<256xi32>) -> tensor<3x6xi32> {
  %z = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<3x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+2]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+3]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %t = tensor.extract_slice %c[1, 0] [3, 6] [1, 1] : tensor<5x6xi32> to tensor<3x6xi32>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<3x6xi32>) outs(%e : tensor<3x6xi32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.trunci %in : i32 to i8
    %1 = arith.index_castui %0 : i8 to index
    %2 = tensor.extract %b[%1] : tensor<256xi32>
    linalg.yield %2 : i32
  } -> tensor<3x6xi32>
  return %r : tensor<3x6xi32>
}

// Rows are counted.
func.func @index(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<3x6xi32> {
  %z = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<3x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+2]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+3]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %t = tensor.extract_slice %c[1, 0] [3, 6] [1, 1] : tensor<5x6xi32> to tensor<3x6xi32>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<3x6xi32>) outs(%e : tensor<3x6xi32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.addi %in, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<3x6xi32>
  return %r : tensor<3x6xi32>
}

// The channel is no multiple of the last dimension.
func.func @fifths(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<5xi32>) -> tensor<6x5xi32> {
  %z = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<6x5xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.expand_shape' at {{.*}}:[[#@LINE+3]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %j = tensor.collapse_shape %c [[0, 1]] : tensor<5x6xi32> into tensor<30xi32>
  %s = tensor.expand_shape %j [[0, 1]] output_shape [6, 5] : tensor<30xi32> into tensor<6x5xi32>
  %r = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%s, %b : tensor<6x5xi32>, tensor<5xi32>) outs(%e : tensor<6x5xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<6x5xi32>
  return %r : tensor<6x5xi32>
}

// The addend varies along the rows.
func.func @rows_of_parts(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<10xi32>) -> tensor<10x3xi32> {
  %z = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<10x3xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.expand_shape' at {{.*}}:[[#@LINE+3]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %j = tensor.collapse_shape %c [[0, 1]] : tensor<5x6xi32> into tensor<30xi32>
  %s = tensor.expand_shape %j [[0, 1]] output_shape [10, 3] : tensor<30xi32> into tensor<10x3xi32>
  %r = linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> (i)>, #ij], iterator_types = ["parallel", "parallel"]} ins(%s, %b : tensor<10x3xi32>, tensor<10xi32>) outs(%e : tensor<10x3xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<10x3xi32>
  return %r : tensor<10x3xi32>
}

// In a loop the whole sum would be read again and again.
func.func @loop(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<6xi32>) -> tensor<3x6xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<3x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+2]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+4]]:10{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %t = tensor.extract_slice %c[1, 0] [3, 6] [1, 1] : tensor<5x6xi32> to tensor<3x6xi32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%last = %e) -> tensor<3x6xi32> {
    %a = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%t, %b : tensor<3x6xi32>, tensor<6xi32>) outs(%last : tensor<3x6xi32>) {
    ^bb0(%in: i32, %bias: i32, %out: i32):
      %0 = arith.addi %in, %bias : i32
      linalg.yield %0 : i32
    } -> tensor<3x6xi32>
    scf.yield %a : tensor<3x6xi32>
  }
  return %r : tensor<3x6xi32>
}

// So it would if the loop had the slice, too.
func.func @slice_in_a_loop(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<6xi32>) -> tensor<3x6xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<3x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+3]]:10 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+4]]:10{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%last = %e) -> tensor<3x6xi32> {
    %t = tensor.extract_slice %c[%i, 0] [3, 6] [1, 1] : tensor<5x6xi32> to tensor<3x6xi32>
    %a = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%t, %b : tensor<3x6xi32>, tensor<6xi32>) outs(%last : tensor<3x6xi32>) {
    ^bb0(%in: i32, %bias: i32, %out: i32):
      %0 = arith.addi %in, %bias : i32
      linalg.yield %0 : i32
    } -> tensor<3x6xi32>
    scf.yield %a : tensor<3x6xi32>
  }
  return %r : tensor<3x6xi32>
}

// Copies are moves themselves. One moves in front of the other, but not for ever.
func.func @copies(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %z = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %d = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// A vector with two dimensions stays one: what is added moves in front of the slice, and is no bias.
func.func @rows_and_channels(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>, %b: tensor<1x4x1x4xi32>) -> tensor<1x4x5x4xi32> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %z = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %e = tensor.empty() : tensor<1x4x5x4xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: zero point; what is added to the sum is no bias of the output channel: bias varies along dimension 1 (size 4), expected the output channel dimension 3{{$}}
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  %t = tensor.extract_slice %c[0, 0, 1, 0] [1, 4, 5, 4] [1, 1, 1, 1] : tensor<1x4x7x4xi32> to tensor<1x4x5x4xi32>
  %r = linalg.generic {indexing_maps = [#n, affine_map<(n, h, w, c) -> (n, h, 0, c)>, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t, %b : tensor<1x4x5x4xi32>, tensor<1x4x1x4xi32>) outs(%e : tensor<1x4x5x4xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<1x4x5x4xi32>
  return %r : tensor<1x4x5x4xi32>
}

// The slice may leave rows away, and the addend is that of the others.
func.func @dynamic_rows(%x: tensor<?x7xi8>, %w: tensor<7x6xi8>, %z: tensor<?x6xi32>, %b: tensor<?xi32>) -> tensor<?x6xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %b, %c0 : tensor<?xi32>
  %zero = arith.constant 0 : i32
  %e = tensor.empty(%n) : tensor<?x6xi32>
  %f = linalg.fill ins(%zero : i32) outs(%z : tensor<?x6xi32>) -> tensor<?x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: 'tensor.extract_slice' at {{.*}}:[[#@LINE+2]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+3]]:8{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<?x7xi8>, tensor<7x6xi8>) outs(%f : tensor<?x6xi32>) -> tensor<?x6xi32>
  %t = tensor.extract_slice %c[1, 0] [%n, 6] [1, 1] : tensor<?x6xi32> to tensor<?x6xi32>
  %r = linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> (i)>, #ij], iterator_types = ["parallel", "parallel"]} ins(%t, %b : tensor<?x6xi32>, tensor<?xi32>) outs(%e : tensor<?x6xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<?x6xi32>
  return %r : tensor<?x6xi32>
}

// A result of 8 bits is read behind its moves.
func.func @bytes(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<30xi8> {
  %s = arith.constant dense<0.002> : tensor<1xf32>
  %k = arith.constant 3 : i8
  %e = tensor.empty() : tensor<5x6xi8>
  %et = tensor.empty() : tensor<6x5xi8>
  %er = tensor.empty() : tensor<30xi8>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: dequantize, quantize; unsupported: 'tensor.collapse_shape' at {{.*}}:[[#@LINE+3]]:8 comes between the result and 'linalg.generic' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xi8>) -> tensor<5x6xi8>
  %t = linalg.transpose ins(%c : tensor<5x6xi8>) outs(%et : tensor<6x5xi8>) permutation = [1, 0]
  %j = tensor.collapse_shape %t [[0, 1]] : tensor<6x5xi8> into tensor<30xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%j : tensor<30xi8>) outs(%er : tensor<30xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.xori %in, %k : i8
    linalg.yield %0 : i8
  } -> tensor<30xi8>
  return %r : tensor<30xi8>
}

// So is one that is dequantised: another law moves integers in place of floats.
func.func @dequantised(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<10x3xf32> {
  %s = arith.constant dense<0.002> : tensor<1xf32>
  %k = arith.constant 0.125 : f32
  %e = tensor.empty() : tensor<5x6xi8>
  %er = tensor.empty() : tensor<10x3xf32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: fused: dequantize, quantize{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xi8>) -> tensor<5x6xi8>
  %j = tensor.collapse_shape %c [[0, 1]] : tensor<5x6xi8> into tensor<30xi8>
  %t = tensor.expand_shape %j [[0, 1]] output_shape [10, 3] : tensor<30xi8> into tensor<10x3xi8>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<10x3xi8>) outs(%er : tensor<10x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %k : f32
    linalg.yield %1 : f32
  } -> tensor<10x3xf32>
  return %r : tensor<10x3xf32>
}
