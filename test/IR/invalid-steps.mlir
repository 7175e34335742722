// RUN: fusion-opt %s --split-input-file --verify-diagnostics

func.func @rank(%x: tensor<1x2x5x7xf32>) -> tensor<2x5x7xf32> {
  // expected-error@+1 {{result must have element type and rank of 'tensor<1x2x5x7xf32>', got 'tensor<2x5x7xf32>'}}
  %p = fusion.pad %x low [0, 0, 0, 0] high [0, 0, 0, 0] : tensor<1x2x5x7xf32> to tensor<2x5x7xf32>
  return %p : tensor<2x5x7xf32>
}

// -----

func.func @element_type(%x: tensor<2x5xf32>) -> tensor<2x5xbf16> {
  // expected-error@+1 {{result must have element type and rank of 'tensor<2x5xf32>', got 'tensor<2x5xbf16>'}}
  %p = fusion.insert_zeros %x strides [1, 1] low [0, 0] high [0, 0] : tensor<2x5xf32> to tensor<2x5xbf16>
  return %p : tensor<2x5xbf16>
}

// -----

func.func @too_few(%x: tensor<2x5xf32>) -> tensor<2x6xf32> {
  // expected-error@+1 {{expected 2 numbers, one a dimension, got 1}}
  %p = fusion.pad %x low [0, 1] high [0] : tensor<2x5xf32> to tensor<2x6xf32>
  return %p : tensor<2x6xf32>
}

// -----

func.func @stride(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  // expected-error@+1 {{stride of dimension 1 must be at least 1}}
  %p = fusion.insert_zeros %x strides [1, 0] low [0, 0] high [0, 0] : tensor<2x5xf32> to tensor<2x5xf32>
  return %p : tensor<2x5xf32>
}

// -----

func.func @size(%x: tensor<2x5xf32>) -> tensor<2x13xf32> {
  // expected-error@+1 {{dimension 1 must have size 12, got 13}}
  %p = fusion.insert_zeros %x strides [1, 2] low [0, 1] high [0, 2] : tensor<2x5xf32> to tensor<2x13xf32>
  return %p : tensor<2x13xf32>
}

// -----

func.func @overflow(%x: tensor<2x5xf32>) -> tensor<2x13xf32> {
  // expected-error@+1 {{size of dimension 1 must be less than 2^63}}
  %p = fusion.insert_zeros %x strides [1, 9223372036854775807] low [0, 1] high [0, 2] : tensor<2x5xf32> to tensor<2x13xf32>
  return %p : tensor<2x13xf32>
}
