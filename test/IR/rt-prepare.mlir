// RUN: fusion-opt %s --split-input-file --verify-diagnostics | fusion-opt --split-input-file | FileCheck %s

fusion.rt.create @conv #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0], bias = true, residual = f32, constant_filter = true>
fusion.rt.create @pool #fusion.pool_desc<
  pooling = max, input = <ncw, f32>, kernel = [2], strides = [1], pad_low = [0], pad_high = [0]>

// CHECK-LABEL: func @prepare(
func.func @prepare(%w: memref<5x3x2xf32>) {
  // CHECK-NEXT: fusion.rt.prepare @conv ins memref<1x3x9xf32> filter memref<5x3x2xf32> bias memref<5xf32> residual memref<1x5x8xf32> outs memref<1x5x8xf32> in_place packs(%{{.*}} : memref<5x3x2xf32>)
  fusion.rt.prepare @conv ins memref<1x3x9xf32> filter memref<5x3x2xf32> bias memref<5xf32>
    residual memref<1x5x8xf32> outs memref<1x5x8xf32> in_place packs(%w : memref<5x3x2xf32>)
  // CHECK-NEXT: fusion.rt.prepare @conv ins memref<1x3x9xf32, strided<[30, 10, 1], offset: ?>> filter memref<5x3x2xf32> bias memref<5xf32> residual memref<1x5x8xf32> outs memref<1x5x8xf32>{{$}}
  fusion.rt.prepare @conv ins memref<1x3x9xf32, strided<[30, 10, 1], offset: ?>> filter memref<5x3x2xf32> bias memref<5xf32>
    residual memref<1x5x8xf32> outs memref<1x5x8xf32>
  // CHECK-NEXT: fusion.rt.prepare @pool ins memref<1x3x9xf32> outs memref<1x3x8xf32>
  fusion.rt.prepare @pool ins memref<1x3x9xf32> outs memref<1x3x8xf32>
  return
}

// -----

func.func @nothing() {
  // expected-error@below {{'callee' must name a 'fusion.rt.create', got @nowhere}}
  fusion.rt.prepare @nowhere ins memref<1x3x9xf32> outs memref<1x3x8xf32>
  return
}

// -----

fusion.rt.create @plain #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0]>

func.func @no_filter() {
  // expected-error@below {{'filter_type' must be given exactly when plain has such an operand}}
  fusion.rt.prepare @plain ins memref<1x3x9xf32> outs memref<1x5x8xf32>
  return
}

// -----

fusion.rt.create @plain #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0]>

func.func @bias_not_described() {
  // expected-error@below {{'bias_type' must be given exactly when plain has such an operand}}
  fusion.rt.prepare @plain ins memref<1x3x9xf32> filter memref<5x3x2xf32> bias memref<5xf32> outs memref<1x5x8xf32>
  return
}

// -----

fusion.rt.create @plain #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0]>

func.func @residual_not_described() {
  // expected-error@below {{'residual_type' must be given exactly when plain has such an operand}}
  fusion.rt.prepare @plain ins memref<1x3x9xf32> filter memref<5x3x2xf32> residual memref<1x5x8xf32> outs memref<1x5x8xf32>
  return
}

// -----

func.func @dynamic_size() {
  // expected-error@below {{'init_type' must have static sizes and strides, got 'memref<1x5x?xf32>'}}
  fusion.rt.prepare @plain ins memref<1x3x9xf32> filter memref<5x3x2xf32> outs memref<1x5x?xf32>
  return
}

// -----

func.func @dynamic_stride() {
  // expected-error@below {{'input_type' must have static sizes and strides, got 'memref<1x3x9xf32, strided<[?, 9, 1]>>'}}
  fusion.rt.prepare @plain ins memref<1x3x9xf32, strided<[?, 9, 1]>> filter memref<5x3x2xf32> outs memref<1x5x8xf32>
  return
}

// -----

func.func @another_filter(%w: memref<5x3x1xf32>) {
  // expected-error@below {{'filter' must have the type 'filter_type', got 'memref<5x3x1xf32>'}}
  fusion.rt.prepare @plain ins memref<1x3x9xf32> filter memref<5x3x2xf32> outs memref<1x5x8xf32> packs(%w : memref<5x3x1xf32>)
  return
}

// -----

func.func @nothing_in_place() {
  // expected-error@below {{'in_place' must not be given without a residual}}
  fusion.rt.prepare @plain ins memref<1x3x9xf32> filter memref<5x3x2xf32> outs memref<1x5x8xf32> in_place
  return
}
