// RUN: fusion-opt %s | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | fusion-opt | FileCheck %s
// RUN: fusion-opt %s | FileCheck %s --check-prefix=SPACE --strict-whitespace
// RUN: fusion-opt %s --emit-bytecode -o %t.mlirbc
// RUN: fusion-opt %t.mlirbc | FileCheck %s

// The forms of `fusion.pool`: what is printed, or written as bytecode, reads back to
// the same.

// SPACE: fusion.pool {kernel
// SPACE-NOT: fusion.pool  {
// CHECK-LABEL: func @max
// CHECK-SAME:    (%[[X:.*]]: tensor<1x112x113x64xf32>, %[[E:.*]]: tensor<1x56x57x64xf32>)
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 3, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 0, 1>, pad_low = array<i64: 1, 1>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 2>} ins(%[[X]] : tensor<1x112x113x64xf32>) outs(%[[E]] : tensor<1x56x57x64xf32>) -> tensor<1x56x57x64xf32>
// CHECK:         return %[[R]]
func.func @max(%x: tensor<1x112x113x64xf32>, %e: tensor<1x56x57x64xf32>) -> tensor<1x56x57x64xf32> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>,
         pad_low = array<i64: 1, 1>, pad_high = array<i64: 0, 1>}
         ins(%x : tensor<1x112x113x64xf32>) outs(%e : tensor<1x56x57x64xf32>) -> tensor<1x56x57x64xf32>
  return %r : tensor<1x56x57x64xf32>
}

// CHECK-LABEL: func @sum_of_dynamic_sizes
// CHECK:         fusion.pool {kernel = array<i64: 2>, layout = #fusion.layout<ncw>, pad_high = array<i64: 0>, pad_low = array<i64: 1>, pooling = #fusion.pooling<sum>, strides = array<i64: 3>} ins(%{{.*}} : tensor<?x?x?xbf16>) outs(%{{.*}} : tensor<?x4x?xbf16>) -> tensor<?x4x?xbf16>
func.func @sum_of_dynamic_sizes(%x: tensor<?x?x?xbf16>, %e: tensor<?x4x?xbf16>) -> tensor<?x4x?xbf16> {
  %r = fusion.pool {pooling = #fusion.pooling<sum>, layout = "ncw", kernel = array<i64: 2>, strides = array<i64: 3>,
         pad_low = array<i64: 1>, pad_high = array<i64: 0>}
         ins(%x : tensor<?x?x?xbf16>) outs(%e : tensor<?x4x?xbf16>) -> tensor<?x4x?xbf16>
  return %r : tensor<?x4x?xbf16>
}

// Any order of the letters; the kernel is larger than the image.
// CHECK-LABEL: func @any_layout
// CHECK:         fusion.pool {{.*}}layout = #fusion.layout<hcnw>{{.*}} -> tensor<1x5x2x2xf16>
func.func @any_layout(%x: tensor<3x5x2x4xf16>, %e: tensor<1x5x2x2xf16>) -> tensor<1x5x2x2xf16> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "hcnw", kernel = array<i64: 4, 3>, strides = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<3x5x2x4xf16>) outs(%e : tensor<1x5x2x2xf16>) -> tensor<1x5x2x2xf16>
  return %r : tensor<1x5x2x2xf16>
}

// The kernel does not fit: there is nothing to compute.
// CHECK-LABEL: func @nothing
// CHECK:         fusion.pool {{.*}} -> tensor<2x0x5xf32>
func.func @nothing(%x: tensor<2x3x5xf32>, %e: tensor<2x0x5xf32>) -> tensor<2x0x5xf32> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nwc", kernel = array<i64: 4>, strides = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>}
         ins(%x : tensor<2x3x5xf32>) outs(%e : tensor<2x0x5xf32>) -> tensor<2x0x5xf32>
  return %r : tensor<2x0x5xf32>
}

// CHECK-LABEL: func @memrefs
// CHECK:         fusion.pool {kernel = array<i64: 1, 2, 3>, layout = #fusion.layout<ndhwc>, pad_high = array<i64: 0, 1, 2>, pad_low = array<i64: 0, 0, 1>, pooling = #fusion.pooling<max>, strides = array<i64: 1, 1, 2>} ins(%{{.*}} : memref<2x3x4x5x6xf32, strided<[?, ?, ?, ?, 1], offset: ?>>) outs(%{{.*}} : memref<2x3x4x3x6xf32>){{$}}
func.func @memrefs(%x: memref<2x3x4x5x6xf32, strided<[?, ?, ?, ?, 1], offset: ?>>, %y: memref<2x3x4x3x6xf32>) {
  fusion.pool {pooling = #fusion.pooling<max>, layout = "ndhwc", kernel = array<i64: 1, 2, 3>, strides = array<i64: 1, 1, 2>,
      pad_low = array<i64: 0, 0, 1>, pad_high = array<i64: 0, 1, 2>}
      ins(%x : memref<2x3x4x5x6xf32, strided<[?, ?, ?, ?, 1], offset: ?>>) outs(%y : memref<2x3x4x3x6xf32>)
  return
}

// Integers have no sign but in the attribute.
// CHECK-LABEL: func @integers
// CHECK:         fusion.pool {kernel = array<i64: 3, 2>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 0, 0>, pad_low = array<i64: 1, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%{{.*}} : tensor<2x8x7x3xi8>) outs(%{{.*}} : tensor<2x4x6x3xi8>) -> tensor<2x4x6x3xi8>
// CHECK:         fusion.pool {input_unsigned, kernel = array<i64: 3, 2>, layout
func.func @integers(%x: tensor<2x8x7x3xi8>, %e: tensor<2x4x6x3xi8>) -> (tensor<2x4x6x3xi8>, tensor<2x4x6x3xi8>) {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 3, 2>, strides = array<i64: 2, 1>,
         pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 0>}
         ins(%x : tensor<2x8x7x3xi8>) outs(%e : tensor<2x4x6x3xi8>) -> tensor<2x4x6x3xi8>
  %u = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 3, 2>, strides = array<i64: 2, 1>,
         pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 0>, input_unsigned}
         ins(%x : tensor<2x8x7x3xi8>) outs(%e : tensor<2x4x6x3xi8>) -> tensor<2x4x6x3xi8>
  return %r, %u : tensor<2x4x6x3xi8>, tensor<2x4x6x3xi8>
}

// The attribute by itself.
// CHECK-LABEL: func @attributes
// CHECK-SAME:    {fusion.test = #fusion.pooling<sum>}
func.func @attributes() attributes {fusion.test = #fusion.pooling<sum>} {
  return
}
