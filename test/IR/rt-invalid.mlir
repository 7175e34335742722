// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// The ops that stand for calls of the runtime library: what they refuse.

func.func @execute_of_nothing(%x: memref<1x3x8xf32>, %w: memref<6x3x1xf32>, %y: memref<1x6x8xf32>) {
  // expected-error@below {{'callee' must name a 'fusion.rt.create', got @nowhere}}
  fusion.rt.execute @nowhere ins(%x, %w : memref<1x3x8xf32>, memref<6x3x1xf32>) outs(%y : memref<1x6x8xf32>)
  return
}

// -----

func.func private @function()

func.func @execute_of_a_function(%x: memref<1x3x8xf32>, %w: memref<6x3x1xf32>, %y: memref<1x6x8xf32>) {
  // expected-error@below {{'callee' must name a 'fusion.rt.create', got @function}}
  fusion.rt.execute @function ins(%x, %w : memref<1x3x8xf32>, memref<6x3x1xf32>) outs(%y : memref<1x6x8xf32>)
  return
}

// -----

func.func @release_of_nothing() {
  // expected-error@below {{'callee' must name a 'fusion.rt.create', got @nowhere}}
  fusion.rt.release @nowhere
  return
}

// -----

fusion.rt.create @plain {
  strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
  input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32}

func.func @bias_not_described(%x: memref<1x3x8xf32>, %w: memref<6x3x1xf32>, %b: memref<6xf32>, %y: memref<1x6x8xf32>) {
  // expected-error@below {{'bias' must be given exactly when plain has one}}
  fusion.rt.execute @plain ins(%x, %w : memref<1x3x8xf32>, memref<6x3x1xf32>) bias(%b : memref<6xf32>)
    outs(%y : memref<1x6x8xf32>)
  return
}

// -----

fusion.rt.create @biased {
  strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
  input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32, has_bias}

func.func @bias_missing(%x: memref<1x3x8xf32>, %w: memref<6x3x1xf32>, %y: memref<1x6x8xf32>) {
  // expected-error@below {{'bias' must be given exactly when biased has one}}
  fusion.rt.execute @biased ins(%x, %w : memref<1x3x8xf32>, memref<6x3x1xf32>) outs(%y : memref<1x6x8xf32>)
  return
}

// -----

fusion.rt.create @plain {
  strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
  input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32}

func.func @residual_not_described(%x: memref<1x3x8xf32>, %w: memref<6x3x1xf32>, %y: memref<1x6x8xf32>) {
  // expected-error@below {{'residual' must be given exactly when plain has one}}
  fusion.rt.execute @plain ins(%x, %w : memref<1x3x8xf32>, memref<6x3x1xf32>) residual(%y : memref<1x6x8xf32>)
    outs(%y : memref<1x6x8xf32>)
  return
}

// -----

fusion.rt.create @summed {
  strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
  input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32, residual_type = f32}

func.func @residual_missing(%x: memref<1x3x8xf32>, %w: memref<6x3x1xf32>, %y: memref<1x6x8xf32>) {
  // expected-error@below {{'residual' must be given exactly when summed has one}}
  fusion.rt.execute @summed ins(%x, %w : memref<1x3x8xf32>, memref<6x3x1xf32>) outs(%y : memref<1x6x8xf32>)
  return
}

// -----

fusion.rt.create @twice {
  strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
  input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32}
// expected-note@-3 {{see existing symbol definition here}}

// expected-error@below {{redefinition of symbol named 'twice'}}
fusion.rt.create @twice {
  strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
  input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32}

// -----

// expected-error@below {{requires attribute 'input_type'}}
fusion.rt.create @type_missing {
  strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
  input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", filter_type = f32, init_type = f32}

// -----

func.func @execute_on_tensors(%x: tensor<1x3x8xf32>, %w: tensor<6x3x1xf32>, %y: tensor<1x6x8xf32>) {
  // expected-error@below {{invalid kind of type specified}}
  fusion.rt.execute @plain ins(%x, %w : tensor<1x3x8xf32>, tensor<6x3x1xf32>) outs(%y : tensor<1x6x8xf32>)
  return
}

// -----

// expected-error@below {{'strides' must have 1 to 3 elements for 'conv', got 0}}
fusion.rt.create @window_missing {input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32}

// -----

// expected-error@below {{'strides' must have no element for 'matmul', got 1}}
fusion.rt.create @window_of_a_matmul {kind = #fusion.call<matmul>, strides = array<i64: 1>, input_layout = "mk", filter_layout = "kn", output_layout = "mn", input_type = f32, filter_type = f32, init_type = f32}

// -----

// expected-error@below {{'pad_high' must have as many elements as 'strides' (1), got 2}}
fusion.rt.create @paddings {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0, 0>, input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32}

// -----

// expected-error@below {{'pooling' and 'kernel' must be given exactly for 'pool', with 1 elements}}
fusion.rt.create @pooling_of_a_convolution {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, pooling = #fusion.pooling<max>, input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32}

// -----

// expected-error@below {{'pooling' and 'kernel' must be given exactly for 'pool', with 1 elements}}
fusion.rt.create @pool_without_pooling {kind = #fusion.call<pool>, strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, kernel = array<i64: 2>, input_layout = "ncw", output_layout = "ncw", input_type = f32, init_type = f32}

// -----

// expected-error@below {{'pooling' and 'kernel' must be given exactly for 'pool', with 1 elements}}
fusion.rt.create @kernel_of_another_rank {kind = #fusion.call<pool>, strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, pooling = #fusion.pooling<max>, kernel = array<i64: 2, 2>, input_layout = "ncw", output_layout = "ncw", input_type = f32, init_type = f32}

// -----

// expected-error@below {{'filter_type' and 'filter_layout' must be given exactly for ops with a filter}}
fusion.rt.create @pool_with_a_filter {kind = #fusion.call<pool>, strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, pooling = #fusion.pooling<max>, kernel = array<i64: 2>, input_layout = "ncw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32}

// -----

// expected-error@below {{'filter_type' and 'filter_layout' must be given exactly for ops with a filter}}
fusion.rt.create @convolution_without_filter_layout {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "ncw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32}

// -----

// expected-error@below {{'strides' must have 1 to 3 elements for 'pool', got 0}}
fusion.rt.create @pool_without_a_window {kind = #fusion.call<pool>, pooling = #fusion.pooling<max>, input_layout = "ncw", output_layout = "ncw", input_type = f32, init_type = f32}

// -----

fusion.rt.create @pool {kind = #fusion.call<pool>, strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, pooling = #fusion.pooling<max>, kernel = array<i64: 2>, input_layout = "ncw", output_layout = "ncw", input_type = f32, init_type = f32}

func.func @filter_of_a_pool(%x: memref<1x3x8xf32>, %w: memref<6x3x1xf32>, %y: memref<1x3x7xf32>) {
  // expected-error@below {{'filter' must be given exactly when pool has one}}
  fusion.rt.execute @pool ins(%x, %w : memref<1x3x8xf32>, memref<6x3x1xf32>) outs(%y : memref<1x3x7xf32>)
  return
}

// -----

func.func @dynamic_arena() {
  // expected-error@+1 {{'fusion.rt.arena_begin' op 'size' must be given exactly when that of the result is dynamic, got 'memref<?xi8>'}}
  %a = fusion.rt.arena_begin : memref<?xi8>
  return
}

// -----

fusion.rt.create @plain {
  strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
  input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32}

func.func @filter_missing(%x: memref<1x3x8xf32>, %y: memref<1x6x8xf32>) {
  // expected-error@below {{'filter' must be given exactly when plain has one}}
  fusion.rt.execute @plain ins(%x : memref<1x3x8xf32>) outs(%y : memref<1x6x8xf32>)
  return
}

// -----

func.func @size_of_a_static_arena(%n: index) {
  // expected-error@+1 {{'fusion.rt.arena_begin' op 'size' must be given exactly when that of the result is dynamic, got 'memref<64xi8>'}}
  %a = fusion.rt.arena_begin(%n) : memref<64xi8>
  return
}

// -----

func.func @strided_arena(%n: index) {
  // expected-error@+1 {{'fusion.rt.arena_begin' op result must have no layout, got 'memref<64xi8, strided<[2]>>'}}
  %a = fusion.rt.arena_begin : memref<64xi8, strided<[2]>>
  return
}

// -----

func.func @arena_of_words() {
  // expected-error@+1 {{'fusion.rt.arena_begin' op result #0 must be 1D memref of 8-bit signless integer values}}
  %a = fusion.rt.arena_begin : memref<4xi32>
  return
}

// -----

// expected-error@+1 {{'pooling' and 'kernel' must be given exactly for 'pool', with 1 elements}}
fusion.rt.create @pool_without_kernel {kind = #fusion.call<pool>, strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "ncw", output_layout = "ncw", input_type = f32, init_type = f32}

// -----

// expected-error@+1 {{'filter_type' and 'filter_layout' must be given exactly for ops with a filter}}
fusion.rt.create @conv_without_filter {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "ncw", output_layout = "ncw", input_type = f32, init_type = f32}

// -----

// expected-error@+1 {{'fusion.allow_winograd' must be a unit attribute of a 'conv', got true of a 'conv'}}
fusion.rt.create @winograd_that_is_no_unit {fusion.allow_winograd = true, strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32}

// -----

// expected-error@+1 {{'fusion.allow_winograd' must be a unit attribute of a 'conv', got unit of a 'deconv'}}
fusion.rt.create @winograd_of_a_deconv {fusion.allow_winograd, kind = #fusion.call<deconv>, strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32}

// -----

// expected-error@below {{'residual_after_activation' must come with a residual and an activation}}
fusion.rt.create @residual_after_no_activation {
  strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
  input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32,
  residual_type = f32, residual_after_activation}

// -----

// expected-error@below {{'residual_after_activation' must come with a residual and an activation}}
fusion.rt.create @no_residual_after_activation {
  strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
  input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", input_type = f32, filter_type = f32, init_type = f32,
  activation = #fusion.activation<relu>, residual_after_activation}
