// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not="each call"

// An operand that each call transposes or broadcasts is named with the bytes of the copy.

#source = affine_map<(n, c, h, i, w, j) -> (n, c, h, w)>
#all = affine_map<(n, c, h, i, w, j) -> (n, c, h, i, w, j)>

// A window of Swin: its rows come from several rows of the image.
func.func @windows(%x: tensor<64x3x2x5xf32>, %w: tensor<5x7xf32>) -> tensor<384x7xf32> {
  %zero = arith.constant 0.0 : f32
  %et = tensor.empty() : tensor<64x2x3x5xf32>
  %t = linalg.transpose ins(%x : tensor<64x3x2x5xf32>) outs(%et : tensor<64x2x3x5xf32>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %t [[0, 1, 2], [3]] : tensor<64x2x3x5xf32> into tensor<384x5xf32>
  %e = tensor.empty() : tensor<384x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<384x7xf32>) -> tensor<384x7xf32>
  // 7680 = 64 * 2 * 3 * 5 * 4
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone; 'input' is transposed by 'linalg.transpose' at {{.*}}:[[#@LINE-5]]:8; each call makes 7680 bytes of it{{$}}
  %r = linalg.matmul ins(%c, %w : tensor<384x5xf32>, tensor<5x7xf32>) outs(%f : tensor<384x7xf32>) -> tensor<384x7xf32>
  return %r : tensor<384x7xf32>
}

// Few bytes are not worth the words.
func.func @few(%x: tensor<4x3x2x5xf32>, %w: tensor<5x7xf32>) -> tensor<24x7xf32> {
  %zero = arith.constant 0.0 : f32
  %et = tensor.empty() : tensor<4x2x3x5xf32>
  %t = linalg.transpose ins(%x : tensor<4x3x2x5xf32>) outs(%et : tensor<4x2x3x5xf32>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %t [[0, 1, 2], [3]] : tensor<4x2x3x5xf32> into tensor<24x5xf32>
  %e = tensor.empty() : tensor<24x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x7xf32>) -> tensor<24x7xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %r = linalg.matmul ins(%c, %w : tensor<24x5xf32>, tensor<5x7xf32>) outs(%f : tensor<24x7xf32>) -> tensor<24x7xf32>
  return %r : tensor<24x7xf32>
}

// The size of the batch is not known.
func.func @dynamic(%x: tensor<?x3x2x5xf32>, %w: tensor<5x7xf32>, %n: index, %rows: index) -> tensor<?x7xf32> {
  %zero = arith.constant 0.0 : f32
  %et = tensor.empty(%n) : tensor<?x2x3x5xf32>
  %t = linalg.transpose ins(%x : tensor<?x3x2x5xf32>) outs(%et : tensor<?x2x3x5xf32>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %t [[0, 1, 2], [3]] : tensor<?x2x3x5xf32> into tensor<?x5xf32>
  %e = tensor.empty(%rows) : tensor<?x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x7xf32>) -> tensor<?x7xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone; 'input' is transposed by 'linalg.transpose' at {{.*}}; each call makes all of it{{$}}
  %r = linalg.matmul ins(%c, %w : tensor<?x5xf32>, tensor<5x7xf32>) outs(%f : tensor<?x7xf32>) -> tensor<?x7xf32>
  return %r : tensor<?x7xf32>
}

// An image that is enlarged.
func.func @repeated(%x: tensor<5x3x4x5xf32>, %w: tensor<7x3x2x2xf32>) -> tensor<5x7x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<5x3x4x2x5x2xf32>
  %b = linalg.generic {indexing_maps = [#source, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<5x3x4x5xf32>) outs(%eb : tensor<5x3x4x2x5x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x3x4x2x5x2xf32>
  %c = tensor.collapse_shape %b [[0], [1], [2, 3], [4, 5]] : tensor<5x3x4x2x5x2xf32> into tensor<5x3x8x10xf32>
  %e = tensor.empty() : tensor<5x7x7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x7x7x9xf32>) -> tensor<5x7x7x9xf32>
  // 4800 = 5 * 3 * 8 * 10 * 4
  // CHECK: :[[#@LINE+1]]:8: fused: convolution alone; 'input' is broadcast by 'linalg.generic' at {{.*}}:[[#@LINE-8]]:8; each call makes 4800 bytes of it{{$}}
  %r = linalg.conv_2d_nchw_fchw ins(%c, %w : tensor<5x3x8x10xf32>, tensor<7x3x2x2xf32>) outs(%f : tensor<5x7x7x9xf32>) -> tensor<5x7x7x9xf32>
  return %r : tensor<5x7x7x9xf32>
}

// The same of an input that never changes is made once,
func.func @constant_input(%x: tensor<64x3x2x5xf32> {fusion.constant}, %w: tensor<5x7xf32>) -> tensor<384x7xf32> {
  %zero = arith.constant 0.0 : f32
  %et = tensor.empty() : tensor<64x2x3x5xf32>
  %t = linalg.transpose ins(%x : tensor<64x3x2x5xf32>) outs(%et : tensor<64x2x3x5xf32>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %t [[0, 1, 2], [3]] : tensor<64x2x3x5xf32> into tensor<384x5xf32>
  %e = tensor.empty() : tensor<384x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<384x7xf32>) -> tensor<384x7xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %r = linalg.matmul ins(%c, %w : tensor<384x5xf32>, tensor<5x7xf32>) outs(%f : tensor<384x7xf32>) -> tensor<384x7xf32>
  return %r : tensor<384x7xf32>
}

// and one that the op reads transposed is not made at all.
func.func @read_transposed(%x: tensor<5x384xf32>, %w: tensor<5x7xf32>) -> tensor<384x7xf32> {
  %zero = arith.constant 0.0 : f32
  %et = tensor.empty() : tensor<384x5xf32>
  %t = linalg.transpose ins(%x : tensor<5x384xf32>) outs(%et : tensor<384x5xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<384x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<384x7xf32>) -> tensor<384x7xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %r = linalg.matmul ins(%t, %w : tensor<384x5xf32>, tensor<5x7xf32>) outs(%f : tensor<384x7xf32>) -> tensor<384x7xf32>
  return %r : tensor<384x7xf32>
}
