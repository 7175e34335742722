// Every op and attribute of the dialect but those of fusion-0.2.mlir and fusion-0.3.mlir. As bytecode it reads back to the same
// text, and so does fusion-0.1.mlirbc, which version 0.1 wrote and which must not be
// written again: a change that is seen here is one of the format.

// RUN: fusion-opt %s -o %t.text.mlir
// RUN: fusion-opt %s --emit-bytecode -o %t.mlirbc
// RUN: fusion-opt %t.mlirbc -o %t.bytecode.mlir
// RUN: diff %t.text.mlir %t.bytecode.mlir
// RUN: fusion-opt %S/fusion-0.1.mlirbc -o %t.frozen.mlir
// RUN: diff %t.text.mlir %t.frozen.mlir

// Nothing is missing.
// RUN: %python %S/bytecode.py complete %fusion_source_dir %s %S/fusion-0.2.mlir %S/fusion-0.3.mlir | FileCheck %s
// CHECK: {{^}}12 ops and 25 cases of attributes, 0 missing

// A file of a newer version is refused, and one of ours from before is not.
// RUN: %python %S/bytecode.py version 1.0 %t.mlirbc %t.newer.mlirbc
// RUN: not fusion-opt %t.newer.mlirbc 2>&1 | FileCheck %s --check-prefix=MAJOR
// MAJOR: error: file was written by a newer fusion dialect (1.0), this is 0.5
// RUN: %python %S/bytecode.py version 0.6 %t.mlirbc %t.newer.mlirbc
// RUN: not fusion-opt %t.newer.mlirbc 2>&1 | FileCheck %s --check-prefix=MINOR
// MINOR: error: file was written by a newer fusion dialect (0.6), this is 0.5
// RUN: %python %S/bytecode.py version 0.0 %S/fusion-0.1.mlirbc %t.older.mlirbc
// RUN: fusion-opt %t.older.mlirbc | diff %t.text.mlir -

func.func @conv(%x: tensor<1x4x10x12xf32> {fusion.name = "x"}, %w: tensor<6x2x3x3xf32> {fusion.constant},
                %b: tensor<6xf32> {fusion.role = "bias"}, %s: tensor<1x6x5x11xf32>,
                %e: tensor<1x6x5x11xf32>) -> tensor<1x6x5x11xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 2, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw",
         activation = #fusion.activation<clip, 0.0, 6.0>, nan_mode = #fusion.nan<propagate>,
         fusion.folded = "bn"}
       ins(%x, %w : tensor<1x4x10x12xf32>, tensor<6x2x3x3xf32>)
       bias(%b : tensor<6xf32>) residual(%s : tensor<1x6x5x11xf32>)
       outs(%e : tensor<1x6x5x11xf32>) -> tensor<1x6x5x11xf32>
  return %r : tensor<1x6x5x11xf32>
}

func.func @conv_on_memrefs(%x: memref<?x3x?xbf16>, %w: memref<6x3x1xbf16>, %y: memref<?x6x?xbf16>) {
  fusion.fused_conv_bias_act {
    strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
    input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
    ins(%x, %w : memref<?x3x?xbf16>, memref<6x3x1xbf16>) outs(%y : memref<?x6x?xbf16>)
  return
}

func.func @deconv(%x: tensor<1x3x10x12xf32>, %w: tensor<6x3x3x2xf32>, %b: tensor<6xf32>,
                  %e: tensor<1x6x20x24xf32>) -> tensor<1x6x20x24xf32> {
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x2xf32>)
       bias(%b : tensor<6xf32>)
       outs(%e : tensor<1x6x20x24xf32>) -> tensor<1x6x20x24xf32>
  return %r : tensor<1x6x20x24xf32>
}

func.func @matmul(%x: tensor<4x300xf32>, %w: tensor<10x300xf32>, %s: tensor<4x10xf32>,
                  %e: tensor<4x10xf32>) -> tensor<4x10xf32> {
  %r = fusion.fused_matmul_bias_act {
         input_layout = "mk", filter_layout = "nk", output_layout = "mn",
         activation = #fusion.activation<swish, 1.0>, nan_mode = #fusion.nan<fast>}
       ins(%x, %w : tensor<4x300xf32>, tensor<10x300xf32>)
       residual(%s : tensor<4x10xf32>)
       outs(%e : tensor<4x10xf32>) -> tensor<4x10xf32>
  return %r : tensor<4x10xf32>
}

func.func @pool(%x: tensor<1x112x110x64xf32>, %e: tensor<1x56x55x64xf32>) -> tensor<1x56x55x64xf32> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc",
         kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>,
         pad_low = array<i64: 1, 1>, pad_high = array<i64: 1, 1>}
       ins(%x : tensor<1x112x110x64xf32>)
       outs(%e : tensor<1x56x55x64xf32>) -> tensor<1x56x55x64xf32>
  return %r : tensor<1x56x55x64xf32>
}

fusion.rt.create @conv_site #fusion.conv_desc<
  input = <nwc, bf16>, filter = <wcf, bf16>, init = <nwc, bf16>, strides = [2], dilations = [1],
  pad_low = [0], pad_high = [1], groups = 2, bias = true, activation = <gelu_erf>, residual = f32,
  constant_filter = true> {sym_visibility = "private"}
fusion.rt.create @pool_site #fusion.pool_desc<
  pooling = sum, input = <nwc, f32>, kernel = [3], strides = [2], pad_low = [1], pad_high = [0]>

func.func private @range(index, index, memref<8xf32>)
func.func private @transposed(%w: memref<5x3xf32>) -> memref<3x5xf32> {
  %r = memref.alloc() : memref<3x5xf32>
  return %r : memref<3x5xf32>
}

func.func @calls(%x: memref<?x?x4xbf16, strided<[?, 4, 1], offset: ?>>, %w: memref<3x2x6xbf16>,
                 %b: memref<6xf32>, %s: memref<?x?x6xf32>, %y: memref<?x?x6xbf16>,
                 %n: index, %f: memref<8xf32>, %c: memref<5x3xf32>) {
  %a = fusion.rt.arena_begin : memref<128xi8>
  %d = fusion.rt.arena_begin(%n) : memref<?xi8>
  fusion.rt.execute @conv_site
    ins(%x, %w : memref<?x?x4xbf16, strided<[?, 4, 1], offset: ?>>, memref<3x2x6xbf16>)
    bias(%b : memref<6xf32>) residual(%s : memref<?x?x6xf32>)
    outs(%y : memref<?x?x6xbf16>)
  fusion.rt.parallel_for @range for %n grain %n(%f) : memref<8xf32>
  %t = fusion.rt.once @transposed(%c) : (memref<5x3xf32>) -> memref<3x5xf32>
  fusion.rt.arena_end %d : memref<?xi8>
  fusion.rt.arena_end %a : memref<128xi8>
  fusion.rt.release @conv_site
  fusion.rt.release @transposed once
  return
}

// Attributes that the ops above do not have.
func.func private @attributes() attributes {
  activations = [
    #fusion.activation<relu>, #fusion.activation<leaky_relu, 0.01>, #fusion.activation<elu, 1.0>,
    #fusion.activation<sigmoid>, #fusion.activation<tanh>, #fusion.activation<hardswish>,
    #fusion.activation<hardsigmoid, 0.16666667, 0.5>, #fusion.activation<gelu_tanh>,
    #fusion.activation<softplus>, #fusion.activation<mish>, #fusion.activation<abs>,
    #fusion.activation<square>, #fusion.activation<sqrt>, #fusion.activation<exp>,
    #fusion.activation<clip, -inf, inf>],
  calls = [#fusion.call<conv>, #fusion.call<matmul>, #fusion.call<deconv>]}
