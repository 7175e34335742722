// calls-0.3.mlirbc has calls as version 0.3 wrote them: without scales, and those of
// `fusion.rt.prepare` not as a dictionary. It must not be written again. It reads to the text
// below, and so does what this version writes.

// RUN: fusion-opt %s -o %t.text.mlir
// RUN: fusion-opt %s --emit-bytecode -o %t.mlirbc
// RUN: fusion-opt %t.mlirbc -o %t.bytecode.mlir
// RUN: diff %t.text.mlir %t.bytecode.mlir
// RUN: fusion-opt %S/calls-0.3.mlirbc -o %t.frozen.mlir
// RUN: diff %t.text.mlir %t.frozen.mlir

fusion.rt.create @conv #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0], bias = true, residual = f32, constant_filter = true>
fusion.rt.create @pool #fusion.pool_desc<
  pooling = max, input = <ncw, f32>, kernel = [2], strides = [1], pad_low = [0], pad_high = [0]>

func.func @calls(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %b: memref<5xf32>, %y: memref<1x5x8xf32>, %z: memref<1x3x8xf32>) {
  fusion.rt.prepare @conv ins memref<1x3x9xf32> filter memref<5x3x2xf32> bias memref<5xf32>
    residual memref<1x5x8xf32> outs memref<1x5x8xf32> in_place packs(%w : memref<5x3x2xf32>)
  fusion.rt.prepare @pool ins memref<1x3x9xf32> outs memref<1x3x8xf32>
  fusion.rt.execute @conv ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) bias(%b : memref<5xf32>)
    residual(%y : memref<1x5x8xf32>) outs(%y : memref<1x5x8xf32>)
  fusion.rt.execute @pool ins(%x : memref<1x3x9xf32>) outs(%z : memref<1x3x8xf32>)
  return
}
