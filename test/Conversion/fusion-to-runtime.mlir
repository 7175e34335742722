// RUN: fusion-opt %s --convert-fusion-to-runtime | FileCheck %s
// RUN: fusion-opt %s --convert-fusion-to-runtime | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --convert-fusion-to-runtime --convert-fusion-to-runtime | FileCheck %s

// Each fusion op becomes a call site at the end of the module and an execution in
// its place. A filter that never changes is marked, so that it is packed once.

module @net {

memref.global "private" constant @weights : memref<5x3x2xf32> = dense<1.5>
memref.global "private" @variable : memref<5x3x2xf32> = dense<1.5>
memref.global "private" constant @flat : memref<30xf32> = dense<1.5>

// CHECK-LABEL: func @argument(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<1x3x9xf32>, %[[W:[a-z0-9]*]]: memref<5x3x2xf32>, %[[B:[a-z0-9]*]]: memref<5xf32>, %[[S:[a-z0-9]*]]: memref<1x5x8xf32>, %[[Y:[a-z0-9]*]]: memref<1x5x8xf32>)
// CHECK-NEXT:    fusion.rt.execute @[[$ARGUMENT:[a-z_0-9]+]] ins(%[[X]], %[[W]] : memref<1x3x9xf32>, memref<5x3x2xf32>) bias(%[[B]] : memref<5xf32>) residual(%[[S]] : memref<1x5x8xf32>) outs(%[[Y]] : memref<1x5x8xf32>)
// CHECK-NEXT:    return
func.func @argument(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %b: memref<5xf32>, %s: memref<1x5x8xf32>, %y: memref<1x5x8xf32>) {
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<clip, 0.0, 6.0>}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) bias(%b : memref<5xf32>) residual(%s : memref<1x5x8xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// CHECK-LABEL: func @constant_argument(
// CHECK:         fusion.rt.execute @[[$CONSTANT_ARGUMENT:[a-z_0-9]+]] ins(
func.func @constant_argument(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32> {fusion.constant}, %y: memref<1x5x8xf32>) {
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// Only the filter counts: nothing packs a constant input.
// CHECK-LABEL: func @constant_input(
// CHECK:         fusion.rt.execute @[[$CONSTANT_INPUT:[a-z_0-9]+]] ins(
func.func @constant_input(%x: memref<1x3x9xf32> {fusion.constant}, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// CHECK-LABEL: func @global(
// CHECK:         fusion.rt.execute @[[$GLOBAL:[a-z_0-9]+]] ins(
func.func @global(%x: memref<1x3x9xf32>, %y: memref<1x5x8xf32>) {
  %w = memref.get_global @weights : memref<5x3x2xf32>
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// CHECK-LABEL: func @variable_global(
// CHECK:         fusion.rt.execute @[[$VARIABLE:[a-z_0-9]+]] ins(
func.func @variable_global(%x: memref<1x3x9xf32>, %y: memref<1x5x8xf32>) {
  %w = memref.get_global @variable : memref<5x3x2xf32>
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// CHECK-LABEL: func @global_behind_reshape(
// CHECK:         fusion.rt.execute @[[$RESHAPED:[a-z_0-9]+]] ins(
func.func @global_behind_reshape(%x: memref<1x3x9xf32>, %y: memref<1x5x8xf32>) {
  %f = memref.get_global @flat : memref<30xf32>
  %w = memref.expand_shape %f [[0, 1, 2]] output_shape [5, 3, 2] : memref<30xf32> into memref<5x3x2xf32>
  %d = memref.cast %w : memref<5x3x2xf32> to memref<?x3x2xf32>
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %d : memref<1x3x9xf32>, memref<?x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// An argument of an inner block is none of the function.
// CHECK-LABEL: func @loop_argument(
// CHECK:         scf.for
// CHECK:           fusion.rt.execute @[[$LOOP:[a-z_0-9]+]] ins(
func.func @loop_argument(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32> {fusion.constant}, %v: memref<5x3x2xf32>, %y: memref<1x5x8xf32>, %n: index) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %l = scf.for %i = %i0 to %n step %i1 iter_args(%f = %w) -> memref<5x3x2xf32> {
    fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
        input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
        ins(%x, %f : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
    scf.yield %v : memref<5x3x2xf32>
  }
  return
}

// CHECK:      fusion.rt.create @[[$ARGUMENT]] #fusion.conv_desc<input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [0], pad_high = [0], bias = true, activation = <clip, 0.000000e+00, 6.000000e+00>, residual = f32>{{.*}}
// CHECK-NEXT: fusion.rt.create @[[$CONSTANT_ARGUMENT]] #fusion.conv_desc<{{.*}}pad_high = [0], constant_filter = true>
// CHECK-NOT:    has_bias
// CHECK-NOT:    residual_type
// CHECK-NEXT: fusion.rt.create @[[$CONSTANT_INPUT]] #fusion.conv_desc<{{.*}}pad_high = [0]> {sym
// CHECK-NEXT: fusion.rt.create @[[$GLOBAL]] #fusion.conv_desc<{{.*}}pad_high = [0], constant_filter = true>
// CHECK-NEXT: fusion.rt.create @[[$VARIABLE]] #fusion.conv_desc<{{.*}}pad_high = [0]> {sym
// CHECK-NEXT: fusion.rt.create @[[$RESHAPED]] #fusion.conv_desc<{{.*}}pad_high = [0], constant_filter = true>
// CHECK-NEXT: fusion.rt.create @[[$LOOP]] #fusion.conv_desc<{{.*}}pad_high = [0]> {sym

// CHECK:      func.func @_fusion_release_net() attributes {fusion.release} {
// CHECK-NEXT:   fusion.rt.release @[[$ARGUMENT]]
// CHECK-NEXT:   fusion.rt.release @[[$CONSTANT_ARGUMENT]]
// CHECK-NEXT:   fusion.rt.release @[[$CONSTANT_INPUT]]
// CHECK-NEXT:   fusion.rt.release @[[$GLOBAL]]
// CHECK-NEXT:   fusion.rt.release @[[$VARIABLE]]
// CHECK-NEXT:   fusion.rt.release @[[$RESHAPED]]
// CHECK-NEXT:   fusion.rt.release @[[$LOOP]]
// CHECK-NEXT:   return
// CHECK-NOT:  _fusion_release
}
