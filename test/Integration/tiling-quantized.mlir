// Tiles of quantised ops, and parts of a batch, compute each element of the whole, bit for bit.
// The whole is compared with what upstream computes of its decomposition.

// RUN: fusion-opt %s --fusion-split-batch='cache-bytes=3000 start-bytes=0' --transform-preload-library=transform-library-paths=%S/Inputs/tile-quantized-schedule.mlir --transform-interpreter -o %t.mlir

// RUN: fusion-opt %s --convert-fusion-to-linalg -o %t.linalg.mlir
// RUN: fusion-run %t.linalg.mlir --entry=conv --quant-rounding=exact --verify --lsb=0 --output=%t.conv | FileCheck %s --check-prefix=WHOLE
// RUN: fusion-run %t.mlir --entry=conv --expect=%t.conv/result0.npy --lsb=0 | FileCheck %s --check-prefixes=TILED,CONV
// RUN: %npy write %t.x.npy '|i1' 12x5 'i * 37 %% 255 - 127'
// RUN: %npy write %t.w.npy '|i1' 5x7 'i * 29 %% 255 - 127'
// RUN: %npy write %t.b.npy '<f4' 7 'i * 13 %% 41 / 10 - 2'
// RUN: fusion-run %t.linalg.mlir --entry=matmul --input=%t.x.npy,%t.w.npy,%t.b.npy --quant-rounding=exact --verify --lsb=0 --output=%t.matmul | FileCheck %s --check-prefix=WHOLE
// RUN: fusion-run %t.mlir --entry=matmul --input=%t.x.npy,%t.w.npy,%t.b.npy --expect=%t.matmul/result0.npy --lsb=0 | FileCheck %s --check-prefixes=TILED,MATMUL
// RUN: fusion-run %t.linalg.mlir --entry=batch --quant-rounding=exact --verify --lsb=0 --output=%t.batch | FileCheck %s --check-prefix=WHOLE
// RUN: fusion-run %t.mlir --entry=batch --expect=%t.batch/result0.npy --lsb=0 | FileCheck %s --check-prefixes=TILED,BATCH

//  WHOLE: verify: agrees
// Two runs of all tiles: of 2 by 3 with groups, of 3 by 2, of 5 images one at a time.
//   CONV: kernel{{s?}} created, 12 executed
// MATMUL: kernel{{s?}} created, 12 executed
//  BATCH: kernel{{s?}} created, 20 executed
//  TILED: expect: agrees

func.func @conv(%x: tensor<1x6x9x7xi8>, %w: tensor<4x3x3x2xi8>, %b: tensor<4xi32>,
                %r: tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8> {
  %s = arith.constant dense<[0.03, 0.007, 0.011, 0.02]> : tensor<4xf32>
  %e = tensor.empty() : tensor<1x4x9x6xi8>
  %0 = fusion.quantized_conv_bias_act relu {
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64,
      pad_low = array<i64: 2, 0>, pad_high = array<i64: 0, 0>, input_zero_point = 9 : i32,
      output_zero_point = -100 : i32, residual_scale = 0.7 : f32,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : tensor<1x6x9x7xi8>, tensor<4x3x3x2xi8>) bias(%b : tensor<4xi32>) scale(%s : tensor<4xf32>)
    residual(%r : tensor<1x4x9x6xi8>) outs(%e : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  return %0 : tensor<1x4x9x6xi8>
}

func.func @matmul(%x: tensor<12x5xi8>, %w: tensor<5x7xi8>, %b: tensor<7xf32>) -> tensor<12x7xf32> {
  %s = arith.constant dense<0.03> : tensor<1xf32>
  %e = tensor.empty() : tensor<12x7xf32>
  %0 = fusion.quantized_matmul_bias_act {input_unsigned, input_zero_point = 130 : i32}
    ins(%x, %w : tensor<12x5xi8>, tensor<5x7xi8>) bias(%b : tensor<7xf32>) scale(%s : tensor<1xf32>)
    outs(%e : tensor<12x7xf32>) -> tensor<12x7xf32>
  return %0 : tensor<12x7xf32>
}

func.func @batch(%x: tensor<5x13x11x3xi8>, %v: tensor<8x3x3x2xi8>, %w: tensor<5x8x1x1xi8>) -> tensor<5x5x10x5xi8> {
  %s = arith.constant dense<0.004> : tensor<1xf32>
  %e = tensor.empty() : tensor<5x5x10x8xi8>
  %e2 = tensor.empty() : tensor<5x5x10x5xi8>
  %0 = fusion.quantized_conv_bias_act relu {
      strides = array<i64: 3, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64,
      pad_low = array<i64: 1, 0>, pad_high = array<i64: 1, 0>, output_unsigned,
      input_layout = "nhwc", filter_layout = "fchw", output_layout = "nhwc"}
    ins(%x, %v : tensor<5x13x11x3xi8>, tensor<8x3x3x2xi8>) scale(%s : tensor<1xf32>)
    outs(%e : tensor<5x5x10x8xi8>) -> tensor<5x5x10x8xi8>
  %1 = fusion.quantized_conv_bias_act {
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64,
      pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_unsigned,
      input_layout = "nhwc", filter_layout = "fchw", output_layout = "nhwc"}
    ins(%0, %w : tensor<5x5x10x8xi8>, tensor<5x8x1x1xi8>) scale(%s : tensor<1xf32>)
    outs(%e2 : tensor<5x5x10x5xi8>) -> tensor<5x5x10x5xi8>
  return %1 : tensor<5x5x10x5xi8>
}
