// The rows of a part of an image are not contiguous.
func.func @main(%image: tensor<60x60x1024xf32>) -> tensor<3x5x1024xf32> {
  %part = tensor.extract_slice %image[1, 2, 0] [3, 5, 1024] [1, 1, 1]
      : tensor<60x60x1024xf32> to tensor<3x5x1024xf32>
  %roots = math.sqrt %part : tensor<3x5x1024xf32>
  return %roots : tensor<3x5x1024xf32>
}
