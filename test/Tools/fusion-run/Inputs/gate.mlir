#all = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<3136x16xf32>, %gate: tensor<16xf32>) -> tensor<3136x16xf32> {
  %e = tensor.empty() : tensor<3136x16xf32>
  %y = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel"]}
    ins(%x, %gate : tensor<3136x16xf32>, tensor<16xf32>) outs(%e : tensor<3136x16xf32>) {
  ^bb0(%in: f32, %g: f32, %out: f32):
    %0 = arith.mulf %in, %g : f32
    linalg.yield %0 : f32
  } -> tensor<3136x16xf32>
  return %y : tensor<3136x16xf32>
}
