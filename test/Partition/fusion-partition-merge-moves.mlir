// RUN: fusion-opt %s --fusion-partition=merge=true | FileCheck %s

// Functions of a partition have no effects, of any code generator, merged or in a branch:
// users of a merged function's result move behind its call, past any other.

// CHECK-LABEL: func.func @generators(
// CHECK-NEXT:    %[[Q:.*]] = call @dnnl_region(%arg0)
// CHECK-NEXT:    %[[R:.*]]:2 = call @acme_region(%arg0, %[[Q]])
// CHECK-NEXT:    %[[P:.*]] = call @dnnl_region(%[[R]]#0)
// CHECK-NEXT:    return %[[R]]#1, %[[P]]
func.func @generators(%x: tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  %a = call @neg(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %p = call @square(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %q = call @square(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %b = call @sub(%a, %q) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %b, %p : tensor<5x3xf32>, tensor<5x3xf32>
}

// CHECK-LABEL: func.func @one_with_effects(
// CHECK-NEXT:    %[[Q:.*]] = call @opaque(%arg0)
// CHECK-NEXT:    %[[R:.*]]:2 = call @acme_region(%arg0, %[[Q]])
// CHECK-NEXT:    %[[P:.*]] = call @dnnl_region(%[[R]]#0)
// CHECK-NEXT:    return %[[R]]#1, %[[P]]
func.func @one_with_effects(%x: tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  %a = call @neg(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %p = call @square(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %q = call @opaque(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %b = call @sub(%a, %q) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %b, %p : tensor<5x3xf32>, tensor<5x3xf32>
}

// The first branch reads no call's result; the merged function reads the branch's.
// CHECK-LABEL: func.func @branch(
// CHECK-NEXT:    %[[Q:.*]] = scf.if
// CHECK-NEXT:      call @dnnl_region(%arg1)
// CHECK:         %[[R:.*]]:2 = call @acme_region(%arg1, %[[Q]])
// CHECK-NEXT:    %[[P:.*]] = scf.if
// CHECK-NEXT:      call @own(%[[R]]#0)
// CHECK:         return %[[R]]#1, %[[P]]
func.func @branch(%c: i1, %x: tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  %a = call @neg(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %p = scf.if %c -> tensor<5x3xf32> {
    %o = func.call @own(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
    scf.yield %o : tensor<5x3xf32>
  } else {
    scf.yield %a : tensor<5x3xf32>
  }
  %q = scf.if %c -> tensor<5x3xf32> {
    %d = func.call @square(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
    scf.yield %d : tensor<5x3xf32>
  } else {
    scf.yield %x : tensor<5x3xf32>
  }
  %b = call @sub(%a, %q) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %b, %p : tensor<5x3xf32>, tensor<5x3xf32>
}

// A branch with an effect waits for the one in front of it, and that for the first of
// both composites, which therefore stay two.
// CHECK-LABEL: func.func @effect_in_branch(
// CHECK-NEXT:    %[[A:.*]] = call @acme_region_1(%arg1)
// CHECK-NEXT:    %[[P:.*]] = call @opaque(%[[A]])
// CHECK-NEXT:    %[[Q:.*]] = scf.if
// CHECK-NEXT:      call @opaque(%arg1)
// CHECK:         %[[B:.*]] = call @acme_region_2(%[[A]], %[[Q]])
// CHECK-NEXT:    return %[[B]], %[[P]]
func.func @effect_in_branch(%c: i1, %x: tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  %a = call @neg(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %p = call @opaque(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %q = scf.if %c -> tensor<5x3xf32> {
    %d = func.call @opaque(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
    scf.yield %d : tensor<5x3xf32>
  } else {
    scf.yield %x : tensor<5x3xf32>
  }
  %b = call @sub(%a, %q) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %b, %p : tensor<5x3xf32>, tensor<5x3xf32>
}

func.func private @opaque(tensor<5x3xf32>) -> tensor<5x3xf32>
func.func private @neg(%x: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.composite = "acme.neg", no_inline} {
  %r = arith.negf %x : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func private @sub(%x: tensor<5x3xf32>, %y: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.composite = "acme.sub", no_inline} {
  %r = arith.subf %x, %y : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func private @square(%x: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.composite = "dnnl.square", no_inline} {
  %r = arith.mulf %x, %x : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func private @own(%x: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.composite = "dnnl.own", fusion.codegen = "dnnl", fusion.global_symbol = "own", no_inline} {
  %r = math.floor %x : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
