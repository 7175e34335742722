// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// The inputs and constraints of `fusion.pool`, by their numbers in docs/Pool.md.

func.func @pool_i1_input_type(%x: tensor<2x9x7x5xf64>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{operand #0 must be}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf64>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_i1_input_integer(%x: tensor<2x9x7x5xi32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{operand #0 must be}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xi32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_i1_input_rank(%x: tensor<9x7xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{operand #0 must be}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<9x7xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_i2_init_type(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xi32>) {
  // expected-error@below {{operand #1 must be}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xi32>) -> tensor<2x4x6x5xi32>
  return
}

// -----

func.func @pool_i2_init_rank(%x: tensor<2x9x7x5xf32>, %e: tensor<2x1x4x1x6x5xf32>) {
  // expected-error@below {{operand #1 must be}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x1x4x1x6x5xf32>) -> tensor<2x1x4x1x6x5xf32>
  return
}

// -----

func.func @pool_i3_pooling_missing(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{requires attribute 'pooling'}}
  %r = fusion.pool {layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_i3_pooling_type(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{attribute 'pooling' failed to satisfy constraint}}
  %r = fusion.pool {pooling = "max", layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_i4_kernel_missing(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{requires attribute 'kernel'}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_i4_kernel_type(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{attribute 'kernel' failed to satisfy constraint}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i32: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_i5_strides_missing(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{requires attribute 'strides'}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_i6_pad_low_missing(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{requires attribute 'pad_low'}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_i7_pad_high_missing(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{requires attribute 'pad_high'}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_i8_layout_missing(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{requires attribute 'layout'}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_i8_layout_type(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{attribute 'layout' failed to satisfy constraint}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = 1, kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_o1_result_missing(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{must have a result on tensors}}
  fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>)
  return
}

// -----

func.func @pool_o1_result_type(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{result must have the type of 'init' ('tensor<2x4x6x5xf32>'), got 'tensor<2x4x6x4xf32>'}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x4xf32>
  return
}

// -----

func.func @pool_o1_result_of_a_memref(%x: memref<2x9x7x5xf32>, %e: memref<2x4x6x5xf32>) {
  // expected-error@below {{must have no result on memrefs}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : memref<2x9x7x5xf32>) outs(%e : memref<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c1_mixed_tensor_and_memref(%x: tensor<2x9x7x5xf32>, %e: memref<2x4x6x5xf32>) {
  // expected-error@below {{operands must be all tensors or all memrefs, got 'tensor<2x9x7x5xf32>' and 'memref<2x4x6x5xf32>'}}
  fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : memref<2x4x6x5xf32>)
  return
}

// -----

func.func @pool_c2_element_types(%x: tensor<2x9x7x5xbf16>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{'init' must have the element type of 'input' ('bf16'), got 'f32'}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xbf16>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c3_rank(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'init' must have the rank of 'input' (4), got 3}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @pool_c4_layout_letter(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{'layout' must have the letters "nchw", got "nhwf"}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwf", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c4_layout_twice(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{a layout must have each letter once, got "nhhc"}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhhc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c4_layout_rank(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{'layout' must have the letters "nchw", got "nwc"}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c4_layout_of_1d(%x: tensor<2x9x5xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error@below {{'layout' must have the letters "ncw", got "nhc"}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhc", kernel = array<i64: 1>, strides = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>}
         ins(%x : tensor<2x9x5xf32>) outs(%e : tensor<2x9x5xf32>) -> tensor<2x9x5xf32>
  return
}

// -----

func.func @pool_c5_kernel_count(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{'kernel' must have one element per spatial dimension (2), got 1}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c5_strides_count(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{'strides' must have one element per spatial dimension (2), got 3}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c5_pad_low_count(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{'pad_low' must have one element per spatial dimension (2), got 0}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c5_pad_high_count(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{'pad_high' must have one element per spatial dimension (2), got 1}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c6_kernel_of_zero(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{'kernel' must be at least 1, got 0}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 0>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c6_strides_of_zero(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{'strides' must be at least 1, got 0}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 0, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c6_negative_pad_low(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{'pad_low' must be at least 0, got -1}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: -1, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c6_negative_pad_high(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{'pad_high' must be at least 0, got -2}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, -2>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c7_pad_low(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{pads must be less than the kernel (3), got 3 and 0}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 3>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c7_pad_high(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{pads must be less than the kernel (4), got 0 and 4}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 4, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c8_batch(%x: tensor<2x9x7x5xf32>, %e: tensor<3x4x6x5xf32>) {
  // expected-error@below {{'init' must have size 2 in dimension 'n', got 3}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<3x4x6x5xf32>) -> tensor<3x4x6x5xf32>
  return
}

// -----

func.func @pool_c8_channels(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x6xf32>) {
  // expected-error@below {{'init' must have size 5 in dimension 'c', got 6}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  return
}

// -----

func.func @pool_c9_height(%x: tensor<2x9x7x5xf32>, %e: tensor<2x3x6x5xf32>) {
  // expected-error@below {{'init' must have size 4 in dimension 'h', got 3}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x3x6x5xf32>) -> tensor<2x3x6x5xf32>
  return
}

// -----

func.func @pool_c9_width(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x7x5xf32>) {
  // expected-error@below {{'init' must have size 6 in dimension 'w', got 7}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32>
  return
}

// -----

func.func @pool_c9_width_in_another_layout(%x: tensor<7x2x5x9xf32>, %e: tensor<5x2x5x4xf32>) {
  // expected-error@below {{'init' must have size 6 in dimension 'w', got 5}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "wnch", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<7x2x5x9xf32>) outs(%e : tensor<5x2x5x4xf32>) -> tensor<5x2x5x4xf32>
  return
}

// -----

func.func @pool_c9_kernel_that_does_not_fit(%x: tensor<2x9x7x5xf32>, %e: tensor<2x1x6x5xf32>) {
  // expected-error@below {{'init' must have size 0 in dimension 'h', got 1}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 11, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x1x6x5xf32>) -> tensor<2x1x6x5xf32>
  return
}

// -----

func.func @pool_c10_input_is_init(%x: memref<2x9x7x5xf32>, %e: memref<2x9x7x5xf32>) {
  // expected-error@below {{'init' must not be 'input'}}
  fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>}
         ins(%x : memref<2x9x7x5xf32>) outs(%x : memref<2x9x7x5xf32>)
  return
}

// -----

func.func @pool_i9_input_unsigned_type(%x: tensor<2x9x7x5xi8>, %e: tensor<2x4x6x5xi8>) {
  // expected-error@below {{attribute 'input_unsigned' failed to satisfy constraint: unit attribute}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>, input_unsigned = true}
         ins(%x : tensor<2x9x7x5xi8>) outs(%e : tensor<2x4x6x5xi8>) -> tensor<2x4x6x5xi8>
  return
}

// -----

func.func @pool_c2_integer_of_floats(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xi8>) {
  // expected-error@below {{'init' must have the element type of 'input' ('f32'), got 'i8'}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xi8>) -> tensor<2x4x6x5xi8>
  return
}

// -----

func.func @pool_c11_sum(%x: tensor<2x9x7x5xi8>, %e: tensor<2x4x6x5xi8>) {
  // expected-error@below {{'pooling' of i8 must be max}}
  %r = fusion.pool {pooling = #fusion.pooling<sum>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>}
         ins(%x : tensor<2x9x7x5xi8>) outs(%e : tensor<2x4x6x5xi8>) -> tensor<2x4x6x5xi8>
  return
}

// -----

func.func @pool_c11_sum_on_memrefs(%x: memref<2x9x7x5xi8>, %e: memref<2x4x6x5xi8>) {
  // expected-error@below {{'pooling' of i8 must be max}}
  fusion.pool {pooling = #fusion.pooling<sum>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>, input_unsigned}
      ins(%x : memref<2x9x7x5xi8>) outs(%e : memref<2x4x6x5xi8>)
  return
}

// -----

func.func @pool_c12_sign_of_a_float(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{'input_unsigned' must come with an i8 'input'}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>, input_unsigned}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}

// -----

func.func @pool_c9_large_pads(%x: tensor<2x9x7x5xf32>, %e: tensor<2x4x6x5xf32>) {
  // expected-error@below {{window and pads must have fewer than 2^63 elements in dimension 'w'}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 9223372036854775807>, strides = array<i64: 2, 1>, pad_low = array<i64: 0, 9223372036854775806>, pad_high = array<i64: 1, 9223372036854775806>}
         ins(%x : tensor<2x9x7x5xf32>) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}
