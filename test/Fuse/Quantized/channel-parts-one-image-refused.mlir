// Near misses of channel-parts-one-image.mlir.

// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

#x = affine_map<(g, f, w, c, k) -> (g, c, w + k)>
#w = affine_map<(g, f, w, c, k) -> (g, f, c, k)>
#o = affine_map<(g, f, w, c, k) -> (g, f, w)>
#n = affine_map<(g, f, w) -> (g, f, w)>
#gf = affine_map<(g, f, w) -> (g, f)>
#r = affine_map<(n, g, f, h, w) -> (n, g, f, h, w)>

// The bias varies along the columns.
func.func @columns(%x: tensor<2x3x11xi8>, %w: tensor<2x5x3x4xi8>, %b: tensor<2x5x8xi32>) -> tensor<2x5x8xi32> {
  %zx = arith.constant -5 : i32
  %z = arith.constant dense<0> : tensor<2x5x8xi32>
  %e = tensor.empty() : tensor<2x5x8xi32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: zero point; what is added to the sum is no bias of the output channel: bias varies along dimension 2 (size 8), expected the output channel dimension 1{{$}}
  %c = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<2x3x11xi8>, tensor<2x5x3x4xi8>) outs(%z : tensor<2x5x8xi32>) {
  ^bb0(%a: i8, %p: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %p : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<2x5x8xi32>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel", "parallel"]} ins(%b, %c : tensor<2x5x8xi32>, tensor<2x5x8xi32>) outs(%e : tensor<2x5x8xi32>) {
  ^bb0(%in: i32, %acc: i32, %out: i32):
    %0 = arith.addi %acc, %in : i32
    linalg.yield %0 : i32
  } -> tensor<2x5x8xi32>
  return %r : tensor<2x5x8xi32>
}

// Another op reads the sum, too.
func.func @read_twice(%x: tensor<2x3x11xi8>, %w: tensor<2x5x3x4xi8>, %b: tensor<2x5xi32>) -> (tensor<2x5x8xi32>, tensor<2x5x8xi32>) {
  %zx = arith.constant -5 : i32
  %z = arith.constant dense<0> : tensor<2x5x8xi32>
  %e = tensor.empty() : tensor<2x5x8xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: partly fused: zero point; unsupported: 'tensor.expand_shape' at {{.*}}:[[#@LINE+1]]:8 comes between the sum and 'linalg.generic' at {{.*}}:[[#@LINE+10]]:8{{$}}
  %c = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<2x3x11xi8>, tensor<2x5x3x4xi8>) outs(%z : tensor<2x5x8xi32>) {
  ^bb0(%a: i8, %p: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %p : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<2x5x8xi32>
  %r = linalg.generic {indexing_maps = [#gf, #n, #n], iterator_types = ["parallel", "parallel", "parallel"]} ins(%b, %c : tensor<2x5xi32>, tensor<2x5x8xi32>) outs(%e : tensor<2x5x8xi32>) {
  ^bb0(%in: i32, %acc: i32, %out: i32):
    %0 = arith.addi %acc, %in : i32
    linalg.yield %0 : i32
  } -> tensor<2x5x8xi32>
  return %r, %c : tensor<2x5x8xi32>, tensor<2x5x8xi32>
}
