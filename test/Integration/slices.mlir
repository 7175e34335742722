// Operands that are slices in steps: rows of every second or third element, and results
// that are written to such rows. Sizes are odd, so that rows do not end with a whole step.

// RUN: fusion-run %s --entry=input --verify | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fusion-run %s --entry=filter --verify | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fusion-run %s --entry=residual --verify | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: fusion-run %s --entry=result --verify | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fusion-run %s --entry=pools --verify | FileCheck %s --check-prefixes=CHECK,POOLS
// RUN: fusion-run %s --entry=products --verify | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fusion-run %s --entry=backwards --verify | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: fusion-run %s --entry=repeated --verify | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fusion-run %s --entry=dynamic --shape=0:2x3x11x17 --verify | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fusion-run %s --entry=dynamic --shape=0:1x3x7x9 --verify --precision=bf16 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fusion-run %s --entry=buffers --random=0:-1:1 --random=1:-1:1 --output=%t | FileCheck %s --check-prefix=ONE
// RUN: fusion-run %s --entry=loops --random=0:-1:1 --random=1:-1:1 --expect=%t/result0.npy | FileCheck %s --check-prefix=LOOPS

// ONE:   : 1 fused op
// TWO:   : 2 fused ops
// POOLS: kernels created, 4 executed
// CHECK: verify: agrees
// LOOPS: 0 fused ops
// LOOPS: expect: agrees

func.func @input(%x: tensor<2x3x13x17xf32>, %w: tensor<5x3x2x3xf32>, %b: tensor<5xf32>) -> tensor<2x5x6x4xf32> {
  %s = tensor.extract_slice %x[0, 0, 0, 1] [2, 3, 7, 6] [1, 1, 2, 3] : tensor<2x3x13x17xf32> to tensor<2x3x7x6xf32>
  %e = tensor.empty() : tensor<2x5x6x4xf32>
  %f = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x6x4xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%s, %w : tensor<2x3x7x6xf32>, tensor<5x3x2x3xf32>) outs(%f : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  return %c : tensor<2x5x6x4xf32>
}

func.func @filter(%x: tensor<2x7x6x3xf32>, %w: tensor<2x3x3x9xf32>, %b: tensor<9xf32>) -> tensor<2x6x4x5xf32> {
  %v = tensor.extract_slice %w[0, 0, 0, 0] [2, 3, 3, 5] [1, 1, 1, 2] : tensor<2x3x3x9xf32> to tensor<2x3x3x5xf32>
  %a = tensor.extract_slice %b[0] [5] [2] : tensor<9xf32> to tensor<5xf32>
  %e = tensor.empty() : tensor<2x6x4x5xf32>
  %f = linalg.broadcast ins(%a : tensor<5xf32>) outs(%e : tensor<2x6x4x5xf32>) dimensions = [0, 1, 2]
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %v : tensor<2x7x6x3xf32>, tensor<2x3x3x5xf32>) outs(%f : tensor<2x6x4x5xf32>) -> tensor<2x6x4x5xf32>
  return %c : tensor<2x6x4x5xf32>
}

// The first convolution must not write over the second one's residual.
func.func @residual(%x: tensor<2x3x7x6xf32>, %w: tensor<5x3x2x3xf32>, %v: tensor<5x3x2x3xf32>, %r: tensor<2x5x6x7xf32>) -> (tensor<2x5x6x4xf32>, tensor<2x5x6x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %r[0, 0, 0, 0] [2, 5, 6, 4] [1, 1, 1, 2] : tensor<2x5x6x7xf32> to tensor<2x5x6x4xf32>
  %e = tensor.empty() : tensor<2x5x6x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x6xf32>, tensor<5x3x2x3xf32>) outs(%f : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  %a = linalg.add ins(%c, %s : tensor<2x5x6x4xf32>, tensor<2x5x6x4xf32>) outs(%e : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<2x3x7x6xf32>, tensor<5x3x2x3xf32>) outs(%f : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  %b = linalg.add ins(%d, %s : tensor<2x5x6x4xf32>, tensor<2x5x6x4xf32>) outs(%e : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  return %a, %b : tensor<2x5x6x4xf32>, tensor<2x5x6x4xf32>
}

func.func @result(%x: tensor<2x3x7x6xf32>, %w: tensor<5x3x2x3xf32>) -> tensor<2x5x6x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x6x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x6xf32>, tensor<5x3x2x3xf32>) outs(%f : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  %g = tensor.empty() : tensor<2x5x6x10xf32>
  %d = linalg.fill ins(%zero : f32) outs(%g : tensor<2x5x6x10xf32>) -> tensor<2x5x6x10xf32>
  %i = tensor.insert_slice %c into %d[0, 0, 0, 0] [2, 5, 6, 4] [1, 1, 1, 3] : tensor<2x5x6x4xf32> into tensor<2x5x6x10xf32>
  return %i : tensor<2x5x6x10xf32>
}

func.func @pools(%x: tensor<2x3x13x11xf32>) -> (tensor<2x3x6x4xf32>, tensor<2x3x6x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %s = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 7, 6] [1, 1, 2, 2] : tensor<2x3x13x11xf32> to tensor<2x3x7x6xf32>
  %e = tensor.empty() : tensor<2x3x6x4xf32>
  %k = tensor.empty() : tensor<2x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x6x4xf32>) -> tensor<2x3x6x4xf32>
  %l = linalg.fill ins(%low : f32) outs(%e : tensor<2x3x6x4xf32>) -> tensor<2x3x6x4xf32>
  %sum = linalg.pooling_nchw_sum ins(%s, %k : tensor<2x3x7x6xf32>, tensor<2x3xf32>) outs(%z : tensor<2x3x6x4xf32>) -> tensor<2x3x6x4xf32>
  %max = linalg.pooling_nchw_max ins(%s, %k : tensor<2x3x7x6xf32>, tensor<2x3xf32>) outs(%l : tensor<2x3x6x4xf32>) -> tensor<2x3x6x4xf32>
  return %sum, %max : tensor<2x3x6x4xf32>, tensor<2x3x6x4xf32>
}

func.func @products(%x: tensor<3x7x11xf32>, %w: tensor<3x6x9xf32>) -> tensor<3x7x13xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %x[0, 0, 0] [3, 7, 6] [1, 1, 2] : tensor<3x7x11xf32> to tensor<3x7x6xf32>
  %v = tensor.extract_slice %w[0, 0, 0] [3, 6, 5] [1, 1, 2] : tensor<3x6x9xf32> to tensor<3x6x5xf32>
  %e = tensor.empty() : tensor<3x7x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  %c = linalg.batch_matmul ins(%s, %v : tensor<3x7x6xf32>, tensor<3x6x5xf32>) outs(%f : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  %g = tensor.empty() : tensor<3x7x13xf32>
  %d = linalg.fill ins(%zero : f32) outs(%g : tensor<3x7x13xf32>) -> tensor<3x7x13xf32>
  %i = tensor.insert_slice %c into %d[0, 0, 0] [3, 7, 5] [1, 1, 3] : tensor<3x7x5xf32> into tensor<3x7x13xf32>
  return %i : tensor<3x7x13xf32>
}

// Slices from the last column on, in both operands, and from the last row of an image.
func.func @backwards(%x: tensor<7x11xf32>, %w: tensor<6x9xf32>, %y: tensor<2x3x7x6xf32>, %v: tensor<5x3x2x3xf32>) -> (tensor<7x5xf32>, tensor<2x5x6x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %x[0, 10] [7, 6] [1, -2] : tensor<7x11xf32> to tensor<7x6xf32>
  %t = tensor.extract_slice %w[5, 8] [6, 5] [-1, -2] : tensor<6x9xf32> to tensor<6x5xf32>
  %e = tensor.empty() : tensor<7x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x5xf32>) -> tensor<7x5xf32>
  %c = linalg.matmul ins(%s, %t : tensor<7x6xf32>, tensor<6x5xf32>) outs(%f : tensor<7x5xf32>) -> tensor<7x5xf32>
  %u = tensor.extract_slice %y[0, 0, 6, 0] [2, 3, 7, 6] [1, 1, -1, 1] : tensor<2x3x7x6xf32> to tensor<2x3x7x6xf32>
  %g = tensor.empty() : tensor<2x5x6x4xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%u, %v : tensor<2x3x7x6xf32>, tensor<5x3x2x3xf32>) outs(%h : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  return %c, %d : tensor<7x5xf32>, tensor<2x5x6x4xf32>
}

// One column six times.
func.func @repeated(%x: tensor<7x11xf32>, %w: tensor<6x5xf32>) -> tensor<7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %x[0, 3] [7, 6] [1, 0] : tensor<7x11xf32> to tensor<7x6xf32>
  %e = tensor.empty() : tensor<7x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x5xf32>) -> tensor<7x5xf32>
  %c = linalg.matmul ins(%s, %w : tensor<7x6xf32>, tensor<6x5xf32>) outs(%f : tensor<7x5xf32>) -> tensor<7x5xf32>
  return %c : tensor<7x5xf32>
}

func.func @dynamic(%x: tensor<?x3x?x?xf32>, %w: tensor<5x3x1x1xf32>) -> tensor<?x5x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x3x?x?xf32>
  %h = tensor.dim %x, %c2 : tensor<?x3x?x?xf32>
  %w0 = tensor.dim %x, %c3 : tensor<?x3x?x?xf32>
  %v = arith.ceildivui %w0, %c2 : index
  %s = tensor.extract_slice %x[0, 0, 0, 0] [%n, 3, %h, %v] [1, 1, 1, 2] : tensor<?x3x?x?xf32> to tensor<?x3x?x?xf32>
  %e = tensor.empty(%n, %h, %v) : tensor<?x5x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%s, %w : tensor<?x3x?x?xf32>, tensor<5x3x1x1xf32>) outs(%f : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  return %c : tensor<?x5x?x?xf32>
}

func.func @buffers(%x: tensor<2x3x13x17xf32>, %w: tensor<5x3x2x3xf32>) -> tensor<2x5x6x7xf32> {
  %in = bufferization.to_buffer %x : tensor<2x3x13x17xf32> to memref<2x3x13x17xf32>
  %filter = bufferization.to_buffer %w : tensor<5x3x2x3xf32> to memref<5x3x2x3xf32>
  %out = memref.alloc() : memref<2x5x6x7xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<2x5x6x7xf32>)
  %s = memref.subview %in[0, 0, 0, 1] [2, 3, 7, 6] [1, 1, 2, 3] : memref<2x3x13x17xf32> to memref<2x3x7x6xf32, strided<[663, 221, 34, 3], offset: 1>>
  %d = memref.subview %out[0, 0, 0, 0] [2, 5, 6, 4] [1, 1, 1, 2] : memref<2x5x6x7xf32> to memref<2x5x6x4xf32, strided<[210, 42, 7, 2]>>
  fusion.fused_conv_bias_act {
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
      ins(%s, %filter : memref<2x3x7x6xf32, strided<[663, 221, 34, 3], offset: 1>>, memref<5x3x2x3xf32>)
      outs(%d : memref<2x5x6x4xf32, strided<[210, 42, 7, 2]>>)
  %t = bufferization.to_tensor %out restrict writable : memref<2x5x6x7xf32> to tensor<2x5x6x7xf32>
  return %t : tensor<2x5x6x7xf32>
}

// Convolutions on buffers are not raised.
func.func @loops(%x: tensor<2x3x13x17xf32>, %w: tensor<5x3x2x3xf32>) -> tensor<2x5x6x7xf32> {
  %in = bufferization.to_buffer %x : tensor<2x3x13x17xf32> to memref<2x3x13x17xf32>
  %filter = bufferization.to_buffer %w : tensor<5x3x2x3xf32> to memref<5x3x2x3xf32>
  %out = memref.alloc() : memref<2x5x6x7xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<2x5x6x7xf32>)
  %s = memref.subview %in[0, 0, 0, 1] [2, 3, 7, 6] [1, 1, 2, 3] : memref<2x3x13x17xf32> to memref<2x3x7x6xf32, strided<[663, 221, 34, 3], offset: 1>>
  %d = memref.subview %out[0, 0, 0, 0] [2, 5, 6, 4] [1, 1, 1, 2] : memref<2x5x6x7xf32> to memref<2x5x6x4xf32, strided<[210, 42, 7, 2]>>
  linalg.conv_2d_nchw_fchw
      ins(%s, %filter : memref<2x3x7x6xf32, strided<[663, 221, 34, 3], offset: 1>>, memref<5x3x2x3xf32>)
      outs(%d : memref<2x5x6x4xf32, strided<[210, 42, 7, 2]>>)
  %t = bufferization.to_tensor %out restrict writable : memref<2x5x6x7xf32> to tensor<2x5x6x7xf32>
  return %t : tensor<2x5x6x7xf32>
}
