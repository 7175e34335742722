// RUN: fusion-opt %s --split-input-file --convert-fusion-to-runtime | FileCheck %s
// RUN: fusion-opt %s --convert-fusion-to-runtime --split-input-file --convert-fusion-to-runtime | FileCheck %s

// A function prepares the calls whose shapes are static, on several threads.

module @net {

memref.global "private" constant @weights : memref<30xf32> = dense<1.5>

func.func @forward(%x: memref<1x3x9xf32>, %p: memref<5x3x2xf32> {fusion.constant}, %v: memref<5x3x2xf32>,
                   %s: memref<1x5x8xf32>, %y: memref<1x5x8xf32>, %d: memref<?x3x9xf32>, %e: memref<?x5x8xf32>, %x2: memref<1x3x8xf32>) {
  %f = memref.get_global @weights : memref<30xf32>
  %w = memref.expand_shape %f [[0, 1, 2]] output_shape [5, 3, 2] : memref<30xf32> into memref<5x3x2xf32>
  // A constant global, packed; the residual is elsewhere.
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) residual(%s : memref<1x5x8xf32>) outs(%y : memref<1x5x8xf32>)
  // The address of an argument is not known; the residual is the init.
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %p : memref<1x3x9xf32>, memref<5x3x2xf32>) residual(%y : memref<1x5x8xf32>) outs(%y : memref<1x5x8xf32>)
  // A filter that changes is not packed.
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %v : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  // A dynamic size is not prepared.
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%d, %w : memref<?x3x9xf32>, memref<5x3x2xf32>) outs(%e : memref<?x5x8xf32>)
  fusion.pool {pooling = #fusion.pooling<max>, kernel = array<i64: 2>, strides = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, layout = "ncw"}
      ins(%x : memref<1x3x9xf32>) outs(%x2 : memref<1x3x8xf32>)
  return
}

// CHECK:      func.func private @_fusion_prepare_range_net(%[[BEGIN:.*]]: index, %[[END:.*]]: index) {
// CHECK-NEXT:   cf.br ^[[HEAD:.*]](%[[BEGIN]] : index)
// CHECK-NEXT: ^[[HEAD]](%[[I:.*]]: index):
// CHECK-NEXT:   %[[IN_RANGE:.*]] = arith.cmpi slt, %[[I]], %[[END]] : index
// CHECK-NEXT:   cf.cond_br %[[IN_RANGE]], ^[[BODY:.*]], ^[[EXIT:.*]]
// CHECK-NEXT: ^[[BODY]]:
// CHECK-NEXT:   %[[FLAG:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK-NEXT:   cf.switch %[[FLAG]] : i64, [
// CHECK-NEXT:     default: ^[[NEXT:[a-z0-9]*]],
// CHECK-NEXT:     0: ^[[CASE0:[a-z0-9]*]],
// CHECK-NEXT:     1: ^[[CASE1:[a-z0-9]*]],
// CHECK-NEXT:     2: ^[[CASE2:[a-z0-9]*]],
// CHECK-NEXT:     3: ^[[CASE3:[a-z0-9]*]]
// CHECK-NEXT:   ]
// CHECK-NEXT: ^[[CASE0]]:
// CHECK-NEXT:   %[[F:.*]] = memref.get_global @weights : memref<30xf32>
// CHECK-NEXT:   %[[W:.*]] = memref.expand_shape %[[F]]
// CHECK-NEXT:   fusion.rt.prepare @{{[a-z_0-9]+}} ins memref<1x3x9xf32> filter memref<5x3x2xf32> residual memref<1x5x8xf32> outs memref<1x5x8xf32> packs(%[[W]] : memref<5x3x2xf32>)
// CHECK-NEXT:   cf.br ^[[NEXT]]
// CHECK-NEXT: ^[[CASE1]]:
// CHECK-NEXT:   fusion.rt.prepare @{{[a-z_0-9]+}} ins memref<1x3x9xf32> filter memref<5x3x2xf32> residual memref<1x5x8xf32> outs memref<1x5x8xf32> in_place{{$}}
// CHECK:      ^[[CASE2]]:
// CHECK-NEXT:   fusion.rt.prepare @{{[a-z_0-9]+}} ins memref<1x3x9xf32> filter memref<5x3x2xf32> outs memref<1x5x8xf32>{{$}}
// CHECK:      ^[[CASE3]]:
// CHECK-NEXT:   fusion.rt.prepare @{{[a-z_0-9]+}} ins memref<1x3x9xf32> outs memref<1x3x8xf32>{{$}}
// CHECK:      ^[[NEXT]]:
// CHECK:        %[[NUMBER:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK-NEXT:   cf.br ^[[HEAD]](%[[NUMBER]] : index)
// CHECK-NEXT: ^[[EXIT]]:
// CHECK-NEXT:   return
// CHECK:      func.func @_fusion_prepare_net() attributes {fusion.prepare} {
// CHECK-DAG:    %[[SIZE:.*]] = arith.constant 4 : index
// CHECK-DAG:    %[[GRAIN:.*]] = arith.constant 1 : index
// CHECK:        fusion.rt.parallel_for @_fusion_prepare_range_net for %[[SIZE]] grain %[[GRAIN]]()
// CHECK-NEXT:   return
// CHECK-NOT:  _fusion_prepare

}

// -----

// CHECK-LABEL: module @dynamic
// CHECK-NOT:     fusion.prepare
module @dynamic {
func.func @forward(%x: memref<?x3x9xf32>, %w: memref<5x3x2xf32>, %y: memref<?x5x8xf32>) {
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %w : memref<?x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<?x5x8xf32>)
  return
}
}
