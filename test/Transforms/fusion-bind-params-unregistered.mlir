// RUN: %npy write %t.npy '<f4' 2 'i'
// RUN: not fusion-opt %s --allow-unregistered-dialect --fusion-bind-params="bind=0=%t.npy" 2>&1 | FileCheck %s

// Nobody knows which symbols an unregistered op with regions refers to.

// CHECK: error: arguments of 'main' cannot be bound: an op that is not registered may use it

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

"unknown.module"() ({
  "unknown.use"() {callee = @main} : () -> ()
}) : () -> ()
