// RUN: rm -rf %t && mkdir %t
// RUN: %npy write %t/w32.npy '<f4' 3x2 'i + 0.5'
// RUN: %npy write %t/six.npy '<i8' '' '6'
// RUN: %npy write %t/w63.npy '<f4' 6x3 'i'
// RUN: %npy write %t/conv.npy '<f4' 5x3x2x4 'i'
// RUN: %npy write %t/shape.npy '<i8' 2 '[6, 3][i]'

// RUN: fusion-opt %s --fusion-bind-params="bind=w=%t/w32.npy" | FileCheck %s
// RUN: fusion-opt %s --fusion-bind-params="function=conv bind=1=%t/conv.npy" | FileCheck %s --check-prefix=CONV
// RUN: fusion-opt %s --fusion-bind-params="function=elementwise bind=0=%t/w63.npy" | FileCheck %s --check-prefix=ELEMENTWISE
// RUN: fusion-opt %s --fusion-bind-params="function=explicit bind=n=%t/six.npy,x=%t/w63.npy" | FileCheck %s --check-prefix=EXPLICIT
// RUN: fusion-opt %s --fusion-bind-params="function=explicit bind=n=%t/six.npy" | FileCheck %s --check-prefix=SIZE
// RUN: fusion-opt %s --fusion-bind-params="function=explicit bind=y=%t/w63.npy" | FileCheck %s --check-prefix=OTHERS
// RUN: fusion-opt %s --fusion-bind-params="function=branch bind=0=%t/w63.npy" | FileCheck %s --check-prefix=BRANCH
// RUN: fusion-opt %s --fusion-bind-params="function=returns bind=0=%t/w63.npy" | FileCheck %s --check-prefix=RETURNS
// RUN: fusion-opt %s --fusion-bind-params="function=concat bind=0=%t/w63.npy" | FileCheck %s --check-prefix=CONCAT
// RUN: fusion-opt %s --fusion-bind-params="function=outside bind=0=%t/w63.npy" | FileCheck %s --check-prefix=OUTSIDE
// RUN: fusion-opt %s --fusion-bind-params="function=reshape bind=s=%t/shape.npy" | FileCheck %s --check-prefix=RESHAPE
// RUN: fusion-opt %s --fusion-bind-params="function=static bind=0=%t/six.npy" | FileCheck %s --check-prefix=STATIC

// TVM 54: sizes follow from bound arrays, and further sizes from these. This is the
// example of the pass's description.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<4x3xf32>) -> tensor<4x2xf32>
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<3x2xf32>
// CHECK-DAG:     %[[Z:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<4x2xf32>
// CHECK-NEXT:    %[[F:.*]] = linalg.fill ins(%[[Z]] : f32) outs(%[[E]] : tensor<4x2xf32>)
// CHECK-NEXT:    %[[R:.*]] = linalg.matmul ins(%[[X]], %[[W]] : tensor<4x3xf32>, tensor<3x2xf32>) outs(%[[F]] : tensor<4x2xf32>)
// CHECK-NEXT:    return %[[R]] : tensor<4x2xf32>
func.func @main(%x: tensor<4x3xf32>, %w: tensor<3x?xf32> {fusion.name = "w"}) -> tensor<4x?xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %n = tensor.dim %w, %one : tensor<3x?xf32>
  %e = tensor.empty(%n) : tensor<4x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x?xf32>) -> tensor<4x?xf32>
  %r = linalg.matmul ins(%x, %w : tensor<4x3xf32>, tensor<3x?xf32>) outs(%f : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// The sizes of a filter; the batch stays open. Which channels the input has to have
// upstream does not conclude for convolutions.
// CONV-LABEL: func.func @conv(
// CONV-SAME:    %[[X:.*]]: tensor<?x?x7x9xf32>) -> tensor<?x5x6x6xf32>
// CONV:         %[[R:.*]] = linalg.conv_2d_nchw_fchw ins(%[[X]], %{{.*}} : tensor<?x?x7x9xf32>, tensor<5x3x2x4xf32>) outs(%{{.*}} : tensor<?x5x6x6xf32>)
// CONV:         return %[[R]]
func.func @conv(%x: tensor<?x?x7x9xf32>, %w: tensor<?x?x2x4xf32>) -> tensor<?x?x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x7x9xf32>
  %o = tensor.dim %w, %c0 : tensor<?x?x2x4xf32>
  %e = tensor.empty(%n, %o) : tensor<?x?x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x6x6xf32>) -> tensor<?x?x6x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x?x7x9xf32>, tensor<?x?x2x4xf32>)
         outs(%f : tensor<?x?x6x6xf32>) -> tensor<?x?x6x6xf32>
  return %r : tensor<?x?x6x6xf32>
}

// Ops on tensors that are not of linalg.
// ELEMENTWISE-LABEL: func.func @elementwise(
// ELEMENTWISE-SAME:    %[[Y:.*]]: tensor<?x3xf32>) -> tensor<6x3xf32>
// ELEMENTWISE:         %[[C:.*]] = tensor.cast %[[Y]] : tensor<?x3xf32> to tensor<6x3xf32>
// ELEMENTWISE:         %[[A:.*]] = arith.addf %[[C]], %{{.*}} : tensor<6x3xf32>
// ELEMENTWISE:         %[[L:.*]] = arith.cmpf ogt, %[[A]], %{{.*}} : tensor<6x3xf32>
// ELEMENTWISE:         %[[B:.*]] = arith.select %[[L]], %[[A]], %{{.*}} : tensor<6x3xi1>, tensor<6x3xf32>
// ELEMENTWISE:         %[[R:.*]] = arith.maximumf %[[A]], %[[B]] : tensor<6x3xf32>
// ELEMENTWISE:         return %[[R]]
func.func @elementwise(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %a = arith.addf %x, %y : tensor<?x3xf32>
  %l = arith.cmpf ogt, %a, %y : tensor<?x3xf32>
  %b = arith.select %l, %a, %y : tensor<?x3xi1>, tensor<?x3xf32>
  %r = arith.maximumf %a, %b : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// TVM 55: a size that is given, and the same from an array.
// EXPLICIT-LABEL: func.func @explicit(
// EXPLICIT-SAME:    %[[Y:.*]]: tensor<?x3xf32> {fusion.name = "y"}) -> tensor<6x3xf32>
// EXPLICIT:         linalg.add {{.*}} outs(%{{.*}} : tensor<6x3xf32>)

// TVM 50: a size alone.
// SIZE-LABEL: func.func @explicit(
// SIZE-SAME:    %[[X:.*]]: tensor<?x3xf32> {fusion.name = "x"}, %[[Y:.*]]: tensor<?x3xf32> {fusion.name = "y"}) -> tensor<6x3xf32>
// SIZE:         linalg.add {{.*}} outs(%{{.*}} : tensor<6x3xf32>)

// Bound alone, `y` changes no type of the other arguments, whatever follows inside.
// OTHERS-LABEL: func.func @explicit(
// OTHERS-SAME:    %[[N:.*]]: index {fusion.name = "n"}, %[[X:.*]]: tensor<?x3xf32> {fusion.name = "x"}) -> tensor<6x3xf32>
func.func @explicit(%n: index {fusion.name = "n"}, %x: tensor<?x3xf32> {fusion.name = "x"},
                    %y: tensor<?x3xf32> {fusion.name = "y"}) -> tensor<?x3xf32> {
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %r = linalg.add ins(%x, %y : tensor<?x3xf32>, tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// The branches of a choice may have different sizes, also where upstream makes one op
// of it.
// BRANCH-LABEL: func.func @branch(
// BRANCH-SAME:    %[[C:.*]]: i1, %[[Y:.*]]: tensor<?x3xf32>) -> tensor<?x3xf32>
// BRANCH:         %[[W:.*]] = tensor.cast %{{.*}} : tensor<6x3xf32> to tensor<?x3xf32>
// BRANCH:         %[[R:.*]] = arith.select %[[C]], %[[W]], %[[Y]] : tensor<?x3xf32>
// BRANCH:         return %[[R]]
func.func @branch(%x: tensor<?x3xf32>, %c: i1, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = scf.if %c -> tensor<?x3xf32> {
    scf.yield %x : tensor<?x3xf32>
  } else {
    scf.yield %y : tensor<?x3xf32>
  }
  return %r : tensor<?x3xf32>
}

// A result is refined if all returns agree.
// RETURNS-LABEL: func.func @returns(
// RETURNS-SAME:    -> (tensor<6x3xf32>, tensor<?x3xf32>)
// RETURNS:         %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<6x3xf32>
// RETURNS:         %[[D:.*]] = tensor.cast %[[W]] : tensor<6x3xf32> to tensor<?x3xf32>
// RETURNS:         return %[[W]], %[[D]]
// RETURNS:         return %[[W]], %{{.*}}
func.func @returns(%x: tensor<?x3xf32>, %c: i1, %y: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %x, %x : tensor<?x3xf32>, tensor<?x3xf32>
^bb2:
  return %x, %y : tensor<?x3xf32>, tensor<?x3xf32>
}

// CONCAT-LABEL: func.func @concat(
// CONCAT-SAME:    %[[Y:.*]]: tensor<?x3xf32>) -> tensor<6x6xf32>
// CONCAT:         %[[C:.*]] = tensor.cast %[[Y]] : tensor<?x3xf32> to tensor<6x3xf32>
// CONCAT:         tensor.concat dim(1) %{{.*}}, %[[C]] : (tensor<6x3xf32>, tensor<6x3xf32>) -> tensor<6x6xf32>
func.func @concat(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x6xf32> {
  %r = tensor.concat dim(1) %x, %y : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}

// A read outside of a bound array fails at run time, as it did before.
// OUTSIDE-LABEL: func.func @outside(
// OUTSIDE:         %[[W:.*]] = tensor.cast %{{.*}} : tensor<6x3xf32> to tensor<?x3xf32>
// OUTSIDE:         tensor.extract_slice %[[W]][0, 0] [7, 3] [1, 1]
func.func @outside(%x: tensor<?x3xf32>) -> tensor<7x3xf32> {
  %r = tensor.extract_slice %x[0, 0] [7, 3] [1, 1] : tensor<?x3xf32> to tensor<7x3xf32>
  return %r : tensor<7x3xf32>
}

// A shape that is bound is that of the result.
// RESHAPE-LABEL: func.func @reshape(
// RESHAPE-SAME:    %[[X:.*]]: tensor<18xf32>) -> tensor<6x3xf32>
// RESHAPE:         tensor.reshape %[[X]]
func.func @reshape(%x: tensor<18xf32>, %s: tensor<2xi64> {fusion.name = "s"}) -> tensor<?x?xf32> {
  %r = tensor.reshape %x(%s) : (tensor<18xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Where nothing is dynamic nothing is canonicalized.
// STATIC-LABEL: func.func @static(
// STATIC:         %[[N:.*]] = arith.constant 6 : index
// STATIC-NEXT:    %[[R:.*]] = arith.addi %[[N]], %[[N]]
func.func @static(%n: index) -> index {
  %r = arith.addi %n, %n : index
  return %r : index
}
