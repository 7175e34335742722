// RUN: fusion-opt %s --convert-fusion-to-runtime | FileCheck %s

// A filter that was computed once never changes: it is packed once, also behind a
// reshape. The module is released with what its functions computed, each function
// once, however often it is named.

module @net {

func.func private @filter(%w: memref<5x3x2xf32>) -> memref<5x3x2xf32>
func.func private @flat(%w: memref<5x3x2xf32>) -> (memref<30xf32>, memref<5xf32>)

// CHECK-LABEL: func @computed(
// CHECK:         %[[W:.*]] = fusion.rt.once @filter(
// CHECK-NEXT:    fusion.rt.execute @[[$FILTER:[a-z_0-9]+]] ins(%{{.*}}, %[[W]] :
func.func @computed(%x: memref<1x3x9xf32>, %c: memref<5x3x2xf32> {fusion.constant}, %y: memref<1x5x8xf32>) {
  %w = fusion.rt.once @filter(%c) : (memref<5x3x2xf32>) -> memref<5x3x2xf32>
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// CHECK-LABEL: func @reshaped(
// CHECK:         %[[F:.*]]:2 = fusion.rt.once @flat(
// CHECK:         %[[W:.*]] = memref.expand_shape %[[F]]#0
// CHECK:         fusion.rt.execute @[[$RESHAPED:[a-z_0-9]+]] ins(%{{.*}}, %[[W]] : {{.*}}) bias(%[[F]]#1 :
func.func @reshaped(%x: memref<1x3x9xf32>, %c: memref<5x3x2xf32> {fusion.constant}, %y: memref<1x5x8xf32>) {
  %f:2 = fusion.rt.once @flat(%c) : (memref<5x3x2xf32>) -> (memref<30xf32>, memref<5xf32>)
  %w = memref.expand_shape %f#0 [[0, 1, 2]] output_shape [5, 3, 2] : memref<30xf32> into memref<5x3x2xf32>
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) bias(%f#1 : memref<5xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// The input, and not the filter, was computed once.
// CHECK-LABEL: func @input(
// CHECK:         %[[X:.*]] = fusion.rt.once @filter(
// CHECK:         fusion.rt.execute @[[$INPUT:[a-z_0-9]+]] ins(%[[X]],
func.func @input(%w: memref<4x3x1xf32>, %c: memref<5x3x2xf32> {fusion.constant}, %y: memref<5x4x2xf32>) {
  %x = fusion.rt.once @filter(%c) : (memref<5x3x2xf32>) -> memref<5x3x2xf32>
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %w : memref<5x3x2xf32>, memref<4x3x1xf32>) outs(%y : memref<5x4x2xf32>)
  return
}

// CHECK-DAG: fusion.rt.create @[[$FILTER]] {{.*}}constant_filter
// CHECK-DAG: fusion.rt.create @[[$RESHAPED]] {{.*}}constant_filter
// CHECK-DAG: fusion.rt.create @[[$INPUT]] #fusion.conv_desc<{{.*}}pad_high = [0]> {sym
// CHECK:     func @_fusion_release_net()
// CHECK-DAG:   fusion.rt.release @[[$FILTER]]{{$}}
// CHECK-DAG:   fusion.rt.release @[[$RESHAPED]]{{$}}
// CHECK-DAG:   fusion.rt.release @[[$INPUT]]{{$}}
// CHECK-NEXT:  fusion.rt.release @filter once
// CHECK-NEXT:  fusion.rt.release @flat once
// CHECK-NEXT:  return
}
