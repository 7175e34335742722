func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = arith.addf %a, %a : tensor<3xf32>
  return %0 : tensor<3xf32>
}
