// Branches that yield buffers of different layouts: a copy, and a view of what is
// computed into an empty tensor, whose strides no reshape could keep if they were
// unknown.

// RUN: fusion-run %s --random=0:0:1 --random=2:1:3 --shape=1:1x2x2x2 --verify | FileCheck %s
// RUN: fusion-run %s --random=0:1:2 --random=2:1:3 --shape=1:1x2x2x2 --verify | FileCheck %s
// CHECK: verify: agrees

func.func @main(%which: index, %x: tensor<1x2x2x2xf32>, %n: index) -> tensor<1x1x2x?xf32> {
  %one = arith.constant 1 : index
  %first = arith.cmpi eq, %which, %one : index
  %r = scf.if %first -> (tensor<1x1x2x?xf32>) {
    %slice = tensor.extract_slice %x[0, 1, 0, 0] [1, 1, 2, %n] [1, 1, 1, 1] : tensor<1x2x2x2xf32> to tensor<1x1x2x?xf32>
    %copy = bufferization.alloc_tensor() copy(%slice) : tensor<1x1x2x?xf32>
    scf.yield %copy : tensor<1x1x2x?xf32>
  } else {
    %empty = tensor.empty() : tensor<1x2x2x2xf32>
    %y = linalg.exp ins(%x : tensor<1x2x2x2xf32>) outs(%empty : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
    %slice = tensor.extract_slice %y[0, 0, 0, 1] [1, 2, %n, 1] [1, 1, 1, 1] : tensor<1x2x2x2xf32> to tensor<1x2x?x1xf32>
    %flat = tensor.collapse_shape %slice [[0, 1], [2, 3]] : tensor<1x2x?x1xf32> into tensor<2x?xf32>
    %part = tensor.expand_shape %flat [[0, 1, 2], [3]] output_shape [1, 1, 2, %n] : tensor<2x?xf32> into tensor<1x1x2x?xf32>
    scf.yield %part : tensor<1x1x2x?xf32>
  }
  return %r : tensor<1x1x2x?xf32>
}
