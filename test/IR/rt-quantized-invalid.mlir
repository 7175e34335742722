// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// Calls of the runtime on integers of 8 bits: what they refuse.

// expected-error@below {{'input' must be of floats without a quantization, got 'si8'}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, f32>>

// -----

// expected-error@below {{'filter' must be of floats without a quantization, got 'si8'}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, f32>, filter = <nk, si8>, init = <mn, f32>>

// -----

// expected-error@below {{'init' must be of floats without a quantization, got 'si32'}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, f32>, filter = <nk, f32>, init = <mn, si32>>

// -----

// expected-error@below {{'input' must be of si8 or ui8 with a quantization, got 'f32'}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, f32>, filter = <nk, si8>, init = <mn, f32>, quantization = <>>

// -----

// expected-error@below {{'input' must be of si8 or ui8 with a quantization, got 'si32'}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si32>, filter = <nk, si8>, init = <mn, f32>, quantization = <>>

// -----

// expected-error@below {{'filter' must be of si8 with a quantization, got 'ui8'}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, ui8>, init = <mn, f32>, quantization = <>>

// -----

// expected-error@below {{'residual' must be si8, ui8 or f32 with a quantization, got 'bf16'}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, bf16>, residual = bf16, quantization = <>>

// -----

// expected-error@+2 {{failed to parse Fusion_MatmulDescAttr parameter 'input'}}
// expected-error@below {{an operand must have elements of f32, bf16, f16, si8, ui8 or si32, got 'i8'}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, i8>, filter = <nk, si8>, init = <mn, f32>, quantization = <>>

// -----

// expected-error@below {{'integer_bias' must come with a bias}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, f32>, quantization = <integer_bias = true>>

// -----

// expected-error@below {{'constant_scale' must come with a scale or a bias}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, f32>, quantization = <constant_scale = true>>

// -----

// expected-error@below {{'init' of si32 must come without a scale, an f32 bias, a residual and an activation}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, si32>, quantization = <scale = true>>

// -----

// expected-error@below {{'init' of si32 must come without a scale, an f32 bias, a residual and an activation}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, si32>, bias = true, quantization = <>>

// -----

// expected-error@below {{'init' of si32 must come without a scale, an f32 bias, a residual and an activation}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, si32>, residual = si8, quantization = <>>

// -----

// expected-error@below {{'init' of si32 must come without a scale, an f32 bias, a residual and an activation}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, si32>, activation = <relu>, quantization = <>>

// -----

// expected-error@below {{'residual_after_activation' must come with a residual and an activation}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, f32>, residual = si8, residual_after_activation = true, quantization = <>>

// -----

// expected-error@+2 {{failed to parse Fusion_MatmulDescAttr parameter 'quantization'}}
// expected-error@below {{'residual_scale' must be a number in f32, got 5.000000e-01 : f64}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, f32>, quantization = <residual_scale = 0.5 : f64>>

// -----

// expected-error@+2 {{failed to parse Fusion_MatmulDescAttr parameter 'quantization'}}
// expected-error@below {{'output_scale' must be a number in f32, got 0x7FC00000 : f32}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, f32>, quantization = <output_scale = 0x7FC00000 : f32>>

// -----

// expected-error@below {{'quantization' must not come with 'transposed' or 'allow_winograd'}}
fusion.rt.create @site #fusion.conv_desc<input = <ncw, si8>, filter = <fcw, si8>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0], transposed = true, quantization = <>>

// -----

// expected-error@below {{'quantization' must not come with 'transposed' or 'allow_winograd'}}
fusion.rt.create @site #fusion.conv_desc<input = <ncw, si8>, filter = <fcw, si8>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0], allow_winograd = true, quantization = <>>

// -----

// expected-error@below {{'input' must be of floats, or of si8 or ui8 for a maximum, got 'ui8'}}
fusion.rt.create @site #fusion.pool_desc<pooling = sum, input = <ncw, ui8>, kernel = [2], strides = [1], pad_low = [0], pad_high = [0]>

// -----

// expected-error@below {{'input' must be of floats, or of si8 or ui8 for a maximum, got 'si32'}}
fusion.rt.create @site #fusion.pool_desc<pooling = max, input = <ncw, si32>, kernel = [2], strides = [1], pad_low = [0], pad_high = [0]>

// -----

fusion.rt.create @site #fusion.matmul_desc<
  input = <mk, ui8>, filter = <nk, si8>, init = <mn, si8>, bias = true,
  quantization = <integer_bias = true, scale = true>>

func.func @scale_missing(%x: memref<4x7xi8>, %w: memref<5x7xi8>, %b: memref<5xi32>, %c: memref<5xf32>, %s: memref<5xf32>, %y: memref<4x5xi8>) {
  // expected-error@below {{'scale' must be given exactly when site has one}}
  fusion.rt.execute @site ins(%x, %w : memref<4x7xi8>, memref<5x7xi8>) bias(%b : memref<5xi32>) outs(%y : memref<4x5xi8>)
  return
}

// -----

fusion.rt.create @site #fusion.matmul_desc<
  input = <mk, ui8>, filter = <nk, si8>, init = <mn, si8>, bias = true,
  quantization = <integer_bias = true, scale = true>>

func.func @another_bias(%x: memref<4x7xi8>, %w: memref<5x7xi8>, %b: memref<5xi32>, %c: memref<5xf32>, %s: memref<5xf32>, %y: memref<4x5xi8>) {
  // expected-error@below {{'bias' must have rank 1 and elements of type 'i32', as @site says, got 'memref<5xf32>'}}
  fusion.rt.execute @site ins(%x, %w : memref<4x7xi8>, memref<5x7xi8>) bias(%c : memref<5xf32>) scale(%s : memref<5xf32>) outs(%y : memref<4x5xi8>)
  return
}

// -----

fusion.rt.create @site #fusion.matmul_desc<
  input = <mk, ui8>, filter = <nk, si8>, init = <mn, si8>, bias = true,
  quantization = <integer_bias = true, scale = true>>

func.func @another_scale(%x: memref<4x7xi8>, %w: memref<5x7xi8>, %b: memref<5xi32>, %c: memref<5xf32>, %s: memref<5xf32>, %y: memref<4x5xi8>) {
  // expected-error@below {{'scale' must have rank 1 and elements of type 'f32', as @site says, got 'memref<5xi32>'}}
  fusion.rt.execute @site ins(%x, %w : memref<4x7xi8>, memref<5x7xi8>) bias(%b : memref<5xi32>) scale(%b : memref<5xi32>) outs(%y : memref<4x5xi8>)
  return
}

// -----

fusion.rt.create @site #fusion.matmul_desc<
  input = <mk, ui8>, filter = <nk, si8>, init = <mn, si8>, bias = true,
  quantization = <integer_bias = true, scale = true>>

func.func @another_input(%u: memref<?x?xui8>, %w: memref<5x7xi8>, %b: memref<5xi32>, %c: memref<5xf32>, %s: memref<5xf32>, %y: memref<4x5xi8>) {
  // expected-error@below {{'input' must have rank 2 and elements of type 'i8', as @site says, got 'memref<?x?xui8>'}}
  fusion.rt.execute @site ins(%u, %w : memref<?x?xui8>, memref<5x7xi8>) bias(%b : memref<5xi32>) scale(%s : memref<5xf32>) outs(%y : memref<4x5xi8>)
  return
}

// -----

fusion.rt.create @site #fusion.matmul_desc<
  input = <mk, ui8>, filter = <nk, si8>, init = <mn, si8>, bias = true,
  quantization = <integer_bias = true, scale = true>>

func.func @scale_type_missing(%x: memref<4x7xi8>, %w: memref<5x7xi8>, %b: memref<5xi32>, %c: memref<5xf32>, %s: memref<5xf32>, %y: memref<4x5xi8>) {
  // expected-error@below {{'scale_type' must be given exactly when site has such an operand}}
  fusion.rt.prepare @site ins memref<4x7xi8> filter memref<5x7xi8> bias memref<5xi32> outs memref<4x5xi8>
  return
}

// -----

fusion.rt.create @site #fusion.matmul_desc<
  input = <mk, ui8>, filter = <nk, si8>, init = <mn, si8>, bias = true,
  quantization = <integer_bias = true, scale = true>>

func.func @another_bias_type(%x: memref<4x7xi8>, %w: memref<5x7xi8>, %b: memref<5xi32>, %c: memref<5xf32>, %s: memref<5xf32>, %y: memref<4x5xi8>) {
  // expected-error@below {{'bias_type' must have rank 1 and elements of type 'i32', as @site says, got 'memref<5xf32>'}}
  fusion.rt.prepare @site ins memref<4x7xi8> filter memref<5x7xi8> bias memref<5xf32> scale memref<5xf32> outs memref<4x5xi8>
  return
}

// -----

fusion.rt.create @site #fusion.matmul_desc<
  input = <mk, ui8>, filter = <nk, si8>, init = <mn, si8>, bias = true,
  quantization = <integer_bias = true, scale = true>>

func.func @another_scale_type(%x: memref<4x7xi8>, %w: memref<5x7xi8>, %b: memref<5xi32>, %c: memref<5xf32>, %s: memref<5xf32>, %y: memref<4x5xi8>) {
  // expected-error@below {{'scale_type' must have rank 1 and elements of type 'f32', as @site says, got 'memref<5x1xf32>'}}
  fusion.rt.prepare @site ins memref<4x7xi8> filter memref<5x7xi8> bias memref<5xi32> scale memref<5x1xf32> outs memref<4x5xi8>
  return
}

// -----

fusion.rt.create @site #fusion.matmul_desc<
  input = <mk, ui8>, filter = <nk, si8>, init = <mn, si8>, bias = true,
  quantization = <integer_bias = true, scale = true>>

func.func @dynamic_scale_type(%x: memref<4x7xi8>, %w: memref<5x7xi8>, %b: memref<5xi32>, %c: memref<5xf32>, %s: memref<5xf32>, %y: memref<4x5xi8>) {
  // expected-error@below {{'scale_type' must have static sizes and strides, got 'memref<?xf32>'}}
  fusion.rt.prepare @site ins memref<4x7xi8> filter memref<5x7xi8> bias memref<5xi32> scale memref<?xf32> outs memref<4x5xi8>
  return
}

// -----

// expected-error@below {{'round_activation' must come with 'residual_after_activation', and 'init' of si8 or ui8}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, si8>, activation = <relu>, residual = si8, quantization = <round_activation = true>>

// -----

// expected-error@below {{'round_activation' must come with 'residual_after_activation', and 'init' of si8 or ui8}}
fusion.rt.create @site #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, f32>, activation = <relu>, residual = si8, residual_after_activation = true, quantization = <round_activation = true>>
