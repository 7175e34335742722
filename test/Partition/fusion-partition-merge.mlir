// RUN: fusion-opt %s --fusion-partition=merge=true -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: fusion-opt %t.mlir --fusion-partition=merge=true | diff %t.mlir -
// RUN: fusion-opt %t.mlir --inline --canonicalize --cse --symbol-dce | FileCheck %s --check-prefix=KEPT

// Neighbouring composites of one code generator become one function, where no cycle
// comes of it, and equal functions are one. TVM 15, 36 to 47; calls and ops stand here
// for code that is no composite.

// TVM 36: a chain.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:    %[[R:.*]] = call @dnnl_region(%arg0)
// CHECK-NEXT:    return %[[R]]
// KEPT-LABEL:  func.func @chain(
// KEPT-NEXT:     call @dnnl_region(%arg0)
// KEPT-LABEL:  func.func private @dnnl_region(
// KEPT-NEXT:     %[[A:.*]] = call @a(%arg0)
// KEPT-NEXT:     call @b(%[[A]])
func.func @chain(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %a = call @a(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %b = call @b(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  return %b : tensor<5x3xf32>
}

// TVM 38: a diamond.
// CHECK-LABEL: func.func @diamond(
// CHECK-NEXT:    %[[R:.*]] = call @dnnl_region_1(%arg0)
// CHECK-NEXT:    return %[[R]]
func.func @diamond(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %a = call @a(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %b = call @b(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %c = call @a(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %d = call @two(%b, %c) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %d : tensor<5x3xf32>
}

// TVM 37: one side of the diamond is none. The ops in front of it go with the other
// side, the end of the diamond does not.
// CHECK-LABEL: func.func @diamond_cycle(
// CHECK-NEXT:    %[[R:.*]]:2 = call @dnnl_region_2(%arg0)
// CHECK-NEXT:    %[[C:.*]] = math.tanh %[[R]]#0
// CHECK-NEXT:    %[[D:.*]] = call @dnnl_region_3(%[[R]]#1, %[[C]])
// CHECK-NEXT:    return %[[D]]
func.func @diamond_cycle(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %a = call @a(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %b = call @b(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %c = math.tanh %a : tensor<5x3xf32>
  %d = call @two(%b, %c) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %d : tensor<5x3xf32>
}

// TVM 39: two that feed a third one, with something in between that waits for neither.
// CHECK-LABEL: func.func @producers(
// CHECK-NEXT:    %[[T:.*]] = math.tanh %arg1
// CHECK-NEXT:    %[[R:.*]] = call @dnnl_region_4(%arg0, %[[T]])
// CHECK-NEXT:    return %[[R]]
func.func @producers(%x: tensor<5x3xf32>, %y: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %a = call @a(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %t = math.tanh %y : tensor<5x3xf32>
  %b = call @b(%t) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %c = call @two(%a, %b) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %c : tensor<5x3xf32>
}

// TVM 40: the second producer needs the first one through an op that is outside; the
// third one can be merged with one of both. Ops that use the merged one move behind it.
// CHECK-LABEL: func.func @producers_cycle(
// CHECK-NEXT:    %[[A:.*]] = call @dnnl_region_5(%arg0)
// CHECK-NEXT:    %[[T:.*]] = math.tanh %[[A]]
// CHECK-NEXT:    %[[C:.*]] = call @dnnl_region_6(%[[T]], %[[A]])
// CHECK-NEXT:    return %[[C]]
func.func @producers_cycle(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %a = call @a(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %t = math.tanh %a : tensor<5x3xf32>
  %b = call @b(%t) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %c = call @two(%b, %a) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %c : tensor<5x3xf32>
}

// TVM 41: regions of two code generators, and an op of none.
// CHECK-LABEL: func.func @generators(
// CHECK-NEXT:    %[[A:.*]]:2 = call @dnnl_region_2(%arg0)
// CHECK-NEXT:    %[[B:.*]] = call @acme_region(%[[A]]#1)
// CHECK-NEXT:    %[[C:.*]] = call @dnnl_region_3(%[[B]], %[[A]]#0)
// CHECK-NEXT:    return %[[C]]
func.func @generators(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %a = call @a(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %b = call @b(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %c = call @acme(%b) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %d = call @acme(%c) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %e = call @two(%d, %a) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %e : tensor<5x3xf32>
}

// TVM 42, 43, 44: calls of other functions and reshapes stand between, and stay.
// CHECK-LABEL: func.func @others(
// CHECK:         %[[A:.*]] = call @dnnl_region_5(%arg0)
// CHECK-NEXT:    %[[F:.*]] = tensor.collapse_shape %[[A]]
// CHECK-NEXT:    %[[E:.*]] = tensor.expand_shape %[[F]]
// CHECK-NEXT:    %[[O:.*]] = call @opaque(%[[E]])
// CHECK-NEXT:    call @dnnl_region_7(%[[O]])
// CHECK-NEXT:    return
func.func @others(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %a = call @a(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %f = tensor.collapse_shape %a [[0, 1]] : tensor<5x3xf32> into tensor<15xf32>
  %e = tensor.expand_shape %f [[0, 1]] output_shape [5, 3] : tensor<15xf32> into tensor<5x3xf32>
  %o = call @opaque(%e) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %b = call @b(%o) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  return %b : tensor<5x3xf32>
}

// TVM 45, 47: results that leave from the middle, one of them twice: several results.
// An op that uses one of them moves behind the call, in order.
// CHECK-LABEL: func.func @escaping(
// CHECK-NEXT:    %[[R:.*]]:2 = call @dnnl_region_2(%arg0)
// CHECK-NEXT:    %[[S:.*]] = math.tanh %[[R]]#0
// CHECK-NEXT:    %[[T:.*]] = math.exp %[[S]]
// CHECK-NEXT:    return %[[R]]#0, %[[T]], %[[R]]#1
func.func @escaping(%x: tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>) {
  %a = call @a(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %s = math.tanh %a : tensor<5x3xf32>
  %t = math.exp %s : tensor<5x3xf32>
  %b = call @b(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  return %a, %t, %b : tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>
}

// TVM 46: a loop that uses the first one and computes an operand of the second one.
// CHECK-LABEL: func.func @loop_between(
// CHECK:         %[[A:.*]] = call @dnnl_region_5(%arg0)
// CHECK-NEXT:    %[[L:.*]] = scf.for
// CHECK:           math.tanh %[[A]]
// CHECK:         call @dnnl_region_6(%[[L]], %[[A]])
func.func @loop_between(%x: tensor<5x3xf32>, %n: index) -> tensor<5x3xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %a = call @a(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %l = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %x) -> tensor<5x3xf32> {
    %t = math.tanh %a : tensor<5x3xf32>
    %s = arith.addf %t, %acc : tensor<5x3xf32>
    scf.yield %s : tensor<5x3xf32>
  }
  %b = call @b(%l) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %c = call @two(%b, %a) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %c : tensor<5x3xf32>
}

// Effects keep their order: the second call waits for the first one, which waits for
// a composite.
// CHECK-LABEL: func.func @effects(
// CHECK-NEXT:    %[[A:.*]]:2 = call @dnnl_region_2(%arg0)
// CHECK-NEXT:    call @effect(%[[A]]#0)
// CHECK-NEXT:    call @effect(%arg0)
// CHECK-NEXT:    return %[[A]]#1
func.func @effects(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %a = call @a(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  call @effect(%a) : (tensor<5x3xf32>) -> ()
  call @effect(%x) : (tensor<5x3xf32>) -> ()
  %b = call @b(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  return %b : tensor<5x3xf32>
}

// One that has a code generator of its own is not merged.
// CHECK-LABEL: func.func @annotated(
// CHECK-NEXT:    %[[A:.*]] = call @own(%arg0)
// CHECK-NEXT:    call @dnnl_region_7(%[[A]])
func.func @annotated(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %a = call @own(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %b = call @b(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  return %b : tensor<5x3xf32>
}

func.func private @a(%x: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.composite = "dnnl.a", no_inline} {
  %r = math.absf %x : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func private @b(%x: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.composite = "dnnl.b", no_inline} {
  %r = arith.mulf %x, %x : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func private @two(%x: tensor<5x3xf32>, %y: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.composite = "dnnl.two", no_inline} {
  %r = arith.subf %x, %y : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func private @acme(%x: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.composite = "acme.neg", no_inline} {
  %r = arith.negf %x : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func private @own(%x: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.composite = "dnnl.own", fusion.codegen = "dnnl", fusion.global_symbol = "own", no_inline} {
  %r = math.floor %x : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func private @opaque(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = math.sqrt %x : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func private @effect(tensor<5x3xf32>)

// CHECK-LABEL: func.func private @dnnl_region(
// CHECK-SAME:    attributes {fusion.codegen = "dnnl", fusion.global_symbol = "dnnl_region", no_inline}
// CHECK-NEXT:    %[[A:.*]] = call @a(%arg0)
// CHECK-NEXT:    %[[B:.*]] = call @b(%[[A]])
// CHECK-NEXT:    return %[[B]]

// CHECK-LABEL: func.func private @dnnl_region_1(
// CHECK-NEXT:    %[[A:.*]] = call @a(%arg0)
// CHECK-NEXT:    %[[B:.*]] = call @b(%[[A]])
// CHECK-NEXT:    %[[C:.*]] = call @a(%[[A]])
// CHECK-NEXT:    %[[D:.*]] = call @two(%[[B]], %[[C]])
// CHECK-NEXT:    return %[[D]]

// CHECK-LABEL: func.func private @dnnl_region_2(
// CHECK-NEXT:    %[[A:.*]] = call @a(%arg0)
// CHECK-NEXT:    %[[B:.*]] = call @b(%[[A]])
// CHECK-NEXT:    return %[[A]], %[[B]]

// CHECK-LABEL: func.func private @dnnl_region_4(
// CHECK-NEXT:    %[[A:.*]] = call @a(%arg0)
// CHECK-NEXT:    %[[B:.*]] = call @b(%arg1)
// CHECK-NEXT:    %[[C:.*]] = call @two(%[[A]], %[[B]])
// CHECK-NEXT:    return %[[C]]

// CHECK-LABEL: func.func private @acme_region(
// CHECK-SAME:    fusion.codegen = "acme", fusion.global_symbol = "acme_region"
// CHECK-NEXT:    call @acme(
// CHECK-NEXT:    call @acme(
