// RUN: rm -rf %t && mkdir %t
// RUN: %npy write %t/v.npy '<f4' 3 'i'

// A name that is a number, as numbered layers have it: where it is the index of another
// argument either could be meant.

// RUN: not fusion-opt %s --fusion-bind-params="bind=1=%t/v.npy" 2>&1 | FileCheck %s
// CHECK: error: '1' is argument 1 of 'main' and the name of argument 0: rename the latter
// Its own index.
// RUN: fusion-opt %s --fusion-bind-params="bind=2=%t/v.npy" | FileCheck %s --check-prefix=SAME
// SAME: func.func @main(%{{[a-z0-9]+}}: tensor<3xf32> {fusion.name = "1"}, %{{[a-z0-9]+}}: tensor<3xf32>, %{{[a-z0-9]+}}: tensor<3xf32> {fusion.name = "17"})
// No index at all.
// RUN: fusion-opt %s --fusion-bind-params="bind=17=%t/v.npy" | FileCheck %s --check-prefix=NAME
// NAME: func.func @main(%{{[a-z0-9]+}}: tensor<3xf32> {fusion.name = "1"}, %{{[a-z0-9]+}}: tensor<3xf32>, %{{[a-z0-9]+}}: tensor<3xf32> {fusion.name = "2"})
// The index of an argument whose name is the index of another.
// RUN: fusion-opt %s --fusion-bind-params="bind=0=%t/v.npy" | FileCheck %s --check-prefix=INDEX
// INDEX: func.func @main(%{{[a-z0-9]+}}: tensor<3xf32>, %{{[a-z0-9]+}}: tensor<3xf32> {fusion.name = "2"}, %{{[a-z0-9]+}}: tensor<3xf32> {fusion.name = "17"})
func.func @main(%a: tensor<3xf32> {fusion.name = "1"}, %b: tensor<3xf32>, %c: tensor<3xf32> {fusion.name = "2"}, %d: tensor<3xf32> {fusion.name = "17"}) -> tensor<3xf32> {
  %s = arith.addf %a, %b : tensor<3xf32>
  %t = arith.addf %s, %c : tensor<3xf32>
  %u = arith.addf %t, %d : tensor<3xf32>
  return %u : tensor<3xf32>
}
