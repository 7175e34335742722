// RUN: rm -rf %t && mkdir %t
// RUN: %npy write %t/w63.npy '<f4' 6x3 'i'
// RUN: %npy write %t/w53.npy '<f4' 5x3 'i'
// RUN: %npy write %t/six.npy '<i8' '' '6'
// RUN: %npy write %t/five.npy '<i8' '' '5'
// RUN: %npy write %t/v6.npy '<f4' 6 'i'
// RUN: %npy write %t/filter.npy '<f4' 5x3x2x2 'i'

// TVM 56: sizes that are given, inferred or written in the module and differ. In TVM
// two tensors share a symbolic size by its name; a `?` has none, so that the error
// stands at the op that reads both.

// Two arrays that one op reads.
// RUN: not fusion-opt %s --fusion-bind-params="bind=x=%t/w63.npy,y=%t/w53.npy" 2>&1 | FileCheck %s --check-prefix=OPERANDS
// RUN: not fusion-opt %s --fusion-bind-params="bind=x=%t/w53.npy,y=%t/w63.npy" 2>&1 | FileCheck %s --check-prefix=SWAPPED
// OPERANDS: fusion-bind-params-conflicts.mlir:{{.*}}:8: error: sizes that follow from what is bound do not fit together: 'linalg.add' op inferred input/output operand #1 has shape's dimension #0 to be 6, but found 5
// SWAPPED: error: sizes that follow from what is bound do not fit together: 'linalg.add' op inferred input/output operand #1 has shape's dimension #0 to be 5, but found 6

// A size that is given, and an array.
// RUN: not fusion-opt %s --fusion-bind-params="bind=n=%t/five.npy,x=%t/w63.npy" 2>&1 | FileCheck %s --check-prefix=EXPLICIT
// RUN: not fusion-opt %s --fusion-bind-params="bind=x=%t/w63.npy,n=%t/five.npy,y=%t/w63.npy" 2>&1 | FileCheck %s --check-prefix=EXPLICIT
// EXPLICIT: error: sizes that follow from what is bound do not fit together: 'linalg.add' op inferred input/output operand #2 has shape's dimension #0 to be 6, but found 5
// The same with sizes that agree.
// RUN: fusion-opt %s --fusion-bind-params="bind=x=%t/w63.npy,n=%t/six.npy,y=%t/w63.npy" | FileCheck %s --check-prefix=AGREE
// AGREE: func.func @main() -> tensor<6x3xf32>

// Ops that are not of linalg have no verifier of their own for that.
// RUN: not fusion-opt %s --fusion-bind-params="function=elementwise bind=0=%t/w63.npy,1=%t/w53.npy" 2>&1 | FileCheck %s --check-prefix=ELEMENTWISE
// ELEMENTWISE: fusion-bind-params-conflicts.mlir:{{.*}}:8: error: sizes that follow from what is bound do not fit together: 'tensor<5x3xf32>' meets 'tensor<6x3xf32>'
// A size that the module casts to.
// RUN: not fusion-opt %s --fusion-bind-params="function=cast bind=0=%t/w63.npy" 2>&1 | FileCheck %s --check-prefix=CAST
// CAST: error: sizes that follow from what is bound do not fit together: 'tensor<6x3xf32>' meets 'tensor<5x3xf32>'
// RUN: not fusion-opt %s --fusion-bind-params="function=expand bind=0=%t/v6.npy" 2>&1 | FileCheck %s --check-prefix=EXPAND
// EXPAND: error: sizes that follow from what is bound do not fit together: 'tensor<6xf32>' meets 'tensor<4xf32>'
// RUN: not fusion-opt %s --fusion-bind-params="function=matmul bind=0=%t/w63.npy" 2>&1 | FileCheck %s --check-prefix=MATMUL
// MATMUL: error: sizes that follow from what is bound do not fit together: 'linalg.matmul' op inferred input/output operand #1 has shape's dimension #0 to be 3, but found 4
// RUN: not fusion-opt %s --fusion-bind-params="function=concat bind=0=%t/w63.npy,1=%t/w53.npy" 2>&1 | FileCheck %s --check-prefix=CONCAT
// CONCAT: error: sizes that follow from what is bound do not fit together: 'tensor<6x3xf32>' is concatenated with 'tensor<5x3xf32>' in dimension 1, but they differ in dimension 0
// Inside a loop.
// RUN: not fusion-opt %s --fusion-bind-params="function=loop bind=0=%t/w63.npy" 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: error: sizes that follow from what is bound do not fit together: 'tensor<5x3xf32>' meets 'tensor<6x3xf32>'
// Channels.
// RUN: not fusion-opt %s --fusion-bind-params="function=conv bind=1=%t/filter.npy" 2>&1 | FileCheck %s --check-prefix=CONV
// CONV: error: sizes that follow from what is bound do not fit together: 'linalg.conv_2d_nchw_fchw' op inferred input/output operand #1 has shape's dimension #1 to be 4, but found 3

func.func @main(%n: index {fusion.name = "n"}, %x: tensor<?x3xf32> {fusion.name = "x"},
                %y: tensor<?x3xf32> {fusion.name = "y"}) -> tensor<?x3xf32> {
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %r = linalg.add ins(%x, %y : tensor<?x3xf32>, tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

func.func @elementwise(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = arith.addf %x, %y : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

func.func @cast(%x: tensor<?x3xf32>) -> tensor<5x3xf32> {
  %e = math.exp %x : tensor<?x3xf32>
  %r = tensor.cast %e : tensor<?x3xf32> to tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// A cast that changes the rank is found before the concatenation that reads it.
// RUN: not fusion-opt %s --fusion-bind-params="function=concat_of_other_rank bind=0=%t/w63.npy" 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: sizes that follow from what is bound do not fit together: 'tensor<6x3xf32>' meets 'tensor<?x?x?xf32>'
func.func @concat_of_other_rank(%x: tensor<?x?xf32>, %y: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %u = tensor.cast %x : tensor<?x?xf32> to tensor<*xf32>
  %v = tensor.cast %u : tensor<*xf32> to tensor<?x?x?xf32>
  %c = tensor.concat dim(0) %v, %y : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %c : tensor<?x?x?xf32>
}

func.func @concat(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x6xf32> {
  %r = tensor.concat dim(1) %x, %y : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}

func.func @loop(%x: tensor<?x3xf32>, %y: tensor<5x3xf32>, %n: index) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = tensor.cast %y : tensor<5x3xf32> to tensor<?x3xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?x3xf32> {
    %s = arith.addf %a, %z : tensor<?x3xf32>
    scf.yield %s : tensor<?x3xf32>
  }
  return %r : tensor<?x3xf32>
}

func.func @conv(%x: tensor<1x4x9x8xf32>, %w: tensor<?x?x2x2xf32>, %o: tensor<1x?x8x7xf32>) -> tensor<1x?x8x7xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x9x8xf32>, tensor<?x?x2x2xf32>)
         outs(%o : tensor<1x?x8x7xf32>) -> tensor<1x?x8x7xf32>
  return %r : tensor<1x?x8x7xf32>
}

func.func @expand(%x: tensor<?xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %n = arith.divui %d, %c4 : index
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

func.func @matmul(%x: tensor<?x?xf32>, %w: tensor<4x2xf32>, %o: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<4x2xf32>) outs(%o : tensor<?x2xf32>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
