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

fusion.rt.create @plain #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0]>

func.func @bias_not_described(%x: memref<1x3x8xf32>, %w: memref<6x3x1xf32>, %b: memref<6xf32>, %y: memref<1x6x8xf32>) {
  // expected-error@below {{'bias' must be given exactly when plain has one}}
  fusion.rt.execute @plain ins(%x, %w : memref<1x3x8xf32>, memref<6x3x1xf32>) bias(%b : memref<6xf32>)
    outs(%y : memref<1x6x8xf32>)
  return
}

// -----

fusion.rt.create @biased #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0], bias = true>

func.func @bias_missing(%x: memref<1x3x8xf32>, %w: memref<6x3x1xf32>, %y: memref<1x6x8xf32>) {
  // expected-error@below {{'bias' must be given exactly when biased has one}}
  fusion.rt.execute @biased ins(%x, %w : memref<1x3x8xf32>, memref<6x3x1xf32>) outs(%y : memref<1x6x8xf32>)
  return
}

// -----

fusion.rt.create @plain #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0]>

func.func @residual_not_described(%x: memref<1x3x8xf32>, %w: memref<6x3x1xf32>, %y: memref<1x6x8xf32>) {
  // expected-error@below {{'residual' must be given exactly when plain has one}}
  fusion.rt.execute @plain ins(%x, %w : memref<1x3x8xf32>, memref<6x3x1xf32>) residual(%y : memref<1x6x8xf32>)
    outs(%y : memref<1x6x8xf32>)
  return
}

// -----

fusion.rt.create @summed #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0], residual = f32>

func.func @residual_missing(%x: memref<1x3x8xf32>, %w: memref<6x3x1xf32>, %y: memref<1x6x8xf32>) {
  // expected-error@below {{'residual' must be given exactly when summed has one}}
  fusion.rt.execute @summed ins(%x, %w : memref<1x3x8xf32>, memref<6x3x1xf32>) outs(%y : memref<1x6x8xf32>)
  return
}

// -----

fusion.rt.create @twice #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0]>
// expected-note@-3 {{see existing symbol definition here}}

// expected-error@below {{redefinition of symbol named 'twice'}}
fusion.rt.create @twice #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0]>

// -----

func.func @execute_on_tensors(%x: tensor<1x3x8xf32>, %w: tensor<6x3x1xf32>, %y: tensor<1x6x8xf32>) {
  // expected-error@below {{invalid kind of type specified}}
  fusion.rt.execute @plain ins(%x, %w : tensor<1x3x8xf32>, tensor<6x3x1xf32>) outs(%y : tensor<1x6x8xf32>)
  return
}

// -----

fusion.rt.create @pool #fusion.pool_desc<
  pooling = max, input = <ncw, f32>, kernel = [2], strides = [1], pad_low = [0], pad_high = [0]>

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

fusion.rt.create @plain #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0]>

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

// expected-error@below {{expected attribute value}}
fusion.rt.create @no_descriptor )

// -----

// expected-error@below {{attribute 'descriptor' failed to satisfy constraint: a call of the runtime that computes a convolution or a call of the runtime that computes a matrix multiplication or a call of the runtime that computes a pool}}
fusion.rt.create @another_attribute #fusion.layout<ncw>

// -----

// expected-error@below {{struct is missing required parameter: filter}}
fusion.rt.create @filter_missing #fusion.conv_desc<input = <ncw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{expected ','}}
// expected-error@below {{failed to parse Fusion_ConvDescAttr parameter 'input' which is to be a `::fusion::OperandAttr`}}
fusion.rt.create @type_missing #fusion.conv_desc<input = <ncw>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{an operand must have elements of f32, bf16, f16, si8, ui8 or si32, got 'f64'}}
// expected-error@below {{failed to parse Fusion_ConvDescAttr parameter 'init' which is to be a `::fusion::OperandAttr`}}
fusion.rt.create @type_of_an_operand #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f64>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'input' must have 3 to 5 dimensions, got 2}}
fusion.rt.create @too_few_dimensions #fusion.conv_desc<input = <nc, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'input' must have 3 to 5 dimensions, got 6}}
fusion.rt.create @too_many_dimensions #fusion.conv_desc<input = <ncdhwk, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'input' must have the dimensions "ncw", got "ncd"}}
fusion.rt.create @letters_of_the_input #fusion.conv_desc<input = <ncd, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'filter' must have the dimensions "fcw", got "fnw"}}
fusion.rt.create @letters_of_the_filter #fusion.conv_desc<input = <ncw, f32>, filter = <fnw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'init' must have the dimensions "ncw", got "fcw"}}
fusion.rt.create @letters_of_the_init #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <fcw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'strides' must have one element per spatial dimension (1), got 0}}
fusion.rt.create @strides_missing #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [], dilations = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'dilations' must have one element per spatial dimension (1), got 2}}
fusion.rt.create @dilations_of_another_rank #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1, 1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'strides' must be at least 1, got 0}}
fusion.rt.create @stride_of_zero #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [0], dilations = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'dilations' must be at least 1, got 0}}
fusion.rt.create @dilation_of_zero #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [0], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'pad_low' must be at least 0, got -1}}
fusion.rt.create @negative_pad_low #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [-1], pad_high = [0]>

// -----

// expected-error@below {{'pad_high' must have one element per spatial dimension (1), got 2}}
fusion.rt.create @two_pads #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0, 0]>

// -----

// expected-error@below {{'groups' must be at least 1, got 0}}
fusion.rt.create @no_groups #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0], groups = 0>

// -----

// expected-error@below {{'allow_winograd' must not be of a transposed convolution}}
fusion.rt.create @winograd_of_a_transposed_convolution #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0], transposed = true, allow_winograd = true>

// -----

// expected-error@below {{'residual_after_activation' must come with a residual and an activation}}
fusion.rt.create @residual_after_no_activation #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0], residual = f32, residual_after_activation = true>

// -----

// expected-error@below {{'residual_after_activation' must come with a residual and an activation}}
fusion.rt.create @no_residual_after_activation #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0], activation = <relu>, residual_after_activation = true>

// -----

// expected-error@below {{duplicate or unknown struct parameter name: pooling}}
fusion.rt.create @pooling_of_a_convolution #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0], pooling = max>

// -----

// expected-error@below {{duplicate or unknown struct parameter name: strides}}
fusion.rt.create @window_of_a_matmul #fusion.matmul_desc<input = <mk, f32>, filter = <kn, f32>, init = <mn, f32>, strides = [1]>

// -----

// expected-error@below {{'filter' must have dimensions of "bkn", got "mn"}}
fusion.rt.create @letters_of_a_matmul #fusion.matmul_desc<input = <mk, f32>, filter = <mn, f32>, init = <mn, f32>>

// -----

// expected-error@below {{'residual_after_activation' must come with a residual and an activation}}
fusion.rt.create @matmul_residual_after_no_activation #fusion.matmul_desc<input = <mk, f32>, filter = <kn, f32>, init = <mn, f32>, residual = f32, residual_after_activation = true>

// -----

// expected-error@below {{expected ','}}
fusion.rt.create @pool_without_pooling #fusion.pool_desc<input = <ncw, f32>, kernel = [2], strides = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{expected ','}}
fusion.rt.create @pool_without_kernel #fusion.pool_desc<pooling = max, input = <ncw, f32>, strides = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{duplicate or unknown struct parameter name: filter}}
fusion.rt.create @pool_with_a_filter #fusion.pool_desc<pooling = max, input = <ncw, f32>, filter = <fcw, f32>, kernel = [2], strides = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'kernel' must have one element per spatial dimension (1), got 2}}
fusion.rt.create @kernel_of_another_rank #fusion.pool_desc<pooling = max, input = <ncw, f32>, kernel = [2, 2], strides = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'kernel' must be at least 1, got 0}}
fusion.rt.create @kernel_of_zero #fusion.pool_desc<pooling = max, input = <ncw, f32>, kernel = [0], strides = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'strides' must be at least 1, got 0}}
fusion.rt.create @strides_of_a_pool #fusion.pool_desc<pooling = max, input = <ncw, f32>, kernel = [2], strides = [0], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'pad_low' must be at least 0, got -1}}
fusion.rt.create @low_pads_of_a_pool #fusion.pool_desc<pooling = max, input = <ncw, f32>, kernel = [2], strides = [1], pad_low = [-1], pad_high = [0]>

// -----

// expected-error@below {{'pad_high' must be at least 0, got -1}}
fusion.rt.create @high_pads_of_a_pool #fusion.pool_desc<pooling = max, input = <ncw, f32>, kernel = [2], strides = [1], pad_low = [0], pad_high = [-1]>

// -----

// expected-error@below {{'input' must have the dimensions "ncw", got "fcw"}}
fusion.rt.create @letters_of_a_pool #fusion.pool_desc<pooling = max, input = <fcw, f32>, kernel = [2], strides = [1], pad_low = [0], pad_high = [0]>

// -----

fusion.rt.create @plain #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0]>

func.func @other_rank(%x: memref<1x3x8xf32>, %w: memref<6x3xf32>, %y: memref<1x6x8xf32>) {
  // expected-error@below {{'filter' must have rank 3 and elements of type 'f32', as @plain says, got 'memref<6x3xf32>'}}
  fusion.rt.execute @plain ins(%x, %w : memref<1x3x8xf32>, memref<6x3xf32>) outs(%y : memref<1x6x8xf32>)
  return
}

// -----

fusion.rt.create @plain #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0]>

func.func @other_elements(%x: memref<1x3x8xbf16>, %w: memref<6x3x1xf32>, %y: memref<1x6x8xf32>) {
  // expected-error@below {{'input' must have rank 3 and elements of type 'f32', as @plain says, got 'memref<1x3x8xbf16>'}}
  fusion.rt.execute @plain ins(%x, %w : memref<1x3x8xbf16>, memref<6x3x1xf32>) outs(%y : memref<1x6x8xf32>)
  return
}

// -----

fusion.rt.create @plain #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0]>

func.func @prepare_other_rank() {
  // expected-error@below {{'init_type' must have rank 3 and elements of type 'f32', as @plain says, got 'memref<2xf32>'}}
  fusion.rt.prepare @plain ins memref<1x3x8xf32> filter memref<6x3x1xf32> outs memref<2xf32>
  return
}

// -----

// expected-error@below {{'residual' must have the element type of 'init' ('f32') or f32, got 'f64'}}
fusion.rt.create @residual #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0], residual = f64>
