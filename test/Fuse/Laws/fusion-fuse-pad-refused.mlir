// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefix=KEPT

// Padding that a convolution does not have: it stays, with one reason each.

// KEPT-COUNT-8: tensor.pad
// KEPT-NOT:     tensor.pad

func.func @other_number(%x: tensor<2x9x3xf32>, %w: tensor<3x3x5xf32>) -> tensor<2x10x5xf32> {
  %number = arith.constant 42.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x10x5xf32>
  %p = tensor.pad %x low[0, 1, 0] high[0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %number : f32
  } : tensor<2x9x3xf32> to tensor<2x12x3xf32>
  %r = linalg.conv_1d_nwc_wcf ins(%p, %w : tensor<2x12x3xf32>, tensor<3x3x5xf32>) outs(%z : tensor<2x10x5xf32>) -> tensor<2x10x5xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; 'tensor.pad' pads with 42, expected 0{{$}}
  return %r : tensor<2x10x5xf32>
}

func.func @number_known_at_run_time(%x: tensor<2x9x3xf32>, %w: tensor<3x3x5xf32>, %number: f32) -> tensor<2x10x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x10x5xf32>
  %p = tensor.pad %x low[0, 1, 0] high[0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %number : f32
  } : tensor<2x9x3xf32> to tensor<2x12x3xf32>
  %r = linalg.conv_1d_nwc_wcf ins(%p, %w : tensor<2x12x3xf32>, tensor<3x3x5xf32>) outs(%z : tensor<2x10x5xf32>) -> tensor<2x10x5xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; 'tensor.pad' pads with a value that is not constant, expected 0{{$}}
  return %r : tensor<2x10x5xf32>
}

func.func @number_depends_on_place(%x: tensor<2x9x3xf32>, %w: tensor<3x3x5xf32>) -> tensor<2x10x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x10x5xf32>
  %p = tensor.pad %x low[0, 1, 0] high[0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    %n = arith.index_cast %j : index to i32
    %v = arith.sitofp %n : i32 to f32
    tensor.yield %v : f32
  } : tensor<2x9x3xf32> to tensor<2x12x3xf32>
  %r = linalg.conv_1d_nwc_wcf ins(%p, %w : tensor<2x12x3xf32>, tensor<3x3x5xf32>) outs(%z : tensor<2x10x5xf32>) -> tensor<2x10x5xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; 'tensor.pad' pads with a value that is not constant, expected 0{{$}}
  return %r : tensor<2x10x5xf32>
}

// The last dimension is the channel here; with NCW it would be the columns.
func.func @channel(%x: tensor<2x12x1xf32>, %w: tensor<3x3x5xf32>) -> tensor<2x10x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x10x5xf32>
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x12x1xf32> to tensor<2x12x3xf32>
  %r = linalg.conv_1d_nwc_wcf ins(%p, %w : tensor<2x12x3xf32>, tensor<3x3x5xf32>) outs(%z : tensor<2x10x5xf32>) -> tensor<2x10x5xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; 'tensor.pad' pads dimension 2 of layout "nwc", which is not spatial{{$}}
  return %r : tensor<2x10x5xf32>
}

func.func @batch(%x: tensor<1x12x3xf32>, %w: tensor<3x3x5xf32>) -> tensor<2x10x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x10x5xf32>
  %p = tensor.pad %x low[1, 0, 0] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<1x12x3xf32> to tensor<2x12x3xf32>
  %r = linalg.conv_1d_nwc_wcf ins(%p, %w : tensor<2x12x3xf32>, tensor<3x3x5xf32>) outs(%z : tensor<2x10x5xf32>) -> tensor<2x10x5xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; 'tensor.pad' pads dimension 0 of layout "nwc", which is not spatial{{$}}
  return %r : tensor<2x10x5xf32>
}

func.func @dynamic_amount(%x: tensor<2x9x3xf32>, %w: tensor<3x3x5xf32>, %n: index, %s: tensor<2x?x5xf32>) -> tensor<2x?x5xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 0] high[0, %n, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x9x3xf32> to tensor<2x?x3xf32>
  %r = linalg.conv_1d_nwc_wcf ins(%p, %w : tensor<2x?x3xf32>, tensor<3x3x5xf32>) outs(%s : tensor<2x?x5xf32>) -> tensor<2x?x5xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: residual; unsupported: 'tensor.pad' pads dimension 1 by an amount known only at run time{{$}}
  return %r : tensor<2x?x5xf32>
}

func.func @negative(%x: tensor<2x14x3xf32>, %w: tensor<3x3x5xf32>) -> tensor<2x10x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x10x5xf32>
  %p = tensor.pad %x low[0, 1, 0] high[0, -3, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x14x3xf32> to tensor<2x12x3xf32>
  %r = linalg.conv_1d_nwc_wcf ins(%p, %w : tensor<2x12x3xf32>, tensor<3x3x5xf32>) outs(%z : tensor<2x10x5xf32>) -> tensor<2x10x5xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: 'tensor.pad' crops dimension 1{{$}}
  return %r : tensor<2x10x5xf32>
}

// The inner padding is by 1, the outer by 0: only the outer goes in.
func.func @outer_of_two(%x: tensor<2x9x3xf32>, %w: tensor<3x3x5xf32>) -> tensor<2x10x5xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x10x5xf32>
  %q = tensor.pad %x low[0, 1, 0] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %one : f32
  } : tensor<2x9x3xf32> to tensor<2x10x3xf32>
  %p = tensor.pad %q low[0, 0, 0] high[0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x10x3xf32> to tensor<2x12x3xf32>
  %r = linalg.conv_1d_nwc_wcf ins(%p, %w : tensor<2x12x3xf32>, tensor<3x3x5xf32>) outs(%z : tensor<2x10x5xf32>) -> tensor<2x10x5xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: pad; 'tensor.pad' pads with 1, expected 0{{$}}
  return %r : tensor<2x10x5xf32>
}
