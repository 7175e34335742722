// Ops on other elements than numbers of f32 and integers are left alone.

// RUN: fusion-opt %s --fusion-optimize | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: @indices
// CHECK: arith.addi %{{.*}}, %{{.*}} : index
func.func @indices(%a: tensor<4xindex>, %b: tensor<4xindex>) -> tensor<4xindex> {
  %e = tensor.empty() : tensor<4xindex>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %b : tensor<4xindex>, tensor<4xindex>) outs(%e : tensor<4xindex>) {
  ^bb0(%x: index, %y: index, %o: index):
    %0 = arith.addi %x, %y : index
    linalg.yield %0 : index
  } -> tensor<4xindex>
  return %r : tensor<4xindex>
}

// CHECK-LABEL: @complex
// CHECK: tensor<4xcomplex<f32>>
func.func @complex(%a: tensor<4xcomplex<f32>>, %e: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %r = linalg.copy ins(%a : tensor<4xcomplex<f32>>) outs(%e : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: @vectors
// CHECK: arith.addf %{{.*}}, %{{.*}} : vector<2xf32>
func.func @vectors(%a: tensor<4xvector<2xf32>>, %e: tensor<4xvector<2xf32>>) -> tensor<4xvector<2xf32>> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xvector<2xf32>>) outs(%e : tensor<4xvector<2xf32>>) {
  ^bb0(%x: vector<2xf32>, %o: vector<2xf32>):
    %0 = arith.addf %x, %x : vector<2xf32>
    linalg.yield %0 : vector<2xf32>
  } -> tensor<4xvector<2xf32>>
  return %r : tensor<4xvector<2xf32>>
}
