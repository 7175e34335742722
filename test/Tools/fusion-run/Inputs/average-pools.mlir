func.func @windows(%x: tensor<2x11x9x32xi8>) -> tensor<2x6x7x32xi8> {
  %iz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.avg_pool2d %x, %iz, %oz {kernel = array<i64: 2, 4>, stride = array<i64: 2, 1>, pad = array<i64: 0, 1, 1, 0>, acc_type = i32}
         : (tensor<2x11x9x32xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x6x7x32xi8>
  return %r : tensor<2x6x7x32xi8>
}

func.func @image(%x: tensor<1x7x5x32xi8>) -> tensor<1x1x1x32xi8> {
  %iz = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.avg_pool2d %x, %iz, %oz {kernel = array<i64: 7, 5>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, acc_type = i32}
         : (tensor<1x7x5x32xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x32xi8>
  return %r : tensor<1x1x1x32xi8>
}

func.func @large_image(%x: tensor<1x14x15x32xi8>) -> tensor<1x1x1x32xi8> {
  %iz = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.avg_pool2d %x, %iz, %oz {kernel = array<i64: 14, 15>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, acc_type = i32}
         : (tensor<1x14x15x32xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x32xi8>
  return %r : tensor<1x1x1x32xi8>
}
