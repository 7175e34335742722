// RUN: fusion-opt %s --split-input-file --convert-fusion-to-runtime | FileCheck %s

// Without a name of its own the module is called "module".
// CHECK:      fusion.rt.create
// CHECK:      func.func @_fusion_release_module()
func.func @f(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// -----

// A module without fusion ops does not change.
// CHECK-LABEL: func @nothing_to_do(
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NOT:   fusion
func.func @nothing_to_do() {
  return
}

// -----

// The names of call sites differ from those in the module.
// CHECK-LABEL: func @fusion_conv(
// CHECK:         fusion.rt.execute @[[SITE:fusion_conv_[0-9]+]] ins(
// CHECK:       fusion.rt.create @[[SITE]]
func.func @fusion_conv(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// -----

// nan_mode = propagate: relu stays behind as a loop over the result, tanh does not,
// and under `fast` neither.
// CHECK-LABEL: func @nan_modes(
// CHECK-SAME:    %[[Y:[a-z0-9]*]]: memref<1x5x8xf32>)
// CHECK-NEXT:    fusion.rt.execute @[[RELU:.*]] ins({{.*}} outs(%[[Y]] :
// CHECK-NEXT:    linalg.generic {{.*}} outs(%[[Y]] : memref<1x5x8xf32>) {
// CHECK:           arith.maximumf
// CHECK:         fusion.rt.execute @[[TANH:.*]] ins(
// CHECK-NEXT:    fusion.rt.execute @[[FAST:.*]] ins(
// CHECK-NEXT:    return
// CHECK:       fusion.rt.create @[[RELU]] #fusion.conv_desc<{{.*}}pad_high = [0]> {sym
// CHECK:       fusion.rt.create @[[TANH]] #fusion.conv_desc<{{.*}}activation = <tanh>>
// CHECK:       fusion.rt.create @[[FAST]] #fusion.conv_desc<{{.*}}activation = <relu>>
func.func @nan_modes(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<relu>, nan_mode = #fusion.nan<propagate>}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<tanh>, nan_mode = #fusion.nan<propagate>}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<relu>}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// -----

// In bf16 the activation that stays outside rounds a second time.
// CHECK-LABEL: func @nan_mode_bf16(
// CHECK:         fusion.rt.execute
// CHECK-NEXT:    linalg.generic
// CHECK:           arith.extf %{{.*}} : bf16 to f32
// CHECK:           arith.truncf %{{.*}} : f32 to bf16
// CHECK:       fusion.rt.create {{.*}}input = <ncw, bf16>, {{.*}}init = <ncw, bf16>
func.func @nan_mode_bf16(%x: memref<1x3x9xbf16>, %w: memref<5x3x2xbf16>, %y: memref<1x5x8xbf16>) {
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<relu>, nan_mode = #fusion.nan<propagate>}
      ins(%x, %w : memref<1x3x9xbf16>, memref<5x3x2xbf16>) outs(%y : memref<1x5x8xbf16>)
  return
}

// -----

// A module inside a module: the call site stands where its function finds it.
// CHECK:       module @inner {
// CHECK-NEXT:    func.func @f(
// CHECK-NEXT:      fusion.rt.execute @[[SITE:.*]] ins(
// CHECK:         fusion.rt.create @[[SITE]]
// CHECK:         func.func @_fusion_release_inner()
module @outer {
  module @inner {
    func.func @f(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
      fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
          input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
          ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
      return
    }
  }
}
