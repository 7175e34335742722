// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/verify-functions.py %s --pools=0 --skip=any_images,matrix | FileCheck %s
// RUN: fusion-run %s --entry=any_images --shape=0:3x37x9x5 --verify | FileCheck %s --check-prefix=ONE
// RUN: fusion-run %s --entry=matrix --verify --threads=1 --output=%t/1 | FileCheck %s --check-prefix=ONE
// RUN: fusion-run %s --entry=matrix --verify --threads=3 --output=%t/3 | FileCheck %s --check-prefix=ONE
// RUN: cmp %t/1/result0.npy %t/3/result0.npy
// RUN: fusion-opt %s --fusion-compile | FileCheck %s --check-prefix=IR

// The executed twin of Loops/fusion-lower-to-loops-transposes.mlir. The reference moves
// element by element.

// CHECK: {{^}}11 functions agree, 0 fused ops
// ONE: verify: agrees

// Of elements that are counted, not of vectors: a large transpose is shared.
// IR-LABEL: llvm.func @matrix(
// IR:         llvm.call @fusion_rt_parallel_for_checked(
// IR-LABEL: llvm.func @rest(
// IR-NOT:     llvm.call @fusion_rt_parallel_for_checked(
// IR:         llvm.shufflevector
// IR-LABEL: llvm.func @images(

func.func @matrix(%x: tensor<1043x2055xf32>) -> tensor<2055x1043xf32> {
  %e = tensor.empty() : tensor<2055x1043xf32>
  %r = linalg.transpose ins(%x : tensor<1043x2055xf32>) outs(%e : tensor<2055x1043xf32>) permutation = [1, 0]
  return %r : tensor<2055x1043xf32>
}

func.func @rest(%x: tensor<37x51xf32>) -> tensor<51x37xf32> {
  %e = tensor.empty() : tensor<51x37xf32>
  %r = linalg.transpose ins(%x : tensor<37x51xf32>) outs(%e : tensor<51x37xf32>) permutation = [1, 0]
  return %r : tensor<51x37xf32>
}

func.func @images(%x: tensor<3x37x9x5xf32>) -> tensor<3x9x5x37xf32> {
  %e = tensor.empty() : tensor<3x9x5x37xf32>
  %r = linalg.transpose ins(%x : tensor<3x37x9x5xf32>) outs(%e : tensor<3x9x5x37xf32>) permutation = [0, 2, 3, 1]
  return %r : tensor<3x9x5x37xf32>
}

func.func @any_images(%x: tensor<?x37x9x5xf32>) -> tensor<?x9x5x37xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x37x9x5xf32>
  %e = tensor.empty(%n) : tensor<?x9x5x37xf32>
  %r = linalg.transpose ins(%x : tensor<?x37x9x5xf32>) outs(%e : tensor<?x9x5x37xf32>) permutation = [0, 2, 3, 1]
  return %r : tensor<?x9x5x37xf32>
}

func.func @reversed(%x: tensor<19x3x2x33xf64>) -> tensor<33x2x3x19xf64> {
  %e = tensor.empty() : tensor<33x2x3x19xf64>
  %r = linalg.transpose ins(%x : tensor<19x3x2x33xf64>) outs(%e : tensor<33x2x3x19xf64>) permutation = [3, 2, 1, 0]
  return %r : tensor<33x2x3x19xf64>
}

func.func @halves(%x: tensor<2x18x35xf16>) -> tensor<35x2x18xf16> {
  %e = tensor.empty() : tensor<35x2x18xf16>
  %r = linalg.transpose ins(%x : tensor<2x18x35xf16>) outs(%e : tensor<35x2x18xf16>) permutation = [2, 0, 1]
  return %r : tensor<35x2x18xf16>
}

func.func @short_floats(%x: tensor<18x35xbf16>) -> tensor<35x18xbf16> {
  %e = tensor.empty() : tensor<35x18xbf16>
  %r = linalg.transpose ins(%x : tensor<18x35xbf16>) outs(%e : tensor<35x18xbf16>) permutation = [1, 0]
  return %r : tensor<35x18xbf16>
}

func.func @bytes(%x: tensor<35x18xi8>) -> tensor<18x35xi8> {
  %e = tensor.empty() : tensor<18x35xi8>
  %r = linalg.transpose ins(%x : tensor<35x18xi8>) outs(%e : tensor<18x35xi8>) permutation = [1, 0]
  return %r : tensor<18x35xi8>
}

// A rest of columns alone, of rows alone, and of both with one whole block.
func.func @columns(%x: tensor<32x51xf32>) -> tensor<51x32xf32> {
  %e = tensor.empty() : tensor<51x32xf32>
  %r = linalg.transpose ins(%x : tensor<32x51xf32>) outs(%e : tensor<51x32xf32>) permutation = [1, 0]
  return %r : tensor<51x32xf32>
}

func.func @rows(%x: tensor<37x48xf32>) -> tensor<48x37xf32> {
  %e = tensor.empty() : tensor<48x37xf32>
  %r = linalg.transpose ins(%x : tensor<37x48xf32>) outs(%e : tensor<48x37xf32>) permutation = [1, 0]
  return %r : tensor<48x37xf32>
}

func.func @one_block(%x: tensor<31x17xf32>) -> tensor<17x31xf32> {
  %e = tensor.empty() : tensor<17x31xf32>
  %r = linalg.transpose ins(%x : tensor<31x17xf32>) outs(%e : tensor<17x31xf32>) permutation = [1, 0]
  return %r : tensor<17x31xf32>
}

// From and to parts of other tensors.
func.func @parts(%x: tensor<40x60xi32>, %y: tensor<70x41xi32>) -> tensor<70x41xi32> {
  %s = tensor.extract_slice %x[3, 5] [20, 33] [1, 1] : tensor<40x60xi32> to tensor<20x33xi32>
  %e = tensor.empty() : tensor<33x20xi32>
  %t = linalg.transpose ins(%s : tensor<20x33xi32>) outs(%e : tensor<33x20xi32>) permutation = [1, 0]
  %r = tensor.insert_slice %t into %y[7, 11] [33, 20] [1, 1] : tensor<33x20xi32> into tensor<70x41xi32>
  return %r : tensor<70x41xi32>
}

func.func @every_other(%x: tensor<40x60xi64>) -> tensor<30x20xi64> {
  %s = tensor.extract_slice %x[1, 0] [20, 30] [2, 2] : tensor<40x60xi64> to tensor<20x30xi64>
  %e = tensor.empty() : tensor<30x20xi64>
  %t = linalg.transpose ins(%s : tensor<20x30xi64>) outs(%e : tensor<30x20xi64>) permutation = [1, 0]
  return %t : tensor<30x20xi64>
}
