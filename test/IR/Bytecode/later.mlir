// Ops that came after fusion-0.1.mlirbc was written. As bytecode they read back to the
// same text.

// RUN: fusion-opt %s -o %t.text.mlir
// RUN: fusion-opt %s --emit-bytecode -o %t.mlirbc
// RUN: fusion-opt %t.mlirbc -o %t.bytecode.mlir
// RUN: diff %t.text.mlir %t.bytecode.mlir

fusion.rt.create @conv_site {
  strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
  input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32,
  residual_type = f32}

func.func @prepare(%w: memref<5x3x2xf32>) {
  fusion.rt.prepare @conv_site ins memref<1x3x9xf32> filter memref<5x3x2xf32> residual memref<1x5x8xf32>
    outs memref<1x5x8xf32> in_place packs(%w : memref<5x3x2xf32>)
  return
}
